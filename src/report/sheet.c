#include "report/sheet.h"

#include "base/buf.h"
#include "base/text.h"
#include "orders/print.h"

#include <string.h>

enum { SHEET_COLUMNS = 70, CONTINUATION_INDENT = 4 };

bool in_sheet(const struct state *s, enum side side, const bool *may_order, int i)
{
	return s->units[i].side == side && unit_alive(&s->units[i]) && (may_order == NULL || may_order[i]);
}

static void put_line(struct buf *out, const char *line, size_t len)
{
	text_wrap_to(out, line, len, SHEET_COLUMNS, CONTINUATION_INDENT);
	buf_addc(out, '\n');
}

char *sheet_print(TALLOC_CTX *mem, const struct state *s, enum side side, const bool *may_order,
	const struct orderbook *orders, const char *game, int turn, char **printed)
{
	struct buf lines, *who = buf_new(mem);

	buf_open(&lines, mem);
	for (int i = 0; i < s->count; i++) {
		const struct unit_orders *o = &orders->units[i];
		const char *code, *line, *end;

		if (!in_sheet(s, side, may_order, i))
			continue;
		code = piece_code(who, s, i);
		buf_cut(who, 0);
		buf_adds(who, code);
		if (strcmp(code, s->units[i].code) == 0) { /* "gun 2" is all that a gun is called */
			buf_addc(who, ' ');
			buf_adds(who, s->units[i].name);
		}
		if (o->clauses == NULL) {
			buf_addc(who, ':');
			put_line(&lines, who->data, who->len);
			continue;
		}
		line = orders_lines(who, o, who->data, s, side);
		for (; (end = strchr(line, '\n')) != NULL; line = end + 1)
			put_line(&lines, line, (size_t)(end - line));
	}
	talloc_free(who);
	*printed = buf_close(&lines);
	return buf_text(mem, "--- ORDERS %s turn %d ---\n%s--- END ---\n", game, turn, *printed);
}
