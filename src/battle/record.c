#include "battle/record.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

static bool is_plain(unsigned char c)
{
	return c > ' ' && c != '%' && c != 0x7f;
}

void record_put_int(struct buf *out, int64_t value)
{
	char digits[24];
	size_t at = sizeof digits;
	uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

	do
		digits[--at] = (char)('0' + left % 10);
	while (left /= 10);
	if (value < 0)
		digits[--at] = '-';
	digits[--at] = ' ';
	buf_add(out, digits + at, sizeof digits - at);
}

void record_put_text(struct buf *out, const char *text)
{
	buf_addc(out, ' ');
	if (!*text)
		buf_addc(out, '%');
	while (*text) {
		size_t n = 0;

		while (is_plain((unsigned char)text[n]))
			n++;
		buf_add(out, text, n);
		text += n;
		if (*text)
			buf_printf(out, "%%%02X", (unsigned char)*text++);
	}
}

struct record_reader record_reader(const char *bytes, size_t len)
{
	return (struct record_reader){.at = bytes, .end = bytes + len, .line = 1};
}

static bool fault(struct record_reader *r, const char *expected)
{
	if (!r->fault)
		r->fault = expected;
	return false;
}

void record_tag(struct record_reader *r, const char *tag)
{
	size_t len = strlen(tag);

	if (r->fault)
		return;
	if ((size_t)(r->end - r->at) < len || memcmp(r->at, tag, len) != 0)
		fault(r, tag);
	else
		r->at += len;
}

/* The blank that stands before every field. */
static bool field(struct record_reader *r)
{
	if (r->fault)
		return false;
	if (r->at == r->end || *r->at != ' ')
		return fault(r, "another field");
	r->at++;
	return true;
}

int64_t record_int(struct record_reader *r, int64_t min, int64_t max)
{
	bool minus;
	const char *digits;
	int64_t value = 0;

	assert(min > INT64_MIN / 16 && max < INT64_MAX / 16);
	if (!field(r))
		return min;
	minus = r->at < r->end && *r->at == '-';
	digits = r->at += minus;
	for (; r->at < r->end && *r->at >= '0' && *r->at <= '9' && value <= INT64_MAX / 16; r->at++)
		value = 10 * value + (*r->at - '0');
	/* One way only to write a number: no leading zero, no -0. */
	if (r->at == digits || (*digits == '0' && (r->at > digits + 1 || minus))) {
		fault(r, "a number");
		return min;
	}
	value = minus ? -value : value;
	if (value < min || value > max) {
		fault(r, "a number within its limits");
		return min;
	}
	return value;
}

bool record_flag(struct record_reader *r)
{
	return record_int(r, 0, 1) == 1;
}

int record_count(struct record_reader *r)
{
	int64_t left = r->end - r->at;

	return (int)record_int(r, 0, left < INT32_MAX ? left : INT32_MAX);
}

static int hex(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The next character of a text, or -1 at its end or at a fault. */
static int character(struct record_reader *r)
{
	int high, low;

	if (r->at == r->end || *r->at == ' ' || *r->at == '\n')
		return -1;
	if (is_plain((unsigned char)*r->at))
		return (unsigned char)*r->at++;
	high = r->end - r->at >= 3 ? hex(r->at[1]) : -1;
	low = high >= 0 ? hex(r->at[2]) : -1;
	if (*r->at != '%' || low < 0 || high + low == 0 || is_plain((unsigned char)(16 * high + low))) {
		fault(r, "a text");
		return -1;
	}
	r->at += 3;
	return 16 * high + low;
}

/* The field's bytes into `out` of `room` bytes, NUL included; never more than stand there. */
static void decode(struct record_reader *r, char *out, size_t room)
{
	size_t n = 0;
	int c;

	out[0] = '\0';
	if (r->end - r->at >= 1 && *r->at == '%' && (r->end - r->at == 1 || r->at[1] == ' ' || r->at[1] == '\n')) {
		r->at++;
		return;
	}
	while ((c = character(r)) >= 0) {
		if (n + 1 == room) {
			fault(r, "a shorter text");
			break;
		}
		out[n++] = (char)c;
	}
	if (n == 0)
		fault(r, "a text");
	out[r->fault ? 0 : n] = '\0';
}

const char *record_text(TALLOC_CTX *mem, struct record_reader *r)
{
	size_t room = 1;
	char *text;

	if (!field(r))
		return "";
	while (r->at + room - 1 < r->end && r->at[room - 1] != ' ' && r->at[room - 1] != '\n')
		room++;
	text = talloc_size(mem, room);
	assert(text);
	talloc_set_name_const(text, "char");
	decode(r, text, room);
	return text;
}

void record_chars(struct record_reader *r, char *out, size_t room)
{
	out[0] = '\0';
	if (field(r))
		decode(r, out, room);
}

void record_end_line(struct record_reader *r)
{
	if (r->fault)
		return;
	if (r->at == r->end || *r->at != '\n') {
		fault(r, "the end of the line");
		return;
	}
	r->at++;
	r->line++;
}

struct err *record_result(TALLOC_CTX *mem, const struct record_reader *r, const char *what)
{
	const char *expected = r->fault ? r->fault : r->at != r->end ? "the end" : NULL;

	if (!expected)
		return NULL;
	return err_new(mem, ERR_GAME, false, NULL, "the stored %s are damaged in line %d: expected %s", what, r->line,
		expected);
}
