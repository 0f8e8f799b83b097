#include "report/template.h"

#include "base/buf.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>

enum { DEPTH_MAX = 8 };

/* Before each line of a value of several lines: such lines are laid out already. No value can hold it. */
enum { KEPT = '\x01' };

enum piece_kind { WORDS, VALUE, SHOWN_IF, SHOWN_UNLESS };

struct piece {
	enum piece_kind kind;
	const char *text; /* the words, or the name */
	size_t len;
	int end; /* of a section: the first piece behind it */
	int line;
};

struct template
{
	const char *file;
	struct piece *pieces;
	int count;
};

/* --- reading ------------------------------------------------------------------------------------------------------ */

struct reading {
	TALLOC_CTX *mem;
	struct template *t;
	const char *start, *p;
	const char *counted; /* up to here there are `line` - 1 line ends */
	int line;
};

static struct err *wrong(
	TALLOC_CTX *mem, const struct template *t, int line, const char *what, const char *name, size_t len)
{
	return err_new(mem, ERR_PROCESS, false, talloc_asprintf(mem, "%s:%d", t->file, line), "%s {{%.*s}}", what,
		(int)len, name);
}

/* Mostly asked for places one behind the other, and so counted on from the last one. */
static int line_at(struct reading *r, const char *at)
{
	if (at < r->counted) {
		r->counted = r->start;
		r->line = 1;
	}
	for (; r->counted < at; r->counted++)
		r->line += *r->counted == '\n';
	return r->line;
}

static struct piece *add_piece(struct reading *r, enum piece_kind kind, const char *text, size_t len)
{
	struct template *t = r->t;

	t->pieces = talloc_realloc(t, t->pieces, struct piece, (unsigned)t->count + 1);
	t->pieces[t->count] = (struct piece){.kind = kind, .text = text, .len = len, .line = line_at(r, text)};
	return &t->pieces[t->count++];
}

/* A tag that stands alone on its line takes its line's end with it. */
static void skip_line_end(struct reading *r, const char *tag)
{
	if ((tag == r->start || tag[-1] == '\n') && *r->p == '\n')
		r->p++;
}

/* Reads up to the end of the section `name` (NULL: to the end of the text). */
static struct err *read_section(struct reading *r, const char *name, size_t name_len, int depth)
{
	for (;;) {
		const char *tag = strstr(r->p, "{{"), *end = tag == NULL ? NULL : strstr(tag, "}}"), *word;
		size_t len = tag == NULL ? strlen(r->p) : (size_t)(tag - r->p);
		struct err *e;
		int section;

		if (len > 0)
			add_piece(r, WORDS, r->p, len);
		if (tag == NULL)
			break;
		word = tag + 2;
		if (end == NULL)
			return wrong(
				r->mem, r->t, line_at(r, tag), "a mark without its end:", word, strcspn(word, "\n"));
		r->p = end + 2;
		if (strchr("#^/", *word) == NULL) {
			add_piece(r, VALUE, word, (size_t)(end - word));
			continue;
		}
		len = (size_t)(end - ++word);
		skip_line_end(r, tag);
		if (tag[2] == '/' && (name == NULL || len != name_len || memcmp(name, word, len) != 0))
			return wrong(r->mem, r->t, line_at(r, tag), "there is no open section", word, len);
		if (tag[2] == '/')
			return NULL;
		if (depth == DEPTH_MAX)
			return wrong(r->mem, r->t, line_at(r, tag), "too many sections in each other:", word, len);
		section = r->t->count;
		add_piece(r, tag[2] == '#' ? SHOWN_IF : SHOWN_UNLESS, word, len);
		e = read_section(r, word, len, depth + 1);
		if (e != NULL)
			return e;
		r->t->pieces[section].end = r->t->count;
	}
	return name == NULL ? NULL
			    : wrong(r->mem, r->t, line_at(r, name), "a section without its end:", name, name_len);
}

struct err *template_read(TALLOC_CTX *mem, const char *file, const char *text, struct template **out)
{
	struct template *t = talloc_zero(mem, struct template);
	struct reading r = {mem, t, .start = talloc_strdup(t, text)};

	t->file = talloc_strdup(t, file);
	r.p = r.counted = r.start;
	r.line = 1;
	*out = t;
	return read_section(&r, NULL, 0, 0);
}

/* --- filling in --------------------------------------------------------------------------------------------------- */

struct filling {
	TALLOC_CTX *mem;
	const struct template *t;
	const struct value *values;
	int count;
	struct buf *out;
};

