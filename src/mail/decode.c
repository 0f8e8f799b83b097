#include "mail/decode.h"

#include "base/buf.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <iconv.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <utf8proc.h>

/* Are there characters of several bytes, and how many bytes are no UTF-8? */
static bool utf8_inside(const char *bytes, size_t len, size_t *bad)
{
	bool some = false;

	*bad = 0;
	for (size_t at = 0; at < len;) {
		int32_t c;
		utf8proc_ssize_t n =
			utf8proc_iterate((const utf8proc_uint8_t *)bytes + at, (utf8proc_ssize_t)(len - at), &c);

		*bad += n < 1;
		some = some || n > 1;
		at += n < 1 ? 1 : (size_t)n;
	}
	return some;
}

/* --- transfer encodings ------------------------------------------------------------------------------------------ */

static int hex(char c)
{
	const char *digits = "0123456789abcdef", *p = c ? strchr(digits, tolower((unsigned char)c)) : NULL;

	return p ? (int)(p - digits) : -1;
}

/* The length of a line from `at` on, blanks and its end left out; *next is where the following one begins. */
static size_t line_length(const char *bytes, size_t len, size_t at, size_t *next)
{
	const char *newline = memchr(bytes + at, '\n', len - at);
	size_t n = newline ? (size_t)(newline - bytes) - at : len - at;

	*next = at + n + (newline != NULL);
	while (n > 0 && (bytes[at + n - 1] == ' ' || bytes[at + n - 1] == '\t' || bytes[at + n - 1] == '\r'))
		n--;
	return n;
}

static void decode_quoted(struct buf *out, const char *bytes, size_t len)
{
	for (size_t at = 0, next; at < len; at = next) {
		size_t end = at + line_length(bytes, len, at, &next);
		bool soft = end > at && bytes[end - 1] == '=';

		for (size_t i = at; i < end - soft; i++) {
			if (bytes[i] == '=' && i + 2 < end && hex(bytes[i + 1]) >= 0 && hex(bytes[i + 2]) >= 0) {
				buf_addc(out, (char)(hex(bytes[i + 1]) * 16 + hex(bytes[i + 2])));
				i += 2;
			} else {
				buf_addc(out, bytes[i]);
			}
		}
		if (!soft && next > end)
			buf_addc(out, '\n');
	}
}

static int base64_value(char c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *p = c ? strchr(digits, c) : NULL;

	return p ? (int)(p - digits) : -1;
}

/* Words parted by blanks are no base64, unless they are as long as an encoder makes them; nor are sentences. */
static bool is_base64_line(const char *line, size_t len)
{
	size_t good = 0, bad = 0, blanks = 0;

	for (; len > 0 && (*line == '>' || *line == ' '); len--)
		line++;
	for (size_t i = 0; i < len; i++) {
		if (base64_value(line[i]) >= 0 || line[i] == '=')
			good++;
		else if (line[i] == ' ' || line[i] == '\t')
			blanks++;
		else
			bad++;
	}
	return bad * 6 <= good && blanks * 4 <= good + 4 && (bad == 0 || blanks == 0);
}

/* Long, whole, and of nothing but base64: no sentence of anybody's. */
static bool is_solid_line(const char *line, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (base64_value(line[i]) < 0 && (line[i] != '=' || i + 2 < len))
			return false;
	return len >= 16 && len % 4 == 0;
}

/* From where on there is base64 after all: a gateway has put its warning before it. `len` if there is none. */
static size_t find_base64(const char *bytes, size_t len)
{
	for (size_t at = 0, next; at < len; at = next)
		if (is_solid_line(bytes + at, line_length(bytes, len, at, &next)))
			return at;
	return len;
}

static void decode_base64(struct buf *out, const char *bytes, size_t len)
{
	uint32_t bits = 0;
	int have = 0;

	for (size_t at = 0, next; at < len; at = next) {
		size_t end = at + line_length(bytes, len, at, &next);

		if (!is_base64_line(bytes + at, end - at)) {
			size_t words;

			if (out->len > 0)
				return;
			/* The header was wrong about it, or about its beginning. */
			words = find_base64(bytes + at, len - at);
			buf_add(out, bytes + at, words);
			next = at + words;
			continue;
		}
		for (size_t i = at; i < end; i++) {
			int v = base64_value(bytes[i]);

			if (bytes[i] == '=' && have > 0) {
				have = 0; /* padding: what follows, if anything does, begins anew */
				continue;
			}
			if (v < 0)
				continue;
			bits = bits << 6 | (uint32_t)v;
			have += 6;
			if (have >= 8) {
				have -= 8;
				buf_addc(out, (char)(bits >> have & 0xFF));
			}
		}
	}
}

