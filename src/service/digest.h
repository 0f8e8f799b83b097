/* The referee's own digest: what he should know and nobody else tells him at once. At most one a day and game. */
#ifndef GALLOPER_SERVICE_DIGEST_H
#define GALLOPER_SERVICE_DIGEST_H

#include "service/board.h"
#include "store/news.h"

/* Adds a line to the game's next digest; with "" there is only cause to write one, for what is looked up then: who has
 * sent nothing yet, messages that wait, addresses that fail. Lines may name people. */
struct err *digest_note(const struct service *s, TALLOC_CTX *mem, int64_t game, const char *text) MUST_CHECK;

/* Warns the referee of a player's mail that proved itself, but whose sender the trusted server doubts by these
 * Authentication-Results. */
struct err *digest_doubt(
	const struct service *s, TALLOC_CTX *mem, const struct player *p, const char *results) MUST_CHECK;

/* A mail from somebody nobody knows, or without proof: told to the referees of the game that it names, after GAME
 * (`named`, NULL if there is none) or in the tag of its subject. */
struct err *digest_stranger(const struct service *s, TALLOC_CTX *mem, const char *sender, const char *subject,
	const char *named) MUST_CHECK;

/* The part on messages that wait for APPROVE or REJECT, added to `out`: nothing if none does. */
struct err *digest_waiting(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, struct buf *out, int *count) MUST_CHECK;

/* Writes the digests that are due, each game in a transaction of its own while `lease` is ours. */
struct err *digest_send(const struct service *s, TALLOC_CTX *mem, const char *lease) MUST_CHECK;

#endif
