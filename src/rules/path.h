/* How far a unit's ordered legs and turns can legally go (FP14-FP20). */
#ifndef GALLOPER_RULES_PATH_H
#define GALLOPER_RULES_PATH_H

#include "rules/turn.h"

struct mover {
	struct turn *t;
	int unit;
	int32_t allowance;
	const struct clause *const *clauses; /* MOVE and FACE in written order; others are passed over */
	int count;
	const bool *absent; /* friends to reckon as not there, by piece; NULL for none */
};

struct walk {
	struct box from, to;
	int32_t gone;  /* inches of legs */
	int32_t paid;  /* inches for walls and the like (FP12, RH16) */
	int32_t asked; /* inches that the legs ask for */
	int turned, turn_asked;
	bool whole;     /* carried out as ordered */
	bool in_square; /* the front has come into the square that the last leg names, if not to its centre */
	enum event_reason reason;
	int blocker; /* the piece in the way, or -1 */
	struct point path[PLAN_PATH_MAX];
	int path_count;
};

/* The farthest legal way along the ordered path: all turns are done and the move is shortened, by as little as makes it
 * fit the allowance (FP15) and end clear of friends (FP20). What it depends on is looked at. */
void walk_best(const struct mover *m, struct walk *out);

/* The rulings behind a reason why a move stopped. */
const char *move_ruling(enum event_reason r);

#endif
