/* Drills that nobody plays any more. */
#include "game_fixture.h"

static const char running[] = "SELECT count(*) FROM game WHERE slot = '' AND status = 'running'";

/* Two weeks after its last mail a drill ends, not before; until then no pass looks at it. */
static void test_rest(void **state)
{
	struct played *t = played_new("");
	struct game *real = t->game, *drill;
	struct players players;

	(void)state;
	put_mail(t, 0, MONDAY + HOUR, "DRILL");
	pass_at(t, MONDAY + HOUR + MINUTE);
	assert_int_equal(number(t, running), 1);
	pass_at(t, MONDAY + 10 * DAY);
	assert_int_equal(number(t, "SELECT wake FROM game WHERE slot = ''"), MONDAY + HOUR + MINUTE + 14 * DAY);

	/* He plays a turn of it after ten days. */
	expect_ok(store_game(t->s->store, t, 2, &drill));
	expect_ok(store_players(t->s->store, t, drill->id, &players));
	t->game = drill;
	t->players.list[0] = players.list[0];
	put_mail(t, 0, MONDAY + 10 * DAY + HOUR, "all: hold");
	pass_at(t, MONDAY + 10 * DAY + HOUR + MINUTE);
	assert_int_equal(t->game->turn, 2);
	pass_at(t, MONDAY + 24 * DAY);
	assert_int_equal(number(t, running), 1);
	pass_at(t, MONDAY + 24 * DAY + HOUR);
	assert_int_equal(number(t, running), 0);
	assert_int_equal(number(t, "SELECT count(*) FROM act WHERE what = 'drill ended' AND actor = 'clock'"), 1);

	/* What comes then is answered, and changes nothing. */
	put_mail(t, 0, MONDAY + 25 * DAY, "all: advance");
	pass_at(t, MONDAY + 25 * DAY + MINUTE);
	assert_int_equal(t->game->turn, 2);
	assert_int_equal(number(t, "SELECT count(*) FROM outbox WHERE game = 2 AND kind = 'answer'"), 1);
	t->game = real;
	played_end(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
