#include "service/intake.h"

#include "service/account.h"
#include "service/draft.h"
#include "service/lease.h"
#include "service/letters.h"

#include <sodium.h>
#include <string.h>
#include <strings.h>

/* --- what the author sent ----------------------------------------------------------------------------------------- */

/* Fields that differ between two deliveries of one mail. */
static bool is_transport_field(const char *line, size_t len)
{
	static const char *const names[] = {"Received:", "Return-Path:", "Delivered-To:", "Envelope-To:",
		"Authentication-Results:", "Received-SPF:", "DKIM-Signature:", "ARC-", "X-", "Status:"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t n = strlen(names[i]);

		if (len >= n && strncasecmp(line, names[i], n) == 0)
			return true;
	}
	return false;
}

void intake_digest(const char *raw, size_t len, unsigned char digest[32])
{
	crypto_generichash_state hash;
	bool header = true, skipped = false;
	size_t at = 0;

	crypto_generichash_init(&hash, NULL, 0, 32);
	while (at < len) {
		const char *line = raw + at;
		const char *end = memchr(line, '\n', len - at);
		size_t whole = end == NULL ? len - at : (size_t)(end - line) + 1;
		size_t n = end == NULL ? whole : whole - 1;

		if (n > 0 && line[n - 1] == '\r')
			n--;
		if (header && n == 0)
			header = skipped = false;
		else if (header && line[0] != ' ' && line[0] != '\t')
			skipped = is_transport_field(line, n);
		if (!skipped) {
			crypto_generichash_update(&hash, (const unsigned char *)line, n);
			crypto_generichash_update(&hash, (const unsigned char *)"\n", 1);
		}
		at += whole;
	}
	crypto_generichash_final(&hash, digest, 32);
}

enum {
	GHOST_TRIES = 10, /* a mail that is named and not delivered is asked for with so many polls */
	GHOST_PAUSE = 10 * 60,
	GHOST_PAUSE_OLD = 3600, /* when it is no longer waited for */
};

/* --- fetching ----------------------------------------------------------------------------------------------------- */

/* Mails that were fetched and not yet committed: many in one transaction, since each transaction waits for the disk. */
struct batch {
	const struct service *s;
	const struct account *account;
	const char *lease;
	struct reader *reader;
	TALLOC_CTX *mem; /* of what is gathered; emptied with each commit */
	struct incoming mails[SOURCE_BATCH_MAILS];
	int count;
	size_t bytes;
	int added;
	bool ours; /* the error was the ledger's, not the mailbox's */
	struct source_item *wanted;
	int wanted_count;
	int64_t begun;
	int missing, given_up; /* mails that the server names and does not deliver, by is_young */
};

/* Renews the lease. Should it have run out, so that another process reads the mailbox, too (`mine` is false), what has
 * been fetched is as good: what the other one has added is left out here, and what we add is known to it. */
static struct err *add_batch(struct batch *b, TALLOC_CTX *mem)
{
	struct store *store = b->s->store;
	int64_t now = clock_now(&b->s->clock);
	bool known, mine;
	struct err *e = store_begin(store, mem);

	if (e != NULL)
		return e;
	e = lease_take(b->s, mem, b->lease, &mine);
	for (int i = 0; i < b->count && e == NULL; i++) {
		struct incoming *m = &b->mails[i];

		e = store_mail_known(store, mem, m->account, m->validity, m->uid, &known);
		if (e == NULL && !known)
			e = store_add_mail(store, mem, m, now, b->account->made);
	}
	if (e == NULL)
		return store_commit(store, mem);
	store_rollback(store);
	return e;
}

/* Durably: from now on the mails may be moved in the mailbox, and this is the only place where they are sure to be. */
static struct err *commit_batch(struct batch *b, TALLOC_CTX *mem)
{
	enum store_safety before = store_safety(b->s->store);
	struct err *e, *back;

