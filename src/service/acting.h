/* Acting on what waits in the ledger: mails, and the deadlines that they came too late for. */
#ifndef GALLOPER_SERVICE_ACTING_H
#define GALLOPER_SERVICE_ACTING_H

#include "service/pass.h"
#include "service/schedule.h"

/* Reads the mails that have waited longest and does what they say, some of them in one group (store.h), for their
 * changes fall on the same pages of the database, which are so written once; while the reader is slow over one, and
 * every now and then, others may have the database. Their receipts are written on a thread of their own, and stand in
 * the outbox whole before the group ends. When something in the group fails, each mail goes, or fails, by itself. *more
 * is false when none is left that may be read. `lease` is what this is done under. */
struct err *acting_group(
	const struct pass *p, TALLOC_CTX *mem, const char *lease, bool *more, struct passed *out) MUST_CHECK;

/* Meets the deadlines up to `before`, as far as the mailbox is known up to them. */
struct err *acting_deadlines(const struct pass *p, TALLOC_CTX *mem, const char *lease, int64_t before,
	struct deadlines *met, struct passed *out) MUST_CHECK;

#endif
