/* The end of a turn and of the battle (FP85-FP92). */
#include "rules/fastplay/fastplay.h"
#include "rules/fastplay/field.h"
#include "rules/fastplay/parameters.h"

#include "battle/scenario.h"

#include <stdlib.h>

/* --- units ---------------------------------------------------------------------------------------------------------
 */

/* FP78: a unit that had no room to turn is back in its ranks as soon as it is free and has room. */
static void reform(struct turn *t, int unit)
{
	struct unit *u = &t->state->units[unit], formed = *u;
	struct event *ev;

	if (u->quarter == 0 || !unit_alive(u) || state_locked(t->state, unit))
		return;
	turn_act(t);
	formed.quarter = 0;
	unit_refit(&formed);
	formed.box = geo_box_at_centre(geo_centre(&u->box), u->box.facing, formed.box.width, formed.box.depth);
	if (!place_clear(t, unit, &formed.box, u->side, 0))
		return;
	ev = turn_event(t, EVENT_REFORMED, unit);
	turn_from(ev, &u->box);
	turn_ruling(ev, "FP78");
	if (!turn_void(t, ev))
		*u = formed;
	turn_to(ev, &u->box);
	carry(t, unit);
}

static void forget_turn(struct unit *u)
{
	u->charged = u->fired = u->closed_fire = u->fought = false;
	u->charge_target = -1;
	u->gun_hits = 0; /* FP41 */
	u->used = 0;
}

/* --- armies --------------------------------------------------------------------------------------------------------
 */

/* FP88: has the army lost its part? */
static bool breaks(struct turn *t, enum side side)
{
	const struct state *s = t->state;
	int begun = 0, lost = 0;
	struct event *ev;

	for (int i = 0; i < s->count; i++)
		if (s->units[i].side == side && unit_is_formed(&s->units[i])) {
			begun += s->units[i].begun;
			lost += s->units[i].begun - s->units[i].bases;
		}
	if (begun == 0 || lost * 100 < begun * parameter(t, P_BREAK_PERCENT))
		return false;
	turn_act(t);
	ev = turn_event(t, EVENT_BROKEN, -1);
	event_set(ev, NUM_SIDE, (int32_t)side);
	event_set(ev, NUM_LOST, lost);
	event_set(ev, NUM_BEFORE, begun);
	turn_ruling(ev, "FP88");
	return !turn_void(t, ev);
}

/* FP90: the side that holds the third, or -1. */
static int holder(const struct turn *t, int third)
{
	const struct state *s = t->state;
	int32_t middle = t->sc->table.height / 2, width = t->sc->table.width;
	bool across[SIDES] = {false, false};

	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];
		int64_t at = (int64_t)u->box.front.x * 3;

		if (!unit_alive(u) || !unit_is_formed(u) || at < (int64_t)third * width ||
			(third < 2 && at >= (int64_t)(third + 1) * width))
			continue;
		across[u->side] |= u->side == SIDE_GOVERNMENT ? u->box.front.y > middle : u->box.front.y < middle;
	}
	if (across[SIDE_GOVERNMENT] == across[SIDE_JACOBITE])
		return -1;
	return across[SIDE_GOVERNMENT] ? SIDE_GOVERNMENT : SIDE_JACOBITE;
}

struct tally {
	int foot, horse, guns, commanders, ground;
};

/* What the side's enemies have lost. */
static void count_losses(const struct turn *t, enum side side, struct tally *out)
{
	const struct state *s = t->state;

	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];
		int lost = u->begun - u->bases;

		if (u->side == side)
			continue;
		if (unit_is_foot(u))
			out->foot += lost * parameter(t, P_POINTS_FOOT);
		else if (unit_is_horse(u))
			out->horse += lost * parameter(t, P_POINTS_HORSE);
		else if (u->kind == KIND_GUN)
			out->guns += lost * parameter(t, P_POINTS_GUN);
		else if (!unit_alive(u))
			out->commanders += parameter(t, u->overall ? P_POINTS_OVERALL : P_POINTS_COMMANDER);
	}
}

static void count_points(struct turn *t)
{
	struct tally tally[SIDES] = {{0}};

	for (int third = 0; third < 3; third++) {
		struct event *ev = turn_event(t, EVENT_THIRDS, -1);
		int side = holder(t, third);

		event_set(ev, NUM_THIRD, third);
		event_set(ev, NUM_SIDE, side);
		turn_ruling(ev, "FP90");
		if (side >= 0)
			tally[side].ground += parameter(t, P_POINTS_THIRD);
	}
	for (int side = 0; side < SIDES; side++) {
		struct event *ev = turn_event(t, EVENT_POINTS, -1);
		struct tally *p = &tally[side];
		int sum;

		count_losses(t, (enum side)side, p);
		sum = p->foot + p->horse + p->guns + p->commanders + p->ground;
		event_set(ev, NUM_SIDE, side);
		event_set(ev, NUM_POINTS, sum);
		event_set(ev, NUM_FOOT, p->foot);
		event_set(ev, NUM_HORSE, p->horse);
		event_set(ev, NUM_GUNS, p->guns);
		event_set(ev, NUM_COMMANDERS, p->commanders);
		event_set(ev, NUM_GROUND, p->ground);
		turn_ruling(ev, "FP90");
		t->state->points[side] = sum;
	}
}

/* FP89: a difference within so many parts in a hundred of the larger is a draw. */
static enum winner by_points(const struct turn *t)
{
	int ours = t->state->points[SIDE_GOVERNMENT], theirs = t->state->points[SIDE_JACOBITE];
	int larger = ours > theirs ? ours : theirs;

	if (abs(ours - theirs) * 100 <= larger * parameter(t, P_DRAW_PERCENT))
		return WINNER_DRAW;
	return ours > theirs ? WINNER_GOVERNMENT : WINNER_JACOBITE;
}

enum winner fastplay_count(struct turn *t)
{
	count_points(t);
	return by_points(t);
}

static void judge_battle(struct turn *t)
{
	struct state *s = t->state;
	int limit = parameter(t, P_TURN_LIMIT);
	enum winner winner;
	struct event *ev;

	for (int side = 0; side < SIDES && parameter(t, P_BREAK); side++)
		s->broken[side] = breaks(t, (enum side)side);
	if (!s->broken[0] && !s->broken[1] && (limit == 0 || s->turn < limit))
		return;
	turn_act(t);
	winner = fastplay_count(t);
	if (s->broken[0] != s->broken[1])
		winner = s->broken[SIDE_GOVERNMENT] ? WINNER_JACOBITE : WINNER_GOVERNMENT;
	ev = turn_event(t, EVENT_VERDICT, -1);
	event_set(ev, NUM_WINNER, (int32_t)winner);
	ev->reason = s->broken[0] || s->broken[1] ? REASON_BROKE : REASON_TURN_LIMIT;
	turn_ruling(ev, s->broken[0] == s->broken[1] ? "FP89" : "FP88");
	if (ev->reason == REASON_TURN_LIMIT)
		turn_ruling(ev, "FP87");
	if (!turn_void(t, ev))
		s->winner = winner;
}

void fastplay_end(struct turn *t)
{
	turn_end_amendments(t);
	for (int i = 0; i < t->state->count; i++) {
		reform(t, i);
		forget_turn(&t->state->units[i]);
	}
	judge_battle(t);
	turn_unused_amendments(t);
}
