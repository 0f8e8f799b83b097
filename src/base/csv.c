#include "base/csv.h"

#include "base/buf.h"

#include <string.h>

static const char *after_quotes(const char *at)
{
	const char *end = strchr(at + 1, '"');

	return end != NULL ? end + 1 : at + strlen(at);
}

void csv_begin(struct csv *csv, const char *file, const char *text)
{
	const char *at;

	if (strncmp(text, "\xEF\xBB\xBF", 3) == 0)
		text += 3;
	at = text;
	while (*at != '\0' && strchr(",;\t", *at) == NULL)
		at = *at == '"' ? after_quotes(at) : at + 1;
	*csv = (struct csv){file, text, *at != '\0' ? *at : ',', 1};
}

static bool is_blank(const struct csv *csv, char c)
{
	return c == ' ' || (c == '\t' && csv->separator != '\t');
}

static bool ends_field(const struct csv *csv, char c)
{
	return c == csv->separator || c == '\r' || c == '\n' || c == '\0';
}

static struct err *fault(TALLOC_CTX *mem, const struct csv *csv, int line, const char *what)
{
	return err_new(mem, ERR_GAME, false, talloc_asprintf(mem, "%s:%d", csv->file, line), "%s", what);
}

/* The rest of a field behind its first quote mark; "" is a quote mark in it. */
static struct err *read_quoted(TALLOC_CTX *mem, struct csv *csv, struct buf *out)
{
	int line = csv->line;

	for (; csv->next[0] != '"' || csv->next[1] == '"'; csv->next++) {
		if (csv->next[0] == '\0')
			return fault(mem, csv, line, "a quote mark (\") has no second one to close it");
		csv->next += csv->next[0] == '"';
		csv->line += csv->next[0] == '\n';
		buf_addc(out, csv->next[0]);
	}
	for (csv->next++; is_blank(csv, csv->next[0]);)
		csv->next++;
	return ends_field(csv, csv->next[0])
		       ? NULL
		       : fault(mem, csv, csv->line, "a field goes on behind its closing quote mark (\")");
}

static void read_bare(struct csv *csv, struct buf *out)
{
	size_t len = 0, kept;

	while (!ends_field(csv, csv->next[len]))
		len++;
	for (kept = len; kept > 0 && is_blank(csv, csv->next[kept - 1]);)
		kept--;
	buf_add(out, csv->next, kept);
	csv->next += len;
}

static struct err *read_field(TALLOC_CTX *mem, struct csv *csv, struct buf *out)
{
	while (is_blank(csv, csv->next[0]))
		csv->next++;
	if (csv->next[0] == '"') {
		csv->next++;
		return read_quoted(mem, csv, out);
	}
	read_bare(csv, out);
	return NULL;
}

static struct err *read_row(TALLOC_CTX *mem, struct csv *csv, struct csv_row *row, bool *empty)
{
	*empty = true;
	*row = (struct csv_row){.line = csv->line};
	for (int i = 0; i <= CSV_FIELDS_MAX; i++)
		row->fields[i] = "";
	for (;;) {
		struct buf *field = buf_new(mem);
		struct err *e = read_field(mem, csv, field);

		if (e != NULL)
			return e;
		if (row->count == CSV_FIELDS_MAX)
			return fault(mem, csv, row->line, "there are too many fields in this line");
		*empty = *empty && field->len == 0;
		row->fields[row->count++] = field->data;
		if (csv->next[0] != csv->separator)
			break;
		csv->next++;
	}
	csv->next += csv->next[0] == '\r';
	csv->next += csv->next[0] == '\n';
	csv->line++;
	return NULL;
}

struct err *csv_next(TALLOC_CTX *mem, struct csv *csv, struct csv_row *row)
{
	bool empty = true;
	struct err *e = NULL;

	row->count = 0;
	while (e == NULL && empty && csv->next[0] != '\0')
		e = read_row(mem, csv, row, &empty);
	if (empty)
		row->count = 0;
	return e;
}
