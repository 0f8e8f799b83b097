/* Orders as text: canonical (reads back to the same) and plain English (for the receipt). */
#ifndef GALLOPER_ORDERS_PRINT_H
#define GALLOPER_ORDERS_PRINT_H

#include "orders/tree.h"

/* A bare number to the left or right beyond this was meant in degrees, and is asked about; with "inches" it is read. */
enum { SIDEWAYS_LIMIT = 24000 };

/* One clause without what follows it: "move 4 north", "fire j, h", "if j within 8 then hold fire, otherwise hold". */
char *clause_canonical(TALLOC_CTX *mem, const struct clause *c, const struct state *s, enum side side);

/* All clauses of one unit's orders: "move 4 north, face west; fire j, h". */
char *clauses_canonical(TALLOC_CTX *mem, const struct clause *first, const struct state *s, enum side side);

/* The clause behind those that stand, or are for this turn alone, as `first` does; NULL when all do. */
const struct clause *orders_run_end(const struct clause *first);

/* Orders as lines of a sheet for `who`: "R: move 4 north, face west; fire j, h"; what stands and what does not in lines
 * of their own, "standing " before the first. "" when there are none. Each line ends with a newline. */
char *orders_lines(
	TALLOC_CTX *mem, const struct unit_orders *orders, const char *who, const struct state *s, enum side side);

/* "move 4 inches north, face west, and fire at Camerons (j), or else Stuarts (h)." */
char *orders_english(TALLOC_CTX *mem, const struct unit_orders *orders, const struct state *s);

/* "Barrell's (R)"; a gun "gun 3". */
char *piece_english(TALLOC_CTX *mem, const struct state *s, int unit);

/* As the sheet must name it so that it is found again: its code, a gun "gun 3", else its id. */
const char *piece_code(TALLOC_CTX *mem, const struct state *s, int unit);

/* As it must be named where pieces of both sides could stand, in a sheet of `side`: "our gun 1", "enemy gun 1", else
 * its code, or its id when another piece has the same code. */
const char *piece_sure(TALLOC_CTX *mem, const struct state *s, int unit, enum side side);

#endif
