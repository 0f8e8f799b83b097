/* service/audit: a week that replays to the same, and what happens to one that was meddled with. */
#include "game_fixture.h"
#include "service/audit.h"
#include "service/lease.h"

static struct played *two_turns(void)
{
	struct played *t = played_new("24 3");

	put_mail(t, 0, MONDAY + HOUR, "Barrell's: advance 3\"");
	assert_int_equal(pass_at(t, FRIDAY + MINUTE).resolved, 1);
	assert_int_equal(pass_at(t, FRIDAY + WEEK + MINUTE).resolved, 1);
	assert_int_equal(t->game->turn, 3);
	return t;
}

/* Nothing in the program can change a turn; somebody with the sqlite3 program can. */
static void meddle(struct played *t, const char *sql)
{
	expect_ok(sql_script(t->s->store, t,
		"PRAGMA foreign_keys = off; DROP TRIGGER IF EXISTS turn_stays; DROP TRIGGER IF EXISTS turn_remains"));
	expect_ok(sql_script(t->s->store, t, sql));
}

static void expect_faults(struct played *t, int faults, int turn, const char *words)
{
	struct audit audit;

	expect_ok(audit_verify(t->s, t, t->game, &audit));
	assert_int_equal(audit.count, 2);
	assert_int_equal(audit.faults, faults);
	if (strstr(audit.rows[turn - 1].fault, words) == NULL)
		fail_msg("'%s' does not say '%s'", audit.rows[turn - 1].fault, words);
}

static void test_replays_to_the_same(void **state)
{
	struct played *t = two_turns();
	struct audit audit;

	(void)state;
	expect_ok(audit_verify(t->s, t, t->game, &audit));
	assert_int_equal(audit.count, 2);
	assert_int_equal(audit.faults, 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(audit.rows[i].turn, i + 1);
		assert_string_equal(audit.rows[i].fault, "");
		assert_int_equal(strlen(audit.rows[i].digest), 64);
	}
	assert_string_not_equal(audit.rows[0].digest, audit.rows[1].digest);
	played_end(t);
}

static void test_no_turn_yet(void **state)
{
	struct played *t = played_new("24 3");
	struct audit audit;

	(void)state;
	expect_ok(audit_verify(t->s, t, t->game, &audit));
	assert_int_equal(audit.count, 0);
	assert_int_equal(audit.faults, 0);
	played_end(t);
}

static void test_meddling_is_found(void **state)
{
	struct played *t = two_turns();

	(void)state;
	meddle(t, "UPDATE turn SET digest = 'abc' WHERE turn = 2");
	expect_faults(t, 1, 2, "ends otherwise");
	played_end(t);

	t = two_turns(); /* the dice of another seed */
	meddle(t, "UPDATE game SET seed = zeroblob(32)");
	expect_ok(store_game(t->s->store, t, t->game->id, &t->game));
	expect_faults(t, 0, 1, ""); /* no die was rolled yet: both armies are far apart */
	meddle(t, "UPDATE turn SET events = zeroblob(length(events)) WHERE turn = 1");
	expect_faults(t, 1, 1, "other things happen");
	played_end(t);

	t = two_turns();
	meddle(t, "UPDATE turn SET orders = replace(orders, 'move 3', 'move 5') WHERE turn = 1");
	expect_faults(t, 1, 1, "ends otherwise");
	meddle(t, "UPDATE turn SET before = after WHERE turn = 2");
	expect_faults(t, 2, 2, "does not start where");
	meddle(t, "DELETE FROM turn WHERE turn = 1");
	expect_faults(t, 2, 1, "missing");
	meddle(t, "UPDATE turn SET before = x'00'");
	expect_faults(t, 2, 2, "");
	played_end(t);
}

/* Nobody plays on from a turn that is not there as if the battle began anew. */
static void test_missing_turn_stops_the_game(void **state)
{
	struct played *t = two_turns();

	(void)state;
	meddle(t, "DELETE FROM turn WHERE turn = 2");
	assert_int_equal(pass_at(t, FRIDAY + 2 * WEEK + MINUTE).resolved, 0);
	assert_int_equal(t->game->turn, 3);
	assert_int_equal(number(t, "SELECT count(*) FROM turn"), 1);
	played_end(t);
}

static void test_backup_and_restore(void **state)
{
	struct played *t = two_turns();
	char *copy = talloc_asprintf(t, "%s/copy.db", t->folder), *aside;
	bool got;

	(void)state;
	expect_ok(audit_backup(t->s, t, copy));
	pass_at(t, FRIDAY + 2 * WEEK + MINUTE);
	assert_int_equal(t->game->turn, 4);
	expect_ok(lease_take(t->s, t, "daemon", &got));
	assert_non_null(strstr(audit_restore(t, t->config, copy, &aside)->what, "stop galloperd"));
	lease_end(t->s, t, "daemon");
	expect_ok(audit_restore(t, t->config, copy, &aside));
	expect_ok(store_game(t->s->store, t, t->game->id, &t->game));
	assert_int_equal(t->game->turn, 3);
	expect_faults(t, 0, 2, "");
	assert_int_equal(access(aside, F_OK), 0);
	/* The game goes on from there, and the turn that was lost comes out as it did: same orders, same dice. */
	assert_int_equal(pass_at(t, FRIDAY + 2 * WEEK + 2 * MINUTE).resolved, 1);
	assert_int_equal(t->game->turn, 4);
	played_end(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_replays_to_the_same),
		cmocka_unit_test(test_no_turn_yet),
		cmocka_unit_test(test_meddling_is_found),
		cmocka_unit_test(test_missing_turn_stops_the_game),
		cmocka_unit_test(test_backup_and_restore),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
