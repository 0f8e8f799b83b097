/* Example orders of a player's own pieces, as things stand. */
#ifndef GALLOPER_REPORT_EXAMPLES_H
#define GALLOPER_REPORT_EXAMPLES_H

#include "battle/scenario.h"

/* What is still to be ordered: a whole turn, or in a phased game moves alone, or what comes after them. */
enum sheet_time { SHEET_WHOLE, SHEET_MOVES, SHEET_CHARGES };

/* Whose orders, and who says whether a line would be carried out as it stands (NULL: every line would). */
struct example_wish {
	const struct state *s;
	enum side side;
	const bool *may_order; /* for each piece; NULL = all of the side */
	enum sheet_time time;
	bool (*fits)(void *context, const char *line);
	void *context;
};

/* Up to three lines of orders that fit the moment, each after four blanks: a shot or a move, a charge or a move, a
 * commander's ride. The units nearest to the enemy come first, none that is in melee or routs. "" when there is
 * nothing to order. On `mem`. */
char *examples_text(TALLOC_CTX *mem, const struct example_wish *wish);

/* The player's units that are in melee, by their codes: "C, E and F"; "" for none. *count gets how many. On `mem`. */
char *fighting_text(TALLOC_CTX *mem, const struct state *s, enum side side, const bool *may_order, int *count);

/* Codes and names of the player's own pieces and of the enemy's, for a page that shows how orders are written. */
struct own_names {
	const char *unit, *units, *wing, *commander; /* "R", "D, E and F", "Left wing"; "" where he has none */
	const char *enemy, *other;                   /* two enemies; "" where there are none */
	const char *ahead;                           /* the square a move ahead of the unit; "" where there is none */
};
struct own_names sheet_names(
	TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, enum side side, const bool *may_order);

#endif
