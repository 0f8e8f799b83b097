/* A raw mail into a message: its header's fields, its parts, and the choice of the text that a person typed. */
#include "base/address.h"
#include "base/buf.h"
#include "base/text.h"
#include "mail/automatic.h"
#include "mail/copy.h"
#include "mail/html.h"
#include "mail/parts.h"
#include "mail/reader.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Of a file that makes a mail too large to read, so many lines of base64 are kept: enough to tell what it is. */
enum { FILE_LINES_KEPT = 400, BASE64_LINE_MIN = 60, PICTURE_BYTES_MIN = 20 * 1024, PLACEHOLDER_MAX = 200 };

/* --- the raw bytes ----------------------------------------------------------------------------------------------- */

static void skip(const char **raw, size_t *len, size_t n)
{
	*raw += n;
	*len -= n;
}

/* The length of the first line with its end if there are only blanks in it, else 0. */
static size_t blank_line(const char *raw, size_t len)
{
	size_t n = 0;

	while (n < len && (raw[n] == ' ' || raw[n] == '\t' || raw[n] == '\r'))
		n++;
	return n < len && raw[n] == '\n' ? n + 1 : 0;
}

/* What stands before the header of some stored mails, and old Macs' line ends. The copy is ours to change. */
static void tidy(char *bytes, const char **raw, size_t *len)
{
	*raw = bytes;
	if (memchr(bytes, '\n', *len) == NULL)
		for (char *p = bytes; (p = memchr(p, '\r', (size_t)(bytes + *len - p))) != NULL; p++)
			*p = '\n';
	if (*len >= 3 && memcmp(*raw, "\xEF\xBB\xBF", 3) == 0)
		skip(raw, len, 3);
	while (*len > 0 && blank_line(*raw, *len) > 0)
		skip(raw, len, blank_line(*raw, *len));
	if (*len > 5 && memcmp(*raw, "From ", 5) == 0) {
		const char *newline = memchr(*raw, '\n', *len);

		skip(raw, len, newline ? (size_t)(newline + 1 - *raw) : *len);
	}
}

static bool is_file_line(const char *line, size_t len)
{
	while (len > 0 && line[len - 1] == '\r')
		len--;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)line[i]) && line[i] != '+' && line[i] != '/' && line[i] != '=')
			return false;
	return len >= BASE64_LINE_MIN;
}

/* A photo must not make the words beside it too large to read: of long runs of base64 that no text type announces the
 * rest is left out. */
static void leave_out_files(char *raw, size_t *len)
{
	size_t to = 0, next;
	bool text = false;
	int run = 0;

	for (size_t at = 0; at < *len; at = next) {
		const char *newline = memchr(raw + at, '\n', *len - at);

		next = newline ? (size_t)(newline - raw) + 1 : *len;
		if (next - at > 13 && strncasecmp(raw + at, "Content-Type:", 13) == 0)
			text = strncasecmp(raw + at + 13 + strspn(raw + at + 13, " "), "text/", 5) == 0;
		run = is_file_line(raw + at, next - at - (newline != NULL)) ? run + 1 : 0;
		if (run > FILE_LINES_KEPT && !text)
			continue;
		memmove(raw + to, raw + at, next - at);
		to += next - at;
	}
	*len = to;
	raw[to] = '\0';
}

static int occurrences(const char *raw, size_t len, const char *what)
{
	size_t n = strlen(what);
	int found = 0;

	for (const char *p = raw; (p = memchr(p, *what, (size_t)(raw + len - p))) != NULL; p++)
		if ((size_t)(raw + len - p) >= n && strncasecmp(p, what, n) == 0)
			found++;
	return found;
}

/* --- the header -------------------------------------------------------------------------------------------------- */

/* The one address of a group, or what stands before a comma with nothing behind it (RFC 5322, 3.4 and 4.4). */
static char *from_field(TALLOC_CTX *mem, const char *value)
{
	const char *colon = strchr(value, ':');
	size_t n;

	if (colon && strcspn(value, "<\"(@") > (size_t)(colon - value))
		value = colon + 1;
	n = strlen(value);
	while (n > 0 && strchr(",; ", value[n - 1]))
		n--;
	return talloc_strndup(mem, value, n);
}

