/* Long plays with random orders: nothing that the rulings forbid may ever come about, a turn may be saved between any
 * two phases, and a referee's change moves nothing that does not depend on it. */
#include "rules/ruleset.h"
#include "service/battles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { BATTLES = 2, TURNS = 7 };

struct chance {
	uint64_t state;
};

static int pick(struct chance *c, int below)
{
	c->state = c->state * 6364136223846793005U + 1442695040888963407U;
	return (int)((c->state >> 33) % (uint64_t)below);
}

static struct clause *add(struct orderbook *book, int unit, enum clause_kind kind)
{
	struct clause **end = &book->units[unit].clauses;

	while (*end)
		end = &(*end)->next;
	*end = talloc_zero(book, struct clause);
	(*end)->kind = kind;
	return *end;
}

static int enemy_of(struct chance *c, const struct state *s, int unit)
{
	int other;

	do
		other = pick(c, s->count);
	while (s->units[other].side == s->units[unit].side);
	return other;
}

static void random_move(struct chance *c, struct orderbook *book, const struct state *s, int unit)
{
	struct clause *move = add(book, unit, CLAUSE_MOVE);

	move->leg_count = 1 + pick(c, 3) / 2;
	move->legs = talloc_zero_array(book, struct leg, 2);
	for (int i = 0; i < move->leg_count; i++) {
		struct leg *leg = &move->legs[i];

		leg->kind = (enum leg_kind)(pick(c, 3) ? LEG_TOWARD : pick(c, 4));
		leg->heading = (struct heading){pick(c, 2), pick(c, 360)};
		leg->place = (struct point){pick(c, 90000), pick(c, 60000)};
		leg->unit = enemy_of(c, s, unit);
		leg->distance = pick(c, 2) ? 0 : pick(c, 7000);
	}
}

static void random_orders(struct chance *c, struct orderbook *book, const struct state *s, int unit)
{
	struct clause *clause;

	if (s->units[unit].kind == KIND_COMMANDER) {
		do
			clause = pick(c, 4) ? add(book, unit, CLAUSE_JOIN) : add(book, unit, CLAUSE_LEAVE);
		while (pick(c, 8) == 0);
		clause->unit = pick(c, s->count);
		return;
	}
	if (pick(c, 3) == 0) {
		clause = add(book, unit, CLAUSE_FACE);
		clause->face = (struct face){.kind = (enum face_kind)pick(c, 5),
			.heading = {pick(c, 2), pick(c, 360)},
			.unit = enemy_of(c, s, unit),
			.degrees = pick(c, 181) - 90};
	}
	if (pick(c, 5))
		random_move(c, book, s, unit);
	if (pick(c, 2)) {
		clause = add(book, unit, CLAUSE_CHARGE);
		clause->targets = talloc_zero(book, struct target);
		clause->target_count = 1;
		*clause->targets = pick(c, 3) ? (struct target){.kind = TARGET_NEAREST}
					      : (struct target){.kind = TARGET_UNIT, .unit = enemy_of(c, s, unit)};
	}
}

static struct orderbook *random_book(TALLOC_CTX *mem, struct chance *c, const struct state *s)
{
	struct orderbook *book = orderbook_new(mem, s);

	for (int i = 0; i < s->count; i++)
		if (unit_alive(&s->units[i]) && pick(c, 8))
			random_orders(c, book, s, i);
	return book;
}

static bool stands(const struct unit *u)
{
	return unit_alive(u) && !(u->kind == KIND_COMMANDER && u->with >= 0);
}

/* Deeper than FP9 lets them touch, rounding of places apart. */
static bool overlap(struct box a, const struct box *b)
{
	enum { ROUNDING = 3 };

	a.front = geo_step(a.front, a.facing, -ROUNDING);
	a.width -= 2 * ROUNDING;
	a.depth -= 2 * ROUNDING;
	return geo_overlap(&a, b);
}

/* FP9, FP14, FP20, FP43, FP81. */
static void check_state(const struct scenario *sc, const struct state *s)
{
	struct point low = {-OVERLAP_TOLERANCE, -OVERLAP_TOLERANCE};
	struct point high = {sc->table.width + OVERLAP_TOLERANCE, sc->table.height + OVERLAP_TOLERANCE};

	for (int i = 0; i < s->count; i++) {
		const struct unit *a = &s->units[i];

		assert_true(!unit_is_formed(a) || a->bases != 1);
		if (a->with >= 0) {
			assert_true(unit_alive(&s->units[a->with]));
			assert_memory_equal(&a->box.front, &s->units[a->with].box.front, sizeof a->box.front);
		}
		if (!stands(a))
			continue;
		assert_true(geo_within(&a->box, low, high));
		for (int k = i + 1; k < s->count; k++)
			if (stands(&s->units[k]) && overlap(a->box, &s->units[k].box))
				fail_msg("turn %d phase %d: %s (%d,%d facing %d) and %s (%d,%d facing %d) overlap",
					s->turn, s->next_phase, a->id, a->box.front.x, a->box.front.y, a->box.facing,
					s->units[k].id, s->units[k].box.front.x, s->units[k].box.front.y,
					s->units[k].box.facing);
	}
	for (int i = 0; i < s->lock_count; i++) {
		assert_true(unit_alive(&s->units[s->locks[i].charger]));
		assert_true(unit_alive(&s->units[s->locks[i].charged]));
	}
}

