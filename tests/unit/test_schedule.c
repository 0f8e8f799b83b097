#include "game_fixture.h"

#include "service/adjudicate.h"
#include "service/schedule.h"

static const char *why(struct played *t, int turn)
{
	struct turn_row *row;

	expect_ok(store_turn(t->s->store, t, t->game, turn, &row));
	return row == NULL ? "not resolved" : row->why;
}

static void test_deadline_second(void **state)
{
	struct played *t = played_new("24 3");

	(void)state;
	put_mail(t, 0, FRIDAY, "Barrell's: hold");
	/* In the deadline's own second mail may still come. */
	assert_int_equal(pass_at(t, FRIDAY).resolved, 0);
	assert_int_equal(t->game->turn, 1);
	put_mail(t, 1, FRIDAY + 1, "Camerons: hold");
	assert_int_equal(pass_at(t, FRIDAY + MINUTE).resolved, 1);
	assert_int_equal(t->game->turn, 2);
	assert_string_equal(why(t, 1), "deadline");
	assert_int_equal(t->game->deadline, FRIDAY + WEEK);
	/* The mail of the deadline's second is in the turn; the later one answers a turn that is over. */
	assert_int_equal(number(t, "SELECT count(*) FROM sheet WHERE turn = 1"), 1);
	assert_int_equal(number(t, "SELECT count(*) FROM sheet WHERE turn = 2"), 0);
	assert_int_equal(number(t, "SELECT count(*) FROM mail WHERE state = 'fetched'"), 0);
	/* Nothing is done twice. */
	assert_int_equal(pass_at(t, FRIDAY + 2 * MINUTE).resolved, 0);
	played_end(t);
}

/* Makes the mailbox fail: a file stands where its folder was. */
static void break_mailbox(struct played *t, bool broken)
{
	char *aside = talloc_asprintf(t, "%s.aside", t->inbox);

	if (broken) {
		assert_int_equal(rename(t->inbox, aside), 0);
		expect_ok(file_write(t, t->inbox, "", 0, 0600));
	} else {
		assert_int_equal(unlink(t->inbox), 0);
		assert_int_equal(rename(aside, t->inbox), 0);
	}
}

static void test_grace(void **state)
{
	struct played *t = played_new("");
	struct passed done;

	(void)state;
	pass_at(t, FRIDAY - HOUR);
	put_mail(t, 0, FRIDAY - MINUTE, "Barrell's: hold");
	break_mailbox(t, true);
	done = pass_at(t, FRIDAY + MINUTE);
	assert_true(done.mailbox_trouble);
	assert_int_equal(done.resolved, 0);
	assert_int_equal(pass_at(t, FRIDAY + 2 * HOUR).resolved, 0);
	assert_int_equal(number(t, "SELECT count(*) FROM outbox WHERE kind = 'notice' AND player IS NOT NULL"), 0);
	assert_int_equal(pass_at(t, FRIDAY + 2 * HOUR + 1).resolved, 1);
	assert_string_equal(why(t, 1), "deadline");
	/* The referee is told, once. */
	assert_int_equal(number(t, "SELECT count(*) FROM outbox WHERE kind = 'notice' AND player IS NOT NULL"), 1);
	played_end(t);
}

/* The mailbox comes back within grace: the orders that lay in it count, and the ones that came late do not. */
static void test_back_in_time(void **state)
{
	struct played *t = played_new("");

	(void)state;
	pass_at(t, FRIDAY - HOUR);
	put_mail(t, 0, FRIDAY - MINUTE, "Barrell's: hold");
	put_mail(t, 1, FRIDAY + 5 * MINUTE, "Camerons: hold");
	break_mailbox(t, true);
	assert_int_equal(pass_at(t, FRIDAY + MINUTE).resolved, 0);
	break_mailbox(t, false);
	assert_int_equal(pass_at(t, FRIDAY + HOUR).resolved, 1);
	assert_int_equal(number(t, "SELECT count(*) FROM sheet"), 1);
	assert_int_equal(number(t, "SELECT turn FROM sheet"), 1);
	played_end(t);
}

/* After weeks away the mailbox fails at first: it gets its grace from then on, so that orders in it are not lost. Then
 * one turn is resolved, and the next deadline lies ahead. */
