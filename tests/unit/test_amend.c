/* The referee's desk: who may change a turn, and what comes of a change, by mail and by `galloper referee`. */
#include "desk_fixture.h"

#include "service/audit.h"

/* All that a command may change. */
static const char *snapshot(struct played *t)
{
	return talloc_asprintf(t, "%d turns, %d released, revision %d, digest %s",
		(int)number(t, "SELECT count(*) FROM turn"), (int)number(t, "SELECT count(*) FROM released"),
		(int)number(t, "SELECT sum(revision) FROM game"), last(t)->row->digest);
}

/* --- refusals --- */

static void test_nothing_resolved_yet(void **state)
{
	struct played *t = played_new("");
	struct desk_answer a = referee(t, "AMEND 1 VOID BECAUSE so\nRELEASE\nWHY 1");

	(void)state;
	assert_true(a.refused);
	expect_says(a.text, "No turn has been resolved yet");
	expect_says(a.text, "RELEASE: no turn");
	assert_int_equal(number(t, "SELECT count(*) FROM turn"), 0);
	played_end(t);
}

/* From a player's address; and from the referee's own without token or key. */
static void test_who_may(void **state)
{
	struct played *t = turn_one("off");
	const char *before = snapshot(t);

	(void)state;
	put_mail(t, ANN, FRIDAY + 2 * MINUTE, "AMEND 1 VOID BECAUSE so\nREMOVE c BECAUSE so\nRELEASE\n");
	pass_at(t, FRIDAY + 3 * MINUTE);
	assert_string_equal(snapshot(t), before);
	put_from(t, "head@oakfield.example", FRIDAY + 3 * MINUTE, "hello", "GAME falkirk-7b\nREMOVE c BECAUSE so");
	pass_at(t, FRIDAY + 4 * MINUTE);
	assert_string_equal(snapshot(t), before);
	assert_int_equal(number(t, "SELECT count(*) FROM mail WHERE state = 'rejected'"), 1);
	played_end(t);
}

/* What cannot be taken back is not done while anything about it is in doubt. */
static void test_far_reaching(void **state)
{
	static const char *const unclear[] = {"DEADLINE yesterday\nRESOLVE", "DEADLINE yesterday\nVERDICT draw",
		"VERDICT the English lost to the Jacobites", "VERDICT the English lost",
		"VERDICT the English did not win", "VERDICT the English won and the Jacobites won"};
	struct played *t = plain_game("off");
	struct game old;

	(void)state;
	pass_at(t, MONDAY + MINUTE);
	for (size_t i = 0; i < sizeof unclear / sizeof *unclear; i++) {
		assert_true(referee(t, unclear[i]).refused);
		assert_int_equal(t->game->turn, 1);
		assert_string_equal(t->game->status, "running");
	}
	old = *t->game;
	referee(t, "RESOLVE");
	assert_int_equal(t->game->turn, 2);
	/* Another process had looked at turn 1 as well. */
	assert_non_null(desk_resolve(t->s, t, &old, 0));
	assert_int_equal(number(t, "SELECT turn FROM game"), 2);
	assert_true(referee(t, "DEADLINE yesterday\nROLLBACK TO TURN 1 BECAUSE of this").refused);
	assert_int_equal(t->game->turn, 2);
	referee(t, "VERDICT after the English attack failed, the Jacobites win");
	assert_string_equal(t->game->status, "ended");
	assert_int_equal(last(t)->after->winner, WINNER_JACOBITE);
	played_end(t);
}

/* --- amendments --- */

