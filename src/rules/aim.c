#include "rules/aim.h"

#include "rules/field.h"
#include "rules/parameters.h"

static int lesser(int a, int b)
{
	return a < b ? a : b;
}

/* The pieces that may stand in the line: bodies about the two, which of course are not in their own way (FP31). */
int aim_blockers(struct turn *t, int unit, int target, struct box *out)
{
	const struct state *s = t->state;
	const struct box *a = &s->units[unit].box, *b = &s->units[target].box;
	int32_t dx = a->front.x - b->front.x, dy = a->front.y - b->front.y;
	int32_t between = geo_length(dx, dy) / 2 + a->width + a->depth + b->width + b->depth;
	struct box middle = {.front = {b->front.x + dx / 2, b->front.y + dy / 2}};
	int n = 0;

	for (int i = 0; i < s->count; i++)
		if (i != unit && i != target && is_body(&s->units[i]) && may_meet(&middle, &s->units[i].box, between)) {
			turn_look(t, i);
			out[n++] = s->units[i].box;
		}
	return n;
}

static enum event_reason sight(
	struct turn *t, int unit, int target, enum arc arc, int32_t range, struct box *blockers, int count)
{
	const struct state *s = t->state;

	return geo_sight(&s->units[unit].box, arc, &s->units[target].box, range, blockers, count) ? REASON_NONE
												  : REASON_NO_SIGHT;
}

enum event_reason aim_muskets(struct turn *t, int unit, int target, bool front, struct aim *out)
{
	static const enum arc sides[] = {ARC_LEFT, ARC_RIGHT};
	const struct state *s = t->state;
	const struct unit *u = &s->units[unit];
	const struct box *there = &s->units[target].box;
	int32_t range = t->rules->range(t, unit), d;
	struct box *blockers;
	enum event_reason reason = REASON_NOT_IN_FRONT;
	int count;

	if (geo_distance(&u->box, there) > range)
		return REASON_OUT_OF_RANGE;
	d = geo_arc_distance(&u->box, ARC_FRONT, there, NULL);
	if (front && d < 0)
		return REASON_NOT_IN_FRONT;
	blockers = talloc_array(t->mem, struct box, (unsigned)s->count);
	count = aim_blockers(t, unit, target, blockers);
	if (d >= 0 && d <= range) {
		reason = sight(t, unit, target, ARC_FRONT, range, blockers, count);
		*out = (struct aim){
			.target = target, .arc = ARC_FRONT, .distance = d, .eligible = u->bases, .blocker = -1};
	}
	for (int i = 0; i < 2 && !front && reason != REASON_NONE; i++) {
		d = geo_arc_distance(&u->box, sides[i], there, NULL);
		if (d < 0 || d > range)
			continue;
		reason = sight(t, unit, target, sides[i], range, blockers, count);
		*out = (struct aim){.target = target,
			.arc = sides[i],
			.distance = d,
			.eligible = lesser(u->bases, parameter(t, P_FLANK_DICE)),
			.blocker = -1};
	}
	talloc_free(blockers);
	return reason;
}

/* --- choosing ------------------------------------------------------------------------------------------------------
 */

enum event_reason aim_at(struct turn *t, int unit, int target, bool front, struct aim *out)
{
	const struct state *s = t->state;
	const struct unit *u = &s->units[unit], *e = &s->units[target];

	out->blocker = -1;
	turn_look(t, target);
	if (!unit_alive(e))
		return REASON_GONE;
	if (e->side == u->side)
		return REASON_NOT_YOURS;
	if (e->kind == KIND_COMMANDER)
		return REASON_NO_TARGET;
	if (state_locked(s, target))
		return REASON_FIGHTING;
	return t->rules->aim(t, unit, target, front, out);
}

bool aim_nearest(struct turn *t, int unit, bool front, struct aim *out)
{
	const struct state *s = t->state;
	const struct unit *u = &s->units[unit];
	int32_t reach = t->rules->range(t, unit);
	struct aim best = {.target = -1}, aim;

	for (int sides = 0; sides <= (front ? 0 : 1) && best.target < 0; sides++)
		for (int i = 0; i < s->count; i++) {
			if (s->units[i].side == u->side || !is_body(&s->units[i]) ||
				(reach && !may_meet(&u->box, &s->units[i].box, reach)))
				continue;
			if (best.target >= 0 && geo_distance(&u->box, &s->units[i].box) >= best.distance)
				continue;
			if (aim_at(t, unit, i, !sides, &aim) == REASON_NONE &&
				(best.target < 0 || aim.distance < best.distance))
				best = aim;
		}
	if (best.target < 0)
		return false;
	*out = best;
	out->refused = -1;
	return true;
}

void aim_explain(struct turn *t, int unit, struct aim *out)
{
	const struct state *s = t->state;
	const struct box *from = &s->units[unit].box;
	int32_t range = t->rules->range(t, unit);

	*out = (struct aim){.target = -1, .refused = -1, .reason = REASON_NO_TARGET, .blocker = -1};
	for (int i = 0; i < s->count; i++) {
		int32_t reach = out->refused >= 0 ? out->distance : range;
		enum event_reason reason;
		struct aim aim;
		int32_t distance;

		if (s->units[i].side == s->units[unit].side || !is_body(&s->units[i]) ||
			(reach && !may_meet(from, &s->units[i].box, reach)))
			continue;
		reason = aim_at(t, unit, i, false, &aim);
		if (reason == REASON_NOT_IN_FRONT || reason == REASON_OUT_OF_RANGE)
			continue;
		distance = geo_distance(from, &s->units[i].box);
		if (out->refused < 0 || distance < out->distance)
			*out = (struct aim){.target = -1,
				.refused = i,
				.reason = reason,
				.distance = distance,
				.blocker = aim.blocker};
	}
}

/* The named targets in order; `nearest` and `any` take whoever is left. */
static bool aim_list(struct turn *t, int unit, const struct target *list, int count, struct aim *out)
{
	for (int i = 0; i < count; i++) {
		struct aim why = *out;
		bool named = list[i].kind == TARGET_UNIT, can;

		if (named)
			out->reason = aim_at(t, unit, list[i].unit, false, out);
		can = named ? out->reason == REASON_NONE : aim_nearest(t, unit, false, out);
		if (can) {
			out->place_in_list = named ? i + 1 : 0;
			out->refused = why.refused;
			return true;
		}
		if (why.reason != REASON_NONE)
			*out = why;
		else if (named)
			*out = (struct aim){
				.target = -1, .refused = list[i].unit, .reason = out->reason, .blocker = out->blocker};
		else
			aim_explain(t, unit, out);
	}
	return false;
}

bool aim_by_orders(struct turn *t, int unit, const struct intent *in, struct aim *out)
{
	bool named = false;

	*out = (struct aim){.target = -1, .refused = -1, .blocker = -1};
	if (in->count && in->list[in->count - 1]->kind == CLAUSE_HOLD_FIRE) {
		out->reason = REASON_HELD;
		return false;
	}
	for (int i = 0; i < in->count; i++)
		if (in->list[i]->kind == CLAUSE_FIRE) {
			named = true;
			if (aim_list(t, unit, in->list[i]->targets, in->list[i]->target_count, out))
				return true;
		}
	if (named)
		return false;
	return aim_nearest(t, unit, true, out);
}
