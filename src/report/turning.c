#include "report/turning.h"

#include "base/buf.h"
#include "base/text.h"
#include "report/things.h"

#include <assert.h>
#include <stdlib.h>

enum { COLUMNS = 72 };

static int strength(const struct unit *u)
{
	return !unit_alive(u) ? 0 : u->figures_begun > 0 ? u->figures : u->bases;
}

static int full_strength(const struct unit *u)
{
	return u->figures_begun > 0 ? u->figures_begun : u->begun;
}

/* Points for one of its strength. */
static int64_t worth(const struct scenario *sc, const struct unit *u)
{
	switch (u->kind) {
	case KIND_COMMANDER:
		return rule_number(
			sc, u->overall ? "points-overall" : "points-commander", rule_number(sc, "points-general", 10));
	case KIND_GUN: /* all of it together */
		return rule_number(sc, "points-gun", 10) / (full_strength(u) > 0 ? full_strength(u) : 1);
	case KIND_HORSE:
	case KIND_HUSSAR:
		return rule_number(sc, "points-horse", 3);
	default:
		return rule_number(sc, "points-foot", 2);
	}
}

struct turning *turning_new(TALLOC_CTX *mem, const struct scenario *sc)
{
	struct turning *t = talloc_zero(mem, struct turning);

	t->sc = sc;
	return t;
}

/* --- one turn ----------------------------------------------------------------------------------------------------- */

void turning_begin_turn(struct turning *t, const struct state *before)
{
	int numbers = 0;

	t->before = before;
	t->replays = 0;
	t->first = talloc_array(t, int, (unsigned)before->count + 1);
	for (int i = 0; i < before->count; i++) {
		t->first[i] = numbers;
		numbers += full_strength(&before->units[i]) + 1;
	}
	t->left = talloc_zero_array(t, int, (unsigned)numbers + 1);
}

void turning_replay(struct turning *t, const struct state *after)
{
	for (int i = 0; i < after->count; i++)
		t->left[t->first[i] + strength(&after->units[i])]++;
	t->replays++;
}

/* Has the referee's word changed it? */
static bool was_ruled(const struct events *events, int unit)
{
	for (int i = 0; i < events->count; i++) {
		const struct event *ev = events->list[i];

		if ((ev->kind == EVENT_RULING || ev->amended) && ev->actor == unit)
			return true;
		for (int k = 0; ev->amended && k < ev->object_count; k++)
			if (ev->objects[k] == unit)
				return true;
	}
	return false;
}

/* Keeps the greatest, at most TURNING_OF_A_TURN of one turn. */
static void consider(struct turning *t, const struct turning_point *p)
{
	int of_turn = 0, at = t->count;

	while (at > 0 && t->points[at - 1].swing < p->swing)
		at--;
	for (int i = 0; i < at; i++)
		of_turn += t->points[i].turn == p->turn;
	if (at >= TURNING_POINTS || of_turn >= TURNING_OF_A_TURN)
		return;
	for (int i = t->count; i > at; i--)
		t->points[i] = t->points[i - 1];
	t->points[at] = *p;
	t->count++;
	/* One of its turn that it has pushed out, else the last. */
	of_turn = 0;
	for (int i = 0; i < t->count; i++) {
		of_turn += t->points[i].turn == p->turn;
		if (of_turn <= TURNING_OF_A_TURN || t->points[i].turn != p->turn)
			continue;
		for (int k = i; k + 1 < t->count; k++)
			t->points[k] = t->points[k + 1];
		t->count--;
		return;
	}
	if (t->count > TURNING_POINTS)
		t->count = TURNING_POINTS;
}

/* Who took most from it in the turn. */
static void find_causes(struct turning_point *p, const struct events *events)
{
	int hits[TURNING_BY_MAX + 1] = {0}, who[TURNING_BY_MAX + 1];
	int n = 0;

	for (int i = 0; i < events->count; i++) {
		const struct event *ev = events->list[i];
		int by = -1, count = ev->has[NUM_HITS] ? ev->number[NUM_HITS] : 0, k = 0;

		if ((ev->kind == EVENT_VOLLEY || ev->kind == EVENT_CLOSING_FIRE) && ev->object_count > 0 &&
			ev->objects[0] == p->unit)
			by = ev->actor;
		else if ((ev->kind == EVENT_LOSS || ev->kind == EVENT_DESTROYED) && ev->actor == p->unit &&
			 ev->object_count > 0)
			by = ev->objects[0];
		if (by < 0 || (count <= 0 && ev->kind != EVENT_DESTROYED))
			continue;
		while (k < n && who[k] != by)
			k++;
		if (k == TURNING_BY_MAX)
			continue;
		if (k == n)
			who[n++] = by;
		hits[k] += count;
	}
	for (int k = 0; k < n; k++)
		p->by[k] = who[k];
	if (n == 2 && hits[1] > hits[0]) {
		p->by[0] = who[1];
		p->by[1] = who[0];
	}
	p->by_count = n;
}

