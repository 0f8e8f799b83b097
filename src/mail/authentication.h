/* What the receiving server found out about a mail's sender (Authentication-Results, RFC 8601). Anybody can write such
 * a field, so only those that bear the name of a server we trust are read. */
#ifndef GALLOPER_MAIL_AUTHENTICATION_H
#define GALLOPER_MAIL_AUTHENTICATION_H

#include "base/err.h"

/* "dmarc=fail" or the like when that server says that the sender is not who he says he is; NULL when it does not, or
 * says nothing. `results`: the fields' values, a line each. `server`: its authserv-id; "" = none is trusted. */
const char *authentication_failure(TALLOC_CTX *mem, const char *results, const char *server);

#endif
