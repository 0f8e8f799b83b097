#include "mail/encode.h"

#include "base/text.h"

#include <string.h>
#include <utf8proc.h>

enum {
	BODY_COLUMNS = 76,
	HEADER_COLUMNS = 76,
	BODY_ROOM = 8, /* of so many bytes one is expected to be added */
	PLAIN_WORD_MAX = 70,
	ENCODED_WORD_MAX = 75, /* RFC 2047, 2 */
};

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

/* The length of the character at `text`; what is none counts as one byte, and *shown is then the replacement. */
static size_t character(const char *text, size_t len, const char **shown, size_t *shown_len)
{
	utf8proc_int32_t c;
	utf8proc_ssize_t n = 1;

	if ((unsigned char)*text >= 0x80) /* the library's way is long for what most text is */
		n = utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)len, &c);
	*shown = n > 0 ? text : replacement;
	*shown_len = n > 0 ? (size_t)n : sizeof replacement - 1;
	return n > 0 ? (size_t)n : 1;
}

static void add_escaped(struct buf *out, const char *bytes, size_t len)
{
	static const char digits[] = "0123456789ABCDEF";

	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)bytes[i];

		buf_add(out, (const char[]){'=', digits[c >> 4], digits[c & 15]}, 3);
	}
}

/* --- bodies --------------------------------------------------------------------------------------------------------*/

/* Must this character be escaped where it stands? `column` is where it would be written, `rest` what is left of its
 * line from it on. */
static bool escaped_in_body(const char *c, size_t rest, size_t column)
{
	switch (*c) {
	case '=':
		return true;
	case '.':
		return column == 0;
	case 'F':
		return column == 0 && rest >= 5 && memcmp(c, "From ", 5) == 0;
	case ' ':
		return rest == 1;
	default:
		return *c < ' ' || *c > '~';
	}
}

/* How many of the `rest` ASCII characters of a line can be written from `column` on as they are. */
static size_t plain_run(const char *line, size_t rest, size_t column)
{
	/* The last column is for the '=' of a soft break, unless the line ends there. */
	size_t room = BODY_COLUMNS - column, most = rest <= room ? rest : room - 1;
	const char *equals = memchr(line, '=', most);
	size_t n = equals == NULL ? most : (size_t)(equals - line);

	if (column == 0 && (*line == '.' || *line == 'F')) /* may need an escape there */
		return 0;
	return n == rest && line[n - 1] == ' ' ? n - 1 : n;
}

/* One line without its end. A soft break goes between characters, never into one. */
static void encode_line(struct buf *out, const char *line, size_t len, bool ascii)
{
	size_t start = out->len;

	while (len > 0) {
		const char *shown;
		size_t n = ascii ? plain_run(line, len, out->len - start) : 0, shown_len, width, room;
		bool escaped;

		if (n > 0) {
			buf_add(out, line, n);
			line += n;
			len -= n;
			continue;
		}
		n = character(line, len, &shown, &shown_len);
		escaped = escaped_in_body(line, len, out->len - start);
		width = escaped ? 3 * shown_len : shown_len;
		/* Room for the '=' of a soft break is needed unless the line ends here. */
		room = n == len ? BODY_COLUMNS : BODY_COLUMNS - 1;
		if (out->len - start + width > room) {
			buf_adds(out, "=\r\n");
			start = out->len;
			escaped = escaped_in_body(line, len, 0);
		}
		if (escaped)
			add_escaped(out, shown, shown_len);
		else
			buf_add(out, shown, shown_len);
		line += n;
		len -= n;
	}
	buf_adds(out, "\r\n");
}

void encode_body(struct buf *out, const char *text, size_t len)
{
	bool ascii = text_is_ascii_lines(text, len);

	buf_grow(out, len + len / BODY_ROOM);
	while (len > 0) {
		const char *end = memchr(text, '\n', len);
		size_t line = end == NULL ? len : (size_t)(end - text);
		size_t whole = end == NULL ? line : line + 1, written = line;

		if (line > 0 && text[line - 1] == '\r')
			written--;
		encode_line(out, text, written, ascii || text_is_ascii(text, written));
		text += whole;
		len -= whole;
	}
}

/* --- header fields -------------------------------------------------------------------------------------------------*/

/* A field being written: words with a blank before each, on a new line where they no longer fit. */
struct field {
	struct buf *out;
	size_t start; /* where the current line begins in `out` */
};

static struct field begin_field(struct buf *out, const char *name)
{
	struct field f = {out, out->len};

	buf_printf(out, "%s:", name);
	return f;
}

static void add_word(struct field *f, const char *word, size_t len)
{
	if (f->out->len - f->start + 1 + len > HEADER_COLUMNS) {
		buf_adds(f->out, "\r\n");
		f->start = f->out->len;
	}
	buf_addc(f->out, ' ');
	buf_add(f->out, word, len);
}

