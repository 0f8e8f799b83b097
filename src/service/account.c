#include "service/account.h"

struct err *account_load(const struct service *s, TALLOC_CTX *mem, struct account **out)
{
	const struct config *c = s->config;
	char *name = c->incoming == TRANSPORT_MAILDIR
			     ? talloc_asprintf(mem, "maildir %s", c->maildir_in)
			     : talloc_asprintf(mem, "imap %s@%s/%s", c->imap.user, c->imap.host, c->mailbox);

	return store_account(s->store, mem, name, clock_now(&s->clock), out);
}
