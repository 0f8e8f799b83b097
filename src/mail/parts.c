#include "mail/parts.h"

#include <string.h>
#include <strings.h>

struct splitter {
	const struct charsets *charsets;
	struct parts *out;
};

/* Where in the mail an entity stands. */
struct place {
	int depth;
	const char *default_type;
	bool inside, alternative;
};

static void read_entity(
	struct splitter *s, const struct fields *f, const char *body, size_t len, const struct place *at);

static struct part *add_part(struct splitter *s)
{
	if (s->out->count == PARTS_MAX) {
		s->out->too_many = true;
		return NULL;
	}
	return &s->out->list[s->out->count++];
}

static void add_leaf(struct splitter *s, const struct fields *f, const char *type, const char *body, size_t len,
	const struct place *at)
{
	const char *content = fields_get(f, "Content-Type"), *disposition = fields_get(f, "Content-Disposition");
	struct part *p = add_part(s);
	char *name;

	if (p == NULL)
		return;
	name = field_parameter(s->out, disposition, "filename");
	if (*name == '\0')
		name = field_parameter(s->out, content, "name");
	*p = (struct part){
		.fields = f,
		.type = type,
		.charset = field_parameter(s->out, content, "charset"),
		.filename = decode_words(s->out, s->charsets, name),
		.attachment = strcmp(field_main(s->out, disposition), "attachment") == 0,
		.inside = at->inside,
		.alternative = at->alternative,
		.flowed = strcasecmp(field_parameter(s->out, content, "format"), "flowed") == 0,
		.delsp = strcasecmp(field_parameter(s->out, content, "delsp"), "yes") == 0,
		.body = body,
		.len = len,
	};
}

/* --- boundaries -------------------------------------------------------------------------------------------------- */

enum delimiter { DELIMITER_NONE, DELIMITER_PART, DELIMITER_END };

/* Is the line (its end left out) `--boundary` or `--boundary--`, blanks behind it allowed? */
static enum delimiter delimiter(const char *line, size_t len, const char *boundary, size_t n)
{
	enum delimiter d = DELIMITER_PART;

	if (len < n + 2 || memcmp(line, "--", 2) != 0 || memcmp(line + 2, boundary, n) != 0)
		return DELIMITER_NONE;
	line += n + 2;
	len -= n + 2;
	if (len >= 2 && memcmp(line, "--", 2) == 0) {
		d = DELIMITER_END;
		line += 2;
		len -= 2;
	}
	while (len > 0 && (*line == ' ' || *line == '\t' || *line == '\r')) {
		line++;
		len--;
	}
	return len == 0 ? d : DELIMITER_NONE;
}

static void read_part(struct splitter *s, const char *text, size_t len, const struct place *at)
{
	struct fields *f = fields_read_part(s->out, text, len);

	read_entity(s, f, text + f->end, len - f->end, at);
}

/* Gives false if no part was found. */
static bool read_multipart(
	struct splitter *s, const char *boundary, const char *body, size_t len, const struct place *place)
{
	const char *start = NULL;
	size_t n = strlen(boundary);
	bool found = false;

	for (size_t at = 0; at < len;) {
		const char *line = body + at, *newline = memchr(line, '\n', len - at);
		size_t line_len = newline ? (size_t)(newline - line) : len - at;
		enum delimiter d = delimiter(line, line_len, boundary, n);

		at += line_len + (newline != NULL);
		if (d == DELIMITER_NONE)
			continue;
		found = found || d == DELIMITER_PART;
		if (start) {
			size_t part = (size_t)(line - start);

			/* The line end before a boundary belongs to the boundary. */
			part -= part > 0 && start[part - 1] == '\n';
			part -= part > 0 && start[part - 1] == '\r';
			read_part(s, start, part, place);
		}
		start = d == DELIMITER_PART ? body + at : NULL;
		if (d == DELIMITER_END)
			break;
	}
	if (start && start < body + len)
		read_part(s, start, (size_t)(body + len - start), place);
	return found;
}

/* --- entities ---------------------------------------------------------------------------------------------------- */

static char *boundary_of(TALLOC_CTX *mem, const char *content)
{
	char *b = field_parameter(mem, content, "boundary");
	size_t n = strlen(b);

	while (n > 0 && (b[n - 1] == ' ' || b[n - 1] == '\t'))
		b[--n] = '\0';
	return b;
}

/* A multipart that names no boundary, or a wrong one: the first line that looks like one, a part's header below it. ""
 * if there is none. */
static char *guess_boundary(TALLOC_CTX *mem, const char *body, size_t len)
{
	for (size_t at = 0; at < len;) {
		const char *line = body + at, *newline = memchr(line, '\n', len - at);
		size_t n = newline ? (size_t)(newline - line) : len - at;

		at += n + (newline != NULL);
		while (n > 0 && (line[n - 1] == '\r' || line[n - 1] == ' '))
			n--;
		if (n > 2 && n < 74 && memcmp(line, "--", 2) == 0 && len - at > 8 &&
			strncasecmp(body + at, "Content-", 8) == 0)
			return talloc_strndup(mem, line + 2, n - 2);
	}
	return talloc_strdup(mem, "");
}

static bool plain_encoding(const struct fields *f)
{
	const char *encoding = fields_get(f, "Content-Transfer-Encoding");

	return strncasecmp(encoding, "base64", 6) != 0 && strncasecmp(encoding, "quoted-printable", 16) != 0;
}

