/* The order sheet that every mail carries, to be filled in. */
#ifndef GALLOPER_REPORT_SHEET_H
#define GALLOPER_REPORT_SHEET_H

#include "battle/scenario.h"
#include "orders/tree.h"

/* The sheet between its two marks: a line for each living piece in `may_order`, with its orders now in canonical form.
 * *printed gets the lines between the marks (for orders_sheet_lines). Both on `mem`. */
char *sheet_print(TALLOC_CTX *mem, const struct state *s, enum side side, const bool *may_order,
	const struct orderbook *orders, const char *game, int turn, char **printed);

/* Has the sheet a line for this piece? `may_order` NULL: for all of the side. */
bool in_sheet(const struct state *s, enum side side, const bool *may_order, int i);

#endif
