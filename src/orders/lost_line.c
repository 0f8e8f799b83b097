/* No line gets lost. Lines that were read together may be dropped together where the first could not be read: what of
 * them stands in no order and in no question is set aside, so that its writer finds it in his receipt. */
#include "orders/lines.h"

void mark_understood(struct parser *p, int from, int end)
{
	if (p->trial || end <= from)
		return;
	for (int i = p->tokens[from].line, last = p->tokens[end - 1].line; i <= last; i++)
		p->understood[i] = true;
}

/* Is the line told of, since the sheet held no more than that? */
static bool is_told(const struct parser *p, int line, const struct held *before)
{
	const struct sheet *s = p->sheet;
	const struct text_line *l = &p->lex->lines[line];

	for (int i = before->problems; i < s->problem_count; i++)
		if (s->problems[i].line == line + 1)
			return true;
	for (int i = before->orders; i < s->order_count; i++)
		if (s->orders[i].line == line + 1)
			return true;
	for (int i = before->set_aside; i < s->set_aside_count; i++)
		if (s->set_aside_at[i] >= l->offset && s->set_aside_at[i] < l->offset + l->length)
			return true;
	return false;
}

/* What was set aside last comes to its place in the order of the text. */
static void sort_in_last(struct sheet *s, int from)
{
	int at = s->set_aside_count - 1;
	const char *text = s->set_aside[at];
	size_t offset = s->set_aside_at[at];

	for (; at > from && s->set_aside_at[at - 1] > offset; at--) {
		s->set_aside[at] = s->set_aside[at - 1];
		s->set_aside_at[at] = s->set_aside_at[at - 1];
	}
	s->set_aside[at] = text;
	s->set_aside_at[at] = offset;
}

void set_aside_lost(struct parser *p, int from, int end, const struct held *before)
{
	for (int line = from; line < end && !p->trial && !p->full; line++) {
		int count = p->sheet->set_aside_count;

		if (p->understood[line] || is_told(p, line, before))
			continue;
		set_aside_line(p, line);
		if (p->sheet->set_aside_count > count)
			sort_in_last(p->sheet, before->set_aside);
	}
}
