#include "service/pass.h"

#include "base/memory.h"
#include "mail/sink.h"
#include "mail/source.h"
#include "service/account.h"
#include "service/acting.h"
#include "service/digest.h"
#include "service/dispatch.h"
#include "service/hold.h"
#include "service/intake.h"
#include "service/lease.h"
#include "service/scenarios.h"
#include "service/templates.h"

#include <string.h>

enum {
	AWAY_UNTOLD = 4,    /* a server that is away for minutes is no news for the operator */
	LACK_UNTOLD = 3600, /* nor is a mail that is on its way: seconds */
};

static const char fetch_lease[] = "fetch", schedule_lease[] = "schedule", dispatch_lease[] = "dispatch";

/* What one part of a pass hands to the next. */
struct under_way {
	const struct pass *pass;
	struct passed *out;
	bool later;                      /* what came in is acted on when all has come */
	struct source_settings settings; /* of the mailbox, for as long as it is open */
	struct filing *filing;           /* of the mailbox as it was polled; NULL for none */
};

static bool stopping(const struct pass *p)
{
	return service_stopping(p->service);
}

/* --- in ----------------------------------------------------------------------------------------------------------- */

/* While more mails are on their way. An error comes again when the rest is acted on, and is told then. */
static void act_meanwhile(void *context, TALLOC_CTX *mem)
{
	struct under_way *w = context;
	const struct pass *p = w->pass;
	TALLOC_CTX *scratch = talloc_new(mem);
	bool more, got;
	struct err *e;

	if (!w->later && reader_begun(p->reader)) {
		e = lease_take(p->service, scratch, schedule_lease, &got);
		if (e == NULL && got)
			e = acting_group(p, scratch, schedule_lease, &more, w->out);
		w->later = e != NULL || !got;
		if (got)
			lease_end(p->service, scratch, schedule_lease);
	}
	talloc_free(scratch);
}

/* The mailbox answers, but does not give all that it has. Deadlines wait for that; so if it goes on, somebody must
 * know. */
static struct err *tell_of_lack(const struct service *s, TALLOC_CTX *mem, const struct fetched *f)
{
	log_line(s->log, LOG_LEVEL_WARN, "the mailbox could not be read whole: %s", f->lacks);
	if (clock_now(&s->clock) - f->since < LACK_UNTOLD)
		return NULL;
	return tell_operator(s, mem, "mailbox", "The mailbox cannot be read whole",
		talloc_asprintf(mem,
			"Galloper can read its mailbox, but not all of it: %s. What did come has been dealt with; "
			"turns wait "
			"for the rest until their grace has run out.\n\nPlease look into the mailbox with a mail "
			"program. If "
			"it shows a mail that Galloper has not answered, move it out of the mailbox and ask its sender "
			"to "
			"send it again.",
			f->lacks));
}

static struct err *fetch(const struct pass *p, TALLOC_CTX *mem, struct under_way *w)
{
	const struct service *s = p->service;
	const struct source_kind *kind = s->config->incoming == TRANSPORT_MAILDIR ? &maildir_source : &imap_source;
	struct passed *out = w->out;
	struct intake how = {.kind = kind,
		.settings = &w->settings,
		.reader = p->reader,
		.lease = fetch_lease,
		.meanwhile = act_meanwhile,
		.context = w};
	struct fetched fetched;
	const char *held;
	int times = 0;
	struct err *e;