static void judge(struct turning *t, int unit, const struct state *after, const struct events *events)
{
	const struct unit *u = &t->before->units[unit];
	const int *left = t->left + t->first[unit];
	struct turning_point p = {
		.turn = t->before->turn, .unit = unit, .before = strength(u), .after = strength(&after->units[unit])};
	int64_t sum = 0;

	for (int n = 0; n <= full_strength(u); n++) {
		sum += (int64_t)n * left[n];
		p.usual = left[n] > left[p.usual] ? n : p.usual;
	}
	p.swing = sum - (int64_t)p.after * t->replays;
	p.worse = p.swing > 0;
	p.swing = llabs(p.swing) * worth(t->sc, u);
	for (int n = 0; n <= full_strength(u); n++)
		p.times += p.worse ? (n <= p.after) * left[n] : (n >= p.after) * left[n];
	/* What more often than not happens anyway is no turning point, however much hung on it. */
	if (p.swing == 0 || 2 * p.times > t->replays || was_ruled(events, unit))
		return;
	find_causes(&p, events);
	consider(t, &p);
}

void turning_end_turn(struct turning *t, const struct state *after, const struct events *events)
{
	assert(t->replays > 0);
	for (int i = 0; i < after->count; i++)
		if (unit_alive(&t->before->units[i]))
			judge(t, i, after, events);
	talloc_free(t->left);
	talloc_free(t->first);
	t->before = NULL;
}

/* --- in words ----------------------------------------------------------------------------------------------------- */

/* "were wiped out", "came through with 4 of 6 bases". */
static const char *fate_text(TALLOC_CTX *mem, const struct turning_point *p, const struct unit *u)
{
	if (u->kind == KIND_COMMANDER)
		return p->after == 0 ? "fell" : "lived";
	if (u->kind == KIND_GUN)
		return p->after == 0 ? "was lost" : "was kept";
	if (p->after == 0)
		return talloc_asprintf(mem, "lost all their %d %s", p->before, strength_word(u));
	if (p->after == p->before)
		return talloc_asprintf(mem, "kept all their %d %s", p->before, strength_word(u));
	return talloc_asprintf(mem, "were brought from %d %s down to %d", p->before, strength_word(u), p->after);
}

static void put_causes(struct buf *out, const struct turning_point *p, const struct state *names)
{
	for (int i = 0; i < p->by_count; i++)
		buf_printf(out, "%s%s",
			i > 0           ? " and "
			: p->after == 0 ? " to "
					: " by ",
			piece_name(out, names, p->by[i]));
}

static void put_odds(struct buf *out, const struct turning_point *p, const struct unit *u, int replays)
{
	bool counted = u->kind != KIND_COMMANDER && u->kind != KIND_GUN;
	const char *times = p->times == 0   ? "not once"
			    : p->times == 1 ? "once"
					    : talloc_asprintf(out, "%d times", p->times);

	if (counted && p->after > 0 && p->after < p->before)
		buf_printf(out, " In %d replays it went so %s %s", replays,
			p->worse ? "badly for them, or worse," : "well for them, or better,", times);
	else
		buf_printf(out, " In %d replays that happened %s", replays, times);
	if (!counted || p->usual == p->after)
		buf_addc(out, '.');
	else if (p->usual == 0)
		buf_adds(out, "; most often they lost everything.");
	else
		buf_printf(out, "; most often they kept %d.", p->usual);
}

static void put_point(
	struct buf *out, const struct turning *t, const struct turning_point *p, const struct state *names)
{
	const struct unit *u = &names->units[p->unit];
	struct buf *line = buf_new(out);

	buf_printf(line, "* Turn %d: %s %s", p->turn, piece_name(line, names, p->unit), fate_text(line, p, u));
	if (u->kind != KIND_COMMANDER && p->after < p->before)
		put_causes(line, p, names);
	buf_addc(line, '.');
	put_odds(line, p, u, t->replays);
	buf_printf(out, "%s\n", text_wrap(line, line->data, COLUMNS - 2, 2));
	talloc_free(line);
}

char *turning_text(TALLOC_CTX *mem, const struct turning *t, const struct state *names)
{
	struct buf *out = buf_new(mem);
	bool done[TURNING_POINTS] = {false};

	for (int n = 0; n < t->count; n++) {
		int next = 0;

		while (done[next])
			next++;
		for (int i = next + 1; i < t->count; i++)
			if (!done[i] && t->points[i].turn < t->points[next].turn)
				next = i;
		done[next] = true;
		put_point(out, t, &t->points[next], names);
	}
	return buf_steal(mem, out);
}
