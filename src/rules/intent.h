/* What a unit's orders say for one phase, once the conditions in them are judged. */
#ifndef GALLOPER_RULES_INTENT_H
#define GALLOPER_RULES_INTENT_H

#include "rules/turn.h"

enum { INTENT_MAX = 64 };

#define CLAUSE_BIT(kind) (1U << (kind))

enum {
	MOVE_CLAUSES = CLAUSE_BIT(CLAUSE_MOVE) | CLAUSE_BIT(CLAUSE_FACE) | CLAUSE_BIT(CLAUSE_HOLD) |
		       CLAUSE_BIT(CLAUSE_JOIN) | CLAUSE_BIT(CLAUSE_LEAVE),
	FIRE_CLAUSES = CLAUSE_BIT(CLAUSE_FIRE) | CLAUSE_BIT(CLAUSE_HOLD_FIRE),
	CHARGE_CLAUSES = CLAUSE_BIT(CLAUSE_CHARGE),
	JOIN_CLAUSES = CLAUSE_BIT(CLAUSE_JOIN),
	MELEE_CLAUSES = CLAUSE_BIT(CLAUSE_MELEE),
};

struct intent {
	const struct clause *list[INTENT_MAX]; /* in written order */
	int count;
	bool ordered;     /* the unit has orders of some kind (FP2) */
	bool conditional; /* some of it was under an "if" */
};

/* The clauses of these kinds that hold now. Conditions are judged, each with an event. Of conditional clauses of one
 * kind the first that holds stands (language rule 8); it goes before unconditional ones, but moves are legs in written
 * order, and a conditional hold ends them. */
void intent_read(struct turn *t, int unit, unsigned kinds, struct intent *out);

/* The same without events: what the orders come to as things stand, before their time. */
void intent_peek(struct turn *t, int unit, unsigned kinds, struct intent *out);

/* Is there a clause of these kinds at all, whatever the conditions? */
bool intent_possible(const struct turn *t, int unit, unsigned kinds);

bool condition_holds(struct turn *t, int unit, const struct condition *c, const struct clause *governed);

/* Where a piece is: an attached commander is where his unit is. */
const struct box *where_is(const struct state *s, int unit);
/* The nearest enemy unit or gun, or -1, and how far it is. */
int nearest_enemy(const struct turn *t, int unit, int32_t *distance);

#endif