	e = hold_ask(s, mem, HOLD_INCOMING, &held);
	if (e != NULL || held != NULL) {
		out->mailbox_trouble = true;
		if (e == NULL)
			log_line(s->log, LOG_LEVEL_WARN, "the mailbox is not read: %s", held);
		return e;
	}
	w->settings = source_settings_from(s->config);
	w->settings.stop = s->stop;
	e = intake_fetch(s, mem, &how, &fetched);
	if (e != NULL)
		return e;
	out->fetched = fetched.added;
	if (fetched.mailbox != NULL)
		w->filing = intake_filing(s, mem, fetched.mailbox, fetch_lease);
	if (fetched.lacks != NULL)
		e = tell_of_lack(s, mem, &fetched);
	if (e != NULL || fetched.trouble == NULL)
		return e != NULL ? e : hold_end(s, mem, HOLD_INCOMING);
	out->mailbox_trouble = true;
	log_err(s->log, fetched.trouble);
	e = hold_begin(s, mem, HOLD_INCOMING, !fetched.trouble->retry, err_text(mem, fetched.trouble), &times);
	if (e != NULL || (fetched.trouble->retry && times < AWAY_UNTOLD))
		return e;
	return tell_operator(s, mem, "mailbox", "The mailbox refuses",
		talloc_asprintf(mem, "Galloper cannot read its mailbox: %s\n\nNo orders are read until this is mended.",
			err_text(mem, fetched.trouble)));
}

/* What has been acted on leaves the mailbox in the same pass: with `all` now, else while others are acted on. */
static struct err *file_some(const struct pass *p, TALLOC_CTX *mem, struct under_way *w, bool all)
{
	const struct err *trouble;
	struct account *account;
	struct err *e;
	int64_t since;
	int moved;

	if (w->filing == NULL)
		return NULL;
	e = intake_file(w->filing, mem, all, &moved, &trouble);
	if (e != NULL || trouble == NULL)
		return e;
	w->out->filing_trouble = true;
	log_err(p->service->log, trouble);
	e = account_load(p->service, mem, &account);
	if (e == NULL)
		e = store_mail_moving_since(p->service->store, mem, account->id, &since);
	if (e != NULL || (trouble->retry && clock_now(&p->service->clock) - since < LACK_UNTOLD))
		return e;
	return tell_operator(p->service, mem, "mailbox", "Mails cannot be moved",
		talloc_asprintf(mem,
			"Galloper cannot move mails that it has dealt with out of its mailbox: %s\n\nNothing is lost "
			"by that, and new orders are read, but the mailbox fills up: is it full, or is the folder that "
			"they go to?",
			err_text(mem, trouble)));
}

/* Memory that only reading took: what sending takes need not come on top of it. */
static void give_back(const struct service *s)
{
	store_trim(s->store);
	memory_trim();
}

/* What is sent next must be on the disk before (dispatch.c): written there while the server moves the last mails. */
static struct err *make_safe(const struct service *s, TALLOC_CTX *mem)
{
	struct err *e = store_set_safety(s->store, mem, STORE_DURABLE), *back;
	bool ours;

	if (e == NULL)
		e = lease_renew(s, mem, fetch_lease, &ours);
	back = store_set_safety(s->store, mem, STORE_ORDERED);
	return e == NULL ? back : e;
}

static struct err *file(const struct pass *p, TALLOC_CTX *mem, struct under_way *w)
{
	struct err *e = file_some(p, mem, w, false);

	if (e == NULL && w->out->read > 0) {
		e = make_safe(p->service, mem);
		give_back(p->service);
	}
	if (e == NULL)
		e = file_some(p, mem, w, true);
	TALLOC_FREE(w->filing);
	return e;
}

/* --- what it says, and what is due ------------------------------------------------------------------------------- */

static struct err *read_all(const struct pass *p, TALLOC_CTX *mem, struct under_way *w)
{
	bool more = true;
	int filed = 0;
	struct err *e = NULL;

	while (e == NULL && more && !stopping(p)) {
		e = acting_group(p, mem, schedule_lease, &more, w->out);
		/* Each move costs a server what many mails in it cost. */
		if (e == NULL && w->out->read - filed >= SOURCE_MOVE_MAILS) {
			filed = w->out->read;
			e = file_some(p, mem, w, false);
		}
	}
	return e;
}

