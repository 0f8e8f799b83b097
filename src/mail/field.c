#include "mail/field.h"

#include "base/buf.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* --- fields ------------------------------------------------------------------------------------------------------ */

/* The length of the name at the line's start, its colon not counted; 0 if the line is no field. */
static size_t name_length(const char *line, size_t len, size_t *colon)
{
	size_t n = 0;

	while (n < len && line[n] > 32 && line[n] < 127 && line[n] != ':')
		n++;
	*colon = n;
	while (*colon < len && (line[*colon] == ' ' || line[*colon] == '\t'))
		(*colon)++;
	return *colon < len && line[*colon] == ':' ? n : 0;
}

static void add_piece(struct buf *value, const char *text, size_t len)
{
	size_t from;

	if (value->len >= FIELD_BYTES_MAX)
		return;
	if (value->len > 0)
		buf_addc(value, ' ');
	from = value->len;
	buf_add(value, text, from + len > FIELD_BYTES_MAX ? FIELD_BYTES_MAX - from : len);
	for (char *c = value->data + from; c < value->data + value->len; c++)
		*c = (unsigned char)*c < 32 || *c == 127 ? ' ' : *c;
	while (value->len > 0 && value->data[value->len - 1] == ' ')
		buf_cut(value, value->len - 1);
}

static void trim(const char **text, size_t *len)
{
	while (*len > 0 && strchr(" \t\r", (*text)[*len - 1]) && (*text)[*len - 1])
		(*len)--;
	while (*len > 0 && (**text == ' ' || **text == '\t')) {
		(*text)++;
		(*len)--;
	}
}

static void add_field(struct fields *f, const char *name, size_t name_len, struct buf *value)
{
	if (f->count == FIELDS_MAX)
		return;
	f->list[f->count].name = talloc_strndup(f->list, name, name_len);
	f->list[f->count].value = buf_steal(f->list, value);
	f->count++;
}

/* Names that headers of mails and of their parts have: with any other, a line may as well be the text's first. */
static bool is_known(const char *name, size_t len)
{
	static const char *const names[] = {"From", "To", "Cc", "Subject", "Date", "Message-ID", "In-Reply-To",
		"References", "Reply-To", "Sender", "Received", "Return-Path", "Delivered-To", "Auto-Submitted",
		"Precedence", "Importance", "Authentication-Results", NULL};
	static const char *const begins[] = {"Content-", "MIME-", "X-", "List-", "DKIM-", "ARC-", "Thread-", NULL};

	for (const char *const *n = names; *n; n++)
		if (strncasecmp(name, *n, len) == 0 && (*n)[len] == '\0')
			return true;
	for (const char *const *b = begins; *b; b++)
		if (len > strlen(*b) && strncasecmp(name, *b, strlen(*b)) == 0)
			return true;
	return false;
}

/* Does the header go on here, whatever stood on the line before? */
static bool goes_on(const char *raw, size_t len)
{
	const char *newline = memchr(raw, '\n', len);
	size_t n = newline ? (size_t)(newline - raw) : len, colon;

	return is_known(raw, name_length(raw, n, &colon));
}

static bool is_folded(const char *raw, size_t len)
{
	return len > 1 && (raw[0] == ' ' || raw[0] == '\t') && strchr(" \t\r\n", raw[1]) == NULL;
}

static struct fields *read_fields(TALLOC_CTX *mem, const char *raw, size_t len, bool of_part)
{
	struct fields *f = talloc_zero(mem, struct fields);
	struct buf *value = buf_new(f);
	const char *name = NULL;
	size_t name_len = 0, at = 0;

	f->list = talloc_array(f, struct field, FIELDS_MAX);
	while (at < len) {
		const char *line = raw + at, *newline = memchr(line, '\n', len - at);
		size_t whole = newline ? (size_t)(newline - line) + 1 : len - at, n = whole, colon, named;

		trim(&line, &n);
		if (newline && n > 0 && line[n - 1] == '\n')
			n--;
		trim(&line, &n);
		if (n == 0) {
			bool blanks = raw[at] == ' ' || raw[at] == '\t';

			at += whole;
			if (blanks && name && (is_folded(raw + at, len - at) || goes_on(raw + at, len - at)))
				continue;
			break;
		}
		if (raw[at] == ' ' || raw[at] == '\t') {
			if (name)
				add_piece(value, line, n);
			at += whole;
			continue;
		}
		named = name_length(line, n, &colon);
		if (named == 0 && !of_part && goes_on(raw + at + whole, len - at - whole)) {
			at += whole; /* ">From ", and other lines that programs leave in a header */
			continue;
		}
		if (named == 0 || (of_part && !is_known(line, named)))
			break;
		if (name)
			add_field(f, name, name_len, value);
		name = line;
		name_len = named;
		buf_cut(value, 0);
		line += colon + 1;
		n -= colon + 1;
		trim(&line, &n);
		add_piece(value, line, n);
		at += whole;
	}
	if (name)
		add_field(f, name, name_len, value);
	f->end = at;
	talloc_free(value);
	return f;
}