/* Lines that begin with the number of their bytes, each character six bits above a blank, between `begin` and `end`. */
static void decode_uu(struct buf *out, const char *bytes, size_t len)
{
	for (size_t at = 0, next; at < len; at = next) {
		const char *line = bytes + at;
		size_t n = line_length(bytes, len, at, &next), want = n > 0 ? (size_t)(line[0] - 32) & 63 : 0;
		uint32_t bits = 0;

		if (n > 5 && strncmp(line, "begin ", 6) == 0)
			continue;
		if (n == 3 && strncmp(line, "end", 3) == 0)
			return;
		for (size_t i = 0; want > 0 && i < (n + 2) / 4 * 4; i++) {
			bits = bits << 6 | (i + 1 < n ? (uint32_t)(line[i + 1] - 32) & 63 : 0);
			for (int shift = 16; i % 4 == 3 && shift >= 0 && want > 0; shift -= 8, want--)
				buf_addc(out, (char)(bits >> shift & 0xFF));
		}
	}
}

/* Quoted-printable whose header was lost: each equals sign stands before two digits or at a line's end, as nobody
 * types it, and some of them are what only an encoder writes. */
static bool looks_quoted(const char *bytes, size_t len)
{
	int signs = 0;

	for (size_t at = 0, next; at < len; at = next) {
		size_t n = line_length(bytes, len, at, &next);
		const char *line = bytes + at;

		for (size_t i = 0; i < n; i++) {
			if ((unsigned char)line[i] >= 0x80)
				return false;
			if (line[i] != '=' || (i + 1 == n && i > 0))
				continue;
			if (i + 2 >= n || hex(line[i + 1]) < 0 || hex(line[i + 2]) < 0 ||
				islower((unsigned char)line[i + 1]) || islower((unsigned char)line[i + 2]))
				return false;
			signs += (line[i + 1] >= '8' && i + 4 < n && line[i + 3] == '=' && line[i + 4] >= '8') ||
				 (strncmp(line + i, "=20", 3) == 0 && i + 3 == n) || strncmp(line + i, "=3D", 3) == 0;
			i += 2;
		}
	}
	return signs > 0;
}

/* Base64 whose header was lost: nothing else, and it gives words. */
static bool looks_base64(const char *bytes, size_t len)
{
	struct buf *out;
	size_t bad = 0;
	bool solid = false;

	for (size_t at = 0, next; at < len; at = next) {
		size_t n = line_length(bytes, len, at, &next);

		if (n > 0 && !is_solid_line(bytes + at, n))
			return false;
		solid = solid || n > 0;
	}
	if (!solid)
		return false;
	out = buf_new(NULL);
	decode_base64(out, bytes, len);
	utf8_inside(out->data, out->len, &bad);
	for (size_t i = 0; i < out->len; i++)
		bad += (unsigned char)out->data[i] < 32 && !isspace((unsigned char)out->data[i]);
	talloc_free(out);
	return bad == 0;
}

const char *decode_guess(const char *encoding, const char *bytes, size_t len)
{
	if (strncasecmp(encoding, "base64", 6) == 0 || strncasecmp(encoding, "quoted-printable", 16) == 0)
		return encoding;
	return looks_quoted(bytes, len) ? "quoted-printable" : looks_base64(bytes, len) ? "base64" : encoding;
}

char *decode_transfer(TALLOC_CTX *mem, const char *encoding, const char *bytes, size_t len, size_t *out_len)
{
	struct buf *out = buf_new(mem);
	size_t n = strcspn(encoding, " \t;(");

	if (n == 16 && strncasecmp(encoding, "quoted-printable", n) == 0)
		decode_quoted(out, bytes, len);
	else if (n == 6 && strncasecmp(encoding, "base64", n) == 0)
		decode_base64(out, bytes, len);
	else if ((n == 10 && strncasecmp(encoding, "x-uuencode", n) == 0) ||
		 (n == 8 && strncasecmp(encoding, "uuencode", n) == 0))
		decode_uu(out, bytes, len);
	else
		buf_add(out, bytes, len);
	*out_len = out->len;
	return buf_finish(mem, out);
}

/* --- charsets ---------------------------------------------------------------------------------------------------- */

