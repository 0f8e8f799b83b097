/* Volleys: FP28-FP36, FP38-FP44. */
#include "rules/fastplay/fastplay.h"

#include <string.h>

enum { PIECES_MAX = 256 };

/* FP31: units, guns and melees block sight; commanders and ground do not. */
static int blockers_of(const struct turn *t, int firer, int target, struct box *out)
{
	int n = 0;

	for (int i = 0; i < t->state->count && n < PIECES_MAX; i++) {
		const struct unit *u = &t->state->units[i];

		if (i != firer && i != target && unit_alive(u) && u->kind != KIND_COMMANDER)
			out[n++] = u->box;
	}
	return n;
}

static bool may_be_shot(const struct turn *t, int firer, int target)
{
	const struct unit *u = &t->state->units[target];

	return unit_alive(u) && u->side != t->state->units[firer].side && u->kind != KIND_COMMANDER;
}

struct aim aim_at(const struct turn *t, int firer, int target)
{
	static const enum arc arcs[] = {ARC_FRONT, ARC_LEFT, ARC_RIGHT};
	const struct unit *u = &t->state->units[firer], *e = &t->state->units[target];
	int32_t range = u->kind == KIND_GUN ? INCH(200) : param(t, P_INFANTRY_RANGE);
	struct aim aim = {ARC_REAR, -1, 0, REASON_NOT_IN_FRONT};
	struct box blockers[PIECES_MAX];
	int count;

	if (!may_be_shot(t, firer, target)) {
		aim.reason = unit_alive(e) ? REASON_NO_TARGET : REASON_GONE;
		return aim;
	}
	if (state_locked(t->state, target)) {
		aim.reason = REASON_FIGHTING;
		return aim;
	}
	count = blockers_of(t, firer, target, blockers);
	for (int i = 0; i < (u->kind == KIND_GUN ? 1 : 3); i++) {
		int32_t d = geo_arc_distance(&u->box, arcs[i], &e->box, NULL);

		if (d < 0)
			continue;
		if (d > range) {
			if (aim.distance < 0 || d < aim.distance)
				aim.distance = d;
			aim.reason = REASON_OUT_OF_RANGE;
			continue;
		}
		aim.distance = d;
		if (!geo_sight(&u->box, arcs[i], &e->box, range, blockers, count)) {
			aim.reason = REASON_NO_SIGHT;
			continue;
		}
		aim.arc = arcs[i];
		aim.reason = REASON_NONE;
		aim.dice = u->kind == KIND_GUN ? param(t, P_GUN_DICE) : u->bases;
		if (arcs[i] != ARC_FRONT && aim.dice > param(t, P_FLANK_DICE))
			aim.dice = param(t, P_FLANK_DICE);
		break;
	}
	return aim;
}

/* FP2: the nearest legal target in front; equal distances go by file order. With `any_arc` those to the side are taken
 * when there is none in front. */
static int nearest_target(const struct turn *t, int firer, bool any_arc, struct aim *out)
{
	int best = -1;

	for (int i = 0; i < t->state->count; i++) {
		struct aim aim;

		if (!may_be_shot(t, firer, i))
			continue;
		aim = aim_at(t, firer, i);
		if (aim.reason != REASON_NONE || (aim.arc != ARC_FRONT && !any_arc))
			continue;
		if (best < 0 || (aim.arc == ARC_FRONT) > (out->arc == ARC_FRONT) ||
			((aim.arc == ARC_FRONT) == (out->arc == ARC_FRONT) && aim.distance < out->distance)) {
			best = i;
			*out = aim;
		}
	}
	return best;
}

/* The first legal target that the fire clauses name (FP33); -1 with the reason of the first one refused. */
static int ordered_target(const struct turn *t, int firer, const struct taken *orders, struct aim *aim, int *refused)
{
	enum event_reason reason = REASON_NO_TARGET;

	*refused = -1;
	for (int i = 0; i < orders->count; i++) {
		const struct clause *c = orders->clause[i];

		for (int k = 0; k < c->target_count; k++) {
			int target = c->targets[k].unit;

			if (c->targets[k].kind != TARGET_UNIT) {
				target = nearest_target(t, firer, true, aim);
				if (target >= 0)
					return target;
				continue;
			}
			*aim = aim_at(t, firer, target);
			if (aim->reason == REASON_NONE)
				return target;
			if (*refused < 0) {
				*refused = target;
				reason = aim->reason;
			}
		}
	}
	aim->reason = reason;
	return -1;
}

