/* The doctor's look at the mail: the mailbox opened as a pass would, the sink likewise, and two mails to ourselves, one
 * with a plus address: what comes back, and what became of it on the way, decides how players can answer. */
#include "mail/compose.h"
#include "mail/sink.h"
#include "mail/source.h"
#include "service/account.h"
#include "service/doctor.h"
#include "service/lease.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { PLAIN, PLUS, KINDS, LOOK_EVERY_SECONDS = 2, CLOCKS_APART_SECONDS = 300 };

/* A mail to ourselves. */
struct errand {
	char *mark; /* in its subject, since servers may give it another Message-ID: how it is known again */
	char *to, *message_id;
	bool sent;
	struct message *back; /* NULL: not yet */
	struct source_item item;
};

struct round {
	struct doctor *doctor;
	TALLOC_CTX *mem;
	const struct service *service;
	struct source *source;
	int64_t begun;
	struct errand errands[KINDS];
	struct err *unread;
};

/* --- in ------------------------------------------------------------------------------------------------------------
 */

/* Mail that is no game's lies here: then other programs or people use the mailbox too. */
static void look_at_others(struct round *r, const struct source_list *list)
{
	struct account *account;
	struct err *e = account_load(r->service, r->mem, &account);
	int older = 0;

	for (int i = 0; e == NULL && i < list->count; i++)
		older += list->items[i].arrived < account->made;
	if (e == NULL && older > 0)
		doctor_advise(r->doctor,
			talloc_asprintf(r->mem, "%d mails in the mailbox are older than this set-up", older),
			"Galloper leaves them alone. But it moves and answers what comes from now on, so it must have "
			"a "
			"mailbox of its own, that nobody else reads.");
}

/* What to do about a server that was tried in vain, by the words that say why. `which`: "imap" or "smtp". */
static const char *advice(TALLOC_CTX *mem, const char *which, const char *why)
{
	static const struct {
		const char *word, *advice;
	} list[] = {
		{"certificate",
			"is the host's name written as your provider writes it? For a server of your own put the file "
			"with its authority's certificate after 'ca-file'."},
		{"command for the password", "try the command by hand, as the user that Galloper runs as."},
		{"cannot be reached",
			"are host and port what your provider says, and does this machine's network let it out?"},
		{"name", "is the host's name right, and has this machine a network?"},
		{"TLS", "the ports 993 and 465 want 'tls', 143 and 587 want 'starttls'."},
		{"protected", "the ports 993 and 465 want 'tls', 143 and 587 want 'starttls'."},
	};
	const char *text =
		strcmp(which, "imap") == 0
			? "if they are right, is IMAP switched on for this mailbox, and is the password one for "
			  "programs (app password)?"
			: "if they are right, may this account send by SMTP, and is the password one for programs "
			  "(app password)?";

	for (size_t i = sizeof list / sizeof *list; i-- > 0;)
		if (strstr(why, "refuses") == NULL && strstr(why, list[i].word) != NULL)
			text = list[i].advice;
	return talloc_asprintf(mem, "Look at the lines %s-... in the configuration: %s", which, text);
}

static bool open_mailbox(struct round *r, const struct source_settings *settings)
{
	const struct config *c = r->service->config;
	bool folders = c->incoming == TRANSPORT_MAILDIR;
	const struct source_kind *kind = folders ? &maildir_source : &imap_source;
	struct source_list list;
	struct err *e = kind->open(r->mem, settings, &r->source);

	if (e == NULL)
		e = kind->list(r->source, r->mem, &list);
	if (e != NULL) {
		doctor_fault(r->doctor, err_text(r->mem, e),
			folders ? "Look at 'maildir-in' in the configuration."
				: advice(r->mem, "imap", err_text(r->mem, e)));
		return false;
	}
	if (folders)
		doctor_fine(
			r->doctor, r->mem, "mail comes in through the folder %s: %d there", c->maildir_in, list.count);
	else
		doctor_fine(r->doctor, r->mem, "log-in to %s over a verified connection; %d mails in %s", c->imap.host,
			list.count, c->mailbox);
	look_at_others(r, &list);
	return true;
}