/* What mails call them, and what the C library does. ISO-8859-1 is read as windows-1252, as every browser does. */
static const struct charset {
	const char *label, *name;
} charset_names[] = {
	{"windows-1252", "CP1252"},
	{"utf-8", "UTF-8"},
	{"utf-16le", "UTF-16LE"},
	{"utf-16be", "UTF-16BE"},
	{"utf-7", "UTF-7"},
	{"iso-8859-2", "ISO-8859-2"},
	{"iso-8859-3", "ISO-8859-3"},
	{"iso-8859-4", "ISO-8859-4"},
	{"iso-8859-5", "ISO-8859-5"},
	{"iso-8859-6", "ISO-8859-6"},
	{"iso-8859-7", "ISO-8859-7"},
	{"iso-8859-8", "ISO-8859-8"},
	{"iso-8859-9", "ISO-8859-9"},
	{"iso-8859-10", "ISO-8859-10"},
	{"iso-8859-13", "ISO-8859-13"},
	{"iso-8859-14", "ISO-8859-14"},
	{"iso-8859-15", "ISO-8859-15"},
	{"iso-8859-16", "ISO-8859-16"},
	{"windows-1250", "CP1250"},
	{"windows-1251", "CP1251"},
	{"windows-1253", "CP1253"},
	{"windows-1254", "CP1254"},
	{"windows-1255", "CP1255"},
	{"windows-1256", "CP1256"},
	{"windows-1257", "CP1257"},
	{"windows-1258", "CP1258"},
	{"windows-874", "CP874"},
	{"koi8-r", "KOI8-R"},
	{"koi8-u", "KOI8-U"},
	{"macintosh", "MACINTOSH"},
	{"ibm437", "CP437"},
	{"ibm850", "CP850"},
	{"ibm852", "CP852"},
	{"ibm866", "CP866"},
	{"gb18030", "GB18030"},
	{"big5", "BIG5"},
	{"euc-jp", "EUC-JP"},
	{"iso-2022-jp", "ISO-2022-JP"},
	{"shift-jis", "CP932"},
	{"euc-kr", "UHC"},
	{"iso-2022-kr", "ISO-2022-KR"},
};
enum {
	CHARSETS = sizeof charset_names / sizeof *charset_names,
	WINDOWS_1252 = 0,
	UTF_8 = 1,
	UTF_16LE = 2,
	UTF_16BE = 3,
	ASCII = CHARSETS, /* needs no converter */
};

static const struct charset aliases[] = {
	{"iso-8859-1", "windows-1252"},
	{"latin1", "windows-1252"},
	{"latin2", "iso-8859-2"},
	{"latin5", "iso-8859-9"},
	{"latin9", "iso-8859-15"},
	{"cp1252", "windows-1252"},
	{"iso-8859-11", "windows-874"},
	{"tis-620", "windows-874"},
	{"iso-8859-8-i", "iso-8859-8"},
	{"utf8", "utf-8"},
	{"unicode-1-1-utf-7", "utf-7"},
	{"utf-16", "utf-16be"}, /* without a byte-order mark: RFC 2781, 4.3 */
	{"gb2312", "gb18030"},
	{"gbk", "gb18030"},
	{"unicode", "utf-16be"},
	{"x-mac-roman", "macintosh"},
	{"ks-c-5601-1987", "euc-kr"},
	{"windows-949", "euc-kr"},
	{"windows-932", "shift-jis"},
	{"windows-31j", "shift-jis"},
	{"x-sjis", "shift-jis"},
	{"sjis", "shift-jis"},
	{"iso-2022-jp-ms", "iso-2022-jp"},
	{"windows-50220", "iso-2022-jp"},
	{"windows-50221", "iso-2022-jp"},
};

struct charsets {
	iconv_t to_utf8[CHARSETS]; /* (iconv_t)-1 where the system has none */
};

static int close_charsets(struct charsets *c)
{
	for (int i = 0; i < CHARSETS; i++)
		if (c->to_utf8[i] != (iconv_t)-1)
			iconv_close(c->to_utf8[i]);
	return 0;
}

struct charsets *charsets_open(TALLOC_CTX *mem)
{
	struct charsets *c = talloc(mem, struct charsets);

	for (int i = 0; i < CHARSETS; i++)
		c->to_utf8[i] = iconv_open("UTF-8", charset_names[i].name);
	talloc_set_destructor(c, close_charsets);
	return c;
}

/* One spelling of the many: lower case, dashes, iso-8859-2 for iso8859-2 and iso_8859-2:1987, windows- or ibm for cp.
 */