static void read_sender(struct message *m, const struct charsets *c, const struct fields *f)
{
	struct address a;
	int count = fields_count(f, "From");

	if (count == 0)
		m->sender_unknown = "there is no From field";
	else if (count > 1)
		m->sender_unknown = "there are several From fields";
	else if (!address_parse(m, from_field(m, fields_get(f, "From")), &a))
		m->sender_unknown = "the From field does not hold exactly one address";
	if (*m->sender_unknown)
		return;
	m->sender = a.address;
	m->sender_name = decode_words(m, c, a.name);
}

/* A list of addresses into the message: split at commas outside quotes, comments and angles; what is none is skipped.
 */
static void add_recipients(struct message *m, const char *list)
{
	const char *start = list;
	int angle = 0, comment = 0;
	bool quoted = false;

	for (const char *p = list;; p++) {
		struct address a;

		if (*p == '\\' && p[1]) {
			p++;
			continue;
		}
		if (*p == '"')
			quoted = !quoted;
		else if (!quoted)
			angle += *p == '<' ? 1 : *p == '>' ? -1 : 0, comment += *p == '(' ? 1 : *p == ')' ? -1 : 0;
		if (*p == ':' && !quoted && angle == 0 && comment == 0)
			start = p + 1; /* the name of a group */
		if (*p && ((*p != ',' && *p != ';') || quoted || angle > 0 || comment > 0))
			continue;
		if (m->recipient_count < MESSAGE_RECIPIENTS_MAX &&
			address_parse(m, talloc_strndup(m, start, (size_t)(p - start)), &a)) {
			struct recipient *r = &m->recipients[m->recipient_count++];
			const char *plus = strchr(a.address, '+'), *at = strrchr(a.address, '@');

			r->address = a.address;
			r->tag = plus && plus < at ? talloc_strndup(m, plus + 1, (size_t)(at - plus) - 1) : "";
		}
		if (*p == '\0')
			return;
		start = p + 1;
	}
}

static void read_recipients(struct message *m, const struct fields *f)
{
	static const char *const names[] = {"To", "Cc", "Resent-To", "X-Original-To", "Envelope-To", "Delivered-To"};

	m->recipients = talloc_array(m, struct recipient, MESSAGE_RECIPIENTS_MAX);
	for (size_t n = 0; n < sizeof names / sizeof *names; n++)
		for (int i = 0; i < f->count; i++)
			if (strcasecmp(f->list[i].name, names[n]) == 0)
				add_recipients(m, f->list[i].value);
}

/* What programs and gateways put before a subject. */
static const char *const reply_words[] = {"re", "aw", "antw", "antwort", "sv", "vs", "rif", "r", "res", "odp", "ynt",
	"ref", "回复", "答复", "回覆", NULL};
static const char *const forward_words[] = {
	"fw", "fwd", "wg", "tr", "rv", "enc", "i", "vb", "vl", "doorst", "转发", NULL};
static const char *const gateway_words[] = {"[external]", "[ext]", "external:", "#external:", "[spam]", "***spam***",
	"[external email]", "[external sender]", "{external}", "(external)", "[extern]", NULL};

static size_t prefix(const char *subject, const char *const *list, bool colon)
{
	for (; *list; list++) {
		size_t n = strlen(*list);
		const char *p = subject + n;

		if (strncasecmp(subject, *list, n) != 0)
			continue;
		if (!colon)
			return n;
		if (*p == '[' || *p == '(')
			p += strspn(p, "[(0123456789)]");
		p += strspn(p, " ");
		if (*p == ':')
			return (size_t)(p + 1 - subject);
		if (strncmp(p, "\xEF\xBC\x9A", 3) == 0) /* the full-width colon */
			return (size_t)(p + 3 - subject);
	}
	return 0;
}

/* What stands in brackets in a subject: what looks like a game and its turn, else the first of a subject that begins
 * so, else the last. "" if nothing does. */
