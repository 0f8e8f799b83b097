/* What comes of a round of melee (RH46-RH49). */
#include "rules/march.h"
#include "rules/shreds/field.h"
#include "rules/shreds/melee.h"
#include "rules/shreds/move.h"
#include "rules/shreds/parameters.h"

#include <assert.h>

/* --- who has lost --------------------------------------------------------------------------------------------------
 */

/* Gives all pieces that are joined by locks, directly or not, the same number. */
static int *number_melees(const struct turn *t)
{
	const struct state *s = t->state;
	int *melee = talloc_array(t->mem, int, (unsigned)s->count + 1);
	bool changed = true;

	for (int i = 0; i < s->count; i++)
		melee[i] = i;
	while (changed) {
		changed = false;
		for (int i = 0; i < s->lock_count; i++) {
			int *a = &melee[s->locks[i].charger], *b = &melee[s->locks[i].charged];
			int least = *a < *b ? *a : *b;

			changed |= *a != *b;
			*a = *b = least;
		}
	}
	return melee;
}

struct melee_outcome *melee_outcome(const struct turn *t, const int *dealt)
{
	const struct state *s = t->state;
	struct melee_outcome *o = talloc_zero(t->mem, struct melee_outcome);
	int *melee = number_melees(t);

	assert(o);
	o->lost = talloc_zero_array(o, bool, (unsigned)s->count + 1);
	o->lock_count = s->lock_count;
	o->locks = talloc_memdup(o, s->locks, sizeof *s->locks * (size_t)s->lock_count);
	for (int i = 0; i < s->count; i++) {
		int caused[SIDES] = {0, 0};

		if (!state_locked(s, i))
			continue;
		for (int k = 0; k < s->count; k++)
			if (melee[k] == melee[i])
				caused[s->units[k].side] += dealt[k];
		/* RH38: one that was caught in flight runs on, whatever it has cost. */
		o->lost[i] = s->units[i].fled || caused[s->units[i].side] < caused[side_other(s->units[i].side)];
	}
	return o;
}

/* --- falling back (RH47) -------------------------------------------------------------------------------------------
 */

static int dot_along(struct point from, struct point to, int bearing)
{
	struct point unit = geo_step((struct point){0, 0}, bearing, 1000);

	return (int)(((int64_t)(to.x - from.x) * unit.x + (int64_t)(to.y - from.y) * unit.y) / 1000);
}

/* Where the loser stands when it has turned to its enemy, its front against his line; and the way it falls back. */
static struct box facing_enemy(const struct turn *t, const struct lock *l, int unit, int *bearing)
{
	const struct unit *u = &t->state->units[unit];
	const struct unit *e = &t->state->units[l->charger == unit ? l->charged : l->charger];
	struct box b = u->box;

	if (l->charger == unit || l->face == ARC_FRONT) {
		*bearing = geo_degrees(u->box.facing + 180);
		return b;
	}
	*bearing = e->box.facing;
	b = about_to(&b, geo_degrees(*bearing + 180));
	return geo_shift(b, *bearing, -dot_along(e->box.front, b.front, *bearing));
}

static void fall_back(struct turn *t, const struct lock *l, int unit)
{
	struct unit *u = &t->state->units[unit];
	int enemy = l->charger == unit ? l->charged : l->charger;
	struct box was, to;
	struct involuntary m = {.unit = unit, .distance = parameter(t, P_RETREAT), .ground_stops = true};
	struct event *ev;
	bool off;

	turn_act(t);
	if (!turn_reaches(t, EVENT_RETREAT, unit))
		return;
	was = u->box;
	m.from = facing_enemy(t, l, unit, &m.bearing);
	ev = turn_event(t, EVENT_RETREAT, unit);
	turn_object(ev, enemy);
	turn_ruling(ev, "RH46");
	turn_ruling(ev, "RH47");
	to = run_away(t, &m, &off, &ev->reason);
	turn_saw(t, ev);
	turn_from(ev, &was);
	if (turn_void(t, ev)) {
		turn_to(ev, &was);
		return;
	}
	turn_to(ev, &to);
	if (!same_place(&was, &to))
		event_set(ev, NUM_DISTANCE, geo_length(to.front.x - m.from.front.x, to.front.y - m.from.front.y));
	unlock(t->state, unit);
	if (off) {
		lose_unit(t, unit, enemy, REASON_EDGE);
		return;
	}
	come_to(t, unit, &to);
}

/* --- following (RH48, RH49) ----------------------------------------------------------------------------------------
 */

/* The victor's box when it looks at the loser: as it is, or turned where it was charged in flank or rear and there is
 * room. */
static struct box looking_at(struct turn *t, const struct lock *l, int unit, int loser)
{
	const struct unit *u = &t->state->units[unit];
	struct box turned;

	if (l->charger == unit || l->face == ARC_FRONT)
		return u->box;
	turned = about_to(&u->box, geo_degrees(t->state->units[loser].box.facing + 180));
	return place_clear(t, unit, &turned, u->side, 0) ? turned : u->box;
}

