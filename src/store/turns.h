/* Orders in force and turns resolved. History is only ever added to. */
#ifndef GALLOPER_STORE_TURNS_H
#define GALLOPER_STORE_TURNS_H

#include "store/games.h"

struct sheet_row {
	int64_t id, player, mail;
	int turn;
	int number; /* the how-manieth of this player this turn */
	int64_t arrived;
	const char *canonical; /* lines that read back as the same orders */
	const char *typed;     /* as they were read, for ACCEPT */
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
/* All sheets of the line of play up to the current turn, in order: standing orders are made in earlier turns. */
struct err *store_sheets_ever(
	struct store *s, TALLOC_CTX *mem, const struct game *g, struct sheet_rows *out) MUST_CHECK;

struct turn_row {
	int line, turn;
	int64_t resolved;
	const char *why;            /* deadline, all ready, referee */
	const char *before, *after; /* states, canonical bytes */
	size_t before_len, after_len;
	const char *orders; /* canonical lines, "orders E" and "orders J" before each side's */
	const char *amendments, *events;
	size_t amendments_len, events_len;
	const char *digest; /* of the state after */
};

/* Adds a resolved turn, once and for all; nobody is READY for it any more. An error when it is there already. */
struct err *store_add_turn(struct store *s, TALLOC_CTX *mem, const struct game *g, const struct turn_row *t) MUST_CHECK;
/* *out is NULL when that turn is not resolved. */
struct err *store_turn(
	struct store *s, TALLOC_CTX *mem, const struct game *g, int turn, struct turn_row **out) MUST_CHECK;

#endif
