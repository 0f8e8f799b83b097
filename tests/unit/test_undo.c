/* The referee's desk: changes that are taken back, and what the players hear of them. */
#include "desk_fixture.h"

#include "service/audit.h"

/* The latest first or by number; what a change had replaced counts again; the record keeps all of it. */
static void test_undo(void **state)
{
	struct played *t = turn_one("on");
	struct resolved *plain = last(t);
	int n = volley(plain, 2);
	const char *key = plain->events->list[n - 1]->key;
	struct desk_answer a;
	struct audit audit;

	(void)state;
	assert_true(referee(t, "UNDO").refused);
	referee(t, talloc_asprintf(t, "AMEND %s HITS 2 BECAUSE they stood closer", key));
	referee(t, "SET R BASES 3 BECAUSE we counted wrong");
	a = referee(t, talloc_asprintf(t, "AMEND %s HITS 1 BECAUSE after all", key));
	expect_says(a.text, "2. SET R BASES 3");
	expect_says(a.text, "UNDO takes back the last of them");
	expect_says(referee(t, "UNDO 1").text, "Take that one back first: UNDO 3.");
	assert_int_equal(events_find(last(t)->events, key)->number[NUM_HITS], 1);
	assert_false(referee(t, "undo that please").refused);
	assert_int_equal(events_find(last(t)->events, key)->number[NUM_HITS], 2);
	assert_false(referee(t, "undo my change 1 BECAUSE of a mistake").refused);
	assert_int_equal(
		events_find(last(t)->events, key)->number[NUM_HITS], events_find(plain->events, key)->number[NUM_HITS]);
	expect_says(referee(t, "UNDO 3").text, "2. SET R BASES 3");
	assert_false(referee(t, "Undo").refused);
	assert_string_equal(last(t)->row->digest, plain->row->digest);
	assert_int_equal(last(t)->row->resolution, 7);
	assert_true(referee(t, "UNDO").refused);
	assert_int_equal(number(t, "SELECT count(*) FROM act WHERE what = 'UNDO 3'"), 1);
	assert_int_equal(number(t, "SELECT count(*) FROM act WHERE what = 'UNDO 1' AND reason = 'of a mistake'"), 1);
	expect_says(referee(t, "AMEND 15 UNDO").text, "write UNDO alone");
	expect_ok(audit_verify(t->s, t, t->game, &audit));
	assert_int_equal(audit.faults, 0);
	played_end(t);
}

/* Orders, and of a turn that the players know: they get the corrected report again. */
static void test_undo_after_release(void **state)
{
	struct played *t = turn_one("off");
	struct resolved *plain = last(t);

	(void)state;
	assert_false(referee(t, "ORDER E: R: hold BECAUSE the mail was lost").refused);
	assert_string_not_equal(last(t)->row->orders, plain->row->orders);
	assert_int_equal(count_mails(t, "report", "Corrected: "), 3);
	assert_false(referee(t, "UNDO BECAUSE it came too late").refused);
	assert_string_equal(last(t)->row->digest, plain->row->digest);
	assert_string_equal(last(t)->row->orders, plain->row->orders);
	assert_int_equal(count_mails(t, "report", "Corrected: "), 6);
	assert_int_equal(count_mails(t, "report", "takes back the change ORDER E: R: hold"), 3);
	played_end(t);
}

/* The orders in force for the open turn. */
static const char *orders_now(struct played *t)
{
	struct board *b;
	char *text;

	expect_ok(board_load(t->s, t, t->game, &b));
	expect_ok(desk_orders(t->s, t, b, &text));
	return text;
}

/* A standing order stops with VOID ORDERS for the turn in which it was given, and UNDO brings it back; what ORDER makes
 * stand for later goes with UNDO. */
static void test_standing(void **state)
{
	static const char *const voids[] = {"VOID ORDERS E R BECAUSE so", "VOID ORDERS E BECAUSE so"};
	struct played *t = plain_game("off");

	(void)state;
	put_mail(t, ANN, MONDAY + MINUTE, "standing R: advance 1");
	pass_at(t, MONDAY + HOUR);
	pass_at(t, FRIDAY + MINUTE);
	expect_says(orders_now(t), "R: move 1 forward");
	for (int i = 0; i < 2; i++) {
		assert_false(referee(t, voids[i]).refused);
		assert_null(strstr(orders_now(t), "R: move 1 forward"));
		expect_says(referee(t, "UNDO").text, "also what it had entered for later");
		expect_says(orders_now(t), "R: move 1 forward");
	}
	expect_says(referee(t, "ORDER E: standing R: advance 2 BECAUSE so").text, "for later is entered");
	expect_says(orders_now(t), "R: move 2 forward");
	assert_false(referee(t, "UNDO").refused);
	expect_says(orders_now(t), "R: move 1 forward");
	/* Where nothing stands nothing is entered. */
	assert_false(referee(t, "VOID ORDERS E R BECAUSE so\nORDER E: R: advance 3 BECAUSE so").refused);
	assert_int_equal(number(t, "SELECT count(*) FROM sheet WHERE referee IS NOT NULL"), 1);
	played_end(t);
}

/* Takes so many English units off the table that they break, which ends the battle. */
static const char *end_of_the_english(struct played *t)
{
	const struct state *s = last(t)->after;
	char *text = talloc_strdup(t, "");

	for (int i = 0; i < s->count; i++)
		if (s->units[i].side == SIDE_GOVERNMENT && unit_is_formed(&s->units[i]) && s->units[i].code[0] < 'N')
			text = talloc_asprintf_append(text, "REMOVE %s BEFORE 1 BECAUSE they ran\n", s->units[i].code);
	return text;
}

