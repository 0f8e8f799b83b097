#include "base/text.h"

#include "base/buf.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* Longest word that text_distance measures, in bytes. */
enum { DISTANCE_MAX = 127 };

/* Bytes that text_is_ascii looks at together. */
enum { AT_ONCE = 16 };

/* The next character in *c and how many bytes it takes; a byte that is no UTF-8 is one byte and -1. */
static size_t next(const char *text, size_t len, int32_t *c)
{
	utf8proc_ssize_t n = 1;

	*c = (unsigned char)*text;
	if (*c >= 0x80) /* the library's way is long for what most text is */
		n = utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)len, c);
	if (n >= 1)
		return (size_t)n;
	*c = -1;
	return 1;
}

static bool is_ascii(int32_t c)
{
	return c >= 0 && c < 0x80;
}

static void put(struct buf *out, int32_t c)
{
	utf8proc_uint8_t bytes[4];
	size_t n;

	if (is_ascii(c)) {
		buf_addc(out, (char)c);
		return;
	}
	n = (size_t)utf8proc_encode_char(c, bytes);
	buf_add(out, bytes, n);
}

/* --- plain form ----------------------------------------------------------------------------------------------------
 */

/* Characters that have a plain form, in order of their first code. "" means that nothing is left. */
static const struct plain {
	int32_t low, high;
	const char *as;
} plains[] = {
	{'`', '`', "'"},
	{0x85, 0x85, "\n"},
	{0xA0, 0xA0, " "},
	{0xAB, 0xAB, "\""},
	{0xAD, 0xAD, ""},
	{0xB4, 0xB4, "'"},
	{0xBB, 0xBB, "\""},
	{0x2BC, 0x2BC, "'"},
	{0x2000, 0x200A, " "},
	{0x200B, 0x200F, ""},
	{0x2010, 0x2015, "-"},
	{0x2018, 0x201B, "'"},
	{0x201C, 0x201F, "\""},
	{0x2026, 0x2026, "..."},
	{0x2028, 0x2029, "\n"},
	{0x202F, 0x202F, " "},
	{0x2032, 0x2032, "'"},
	{0x2033, 0x2033, "\""},
	{0x205F, 0x205F, " "},
	{0x2192, 0x2192, "->"},
	{0x2212, 0x2212, "-"},
	{0x3000, 0x3000, " "},
	{0xFB00, 0xFB00, "ff"},
	{0xFB01, 0xFB01, "fi"},
	{0xFB02, 0xFB02, "fl"},
	{0xFB03, 0xFB03, "ffi"},
	{0xFB04, 0xFB04, "ffl"},
	{0xFB05, 0xFB06, "st"},
	{0xFE00, 0xFE0F, ""},
	{0xFE58, 0xFE58, "-"},
	{0xFE63, 0xFE63, "-"},
	{0xFEFF, 0xFEFF, ""},
};

static int compare_plain(const void *key, const void *item)
{
	const int32_t c = *(const int32_t *)key;
	const struct plain *p = item;

	return c < p->low ? -1 : c > p->high;
}

static bool is_bullet(int32_t c)
{
	return c == 0x2022 || c == 0x2023 || c == 0xB7;
}

/* The plain form of a character that is no line end in itself. `line_start`: only blanks stand before it. */
static void put_plain(struct buf *out, int32_t c, bool line_start)
{
	const struct plain *p;

	if (c >= 0xFF01 && c <= 0xFF5E) /* full-width ASCII; what it gives may have a plain form of its own */
		c -= 0xFEE0;
	if (is_ascii(c) && c != '`') { /* the only one of ASCII in the list */
		buf_addc(out, (char)c);
		return;
	}
	p = bsearch(&c, plains, sizeof plains / sizeof *plains, sizeof *plains, compare_plain);
	if (p)
		buf_adds(out, p->as);
	else if (c < 0)
		put(out, 0xFFFD);
	else if (is_bullet(c) && line_start)
		buf_addc(out, '*');
	else if (utf8proc_category(c) != UTF8PROC_CATEGORY_CF)
		put(out, c);
}

/* How many bytes at the beginning are plain already: what most text is made of. */
static size_t plain_run(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && text[n] >= ' ' && text[n] <= '~' && text[n] != '`')
		n++;
	return n;
}

/* Adds the plain form; `origins`, unless NULL, gets for each byte of it where its character stands. */
static void put_text(struct buf *out, const char *text, size_t len, size_t *origins)
{
	bool line_start = true;

	for (size_t at = 0; at < len;) {
		int32_t c;
		size_t before = out->len, from = at, run = origins ? 0 : plain_run(text + at, len - at);

		if (run > 0) {
			line_start = line_start && strspn(text + at, " ") >= run;
			buf_add(out, text + at, run);
			at += run;
			continue;
		}
		at += next(text + at, len - at, &c);
		if (c == '\r' || c == '\v' || c == '\f') {
			if (c == '\r' && at < len && text[at] == '\n')
				at++;
			buf_addc(out, '\n');
		} else if (c == '\t' || c == '\n') {
			buf_addc(out, (char)c);
		} else if (c < 0 || (c >= ' ' && c < 0x7F) || c == 0x85 || c >= 0xA0) {
			put_plain(out, c, line_start);
		}
		if (out->len > before) {
			char last = out->data[out->len - 1];

			line_start = last == '\n' || (line_start && (last == ' ' || last == '\t'));
		}
		for (size_t i = before; origins && i < out->len; i++)
			origins[i] = from;
	}
}

