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

/* A distance that they are certainly apart, much sooner found than the true one: that of their centres, less half of
 * each one's width and depth. */
static int32_t apart_at_least(const struct box *a, const struct box *b)
{
	struct point p = geo_centre(a), q = geo_centre(b);

	return geo_length(p.x - q.x, p.y - q.y) - (a->width + a->depth + b->width + b->depth) / 2 - 2;
}

/* The enemy unit nearest to this one and how far away it is, or -1 and 0. */
static int nearest_enemy(const struct state *s, int unit, int32_t *distance)
{
	const struct box *box = &s->units[unit].box;
	int best = -1;
	int32_t least = 0;

	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];
		int32_t d;

		if (u->side == s->units[unit].side || !unit_alive(u) || !unit_is_formed(u))
			continue;
		if (best >= 0 && apart_at_least(box, &u->box) >= least)
			continue;
		d = geo_distance(box, &u->box);
		if (best < 0 || d < least) {
			best = i;
			least = d;
		}
	}
	*distance = least;
	return best;
}

/* The player's foot (or horse, or commander) that is nearest to an enemy and in no melee, but not `other`; or -1. */
static int example_unit(
	const struct state *s, enum side side, const bool *may_order, bool (*is)(const struct unit *), int other)
{
	int best = -1;
	int32_t least = 0;

	for (int i = 0; i < s->count; i++) {
		int32_t d;

		if (i == other || !in_sheet(s, side, may_order, i) || !is(&s->units[i]) || state_locked(s, i))
			continue;
		nearest_enemy(s, i, &d);
		if (best < 0 || d < least) {
			best = i;
			least = d;
		}
	}
	return best;
}

static bool is_commander(const struct unit *u)
{
	return u->kind == KIND_COMMANDER;
}

char *sheet_examples(TALLOC_CTX *mem, const struct state *s, enum side side, const bool *may_order, bool moves)
{
	int first = example_unit(s, side, may_order, unit_is_foot, -1);
	int second = example_unit(s, side, may_order, unit_is_formed, first);
	int commander = example_unit(s, side, may_order, is_commander, -1);
	int32_t distance;
	int enemy = first < 0 ? -1 : nearest_enemy(s, first, &distance);
	struct buf *out = buf_new(mem);
	char *text;

	if (enemy >= 0 && !moves)
		buf_printf(out, "    %s: charge %s\n", piece_code(out, s, first), s->units[enemy].name);
	else if (enemy >= 0)
		buf_printf(out, "    %s: move 4 %s; fire at %s\n", piece_code(out, s, first),
			side == SIDE_GOVERNMENT ? "north" : "south", s->units[enemy].name);
	if (second >= 0)
		buf_printf(out, "    %s: %scharge nearest\n", s->units[second].name, moves ? "advance 6; " : "");
	if (commander >= 0 && (first >= 0 || second >= 0))
		buf_printf(out, "    %s: join %s\n", piece_code(out, s, commander),
			piece_code(out, s, first >= 0 ? first : second));
	text = buf_steal(mem, out);
	talloc_free(out);
	return text;
}
