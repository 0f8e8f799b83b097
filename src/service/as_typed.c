/* What was read is text in its plain form (text_plain); what is told of it speaks of the text as it was typed. */
#include "service/as_typed.h"

#include "base/text.h"

#include <string.h>
#include <utf8proc.h>

/* Where each line begins in the plain form, one more for the end; and whence each byte of that came. */
struct lines {
	const char *plain, *typed;
	size_t plain_len, typed_len;
	size_t *plain_at, *origins;
};

static struct lines lines_find(
	TALLOC_CTX *mem, const char *plain, size_t plain_len, const char *typed, size_t typed_len)
{
	struct lines l = {plain, typed, plain_len, typed_len, NULL, text_plain_origins(mem, typed, typed_len)};
	int count = 1;

	for (size_t i = 0; i < plain_len; i++)
		count += plain[i] == '\n';
	l.plain_at = talloc_array(mem, size_t, (unsigned)count + 1);
	l.plain_at[0] = 0;
	l.plain_at[count] = plain_len;
	count = 1;
	for (size_t i = 0; i < plain_len; i++)
		if (plain[i] == '\n')
			l.plain_at[count++] = i + 1;
	return l;
}

/* The text as typed from `from` to `to`, without the end of a line; NULL when it is no UTF-8. */
static const char *stretch(TALLOC_CTX *mem, const struct lines *l, size_t from, size_t to)
{
	int32_t c;

	for (size_t at = from; at < to;) {
		utf8proc_ssize_t n = utf8proc_iterate(
			(const utf8proc_uint8_t *)l->typed + at, (utf8proc_ssize_t)(l->typed_len - at), &c);

		if (n < 1)
			return NULL;
		at += (size_t)n;
	}
	return talloc_strndup(mem, l->typed + from, to - from);
}

static const char *line_typed(TALLOC_CTX *mem, const struct lines *l, int line)
{
	size_t end = l->plain_at[line + 1];

	if (end > l->plain_at[line] && l->plain[end - 1] == '\n')
		end--;
	return stretch(mem, l, l->origins[l->plain_at[line]], l->origins[end]);
}

static int characters(const char *text, size_t len)
{
	int n = 0;

	for (size_t i = 0; i < len; i++)
		n += ((unsigned char)text[i] & 0xC0) != 0x80;
	return n;
}

static void problem_as_typed(TALLOC_CTX *mem, const struct lines *l, struct problem *p)
{
	int line = p->line - 1, left = p->column - 1;
	const char *typed = line_typed(mem, l, line);
	size_t at = l->plain_at[line], start = l->origins[at];

	if (!typed)
		return;
	while (left > 0 && at < l->plain_at[line + 1]) {
		for (at++; at < l->plain_len && ((unsigned char)l->plain[at] & 0xC0) == 0x80; at++)
			;
		left--;
	}
	p->typed = typed;
	p->column = 1 + characters(l->typed + start, l->origins[at] - start);
}

void as_typed(struct sheet *sheet, const char *plain, size_t plain_len, const char *typed, size_t typed_len)
{
	struct lines l;

	if (sheet->refused)
		return;
	l = lines_find(sheet, plain, plain_len, typed, typed_len);
	for (int i = 0; i < sheet->problem_count; i++)
		problem_as_typed(sheet, &l, &sheet->problems[i]);
	for (int i = 0; i < sheet->set_aside_count; i++) {
		size_t from = sheet->set_aside_at[i], to = from + strlen(sheet->set_aside[i]);
		const char *text = stretch(sheet, &l, l.origins[from], l.origins[to < plain_len ? to : plain_len]);

		if (text)
			sheet->set_aside[i] = text;
	}
	for (int i = 0; i < sheet->command_count; i++) {
		const char *text = line_typed(sheet, &l, sheet->commands[i].line - 1);

		if (text)
			sheet->commands[i].typed = text;
	}
}
