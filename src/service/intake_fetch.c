/* Fetching: what the mailbox has and the ledger does not know. The mailbox is asked on a thread of its own, so that
 * what has come is acted on while more is on its way. */
#include "base/worker.h"
#include "service/account.h"
#include "service/intake.h"
#include "service/lease.h"

#include <string.h>

enum {
	GHOST_TRIES = 10, /* a mail that is named and not delivered is asked for with so many polls */
	GHOST_PAUSE = 10 * 60,
	GHOST_PAUSE_OLD = 3600, /* when it is no longer waited for */
};

/* A poll under way. */
struct poll {
	const struct service *s;
	const struct account *account;
	const struct intake *how;
	struct source *source;
	struct source_item *wanted;
	bool *came;              /* of each: noted by the mailbox's thread while it is being asked for */
	int wanted_count, asked; /* of them, so many have been asked for */
	int added;
	int missed;
	bool ghosts;           /* has the server named mails that it did not deliver, in earlier polls? */
	int missing, given_up; /* mails that the server names and does not deliver, by is_young */
	bool ours;             /* the error was the ledger's, not the mailbox's */
	int64_t begun;
};

/* Mails that are fetched together and committed together, since each transaction waits for the disk. In a context of
 * its own: until it is fetched it is the thread's. */
struct batch {
	struct poll *poll;
	const struct source_item *wanted;
	int wanted_count;
	struct incoming mails[SOURCE_BATCH_MAILS];
	int count;
	int missed;
	struct err *failed; /* what the mailbox said; NULL = nothing */
};

static struct err *take(void *context, TALLOC_CTX *mem, const struct source_item *item, const char *raw, size_t len)
{
	struct batch *b = context;
	const struct poll *p = b->poll;
	struct incoming *m = &b->mails[b->count++];
	int64_t now = clock_now(&p->s->clock);
	/* What is in our hands has arrived, whatever the server's clock says: one that is ahead must not make a mail
	 * late, nor keep it waiting. */
	bool ahead = item->arrived > now && now >= p->account->made;

	(void)mem;
	*m = (struct incoming){
		.account = p->account->id,
		.validity = item->validity,
		.uid = talloc_strdup(b, item->uid),
		.arrived = ahead ? now : item->arrived,
		.raw = talloc_memdup(b, raw, len),
		.raw_len = len,
	};
	intake_digest(raw, len, m->digest);
	p->came[item - p->wanted] = true;
	return NULL;
}

static void fetch_batch(void *context)
{
	struct batch *b = context;
	struct source *source = b->poll->source;

	b->failed = source->kind->fetch(source, b, b->wanted, b->wanted_count, take, b, &b->missed);
}

/* Asks for the next of those that are wanted; NULL when all have been. */
static struct batch *ask_for_more(struct poll *p, struct worker *mailbox)
{
	struct batch *b;
	int64_t bytes = 0;

	if (p->asked == p->wanted_count)
		return NULL;
	b = talloc_zero(NULL, struct batch);
	b->poll = p;
	b->wanted = p->wanted + p->asked;
	while (p->asked < p->wanted_count && b->wanted_count < SOURCE_BATCH_MAILS && bytes < SOURCE_BATCH_BYTES) {
		bytes += p->wanted[p->asked++].size;
		b->wanted_count++;
	}
	worker_give(mailbox, b);
	return b;
}

/* Renews the lease. Should it have run out, so that another process reads the mailbox, too (`mine` is false), what has
 * been fetched is as good: what the other one has added is left out here, and what we add is known to it. */
static struct err *add_batch(struct poll *p, TALLOC_CTX *mem, struct batch *b)
{
	struct store *store = p->s->store;
	int64_t now = clock_now(&p->s->clock);
	bool mine;
	struct err *e = store_begin(store, mem);

	if (e != NULL)
		return e;
	e = lease_take(p->s, mem, p->how->lease, &mine);
	for (int i = 0; i < b->count && e == NULL; i++)
		e = store_add_mail(store, mem, &b->mails[i], now, p->account->made);
	return store_end(store, mem, e);
}

