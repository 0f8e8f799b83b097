/* What a player's mail says, as a sheet. For answer.c. */
#ifndef GALLOPER_SERVICE_ANSWER_READ_H
#define GALLOPER_SERVICE_ANSWER_READ_H

#include "mail/message.h"
#include "orders/sheet.h"
#include "service/service.h"
#include "store/games.h"

/* Reads what was typed, and of the sheet that came back what is not as we had printed it: the context gets that part.
 * `sender` is the address that the mail came from. On `mem`. */
struct err *answer_read(const struct service *s, TALLOC_CTX *mem, const struct message *m, const char *sender,
	const struct player *p, struct orders_context *context, struct sheet **out) MUST_CHECK;

#endif
