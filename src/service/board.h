/* A game as it lies on the table: its scenario and rule set read from the texts that it keeps, the state now, its dice,
 * and the orders that are in force. */
#ifndef GALLOPER_SERVICE_BOARD_H
#define GALLOPER_SERVICE_BOARD_H

#include "orders/merge.h"
#include "orders/sheet.h"
#include "rules/ruleset.h"
#include "service/options.h"
#include "service/service.h"
#include "store/turns.h"

struct chronicle;
struct names;
struct turning;

struct board {
	struct game *game;
	struct scenario *sc;
	const struct ruleset *rules;
	struct parameters *options; /* by enum game_option */
	struct names *names;        /* of the pieces, for reading orders */
	const struct state *state;  /* at the start of the current turn or part of it, or at the end of the battle */
	struct dice dice;
	int64_t part_began; /* pace phased: when the part before the open one was resolved; 0 in a turn's first part */
	struct board_memo *memo;
};

/* What is needed more than once for a receipt: the orders in force that were last asked for, and more. */
struct board_memo {
	int only, turn;
	int64_t changes;        /* store_changes then: with each change they are read again */
	struct orderbook *book; /* NULL = none yet */
	struct merge_notes notes;
	int64_t kept; /* the row of the sheet that board_keeps was told of; 0 = none */
	const struct sheet *kept_sheet;
	struct turning *turning;     /* service/turning.h; NULL = not yet asked for */
	struct chronicle *chronicle; /* report_chronicle; NULL = not read yet */
};

/* The turn that was resolved last, in whole or (pace phased) in part; 0 before the first. */
int last_turn(const struct game *g);

/* Reads the game's texts and its last state. The game is kept, not copied. */
struct err *board_load(const struct service *s, TALLOC_CTX *mem, struct game *game, struct board **out) MUST_CHECK;

/* The board with the rules as they were in that turn of that line of play, since a referee may have made house rules.
 * Its state is b's. */
struct err *board_as_of(const struct service *s, TALLOC_CTX *mem, const struct board *b, int turn, int line,
	struct board *out) MUST_CHECK;

/* Which side a player's orders are for; -1 for observers and referees. */
int player_side(const struct player *p);

/* For each piece, whether this player may order it: his side's, or his own units and commanders. On `mem`. */
bool *player_may_order(TALLOC_CTX *mem, const struct board *b, const struct player *p);

/* What the order language needs to know to read this player's sheet. Points into board and player. */
struct orders_context board_context(TALLOC_CTX *mem, const struct board *b, const struct player *p);

/* As far as it must be known for reading a sheet of store_sheets_in_force again. Points into the row. */
struct player sheet_sender(const struct sheet_row *row);

/* What is kept with a sheet as sheet_row.plain. On `mem`. */
char *board_plain_pieces(TALLOC_CTX *mem, const struct board *b, const struct sheet *sheet);

/* The sheet has just been kept, as that row: board_orders need not read its text again. The board points to it from now
 * on. */
void board_keeps(const struct board *b, const struct sheet_row *row, const struct sheet *sheet);

/* The orders in force for the current turn, of both sides or (with `only` >= 0) of one: all sheets of this line of play
 * merged in order of arrival. `notes` may be NULL. Both are the board's. */
struct err *board_orders(const struct service *s, TALLOC_CTX *mem, const struct board *b, int only,
	struct merge_notes *notes, const struct orderbook **out) MUST_CHECK;

/* A side's orders as canonical lines, one a unit that has some. */
char *board_orders_text(TALLOC_CTX *mem, const struct board *b, const struct orderbook *book, enum side side);

#endif
