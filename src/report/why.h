/* One event explained: its dice, its numbers, and the rulings by which it was decided, in words. */
#ifndef GALLOPER_REPORT_WHY_H
#define GALLOPER_REPORT_WHY_H

#include "report/chronicle.h"

/* The event's sentence and all behind it, as lines of at most LETTER_COLUMNS (template.h). `rulebook` is the text of
 * doc/rulebook.md. On `mem`. */
char *why_event(TALLOC_CTX *mem, const struct chronicle *c, const struct scenario *sc, const struct state *s,
	const struct event *ev, const char *rulebook);

/* A ruling as the rulebook has it, without its marks: "Wet powder. Where it rains ..."; NULL when it is not there. On
 * `mem`. */
char *rulebook_entry(TALLOC_CTX *mem, const char *rulebook, const char *ruling);

/* "die T3.shoot.B.shoot.1 to .6: 6 6 2 1 3 5", a line for each stream of the event's dice, indented by `indent`; "" for
 * none. On `mem`. */
char *dice_names_text(TALLOC_CTX *mem, const struct event *ev, int indent);

#endif