static char *bracketed(TALLOC_CTX *mem, const char *subject)
{
	const char *best = NULL;

	for (const char *p = strchr(subject, '['); p && strchr(p, ']'); p = strchr(p + 1, '[')) {
		const char *turn = strstr(p, " T");
		bool game = turn && turn < strchr(p, ']') && isdigit((unsigned char)turn[2]);

		if (game || best == NULL || *subject != '[')
			best = p;
		if (game)
			break;
	}
	return best ? talloc_strndup(mem, best + 1, strcspn(best + 1, "]")) : talloc_strdup(mem, "");
}

static void read_subject(struct message *m, const struct charsets *c, const struct fields *f)
{
	const char *p = m->subject = decode_words(m, c, fields_get(f, "Subject"));
	size_t n;

	for (;;) {
		p += strspn(p, " \t");
		if ((n = prefix(p, forward_words, true)) > 0)
			m->forwarded = true;
		else if ((n = prefix(p, reply_words, true)) == 0 && (n = prefix(p, gateway_words, false)) == 0)
			break;
		p += n;
	}
	m->subject_tag = bracketed(m, p);
}

static void read_header(struct message *m, const struct charsets *c, const struct fields *f)
{
	read_sender(m, c, f);
	read_recipients(m, f);
	read_subject(m, c, f);
	m->message_id = talloc_strdup(m, fields_get(f, "Message-ID"));
	m->in_reply_to = talloc_strdup(m, fields_get(f, "In-Reply-To"));
	m->references = talloc_strdup(m, fields_get(f, "References"));
	for (int i = 0; i < f->count; i++)
		if (strcasecmp(f->list[i].name, "Authentication-Results") == 0)
			m->authentication = talloc_asprintf(m, "%s%s\n", m->authentication, f->list[i].value);
	m->own = automatic_own(f);
}

/* --- the text ---------------------------------------------------------------------------------------------------- */

struct choice {
	struct message *m;
	const struct charsets *c;
	const struct parts *parts;
	struct buf *struck; /* what the writer has struck out */
};

static bool is_type(const struct part *p, const char *begins)
{
	return strncmp(p->type, begins, strlen(begins)) == 0;
}

/* Text of another kind than the two that everybody writes, without a name. */
static bool is_other_text(const struct part *p)
{
	static const char *const others[] = {"text/calendar", "text/vcard", "text/x-vcard", "text/csv", "text/rtf",
		"text/x-amp-html", "text/watch-html", "text/rfc822-headers", "text/plain", "text/html", NULL};

	if (p->attachment || *p->filename || (!is_type(p, "text/") && strcmp(p->type, "application/text") != 0))
		return false;
	for (const char *const *o = others; *o; o++)
		if (strcmp(p->type, *o) == 0)
			return false;
	return true;
}

static void add_body(struct choice *ch, struct buf *out, const struct part *p, struct buf *struck)
{
	size_t len;
	char *text = part_text(out, ch->c, p, &len);

	if (strcmp(p->type, "text/html") == 0)
		text = html_text(out, text, len, struck);
	else if (strcmp(p->type, "text/enriched") == 0 || strcmp(p->type, "text/richtext") == 0)
		text = html_text(out, talloc_asprintf(out, "<pre>%s</pre>", text), len + 11, struck);
	else if (p->flowed)
		text = decode_flowed(out, text, len, p->delsp);
	if (out->len > 0 && out->data[out->len - 1] != '\n')
		buf_addc(out, '\n');
	buf_adds(out, text);
}

enum bodies { PLAIN, HTML, OTHER_TEXT, PLAIN_AND_LOOSE_HTML };

static bool is_one_of(const struct part *p, enum bodies which)
{
	switch (which) {
	case PLAIN:
		return part_is_body(p, "text/plain");
	case HTML:
		return part_is_body(p, "text/html");
	case OTHER_TEXT:
		return is_other_text(p);
	case PLAIN_AND_LOOSE_HTML:
		return part_is_body(p, "text/plain") || (part_is_body(p, "text/html") && !p->alternative);
	}
	return false;
}

/* All bodies of a kind, in the order of the mail; `inside`: those of an attached mail. *count: how many. */
static char *bodies(struct choice *ch, TALLOC_CTX *mem, enum bodies which, bool inside, int *count)
{
	struct buf *out = buf_new(mem), *struck = which == HTML ? ch->struck : buf_new(mem);

	*count = 0;
	for (int i = 0; i < ch->parts->count; i++) {
		const struct part *p = &ch->parts->list[i];

		if (p->inside != inside || !is_one_of(p, which))
			continue;
		add_body(ch, out, p, struck);
		++*count;
	}
	return out->data;
}

