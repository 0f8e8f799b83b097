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

enum { HEAD_COLUMNS = 20, CUT_COLUMNS = 5 };

/* Bytes of the first words that are at most some columns wide: whose line it is. */
static size_t head_of(const char *line, size_t len)
{
	size_t to = bytes_as_wide(line, len, HEAD_COLUMNS);

	for (size_t end = to; end > 0; end--)
		if (line[end] == ' ')
			return end;
	return to;
}

/* Bytes up to the last blank behind the place; all when there is none. */
static size_t whole_words(const char *line, size_t place, size_t len)
{
	for (size_t end = len; end > place + 1; end--)
		if (line[end] == ' ')
			return end;
	return len;
}

const char *problem_line(TALLOC_CTX *mem, const struct problem *p, int columns, int *caret)
{
	const char *line = p->typed, *before, *head = "";
	size_t place = bytes_of(line, p->column - 1), len = strlen(line), from = 0, all = len;

	if (text_width(line, len) > columns) {
		columns -= CUT_COLUMNS;
		if (text_width(line, place) >
			columns / 2) { /* its first words, and the part from a little before the place */
			head = talloc_asprintf(mem, "%s ... ", shown(mem, line, head_of(line, place)));
			columns -= text_width(head, strlen(head));
			from = bytes_as_wide(line, place, text_width(line, place) - columns / 3);
			while (from < place && from > 0 && line[from - 1] != ' ')
				from++;
		}
		line += from;
		place -= from;
		len = bytes_as_wide(line, len - from, columns);
		len = from + len < all ? whole_words(line, place, len) : len;
	}
	before = talloc_asprintf(mem, "%s%s", head, shown(mem, line, place < len ? place : len));
	*caret = text_width(before, strlen(before));
	return talloc_asprintf(mem, "%s%s%s", head, shown(mem, line, len), from + len < all ? " ..." : "");
}
