/* Who may charge whom (FP45, FP46, FP48, FP49). */
#include "rules/fastplay/charge.h"
#include "rules/fastplay/field.h"
#include "rules/fastplay/intent.h"
#include "rules/fastplay/parameters.h"

/* Straight ahead from here, is the target met within the allowance? A graze is no contact: a little farther on the two
 * have to overlap (FP9). */
static bool meets(const struct box *b, const struct box *target, int32_t allowance, int32_t *straight)
{
	enum { BEYOND = 4 * OVERLAP_TOLERANCE };
	struct box on;

	*straight = geo_travel(b, b->facing, allowance + BEYOND, target, 0);
	if (*straight > allowance)
		return false;
	on = geo_shift(*b, b->facing, *straight + BEYOND);
	return geo_overlap(&on, target);
}

bool reach_find(const struct box *charger, const struct box *target, int32_t allowance, struct reach *out)
{
	enum { WHEEL_MAX = 45 };
	bool swept[2] = {false, false}; /* the wheel that way has already met the target */

	for (int angle = 0; angle <= WHEEL_MAX; angle++) {
		struct reach best = {0};
		bool found = false;

		for (int k = 0; k < (angle ? 2 : 1); k++) {
			struct reach r = {.degrees = k ? angle : -angle};

			if (swept[k])
				continue;
			r.wheeled = geo_wheel(*charger, k ? FRONT_RIGHT : FRONT_LEFT, r.degrees);
			if (geo_overlap(&r.wheeled, target)) {
				swept[k] = true;
				r.degrees += k ? -1 : 1;
				r.wheeled = geo_wheel(*charger, k ? FRONT_RIGHT : FRONT_LEFT, r.degrees);
				r.straight = 0;
			} else if (!meets(&r.wheeled, target, allowance, &r.straight)) {
				continue;
			}
			if (!found || r.straight < best.straight)
				best = r;
			found = true;
		}
		if (found) {
			*out = best;
			return true;
		}
	}
	return false;
}

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

enum arc charge_face(const struct box *target, struct point start)
{
	return geo_arc(target, start);
}
