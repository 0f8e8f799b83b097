/* What was understood of a mail, for the receipt. */
#ifndef GALLOPER_REPORT_READBACK_H
#define GALLOPER_REPORT_READBACK_H

#include "battle/plan.h"
#include "battle/scenario.h"
#include "orders/tree.h"

/* The orders in force of the `named` pieces (a flag each), those with equal orders together: whom they are for and what
 * they say in English, the same in canonical form, and what is foreseen of them (forecast.h). Items "* ..." wrapped to
 * 72 columns; "" for none. On `mem`. */
char *readback_text(TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, const struct orderbook *book,
	const struct plan *plan, enum side side, const bool *named);

#endif
