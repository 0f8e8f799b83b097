/* ACCEPT: a player's own text again, with the suggestions of its receipt in it. */
#include "base/buf.h"
#include "orders/print.h"
#include "orders/sheet.h"

#include <string.h>

const char *sheet_suggestion(const struct sheet *sheet, int index)
{
	const struct problem *p = &sheet->problems[index], *next = p + 1;

	if (p->suggestion && index + 1 < sheet->problem_count && next->line == p->line && next->suggestion &&
		strcmp(p->suggestion, next->suggestion) == 0)
		return NULL;
	return p->suggestion;
}

char *orders_accept(TALLOC_CTX *mem, const char *text, size_t len, const struct sheet *sheet, int *changed)
{
	struct buf *out = buf_new(mem);
	size_t at = 0;
	char *result;

	*changed = 0;
	for (int i = 0; i < sheet->problem_count; i++) { /* they stand in the order of the text */
		const struct problem *f = &sheet->problems[i];

		if (!f->replacement || f->from_sheet || f->offset < at || f->offset + f->length > len)
			continue;
		buf_add(out, text + at, f->offset - at);
		buf_adds(out, f->replacement);
		at = f->offset + f->length;
		++*changed;
	}
	buf_add(out, text + at, len - at);
	result = buf_steal(mem, out);
	talloc_free(out);
	return result;
}

bool sheet_tells(const struct sheet *before, const struct problem *p)
{
	for (int i = 0; i < before->problem_count; i++)
		if (strcmp(before->problems[i].typed, p->typed) == 0 &&
			strcmp(before->problems[i].message, p->message) == 0)
			return true;
	return false;
}

static bool was_set_aside(const struct sheet *before, const char *line)
{
	for (int i = 0; i < before->set_aside_count; i++)
		if (strcmp(before->set_aside[i], line) == 0)
			return true;
	return false;
}

void orders_leave_told(struct sheet *sheet, const struct sheet *before)
{
	int left = 0, lines = 0;

	for (int i = 0; i < sheet->problem_count; i++)
		if (!sheet_tells(before, &sheet->problems[i]))
			sheet->problems[left++] = sheet->problems[i];
	for (int i = 0; i < sheet->set_aside_count; i++)
		if (!was_set_aside(before, sheet->set_aside[i])) {
			sheet->set_aside_at[lines] = sheet->set_aside_at[i];
			sheet->set_aside[lines++] = sheet->set_aside[i];
		}
	sheet->problem_count = left;
	sheet->set_aside_count = lines;
}

/* The order keeps its rank, so that it still gives way to a unit's own: "left wing except h, j". Everyone else is named
 * by none of its units, so all that are left out are excepted. */
static void leave_out(struct sheet *sheet, struct order *o, const bool *units, const struct state *s)
{
	bool by_name = o->rank == RANK_UNIT, excepts = strstr(o->subject, " except ") != NULL;
	char *subject = talloc_strdup(sheet, by_name ? "" : o->subject);
	int left = 0, count = o->others ? s->count : o->unit_count;

	for (int i = 0; i < count; i++) {
		int unit = o->others ? i : o->units[i];
		const char *code = piece_code(sheet, s, unit);

		if (units[unit] != by_name && (!o->others || s->units[unit].side == s->units[o->units[0]].side)) {
			subject = talloc_asprintf_append(subject, "%s%s",
				by_name ? (*subject ? ", " : "") : (excepts ? ", " : " except "), code);
			excepts = true;
		}
	}
	for (int i = 0; i < o->unit_count; i++)
		if (!units[o->units[i]])
			o->units[left++] = o->units[i];
	if (o->kind == ORDER_CLEAR && left == o->unit_count)
		return;
	if (o->kind == ORDER_CLEAR)
		o->kind = ORDER_CANCEL; /* of those that are left */
	o->unit_count = left;
	o->subject = subject;
}

void orders_leave_out(struct sheet *sheet, const bool *units, const struct orders_context *context)
{
	for (int i = 0; i < sheet->order_count; i++)
		leave_out(sheet, &sheet->orders[i], units, context->state);
}

void orders_mark_named(const struct sheet *sheet, bool *units)
{
	for (int i = 0; i < sheet->order_count; i++) {
		const struct order *o = &sheet->orders[i];

		for (int k = 0; k < o->unit_count; k++)
			units[o->units[k]] = true;
	}
}
