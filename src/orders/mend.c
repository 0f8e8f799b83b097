/* From what is wrong to the line as it would be right. The slips of a line are mended together, and what comes to light
 * by that in its turn; a line that then still does not read whole is not offered: it would only bring the next
 * question. */
#include "base/buf.h"
#include "orders/parse.h"

#include <stdlib.h>
#include <string.h>

enum { MENDED_MAX = 400, ROUNDS_MAX = 3 };

/* The text with all that was mended so far. Lines keep their numbers. */
struct mended_text {
	const char *text;
	size_t len;
	size_t *choice_at; /* for each problem with choices: where its first one stands */
	struct sheet *read;
};

/* What is put at the problem's place; of choices the first. NULL when nothing is, as where it goes over a line's end.
 */
static const char *offered(struct parser *p, const struct problem *q)
{
	const struct text_line *line = &p->lex->lines[q->line - 1];

	if (q->whole || line->length > MENDED_MAX || q->offset + q->length > line->offset + line->length)
		return NULL;
	return q->choice_count ? q->choices[0] : q->replacement ? q->replacement : q->suggestion;
}

static int by_offset(const void *a, const void *b)
{
	const struct problem *x = a, *y = b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void read_mended(struct parser *p, struct mended_text *t, struct buf *out)
{
	struct orders_context context = *p->ctx;

	context.sheet = NULL;
	context.names = p->names;
	talloc_free(t->read);
	t->text = out->data;
	t->len = out->len;
	t->read = read_again(p->work, t->text, t->len, &context);
}

static void mend_first(struct parser *p, const struct problem *list, int count, struct mended_text *t)
{
	struct buf *out = buf_new(p->work);
	size_t at = 0;

	t->choice_at = talloc_zero_array(p->work, size_t, (unsigned)count);
	for (int i = 0; i < count; i++) {
		const char *instead = offered(p, &list[i]);

		if (!instead || list[i].offset < at)
			continue;
		buf_add(out, p->lex->text + at, list[i].offset - at);
		t->choice_at[i] = out->len;
		buf_adds(out, instead);
		at = list[i].offset + list[i].length;
	}
	buf_add(out, p->lex->text + at, p->lex->length - at);
	read_mended(p, t, out);
}

/* Mends what is certain of the problems that are left; false when none is. */
static bool mend_more(struct parser *p, struct mended_text *t, int count)
{
	struct buf *out = buf_new(p->work);
	size_t at = 0;
	size_t *was = talloc_memdup(p->work, t->choice_at, sizeof *was * (unsigned)count);

	for (int i = 0; i < t->read->problem_count; i++) {
		const struct problem *q = &t->read->problems[i];

		if (!q->replacement || q->whole || q->offset < at || q->offset + q->length > t->len ||
			memchr(t->text + q->offset, '\n', q->length))
			continue;
		buf_add(out, t->text + at, q->offset - at);
		buf_adds(out, q->replacement);
		at = q->offset + q->length;
		for (int k = 0; k < count; k++)
			if (was[k] >= at)
				t->choice_at[k] = was[k] + out->len - at;
	}
	if (at == 0)
		return false;
	buf_add(out, t->text + at, t->len - at);
	read_mended(p, t, out);
	return true;
}

/* Does the line read whole? What is destroyed is none of its mistakes. */
static bool line_is_right(const struct sheet *s, int line)
{
	for (int i = 0; i < s->problem_count; i++)
		if (s->problems[i].line == line && s->problems[i].kind != PROBLEM_GONE)
			return false;
	return true;
}

/* A line of the mended text: bytes [from, to). */
struct mended_line {
	int number;
	size_t from, to;
};

/* On to the line of that number, which is no earlier one. */
static void go_to_line(const struct mended_text *t, struct mended_line *line, int number)
{
	const char *end;

	for (; line->number < number; line->number++) {
		end = memchr(t->text + line->from, '\n', t->len - line->from);
		line->from = end ? (size_t)(end - t->text) + 1 : t->len;
	}
	end = memchr(t->text + line->from, '\n', t->len - line->from);
	line->to = end ? (size_t)(end - t->text) : t->len;
	while (line->to > line->from && t->text[line->to - 1] == ' ')
		line->to--;
}

/* The line with each choice in the place of the first, which stands at `at`: "k: hold, or l: hold". */
static const char *with_choices(struct parser *p, const struct mended_text *t, const struct mended_line *line,
	const struct problem *q, size_t at)
{
	struct buf *out = buf_new(p->work);
	size_t behind = at + strlen(q->choices[0]);

	for (int i = 0; i < q->choice_count; i++)
		buf_printf(out, "%s%.*s%s%.*s", i ? ", or " : "", (int)(at - line->from), t->text + line->from,
			q->choices[i], (int)(line->to - behind), t->text + behind);
	return talloc_strdup(p->sheet, out->data);
}

/* ACCEPT is to write the whole line, for what came to light in it has no place in the text as it was typed. */
static void replace_line(struct parser *p, struct problem *q, const char *right)
{
	const struct text_line *line = &p->lex->lines[q->line - 1];

	q->replacement = right;
	q->offset = line->offset;
	q->length = line->length;
}

/* The problems [0, count) are those of one line: gives them its mended form, or takes their suggestions back. */
static void settle_line(struct parser *p, struct problem *list, int count, const struct mended_text *t,
	const size_t *choice_at, struct mended_line *line, bool further)
{
	bool right = line_is_right(t->read, list->line), certain = true;
	int choice = -1, first = -1;
	const char *text;

	for (int i = 0; i < count; i++) {
		if (!offered(p, &list[i]))
			continue;
		if (first < 0)
			first = i;
		certain &= list[i].replacement != NULL;
		right &= !list[i].choice_count || choice < 0;
		if (list[i].choice_count)
			choice = i;
	}
	if (first < 0)
		return;
	go_to_line(t, line, list->line);
	text = choice >= 0 && right ? with_choices(p, t, line, &list[choice], choice_at[choice])
				    : talloc_strndup(p->sheet, t->text + line->from, line->to - line->from);
	for (int i = 0; i < count; i++) {
		if (!offered(p, &list[i]))
			continue;
		list[i].suggestion = right ? text : NULL;
		if (!right || !certain)
			list[i].replacement = NULL;
		list[i].choice_count = 0;
	}
	if (right && certain && further)
		replace_line(p, &list[first], text);
}

void mend_lines(struct parser *p, int first_problem)
{
	int count = p->sheet->problem_count - first_problem, suggestions = 0, rounds = 1;
	struct mended_text t = {0};
	struct mended_line line = {.number = 1};
	struct problem *list;

	if (count <= 0)
		return;
	list = p->sheet->problems + first_problem;
	qsort(list, (size_t)count, sizeof *list, by_offset);
	if (p->proving)
		return;
	for (int i = 0; i < count; i++)
		suggestions += offered(p, &list[i]) != NULL;
	if (suggestions && !p->full) {
		mend_first(p, list, count, &t);
		while (rounds < ROUNDS_MAX && mend_more(p, &t, count))
			rounds++;
		for (int i = 0, n; i < count; i += n) {
			for (n = 1; i + n < count && list[i + n].line == list[i].line;)
				n++;
			settle_line(p, list + i, n, &t, t.choice_at + i, &line, rounds > 1);
		}
	}
	suggest_patterns(p, first_problem);
}
