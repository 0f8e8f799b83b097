/* The referee's desk: a turn is looked at before the players read it, released, and corrected when they know it. */
#include "desk_fixture.h"

static void test_review_and_release(void **state)
{
	struct played *t = turn_one("on");

	(void)state;
	assert_true(t->game->held);
	assert_int_equal(t->game->release_at, FRIDAY + MINUTE + 48 * HOUR);
	assert_int_equal(number(t, "SELECT count(*) FROM released"), 0);
	assert_int_equal(count_mails(t, "report", "Turn 1"), 0);
	assert_int_equal(count_mails(t, "review", "    HOLD"), 1);
	assert_int_equal(count_mails(t, "review", "    UNDO"), 0); /* there is nothing to take back yet */
	/* No deadline runs while it is held, and players' orders are not taken. */
	put_mail(t, ANN, FRIDAY + HOUR, "MAP\nRESEND\nORDERS\nSTATUS\nR: hold");
	pass_at(t, FRIDAY + 2 * HOUR);
	assert_int_equal(number(t, "SELECT count(*) FROM sheet WHERE turn = 2"), 0);
	assert_int_equal(count_mails(t, "answer", "The referee has the turn"), 1);
	assert_int_equal(count_mails(t, "answer", "  +----"), 0);
	assert_false(referee(t, "HOLD").refused);
	assert_int_equal(t->game->release_at, 0);
	pass_at(t, FRIDAY + WEEK + HOUR);
	assert_int_equal(t->game->turn, 2);
	assert_true(t->game->held);
	assert_false(referee(t, "RELEASE TURN 1").refused);
	assert_false(t->game->held);
	assert_int_equal(count_mails(t, "report", "Turn 1"), 3);
	assert_int_equal(number(t, "SELECT count(*) FROM released"), 1);
	/* The deadline that stood has gone by: the next one that leaves half a week. */
	assert_int_equal(t->game->deadline, FRIDAY + 2 * WEEK);
	played_end(t);
}

/* The example lines of the review as it was mailed: what is indented by four. */
static char *examples(struct played *t)
{
	char *out = talloc_strdup(t, ""), *text = talloc_strdup(t, ""), *save = NULL;
	struct outgoing *sent;

	expect_ok(store_last_mail(t->s->store, t, t->players.list[HEAD].id, "review", 0, &sent));
	for (const char *p = sent->bytes; p < strstr(sent->bytes, "<html") - 2; p++) /* undo the mail's "=3D" */
		text = strncmp(p, "=3D", 3) == 0 ? (p += 2, talloc_strdup_append_buffer(text, "="))
						 : talloc_strndup_append_buffer(text, p, 1);
	for (char *line = strtok_r(text, "\r\n", &save); line != NULL; line = strtok_r(NULL, "\r\n", &save))
		if (strncmp(line, "    ", 4) == 0 && strstr(line, " BECAUSE ") != NULL && line[4] != ' ')
			out = talloc_asprintf_append(out, "%s\n", line + 4);
	return out;
}

/* A teacher who copies the examples of the review is understood: each one in an answer of its own, and all in one. */
static void test_examples_of_the_review(void **state)
{
	static const char *const rules[] = {"fastplay", "shreds"};

	(void)state;
	for (int k = 0; k < 2; k++) {
		struct played *t = turn_one_under(rules[k], "on");
		char *all = examples(t), *save = NULL;
		int tried = 0, now = FRIDAY + 2 * MINUTE;

		expect_says(all, k == 0 ? " BASES " : " FIGURES ");
		put_mail(t, HEAD, now, all);
		pass_at(t, now + 1);
		assert_int_equal(number(t, "SELECT count(*) FROM act WHERE what LIKE 'refused%'"), 0);
		for (char *line = strtok_r(all, "\n", &save); line != NULL; line = strtok_r(NULL, "\n", &save)) {
			struct played *fresh = turn_one_under(rules[k], "on");

			tried++;
			put_mail(fresh, HEAD, now, line);
			pass_at(fresh, now + 1);
			if (last(fresh)->row->resolution != 2)
				fail_msg("'%s' was not done under %s", line, rules[k]);
			played_end(fresh);
		}
		assert_int_equal(tried, k == 0 ? 5 : 4); /* nobody is in range yet under shreds */
		assert_int_equal(last(t)->row->resolution, tried + 1);
		put_mail(t, HEAD, now + HOUR, "RELEASE");
		pass_at(t, now + 2 * HOUR);
		assert_false(t->game->held);
		played_end(t);
	}
}

static void test_released_by_itself(void **state)
{
	struct played *t = turn_one("on");

	(void)state;
	assert_int_equal(pass_at(t, FRIDAY + 48 * HOUR).released, 0);
	assert_int_equal(pass_at(t, FRIDAY + 48 * HOUR + MINUTE).released, 1);
	assert_false(t->game->held);
	assert_int_equal(t->game->deadline, FRIDAY + WEEK);
	assert_int_equal(count_mails(t, "report", "Turn 1"), 3);
	played_end(t);
}