static void test_long_away(void **state)
{
	struct played *t = played_new("");
	int64_t back = FRIDAY + 2 * WEEK + HOUR;

	(void)state;
	pass_at(t, FRIDAY - HOUR);
	put_mail(t, 0, FRIDAY - MINUTE, "Barrell's: hold");
	break_mailbox(t, true);
	assert_int_equal(pass_at(t, back).resolved, 0);
	break_mailbox(t, false);
	assert_int_equal(pass_at(t, back + MINUTE).resolved, 1);
	assert_int_equal(t->game->turn, 2);
	assert_int_equal(t->game->deadline, FRIDAY + 3 * WEEK);
	assert_int_equal(number(t, "SELECT count(*) FROM sheet WHERE turn = 1"), 1);
	assert_int_equal(number(t, "SELECT count(*) FROM outbox WHERE kind = 'notice' AND player IS NOT NULL"), 1);
	played_end(t);
}

static void test_all_ready(void **state)
{
	struct played *t = played_new("");

	(void)state;
	put_mail(t, 0, MONDAY + HOUR, "Barrell's: hold\nREADY");
	assert_int_equal(pass_at(t, MONDAY + 2 * HOUR).resolved, 0);
	put_mail(t, 1, MONDAY + 3 * HOUR, "READY");
	/* Comes after the last READY: it answers a turn that was over by then. */
	put_mail(t, 0, MONDAY + 3 * HOUR + 1, "Barrell's: advance 3");
	assert_int_equal(pass_at(t, MONDAY + 4 * HOUR).resolved, 1);
	assert_string_equal(why(t, 1), "all ready");
	assert_int_equal(t->game->turn, 2);
	assert_int_equal(t->game->deadline, FRIDAY + WEEK);
	assert_int_equal(number(t, "SELECT count(*) FROM sheet WHERE turn = 2"), 0);
	played_end(t);
}

/* A class that meets once a week has its lesson in every turn, and a deadline that was put off holds nobody up. */
static void test_next_deadline(void **state)
{
	struct game g = {.slot = "Fri 16:00", .zone = "Europe/London", .skips = "", .deadline = FRIDAY};

	(void)state;
	/* In time, or within the grace. */
	assert_int_equal(next_deadline(&g, FRIDAY + 30), FRIDAY + WEEK);
	assert_int_equal(next_deadline(&g, FRIDAY + 2 * HOUR), FRIDAY + WEEK);
	/* Early: not the Friday of the same week. */
	assert_int_equal(next_deadline(&g, FRIDAY - 4 * DAY), FRIDAY + WEEK);
	assert_int_equal(next_deadline(&g, FRIDAY - HOUR), FRIDAY + WEEK);
	/* The referee had put the deadline off by two days: back to Fridays; by three weeks: the first that leaves six
	 * days, so of the Friday that is near not that one but the next. */
	g.deadline = FRIDAY + 2 * DAY;
	assert_int_equal(next_deadline(&g, FRIDAY + 2 * DAY + 30), FRIDAY + WEEK);
	g.deadline = FRIDAY + 3 * WEEK;
	assert_int_equal(next_deadline(&g, FRIDAY - DAY), FRIDAY + WEEK);
	assert_int_equal(next_deadline(&g, FRIDAY + DAY), FRIDAY + WEEK);
	assert_int_equal(next_deadline(&g, FRIDAY + 2 * DAY), FRIDAY + 2 * WEEK);
	/* Never into the holidays. */
	g.skips = "2027-01-22..2027-01-29";
	assert_int_equal(next_deadline(&g, FRIDAY - DAY), FRIDAY + 3 * WEEK);
}

static void test_paused(void **state)
{
	struct played *t = played_new("24 3");

	(void)state;
	t->game->status = "paused";
	expect_ok(store_update_game(t->s->store, t, t->game));
	put_mail(t, 0, MONDAY + HOUR, "READY");
	put_mail(t, 1, MONDAY + HOUR, "READY");
	assert_int_equal(pass_at(t, FRIDAY - HOUR).resolved, 0);
	assert_int_equal(pass_at(t, FRIDAY + WEEK).resolved, 0);
	assert_int_equal(number(t, "SELECT count(*) FROM outbox WHERE kind = 'reminder'"), 0);
	played_end(t);
}

