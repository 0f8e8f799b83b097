/* What players say to each other, and what became of it. Nothing is sent from here: a message is a row that is held,
 * sent or rejected; the mails are the service's. */
#ifndef GALLOPER_STORE_MESSAGES_H
#define GALLOPER_STORE_MESSAGES_H

#include "store/games.h"

struct message_row {
	int64_t id, game;
	int number; /* within the game: what the referee writes after APPROVE */
	int64_t player;
	int64_t made;
	const char *audience; /* "E", "J", "all", "referee", "player 5", "wing E LEFT" */
	const char *body;
	const char *state;  /* held, sent, rejected */
	const char *reason; /* of a rejection, or "" */
};

struct message_rows {
	struct message_row *list;
	int count;
};

/* Adds one; id and number are filled in. */
struct err *store_add_message(struct store *s, TALLOC_CTX *mem, struct message_row *m) MUST_CHECK;
/* *out is NULL when the game has none of that number. */
struct err *store_message(
	struct store *s, TALLOC_CTX *mem, int64_t game, int number, struct message_row **out) MUST_CHECK;
/* Those that are held, or all; in order. */
struct err *store_messages(
	struct store *s, TALLOC_CTX *mem, int64_t game, bool held, struct message_rows *out) MUST_CHECK;
/* How many a player has sent after `since` and by `now`. */
struct err *store_messages_since(struct store *s, TALLOC_CTX *mem, int64_t game, int64_t player, int64_t since,
	int64_t now, int *out) MUST_CHECK;
/* A held one is sent or rejected; *first is false when that was done before. */
struct err *store_decide_message(struct store *s, TALLOC_CTX *mem, const struct message_row *m, const char *state,
	int64_t now, const char *reason, bool *first) MUST_CHECK;

#endif
