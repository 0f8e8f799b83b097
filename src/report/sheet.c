#include "report/sheet.h"

#include "base/buf.h"
#include "base/text.h"
#include "orders/print.h"

enum { SHEET_COLUMNS = 70, CONTINUATION_INDENT = 4 };

static bool in_sheet(const struct state *s, enum side side, const bool *may_order, int i)
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
		char *line;

		if (!in_sheet(s, side, may_order, i))
			continue;
		line = talloc_asprintf(lines, "%s%s %s: %s", o->standing ? "standing " : "", piece_code(lines, s, i),
			s->units[i].name, o->clauses == NULL ? "" : clauses_canonical(lines, o->clauses, s, side));
		buf_adds(lines, text_wrap(lines, line, SHEET_COLUMNS, CONTINUATION_INDENT));
		while (lines->len > 0 && lines->data[lines->len - 1] == ' ')
			buf_cut(lines, lines->len - 1);
		buf_addc(lines, '\n');
	}
	*printed = talloc_strdup(mem, lines->data);
	text = talloc_asprintf(mem, "--- ORDERS %s turn %d ---\n%s--- END ---\n", game, turn, lines->data);
	talloc_free(lines);
	return text;
}

char *sheet_examples(TALLOC_CTX *mem, const struct state *s, enum side side, const bool *may_order)
{
	const struct unit *first = NULL, *second = NULL, *enemy = NULL;

	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];

		if (!unit_alive(u) || !unit_is_formed(u))
			continue;
		if (u->side != side)
			enemy = enemy == NULL ? u : enemy;
		else if (in_sheet(s, side, may_order, i) && unit_is_foot(u) && first == NULL)
			first = u;
		else if (in_sheet(s, side, may_order, i) && second == NULL)
			second = u;
	}
	if (first == NULL)
		first = second;
	if (first == NULL || enemy == NULL)
		return talloc_strdup(mem, "");
	if (second == NULL)
		second = first;
	return talloc_asprintf(mem, "    %s: move 4 %s; fire at %s\n    %s: advance 6; charge nearest\n", first->code,
		side == SIDE_GOVERNMENT ? "north" : "south", enemy->name, second->name);
}