	if (b->count == 0)
		return NULL;
	e = store_set_safety(b->s->store, mem, STORE_DURABLE);
	if (e == NULL)
		e = add_batch(b, mem);
	back = store_set_safety(b->s->store, mem, before);
	e = e == NULL ? back : e;
	b->ours = e != NULL;
	if (e != NULL)
		return e;
	for (int i = 0; i < b->count; i++)
		log_line(b->s->log, LOG_LEVEL_INFO, "mail in %lld: %s, %zu bytes", (long long)b->mails[i].id,
			b->mails[i].state == NULL ? "known" : b->mails[i].state, b->mails[i].raw_len);
	b->added += b->count;
	b->count = 0;
	b->bytes = 0;
	talloc_free_children(b->mem);
	return NULL;
}

static struct err *take(void *context, TALLOC_CTX *mem, const struct source_item *item, const char *raw, size_t len)
{
	struct batch *b = context;
	struct incoming *m = &b->mails[b->count++];
	int64_t now = clock_now(&b->s->clock);
	/* What is in our hands has arrived, whatever the server's clock says: one that is ahead must not make a mail
	 * late, nor keep it waiting. */
	bool ahead = item->arrived > now && now >= b->account->made;

	*m = (struct incoming){
		.account = b->account->id,
		.validity = item->validity,
		.uid = talloc_strdup(b->mem, item->uid),
		.arrived = ahead ? now : item->arrived,
		.raw = talloc_memdup(b->mem, raw, len),
		.raw_len = len,
	};
	intake_digest(raw, len, m->digest);
	b->bytes += len;
	if (b->count < SOURCE_BATCH_MAILS && b->bytes < SOURCE_BATCH_BYTES)
		return NULL;
	return commit_batch(b, mem);
}

/* A mail from before the account was set up is recorded, so that it is known; nobody needs its bytes. */
static struct err *add_old(struct batch *b, TALLOC_CTX *mem, const struct source_item *item)
{
	struct incoming m = {
		.account = b->account->id,
		.validity = item->validity,
		.uid = item->uid,
		.arrived = item->arrived,
	};

	return store_add_mail(b->s->store, mem, &m, clock_now(&b->s->clock), b->account->made);
}

/* One that is never delivered (Exchange has such) must not hold up every deadline for ever. */
static bool is_young(const struct batch *b, const struct source_item *item)
{
	return item->arrived > b->begun - INTAKE_GHOST_SECONDS;
}

static void count_missing(struct batch *b, const struct source_item *item)
{
	if (is_young(b, item))
		b->missing++;
	else
		b->given_up++;
}

/* One that the ledger does not know is asked for, unless that has been in vain too often of late. */
static struct err *want(struct batch *b, TALLOC_CTX *mem, const struct source_item *item)
{
	int64_t due;
	struct err *e = store_put_off_until(b->s->store, mem, b->account->id, item->validity, item->uid, &due);

	/* A clock that has been set back must not put it off for longer. */
	if (due > b->begun && due <= b->begun + GHOST_PAUSE_OLD)
		count_missing(b, item);
	else
		b->wanted[b->wanted_count++] = *item;
	return e;
}

/* Sorts out which mails of the listing the ledger does not know. */
static struct err *sort_out(struct batch *b, TALLOC_CTX *mem, const struct source_list *list)
{
	struct err *e = NULL;

	b->wanted = talloc_zero_array(mem, struct source_item, (unsigned)list->count + 1);
	for (int i = 0; i < list->count && e == NULL; i++) {
		const struct source_item *item = &list->items[i];
		bool known;

		e = store_mail_listed(
			b->s->store, mem, b->account->id, item->validity, item->uid, item->arrived, &known);
		if (e == NULL && !known && item->arrived >= b->account->made)
			e = want(b, mem, item);
		else if (e == NULL && !known)
			e = add_old(b, mem, item);
	}
	return e;
}

