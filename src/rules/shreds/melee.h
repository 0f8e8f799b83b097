/* A round of melee and what comes of it. */
#ifndef GALLOPER_RULES_SHREDS_MELEE_H
#define GALLOPER_RULES_SHREDS_MELEE_H

#include "rules/turn.h"

/* RH42: what the unit adds to each of its dice against that enemy. */
int melee_bonus(struct turn *t, const struct lock *l, int unit);

/* RH39, RH56: how many pairs each lock fights, on t->mem. */
int *melee_pairs(struct turn *t);

/* Who has lost his melee: all who are joined by locks fight in one. Made of the hits that each piece has dealt, before
 * anybody is removed. */
struct melee_outcome {
	struct lock *locks; /* as they were */
	int lock_count;
	bool *lost; /* for each piece */
};

/* RH46: the side that caused more wins; if both caused as much, nobody has lost. On t->mem. */
struct melee_outcome *melee_outcome(const struct turn *t, const int *dealt);
/* RH46-RH49: the losers fall back, the winners follow or not. */
void melee_follow_up(struct turn *t, const struct melee_outcome *outcome);

#endif