/* Gives false if it has no parts after all. */
static bool read_parts(struct splitter *s, const struct fields *f, const char *type, const char *body, size_t len,
	const struct place *at)
{
	char *boundary = boundary_of(s->out, fields_get(f, "Content-Type"));
	struct place inner = {
		.depth = at->depth + 1,
		.default_type = strcmp(type, "multipart/digest") == 0 ? "message/rfc822" : "text/plain",
		.inside = at->inside,
		.alternative = at->alternative || strcmp(type, "multipart/alternative") == 0,
	};

	if (*boundary && read_multipart(s, boundary, body, len, &inner))
		return true;
	if (!plain_encoding(f)) /* RFC 2045, 6.4 forbids it */
		body = decode_transfer(s->out, fields_get(f, "Content-Transfer-Encoding"), body, len, &len);
	if (*boundary && !plain_encoding(f) && read_multipart(s, boundary, body, len, &inner))
		return true;
	boundary = guess_boundary(s->out, body, len);
	return *boundary && read_multipart(s, boundary, body, len, &inner);
}

/* An attached mail; programs that do not know what they attach leave it to the name. */
static bool is_message(const struct splitter *s, const struct fields *f, const char *type)
{
	char *name = field_parameter(s->out, fields_get(f, "Content-Disposition"), "filename");
	size_t n;

	if (*name == '\0')
		name = field_parameter(s->out, fields_get(f, "Content-Type"), "name");
	n = strlen(name);
	return strcmp(type, "message/rfc822") == 0 || strcmp(type, "message/global") == 0 ||
	       (n > 4 && strcasecmp(name + n - 4, ".eml") == 0);
}

static void read_message(struct splitter *s, const char *body, size_t len, const struct place *at)
{
	struct place inner = {.depth = at->depth + 1, .default_type = "text/plain", .inside = true};
	struct fields *f;

	for (; len > 0 && (*body == '\r' || *body == '\n'); len--)
		body++;
	f = fields_read(s->out, body, len);
	read_entity(s, f, body + f->end, len - f->end, &inner);
}

static void read_entity(
	struct splitter *s, const struct fields *f, const char *body, size_t len, const struct place *at)
{
	const char *content = fields_get(f, "Content-Type");
	char *type = field_main(s->out, content);
	bool multipart;

	if (at->depth > PARTS_DEPTH_MAX) {
		s->out->too_many = true;
		return;
	}
	/* A mail whose header lost its type, but whose parts have theirs. */
	multipart = strncmp(type, "multipart/", 10) == 0 || (*type == '\0' && len > 2 && memcmp(body, "--", 2) == 0);
	if (strchr(type, '/') == NULL && !multipart)
		type = talloc_strdup(s->out, strcmp(type, "text") == 0 ? "text/plain" : at->default_type);
	if (multipart) {
		s->out->encrypted = s->out->encrypted || strcmp(type, "multipart/encrypted") == 0;
		s->out->report = s->out->report || (at->depth == 0 && strcmp(type, "multipart/report") == 0);
		if (read_parts(s, f, type, body, len, at))
			return;
		/* No boundary: the sender's program was wrong about the type, the words are there all the same. */
		type = talloc_strdup(s->out, "text/plain");
	}
	add_leaf(s, f, type, body, len, at);
	if (!is_message(s, f, type))
		return;
	if (!plain_encoding(f)) /* RFC 2046, 5.2.1 forbids it; some do it */
		body = decode_transfer(s->out, fields_get(f, "Content-Transfer-Encoding"), body, len, &len);
	read_message(s, body, len, at);
}

struct parts *parts_read(
	TALLOC_CTX *mem, const struct charsets *c, const struct fields *fields, const char *body, size_t len)
{
	struct parts *out = talloc_zero(mem, struct parts);
	struct splitter s = {.charsets = c, .out = out};

	out->list = talloc_array(out, struct part, PARTS_MAX);
	read_entity(&s, fields, body, len, &(struct place){.default_type = "text/plain"});
	return out;
}

char *part_bytes(TALLOC_CTX *mem, const struct part *p, size_t *len)
{
	return decode_transfer(mem, fields_get(p->fields, "Content-Transfer-Encoding"), p->body, p->len, len);
}

char *part_text(TALLOC_CTX *mem, const struct charsets *c, const struct part *p, size_t *len)
{
	size_t n;
	const char *encoding = decode_guess(fields_get(p->fields, "Content-Transfer-Encoding"), p->body, p->len);
	char *bytes = decode_transfer(mem, encoding, p->body, p->len, &n),
	     *text = charset_utf8(mem, c, p->charset, bytes, n, len);

	talloc_free(bytes);
	return text;
}

bool part_named(const struct part *p, const char *const *ends)
{
	size_t n = strlen(p->filename);

	for (; *ends; ends++) {
		size_t e = strlen(*ends);

		if (n >= e && strcasecmp(p->filename + n - e, *ends) == 0)
			return true;
	}
	return false;
}

bool part_is_body(const struct part *p, const char *type)
{
	return strcmp(p->type, type) == 0 && !p->attachment && *p->filename == '\0';
}

bool part_is_page(const struct part *p)
{
	static const char *const ends[] = {".html", ".htm", NULL};

	return strcmp(p->type, "text/html") == 0 || part_named(p, ends);
}

bool part_is_order_file(const struct part *p)
{
	static const char *const ends[] = {".txt", ".ord", ".orders", ".text", ".md", ".csv", NULL};

	return !part_is_body(p, p->type) &&
	       (strcmp(p->type, "text/plain") == 0 || part_named(p, ends) || part_is_page(p));
}
