/* The end of a turn and of the battle (FP85-FP92). */
#include "rules/fastplay/fastplay.h"
#include "rules/fastplay/field.h"
#include "rules/fastplay/parameters.h"
#include "rules/verdict.h"

#include "battle/scenario.h"

/* --- units ---------------------------------------------------------------------------------------------------------
 */

/* FP78: a unit that had no room to turn is back in its ranks as soon as it is free and has room. */
static void reform(struct turn *t, int unit)
{
	struct unit *u = &t->state->units[unit], formed;
	struct event *ev;

	if (u->quarter == 0 || !unit_alive(u) || state_locked(t->state, unit))
		return;
	turn_act(t);
	if (!turn_reaches(t, EVENT_REFORMED, unit))
		return;
	formed = *u;
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

void fastplay_losses(const struct turn *t, enum side side, int *lost, int *begun)
{
	const struct state *s = t->state;

	for (int i = 0; i < s->count; i++)
		if (s->units[i].side == side && unit_is_formed(&s->units[i])) {
			*begun += s->units[i].begun;
			*lost += s->units[i].begun - s->units[i].bases;
		}
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

static void count_losses(const struct turn *t, struct tally *out)
{
	const struct state *s = t->state;

	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];
		struct tally *p = &out[side_other(u->side)];
		int64_t lost = 1000 * (u->begun - u->bases);

		if (unit_is_foot(u))
			p->foot += lost * parameter(t, P_POINTS_FOOT);
		else if (unit_is_horse(u))
			p->horse += lost * parameter(t, P_POINTS_HORSE);
		else if (u->kind == KIND_GUN)
			p->guns += lost * parameter(t, P_POINTS_GUN);
		else
			p->commanders += lost * parameter(t, u->overall ? P_POINTS_OVERALL : P_POINTS_COMMANDER);
	}
}

void fastplay_tally(struct turn *t, struct tally *out)
{
	out[SIDE_GOVERNMENT].counts_ground = out[SIDE_JACOBITE].counts_ground = true;
	for (int third = 0; third < 3; third++) {
		struct event *ev = turn_event(t, EVENT_THIRDS, -1);
		int side = holder(t, third);

		event_set(ev, NUM_THIRD, third);
		event_set(ev, NUM_SIDE, side);
		turn_ruling(ev, "FP90");
		if (side >= 0)
			out[side].ground += 1000 * (int64_t)parameter(t, P_POINTS_THIRD);
	}
	count_losses(t, out);
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
