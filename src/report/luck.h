/* Hits against what the dice give on average. */
#ifndef GALLOPER_REPORT_LUCK_H
#define GALLOPER_REPORT_LUCK_H

#include "battle/event.h"
#include "battle/scenario.h"

/* Starts as {0}; kept over as many turns as are to be summed. */
struct luck {
	int dice[SIDES];   /* thrown to hit: volleys, fire at chargers, melees, commanders' blows */
	int hits[SIDES];   /* of those dice */
	int sixths[SIDES]; /* hits to be expected of them, in sixths */
};

/* Adds the dice of these events. Dice that a referee gave are left out; so are powder, tests and risks, which hit
 * nobody. */
void luck_add(struct luck *l, const struct events *events, const struct state *s);

/* A line a side, `own` (-1: Government) first: `English: 14 hits with 62 dice. On average 12.3: lucky by 1.7.` Each
 * ends in '\n'. On `mem`. */
char *luck_text(TALLOC_CTX *mem, const struct luck *l, const struct scenario *sc, int own);

#endif
