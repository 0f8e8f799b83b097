/* The moves of chargers, and the fire at them (RH12, RH16, RH33-RH37, RH50). */
#include "rules/shreds/charge.h"
#include "rules/shreds/field.h"
#include "rules/shreds/parameters.h"

/* --- how far the roll takes it -------------------------------------------------------------------------------------
 */

/* RH16: how far straight ahead from there the inches last, ground paid for; *paid says what that cost. */
static int32_t ground_reach(
	struct turn *t, const struct box *from, int32_t inches, int32_t *paid, enum event_reason *reason)
{
	enum { OVER = 2 * OVERLAP_TOLERANCE };
	struct box b = *from;
	int32_t gone = 0, left = inches;

	*paid = 0;
	*reason = REASON_ROLL;
	while (left > 0) {
		int32_t cost, go = ground_cost_travel(t, &b, geo_step((struct point){0, 0}, b.facing, left), &cost);

		if (cost == 0)
			return gone + left;
		gone += go;
		left -= go;
		if (left - cost < OVER) {
			*reason = REASON_TERRAIN;
			return gone;
		}
		*paid += cost;
		left -= cost + OVER;
		gone += OVER;
		b = geo_shift(*from, from->facing, gone);
	}
	return gone;
}

/* --- contact -------------------------------------------------------------------------------------------------------
 */

/* A gun that is touched is lost (RH33), a routing unit destroyed (RH52), any other locked. */
static void touch(struct turn *t, int charger, int enemy, enum arc face, bool declared)
{
	const struct unit *e = &t->state->units[enemy];
	struct event *ev;

	if (e->kind == KIND_GUN) {
		if (say_gun_taken(t, charger, enemy, "RH33"))
			lose_unit(t, enemy, charger, REASON_GUN);
	} else if (e->routing && !e->fled) {
		lose_unit(t, enemy, charger, REASON_ROUTING);
	} else if ((ev = lock_pair(t, (struct lock){.charger = (int16_t)charger,
					      .charged = (int16_t)enemy,
					      .face = face,
					      .declared = declared}))) {
		turn_ruling(ev, e->fled ? "RH37" : declared ? "FP48" : "FP55");
		if (face != ARC_FRONT && !e->fled)
			turn_ruling(ev, "RH57");
	}
}

/* FP55: whom else it cannot help touching. */
static void touch_neighbours(struct turn *t, int charger, int target, struct point start)
{
	for (int i = -1; (i = touched_next(t, charger, target, i)) >= 0;)
		touch(t, charger, i, charge_face(&t->state->units[i].box, start), false);
}

/* Its event; NULL when a referee's change before it has taken the unit away. */
static struct event *stop_short(
	struct turn *t, int unit, int target, const struct box *to, int32_t gone, enum event_reason reason, int blocker)
{
	struct box from, end = *to;
	struct event *ev;

	if (!turn_reaches(t, EVENT_CHARGE_SHORT, unit))
		return NULL;
	from = t->state->units[unit].box;
	ev = turn_event(t, EVENT_CHARGE_SHORT, unit);
	turn_object(ev, target);
	if (blocker >= 0)
		turn_object(ev, blocker);
	turn_from(ev, &from);
	event_set(ev, NUM_DISTANCE, gone);
	ev->reason = reason;
	turn_ruling(ev, reason == REASON_ROLL      ? "RH12"
			: reason == REASON_TERRAIN ? "RH16"
			: reason == REASON_NO_ROOM ? "FP54"
						   : "FP53");
	if (turn_void(t, ev))
		end = from;
	turn_to(ev, &end);
	come_to(t, unit, &end);
	return ev;
}

/* The way is free to this enemy: it comes flush to the face that FP48 gives; into one that flees, from behind (RH37).
 */
static void make_contact(
	struct turn *t, const struct charges *c, const struct declared *d, const struct run *run, bool in_way)
{
	int unit = d->charger, target = d->target;
	struct unit *u = &t->state->units[unit];
	const struct unit *e = &t->state->units[target];
	const struct box from = u->box;
	enum arc face = charge_face(&e->box, from.front);
	struct box to = geo_shift(run->wheeled, run->wheeled.facing, run->straight);
	bool stays = e->kind != KIND_GUN && !(e->routing && !e->fled);
	struct event *ev;

	if (stays && !conform(t, unit, target, face, charges_half(t, c, d, face), &to)) {
		int32_t gone;

		to = run_stop(t, unit, run, &gone);
		stop_short(t, unit, target, &to, gone, REASON_NO_ROOM, -1);
		return;
	}
	ev = turn_event(t, EVENT_CHARGE, unit);
	turn_object(ev, target);
	turn_from(ev, &from);
	turn_to(ev, &to);
	event_set(ev, NUM_DISTANCE, geo_distance(&from, &e->box));
	event_set(ev, NUM_FACE, (int32_t)face);
	turn_ruling(ev, e->kind == KIND_GUN ? "RH33" : !stays ? "RH52" : e->fled ? "RH37" : "FP46");
	if (stays)
		turn_ruling(ev, "FP47");
	if (in_way) {
		ev->reason = REASON_ENEMY; /* whom it had not meant to charge */
		turn_ruling(ev, "FP53");
	}
	if (turn_void(t, ev))
		return;
	u->charged = true;
	u->charge_target = (int16_t)target;
	come_to(t, unit, &to);
	touch(t, unit, target, e->fled ? ARC_REAR : face, !in_way);
	touch_neighbours(t, unit, target, from.front);
}

