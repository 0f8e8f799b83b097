/* What comes of a sheet: for comparing two readings of it. */
#ifndef GALLOPER_TESTS_ORDERS_MERGED_H
#define GALLOPER_TESTS_ORDERS_MERGED_H

#include "orders/merge.h"
#include "orders/print.h"

/* Each piece's orders when the sheet is all that is in force, and who gets command points first. On `mem`. */
static inline char *merged_text(TALLOC_CTX *mem, const struct sheet *sheet, const struct orders_context *ctx)
{
	const struct sheet_in_force in_force = {.sheet = sheet, .turn = ctx->state->turn};
	struct orderbook *book = orderbook_new(mem, ctx->state);
	char *text = talloc_strdup(mem, "");

	orders_merge(mem, book, ctx->state, ctx->side, &in_force, 1, ctx->state->turn, NULL);
	for (int i = 0; i < book->count; i++)
		text = talloc_strdup_append_buffer(
			text, orders_lines(mem, &book->units[i], ctx->state->units[i].id, ctx->state, ctx->side));
	for (int i = 0; i < book->priority_count[ctx->side]; i++)
		text = talloc_asprintf_append_buffer(text, "%d ", book->priority[ctx->side][i]);
	return text;
}

#endif
