/* The pace of a game (FP1). Under `pace turn` a turn has one part. Under `pace phased` it rests where the rule set says
 * so (struct phase, rest), and each part has a deadline, orders and a report of its own: one side's move and shooting,
 * then the other's, then the charges and melees of both. What is stored of a turn that has been played in part is the
 * turn so far, as one resolution more (store/turns.h) with each part: all events from its start, and the orders of each
 * part, one block after the other. */
#ifndef GALLOPER_SERVICE_PART_H
#define GALLOPER_SERVICE_PART_H

#include "report/examples.h"
#include "service/board.h"

/* How many parts a turn has: 1 under `pace turn`. */
int part_count(const struct board *b);
/* The phase before which the turn rests next; 0 when it goes on to its end. */
int part_end(const struct board *b);
/* Has that side something to order in the part that is open now? */
bool part_is_of(const struct board *b, enum side side);

/* Has that side still to move in this turn? */
bool part_moves(const struct board *b, enum side side);
/* What of its turn that side can order in the part that is open now. */
enum sheet_time part_time(const struct board *b, enum side side);

/* What the part is that begins with that state: "the English move and shooting"; NULL under `pace turn`. On `mem`. */
const char *part_title(TALLOC_CTX *mem, const struct board *b, const struct state *s);
/* Where the game is: "turn 3", or "turn 3, part 2 of 3: the Jacobite move and shooting". */
char *part_turn_text(TALLOC_CTX *mem, const struct board *b);
/* And when that ends, in sentences: "Turn 3 ends Fri ...". */
char *part_ends_text(TALLOC_CTX *mem, const struct board *b);
/* How far a turn has been played, for headings: "3", or "3, PART 1". */
char *part_played_text(TALLOC_CTX *mem, const struct board *b, const struct state *after, int turn);
/* What was resolved last: "Turn 3", or "Turn 3, part 2". */
char *part_resolved_text(TALLOC_CTX *mem, const struct game *g);
/* What of a side's orders counts in the open part, in sentences; "" under `pace turn`. */
const char *part_advice(TALLOC_CTX *mem, const struct board *b, enum side side);

/* A note, in a sentence or two, on orders of the mail that come too late in this turn; "" for none. On `mem`. */
const char *part_late_text(TALLOC_CTX *mem, const struct board *b, enum side side, const struct sheet *sheet);

/* Both sides' orders for one part, as they are stored. */
char *part_orders(TALLOC_CTX *mem, const struct board *b, const struct orderbook *book);

/* A turn's stored orders with one more mail for one side, which may also take orders back: what it says of moving and
 * shooting goes to the part in which that side did so, what it says of charges and melees to theirs. What was read of
 * it is in *out. `before` is the state at the turn's start. All on `mem`. */
struct part_share {
	struct sheet *sheet; /* all of the mail */
	int count;           /* how many of its orders came into a part that has been played */
	bool *played;        /* the pieces of these */
};
char *part_orders_with(TALLOC_CTX *mem, const struct board *b, const struct state *before, const char *orders,
	enum side side, const char *text, struct part_share *out);

/* What a mail about the game's last turn, or about the one that is open, says that still lies ahead: for parts of that
 * turn which are to come, and standing orders. In canonical lines, "" for nothing; on `mem`. */
char *part_to_come(TALLOC_CTX *mem, const struct board *b, enum side side, const char *text);

/* A turn's stored orders for people: under each side, and part of the turn, lines as "A, B, C: advance 6"; `only` that
 * side, or -1. On `mem`. */
char *part_ordered_text(TALLOC_CTX *mem, const struct board *b, const char *orders, int only);

/* Marks the pieces whose orders in the mail were for moving and shooting. */
void part_mark_moves(const struct sheet *sheet, bool *units);

/* The orders of each part as read from what is stored. They are never taken from anywhere else, so that a replay cannot
 * differ. */
enum { PARTS_MAX = 8 };
struct part_books {
	struct orderbook *list[PARTS_MAX];
	int count;
};
struct part_books *part_read(TALLOC_CTX *mem, const struct board *b, const struct state *start, const char *orders);

/* Positions on the way through a turn, each before its next phase. */
struct part_positions {
	struct state **list;
	int count;
};

/* Plays a turn from its start, or from a position on the way, down to `phase` (0: to its end). The positions on its way
 * are added to `way`, unless that is NULL. */
struct state *part_play(TALLOC_CTX *mem, const struct board *b, const struct state *start, int phase,
	const struct part_books *books, struct amendments *amendments, struct events *events,
	struct part_positions *way);

/* Keeps these as those of a turn's resolution (an id) behind those up to phase `kept`, which stay. */
struct err *part_keep_way(const struct service *s, TALLOC_CTX *mem, const struct board *b, int64_t turn, int kept,
	const struct part_positions *way) MUST_CHECK;

#endif
