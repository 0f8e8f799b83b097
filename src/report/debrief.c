#include "report/debrief.h"

#include "base/buf.h"
#include "base/text.h"
#include "report/chronicle.h"

#include <string.h>

enum { COLUMNS = 72, WINGS_MAX = 32, WHAT_COLUMNS = 20, SUM_COLUMNS = 16, COURSE_COLUMNS = 13, THIRDS = 3 };

/* The i-th side to tell of. */
static int side_at(int i, int own)
{
	return own == SIDE_JACOBITE ? SIDES - 1 - i : i;
}

static char *finished(TALLOC_CTX *mem, struct buf *out)
{
	char *text = buf_steal(mem, out);

	talloc_free(out);
	return text;
}

/* --- points ------------------------------------------------------------------------------------------------------ */

/* "36 x  2 =   72"; where it is no such product the sum alone. `each` is thousandths; a sum is a whole number, with a
 * half counted up. */
static const char *product(TALLOC_CTX *mem, int sum, int each)
{
	int n = each <= 0 ? 0 : (int)(((int64_t)sum * 1000 + each / 2) / each);

	if (each <= 0 || ((int64_t)n * each + 500) / 1000 != sum)
		return talloc_asprintf(mem, "%4d", sum);
	return talloc_asprintf(mem, "%d x %2s = %4d", n, text_inches(mem, each), sum);
}

static const struct event *find_points(const struct events *events, int side)
{
	for (int i = 0; i < events->count; i++)
		if (events->list[i]->kind == EVENT_POINTS && events->list[i]->number[NUM_SIDE] == side)
			return events->list[i];
	return NULL;
}

/* Points for one, in thousandths, in which rules that count figures give them. */
static int worth(const struct scenario *sc, const char *option)
{
	return rule_number(sc, option, 0) * (counts_figures(sc->state) ? 1 : 1000);
}

/* "Enemy foot bases": * stands for what these rules count. */
static const char *part_name(TALLOC_CTX *mem, const char *what, const struct scenario *sc)
{
	size_t len = strcspn(what, "*");

	return what[len] == '\0' ? what : talloc_asprintf(mem, "%.*s%ss", (int)len, what, strength_unit(sc->state));
}

static bool has_guns(const struct state *s, int side)
{
	for (int i = 0; i < s->count; i++)
		if (s->units[i].kind == KIND_GUN && (int)s->units[i].side == side)
			return true;
	return false;
}

static void put_points(struct buf *out, const struct scenario *sc, const struct event *ev)
{
	bool guns = has_guns(sc->state, (int)side_other((enum side)ev->number[NUM_SIDE]));
	static const struct {
		const char *what, *each;
		enum event_number number;
		bool always;
	} parts[] = {
		{"Enemy foot *", "points-foot", NUM_FOOT, true},
		{"Enemy horse *", "points-horse", NUM_HORSE, true},
		{"Enemy guns", "points-gun", NUM_GUNS, false},
		{"Enemy commanders", "", NUM_COMMANDERS, true},
		{"Thirds of the field", "points-third", NUM_GROUND, true},
		{"Together", "", NUM_POINTS, true},
	};

	for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
		if (ev->has[parts[p].number] && (parts[p].always || guns || ev->number[parts[p].number] != 0))
			buf_printf(out, "  %-*s%*s\n", WHAT_COLUMNS, part_name(out, parts[p].what, sc), SUM_COLUMNS,
				product(out, ev->number[parts[p].number], worth(sc, parts[p].each)));
}

char *points_text(TALLOC_CTX *mem, const struct scenario *sc, const struct events *events, int own)
{
	struct buf *out = buf_new(mem);

	for (int i = 0; i < SIDES; i++) {
		const struct event *ev = find_points(events, side_at(i, own));

		if (ev == NULL)
			continue;
		buf_printf(out, "%s%s\n", out->len > 0 ? "\n" : "", side_people(out, sc, side_at(i, own)));
		put_points(out, sc, ev);
	}
	return finished(mem, out);
}

/* --- ground ------------------------------------------------------------------------------------------------------ */

char *ground_text(TALLOC_CTX *mem, const struct scenario *sc, const struct events *events)
{
	static const char *const names[THIRDS] = {"West", "Middle", "East"};
	struct buf *out = buf_new(mem);

	for (int i = 0; i < events->count; i++) {
		const struct event *ev = events->list[i];
		int third = ev->number[NUM_THIRD], side = ev->number[NUM_SIDE];

		if (ev->kind == EVENT_THIRDS && third >= 0 && third < THIRDS)
			buf_printf(out, "  %-8s%s\n", talloc_asprintf(out, "%s:", names[third]),
				side < 0 ? "nobody" : side_people(out, sc, side));
	}
	if (out->len > 0)
		buf_adds(out, "\nA side holds a third if it has foot or horse there beyond the middle of\n"
			      "the field, and the enemy has none beyond it there.\n");
	return finished(mem, out);
}

/* --- losses ------------------------------------------------------------------------------------------------------ */

