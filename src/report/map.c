#include "report/map.h"

#include "base/buf.h"
#include "base/text.h"
#include "report/chronicle.h"

#include <stdlib.h>
#include <string.h>

enum { CELL_WIDTH = 1500, CELL_HEIGHT = 3000, LABEL_MAX = 3, DIGIT_MAX = 9, KEY_COLUMNS = 72 };

struct canvas {
	const struct table *table;
	const struct state *s;
	char cell[MAP_ROWS][MAP_COLUMNS];
	uint64_t taken[MAP_ROWS];   /* by labels: a bit a column */
	bool *moved;                /* for each piece: its label stands elsewhere than the piece */
	bool counts[TERRAIN_KINDS]; /* ground of that kind has an effect in this game */
	bool any_counts;            /* and some of it is on the table */
};

/* a / b to the nearest, halves to the even one: so that labels of mirrored armies lie alike. */
static int nearest_even(int32_t a, int32_t b)
{
	int32_t q = a >= 0 ? a / b : -((-a + b - 1) / b), twice = 2 * (a - q * b);

	if (twice > b || (twice == b && (q & 1) != 0))
		q++;
	return q;
}

static int clamp(int v, int low, int high)
{
	return v < low ? low : v > high ? high : v;
}

static int row_of(const struct table *t, int32_t y)
{
	return clamp((t->height - y) / CELL_HEIGHT, 0, MAP_ROWS - 1);
}

/* How many characters it has. */
static int label_of(const struct unit *u, char out[LABEL_MAX])
{
	static const char facings[] = "^>v<";

	if (u->kind == KIND_GUN) {
		out[0] = '=';
		return 1;
	}
	out[0] = u->code[0];
	if (u->kind == KIND_COMMANDER) {
		out[1] = u->code[1];
		return 2;
	}
	out[1] = u->routing ? '!' : facings[(geo_degrees(u->box.facing) + 45) / 90 % 4];
	out[2] = u->column ? '|' : u->bases > DIGIT_MAX ? '+' : (char)('0' + u->bases);
	return 3;
}

static uint64_t bits(int column, int len)
{
	return ((UINT64_C(1) << len) - 1) << column;
}

static bool is_free(const struct canvas *c, int row, int column, int len)
{
	return row >= 0 && row < MAP_ROWS && column >= 0 && column + len <= MAP_COLUMNS &&
	       (c->taken[row] & bits(column, len)) == 0;
}

/* The nearest free place for a label; a row counts as two columns, as on the table. */
static bool find_place(const struct canvas *c, int *row, int *column, int len)
{
	int best = -1, at_row = *row, at_column = *column;

	for (int r = 0; r < MAP_ROWS; r++) {
		for (int k = 0; k + len <= MAP_COLUMNS; k++) {
			int away = abs(k - at_column) + 2 * abs(r - at_row);

			if ((best < 0 || away < best) && is_free(c, r, k, len)) {
				best = away;
				*row = r;
				*column = k;
			}
		}
	}
	return best >= 0;
}

static void put_text(struct canvas *c, int row, int column, const char *text, int len)
{
	memcpy(&c->cell[row][column], text, (size_t)len);
	c->taken[row] |= bits(column, len);
}

static int column_of(const struct point *p, int len)
{
	return clamp(nearest_even(p->x - len * CELL_WIDTH / 2, CELL_WIDTH), 0, MAP_COLUMNS - len);
}

/* Puts a piece's label in its own place; where that is taken, and `aside`, in the nearest that is free. */
static void put_unit(struct canvas *c, int unit, bool aside)
{
	char label[LABEL_MAX];
	int len = label_of(&c->s->units[unit], label);
	struct point centre = geo_centre(&c->s->units[unit].box);
	int row = row_of(c->table, centre.y), column = column_of(&centre, len);

	c->moved[unit] = !is_free(c, row, column, len);
	if (!c->moved[unit] || (aside && find_place(c, &row, &column, len)))
		put_text(c, row, column, label, len);
}

/* Whoever has his own place free before those who must move aside. */
static void put_units(struct canvas *c, bool commanders)
{
	const struct unit *units = c->s->units;

	for (int i = 0; i < c->s->count; i++)
		if ((units[i].kind == KIND_COMMANDER) == commanders && unit_alive(&units[i]))
			put_unit(c, i, false);
	for (int i = 0; i < c->s->count; i++)
		if (c->moved[i] && (units[i].kind == KIND_COMMANDER) == commanders)
			put_unit(c, i, true);
}

