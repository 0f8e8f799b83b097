#include "base/line.h"

#include "base/text.h"

#include <assert.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

struct line_reader {
	const char *next, *end;
	char *copy; /* of the line, its words cut out of it; child of the reader */
	bool free_text;
	struct line line;
	struct word words[LINE_WORDS_MAX];
};

struct line_reader *line_reader_new(TALLOC_CTX *mem, const char *file, const char *text, size_t len)
{
	struct line_reader *r = talloc_zero(mem, struct line_reader);

	assert(r);
	if (len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { /* some editors begin every file with it */
		text += 3;
		len -= 3;
	}
	r->next = text;
	r->end = text + len;
	r->line.file = talloc_strdup(r, file);
	r->line.words = r->words;
	return r;
}

void line_free_text(struct line_reader *r, bool free_text)
{
	r->free_text = free_text;
}

PRINTF_LIKE(4, 0)
static struct err *err_at(TALLOC_CTX *mem, const struct line *l, int column, const char *format, va_list args)
{
	char *where = talloc_asprintf(mem, "%s:%d:%d", l->file, l->number, column);
	char *what = talloc_vasprintf(mem, format, args);
	struct err *e = err_new(mem, ERR_PROCESS, false, where, "%s", what);

	talloc_free(where);
	talloc_free(what);
	return e;
}

static struct err *err_in_column(TALLOC_CTX *mem, const struct line *l, int column, const char *format, ...)
	PRINTF_LIKE(4, 5);

static struct err *err_in_column(TALLOC_CTX *mem, const struct line *l, int column, const char *format, ...)
{
	va_list args;
	struct err *e;

	va_start(args, format);
	e = err_at(mem, l, column, format, args);
	va_end(args);
	return e;
}

/* Characters in the first `len` bytes: continuation bytes count nothing. */
static int characters(const char *text, size_t len)
{
	int n = 0;

	for (size_t i = 0; i < len; i++)
		n += ((unsigned char)text[i] & 0xC0) != 0x80;
	return n;
}

struct err *line_err(TALLOC_CTX *mem, const struct line *l, int index, const char *format, ...)
{
	int column = index >= 0 && index < l->count ? l->words[index].column : characters(l->raw, strlen(l->raw)) + 1;
	va_list args;
	struct err *e;

	va_start(args, format);
	e = err_at(mem, l, column, format, args);
	va_end(args);
	return e;
}

/* A file from elsewhere may be no text at all, or text in another character set. */
static struct err *check_characters(TALLOC_CTX *mem, const struct line *l, size_t len)
{
	for (size_t at = 0; at < len;) {
		int32_t c;
		utf8proc_ssize_t n =
			utf8proc_iterate((const utf8proc_uint8_t *)l->raw + at, (utf8proc_ssize_t)(len - at), &c);

		if (n < 1)
			return err_in_column(mem, l, characters(l->raw, at) + 1,
				"this character is not UTF-8: save the file as UTF-8 text");
		if ((c < ' ' && c != '\t') || c == 0x7f)
			return err_in_column(mem, l, characters(l->raw, at) + 1,
				"a control character (code %d) cannot stand here", (int)c);
		at += (size_t)n;
	}
	return NULL;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool begins_comment(const char *at)
{
	return *at == '#' && !(at[1] >= '0' && at[1] <= '9');
}

static bool is_free_text(const struct line_reader *r)
{
	return r->free_text || r->line.indented;
}

/* The word at `at`, which is no blank; moves `at` behind it. The NUL takes the place of the blank or quote after it. */
static struct err *cut_word(TALLOC_CTX *mem, struct line_reader *r, char **at, int column)
{
	struct line *l = &r->line;
	struct word *w = &r->words[l->count];
	char *end;

	if (l->count == LINE_WORDS_MAX)
		return is_free_text(r) ? NULL
				       : err_in_column(mem, l, column, "there are more than %d words in this line",
						 LINE_WORDS_MAX);
	*w = (struct word){.text = *at, .column = column};
	end = **at == '"' ? strchr(*at + 1, '"') : NULL;
	if (end && end[1] && !is_blank(end[1])) {
		if (!is_free_text(r))
			return err_in_column(
				mem, l, column, "there has to be a blank after the closing quote mark (\")");
		end = NULL; /* "Barrell's": hold */
	}
	if (end) {
		w->text = *at + 1;
		w->quoted = true;
		*at = end + (end[1] != '\0');
		*end = '\0';
	} else if (**at == '"' && !is_free_text(r)) {
		return err_in_column(mem, l, column, "this quote mark (\") has no second one to close it");
	} else {
		*at += strcspn(*at, " \t");
	}
	l->count++;
	return NULL;
}

static struct err *cut_words(TALLOC_CTX *mem, struct line_reader *r)
{
	char *at = r->copy, *counted = r->copy;
	int column = 1;

