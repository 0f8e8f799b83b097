#include "service/accepted.h"

#include "service/answer_text.h"

#include <string.h>

/* What ACCEPT makes of the mail rows->list[at]: its text with all suggestions in it. Of a mail with later ones behind
 * it only the orders of units that these do not name. NULL when it left nothing to accept; else *before is the mail as
 * it was read. */
static const char *accepted_of(TALLOC_CTX *mem, const struct sheet_rows *rows, int at,
	const struct orders_context *context, const struct sheet **before)
{
	const char *typed = rows->list[at].typed, *text;
	int changed = 0;
	bool *named = talloc_zero_array(mem, bool, (unsigned)context->state->count);
	struct sheet *sheet = orders_read(mem, typed, strlen(typed), context);

	*before = sheet;
	text = answer_without_end(mem, orders_accept(mem, typed, strlen(typed), sheet, &changed));
	if (changed == 0 || at == rows->count - 1)
		return changed > 0 ? text : NULL;
	for (int i = at + 1; i < rows->count; i++) {
		const char *later = rows->list[i].canonical;

		orders_mark_named(orders_read(mem, later, strlen(later), context), named);
	}
	sheet = orders_read(mem, text, strlen(text), context);
	orders_leave_out(sheet, named, context);
	text = orders_canonical(mem, sheet, context);
	return text[0] != '\0' ? text : NULL;
}

const char *accepted_text(TALLOC_CTX *mem, const struct board *b, const struct player *p, const char *typed,
	const struct sheet_rows *rows, const struct sheet **before)
{
	struct orders_context context = board_context(mem, b, p);
	const char *taken = NULL;

	for (int i = rows->count - 1; i >= 0 && taken == NULL; i--)
		if (rows->list[i].unread > 0)
			taken = accepted_of(mem, rows, i, &context, before);
	return taken != NULL ? talloc_asprintf(mem, "%s\n%s", taken, typed) : NULL;
}

const char *agreed_text(TALLOC_CTX *mem, const struct board *b, const struct player *p, const struct sheet_rows *rows,
	const struct sheet **before)
{
	struct orders_context context = board_context(mem, b, p);
	int last = rows->count - 1;

	return last >= 0 && rows->list[last].unread > 0 ? accepted_of(mem, rows, last, &context, before) : NULL;
}
