/* What an account logs in with: the password of the configuration, or what a command prints: a password, or an OAuth2
 * access token (msmtp's passwordeval, mbsync's PassCmd). The command is asked anew for each log-in, since tokens live
 * for an hour; it may ask the network in its turn, and one that hangs does not hang us. */
#ifndef GALLOPER_MAIL_CREDENTIAL_H
#define GALLOPER_MAIL_CREDENTIAL_H

#include "config/config.h"

enum { CREDENTIAL_SECONDS = 20, CREDENTIAL_MAX = 16 * 1024 };

struct credential {
	bool token;         /* log in by XOAUTH2 */
	const char *secret; /* one line */
};

/* On `mem`. Errors (ERR_ACCOUNT): the command fails, prints nothing, or takes longer than CREDENTIAL_SECONDS; with
 * retry, since most such commands ask a server. No text holds what it printed. */
struct err *credential_get(TALLOC_CTX *mem, const struct server_config *server, struct credential *out) MUST_CHECK;

#endif
