#include "base/address.h"

#include "base/buf.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

enum { LABEL_MAX = 63 };

static bool is_letter_or_digit(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static bool among(char c, const char *set)
{
	return c != '\0' && strchr(set, c) != NULL;
}

/* Words of letters, digits and the marks of `more`, parted by single dots; none longer than `word_max`. */
static bool dotted(const char *text, size_t len, const char *more, size_t word_max)
{
	size_t word = 0;

	for (size_t i = 0; i < len; i++) {
		if (text[i] == '.' && word > 0)
			word = 0;
		else if ((is_letter_or_digit(text[i]) || among(text[i], more)) && word < word_max)
			word++;
		else
			return false;
	}
	return word > 0;
}

bool address_valid(const char *address)
{
	const char *at = address == NULL ? NULL : strchr(address, '@');
	size_t local, domain;

	if (at == NULL)
		return false;
	local = (size_t)(at - address);
	domain = strlen(at + 1);
	return local <= ADDRESS_LOCAL_MAX && local + 1 + domain <= ADDRESS_MAX &&
	       dotted(address, local, "+-_'=&~#", ADDRESS_LOCAL_MAX) && dotted(at + 1, domain, "-", LABEL_MAX) &&
	       strstr(at, "@-") == NULL && strstr(at, ".-") == NULL && strstr(at, "-.") == NULL &&
	       address[local + domain] != '-';
}

bool address_equal(const char *a, const char *b)
{
	return strcasecmp(a, b) == 0;
}

const char *address_domain(const char *address)
{
	const char *at = strchr(address, '@');

	assert(at != NULL);
	return at + 1;
}

char *address_with_tag(TALLOC_CTX *mem, const char *address, const char *tag)
{
	const char *at = address_domain(address) - 1;
	struct buf out;
	char *tagged;

	buf_open(&out, mem);
	buf_add(&out, address, (size_t)(at - address));
	buf_printf(&out, "+%s%s", tag, at);
	tagged = buf_close(&out);
	if (!address_valid(tagged)) {
		talloc_free(tagged);
		return NULL;
	}
	return tagged;
}

char *address_tag(TALLOC_CTX *mem, const char *address, const char *own)
{
	size_t local = (size_t)(address_domain(own) - 1 - own);
	const char *at = strrchr(address, '@');

	if (at == NULL || strcasecmp(at, own + local) != 0 || strncasecmp(address, own, local) != 0 ||
		address[local] != '+')
		return NULL;
	return talloc_strndup(mem, address + local + 1, (size_t)(at - address) - local - 1);
}

/* --- reading a mailbox (RFC 5322, 3.4, and what people write) -----------------------------------------------------*/

/* The quoted string that begins at `p`, into `out`; what follows it, or NULL if it never ends. */
static const char *read_quoted(const char *p, struct buf *out)
{
	for (p++; *p != '"'; p++) {
		if (*p == '\\')
			p++;
		if (*p == '\0')
			return NULL;
		buf_addc(out, *p);
	}
	return p + 1;
}

/* The comment, with those inside it. */
static const char *read_comment(const char *p, struct buf *out)
{
	int depth = 0;

	for (;; p++) {
		if (*p == '(' && depth++ == 0)
			continue;
		if (*p == ')' && --depth == 0)
			return p + 1;
		if (*p == '\\')
			p++;
		if (*p == '\0')
			return NULL;
		buf_addc(out, *p);
	}
}

/* The text between the blanks at both ends. */
static char *trimmed(TALLOC_CTX *mem, const char *text, size_t len)
{
	while (len > 0 && among(text[len - 1], " \t\r\n"))
		len--;
	while (len > 0 && among(*text, " \t\r\n")) {
		text++;
		len--;
	}
	return talloc_strndup(mem, text, len);
}

struct mailbox {
	struct buf *phrase, *comment;
	char *angle; /* NULL until <...> was read */
};

/* What stands at `p`, into `m`; what follows it, or NULL if it cannot stand in a single mailbox. */
static const char *read_piece(const char *p, struct mailbox *m)
{
	const char *end;

	switch (*p) {
	case '"':
		return m->angle == NULL ? read_quoted(p, m->phrase) : NULL;
	case '(':
		return read_comment(p, m->comment);
	case '<':
		end = strchr(p, '>');
		if (end == NULL || m->angle != NULL)
			return NULL;
		/* The way that old mails name before the address says nothing (RFC 5322, 4.4). */
		if (p[1] == '@' && memchr(p, ':', (size_t)(end - p)) != NULL)
			p = memchr(p, ':', (size_t)(end - p));
		m->angle = trimmed(m->phrase, p + 1, (size_t)(end - p) - 1);
		return end + 1;
	case ',':
	case ';':
	case ':':
	case '>':
		return NULL;
	default:
		if (m->angle != NULL && !among(*p, " \t\r\n"))
			return NULL;
		buf_addc(m->phrase, *p);
		return p + 1;
	}
}

bool address_parse(TALLOC_CTX *mem, const char *text, struct address *out)
{
	TALLOC_CTX *work = talloc_new(NULL);
	struct mailbox m = {buf_new(work), buf_new(work), NULL};
	char *phrase, *comment;

	for (const char *p = text; p != NULL && *p != '\0';) {
		p = read_piece(p, &m);
		if (p == NULL) {
			talloc_free(work);
			return false;
		}
	}
	phrase = trimmed(work, m.phrase->data, m.phrase->len);
	comment = trimmed(work, m.comment->data, m.comment->len);
	if (m.angle == NULL) {
		m.angle = phrase;
		phrase = comment;
	} else if (*phrase == '\0') {
		phrase = comment;
	}
	if (!address_valid(m.angle)) {
		talloc_free(work);
		return false;
	}
	out->address = talloc_strdup(mem, m.angle);
	out->name = talloc_strdup(mem, phrase);
	talloc_free(work);
	return true;
}