char *text_plain(TALLOC_CTX *mem, const char *text, size_t len, size_t *out_len)
{
	struct buf *out = buf_new(mem);

	put_text(out, text, len, NULL);
	if (out_len)
		*out_len = out->len;
	return buf_finish(mem, out);
}

size_t *text_plain_origins(TALLOC_CTX *mem, const char *text, size_t len)
{
	size_t out_len;
	char *plain = text_plain(mem, text, len, &out_len);
	size_t *origins = talloc_array(mem, size_t, (unsigned)out_len + 1);
	struct buf *again = buf_new(plain);

	put_text(again, text, len, origins);
	origins[out_len] = len;
	talloc_free(plain);
	return origins;
}

/* --- comparing names -----------------------------------------------------------------------------------------------
 */

static bool is_word_character(int32_t c)
{
	utf8proc_category_t category;

	if (is_ascii(c))
		return isalnum(c);
	category = utf8proc_category(c);
	return (category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO) ||
	       (category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO);
}

/* A character at a time, not utf8proc_map over the text: that sorts runs of marks in quadratic time. */
char *text_fold(TALLOC_CTX *mem, const char *text)
{
	struct buf *out = buf_new(mem);
	size_t len = strlen(text);
	const char *plain = plain_run(text, len) == len ? text : text_plain(out, text, len, &len);
	bool gap = false;

	for (size_t at = 0; at < len;) {
		int32_t c, parts[16];
		int boundary = 0;
		utf8proc_ssize_t n;

		at += next(plain + at, len - at, &c);
		if (c == '\'' || c == '.')
			continue;
		n = 1;
		if (is_ascii(c))
			parts[0] = tolower(c);
		else
			n = utf8proc_decompose_char(c, parts, 16,
				UTF8PROC_DECOMPOSE | UTF8PROC_STRIPMARK | UTF8PROC_CASEFOLD | UTF8PROC_STABLE,
				&boundary);
		for (utf8proc_ssize_t i = 0; i < n; i++) {
			if (!is_word_character(parts[i])) {
				gap = true;
				continue;
			}
			if (gap && out->len)
				buf_addc(out, ' ');
			gap = false;
			put(out, parts[i]);
		}
	}
	return buf_finish(mem, out);
}

/* Optimal string alignment: insert, delete, change a letter, or swap two neighbours. */
int text_distance(const char *a, const char *b, int limit)
{
	int la = (int)strnlen(a, DISTANCE_MAX + 1), lb = (int)strnlen(b, DISTANCE_MAX + 1);
	int rows[3][DISTANCE_MAX + 1];
	int *before = rows[0], *last = rows[1], *row = rows[2];

	if (la > DISTANCE_MAX || lb > DISTANCE_MAX)
		return strcmp(a, b) == 0 ? 0 : limit + 1;
	if (abs(la - lb) > limit)
		return limit + 1;
	for (int j = 0; j <= lb; j++)
		last[j] = j;
	for (int i = 1; i <= la; i++) {
		int least = row[0] = i, *turn = before;

		for (int j = 1; j <= lb; j++) {
			int best = last[j - 1] + (a[i - 1] != b[j - 1]);

			if (last[j] + 1 < best)
				best = last[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
				best = before[j - 2] + 1;
			row[j] = best;
			if (best < least)
				least = best;
		}
		if (least > limit)
			return limit + 1;
		before = last;
		last = row;
		row = turn;
	}
	return last[lb] <= limit ? last[lb] : limit + 1;
}

/* --- width ---------------------------------------------------------------------------------------------------------
 */

static bool is_odd(char c, char also)
{
	return (unsigned char)(c - ' ') > '~' - ' ' && c != also;
}

/* Marks for each of many bytes whether there is an odd one in its place. Without a branch: so the compiler looks at all
 * of them at once. */
static inline void mark_odd(unsigned char odd[AT_ONCE], const char *text, char also)
{
	for (int i = 0; i < AT_ONCE; i++)
		odd[i] = (unsigned char)(odd[i] | is_odd(text[i], also));
}

static inline bool all_seen(const char *text, size_t len, char also)
{
	static const unsigned char none[AT_ONCE];
	unsigned char odd[AT_ONCE] = {0};

	for (size_t at = 0; at + AT_ONCE < len; at += AT_ONCE)
		mark_odd(odd, text + at, also);
	if (len >= AT_ONCE)
		mark_odd(odd, text + len - AT_ONCE, also);
	for (size_t at = 0; len < AT_ONCE && at < len; at++)
		odd[at] = is_odd(text[at], also);
	return memcmp(odd, none, sizeof odd) == 0;
}

bool text_is_ascii(const char *text, size_t len)
{
	return all_seen(text, len, ' ');
}

bool text_is_ascii_lines(const char *text, size_t len)
{
	return all_seen(text, len, '\n');
}

static int character_width(int32_t c)
{
	return c < 0 || c == '\t' || (c >= ' ' && c <= '~') ? 1 : utf8proc_charwidth(c);
}

int text_width(const char *text, size_t len)
{
	int columns = 0;

	for (size_t at = 0; at < len;) {
		int32_t c;

		at += next(text + at, len - at, &c);
		columns += character_width(c);
	}
	return columns;
}

/* How many bytes of the text fit into `columns`, at least one character. */
static size_t fitting(const char *text, size_t len, int columns)
{
	size_t at = 0, most = len < (size_t)columns ? len : (size_t)columns;

	if (text_is_ascii(text, most))
		return most;
	while (at < len) {
		int32_t c;
		size_t n = next(text + at, len - at, &c);

		columns -= character_width(c);
		if (columns < 0 && at > 0)
			break;
		at += n;
	}
	return at;
}

static size_t blanks(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && (text[n] == ' ' || text[n] == '\t'))
		n++;
	return n;
}