/* Single blanks between words, none at the ends, no control characters, at most HEADER_TEXT_MAX bytes. */
static struct buf *clean(TALLOC_CTX *mem, const char *text)
{
	struct buf *b = buf_new(mem);
	size_t left = strlen(text);

	while (left > 0) {
		const char *shown;
		size_t shown_len, n = character(text, left, &shown, &shown_len);
		bool blank = (*text >= '\0' && *text <= ' ') || *text == '\x7f';

		if (b->len + shown_len > HEADER_TEXT_MAX)
			break;
		if (!blank)
			buf_add(b, shown, shown_len);
		else if (b->len > 0 && b->data[b->len - 1] != ' ')
			buf_addc(b, ' ');
		text += n;
		left -= n;
	}
	if (b->len > 0 && b->data[b->len - 1] == ' ')
		buf_cut(b, b->len - 1);
	return b;
}

/* Encoded words for `text`, which is clean UTF-8. The strictest alphabet, that of a phrase (RFC 2047, 5 (3)). */
static void add_encoded(struct field *f, const char *text, size_t len)
{
	static const char begin[] = "=?utf-8?Q?", end[] = "?=";
	struct buf *word = buf_new(NULL);

	buf_adds(word, begin);
	while (len > 0) {
		const char *shown;
		size_t shown_len, n = character(text, len, &shown, &shown_len);
		bool plain = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') ||
			     (*text >= '0' && *text <= '9') || *text == '-' || *text == '*' || *text == '!';

		if (word->len + (plain || *text == ' ' ? 1 : 3 * shown_len) + sizeof end - 1 > ENCODED_WORD_MAX) {
			buf_adds(word, end);
			add_word(f, word->data, word->len);
			buf_cut(word, sizeof begin - 1);
		}
		if (plain)
			buf_addc(word, *text);
		else if (*text == ' ')
			buf_addc(word, '_');
		else
			add_escaped(word, shown, shown_len);
		text += n;
		len -= n;
	}
	buf_adds(word, end);
	add_word(f, word->data, word->len);
	talloc_free(word);
}

static bool stands_as_it_is(const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (word[i] < '!' || word[i] > '~' || (word[i] == '=' && i + 1 < len && word[i + 1] == '?'))
			return false;
	return len <= PLAIN_WORD_MAX;
}

void encode_text_field(struct buf *out, const char *name, const char *value)
{
	struct field f = begin_field(out, name);
	struct buf *text = clean(NULL, value);
	const char *run = NULL; /* words that have to be encoded together, so that the blanks between them survive */

	if (text->len == 0)
		buf_addc(out, ' ');
	for (const char *word = text->data; *word != '\0';) {
		size_t len = strcspn(word, " ");

		if (!stands_as_it_is(word, len)) {
			run = run == NULL ? word : run;
		} else {
			if (run != NULL)
				add_encoded(&f, run, (size_t)(word - run) - 1);
			run = NULL;
			add_word(&f, word, len);
		}
		word += len + (word[len] == ' ');
	}
	if (run != NULL)
		add_encoded(&f, run, strlen(run));
	buf_adds(out, "\r\n");
	talloc_free(text);
}

/* A display name of ASCII alone is a quoted string, whatever is in it. */
static void add_display(struct field *f, const char *display, size_t len)
{
	struct buf *quoted = buf_new(NULL);

	buf_addc(quoted, '"');
	for (size_t i = 0; i < len; i++) {
		if (display[i] == '"' || display[i] == '\\')
			buf_addc(quoted, '\\');
		buf_addc(quoted, display[i]);
	}
	buf_addc(quoted, '"');
	add_word(f, quoted->data, quoted->len);
	talloc_free(quoted);
}

void encode_mailbox_field(struct buf *out, const char *name, const char *display, const char *address)
{
	struct field f = begin_field(out, name);
	struct buf *text = clean(NULL, display == NULL ? "" : display);
	bool ascii = text->len <= PLAIN_WORD_MAX && strstr(text->data, "=?") == NULL;
	char *angle = buf_text(text, "<%s>", address);

	for (size_t i = 0; i < text->len; i++)
		ascii = ascii && text->data[i] >= ' ' && text->data[i] <= '~';
	if (text->len > 0 && ascii)
		add_display(&f, text->data, text->len);
	else if (text->len > 0)
		add_encoded(&f, text->data, text->len);
	if (text->len > 0)
		add_word(&f, angle, strlen(angle));
	else
		add_word(&f, address, strlen(address));
	buf_adds(out, "\r\n");
	talloc_free(text);
}

void encode_words_field(struct buf *out, const char *name, const char *const words[], int count)
{
	struct field f = begin_field(out, name);

	for (int i = 0; i < count; i++)
		add_word(&f, words[i], strlen(words[i]));
	buf_adds(out, "\r\n");
}