/* The side's wings that have foot or horse, in the order of the battle file. */
static int find_wings(const struct state *s, int side, const char *wing[WINGS_MAX])
{
	int n = 0;

	for (int i = 0; i < s->count && n < WINGS_MAX; i++) {
		const struct unit *u = &s->units[i];
		int k = 0;

		if ((int)u->side != side || !unit_is_formed(u))
			continue;
		while (k < n && strcmp(wing[k], u->wing) != 0)
			k++;
		if (k == n)
			wing[n++] = u->wing;
	}
	return n;
}

/* One wing, or with NULL the whole army. */
static void put_wing(struct buf *out, const struct state *s, int side, const char *wing)
{
	struct buf *gone = buf_new(out);
	const char *line = "Together";
	int lost = 0, begun = 0;

	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];

		if ((int)u->side != side || !unit_is_formed(u) || (wing != NULL && strcmp(u->wing, wing) != 0))
			continue;
		lost += unit_strength_begun(u) - unit_strength(u);
		begun += unit_strength_begun(u);
		if (wing != NULL && !unit_alive(u))
			buf_printf(gone, "%s%s", gone->len > 0 ? ", " : "; gone: ", u->name);
	}
	if (wing != NULL)
		line = wing[0] == '\0' ? "Others" : wing;
	if (wing != NULL && (strcmp(wing, "Left") == 0 || strcmp(wing, "Right") == 0))
		line = talloc_asprintf(out, "%s wing", wing);
	line = talloc_asprintf(out, "  %s: %d of %d %ss lost%s", line, lost, begun, strength_unit(s), gone->data);
	buf_printf(out, "%s\n", text_wrap(out, line, COLUMNS, 4));
}

char *wings_text(TALLOC_CTX *mem, const struct scenario *sc, const struct state *end, int own)
{
	struct buf *out = buf_new(mem);

	for (int i = 0; i < SIDES; i++) {
		const char *wing[WINGS_MAX];
		int count = find_wings(end, side_at(i, own), wing);

		buf_printf(out, "%s%s\n", i > 0 ? "\n" : "", side_people(out, sc, side_at(i, own)));
		for (int k = 0; k < count; k++)
			put_wing(out, end, side_at(i, own), wing[k]);
		put_wing(out, end, side_at(i, own), NULL);
	}
	return finished(mem, out);
}

/* Bases, or figures, of foot and horse that a side has. */
static int bases_of(const struct state *s, int side)
{
	int sum = 0;

	for (int i = 0; i < s->count; i++)
		if ((int)s->units[i].side == side && unit_is_formed(&s->units[i]))
			sum += unit_strength(&s->units[i]);
	return sum;
}

static void put_course_row(struct buf *out, const char *what, const int lost[SIDES], int own)
{
	buf_printf(out, "%-12s", what);
	for (int i = 0; i < SIDES; i++)
		buf_printf(out, "%*d", COURSE_COLUMNS, lost[side_at(i, own)]);
	buf_addc(out, '\n');
}

void course_head(struct buf *out, const struct scenario *sc, int own)
{
	buf_printf(out, "%-12s", counts_figures(sc->state) ? "Figures lost" : "Bases lost");
	for (int i = 0; i < SIDES; i++)
		buf_printf(out, "%*.*s", COURSE_COLUMNS, COURSE_COLUMNS - 1, side_people(out, sc, side_at(i, own)));
	buf_addc(out, '\n');
}

void course_add(struct buf *out, const struct state *before, const struct state *after, int own)
{
	int lost[SIDES];

	for (int side = 0; side < SIDES; side++)
		lost[side] = bases_of(before, side) - bases_of(after, side);
	put_course_row(out, talloc_asprintf(out, "Turn %d", before->turn), lost, own);
}

void fates_add(struct fate *fates, const struct state *before, const struct state *after)
{
	for (int i = 0; i < after->count; i++)
		if (unit_alive(&before->units[i]) && !unit_alive(&after->units[i]))
			fates[i] = (struct fate){before->turn, before->units[i].with};
}

static void put_commander(
	struct buf *out, const struct scenario *sc, const struct state *end, const struct fate *fate, int i)
{
	const struct unit *u = &end->units[i];
	const char *line = talloc_asprintf(out, "  %s%s: ", u->name, u->overall ? ", in command of the army" : "");

	if (!unit_alive(u))
		line = talloc_asprintf(out, "%sfell in turn %d%s%s", line, fate->turn,
			fate->with >= 0 ? ", leading " : "",
			fate->with >= 0 ? piece_name(out, sc, end, fate->with) : "");
	else
		line = talloc_asprintf(out, "%sunhurt%s%s", line, u->with >= 0 ? ", with " : "",
			u->with >= 0 ? piece_name(out, sc, end, u->with) : "");
	buf_printf(out, "%s\n", text_wrap(out, line, COLUMNS, 4));
}

char *commanders_text(
	TALLOC_CTX *mem, const struct scenario *sc, const struct state *end, const struct fate *fates, int own)
{
	struct buf *out = buf_new(mem);

	for (int i = 0; i < SIDES; i++) {
		int side = side_at(i, own);

		buf_printf(out, "%s%s\n", i > 0 ? "\n" : "", side_people(out, sc, side));
		for (int k = 0; k < end->count; k++)
			if (end->units[k].kind == KIND_COMMANDER && (int)end->units[k].side == side)
				put_commander(out, sc, end, &fates[k], k);
	}
	return finished(mem, out);
}
