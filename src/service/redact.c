#include "service/redact.h"

#include "mail/decode.h"
#include "mail/token.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { BOUNDARIES_MAX = 32, BOUNDARY_MAX = 200, KEY_WORDS = 3 };

/* --- tokens and keys ---------------------------------------------------------------------------------------------- */

static bool word_char(char c)
{
	return isalnum((unsigned char)c) != 0;
}

/* The length of a key at `p`, "heather-otter-lantern-4271", or 0. */
static size_t key_length(const char *p, size_t len)
{
	size_t at = 0, digits;

	for (int i = 0; i < KEY_WORDS; i++) {
		size_t from = at;

		while (at < len && isalpha((unsigned char)p[at]))
			at++;
		if (at - from < 3 || at >= len || p[at] != '-')
			return 0;
		at++;
	}
	for (digits = at; at < len && isdigit((unsigned char)p[at]);)
		at++;
	return at - digits >= 2 ? at : 0;
}

/* How much of the line, from its beginning, names a secret that the rest then is: "KEY ...", quoted or not; else 0. */
static size_t key_line(const char *line, size_t len)
{
	size_t at = 0;

	while (at < len && strchr("> |*\t", line[at]) != NULL)
		at++;
	if (len - at < 5 || strncasecmp(line + at, "key", 3) != 0 || strchr(" :\t", line[at + 3]) == NULL)
		return 0;
	return at + 4;
}

static void redact_line(struct buf *out, int64_t game, const char *line, size_t len)
{
	size_t at = key_line(line, len), end = len;

	if (at > 0) {
		/* In HTML the line goes on with marks; the end of the line stays. */
		for (end = at; end < len && line[end] != '<' && line[end] != '\r';)
			end++;
		buf_add(out, line, at);
		buf_adds(out, "SECRET");
		at = end;
	}
	while (at < len) {
		size_t n = 0, key = key_length(line + at, len - at);
		struct token token;

		if (key > 0) {
			buf_adds(out, "SECRET");
			at += key;
			continue;
		}
		while (at + n < len && word_char(line[at + n]))
			n++;
		if (n >= 10 && n <= TOKEN_TEXT_MAX) {
			char word[TOKEN_TEXT_MAX + 1];

			memcpy(word, line + at, n);
			word[n] = '\0';
			if (token_read(word, &token) && token.game == game) {
				buf_adds(out, "TOKEN");
				at += n;
				continue;
			}
		}
		n = n > 0 ? n : 1;
		buf_add(out, line + at, n);
		at += n;
	}
}

void redact_text(struct buf *out, int64_t game, const char *text, size_t len)
{
	for (size_t at = 0; at < len;) {
		const char *end = memchr(text + at, '\n', len - at);
		size_t n = end == NULL ? len - at : (size_t)(end - (text + at)) + 1;

		redact_line(out, game, text + at, n);
		at += n;
	}
}

/* --- mails -------------------------------------------------------------------------------------------------------- */

struct part {
	char encoding[32], type[64];
	bool named; /* it says what it is: without a Content-Type it is text */
};

struct redaction {
	struct buf *out;
	int64_t game;
	struct charsets *charsets;
	char boundary[BOUNDARIES_MAX][BOUNDARY_MAX];
	int boundaries;
};

/* Copies the value of a field up to a mark that ends it, in small letters. */
static void copy_value(char *to, size_t room, const char *value, size_t len)
{
	size_t n = 0;

	while (len > 0 && (*value == ' ' || *value == '\t' || *value == '"')) {
		value++;
		len--;
	}
	while (n < len && n + 1 < room && value[n] != ';' && value[n] != '\r' && value[n] != '\n' && value[n] != '"')
		n++;
	memcpy(to, value, n);
	to[n] = '\0';
}

static void note_boundary(struct redaction *r, const char *field, size_t len)
{
	static const char name[] = "boundary=";
	size_t n = sizeof name - 1;

	for (size_t i = 0; i + n < len && r->boundaries < BOUNDARIES_MAX; i++) {
		if (strncasecmp(field + i, name, n) == 0) {
			copy_value(r->boundary[r->boundaries++], BOUNDARY_MAX, field + i + n, len - i - n);
			return;
		}
	}
}

