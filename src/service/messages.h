/* Messages between players. They go through the server, are held for the referee unless the game says otherwise, and
 * show nobody's address. */
#ifndef GALLOPER_SERVICE_MESSAGES_H
#define GALLOPER_SERVICE_MESSAGES_H

#include "base/buf.h"
#include "service/board.h"
#include "store/messages.h"

enum { MESSAGE_LETTERS_MAX = 1000, MESSAGES_A_DAY_MAX = 20 };

/* Whom the words after SAY TO mean, as message_row.audience; NULL when nobody. `from` says what "my side" is. */
struct err *message_audience(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *from,
	const char *words, const char **out) MUST_CHECK;

/* The audience in words: "the Jacobites", "everybody", "Ann Smith (English)"; on `mem`. */
struct err *message_audience_text(const struct service *s, TALLOC_CTX *mem, const struct board *b, const char *audience,
	const char **out) MUST_CHECK;

/* Does it stay on the writer's own side? */
struct err *message_own_side(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *from,
	const char *audience, bool *out) MUST_CHECK;

/* The body as it is printed: wrapped, each line behind a bar, so that nothing in it can pass for ours. */
const char *message_body(TALLOC_CTX *mem, const char *body);

/* Has somebody else taken the writer's place since? `now` is who has his number now, or NULL. */
bool message_of_another(const struct message_row *m, const struct player *now);

/* For the referee: number, writer, audience, time, body. */
struct err *message_text(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct message_row *m,
	struct buf *out) MUST_CHECK;

/* Mails it to everybody whom it is for, save its writer; *reached is how many. */
struct err *message_deliver(const struct service *s, TALLOC_CTX *mem, const struct board *b,
	const struct message_row *m, int *reached) MUST_CHECK;

#endif
