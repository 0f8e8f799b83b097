/* Everything that is kept of a game, for exports; and forgetting the people of one. */
#ifndef GALLOPER_STORE_ARCHIVE_H
#define GALLOPER_STORE_ARCHIVE_H

#include "store/games.h"

/* A mail of a game, in or out. */
struct archived {
	bool in;
	int64_t id;
	int64_t player;   /* 0 = unknown or none */
	int64_t when;     /* arrived, or written */
	const char *what; /* in: what became of it; out: its kind (report, receipt ...) */
	int turn;         /* out: that it is about; in: that its orders are for, 0 = none */
	const char *state;
	const char *recipient; /* out */
	const char *raw;       /* NULL when it has been forgotten */
	size_t len;
};

/* Calls `each` for every mail of the game in order, first those that came in and then those that went out; it stops at
 * the first error. The mail lives until `each` returns. */
typedef struct err *(*archive_each)(void *context, TALLOC_CTX *mem, const struct archived *mail);
struct err *store_archive(struct store *s, TALLOC_CTX *mem, int64_t game, archive_each each, void *context) MUST_CHECK;

/* What proves mails to be from people of the game, in this game and in all others in which they are: their keys, the
 * last one NULL. */
struct err *store_keys_of_people(struct store *s, TALLOC_CTX *mem, int64_t game, const char ***out) MUST_CHECK;

/* Ended games of which nothing has happened since `before` and whose people are still known. */
struct err *store_games_to_forget(struct store *s, TALLOC_CTX *mem, int64_t before, struct games *out) MUST_CHECK;

/* Drills of the game's players, who are known there under the same addresses. */
struct err *store_drills_of(struct store *s, TALLOC_CTX *mem, int64_t game, struct games *out) MUST_CHECK;

/* Counts as the game's from now on what was written by or to an address of its people without being of any game: mails
 * that proved nothing, and our answers to them. */
struct err *store_adopt_mails(struct store *s, TALLOC_CTX *mem, int64_t game) MUST_CHECK;

/* The names by which mails are known outside: those of the game, or with game 0 those of no game that are older than
 * `before`. */
struct mail_names {
	const char **uids; /* of mails that came in through `account` */
	int uid_count;
	struct sent_name {
		const char *recipient, *message_id;
	} * sent;
	int sent_count;
};
struct err *store_mail_names(struct store *s, TALLOC_CTX *mem, int64_t game, int64_t account, int64_t before,
	struct mail_names *out) MUST_CHECK;

/* Forgets a game's people: names, addresses, keys, what they wrote and were written. Numbers, orders as they were
 * understood, turns and the record of acts stay, so that the battle can still be verified. */
struct err *store_forget_game(struct store *s, TALLOC_CTX *mem, int64_t game, int64_t now) MUST_CHECK;

/* Forgets mails of no game that arrived before then; *count is how many there were. And to whom answers were given, as
 * far as that no longer counts. */
struct err *store_forget_strangers(
	struct store *s, TALLOC_CTX *mem, int64_t now, int64_t before, int *count) MUST_CHECK;

/* When the game's people were forgotten; 0 = they are known. */
struct err *store_forgotten(struct store *s, TALLOC_CTX *mem, int64_t game, int64_t *out) MUST_CHECK;

/* Gives the room of what was forgotten back to the disk, and overwrites it. Not inside a transaction. */
struct err *store_shrink(struct store *s, TALLOC_CTX *mem) MUST_CHECK;

#endif
