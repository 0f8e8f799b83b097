#include "service/dispatch.h"

#include "mail/limits.h"
#include "mail/pipe.h"
#include "service/digest.h"
#include "service/lease.h"
#include "service/letters.h"
#include "store/games.h"
#include "store/outbox.h"

#include <sodium.h>
#include <string.h>

enum {
	CLAIM_SECONDS = 15 * 60, /* longer than any exchange with a server may take */
	DOUBTFUL_STEPS = 4,
	BACKOFF_FIRST = 60,
	BACKOFF_LONGEST = 4 * 3600, /* with its jitter less than OUTBOX_WAIT_MAX */
	TRIES_MAX = 40,             /* about five days */
	DOUBTS_MAX = 5,             /* perhaps taken: the same Message-ID again, but not for ever */
	ENDS_MAX = 6, /* doubts of any kind; a mail at which the program ends each time must not keep the others */
	SYNC_MILLISECONDS = 1000,
	SYNC_MAILS = 1000,
	MINUTE = 60,
	DAY = 24 * 3600,
	SILENCES_MAX = 3, /* mails over which a server may fall silent, one after the other: each costs a deadline */
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
	e = store_end(s->store, mem, e);
	if (e == NULL || e->scope != ERR_GAME)
		return e;
	log_err(s->log, e);
	return NULL;
}

/* A mail that nobody can say has arrived: the referee hears of it with his next digest. */
static struct err *note_given_up(const struct service *s, TALLOC_CTX *mem, const struct outgoing *row)
{
	struct player *p = NULL;
	struct err *e = row->player != 0 ? store_player(s->store, mem, row->player, &p) : NULL;

	if (e != NULL || p == NULL)
		return e;
	return digest_note(s, mem, p->game,
		talloc_asprintf(mem,
			"A mail to %s (player %lld, %s) could not be delivered, or nobody knows if it was.", p->name,
			(long long)p->id, row->kind));
}

/* What the outbox row is to say after this try. *stopped: its player has had too many bounces. */
static struct err *record(const struct service *s, TALLOC_CTX *mem, const struct outgoing *row,
	const struct sink_result *result, bool *stopped, struct dispatched *out)
{
	int64_t now = clock_now(&s->clock);
	/* Perhaps it came: so a second copy may wait a quarter of an hour, and a third for hours. */
	int tries = result->outcome == SINK_UNCERTAIN ? 1 + DOUBTFUL_STEPS * row->doubts : row->tries;
	/* What we broke off ourselves is not put off. */
	int64_t next = service_stopping(s) ? now : now + dispatch_backoff(tries, randombytes_random());
	const char *state = "queued", *text = result->text == NULL ? "" : result->text;
	bool full = strcmp(result->enhanced, "5.2.2") == 0; /* the mailbox, which its owner can empty (RFC 3463) */
	struct err *e = NULL;

	switch (result->outcome) {
	case SINK_SENT:
		state = "sent";
		next = now; /* when it was sent: for the provider's limits */
		out->sent++;
		out->room--;
		break;
	case SINK_REFUSED:
		state = "failed";
		out->refused++;
		if (row->player != 0 && !full)
			e = store_bounced(s->store, mem, row->player, now, stopped);
		break;
	case SINK_UNCERTAIN:
		state = row->doubts + 1 < DOUBTS_MAX ? "uncertain" : "failed";
		out->later++;
		break;
	case SINK_LATER:
	case SINK_ACCOUNT:
	case SINK_NOT_REACHED:
		/* A server that is away or an account that is locked is not this mail's fault: it waits as long as that
		 * takes. */
		if (row->tries >= TRIES_MAX && !result->stop)
			state = "failed";
		out->later++;
		break;
	}
	if (e == NULL && strcmp(state, "failed") == 0 && (full || result->outcome != SINK_REFUSED))
		e = note_given_up(s, mem, row);
	if (e == NULL && result->unheard)
		e = store_unsent(s->store, mem, row->id, now, text);
	else if (e == NULL)
		e = store_sent(s->store, mem, row->id, state, next, text);
	log_line(s->log, result->outcome == SINK_SENT ? LOG_LEVEL_INFO : LOG_LEVEL_WARN, "mail %lld (%s): %s%s%s%s",
		(long long)row->id, row->kind, sink_outcome_name(result->outcome),
		result->reply > 0 ? talloc_asprintf(mem, ", reply %d", result->reply) : "",
		result->enhanced[0] != '\0' ? " " : "", result->enhanced);
	return e;
}

struct err *dispatch_recover(const struct service *s, TALLOC_CTX *mem)
{
	const char **owners;
	struct err *e = store_claimants(s->store, mem, &owners);

	for (int i = 0; e == NULL && owners[i] != NULL; i++)
		if (!lease_owner_lives(owners[i]) || strcmp(owners[i], s->owner) == 0)
			e = store_unclaim(s->store, mem, owners[i], clock_now(&s->clock));
	return e;
}

/* The server broke off or waited without a word about the mail. */
static bool is_silence(const struct sink_result *r)
{
	return r->reply == 0 && (r->outcome == SINK_LATER || r->outcome == SINK_UNCERTAIN);
}

/* *silent counts the mails in a row over which it fell silent. */
static void send_row(const struct service *s, TALLOC_CTX *mem, struct sink *sink, const struct outgoing *row,
	struct sink_result *result, int *silent, struct dispatched *out)
{
	struct sink_message m = {row->bytes, row->len, s->config->address, row->recipient};