/* --- out -----------------------------------------------------------------------------------------------------------
 */

static struct err *write_errand(struct round *r, int kind, char **bytes, size_t *len)
{
	const struct config *c = r->service->config;
	struct errand *errand = &r->errands[kind];
	const char *at = strchr(c->address, '@');
	struct mail mail = {
		.from_address = c->address,
		.from_name = c->sender_name,
		.text = "A mail that Galloper's doctor has sent to its own mailbox, to see whether it arrives.\n",
		.date = r->begun,
		.automatic = AUTO_GENERATED,
		.kind = "doctor",
	};

	errand->to = kind == PLUS
			     ? talloc_asprintf(r->mem, "%.*s+doctor@%s", (int)(at - c->address), c->address, at + 1)
			     : talloc_strdup(r->mem, c->address);
	errand->message_id = message_id_new(r->mem, NULL, c->address);
	errand->mark = talloc_strndup(r->mem, errand->message_id + 1, strcspn(errand->message_id + 1, "@"));
	mail.to_address = errand->to;
	mail.message_id = errand->message_id;
	mail.subject = talloc_asprintf(r->mem, "Galloper's doctor %s", errand->mark);
	return mail_compose(r->mem, &mail, bytes, len);
}

static void say_not_sent(struct round *r, int kind, const struct sink_result *result)
{
	if (kind == PLUS)
		doctor_advise(r->doctor, result->text, "That was a mail to an address with a plus sign: see below.");
	else
		doctor_fault(r->doctor, result->text, advice(r->mem, "smtp", result->text));
}

static void send_errands(struct round *r)
{
	const struct config *c = r->service->config;
	struct sink_settings settings = sink_settings_from(c);
	struct sink *sink = NULL;
	struct err *e = smtp_sink.open(r->mem, &settings, &sink);

	for (int kind = 0; e == NULL && kind < KINDS; kind++) {
		struct sink_message m = {.from = c->address};
		struct sink_result result;
		char *bytes;

		e = write_errand(r, kind, &bytes, &m.len);
		if (e != NULL)
			break;
		m.bytes = bytes;
		m.to = r->errands[kind].to;
		sink->kind->send(sink, r->mem, &m, &result);
		r->errands[kind].sent = result.outcome == SINK_SENT;
		if (!r->errands[kind].sent)
			say_not_sent(r, kind, &result);
		if (kind == PLAIN && !r->errands[kind].sent)
			break;
	}
	talloc_free(sink);
	if (e != NULL)
		doctor_fault(r->doctor, err_text(r->mem, e), advice(r->mem, "smtp", err_text(r->mem, e)));
	else if (r->errands[PLAIN].sent)
		doctor_fine(r->doctor, r->mem, "%s takes mail from us over a verified connection", c->smtp.host);
}

/* --- back again ----------------------------------------------------------------------------------------------------
 */

static struct err *take(void *context, TALLOC_CTX *mem, const struct source_item *item, const char *raw, size_t len)
{
	struct round *r = context;

	(void)mem;
	for (int kind = 0; kind < KINDS; kind++) {
		struct errand *errand = &r->errands[kind];

		if (!errand->sent || errand->back != NULL ||
			memmem(raw, len, errand->mark, strlen(errand->mark)) == NULL)
			continue;
		errand->item = *item;
		errand->item.uid = talloc_strdup(r->mem, item->uid);
		r->unread = reader_read(r->mem, r->doctor->reader, READER_WHOLE, raw, len, &errand->back);
		return r->unread;
	}
	return NULL;
}

static bool all_back(const struct round *r)
{
	for (int kind = 0; kind < KINDS; kind++)
		if (r->errands[kind].sent && r->errands[kind].back == NULL)
			return false;
	return true;
}