/* In one transaction, for a mailbox may be full of old mails. */
static struct err *unknown(struct batch *b, TALLOC_CTX *mem, const struct source_list *list)
{
	struct store *store = b->s->store;
	struct err *e = store_begin(store, mem);

	if (e == NULL)
		e = sort_out(b, mem, list);
	if (e == NULL)
		e = store_commit(store, mem);
	else
		store_rollback(store);
	b->ours = e != NULL;
	return e;
}

/* Does the listing hold all that may be ours? One that was cut short does when it reaches back to before the account
 * was set up: what is missing is older still. */
static bool is_whole(const struct batch *b, const struct source_list *list)
{
	return !list->broken && (list->complete || (list->count > 0 && list->items[0].arrived < b->account->made));
}

/* Counts the mails that were asked for and did not come. */
static struct err *still_missing(struct batch *b, TALLOC_CTX *mem)
{
	struct store *store = b->s->store;
	struct err *e = NULL;

	for (int i = 0; i < b->wanted_count && e == NULL; i++) {
		const struct source_item *item = &b->wanted[i];
		bool known;

		e = store_mail_known(store, mem, b->account->id, item->validity, item->uid, &known);
		if (e != NULL || known)
			continue;
		count_missing(b, item);
		e = store_put_off(store, mem, b->account->id, item->validity, item->uid, b->begun, GHOST_TRIES,
			is_young(b, item) ? GHOST_PAUSE : GHOST_PAUSE_OLD);
	}
	b->ours = e != NULL;
	return e;
}

static struct err *poll_source(struct batch *b, TALLOC_CTX *mem, struct source *source, struct fetched *out)
{
	struct source_list list;
	struct err *e = source->kind->list(source, mem, &list), *last;

	if (e != NULL)
		return e; // cppcheck-suppress returnDanglingLifetime; an error does not point into the listing
	out->listed = list.count;
	e = unknown(b, mem, &list);
	if (e == NULL && b->wanted_count > 0)
		reader_begin(b->reader);
	if (e == NULL && b->wanted_count > 0)
		e = source->kind->fetch(source, mem, b->wanted, b->wanted_count, take, b, &out->missed);
	last = b->ours ? NULL : commit_batch(b, mem);
	if (last != NULL)
		return last;
	out->added = b->added;
	if (service_stopping(b->s)) /* what is missing is not the mailbox's fault */
		return NULL;
	if (e == NULL)
		e = still_missing(b, mem);
	if (e != NULL)
		return e;
	out->complete = is_whole(b, &list) && b->missing == 0;
	if (!out->complete || b->given_up > 0) {
		out->lacks = list.broken                    ? "the server did not list every mail that it has"
			     : b->missing + b->given_up > 0 ? "the server did not deliver every mail that it named"
							    : "there are more mails in the mailbox than one poll lists";
		out->since = b->given_up > 0                  ? 0
			     : b->account->failing_since != 0 ? b->account->failing_since
							      : b->begun;
	}
	e = out->complete ? store_polled(b->s->store, mem, b->account->id, b->begun)
			  : store_poll_failed(b->s->store, mem, b->account->id, b->begun, out->lacks);
	b->ours = e != NULL;
	return e;
}

struct err *intake_fetch(const struct service *s, TALLOC_CTX *mem, const struct source_kind *kind,
	const struct source_settings *settings, struct reader *reader, const char *lease, struct fetched *out)
{
	struct batch *b = talloc_zero(mem, struct batch);
	struct source *source = NULL;
	struct account *account;
	struct err *e = account_load(s, b, &account);

	*out = (struct fetched){0};
	if (e != NULL)
		return e;
	b->s = s;
	b->account = account;
	b->begun = clock_now(&s->clock);
	b->lease = lease;
	b->reader = reader;
	b->mem = talloc_new(b);
	e = kind->open(b, settings, &source);
	if (e == NULL)
		e = poll_source(b, b, source, out);
	if (e == NULL)
		out->mailbox = talloc_steal(mem, source);
	else
		talloc_steal(mem, e);
	if (e != NULL && !b->ours && service_stopping(s)) {
		e = NULL; /* we broke it off ourselves */
	} else if (e != NULL && !b->ours) {
		out->trouble = e;
		e = store_poll_failed(s->store, mem, account->id, clock_now(&s->clock), err_text(mem, out->trouble));
	}
	talloc_free(b);
	return e;
}

