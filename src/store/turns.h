/* Orders in force and turns resolved. History is only ever added to. */
#ifndef GALLOPER_STORE_TURNS_H
#define GALLOPER_STORE_TURNS_H

#include "store/games.h"

struct sheet_row {
	int64_t id, player, mail;
	int turn;
	int number; /* the how-manieth of this player this turn */
	int64_t arrived;
	int unread;        /* how many problems it had when it was read */
	const char *plain; /* ids of the pieces, parted by blanks, when it is plain (orders_plain); NULL or "" if not */
	const char *canonical;    /* lines that read back as the same orders */
	const char *typed;        /* as they were read, for ACCEPT */
	int64_t referee;          /* who entered it for the player; 0 = he himself */
	const char *role, *units; /* the player's; of store_sheets_in_force alone */
	int64_t change;           /* the resolution with which he changed a turn by that; 0 for none. Not read back */
};

struct sheet_rows {
	struct sheet_row *list;
	int count;
};

/* Adds a sheet for the game's current turn; number is filled in. */
struct err *store_add_sheet(struct store *s, TALLOC_CTX *mem, const struct game *g, struct sheet_row *row) MUST_CHECK;
/* The sheets of the current turn in order of arrival; of one player, or of all with player 0. */
struct err *store_sheets(
	struct store *s, TALLOC_CTX *mem, const struct game *g, int64_t player, struct sheet_rows *out) MUST_CHECK;
/* Has the player sent a sheet for the current turn that was not understood in whole? Is he READY for it? */
struct err *store_open_of(
	struct store *s, TALLOC_CTX *mem, const struct game *g, int64_t player, bool *unread, bool *ready) MUST_CHECK;
/* What was not understood of them is asked about no more. */
struct err *store_forget_unread(struct store *s, TALLOC_CTX *mem, const struct game *g, int64_t player) MUST_CHECK;
/* Takes back what a referee entered with that resolution (sheet_row.change); *count is how many sheets. That they were
 * entered stays in the record. */
struct err *store_take_back_sheets(
	struct store *s, TALLOC_CTX *mem, const struct game *g, int turn, int64_t change, int *count) MUST_CHECK;
/* Has a referee entered a sheet for that turn, in any line of play? */
struct err *store_any_entered(struct store *s, TALLOC_CTX *mem, const struct game *g, int turn, bool *out) MUST_CHECK;
/* The sheets that may count in the current turn, of the line of play and of those that it goes back to, in order: all
 * of this turn, and of earlier ones those that are not plain, for they may hold standing orders. Of players of that
 * role ("": of all) who are still there. What says how the mail was read is left out: `number`, `arrived`, `unread` and
 * `typed`. */
struct err *store_sheets_in_force(
	struct store *s, TALLOC_CTX *mem, const struct game *g, const char *role, struct sheet_rows *out) MUST_CHECK;

struct turn_row {
	int64_t id, game;
	int line, turn;
	int resolution; /* 1, and one more each time that it was resolved again with a referee's amendments */
	int64_t resolved;
	const char *why;            /* deadline, all ready, referee; resolved again: the amending command */
	const char *before, *after; /* states, canonical bytes */
	size_t before_len, after_len;
	const char *orders; /* canonical lines, "orders E" and "orders J" before each side's */
	const char *amendments, *events;
	size_t amendments_len, events_len;
	const char *digest; /* of the state after */
};

/* Adds a resolution of a turn, once and for all, and fills in its id; nobody is READY for that turn any more. An error
 * when that resolution is there already. The one of the highest number counts. */
struct err *store_add_turn(struct store *s, TALLOC_CTX *mem, const struct game *g, struct turn_row *t) MUST_CHECK;
/* The resolution that counts; *out is NULL when that turn is not resolved. */
struct err *store_turn(
	struct store *s, TALLOC_CTX *mem, const struct game *g, int turn, struct turn_row **out) MUST_CHECK;
/* Its digest alone, of the state after; NULL when that turn is not resolved. */
struct err *store_turn_digest(
	struct store *s, TALLOC_CTX *mem, const struct game *g, int turn, const char **out) MUST_CHECK;
/* The last resolution that players were told of; NULL when none was (the turn is held, or not resolved). */
struct err *store_turn_told(
	struct store *s, TALLOC_CTX *mem, const struct game *g, int turn, struct turn_row **out) MUST_CHECK;
/* That very resolution; NULL when there is none. */
struct err *store_turn_resolution(struct store *s, TALLOC_CTX *mem, const struct game *g, int turn, int resolution,
	struct turn_row **out) MUST_CHECK;
/* The row of that id, of any game (outgoing.shows); NULL when there is none. */
struct err *store_turn_row(struct store *s, TALLOC_CTX *mem, int64_t id, struct turn_row **out) MUST_CHECK;
/* The positions between the phases of a game's last resolved turn. They only save work: where there are none, the turn
 * is resolved from its start. */
struct phase_row {
	int phase; /* the next one */
	const char *state;
	size_t len;
};
/* Those of the resolution `turn` (an id) in the place of all that come after phase `kept`; what comes before is its own
 * too. */
struct err *store_keep_phases(struct store *s, TALLOC_CTX *mem, int64_t game, int64_t turn, int kept,
	const struct phase_row *rows, int count) MUST_CHECK;
/* The last one of that resolution that is not after `phase`; its state is NULL when there is none. */
struct err *store_phase(
	struct store *s, TALLOC_CTX *mem, int64_t game, int64_t turn, int phase, struct phase_row *out) MUST_CHECK;

/* From now on players have been told of it. */
struct err *store_release_turn(struct store *s, TALLOC_CTX *mem, int64_t id, int64_t now) MUST_CHECK;

#endif
