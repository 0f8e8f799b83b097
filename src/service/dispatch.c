#include "service/dispatch.h"

#include "service/lease.h"
#include "service/letters.h"
#include "store/games.h"
#include "store/outbox.h"

#include <sodium.h>

enum {
	CLAIM_SECONDS = 15 * 60, /* longer than any exchange with a server may take */
	BACKOFF_FIRST = 60,
	BACKOFF_LONGEST = 4 * 3600,
	TRIES_MAX = 40, /* about five days */
	DOUBTS_MAX = 3, /* perhaps taken: the same Message-ID again, but not for ever */
};

int dispatch_backoff(int tries, uint32_t random)
{
	int seconds = BACKOFF_FIRST;

	for (int i = 1; i < tries && seconds < BACKOFF_LONGEST; i++)
		seconds *= 2;
	if (seconds > BACKOFF_LONGEST)
		seconds = BACKOFF_LONGEST;
	return seconds - seconds / 4 + (int)(random % (uint32_t)(seconds / 2 + 1));
}

/* No more mail goes to this player; somebody has to hear of it. A game that cannot be read must not keep the mails of
 * the others. */
static struct err *tell_of_stop(const struct service *s, TALLOC_CTX *mem, int64_t player)
{
	struct player *p;
	struct err *e = store_begin(s->store, mem);

	log_line(s->log, LOG_LEVEL_WARN, "player %lld: three mails bounced, no more are sent", (long long)player);
	if (e != NULL)
		return e;
	e = store_player(s->store, mem, player, &p);
	if (e == NULL && p != NULL)
		e = letter_unreachable(s, mem, p);
	if (e == NULL)
		return store_commit(s->store, mem);
	store_rollback(s->store);
	if (e->scope != ERR_GAME)
		return e;
	log_err(s->log, e);
	return NULL;
}

/* What the outbox row is to say after this try. */
static struct err *record(const struct service *s, TALLOC_CTX *mem, const struct outgoing *row,
	const struct sink_result *result, struct dispatched *out)
{
	int64_t now = clock_now(&s->clock);
	/* What we broke off ourselves is not put off. */
	int64_t next = service_stopping(s) ? now : now + dispatch_backoff(row->tries, randombytes_random());
	const char *state = "queued", *text = result->text == NULL ? "" : result->text;
	bool stopped = false;
	struct err *e = NULL;

	switch (result->outcome) {
	case SINK_SENT:
		state = "sent";
		out->sent++;
		break;
	case SINK_REFUSED:
		state = "failed";
		out->refused++;
		if (row->player != 0)
			e = store_bounced(s->store, mem, row->player, &stopped);
		break;
	case SINK_UNCERTAIN:
		state = row->doubts + 1 < DOUBTS_MAX ? "uncertain" : "failed";
		out->later++;
		break;
	case SINK_LATER:
	case SINK_ACCOUNT:
		/* A server that is away or an account that is locked is not this mail's fault: it waits as long as that
		 * takes. */
		if (row->tries >= TRIES_MAX && !result->stop)
			state = "failed";
		out->later++;
		break;
	}
	if (e == NULL && result->unheard)
		e = store_unsent(s->store, mem, row->id, now, text);
	else if (e == NULL)
		e = store_sent(s->store, mem, row->id, state, next, text);
	log_line(s->log, result->outcome == SINK_SENT ? LOG_LEVEL_INFO : LOG_LEVEL_WARN,
		"mail %lld (%s): %s, reply %d %s", (long long)row->id, row->kind, sink_outcome_name(result->outcome),
		result->reply, result->enhanced);
	return e == NULL && stopped ? tell_of_stop(s, mem, row->player) : e;
}

struct err *dispatch_recover(const struct service *s, TALLOC_CTX *mem)
{
	const char **owners;
	struct err *e = store_claimants(s->store, mem, &owners);

	for (int i = 0; e == NULL && owners[i] != NULL; i++)
		if (!lease_owner_lives(owners[i]))
			e = store_unclaim(s->store, mem, owners[i], clock_now(&s->clock));
	return e;
}

struct err *dispatch(const struct service *s, TALLOC_CTX *mem, struct sink *sink, struct dispatched *out)
{
	*out = (struct dispatched){.trouble = ""};
	while (!service_stopping(s)) {
		TALLOC_CTX *one = talloc_new(mem);
		struct sink_result result = {.outcome = SINK_LATER};
		struct outgoing *row;
		struct err *e = store_claim(s->store, one, s->owner, clock_now(&s->clock), CLAIM_SECONDS, &row);

		if (e == NULL && row != NULL) {
			struct sink_message m = {row->bytes, row->len, s->config->address, row->recipient};

			sink->kind->send(sink, one, &m, &result);
			e = record(s, one, row, &result, out);
		}
		if (e == NULL && row != NULL && result.stop && !service_stopping(s)) {
			out->stopped = true;
			out->refused_us = result.outcome == SINK_ACCOUNT;
			out->trouble = talloc_strdup(mem, result.text == NULL ? "" : result.text);
		}
		if (e != NULL)
			talloc_steal(mem, e);
		if (e != NULL || row == NULL || out->stopped) {
			talloc_free(one);
			return e;
		}
		talloc_free(one);
	}
	return NULL;
}
