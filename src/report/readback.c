#include "report/readback.h"

#include "base/buf.h"
#include "base/text.h"
#include "orders/print.h"
#include "report/forecast.h"
#include "report/roster.h"

#include <ctype.h>
#include <string.h>

enum { COLUMNS = 72, ITEM_INDENT = 2, CANONICAL_INDENT = 6 };

/* Canonical, so that equal texts are equal orders; "" for none. */
static const char *orders_of(TALLOC_CTX *mem, const struct state *s, const struct unit_orders *o, enum side side)
{
	return orders_lines(mem, o, "", s, side);
}

static const char *codes(TALLOC_CTX *mem, const struct state *s, const int *list, int count)
{
	struct buf *out = buf_new(mem);

	for (int i = 0; i < count; i++)
		buf_printf(out, "%s%s", i == 0 ? "" : ", ", piece_code(out, s, list[i]));
	return out->data;
}

static void put_line(struct buf *out, const char *line, int indent)
{
	text_wrap_to(out, line, strlen(line), COLUMNS, indent);
	buf_addc(out, '\n');
}

/* Pieces that are told of together. */
static void put_group(struct buf *out, const struct scenario *sc, const struct state *s, const struct plan *plan,
	const struct unit_orders *o, enum side side, const int *list, int count)
{
	char *who = pieces_text(out, s, list, count);
	char *lines, *rest;
	bool *pieces = talloc_zero_array(out, bool, (unsigned)s->count);

	who[0] = (char)toupper((unsigned char)who[0]); /* "gun 1" */
	if (o->clauses == NULL) {
		put_line(out, buf_text(out, "* %s: no orders any more.", who), ITEM_INDENT);
		return;
	}
	put_line(out, buf_text(out, "* %s: %s", who, orders_english(out, o, s)), ITEM_INDENT);
	lines = orders_lines(out, o, codes(out, s, list, count), s, side);
	for (char *line = strtok_r(lines, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
		put_line(out, buf_text(out, "    | %s", line), CANONICAL_INDENT);
	for (int i = 0; i < count; i++)
		pieces[list[i]] = true;
	buf_adds(out, forecast_text(out, sc, s, plan, pieces));
}

char *readback_text(TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, const struct orderbook *book,
	const struct plan *plan, enum side side, const bool *named)
{
	struct buf *out = buf_new(mem);
	const char **orders = talloc_zero_array(out, const char *, (unsigned)s->count);
	int *list = talloc_array(out, int, (unsigned)s->count);

	for (int i = 0; i < s->count; i++)
		orders[i] = named[i] ? orders_of(out, s, &book->units[i], side) : NULL;
	for (int i = 0; i < s->count; i++) {
		int count = 0;
		const char *same = orders[i];

		for (int k = i; k < s->count && same != NULL; k++) {
			if (orders[k] == NULL || strcmp(orders[k], same) != 0)
				continue;
			list[count++] = k;
			orders[k] = NULL;
		}
		if (count > 0)
			put_group(out, sc, s, plan, &book->units[i], side, list, count);
	}
	return buf_finish(mem, out);
}
