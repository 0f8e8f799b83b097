#include "report/sheet.h"

#include "base/buf.h"
#include "base/text.h"
#include "orders/print.h"

#include <string.h>

enum { SHEET_COLUMNS = 70, CONTINUATION_INDENT = 4, FAR_AWAY = INT32_MAX / 4 };

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
		const char *code = piece_code(lines, s, i);
		bool named = strcmp(code, s->units[i].code) == 0; /* "gun 2" is all that a gun is called */
		char *line;

		if (!in_sheet(s, side, may_order, i))
			continue;
		line = talloc_asprintf(lines, "%s%s%s%s: %s", o->standing ? "standing " : "", code, named ? " " : "",
			named ? s->units[i].name : "",
			o->clauses == NULL ? "" : clauses_canonical(lines, o->clauses, s, side));
		text_wrap_to(lines, line, strlen(line), SHEET_COLUMNS, CONTINUATION_INDENT);
		talloc_free(line);
		while (lines->len > 0 && lines->data[lines->len - 1] == ' ')
			buf_cut(lines, lines->len - 1);
		buf_addc(lines, '\n');
	}
	*printed = talloc_strdup(mem, lines->data);
	text = talloc_asprintf(mem, "--- ORDERS %s turn %d ---\n%s--- END ---\n", game, turn, lines->data);
	talloc_free(lines);
	return text;
}

/* An upright rectangle about a box: how far two of them are apart is much sooner found than for the boxes, and never
 * more. */
struct extent {
	struct point low, high;
};

static struct extent extent_of(const struct box *b)
{
	struct point corner[4];
	struct extent e;

	geo_corners(b, corner);
	e = (struct extent){corner[0], corner[0]};
	for (int i = 1; i < 4; i++) {
		e.low.x = corner[i].x < e.low.x ? corner[i].x : e.low.x;
		e.low.y = corner[i].y < e.low.y ? corner[i].y : e.low.y;
		e.high.x = corner[i].x > e.high.x ? corner[i].x : e.high.x;
		e.high.y = corner[i].y > e.high.y ? corner[i].y : e.high.y;
	}
	return e;
}

static int64_t gap(int32_t low_a, int32_t high_a, int32_t low_b, int32_t high_b)
{
	return low_a > high_b ? low_a - high_b : low_b > high_a ? low_b - high_a : 0;
}

/* What the examples are chosen from. */
struct scene {
	const struct state *s;
	enum side side;
	const bool *may_order;
	struct extent *extents; /* of each piece */
};

static bool no_nearer(const struct scene *c, int a, int b, int64_t than)
{
	const struct extent *p = &c->extents[a], *q = &c->extents[b];
	int64_t x = gap(p->low.x, p->high.x, q->low.x, q->high.x), y = gap(p->low.y, p->high.y, q->low.y, q->high.y);

	than += 2; /* corners are rounded */
	return x * x + y * y >= than * than;
}

/* The enemy unit that is nearest to this one and nearer than *distance, which gets how far away it is; or -1. */
static int nearest_enemy(const struct scene *c, int unit, int32_t *distance)
{
	const struct unit *units = c->s->units;
	int best = -1;

	for (int i = 0; i < c->s->count; i++) {
		int32_t d;

		if (units[i].side == c->side || !unit_alive(&units[i]) || !unit_is_formed(&units[i]) ||
			no_nearer(c, unit, i, *distance))
			continue;
		d = geo_distance(&units[unit].box, &units[i].box);
		if (d < *distance) {
			best = i;
			*distance = d;
		}
	}
	return best;
}

/* In no melee, nor routing, forming up or in column: it can do whatever an example says. */
static bool is_ready(const struct scene *c, int unit)
{
	const struct unit *u = &c->s->units[unit];

	return !state_locked(c->s, unit) && !u->routing && u->halted == 0 && !u->column;
}

/* The player's foot (or horse, or commander) that is nearest to an enemy (*enemy; -1 when there is none) and ready, but
 * not `other`; or -1. */