/* VOID of a volley by its number: no hits and no losses by it, its dice as they fell; UNDO brings it back. */
static void test_void_of_a_volley(void **state)
{
	struct played *t = turn_one("on");
	struct resolved *plain = last(t), *now;
	const struct event *ev, *after;
	int n = 1, target, lost;

	(void)state;
	while (plain->events->list[n - 1]->kind != EVENT_VOLLEY || plain->events->list[n - 1]->number[NUM_HITS] == 0)
		assert_true(++n <= plain->events->count);
	ev = plain->events->list[n - 1];
	target = ev->objects[0];
	lost = ev->number[NUM_BEFORE] - ev->number[NUM_AFTER];
	assert_int_equal(lost, ev->number[NUM_HITS]);
	assert_false(referee(t, talloc_asprintf(t, "AMEND %d VOID BECAUSE of the fog", n)).refused);
	now = last(t);
	after = events_find(now->events, ev->key);
	assert_int_equal(after->number[NUM_HITS], 0);
	assert_int_equal(after->dice_count, ev->dice_count);
	for (int i = 0; i < ev->dice_count; i++)
		assert_int_equal(after->dice[i].value, ev->dice[i].value);
	assert_int_equal(now->after->units[target].bases, plain->after->units[target].bases + lost);
	assert_false(referee(t, "UNDO").refused);
	assert_string_equal(last(t)->row->digest, plain->row->digest);
	played_end(t);
}

static void test_amendments_survive_each_other(void **state)
{
	struct played *t = turn_one("off");
	struct resolved *plain = last(t), *now;
	int n = volley(plain, 2);
	const struct event *ev = plain->events->list[n - 1];
	struct desk_answer a;

	(void)state;
	/* "=" or not, any case, and a comma before the reason. */
	a = referee(t, talloc_asprintf(t, "amend %d hits = 2, because they stood closer", n));
	assert_false(a.refused);
	expect_says(a.text, "hits = 2: done.");
	expect_says(a.text, "So the referee rules, because they stood closer.");
	a = referee(t, "REMOVE Hu BEFORE 1 BECAUSE he was ill");
	assert_false(a.refused);
	now = last(t);
	/* His removal comes first, so that all numbers have moved on; the volley is still amended. */
	assert_int_equal(now->amendments->count, 2);
	assert_int_equal(now->row->resolution, 3);
	assert_int_equal(now->events->list[0]->kind, EVENT_RULING);
	assert_int_equal(events_find(now->events, ev->key)->number[NUM_HITS], 2);
	/* The same thing again takes the place of what was said before. */
	a = referee(t, talloc_asprintf(t, "AMEND %s HITS 1 BECAUSE after all", ev->key));
	assert_false(a.refused);
	now = last(t);
	assert_int_equal(now->amendments->count, 2);
	assert_int_equal(events_find(now->events, ev->key)->number[NUM_HITS], 1);
	/* One whose event no longer happens is kept, and reported. */
	a = referee(t, talloc_asprintf(
			       t, "REMOVE %s BEFORE T1.move.A.move.1 BECAUSE gone", now->after->units[ev->actor].code));
	assert_false(a.refused);
	expect_says(a.text, "WITHOUT EFFECT NOW");
	expect_says(a.text, ev->key);
	assert_int_equal(last(t)->amendments->count, 3);
	played_end(t);
}

static void test_numbers(void **state)
{
	struct events events = {.count = 0};
	TALLOC_CTX *mem = talloc_new(NULL);

	(void)state;
	assert_string_equal(resolved_numbers_text(mem, 2, &events), "turn 2 has no events");
	events.count = 1;
	assert_string_equal(resolved_numbers_text(mem, 2, &events), "turn 2 has one event, number 1");
	events.count = 17;
	assert_string_equal(resolved_numbers_text(mem, 2, &events), "the events of turn 2 are numbered 1 to 17");
	talloc_free(mem);
}

