#include "report/roster.h"

#include "base/buf.h"
#include "base/text.h"
#include "orders/print.h"
#include "report/chronicle.h"

#include <string.h>

enum { COLUMNS = 72, INDENT = 3, NEAR = INCH(24), NAMED_MAX = 4 };

/* The nearest enemy that stands within `most`, or -1. */
static int nearest_enemy(const struct state *s, int unit, int32_t most, int32_t *distance)
{
	int best = -1;

	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];
		int32_t d;

		if (u->side == s->units[unit].side || !unit_alive(u) || u->kind == KIND_COMMANDER)
			continue;
		d = geo_distance(&s->units[unit].box, &u->box);
		if (d <= most && (best < 0 || d < *distance)) {
			best = i;
			*distance = d;
		}
	}
	return best;
}

/* What a player would measure with a ruler: who is near enough to matter this turn or the next. */
static void put_nearest(struct buf *out, const struct state *s, int unit)
{
	int32_t distance = 0;
	int enemy = nearest_enemy(s, unit, NEAR, &distance);

	if (enemy >= 0)
		buf_printf(out, ", enemy %s%s %s\" away", s->units[enemy].kind == KIND_GUN ? "gun " : "",
			s->units[enemy].code, inches_text(out, distance));
}

/* "6 bases", "4 of 6 bases", "17 of 24 figures on 3 bases"; and in which state. A gun has no strength but its crew. */
static void put_strength(struct buf *out, const struct unit *u)
{
	int now = unit_strength(u), begun = unit_strength_begun(u);

	if (!unit_is_formed(u) && u->figures_begun == 0)
		return;
	buf_printf(out, now == begun ? ", %d" : ", %d of %d", now, begun);
	buf_printf(out, " %s", strength_word(u));
	if (u->figures_begun > 0 && unit_is_formed(u))
		buf_printf(out, " on %d base%s", u->bases, u->bases == 1 ? "" : "s");
	buf_adds(out, u->routing ? ", ROUTING" : u->column ? ", in column" : u->halted > 0 ? ", rallied: halts" : "");
}

static void roster_line(struct buf *out, const struct scenario *sc, const struct state *s, int i)
{
	const struct unit *u = &s->units[i];
	const char *sep = ", in melee with ";
	struct buf *line = buf_new(out);

	buf_printf(
		line, "%-2s %s: %s", u->code, piece_name(line, sc, s, i), square_name(line, &sc->table, u->box.front));
	if (u->kind != KIND_GUN && u->kind != KIND_COMMANDER)
		buf_printf(line, ", facing %s", facing_word(u->box.facing));
	put_strength(line, u);
	if (u->kind == KIND_COMMANDER && u->with >= 0)
		buf_printf(line, ", with %s", piece_name(line, sc, s, u->with));
	for (int k = 0; k < s->lock_count; k++) {
		const struct lock *l = &s->locks[k];

		if (l->charger != i && l->charged != i)
			continue;
		buf_printf(line, "%s%s", sep, piece_name(line, sc, s, l->charger == i ? l->charged : l->charger));
		sep = " and ";
	}
	if (unit_is_formed(u) && !state_locked(s, i))
		put_nearest(line, s, i);
	buf_printf(out, "%s\n", text_wrap(line, line->data, COLUMNS, INDENT));
	talloc_free(line);
}

static bool is_clan(const struct unit *u)
{
	return u->kind == KIND_CLAN && u->figures_begun > 0;
}

/* "Horse: A, B, C" of those that are left and are of that kind; nothing where none is. */
static void put_those(
	struct buf *out, const struct state *s, int side, const char *title, bool (*fits)(const struct unit *u))
{
	struct buf *line = buf_new(out);

	for (int i = 0; i < s->count; i++)
		if ((int)s->units[i].side == side && unit_alive(&s->units[i]) && fits(&s->units[i]))
			buf_printf(line, "%s%s", line->len > 0 ? ", " : title, s->units[i].code);
	if (line->len > 0)
		buf_printf(out, "%s\n", text_wrap(line, line->data, COLUMNS, INDENT));
	talloc_free(line);
}

