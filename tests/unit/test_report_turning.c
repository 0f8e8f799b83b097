/* The turning points: what is kept of replays, which five count, and how they are told. */
#include "report_fixture.h"

#include "report/turning.h"

/* A state of Falkirk's second turn in which that unit has so many bases. */
static struct state *with(TALLOC_CTX *mem, const struct scenario *sc, const char *code, int bases)
{
	struct state *s = state_copy(mem, sc->state);

	s->turn = 2;
	s->units[piece(sc, code)].bases = bases;
	return s;
}

/* Of 100 replays the unit ended `n[i]` with `bases[i]`. */
static void replay(struct turning *t, const struct scenario *sc, const char *code, const int *bases, const int *n)
{
	for (int i = 0; n[i] > 0; i++)
		for (int k = 0; k < n[i]; k++)
			turning_replay(t, with(t, sc, code, bases[i]));
}

static void volley(struct events *events, const struct scenario *sc, const char *by, const char *at, int hits)
{
	struct event *ev = events_add(events, EVENT_VOLLEY, by);

	ev->actor = piece(sc, by);
	event_object(ev, piece(sc, at));
	event_set(ev, NUM_HITS, hits);
}

static void test_worse(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = falkirk(mem);
	struct turning *t = turning_new(mem, sc);
	struct events *events = events_new(mem);

	(void)state;
	volley(events, sc, "b", "R", 1);
	volley(events, sc, "a", "R", 3);
	volley(events, sc, "c", "Q", 6);
	turning_begin_turn(t, with(mem, sc, "R", 6));
	replay(t, sc, "R", (int[]){6, 5, 2, 0}, (int[]){40, 45, 10, 5, 0});
	turning_end_turn(t, with(mem, sc, "R", 2), events);
	assert_int_equal(t->count, 1);
	/* 40 x 6 + 45 x 5 + 10 x 2 = 485 bases in all where 200 were left, two points each. */
	assert_int_equal(t->points[0].swing, 2 * (485 - 200));
	assert_string_equal(turning_text(mem, t, sc->state),
		"* Turn 2: Barrell's were brought from 6 bases down to 2 by Macdonalds\n"
		"  (Keppoch) and Macdonalds (Clanranald). In 100 replays it went so\n"
		"  badly for them, or worse, 15 times; most often they kept 5.\n");
	talloc_free(mem);
}

/* Guns fire first, with a hit each; the volleys after them did the most, and they are told. */
static void test_hardest_of_many(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = falkirk(mem);
	struct turning *t = turning_new(mem, sc);
	struct events *events = events_new(mem);

	(void)state;
	volley(events, sc, "d", "R", 1);
	volley(events, sc, "c", "R", 1);
	volley(events, sc, "b", "R", 2);
	volley(events, sc, "a", "R", 1);
	volley(events, sc, "a", "R", 2);
	volley(events, sc, "e", "R", 5);
	event_set(events->list[events->count - 1], NUM_SAVES, 4);
	turning_begin_turn(t, with(mem, sc, "R", 6));
	replay(t, sc, "R", (int[]){6, 0}, (int[]){95, 5, 0});
	turning_end_turn(t, with(mem, sc, "R", 0), events);
	assert_int_equal(t->count, 1);
	/* a: 1 + 2 = 3 hits, b: 2, c and d: 1 each; of e's 5 hits 4 were saved. */
	assert_int_equal(t->points[0].by_count, 2);
	assert_int_equal(t->points[0].by[0], piece(sc, "a"));
	assert_int_equal(t->points[0].by[1], piece(sc, "b"));
	talloc_free(mem);
}

static void test_better_and_commanders(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = falkirk(mem);
	struct turning *t = turning_new(mem, sc);
	struct events *none = events_new(mem);

	(void)state;
	turning_begin_turn(t, with(mem, sc, "R", 6));
	replay(t, sc, "R", (int[]){6, 0}, (int[]){1, 99, 0});
	turning_end_turn(t, with(mem, sc, "R", 6), none);
	turning_begin_turn(t, with(mem, sc, "Hu", 1));
	replay(t, sc, "Hu", (int[]){1, 0}, (int[]){83, 17, 0});
	turning_end_turn(t, with(mem, sc, "Hu", 0), none);
	assert_string_equal(turning_text(mem, t, sc->state),
		"* Turn 2: Barrell's kept all their 6 bases. In 100 replays that\n"
		"  happened once; most often they lost everything.\n"
		"* Turn 2: Maj. Gen. Huske fell. In 100 replays that happened 17 times.\n");
	talloc_free(mem);
}

