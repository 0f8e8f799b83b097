/* What the debrief counts up when a battle is over. */
#ifndef GALLOPER_REPORT_DEBRIEF_H
#define GALLOPER_REPORT_DEBRIEF_H

#include "base/buf.h"
#include "battle/event.h"
#include "battle/scenario.h"

/* Everywhere `own` is the reader's side, told first; -1: Government first. Texts are lines that end in '\n', at most 72
 * columns, on `mem`. */

/* Both sides' points as a sum, how many of what and what each counts: "12 x  2 =   24"; "" when none were counted.
 * Narrow, for a phone. */
char *points_text(TALLOC_CTX *mem, const struct scenario *sc, const struct events *events, int own);

/* Who holds each third of the field beyond its middle, with a word on what that means; "" when it was not judged. */
char *ground_text(TALLOC_CTX *mem, const struct scenario *sc, const struct events *events);

/* For each wing, and for each army: bases lost of those it began with, and the units that are gone. */
char *wings_text(TALLOC_CTX *mem, const struct scenario *sc, const struct state *end, int own);

/* The battle turn by turn: a heading, then for each turn a line with the bases that each side lost in it; added to
 * `out`. */
void course_head(struct buf *out, const struct scenario *sc, int own);
void course_add(struct buf *out, const struct state *before, const struct state *after, int own);

/* When a piece was lost, and with which unit a commander was; turn 0 if it was not lost, `with` -1 for none. */
struct fate {
	int turn, with;
};

/* Notes in `fates` (one for each piece) what was lost in a turn from one state to the other. */
void fates_add(struct fate *fates, const struct state *before, const struct state *after);

/* For each commander: how he fell, or with whom he is. */
char *commanders_text(
	TALLOC_CTX *mem, const struct scenario *sc, const struct state *end, const struct fate *fates, int own);

#endif
