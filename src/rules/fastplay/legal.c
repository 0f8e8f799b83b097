/* Who may charge whom (FP45, FP46, FP49). */
#include "rules/fastplay/charge.h"
#include "rules/fastplay/field.h"
#include "rules/intent.h"

enum event_reason charge_legal(struct turn *t, int unit, int target, struct reach *out)
{
	const struct unit *u = &t->state->units[unit], *e = &t->state->units[target];
	int32_t allowance = charge_allowance(t, u);

	turn_look(t, target);
	if (state_locked(t->state, unit))
		return REASON_LOCKED;
	if (!unit_alive(e))
		return REASON_GONE;
	if (e->side == u->side)
		return REASON_NOT_YOURS;
	if (e->kind == KIND_COMMANDER)
		return REASON_NO_TARGET;
	if (geo_arc_distance(&u->box, ARC_FRONT, &e->box, NULL) < 0)
		return REASON_NOT_IN_FRONT;
	if (geo_distance(&u->box, &e->box) > allowance || !reach_find(&u->box, &e->box, allowance, out))
		return REASON_OUT_OF_REACH;
	return REASON_NONE;
}

int nearest_charge(struct turn *t, int unit)
{
	const struct state *s = t->state;
	const struct unit *u = &s->units[unit];
	int32_t least = charge_allowance(t, u) + 1;
	struct reach reach;
	int best = -1;

	for (int i = 0; i < s->count; i++) {
		int32_t d;

		if (s->units[i].side == u->side || !is_body(&s->units[i]) ||
			!may_meet(&u->box, &s->units[i].box, least))
			continue;
		d = geo_distance(&u->box, &s->units[i].box);
		if (d < least && charge_legal(t, unit, i, &reach) == REASON_NONE) {
			best = i;
			least = d;
		}
	}
	return best;
}

int charge_target(struct turn *t, int unit, const struct clause *c)
{
	struct reach reach;
	int named = -1;
	int32_t distance;

	if (!c)
		return nearest_enemy(t, unit, &distance);
	for (int i = 0; i < c->target_count; i++) {
		int target = c->targets[i].kind == TARGET_UNIT ? c->targets[i].unit : nearest_charge(t, unit);

		if (target >= 0 && charge_legal(t, unit, target, &reach) == REASON_NONE)
			return target;
		if (named < 0 && target >= 0 && unit_alive(&t->state->units[target]))
			named = target;
	}
	return named >= 0 ? named : nearest_enemy(t, unit, &distance);
}