static const char *spelling(const char *label, char out[40])
{
	static const struct {
		const char *begins, *as;
	} spellings[] = {{"iso8859-", "iso-8859-"}, {"cp8", "ibm8"}, {"cp4", "ibm4"}, {"cp-8", "ibm8"},
		{"cp", "windows-"}, {"x-cp", "windows-"}, {"win-", "windows-"}};
	char plain[40];
	size_t n = 0;

	for (; *label && *label != ':' && n < sizeof plain - 1; label++)
		if (*label != '\'' && *label != '"')
			plain[n++] = (char)(*label == '_' ? '-' : tolower((unsigned char)*label));
	plain[n] = '\0';
	for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
		if (strncmp(plain, spellings[i].begins, strlen(spellings[i].begins)) == 0) {
			snprintf(out, 40, "%s%.28s", spellings[i].as, plain + strlen(spellings[i].begins));
			return out;
		}
	return strcpy(out, plain);
}

/* -1 if it is unknown, or says no more than that it is text. */
static int find_charset(const char *label)
{
	char spelt[40];

	label = spelling(label, spelt);
	for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
		if (strcasecmp(label, aliases[i].label) == 0)
			label = aliases[i].name;
	for (int i = 0; i < CHARSETS; i++)
		if (strcasecmp(label, charset_names[i].label) == 0)
			return i;
	return -1;
}

static bool has_high(const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)bytes[i] >= 0x80)
			return true;
	return false;
}

/* Most letters of a mail are of one byte, so in UTF-16 every other byte is zero, whatever the mail says. -1 if not. */
static int zeros_say(const char *bytes, size_t len)
{
	size_t zeros[2] = {0, 0};

	for (size_t i = 0; i < len; i++)
		zeros[i % 2] += bytes[i] == '\0';
	if (zeros[1] * 4 > len && zeros[0] * 20 <= len)
		return UTF_16LE;
	return zeros[0] * 4 > len && zeros[1] * 20 <= len ? UTF_16BE : -1;
}

/* Which converter to use, against what the mail says where the bytes know better. */
static int judge(const char *label, const char *bytes, size_t len)
{
	int declared = find_charset(label);
	bool zeros = memchr(bytes, '\0', len) != NULL, some;
	size_t bad;

	if (len >= 2 && memcmp(bytes, "\xFF\xFE", 2) == 0)
		return UTF_16LE;
	if (len >= 2 && memcmp(bytes, "\xFE\xFF", 2) == 0)
		return UTF_16BE;
	if (zeros && len >= 4 && zeros_say(bytes, len) >= 0)
		return zeros_say(bytes, len);
	if ((declared == UTF_16LE || declared == UTF_16BE) && !zeros) {
		utf8_inside(bytes, len, &bad);
		declared = bad == 0 ? UTF_8 : declared;
	}
	if (declared >= 0 && declared != UTF_8 && declared != WINDOWS_1252)
		return declared;
	if (!has_high(bytes, len))
		return ASCII;
	some = utf8_inside(bytes, len, &bad);
	if (declared == UTF_8)
		return bad > 0 && !some ? WINDOWS_1252 : UTF_8;
	return bad == 0 ? UTF_8 : WINDOWS_1252;
}

/* Text ends where a C string does, so a NUL in it would lose the rest. */
static void drop_nuls(struct buf *out)
{
	size_t to = strlen(out->data);

	for (size_t i = to; i < out->len; i++)
		if (out->data[i] != '\0')
			out->data[to++] = out->data[i];
	buf_cut(out, to);
}

char *charset_utf8(
	TALLOC_CTX *mem, const struct charsets *c, const char *charset, const char *bytes, size_t len, size_t *out_len)
{
	int from = judge(charset, bytes, len);
	iconv_t cd = from == ASCII ? (iconv_t)-1 : c->to_utf8[from];
	struct buf *out = buf_new(mem);
	char *in = (char *)(uintptr_t)bytes; /* iconv takes it so, and writes nothing there */
	size_t left = len;

	if (cd != (iconv_t)-1)
		iconv(cd, NULL, NULL, NULL, NULL);
	else
		buf_add(out, bytes, len);
	while (cd != (iconv_t)-1 && left > 0) {
		char chunk[4096], *to = chunk;
		size_t room = sizeof chunk;
		size_t r = iconv(cd, &in, &left, &to, &room);

		buf_add(out, chunk, sizeof chunk - room);
		if (r == (size_t)-1 && errno != E2BIG) {
			buf_adds(out, "\xEF\xBF\xBD");
			in++;
			left--;
		}
	}
	drop_nuls(out);
	*out_len = out->len;
	return buf_finish(mem, out);
}

/* --- encoded words ----------------------------------------------------------------------------------------------- */

struct word {
	const char *charset, *text;
	size_t charset_len, text_len;
	bool base64;
};