/* One header field with its folded lines. */
static void take_field(struct redaction *r, TALLOC_CTX *mem, const char *field, size_t len, struct part *part)
{
	static const char encoding[] = "Content-Transfer-Encoding:", type[] = "Content-Type:";

	if (len > sizeof encoding && strncasecmp(field, encoding, sizeof encoding - 1) == 0) {
		copy_value(
			part->encoding, sizeof part->encoding, field + sizeof encoding - 1, len - sizeof encoding + 1);
		buf_adds(r->out, "Content-Transfer-Encoding: 8bit\r\n");
		return;
	}
	if (len > sizeof type && strncasecmp(field, type, sizeof type - 1) == 0) {
		copy_value(part->type, sizeof part->type, field + sizeof type - 1, len - sizeof type + 1);
		part->named = true;
		note_boundary(r, field, len);
	}
	if (memmem(field, len, "=?", 2) != NULL) {
		char *text = decode_words(mem, r->charsets, talloc_strndup(mem, field, len));

		redact_text(r->out, r->game, text, strlen(text));
		buf_adds(r->out, "\r\n");
		return;
	}
	redact_text(r->out, r->game, field, len);
}

static size_t line_length(const char *p, size_t len)
{
	const char *end = memchr(p, '\n', len);

	return end == NULL ? len : (size_t)(end - p) + 1;
}

static bool blank_line(const char *p, size_t n)
{
	return n > 0 && (p[0] == '\n' || (n > 1 && p[0] == '\r' && p[1] == '\n'));
}

/* Fields up to the blank line, which is copied, too; gives where the body begins. */
static size_t take_header(
	struct redaction *r, TALLOC_CTX *mem, const char *raw, size_t at, size_t len, struct part *part)
{
	*part = (struct part){{0}, {0}, false};
	while (at < len) {
		size_t n = line_length(raw + at, len - at);

		if (blank_line(raw + at, n)) {
			buf_adds(r->out, "\r\n");
			return at + n;
		}
		while (at + n < len && (raw[at + n] == ' ' || raw[at + n] == '\t'))
			n += line_length(raw + at + n, len - at - n);
		take_field(r, mem, raw + at, n, part);
		at += n;
	}
	return at;
}

static bool is_boundary(const struct redaction *r, const char *line, size_t n)
{
	if (n < 3 || line[0] != '-' || line[1] != '-')
		return false;
	for (int i = 0; i < r->boundaries; i++) {
		size_t len = strlen(r->boundary[i]);

		if (len > 0 && n >= len + 2 && memcmp(line + 2, r->boundary[i], len) == 0)
			return true;
	}
	return false;
}

static void put_body(struct redaction *r, TALLOC_CTX *mem, const struct part *part, const char *body, size_t len)
{
	bool text = !part->named || strncasecmp(part->type, "text/", 5) == 0 ||
		    strncasecmp(part->type, "multipart/", 10) == 0 || strncasecmp(part->type, "message/", 8) == 0;
	char *plain;
	size_t n;

	if (!text) {
		buf_printf(r->out, "(%zu bytes that are no text were left out)\r\n", len);
		return;
	}
	plain = decode_transfer(mem, part->encoding, body, len, &n);
	redact_text(r->out, r->game, plain, n);
	if (n > 0 && plain[n - 1] != '\n')
		buf_adds(r->out, "\r\n");
}

void redact_mail(struct buf *out, int64_t game, const char *raw, size_t len)
{
	TALLOC_CTX *mem = talloc_new(out);
	struct redaction *r = talloc_zero(mem, struct redaction);
	struct part part;
	size_t at;

	r->out = out;
	r->game = game;
	r->charsets = charsets_open(mem);
	for (at = take_header(r, mem, raw, 0, len, &part); at < len;) {
		size_t from = at;

		if (strncasecmp(part.type, "message/rfc822", 14) == 0) {
			at = take_header(r, mem, raw, at, len, &part);
			continue;
		}
		while (at < len && !is_boundary(r, raw + at, line_length(raw + at, len - at)))
			at += line_length(raw + at, len - at);
		put_body(r, mem, &part, raw + from, at - from);
		if (at >= len)
			break;
		from = line_length(raw + at, len - at);
		buf_add(out, raw + at, from);
		at += from;
		/* After the closing one comes no header, only an end that is not shown; that is as good as one. */
		at = take_header(r, mem, raw, at, len, &part);
	}
	talloc_free(mem);
}
