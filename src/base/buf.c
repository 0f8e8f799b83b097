#include "base/buf.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST_ROOM = 256 };

/* There is nothing to do without memory but to stop at once. */
void buf_grow(struct buf *b, size_t n)
{
	size_t room = b->room;

	if (n >= SIZE_MAX / 2 - b->len)
		abort();
	while (room - b->len <= n)
		room *= 2;
	b->data = talloc_realloc_size(b, b->data, room);
	if (!b->data)
		abort();
	b->room = room;
}

void buf_open(struct buf *b, TALLOC_CTX *mem)
{
	b->len = 0;
	b->room = FIRST_ROOM;
	b->data = talloc_size(mem, FIRST_ROOM);
	if (!b->data)
		abort();
	b->data[0] = '\0';
}

struct buf *buf_new(TALLOC_CTX *mem)
{
	struct buf *b = talloc(mem, struct buf);

	if (!b)
		abort();
	buf_open(b, b);
	return b;
}

void buf_printf(struct buf *b, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	buf_vprintf(b, format, args);
	va_end(args);
}

static void add_rest(struct buf *b, const char *format, va_list args) PRINTF_LIKE(2, 0);

static void add_rest(struct buf *b, const char *format, va_list args)
{
	va_list again;
	int n;

	va_copy(again, args);
	n = vsnprintf(b->data + b->len, b->room - b->len, format, args);
	assert(n >= 0);
	if ((size_t)n >= b->room - b->len) {
		buf_grow(b, (size_t)n);
		n = vsnprintf(b->data + b->len, b->room - b->len, format, again);
	}
	va_end(again);
	b->len += (size_t)n;
}

/* In `least` characters or more. */
static void add_number(struct buf *b, long long n, int least)
{
	char digits[24], *end = digits + sizeof digits, *at = end;
	unsigned long long left = n < 0 ? 0ULL - (unsigned long long)n : (unsigned long long)n;

	for (; left > 0 || end - at < least - (n < 0); left /= 10)
		*--at = (char)('0' + left % 10);
	if (n < 0)
		*--at = '-';
	buf_add(b, at, (size_t)(end - at));
}

void buf_vprintf(struct buf *b, const char *format, va_list args)
{
	for (;; format += 2) {
		const char *text = format;

		if (*format != '%') {
			format = strchrnul(text, '%');
			buf_add(b, text, (size_t)(format - text));
		}
		if (*format == '\0')
			return;
		if (format[1] == 's') {
			text = va_arg(args, const char *);
			buf_adds(b, text == NULL ? "(null)" : text);
		} else if (format[1] == 'd') {
			add_number(b, va_arg(args, int), 1);
		} else if (strncmp(format, "%02d", 4) == 0) {
			format += 2;
			add_number(b, va_arg(args, int), 2);
		} else if (strncmp(format, "%lld", 4) == 0) {
			format += 2;
			add_number(b, va_arg(args, long long), 1);
		} else if (format[1] == 'c') {
			buf_addc(b, (char)va_arg(args, int));
		} else {
			add_rest(b, format, args);
			return;
		}
	}
}

void buf_cut(struct buf *b, size_t len)
{
	assert(len <= b->len);
	b->len = len;
	b->data[len] = '\0';
}

char *buf_close(struct buf *b)
{
	char *text = talloc_realloc_size(NULL, b->data, b->len + 1);

	if (!text)
		abort();
	talloc_set_type(text, char);
	return text;
}

char *buf_text(TALLOC_CTX *mem, const char *format, ...)
{
	struct buf b;
	va_list args;

	buf_open(&b, mem);
	va_start(args, format);
	buf_vprintf(&b, format, args);
	va_end(args);
	return buf_close(&b);
}

char *buf_finish(TALLOC_CTX *mem, struct buf *b)
{
	char *text = talloc_steal(mem, buf_close(b));

	talloc_free(b);
	return text;
}

char *buf_steal(TALLOC_CTX *mem, struct buf *b)
{
	char *text = talloc_steal(mem, buf_close(b));

	buf_open(b, b);
	return text;
}
