#include "service/service.h"

#include "mail/token.h"
#include "service/lease.h"
#include "service/scenarios.h"
#include "service/templates.h"

bool service_stopping(const struct service *s)
{
	return s->stop != NULL && *s->stop;
}

struct err *service_open(TALLOC_CTX *mem, const struct config *config, bool create, const struct clock *clock,
	const struct log *log, struct service **out)
{
	struct service *s = talloc_zero(mem, struct service);
	const char *const *migrations;
	unsigned char *secret = NULL;
	struct err *e = store_migrations(s, &migrations);

	s->config = config;
	s->clock = *clock;
	s->log = log;
	s->owner = lease_owner(s);
	s->scenarios = scenarios_new(s);
	s->templates = templates_new(s);
	if (e == NULL)
		e = store_open(s, config->database, create, migrations, &s->store);
	if (e == NULL)
		e = store_secret(s->store, s, "tokens", TOKEN_SECRET_BYTES, &secret);
	if (e != NULL) {
		talloc_steal(mem, e);
		talloc_free(s);
		return e;
	}
	s->secret = secret;
	*out = s;
	return NULL;
}