/* --- filing ------------------------------------------------------------------------------------------------------- */

/* Those of `done` that go to that folder, as moved. */
static struct err *note_moved(
	const struct service *s, TALLOC_CTX *mem, const struct incomings *done, const char *folder, int *moved)
{
	struct err *e = store_begin(s->store, mem);

	for (int i = 0; i < done->count && e == NULL; i++)
		if (strcmp(done->list[i].folder, folder) == 0) {
			e = store_mail_moved(s->store, mem, done->list[i].id);
			++*moved;
		}
	if (e == NULL)
		return store_commit(s->store, mem);
	store_rollback(s->store);
	return e;
}

/* Moves those of `done`, and notes it. */
static struct err *file_some(const struct service *s, TALLOC_CTX *mem, struct source *mailbox,
	const struct incomings *done, int *moved, const struct err **trouble)
{
	struct err *e = NULL;

	for (int folder = SOURCE_PROCESSED; folder <= SOURCE_REJECTED && e == NULL && *trouble == NULL; folder++) {
		struct source_item *items = talloc_zero_array(mem, struct source_item, (unsigned)done->count + 1);
		const char *name = folder == SOURCE_PROCESSED ? "Processed" : "Rejected";
		int count = 0;

		for (int i = 0; i < done->count; i++)
			if (strcmp(done->list[i].folder, name) == 0)
				items[count++] = (struct source_item){done->list[i].validity, done->list[i].uid, 0, 0};
		if (count == 0)
			continue;
		*trouble = mailbox->kind->file(mailbox, mem, items, count, (enum source_folder)folder);
		if (*trouble == NULL)
			e = note_moved(s, mem, done, name, moved);
	}
	return e;
}

