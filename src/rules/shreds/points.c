/* Command points (RH4, RH5). */
#include "rules/intent.h"
#include "rules/shreds/field.h"
#include "rules/shreds/move.h"
#include "rules/shreds/parameters.h"
#include "rules/shreds/shreds.h"

enum {
	ACTION_CLAUSES = MOVE_CLAUSES | CHARGE_CLAUSES | CLAUSE_BIT(CLAUSE_COLUMN) | CLAUSE_BIT(CLAUSE_LINE),
};

/* RH5: do its orders say anything that needs a point? */
static bool has_action(struct turn *t, int unit)
{
	struct intent in;

	intent_peek(t, unit, ACTION_CLAUSES, &in);
	for (int i = 0; i < in.count; i++)
		if (in.list[i]->kind != CLAUSE_HOLD && in.list[i]->kind != CLAUSE_JOIN &&
			in.list[i]->kind != CLAUSE_LEAVE)
			return true;
	return false;
}

bool wants_point(struct turn *t, int unit)
{
	return can_act(t->state, unit) && t->state->units[unit].pursues < 0 && has_action(t, unit);
}

enum event_reason why_not_act(struct turn *t, int unit, const char **ruling)
{
	const struct unit *u = &t->state->units[unit];
	enum event_reason reason = u->kind == KIND_GUN            ? REASON_GUN
				   : u->routing                   ? REASON_ROUTING
				   : state_locked(t->state, unit) ? REASON_LOCKED
				   : u->halted > 0                ? REASON_HALTED
								  : REASON_NONE;

	*ruling = reason == REASON_GUN       ? "RH33"
		  : reason == REASON_ROUTING ? "RH52"
		  : reason == REASON_LOCKED  ? "FP21"
					     : "RH53";
	return u->kind != KIND_COMMANDER && reason != REASON_NONE && has_action(t, unit) ? reason : REASON_NONE;
}

/* Orders that its state does not let it carry out: that is told, and costs no point. */
static void say_cannot(struct turn *t, int unit)
{
	const char *ruling;
	enum event_reason reason = why_not_act(t, unit, &ruling);
	struct event *ev;

	if (reason == REASON_NONE)
		return;
	if (!turn_reaches(t, EVENT_NO_MOVE, unit))
		return;
	ev = turn_event(t, EVENT_NO_MOVE, unit);
	ev->reason = reason;
	turn_ruling(ev, ruling);
}

/* Who gets none has looked at all who were asked before it. */
static void say_no_point(struct turn *t, int unit, const bool *asked)
{
	for (int i = 0; i < t->state->count; i++)
		if (asked[i])
			turn_look(t, i);
	if (turn_reaches(t, EVENT_NO_POINT, unit))
		turn_ruling(turn_event(t, EVENT_NO_POINT, unit), "RH4");
}

void shreds_points(struct turn *t)
{
	struct state *s = t->state;
	bool *asked = talloc_zero_array(t->mem, bool, (unsigned)s->count + 1);
	int side = t->phase->side, *left = &s->command_points[side];
	struct event *ev = turn_event(t, EVENT_COMMAND, -1);

	turn_roll(t, ev, side_dice((enum side)side), "points", NULL, parameter(t, P_POINTS_DIE), 1, left);
	event_set(ev, NUM_SIDE, side);
	event_set(ev, NUM_POINTS, *left);
	turn_ruling(ev, "RH4");
	for (int i = 0; i < t->orders->priority_count[side]; i++) {
		int unit = t->orders->priority[side][i];
		struct unit *u = &s->units[unit];
		bool wants;

		asked[unit] = true;
		if (!unit_alive(u))
			continue;
		u->points_left = (int16_t)*left;
		turn_act(t);
		wants = wants_point(t, unit);
		for (int k = 0; k < s->count; k++)
			asked[k] |= t->looked[k];
		if (!wants) {
			say_cannot(t, unit);
			continue;
		}
		if (*left > 0) {
			u->commanded = true;
			--*left;
		} else {
			say_no_point(t, unit, asked);
		}
	}
}
