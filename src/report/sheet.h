/* The order sheet that every mail carries, to be filled in. */
#ifndef GALLOPER_REPORT_SHEET_H
#define GALLOPER_REPORT_SHEET_H

#include "battle/scenario.h"
#include "orders/tree.h"

/* The sheet between its two marks: a line for each living piece in `may_order`, with its orders now in canonical form.
 * *printed gets the lines between the marks (for orders_sheet_lines). Both on `mem`. */
char *sheet_print(TALLOC_CTX *mem, const struct state *s, enum side side, const bool *may_order,
	const struct orderbook *orders, const char *game, int turn, char **printed);

/* Up to three lines of example orders that are right for this player's own pieces as they stand, each after four
 * blanks; "" when there is nothing to order. Without `moves` only charges are still to come in this turn. */
char *sheet_examples(TALLOC_CTX *mem, const struct state *s, enum side side, const bool *may_order, bool moves);

#endif
