/* Every suggestion is itself read before it is offered: one that is wrong at its own place is worse than none. */
#include "base/buf.h"
#include "orders/parse.h"

/* Where a problem's place has come to in the text with the suggestions in it. */
struct moved {
	size_t from, to;
};

static const char *offered(const struct problem *q)
{
	return q->whole ? NULL : q->replacement ? q->replacement : q->suggestion;
}

/* The text with all suggestions in the place of what they are for. */
static struct buf *with_suggestions(struct parser *p, int first_problem, struct moved *moved)
{
	struct buf *out = buf_new(p->work);
	size_t at = 0;

	for (int i = first_problem; i < p->sheet->problem_count; i++, moved++) {
		const struct problem *q = &p->sheet->problems[i];

		if (!offered(q) || q->offset < at) {
			*moved = (struct moved){out->len + q->offset - at, 0};
			continue;
		}
		buf_add(out, p->lex->text + at, q->offset - at);
		moved->from = out->len;
		buf_adds(out, offered(q));
		moved->to = out->len;
		at = q->offset + q->length;
	}
	buf_add(out, p->lex->text + at, p->lex->length - at);
	return out;
}

void prove_suggestions(struct parser *p, int first_problem)
{
	struct sheet *s = p->sheet, *again;
	int count = s->problem_count - first_problem, suggestions = 0;
	struct orders_context context = *p->ctx;
	struct moved *moved;
	struct buf *text;

	for (int i = first_problem; i < s->problem_count; i++)
		suggestions += offered(&s->problems[i]) != NULL;
	if (!suggestions || p->full || p->proving)
		return;
	moved = talloc_zero_array(p->work, struct moved, (unsigned)count);
	text = with_suggestions(p, first_problem, moved);
	context.sheet = NULL;
	context.names = p->names;
	again = read_again(p->work, text->data, text->len, &context);
	for (int k = 0; k < again->problem_count; k++) {
		size_t place = again->problems[k].offset;
		int line = again->problems[k].line;

		for (int i = 0; i < count; i++) {
			struct problem *q = &s->problems[first_problem + i];

			if (q->line == line && moved[i].to && place >= moved[i].from && place <= moved[i].to + 1)
				q->suggestion = q->replacement = NULL;
		}
	}
}