/* Durably: from now on the mails may be moved in the mailbox, and this is the only place where they are sure to be. */
static struct err *commit_batch(struct poll *p, TALLOC_CTX *mem, struct batch *b)
{
	enum store_safety before = store_safety(p->s->store);
	struct err *e, *back;

	if (b->count == 0)
		return NULL;
	e = store_set_safety(p->s->store, mem, STORE_DURABLE);
	if (e == NULL)
		e = add_batch(p, mem, b);
	back = store_set_safety(p->s->store, mem, before);
	e = e == NULL ? back : e;
	if (e != NULL)
		return e;
	for (int i = 0; i < b->count; i++)
		log_line(p->s->log, LOG_LEVEL_INFO, "mail in %lld: %s, %zu bytes", (long long)b->mails[i].id,
			b->mails[i].id == 0 ? "known" : b->mails[i].state, b->mails[i].raw_len);
	p->added += b->count;
	return NULL;
}

/* Each batch is committed, and may be acted on while the next is on its way. *trouble is the mailbox's; what came
 * before it is kept. */
static struct err *fetch_wanted(struct poll *p, TALLOC_CTX *mem, struct err **trouble)
{
	struct worker *mailbox = worker_new(mem, fetch_batch, 1);
	struct batch *next = ask_for_more(p, mailbox), *b;
	struct err *e = NULL;

	while ((b = next) != NULL) {
		worker_take(mailbox, true);
		p->missed += b->missed;
		*trouble = talloc_steal(mem, b->failed);
		next = e == NULL && *trouble == NULL && !service_stopping(p->s) ? ask_for_more(p, mailbox) : NULL;
		if (e == NULL)
			e = commit_batch(p, mem, b);
		talloc_free(b);
		if (e == NULL && next != NULL && p->how->meanwhile != NULL)
			p->how->meanwhile(p->how->context, mem);
	}
	talloc_free(mailbox);
	return e;
}

/* A mail from before the account was set up is recorded, so that it is known; nobody needs its bytes. */
static struct err *add_old(struct poll *p, TALLOC_CTX *mem, const struct source_item *item)
{
	struct incoming m = {
		.account = p->account->id,
		.validity = item->validity,
		.uid = item->uid,
		.arrived = item->arrived,
	};

	return store_add_mail(p->s->store, mem, &m, clock_now(&p->s->clock), p->account->made);
}

/* One that is never delivered (Exchange has such) must not hold up every deadline for ever. */
static bool is_young(const struct poll *p, const struct source_item *item)
{
	return item->arrived > p->begun - INTAKE_GHOST_SECONDS;
}

static void count_missing(struct poll *p, const struct source_item *item)
{
	if (is_young(p, item))
		p->missing++;
	else
		p->given_up++;
}

/* One that the ledger does not know is asked for, unless that has been in vain too often of late. */
static struct err *want(struct poll *p, TALLOC_CTX *mem, const struct source_item *item)
{
	int64_t due = 0;
	struct err *e = NULL;

	if (p->ghosts)
		e = store_put_off_until(p->s->store, mem, p->account->id, item->validity, item->uid, &due);
	/* A clock that has been set back must not put it off for longer. */
	if (due > p->begun && due <= p->begun + GHOST_PAUSE_OLD)
		count_missing(p, item);
	else
		p->wanted[p->wanted_count++] = *item;
	return e;
}

/* Sorts out which mails of the listing the ledger does not know. */
static struct err *sort_out(struct poll *p, TALLOC_CTX *mem, const struct source_list *list)
{
	struct err *e = store_any_put_off(p->s->store, mem, p->account->id, &p->ghosts);

	p->wanted = talloc_zero_array(mem, struct source_item, (unsigned)list->count + 1);
	p->came = talloc_zero_array(mem, bool, (unsigned)list->count + 1);
	for (int i = 0; i < list->count && e == NULL; i++) {
		const struct source_item *item = &list->items[i];
		bool known;

		e = store_mail_listed(
			p->s->store, mem, p->account->id, item->validity, item->uid, item->arrived, &known);
		if (e == NULL && !known && item->arrived >= p->account->made)
			e = want(p, mem, item);
		else if (e == NULL && !known)
			e = add_old(p, mem, item);
	}
	return e;
}

