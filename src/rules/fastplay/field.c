#include "rules/fastplay/field.h"

#include "battle/scenario.h"
#include "rules/fastplay/parameters.h"

#include <string.h>

int32_t move_allowance(const struct turn *t, const struct unit *u)
{
	if (u->kind == KIND_GUN)
		return 0;
	if (u->kind == KIND_COMMANDER)
		return parameter(t, P_COMMANDER_MOVE);
	return parameter(t, unit_is_horse(u) ? P_HORSE_MOVE : P_INFANTRY_MOVE);
}

int32_t charge_allowance(const struct turn *t, const struct unit *u)
{
	if (u->kind == KIND_GUN)
		return 0;
	if (u->kind == KIND_COMMANDER)
		return parameter(t, P_COMMANDER_CHARGE);
	return parameter(t, unit_is_horse(u) ? P_HORSE_CHARGE : P_INFANTRY_CHARGE);
}

/* Is the distance between the points more than `far`? */
static bool farther(struct point a, struct point b, int64_t far)
{
	int64_t dx = (int64_t)a.x - b.x, dy = (int64_t)a.y - b.y;

	return dx * dx + dy * dy > far * far;
}

/* No point of a box is farther from the middle of its front than half its width and its depth together, or from its
 * centre than half of both. */
bool may_meet(const struct box *a, const struct box *b, int32_t reach)
{
	int64_t half = reach + (a->width + b->width) / 2 + 4;

	return !farther(a->front, b->front, half + a->depth + b->depth) &&
	       !farther(geo_centre(a), geo_centre(b), half + (a->depth + b->depth) / 2);
}

void carry(struct turn *t, int unit)
{
	struct state *s = t->state;

	for (int i = 0; i < s->count; i++)
		if (s->units[i].with == unit && s->units[i].kind == KIND_COMMANDER) {
			s->units[i].box.front = s->units[unit].box.front;
			s->units[i].box.facing = s->units[unit].box.facing;
		}
}

/* --- clear places --------------------------------------------------------------------------------------------------
 */

bool place_clear(struct turn *t, int self, const struct box *b, enum side side, int32_t zone)
{
	const struct state *s = t->state;

	if (!geo_within(b, (struct point){0, 0}, (struct point){t->sc->table.width, t->sc->table.height}))
		return false;
	if (ground_blocks(t, b, false))
		return false;
	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];
		bool enemy = u->side != side && is_body(u);

		if (i == self || !(is_body(u) || is_lone(u)) || !may_meet(b, &u->box, zone))
			continue;
		turn_look(t, i);
		if (geo_overlap(b, &u->box) || (enemy && zone && geo_distance(b, &u->box) < zone))
			return false;
	}
	return true;
}

static int own_edge(enum side side)
{
	return side == SIDE_GOVERNMENT ? 180 : 0;
}

static void put(struct turn *t, int commander, const struct box *from, const struct box *to, const char *ruling)
{
	struct event *ev = turn_event(t, EVENT_SET_DOWN, commander);

	turn_from(ev, from);
	turn_to(ev, to);
	turn_ruling(ev, ruling);
	t->state->units[commander].box = *to;
}

/* The nearest clear place on rings about where he is, his own edge's side first. */
static bool nearest_place(struct turn *t, int commander, struct box *out)
{
	enum { RING = 100, RINGS = 400, SPOKE = 15 };
	const struct unit *u = &t->state->units[commander];

	for (int32_t r = 0; r <= RING * RINGS; r += RING)
		for (int k = 0; k <= 360 / SPOKE; k++) {
			int turn = (k % 2 ? 1 : -1) * ((k + 1) / 2) * SPOKE;
			struct box b = geo_shift(u->box, geo_degrees(own_edge(u->side) + turn), r);

			if (place_clear(t, commander, &b, u->side, parameter(t, P_CLEARANCE))) {
				*out = b;
				return true;
			}
		}
	return false;
}

void displace_commanders(struct turn *t, int unit)
{
	struct state *s = t->state;

	for (int i = 0; i < s->count; i++) {
		struct box to;

		if (i == unit || !is_lone(&s->units[i]) || !may_meet(&s->units[i].box, &s->units[unit].box, 0) ||
			!geo_overlap(&s->units[i].box, &s->units[unit].box))
			continue;
		turn_act(t);
		turn_look(t, unit);
		if (nearest_place(t, i, &to))
			put(t, i, &s->units[i].box, &to, "FP84");
	}
}

void set_down(struct turn *t, int commander)
{
	enum { STEP = 50 };
	struct unit *u = &t->state->units[commander];
	struct box from = u->box, to;

	u->with = -1;
	turn_act(t);
	for (int32_t r = 0; r <= t->sc->table.height; r += STEP) {
		to = geo_shift(from, own_edge(u->side), r);
		if (place_clear(t, commander, &to, u->side, parameter(t, P_CLEARANCE))) {
			put(t, commander, &from, &to, "FP73");
			return;
		}
	}
	if (nearest_place(t, commander, &to))
		put(t, commander, &from, &to, "FP73");
}

