#include "rules/march.h"

#include "rules/field.h"

bool same_place(const struct box *a, const struct box *b)
{
	return a->front.x == b->front.x && a->front.y == b->front.y && a->facing == b->facing;
}

static void note_walk(const struct turn *t, struct event *ev, const struct walk *w)
{
	event_set(ev, NUM_ASKED, w->asked);
	ev->reason = w->reason;
	if (w->blocker >= 0)
		turn_object(ev, w->blocker);
	if (!w->whole) {
		turn_ruling(ev, "FP3");
		turn_ruling(ev, w->reason == REASON_TERRAIN ? t->rules->rulings.stopped : move_ruling(w->reason));
		if (w->reason == REASON_ENEMY_NEAR && t->state->units[ev->actor].kind == KIND_COMMANDER)
			turn_ruling(ev, "FP19");
		if (w->reason == REASON_ALLOWANCE && w->path_count > 2)
			turn_ruling(ev, "FP17");
	} else {
		turn_ruling(ev, "FP15");
	}
	if (t->state->units[ev->actor].kind == KIND_COMMANDER)
		turn_ruling(ev, t->rules->rulings.ride);
	if (w->paid) {
		turn_ruling(ev, t->rules->rulings.paid);
		event_set(ev, NUM_PAID, w->paid);
		if (ev->reason == REASON_ALLOWANCE)
			ev->reason = REASON_PAID;
	}
}

/* The way is decided; what remains is to say so and to go it. */
void march(struct turn *t, int unit, const struct walk *w)
{
	struct unit *u = &t->state->units[unit];
	bool stays = same_place(&w->from, &w->to);
	enum event_kind kind = stays ? EVENT_NO_MOVE : EVENT_MOVE;
	struct event *ev;
	struct point from = geo_centre(&w->from), to = geo_centre(&w->to);

	if (!turn_reaches(t, kind, unit))
		return;
	ev = turn_event(t, kind, unit);
	note_walk(t, ev, w);
	if (stays && ev->reason == REASON_NONE)
		ev->reason = REASON_THERE;
	if (stays)
		return;
	turn_from(ev, &w->from);
	if (turn_void(t, ev)) {
		turn_to(ev, &w->from);
		return;
	}
	turn_to(ev, &w->to);
	event_set(ev, NUM_DISTANCE, geo_length(to.x - from.x, to.y - from.y));
	u->box = w->to;
	u->used += w->gone + w->paid;
	carry(t, unit);
	if (u->kind != KIND_COMMANDER)
		displace_commanders(t, unit);
}

/* Rides toward the unit that he cannot reach yet (FP3): he joins it in the Charge phase (FP24). */
void ride_toward(struct turn *t, int commander, int unit, int32_t allowance)
{
	struct leg leg = {.kind = LEG_TOWARD, .unit = unit};
	struct clause clause = {.kind = CLAUSE_MOVE, .legs = &leg, .leg_count = 1};
	const struct clause *list[] = {&clause};
	struct mover mover = {.t = t, .unit = commander, .allowance = allowance, .clauses = list, .count = 1};
	struct walk w;

	if (allowance <= 0)
		return;
	turn_act(t);
	walk_best(&mover, &w);
	w.asked = geo_distance(&w.from, &t->state->units[unit].box);
	w.whole = false;
	if (w.reason == REASON_NONE)
		w.reason = REASON_ALLOWANCE;
	march(t, commander, &w);
}

/* Who has left without a way to go, or none long enough, is put down behind his unit. */
void clear_of_unit(struct turn *t, int commander)
{
	struct unit *c = &t->state->units[commander];

	if (is_lone(c) && !place_clear(t, commander, &c->box, c->side, 0))
		set_down(t, commander);
}