static const char *find_value(const struct filling *f, const char *name, size_t len)
{
	for (int i = 0; i < f->count; i++) {
		const struct value *v = &f->values[i];

		if (v->name[0] == name[0] && strncmp(v->name, name, len) == 0 && v->name[len] == '\0')
			return v->text == NULL ? "" : v->text;
	}
	return NULL;
}

static void begin_line(struct buf *out, size_t indent)
{
	buf_addc(out, '\n');
	while (indent-- > 0)
		buf_addc(out, ' ');
	buf_addc(out, KEPT);
}

/* With blanks for control characters. */
static void put_clean(struct buf *out, const char *text, size_t len)
{
	size_t from = out->len;

	buf_add(out, text, len);
	if (text_is_ascii(text, len))
		return;
	for (size_t at = from; at < out->len; at++)
		if (iscntrl((unsigned char)out->data[at]))
			out->data[at] = ' ';
}

/* A value as it is, but for control characters. Of several lines each is kept as a line, indented as the first. */
static void put_value(struct buf *out, const char *value)
{
	size_t len = strlen(value), indent = 0, n;
	bool subject = memchr(out->data, '\n', out->len) == NULL;
	bool block = !subject && memchr(value, '\n', len) != NULL;

	while (block && len > 0 && value[len - 1] == '\n')
		len--;
	while (indent < out->len && out->data[out->len - indent - 1] == ' ')
		indent++;
	if (indent < out->len && out->data[out->len - indent - 1] != '\n')
		indent = 0;
	if (block)
		buf_addc(out, KEPT);
	for (;; value += n + 1, len -= n + 1) {
		const char *end = block ? memchr(value, '\n', len) : NULL;

		n = end == NULL ? len : (size_t)(end - value);
		put_clean(out, value, n);
		if (end == NULL)
			break;
		begin_line(out, indent);
	}
}

/* Of what is not shown only the names are looked up. */
static struct err *fill(struct filling *f)
{
	const struct template *t = f->t;
	int shown_from = 0;

	for (int i = 0; i < t->count; i++) {
		const struct piece *p = &t->pieces[i];
		bool show = i >= shown_from;
		const char *value = p->kind == WORDS ? "" : find_value(f, p->text, p->len);

		if (value == NULL)
			return wrong(f->mem, t, p->line, "there is no value", p->text, p->len);
		if (!show)
			continue;
		if (p->kind == WORDS)
			buf_add(f->out, p->text, p->len);
		else if (p->kind == VALUE)
			put_value(f->out, value);
		else if ((value[0] != '\0') != (p->kind == SHOWN_IF))
			shown_from = p->end;
	}
	return NULL;
}

/* --- layout ------------------------------------------------------------------------------------------------------ */

/* How far the lines below an item's first are indented: "- " and "* " 2, "1. " 3; 0 when it is no item. */
static int item_indent(const char *line, size_t len)
{
	if (len > 2 && (line[0] == '-' || line[0] == '*') && line[1] == ' ')
		return 2;
	return len > 3 && isdigit((unsigned char)line[0]) && line[1] == '.' && line[2] == ' ' ? 3 : 0;
}

/* A heading is in capitals and stands alone. */
static bool is_heading(const char *line, size_t len)
{
	bool capitals = false;

	for (size_t i = 0; i < len; i++) {
		if (islower((unsigned char)line[i]))
			return false;
		capitals |= isupper((unsigned char)line[i]) != 0;
	}
	return capitals;
}

static bool is_kept(const char *line, size_t len)
{
	return len > 0 && (line[0] == ' ' || memchr(line, KEPT, len) != NULL);
}

static bool is_blank(const char *line, size_t len)
{
	size_t n = 0;

	while (n < len && (line[n] == ' ' || line[n] == KEPT))
		n++;
	return n == len;
}

static void put_wrapped(struct buf *out, const char *line, size_t len, int indent)
{
	text_wrap_to(out, line, len, LETTER_COLUMNS, indent);
	buf_addc(out, '\n');
}

/* A kept line without its marks and without blanks at its end; `work` is for what has a mark within. */
static void put_kept(struct buf *out, struct buf *work, const char *line, size_t len)
{
	int indent = 0;

	if (*line == KEPT) {
		line++;
		len--;
	}
	if (memchr(line, KEPT, len) != NULL) {
		buf_cut(work, 0);
		for (size_t at = 0; at < len; at++)
			if (line[at] != KEPT)
				buf_addc(work, line[at]);
		line = work->data;
		len = work->len;
	}
	while (len > 0 && line[len - 1] == ' ')
		len--;
	while (indent < LETTER_COLUMNS / 2 && line[indent] == ' ')
		indent++;
	put_wrapped(out, line, len, indent);
}

