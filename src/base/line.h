/* The one line reader for battle files, rules files, rules cases and the configuration.
 *
 * A line is words separated by blanks; a word in "double quotes" may hold blanks. `#` begins a comment at a line's
 * start or after a blank, and never before a digit. Errors are located as file:line:column. */
#ifndef GALLOPER_BASE_LINE_H
#define GALLOPER_BASE_LINE_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

enum { LINE_WORDS_MAX = 256, LINE_POINT_MAX = 1000000 /* thousandths: as far as geometry reaches */ };

struct word {
	const char *text; /* NUL-terminated, quotes removed */
	int column;       /* 1-based, in characters */
	bool quoted;
};

struct line {
	const char *file;
	int number;      /* 1-based */
	const char *raw; /* the whole line as it stands, without its end */
	bool indented;   /* begins with a blank */
	struct word *words;
	int count; /* 0 for blank lines and comments */
};

struct line_reader;

/* Reads from `text` (kept by the caller for the reader's life); `file` names it in errors. */
struct line_reader *line_reader_new(TALLOC_CTX *mem, const char *file, const char *text, size_t len);

/* The next line, blank ones included, in *out (valid until the next call); NULL in *out at the end. An unclosed quote,
 * too many words, control characters and bytes that are no UTF-8 are errors. An indented line may be free text (orders
 * in a case): there a quote that is never closed, or not before a blank ("Barrell's": hold), is an ordinary character,
 * and the words after the last are left out. A quote within a word (12") is always an ordinary character. */
struct err *line_next(TALLOC_CTX *mem, struct line_reader *r, const struct line **out) MUST_CHECK;

/* Whether the lines from here on may be free text though they are not indented. */
void line_free_text(struct line_reader *r, bool free_text);

/* An error at word `index` of the line (at its end when index == count): "FILE:LINE:COLUMN: FORMAT". */
struct err *line_err(TALLOC_CTX *mem, const struct line *l, int index, const char *format, ...) PRINTF_LIKE(4, 5);

/* Word `index` as a whole number in [min, max]; as inches to thousandths ("4.5" or 4.5" -> 4500); as "X,Y" in inches.
 * Each says in its error what was expected there. */
struct err *line_int(TALLOC_CTX *mem, const struct line *l, int index, long min, long max, long *out) MUST_CHECK;
struct err *line_inches(
	TALLOC_CTX *mem, const struct line *l, int index, int32_t min, int32_t max, int32_t *out) MUST_CHECK;
struct err *line_point(TALLOC_CTX *mem, const struct line *l, int index, int32_t *x, int32_t *y) MUST_CHECK;

#endif
