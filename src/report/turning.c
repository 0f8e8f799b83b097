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

/* Puts it in its place among them; the least falls out when there are too many. */
static void insert(struct turning_point *list, int *count, const struct turning_point *p)
{
	int at = *count;

	while (at > 0 && list[at - 1].swing < p->swing)
		at--;
	for (int i = *count; i > at; i--)
		list[i] = list[i - 1];
	list[at] = *p;
	*count += *count < TURNING_POINTS;
}

/* Keeps the greatest, at most TURNING_OF_A_TURN of one turn; what is one too many of its turn is kept apart. */
static void consider(struct turning *t, const struct turning_point *p)
{
	struct turning_point out = *p;
	int of_turn = 0, last = -1;

	for (int i = 0; i < t->count; i++)
		if (t->points[i].turn == p->turn) {
			of_turn++;
			last = i;
		}
	if (of_turn < TURNING_OF_A_TURN) {
		insert(t->points, &t->count, p);
		return;
	}
	if (t->points[last].swing < p->swing) {
		out = t->points[last];
		for (int i = last; i + 1 < t->count; i++)
			t->points[i] = t->points[i + 1];
		t->count--;
		insert(t->points, &t->count, p);
	}
	if (4 * out.times <= t->replays) /* what happens every other time is not worth filling up with */
		insert(t->more, &t->more_count, &out);
}

/* How much of the harm done to that unit an event stands for, and who did it: -1 for nobody. Whoever ended it counts
 * even without a hit. */
static int harm_of(const struct event *ev, int unit, int *by)
{
	bool fire = ev->kind == EVENT_VOLLEY || ev->kind == EVENT_CLOSING_FIRE,
	     fate = ev->kind == EVENT_LOSS || ev->kind == EVENT_DESTROYED;
	int hits = (ev->has[NUM_HITS] ? ev->number[NUM_HITS] : 0) - (ev->has[NUM_SAVES] ? ev->number[NUM_SAVES] : 0);

	*by = -1;
	if (ev->object_count == 0 || (hits <= 0 && ev->kind != EVENT_DESTROYED))
		return 0;
	if (fire && ev->objects[0] == unit)
		*by = ev->actor;
	else if (fate && ev->actor == unit)
		*by = ev->objects[0];
	return hits;
}

/* Who took most from it in the turn: all are counted up before the hardest are told; of equals the earlier. */
static void find_causes(struct turning *t, struct turning_point *p, const struct events *events)
{
	int *hits = talloc_zero_array(t, int, (unsigned)t->before->count);
	int *order = talloc_array(t, int, (unsigned)t->before->count);
	int n = 0;

	for (int i = 0; i < events->count; i++) {
		int by, harm = harm_of(events->list[i], p->unit, &by), k = 0;

		if (by < 0)
			continue;
		while (k < n && order[k] != by)
			k++;
		if (k == n)
			order[n++] = by;
		hits[by] += harm;
	}
	for (; p->by_count < TURNING_BY_MAX && p->by_count < n; p->by_count++) {
		int best = -1;

		for (int k = 0; k < n; k++)
			if (order[k] >= 0 && (best < 0 || hits[order[k]] > hits[order[best]]))
				best = k;
		p->by[p->by_count] = order[best];
		order[best] = -1;
	}
	talloc_free(hits);
	talloc_free(order);
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
	find_causes(t, &p, events);
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

static void put_causes(
	struct buf *out, const struct turning_point *p, const struct scenario *sc, const struct state *names)
{
	for (int i = 0; i < p->by_count; i++)
		buf_printf(out, "%s%s",
			i > 0           ? i + 1 < p->by_count ? ", " : " and "
			: p->after == 0 ? " to "
					: " by ",
			piece_name(out, sc, names, p->by[i]));
}

static void put_odds(struct buf *out, const struct turning_point *p, const struct unit *u, int replays)
{
	bool counted = u->kind != KIND_COMMANDER && u->kind != KIND_GUN;
	bool partly = counted && p->after > 0 && p->after < p->before;
	const char *so = p->worse ? "badly" : "well", *times = p->times == 1 ? "once"
							       : p->times == 2
								       ? "twice"
								       : talloc_asprintf(out, "%d times", p->times);

	buf_printf(out, " In %d replays ", replays);
	if (p->times == 0 && partly)
		buf_printf(out, "it never went so %s for them", so);
	else if (p->times == 0)
		buf_adds(out, "that never happened");
	else if (partly)
		buf_printf(out, "it went so %s for them, or %s, %s", so, p->worse ? "worse" : "better", times);
	else
		buf_printf(out, "that happened %s", times);
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

	buf_printf(line, "* Turn %d: %s %s", p->turn, piece_name(line, t->sc, names, p->unit), fate_text(line, p, u));
	if (u->kind != KIND_COMMANDER && p->after < p->before)
		put_causes(line, p, t->sc, names);
	buf_addc(line, '.');
	put_odds(line, p, u, t->replays);
	buf_printf(out, "%s\n", text_wrap(line, line->data, COLUMNS - 2, 2));
	talloc_free(line);
}

char *turning_text(TALLOC_CTX *mem, const struct turning *t, const struct state *names)
{
	struct buf *out = buf_new(mem);
	const struct turning_point *told[TURNING_POINTS];
	int count = 0;

	for (int i = 0; i < t->count; i++)
		told[count++] = &t->points[i];
	for (int i = 0; i < t->more_count && count < TURNING_POINTS; i++)
		told[count++] = &t->more[i];
	for (int left = count; left > 0; left--) {
		int next = 0;

		for (int i = 1; i < left; i++)
			if (told[i]->turn < told[next]->turn)
				next = i;
		put_point(out, t, told[next], names);
		for (int i = next; i + 1 < left; i++)
			told[i] = told[i + 1];
	}
	return buf_steal(mem, out);
}
