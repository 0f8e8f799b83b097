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

char *sheet_print(TALLOC_CTX *mem, const struct state *s, enum side side, const bool *may_order,
	const struct orderbook *orders, const char *game, int turn, char **printed)
{
	struct buf *lines = buf_new(mem), *who = buf_new(lines);
	char *text;

	for (int i = 0; i < s->count; i++) {
		const struct unit_orders *o = &orders->units[i];
		const char *code;
		char *line, *rest;
		bool named;

		if (!in_sheet(s, side, may_order, i))
			continue;
		code = piece_code(lines, s, i);
		named = strcmp(code, s->units[i].code) == 0; /* "gun 2" is all that a gun is called */
		buf_cut(who, 0);
		buf_adds(who, code);
		if (named)
			buf_addc(who, ' ');
		if (named)
			buf_adds(who, s->units[i].name);
		if (o->clauses == NULL)
			buf_addc(who, ':');
		line = o->clauses == NULL ? who->data : orders_lines(lines, o, who->data, s, side);
		for (line = strtok_r(line, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
			text_wrap_to(lines, line, strlen(line), SHEET_COLUMNS, CONTINUATION_INDENT);
			buf_addc(lines, '\n');
		}
	}
	*printed = talloc_strdup(mem, lines->data);
	text = buf_text(mem, "--- ORDERS %s turn %d ---\n%s--- END ---\n", game, turn, lines->data);
	talloc_free(lines);
	return text;
}