/* Does the line go on with the paragraph above it? An item's lines may be indented as far as its words. */
static bool goes_on(const char *line, size_t len, int indent)
{
	if (indent > 0 && strspn(line, " ") == (size_t)indent && memchr(line, KEPT, len) == NULL)
		return true;
	return len > 0 && !is_kept(line, len) && item_indent(line, len) == 0 && !is_heading(line, len);
}

static size_t line_len(const char *line)
{
	return (size_t)(strchrnul(line, '\n') - line);
}

/* Lines from `text` on, whose first has `len` bytes, that make one paragraph: joined in `line`. What follows is given.
 */
static const char *join_paragraph(struct buf *line, const char *text, size_t len, int indent)
{
	buf_cut(line, 0);
	buf_add(line, text, len);
	for (;;) {
		size_t skip;

		text += len + (text[len] == '\n');
		if (*text == '\0' || is_heading(line->data, line->len))
			return text;
		len = line_len(text);
		if (!goes_on(text, len, indent))
			return text;
		skip = strspn(text, " ");
		buf_addc(line, ' ');
		buf_add(line, text + skip, len - skip);
	}
}

/* Paragraphs are filled anew; items stand each for themselves; kept lines stay; blank lines never come twice. */
static char *lay_out(TALLOC_CTX *mem, const char *text)
{
	struct buf *out = buf_new(mem), *work = buf_new(mem);

	while (*text != '\0') {
		size_t len = line_len(text);

		if (is_blank(text, len)) {
			if (out->len > 0 && !(out->len > 1 && out->data[out->len - 2] == '\n'))
				buf_addc(out, '\n');
		} else if (is_kept(text, len)) {
			put_kept(out, work, text, len);
		} else {
			int indent = item_indent(text, len);

			text = join_paragraph(work, text, len, indent);
			put_wrapped(out, work->data, work->len, indent);
			continue;
		}
		text += len + (text[len] == '\n');
	}
	while (out->len > 1 && out->data[out->len - 2] == '\n')
		buf_cut(out, out->len - 1);
	return out->data;
}

/* How many of the `len` bytes stay: all, or SUBJECT_WORDS_MAX characters less the word that they end within. */
static size_t short_enough(const char *words, size_t len)
{
	size_t at = 0;

	for (int characters = 0; at < len; at++) {
		if (((unsigned char)words[at] & 0xc0) != 0x80 && characters++ == SUBJECT_WORDS_MAX)
			break;
	}
	for (size_t blank = at; at < len && blank > at / 2; blank--)
		if (words[blank] == ' ')
			return blank;
	return at;
}

/* The tag in which an answer names its game and proves its writer stays whole, whatever stands before it. */
static char *subject_of(const struct filling *f, const char *line, size_t len)
{
	const char *tag = find_value(f, "tag", 3);
	size_t tag_len = tag == NULL ? 0 : strlen(tag), kept;
	char *subject;

	if (len < tag_len || memcmp(line + len - tag_len, tag == NULL ? "" : tag, tag_len) != 0)
		tag_len = 0;
	len -= tag_len;
	while (len > 0 && line[len - 1] == ' ')
		len--;
	kept = short_enough(line, len);
	subject = talloc_asprintf(f->mem, "%.*s%s%s%s", (int)kept, line, kept < len ? "..." : "",
		kept > 0 && tag_len > 0 ? " " : "", tag_len > 0 ? tag : "");
	for (char *p = subject; *p != '\0'; p++) {
		if (*p == KEPT)
			*p = ' ';
	}
	return subject;
}

struct err *template_fill(
	TALLOC_CTX *mem, const struct template *t, const struct value *values, int count, struct letter *out)
{
	TALLOC_CTX *scratch = talloc_new(NULL);
	struct filling f = {mem, t, values, count, buf_new(scratch)};
	struct err *e = fill(&f);
	const char *body;

	if (e == NULL && (strncmp(f.out->data, "Subject: ", 9) != 0 || strchr(f.out->data, '\n') == NULL))
		e = err_new(mem, ERR_PROCESS, false, t->file, "the first line must be 'Subject: ...'");
	if (e == NULL) {
		body = strchr(f.out->data, '\n');
		out->subject = subject_of(&f, f.out->data + 9, (size_t)(body - f.out->data - 9));
		out->text = talloc_strdup(mem, lay_out(scratch, body));
	}
	talloc_free(scratch);
	return e;
}
