/* What orders would come to as far as can be foreseen without dice, everybody else standing: made by the rules
 * (`foresee`), read by the receipt's map and its sentences. */
#ifndef GALLOPER_BATTLE_PLAN_H
#define GALLOPER_BATTLE_PLAN_H

#include "battle/event.h"

enum plan_kind { PLAN_MOVE, PLAN_FIRE, PLAN_CHARGE, PLAN_JOIN, PLAN_POINT };

enum { PLAN_PATH_MAX = 16 };

struct plan_item {
	enum plan_kind kind;
	int unit;
	int target;          /* unit index or -1 */
	struct box from, to; /* MOVE, CHARGE, JOIN */
	struct point path[PLAN_PATH_MAX];
	int path_count;           /* front midpoints passed, from and to included */
	bool whole;               /* will be carried out as ordered, as far as can be seen */
	enum event_reason reason; /* why not */
	int blocker;              /* unit in the way, or -1 */
	int32_t distance;         /* FIRE, CHARGE: to the target now; MOVE: how far it goes */
	int32_t asked;            /* the distance that the order wants or needs; 0 if it says none */
	bool again;               /* JOIN: he tries once more in the Charge phase (FP24) */
	bool costs_point;         /* CHARGE: it cannot be made, but takes the command point that nothing else needs */
	bool stopped;             /* CHARGE: within reach, but not to be got at; no other target is tried */
	int32_t paid;             /* MOVE: inches that the ground on the way takes */
	int32_t farthest; /* MOVE: how far it goes on the best throw, where the order leaves that open; else 0 */
	bool conditional; /* under an `if` that cannot be judged yet */
	int percent;      /* chance in 100 of what the sentence names, or -1 */
	/* Where dice decide how far it comes, or whether it gets a command point: it needs `need` or more with so many
	 * dice of so many sides. 0 dice: they do not. */
	int need, dice, sides;
	int tenths; /* FIRE: what it costs the target on average, in tenths of a figure; 0: not known */
	const char *ruling;
};

struct plan {
	struct plan_item *items; /* talloc child */
	int count;
};

#endif
