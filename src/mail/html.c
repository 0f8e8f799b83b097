#include "mail/html.h"

#include "base/buf.h"

#include <ctype.h>
#include <libxml/HTMLparser.h>
#include <string.h>
#include <strings.h>

/* Elements within each other whose effects are told apart; quote marks before a line, however deep it stands. */
enum { OPEN_MAX = 512, QUOTES_MAX = 8 };

/* What an element does to what is inside it. */
enum effect {
	HIDDEN = 1,
	QUOTE = 2,
	PRE = 4,
	BLOCK = 8, /* begins and ends a line */
	STRUCK = 16,
};

struct page {
	struct buf *out, *struck_out; /* the latter NULL: what is struck out stays */
	unsigned char open[OPEN_MAX]; /* effects of the open elements */
	int depth;
	int hidden, quotes, pre, struck; /* how many of the open elements have that effect */
	bool earlier;                    /* the earlier mail has begun */
	bool line_empty;                 /* nothing stands on the line yet */
	bool blank;                      /* a blank is due before the next word */
};

/* --- writing ----------------------------------------------------------------------------------------------------- */

static void newline(struct page *p)
{
	buf_addc(p->out, '\n');
	p->line_empty = true;
	p->blank = false;
}

static void end_line(struct page *p)
{
	if (!p->line_empty)
		newline(p);
	p->blank = false;
}

static void put(struct page *p, char c)
{
	if (p->line_empty)
		for (int i = 0; i < p->quotes && i < QUOTES_MAX; i++)
			buf_adds(p->out, "> ");
	else if (p->blank)
		buf_addc(p->out, ' ');
	p->line_empty = false;
	p->blank = false;
	buf_addc(p->out, c);
}

static void strike(struct page *p, const char *text, size_t len)
{
	if (p->quotes > 0 || p->earlier)
		return;
	for (size_t i = 0; i < len; i++)
		buf_addc(p->struck_out, isspace((unsigned char)text[i]) ? ' ' : text[i]);
}

static void end_struck(struct page *p)
{
	const struct buf *out = p->struck_out;

	if (out != NULL && p->struck > 0 && out->len > 0 && out->data[out->len - 1] != '\n')
		buf_addc(p->struck_out, '\n');
}

static void words(struct page *p, const char *text, size_t len)
{
	if (p->hidden)
		return;
	if (p->struck && p->struck_out != NULL) {
		strike(p, text, len);
		return;
	}
	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		if (p->pre && c == '\n')
			newline(p);
		else if (p->pre && (c == ' ' || c == '\t'))
			put(p, c);
		else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f')
			p->blank = !p->line_empty;
		else
			put(p, c);
	}
}

/* A line of its own, as a mail program would have put it into plain text. */
static void mark(struct page *p, const char *line)
{
	end_line(p);
	for (; *line; line++)
		put(p, *line);
	newline(p);
}

/* --- elements ---------------------------------------------------------------------------------------------------- */

static bool among(const char *name, const char *const *list)
{
	for (; *list; list++)
		if (strcasecmp(name, *list) == 0)
			return true;
	return false;
}

static const char *attribute(const xmlChar **attributes, const char *name)
{
	for (; attributes && attributes[0]; attributes += 2)
		if (strcasecmp((const char *)attributes[0], name) == 0)
			return attributes[1] ? (const char *)attributes[1] : "";
	return "";
}

/* `what` in a style, blanks in it left aside. */
static bool styled(const char *style, const char *what)
{
	for (; *style; style++) {
		const char *s = style, *w = what;

		while (*w && *s) {
			if (*s == ' ')
				s++;
			else if (tolower((unsigned char)*s) == *w)
				s++, w++;
			else
				break;
		}
		if (*w == '\0')
			return true;
	}
	return false;
}

/* One of the names in an id or class. Outlook puts an x_ before the names in a mail that it quotes. */
static bool named(const char *names, const char *const *list)
{
	while (*names != '\0') {
		size_t len = strcspn(names, " ");

		for (; len > 2 && strncmp(names, "x_", 2) == 0; len -= 2)
			names += 2;
		for (const char *const *name = list; *name != NULL; name++)
			if (strlen(*name) == len && strncasecmp(names, *name, len) == 0)
				return true;
		names += len;
		names += *names == ' ';
	}
	return false;
}

/* The line above Outlook's block of From, Sent, To and Subject. */
static bool is_outlook_line(const char *style)
{
	return styled(style, "border:none;border-top:solid") ||
	       (styled(style, "border-left:none") && styled(style, "border-top:1ptsolid")) ||
	       (styled(style, "border-width:1pt") && styled(style, "border-style:solidnonenone"));
}

/* Where the earlier mail begins, by the names that mail programs give the place. */
static bool begins_earlier(const char *name, const xmlChar **attributes)
{
	static const char *const ids[] = {"appendonsend", "divRplyFwdMsg", "stopSpelling", "zwchr",
		"mail-editor-reference-message-container", "ms-outlook-mobile-reference-message", "reply-intro",
		"OLK_SRC_BODY_SECTION", NULL};
	static const char *const classes[] = {"yahoo_quoted", "protonmail_quote", "zmail_extra", "tutanota_quote",
		"ms-outlook-mobile-reference-message", NULL};
	const char *classed = attribute(attributes, "class");

	return named(attribute(attributes, "id"), ids) ||
	       strcmp(attribute(attributes, "name"), "messageReplySection") == 0 ||
	       (strcasecmp(name, "blockquote") != 0 &&
		       (named(classed, classes) || strstr(classed, "yahoo_quoted") != NULL)) ||
	       (strcasecmp(name, "div") == 0 && is_outlook_line(attribute(attributes, "style")));
}

