/* The numbers of a game's rules: what `game new --set` takes, and the referee's house rules. */
#include "game_fixture.h"

#include "service/audit.h"
#include "service/board.h"
#include "service/options.h"

static struct board *board_at(struct played *t, int turn, int line)
{
	struct board *b, *then = talloc(t, struct board);

	expect_ok(board_load(t->s, t, t->game, &b));
	expect_ok(board_as_of(t->s, t, b, turn, line, then));
	return then;
}

static int wet(struct played *t, int turn, int line)
{
	return parameters_get(board_at(t, turn, line)->sc->parameters, "wet-powder");
}

static void expect_verified(struct played *t, int turns)
{
	struct audit audit;

	expect_ok(audit_verify(t->s, t, t->game, &audit));
	assert_int_equal(audit.count, turns);
	assert_int_equal(audit.faults, 0);
}

/* It holds from the turn after the one that is being ordered, and what was resolved before stays what it was: also in a
 * line of play that was left. */
static void test_house_rule(void **state)
{
	struct played *t = played_new("");
	int64_t now = FRIDAY + HOUR;

	(void)state;
	put_mail(t, 2, MONDAY + HOUR, "RULE wet-powder off BECAUSE the rain has stopped");
	pass_at(t, MONDAY + 2 * HOUR);
	assert_string_equal(t->game->options, "set wet-powder off from 2 1 1\n");
	assert_int_equal(number(t, "SELECT count(*) FROM outbox WHERE player IN (1, 2) AND kind = 'notice'"), 2);
	assert_int_equal(wet(t, 1, 1), 1);
	assert_int_equal(wet(t, 2, 1), 0);
	put_mail(t, 0, MONDAY + HOUR, "all: advance; charge nearest");
	put_mail(t, 1, MONDAY + HOUR, "standing all: advance; charge nearest");
	pass_at(t, FRIDAY + MINUTE);
	pass_at(t, FRIDAY + WEEK + MINUTE);
	assert_int_equal(t->game->turn, 3);
	expect_verified(t, 2);
	now += WEEK;
	put_mail(t, 2, now, "ROLLBACK TO TURN 1 BECAUSE we were wrong");
	pass_at(t, now + MINUTE);
	put_mail(t, 2, now + HOUR, "RULE wet-powder = on");
	pass_at(t, now + HOUR + MINUTE);
	assert_string_equal(t->game->options, "set wet-powder off from 2 1 1\nset wet-powder on from 2 2 2\n");
	assert_int_equal(wet(t, 2, 1), 0);
	assert_int_equal(wet(t, 2, 2), 1);
	pass_at(t, FRIDAY + 2 * WEEK + MINUTE);
	pass_at(t, FRIDAY + 3 * WEEK + MINUTE);
	assert_int_equal(t->game->turn, 3);
	expect_verified(t, 4);
	played_end(t);
}

/* A wrong one changes nothing, and the answer says what is right. */
static void test_refused(void **state)
{
	static const char *const wrong[] = {"RULE wet-power off", "RULE wet-powder maybe", "RULE infantry-move 41",
		"RULE bases 8", "RULE pace quickly", "RULE turn-limit -1"};
	struct played *t = played_new("");

	(void)state;
	for (int i = 0; i < (int)(sizeof wrong / sizeof *wrong); i++) {
		put_mail(t, 2, MONDAY + (i + 1) * HOUR, wrong[i]);
		pass_at(t, MONDAY + (i + 1) * HOUR + MINUTE);
		assert_string_equal(t->game->options, "");
	}
	/* the answer to a name that is none has all of them */
	assert_int_equal(
		number(t, "SELECT count(*) FROM outbox_bytes WHERE CAST(bytes AS TEXT) LIKE '%The options are%'"), 1);
	assert_int_equal(number(t, "SELECT count(*) FROM outbox WHERE kind = 'notice'"), 0);
	/* How messages go is no rule: it holds at once. */
	put_mail(t, 2, MONDAY + 9 * HOUR, "RULE messages off");
	pass_at(t, MONDAY + 9 * HOUR + MINUTE);
	assert_string_equal(t->game->options, "set messages off\n");
	played_end(t);
}

/* What a game is made with; an option that is wrong is named, with what is allowed. */
static void test_new_game(void **state)
{
	static const char *const wrong[][2] = {
		{"wet-power=off", "--set wet-power=off: there is no option \"wet-power\"; did you mean wet-powder?"},
		{"terrain=swamp", "--set terrain=swamp: terrain is one of: marked ground;"},
		{"turn-limit=many", "--set turn-limit=many: expected a whole number from 0 to 100,"},
		{"break-percent=0", "--set break-percent=0: expected"}, {"review=on", "write --review"},
		{"bases=10", "10 "}, /* they have no room as they are set out */
	};
	static const char *const right[] = {"terrain=ground", "wet-powder=off", "discipline-modifier=3", "bases=4",
		"turn-limit=5", "break-percent=40", "points-foot=1", "pace=phased", NULL};
	struct played *t = played_new("");
	struct new_game n = {.name = "other",
		.battle = "falkirk",
		.english = "",
		.jacobite = "",
		.referee = "",
		.every = "Fri 16:00",
		.zone = "Europe/London",
		.skips = "",
		.reminders = ""};
	struct game *g;
	struct board *b;

	(void)state;
	for (int i = 0; i < (int)(sizeof wrong / sizeof *wrong); i++) {
		const char *set[] = {wrong[i][0], NULL};
		struct err *e;

		n.options = set;
		e = enrol_game(t->s, t, &n, &g);
		assert_non_null(e);
		if (strstr(err_text(t, e), wrong[i][1]) == NULL)
			fail_msg("%s: %s", wrong[i][0], err_text(t, e));
	}
	n.options = right;
	expect_ok(enrol_game(t->s, t, &n, &g));
	expect_ok(board_load(t->s, t, g, &b));
	assert_int_equal(b->state->units[0].bases, 4);
	assert_int_equal(b->state->units[0].begun, 4);
	assert_int_equal(parameters_get(b->sc->parameters, "discipline-modifier"), 3);
	assert_int_equal(parameters_get(b->sc->parameters, "break-percent"), 40);
	played_end(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_house_rule),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_new_game),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