/* FP15, FP18, FP21, of one Move phase. */
static void check_moves(const struct scenario *sc, const struct state *before, const struct state *after, int side)
{
	int32_t foot = parameters_get(sc->parameters, "infantry-move"),
		horse = parameters_get(sc->parameters, "horse-move");

	for (int i = 0; i < before->count; i++) {
		const struct unit *u = &before->units[i], *v = &after->units[i];
		int32_t travel = geo_corner_travel(&u->box, &v->box);

		if (u->kind == KIND_COMMANDER || !unit_alive(u))
			continue;
		assert_true(travel == 0 || (int)u->side == side);
		assert_true(travel == 0 || !state_locked(before, i));
		assert_true(travel <= (unit_is_horse(u) ? horse : foot) + 1);
		for (int k = 0; travel > 0 && k < before->count; k++) {
			const struct unit *e = &before->units[k];
			int32_t now;

			if (e->side == u->side || !unit_alive(e) || e->kind == KIND_COMMANDER)
				continue;
			now = geo_distance(&v->box, &e->box);
			if (now + 1 < 1000 && now + 1 < geo_distance(&u->box, &e->box)) /* but for rounding */
				fail_msg("turn %d: %s comes from %d to %d of %s", before->turn, u->id,
					geo_distance(&u->box, &e->box), now, e->id);
		}
	}
}

/* A step through its canonical bytes is the same step. */
static struct state *save_and_load(TALLOC_CTX *mem, const struct state *s)
{
	struct state *copy = NULL;
	size_t len;
	char *bytes = state_write(mem, s, &len);

	assert_null(state_read(mem, bytes, len, &copy));
	return copy;
}

/* --- a referee's changes --- */

static char *event_bytes(TALLOC_CTX *mem, struct event *ev)
{
	struct events one = {.list = &ev, .count = 1};

	return events_write(mem, &one, NULL);
}

static const struct event_die *find_die(const struct events *e, const char *name)
{
	for (int i = 0; i < e->count; i++)
		for (int d = 0; d < e->list[i]->dice_count; d++)
			if (strcmp(e->list[i]->dice[d].name, name) == 0)
				return &e->list[i]->dice[d];
	return NULL;
}

static void check_dice(const struct events *a, const struct events *b)
{
	for (int i = 0; i < a->count; i++)
		for (int d = 0; d < a->list[i]->dice_count; d++) {
			const struct event_die *die = &a->list[i]->dice[d], *same = find_die(b, die->name);

			assert_true(!same || same->amended || same->value == die->value);
		}
}

/* Pieces that differ between the two runs, as far as the phases' ends and the differing events show. */
static void taint_states(bool *tainted, const struct state *a, const struct state *b)
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

static void taint_event(bool *tainted, const struct event *ev, const struct state *s)
{
	if (ev->actor >= 0)
		tainted[ev->actor] = true;
	for (int i = 0; i < ev->object_count; i++)
		tainted[ev->objects[i]] = true;
	for (int i = 0; i < s->count; i++)
		if (s->units[i].with >= 0 && tainted[s->units[i].with])
			tainted[i] = true;
}

/* How many events a piece has had in the phase before that one. */
static int acts_before(const struct events *e, int first, const struct event *ev, int piece)
{
	int n = 0;

	for (int i = first; e->list[i] != ev; i++)
		n += e->list[i]->actor == piece;
	return n;
}

static bool saw_tainted(const bool *tainted, const struct event *ev)
{
	for (int i = 0; i < ev->seen_count; i++)
		if (tainted[ev->seen[i]])
			return true;
	return false;
}

/* Events may come under another key in the other run (a charge for no charge): then all that its actor did in that
 * phase counts. Where it did nothing there is nothing to tell what it looked at. */
static bool actor_saw_tainted(const bool *tainted, const struct events *e, int first, int end, int actor)
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

