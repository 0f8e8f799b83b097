/* What a referee's amendment changed: two resolutions of one turn side by side, event by event. */
#ifndef GALLOPER_REPORT_CHANGES_H
#define GALLOPER_REPORT_CHANGES_H

#include "report/chronicle.h"

/* The events that tell something else than before, that no longer happen or are new, in the order of the turn, each
 * with its number in its own resolution; lines of at most LETTER_COLUMNS (template.h):
 *
 *     was  17. Barrell's fire on Camerons at 9": 6 dice, ...
 *     now  17. ...
 *     gone 23. ...
 *     new  24. ...
 *
 * "" when nothing is told otherwise. On `mem`. */
char *changes_text(TALLOC_CTX *mem, const struct chronicle *c, const struct scenario *sc, const struct state *s,
	const struct events *before, const struct events *after);

#endif
