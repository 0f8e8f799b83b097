#include "base/json.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <utf8proc.h>

void json_begin(struct json *j, struct buf *out)
{
	*j = (struct json){.out = out};
	j->first[0] = true;
}

/* RFC 8259: a JSON text is UTF-8, so bytes that are none become U+FFFD. */
static void quote(struct buf *out, const char *text)
{
	const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)text;
	utf8proc_ssize_t left = (utf8proc_ssize_t)strlen(text);

	buf_addc(out, '"');
	while (left > 0) {
		utf8proc_int32_t c;
		utf8proc_ssize_t n = utf8proc_iterate(at, left, &c);

		if (n < 1) {
			buf_adds(out, "\xEF\xBF\xBD");
			n = 1;
		} else if (c == '"' || c == '\\') {
			buf_addc(out, '\\');
			buf_addc(out, (char)c);
		} else if (c == '\n') {
			buf_adds(out, "\\n");
		} else if (c < ' ' || c == 0x7f) {
			buf_printf(out, "\\u%04x", (unsigned)c);
		} else {
			buf_add(out, at, (size_t)n);
		}
		at += n;
		left -= n;
	}
	buf_addc(out, '"');
}

static void lead(struct json *j, const char *name)
{
	if (!j->first[j->depth])
		buf_addc(j->out, ',');
	j->first[j->depth] = false;
	if (name) {
		quote(j->out, name);
		buf_addc(j->out, ':');
	}
}

static void open(struct json *j, const char *name, char bracket)
{
	lead(j, name);
	buf_addc(j->out, bracket);
	assert(j->depth + 1 < JSON_DEPTH_MAX);
	j->first[++j->depth] = true;
}

static void close(struct json *j, char bracket)
{
	assert(j->depth > 0);
	j->depth--;
	buf_addc(j->out, bracket);
}

void json_open_object(struct json *j, const char *name)
{
	open(j, name, '{');
}

void json_close_object(struct json *j)
{
	close(j, '}');
}

void json_open_array(struct json *j, const char *name)
{
	open(j, name, '[');
}

void json_close_array(struct json *j)
{
	close(j, ']');
}

void json_string(struct json *j, const char *name, const char *value)
{
	lead(j, name);
	if (value)
		quote(j->out, value);
	else
		buf_adds(j->out, "null");
}

void json_int(struct json *j, const char *name, int64_t value)
{
	lead(j, name);
	buf_printf(j->out, "%" PRId64, value);
}

void json_bool(struct json *j, const char *name, bool value)
{
	lead(j, name);
	buf_adds(j->out, value ? "true" : "false");
}
