/* One pass over everything: fetch, read, meet deadlines, send. `galloperd tick` makes one; the daemon makes one after
 * the other. Both may run at once: each part is done by whoever holds its lease. */
#ifndef GALLOPER_SERVICE_PASS_H
#define GALLOPER_SERVICE_PASS_H

#include "mail/reader.h"
#include "service/service.h"

struct passed {
	int fetched, read, resolved, released, reminded, sent;
	const char *busy; /* a sentence on each part that another process was at and that was not done; NULL = none */
	/* Refused or out of reach; the log and the operator know why. Filing: mails that were dealt with stay in the
	 * mailbox. */
	bool mailbox_trouble, filing_trouble, sending_trouble;
};

struct pass {
	const struct service *service;
	struct reader *reader;
	bool clock_doubtful; /* the clock has jumped: no deadline is met until it is trusted again */
};

/* Errors are failures of the ledger or of this machine; what is done stays done, and the next pass goes on from there.
 * Mail still goes out when it cannot come in, and the other way round. Told to stop (service.h), it
 * comes back early. */
struct err *pass_make(const struct pass *p, TALLOC_CTX *mem, struct passed *out) MUST_CHECK;

/* All but sending. */
struct err *pass_read(const struct pass *p, TALLOC_CTX *mem, struct passed *out) MUST_CHECK;

#endif
