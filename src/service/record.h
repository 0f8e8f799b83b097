/* The record of a game: every act of a referee and every mail of a player, with author, reason, and the digest of the
 * state before and after. For `galloper log`, exports, and whoever asks later what was done. */
#ifndef GALLOPER_SERVICE_RECORD_H
#define GALLOPER_SERVICE_RECORD_H

#include "base/buf.h"
#include "service/board.h"

/* The digest of the state at the start of the game's current turn, as it is stored now; on `mem`. */
struct err *record_digest(const struct service *s, TALLOC_CTX *mem, const struct game *g, const char **out) MUST_CHECK;

/* "player 3" or "referee 2"; on `mem`. */
const char *record_actor(TALLOC_CTX *mem, const struct player *p);

/* Adds an act that was made just now, with the digests from before it and after it (NULL: looked up now). Texts must
 * hold no name and no address of a person. */
struct err *record_act(const struct service *s, TALLOC_CTX *mem, const struct game *g, const char *actor,
	const char *what, const char *reason, const char *before, const char *after) MUST_CHECK;

/* The whole record, a line an act for people; or one JSON array of objects {number, time, actor, what, reason, before,
 * after}. */
struct err *record_print(
	const struct service *s, TALLOC_CTX *mem, const struct game *g, bool json, struct buf *out) MUST_CHECK;

#endif
