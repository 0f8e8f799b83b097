#include "service/account.h"

#include "base/buf.h"

#include <string.h>

/* A folder below the configuration's is named as from there: the game may be moved, and -c be given in another way. */
static const char *maildir_name(const struct config *c)
{
	const char *slash = strrchr(c->path, '/');
	size_t len = slash == NULL ? 1 : (size_t)(slash - c->path);

	if (strncmp(c->maildir_in, slash == NULL ? "." : c->path, len) == 0 && c->maildir_in[len] == '/')
		return c->maildir_in + len + 1;
	return c->maildir_in;
}

struct err *account_load(const struct service *s, TALLOC_CTX *mem, struct account **out)
{
	const struct config *c = s->config;
	char *name = c->incoming == TRANSPORT_MAILDIR
			     ? buf_text(mem, "maildir %s", maildir_name(c))
			     : buf_text(mem, "imap %s@%s/%s", c->imap.user, c->imap.host, c->mailbox);

	return store_account(s->store, mem, name, clock_now(&s->clock), out);
}
