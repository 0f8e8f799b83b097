#include "report/examples.h"

#include "base/buf.h"
#include "orders/print.h"
#include "report/sheet.h"
#include "report/things.h"

#include <string.h>

enum { FAR_AWAY = INT32_MAX / 4, TRIES = 3 };

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

/* What the examples are chosen from, and those that have been chosen. */
struct scene {
	const struct example_wish *wish;
	const struct state *s;
	struct extent *extents; /* of each piece */
	bool *used;             /* pieces that have been tried for the line, or have one */
	struct buf *out;
};

static bool no_nearer(const struct scene *c, int a, int b, int64_t than)
{
	const struct extent *p = &c->extents[a], *q = &c->extents[b];
	int64_t x = gap(p->low.x, p->high.x, q->low.x, q->high.x), y = gap(p->low.y, p->high.y, q->low.y, q->high.y);

	than += 2; /* corners are rounded */
	return x * x + y * y >= than * than;
}

enum which { ANY_UNIT, NOT_IN_MELEE, ROUTING };

/* Such a unit of that side that is nearest to this piece and nearer than *distance, which gets how far away it is; or
 * -1. */
static int nearest_unit(const struct scene *c, int piece, enum side side, enum which which, int32_t *distance)
{
	const struct unit *units = c->s->units;
	int best = -1;

	for (int i = 0; i < c->s->count; i++) {
		int32_t d;

		if (i == piece || units[i].side != side || !unit_alive(&units[i]) || !unit_is_formed(&units[i]) ||
			(which == NOT_IN_MELEE && state_locked(c->s, i)) || (which == ROUTING && !units[i].routing) ||
			no_nearer(c, piece, i, *distance))
			continue;
		d = geo_distance(&units[piece].box, &units[i].box);
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

/* The player's foot (or horse, or commander) that has not been tried yet, is ready and is nearest to an
 * enemy (*enemy; -1 when there is none); or -1. */
static int next_piece(struct scene *c, bool (*is)(const struct unit *), enum which enemies, int *enemy)
{
	const struct example_wish *w = c->wish;
	int best = -1;
	int32_t least = FAR_AWAY;

	*enemy = -1;
	for (int i = 0; i < c->s->count; i++) {
		int near;

		if (c->used[i] || !in_sheet(c->s, w->side, w->may_order, i) || !is(&c->s->units[i]) || !is_ready(c, i))
			continue;
		near = nearest_unit(c, i, side_other(w->side), enemies, &least);
		if (near >= 0)
			*enemy = near;
		if (near >= 0 || best < 0)
			best = i;
	}
	if (best >= 0)
		c->used[best] = true;
	return best;
}

static bool offer(struct scene *c, const char *line)
{
	if (c->wish->fits != NULL && !c->wish->fits(c->wish->context, line))
		return false;
	buf_printf(c->out, "    %s\n", line);
	return true;
}

/* --- the three lines -----------------------------------------------------------------------------------------------
 */

/* Each tries one piece (and the enemy nearest to it), from what is best worth ordering down. */
typedef bool try_line(struct scene *c, int piece, int enemy);

static bool shot_or_move(struct scene *c, int piece, int enemy)
{
	const char *code = piece_code(c->out, c->s, piece),
		   *north = c->wish->side == SIDE_GOVERNMENT ? "north" : "south";
	const char *name = enemy < 0 ? "" : c->s->units[enemy].name;

	if (c->wish->time == SHEET_CHARGES)
		return enemy >= 0 && offer(c, talloc_asprintf(c->out, "%s: charge %s", code, name));
	return (enemy >= 0 && offer(c, talloc_asprintf(c->out, "%s: move 4 %s; fire at %s", code, north, name))) ||
	       (enemy >= 0 && offer(c, talloc_asprintf(c->out, "%s: fire at %s", code, name))) ||
	       offer(c, talloc_asprintf(c->out, "%s: move 4 %s", code, north)) ||
	       offer(c, talloc_asprintf(c->out, "%s: retire 2; fire at nearest", code));
}

static bool charge_only(struct scene *c, int piece, int enemy)
{
	const char *name = c->s->units[piece].name;

	return c->wish->time != SHEET_MOVES && enemy >= 0 &&
	       offer(c, talloc_asprintf(c->out, "%s: charge %s", name, piece_code(c->out, c->s, enemy)));
}

static bool march(struct scene *c, int piece, int enemy)
{
	const char *name = c->s->units[piece].name;

	(void)enemy;
	if (c->wish->time == SHEET_CHARGES)
		return false;
	return offer(c, talloc_asprintf(c->out, "%s: advance 6", name)) ||
	       offer(c, talloc_asprintf(c->out, "%s: advance 3", name));
}

/* To a unit that runs, to be rallied, or else to join the nearest. */
static bool ride(struct scene *c, int piece, int enemy)
{
	static const struct {
		enum which unit;
		const char *verb;
	} errands[] = {{ROUTING, "rally"}, {NOT_IN_MELEE, "join"}};
	bool found = false;

	(void)enemy;
	for (int k = 0; k < 2 && !found; k++) {
		int32_t distance = FAR_AWAY;
		int unit = nearest_unit(c, piece, c->wish->side, errands[k].unit, &distance);

		found = unit >= 0 && (k == 0 || unit != c->s->units[piece].with) &&
			offer(c, talloc_asprintf(c->out, "%s: %s %s", piece_code(c->out, c->s, piece), errands[k].verb,
					 piece_code(c->out, c->s, unit)));
	}
	return found;
}

/* Offers a line for one of the pieces nearest to the enemy; those tried in vain may be tried for another line. */
static bool find_line(struct scene *c, bool (*is)(const struct unit *), enum which enemies, try_line *try)
{
	int tried[TRIES], count = 0, enemy;
	bool found = false;

	while (count < TRIES && !found) {
		int piece = next_piece(c, is, enemies, &enemy);

		if (piece < 0)
			break;
		found = try(c, piece, enemy);
		tried[count++] = piece;
	}
	for (int i = 0; i < count - (found ? 1 : 0); i++)
		c->used[tried[i]] = false;
	return found;
}

static bool is_commander(const struct unit *u)
{
	return u->kind == KIND_COMMANDER;
}

char *examples_text(TALLOC_CTX *mem, const struct example_wish *wish)
{
	struct scene c = {.wish = wish, .s = wish->s, .out = buf_new(mem)};
	unsigned count = (unsigned)wish->s->count;

	c.extents = talloc_array(c.out, struct extent, count);
	c.used = talloc_zero_array(c.out, bool, count);
	for (int i = 0; i < c.s->count; i++)
		c.extents[i] = extent_of(&c.s->units[i].box);
	find_line(&c, unit_is_foot, wish->time == SHEET_CHARGES ? ANY_UNIT : NOT_IN_MELEE, shot_or_move);
	if (!find_line(&c, unit_is_formed, ANY_UNIT, charge_only))
		find_line(&c, unit_is_formed, NOT_IN_MELEE, march);
	find_line(&c, is_commander, ANY_UNIT, ride);
	return buf_finish(mem, c.out);
}

/* --- names ------------------------------------------------------------------------------------------------------ */

char *fighting_text(TALLOC_CTX *mem, const struct state *s, enum side side, const bool *may_order, int *count)
{
	int *list = talloc_array(mem, int, (unsigned)s->count);
	char *text = talloc_strdup(mem, "");

	*count = 0;
	for (int i = 0; i < s->count; i++)
		if (in_sheet(s, side, may_order, i) && state_locked(s, i))
			list[(*count)++] = i;
	for (int i = 0; i < *count; i++)
		text = talloc_asprintf_append(text, "%s%s",
			i == 0           ? ""
			: i + 1 < *count ? ", "
					 : " and ",
			piece_code(text, s, list[i]));
	talloc_free(list);
	return text;
}

static const char *square_ahead(TALLOC_CTX *mem, const struct table *t, const struct unit *u)
{
	struct point p = geo_shift(u->box, u->box.facing, INCH(6)).front;

	return p.x <= 0 || p.y <= 0 || p.x >= t->width || p.y >= t->height ? "" : square_name(mem, t, p);
}

/* The enemy unit nearest to that piece (with -1 the first there is), but not `other`; or -1. */
static int an_enemy(const struct state *s, enum side side, int piece, int other)
{
	int32_t least = FAR_AWAY;
	int best = -1;

	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];
		int32_t d;

		if (u->side == side || i == other || !unit_alive(u) || !unit_is_formed(u))
			continue;
		d = piece < 0 ? 0 : geo_distance(&s->units[piece].box, &u->box);
		if (d < least) {
			best = i;
			least = d;
		}
	}
	return best;
}

