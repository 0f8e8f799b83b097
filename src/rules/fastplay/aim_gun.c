/* The fire of guns (FP38-FP40). */
#include "rules/aim.h"
#include "rules/fastplay/fastplay.h"
#include "rules/fastplay/field.h"
#include "rules/fastplay/parameters.h"

/* The first body that the line from the muzzle to the point meets, or -1. With a width, also one that it only touches.
 */
static int first_on_line(struct turn *t, int gun, struct point to, int32_t width)
{
	const struct state *s = t->state;
	struct point muzzle = s->units[gun].box.front;
	int32_t nearest = 0;
	int first = -1;

	for (int i = 0; i < s->count; i++) {
		int32_t d;

		if (i == gun || !is_body(&s->units[i]) || !geo_strip_holds(muzzle, to, width, &s->units[i].box))
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

/* The line from the muzzle to the target: to the nearest point of it that is seen, or if none is, to the nearest of
 * all. Returns whether it is seen. */
static bool draw_line(struct turn *t, int gun, int target, struct point *to)
{
	const struct state *s = t->state;
	const struct box *b = &s->units[gun].box, *there = &s->units[target].box;
	struct box *blockers = talloc_array(t->mem, struct box, (unsigned)s->count);
	bool seen = geo_nearest_seen(b, ARC_FRONT, there, blockers, aim_blockers(t, gun, target, blockers), to);

	talloc_free(blockers);
	if (!seen)
		geo_arc_distance(b, ARC_FRONT, there, to);
	return seen;
}

/* FP38-FP40. Of a target that is wholly hidden the first enemy on the line to it is fired at instead, and he is seen.
 */
static enum event_reason aim_gun(struct turn *t, int gun, int target, struct aim *out)
{
	const struct state *s = t->state;
	const struct box *b = &s->units[gun].box;
	int32_t range = parameter(t, P_GUN_RANGE), d = geo_arc_distance(b, ARC_FRONT, &s->units[target].box, NULL);
	struct point point;
	int first = target;

	if (d < 0)
		return REASON_NOT_IN_FRONT;
	if (range && d > range)
		return REASON_OUT_OF_RANGE;
	if (!draw_line(t, gun, target, &point)) {
		first = first_on_line(t, gun, point, 0);
		/* What hides it may be two who stand flush on either side of the line. */
		if (first < 0)
			first = first_on_line(t, gun, point, 4 * OVERLAP_TOLERANCE);
		if (first < 0) /* it touches the muzzle */
			first = target;
	}
	if (first != target) {
		out->blocker = first;
		if (s->units[first].side == s->units[gun].side)
			return REASON_FRIEND;
		if (state_locked(s, first))
			return REASON_MELEE;
		d = geo_arc_distance(b, ARC_FRONT, &s->units[first].box, NULL);
		draw_line(t, gun, first, &point);
	}
	out->blocker = friend_in_strip(t, gun, point);
	if (out->blocker >= 0)
		return REASON_FRIEND;
	*out = (struct aim){.target = first,
		.arc = ARC_FRONT,
		.distance = d,
		.eligible = parameter(t, P_GUN_DICE),
		.diverted = first != target,
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
