/* Resolving a game's turn: orders in force, phases, and what is kept of it. */
#ifndef GALLOPER_SERVICE_ADJUDICATE_H
#define GALLOPER_SERVICE_ADJUDICATE_H

#include "service/part.h"

/* A turn as it was resolved. */
struct adjudication {
	struct board *board;   /* as it was at the turn's start; its game is now at the next turn, or part of it */
	struct events *events; /* of the turn so far */
	int told;              /* how many of them are of parts that were resolved before (pace phased) */
	struct state *after;
	struct part_positions way; /* between its phases */
	int64_t row;               /* as it is stored (turns.h) */
};

/* Resolves the game's current turn, or under `pace phased` the open part of it (part.h), inside the caller's
 * transaction: stores it and moves the game on (next turn or part and deadline, or ended; or held for the referee's
 * review, who ends the battle by releasing its last turn). `why` is kept: "deadline", "all ready",
 * "referee", "command line", "drill". Mails are the caller's business. */
struct err *adjudicate(const struct service *s, TALLOC_CTX *mem, struct game *game, const char *why,
	struct adjudication **out) MUST_CHECK;

/* What the open turn, or the open part of it, would come to with the orders that are in force now and the real dice, as
 * if it were resolved; its `row` is 0. Nothing is stored, and the game stays where it is. */
struct err *adjudicate_preview(
	const struct service *s, TALLOC_CTX *mem, struct game *game, struct adjudication **out) MUST_CHECK;

/* How a referee ends a battle: at a side's wish or of his own accord. */
struct verdict {
	enum winner winner;  /* WINNER_OPEN: the points as they stand decide */
	int conceded;        /* the side that conceded, or -1 */
	const char *because; /* printed as the referee's ruling; "" for none */
};

/* Ends the battle before the game's current turn is played, inside the caller's transaction. It is kept as a turn in
 * which nothing happens but the verdict, so that a replay ends as it did. */
struct err *adjudicate_verdict(const struct service *s, TALLOC_CTX *mem, struct game *game,
	const struct verdict *verdict, struct adjudication **out) MUST_CHECK;

/* Resolves a stored turn again from what was stored of it. The digest of the state after is in `after`. */
struct err *adjudicate_again(TALLOC_CTX *mem, const struct board *b, const struct turn_row *row, struct state **after,
	struct events **events) MUST_CHECK;

/* Every turn leaves a class that meets once a week its lesson: where one is resolved early (all are READY, or at the
 * referee's word), the next ends at the first weekly slot that is at least this far off. */
enum { TURN_LEAST = 6 * 24 * 3600 };

/* When the game's next turn is due if one is resolved now: at the slot after its deadline, which keeps the weekly
 * rhythm even where a deadline was put off; but where that is still far away, at the first slot that leaves TURN_LEAST.
 */
int64_t next_deadline(const struct game *g, int64_t now);

#endif