/* One line without its end. */
static void wrap_line(struct buf *out, const char *text, size_t len, int columns, int indent)
{
	int room = columns;

	for (;;) {
		size_t cut, end;

		if (len <= (size_t)room)
			break;
		cut = fitting(text, len, room);
		if (cut == len)
			break;
		end = cut;
		while (cut > 0 && text[cut] != ' ')
			cut--;
		while (cut > 0 && text[cut - 1] == ' ')
			cut--;
		if (cut > 0) /* else one long word, which has to be cut inside */
			end = cut;
		buf_add(out, text, end);
		end += blanks(text + end, len - end);
		text += end;
		len -= end;
		if (len == 0)
			return;
		buf_addc(out, '\n');
		for (int i = 0; i < indent; i++)
			buf_addc(out, ' ');
		room = columns - indent;
	}
	buf_add(out, text, len);
}

void text_wrap_to(struct buf *out, const char *text, size_t len, int columns, int indent)
{
	assert(indent >= 0 && columns > indent);
	if (len <= (size_t)columns) { /* no character is wider than it is long */
		buf_add(out, text, len);
		return;
	}
	for (;;) {
		const char *end = memchr(text, '\n', len);
		size_t line = end ? (size_t)(end - text) : len;

		wrap_line(out, text, line, columns, indent);
		if (line == len)
			break;
		buf_addc(out, '\n');
		text += line + 1;
		len -= line + 1;
	}
}

char *text_wrap(TALLOC_CTX *mem, const char *text, int columns, int indent)
{
	struct buf out;

	buf_open(&out, mem);
	text_wrap_to(&out, text, strlen(text), columns, indent);
	return buf_close(&out);
}

/* --- escaping ------------------------------------------------------------------------------------------------------
 */

/* May it be shown? Format characters (bidirectional overrides) and line separators could make a line lie. */
static bool harmless(int32_t c)
{
	switch (utf8proc_category(c)) {
	case UTF8PROC_CATEGORY_CC:
	case UTF8PROC_CATEGORY_CF:
	case UTF8PROC_CATEGORY_CS:
	case UTF8PROC_CATEGORY_ZL:
	case UTF8PROC_CATEGORY_ZP:
		return false;
	default:
		return true;
	}
}

char *text_escape(TALLOC_CTX *mem, const char *text, size_t len)
{
	struct buf *out = buf_new(mem);

	for (size_t at = 0; at < len;) {
		int32_t c;
		size_t n = next(text + at, len - at, &c);

		if (c >= 0 && harmless(c))
			buf_add(out, text + at, n);
		else
			for (size_t i = 0; i < n; i++)
				buf_printf(out, "\\x%02x", (unsigned char)text[at + i]);
		at += n;
	}
	return buf_finish(mem, out);
}

char *text_sentence(TALLOC_CTX *mem, const char *text)
{
	size_t len = strlen(text);
	char *out = talloc_asprintf(mem, "%s%s", text, len == 0 || strchr(".!?", text[len - 1]) != NULL ? "" : ".");

	out[0] = (char)toupper((unsigned char)out[0]);
	return out;
}

char *text_inches(TALLOC_CTX *mem, int32_t thousandths)
{
	enum { BEHIND = 3 }; /* digits behind the point */
	char text[16], *at = text + sizeof text - 1;
	int64_t rest = llabs((int64_t)thousandths);

	*at = '\0';
	for (int place = 0; place <= BEHIND || rest > 0; place++, rest /= 10) {
		if (place < BEHIND && rest % 10 == 0 && *at == '\0')
			continue;
		if (place == BEHIND && *at != '\0')
			*--at = '.';
		*--at = (char)('0' + rest % 10);
	}
	if (thousandths < 0)
		*--at = '-';
	return talloc_strdup(mem, at);
}
