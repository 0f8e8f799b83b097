/* What every use case works with: the configuration, the store, the clock, the log, and the server's secret. */
#ifndef GALLOPER_SERVICE_SERVICE_H
#define GALLOPER_SERVICE_SERVICE_H

#include "base/clock.h"
#include "base/log.h"
#include "config/config.h"
#include "store/store.h"

#include <stdatomic.h>

struct scenarios;
struct templates;

struct service {
	const struct config *config;
	struct store *store;
	struct clock clock;
	const struct log *log;
	const unsigned char *secret; /* TOKEN_SECRET_BYTES, signs reply tokens */
	const char *owner;           /* names this process in leases and claims */
	struct scenarios *scenarios; /* the battles that were read already */
	struct templates *templates; /* and the mails' words */
	const atomic_bool *stop;     /* set (by a signal): finish what is at hand and come back; may be NULL */
};

/* Are we told to stop? Asked between any two steps that are whole in themselves. */
bool service_stopping(const struct service *s);

/* Opens the configuration's database; with `create` it is made when it does not exist. On `mem`; talloc_free closes. */
struct err *service_open(TALLOC_CTX *mem, const struct config *config, bool create, const struct clock *clock,
	const struct log *log, struct service **out) MUST_CHECK;

#endif
