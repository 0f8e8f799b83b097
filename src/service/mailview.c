#include "service/mailview.h"

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "mail/reader.h"
#include "mail/source.h"
#include "mail/token.h"

#include <string.h>

/* The first plus tag of an address, and a token wherever one is: not checked, since that takes the game's secret. */
static const char *first_tag(const struct message *m)
{
	for (int i = m->recipient_count - 1; i >= 0; i--)
		if (*m->recipients[i].tag)
			return m->recipients[i].tag;
	return "";
}

static const char *find_token(TALLOC_CTX *mem, const struct message *m)
{
	const char *tag = first_tag(m);
	struct token t;

	if ((*tag && token_read(tag, &t)) || token_in_subject(m->subject, &t) || token_in_ids(m->in_reply_to, &t) ||
		token_in_ids(m->references, &t))
		return talloc_strdup(mem, t.text);
	return "";
}

/* --- JSON -------------------------------------------------------------------------------------------------------- */

static void json_lines(struct json *j, TALLOC_CTX *mem, const char *name, const char *text)
{
	json_open_array(j, name);
	while (*text) {
		size_t n = strcspn(text, "\n");

		json_string(j, NULL, talloc_strndup(mem, text, n));
		text += n + (text[n] == '\n');
	}
	json_close_array(j);
}

static void json_bounce(struct json *j, const struct bounce *b)
{
	json_open_object(j, "bounce");
	json_string(j, "recipient", b->recipient);
	json_string(j, "status", b->status);
	json_string(j, "diagnostic", b->diagnostic);
	json_string(j, "original_id", b->original_id);
	json_bool(j, "permanent", b->permanent);
	json_close_object(j);
}

static void json_typed(struct json *j, TALLOC_CTX *mem, const struct typed *t)
{
	json_string(j, "text", t->text);
	json_open_array(j, "sheets");
	for (int i = 0; i < t->sheet_count; i++) {
		json_open_object(j, NULL);
		json_string(j, "game", t->sheets[i].game);
		json_int(j, "turn", t->sheets[i].turn);
		json_bool(j, "quoted", t->sheets[i].quoted);
		json_lines(j, mem, "lines", t->sheets[i].lines);
		json_close_object(j);
	}
	json_close_array(j);
	json_open_array(j, "set_aside");
	for (int i = 0; i < t->set_aside_count; i++) {
		json_open_object(j, NULL);
		json_string(j, "what", t->set_aside[i].what);
		json_lines(j, mem, "lines", t->set_aside[i].lines);
		json_close_object(j);
	}
	json_close_array(j);
}

static void view_json(TALLOC_CTX *mem, const struct message *m, struct buf *out)
{
	struct json j;

	json_begin(&j, out);
	json_open_object(&j, NULL);
	json_bool(&j, "readable", m->readable);
	json_string(&j, "unreadable", m->unreadable);
	json_string(&j, "sender", m->sender);
	json_string(&j, "sender_name", m->sender_name);
	json_string(&j, "sender_unknown", m->sender_unknown);
	json_open_array(&j, "recipients");
	for (int i = 0; i < m->recipient_count; i++)
		json_string(&j, NULL, m->recipients[i].address);
	json_close_array(&j);
	json_string(&j, "tag", first_tag(m));
	json_string(&j, "token", find_token(mem, m));
	json_string(&j, "subject", m->subject);
	json_string(&j, "subject_tag", m->subject_tag);
	json_bool(&j, "forwarded", m->forwarded);
	json_string(&j, "message_id", m->message_id);
	json_string(&j, "in_reply_to", m->in_reply_to);
	json_string(&j, "references", m->references);
	json_string(&j, "automatic", m->automatic);
	json_bool(&j, "own", m->own);
	if (m->bounce.present)
		json_bounce(&j, &m->bounce);
	json_string(&j, "no_text", no_text_name(m->no_text));
	json_string(&j, "text_from", m->text_from);
	json_typed(&j, mem, &m->typed);
	json_lines(&j, mem, "files", m->files);
	json_close_object(&j);
	buf_addc(out, '\n');
}

/* --- for people -------------------------------------------------------------------------------------------------- */

/* A text from outside under a heading, safe for a terminal, indented. */
static void section(TALLOC_CTX *mem, struct buf *out, const char *heading, const char *text)
{
	if (*text == '\0')
		return;
	buf_printf(out, "\n%s:\n", heading);
	while (*text) {
		size_t n = strcspn(text, "\n");

		buf_printf(out, "  %s\n", text_escape(mem, text, n));
		text += n + (text[n] == '\n');
	}
}

static void item(TALLOC_CTX *mem, struct buf *out, const char *name, const char *value)
{
	if (*value)
		buf_printf(out, "%-12s %s\n", name, text_escape(mem, value, strlen(value)));
}

static void view_lines(TALLOC_CTX *mem, const struct message *m, struct buf *out)
{
	item(mem, out, "sender", m->sender);
	item(mem, out, "", m->sender_unknown);
	item(mem, out, "name", m->sender_name);
	item(mem, out, "subject", m->subject);
	item(mem, out, "subject tag", m->subject_tag);
	item(mem, out, "plus tag", first_tag(m));
	item(mem, out, "token", find_token(mem, m));
	item(mem, out, "reply to", m->in_reply_to);
	item(mem, out, "automatic", m->automatic);
	item(mem, out, "own", m->own ? "a Galloper sent this mail" : "");
	item(mem, out, "bounce for", m->bounce.recipient);
	item(mem, out, "", m->bounce.present ? m->bounce.permanent ? "for good" : "for now" : "");
	item(mem, out, "unreadable", m->unreadable);
	item(mem, out, "no text", no_text_name(m->no_text));
	item(mem, out, "text from", m->text_from);
	section(mem, out, "typed", m->typed.text);
	for (int i = 0; i < m->typed.sheet_count; i++)
		section(mem, out,
			talloc_asprintf(mem, "order sheet of %s, turn %d",
				text_escape(mem, m->typed.sheets[i].game, strlen(m->typed.sheets[i].game)),
				m->typed.sheets[i].turn),
			m->typed.sheets[i].lines);
	for (int i = 0; i < m->typed.set_aside_count; i++)
		section(mem, out, talloc_asprintf(mem, "set aside (%s)", m->typed.set_aside[i].what),
			m->typed.set_aside[i].lines);
	section(mem, out, "files not read", m->files);
}

struct err *mailview(TALLOC_CTX *mem, const char *program, const char *path, bool json, struct buf *out, bool *readable)
{
	struct message *m = NULL;
	size_t len;
	char *raw;
	struct err *e =
		file_read(mem, strcmp(path, "-") == 0 ? "/dev/stdin" : path, 4 * (size_t)SOURCE_MAIL_MAX, &raw, &len);

	if (e == NULL)
		e = reader_read(mem, reader_new(mem, program), READER_WHOLE, raw, len, &m);
	if (e)
		return e;
	*readable = m->readable;
	if (json)
		view_json(mem, m, out);
	else
		view_lines(mem, m, out);
	return NULL;
}