struct play {
	struct state *at[16]; /* before each phase, and after the last */
	struct events *events;
	int first[16];
};

static void play_turn(TALLOC_CTX *mem, struct play *p, const struct ruleset *rules, const struct scenario *sc,
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
static bool saw_other_moment(
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

/* Every event of `a` from `from` on that saw nothing tainted must be in `b`, byte for byte. */
static void compare_plays(
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
			if (other && strcmp(event_bytes(mem, ev), event_bytes(mem, other)) == 0)
				continue;
			if (ev == target)
				reached = true;
			else if (!reached)
				fail_msg("%s: %s came before it and differs", amended, ev->key);
			else if (ev->actor >= 0 && !saw_tainted(tainted, ev) &&
				 !saw_other_moment(a, b, phase, ev, other) &&
				 !actor_saw_tainted(
					 tainted, b->events, b->first[phase], b->first[phase + 1], ev->actor))
				fail_msg("%s: %s differs and saw nothing that does", amended, ev->key);
			taint_event(tainted, ev, a->at[phase]);
			if (other)
				taint_event(tainted, other, b->at[phase]);
		}
		/* What only happens in the other run changes its pieces as well. */
		for (int i = b->first[phase]; i < b->first[phase + 1]; i++)
			if (!events_find(a->events, b->events->list[i]->key))
				taint_event(tainted, b->events->list[i], b->at[phase]);
	}
}

static void try_amendment(struct chance *c, const struct ruleset *rules, const struct scenario *sc,
	const struct state *before, const struct orderbook *book, const struct dice *dice)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct amendments *list = amendments_new(mem);
	struct play plain, changed;
	const struct event *ev;
	struct amendment *a;

	play_turn(mem, &plain, rules, sc, before, book, NULL, dice);
	if (plain.events->count == 0) {
		talloc_free(mem);
		return;
	}
	ev = plain.events->list[pick(c, plain.events->count)];
	if (ev->dice_count && ev->has[NUM_HITS]) {
		a = amendments_add(list, AMEND_HITS);
		a->value = pick(c, 6);
	} else {
		a = amendments_add(list, AMEND_VOID);
	}
	a->key = ev->key;
	play_turn(mem, &changed, rules, sc, before, book, list, dice);
	check_dice(plain.events, changed.events);
	compare_plays(mem, rules, &plain, &changed, ev->key);
	talloc_free(mem);
}

/* --- the plays --- */

static void play(const char *battle, uint64_t seed, const char *const *settings)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct chance c = {seed};
	struct scenario *sc;
	const struct ruleset *rules;
	struct dice dice;
	struct state *s;

	assert_null(battle_load(mem, battle, NULL, &sc, &rules));
	for (; *settings; settings += 2)
		for (int i = 0; i < sc->parameters->count; i++)
			if (strcmp(sc->parameters->defs[i].name, settings[0]) == 0)
				sc->parameters->values[i] = settings[1][0] - '0';
	dice_from_number(&dice, seed);
	s = state_copy(mem, sc->state);
	for (int turn = 0; turn < TURNS && s->winner == WINNER_OPEN; turn++) {
		struct orderbook *book = random_book(mem, &c, s);
		struct events *events = events_new(mem);
		struct state *whole = resolve_turn(mem, rules, sc, s, book, NULL, &dice, events);
		struct events *stepped = events_new(mem);

		for (int k = 0; k < 2; k++)
			try_amendment(&c, rules, sc, s, book, &dice);
		for (int phase = 0; phase < rules->phase_count; phase++) {
			struct state *next = step(mem, rules, sc, save_and_load(mem, s), book, NULL, &dice, stepped);

			check_state(sc, next);
			if (strcmp(rules->phases[phase].key, "move") == 0)
				check_moves(sc, s, next, rules->phases[phase].side);
			s = next;
		}
		assert_string_equal(state_digest(mem, whole), state_digest(mem, s));
		assert_string_equal(events_write(mem, events, NULL), events_write(mem, stepped, NULL));
	}
	talloc_free(mem);
}

static void test_falkirk(void **unused)
{
	static const char *const none[] = {NULL};

	(void)unused;
	for (uint64_t seed = 1; seed <= BATTLES; seed++)
		play("falkirk", seed, none);
}

/* Ground counts, and the Government's foot is tested. */
static void test_falkirk_on_ground(void **unused)
{
	static const char *const settings[] = {"terrain", "1", "fire-at-chargers", "1", "wet-powder", "0", NULL};

	(void)unused;
	for (uint64_t seed = 101; seed <= 100 + BATTLES; seed++)
		play("falkirk", seed, settings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_falkirk),
		cmocka_unit_test(test_falkirk_on_ground),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
