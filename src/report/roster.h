/* The pieces in words, for those who cannot see a map. */
#ifndef GALLOPER_REPORT_ROSTER_H
#define GALLOPER_REPORT_ROSTER_H

#include "battle/scenario.h"

/* A line a piece (a second where it is long), at most 72 columns, one side's under its name: square of its front,
 * facing, bases, whom it fights or the nearest enemy within 24"; below them which are horse, and what is lost. `side`
 * -1: both. On `mem`. */
char *roster_text(TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, int side);

/* Both sides, the reader's own first (-1: the Government) and with its wings, a line each; -1: those of both. */
char *roster_both(TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, int own);

/* Several pieces of one side in a sentence: "Wolfe's (D), Cholmondeley's (E) and Royals (G)"; more than four are told
 * by their codes, "7 units (A, B, C, D, E, F and G)", a wing of more than four as "The whole left wing (...)", the
 * whole side, but for commanders, as "All 17 units". On `mem`. */
char *pieces_text(TALLOC_CTX *mem, const struct state *s, const int *list, int count);

#endif