/* Letters and digits, but of what stands for a picture or a link: "[cid:image001.png]". */
static size_t letters(const char *text)
{
	static const char *const placeholders[] = {"[cid:", "[image:", "[http", "<http"};
	size_t n = 0;

	for (; *text; text++) {
		for (size_t i = 0; (*text == '[' || *text == '<') && i < sizeof placeholders / sizeof *placeholders;
			i++)
			if (strncmp(text, placeholders[i], strlen(placeholders[i])) == 0)
				text += strcspn(text, "]>\n");
		if (*text == '\0')
			break;
		n += isalnum((unsigned char)*text) || (unsigned char)*text >= 0xC0;
	}
	return n;
}

static bool says_something(const struct typed *t)
{
	return typed_words(t->text) || t->sheet_count > 0;
}

static bool speaks_of_programs(const char *folded)
{
	static const char *const words[] = {"html", "mail client", "mail program", "mail reader", "mail programm",
		"view this", "display this", NULL};

	for (const char *const *w = words; *w; w++)
		if (strstr(folded, *w))
			return true;
	return false;
}

/* Is the plain text only a stand-in for the HTML beside it: empty, a stub, or "your program shows no HTML"? */
static bool stands_in(TALLOC_CTX *mem, const char *plain, const struct typed *html)
{
	size_t n = letters(plain), meant = letters(html->text);

	for (int i = 0; i < html->sheet_count; i++)
		meant += letters(html->sheets[i].lines);
	return n * 2 < meant || (n < PLACEHOLDER_MAX && meant > 0 && speaks_of_programs(text_fold(mem, plain)));
}

/* The mail's own words, or those of the mail attached to it. */
static void read_bodies(struct choice *ch, bool inside)
{
	struct message *m = ch->m;
	char *mem = talloc_new(m), *text, *html;
	bool forwarded = m->forwarded || inside;
	struct typed of_html = {.text = ""};
	int plains, htmls, all;

	text = bodies(ch, mem, PLAIN, inside, &plains);
	typed_read(m, text, strlen(text), forwarded, &m->typed);
	m->text_from = "text/plain";
	html = bodies(ch, mem, HTML, inside, &htmls);
	if (htmls > 0) {
		typed_read(m, html, strlen(html), forwarded, &of_html);
		/* Only the HTML shows what is struck out. */
		if (stands_in(mem, text, &of_html) || typed_words(ch->struck->data)) {
			m->typed = of_html;
			m->text_from = "text/html";
		}
	}
	/* Apple Mail writes some paragraphs as plain text and others, round a picture, as HTML. */
	if (plains > 0 && htmls > 0) {
		text = bodies(ch, mem, PLAIN_AND_LOOSE_HTML, inside, &all);
		if (all > plains && strcmp(of_html.text, m->typed.text) != 0) {
			typed_read(m, text, strlen(text), forwarded, &m->typed);
			m->text_from = "text/plain";
		}
	} else if (plains + htmls == 0) {
		text = bodies(ch, mem, OTHER_TEXT, inside, &all);
		if (all > 0)
			typed_read(m, text, strlen(text), forwarded, &m->typed);
	}
	talloc_free(mem);
}

static void add_set_aside(struct message *m, const char *what, const char *lines)
{
	struct typed *t = &m->typed;

	t->set_aside = talloc_realloc(m, t->set_aside, struct set_aside, (unsigned)t->set_aside_count + 1);
	t->set_aside[t->set_aside_count++] = (struct set_aside){.what = what, .lines = lines};
}

