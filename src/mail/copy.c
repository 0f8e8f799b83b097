#include "mail/copy.h"

#include "base/buf.h"
#include "base/text.h"
#include "mail/html.h"

#include <string.h>
#include <strings.h>

enum { HEADER_LINE_MAX = 900 /* RFC 5322, 2.1.1: less than 998 */ };

struct copying {
	struct buf *out;
	const struct charsets *charsets;
	const char *words; /* of the last part that was text, folded; "" for none */
};

/* Keeps to whole lines. */
static void put_text(struct copying *c, const char *text, size_t len)
{
	size_t n;
	char *plain = text_plain(c->out, text, len, &n);

	buf_add(c->out, plain, n);
	if (n > 0 && plain[n - 1] != '\n')
		buf_addc(c->out, '\n');
	talloc_free(plain);
}

static bool tells_encoding(const char *name)
{
	return strncasecmp(name, "Content-", 8) == 0 || strcasecmp(name, "MIME-Version") == 0;
}

static void put_header(struct copying *c, const struct fields *f)
{
	TALLOC_CTX *work = talloc_new(c->out);

	for (int i = 0; i < f->count; i++) {
		char *line = talloc_asprintf(
			work, "%s: %s", f->list[i].name, decode_words(work, c->charsets, f->list[i].value));

		if (tells_encoding(f->list[i].name))
			continue;
		line = text_wrap(work, line, HEADER_LINE_MAX, 1);
		put_text(c, line, strlen(line));
	}
	talloc_free(work);
}

/* --- parts ------------------------------------------------------------------------------------------------------- */

enum form { FORM_TEXT, FORM_HTML, FORM_MAIL, FORM_OTHER };

/* Other kinds of text have marks of their own, between which words would be torn apart. */
static enum form form_of(const struct part *p)
{
	static const struct {
		const char *type;
		enum form form;
	} known[] = {
		{"text/plain", FORM_TEXT},
		{"text/csv", FORM_TEXT},
		{"text/markdown", FORM_TEXT},
		{"text/rfc822-headers", FORM_TEXT},
		{"application/text", FORM_TEXT},
		{"message/delivery-status", FORM_TEXT},
		{"message/disposition-notification", FORM_TEXT},
		{"text/html", FORM_HTML},
		{"text/enriched", FORM_HTML},
		{"text/richtext", FORM_HTML},
		{"message/rfc822", FORM_MAIL},
		{"message/global", FORM_MAIL},
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strcmp(p->type, known[i].type) == 0)
			return known[i].form;
	return part_is_order_file(p) ? FORM_TEXT : FORM_OTHER;
}

static void put_title(struct copying *c, const struct part *p, const char *more)
{
	char *title = talloc_asprintf(c->out, "\n[%s%s%s%s]\n", p->type, *p->filename ? ", " : "", p->filename, more);

	put_text(c, title, strlen(title));
	talloc_free(title);
}

/* The header of a mail within the mail; its parts come by themselves. */
static void put_mail_within(struct copying *c, const struct part *p)
{
	size_t len, skip;
	char *bytes = part_bytes(c->out, p, &len);

	put_title(c, p, "");
	skip = strspn(bytes, "\r\n");
	put_header(c, fields_read(bytes, bytes + skip, len - skip));
	talloc_free(bytes);
}

static void put_words(struct copying *c, const struct part *p, enum form form, bool titled)
{
	TALLOC_CTX *work = talloc_new(c->out);
	size_t len;
	char *text = part_text(work, c->charsets, p, &len), *folded;

	if (form == FORM_HTML) {
		text = html_text(work, text, len, NULL);
		len = strlen(text);
	} else if (p->flowed) {
		text = decode_flowed(work, text, len, p->delsp);
		len = strlen(text);
	}
	folded = text_fold(work, text);
	if (form == FORM_HTML && p->alternative && *c->words && strcmp(folded, c->words) == 0) {
		put_title(c, p, ": the same words; left out");
	} else {
		if (titled)
			put_title(c, p, "");
		put_text(c, text, len);
	}
	c->words = talloc_steal(c->out, folded);
	talloc_free(work);
}

static void put_part(struct copying *c, const struct part *p, bool titled)
{
	enum form form = form_of(p);
	size_t len;

	if (form == FORM_MAIL) {
		put_mail_within(c, p);
	} else if (form != FORM_OTHER) {
		put_words(c, p, form, titled);
	} else {
		talloc_free(part_bytes(c->out, p, &len));
		put_title(c, p, talloc_asprintf(c->out, ": %zu bytes that are no text; left out", len));
	}
}

char *mail_copy(
	TALLOC_CTX *mem, const struct charsets *charsets, const struct fields *header, const struct parts *parts)
{
	struct copying c = {buf_new(mem), charsets, ""};

	put_header(&c, header);
	buf_adds(c.out,
		"MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n");
	for (int i = 0; parts != NULL && i < parts->count; i++)
		put_part(&c, &parts->list[i], i > 0 || parts->count > 2);
	if (parts == NULL || parts->too_many)
		buf_adds(c.out, "\n[The rest of this mail cannot be read; left out]\n");
	return buf_finish(mem, c.out);
}
