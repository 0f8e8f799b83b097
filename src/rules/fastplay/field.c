#include "rules/fastplay/field.h"

#include "battle/scenario.h"
#include "rules/fastplay/parameters.h"

int32_t move_allowance(const struct turn *t, const struct unit *u)
{
	if (u->kind == KIND_GUN)
		return 0;
	if (u->kind == KIND_COMMANDER)
		return parameter(t, P_COMMANDER_MOVE);
	return parameter(t, unit_is_horse(u) ? P_HORSE_MOVE : P_INFANTRY_MOVE);
}

int32_t charge_allowance(const struct turn *t, const struct unit *u)
{
	if (u->kind == KIND_GUN)
		return 0;
	if (u->kind == KIND_COMMANDER)
		return parameter(t, P_COMMANDER_CHARGE);
	return parameter(t, unit_is_horse(u) ? P_HORSE_CHARGE : P_INFANTRY_CHARGE);
}

/* --- losses --------------------------------------------------------------------------------------------------------
 */

int bases_after(const struct turn *t, const struct unit *u, int hits)
{
	int left = u->bases - hits;

	if (u->kind == KIND_GUN)
		return u->gun_hits + hits >= parameter(t, P_GUN_HITS) ? 0 : u->bases;
	if (u->kind == KIND_COMMANDER)
		return u->bases;
	return hits > 0 && left <= 1 ? 0 : left;
}

void commander_risk(struct turn *t, int commander, int unit, const char *ruling)
{
	struct unit *u = &t->state->units[commander];
	int value, need = parameter(t, P_COMMANDER_FALLS);
	struct event *ev;
	bool falls;

	if (!turn_reaches(t, EVENT_COMMANDER_RISK, commander))
		return;
	ev = turn_event(t, EVENT_COMMANDER_RISK, commander);
	turn_object(ev, unit);
	turn_roll(t, ev, commander, "commander", NULL, 6, 1, &value);
	falls = value >= need && !turn_void(t, ev);
	event_set(ev, NUM_DICE, 1);
	event_set(ev, NUM_NEED, need);
	event_set(ev, NUM_AFTER, !falls);
	turn_ruling(ev, ruling);
	if (falls) {
		u->bases = 0;
		u->with = -1;
		if (u->overall)
			turn_ruling(ev, "FP85");
	}
}

void destroy(struct turn *t, int unit, int by, enum event_reason reason, int before)
{
	struct state *s = t->state;
	struct event *ev;

	turn_act(t);
	ev = turn_event(t, EVENT_DESTROYED, unit);
	if (by >= 0)
		turn_object(ev, by);
	event_set(ev, NUM_BEFORE, before);
	ev->reason = reason;
	if (s->units[unit].kind == KIND_GUN)
		turn_ruling(ev, reason == REASON_GUN ? "FP59" : "FP41");
	else if (reason == REASON_LAST_BASE)
		turn_ruling(ev, "FP43");
	s->units[unit].bases = 0;
	unlock(s, unit);
	if (reason == REASON_MELEE)
		return;
	for (int i = 0; i < s->count; i++) {
		if (s->units[i].kind != KIND_COMMANDER || s->units[i].with != unit || !unit_alive(&s->units[i]))
			continue;
		commander_risk(t, i, unit, "FP44");
		if (unit_alive(&s->units[i]))
			set_down(t, i);
	}
}

void take_fire(struct turn *t, int unit, int by, int hits)
{
	struct unit *u = &t->state->units[unit];
	int before = u->bases, after;

	if (hits <= 0 || before <= 0)
		return;
	after = bases_after(t, u, hits);
	if (u->kind == KIND_GUN)
		u->gun_hits = (int16_t)(u->gun_hits + hits);
	u->bases = after;
	if (after > 0)
		unit_refit(u);
	else
		destroy(t, unit, by,
			u->kind == KIND_GUN  ? REASON_GUN_HITS
			: before - hits == 1 ? REASON_LAST_BASE
					     : REASON_FIRE,
			before);
}

void say_freed(struct turn *t, const bool *was)
{
	const struct state *s = t->state;

	for (int i = 0; i < s->count; i++)
		if (was[i] && unit_alive(&s->units[i]) && !state_locked(s, i)) {
			turn_act(t);
			if (turn_reaches(t, EVENT_FREED, i))
				turn_ruling(turn_event(t, EVENT_FREED, i), "FP81");
		}
}

/* --- a referee's changes -------------------------------------------------------------------------------------------
 */

void field_settle(struct turn *t, int unit, bool moved)
{
	struct state *s = t->state;
	struct unit *u = &s->units[unit];

	if (unit_is_formed(u) && u->bases == 1)
		u->bases = 0; /* FP43 */
	if (unit_alive(u)) {
		unit_refit(u);
		if (u->kind == KIND_COMMANDER && u->with >= 0 && !unit_alive(&s->units[u->with]))
			u->with = -1;
		if (moved)
			unlock_apart(s, unit);
		carry(t, unit);
		return;
	}
	unlock(s, unit);
	u->with = -1;
	for (int i = 0; i < s->count; i++)
		if (s->units[i].with == unit && unit_alive(&s->units[i]))
			set_down(t, i);
}

/* --- ground --------------------------------------------------------------------------------------------------------
 */

/* FP12, FP13 */
int32_t field_ground(const struct turn *t, enum terrain_kind kind, bool walls)
{
	if (parameter(t, P_TERRAIN) != TERRAIN_GROUND)
		return GROUND_FREE;
	if (kind == TERRAIN_BOG || kind == TERRAIN_RAVINE)
		return GROUND_STOPS;
	if (kind != TERRAIN_WALL)
		return GROUND_FREE;
	return walls ? GROUND_STOPS : parameter(t, P_WALL_COST);
}
