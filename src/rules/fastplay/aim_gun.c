/* The fire of guns (FP38-FP40). */
#include "rules/aim.h"
#include "rules/fastplay/fastplay.h"
#include "rules/fastplay/field.h"
#include "rules/fastplay/parameters.h"

/* The first body that the line from the muzzle to the point meets, or -1. */
static int first_on_line(struct turn *t, int gun, struct point to)
{
	const struct state *s = t->state;
	struct point muzzle = s->units[gun].box.front;
	int32_t nearest = 0;
	int first = -1;

	for (int i = 0; i < s->count; i++) {
		int32_t d;

		if (i == gun || !is_body(&s->units[i]) || !geo_strip_holds(muzzle, to, 0, &s->units[i].box))
			continue;
		turn_look(t, i);
		d = geo_point_distance(&s->units[i].box, muzzle);
		if (first < 0 || d < nearest) {
			first = i;
			nearest = d;
		}
	}
	return first;
}

/* FP39: a friend in the strip about the line of fire, or -1. */
static int friend_in_strip(struct turn *t, int gun, struct point to)
{
	const struct state *s = t->state;
	struct point muzzle = s->units[gun].box.front;

	for (int i = 0; i < s->count; i++)
		if (i != gun && is_body(&s->units[i]) && s->units[i].side == s->units[gun].side &&
			geo_strip_holds(muzzle, to, parameter(t, P_GUN_CORRIDOR), &s->units[i].box)) {
			turn_look(t, i);
			return i;
		}
	return -1;
}

/* FP38-FP40. The line is drawn to the nearest point in the arc; an enemy on it is fired at instead, on a line of his
 * own, which a nearer one may bar again. */
static enum event_reason aim_gun(struct turn *t, int gun, int target, struct aim *out)
{
	const struct state *s = t->state;
	const struct box *b = &s->units[gun].box;
	int32_t range = parameter(t, P_GUN_RANGE), d = 0;
	struct point point = b->front;
	int first = target, others;

	for (others = 0; others == 0 || (first != target && others < s->count); others++) {
		target = first;
		d = geo_arc_distance(b, ARC_FRONT, &s->units[target].box, &point);
		if (d < 0)
			return REASON_NOT_IN_FRONT;
		if (others == 0 && range && d > range)
			return REASON_OUT_OF_RANGE;
		first = first_on_line(t, gun, point);
		first = first < 0 ? target : first;
		out->blocker = first;
		if (first != target && s->units[first].side == s->units[gun].side)
			return REASON_FRIEND;
		if (first != target && state_locked(s, first))
			return REASON_MELEE;
	}
	out->blocker = friend_in_strip(t, gun, point);
	if (out->blocker >= 0)
		return REASON_FRIEND;
	*out = (struct aim){.target = target,
		.arc = ARC_FRONT,
		.distance = d,
		.eligible = parameter(t, P_GUN_DICE),
		.diverted = others > 1,
		.blocker = -1};
	return REASON_NONE;
}

enum event_reason fastplay_aim(struct turn *t, int unit, int target, bool front, struct aim *out)
{
	return t->state->units[unit].kind == KIND_GUN ? aim_gun(t, unit, target, out)
						      : aim_muskets(t, unit, target, front, out);
}

/* FP28, FP38 */
int32_t fastplay_range(const struct turn *t, int unit)
{
	return t->state->units[unit].kind == KIND_GUN ? parameter(t, P_GUN_RANGE) : parameter(t, P_INFANTRY_RANGE);
}