static struct err *act(const struct pass *p, TALLOC_CTX *mem, struct under_way *w)
{
	struct passed *out = w->out;
	struct deadlines met;
	int ready = 0;
	struct err *e = read_all(p, mem, w);

	if (e == NULL && !stopping(p))
		e = schedule_ready(p->service, mem, 0, schedule_lease, &ready);
	out->resolved += ready;
	if (e == NULL && !stopping(p))
		e = acting_deadlines(p, mem, schedule_lease, INT64_MAX, &met, out);
	if (e == NULL && !stopping(p))
		e = schedule_releases(p->service, mem, schedule_lease, &out->released);
	if (e == NULL && !stopping(p))
		e = schedule_reminders(p->service, mem, schedule_lease, &out->reminded);
	if (e == NULL && !stopping(p))
		e = digest_send(p->service, mem, schedule_lease);
	return e;
}

/* --- out ---------------------------------------------------------------------------------------------------------- */

static struct err *send_out(const struct pass *p, TALLOC_CTX *mem, struct under_way *w)
{
	struct passed *out = w->out;
	const struct service *s = p->service;
	struct sink_settings settings = sink_settings_from(s->config);
	const struct sink_kind *kind = s->config->outgoing == TRANSPORT_MAILDIR ? &maildir_sink : &smtp_sink;
	struct dispatched done;
	struct sink *sink;
	const char *held;
	int times;
	struct err *e = hold_ask(s, mem, HOLD_OUTGOING, &held);

	if (e != NULL || held != NULL) {
		out->sending_trouble = true;
		if (e == NULL)
			log_line(s->log, LOG_LEVEL_WARN, "mail is not sent: %s", held);
		return e;
	}
	settings.stop = s->stop;
	e = kind->open(mem, &settings, &sink);
	if (e != NULL) {
		out->sending_trouble = true;
		log_err(s->log, e);
		return tell_operator(s, mem, "sending", "Mail cannot be sent", err_text(mem, e));
	}
	done = (struct dispatched){0};
	e = dispatch_recover(s, mem);
	if (e == NULL)
		e = dispatch(s, mem, sink, dispatch_lease, &done);
	talloc_free(sink);
	out->sent = done.sent;
	if (e == NULL && done.sent > 0)
		e = hold_end(s, mem, HOLD_OUTGOING);
	if (e != NULL || !done.stopped)
		return e;
	out->sending_trouble = true;
	log_line(s->log, LOG_LEVEL_WARN, "mail cannot be sent: %s", done.trouble);
	e = hold_begin(s, mem, HOLD_OUTGOING, done.refused_us, done.trouble, &times);
	if (e != NULL || (!done.refused_us && times < AWAY_UNTOLD))
		return e;
	return tell_operator(s, mem, "sending", "Mail cannot be sent",
		talloc_asprintf(mem, "Galloper cannot send mail: %s\n\nWhat is to be sent waits and is tried again.",
			done.trouble));
}

/* A fault of ours that is not a server's, such as a template that is gone: nothing is lost, but all waits for somebody
 * to mend it. If he cannot be told, the log has it all the same. */