/* --- ordered moves ----------------------------------------------------------------------------------------------- */

/* Does the item take its piece to another place? */
static bool goes_somewhere(const struct plan_item *item)
{
	bool moves = item->kind == PLAN_MOVE || item->kind == PLAN_JOIN || (item->kind == PLAN_CHARGE && item->whole);

	return moves && (item->from.front.x != item->to.front.x || item->from.front.y != item->to.front.y);
}

static bool any_goes(const struct plan *plan)
{
	for (int i = 0; plan != NULL && i < plan->count; i++) {
		if (goes_somewhere(&plan->items[i]))
			return true;
	}
	return false;
}

/* Where it will stand: its label without the bases, so that it cannot be taken for one that stands there now. */
static void put_arrival(struct canvas *c, const struct plan_item *item)
{
	static const int shifts[] = {0, 1, -1, 2};
	struct unit there = c->s->units[item->unit];
	char label[LABEL_MAX];
	struct point centre = geo_centre(&item->to);
	int row = row_of(c->table, centre.y), column;

	there.box = item->to;
	label_of(&there, label);
	if (there.kind == KIND_COMMANDER || there.kind == KIND_GUN)
		label[1] = '*';
	column = column_of(&centre, LABEL_MAX);
	for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++) {
		if (is_free(c, row, column + shifts[i], 2)) {
			put_text(c, row, column + shifts[i], label, 2);
			return;
		}
	}
}

static void put_mark(struct canvas *c, struct point p, char mark)
{
	int row = row_of(c->table, p.y), column = clamp(p.x / CELL_WIDTH, 0, MAP_COLUMNS - 1);

	if (is_free(c, row, column, 1))
		c->cell[row][column] = mark;
}

/* Stars between the two centres. */
static void put_trail(struct canvas *c, const struct plan_item *item)
{
	enum { STEPS = 24 };
	struct point from = geo_centre(&item->from), to = geo_centre(&item->to);

	for (int i = 1; i <= STEPS; i++) {
		struct point p = {from.x + (to.x - from.x) * i / STEPS, from.y + (to.y - from.y) * i / STEPS};

		put_mark(c, p, '*');
	}
}

static void put_plan(struct canvas *c, const struct plan *plan)
{
	for (int i = 0; i < plan->count; i++) {
		if (goes_somewhere(&plan->items[i]))
			put_arrival(c, &plan->items[i]);
	}
	for (int i = 0; i < plan->count; i++) {
		if (goes_somewhere(&plan->items[i]))
			put_trail(c, &plan->items[i]);
	}
}

/* --- ground ------------------------------------------------------------------------------------------------------ */

/* A track has no effect and is not drawn. */
static const char ground_mark[TERRAIN_KINDS] = {
	[TERRAIN_WALL] = '#',
	[TERRAIN_WOOD] = '%',
	[TERRAIN_RIVER] = '~',
	[TERRAIN_BOG] = ',',
	[TERRAIN_RAVINE] = ':',
	[TERRAIN_TRACK] = ' ',
};

static void put_area(struct canvas *c, const struct terrain *g)
{
	for (int r = 0; r < MAP_ROWS; r++) {
		for (int k = 0; k < MAP_COLUMNS; k++) {
			struct point p = {
				k * CELL_WIDTH + CELL_WIDTH / 2, c->table->height - r * CELL_HEIGHT - CELL_HEIGHT / 2};

			if (geo_point_in_polygon(p, g->points, g->count))
				put_mark(c, p, ground_mark[g->kind]);
		}
	}
}

static void put_line(struct canvas *c, const struct terrain *g)
{
	enum { STEPS = 120 };

	for (int i = 1; i < g->count; i++) {
		struct point a = g->points[i - 1], b = g->points[i];

		for (int k = 0; k <= STEPS; k++)
			put_mark(c, (struct point){a.x + (b.x - a.x) * k / STEPS, a.y + (b.y - a.y) * k / STEPS},
				ground_mark[g->kind]);
	}
}

/* Which ground has an effect in this game (FP12, FP13; RH16). */
static void judge_ground(struct canvas *c, const struct scenario *sc)
{
	bool all = rule_number(sc, "terrain", 0) != 0, costs = all || rule_number(sc, "ground-cost", 0) != 0;

	for (int kind = 0; kind < TERRAIN_KINDS; kind++)
		c->counts[kind] = kind == TERRAIN_WALL || kind == TERRAIN_WOOD || kind == TERRAIN_RIVER
					  ? costs
					  : all && kind != TERRAIN_TRACK;
	c->any_counts = false;
	for (int i = 0; i < c->table->terrain_count; i++)
		c->any_counts |= c->counts[c->table->terrain[i].kind];
}