/* By mail: the numbers are those of the mail that is answered, also after another amendment. */
static void test_numbers_of_the_answered_mail(void **state)
{
	struct played *t = turn_one("on");
	struct resolved *plain = last(t);
	int n = volley(plain, 2);
	const char *key = plain->events->list[n - 1]->key;
	struct outgoing *sent;

	(void)state;
	expect_ok(store_last_mail(t->s->store, t, t->players.list[HEAD].id, "review", 0, &sent));
	assert_int_equal(sent->shows, plain->row->id);
	put_mail(t, HEAD, FRIDAY + 2 * MINUTE, "SET Hu BASES 9 BECAUSE x\nREMOVE Hu BEFORE 1 BECAUSE he was ill");
	pass_at(t, FRIDAY + 3 * MINUTE);
	assert_int_equal(last(t)->row->resolution, 2);
	assert_string_not_equal(last(t)->events->list[n - 1]->key, key);
	put_from(t, "head@oakfield.example", FRIDAY + 4 * MINUTE,
		talloc_asprintf(t, "Re: %s\nIn-Reply-To: %s", tag_of(t, HEAD), sent->message_id),
		talloc_asprintf(t, "AMEND %d HITS 2 BECAUSE the first review says so", n));
	pass_at(t, FRIDAY + 5 * MINUTE);
	assert_int_equal(events_find(last(t)->events, key)->number[NUM_HITS], 2);
	assert_int_equal(count_mails(t, "report", "Turn 1"), 0);
	played_end(t);
}

/* Both sides have a gun 1: what all read says which one is meant, and what is to be copied is understood. */
static void test_guns(void **state)
{
	static const struct {
		const char *typed, *says;
	} steps[] = {
		{"RESOLVE", "Turn 1 is resolved"},
		{"REMOVE English gun 1 BECAUSE it broke", "REMOVE English gun 1: done."},
		{"REMOVE English gun 1 BECAUSE it broke", "British gun 1 is gone already"},
		{"PLACE English gun 1 AT D4 BECAUSE so",
			"British gun 1 is gone. To put it back write: RESTORE British gun 1 BECAUSE"},
		{"RESTORE British gun 1 BECAUSE so", "RESTORE British gun 1: done."},
		{"REMOVE Jacobite gun 1 BECAUSE it broke", "REMOVE Jacobite gun 1: done."},
	};
	struct played *t = played_new("");
	struct new_game n = weekly_game("culloden-7b", "culloden");
	struct game *g;

	(void)state;
	expect_ok(enrol_game(t->s, t, &n, &g));
	expect_ok(enrol_start(t->s, t, g));
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		struct desk_answer a;

		expect_ok(desk_referee(t->s, t, g, steps[i].typed, &a));
		expect_says(a.text, steps[i].says);
	}
	assert_true(count_mails(t, "report", "Jacobite gun 1 is taken off") == 3);
	assert_int_equal(count_mails(t, "report", "Cannon 1"), 0);
	played_end(t);
}

/* BEFORE 1 where number 1 is a change that was made there already. */
static void test_before_a_ruling(void **state)
{
	struct played *t = turn_one("on");

	(void)state;
	assert_false(referee(t, "REMOVE Hu BEFORE 1 BECAUSE he was ill").refused);
	assert_int_equal(last(t)->events->list[0]->kind, EVENT_RULING);
	assert_false(referee(t, "SET R BASES 3 BEFORE 1 BECAUSE so").refused);
	assert_int_equal(last(t)->events->list[1]->kind, EVENT_RULING);
	played_end(t);
}

static int bases_after(struct played *t, const char *code)
{
	const struct state *s = last(t)->after;

	return s->units[state_find_code(s, code, -1)].bases;
}

/* Changes of one moment are made in the order in which the referee wrote them last, and the turn is played again from
 * there; of what stands already nobody hears twice. */
