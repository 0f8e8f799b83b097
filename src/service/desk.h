/* What the commands at the referee's desk print. */
#ifndef GALLOPER_SERVICE_DESK_H
#define GALLOPER_SERVICE_DESK_H

#include "service/board.h"

/* The game of that name, ERR_GAME when there is none. */
struct err *desk_game(const struct service *s, TALLOC_CTX *mem, const char *name, struct game **out) MUST_CHECK;

/* Title, map, legend and roster as they are now; on `mem`. */
char *desk_map(TALLOC_CTX *mem, const struct board *b);

/* Both sides' orders in force, canonical; on `mem`. */
struct err *desk_orders(const struct service *s, TALLOC_CTX *mem, const struct board *b, char **out) MUST_CHECK;
/* The orders of both sides with which a turn was resolved; an error of the game's for a turn that was not. */
struct err *desk_ordered(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, int turn, char **out) MUST_CHECK;

/* Resolves the game's turn now and queues the reports, in one transaction. `turn` > 0: only if it is that turn. */
struct err *desk_resolve(const struct service *s, TALLOC_CTX *mem, struct game *g, int turn) MUST_CHECK;

/* What a referee's words came to. */
struct desk_answer {
	const char *text; /* what a mail with these words would have been answered, without the order sheets */
	bool refused;     /* something was not understood, or not done; the rest was */
};

/* Does what the game's referee would have done by a mail with `text` in it: the same results, the same record, the same
 * mails to all others. In one transaction. */
struct err *desk_referee(
	const struct service *s, TALLOC_CTX *mem, struct game *g, const char *text, struct desk_answer *out) MUST_CHECK;

#endif