/* Our own report comes back with forwarded mails: nobody typed that. */
static void add_file(struct choice *ch, const struct part *p)
{
	static const char *const report[] = {"report.txt", NULL};
	struct message *m = ch->m;
	struct typed t;
	size_t len, bytes_len;
	char *bytes = part_bytes(m, p, &bytes_len), *text;

	if (bytes_len > MESSAGE_FILE_MAX || (memchr(bytes, '\0', bytes_len) && memcmp(bytes, "\xFF\xFE", 2) != 0 &&
						    memcmp(bytes, "\xFE\xFF", 2) != 0)) {
		m->files = talloc_asprintf(m, "%s%s\n", m->files, p->filename);
		return;
	}
	text = part_text(m, ch->c, p, &len);
	if (part_is_page(p)) {
		text = html_text(m, text, len, ch->struck);
		len = strlen(text);
	}
	typed_read(m, text, len, true, &t);
	if (part_named(p, report)) {
		add_set_aside(m, "report.txt", t.text);
		t.text = "";
	}
	if (!says_something(&m->typed))
		m->text_from = *p->filename ? p->filename : p->type;
	if (typed_words(t.text))
		m->typed.text = talloc_asprintf(m, "%s%s%s", m->typed.text, *m->typed.text ? "\n" : "", t.text);
	for (int i = 0; i < t.set_aside_count; i++)
		add_set_aside(m, t.set_aside[i].what, t.set_aside[i].lines);
	for (int i = 0; i < t.sheet_count && m->typed.sheet_count < TYPED_SHEETS_MAX; i++)
		m->typed.sheets[m->typed.sheet_count++] = t.sheets[i];
}

/* --- mails without words ----------------------------------------------------------------------------------------- */

static enum no_text file_kind(const struct part *p, bool alone)
{
	static const char *const winmail[] = {"winmail.dat", "win.dat", NULL};
	static const char *const encrypted[] = {".pgp", ".gpg", ".p7m", NULL};
	static const char *const documents[] = {".doc", ".docx", ".odt", ".pdf", ".rtf", ".pages", ".xls", ".xlsx",
		".ods", ".ppt", ".pptx", ".odp", ".gdoc", ".dotx", NULL};
	static const char *const pictures[] = {".jpg", ".jpeg", ".png", ".heic", ".gif", ".webp", ".bmp", NULL};

	if (is_type(p, "application/ms-tnef") || part_named(p, winmail))
		return NO_TEXT_WINMAIL;
	if (is_type(p, "application/pkcs7-mime") || is_type(p, "application/x-pkcs7-mime") || part_named(p, encrypted))
		return NO_TEXT_ENCRYPTED;
	if (is_type(p, "image/") || part_named(p, pictures)) /* a small one in the text is a school's badge */
		return p->attachment || alone || p->len >= PICTURE_BYTES_MIN ? NO_TEXT_PICTURE : TEXT_FOUND;
	if (part_named(p, documents) || is_type(p, "application/pdf") || is_type(p, "application/msword") ||
		is_type(p, "application/rtf") || is_type(p, "application/vnd.o"))
		return NO_TEXT_DOCUMENT;
	return p->attachment || *p->filename ? NO_TEXT_FILE : TEXT_FOUND;
}

static void judge_files(struct choice *ch)
{
	struct message *m = ch->m;
	enum no_text kind = TEXT_FOUND;
	bool encrypted = ch->parts->encrypted;

	for (int i = 0; i < ch->parts->count; i++) {
		const struct part *p = &ch->parts->list[i];
		enum no_text k = p->inside || part_is_order_file(p) || part_is_body(p, "text/plain")
					 ? TEXT_FOUND
					 : file_kind(p, ch->parts->count == 1);

		if (k == TEXT_FOUND)
			continue;
		if (kind == TEXT_FOUND || kind == NO_TEXT_FILE)
			kind = k;
		if (*p->filename)
			m->files = talloc_asprintf(m, "%s%s\n", m->files, p->filename);
	}
	if (says_something(&m->typed))
		return;
	for (int i = 0; i < m->typed.set_aside_count; i++)
		encrypted = encrypted || strcmp(m->typed.set_aside[i].what, TYPED_ENCRYPTED) == 0;
	if (encrypted)
		m->no_text = NO_TEXT_ENCRYPTED;
	else if (kind == TEXT_FOUND && *m->files)
		m->no_text = NO_TEXT_FILE;
	else if (kind != TEXT_FOUND)
		m->no_text = kind;
	else
		m->no_text = m->typed.set_aside_count > 0 ? NO_TEXT_SET_ASIDE : NO_TEXT_EMPTY;
}