/* FP44: who rides with a unit that fire has wiped out is at risk. */
static void risk_commanders(struct turn *t, int unit)
{
	int with[8];
	int n = state_commanders_with(t->state, unit, with, 8);

	for (int i = 0; i < n; i++) {
		struct unit *c = &t->state->units[with[i]];
		struct event *ev = emit(t, EVENT_COMMANDER_RISK, with[i]);
		int value[ROLL_MAX];

		event_object(ev, unit);
		event_set(ev, NUM_NEED, param(t, P_COMMANDER_FALLS));
		roll(t, ev, with[i], "commander", "", 6, 1, value);
		ev->ruling = "FP44";
		event_set(ev, NUM_AFTER, value[0] < param(t, P_COMMANDER_FALLS));
		c->with = -1;
		if (value[0] >= param(t, P_COMMANDER_FALLS))
			c->bases = 0;
		else
			set_down(t, with[i]);
	}
}

void destroy(struct turn *t, int unit, int by, enum event_reason reason, int before)
{
	struct unit *u = &t->state->units[unit];
	struct event *ev = emit(t, EVENT_DESTROYED, unit);

	if (by >= 0)
		event_object(ev, by);
	event_set(ev, NUM_BEFORE, before);
	ev->reason = reason;
	ev->ruling = u->kind == KIND_GUN ? reason == REASON_GUN ? "FP59" : "FP41" : "FP43";
	u->bases = 0;
	for (int i = t->state->lock_count - 1; i >= 0; i--) {
		if (t->state->locks[i].charger == unit || t->state->locks[i].charged == unit)
			state_unlock(t->state, i);
	}
}

/* What a number of hits leaves of a unit: FP42, FP43. */
static int bases_after(int bases, int hits)
{
	int left = bases - hits;

	return left <= 1 ? 0 : left;
}

void take_fire(struct turn *t, struct event *volley, int target, int hits)
{
	struct unit *u = &t->state->units[target];
	int before = u->bases;

	event_set(volley, NUM_BEFORE, before);
	/* Wiped out already by another volley of the same moment. */
	if (before == 0) {
		event_set(volley, NUM_AFTER, 0);
		return;
	}
	if (u->kind == KIND_GUN) {
		u->gun_hits = (int16_t)(u->gun_hits + hits);
		event_set(volley, NUM_AFTER, u->gun_hits < param(t, P_GUN_HITS));
		if (u->gun_hits >= param(t, P_GUN_HITS))
			destroy(t, target, volley->actor, REASON_GUN_HITS, before);
		return;
	}
	u->bases = hits > 0 ? bases_after(before, hits) : before;
	event_set(volley, NUM_AFTER, u->bases);
	if (u->bases > 0) {
		unit_refit(u);
		place_commanders_with(t->state, target);
		return;
	}
	destroy(t, target, volley->actor, before - hits == 1 ? REASON_LAST_BASE : REASON_FIRE, before);
	risk_commanders(t, target);
}

/* FP36: the powder die says how many of the eligible bases fire. */
int wet_powder_dice(int value, int eligible)
{
	int dry = (value + 1) / 2;

	return dry < eligible ? dry : eligible;
}

