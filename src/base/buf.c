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

static void start(struct buf *b)
{
	b->len = 0;
	b->room = FIRST_ROOM;
	b->data = talloc_size(b, FIRST_ROOM);
	if (!b->data)
		abort();
	b->data[0] = '\0';
}

struct buf *buf_new(TALLOC_CTX *mem)
{
	struct buf *b = talloc(mem, struct buf);

	if (!b)
		abort();
	start(b);
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

static void add_int(struct buf *b, int n)
{
	char digits[12], *at = digits + sizeof digits;
	unsigned left = n < 0 ? 0U - (unsigned)n : (unsigned)n;

	do
		*--at = (char)('0' + left % 10);
	while ((left /= 10) > 0);
	if (n < 0)
		*--at = '-';
	buf_add(b, at, (size_t)(digits + sizeof digits - at));
}

/* The library takes a thousand instructions for what is almost always a text or a number between others. */
void buf_vprintf(struct buf *b, const char *format, va_list args)
{
	for (;; format += 2) {
		const char *text = format;

		format = strchrnul(text, '%');
		buf_add(b, text, (size_t)(format - text));
		if (*format == '\0')
			return;
		if (format[1] == 's') {
			text = va_arg(args, const char *);
			buf_adds(b, text == NULL ? "(null)" : text);
		} else if (format[1] == 'd') {
			add_int(b, va_arg(args, int));
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

static char *take(TALLOC_CTX *mem, struct buf *b)
{
	char *text = talloc_realloc_size(b, b->data, b->len + 1);

	if (!text)
		abort();
	talloc_set_type(text, char);
	talloc_steal(mem, text);
	return text;
}

char *buf_finish(TALLOC_CTX *mem, struct buf *b)
{
	char *text = take(mem, b);

	talloc_free(b);
	return text;
}

char *buf_steal(TALLOC_CTX *mem, struct buf *b)
{
	char *text = take(mem, b);

	start(b);
	return text;
}