/* In one transaction, for a mailbox may be full of old mails. */
static struct err *unknown(struct poll *p, TALLOC_CTX *mem, const struct source_list *list)
{
	struct store *store = p->s->store;
	struct err *e = store_begin(store, mem);

	if (e == NULL)
		e = store_end(store, mem, sort_out(p, mem, list));
	p->ours = e != NULL;
	return e;
}

/* Does the listing hold all that may be ours? One that was cut short does when it reaches back to before the account
 * was set up: what is missing is older still. */
static bool is_whole(const struct poll *p, const struct source_list *list)
{
	return !list->broken && (list->complete || (list->count > 0 && list->items[0].arrived < p->account->made));
}

/* Counts the mails that were asked for and did not come, nor from anybody else. */
static struct err *still_missing(struct poll *p, TALLOC_CTX *mem)
{
	struct store *store = p->s->store;
	struct err *e = NULL;

	for (int i = 0; i < p->wanted_count && e == NULL; i++) {
		const struct source_item *item = &p->wanted[i];
		bool known;

		if (p->came[i])
			continue;
		e = store_mail_known(store, mem, p->account->id, item->validity, item->uid, &known);
		if (e != NULL || known)
			continue;
		count_missing(p, item);
		e = store_put_off(store, mem, p->account->id, item->validity, item->uid, p->begun, GHOST_TRIES,
			is_young(p, item) ? GHOST_PAUSE : GHOST_PAUSE_OLD);
	}
	p->ours = e != NULL;
	return e;
}

static struct err *poll_source(struct poll *p, TALLOC_CTX *mem, struct fetched *out)
{
	struct source_list list;
	struct err *e, *trouble = NULL;

	if (p->source->exist > 0) /* then it is ready by the time that they are here */
		reader_begin(p->how->reader);
	e = p->source->kind->list(p->source, mem, &list);
	if (e != NULL)
		return e; // cppcheck-suppress returnDanglingLifetime; an error does not point into the listing
	out->listed = list.count;
	e = unknown(p, mem, &list);
	if (e == NULL && p->wanted_count > 0) {
		reader_begin(p->how->reader);
		e = fetch_wanted(p, mem, &trouble);
		p->ours = e != NULL;
	}
	out->added = p->added;
	out->missed = p->missed;
	if (e != NULL)
		return e;
	if (service_stopping(p->s)) /* what is missing is not the mailbox's fault */
		return NULL;
	e = trouble != NULL ? trouble : still_missing(p, mem);
	if (e != NULL)
		return e;
	out->complete = is_whole(p, &list) && p->missing == 0;
	if (!out->complete || p->given_up > 0) {
		out->lacks = list.broken                    ? "the server did not list every mail that it has"
			     : p->missing + p->given_up > 0 ? "the server did not deliver every mail that it named"
							    : "there are more mails in the mailbox than one poll lists";
		out->since = p->given_up > 0                  ? 0
			     : p->account->failing_since != 0 ? p->account->failing_since
							      : p->begun;
	}
	e = out->complete ? store_polled(p->s->store, mem, p->account->id, p->begun)
			  : store_poll_failed(p->s->store, mem, p->account->id, p->begun, out->lacks);
	p->ours = e != NULL;
	return e;
}

struct err *intake_fetch(const struct service *s, TALLOC_CTX *mem, const struct intake *how, struct fetched *out)
{
	struct poll *p = talloc_zero(mem, struct poll);
	struct account *account;
	struct err *e = account_load(s, p, &account);

	*out = (struct fetched){0};
	if (e != NULL)
		return e;
	p->s = s;
	p->account = account;
	p->how = how;
	p->begun = clock_now(&s->clock);
	e = how->kind->open(p, how->settings, &p->source);
	if (e == NULL)
		e = poll_source(p, p, out);
	if (e == NULL)
		out->mailbox = talloc_steal(mem, p->source);
	else
		talloc_steal(mem, e);
	if (e != NULL && !p->ours && service_stopping(s)) {
		e = NULL; /* we broke it off ourselves */
	} else if (e != NULL && !p->ours) {
		out->trouble = e;
		e = store_poll_failed(s->store, mem, account->id, clock_now(&s->clock), err_text(mem, out->trouble));
	}
	talloc_free(p);
	return e;
}
