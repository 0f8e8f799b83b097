/* A mail's last steps: what must be asked of the database (token, thread, whose it is), the writing itself, which asks
 * nobody and may be done on another thread, and the final bytes in the outbox. */
#ifndef GALLOPER_SERVICE_DRAFT_H
#define GALLOPER_SERVICE_DRAFT_H

#include "service/post.h"
#include "store/outbox.h"

struct draft {
	/* Puts into `values` what is still to be worked out, on `mem`, and may set row.printed; NULL for nothing. */
	void (*work_out)(struct draft *d);
	const void *facts; /* for work_out */

	TALLOC_CTX *mem;
	const struct service *s;
	struct post post;
	const struct template *template;
	struct values values;
	struct outgoing row; /* stands in the outbox already, but for its bytes and `printed` */
	const char *tag;     /* of the subject */
	const char *reply_to, *in_reply_to, *references;
	const char *whose;  /* where several people of a game have one address: who is meant; else NULL */
	struct err *failed; /* NULL = written */
};

/* The row of a mail to that address stands in the outbox after it; *out, on `mem`, is to be written and stored before
 * the transaction ends. `values` (NULL: none) are copied, their texts and what `p` points to are not. A player's mail
 * carries a token that is good for that address alone; who has lost his place through the very mail that is answered
 * gets none. */
struct err *draft_begin(const struct service *s, TALLOC_CTX *mem, const struct post *p, const struct values *values,
	const char *recipient, struct draft **out) MUST_CHECK;

/* Fills in the template and composes: final bytes, or d->failed. Of the service it uses the configuration alone; it may
 * be called on any thread. */
void draft_write(struct draft *d);

/* The written mail's bytes into the outbox; or what hindered its writing. */
struct err *draft_store(struct draft *d, TALLOC_CTX *mem) MUST_CHECK;

#endif
