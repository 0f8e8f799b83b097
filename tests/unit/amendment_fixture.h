/* That a referee's change moves nothing that does not depend on it (DESIGN, Amendments): every event before the changed
 * one is the same, every die rolled both times has the same value, and a later event differs only where a piece that it
 * looked at does. Gives NULL, or in words what has moved. */
#ifndef GALLOPER_TESTS_AMENDMENT_FIXTURE_H
#define GALLOPER_TESTS_AMENDMENT_FIXTURE_H

#include "invariants_fixture.h"
#include "rules/ruleset.h"

#include <string.h>

static inline char *event_bytes(TALLOC_CTX *mem, struct event *ev)
{
	struct events one = {.list = &ev, .count = 1};

	return events_write(mem, &one, NULL);
}

static inline const struct event_die *find_die(const struct events *e, const char *name)
{
	for (int i = 0; i < e->count; i++)
		for (int d = 0; d < e->list[i]->dice_count; d++)
			if (strcmp(e->list[i]->dice[d].name, name) == 0)
				return &e->list[i]->dice[d];
	return NULL;
}

static inline char *moved_die(TALLOC_CTX *mem, const struct events *a, const struct events *b)
{
	for (int i = 0; i < a->count; i++)
		for (int d = 0; d < a->list[i]->dice_count; d++) {
			const struct event_die *die = &a->list[i]->dice[d], *same = find_die(b, die->name);

			if (same && !same->amended && same->value != die->value)
				return talloc_asprintf(mem, "the die %s has another value", die->name);
		}
	return NULL;
}

/* Pieces that differ between the two runs, as far as the phases' ends and the differing events show. */
static inline void taint_states(bool *tainted, const struct state *a, const struct state *b)
{
	for (int i = 0; i < a->count; i++)
		tainted[i] |= memcmp(&a->units[i], &b->units[i], sizeof a->units[i]) != 0 ||
			      state_locked(a, i) != state_locked(b, i);
	for (int i = 0; i < a->lock_count; i++)
		if (!state_locked_pair(b, a->locks[i].charger, a->locks[i].charged))
			tainted[a->locks[i].charger] = tainted[a->locks[i].charged] = true;
	for (int i = 0; i < b->lock_count; i++)
		if (!state_locked_pair(a, b->locks[i].charger, b->locks[i].charged))
			tainted[b->locks[i].charger] = tainted[b->locks[i].charged] = true;
}

static inline void taint_event(bool *tainted, const struct event *ev, const struct state *s)
{
	if (ev->actor >= 0)
		tainted[ev->actor] = true;
	for (int i = 0; i < ev->object_count; i++)
		tainted[ev->objects[i]] = true;
	/* Whoever was in melee with a piece that a referee has taken away is free. */
	for (int i = 0; ev->kind == EVENT_RULING && i < s->lock_count; i++)
		if (ev->actor == s->locks[i].charger || ev->actor == s->locks[i].charged)
			tainted[s->locks[i].charger] = tainted[s->locks[i].charged] = true;
	for (int i = 0; i < s->count; i++)
		if (s->units[i].with >= 0 && tainted[s->units[i].with])
			tainted[i] = true;
}

/* How many events a piece has had in the phase before that one; all from there on where it comes in an earlier phase
 * (the other side began). */
static inline int acts_before(const struct events *e, int first, const struct event *ev, int piece)
{
	int n = 0;

	for (int i = first; i < e->count && e->list[i] != ev; i++)
		n += e->list[i]->actor == piece;
	return n;
}

static inline bool saw_tainted(const bool *tainted, const struct event *ev)
{
	for (int i = 0; i < ev->seen_count; i++)
		if (tainted[ev->seen[i]])
			return true;
	return false;
}

/* Events may come under another key in the other run (a charge for no charge): then all that its actor did in that
 * phase counts. Where it did nothing there is nothing to tell what it looked at. */
static inline bool actor_saw_tainted(const bool *tainted, const struct events *e, int first, int end, int actor)
{
	bool any = false;

	for (int i = first; i < end; i++) {
		if (e->list[i]->actor != actor)
			continue;
		any = true;
		if (saw_tainted(tainted, e->list[i]))
			return true;
	}
	return !any;
}

enum { PHASES_MAX = 32 };

struct play {
	struct state *at[PHASES_MAX + 1]; /* before each phase, and after the last */
	struct events *events;
	int first[PHASES_MAX + 1];
};

