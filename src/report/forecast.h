/* What orders would come to, in sentences for the receipt. */
#ifndef GALLOPER_REPORT_FORECAST_H
#define GALLOPER_REPORT_FORECAST_H

#include "battle/plan.h"
#include "battle/scenario.h"

/* One item without a line's end: `Barrell's (R) go only 3.2", to K7: Camerons (j) are in the way ...` On `mem`. */
char *forecast_sentence(
	TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, const struct plan_item *item);

/* What the orders of those `pieces` (a flag each) will come to: first, after the word BUT, what will not go as ordered,
 * then the chances; moves that go as ordered are left to the map. One sentence for all of whom the same is true, who
 * are "they" when that is all of them. Lines indented by four, wrapped to 72 columns; "" for none. On `mem`. */
char *forecast_text(
	TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, const struct plan *plan, const bool *pieces);

/* How many of those pieces cannot do all that they are ordered. */
int forecast_troubles(const struct plan *plan, const bool *pieces);

#endif
