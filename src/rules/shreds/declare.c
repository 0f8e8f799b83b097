/* Charges declared, and the tests of chargers and charged (RH6-RH8). */
#include "rules/intent.h"
#include "rules/shreds/charge.h"
#include "rules/shreds/field.h"
#include "rules/shreds/parameters.h"
#include "rules/shreds/shreds.h"

/* --- who may charge whom -------------------------------------------------------------------------------------------
 */

enum event_reason may_charge(struct turn *t, int unit, int target)
{
	const struct unit *u = &t->state->units[unit], *e = &t->state->units[target];
	struct reach reach;
	int32_t least, most;

	turn_look(t, target);
	if (state_locked(t->state, unit))
		return REASON_LOCKED;
	if (u->column)
		return REASON_COLUMN;
	if (!unit_alive(e))
		return REASON_GONE;
	if (e->side == u->side)
		return REASON_NOT_YOURS;
	if (e->kind == KIND_COMMANDER)
		return REASON_NO_TARGET;
	if (geo_arc_distance(&u->box, ARC_FRONT, &e->box, NULL) < 0)
		return REASON_NOT_IN_FRONT;
	move_range(t, unit, true, &least, &most);
	if (geo_distance(&u->box, &e->box) > most || !reach_find(&u->box, &e->box, most, &reach))
		return REASON_OUT_OF_REACH;
	return REASON_NONE;
}

static int nearest_to_charge(struct turn *t, int unit)
{
	const struct state *s = t->state;
	int32_t nearest = 0;
	int best = -1;

	for (int i = 0; i < s->count; i++) {
		int32_t d;

		if (s->units[i].side == s->units[unit].side || !is_body(&s->units[i]))
			continue;
		d = geo_distance(&s->units[unit].box, &s->units[i].box);
		if ((best < 0 || d < nearest) && may_charge(t, unit, i) == REASON_NONE) {
			best = i;
			nearest = d;
		}
	}
	return best;
}

/* The first target of the clause that may be charged, or -1 with the first one that may not and why. */
static int choose(struct turn *t, int unit, const struct clause *c, int *refused, enum event_reason *reason)
{
	for (int k = 0; k < c->target_count; k++) {
		bool named = c->targets[k].kind == TARGET_UNIT;
		int enemy = named ? c->targets[k].unit : nearest_to_charge(t, unit);
		enum event_reason why = enemy < 0 ? REASON_NO_TARGET : may_charge(t, unit, enemy);

		if (why == REASON_NONE)
			return enemy;
		if (*reason == REASON_NONE) {
			*reason = !named && t->state->units[unit].column ? REASON_COLUMN : why;
			*refused = enemy;
		}
	}
	return -1;
}

int shreds_charge_target(struct turn *t, int unit, const struct clause *c)
{
	enum event_reason reason = REASON_NONE;
	int refused = -1, target = c ? choose(t, unit, c, &refused, &reason) : -1;
	int32_t distance;

	if (target >= 0)
		return target;
	return refused >= 0 && unit_alive(&t->state->units[refused]) ? refused : nearest_enemy(t, unit, &distance);
}

/* --- declaring -----------------------------------------------------------------------------------------------------
 */

static void no_charge(struct turn *t, int unit, int target, enum event_reason reason)
{
	const struct state *s = t->state;
	struct event *ev;
	int32_t least, most;

	if (!turn_reaches(t, EVENT_NO_CHARGE, unit))
		return;
	ev = turn_event(t, EVENT_NO_CHARGE, unit);
	if (reason == REASON_OUT_OF_REACH || reason == REASON_NO_TARGET) {
		move_range(t, unit, true, &least, &most);
		event_set(ev, NUM_ALLOWANCE, most);
	}
	if (target >= 0) {
		turn_object(ev, target);
		event_set(ev, NUM_DISTANCE, geo_distance(&s->units[unit].box, &s->units[target].box));
	}
	ev->reason = reason;
	turn_ruling(ev, reason == REASON_COLUMN      ? "RH14"
			: reason == REASON_LOCKED    ? "FP21"
			: reason == REASON_COMMANDER ? "RH18"
						     : "FP45");
}