/* What happens more often than not, and what a referee has said, is none. */
static void test_what_is_none(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = falkirk(mem);
	struct turning *t = turning_new(mem, sc);
	struct events *events = events_new(mem);
	struct event *ev = events_add(events, EVENT_RULING, "T2.move.R.ruling.1");

	(void)state;
	turning_begin_turn(t, with(mem, sc, "R", 6));
	replay(t, sc, "R", (int[]){6, 0}, (int[]){51, 49, 0});
	turning_end_turn(t, with(mem, sc, "R", 6), events_new(mem));
	ev->actor = piece(sc, "R");
	turning_begin_turn(t, with(mem, sc, "R", 6));
	replay(t, sc, "R", (int[]){6}, (int[]){100, 0});
	turning_end_turn(t, with(mem, sc, "R", 0), events);
	assert_int_equal(t->count, 0);
	assert_string_equal(turning_text(mem, t, sc->state), "");
	talloc_free(mem);
}

/* Two of a turn at most, five in all, the greatest of them, told in the order of the turns. */
static void test_five(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = falkirk(mem);
	struct turning *t = turning_new(mem, sc);

	(void)state;
	for (int turn = 1; turn <= 4; turn++) {
		struct state *before = with(t, sc, "R", 6), *after = with(t, sc, "R", turn);

		before->turn = turn;
		after->units[piece(sc, "Q")].bases = 5;
		after->units[piece(sc, "S")].bases = 2;
		turning_begin_turn(t, before);
		replay(t, sc, "R", (int[]){6}, (int[]){100, 0});
		turning_end_turn(t, after, events_new(mem));
	}
	/* R lost 5, 4, 3, 2 in the four turns, S 4 in each, Q 1. */
	assert_int_equal(t->count, TURNING_POINTS);
	assert_int_equal(t->points[0].swing, 2 * 500);
	for (int i = 1; i < TURNING_POINTS; i++) {
		assert_int_equal(t->points[i].swing, 2 * 400);
		assert_int_not_equal(t->points[i].unit, piece(sc, "Q"));
	}
	talloc_free(mem);
}

/* In a battle of one turn there are five all the same. */
static void test_short_battle(void **state)
{
	static const char *const codes[] = {"P", "Q", "R", "S", "N", "M"};
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = falkirk(mem);
	struct turning *t = turning_new(mem, sc);
	struct state *after = with(t, sc, "R", 6);
	const char *text, *at;
	int lines = 0;

	(void)state;
	for (int i = 0; i < 6; i++)
		after->units[piece(sc, codes[i])].bases = i;
	turning_begin_turn(t, with(t, sc, "R", 6));
	replay(t, sc, "R", (int[]){6}, (int[]){100, 0});
	turning_end_turn(t, after, events_new(mem));
	text = turning_text(mem, t, sc->state);
	for (at = text; (at = strstr(at, "* Turn 2: ")) != NULL; at++)
		lines++;
	assert_int_equal(lines, TURNING_POINTS);
	assert_non_null(
		strstr(text, "Howard's lost all their 6 bases. In 100 replays that never\n  happened; most often"));
	assert_non_null(
		strstr(text, "Munro's were brought from 6 bases down to 4. In 100 replays\n  it never went so badly"));
	assert_null(strstr(text, "Blakeney's")); /* M, who lost one base, is the sixth */
	talloc_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worse),
		cmocka_unit_test(test_hardest_of_many),
		cmocka_unit_test(test_better_and_commanders),
		cmocka_unit_test(test_what_is_none),
		cmocka_unit_test(test_five),
		cmocka_unit_test(test_short_battle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
