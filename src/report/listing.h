/* The numbered lines of a report. */
#ifndef GALLOPER_REPORT_LISTING_H
#define GALLOPER_REPORT_LISTING_H

#include "report/chronicle.h"

/* The line of the event at `i`, ` 17. Barrell's fire on Camerons ...`, not wrapped; on `mem`. Units of which the very
 * same is told one after the other, without a die, share a line in which each keeps its number:
 * ` 46-48. Frasers (46), Chisolms (47) and Keppochs (48) do not charge: ...`. *next is the first event after it. */
char *listing_line(TALLOC_CTX *mem, const struct chronicle *c, const struct scenario *sc, const struct state *s,
	const struct events *events, int i, int *next);

#endif