static void put_ground(struct canvas *c)
{
	for (int i = 0; i < c->table->terrain_count; i++) {
		const struct terrain *g = &c->table->terrain[i];

		if (!c->counts[g->kind])
			continue;
		if (g->closed && g->kind != TERRAIN_WALL)
			put_area(c, g);
		else
			put_line(c, g);
	}
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

/* A table with its pieces alone: all that a map and its key have in common. */
static struct canvas *place_pieces(TALLOC_CTX *mem, const struct table *table, const struct state *s)
{
	struct canvas *c = talloc(mem, struct canvas);

	c->table = table;
	c->s = s;
	c->moved = talloc_zero_array(c, bool, (unsigned)s->count + 1);
	memset(c->taken, 0, sizeof c->taken);
	memset(c->cell, ' ', sizeof c->cell);
	for (int k = 0; k < MAP_COLUMNS; k += 4)
		c->cell[0][k] = '.';
	for (int r = 2; r < MAP_ROWS; r += 2)
		memcpy(c->cell[r], c->cell[0], MAP_COLUMNS);
	put_units(c, false);
	put_units(c, true);
	return c;
}

static char *print(TALLOC_CTX *mem, const struct canvas *c)
{
	struct buf map, *out = &map;

	buf_open(out, mem);
	buf_grow(out, (MAP_ROWS + 3) * (MAP_COLUMNS + 5)); /* all of it */
	for (int k = 0; k < MAP_COLUMNS / 4; k++) {
		buf_adds(out, "   ");
		buf_addc(out, (char)('A' + k));
	}
	buf_adds(out, "\n  +------------------------------------------------------------+\n");
	for (int r = 0; r < MAP_ROWS; r++) {
		int square = r / 2 + 1;

		if (r % 2 == 0)
			buf_add(out, (const char[]){square > 9 ? '1' : ' ', (char)('0' + square % 10), '|'}, 3);
		else
			buf_adds(out, "  |");
		buf_add(out, c->cell[r], MAP_COLUMNS);
		buf_adds(out, "|\n");
	}
	buf_adds(out, "  +------------------------------------------------------------+\n");
	return buf_close(out);
}

/* "Boggy ground at A5 to C9": the squares of its corners. */
static void put_place(struct buf *out, const struct scenario *sc, const struct terrain *g)
{
	struct point low = g->points[0], high = g->points[0];
	char from[SQUARE_MAX], to[SQUARE_MAX];

	for (int i = 1; i < g->count; i++) {
		low.x = g->points[i].x < low.x ? g->points[i].x : low.x;
		low.y = g->points[i].y < low.y ? g->points[i].y : low.y;
		high.x = g->points[i].x > high.x ? g->points[i].x : high.x;
		high.y = g->points[i].y > high.y ? g->points[i].y : high.y;
	}
	/* A thousandth within, so that an edge on a line of squares does not name the next one. */
	square_write(from, &sc->table, (struct point){low.x, high.y - 1});
	square_write(to, &sc->table, (struct point){high.x - 1, low.y});
	buf_adds(out, g->name[0] != '\0' ? g->name : terrain_word(g->kind));
	buf_adds(out, " at ");
	buf_adds(out, from);
	if (strcmp(from, to) != 0) {
		buf_adds(out, " to ");
		buf_adds(out, to);
	}
}

static void put_ground_words(struct buf *out, const struct canvas *c, const struct scenario *sc)
{
	int n = 0;

	for (int i = 0; i < sc->table.terrain_count; i++) {
		const struct terrain *g = &sc->table.terrain[i];

		if (g->count == 0)
			continue;
		buf_adds(out, n++ == 0 ? " Ground: " : "; ");
		put_place(out, sc, g);
		if (c->counts[g->kind])
			buf_printf(out, " (%c)", ground_mark[g->kind]);
		else if (c->any_counts && g->kind != TERRAIN_TRACK)
			buf_adds(out, " (no effect)");
	}
	if (n > 0)
		buf_adds(out, c->any_counts ? "." : " (without effect in this game).");
}

static void put_moved(struct buf *out, const struct canvas *c)
{
	int n = 0;

	for (int i = 0; i < c->s->count; i++) {
		if (!c->moved[i])
			continue;
		buf_printf(out, "%s%s", n++ == 0 ? " Moved aside for room: " : ", ",
			c->s->units[i].kind == KIND_GUN ? "a gun" : c->s->units[i].code);
	}
	if (n > 0)
		buf_adds(out, " (the list of units has the true squares).");
}

/* The signs that only some rules have, where one is on the map. */
static void put_states(struct buf *out, const struct state *s)
{
	bool routing = false, column = false;

	for (int i = 0; i < s->count; i++) {
		routing |= unit_alive(&s->units[i]) && s->units[i].routing;
		column |= unit_alive(&s->units[i]) && s->units[i].column;
	}
	if (routing)
		buf_adds(out, " A! is a unit that routs.");
	if (column)
		buf_adds(out, " A^| is a column.");
}

static bool is_sample(const struct unit *u)
{
	return unit_alive(u) && u->kind != KIND_GUN && u->kind != KIND_COMMANDER && !u->routing && !u->column &&
	       u->bases <= DIGIT_MAX;
}

/* How a unit's label is read, told of the first that is on the map: its letter and arrow, for the rest of the key. */
static const char *put_sample(struct buf *out, const struct state *s)
{
	static const char *const facings[] = {"north (up)", "east (right)", "south (down)", "west (left)"};
	char label[LABEL_MAX];

	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];

		if (!is_sample(u))
			continue;
		buf_add(out, label, (size_t)label_of(u, label));
		buf_printf(out, " is unit %s, facing %s, with %d base%s. ", u->code,
			facings[(geo_degrees(u->box.facing) + 45) / 90 % 4], u->bases, u->bases == 1 ? "" : "s");
		return talloc_strndup(out, label, 2);
	}
	return "A^";
}

