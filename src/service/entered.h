/* Orders that a referee enters for a side before a turn is resolved. They count as if the player had sent them, and are
 * told as the referee's wherever orders and turns are told. */
#ifndef GALLOPER_SERVICE_ENTERED_H
#define GALLOPER_SERVICE_ENTERED_H

#include "service/board.h"

/* The pieces of that side (-1: of both) whose last sheet for turn `turn` of the board's line of play a referee has
 * entered: "Barrell's (R) and Huske (Hu)"; "" for none. With `moves` only those that it bade move or shoot, since the
 * charges are still to come. On `mem`. */
struct err *entered_text(const struct service *s, TALLOC_CTX *mem, const struct board *b, int turn, int side,
	bool moves, const char **out) MUST_CHECK;

/* What a referee enters: orders as the player would write them. */
struct entry {
	const struct player *referee;
	enum side side;
	const char *text;
	const char *command; /* the referee's, as typed, for who is told; NULL: he is told of it anyway */
	const char *because; /* "" for no reason */
	int turn;            /* the open one, or the last, for what of it lies ahead; see part_to_come */
	int64_t change;      /* the resolution that it changed a turn with, for UNDO; 0 for none */
	int64_t arrived;     /* when they came; what a player sends later replaces them */
};

/* Keeps them for that turn with the players who command the units, and tells these. *why is a sentence for the
 * referee when nothing was done, else NULL; *did is then who has got what, in sentences. Inside a transaction. */
struct err *enter_orders(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct entry *entry,
	const char **why, const char **did) MUST_CHECK;

#endif