struct own_names sheet_names(
	TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, enum side side, const bool *may_order)
{
	struct own_names n = {"", "", "", "", "", "", ""};
	int own[3], count = 0, first = -1, enemy, other;

	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];

		if (!in_sheet(s, side, may_order, i))
			continue;
		if (u->kind == KIND_COMMANDER && n.commander[0] == '\0')
			n.commander = u->code;
		if (unit_is_formed(u) && n.wing[0] == '\0' && u->wing[0] != '\0')
			n.wing = talloc_asprintf(mem, "%s wing", u->wing);
		if (unit_is_formed(u) && count < 3)
			own[count++] = i;
		if (unit_is_foot(u) && (first < 0 || (state_locked(s, first) && !state_locked(s, i))))
			first = i; /* one that can fire */
	}
	if (count > 0 && first < 0)
		first = own[0];
	if (first >= 0) {
		n.unit = s->units[first].code;
		n.ahead = square_ahead(mem, &sc->table, &s->units[first]);
	}
	enemy = an_enemy(s, side, first, -1);
	other = an_enemy(s, side, first, enemy);
	if (enemy >= 0)
		n.enemy = s->units[enemy].code;
	if (other >= 0)
		n.other = s->units[other].code;
	if (count > 1)
		n.units = talloc_asprintf(mem, "%s%s%s and %s", s->units[own[0]].code, count > 2 ? ", " : "",
			count > 2 ? s->units[own[1]].code : "", s->units[own[count - 1]].code);
	return n;
}
