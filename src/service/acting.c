#include "service/acting.h"

#include "base/worker.h"
#include "mail/pipe.h"
#include "service/account.h"
#include "service/draft.h"
#include "service/intake.h"
#include "service/lease.h"

enum {
	GROUP_MAILS = 100,
	LIST_MAILS = GROUP_MAILS + READER_AHEAD_MAX, /* the reader is to have some in hand when the group ends */
	LIST_BYTES = 1024 * 1024,
	GROUP_MILLISECONDS = 500,
	READER_PATIENCE = 20,         /* milliseconds */
	RECEIPTS_TOGETHER = 4,        /* half of what may lie there unwritten, so that neither thread waits */
	MAIL_POOL_BYTES = 512 * 1024, /* answering a mail takes many small pieces of memory: from one */
};

/* While the clock is in doubt nothing counts as read: so every deadline that seems to be over waits, and so do the
 * mails that seem to be late for it. */
static struct err *load_seen(const struct pass *p, TALLOC_CTX *mem, struct mailbox_seen *seen)
{
	struct account *account;
	struct err *e = account_load(p->service, mem, &account);

	*seen = (struct mailbox_seen){0, 0};
	if (e == NULL && !p->clock_doubtful)
		*seen = (struct mailbox_seen){account->complete, account->failing_since};
	return e;
}

struct err *acting_deadlines(const struct pass *p, TALLOC_CTX *mem, const char *lease, int64_t before,
	struct deadlines *met, struct passed *out)
{
	struct mailbox_seen seen;
	struct err *e = load_seen(p, mem, &seen);

	*met = (struct deadlines){.held = INT64_MAX};
	if (e == NULL)
		e = schedule_deadlines(p->service, mem, before, &seen, lease, met);
	out->resolved += met->resolved;
	return e;
}

struct group {
	const struct pass *pass;
	const char *lease;
	bool ours; /* the lease, for sure: the database is held, so that nobody can take it */
	struct passed *out;
	bool *more;
	struct incomings waiting; /* on `lists`: those that are next, from `at` on */
	TALLOC_CTX *lists;
	int at;
	struct mailbox_seen seen; /* when these were listed */
	int64_t quiet;            /* there is no deadline before it; 0 = that is not known */
	struct worker *writer;    /* of receipts; NULL: each is written at once */
	bool spoilt;              /* one could not be written */
};

/* Mostly no deadline lies before the last of the mails that are listed: then that need not be asked for each. */
static struct err *find_quiet(struct group *g)
{
	const struct service *s = g->pass->service;
	int64_t until = clock_now(&s->clock);
	struct games due;
	struct err *e;

	g->quiet = 0;
	if (g->waiting.count == 0)
		return NULL;
	if (g->waiting.list[g->waiting.count - 1].arrived < until)
		until = g->waiting.list[g->waiting.count - 1].arrived;
	e = store_games_due(s->store, g->lists, until - 1, &due);
	if (e == NULL && due.count == 0)
		g->quiet = until;
	return e;
}

/* The mail that has waited longest; *out NULL when none waits. */
static struct err *next_waiting(struct group *g, TALLOC_CTX *mem, const struct incoming **out)
{
	struct err *e = NULL;

	if (g->at == g->waiting.count) {
		g->at = g->waiting.count = 0;
		e = load_seen(g->pass, g->lists, &g->seen);
		if (e == NULL)
			e = store_mail_waiting(g->pass->service->store, g->lists, LIST_MAILS, LIST_BYTES, &g->waiting);
		if (e == NULL)
			e = find_quiet(g);
	}
	*out = e == NULL && g->waiting.count > 0 ? &g->waiting.list[g->at] : NULL;
	return e == NULL ? NULL : talloc_steal(mem, e);
}

/* *receipt is what of the mail's answer is still to be written. */
static struct err *read_one(struct group *g, TALLOC_CTX *mem, struct draft **receipt)
{
	const struct pass *p = g->pass;
	const struct service *s = p->service;
	const struct incoming *in;
	struct deadlines met = {.held = INT64_MAX};
	struct answer answer;
	bool lost;
	int ready = 0;
	struct err *e = next_waiting(g, mem, &in);

