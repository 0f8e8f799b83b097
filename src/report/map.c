#include "report/map.h"

#include "base/buf.h"
#include "base/text.h"
#include "report/chronicle.h"

#include <stdlib.h>
#include <string.h>

enum { CELL_WIDTH = 1500, CELL_HEIGHT = 3000, LABEL_MAX = 3 };

struct canvas {
	char cell[MAP_ROWS][MAP_COLUMNS];
	bool taken[MAP_ROWS][MAP_COLUMNS];
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

static int label_of(const struct unit *u, char out[LABEL_MAX + 1])
{
	static const char facings[] = "^>v<";

	if (u->kind == KIND_GUN) {
		strcpy(out, "=");
	} else if (u->kind == KIND_COMMANDER) {
		out[0] = u->code[0];
		out[1] = u->code[1];
		out[2] = '\0';
	} else {
		out[0] = u->code[0];
		out[1] = facings[(geo_degrees(u->box.facing) + 45) / 90 % 4];
		out[2] = u->bases > 9 ? '+' : (char)('0' + u->bases);
		out[3] = '\0';
	}
	return (int)strlen(out);
}

static bool is_free(const struct canvas *c, int row, int column, int len)
{
	if (row < 0 || row >= MAP_ROWS || column < 0 || column + len > MAP_COLUMNS)
		return false;
	for (int i = 0; i < len; i++) {
		if (c->taken[row][column + i])
			return false;
	}
	return true;
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

static void put_unit(struct canvas *c, const struct table *table, const struct unit *u)
{
	char label[LABEL_MAX + 1];
	int len = label_of(u, label);
	struct point centre = geo_centre(&u->box);
	int row = row_of(table, centre.y);
	int column = clamp(nearest_even(centre.x - len * CELL_WIDTH / 2, CELL_WIDTH), 0, MAP_COLUMNS - len);

	if (!find_place(c, &row, &column, len))
		return;
	for (int i = 0; i < len; i++) {
		c->cell[row][column + i] = label[i];
		c->taken[row][column + i] = true;
	}
}

static void put_mark(struct canvas *c, const struct table *table, struct point p, char mark)
{
	int row = row_of(table, p.y), column = clamp(p.x / CELL_WIDTH, 0, MAP_COLUMNS - 1);

	if (!c->taken[row][column])
		c->cell[row][column] = mark;
}

/* A trail of stars to where the unit's middle will come, which its letter marks. */
static void put_trail(struct canvas *c, const struct table *table, const struct state *s, const struct plan_item *item)
{
	enum { STEPS = 24 };
	struct point from = geo_centre(&item->from), to = geo_centre(&item->to);

	if (item->from.front.x == item->to.front.x && item->from.front.y == item->to.front.y)
		return;
	for (int i = 1; i < STEPS; i++) {
		struct point p = {from.x + (to.x - from.x) * i / STEPS, from.y + (to.y - from.y) * i / STEPS};

		put_mark(c, table, p, '*');
	}
	put_mark(c, table, to, s->units[item->unit].code[0]);
}

char *map_draw(TALLOC_CTX *mem, const struct table *table, const struct state *s, const struct plan *plan)
{
	struct canvas *c = talloc_zero(mem, struct canvas);
	struct buf *out = buf_new(c);
	char *text;

	memset(c->cell, ' ', sizeof c->cell);
	for (int r = 0; r < MAP_ROWS; r += 2) {
		for (int k = 0; k < MAP_COLUMNS; k += 4)
			c->cell[r][k] = '.';
	}
	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; i < s->count; i++) {
			if (unit_alive(&s->units[i]) && (s->units[i].kind == KIND_COMMANDER) == (pass == 1))
				put_unit(c, table, &s->units[i]);
		}
	}
	for (int i = 0; plan != NULL && i < plan->count; i++) {
		if (plan->items[i].kind == PLAN_MOVE)
			put_trail(c, table, s, &plan->items[i]);
	}
	buf_adds(out, "  ");
	for (int k = 0; k < MAP_COLUMNS / 4; k++)
		buf_printf(out, k == 0 ? " %c" : "   %c", 'A' + k);
	buf_adds(out, "\n  +------------------------------------------------------------+\n");
	for (int r = 0; r < MAP_ROWS; r++) {
		if (r % 2 == 0)
			buf_printf(out, "%2d|", r / 2 + 1);
		else
			buf_adds(out, "  |");
		buf_add(out, c->cell[r], MAP_COLUMNS);
		buf_adds(out, "|\n");
	}
	buf_adds(out, "  +------------------------------------------------------------+\n");
	text = buf_steal(mem, out);
	talloc_free(c);
	return text;
}

const char *map_legend(bool with_plan)
{
	return with_plan ? "A^6: unit A, facing north, 6 bases. CAPITALS are the Government's men,\n"
			   "small letters the Jacobites'. Two letters: a commander. A square is 6\".\n"
			   "Stars are the ways you have ordered; each ends at its unit's letter.\n"
			 : "A^6: unit A, facing north, 6 bases. CAPITALS are the Government's men,\n"
			   "small letters the Jacobites'. Two letters: a commander. A square is 6\".\n";
}

static void roster_line(struct buf *out, const struct scenario *sc, const struct state *s, int i)
{
	const struct unit *u = &s->units[i];
	const char *sep = ", in melee with ";

	buf_printf(out, "%-2s %s: %s", u->code, u->name, square_name(out, &sc->table, u->box.front));
	if (u->kind != KIND_GUN)
		buf_printf(out, ", facing %s", facing_word(u->box.facing));
	if (unit_is_formed(u))
		buf_printf(out, ", %d of %d bases", u->bases, u->begun);
	if (u->kind == KIND_COMMANDER && u->with >= 0)
		buf_printf(out, ", with %s", s->units[u->with].name);
	for (int k = 0; k < s->lock_count; k++) {
		const struct lock *l = &s->locks[k];

		if (l->charger != i && l->charged != i)
			continue;
		buf_printf(out, "%s%s", sep, s->units[l->charger == i ? l->charged : l->charger].name);
		sep = " and ";
	}
	buf_addc(out, '\n');
}

char *roster_text(TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, int side)
{
	struct buf *out = buf_new(mem);
	char *text;

	for (int k = 0; k < SIDES; k++) {
		const char *lost = "Lost: ";

		if (side >= 0 && k != side)
			continue;
		buf_printf(out, "%s%s\n", out->len > 0 ? "\n" : "", sc->label[k]);
		for (int i = 0; i < s->count; i++) {
			if ((int)s->units[i].side == k && unit_alive(&s->units[i]))
				roster_line(out, sc, s, i);
		}
		for (int i = 0; i < s->count; i++) {
			if ((int)s->units[i].side == k && !unit_alive(&s->units[i])) {
				buf_printf(out, "%s%s", lost, s->units[i].name);
				lost = ", ";
			}
		}
		if (lost[0] == ',')
			buf_addc(out, '\n');
	}
	text = buf_steal(mem, out);
	talloc_free(out);
	return text;
}