static void test_written_again(void **state)
{
	struct played *t = turn_one("on");
	struct audit audit;
	const char *event;

	(void)state;
	assert_false(referee(t, "SET A BASES 4 BEFORE 2 BECAUSE so").refused);
	event = last(t)->amendments->list[0]->before;
	assert_false(referee(t, talloc_asprintf(t, "REMOVE A BEFORE %s BECAUSE so", event)).refused);
	assert_int_equal(bases_after(t, "A"), 0);
	assert_false(referee(t, talloc_asprintf(t, "SET A BASES 4 BEFORE %s BECAUSE so", event)).refused);
	assert_int_equal(bases_after(t, "A"), 4);
	expect_says(referee(t, talloc_asprintf(t, "SET A BASES 4 BEFORE %s BECAUSE so", event)).text,
		"that stands already. Nothing was done.");
	expect_ok(audit_verify(t->s, t, t->game, &audit));
	assert_int_equal(audit.faults, 0);
	assert_int_equal(audit.rows[0].resolutions, 4);
	played_end(t);
}

static void test_all_resolutions_verify(void **state)
{
	struct played *t = turn_one("on");
	struct audit audit;

	(void)state;
	referee(t, "REMOVE Hu BEFORE 1 BECAUSE he was ill\nORDER E: R: hold BECAUSE so\nRELEASE");
	expect_ok(audit_verify(t->s, t, t->game, &audit));
	assert_int_equal(audit.faults, 0);
	assert_int_equal(audit.rows[0].resolutions, 3);
	expect_ok(sql_script(
		t->s->store, t, "DROP TRIGGER turn_stays; UPDATE turn SET digest = 'abc' WHERE resolution = 2"));
	expect_ok(audit_verify(t->s, t, t->game, &audit));
	assert_int_equal(audit.faults, 1);
	played_end(t);
}

/* A change takes the turn up again before the phase in which it acts: what lies before is left alone, and it comes to
 * what the whole turn comes to. */
static void taken_up_again(const char *rules)
{
	struct played *t = turn_one_under(rules, "on");
	const struct events *events = last(t)->events;
	const struct event *ev = NULL;
	int n = 0;

	for (int i = 0; i < events->count; i++)
		if (events->list[i]->dice_count > 0 && events->list[i]->actor >= 0) {
			ev = events->list[i];
			n = i + 1;
		}
	assert_non_null(ev);

	const struct {
		const char *command;
		int phase; /* what lies before it is left alone */
	} cases[] = {
		{"SET R BASES 2 BECAUSE so", 99},
		{talloc_asprintf(
			 t, "DIE %s = %d BECAUSE so", ev->dice[0].name, ev->dice[0].sides + 1 - ev->dice[0].value),
			ev->phase},
		{"SET R BASES 1 BECAUSE so", 99},
		{talloc_asprintf(t, "KILL Hu BEFORE %d BECAUSE so", n), ev->phase},
		{"UNDO 2", ev->phase},
		{"ORDER E: R: hold BECAUSE so", 0},
		{"UNDO", 0},
	};
	struct audit audit;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int64_t left = number(
			t, talloc_asprintf(t, "SELECT count(*) FROM turn_phase WHERE phase <= %d", cases[i].phase));

		expect_ok(sql_run(t->s->store, t, "UPDATE turn_phase SET rowid = 100 * rowid", ""));
		assert_false(referee(t, cases[i].command).refused);
		assert_int_equal(number(t, "SELECT count(*) FROM turn_phase WHERE rowid % 100 = 0"), left);
		expect_ok(audit_verify(t->s, t, t->game, &audit));
		assert_int_equal(audit.faults, 0);
	}
	played_end(t);
}

static void test_taken_up_again(void **state)
{
	(void)state;
	taken_up_again("fastplay");
	taken_up_again("shreds");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_resolved_yet),
		cmocka_unit_test(test_who_may),
		cmocka_unit_test(test_far_reaching),
		cmocka_unit_test(test_void_of_a_volley),
		cmocka_unit_test(test_amendments_survive_each_other),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_numbers_of_the_answered_mail),
		cmocka_unit_test(test_guns),
		cmocka_unit_test(test_before_a_ruling),
		cmocka_unit_test(test_written_again),
		cmocka_unit_test(test_all_resolutions_verify),
		cmocka_unit_test(test_taken_up_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
