/* Fire at chargers (FP37) and fire discipline (FP61-FP67). */
#include "rules/fastplay/charge.h"
#include "rules/fastplay/field.h"
#include "rules/fastplay/parameters.h"
#include "rules/fastplay/volley.h"
#include "rules/intent.h"

/* A volley that has been rolled; all take effect together. */
struct rolled {
	struct event *ev;
	int unit, charger, hits;
};

static bool is_new_charge(const struct state *s, const struct lock *l, int unit)
{
	return l->charged == unit && l->rounds == 0 && unit_alive(&s->units[l->charger]);
}

static int chargers_of(const struct state *s, int unit)
{
	int n = 0;

	for (int i = 0; i < s->lock_count; i++)
		n += is_new_charge(s, &s->locks[i], unit);
	return n;
}

/* The lock with that charger, if he may be fired at: not at the rear (FP63). */
static const struct lock *lock_with(const struct state *s, int unit, int charger)
{
	for (int i = 0; i < s->lock_count; i++)
		if (is_new_charge(s, &s->locks[i], unit) && s->locks[i].charger == charger &&
			s->locks[i].face != ARC_REAR)
			return &s->locks[i];
	return NULL;
}

/* How near the two stood when the phase began. */
static int32_t nearness(const struct box *start, const struct lock *l)
{
	return geo_distance(&start[l->charger], &start[l->charged]);
}

/* FP64: the charger that a fire clause names, else the one that was nearest. */
static const struct lock *choose_charger(struct turn *t, int unit, const struct box *start)
{
	const struct state *s = t->state;
	const struct lock *best = NULL;
	struct intent in;

	intent_read(t, unit, CLAUSE_BIT(CLAUSE_FIRE), &in);
	for (int i = 0; i < in.count && !best; i++)
		for (int k = 0; k < in.list[i]->target_count && !best; k++)
			if (in.list[i]->targets[k].kind == TARGET_UNIT)
				best = lock_with(s, unit, in.list[i]->targets[k].unit);
	if (best)
		return best;
	for (int i = 0; i < s->lock_count; i++) {
		const struct lock *l = &s->locks[i];

		if (is_new_charge(s, l, unit) && l->face != ARC_REAR &&
			(!best || nearness(start, l) < nearness(start, best) ||
				(nearness(start, l) == nearness(start, best) && l->charger < best->charger)))
			best = l;
	}
	return best;
}

static void no_fire(struct turn *t, int unit, enum event_reason reason, const char *ruling)
{
	const struct state *s = t->state;
	struct event *ev;

	turn_act(t);
	if (!turn_reaches(t, EVENT_NO_CLOSING_FIRE, unit))
		return;
	ev = turn_event(t, EVENT_NO_CLOSING_FIRE, unit);
	for (int i = 0; i < s->lock_count && ev->object_count == 0; i++)
		if (is_new_charge(s, &s->locks[i], unit))
			turn_object(ev, s->locks[i].charger);
	ev->reason = reason;
	turn_ruling(ev, ruling);
}

/* FP61: the number that hits after the test, or 0 for no fire. Its event is the volley's, or that of none. */
static int test_discipline(struct turn *t, int unit, int charger, struct event **ev)
{
	int bases = t->state->units[unit].bases, value, shown;

	*ev = turn_event(t, EVENT_CLOSING_FIRE, unit);
	turn_object(*ev, charger);
	turn_roll(t, *ev, unit, "discipline", NULL, 6, 1, &value);
	shown = value + parameter(t, P_DISCIPLINE_MODIFIER);
	turn_ruling(*ev, "FP61");
	turn_ruling(*ev, "FP62");
	if (shown < bases)
		return parameter(t, P_CLOSE_HIT);
	if (shown == bases)
		return parameter(t, P_SHOOT_HIT);
	(*ev)->kind = EVENT_NO_CLOSING_FIRE;
	(*ev)->reason = REASON_FAILED_TEST;
	return 0;
}

/* Rolls one unit's fire; false when there is none. */
static bool roll_fire(struct turn *t, int unit, const struct box *start, struct rolled *out)
{
	struct unit *u = &t->state->units[unit];
	bool tested = parameter(t, P_FIRE_AT_CHARGERS) == FIRE_DISCIPLINE;
	const struct lock *l = choose_charger(t, unit, start);
	int need = parameter(t, P_CLOSE_HIT), eligible, charger;
	struct event *ev;
	bool flank;

	if (!l) {
		no_fire(t, unit, REASON_REAR, "FP63");
		return false;
	}
	charger = l->charger;
	flank = l->face != ARC_FRONT;
	turn_act(t);
	for (int i = 0; i < t->state->lock_count; i++)
		if (is_new_charge(t->state, &t->state->locks[i], unit))
			turn_look(t, t->state->locks[i].charger);
	if (tested) {
		need = test_discipline(t, unit, charger, &ev);
		if (need == 0)
			return false;
	} else {
		ev = turn_event(t, EVENT_CLOSING_FIRE, unit);
		turn_object(ev, charger);
		turn_ruling(ev, "FP37");
	}
	event_set(ev, NUM_DISTANCE, nearness(start, l));
	event_set(ev, NUM_ARC, ARC_FRONT);
	event_set(ev, NUM_FACE, (int32_t)l->face);
	if (flank)
		turn_ruling(ev, "FP63");
	if (chargers_of(t->state, unit) > 1)
		turn_ruling(ev, "FP64");
	if (u->fired)
		turn_ruling(ev, "FP65");
	eligible = flank && u->bases > parameter(t, P_FLANK_DICE) ? parameter(t, P_FLANK_DICE) : u->bases;
	*out = (struct rolled){ev, unit, charger, volley_roll(t, ev, "reaction", eligible, need)};
	u->closed_fire = true;
	return true;
}

static bool fires(struct turn *t, int unit, const bool *was_free)
{
	const struct unit *u = &t->state->units[unit];

	if (!is_body(u) || !was_free[unit] || chargers_of(t->state, unit) == 0)
		return false;
	if (parameter(t, P_FIRE_AT_CHARGERS) == FIRE_DISCIPLINE && u->side != SIDE_GOVERNMENT)
		return false;
	if (!unit_is_foot(u)) {
		no_fire(t, unit, REASON_HORSE, "FP67");
		return false;
	}
	return true;
}

void closing_fire(struct turn *t, const bool *was_free, const struct box *start)
{
	struct state *s = t->state;
	struct rolled *all = talloc_array(t->mem, struct rolled, (unsigned)s->count + 1);
	bool *locked = talloc_zero_array(t->mem, bool, (unsigned)s->count + 1);
	int *taken = talloc_zero_array(t->mem, int, (unsigned)s->count + 1), count = 0;

	for (int i = 0; i < s->count; i++) {
		struct rolled *r = &all[count];

		locked[i] = state_locked(s, i);
		turn_act(t);
		if (fires(t, i, was_free) && turn_reaches(t, EVENT_CLOSING_FIRE, i) && chargers_of(s, i) > 0 &&
			roll_fire(t, i, start, r)) {
			volley_effect(t, r->ev, r->charger, taken[r->charger], r->hits);
			if (r->ev->number[NUM_BEFORE] > 0 && r->ev->number[NUM_AFTER] == 0)
				turn_ruling(r->ev, "FP66");
			taken[r->charger] += r->hits;
			count++;
		}
	}
	for (int i = 0; i < count; i++)
		take_fire(t, all[i].charger, all[i].unit, all[i].hits);
	say_freed(t, locked);
}
