#include "service/hold.h"

#include "mail/token.h"

#include <sodium.h>
#include <string.h>

static const char *const names[] = {[HOLD_INCOMING] = "incoming", [HOLD_OUTGOING] = "outgoing"};

static bool is_server(const struct config *c, enum hold_account account)
{
	return (account == HOLD_INCOMING ? c->incoming : c->outgoing) == TRANSPORT_SERVER;
}

/* A keyed hash of all that the account is reached with. */
static void fingerprint(const struct service *s, enum hold_account account, unsigned char out[32])
{
	const struct config *c = s->config;
	const struct server_config *server = account == HOLD_INCOMING ? &c->imap : &c->smtp;
	const char *const texts[] = {server->host, server->user, server->password, server->password_command,
		server->token_command, c->ca_file, c->mailbox, c->address};
	const int numbers[] = {server->port, server->security};
	crypto_generichash_state hash;

	crypto_generichash_init(&hash, s->secret, TOKEN_SECRET_BYTES, 32);
	crypto_generichash_update(&hash, (const unsigned char *)numbers, sizeof numbers);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (texts[i] != NULL)
			crypto_generichash_update(&hash, (const unsigned char *)texts[i], strlen(texts[i]) + 1);
	crypto_generichash_final(&hash, out, 32);
}

/* The hold that was begun with the settings as they are, or NULL. */
static struct err *find(const struct service *s, TALLOC_CTX *mem, enum hold_account account, struct hold **out)
{
	unsigned char now[32];
	struct err *e = store_hold(s->store, mem, names[account], out);

	if (e != NULL || *out == NULL)
		return e;
	fingerprint(s, account, now);
	if (memcmp(now, (*out)->settings, sizeof now) != 0)
		*out = NULL;
	return NULL;
}

struct err *hold_ask(const struct service *s, TALLOC_CTX *mem, enum hold_account account, const char **why)
{
	int64_t now = clock_now(&s->clock);
	struct hold *h = NULL;
	struct err *e = is_server(s->config, account) ? find(s, mem, account, &h) : NULL;

	*why = NULL;
	/* One that would last too long was begun by a clock that was wrong. */
	if (e == NULL && h != NULL && now < h->until && h->until <= now + HOLD_REFUSED_MAX)
		*why = talloc_asprintf(mem, "it is left alone until %s: %s", clock_iso(mem, h->until), h->why);
	return e;
}

struct err *hold_begin(
	const struct service *s, TALLOC_CTX *mem, enum hold_account account, bool refused, const char *why, int *times)
{
	int seconds = refused ? HOLD_REFUSED : HOLD_AWAY, most = refused ? HOLD_REFUSED_MAX : HOLD_AWAY_MAX;
	struct hold next = {.account = names[account], .why = why};
	struct hold *h;
	struct err *e;

	*times = 1;
	if (!is_server(s->config, account))
		return NULL;
	e = find(s, mem, account, &h);
	if (e != NULL)
		return e;
	*times = next.refusals = h == NULL ? 1 : h->refusals + 1;
	for (int i = 1; i < next.refusals && seconds < most; i++)
		seconds *= 2;
	next.until = clock_now(&s->clock) + (seconds < most ? seconds : most);
	fingerprint(s, account, next.settings);
	return store_set_hold(s->store, mem, &next);
}

struct err *hold_end(const struct service *s, TALLOC_CTX *mem, enum hold_account account)
{
	struct hold *h = NULL;
	struct err *e = is_server(s->config, account) ? store_hold(s->store, mem, names[account], &h) : NULL;

	return e != NULL || h == NULL ? e : store_lift_hold(s->store, mem, names[account]);
}