/* How far ahead the box can go before it meets anybody. */
static int32_t way_ahead(struct turn *t, int unit, const struct box *from, int32_t most)
{
	const struct state *s = t->state;
	struct point by = geo_step((struct point){0, 0}, from->facing, most);
	int32_t go = table_travel(t, from, by);

	most = go < most ? go : most;
	for (int i = 0; i < s->count; i++) {
		if (i == unit || !is_body(&s->units[i]) || !may_meet(from, &s->units[i].box, most))
			continue;
		turn_look(t, i);
		go = geo_travel(from, from->facing, most, &s->units[i].box, 0);
		most = go < most ? go : most;
	}
	return most;
}

/* Five inches, or as many more as the loser has been pushed back past his friends: they stay in contact. */
static int32_t way_after(struct turn *t, int unit, const struct box *from, int loser)
{
	const struct box *b = &t->state->units[loser].box;
	int32_t most = parameter(t, P_RETREAT), apart = geo_distance(from, b), go;
	struct box there;

	if (apart > most) {
		go = way_ahead(t, unit, from, apart);
		there = geo_shift(*from, from->facing, go);
		if (geo_distance(&there, b) <= OVERLAP_TOLERANCE)
			return go;
	}
	return way_ahead(t, unit, from, most);
}

static void follow(struct turn *t, const struct lock *l, int unit, int loser)
{
	struct state *s = t->state;
	struct unit *u = &s->units[unit];
	struct box from, to;
	struct event *ev;
	int32_t go;

	turn_act(t);
	turn_look(t, loser);
	if (!turn_reaches(t, EVENT_FOLLOW, unit) || !unit_alive(&s->units[loser]))
		return;
	from = u->box;
	to = looking_at(t, l, unit, loser);
	go = way_after(t, unit, &to, loser);
	to = geo_shift(to, to.facing, go);
	ev = turn_event(t, EVENT_FOLLOW, unit);
	turn_object(ev, loser);
	turn_from(ev, &from);
	turn_ruling(ev, is_highland(u) ? "RH48" : "RH49");
	event_set(ev, NUM_DISTANCE, go);
	if (turn_void(t, ev)) {
		turn_to(ev, &from);
		return;
	}
	turn_to(ev, &to);
	come_to(t, unit, &to);
	if (geo_distance(&u->box, &s->units[loser].box) <= OVERLAP_TOLERANCE)
		state_lock(s, (struct lock){.charger = (int16_t)unit,
				      .charged = (int16_t)loser,
				      .face = charge_face(&s->units[loser].box, from.front),
				      .declared = true,
				      .rounds = 1});
}

/* One that was caught in flight goes on fleeing, and is pursued instead (RH38, RH50). */
static void win(struct turn *t, const struct lock *l, int unit, int loser)
{
	const struct state *s = t->state;
	struct unit *u = &t->state->units[unit];

	if (!unit_alive(u) || state_locked(s, unit) || u->routing || !is_pursuer(u) || !unit_alive(&s->units[loser]))
		return;
	if (s->units[loser].routing) {
		u->pursues = (int16_t)loser;
		return;
	}
	if (halts(t, unit, loser, "RH49"))
		return;
	follow(t, l, unit, loser);
}

/* The melee that a loser falls back from: one at its front before all others, as it would turn (FP78). NULL when nobody
 * it fought is left. */
static const struct lock *falls_back_from(const struct state *s, const struct melee_outcome *o, int loser)
{
	const struct lock *best = NULL;

	for (int i = 0; i < o->lock_count; i++) {
		const struct lock *l = &o->locks[i];
		bool charger = l->charger == loser;

		if ((!charger && l->charged != loser) || !unit_alive(&s->units[charger ? l->charged : l->charger]))
			continue;
		if (charger || l->face == ARC_FRONT)
			return l;
		best = best ? best : l;
	}
	return best;
}

void melee_follow_up(struct turn *t, const struct melee_outcome *o)
{
	const struct state *s = t->state;
	bool *gone_back = talloc_zero_array(t->mem, bool, (unsigned)s->count + 1);

	for (int i = 0; i < o->lock_count; i++) {
		int loser = o->lost[o->locks[i].charger] ? o->locks[i].charger : o->locks[i].charged;
		const struct lock *from = falls_back_from(s, o, loser);

		if (!o->lost[loser] || gone_back[loser] || !unit_alive(&s->units[loser]) || !from)
			continue;
		gone_back[loser] = true;
		fall_back(t, from, loser);
	}
	for (int i = 0; i < o->lock_count; i++) {
		const struct lock *l = &o->locks[i];

		if (o->lost[l->charger] && gone_back[l->charger])
			win(t, l, l->charged, l->charger);
		else if (o->lost[l->charged] && gone_back[l->charged])
			win(t, l, l->charger, l->charged);
	}
}