struct fields *fields_read(TALLOC_CTX *mem, const char *raw, size_t len)
{
	return read_fields(mem, raw, len, false);
}

struct fields *fields_read_part(TALLOC_CTX *mem, const char *raw, size_t len)
{
	return read_fields(mem, raw, len, true);
}

/* Of the fields that a header has, few begin with the same letter. */
static bool is_field(const struct field *f, const char *name)
{
	return ((f->name[0] ^ name[0]) | 0x20) == 0x20 && strcasecmp(f->name, name) == 0;
}

const char *fields_get(const struct fields *f, const char *name)
{
	for (int i = 0; i < f->count; i++)
		if (is_field(&f->list[i], name))
			return f->list[i].value;
	return "";
}

int fields_count(const struct fields *f, const char *name)
{
	int n = 0;

	for (int i = 0; i < f->count; i++)
		n += is_field(&f->list[i], name);
	return n;
}

/* --- parameters -------------------------------------------------------------------------------------------------- */

char *field_main(TALLOC_CTX *mem, const char *value)
{
	size_t n = strcspn(value, "; \t(");
	char *out = talloc_strndup(mem, value, n);

	for (char *p = out; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return out;
}

/* The value at `p`, quoted or not, into `out`; gives what follows it. A quote that never ends goes to the end. */
static const char *read_value(const char *p, struct buf *out)
{
	p += strspn(p, " \t");
	if (*p != '"') {
		size_t n = strcspn(p, ";");
		const char *end = p + n;

		while (n > 0 && strchr(" \t", p[n - 1]))
			n--;
		buf_add(out, p, n);
		return end;
	}
	for (p++; *p && *p != '"'; p++) {
		if (*p == '\\' && p[1])
			p++;
		buf_addc(out, *p);
	}
	p += *p == '"';
	return p + strcspn(p, ";");
}

static int hex(char c)
{
	const char *digits = "0123456789abcdef", *p = c ? strchr(digits, tolower((unsigned char)c)) : NULL;

	return p ? (int)(p - digits) : -1;
}

/* RFC 2231, 4: charset'language'text with %XX; the charset is taken for UTF-8. */
static void add_extended(struct buf *out, const char *text, bool first)
{
	const char *quote = first ? strchr(text, '\'') : NULL;

	if (quote && strchr(quote + 1, '\''))
		text = strchr(quote + 1, '\'') + 1;
	for (; *text; text++) {
		if (*text == '%' && hex(text[1]) >= 0 && hex(text[2]) >= 0) {
			buf_addc(out, (char)(hex(text[1]) * 16 + hex(text[2])));
			text += 2;
		} else {
			buf_addc(out, *text);
		}
	}
}

char *field_parameter(TALLOC_CTX *mem, const char *value, const char *name)
{
	const char *p = value + strcspn(value, ";");
	size_t n = strlen(name);
	struct buf *out, *one;
	bool pieces = false;
	char *result;

	if (strcasestr(p, name) == NULL)
		return talloc_strdup(mem, "");
	out = buf_new(mem);
	one = buf_new(mem);
	while (*p == ';') {
		const char *key = p + 1 + strspn(p + 1, " \t"), *equals = key + strcspn(key, "=;");

		if (*equals != '=') {
			p = equals;
			continue;
		}
		buf_cut(one, 0);
		p = read_value(equals + 1, one);
		if (strncasecmp(key, name, n) != 0)
			continue;
		if (key[n] == '*') {
			if (!pieces)
				buf_cut(out, 0);
			if (equals[-1] == '*')
				add_extended(out, one->data, !pieces);
			else
				buf_adds(out, one->data);
			pieces = true;
		} else if ((key[n] == '=' || key[n] == ' ') && !pieces && out->len == 0) {
			buf_adds(out, one->data);
		}
	}
	result = buf_finish(mem, out);
	talloc_free(one);
	return result;
}
