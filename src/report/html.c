#include "report/html.h"

#include "base/buf.h"

#include <ctype.h>
#include <string.h>

static void put_escaped(struct buf *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		switch (text[i]) {
		case '&':
			buf_adds(out, "&amp;");
			break;
		case '<':
			buf_adds(out, "&lt;");
			break;
		case '>':
			buf_adds(out, "&gt;");
			break;
		case '"':
			buf_adds(out, "&quot;");
			break;
		default:
			buf_addc(out, text[i]);
		}
	}
}

/* "  |...|" or "10|...|": a line of the map. */
static bool is_map_line(const char *line, size_t len)
{
	return len == 64 && line[2] == '|' && line[63] == '|' && strspn(line, " 0123456789") >= 2;
}

/* Labels are a letter and two signs, or two letters: their first letter's case tells the side. The colours can be read
 * on white and on black. */
static void put_map_line(struct buf *out, const char *line, size_t len)
{
	for (size_t i = 0; i < len;) {
		size_t n = 0;

		while (i + n < len && n < 3 && isalnum((unsigned char)line[i]) && strchr(" .*|", line[i + n]) == NULL)
			n++;
		if (i < 3 || n == 0 || isdigit((unsigned char)line[i])) {
			put_escaped(out, line + i, 1);
			i++;
			continue;
		}
		buf_printf(out, "<b style=\"color:%s\">", isupper((unsigned char)line[i]) ? "#c0392b" : "#2471a3");
		put_escaped(out, line + i, n);
		buf_adds(out, "</b>");
		i += n;
	}
}

char *html_page(TALLOC_CTX *mem, const char *text)
{
	struct buf *out = buf_new(mem);
	char *page;

	buf_adds(out,
		"<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><meta name=\"color-scheme\" content=\"light "
		"dark\"></head>\n<body><pre style=\"font-family:Consolas,Menlo,'Courier New',monospace;"
		"line-height:1.15;font-size:13px;white-space:pre\">\n");
	while (*text != '\0') {
		size_t len = strcspn(text, "\n");

		if (is_map_line(text, len))
			put_map_line(out, text, len);
		else
			put_escaped(out, text, len);
		buf_addc(out, '\n');
		text += len + (text[len] == '\n');
	}
	buf_adds(out, "</pre></body></html>\n");
	page = buf_steal(mem, out);
	talloc_free(out);
	return page;
}
