/* The line of a problem with the place under it, for people. */
#include "base/buf.h"
#include "base/text.h"
#include "orders/sheet.h"

#include <string.h>

/* Bytes of the first `characters` characters. */
static size_t bytes_of(const char *text, int characters)
{
	size_t at = 0;

	while (text[at] && characters > 0) {
		for (at++; ((unsigned char)text[at] & 0xC0) == 0x80; at++)
			;
		characters--;
	}
	return at;
}

/* What a terminal or a mail can show: a tab is one blank wide. */
static char *shown(TALLOC_CTX *mem, const char *text, size_t len)
{
	char *line = talloc_strndup(mem, text, len);

	for (char *c = line; *c; c++)
		if (*c == '\t')
			*c = ' ';
	return text_escape(mem, line, strlen(line));
}

/* Bytes of the first characters that are as wide as `columns`; never more than `len`. */
static size_t bytes_as_wide(const char *text, size_t len, int columns)
{
	size_t at = 0;

	while (at < len && columns > 0) {
		size_t n = bytes_of(text + at, 1);

		columns -= text_width(text + at, n);
		at += n;
	}
	return at;
}

const char *problem_line(TALLOC_CTX *mem, const struct problem *p, int columns, int *caret)
{
	const char *line = p->typed, *before;
	size_t place = bytes_of(line, p->column - 1), len = strlen(line);

	if (text_width(line, len) > columns) { /* the part from a little before the place */
		size_t from = bytes_as_wide(line, place, text_width(line, place) - columns / 2);

		line += from;
		place -= from;
		len = bytes_as_wide(line, len - from, columns);
	}
	before = shown(mem, line, place < len ? place : len);
	*caret = text_width(before, strlen(before));
	return shown(mem, line, len);
}