/* A change of a turn that all know ends the battle: nobody hears of it before RELEASE, and UNDO takes it back. */
static void test_end_held_back(void **state)
{
	struct played *t = turn_one("off");
	int64_t deadline = t->game->deadline;
	int changes = 0;
	struct desk_answer a = referee(t, end_of_the_english(t));

	(void)state;
	assert_false(a.refused);
	expect_says(a.text, "by this change the battle is over");
	assert_int_equal(last(t)->after->winner, WINNER_JACOBITE);
	assert_true(t->game->held);
	assert_string_equal(t->game->status, "running");
	assert_int_equal(number(t, "SELECT count(*) FROM outbox WHERE kind = 'debrief'"), 0);
	assert_int_equal(count_mails(t, "report", "Corrected: "), 0);
	/* Not by itself, and no turn is resolved meanwhile. */
	pass_at(t, FRIDAY + 3 * WEEK);
	assert_true(t->game->held);
	for (; t->game->held && changes < 40; changes++)
		a = referee(t, "UNDO");
	expect_says(a.text, "With that the battle goes on");
	assert_string_equal(t->game->status, "running");
	assert_int_equal(last(t)->after->winner, WINNER_OPEN);
	assert_true(t->game->deadline > deadline); /* three weeks have gone */
	/* What is left of the changes is told, with its reasons. */
	assert_int_equal(count_mails(t, "report", "Corrected: "), 3);
	assert_int_equal(count_mails(t, "report", "The referee rules: REMOVE A BEFORE 1, because they ran."), 3);
	/* Once more, and now it is meant. */
	referee(t, end_of_the_english(t));
	assert_true(t->game->held);
	expect_says(referee(t, "RELEASE").text, "the battle is over");
	assert_string_equal(t->game->status, "ended");
	assert_int_equal(number(t, "SELECT count(*) FROM outbox WHERE kind = 'debrief'"), 3);
	played_end(t);
}

/* The same while the turn is held for review; and a rollback from a turn that is held back. */
static void test_end_undone(void **state)
{
	struct played *t = turn_one("on");
	struct resolved *plain = last(t);
	struct desk_answer a = referee(t, end_of_the_english(t));

	(void)state;
	expect_says(a.text, "the battle is over with it");
	for (int i = 0; i < 40 && strcmp(last(t)->row->digest, plain->row->digest) != 0; i++)
		assert_false(referee(t, "UNDO").refused);
	assert_int_equal(last(t)->after->winner, WINNER_OPEN);
	assert_false(referee(t, "RELEASE").refused);
	assert_int_equal(count_mails(t, "report", "Turn 1"), 3);
	assert_string_equal(t->game->status, "running");
	referee(t, end_of_the_english(t));
	assert_true(t->game->held);
	assert_false(referee(t, "ROLLBACK TO TURN 1 BECAUSE so").refused);
	assert_false(t->game->held);
	assert_string_equal(t->game->status, "running");
	assert_int_equal(number(t, "SELECT count(*) FROM outbox WHERE kind = 'debrief'"), 0);
	played_end(t);
}

/* A change and what undoes it, in one mail: the players hear nothing of either, and the record keeps both. */
static void test_came_to_nothing(void **state)
{
	struct played *t = turn_one("off");
	struct resolved *plain = last(t);
	struct desk_answer a = referee(t, "KILL Hu BECAUSE he was hit\nSPARE Hu BECAUSE no he was not");

	(void)state;
	assert_false(a.refused);
	expect_says(a.text, "changes nothing of what the players know");
	assert_int_equal(last(t)->row->resolution, 3);
	assert_int_equal(last(t)->amendments->count, 0);
	assert_string_equal(last(t)->row->digest, plain->row->digest);
	assert_int_equal(count_mails(t, "report", "Corrected: "), 0);
	assert_int_equal(number(t, "SELECT count(*) FROM act WHERE reason = 'no he was not'"), 1);
	/* Of a change that they know they hear why it goes, beside one that is new. */
	assert_false(referee(t, "KILL Hu BECAUSE he was hit").refused);
	assert_int_equal(count_mails(t, "report", "Corrected: "), 3);
	assert_false(referee(t, "SPARE Hu BECAUSE no he was not\nREMOVE A BECAUSE they ran\nUNDO\nREMOVE B BECAUSE so")
			     .refused);
	assert_int_equal(count_mails(t, "report", "Corrected: "), 6);
	assert_int_equal(count_mails(t, "report", "no he was not"), 3);
	assert_int_equal(count_mails(t, "report", "they ran"), 0);
	played_end(t);
}

/* After a rollback the turn before is that of the line that was left, too: what followed it there must stay true. */
static void test_turn_of_a_line_that_was_left(void **state)
{
	struct played *t = turn_one("off");
	struct audit audit;

	(void)state;
	referee(t, "RESOLVE");
	referee(t, "ROLLBACK TO TURN 2 BECAUSE so");
	expect_says(referee(t, "REMOVE R BECAUSE so").text, "ROLLBACK TO TURN 1 BECAUSE reason");
	assert_int_equal(number(t, "SELECT count(*) FROM turn"), 2);
	referee(t, "ROLLFORWARD");
	assert_false(referee(t, "REMOVE R BECAUSE so").refused);
	expect_ok(audit_verify(t->s, t, t->game, &audit));
	assert_int_equal(audit.faults, 0);
	played_end(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_undo),
		cmocka_unit_test(test_undo_after_release),
		cmocka_unit_test(test_standing),
		cmocka_unit_test(test_end_held_back),
		cmocka_unit_test(test_end_undone),
		cmocka_unit_test(test_came_to_nothing),
		cmocka_unit_test(test_turn_of_a_line_that_was_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