/* An encoded word at `p`; gives what follows it, or NULL if there is none. */
static const char *read_word(const char *p, struct word *w)
{
	const char *question, *end;

	if (p[0] != '=' || p[1] != '?')
		return NULL;
	w->charset = p + 2;
	question = strchr(w->charset, '?');
	if (question == NULL || strchr("bBqQ", question[1]) == NULL || question[1] == '\0' || question[2] != '?')
		return NULL;
	w->charset_len = (size_t)(question - w->charset);
	w->base64 = question[1] == 'b' || question[1] == 'B';
	w->text = question + 3;
	end = strstr(w->text, "?=");
	if (end == NULL)
		return NULL;
	w->text_len = (size_t)(end - w->text);
	return end + 2;
}

static void word_bytes(const struct word *w, struct buf *out)
{
	if (w->base64) {
		decode_base64(out, w->text, w->text_len);
		return;
	}
	for (size_t i = 0; i < w->text_len; i++) {
		if (w->text[i] == '_') {
			buf_addc(out, ' ');
		} else if (w->text[i] == '=' && i + 2 < w->text_len && hex(w->text[i + 1]) >= 0 &&
			   hex(w->text[i + 2]) >= 0) {
			buf_addc(out, (char)(hex(w->text[i + 1]) * 16 + hex(w->text[i + 2])));
			i += 2;
		} else {
			buf_addc(out, w->text[i]);
		}
	}
}

static void add_utf8(struct buf *out, const struct charsets *c, const char *charset, const char *bytes, size_t n)
{
	size_t len;
	char *text = charset_utf8(out, c, charset, bytes, n, &len);

	for (size_t i = 0; i < len; i++)
		buf_addc(out, (unsigned char)text[i] < 32 || text[i] == 127 ? ' ' : text[i]);
	talloc_free(text);
}

char *decode_words(TALLOC_CTX *mem, const struct charsets *c, const char *value)
{
	struct buf *out, *bytes;
	const char *p = value;

	if (text_is_ascii(value, strlen(value)) && strstr(value, "=?") == NULL)
		return talloc_strdup(mem, value);
	out = buf_new(mem);
	bytes = buf_new(out);
	while (*p) {
		struct word w, next;
		const char *after = read_word(p, &w), *blank, *more;
		size_t plain;

		if (after == NULL) {
			const char *q = strstr(p + 1, "=?");

			plain = q ? (size_t)(q - p) : strlen(p);
			add_utf8(out, c, "", p, plain);
			p += plain;
			continue;
		}
		/* Some programs cut a character in two: words of one charset are joined before they are converted. */
		buf_cut(bytes, 0);
		word_bytes(&w, bytes);
		for (blank = after; (more = read_word(blank + strspn(blank, " \t"), &next)) != NULL; blank = after) {
			if (next.charset_len != w.charset_len ||
				strncasecmp(next.charset, w.charset, w.charset_len) != 0)
				break;
			word_bytes(&next, bytes);
			after = more;
		}
		add_utf8(out, c, talloc_strndup(bytes, w.charset, strcspn(w.charset, "?*")), bytes->data, bytes->len);
		p = more ? after + strspn(after, " \t") : after;
	}
	return buf_finish(mem, out);
}

/* --- format=flowed ----------------------------------------------------------------------------------------------- */

char *decode_flowed(TALLOC_CTX *mem, const char *text, size_t len, bool delsp)
{
	struct buf *out = buf_new(mem);
	size_t open_depth = 0;
	bool open = false;

	for (size_t at = 0; at < len;) {
		const char *newline = memchr(text + at, '\n', len - at);
		size_t end = newline ? (size_t)(newline - text) : len, next = end + (newline != NULL), depth = 0;
		bool signature;

		if (end > at && text[end - 1] == '\r')
			end--;
		while (at + depth < end && text[at + depth] == '>')
			depth++;
		if (open && depth != open_depth) {
			buf_addc(out, '\n');
			open = false;
		}
		if (!open) {
			for (size_t i = 0; i < depth; i++)
				buf_addc(out, '>');
			if (depth > 0)
				buf_addc(out, ' ');
		}
		at += depth;
		if (at < end && text[at] == ' ')
			at++; /* space-stuffing */
		signature = end - at == 3 && memcmp(text + at, "-- ", 3) == 0;
		if (signature && open)
			buf_addc(out, '\n');
		open = end > at && text[end - 1] == ' ' && !signature;
		open_depth = depth;
		buf_add(out, text + at, end - at - (open && delsp));
		if (!open && next > end)
			buf_addc(out, '\n');
		at = next;
	}
	return buf_finish(mem, out);
}