static void volley(struct turn *t, int firer, int target, const struct aim *aim)
{
	struct unit *u = &t->state->units[firer];
	struct event *ev = emit(t, EVENT_VOLLEY, firer);
	int dice = aim->dice, values[ROLL_MAX];

	event_object(ev, target);
	event_saw(ev, target);
	event_set(ev, NUM_DISTANCE, aim->distance);
	event_set(ev, NUM_ARC, aim->arc);
	event_set(ev, NUM_ELIGIBLE, aim->dice);
	ev->ruling = u->kind == KIND_GUN ? "FP38" : aim->arc == ARC_FRONT ? "FP29" : "FP30";
	if (param(t, P_WET_POWDER) != 0 && u->kind != KIND_GUN) {
		roll(t, ev, firer, "powder", "", 6, 1, values);
		dice = wet_powder_dice(values[0], aim->dice);
		ev->ruling = aim->arc == ARC_FRONT ? "FP36 FP29" : "FP36 FP30";
	}
	event_set(ev, NUM_DICE, dice);
	event_set(ev, NUM_NEED, param(t, P_SHOOT_HIT));
	roll(t, ev, firer, "shoot", "", 6, dice, values);
	u->fired = true;
	take_fire(t, ev, target, settle_hits(t, ev, count_hits(values, dice, param(t, P_SHOOT_HIT))));
}

/* FP39, FP40: a gun needs a clear strip in front of it, and hits the first enemy on its line. Gives the target that it
 * fires at, or -1 with the reason in the aim. */
static int gun_line(const struct turn *t, int gun, int target, struct aim *aim)
{
	const struct unit *g = &t->state->units[gun];
	int32_t half = param(t, P_GUN_CORRIDOR) / 2;
	struct point nearest;
	struct box strip, line;

	if (geo_arc_distance(&g->box, ARC_FRONT, &t->state->units[target].box, &nearest) < 0)
		return -1;
	line.facing = (int16_t)geo_bearing(g->box.front, nearest);
	line.front = nearest;
	line.depth = geo_length((int64_t)nearest.x - g->box.front.x, (int64_t)nearest.y - g->box.front.y);
	line.width = 2 * OVERLAP_TOLERANCE + 2;
	strip = line;
	strip.width = 2 * half;
	for (int i = 0; i < t->state->count; i++) {
		const struct unit *u = &t->state->units[i];

		if (i == gun || i == target || !unit_alive(u) || u->kind == KIND_COMMANDER)
			continue;
		if (u->side == g->side ? geo_overlap(&strip, &u->box) : geo_overlap(&line, &u->box)) {
			aim->reason = REASON_FRIEND;
			if (u->side == g->side)
				return -1;
			*aim = aim_at(t, gun, i);
			return aim->reason == REASON_NONE ? i : -1;
		}
	}
	return target;
}

static void shoot_unit(struct turn *t, int i)
{
	struct aim aim = {ARC_FRONT, 0, 0, REASON_NO_TARGET};
	struct taken orders;
	int target, refused = -1;

	act_begin(t, EVENT_VOLLEY, i);
	take_clauses(t, i, 1u << CLAUSE_FIRE | 1u << CLAUSE_HOLD_FIRE, &orders);
	for (int k = 0; k < orders.count; k++) {
		if (orders.clause[k]->kind == CLAUSE_HOLD_FIRE)
			return;
	}
	if (orders.count > 0)
		target = ordered_target(t, i, &orders, &aim, &refused);
	else
		target = nearest_target(t, i, false, &aim);
	if (target >= 0 && t->state->units[i].kind == KIND_GUN) {
		refused = target;
		target = gun_line(t, i, target, &aim);
	}
	if (target >= 0) {
		volley(t, i, target, &aim);
	} else if (refused >= 0) {
		struct event *ev = emit(t, EVENT_NO_VOLLEY, i);

		event_object(ev, refused);
		ev->reason = aim.reason;
		ev->ruling = aim.reason == REASON_FIGHTING ? "FP35" : aim.reason == REASON_NO_SIGHT ? "FP31" : "FP33";
		if (aim.distance >= 0)
			event_set(ev, NUM_DISTANCE, aim.distance);
	}
}

/* FP33, FP34: in file order, each volley at once. */
void fastplay_shoot(struct turn *t)
{
	for (int i = 0; i < t->state->count; i++) {
		const struct unit *u = &t->state->units[i];

		if ((int)u->side != t->phase->side || !unit_alive(u) || (!unit_is_foot(u) && u->kind != KIND_GUN))
			continue;
		if (!state_locked(t->state, i))
			shoot_unit(t, i);
	}
}
