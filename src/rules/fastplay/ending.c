/* The end of a turn: FP41, FP78, FP87-FP90. */
#include "rules/fastplay/fastplay.h"

#include <stdlib.h>

/* What a side has lost, as points for its enemy (FP90). */
struct losses {
	int foot_bases, horse_bases, guns, commanders, overall;
};

static struct losses count_losses(const struct state *s, enum side side)
{
	struct losses l = {0, 0, 0, 0, 0};

	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];
		int lost = u->begun - u->bases;

		if (u->side != side || lost <= 0)
			continue;
		if (u->kind == KIND_GUN)
			l.guns++;
		else if (u->kind == KIND_COMMANDER)
			*(u->overall ? &l.overall : &l.commanders) += 1;
		else
			*(unit_is_horse(u) ? &l.horse_bases : &l.foot_bases) += lost;
	}
	return l;
}

/* FP88 */
static bool is_broken(struct turn *t, enum side side)
{
	int begun = 0, left = 0;
	struct event *ev;

	for (int i = 0; i < t->state->count; i++) {
		const struct unit *u = &t->state->units[i];

		if (u->side == side && unit_is_formed(u)) {
			begun += u->begun;
			left += u->bases;
		}
	}
	if (begun == 0 || (begun - left) * 100 < begun * param(t, P_BREAK_PERCENT))
		return false;
	ev = emit(t, EVENT_BROKEN, -1);
	event_set(ev, NUM_SIDE, side);
	event_set(ev, NUM_LOST, begun - left);
	event_set(ev, NUM_BEFORE, begun);
	ev->ruling = "FP88";
	return true;
}

/* Has the side foot or horse across the middle line in that third of the front? */
static bool is_across(const struct turn *t, enum side side, int third)
{
	int32_t width = t->sc->table.width / 3, middle = t->sc->table.height / 2;

	for (int i = 0; i < t->state->count; i++) {
		const struct unit *u = &t->state->units[i];
		int in = u->box.front.x / width;

		if (u->side != side || !unit_alive(u) || !unit_is_formed(u) || (in > 2 ? 2 : in) != third)
			continue;
		if (side == SIDE_GOVERNMENT ? u->box.front.y > middle : u->box.front.y < middle)
			return true;
	}
	return false;
}

static void hold_thirds(struct turn *t, int held[SIDES])
{
	for (int third = 0; third < 3; third++) {
		bool government = is_across(t, SIDE_GOVERNMENT, third), jacobite = is_across(t, SIDE_JACOBITE, third);
		struct event *ev = emit(t, EVENT_THIRDS, -1);

		event_set(ev, NUM_THIRD, third);
		event_set(ev, NUM_SIDE, government == jacobite ? -1 : government ? SIDE_GOVERNMENT : SIDE_JACOBITE);
		ev->ruling = "FP90";
		held[SIDE_GOVERNMENT] += government && !jacobite;
		held[SIDE_JACOBITE] += jacobite && !government;
	}
}

static void count_points(struct turn *t)
{
	int held[SIDES] = {0, 0};

	hold_thirds(t, held);
	for (int side = 0; side < SIDES; side++) {
		struct losses l = count_losses(t->state, side_other((enum side)side));
		int foot = l.foot_bases * param(t, P_POINTS_FOOT), horse = l.horse_bases * param(t, P_POINTS_HORSE);
		int guns = l.guns * param(t, P_POINTS_GUN), ground = held[side] * param(t, P_POINTS_THIRD);
		int commanders = l.commanders * param(t, P_POINTS_COMMANDER) + l.overall * param(t, P_POINTS_OVERALL);
		struct event *ev = emit(t, EVENT_POINTS, -1);

		t->state->points[side] = foot + horse + guns + commanders + ground;
		event_set(ev, NUM_SIDE, side);
		event_set(ev, NUM_POINTS, t->state->points[side]);
		event_set(ev, NUM_FOOT, foot);
		event_set(ev, NUM_HORSE, horse);
		event_set(ev, NUM_GUNS, guns);
		event_set(ev, NUM_COMMANDERS, commanders);
		event_set(ev, NUM_GROUND, ground);
		ev->ruling = "FP90";
	}
}

/* FP89 */
static enum winner winner_on_points(const struct turn *t)
{
	int e = t->state->points[SIDE_GOVERNMENT], j = t->state->points[SIDE_JACOBITE];
	int larger = e > j ? e : j;

	if (abs(e - j) * 100 <= larger * param(t, P_DRAW_PERCENT))
		return WINNER_DRAW;
	return e > j ? WINNER_GOVERNMENT : WINNER_JACOBITE;
}

static void decide(struct turn *t)
{
	struct state *s = t->state;
	bool limit = param(t, P_TURN_LIMIT) > 0 && s->turn >= param(t, P_TURN_LIMIT);
	struct event *ev;

	for (int side = 0; param(t, P_BREAK) != 0 && side < SIDES; side++)
		s->broken[side] = is_broken(t, (enum side)side);
	if (!s->broken[SIDE_GOVERNMENT] && !s->broken[SIDE_JACOBITE] && !limit)
		return;
	count_points(t);
	if (s->broken[SIDE_GOVERNMENT] != s->broken[SIDE_JACOBITE])
		s->winner = s->broken[SIDE_GOVERNMENT] ? WINNER_JACOBITE : WINNER_GOVERNMENT;
	else
		s->winner = winner_on_points(t);
	ev = emit(t, EVENT_VERDICT, -1);
	event_set(ev, NUM_WINNER, s->winner);
	ev->reason = s->broken[SIDE_GOVERNMENT] || s->broken[SIDE_JACOBITE] ? REASON_BROKE : REASON_TURN_LIMIT;
	ev->ruling = ev->reason == REASON_BROKE ? "FP88" : "FP87 FP89";
}

void fastplay_end(struct turn *t)
{
	act_end_of_turn(t);
	for (int i = 0; i < t->state->count; i++) {
		struct unit *u = &t->state->units[i];

		if (unit_alive(u) && !state_locked(t->state, i))
			reform(t, i);
		u->charged = u->fired = u->closed_fire = u->fought = false;
		u->charge_target = -1;
		u->gun_hits = 0;
		u->used = 0;
	}
	decide(t);
}
