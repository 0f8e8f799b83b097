/* A side's Shoot phase (FP28-FP44). */
#include "rules/aim.h"
#include "rules/fastplay/fastplay.h"
#include "rules/fastplay/field.h"
#include "rules/fastplay/parameters.h"
#include "rules/fastplay/volley.h"

#include <assert.h>

int volley_roll(struct turn *t, struct event *ev, const char *purpose, int eligible, int need)
{
	const struct unit *u = &t->state->units[ev->actor];
	int values[TURN_DICE_MAX], dice = eligible, hits;

	if (u->kind != KIND_GUN && parameter(t, P_WET_POWDER)) {
		int powder;

		turn_roll(t, ev, ev->actor, "powder", NULL, 6, 1, &powder);
		powder = (powder + 1) / 2;
		dice = powder < eligible ? powder : eligible;
		turn_ruling(ev, "FP36");
	}
	assert(dice <= TURN_DICE_MAX);
	turn_roll(t, ev, ev->actor, purpose, NULL, 6, dice, values);
	hits = turn_hits(t, ev, dice_at_least(values, dice, need));
	event_set(ev, NUM_ELIGIBLE, eligible);
	event_set(ev, NUM_DICE, dice);
	event_set(ev, NUM_NEED, need);
	event_set(ev, NUM_HITS, hits);
	return hits;
}

void volley_effect(struct turn *t, struct event *ev, int target, int taken, int hits)
{
	const struct unit *u = &t->state->units[target];
	int left = bases_after(t, u, taken), after = bases_after(t, u, taken + hits);
	int before = left < 0 ? 0 : left;

	event_set(ev, NUM_BEFORE, before);
	event_set(ev, NUM_AFTER, after < 0 ? 0 : after);
	if (u->kind == KIND_GUN)
		turn_ruling(ev, "FP41");
	else if (hits > before)
		turn_ruling(ev, "FP42");
	else if (hits > 0 && before - hits == 1)
		turn_ruling(ev, "FP43");
}

static void volley(struct turn *t, int unit, const struct aim *aim, bool ordered)
{
	struct unit *u = &t->state->units[unit];
	struct event *ev = turn_event(t, EVENT_VOLLEY, unit);
	bool gun = u->kind == KIND_GUN;
	int hits;

	turn_object(ev, aim->target);
	event_set(ev, NUM_DISTANCE, aim->distance);
	event_set(ev, NUM_ARC, (int32_t)aim->arc);
	turn_ruling(ev, gun ? "FP38" : aim->arc == ARC_FRONT ? "FP29" : "FP30");
	if (!ordered)
		turn_ruling(ev, "FP2");
	if (aim->refused >= 0)
		turn_ruling(ev, "FP33");
	if (aim->diverted)
		turn_ruling(ev, "FP40");
	else if (gun && aim->place_in_list == 1 && aim->refused < 0)
		turn_ruling(ev, "FP39");
	hits = volley_roll(t, ev, "shoot", aim->eligible, parameter(t, gun ? P_GUN_HIT : P_SHOOT_HIT));
	volley_effect(t, ev, aim->target, 0, hits);
	u->fired = true;
	take_fire(t, aim->target, unit, hits);
}

static void no_volley(struct turn *t, int unit, enum event_reason reason, int target, int blocker)
{
	static const struct {
		enum event_reason reason;
		const char *ruling;
	} rulings[] = {
		{REASON_HORSE, "FP28"},
		{REASON_LOCKED, "FP21 FP35"},
		{REASON_OUT_OF_RANGE, "FP28"},
		{REASON_NOT_IN_FRONT, "FP29"},
		{REASON_NO_SIGHT, "FP31"},
		{REASON_GONE, "FP33"},
		{REASON_FIGHTING, "FP35"},
		{REASON_NO_TARGET, "FP28"},
		{REASON_FRIEND, "FP39"},
		{REASON_MELEE, "FP40"},
	};
	struct event *ev;

	if (!turn_reaches(t, EVENT_NO_VOLLEY, unit))
		return;
	ev = turn_event(t, EVENT_NO_VOLLEY, unit);
	if (target >= 0)
		turn_object(ev, target);
	if (blocker >= 0)
		turn_object(ev, blocker);
	ev->reason = reason;
	for (size_t i = 0; i < sizeof rulings / sizeof *rulings; i++)
		if (rulings[i].reason == reason)
			turn_ruling(ev, rulings[i].ruling);
	if (reason == REASON_NOT_IN_FRONT && t->state->units[unit].kind == KIND_GUN)
		turn_ruling(ev, "FP38");
}

static const struct clause *fire_clause(const struct intent *in)
{
	const struct clause *fire = NULL;

	for (int i = 0; i < in->count; i++)
		fire = in->list[i]->kind == CLAUSE_FIRE ? in->list[i] : NULL;
	return fire;
}

/* Why the unit cannot fire at anybody at all. */
static enum event_reason unable(const struct turn *t, int unit)
{
	const struct unit *u = &t->state->units[unit];

	if (u->kind == KIND_COMMANDER)
		return REASON_COMMANDER;
	if (unit_is_horse(u))
		return REASON_HORSE;
	return state_locked(t->state, unit) ? REASON_LOCKED : REASON_NONE;
}

static void shoot_one(struct turn *t, int unit)
{
	enum event_reason reason = unable(t, unit);
	struct intent in;
	struct aim aim;
	bool can;

	intent_read(t, unit, FIRE_CLAUSES, &in);
	turn_act(t);
	if (reason != REASON_NONE) {
		if (fire_clause(&in))
			no_volley(t, unit, reason, -1, -1);
		return;
	}
	can = aim_by_orders(t, unit, &in, &aim);
	if (can && turn_before(t, EVENT_VOLLEY, unit))
		can = unit_alive(&t->state->units[unit]) && unable(t, unit) == REASON_NONE &&
		      aim_by_orders(t, unit, &in, &aim);
	if (can)
		volley(t, unit, &aim, in.count > 0);
	else if (aim.reason != REASON_NONE && aim.reason != REASON_HELD)
		no_volley(t, unit, aim.reason, aim.refused, aim.blocker);
}

void fastplay_shoot(struct turn *t)
{
	for (int i = 0; i < t->state->count; i++) {
		const struct unit *u = &t->state->units[i];

		if (unit_alive(u) && (int)u->side == t->phase->side)
			shoot_one(t, i);
	}
}