static bool any_gun(const struct state *s)
{
	for (int i = 0; i < s->count; i++)
		if (unit_alive(&s->units[i]) && s->units[i].kind == KIND_GUN)
			return true;
	return false;
}

static char *key_of(TALLOC_CTX *mem, const struct canvas *c, const struct scenario *sc, const struct plan *plan)
{
	const struct state *s = c->s;
	struct buf *out = buf_new(mem);
	const char *sample = put_sample(out, s);
	char *text;

	buf_printf(out,
		"CAPITALS are the %s, small letters the %s, two letters a commander.%s Each square, from dot to dot, "
		"is 6 inches wide.",
		side_people(out, sc, SIDE_GOVERNMENT), side_people(out, sc, SIDE_JACOBITE),
		any_gun(s) ? " = is a gun; each side's are numbered from the left." : "");
	put_states(out, s);
	if (any_goes(plan))
		buf_printf(out, " Stars are the ways ordered; %s without a number is where %c will stand.", sample,
			sample[0]);
	for (int i = 0; i < s->count; i++)
		if (unit_alive(&s->units[i]) && s->units[i].bases > DIGIT_MAX) {
			buf_adds(out, " A + is ten bases or more.");
			break;
		}
	put_ground_words(out, c, sc);
	put_moved(out, c);
	buf_addc(out, '\n');
	text = text_wrap(mem, out->data, KEY_COLUMNS, 0);
	talloc_free(out);
	return text;
}

static char *draw(TALLOC_CTX *mem, struct canvas *c, const struct plan *plan)
{
	if (plan != NULL)
		put_plan(c, plan);
	return print(mem, c);
}

char *map_draw(TALLOC_CTX *mem, const struct table *table, const struct state *s, const struct plan *plan)
{
	struct canvas *c = place_pieces(mem, table, s);
	char *map = draw(mem, c, plan);

	talloc_free(c);
	return map;
}

char *map_with_key(
	TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, const struct plan *plan, char **key)
{
	struct canvas *c = place_pieces(mem, &sc->table, s);
	char *map;

	judge_ground(c, sc);
	if (key != NULL)
		*key = key_of(mem, c, sc, plan);
	put_ground(c);
	map = draw(mem, c, plan);
	talloc_free(c);
	return map;
}

char *map_of(TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, const struct plan *plan)
{
	return map_with_key(mem, sc, s, plan, NULL);
}

char *map_key(TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, const struct plan *plan)
{
	struct canvas *c = place_pieces(mem, &sc->table, s);
	char *key;

	judge_ground(c, sc);
	key = key_of(mem, c, sc, plan);
	talloc_free(c);
	return key;
}
