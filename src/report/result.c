#include "report/result.h"

#include "base/buf.h"
#include "report/chronicle.h"

#include <ctype.h>
#include <string.h>

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

static const char *plural(int n)
{
	return n == 1 ? "" : "s";
}

struct strength army_strength(const struct scenario *sc, const struct state *s, enum side side)
{
	struct strength a = {0, 0, 0};
	int percent = rule_number(sc, "break", 0) != 0 ? rule_number(sc, "break-percent", 0) : 0;

	for (int i = 0; i < s->count; i++) {
		if (s->units[i].side != side || !unit_is_formed(&s->units[i]))
			continue;
		a.bases += unit_strength(&s->units[i]);
		a.begun += unit_strength_begun(&s->units[i]);
	}
	a.breaks_at = percent > 0 && !counts_figures(s) ? (a.begun * percent + 99) / 100 : 0;
	return a;
}

static bool is_over(const struct state *s)
{
	return s->winner != WINNER_OPEN;
}

static int winning_side(const struct state *s)
{
	return s->winner == WINNER_GOVERNMENT ? SIDE_GOVERNMENT : SIDE_JACOBITE;
}

/* --- the result in three lines ----------------------------------------------------------------------------------- */

static const struct event *find_kind(const struct events *events, enum event_kind kind)
{
	for (int i = events->count - 1; i >= 0; i--) {
		if (events->list[i]->kind == kind)
			return events->list[i];
	}
	return NULL;
}

bool result_unfought(const struct events *events)
{
	const struct event *verdict = find_kind(events, EVENT_VERDICT);

	return verdict != NULL && (verdict->reason == REASON_CONCEDED || verdict->reason == REASON_REFEREE) &&
	       events->list[0]->phase == verdict->phase;
}

static int bases_lost(const struct scenario *sc, const struct state *before, const struct state *after, int side)
{
	return army_strength(sc, before, (enum side)side).bases - army_strength(sc, after, (enum side)side).bases;
}

/* Units or guns gone, or commanders fallen, between two states: "Barrell's, Royals"; how many. */
static int put_gone(struct buf *out, const struct scenario *sc, const struct state *before, const struct state *after,
	int side, bool commanders)
{
	int n = 0;

	for (int i = 0; i < after->count; i++) {
		const struct unit *u = &after->units[i];

		if ((int)u->side != side || (u->kind == KIND_COMMANDER) != commanders || unit_alive(u) ||
			!unit_alive(&before->units[i]))
			continue;
		buf_printf(out, "%s%s", n++ > 0 ? ", " : "", piece_name(out, sc, after, i));
	}
	return n;
}

static void put_losses(
	struct buf *out, const struct scenario *sc, const struct state *before, const struct state *after, int side)
{
	struct buf *gone = buf_new(out);
	int bases = bases_lost(sc, before, after, side), units = put_gone(gone, sc, before, after, side, false);

	if (bases <= 0 && units == 0)
		buf_adds(out, "lost nothing");
	else
		buf_printf(out, "lost %d %s%s", bases, strength_unit(after), plural(bases));
	if (units > 0)
		buf_printf(out, ", with %d whole unit%s (%s)", units, plural(units), gone->data);
}

/* RH59: units that are gone or routing decide whether an army breaks. */
static void put_units_out(struct buf *out, const struct scenario *sc, const struct state *s, int side)
{
	int percent = rule_number(sc, "break", 0) != 0 ? rule_number(sc, "break-percent", 0) : 0;
	int units = 0, gone = 0, routing = 0, breaks_at;

	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];

		if ((int)u->side != side || !unit_is_formed(u))
			continue;
		units++;
		gone += !unit_alive(u);
		routing += unit_alive(u) && u->routing;
	}
	breaks_at = (units * percent + 99) / 100;
	if (gone + routing > 0)
		buf_printf(out, ", %d of %d units gone and %d routing", gone, units, routing);
	if (percent > 0 && gone + routing >= breaks_at)
		buf_adds(out, ", and are broken");
	else if (percent > 0 && !is_over(s))
		buf_printf(out, ", and break at %d units gone or routing", breaks_at);
}

/* "100 of 102 bases left and break if they lose 49 more" */
static void put_strength(struct buf *out, const struct scenario *sc, const struct state *s, int side)
{
	struct strength a = army_strength(sc, s, (enum side)side);
	int more = a.breaks_at - (a.begun - a.bases);

	buf_printf(out, "%d of %d %ss left", a.bases, a.begun, strength_unit(s));
	if (counts_figures(s))
		put_units_out(out, sc, s, side);
	if (a.breaks_at > 0 && more > 0 && !is_over(s))
		buf_printf(out, " and break if they lose %d more", more);
	else if (a.breaks_at > 0 && more <= 0)
		buf_adds(out, " and are broken");
}

/* "Barrell's with Camerons; Royals with Frasers and Stuarts": each melee as its Government units see it. */
static int put_melees(struct buf *out, const struct scenario *sc, const struct state *s)
{
	int n = 0;

	for (int i = 0; i < s->count; i++) {
		const char *sep = " with ";

		if (s->units[i].side != SIDE_GOVERNMENT || !state_locked(s, i))
			continue;
		buf_printf(out, "%s%s", n++ > 0 ? "; " : "", piece_name(out, sc, s, i));
		for (int k = 0; k < s->lock_count; k++) {
			const struct lock *l = &s->locks[k];

			if (l->charger != i && l->charged != i)
				continue;
			buf_printf(out, "%s%s", sep, piece_name(out, sc, s, l->charger == i ? l->charged : l->charger));
			sep = " and ";
		}
	}
	return n;
}

