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
	struct buf *lines = buf_new(mem);
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
		line = talloc_asprintf(lines, "%s%s%s%s", code, named ? " " : "", named ? s->units[i].name : "",
			o->clauses == NULL ? ":" : "");
		if (o->clauses != NULL)
			line = orders_lines(lines, o, line, s, side);
		for (line = strtok_r(line, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
			text_wrap_to(lines, line, strlen(line), SHEET_COLUMNS, CONTINUATION_INDENT);
			buf_addc(lines, '\n');
		}
	}
	*printed = talloc_strdup(mem, lines->data);
	text = talloc_asprintf(mem, "--- ORDERS %s turn %d ---\n%s--- END ---\n", game, turn, lines->data);
	talloc_free(lines);
	return text;
}
