#include "report/html.h"

#include "base/buf.h"

#include <ctype.h>
#include <string.h>

enum {
	COLUMNS = 72,
	NARROW_COLUMNS = 36, /* that fit on a phone held upright */
	MAP_LEFT = 3,        /* columns before the map itself */
	INDENT_MAX = 6,
	EXAMPLE_INDENT = 4,
	HANG = 2,
	HANGS = 10,
	HTML_COLOURED_MAX = 56 * 1024
};

static const char *const escapes[256] = {['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;"};

/* "  |...|" or "10|...|": a line of the map. */
static bool is_map_line(const char *line, size_t len)
{
	return len == 64 && line[2] == '|' && line[63] == '|' && strspn(line, " 0123456789") >= 2;
}

/* Letters and signs of the label that begins here: "A^6", "A^" (where it will stand), "Ha", "H*". */
static size_t label_len(const char *p)
{
	if (!isalpha((unsigned char)p[0]))
		return 0;
	if (strchr("^>v<!", p[1]) != NULL)
		return isdigit((unsigned char)p[2]) || p[2] == '+' || p[2] == '|' ? 3 : 2;
	return isalpha((unsigned char)p[1]) || p[1] == '*' ? 2 : 0;
}

/* How many bytes of `p` are the name; a blank of it may be a line's end and the next one's indent. 0 for another. */
static size_t name_len(const char *name, const char *p, size_t len)
{
	size_t at = 0;

	for (; *name != '\0'; name++) {
		if (at < len && p[at] == *name)
			at++;
		else if (at < len && p[at] == '\n' && *name == ' ')
			at += 1 + strspn(p + at + 1, " ");
		else
			return 0;
	}
	return at < len && isalnum((unsigned char)p[at]) ? 0 : at;
}

/* The map's head, its frame, or a line of it. */
static bool is_map(const char *line, size_t len)
{
	return is_map_line(line, len) ||
	       (line[0] == ' ' && (strncmp(line, "  +--------", 11) == 0 || strncmp(line, "   A   B   C", 12) == 0));
}

static size_t line_len(const char *line)
{
	return (size_t)(strchrnul(line, '\n') - line);
}

static size_t indent_of(const char *line)
{
	size_t n = 0;

	while (line[n] == ' ')
		n++;
	return n;
}

/* Columns of a table or a list stand apart by more than one blank: of two blanks side by side every other byte that is
 * looked at is one. */
static bool has_columns(const char *line, size_t len)
{
	for (size_t i = indent_of(line) + 1; i < len; i += 2)
		if (line[i] == ' ' && (line[i - 1] == ' ' || (i + 1 < len && line[i + 1] == ' ')))
			return true;
	return false;
}

/* Does an item of a list begin here, or a sentence of its own? */
static bool begins_item(const char *line)
{
	const char *p = line + indent_of(line);
	size_t digits = strspn(p, "0123456789");

	size_t word = strcspn(p, " \n");

	return (digits > 0 && p[digits] == '.' && p[digits + 1] == ' ') || (word > 0 && p[word - 1] == ':') ||
	       (*p != '\0' && strchr("*-|>", *p) != NULL && p[1] == ' ') || strncmp(p, "BUT ", 4) == 0;
}

/* Was the line broken there only because the next word had no room in it? */
static bool was_broken(size_t len, const char *next)
{
	size_t word = strcspn(next + indent_of(next), " \n");

	return word > 0 && len + 1 + word > COLUMNS;
}

/* How many bytes from `text` on, whose first line has `len`, are one paragraph; *indent is how far its second line
 * stands in. A line that stands for itself hangs a little where a narrow screen breaks it. */
static size_t paragraph_len(const char *text, size_t len, bool in_sheet, size_t *indent)
{
	size_t at = 0, first = indent_of(text);

	*indent = first > 0 || in_sheet || strchr("*-|", text[0]) != NULL ? first + HANG : 0;
	for (int line = 1; text[at + len] == '\n'; line++) {
		const char *next = text + at + len + 1;
		size_t next_len = line_len(next), in = indent_of(next);

		if (next_len == 0 || is_map(next, next_len) || begins_item(next) || !was_broken(len, next))
			break;
		if (line == 1 ? in < first || in > first + INDENT_MAX : in != *indent)
			break;
		if (in == first && (in_sheet || has_columns(text + at, len) || has_columns(next, next_len)))
			break;
		*indent = in;
		at += len + 1;
		len = next_len;
	}
	return at + len;
}

/* A line as it was typed and the caret below it: these must keep their columns. */
static size_t caret_len(const char *text, size_t len)
{
	size_t blanks;

	if (strncmp(text, "> ", 2) != 0 || text[len] != '\n')
		return 0;
	blanks = indent_of(text + len + 1);
	return text[len + 1 + blanks] == '^' ? len + 1 + blanks + 1 : 0;
}

/* Rules for clients that keep them: prose flows again on a narrow screen, an example's columns close up there, the map
 * shrinks until it fits. Elsewhere all is as in the plain text. */
static const char style[] = "pre{white-space:pre-wrap!important;max-width:73ch;overflow-wrap:anywhere}\n"
			    ".p{display:block;white-space:normal}\n"
			    ".q{display:block;white-space:pre;overflow-x:auto}\n"
			    ".c{display:block}\n"
			    ".m{white-space:pre}\n"
			    "@media(max-width:600px){.m{font-size:2.4vw}"
			    ".c{white-space:normal;padding-left:6ch;text-indent:-2ch}}\n"
			    "@media(prefers-color-scheme:dark){b[style*=d43e]{color:#ff8078!important}"
			    "b[style*=\"207b\"]{color:#6cb6ff!important}}\n";

/* What a character may be, or the first of. */
enum mark { ESCAPE = 1, NAME = 2, LABEL = 4 };

struct page {
	struct buf *out;
	const struct state *s;
	bool colours;
	bool in_sheet;            /* between the lines --- ORDERS and --- END */
	unsigned char marks[256]; /* of each character */
	int first[256];           /* piece whose name begins with that letter, or -1 */
	int *next;                /* one after a piece of the same initial, or -1 */
	bool hangs[HANGS][HANGS]; /* by the indents of a first line and the next: there is one that needs a rule */
};

static void sort_characters(struct page *p)
{
	p->next = talloc_array(p->out, int, p->s == NULL ? 1 : (unsigned)p->s->count);
	memset(p->first, -1, sizeof p->first);
	for (int i = p->s == NULL ? -1 : p->s->count - 1; i >= 0; i--) {
		unsigned char initial = (unsigned char)p->s->units[i].name[0];

		p->next[i] = p->first[initial];
		p->first[initial] = i;
		p->marks[initial] |= NAME;
	}
	for (const char *c = "&<>\""; *c != '\0'; c++)
		p->marks[(unsigned char)*c] |= ESCAPE;
	for (int c = 'A'; c <= 'Z'; c++) {
		p->marks[c] |= LABEL;
		p->marks[tolower(c)] |= LABEL;
	}
}

/* The piece whose name stands here as whole words, the longest that does; or NULL. */
static const struct unit *name_at(const struct page *p, const char *text, size_t len, size_t *bytes)
{
	const struct unit *best = NULL;

	for (int i = p->first[(unsigned char)*text]; i >= 0; i = p->next[i]) {
		size_t n = name_len(p->s->units[i].name, text, len);

		if (n == 0 || (best != NULL && n <= *bytes))
			continue;
		best = &p->s->units[i];
		*bytes = n;
	}
	return best;
}

/* How many bytes are labels of one side (the case of its first letter tells) with only blanks between them. */
static size_t labels_len(const char *text, enum side *side)
{
	bool upper = isupper((unsigned char)*text);
	size_t len = label_len(text);

	*side = upper ? SIDE_GOVERNMENT : SIDE_JACOBITE;
	while (len > 0) {
		size_t blanks = indent_of(text + len), more = label_len(text + len + blanks);

		if (more == 0 || (isupper((unsigned char)text[len + blanks]) != 0) != upper)
			break;
		len += blanks + more;
	}
	return len;
}

/* How many bytes at text[at] tell of pieces, and of which side; 0 for none. */
static size_t pieces_at(const struct page *p, const char *text, size_t len, size_t at, int kind, enum side *side)
{
	const struct unit *u;
	size_t n = 0;

	if (kind == LABEL)
		return labels_len(text + at, side);
	if (kind != NAME || (at > 0 && isalnum((unsigned char)text[at - 1])))
		return 0;
	u = name_at(p, text + at, len - at, &n);
	if (u != NULL)
		*side = u->side;
	return n;
}

/* The text escaped, and in colour what it has of `pieces` (NAME, LABEL, or 0). */
static void put_marked(struct page *p, const char *text, size_t len, int pieces)
{
	/* Both have a contrast of 4.5 on white and on black; the style below makes them brighter on a dark grey. */
	static const char coloured[SIDES][26] = {"<b style=\"color:#d43e38\">", "<b style=\"color:#207bb8\">"};
	size_t done = 0, at = 0;

	for (;;) {
		enum side side = SIDE_GOVERNMENT;
		const char *escape;
		size_t n;

		while (at < len && (p->marks[(unsigned char)text[at]] & (ESCAPE | pieces)) == 0)
			at++;
		if (at == len)
			break;
		escape = escapes[(unsigned char)text[at]];
		n = pieces_at(p, text, len, at, pieces, &side);
		if (n == 0 && escape == NULL) {
			at++;
			continue;
		}
		buf_add(p->out, text + done, at - done);
		if (n > 0) {
			buf_add(p->out, coloured[side], sizeof coloured[side] - 1);
			put_marked(p, text + at, n, 0);
			buf_adds(p->out, "</b>");
		} else {
			buf_adds(p->out, escape);
			n = 1;
		}
		done = at += n;
	}
	buf_add(p->out, text + done, len - done);
}

/* Words: but an order sheet has no colours, for people copy it and write into it. */
static void put_text(struct page *p, const char *text, size_t len)
{
	put_marked(p, text, len, p->colours && !p->in_sheet ? NAME : 0);
}

/* The last line's end is inside, where it takes no room. */
static void put_block(struct page *p, const char *text, size_t len, const char *class)
{
	buf_adds(p->out, "<span class=\"");
	buf_adds(p->out, class);
	buf_adds(p->out, "\">");
	put_text(p, text, len);
	buf_adds(p->out, "\n</span>");
}

static void put_paragraph(struct page *p, const char *text, size_t len, size_t indent)
{
	size_t first = indent_of(text);
	const char hanging[] = {'p', ' ', 'i', (char)('0' + first), (char)('0' + indent), '\0'};
	bool hangs = indent > 0 && first < HANGS && indent < HANGS;

	if (hangs)
		p->hangs[first][indent] = true;
	put_block(p, text, len, hangs ? hanging : "p");
}

/* Lines up to the next that is told of by itself, the first of `len` bytes; how many bytes. */
static size_t put_next(struct page *p, const char *text, size_t len)
{
	size_t indent, whole = caret_len(text, len);

	if (whole > 0) {
		put_block(p, text, whole, "q");
		return whole;
	}
	whole = paragraph_len(text, len, p->in_sheet, &indent);
	if (whole > len || (len > NARROW_COLUMNS && !has_columns(text, len))) {
		put_paragraph(p, text, whole, indent);
		return whole;
	}
	if (len > NARROW_COLUMNS && indent_of(text) == EXAMPLE_INDENT) {
		put_block(p, text, len, "c");
		return len;
	}
	put_text(p, text, len);
	buf_addc(p->out, '\n');
	return len;
}

static void put_body(struct page *p, const char *text)
{
	/* A screen reader would read out every dot. */
	static const char map_begins[] = "<span class=\"m\" role=\"img\" aria-label=\"A map of the table. The welcome "
					 "and each report say it in words.\">";
	bool in_map = false;

	while (*text != '\0') {
		size_t len = line_len(text);
		bool map = is_map(text, len);

		if (map != in_map)
			buf_adds(p->out, map ? map_begins : "</span>");
		in_map = map;
		if (text[0] == '-')
			p->in_sheet = (p->in_sheet || strncmp(text, "--- ORDERS ", 11) == 0) &&
				      strncmp(text, "--- END", 7) != 0;
		if (map) {
			put_marked(p, text, len, p->colours && is_map_line(text, len) ? LABEL : 0);
			buf_addc(p->out, '\n');
		} else {
			len = put_next(p, text, len);
		}
		text += len + (text[len] == '\n');
	}
	if (in_map)
		buf_adds(p->out, "</span>");
}

static char *page(TALLOC_CTX *mem, const char *text, const struct state *s, bool colours)
{
	struct buf *out = buf_new(mem);
	struct page p = {.out = buf_new(out), .s = s, .colours = colours};

	sort_characters(&p);
	put_body(&p, text);
	buf_adds(out, "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
		      "content=\"width=device-width\"><meta name=\"color-scheme\" content=\"light dark\">\n<style>\n");
	buf_adds(out, style);
	for (int first = 0; first < HANGS; first++)
		for (int next = 0; next < HANGS; next++)
			if (p.hangs[first][next])
				buf_printf(out, ".i%d%d{padding-left:%dch;text-indent:%dch}\n", first, next, next,
					first - next);
	buf_adds(out, "</style></head>\n<body><pre style=\"font-family:Consolas,Menlo,'Courier New',monospace;"
		      "line-height:1.15;font-size:13px;white-space:pre\">\n");
	buf_add(out, p.out->data, p.out->len);
	buf_adds(out, "</pre></body></html>\n");
	return buf_finish(mem, out);
}

char *html_page(TALLOC_CTX *mem, const char *text, const struct state *s)
{
	char *coloured = page(mem, text, s, true);

	if (strlen(coloured) <= HTML_COLOURED_MAX)
		return coloured;
	talloc_free(coloured);
	return page(mem, text, s, false);
}
