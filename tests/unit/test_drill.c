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

static int64_t answers_of(struct played *t, const char *kind)
{
	return number(t, talloc_asprintf(t,
				 "SELECT count(*) FROM outbox WHERE game = 1 AND recipient = "
				 "'ann@oakfield.example' AND kind = '%s'",
				 kind));
}

/* Twelve mails to a drill within minutes; then the real game's orders are answered as ever. With six times
 * answers-per-hour (10) there is an end, and the last receipt says so; after that orders still count. */
static void test_bound(void **state)
{
	struct played *t = played_new("");
	struct game *real = t->game, *drill;
	struct players players, own = t->players;
	int64_t now = MONDAY + HOUR;
	const char *last =
		"SELECT count(*) FROM outbox_bytes WHERE instr(bytes, 'as many answers as one hour allows') > 0";

	(void)state;
	put_mail(t, 0, now, "DRILL");
	pass_at(t, now + 1);
	expect_ok(store_game(t->s->store, t, 2, &drill));
	expect_ok(store_players(t->s->store, t, drill->id, &players));
	t->game = drill;
	t->players = players;
	for (int i = 0; i < 12; i++)
		put_mail(t, 0, now + 2, "all: hld"); /* misread: it tries to order */
	pass_at(t, now + 3);
	assert_int_equal(number(t, "SELECT count(*) FROM outbox WHERE game = 2 AND kind = 'receipt'"), 12);
	t->game = real;
	t->players = own;
	for (int i = 0; i < 59; i++)
		put_mail(t, 0, now + 4, "A: hold");
	pass_at(t, now + 5);
	assert_int_equal(answers_of(t, "receipt"), 59);
	assert_int_equal(number(t, last), 0);
	put_mail(t, 0, now + 6, "A: hold");
	put_mail(t, 0, now + 7, "B: advance 3");
	pass_at(t, now + 8);
	assert_int_equal(answers_of(t, "receipt"), 60);
	assert_int_equal(number(t, last), 1);
	assert_int_equal(number(t, "SELECT max(number) FROM sheet JOIN player ON player.id = sheet.player "
				   "WHERE player.game = 1"),
		61);

	/* Questions have a bound of their own; and when the hour is over all is as before. */
	put_mail(t, 0, now + 9, "STATUS");
	pass_at(t, now + 10);
	assert_int_equal(answers_of(t, "answer"), 1);
	put_mail(t, 0, now + HOUR + 10, "C: hold");
	pass_at(t, now + HOUR + 11);
	assert_int_equal(answers_of(t, "receipt"), 61);
	assert_int_equal(number(t, last), 1);
	played_end(t);
}

/* How many mails of the second game have that text. */
static int64_t mails_with(struct played *t, const char *text)
{
	return number(t, talloc_asprintf(t,
				 "SELECT count(*) FROM outbox JOIN outbox_bytes ON outbox = outbox.id "
				 "WHERE game = 2 AND instr(bytes, '%s') > 0",
				 text));
}

/* The drill is fought under the rules of the game it is asked from, with the drill's own turn limit. */
static void drill_under(const char *rules, int points)
{
	struct played *t = played_under(rules, "");
	struct game *drill;
	struct players players;

	put_mail(t, 0, MONDAY + HOUR, "DRILL");
	pass_at(t, MONDAY + HOUR + MINUTE);
	expect_ok(store_game(t->s->store, t, 2, &drill));
	assert_string_equal(drill->rules, rules);
	assert_string_equal(drill->rules_text, t->game->rules_text);
	assert_int_equal(mails_with(t, "It is over after turn 6"), 1);
	expect_ok(store_players(t->s->store, t, drill->id, &players));
	t->game = drill;
	t->players = players;
	put_mail(t, 0, MONDAY + 2 * HOUR, "RULES");
	pass_at(t, MONDAY + 2 * HOUR + MINUTE);
	assert_int_equal(mails_with(t, "THE RULES ON ONE PAGE"), 1);
	assert_int_equal(mails_with(t, "command points: a D6"), points);
	/* The general of the example is one of this battle's. */
	assert_int_equal(mails_with(t, "\"Hu: rally A\""), points);
	put_mail(t, 0, MONDAY + 3 * HOUR, "all: charge nearest");
	pass_at(t, MONDAY + 3 * HOUR + MINUTE);
	assert_int_equal(t->game->turn, 2);
	assert_int_equal(mails_with(t, "British command points: 1 dice"), points);
	/* WHY a charge was none: how far it goes under these rules, and their own words for that. */
	put_mail(t, 0, MONDAY + 4 * HOUR,
		"WHY 1\nWHY 2\nWHY 3\nWHY 4\nWHY 5\nWHY 6\nWHY 7\nWHY 8\nWHY 9\nWHY 10\nWHY 11\nWHY 12");
	pass_at(t, MONDAY + 4 * HOUR + MINUTE);
	assert_int_equal(mails_with(t, points ? "its charge can go: 14\"" : "its charge can go: 6\""), 1);
	assert_int_equal(mails_with(t, "dice can bring it"), points);
	assert_int_equal(mails_with(t, "within the charge move"), 1 - points);
	played_end(t);
}

static void test_rules_of_the_game(void **state)
{
	(void)state;
	drill_under("shreds", 1);
	drill_under("fastplay", 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bound),
		cmocka_unit_test(test_rest),
		cmocka_unit_test(test_rules_of_the_game),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