static void put_outlook(struct buf *out, const struct scenario *sc, const struct state *before,
	const struct state *after, const struct events *events, int own)
{
	const char *verdict = verdict_text(out, sc, after, events);

	for (int i = 0; i < SIDES; i++) {
		struct buf *fallen = buf_new(out);

		if (put_gone(fallen, sc, before, after, side_at(i, own), true) > 0)
			buf_printf(out, "Fallen: %s. ", fallen->data);
	}
	if (verdict[0] != '\0') {
		buf_adds(out, verdict);
	} else {
		struct buf *melees = buf_new(out);

		if (put_melees(melees, sc, after) > 0)
			buf_printf(out, "Still in melee: %s.", melees->data);
		else
			buf_adds(out, "Nobody is in melee.");
	}
	buf_addc(out, '\n');
}

char *result_strengths(TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, int own)
{
	struct buf *out = buf_new(mem);

	for (int i = 0; i < SIDES; i++) {
		buf_printf(out, "%s %s have ", i == 0 ? "The" : "; the", side_people(out, sc, side_at(i, own)));
		put_strength(out, sc, s, side_at(i, own));
	}
	buf_addc(out, '.');
	return finished(mem, out);
}

char *result_text(TALLOC_CTX *mem, const struct scenario *sc, const struct state *before, const struct state *after,
	const struct events *events, int own)
{
	struct buf *out = buf_new(mem);
	int first = side_at(0, own), second = side_at(1, own);

	if (result_unfought(events)) {
		buf_printf(out, "Turn %d was not fought", before->turn);
	} else {
		buf_printf(out, "Turn %d: the %s ", before->turn, side_people(out, sc, first));
		put_losses(out, sc, before, after, first);
		buf_printf(out, "; the %s ", side_people(out, sc, second));
		put_losses(out, sc, before, after, second);
	}
	buf_printf(out, ".\n%s\n", result_strengths(out, sc, after, own));
	put_outlook(out, sc, before, after, events, own);
	return finished(mem, out);
}

/* "2 bases"; where bases were named already only "2". */
static const char *bases_text(TALLOC_CTX *mem, const struct state *s, int n, bool named)
{
	if (n == 0)
		return "none";
	return named ? talloc_asprintf(mem, "%d", n) : talloc_asprintf(mem, "%d %s%s", n, strength_unit(s), plural(n));
}

char *result_headline(
	TALLOC_CTX *mem, const struct scenario *sc, const struct state *before, const struct state *after, int own)
{
	int e = bases_lost(sc, before, after, SIDE_GOVERNMENT), j = bases_lost(sc, before, after, SIDE_JACOBITE);
	int mine;

	if (after->winner == WINNER_DRAW)
		return talloc_strdup(mem, "The battle is a draw");
	if (is_over(after) && winning_side(after) == own)
		return talloc_strdup(mem, "You have won the battle");
	if (is_over(after))
		return talloc_asprintf(mem, "The %s have won the battle", side_people(mem, sc, winning_side(after)));
	if (e == 0 && j == 0)
		return talloc_asprintf(mem, "Turn %d: no losses on either side", before->turn);
	if (own < 0)
		return talloc_asprintf(mem, "Turn %d: %s lost %s, %s %s", before->turn,
			side_people(mem, sc, SIDE_GOVERNMENT), bases_text(mem, after, e, false),
			side_people(mem, sc, SIDE_JACOBITE), bases_text(mem, after, j, e > 0));
	mine = own == SIDE_GOVERNMENT ? e : j;
	return talloc_asprintf(mem, "Turn %d: you lost %s, they lost %s", before->turn,
		bases_text(mem, after, mine, false), bases_text(mem, after, e + j - mine, mine > 0));
}

/* --- the end ----------------------------------------------------------------------------------------------------- */

static void put_why_broken(struct buf *out, const struct scenario *sc, const struct state *s)
{
	if (s->broken[SIDE_GOVERNMENT] && s->broken[SIDE_JACOBITE])
		buf_adds(out, "both armies are broken, so points decide");
	else
		buf_printf(out, "the %s army is broken",
			sc->label[s->broken[SIDE_GOVERNMENT] ? SIDE_GOVERNMENT : SIDE_JACOBITE]);
}

char *verdict_text(TALLOC_CTX *mem, const struct scenario *sc, const struct state *after, const struct events *events)
{
	const struct event *verdict = find_kind(events, EVENT_VERDICT);
	enum event_reason reason = verdict != NULL ? verdict->reason : REASON_REFEREE;
	int winner = winning_side(after);
	struct buf *out;

	if (!is_over(after))
		return talloc_strdup(mem, "");
	out = buf_new(mem);
	if (after->winner == WINNER_DRAW)
		buf_adds(out, "The battle is a draw: ");
	else
		buf_printf(out, "The %s have won: ", side_people(out, sc, winner));
	switch (reason) {
	case REASON_BROKE:
		put_why_broken(out, sc, after);
		break;
	case REASON_TURN_LIMIT:
		buf_adds(out, "the last turn is over, so points decide");
		break;
	case REASON_CONCEDED:
		buf_printf(out, "the %s conceded", side_people(out, sc, (int)side_other((enum side)winner)));
		break;
	case REASON_NO_UNITS:
		buf_adds(out, "one side has no units left");
		break;
	default:
		buf_adds(out, "so the referee ruled");
	}
	if (find_kind(events, EVENT_POINTS) != NULL)
		buf_printf(out, " (points: %s %d, %s %d)", side_people(out, sc, SIDE_GOVERNMENT),
			after->points[SIDE_GOVERNMENT], side_people(out, sc, SIDE_JACOBITE),
			after->points[SIDE_JACOBITE]);
	buf_addc(out, '.');
	if (verdict != NULL && verdict->text[0] != '\0')
		buf_printf(out, " The referee: \"%s\"", verdict->text);
	return finished(mem, out);
}
