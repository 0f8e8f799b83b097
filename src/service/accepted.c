#include "service/accepted.h"

#include "service/answer_text.h"
#include "service/unread.h"

#include <string.h>

/* What ACCEPT makes of the mail rows->list[at]: its text with all suggestions in it. Of a mail with later ones behind
 * it only the orders of units that these do not name. NULL when it left nothing to accept; else *before is the mail as
 * it was read. */
static const char *accepted_of(TALLOC_CTX *mem, const struct sheet_rows *rows, int at,
	const struct orders_context *context, const bool *named, const struct sheet **before)
{
	const char *typed = rows->list[at].typed, *text;
	int changed = 0;
	struct sheet *sheet = orders_read(mem, typed, strlen(typed), context);

	*before = sheet;
	text = answer_without_end(mem, orders_accept(mem, typed, strlen(typed), sheet, &changed));
	if (changed == 0 || at == rows->count - 1)
		return changed > 0 ? text : NULL;
	sheet = orders_read(mem, text, strlen(text), context);
	orders_leave_out(sheet, named, context);
	text = orders_canonical(mem, sheet, context);
	return text[0] != '\0' ? text : NULL;
}

const char *accepted_text(TALLOC_CTX *mem, const struct board *b, const struct player *p, const char *typed,
	const struct sheet_rows *rows, const struct sheet **before)
{
	struct orders_context context = board_context(mem, b, p);
	bool *named = talloc_zero_array(mem, bool, (unsigned)b->state->count);
	const char *taken = NULL;
	int first = unread_first(rows);

	for (int i = rows->count - 1; i >= first; i--) {
		const char *orders = rows->list[i].canonical, *text = NULL;
		const struct sheet *read;

		if (rows->list[i].unread > 0)
			text = accepted_of(mem, rows, i, &context, named, &read);
		orders_mark_named(orders_read(mem, orders, strlen(orders), &context), named);
		if (text == NULL)
			continue;
		orders_mark_named(orders_read(mem, text, strlen(text), &context), named);
		if (taken == NULL)
			*before = read;
		taken = taken == NULL ? text : talloc_asprintf(mem, "%s\n%s", taken, text);
	}
	return taken != NULL ? talloc_asprintf(mem, "%s\n%s", taken, typed) : NULL;
}
