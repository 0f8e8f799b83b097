/* What orders would come to, in sentences for the receipt. */
#ifndef GALLOPER_REPORT_FORECAST_H
#define GALLOPER_REPORT_FORECAST_H

#include "battle/plan.h"
#include "battle/scenario.h"

/* One item without a line's end: `R Barrell's can go only 3.2" of 6": 1" from Camerons.` On `mem`. */
char *forecast_sentence(
	TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, const struct plan_item *item);

/* First what will not go as ordered, then the chances (moves that go as ordered are left to the map): lines that begin
 * with "- " and end in '\n', wrapped to 72 columns;
 * "" for none. With `may_order` only items of those pieces. On `mem`. */
char *forecast_text(TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, const struct plan *plan,
	const bool *may_order);

#endif
