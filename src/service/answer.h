/* What one mail means and what is answered: who writes, orders, commands (DESIGN, Who is writing). */
#ifndef GALLOPER_SERVICE_ANSWER_H
#define GALLOPER_SERVICE_ANSWER_H

#include "mail/message.h"
#include "service/service.h"
#include "store/mailbox.h"

struct draft;

/* Acts on a mail that has been read, inside the caller's transaction: stores orders, queues the answer, and fills in
 * what the ledger is to say of it. Errors are failures of the world only; whatever a sender did wrong is answered. */
struct answer {
	const char *state;     /* done, ignored or rejected */
	const char *folder;    /* "Processed" or "Rejected" */
	int64_t game, player;  /* 0 = unknown */
	const char *why;       /* for the ledger: no names, no addresses */
	bool orders_only;      /* it can have changed no deadline, and made no game ready to be resolved */
	struct draft *receipt; /* still to be written and stored (draft.h), or NULL */
};
struct err *answer_mail(const struct service *s, TALLOC_CTX *mem, const struct incoming *in, const struct message *m,
	struct answer *out) MUST_CHECK;

#endif
