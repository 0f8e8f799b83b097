/* A turn and a battle in few words: the result in three lines. */
#ifndef GALLOPER_REPORT_RESULT_H
#define GALLOPER_REPORT_RESULT_H

#include "battle/event.h"
#include "battle/scenario.h"

/* Everywhere `own` is the reader's side, told first; -1: Government first. Texts are lines that end in '\n', on `mem`.
 */

/* The result in three lines: what each side lost this turn; how strong they are and how far from breaking; the verdict,
 * or the melees that go on and the commanders who fell. `before` and `after` are the turn's states. Not wrapped. */
char *result_text(TALLOC_CTX *mem, const struct scenario *sc, const struct state *before, const struct state *after,
	const struct events *events, int own);

/* "The English have 97 of 102 bases left and break if they lose 46 more; the Jacobites have ...": the second of the
 * three lines, without a line's end. */
char *result_strengths(TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, int own);

/* The result for a subject line: "Turn 3: you lost 4 bases, they lost 7"; `own` -1 names both sides; at the end who has
 * won. No line's end. */
char *result_headline(
	TALLOC_CTX *mem, const struct scenario *sc, const struct state *before, const struct state *after, int own);

/* A "turn" in which only the battle ended: the referee, or a side that conceded, did so before it began. */
bool result_unfought(const struct events *events);

/* Who has won and why: "The Jacobites have won: the English army broke." "" while the battle goes on. */
char *verdict_text(TALLOC_CTX *mem, const struct scenario *sc, const struct state *after, const struct events *events);

/* Foot and horse bases of a side now and at the start, and at how many lost it breaks (0 = it does not). */
struct strength {
	int bases, begun, breaks_at;
};
struct strength army_strength(const struct scenario *sc, const struct state *s, enum side side);

#endif