static bool begins_signature(const xmlChar **attributes)
{
	static const char *const ids[] = {
		"signature", "ms-outlook-mobile-signature", "ms-outlook-mobile-body-separator-line", NULL};
	static const char *const classes[] = {
		"gmail_signature", "moz-signature", "protonmail_signature_block", "front-signature", NULL};

	return named(attribute(attributes, "id"), ids) || named(attribute(attributes, "class"), classes) ||
	       strcmp(attribute(attributes, "name"), "messageSignatureSection") == 0;
}

/* Gmail's indentation is a blockquote too, without a border; GMX quotes in a div. What introduces a quote is part of
 * it. */
static bool is_quote(const char *name, const xmlChar **attributes)
{
	static const char *const introductions[] = {"moz-cite-prefix", "gmail_attr", NULL};
	const char *style = attribute(attributes, "style");

	if (strcasecmp(name, "div") == 0)
		return strcmp(attribute(attributes, "name"), "quote") == 0 ||
		       named(attribute(attributes, "class"), introductions);
	return strcasecmp(name, "blockquote") == 0 &&
	       !(styled(style, "border:none") && styled(style, "margin:00040px") && !*attribute(attributes, "class"));
}

static unsigned effects(const char *name, const xmlChar **attributes)
{
	static const char *const hidden[] = {"head", "style", "script", "title", "template", "object", "select", NULL};
	static const char *const blocks[] = {"p", "div", "tr", "table", "ul", "ol", "li", "h1", "h2", "h3", "h4", "h5",
		"h6", "blockquote", "pre", "address", "section", "article", "header", "footer", "dl", "dt", "dd",
		"center", "form", "fieldset", "details", "summary", "main", "aside", "nav", "figure", "figcaption",
		"caption", NULL};
	static const char *const struck[] = {"s", "strike", "del", NULL};
	const char *style = attribute(attributes, "style");
	unsigned e = 0;

	if (among(name, hidden) || styled(style, "display:none") || styled(style, "max-height:0;") ||
		styled(style, "mso-hide:all"))
		e |= HIDDEN;
	if (among(name, struck) || styled(style, "line-through"))
		e |= STRUCK;
	if (is_quote(name, attributes))
		e |= QUOTE;
	if (strcasecmp(name, "pre") == 0 || styled(style, "white-space:pre"))
		e |= PRE;
	if (among(name, blocks))
		e |= BLOCK;
	return e;
}

static void open_element(void *context, const xmlChar *element, const xmlChar **attributes)
{
	struct page *p = context;
	const char *name = (const char *)element;
	unsigned e = effects(name, attributes);

	if (e & BLOCK || strcasecmp(name, "br") == 0)
		end_struck(p);
	if (!p->hidden && !(e & HIDDEN)) {
		if (strcasecmp(name, "br") == 0)
			newline(p);
		else if (e & BLOCK || strcasecmp(name, "hr") == 0)
			end_line(p);
		else if ((strcasecmp(name, "td") == 0 || strcasecmp(name, "th") == 0) && !p->line_empty)
			put(p, '\t');
		/* Some programs put the whole of a mail into what is elsewhere the place of the earlier one. */
		if (begins_earlier(name, attributes) && p->out->len > 0) {
			mark(p, "-----Original Message-----");
			p->earlier = true;
		} else if (begins_signature(attributes)) {
			mark(p, "-- ");
		}
	}
	p->hidden += (e & HIDDEN) != 0;
	p->quotes += (e & QUOTE) != 0;
	p->pre += (e & PRE) != 0;
	p->struck += (e & STRUCK) != 0;
	if (p->depth < OPEN_MAX)
		p->open[p->depth] = (unsigned char)e;
	p->depth++;
}

static void close_element(void *context, const xmlChar *element)
{
	struct page *p = context;
	unsigned e = 0;

	(void)element; /* the parser closes what it opened, in order */
	if (p->depth == 0)
		return;
	p->depth--;
	if (p->depth < OPEN_MAX)
		e = p->open[p->depth];
	if (e & BLOCK && !p->hidden)
		end_line(p);
	if (e & (BLOCK | STRUCK))
		end_struck(p);
	p->hidden -= (e & HIDDEN) != 0;
	p->quotes -= (e & QUOTE) != 0;
	p->pre -= (e & PRE) != 0;
	p->struck -= (e & STRUCK) != 0;
}

static void text_of(void *context, const xmlChar *text, int len)
{
	words(context, (const char *)text, (size_t)len);
}

char *html_text(TALLOC_CTX *mem, const char *html, size_t len, struct buf *struck)
{
	struct page page = {.out = buf_new(mem), .struck_out = struck, .line_empty = true};
	xmlSAXHandler sax = {
		.startElement = open_element,
		.endElement = close_element,
		.characters = text_of,
		.ignorableWhitespace = text_of,
	};
	htmlParserCtxtPtr parser = htmlCreatePushParserCtxt(&sax, &page, NULL, 0, NULL, XML_CHAR_ENCODING_UTF8);

	if (parser) {
		htmlCtxtUseOptions(parser, HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
						   HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC);
		htmlParseChunk(parser, html, (int)len, 0);
		htmlParseChunk(parser, NULL, 0, 1);
		htmlFreeParserCtxt(parser);
	}
	end_line(&page);
	return buf_finish(mem, page.out);
}
