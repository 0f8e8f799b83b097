#include "mail/compose.h"

#include "base/address.h"
#include "base/buf.h"
#include "base/clock.h"
#include "mail/encode.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

enum {
	ID_MAX = 250,          /* a longer message id is nobody's */
	CUT_FIRST = 32 * 1024, /* bytes of text that a cut mail shows, halved until the mail is small enough */
	BOUNDARY_BYTES = 12,
	ID_RANDOM_BYTES = 8,
};

/* "=_" cannot stand in quoted-printable text, so no line of a part can be taken for a boundary (RFC 2045, 6.7). */
struct boundary {
	char text[4 + 2 * BOUNDARY_BYTES + 1];
};

static struct boundary boundary_of(const char *message_id, char mark)
{
	unsigned char hash[crypto_generichash_BYTES];
	struct boundary b = {{'=', '_', mark, '_'}};

	crypto_generichash(hash, sizeof hash, (const unsigned char *)message_id, strlen(message_id), NULL, 0);
	sodium_bin2hex(b.text + 4, sizeof b.text - 4, hash, BOUNDARY_BYTES);
	return b;
}

/* --- message ids ---------------------------------------------------------------------------------------------------*/

/* The length of the message id that `text` begins with, 0 if it is none. */
static size_t id_length(const char *text)
{
	size_t n = 1;

	if (*text != '<')
		return 0;
	while (text[n] > ' ' && text[n] <= '~' && text[n] != '<' && text[n] != '>')
		n++;
	return text[n] == '>' && n > 1 && n < ID_MAX ? n + 1 : 0;
}

/* The ids in a header of somebody else's mail: the first and the newest of them. *count is how many. */
static const char **ids_in(TALLOC_CTX *mem, const char *text, int *count)
{
	const char **ids = talloc_array(mem, const char *, MAIL_REFERENCES_MAX);

	*count = 0;
	for (const char *p = strchr(text, '<'); p != NULL; p = strchr(p + 1, '<')) {
		size_t n = id_length(p);

		if (n == 0)
			continue;
		if (*count == MAIL_REFERENCES_MAX) {
			memmove(&ids[1], &ids[2], (MAIL_REFERENCES_MAX - 2) * sizeof ids[0]);
			(*count)--;
		}
		ids[(*count)++] = talloc_strndup(ids, p, n);
	}
	return ids;
}

char *message_id_new(TALLOC_CTX *mem, const char *token, const char *address)
{
	unsigned char random[ID_RANDOM_BYTES];
	char hex[2 * ID_RANDOM_BYTES + 1];

	randombytes_buf(random, sizeof random);
	sodium_bin2hex(hex, sizeof hex, random, sizeof random);
	return buf_text(mem, "<g.%s%s%s@%s>", token == NULL ? "" : token, token == NULL ? "" : ".", hex,
		address_domain(address));
}

/* --- headers -------------------------------------------------------------------------------------------------------*/

static void add_thread(struct buf *out, const struct mail *m)
{
	TALLOC_CTX *work = talloc_new(NULL);
	const char **ids;
	int count;

	encode_words_field(out, "Message-ID", &m->message_id, 1);
	ids = ids_in(work, m->in_reply_to == NULL ? "" : m->in_reply_to, &count);
	if (count > 0)
		encode_words_field(out, "In-Reply-To", ids, 1);
	ids = ids_in(work, m->references == NULL ? "" : m->references, &count);
	if (count > 0)
		encode_words_field(out, "References", ids, count);
	talloc_free(work);
}

