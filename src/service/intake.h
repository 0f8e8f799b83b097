/* Mail coming in: fetched from the mailbox into the ledger, and read from there. What is in the ledger is safe; the
 * mailbox is only where it came from. */
#ifndef GALLOPER_SERVICE_INTAKE_H
#define GALLOPER_SERVICE_INTAKE_H

#include "mail/reader.h"
#include "mail/source.h"
#include "service/answer.h"

enum {
	INTAKE_TRIES = 3,             /* of reading a mail, before it is rejected */
	INTAKE_GHOST_SECONDS = 86400, /* a mail that a server names but never delivers is waited for so long */
};

struct fetched {
	int listed, added, missed;
	bool complete;             /* everything that lay in the mailbox when the poll began is in the ledger */
	const struct err *trouble; /* what the mailbox said; NULL when all went well. On fetch's `mem` */
	const char *lacks;         /* without trouble, and yet not all that there is: why; else NULL */
	int64_t since;             /* then: since when; 0 = a mail was given up */
	struct source *mailbox;    /* without trouble: open, for intake_filing, as long as the settings live */
};

/* How a mailbox is polled. */
struct intake {
	const struct source_kind *kind;
	const struct source_settings *settings;
	struct reader *reader; /* makes itself ready when there are mails */
	const char *lease;     /* renewed on the way */
	/* Called when some mails have been added and more are on their way: what it does costs no time. May be NULL. */
	void (*meanwhile)(void *context, TALLOC_CTX *mem);
	void *context;
};

/* One poll: adds every mail that the ledger does not know, in the order in which they arrived. The mailbox's troubles
 * are in out->trouble, and are recorded; errors are those of the ledger. Mails added before a failure stay added. */
struct err *intake_fetch(
	const struct service *s, TALLOC_CTX *mem, const struct intake *how, struct fetched *out) MUST_CHECK;

struct filing;

/* What moves mails that are done with into their folders of the mailbox, which is its own from now on. On `mem`;
 * talloc_free waits for what is under way, and closes the mailbox. */
struct filing *intake_filing(const struct service *s, TALLOC_CTX *mem, struct source *mailbox, const char *lease);

/* Notes what has been moved since it was last called, and sends off what there is to move now, many at a time; with
 * `all`, until everything is moved; nothing while the lease is another's. *moved counts them. What cannot be moved, for
 * trouble with the mailbox, is tried again after the next poll: *trouble, on `mem`, else NULL. Errors are those of the
 * ledger. */
struct err *intake_file(struct filing *f, TALLOC_CTX *mem, bool all, int *moved, const struct err **trouble) MUST_CHECK;

/* Reads a mail that waits (and begins to read some of the `more` behind it in its list) and does what it says, in one
 * transaction; *out says what became of it, with its `state` NULL when this try failed and the mail waits on. A mail
 * that cannot be read in three tries is rejected and the operator told. Nothing is done when the lease of that name
 * (NULL: the caller has made sure of it) is no longer ours: *lost. With `unwritten`, and within a group (store.h),
 * out->receipt may be left to be written and stored before that ends. Errors are failures of the world; the mail is
 * then as it was. */
struct err *intake_read(const struct service *s, TALLOC_CTX *mem, struct reader *reader, const struct incoming *in,
	int more, const char *lease, bool unwritten, struct answer *out, bool *lost) MUST_CHECK;

/* BLAKE2b of what the author sent: the mail without the fields that servers put on it on the way, lines ending in LF.
 * So a mail that comes a second time is known again. */
void intake_digest(const char *raw, size_t len, unsigned char digest[32]);

#endif