char *roster_text(TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, int side)
{
	struct buf *out = buf_new(mem);

	for (int k = 0; k < SIDES; k++) {
		struct buf *lost = buf_new(out);

		if (side >= 0 && k != side)
			continue;
		buf_printf(out, "%s%s\n", out->len > 0 ? "\n" : "", side_people(out, sc, k));
		for (int i = 0; i < s->count; i++) {
			if ((int)s->units[i].side == k && unit_alive(&s->units[i]))
				roster_line(out, sc, s, i);
		}
		put_those(out, s, k, "Horse: ", unit_is_horse);
		put_those(out, s, k, "Clans: ", is_clan); /* they matter where figures are counted */
		for (int i = 0; i < s->count; i++) {
			if ((int)s->units[i].side == k && !unit_alive(&s->units[i]))
				buf_printf(lost, "%s%s", lost->len > 0 ? ", " : "Lost: ", piece_name(lost, sc, s, i));
		}
		if (lost->len > 0)
			buf_printf(out, "%s\n", text_wrap(lost, lost->data, COLUMNS, INDENT));
	}
	return buf_finish(mem, out);
}

/* Is it of that piece's wing, and still there? */
static bool in_wing(const struct state *s, int piece, int of)
{
	const struct unit *u = &s->units[piece], *v = &s->units[of];

	return u->side == v->side && unit_alive(u) && u->kind != KIND_COMMANDER && strcmp(u->wing, v->wing) == 0;
}

/* "Left wing: A, B and C" of all that is left of each wing, commanders apart, as one orders it. */
static char *wings_list(TALLOC_CTX *mem, const struct state *s, int side)
{
	struct buf *out = buf_new(mem);
	bool *told = talloc_zero_array(out, bool, (unsigned)s->count);

	for (int i = 0; i < s->count; i++) {
		const char *sep = "";
		char *line;

		if ((int)s->units[i].side != side || told[i] || s->units[i].wing[0] == '\0' || !in_wing(s, i, i))
			continue;
		line = buf_text(out, "%s wing: ", s->units[i].wing);
		for (int k = i; k < s->count; k++) {
			if (!in_wing(s, k, i))
				continue;
			told[k] = true;
			line = talloc_asprintf_append(line, "%s%s", sep, piece_code(line, s, k));
			sep = ", ";
		}
		buf_printf(out, "%s\n", text_wrap(out, line, COLUMNS, INDENT));
	}
	return out->data;
}

char *roster_both(TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, int own)
{
	int first = own < 0 ? SIDE_GOVERNMENT : own, other = (int)side_other((enum side)first);

	return buf_text(mem, "%s%s\n%s%s", roster_text(mem, sc, s, first), wings_list(mem, s, first),
		roster_text(mem, sc, s, other), own < 0 ? wings_list(mem, s, other) : "");
}

/* Are the listed pieces all of their side's, commanders apart, or with `wing` all of that wing's? */
static bool is_all_of(const struct state *s, const int *list, int count, const char *wing)
{
	int all = 0, in = 0;

	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];

		all += u->side == s->units[list[0]].side && unit_alive(u) && u->kind != KIND_COMMANDER &&
		       (wing == NULL || strcmp(u->wing, wing) == 0);
	}
	for (int i = 0; i < count; i++) {
		const struct unit *u = &s->units[list[i]];

		in += u->kind != KIND_COMMANDER && (wing == NULL || strcmp(u->wing, wing) == 0);
	}
	return in == count && count == all;
}

char *pieces_text(TALLOC_CTX *mem, const struct state *s, const int *list, int count)
{
	struct buf names;
	const char *wing = s->units[list[0]].wing;
	bool units = true;

	buf_open(&names, mem);
	for (int i = 0; i < count; i++) {
		units &= s->units[list[i]].kind != KIND_COMMANDER;
		if (i > 0)
			buf_adds(&names, i + 1 < count ? ", " : " and ");
		buf_adds(&names, count > NAMED_MAX ? piece_code(mem, s, list[i]) : piece_english(mem, s, list[i]));
	}
	if (count <= NAMED_MAX)
		return buf_close(&names);
	if (is_all_of(s, list, count, NULL))
		return buf_text(mem, "All %d units", count);
	if (wing[0] != '\0' && is_all_of(s, list, count, wing))
		return buf_text(mem, "The whole %s wing (%s)", text_fold(mem, wing), names.data);
	return buf_text(mem, "%d %s (%s)", count, units ? "units" : "pieces", names.data);
}
