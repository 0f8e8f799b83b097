#include "report/html.h"

#include "base/buf.h"

#include <ctype.h>
#include <string.h>

enum {
	MAP_LEFT = 3, /* columns before the map itself */
	HTML_COLOURED_MAX = 56 * 1024
};

static void put_escaped(struct buf *out, const char *text, size_t len)
{
	while (len > 0) {
		size_t plain = 0;

		while (plain < len && strchr("&<>\"", text[plain]) == NULL)
			plain++;
		buf_add(out, text, plain);
		if (plain == len)
			break;
		buf_adds(out, text[plain] == '&'   ? "&amp;"
			      : text[plain] == '<' ? "&lt;"
			      : text[plain] == '>' ? "&gt;"
						   : "&quot;");
		text += plain + 1;
		len -= plain + 1;
	}
}

/* "  |...|" or "10|...|": a line of the map. */
static bool is_map_line(const char *line, size_t len)
{
	return len == 64 && line[2] == '|' && line[63] == '|' && strspn(line, " 0123456789") >= 2;
}

static void put_coloured(struct buf *out, const char *text, size_t len, enum side side)
{
	/* Both can be read on white and on black (a contrast of 4.3 or more). */
	static const char *const colours[SIDES] = {"#d6453d", "#2a7ab8"};

	buf_printf(out, "<b style=\"color:%s\">", colours[side]);
	put_escaped(out, text, len);
	buf_adds(out, "</b>");
}

/* Letters and signs of the label that begins here: "A^6", "A^" (where it will stand), "Ha", "H*". */
static size_t label_len(const char *p)
{
	if (!isalpha((unsigned char)p[0]))
		return 0;
	if (strchr("^>v<", p[1]) != NULL)
		return isdigit((unsigned char)p[2]) || p[2] == '+' ? 3 : 2;
	return isalpha((unsigned char)p[1]) || p[1] == '*' ? 2 : 0;
}

/* The case of a label's first letter tells the side. */
static void put_map_line(struct buf *out, const char *line, size_t len)
{
	for (size_t i = 0; i < len;) {
		size_t n = i < MAP_LEFT || i + 1 >= len ? 0 : label_len(line + i);

		if (n == 0) {
			put_escaped(out, line + i, 1);
			i++;
			continue;
		}
		put_coloured(out, line + i, n, isupper((unsigned char)line[i]) ? SIDE_GOVERNMENT : SIDE_JACOBITE);
		i += n;
	}
}

/* The piece whose name stands here as whole words, the longest that does; or NULL. */
static const struct unit *name_at(const struct state *s, const char *p, size_t len)
{
	const struct unit *best = NULL;

	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];
		size_t n;

		if (u->name[0] != *p) /* nearly always */
			continue;
		n = strlen(u->name);
		if (n == 0 || n > len || strncmp(p, u->name, n) != 0 || (n < len && isalnum((unsigned char)p[n])))
			continue;
		if (best == NULL || n > strlen(best->name))
			best = u;
	}
	return best;
}

static void put_line(struct buf *out, const char *line, size_t len, const struct state *s)
{
	size_t plain = 0; /* from here nothing has been put yet */

	for (size_t i = 0; i < len;) {
		bool begins = i == 0 || !isalnum((unsigned char)line[i - 1]);
		const struct unit *u = begins && s != NULL ? name_at(s, line + i, len - i) : NULL;

		if (u == NULL) {
			i++;
			continue;
		}
		put_escaped(out, line + plain, i - plain);
		put_coloured(out, line + i, strlen(u->name), u->side);
		plain = i += strlen(u->name);
	}
	put_escaped(out, line + plain, len - plain);
}

static char *page(TALLOC_CTX *mem, const char *text, const struct state *s, bool colours)
{
	struct buf *out = buf_new(mem);
	char *html;

	buf_adds(out,
		"<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><meta name=\"color-scheme\" content=\"light "
		"dark\"></head>\n<body><pre style=\"font-family:Consolas,Menlo,'Courier New',monospace;"
		"line-height:1.15;font-size:13px;white-space:pre\">\n");
	while (*text != '\0') {
		size_t len = strcspn(text, "\n");

		if (!colours)
			put_escaped(out, text, len);
		else if (is_map_line(text, len))
			put_map_line(out, text, len);
		else
			put_line(out, text, len, s);
		buf_addc(out, '\n');
		text += len + (text[len] == '\n');
	}
	buf_adds(out, "</pre></body></html>\n");
	html = buf_steal(mem, out);
	talloc_free(out);
	return html;
}

char *html_page(TALLOC_CTX *mem, const char *text, const struct state *s)
{
	char *coloured = page(mem, text, s, true);

	if (strlen(coloured) <= HTML_COLOURED_MAX)
		return coloured;
	talloc_free(coloured);
	return page(mem, text, s, false);
}