/* --- charges and pursuits ------------------------------------------------------------------------------------------
 */

/* The way that a charge takes, as far as `inches` go: into the target when they last so long. True if it gets there. */
static bool find_run(
	struct turn *t, int unit, int target, int32_t inches, struct run *run, enum event_reason *reason, int32_t *paid)
{
	const struct box *from = &t->state->units[unit].box, *there = &t->state->units[target].box;
	struct reach reach;
	int32_t lasts, far;
	bool near = geo_distance(from, there) <= inches;

	*run = (struct run){.wheeled = *from, .blocker = -1};
	if (!near || !reach_find(from, there, inches, &reach)) {
		near = false;
		/* The same wheel as if the roll had been long enough; straight on where no wheel helps. */
		far = geo_distance(from, there) + INCH(10);
		if (!reach_find(from, there, far, &reach))
			reach = (struct reach){.wheeled = *from};
		reach.straight = inches;
	}
	lasts = ground_reach(t, &reach.wheeled, inches, paid, reason);
	if (!near || lasts < reach.straight) {
		near = false;
		reach.straight = lasts;
	}
	*run = run_try(t, unit, target, &reach);
	return near;
}

/* FP53: an enemy in the way becomes the target, a friend stops it. */
void run_at(struct turn *t, const struct charges *c, const struct declared *d, int32_t inches)
{
	int unit = d->charger, target = d->target;
	enum event_reason reason;
	struct run run;
	int32_t gone, paid;
	bool there = find_run(t, unit, target, inches, &run, &reason, &paid);
	bool enemy = run.blocker >= 0 && t->state->units[run.blocker].side != t->state->units[unit].side;
	struct box to;
	struct event *ev;

	if (run.reason == REASON_NONE && there) {
		make_contact(t, c, d, &run, false);
	} else if (enemy) {
		struct declared other = *d;

		other.target = run.blocker;
		make_contact(t, c, &other, &run, true);
	} else if (run.reason == REASON_NONE) {
		to = geo_shift(run.wheeled, run.wheeled.facing, run.straight);
		ev = stop_short(t, unit, target, &to, run.straight, reason, -1);
		if (ev && paid) {
			turn_ruling(ev, "RH16");
			event_set(ev, NUM_PAID, paid);
			if (reason == REASON_ROLL && ev->reason == reason)
				ev->reason = REASON_PAID;
		}
	} else {
		const struct unit *u = &t->state->units[unit];
		enum arc face = charge_face(&t->state->units[target].box, u->box.front);
		bool full = run.blocker >= 0 && face_full(t, target, face, u->side);

		to = run_stop(t, unit, &run, &gone);
		ev = stop_short(t, unit, target, &to, gone, run.reason, run.blocker);
		if (ev && full)
			turn_ruling(ev, "FP54");
	}
}

bool can_catch(struct turn *t, int unit, int target, int32_t inches, struct box *to)
{
	enum event_reason reason;
	struct run run;
	int32_t paid;

	turn_look(t, target);
	if (!find_run(t, unit, target, inches, &run, &reason, &paid) || run.reason != REASON_NONE)
		return false;
	if (to)
		*to = geo_shift(run.wheeled, run.wheeled.facing, run.straight);
	return true;
}

int charge_blocker(struct turn *t, int unit, int target, int32_t inches, enum event_reason *reason)
{
	struct run run;
	int32_t paid;

	find_run(t, unit, target, inches, &run, reason, &paid);
	if (run.reason != REASON_NONE)
		*reason = run.reason;
	if (run.blocker >= 0 && t->state->units[run.blocker].side != t->state->units[unit].side)
		*reason = REASON_ENEMY;
	return run.blocker;
}

static void stands(struct turn *t, int unit, int target, enum event_reason reason, const char *ruling)
{
	const struct state *s = t->state;
	struct event *ev;

	if (!turn_reaches(t, EVENT_NO_CHARGE, unit))
		return;
	ev = turn_event(t, EVENT_NO_CHARGE, unit);
	turn_object(ev, target);
	if (unit_alive(&s->units[target]))
		event_set(ev, NUM_DISTANCE, geo_distance(&s->units[unit].box, &s->units[target].box));
	ev->reason = reason;
	turn_ruling(ev, ruling);
}

void carry_out_charge(struct turn *t, const struct charges *c, const struct declared *d)
{
	const struct state *s = t->state;
	int unit = d->charger, target = d->target;
	int32_t inches;

	turn_act(t);
	if (!can_act(s, unit))
		return;
	if (!unit_alive(&s->units[target])) {
		stands(t, unit, target, REASON_GONE, "FP52");
		return;
	}
	inches = roll_move(t, unit, true);
	turn_before(t, EVENT_CHARGE, unit);
	if (!can_act(s, unit) || !unit_alive(&s->units[target]))
		return;
	turn_act(t);
	turn_look(t, target);
	run_at(t, c, d, inches);
}
