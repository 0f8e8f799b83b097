#include "mail/message.h"

#include "base/buf.h"

#include <stdint.h>
#include <string.h>

/* The string and whole-number fields, in the order in which they travel. */
static const size_t strings[] = {
	offsetof(struct message, unreadable),
	offsetof(struct message, sender),
	offsetof(struct message, sender_name),
	offsetof(struct message, sender_unknown),
	offsetof(struct message, subject),
	offsetof(struct message, subject_tag),
	offsetof(struct message, message_id),
	offsetof(struct message, in_reply_to),
	offsetof(struct message, references),
	offsetof(struct message, authentication),
	offsetof(struct message, automatic),
	offsetof(struct message, bounce.recipient),
	offsetof(struct message, bounce.status),
	offsetof(struct message, bounce.diagnostic),
	offsetof(struct message, bounce.original_id),
	offsetof(struct message, text_from),
	offsetof(struct message, typed.text),
	offsetof(struct message, files),
};
enum { STRINGS = sizeof strings / sizeof *strings };

static const size_t bools[] = {
	offsetof(struct message, readable),
	offsetof(struct message, forwarded),
	offsetof(struct message, own),
	offsetof(struct message, bounce.present),
	offsetof(struct message, bounce.failed),
	offsetof(struct message, bounce.permanent),
};
enum { BOOLS = sizeof bools / sizeof *bools };

static const char *const no_text_names[] = {
	[TEXT_FOUND] = "",
	[NO_TEXT_EMPTY] = "an empty mail",
	[NO_TEXT_SET_ASIDE] = "only quotes, greetings and signatures",
	[NO_TEXT_PICTURE] = "a picture",
	[NO_TEXT_DOCUMENT] = "a word processor's file",
	[NO_TEXT_WINMAIL] = "winmail.dat",
	[NO_TEXT_FILE] = "a file",
	[NO_TEXT_ENCRYPTED] = "an encrypted mail",
	[NO_TEXT_TOO_LARGE] = "a mail that is too large",
};

const char *no_text_name(enum no_text kind)
{
	return no_text_names[kind];
}

static const char **string_at(struct message *m, int i)
{
	return (const char **)(void *)((char *)m + strings[i]);
}

static bool *bool_at(struct message *m, int i)
{
	return (bool *)((char *)m + bools[i]);
}

struct message *message_new(TALLOC_CTX *mem)
{
	struct message *m = talloc_zero(mem, struct message);

	for (int i = 0; i < STRINGS; i++)
		*string_at(m, i) = "";
	return m;
}

/* --- writing ----------------------------------------------------------------------------------------------------- */

static void put_number(struct buf *out, int number)
{
	uint32_t n = (uint32_t)number;

	buf_add(out, &n, sizeof n);
}

static void put_string(struct buf *out, const char *text)
{
	put_number(out, (int)strlen(text));
	buf_add(out, text, strlen(text));
}

char *message_encode(TALLOC_CTX *mem, const struct message *message, size_t *len)
{
	struct buf *out = buf_new(mem);
	struct message m = *message;

	for (int i = 0; i < STRINGS; i++)
		put_string(out, *string_at(&m, i));
	for (int i = 0; i < BOOLS; i++)
		put_number(out, *bool_at(&m, i));
	put_number(out, (int)m.no_text);
	put_number(out, m.recipient_count);
	for (int i = 0; i < m.recipient_count; i++) {
		put_string(out, m.recipients[i].address);
		put_string(out, m.recipients[i].tag);
	}
	put_number(out, m.typed.sheet_count);
	for (int i = 0; i < m.typed.sheet_count; i++) {
		put_string(out, m.typed.sheets[i].game);
		put_number(out, m.typed.sheets[i].turn);
		put_number(out, m.typed.sheets[i].quoted);
		put_string(out, m.typed.sheets[i].lines);
	}
	put_number(out, m.typed.set_aside_count);
	for (int i = 0; i < m.typed.set_aside_count; i++) {
		put_string(out, m.typed.set_aside[i].what);
		put_string(out, m.typed.set_aside[i].lines);
	}
	*len = out->len;
	return buf_finish(mem, out);
}

/* --- reading ----------------------------------------------------------------------------------------------------- */

struct bytes {
	TALLOC_CTX *mem;
	const char *at;
	size_t left;
	bool bad;
};

static int get_number(struct bytes *b)
{
	uint32_t n = 0;

	if (b->left < sizeof n) {
		b->bad = true;
		return 0;
	}
	memcpy(&n, b->at, sizeof n);
	b->at += sizeof n;
	b->left -= sizeof n;
	return (int)n;
}

static const char *get_string(struct bytes *b)
{
	int n = get_number(b);
	const char *text = b->at;

	if (b->bad || n < 0 || (size_t)n > b->left || memchr(text, '\0', (size_t)n)) {
		b->bad = true;
		return "";
	}
	b->at += n;
	b->left -= (size_t)n;
	return n == 0 ? "" : talloc_strndup(b->mem, text, (size_t)n);
}

/* How many of a list follow; each takes eight bytes at least. */
static int get_count(struct bytes *b)
{
	int n = get_number(b);

	if (b->bad || n < 0 || (size_t)n > b->left / 8) {
		b->bad = true;
		return 0;
	}
	return n;
}

bool message_decode(TALLOC_CTX *mem, const char *bytes, size_t len, struct message **out)
{
	struct message *m = message_new(mem);
	struct bytes b = {.mem = m, .at = bytes, .left = len};
	int no_text;

	for (int i = 0; i < STRINGS; i++)
		*string_at(m, i) = get_string(&b);
	for (int i = 0; i < BOOLS; i++)
		*bool_at(m, i) = get_number(&b) != 0;
	no_text = get_number(&b);
	m->recipient_count = get_count(&b);
	m->recipients = talloc_array(m, struct recipient, (unsigned)m->recipient_count);
	for (int i = 0; i < m->recipient_count; i++) {
		m->recipients[i].address = get_string(&b);
		m->recipients[i].tag = get_string(&b);
	}
	m->typed.sheet_count = get_count(&b);
	m->typed.sheets = talloc_array(m, struct sheet_found, (unsigned)m->typed.sheet_count);
	for (int i = 0; i < m->typed.sheet_count; i++) {
		m->typed.sheets[i].game = get_string(&b);
		m->typed.sheets[i].turn = get_number(&b);
		m->typed.sheets[i].quoted = get_number(&b) != 0;
		m->typed.sheets[i].lines = get_string(&b);
	}
	m->typed.set_aside_count = get_count(&b);
	m->typed.set_aside = talloc_array(m, struct set_aside, (unsigned)m->typed.set_aside_count);
	for (int i = 0; i < m->typed.set_aside_count; i++) {
		m->typed.set_aside[i].what = get_string(&b);
		m->typed.set_aside[i].lines = get_string(&b);
	}
	if (b.bad || b.left > 0 || no_text < TEXT_FOUND || no_text > NO_TEXT_TOO_LARGE) {
		talloc_free(m);
		return false;
	}
	m->no_text = (enum no_text)no_text;
	*out = m;
	return true;
}