	*g->more = false;
	if (e != NULL || in == NULL)
		return e;
	if (in->arrived > g->quiet)
		e = schedule_deadlines(s, mem, in->arrived, &g->seen, g->lease, &met);
	g->out->resolved += met.resolved;
	if (e != NULL || in->arrived > met.held)
		return e;
	e = intake_read(s, mem, p->reader, in, g->waiting.count - g->at - 1, g->ours ? NULL : g->lease,
		g->writer != NULL, &answer, &lost);
	if (e != NULL || lost)
		return e;
	*g->more = true;
	g->at = answer.state != NULL ? g->at + 1 : g->waiting.count; /* it may wait again, or have been dealt with */
	if (answer.state == NULL)
		return NULL;
	*receipt = answer.receipt;
	g->out->read++;
	log_line(s->log, LOG_LEVEL_INFO, "mail in %lld: %s, game %lld, player %lld", (long long)in->id, answer.state,
		(long long)answer.game, (long long)answer.player);
	if (answer.game == 0 || answer.orders_only)
		return NULL;
	g->quiet = 0;
	e = schedule_ready(s, mem, answer.game, g->lease, &ready);
	g->out->resolved += ready;
	return e;
}

/* Of a mail that has been acted on, nothing but what its receipt leaves for the outbox. */
struct written {
	struct draft *draft; /* with all that was allocated for the mail; gone when it is written */
	struct outgoing row; /* id, bytes, len and printed, on the struct */
	bool failed;
};

/* On the receipts' thread, which has time to free what the mail took. */
static void write_receipt(void *written)
{
	struct written *w = written;
	struct draft *d = w->draft;

	draft_write(d);
	w->failed = d->failed != NULL;
	w->row.id = d->row.id;
	w->row.bytes = talloc_memdup(w, d->row.bytes, d->row.len); /* itself it would keep all of the mail's pool */
	w->row.len = d->row.len;
	w->row.printed = talloc_strdup(w, d->row.printed);
	talloc_free(d->mem);
}

/* Into the outbox with the receipts that are written, until no more than so many are not. */
static struct err *store_receipts(struct group *g, TALLOC_CTX *mem, int left)
{
	struct err *e = NULL;
	struct written *w;

	while ((w = worker_take(g->writer, worker_held(g->writer) > left)) != NULL) {
		g->spoilt |= w->failed;
		if (e == NULL && !g->spoilt)
			e = store_queue_bytes(g->pass->service->store, mem, &w->row);
		talloc_free(w);
	}
	return e;
}

static struct err *read_next(struct group *g, TALLOC_CTX *mem)
{
	TALLOC_CTX *one = talloc_pool(NULL, MAIL_POOL_BYTES);
	struct draft *receipt = NULL;
	struct written *w;
	struct err *e = read_one(g, one, &receipt), *last;

	if (e != NULL)
		talloc_steal(mem, e);
	if (receipt == NULL) {
		talloc_free(one);
		return e;
	}
	w = talloc_zero(NULL, struct written);
	w->draft = receipt;
	worker_give(g->writer, w);
	last = store_receipts(g, mem, WORKER_HELD_MAX - 1);
	return e != NULL ? e : last;
}

static struct err *read_some(struct group *g, TALLOC_CTX *mem)
{
	const struct pass *p = g->pass;
	int64_t begun = pipe_now();
	int mails = 0;
	struct err *e;

	do
		e = read_next(g, mem);
	while (e == NULL && *g->more && !g->spoilt && ++mails < GROUP_MAILS &&
		pipe_now() - begun < GROUP_MILLISECONDS && !service_stopping(p->service) &&
		reader_ready(p->reader, READER_PATIENCE));
	return e;
}

static struct err *read_group(struct group *g, TALLOC_CTX *mem)
{
	struct store *store = g->pass->service->store;
	struct passed before = *g->out;
	struct err *e = store_group_begin(store, mem), *last;

	if (e != NULL)
		return e;
	g->writer = worker_new(mem, write_receipt, RECEIPTS_TOGETHER);
	e = lease_take(g->pass->service, mem, g->lease, &g->ours);
	*g->more = false;
	if (e == NULL && g->ours)
		e = read_some(g, mem);
	g->ours = false;
	last = store_receipts(g, mem, 0);
	TALLOC_FREE(g->writer);
	if (last == NULL && !g->spoilt && !store_group_undone(store)) {
		last = store_group_end(store, mem);
		return e != NULL ? e : last;
	}
	/* Whatever it was comes again with its own mail, and takes no other with it. */
	store_group_undo(store);
	*g->out = before;
	g->at = g->waiting.count;
	return read_some(g, mem);
}

struct err *acting_group(const struct pass *p, TALLOC_CTX *mem, const char *lease, bool *more, struct passed *out)
{
	struct group g = {.pass = p, .lease = lease, .out = out, .more = more, .lists = talloc_new(mem)};
	/* The reader is not to be waited for with the database held. */
	struct err *e = reader_ready(p->reader, READER_PATIENCE) ? read_group(&g, mem) : read_next(&g, mem);

	talloc_free(g.lists);
	return e;
}