static inline void play_turn(TALLOC_CTX *mem, struct play *p, const struct ruleset *rules, const struct scenario *sc,
	const struct state *before, const struct orderbook *book, struct amendments *a, const struct dice *dice)
{
	struct state *s = state_copy(mem, before);

	p->events = events_new(mem);
	for (int phase = 0; phase < rules->phase_count; phase++) {
		p->at[phase] = s;
		p->first[phase] = p->events->count;
		s = step(mem, rules, sc, s, book, a, dice, p->events);
	}
	p->at[rules->phase_count] = s;
	p->first[rules->phase_count] = p->events->count;
}

/* A piece that it looked at had acted in one run and not yet in the other (who waits may come later). */
static inline bool saw_other_moment(
	const struct play *a, const struct play *b, int phase, const struct event *ev, const struct event *other)
{
	for (int i = 0; other && i < other->seen_count; i++)
		if (acts_before(a->events, a->first[phase], ev, other->seen[i]) !=
			acts_before(b->events, b->first[phase], other, other->seen[i]))
			return true;
	for (int i = 0; other && i < ev->seen_count; i++)
		if (acts_before(a->events, a->first[phase], ev, ev->seen[i]) !=
			acts_before(b->events, b->first[phase], other, ev->seen[i]))
			return true;
	return false;
}

/* What only happens in the other run, down to that event of it, changes its pieces as well. */
static inline void taint_by_others(
	bool *tainted, const struct play *a, const struct play *b, int phase, const struct event *down_to)
{
	for (int i = b->first[phase]; i < b->first[phase + 1] && b->events->list[i] != down_to; i++)
		if (!events_find(a->events, b->events->list[i]->key))
			taint_event(tainted, b->events->list[i], b->at[phase]);
}

/* Every event of `a` before the amended one must be in `b`, byte for byte, and so must those after it that saw
 * nothing tainted. */
static inline char *compare_plays(
	TALLOC_CTX *mem, const struct ruleset *rules, const struct play *a, const struct play *b, const char *amended)
{
	bool *tainted = talloc_zero_array(mem, bool, (unsigned)a->at[0]->count);
	const struct event *target = events_find(a->events, amended);
	bool reached = false;

	for (int phase = 0; phase < rules->phase_count; phase++) {
		taint_states(tainted, a->at[phase], b->at[phase]);
		for (int i = a->first[phase]; i < a->first[phase + 1]; i++) {
			struct event *ev = a->events->list[i];
			const struct event *found = events_find(b->events, ev->key);
			struct event *other = NULL;

			for (int k = 0; k < b->events->count; k++)
				if (b->events->list[k] == found)
					other = b->events->list[k];
			reached = reached || ev == target;
			if (other && strcmp(event_bytes(mem, ev), event_bytes(mem, other)) == 0)
				continue;
			if (reached)
				taint_by_others(tainted, a, b, phase, other);
			if (!reached)
				return talloc_asprintf(mem, "%s: %s came before it and differs", amended, ev->key);
			if (ev != target && ev->actor >= 0 && !saw_tainted(tainted, ev) &&
				!saw_other_moment(a, b, phase, ev, other) &&
				!actor_saw_tainted(tainted, b->events, b->first[phase], b->first[phase + 1], ev->actor))
				return talloc_asprintf(
					mem, "%s: %s differs and saw nothing that does", amended, ev->key);
			taint_event(tainted, ev, a->at[phase]);
			if (other)
				taint_event(tainted, other, b->at[phase]);
		}
		taint_by_others(tainted, a, b, phase, NULL);
	}
	return NULL;
}

/* Whom a referee has taken off the table does nothing more in that turn. */
static inline char *acts_after_removal(TALLOC_CTX *mem, const struct play *p)
{
	bool *gone = talloc_zero_array(mem, bool, (unsigned)p->at[0]->count);

	for (int i = 0; i < p->events->count; i++) {
		const struct event *ev = p->events->list[i];

		if (ev->actor < 0 || ev->kind == EVENT_RULING_UNUSED || ev->kind == EVENT_DESTROYED)
			continue;
		if (ev->kind == EVENT_RULING)
			gone[ev->actor] = ev->has[NUM_AFTER] && ev->number[NUM_AFTER] == 0;
		else if (gone[ev->actor])
			return talloc_asprintf(mem, "%s: it was removed before", ev->key);
	}
	return NULL;
}

