/* How a battle ends: an army breaks, the turn limit comes, or people say so; and what the points say. */
#ifndef GALLOPER_RULES_VERDICT_H
#define GALLOPER_RULES_VERDICT_H

#include "rules/turn.h"

/* What a side has for its enemy's losses, in thousandths of a point, and for ground held where that counts. */
struct tally {
	int64_t foot, horse, guns, commanders, ground;
	bool counts_ground;
};

/* Counts the points of the battle as it stands, tells them, and puts them into the state; who has won by them. A draw
 * where the rule set counts nothing. */
enum winner count_points(struct turn *t);

/* FP88, FP89, RH59: at the end of a turn, whether the battle is over, and who has won. */
void judge_battle(struct turn *t);

#endif
