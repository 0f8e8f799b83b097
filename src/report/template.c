#include "report/template.h"

#include "base/buf.h"
#include "base/text.h"

#include <string.h>

enum { DEPTH_MAX = 8 };

struct rendering {
	TALLOC_CTX *mem;
	const char *file, *start, *p;
	const struct value *values;
	int count;
	struct buf *out;
};

static struct err *wrong(const struct rendering *r, const char *what, const char *name, size_t len)
{
	int line = 1;

	for (const char *q = r->start; q < r->p; q++)
		line += *q == '\n';
	return err_new(r->mem, ERR_PROCESS, false, talloc_asprintf(r->mem, "%s:%d", r->file, line), "%s {{%.*s}}", what,
		(int)len, name);
}

static const char *find_value(const struct rendering *r, const char *name, size_t len)
{
	for (int i = 0; i < r->count; i++) {
		if (strlen(r->values[i].name) == len && memcmp(r->values[i].name, name, len) == 0)
			return r->values[i].text == NULL ? "" : r->values[i].text;
	}
	return NULL;
}

/* A tag that stands alone on its line takes its line's end with it. */
static void skip_line_end(struct rendering *r, const char *tag)
{
	if ((tag == r->start || tag[-1] == '\n') && *r->p == '\n')
		r->p++;
}

/* Renders up to the end of the section `name` (NULL: to the end of the text); `show` says whether it is printed. */
static struct err *render(struct rendering *r, const char *name, size_t name_len, bool show, int depth)
{
	while (*r->p != '\0') {
		const char *tag = strstr(r->p, "{{"), *end = tag == NULL ? NULL : strstr(tag, "}}");
		const char *word, *value;
		size_t len;
		struct err *e;

		if (tag == NULL || end == NULL) {
			if (show)
				buf_adds(r->out, r->p);
			r->p += strlen(r->p);
			break;
		}
		if (show)
			buf_add(r->out, r->p, (size_t)(tag - r->p));
		word = tag + 2 + (strchr("#^/", tag[2]) != NULL);
		len = (size_t)(end - word);
		r->p = end + 2;
		if (tag[2] == '/') {
			skip_line_end(r, tag);
			if (name != NULL && len == name_len && memcmp(name, word, len) == 0)
				return NULL;
			return wrong(r, "there is no open section", word, len);
		}
		value = find_value(r, word, len);
		if (value == NULL)
			return wrong(r, "there is no value", word, len);
		if (word == tag + 2) {
			if (show)
				buf_adds(r->out, value);
			continue;
		}
		skip_line_end(r, tag);
		if (depth == DEPTH_MAX)
			return wrong(r, "too many sections in each other:", word, len);
		e = render(r, word, len, show && (value[0] != '\0') == (tag[2] == '#'), depth + 1);
		if (e != NULL)
			return e;
	}
	return name == NULL ? NULL : wrong(r, "a section without its end:", name, name_len);
}

struct err *template_render(
	TALLOC_CTX *mem, const char *file, const char *text, const struct value *values, int count, struct letter *out)
{
	TALLOC_CTX *scratch = talloc_new(NULL);
	struct rendering r = {mem, file, text, text, values, count, buf_new(scratch)};
	struct err *e = render(&r, NULL, 0, true, 0);
	const char *body;

	if (e == NULL && (strncmp(r.out->data, "Subject: ", 9) != 0 || strchr(r.out->data, '\n') == NULL))
		e = err_new(mem, ERR_PROCESS, false, file, "the first line must be 'Subject: ...'");
	if (e == NULL) {
		body = strchr(r.out->data, '\n');
		out->subject = talloc_strndup(mem, r.out->data + 9, (size_t)(body - r.out->data - 9));
		body += strspn(body, "\n");
		out->text = text_wrap(mem, body, LETTER_COLUMNS, 0);
	}
	talloc_free(scratch);
	return e;
}
