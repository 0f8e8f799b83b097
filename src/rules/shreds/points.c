/* Command points (RH4, RH5). */
#include "rules/intent.h"
#include "rules/shreds/field.h"
#include "rules/shreds/move.h"
#include "rules/shreds/parameters.h"
#include "rules/shreds/shreds.h"

enum {
	ACTION_CLAUSES = MOVE_CLAUSES | CHARGE_CLAUSES | CLAUSE_BIT(CLAUSE_COLUMN) | CLAUSE_BIT(CLAUSE_LINE),
};

/* RH5: does the unit want to do what needs a point? */
bool wants_point(struct turn *t, int unit)
{
	const struct unit *u = &t->state->units[unit];
	struct intent in;

	if (!can_act(t->state, unit) || u->pursues >= 0)
		return false;
	intent_peek(t, unit, ACTION_CLAUSES, &in);
	for (int i = 0; i < in.count; i++)
		if (in.list[i]->kind != CLAUSE_HOLD && in.list[i]->kind != CLAUSE_JOIN &&
			in.list[i]->kind != CLAUSE_LEAVE)
			return true;
	return false;
}

void shreds_points(struct turn *t)
{
	struct state *s = t->state;
	int side = t->phase->side, *left = &s->command_points[side];
	struct event *ev = turn_event(t, EVENT_COMMAND, -1);

	turn_roll(t, ev, side_dice((enum side)side), "points", NULL, parameter(t, P_POINTS_DIE), 1, left);
	event_set(ev, NUM_SIDE, side);
	event_set(ev, NUM_POINTS, *left);
	turn_ruling(ev, "RH4");
	for (int i = 0; i < t->orders->priority_count[side]; i++) {
		int unit = t->orders->priority[side][i];
		struct unit *u = &s->units[unit];

		if (!unit_alive(u))
			continue;
		u->points_left = (int16_t)*left;
		turn_act(t);
		if (!wants_point(t, unit))
			continue;
		if (*left > 0) {
			u->commanded = true;
			--*left;
		} else {
			turn_ruling(turn_event(t, EVENT_NO_POINT, unit), "RH4");
		}
	}
}