/* --- losses --------------------------------------------------------------------------------------------------------
 */

int bases_after(const struct turn *t, const struct unit *u, int hits)
{
	int left = u->bases - hits;

	if (u->kind == KIND_GUN)
		return u->gun_hits + hits >= parameter(t, P_GUN_HITS) ? 0 : u->bases;
	if (u->kind == KIND_COMMANDER)
		return u->bases;
	return hits > 0 && left <= 1 ? 0 : left;
}

static void unlock(struct state *s, int unit)
{
	for (int i = s->lock_count - 1; i >= 0; i--)
		if (s->locks[i].charger == unit || s->locks[i].charged == unit)
			state_unlock(s, i);
}

void commander_risk(struct turn *t, int commander, int unit, const char *ruling)
{
	struct unit *u = &t->state->units[commander];
	struct event *ev = turn_event(t, EVENT_COMMANDER_RISK, commander);
	int value, need = parameter(t, P_COMMANDER_FALLS);
	bool falls;

	turn_object(ev, unit);
	turn_roll(t, ev, commander, "commander", NULL, 6, 1, &value);
	falls = value >= need && !turn_void(t, ev);
	event_set(ev, NUM_DICE, 1);
	event_set(ev, NUM_NEED, need);
	event_set(ev, NUM_AFTER, !falls);
	turn_ruling(ev, ruling);
	if (falls) {
		u->bases = 0;
		u->with = -1;
		if (u->overall)
			turn_ruling(ev, "FP85");
	}
}

void destroy(struct turn *t, int unit, int by, enum event_reason reason, int before)
{
	struct state *s = t->state;
	struct event *ev;

	turn_act(t);
	ev = turn_event(t, EVENT_DESTROYED, unit);
	if (by >= 0)
		turn_object(ev, by);
	event_set(ev, NUM_BEFORE, before);
	ev->reason = reason;
	if (s->units[unit].kind == KIND_GUN)
		turn_ruling(ev, reason == REASON_GUN ? "FP59" : "FP41");
	else if (reason == REASON_LAST_BASE)
		turn_ruling(ev, "FP43");
	s->units[unit].bases = 0;
	unlock(s, unit);
	if (reason == REASON_MELEE)
		return;
	for (int i = 0; i < s->count; i++) {
		if (s->units[i].kind != KIND_COMMANDER || s->units[i].with != unit || !unit_alive(&s->units[i]))
			continue;
		commander_risk(t, i, unit, "FP44");
		if (unit_alive(&s->units[i]))
			set_down(t, i);
	}
}

void take_fire(struct turn *t, int unit, int by, int hits)
{
	struct unit *u = &t->state->units[unit];
	int before = u->bases, after;

	if (hits <= 0 || before <= 0)
		return;
	after = bases_after(t, u, hits);
	if (u->kind == KIND_GUN)
		u->gun_hits = (int16_t)(u->gun_hits + hits);
	u->bases = after;
	if (after > 0)
		unit_refit(u);
	else
		destroy(t, unit, by,
			u->kind == KIND_GUN  ? REASON_GUN_HITS
			: before - hits == 1 ? REASON_LAST_BASE
					     : REASON_FIRE,
			before);
}

void say_freed(struct turn *t, const bool *was)
{
	const struct state *s = t->state;

	for (int i = 0; i < s->count; i++)
		if (was[i] && unit_alive(&s->units[i]) && !state_locked(s, i)) {
			turn_act(t);
			turn_ruling(turn_event(t, EVENT_FREED, i), "FP81");
		}
}

/* --- a referee's changes -------------------------------------------------------------------------------------------
 */

/* A unit that a referee has moved stays in melee only with those whom it still touches. */
static void unlock_apart(struct state *s, int unit)
{
	for (int i = s->lock_count - 1; i >= 0; i--) {
		const struct lock *l = &s->locks[i];

		if ((l->charger == unit || l->charged == unit) &&
			geo_distance(&s->units[l->charger].box, &s->units[l->charged].box) > OVERLAP_TOLERANCE)
			state_unlock(s, i);
	}
}

void field_settle(struct turn *t, int unit, bool moved)
{
	struct state *s = t->state;
	struct unit *u = &s->units[unit];

	if (unit_is_formed(u) && u->bases == 1)
		u->bases = 0; /* FP43 */
	if (unit_alive(u)) {
		unit_refit(u);
		if (u->kind == KIND_COMMANDER && u->with >= 0 && !unit_alive(&s->units[u->with]))
			u->with = -1;
		if (moved)
			unlock_apart(s, unit);
		carry(t, unit);
		return;
	}
	unlock(s, unit);
	u->with = -1;
	for (int i = 0; i < s->count; i++)
		if (s->units[i].with == unit && unit_alive(&s->units[i]))
			set_down(t, i);
}