static void tell_of_fault(const struct service *s, TALLOC_CTX *mem, const struct err *e)
{
	struct err *untold = tell_operator(s, mem, "fault", "Galloper cannot go on",
		talloc_asprintf(mem,
			"Galloper cannot go on with its work: %s\n\nMails and turns wait until this is mended; then "
			"they go "
			"on by themselves.",
			err_text(mem, e)));

	if (untold != NULL && strcmp(untold->what, e->what) != 0)
		log_err(s->log, untold);
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

struct part {
	const char *lease;
	const char *doing; /* what another process is at that has the lease */
	struct err *(*make)(const struct pass *p, TALLOC_CTX *mem, struct under_way *w);
};

/* A process that lives renews its lease; one that is gone, where that cannot be known (in another container), has it
 * until it runs out. */
static struct err *note_busy(const struct pass *p, TALLOC_CTX *mem, const struct part *part, struct passed *out)
{
	const char *before = out->busy != NULL ? out->busy : "";
	int64_t until;
	struct err *e = lease_until(p->service, mem, part->lease, &until);

	log_line(p->service->log, LOG_LEVEL_INFO, "%s: another process is at it", part->lease);
	if (e == NULL && strstr(before, part->doing) == NULL)
		out->busy = talloc_asprintf(mem,
			"%s%sAnother process is %s. Should it have died, what it leaves waits until %s and is done by "
			"the "
			"next pass then.",
			before, before[0] != '\0' ? " " : "", part->doing, clock_iso(mem, until));
	return e;
}

static struct err *under_lease(
	const struct pass *p, TALLOC_CTX *mem, const struct part *part, bool *begun, struct under_way *w)
{
	bool got;
	struct err *e = lease_take(p->service, mem, part->lease, &got);

	*begun = e == NULL;
	if (e != NULL)
		return e;
	if (!got)
		return note_busy(p, mem, part, w->out);
	e = part->make(p, mem, w);
	lease_end(p->service, mem, part->lease);
	return e;
}

enum { TO_READ = 3, ALL_PARTS = 4 };

/* The first so many of them. */
static struct err *make_some(const struct pass *p, TALLOC_CTX *mem, int count, struct under_way *w)
{
	static const char at_mailbox[] = "at the mailbox", acting[] = "reading mails and playing turns";
	static const struct part parts[ALL_PARTS] = {{fetch_lease, at_mailbox, fetch}, {schedule_lease, acting, act},
		{fetch_lease, at_mailbox, file}, {dispatch_lease, "sending mail", send_out}};
	struct err *first = NULL;

	for (int i = 0; i < count && !stopping(p); i++) {
		bool begun;
		struct err *e = under_lease(p, mem, &parts[i], &begun, w);

		/* The ledger cannot even take a lease: the other parts would wait for it as long. */
		if (e != NULL && !begun)
			return first != NULL ? first : e;
		if (e != NULL && strcmp(e->where, p->service->config->database) != 0)
			tell_of_fault(p->service, mem, e);
		if (e != NULL && first == NULL)
			first = e;
		else if (e != NULL && strcmp(e->what, first->what) != 0) /* a full disk stops them all: said once */
			log_err(p->service->log, e);
	}
	return first;
}

/* A mailbox that is still filed when they are broken off is closed here, before its settings are gone. */
static struct err *make_parts(const struct pass *p, TALLOC_CTX *mem, int count, struct passed *out)
{
	struct under_way w = {.pass = p, .out = out};
	struct err *e = make_some(p, mem, count, &w);

	talloc_free(w.filing);
	return e;
}

/* Most of a pass need not wait for the disk. Should the machine fail, what was done last is undone, in order: mails
 * that were acted on wait again and are read again, turns are due again, and nobody has seen anything of it yet. Two
 * things wait: a mail is durable before it may be moved in its mailbox (intake.c), and whatever is sent, with all that
 * it tells of, before it is sent (dispatch.c). */
static struct err *make(const struct pass *p, TALLOC_CTX *mem, int parts, struct passed *out)
{
	struct store *store = p->service->store;
	struct err *e = store_set_safety(store, mem, STORE_ORDERED), *back;

	*out = (struct passed){0};
	scenarios_forget(p->service->scenarios);
	templates_forget(p->service->templates);
	if (e == NULL)
		e = make_parts(p, mem, parts, out);
	back = store_set_safety(store, mem, STORE_DURABLE);
	store_trim(store);
	return e == NULL ? back : e;
}

struct err *pass_make(const struct pass *p, TALLOC_CTX *mem, struct passed *out)
{
	return make(p, mem, ALL_PARTS, out);
}

struct err *pass_read(const struct pass *p, TALLOC_CTX *mem, struct passed *out)
{
	return make(p, mem, TO_READ, out);
}