/* What tells other machines not to answer, and ourselves that the mail is ours (RFC 3834; RFC 2919 for List-Id). */
static void add_marks(struct buf *out, const struct mail *m)
{
	buf_printf(out, "Auto-Submitted: %s\r\n", m->automatic == AUTO_REPLIED ? "auto-replied" : "auto-generated");
	buf_adds(out, "Precedence: bulk\r\nX-Auto-Response-Suppress: All\r\n");
	if (m->game != NULL) {
		buf_adds(out, "List-Id: <");
		for (const char *p = m->game; *p != '\0' && p - m->game < ADDRESS_LOCAL_MAX; p++)
			buf_addc(out, (*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9') ? *p : '-');
		buf_printf(out, ".galloper.%s>\r\n", address_domain(m->from_address));
	}
	buf_printf(out, "X-Galloper-Loop: %s\r\n", m->from_address);
	if (m->kind != NULL)
		encode_text_field(out, "X-Galloper-Mail", m->kind);
}

static void add_headers(struct buf *out, const struct mail *m)
{
	TALLOC_CTX *work = talloc_new(NULL);

	buf_printf(out, "Date: %s\r\n", clock_rfc5322(work, m->date));
	encode_mailbox_field(out, "From", m->from_name, m->from_address);
	encode_mailbox_field(out, "To", NULL, m->to_address);
	if (m->reply_to != NULL)
		encode_mailbox_field(out, "Reply-To", m->from_name, m->reply_to);
	encode_text_field(out, "Subject", m->subject);
	add_thread(out, m);
	add_marks(out, m);
	buf_adds(out, "MIME-Version: 1.0\r\n");
	talloc_free(work);
}

/* --- parts ---------------------------------------------------------------------------------------------------------*/

/* A fixed-width block, for mail programs that show plain text in a proportional letter. */
static char *html_of(TALLOC_CTX *mem, const char *text)
{
	struct buf *b = buf_new(mem);

	buf_adds(b, "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"></head><body>\n"
		    "<pre style=\"font-family:Consolas,Menlo,'Courier New',monospace;"
		    "line-height:1.15;font-size:13px;white-space:pre\">\n");
	for (const char *p = text; *p != '\0'; p++) {
		if (*p == '&')
			buf_adds(b, "&amp;");
		else if (*p == '<')
			buf_adds(b, "&lt;");
		else if (*p == '>')
			buf_adds(b, "&gt;");
		else
			buf_addc(b, *p);
	}
	buf_adds(b, "</pre>\n</body></html>\n");
	return buf_finish(mem, b);
}

static void add_part(struct buf *out, const char *boundary, const char *type, const char *more, const char *text)
{
	buf_printf(out,
		"--%s\r\nContent-Type: text/%s; charset=utf-8%s\r\n"
		"Content-Transfer-Encoding: quoted-printable\r\n\r\n",
		boundary, type, more);
	encode_body(out, text, strlen(text));
	buf_adds(out, "\r\n"); /* the line end before a boundary is the boundary's (RFC 2046, 5.1.1) */
}

/* The two forms of the text, with the header that says so. */
static void add_alternative(struct buf *out, const char *boundary, const char *text, const char *html)
{
	buf_printf(out, "Content-Type: multipart/alternative; boundary=\"%s\"\r\n\r\n", boundary);
	add_part(out, boundary, "plain", "", text);
	add_part(out, boundary, "html", "", html == NULL ? html_of(out, text) : html);
	buf_printf(out, "--%s--\r\n", boundary);
}

/* The first lines of `text`, at most `max` bytes of them, and where the rest is. */
static char *cut_text(TALLOC_CTX *mem, const char *text, size_t max)
{
	size_t n = strnlen(text, max);

	while (n > 0 && text[n - 1] != '\n')
		n--;
	return talloc_asprintf(mem,
		"%.*s\n[This mail is too long to be shown whole.\nAll of it is in the attached file report.txt.]\n",
		(int)n, text);
}

static struct err *check(TALLOC_CTX *mem, const struct mail *m)
{
	if (!address_valid(m->from_address))
		return err_new(mem, ERR_MAIL, false, NULL, "the game's own address is none that mail can be sent from");
	if (!address_valid(m->to_address))
		return err_new(mem, ERR_MAIL, false, NULL, "this is no address that mail can be sent to");
	if (m->reply_to != NULL && !address_valid(m->reply_to))
		return err_new(mem, ERR_MAIL, false, NULL, "this is no address that can be answered to");
	if (m->message_id == NULL || id_length(m->message_id) != strlen(m->message_id))
		return err_new(mem, ERR_MAIL, false, NULL, "a mail needs a message id");
	return NULL;
}

/* Puts what stands in the mail from `body` on into a multipart/mixed, with the attachment behind it. */
static void attach(struct buf *mail, size_t body, const char *boundary, const char *attachment)
{
	char *shown = talloc_strdup(mail, mail->data + body);

	buf_cut(mail, body);
	buf_printf(mail, "Content-Type: multipart/mixed; boundary=\"%s\"\r\n\r\n--%s\r\n", boundary, boundary);
	buf_adds(mail, shown);
	add_part(mail, boundary, "plain",
		"; name=\"report.txt\"\r\nContent-Disposition: attachment; filename=\"report.txt\"", attachment);
	buf_printf(mail, "--%s--\r\n", boundary);
}

struct err *mail_compose(TALLOC_CTX *mem, const struct mail *m, char **out, size_t *len)
{
	struct err *e = check(mem, m);
	struct boundary inner;
	const char *attachment = m->attachment;
	struct buf *mail;
	size_t body;

	if (e != NULL)
		return e;
	inner = boundary_of(m->message_id, 'a');
	mail = buf_new(mem);
	add_headers(mail, m);
	body = mail->len;
	add_alternative(mail, inner.text, m->text, m->html);
	for (size_t max = CUT_FIRST; mail->len > MAIL_BYTES_SOFT_MAX; max /= 2) {
		if (attachment == NULL)
			attachment = m->text;
		buf_cut(mail, body);
		add_alternative(mail, inner.text, cut_text(mail, m->text, max), NULL);
	}
	if (attachment != NULL)
		attach(mail, body, boundary_of(m->message_id, 'm').text, attachment);
	*len = mail->len;
	*out = buf_finish(mem, mail);
	return NULL;
}