/* `asked` gathers whom all who declare have looked at. */
static void declare(struct turn *t, int unit, bool *asked)
{
	struct unit *u = &t->state->units[unit];
	enum event_reason reason = REASON_NONE;
	struct intent in;
	int refused = -1, target = -1;

	intent_read(t, unit, CHARGE_CLAUSES, &in);
	turn_act(t);
	for (int i = 0; i < in.count && target < 0; i++)
		target = choose(t, unit, in.list[i], &refused, &reason);
	for (int i = 0; i < t->state->count; i++)
		asked[i] |= t->looked[i] || (i == unit && in.count > 0);
	if (target >= 0)
		u->charge_target = (int16_t)target;
	else if (in.count > 0)
		no_charge(t, unit, refused, reason);
}

/* RH18: he goes with a unit, and does not charge himself. */
static void refuse_general(struct turn *t, int general)
{
	struct intent in;

	intent_read(t, general, CHARGE_CLAUSES, &in);
	turn_act(t);
	if (in.count > 0)
		no_charge(t, general, -1, REASON_COMMANDER);
}

/* --- the tests -----------------------------------------------------------------------------------------------------
 */

/* One die of a test that fails on `fails` or less; a referee who makes it void lets it pass. */
static bool passes(struct turn *t, struct event *ev, int unit, const char *purpose, int fails)
{
	int value;
	bool passed;

	turn_roll(t, ev, unit, purpose, NULL, 6, 1, &value);
	passed = value > fails || turn_void(t, ev);
	event_set(ev, NUM_NEED, fails + 1);
	event_set(ev, NUM_AFTER, passed);
	return passed;
}

/* RH7 */
static void test_nerve(struct turn *t, int unit)
{
	struct unit *u = &t->state->units[unit];
	struct event *ev;

	if (!is_highland(u))
		return;
	turn_act(t);
	if (!turn_reaches(t, EVENT_NERVE, unit))
		return;
	ev = turn_event(t, EVENT_NERVE, unit);
	turn_object(ev, u->charge_target);
	turn_ruling(ev, "RH7");
	if (!passes(t, ev, unit, "nerve", parameter(t, P_NERVE_FAILS))) {
		u->balked = true;
		u->charge_target = -1;
	}
}

/* RH8: once, however many charge it: that hangs on whom all of them have looked at. */
static void test_stand(struct turn *t, int unit, const bool *asked)
{
	const struct state *s = t->state;
	struct unit *u = &t->state->units[unit];
	struct event *ev = NULL;

	if (!unit_alive(u) || !unit_is_formed(u) || u->routing || state_locked(s, unit))
		return;
	for (int i = 0; i < s->count; i++) {
		if (s->units[i].charge_target != unit || (int)s->units[i].side != t->phase->side)
			continue;
		if (!ev) {
			turn_act(t);
			for (int k = 0; k < s->count; k++)
				if (asked[k])
					turn_look(t, k);
			if (!turn_reaches(t, EVENT_STAND, unit))
				return;
			ev = turn_event(t, EVENT_STAND, unit);
		}
		turn_object(ev, i);
	}
	if (!ev)
		return;
	turn_ruling(ev, "RH8");
	if (!passes(t, ev, unit, "stand", parameter(t, P_STAND_FAILS))) {
		u->fled = true;
		begin_rout(t, unit, REASON_FLED, -1);
	}
}

void shreds_charge(struct turn *t)
{
	struct state *s = t->state;
	bool *asked = talloc_zero_array(t->mem, bool, (unsigned)s->count + 1);
	int side = t->phase->side;

	for (int i = 0; i < t->orders->priority_count[side]; i++) {
		int unit = t->orders->priority[side][i];

		if (s->units[unit].commanded && can_act(s, unit))
			declare(t, unit, asked);
	}
	for (int i = 0; i < s->count; i++)
		if ((int)s->units[i].side == side && s->units[i].kind == KIND_COMMANDER && unit_alive(&s->units[i]))
			refuse_general(t, i);
	for (int i = 0; i < s->count; i++)
		if ((int)s->units[i].side == side && s->units[i].charge_target >= 0)
			test_nerve(t, i);
	for (int i = 0; i < s->count; i++)
		if ((int)s->units[i].side != side)
			test_stand(t, i, asked);
}