	for (;;) {
		struct err *e;
		bool last;

		while (is_blank(*at))
			at++;
		if (!*at || begins_comment(at))
			return NULL;
		column += characters(r->line.raw + (counted - r->copy), (size_t)(at - counted));
		counted = at;
		e = cut_word(mem, r, &at, column);
		if (e)
			return e;
		last = !*at;
		*at = '\0';
		if (last)
			return NULL;
		at++;
	}
}

struct err *line_next(TALLOC_CTX *mem, struct line_reader *r, const struct line **out)
{
	struct line *l = &r->line;
	const char *end;
	size_t len;
	struct err *e;

	*out = NULL;
	if (r->next == r->end)
		return NULL;
	end = memchr(r->next, '\n', (size_t)(r->end - r->next));
	len = (size_t)((end ? end : r->end) - r->next);
	talloc_free(r->copy);
	r->copy = talloc_size(r, 2 * (len + 1));
	assert(r->copy);
	memcpy(r->copy, r->next, len);
	r->next = end ? end + 1 : r->end;
	if (len > 0 && r->copy[len - 1] == '\r')
		len--;
	r->copy[len] = '\0';
	l->raw = memcpy(r->copy + len + 1, r->copy, len + 1);
	l->number++;
	l->count = 0;
	l->indented = is_blank(*l->raw);
	e = check_characters(mem, l, len);
	if (!e)
		e = cut_words(mem, r);
	if (!e)
		*out = l;
	return e;
}

/* --- numbers -------------------------------------------------------------------------------------------------------
 */

/* A number with up to three decimals in thousandths, at *at, which moves behind it. */
static bool thousandths(const char **at, int64_t *out)
{
	const char *p = *at;
	bool minus = *p == '-', digits = false;
	int64_t value = 0;

	p += minus;
	for (; *p >= '0' && *p <= '9'; p++, digits = true)
		if ((value = 10 * value + (*p - '0')) > INT32_MAX)
			return false;
	value *= 1000;
	if (*p == '.') {
		int64_t unit = 100;

		for (p++; *p >= '0' && *p <= '9'; p++, digits = true, unit /= 10) {
			if (unit == 0 && *p != '0')
				return false;
			value += unit * (*p - '0');
		}
	}
	*at = p;
	*out = minus ? -value : value;
	return digits;
}

static const char *typed(TALLOC_CTX *mem, const struct line *l, int index)
{
	return index < l->count ? talloc_asprintf(mem, "\"%s\"", l->words[index].text) : "the end of the line";
}

struct err *line_int(TALLOC_CTX *mem, const struct line *l, int index, long min, long max, long *out)
{
	if (index < l->count) {
		const char *text = l->words[index].text;
		char *end;
		long value;

		value = strtol(text, &end, 10);
		/* strtol gives LONG_MAX or LONG_MIN for what it cannot hold. */
		if (end != text && !*end && strchr("-0123456789", *text) && value >= min && value <= max &&
			value != LONG_MAX) {
			*out = value;
			return NULL;
		}
	}
	return line_err(
		mem, l, index, "expected a whole number from %ld to %ld, not %s", min, max, typed(mem, l, index));
}

struct err *line_inches(TALLOC_CTX *mem, const struct line *l, int index, int32_t min, int32_t max, int32_t *out)
{
	if (index < l->count) {
		const char *at = l->words[index].text;
		int64_t value;

		if (thousandths(&at, &value) && (!*at || strcmp(at, "\"") == 0) && value >= min && value <= max) {
			*out = (int32_t)value;
			return NULL;
		}
	}
	return line_err(mem, l, index,
		"expected inches from %s to %s with at most three decimals (such as 4.5), not %s",
		text_inches(mem, min), text_inches(mem, max), typed(mem, l, index));
}

struct err *line_point(TALLOC_CTX *mem, const struct line *l, int index, int32_t *x, int32_t *y)
{
	if (index < l->count) {
		const char *at = l->words[index].text;
		int64_t a, b;

		if (thousandths(&at, &a) && *at++ == ',' && thousandths(&at, &b) && !*at &&
			llabs(a) <= LINE_POINT_MAX && llabs(b) <= LINE_POINT_MAX) {
			*x = (int32_t)a;
			*y = (int32_t)b;
			return NULL;
		}
	}
	return line_err(mem, l, index, "expected a place as X,Y in inches, without a blank (such as 40,20.5), not %s",
		typed(mem, l, index));
}