struct err *intake_file(const struct service *s, TALLOC_CTX *mem, struct source *mailbox, const char *lease, int *moved,
	const struct err **trouble)
{
	bool mine = true, more = true;
	struct account *account;
	struct err *e = account_load(s, mem, &account);

	*moved = 0;
	*trouble = NULL;
	while (e == NULL && *trouble == NULL && more && mine && !service_stopping(s)) {
		TALLOC_CTX *round = talloc_new(mem);
		struct incomings done;
		int before = *moved;

		e = store_mail_to_move(s->store, round, account->id, &done);
		if (e == NULL && done.count > 0)
			e = lease_take(s, round, lease, &mine);
		if (e == NULL && mine)
			e = file_some(s, round, mailbox, &done, moved, trouble);
		more = *moved > before;
		if (e != NULL)
			talloc_steal(mem, e);
		if (*trouble != NULL)
			talloc_steal(mem, *trouble);
		talloc_free(round);
	}
	if (service_stopping(s))
		*trouble = NULL; /* we broke it off ourselves */
	return e;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

struct err *intake_next(const struct service *s, TALLOC_CTX *mem, struct incoming **out, struct incoming **after)
{
	struct incomings waiting;
	struct err *e = store_mail_waiting(s->store, mem, 2, &waiting);

	*after = e == NULL && waiting.count > 1 ? &waiting.list[1] : NULL;

	*out = e == NULL && waiting.count > 0 ? &waiting.list[0] : NULL;
	return e;
}

static struct err *write_receipt(TALLOC_CTX *mem, struct answer *out)
{
	struct draft *d = out->receipt;

	out->receipt = NULL;
	if (d == NULL)
		return NULL;
	draft_write(d);
	return draft_store(d, mem);
}

/* What the mail says is done, and the ledger says so, or neither. */
static struct err *act_on(const struct service *s, TALLOC_CTX *mem, const struct incoming *in, const struct message *m,
	const char *lease, bool unwritten, struct answer *out, bool *lost)
{
	struct err *e = store_begin(s->store, mem);
	bool ours = false;

	if (e != NULL)
		return e;
	e = lease_take(s, mem, lease, &ours);
	*lost = e == NULL && !ours;
	if (e == NULL && ours)
		e = answer_mail(s, mem, in, m, out);
	if (e == NULL && ours && !unwritten)
		e = write_receipt(mem, out);
	if (e == NULL && ours)
		e = store_mail_done(s->store, mem, in->id, out->state, out->folder, out->game, out->player, out->why);
	if (e == NULL && ours)
		return store_commit(s->store, mem);
	store_rollback(s->store);
	*out = (struct answer){.state = NULL};
	return e;
}

/* The last resort: the mail is put aside, whoever its header names is answered (`m` may be NULL: nobody), and the
 * operator is told. */
static struct err *reject(const struct service *s, TALLOC_CTX *mem, const struct incoming *in, const struct message *m,
	const char *why, const char *lease, struct answer *out, bool *lost)
{
	struct err *e = store_begin(s->store, mem);
	bool ours = false;

	*out = (struct answer){0};
	if (e != NULL)
		return e;
	e = lease_take(s, mem, lease, &ours);
	*lost = e == NULL && !ours;
	if (e == NULL && ours && m != NULL)
		e = answer_mail(s, mem, in, m, out);
	if (e == NULL)
		e = write_receipt(mem, out);
	out->state = "rejected";
	out->folder = "Rejected";
	out->why = why;
	if (e == NULL && ours)
		e = store_mail_done(s->store, mem, in->id, out->state, out->folder, out->game, out->player, out->why);
	if (e == NULL && ours)
		e = letter_to_operator(s, mem, "A mail could not be read",
			talloc_asprintf(mem,
				"Mail %lld could not be read in three tries.\n\nWhy: %s\n\n"
				"It lies in the folder %s of the mailbox. Look at it there; if it holds orders, ask "
				"its sender to send them again as plain text.",
				(long long)in->id, why, s->config->rejected_folder));
	if (e == NULL && ours)
		return store_commit(s->store, mem);
	store_rollback(s->store);
	*out = (struct answer){.state = NULL};
	return e;
}

/* Does the failure concern this mail or its game alone, so that other mails may go on? */
static bool is_its_own(const struct err *e)
{
	return e->scope == ERR_MAIL || e->scope == ERR_GAME;
}

struct err *intake_read(const struct service *s, TALLOC_CTX *mem, struct reader *reader, const struct incoming *in,
	const struct incoming *after, const char *lease, bool unwritten, struct answer *out, bool *lost)
{
	struct message *m;
	struct err *e = reader_read(mem, reader, READER_WHOLE, in->raw, in->raw_len, &m), *first;
	int tries = 0;

	*out = (struct answer){0};
	*lost = false;
	if (after != NULL)
		reader_ahead(reader, after->raw, after->raw_len);
	if (e == NULL)
		e = act_on(s, mem, in, m, lease, unwritten, out, lost);
	if (e == NULL || !is_its_own(e))
		return e;
	log_err(s->log, e);
	first = e;
	e = store_mail_failed(s->store, mem, in->id, first->what, &tries);
	if (e != NULL || tries < INTAKE_TRIES)
		return e;
	/* The header alone may still say whom to answer. */
	e = reader_read(mem, reader, READER_HEADERS, in->raw, in->raw_len, &m);
	if (e == NULL)
		e = reject(s, mem, in, m, first->what, lease, out, lost);
	if (e != NULL && is_its_own(e))
		e = reject(s, mem, in, NULL, first->what, lease, out, lost);
	if (e == NULL)
		log_line(s->log, LOG_LEVEL_WARN, "mail in %lld: rejected after %d tries", (long long)in->id, tries);
	return e;
}