/* One look into the mailbox, on a connection of its own: some servers show new mail only so. */
static struct err *look(struct round *r, const struct source_settings *settings)
{
	struct source_list *list = talloc_zero(r->mem, struct source_list);
	struct source_item *fresh;
	int count = 0, missed;
	struct err *e;

	talloc_free(r->source);
	r->source = NULL;
	e = imap_source.open(r->mem, settings, &r->source);
	if (e == NULL)
		e = r->source->kind->list(r->source, r->mem, list);
	if (e != NULL)
		return e;
	fresh = talloc_array(r->mem, struct source_item, (unsigned)list->count + 1);
	for (int i = 0; i < list->count; i++)
		if (list->items[i].arrived >= r->begun - 2 * CLOCKS_APART_SECONDS)
			fresh[count++] = list->items[i];
	return count == 0 ? NULL : r->source->kind->fetch(r->source, r->mem, fresh, count, take, r, &missed);
}

static void say_authentication(struct round *r, const char *said)
{
	bool spf = strcasestr(said, "spf=pass") != NULL, dkim = strcasestr(said, "dkim=pass") != NULL;

	if (*said == '\0')
		doctor_advise(r->doctor, "the mailbox's server does not say whether SPF and DKIM are right",
			"Send a mail from this account to one at another provider and look at its source there: SPF "
			"and DKIM "
			"should both say 'pass', or schools may refuse our mails.");
	else if (spf && dkim)
		doctor_fine(r->doctor, r->mem, "SPF and DKIM are right");
	else
		doctor_advise(r->doctor,
			talloc_asprintf(r->mem, "%s not say 'pass' for a mail of ours",
				spf    ? "DKIM does"
				: dkim ? "SPF does"
				       : "SPF and DKIM do"),
			"Ask whoever looks after the mail domain to set up both, or schools may refuse our mails.");
}

static void say_way(struct round *r, const struct errand *errand)
{
	const struct message *m = errand->back;
	int64_t apart = errand->item.arrived - r->begun;

	if (apart < -CLOCKS_APART_SECONDS || apart > CLOCKS_APART_SECONDS + r->doctor->wait_seconds)
		doctor_fault(r->doctor,
			talloc_asprintf(r->mem, "the mail server's clock and this machine's are %lld seconds apart",
				(long long)apart),
			"Deadlines go by the server's time of arrival. Set this machine's clock: timedatectl set-ntp "
			"true");
	if (strcmp(m->message_id, errand->message_id) == 0)
		doctor_fine(r->doctor, r->mem, "its Message-ID came back as it was");
	else
		doctor_advise(r->doctor, "the mail server gives our mails another Message-ID",
			"That is known of some providers and does no harm: the reply token stands in the subject too.");
	say_authentication(r, m->authentication);
}

static void say_plus(struct round *r)
{
	const struct config *c = r->service->config;
	bool kept = false;

	for (int i = 0; r->errands[PLUS].back != NULL && i < r->errands[PLUS].back->recipient_count; i++)
		kept = kept || strcasecmp(r->errands[PLUS].back->recipients[i].tag, "doctor") == 0;
	if (kept && c->plus_addressing)
		doctor_fine(r->doctor, r->mem, "addresses with a plus sign reach the mailbox");
	else if (kept)
		doctor_advise(r->doctor, "addresses with a plus sign reach the mailbox, but are not used",
			"Set 'plus-addressing yes': one more way in which an answer can prove whose it is.");
	else if (c->plus_addressing)
		doctor_fault(r->doctor, "a mail to an address with a plus sign did not come back",
			"Set 'plus-addressing no' in the configuration, or players' answers will be lost.");
	else
		doctor_fine(r->doctor, r->mem, "addresses with a plus sign do not reach the mailbox, and are not used");
}

