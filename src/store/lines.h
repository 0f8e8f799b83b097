/* Lines of play. A rollback to turn n begins a new line, which shares the turns before n with the line that was left;
 * nothing of that one is lost. A game that was never rolled back has line 1 and no rows. */
#ifndef GALLOPER_STORE_LINES_H
#define GALLOPER_STORE_LINES_H

#include "store/games.h"

struct line_row {
	int line;
	int parent; /* the line that was left for it; 0 for line 1 */
	int start;  /* its first turn of its own */
	int64_t made;
	/* The open turn, how many of its parts were resolved, its deadline, and whether the turn before it was held,
	 * when it was last left. */
	int turn, part;
	int64_t deadline, release_at;
	bool held;
};

struct line_rows {
	struct line_row *list;
	int count;
};

/* All lines of the game in order. */
struct err *store_lines(struct store *s, TALLOC_CTX *mem, int64_t game, struct line_rows *out) MUST_CHECK;

/* Notes where the game's line of play is being left. */
struct err *store_leave_line(struct store *s, TALLOC_CTX *mem, const struct game *g) MUST_CHECK;

/* Begins a line that starts with turn `start` and leaves the game's own (which must have been noted with
 * store_leave_line). Its number goes into *out; the game is the caller's to change and write back. */
struct err *store_begin_line(
	struct store *s, TALLOC_CTX *mem, const struct game *g, int start, int64_t now, int *out) MUST_CHECK;

/* Which line holds that turn, seen from the game's line: itself, or one that it goes back to. */
struct err *store_line_of_turn(struct store *s, TALLOC_CTX *mem, const struct game *g, int turn, int *out) MUST_CHECK;

#endif
