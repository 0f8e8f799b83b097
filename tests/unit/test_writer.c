/* Who is writing, and what his mail answers (service/writer). The mails here bear no In-Reply-To: the token in their
 * subject says it all. */
#include "game_fixture.h"

/* A reply to a mail of a line of play that was left is told so and orders nothing; taken up again, the line's mails
 * count again, and those of the other one do not. */
static void test_left_line(void **state)
{
	/* What everybody is told of the change is one. */
	static const char answers[] = "SELECT count(*) FROM outbox WHERE player = 1 AND kind = 'answer' AND line = 2";
	static const char sheets[] = "SELECT count(*) FROM sheet WHERE player = 1";
	struct played *t = played_new("");
	int64_t now = FRIDAY + MINUTE;

	(void)state;
	pass_at(t, now);
	put_mail(t, 2, now, "ROLLBACK TO TURN 1 BECAUSE we were wrong");
	pass_at(t, now += MINUTE);
	assert_int_equal(t->game->line, 2);
	assert_int_equal(t->game->turn, 1);

	assert_int_equal(number(t, answers), 1);
	t->game->line = 1; /* of the mails that came before */
	put_mail(t, 0, now, "Barrell's: advance 4");
	pass_at(t, now += MINUTE);
	assert_int_equal(number(t, sheets), 0);
	assert_int_equal(number(t, answers), 2);
	put_mail(t, 0, now, "Barrell's: advance 4");
	pass_at(t, now += MINUTE);
	assert_int_equal(number(t, sheets), 1);

	put_mail(t, 2, now, "ROLLFORWARD");
	pass_at(t, now += MINUTE);
	assert_int_equal(t->game->line, 1);
	t->game->line = 2;
	put_mail(t, 0, now, "Barrell's: advance 5");
	pass_at(t, now += MINUTE);
	assert_int_equal(number(t, sheets), 1);
	put_mail(t, 0, now, "Barrell's: advance 6");
	pass_at(t, now += MINUTE);
	assert_int_equal(number(t, sheets), 2);
	played_end(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_left_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