static int example_unit(const struct scene *c, bool (*is)(const struct unit *), int other, int *enemy)
{
	int best = -1;
	int32_t least = FAR_AWAY;

	*enemy = -1;
	for (int i = 0; i < c->s->count; i++) {
		int near;

		if (i == other || !in_sheet(c->s, c->side, c->may_order, i) || !is(&c->s->units[i]) || !is_ready(c, i))
			continue;
		near = nearest_enemy(c, i, &least);
		if (near >= 0)
			*enemy = near;
		if (near >= 0 || best < 0)
			best = i;
	}
	return best;
}

/* The routing unit of the player's side that is nearest to his general, or -1. */
static int nearest_router(const struct scene *c, int general)
{
	const struct unit *units = c->s->units;
	int32_t least = FAR_AWAY;
	int best = -1;

	for (int i = 0; i < c->s->count; i++) {
		int32_t d;

		if (units[i].side != c->side || !unit_alive(&units[i]) || !units[i].routing)
			continue;
		d = geo_distance(&units[general].box, &units[i].box);
		if (d < least) {
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

char *sheet_examples(
	TALLOC_CTX *mem, const struct state *s, enum side side, const bool *may_order, enum sheet_time time)
{
	struct buf *out = buf_new(mem);
	struct scene c = {s, side, may_order, talloc_array(out, struct extent, (unsigned)s->count)};
	int first, second, commander, routing, enemy, any;
	char *text;

	for (int i = 0; i < s->count; i++)
		c.extents[i] = extent_of(&s->units[i].box);
	first = example_unit(&c, unit_is_foot, -1, &enemy);
	second = example_unit(&c, unit_is_formed, first, &any);
	commander = example_unit(&c, is_commander, -1, &any);
	if (enemy >= 0 && time == SHEET_CHARGES)
		buf_printf(out, "    %s: charge %s\n", piece_code(out, s, first), s->units[enemy].name);
	else if (enemy >= 0)
		buf_printf(out, "    %s: move 4 %s; fire at %s\n", piece_code(out, s, first),
			side == SIDE_GOVERNMENT ? "north" : "south", s->units[enemy].name);
	if (second >= 0)
		buf_printf(out, "    %s: %s%s\n", s->units[second].name, time == SHEET_CHARGES ? "" : "advance 6",
			time == SHEET_MOVES     ? ""
			: time == SHEET_CHARGES ? "charge nearest"
						: "; charge nearest");
	routing = commander < 0 ? -1 : nearest_router(&c, commander);
	if (routing >= 0)
		buf_printf(out, "    %s: rally %s\n", piece_code(out, s, commander), piece_code(out, s, routing));
	else if (commander >= 0 && (first >= 0 || second >= 0))
		buf_printf(out, "    %s: join %s\n", piece_code(out, s, commander),
			piece_code(out, s, first >= 0 ? first : second));
	text = buf_steal(mem, out);
	talloc_free(out);
	return text;
}

struct own_names sheet_names(TALLOC_CTX *mem, const struct state *s, enum side side, const bool *may_order)
{
	struct own_names n = {"", "", "", "", "", ""};
	int own[3], count = 0;

	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];

		if (!unit_alive(u))
			continue;
		if (u->side != side) {
			if (unit_is_formed(u) && n.other[0] == '\0')
				*(n.enemy[0] == '\0' ? &n.enemy : &n.other) = u->code;
		} else if (in_sheet(s, side, may_order, i)) {
			if (u->kind == KIND_COMMANDER && n.commander[0] == '\0')
				n.commander = u->code;
			if (unit_is_formed(u) && n.wing[0] == '\0' && u->wing[0] != '\0')
				n.wing = talloc_asprintf(mem, "%s wing", u->wing);
			if (unit_is_formed(u) && count < 3)
				own[count++] = i;
			if (unit_is_foot(u) && n.unit[0] == '\0')
				n.unit = u->code; /* one that can fire */
		}
	}
	if (count > 0 && n.unit[0] == '\0')
		n.unit = s->units[own[0]].code;
	if (count > 1)
		n.units = talloc_asprintf(mem, "%s%s%s and %s", s->units[own[0]].code, count > 2 ? ", " : "",
			count > 2 ? s->units[own[1]].code : "", s->units[own[count - 1]].code);
	return n;
}
