/* Text as it may leave the server, in an export or in the referee's digest: whoever reads them can prove
 * nothing with them. */
#ifndef GALLOPER_SERVICE_REDACT_H
#define GALLOPER_SERVICE_REDACT_H

#include "base/buf.h"
#include "service/service.h"

/* What nobody else may learn. */
struct secrets {
	int64_t game;
	const unsigned char *server; /* what reply tokens are signed with */
	const char **keys;           /* the last one NULL */
};

/* The secrets of all people of the game, also those of other games in which they are. On `mem`. */
struct err *secrets_of(const struct service *s, TALLOC_CTX *mem, int64_t game, struct secrets *out) MUST_CHECK;

/* The text with "SECRET" for each of the keys, however it is spelt (key_equal) and broken into lines, for whatever else
 * has the form of a key, and for the rest of a line that begins with KEY; and with "TOKEN" for each word in the form of
 * the game's tokens, and for each genuine one of any game, also where it is the end of a word. */
void redact_text(struct buf *out, const struct secrets *s, const char *text, size_t len);

#endif
