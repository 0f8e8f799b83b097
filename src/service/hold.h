/* Leaving a server alone that refuses our account or is away: one that is asked again and again locks accounts. A hold
 * is stored, so that daemon and cron keep to it alike, and ends at once when the settings are changed. */
#ifndef GALLOPER_SERVICE_HOLD_H
#define GALLOPER_SERVICE_HOLD_H

#include "service/service.h"

enum hold_account { HOLD_INCOMING, HOLD_OUTGOING };

enum {
	HOLD_REFUSED = 5 * 60, /* seconds after the first refusal, doubled with each */
	HOLD_REFUSED_MAX = 3600,
	HOLD_AWAY = 60, /* likewise for a server that cannot be reached or has too much to do */
	HOLD_AWAY_MAX = 15 * 60,
};

/* Is the account to be left alone now? *why then says until when and why, for the operator; else it is NULL. A Maildir
 * never is. On `mem`. */
struct err *hold_ask(const struct service *s, TALLOC_CTX *mem, enum hold_account account, const char **why) MUST_CHECK;

/* The account was tried in vain: refused for good (as far as the server is concerned), or for now. *times is how often
 * that has happened in a row with these settings. */
struct err *hold_begin(const struct service *s, TALLOC_CTX *mem, enum hold_account account, bool refused,
	const char *why, int *times) MUST_CHECK;

/* It works. */
struct err *hold_end(const struct service *s, TALLOC_CTX *mem, enum hold_account account) MUST_CHECK;

#endif