/* Nobody stands on another, wherever a referee has put him or brought him back. */
static inline char *stands_on_another(TALLOC_CTX *mem, const struct state *s)
{
	for (int i = 0; i < s->count; i++)
		for (int k = 0; k < i; k++) {
			const struct unit *a = &s->units[i], *b = &s->units[k];
			struct box small = shrunken(a->box);

			if (stands(a) && stands(b) && geo_overlap(&small, &b->box))
				return talloc_asprintf(mem, "%s stands on %s", a->code, b->code);
		}
	return NULL;
}

/* A piece that is gone when that event comes, the last of them; or any. */
static inline int gone_before(
	const struct events *events, const struct event *ev, unsigned pick, const struct state *before)
{
	int found = -1;

	for (int i = 0; i < before->count; i++)
		if (!unit_alive(&before->units[i]) && (found < 0 || pick % 2))
			found = i;
	for (int i = 0; i < events->count && events->list[i] != ev; i++)
		if (events->list[i]->kind == EVENT_DESTROYED)
			found = events->list[i]->actor;
	return found >= 0 ? found : (int)(pick % (unsigned)before->count);
}

/* Just before that event its actor, or another piece, goes or has other bases, is put where a third one began
 * the turn, or comes back. */
static inline void change_piece(struct amendments *list, const struct events *events, const struct event *ev,
	unsigned pick, const struct state *before)
{
	static const enum amendment_op ops[] = {AMEND_REMOVE, AMEND_BASES, AMEND_RESTORE, AMEND_PLACE};
	struct amendment *a = amendments_add(list, ops[pick % 4]);
	bool its_actor = pick / 4 % 2 && ev->actor >= 0;
	unsigned any = pick / 8;

	a->unit = a->op == AMEND_RESTORE ? gone_before(events, ev, any, before)
		  : its_actor            ? ev->actor
					 : (int)(any % (unsigned)before->count);
	a->value = before->units[a->unit].begun / 2;
	a->box = before->units[any / 2 % (unsigned)before->count].box;
	a->before = ev->key;
}

/* One change of a referee about that event, by `pick`: another number of hits or void; one of its dice; or of a
 * piece just before it. */
static inline void change_event(struct amendments *list, const struct events *events, const struct event *ev,
	unsigned pick, const struct state *before)
{
	struct amendment *a;

	if (pick % 3 == 1 && ev->dice_count > 0) {
		const struct event_die *die = &ev->dice[pick / 3 % (unsigned)ev->dice_count];

		a = amendments_add(list, AMEND_DIE);
		a->key = die->name;
		a->value = 1 + (int)(pick / 3 % (unsigned)die->sides);
	} else if (pick % 3 == 2) {
		change_piece(list, events, ev, pick / 3, before);
	} else {
		a = amendments_add(list, ev->dice_count && ev->has[NUM_HITS] ? AMEND_HITS : AMEND_VOID);
		a->value = (int)(pick / 3 % 6);
		a->key = ev->key;
	}
}

/* The `pick`-th event of the turn (modulo their number) is changed, then another one besides, which leaves the
 * first change as it was. */
static inline char *bad_amendment(TALLOC_CTX *mem, unsigned pick, const struct ruleset *rules,
	const struct scenario *sc, const struct state *before, const struct orderbook *book, const struct dice *dice)
{
	struct amendments *list = amendments_new(mem);
	struct play plain, changed, twice;
	const struct event *ev, *second;
	char *bad;

	play_turn(mem, &plain, rules, sc, before, book, NULL, dice);
	if (plain.events->count == 0)
		return NULL;
	ev = plain.events->list[pick % (unsigned)plain.events->count];
	change_event(list, plain.events, ev, pick / (unsigned)plain.events->count, before);
	play_turn(mem, &changed, rules, sc, before, book, list, dice);
	bad = moved_die(mem, plain.events, changed.events);
	if (bad == NULL)
		bad = acts_after_removal(mem, &changed);
	if (bad == NULL)
		bad = stands_on_another(mem, changed.at[rules->phase_count]);
	if (bad == NULL)
		bad = compare_plays(mem, rules, &plain, &changed, ev->key);
	if (bad != NULL)
		return bad;
	second = changed.events->list[(pick * 7 + 3) % (unsigned)changed.events->count];
	list->list[0]->used = 0;
	change_event(list, changed.events, second, pick / (unsigned)plain.events->count + 1, before);
	play_turn(mem, &twice, rules, sc, before, book, list, dice);
	bad = moved_die(mem, changed.events, twice.events);
	if (bad == NULL)
		bad = stands_on_another(mem, twice.at[rules->phase_count]);
	return bad ? bad : compare_plays(mem, rules, &changed, &twice, second->key);
}

#endif