	*result = (struct sink_result){.outcome = SINK_LATER};
	sink->kind->send(sink, mem, &m, result);
	*silent = is_silence(result) ? *silent + 1 : 0;
	/* An unheard mail is due at once: were the queue to go on, it would be the next one, for ever. */
	result->stop = result->stop || result->unheard || *silent >= SILENCES_MAX;
	if (result->stop && !service_stopping(s)) {
		out->stopped = true;
		out->refused_us = result->outcome == SINK_ACCOUNT;
		out->trouble = result->text == NULL ? "" : result->text;
	}
}

static struct err *give_up(const struct service *s, TALLOC_CTX *mem, const struct outgoing *row)
{
	static const char why[] =
		"given up: whenever it was sent, the program ended or nobody knew what had become of it";

	struct err *e = note_given_up(s, mem, row);

	log_line(s->log, LOG_LEVEL_WARN, "mail %lld (%s): %s", (long long)row->id, row->kind, why);
	return e != NULL ? e : store_sent(s->store, mem, row->id, "failed", clock_now(&s->clock), why);
}

/* In one transaction: what has become of the row in hand (if there is one; `result` NULL: given up), and the next one.
 */
static struct err *settle(const struct service *s, TALLOC_CTX *mem, const struct outgoing *row,
	const struct sink_result *result, struct outgoing **next, struct dispatched *out)
{
	bool stopped = false;
	struct err *e = store_begin(s->store, mem);

	*next = NULL;
	if (e != NULL)
		return e;
	if (row != NULL)
		e = result == NULL ? give_up(s, mem, row) : record(s, mem, row, result, &stopped, out);
	if (e == NULL && !out->stopped && out->room > 0 && !service_stopping(s))
		e = store_claim(s->store, mem, s->owner, clock_now(&s->clock), CLAIM_SECONDS, next);
	e = store_end(s->store, mem, e);
	return e == NULL && stopped ? tell_of_stop(s, mem, row->player) : e;
}

/* Where a mail that is sent stands in the outbox, and all that it tells of, must be on the disk before; what became of
 * it need only be in order: should the machine fail, the mails of the last second go out once more, byte for byte the
 * same. So the disk is waited for once a second (or in SYNC_MAILS rows), and whenever a row is younger than that. The
 * lease is renewed with it. */
struct progress {
	int64_t safe; /* rows up to this id are on the disk */
	int64_t when; /* pipe_now */
	int since;    /* rows sent since then */
};

static bool is_safe(struct progress *p, const struct outgoing *row)
{
	return row->id <= p->safe && p->since++ < SYNC_MAILS && pipe_now() - p->when < SYNC_MILLISECONDS;
}

static struct err *make_safe(
	const struct service *s, TALLOC_CTX *mem, const char *lease, struct progress *p, bool *ours)
{
	enum store_safety before = store_safety(s->store);
	struct err *e = store_outbox_last(s->store, mem, &p->safe), *back;

	p->since = 0;
	p->when = pipe_now();
	if (e == NULL)
		e = store_set_safety(s->store, mem, STORE_DURABLE);
	if (e == NULL)
		e = lease_renew(s, mem, lease, ours);
	back = store_set_safety(s->store, mem, before);
	return e == NULL ? back : e;
}

/* How many mails the provider takes of us now, by what was sent in the last minute and day. */
static struct err *find_room(const struct service *s, TALLOC_CTX *mem, struct dispatched *out)
{
	static const char full[] = "our account has sent all that its provider lets it send in a day";
	struct sending_limits limits = sending_limits(&s->config->smtp, s->config->address);
	int64_t now = clock_now(&s->clock), minute = 0, day = 0;
	struct err *e = NULL;

	out->room = LIMITS_NONE;
	if (s->config->outgoing != TRANSPORT_SERVER || (limits.minute == LIMITS_NONE && limits.day == LIMITS_NONE))
		return NULL;
	e = store_sent_since(s->store, mem, now - MINUTE, now, &minute);
	if (e == NULL)
		e = store_sent_since(s->store, mem, now - DAY, now, &day);
	if (e != NULL)
		return e;
	out->stopped = day >= limits.day;
	out->trouble = out->stopped ? full : "";
	out->room = limits.minute - (int)minute;
	if (out->room > limits.day - (int)day)
		out->room = limits.day - (int)day;
	return NULL;
}

struct err *dispatch(
	const struct service *s, TALLOC_CTX *mem, struct sink *sink, const char *lease, struct dispatched *out)
{
	struct progress progress = {0};
	TALLOC_CTX *one = talloc_new(mem), *before;
	struct outgoing *row = NULL;
	bool ours = true;
	int silent = 0;
	struct err *e;

	*out = (struct dispatched){.trouble = ""};
	e = find_room(s, one, out);
	if (e == NULL)
		e = settle(s, one, NULL, NULL, &row, out);
	while (e == NULL && row != NULL) {
		struct sink_result result;
		struct outgoing *next;
		bool hopeless = row->doubts >= ENDS_MAX;

		if (!is_safe(&progress, row))
			e = make_safe(s, one, lease, &progress, &ours);
		if (e == NULL && !ours)
			e = store_unsent(s->store, one, row->id, clock_now(&s->clock), row->why);
		if (e != NULL || !ours)
			break;
		if (!hopeless)
			send_row(s, one, sink, row, &result, &silent, out);
		before = one;
		one = talloc_new(mem);
		e = settle(s, one, row, hopeless ? NULL : &result, &next, out);
		out->trouble = out->stopped ? talloc_strdup(mem, out->trouble) : "";
		talloc_free(before);
		row = next;
	}
	if (e != NULL)
		talloc_steal(mem, e);
	talloc_free(one);
	return e;
}
