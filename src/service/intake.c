#include "service/intake.h"

#include "service/draft.h"
#include "service/lease.h"
#include "service/letters.h"

#include <sodium.h>
#include <string.h>
#include <strings.h>

enum { AHEAD_LEAST = 2 };

/* --- what the author sent ----------------------------------------------------------------------------------------- */

/* Fields that differ between two deliveries of one mail. */
static bool is_transport_field(const char *line, size_t len)
{
	static const char *const names[] = {"Received:", "Return-Path:", "Delivered-To:", "Envelope-To:",
		"Authentication-Results:", "Received-SPF:", "DKIM-Signature:", "ARC-", "X-", "Status:"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t n = strlen(names[i]);

		if (len >= n && (line[0] | ' ') == (names[i][0] | ' ') && strncasecmp(line, names[i], n) == 0)
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

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* Before the reader has nothing left in hand. */
static void read_ahead(struct reader *reader, const struct incoming *next, int count)
{
	struct raw_mail mails[READER_AHEAD_MAX];
	int held = reader_held(reader), n = 0;

	if (held > AHEAD_LEAST)
		return;
	for (int i = held; i < count && n < READER_AHEAD_MAX; i++)
		mails[n++] = (struct raw_mail){next[i].raw, next[i].raw_len};
	if (n > 0)
		reader_ahead(reader, mails, n);
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

/* As lease_begin; with a lease that the caller has made sure of, a transaction alone. */
static struct err *begin_ours(const struct service *s, TALLOC_CTX *mem, const char *lease, bool *ours)
{
	if (lease != NULL)
		return lease_begin(s, mem, lease, ours);
	*ours = true;
	return store_begin(s->store, mem);
}

/* What the mail says is done, and the ledger says so, or neither. */
static struct err *act_on(const struct service *s, TALLOC_CTX *mem, const struct incoming *in, const struct message *m,
	const char *lease, bool unwritten, struct answer *out, bool *lost)
{
	bool ours;
	struct err *e = begin_ours(s, mem, lease, &ours);

	*lost = e == NULL && !ours;
	if (e != NULL || !ours)
		return e;
	e = answer_mail(s, mem, in, m, out);
	if (e == NULL && !unwritten)
		e = write_receipt(mem, out);
	if (e == NULL)
		e = store_mail_done(s->store, mem, in->id, out->state, out->folder, out->game, out->player, out->why);
	e = store_end(s->store, mem, e);
	if (e != NULL)
		*out = (struct answer){.state = NULL};
	return e;
}

/* The last resort: the mail is put aside, whoever its header names is answered (`m` may be NULL: nobody), and the
 * operator is told. */
static struct err *reject(const struct service *s, TALLOC_CTX *mem, const struct incoming *in, const struct message *m,
	const char *why, const char *lease, struct answer *out, bool *lost)
{
	bool ours, again;
	struct err *e = begin_ours(s, mem, lease, &ours);

	*out = (struct answer){0};
	*lost = e == NULL && !ours;
	if (e != NULL || !ours)
		return e;
	e = store_mail_rejected_before(s->store, mem, in->id, &again);
	if (e == NULL && m != NULL && !again) /* else its sender knows */
		e = answer_mail(s, mem, in, m, out);
	if (e == NULL)
		e = write_receipt(mem, out);
	out->state = "rejected";
	out->folder = "Rejected";
	out->why = why;
	if (e == NULL)
		e = store_mail_done(s->store, mem, in->id, out->state, out->folder, out->game, out->player, out->why);
	if (e == NULL)
		e = letter_to_operator(s, mem, "A mail could not be read",
			talloc_asprintf(mem,
				"Mail %lld could not be read in three tries.\n\nWhy: %s\n\n"
				"It lies in the folder %s of the mailbox. Look at it there; if it holds orders, ask "
				"its sender to send them again as plain text.",
				(long long)in->id, why, s->config->rejected_folder));
	e = store_end(s->store, mem, e);
	if (e != NULL)
		*out = (struct answer){.state = NULL};
	return e;
}

/* Does the failure concern this mail or its game alone, so that other mails may go on? */
static bool is_its_own(const struct err *e)
{
	return e->scope == ERR_MAIL || e->scope == ERR_GAME;
}

struct err *intake_read(const struct service *s, TALLOC_CTX *mem, struct reader *reader, const struct incoming *in,
	int more, const char *lease, bool unwritten, struct answer *out, bool *lost)
{
	struct message *m;
	struct err *e = reader_read(mem, reader, READER_WHOLE, in->raw, in->raw_len, &m), *first;
	int tries = 0;

	*out = (struct answer){0};
	*lost = false;
	read_ahead(reader, in + 1, more);
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