static void test_release_deadline(void **state)
{
	struct game g = {.slot = "Fri 16:00", .zone = "Europe/London", .skips = "", .deadline = FRIDAY + WEEK};

	(void)state;
	assert_int_equal(release_deadline(&g, FRIDAY, FRIDAY + HOUR), FRIDAY + WEEK);
	assert_int_equal(release_deadline(&g, FRIDAY, FRIDAY + WEEK / 2), FRIDAY + WEEK);
	assert_int_equal(release_deadline(&g, FRIDAY, FRIDAY + WEEK / 2 + 1), FRIDAY + 2 * WEEK);
	assert_int_equal(release_deadline(&g, FRIDAY, FRIDAY + 2 * WEEK), FRIDAY + 3 * WEEK);
	/* Set by hand: it stands, unless it has gone by. */
	g.deadline_set = true;
	assert_int_equal(release_deadline(&g, FRIDAY, FRIDAY + WEEK / 2 + 1), FRIDAY + WEEK);
	g.deadline = FRIDAY + WEEK - 7 * HOUR;
	assert_int_equal(release_deadline(&g, FRIDAY, FRIDAY + WEEK - 8 * HOUR), FRIDAY + WEEK - 7 * HOUR);
	assert_int_equal(release_deadline(&g, FRIDAY, FRIDAY + WEEK - 6 * HOUR), FRIDAY + 2 * WEEK);
}

/* A held turn that is left and taken up again is released by itself when it would have been. */
static void test_held_line(void **state)
{
	struct played *t = turn_one("on");
	int64_t release_at = t->game->release_at;

	(void)state;
	assert_true(release_at > 0);
	assert_false(referee(t, "ROLLBACK TO TURN 1 BECAUSE of this").refused);
	assert_int_equal(t->game->release_at, 0);
	assert_false(referee(t, "ROLLFORWARD").refused);
	assert_true(t->game->held);
	assert_int_equal(t->game->release_at, release_at);
	/* One that ends the battle has no deadline to put off. */
	expect_ok(sql_run(t->s->store, t, "UPDATE game SET deadline = NULL", ""));
	expect_ok(store_game(t->s->store, t, t->game->id, &t->game));
	assert_true(referee(t, "EXTEND 2 DAYS").refused);
	assert_int_equal(t->game->deadline, 0);
	played_end(t);
}

/* What was READY is so no longer when the orders change without its sayer, or he does. */
static void test_ready_falls(void **state)
{
	struct played *t = plain_game("off");

	(void)state;
	put_mail(t, ANN, MONDAY + MINUTE, "all: hold\nREADY");
	pass_at(t, MONDAY + 2 * MINUTE);
	assert_false(referee(t, "VOID ORDERS E").refused);
	put_mail(t, BEN, MONDAY + 3 * MINUTE, "READY");
	pass_at(t, MONDAY + 4 * MINUTE);
	assert_int_equal(t->game->turn, 1);
	assert_false(referee(t, "REPLACE 2 WITH new@hillside.example").refused);
	put_mail(t, ANN, MONDAY + 5 * MINUTE, "READY");
	pass_at(t, MONDAY + 6 * MINUTE);
	assert_int_equal(t->game->turn, 1);
	played_end(t);
}

/* After release: all get the corrected report, orders are kept, and who is concerned is told. */
static void test_corrected(void **state)
{
	struct played *t = turn_one("off");

	(void)state;
	put_mail(t, ANN, FRIDAY + HOUR, "A: advance 2\nR: hold");
	put_mail(t, BEN, FRIDAY + HOUR, "c: hold");
	pass_at(t, FRIDAY + 2 * HOUR);
	assert_false(referee(t, "REMOVE A BECAUSE they ran\nSET B BASES 2 BECAUSE so").refused);
	assert_int_equal(count_mails(t, "report", "Corrected: "), 3); /* one to each, for both changes */
	assert_int_equal(count_mails(t, "report", "Your orders for turn 2 are kept"), 2);
	assert_int_equal(count_mails(t, "report", "is gone and can be"), 1);
	assert_int_equal(number(t, "SELECT count(*) FROM sheet WHERE turn = 2"), 2);
	pass_at(t, FRIDAY + WEEK + MINUTE);
	assert_int_equal(t->game->turn, 3);
	played_end(t);
}

/* Of orders that the referee changes while the turn is held players hear with its report; of what he has taken back
 * again, nothing. */
static void test_order_in_review(void **state)
{
	struct played *t = turn_one("on");

	(void)state;
	assert_false(referee(t, "ORDER E: R: hold BECAUSE the mail was lost").refused);
	assert_false(referee(t, "ORDER J: c: hold BECAUSE that was lost too").refused);
	assert_int_equal(count_mails(t, "answer", "in your name"), 0);
	assert_false(referee(t, "UNDO").refused);
	assert_false(referee(t, "RELEASE").refused);
	assert_int_equal(count_mails(t, "answer", "in your name"), 0);
	assert_int_equal(count_mails(t, "report", "changed orders: ORDER E: R: hold"), 3);
	assert_int_equal(count_mails(t, "report", "ORDER J"), 0);
	/* Once they know the turn he is told at once, unless the same mail takes it back. */
	assert_false(referee(t, "ORDER J: c: hold BECAUSE that was lost too\nUNDO").refused);
	assert_int_equal(count_mails(t, "answer", "in your name"), 0);
	assert_false(referee(t, "ORDER J: c: hold BECAUSE that was lost too").refused);
	assert_int_equal(count_mails(t, "answer", "in your name"), 1);
	played_end(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_review_and_release),
		cmocka_unit_test(test_examples_of_the_review),
		cmocka_unit_test(test_released_by_itself),
		cmocka_unit_test(test_release_deadline),
		cmocka_unit_test(test_held_line),
		cmocka_unit_test(test_ready_falls),
		cmocka_unit_test(test_corrected),
		cmocka_unit_test(test_order_in_review),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
