/* The order sheet that every mail carries, to be filled in. */
#ifndef GALLOPER_REPORT_SHEET_H
#define GALLOPER_REPORT_SHEET_H

#include "battle/scenario.h"
#include "orders/tree.h"

/* The sheet between its two marks: a line for each living piece in `may_order`, with its orders now in canonical form.
 * *printed gets the lines between the marks (for orders_sheet_lines). Both on `mem`. */
char *sheet_print(TALLOC_CTX *mem, const struct state *s, enum side side, const bool *may_order,
	const struct orderbook *orders, const char *game, int turn, char **printed);

/* What is still to be ordered: a whole turn, or in a phased game moves alone, or what comes after them. */
enum sheet_time { SHEET_WHOLE, SHEET_MOVES, SHEET_CHARGES };

/* Up to three lines of example orders that are right for this player's own pieces as they stand, each after four
 * blanks; "" when there is nothing to order. */
char *sheet_examples(
	TALLOC_CTX *mem, const struct state *s, enum side side, const bool *may_order, enum sheet_time time);

/* Codes and names of the player's own pieces and of the enemy's, for a page that shows how orders are written. */
struct own_names {
	const char *unit, *units, *wing, *commander; /* "R", "D, E and F", "Left wing"; "" where he has none */
	const char *enemy, *other;                   /* two enemies; "" where there are none */
};
struct own_names sheet_names(TALLOC_CTX *mem, const struct state *s, enum side side, const bool *may_order);

#endif