static void test_reminders(void **state)
{
	struct played *t = played_new("24 3");

	(void)state;
	put_mail(t, 0, MONDAY + HOUR, "Barrell's: hold");
	put_mail(t, 1, MONDAY + HOUR, "Camerns: attak");
	assert_int_equal(pass_at(t, FRIDAY - 24 * HOUR - 1).reminded, 0);
	/* Ann has her orders in; Ben, of whose mail nothing was understood, is reminded, once each time. */
	assert_int_equal(pass_at(t, FRIDAY - 24 * HOUR).reminded, 1);
	assert_int_equal(pass_at(t, FRIDAY - 24 * HOUR + MINUTE).reminded, 0);
	assert_int_equal(pass_at(t, FRIDAY - 3 * HOUR).reminded, 1);
	assert_int_equal(pass_at(t, FRIDAY - 1).reminded, 0);
	assert_int_equal(number(t, "SELECT count(DISTINCT recipient) FROM outbox WHERE kind = 'reminder'"), 1);
	assert_int_equal(
		number(t, "SELECT count(*) FROM outbox WHERE kind = 'reminder' AND recipient LIKE 'ben@%'"), 2);
	played_end(t);
}

/* Both hours went by while nobody looked: one reminder. None after the deadline. */
static void test_late_reminders(void **state)
{
	struct played *t = played_new("24 3");

	(void)state;
	assert_int_equal(pass_at(t, FRIDAY - HOUR).reminded, 2);
	assert_int_equal(pass_at(t, FRIDAY - HOUR / 2).reminded, 0);
	assert_int_equal(pass_at(t, FRIDAY).reminded, 0);
	played_end(t);
}

/* While the clock is in doubt no turn is resolved and no late mail read. */
static void test_doubtful_clock(void **state)
{
	struct played *t = played_new("");
	struct pass pass = {.service = t->s, .reader = t->reader, .clock_doubtful = true};
	struct passed done;

	(void)state;
	put_mail(t, 0, FRIDAY - MINUTE, "Barrell's: hold");
	put_mail(t, 1, FRIDAY + MINUTE, "Camerons: hold");
	t->s->clock.fixed = FRIDAY + 3 * HOUR;
	expect_ok(pass_make(&pass, t, &done));
	assert_int_equal(done.resolved, 0);
	assert_int_equal(number(t, "SELECT count(*) FROM mail WHERE state = 'fetched'"), 1);
	assert_int_equal(pass_at(t, FRIDAY + 4 * HOUR).resolved, 1);
	assert_int_equal(number(t, "SELECT count(*) FROM sheet"), 1);
	played_end(t);
}

/* An account that refuses is told of once a day, each kind of trouble by itself. */
static void test_tell_operator(void **state)
{
	struct played *t = played_new("");
	static const char count[] = "SELECT count(*) FROM outbox WHERE recipient LIKE 'operator@%'";

	(void)state;
	expect_ok(tell_operator(t->s, t, "mailbox", "It refuses", "Log-in refused."));
	expect_ok(tell_operator(t->s, t, "mailbox", "It refuses", "Log-in refused."));
	assert_int_equal(number(t, count), 1);
	expect_ok(tell_operator(t->s, t, "sending", "It refuses", "Log-in refused."));
	assert_int_equal(number(t, count), 2);
	t->s->clock.fixed += 25 * HOUR;
	expect_ok(tell_operator(t->s, t, "mailbox", "It refuses", "Log-in refused."));
	assert_int_equal(number(t, count), 3);
	played_end(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_deadline_second),
		cmocka_unit_test(test_grace),
		cmocka_unit_test(test_back_in_time),
		cmocka_unit_test(test_long_away),
		cmocka_unit_test(test_all_ready),
		cmocka_unit_test(test_next_deadline),
		cmocka_unit_test(test_paused),
		cmocka_unit_test(test_reminders),
		cmocka_unit_test(test_late_reminders),
		cmocka_unit_test(test_doubtful_clock),
		cmocka_unit_test(test_tell_operator),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