static void file_away(struct round *r)
{
	struct source_item items[KINDS];
	struct err *e;
	int count = 0;

	for (int kind = 0; kind < KINDS; kind++)
		if (r->errands[kind].back != NULL)
			items[count++] = r->errands[kind].item;
	if (count == 0 || r->source == NULL)
		return;
	e = r->source->kind->file(r->source, r->mem, items, count, SOURCE_PROCESSED);
	if (e != NULL)
		doctor_fault(r->doctor, err_text(r->mem, e),
			"Mails that are done with are moved to that folder. May this account make folders? If they "
			"lie elsewhere on this server, name them: 'processed-folder INBOX.Processed', and "
			"'rejected-folder' likewise.");
	else
		doctor_fine(
			r->doctor, r->mem, "mails can be moved to the folder %s", r->service->config->processed_folder);
}

static void wait_for_errands(struct round *r, const struct source_settings *settings)
{
	struct err *e = NULL;

	for (int waited = 0; e == NULL && !all_back(r) && waited <= r->doctor->wait_seconds;
		waited += LOOK_EVERY_SECONDS) {
		e = look(r, settings);
		if (e == NULL && !all_back(r))
			sleep(LOOK_EVERY_SECONDS);
	}
	if (e != NULL) {
		doctor_fault(r->doctor, err_text(r->mem, e), "The mailbox could be read before. Try again in a while.");
		return;
	}
	if (r->errands[PLAIN].back == NULL) {
		doctor_fault(r->doctor,
			talloc_asprintf(r->mem, "a mail from us to %s did not come into %s within %d seconds",
				r->service->config->address, r->service->config->mailbox, r->doctor->wait_seconds),
			"Is 'address' the address of this mailbox? Look into its spam folder too.");
		return;
	}
	doctor_fine(r->doctor, r->mem, "a mail to ourselves came back");
	say_way(r, &r->errands[PLAIN]);
	say_plus(r);
	file_away(r);
}

/* --- all of it -----------------------------------------------------------------------------------------------------
 */

/* While we wait for our own mails no pass may take them in. */
static bool hold_fetching(struct doctor *d, TALLOC_CTX *mem, const struct service *s)
{
	bool got = false;

	for (int waited = 0; !got && waited <= d->wait_seconds; waited += LOOK_EVERY_SECONDS) {
		struct err *e = lease_take(s, mem, "fetch", &got);

		if (e != NULL) {
			doctor_fault(d, err_text(mem, e), "See above for the database.");
			return false;
		}
		if (!got)
			sleep(LOOK_EVERY_SECONDS);
	}
	if (!got)
		doctor_advise(d, "a daemon or a tick is busy with the mailbox", "Call the doctor again in a while.");
	return got;
}

void doctor_mail(struct doctor *d, TALLOC_CTX *mem, const struct service *s)
{
	const struct config *c = s->config;
	struct source_settings settings = source_settings_from(c);
	struct round r = {.doctor = d, .mem = mem, .service = s, .begun = clock_now(&d->clock)};
	bool loop = c->incoming != TRANSPORT_MAILDIR && c->outgoing != TRANSPORT_MAILDIR && d->wait_seconds > 0;

	if (c->incoming == TRANSPORT_MAILDIR && c->imap.host[0] != '\0')
		doctor_advise(d, "imap-host names a server, but mail comes in through a folder",
			"To read from the server, write 'incoming imap' in the configuration.");
	if (c->outgoing == TRANSPORT_MAILDIR && c->smtp.host[0] != '\0')
		doctor_advise(d, "smtp-host names a server, but mail goes out into folders",
			"To send through the server, write 'outgoing smtp' in the configuration.");
	if (c->outgoing == TRANSPORT_MAILDIR)
		doctor_fine(d, mem, "mail goes out into folders under %s, not to a server", c->maildir_out);
	if (!hold_fetching(d, mem, s))
		return;
	if (open_mailbox(&r, &settings) && c->outgoing != TRANSPORT_MAILDIR) {
		send_errands(&r);
		if (loop && r.errands[PLAIN].sent)
			wait_for_errands(&r, &settings);
	}
	talloc_free(r.source);
	lease_end(s, mem, "fetch");
}