/* A mail that only says hello was typed all the same. */
static void take_greeting(struct message *m)
{
	struct typed *t = &m->typed;

	for (int i = 0; i < t->set_aside_count && !says_something(t); i++)
		if (strcmp(t->set_aside[i].what, TYPED_GREETING) == 0) {
			t->text = t->set_aside[i].lines;
			memmove(&t->set_aside[i], &t->set_aside[i + 1],
				sizeof *t->set_aside * (size_t)(t->set_aside_count - i - 1));
			t->set_aside_count--;
		}
}

static void read_text(struct message *m, const struct charsets *c, const struct parts *parts)
{
	struct choice ch = {.m = m, .c = c, .parts = parts, .struck = buf_new(m)};

	read_bodies(&ch, false);
	for (int i = 0; i < parts->count; i++)
		if (!parts->list[i].inside && part_is_order_file(&parts->list[i]))
			add_file(&ch, &parts->list[i]);
	if (!says_something(&m->typed) && !parts->report) {
		struct typed outer = m->typed;

		read_bodies(&ch, true);
		if (!says_something(&m->typed))
			m->typed = outer;
	}
	take_greeting(m);
	if (typed_words(ch.struck->data))
		add_set_aside(m, "struck out", ch.struck->data);
	judge_files(&ch);
	if (m->no_text != TEXT_FOUND)
		m->text_from = "";
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

static void unreadable(struct message *m, enum no_text kind, const char *why)
{
	m->readable = false;
	m->unreadable = why;
	m->no_text = kind;
}

/* The first text of a mail, whole: what is in it of another mail is no reply's quote. */
static char *first_words(TALLOC_CTX *mem, const struct charsets *c, const struct parts *parts)
{
	size_t len;

	return strcmp(parts->list[0].type, "text/plain") == 0 ? part_text(mem, c, &parts->list[0], &len)
							      : talloc_strdup(mem, "");
}

struct message *message_read(
	TALLOC_CTX *mem, const struct charsets *c, enum reader_mode mode, const char *bytes, size_t size)
{
	struct message *m = message_new(mem);
	char *scratch = talloc_new(m), *copy = talloc_array(scratch, char, (unsigned)size + 1);
	const char *raw;
	size_t len = size;
	struct fields *f;
	struct parts *parts = NULL;

	m->readable = true;
	memcpy(copy, bytes, size);
	copy[size] = '\0';
	if (len > MESSAGE_BYTES_MAX)
		leave_out_files(copy, &len);
	tidy(copy, &raw, &len);
	f = fields_read(scratch, raw, len);
	read_header(m, c, f);
	if (fields_count(f, "X-Galloper-Too-Large"))
		unreadable(m, NO_TEXT_TOO_LARGE, "larger than what is fetched");
	else if (len > MESSAGE_BYTES_MAX)
		unreadable(m, NO_TEXT_TOO_LARGE, "more than 256 KB without its pictures and files");
	else if (occurrences(raw, len, "multipart/") + occurrences(raw, len, "message/rfc822") > MESSAGE_PARTS_MAX)
		unreadable(m, NO_TEXT_EMPTY, "more parts than any honest mail has");
	else if (mode == READER_HEADERS)
		unreadable(m, NO_TEXT_EMPTY, "only its header was read");
	else
		parts = parts_read(scratch, c, f, raw + f->end, len - f->end);
	if (parts && parts->too_many)
		unreadable(m, NO_TEXT_EMPTY, "more parts than any honest mail has");
	m->automatic = automatic_reason(f, parts, m->sender, m->subject);
	if (mode == READER_COPY) {
		m->typed.text = mail_copy(m, c, f, parts);
	} else if (m->readable && parts) {
		bounce_read(m, parts, &m->bounce);
		read_text(m, c, parts);
		if (m->automatic[0] != '\0' && !parts->report && parts->count > 0)
			bounce_read_words(m, f, first_words(scratch, c, parts), &m->bounce);
	}
	/* Parts lie in the scratch; what the message keeps of them must not. */
	m->text_from = talloc_strdup(m, m->text_from);
	talloc_free(scratch);
	return m;
}
