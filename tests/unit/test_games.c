/* store/games and store/turns: games, players, sheets, readiness, history. */
#include "store_fixture.h"

static void test_game_round_trip(void **state)
{
	struct fixture *f = *state;
	struct game *g = add_game(f, "falkirk-7b"), *back, *none;

	expect_ok(store_game_named(f->store, f, "falkirk-7b", &back));
	assert_int_equal(back->id, g->id);
	assert_string_equal(back->battle_text, "battle Falkirk\n");
	assert_string_equal(back->status, "setup");
	assert_memory_equal(back->seed, g->seed, GAME_SEED_BYTES); /* with its NUL byte */
	assert_int_equal(back->grace, 2);
	assert_int_equal(back->line, 1);
	assert_int_equal(back->turn, 1);
	assert_int_equal(back->deadline, 0);
	expect_ok(store_game_named(f->store, f, "falkirk", &none));
	assert_null(none);
	expect_ok(store_game(f->store, f, g->id + 1, &none));
	assert_null(none);
	expect_err(store_add_game(f->store, f, g), "called 'falkirk-7b' already");
	assert_int_equal(count(f, "SELECT count(*) FROM game"), 1);
}

/* Games share their texts in memory where these are the same, and only there; more than are kept are read as well. */
static void test_shared_texts(void **state)
{
	struct fixture *f = *state;
	struct game *first = add_game(f, "first"), like = *first, *one, *same;
	struct games all;

	add_game(f, "same");
	for (int i = 0; i < TEXTS_MAX + 2; i++) {
		like.name = talloc_asprintf(f, "game-%d", i);
		like.battle_text = talloc_asprintf(f, "battle %d\n", i / 2);
		like.rules_text = talloc_asprintf(f, "rules %d\n", (i + 1) / 2);
		expect_ok(store_add_game(f->store, f, &like));
	}
	for (int again = 0; again < 2; again++) {
		expect_ok(store_games(f->store, f, &all));
		assert_int_equal(all.count, TEXTS_MAX + 4);
		for (int i = 0; i < TEXTS_MAX + 2; i++) {
			const struct game *g = &all.list[i + 2];

			assert_string_equal(g->battle_text, talloc_asprintf(f, "battle %d\n", i / 2));
			assert_string_equal(g->rules_text, talloc_asprintf(f, "rules %d\n", (i + 1) / 2));
		}
	}
	expect_ok(store_game_named(f->store, f, "first", &one));
	expect_ok(store_game_named(f->store, f, "same", &same));
	assert_ptr_equal(one->battle_text, same->battle_text);
}

/* Two that have read the same row: the second must not write over what the first has done. */
static void test_no_lost_change(void **state)
{
	struct fixture *f = *state;
	struct game *one, *two, *now;
	struct err *e;

	add_game(f, "g");
	expect_ok(store_game_named(f->store, f, "g", &one));
	expect_ok(store_game_named(f->store, f, "g", &two));
	one->status = "running";
	one->deadline = NOW + 100;
	expect_ok(store_update_game(f->store, f, one));
	one->deadline = NOW + 200; /* he himself may go on */
	expect_ok(store_update_game(f->store, f, one));
	two->status = "ended";
	e = store_update_game(f->store, f, two);
	expect_err(e, "changed by another process");
	assert_true(e->retry);
	assert_int_equal(e->scope, ERR_GAME);
	expect_ok(store_game_named(f->store, f, "g", &now));
	assert_string_equal(now->status, "running");
	assert_int_equal(now->deadline, NOW + 200);
}

static void start(struct fixture *f, struct game *g, int64_t deadline)
{
	g->status = "running";
	g->deadline = deadline;
	expect_ok(store_update_game(f->store, f, g));
}

static void test_due(void **state)
{
	struct fixture *f = *state;
	struct game *late = add_game(f, "late"), *early = add_game(f, "early"), *paused = add_game(f, "paused");
	struct games due;

	add_game(f, "setup");
	start(f, late, NOW + 200);
	start(f, early, NOW + 100);
	start(f, paused, NOW + 50);
	paused->status = "paused";
	expect_ok(store_update_game(f->store, f, paused));
	expect_ok(store_games_due(f->store, f, NOW + 99, &due));
	assert_int_equal(due.count, 0);
	expect_ok(store_games_due(f->store, f, NOW + 100, &due));
	assert_int_equal(due.count, 1);
	expect_ok(store_games_due(f->store, f, NOW + 1000, &due));
	assert_int_equal(due.count, 2);
	assert_string_equal(due.list[0].name, "early");
	assert_string_equal(due.list[1].name, "late");
}

static void test_sleeping(void **state)
{
	struct fixture *f = *state;
	struct game *g = add_game(f, "g"), *stale;
	struct games awake;

	start(f, g, NOW + 1000);
	expect_ok(store_games_awake(f->store, f, NOW, &awake));
	assert_int_equal(awake.count, 1);
	expect_ok(store_sleep_game(f->store, f, &awake.list[0], NOW + 500));
	expect_ok(store_games_awake(f->store, f, NOW + 499, &awake));
	assert_int_equal(awake.count, 0);
	expect_ok(store_games_awake(f->store, f, NOW + 500, &awake));
	assert_int_equal(awake.count, 1);
	/* A change wakes it, and who has not seen the change cannot put it to sleep. */
	expect_ok(store_game(f->store, f, g->id, &stale));
	g->deadline = NOW + 300;
	expect_ok(store_update_game(f->store, f, g));
	expect_ok(store_sleep_game(f->store, f, stale, NOW + 900));
	expect_ok(store_games_awake(f->store, f, NOW, &awake));
	assert_int_equal(awake.count, 1);
}

static void test_players(void **state)
{
	struct fixture *f = *state;
	struct game *old = add_game(f, "old"), *g = add_game(f, "g");
	struct player *anne, *bob, *again;
	struct players all;
	const char *key;

	add_player(f, old, "E", "anne@x.example");
	anne = add_player(f, g, "E", "anne@x.example");
	bob = add_player(f, g, "J", "bob@x.example");
	expect_ok(store_add_deputy(f->store, f, bob->id, "deputy@x.example", "brook-1"));
	old->status = "ended";
	expect_ok(store_update_game(f->store, f, old));

	expect_ok(store_players(f->store, f, g->id, &all));
	assert_int_equal(all.count, 2);
	assert_string_equal(all.list[0].address, "anne@x.example");
	assert_string_equal(all.list[1].address, "bob@x.example"); /* not the deputy's */
	expect_ok(store_players_at(f->store, f, "anne@x.example", &all));
	assert_int_equal(all.count, 2);
	assert_int_equal(all.list[0].id, anne->id); /* the newest first */
	expect_ok(store_players_at(f->store, f, "deputy@x.example", &all));
	assert_int_equal(all.count, 1);
	expect_ok(store_key(f->store, f, bob->id, "deputy@x.example", &key));
	assert_string_equal(key, "brook-1"); /* a key of his own */
	expect_ok(store_key(f->store, f, bob->id, "bob@x.example", &key));
	assert_string_equal(key, bob->key);
	expect_ok(store_key(f->store, f, anne->id, "deputy@x.example", &key));
	assert_string_equal(key, "");

	expect_ok(store_heard(f->store, f, bob->id, NOW + 5));
	expect_ok(store_heard(f->store, f, bob->id, NOW + 3)); /* an older mail read later */
	expect_ok(store_player(f->store, f, bob->id, &again));
	assert_int_equal(again->heard, NOW + 5);

	expect_ok(store_replace_player(f->store, f, bob->id, "Carol", "carol@x.example", "otter-rope-17"));
	expect_ok(store_player(f->store, f, bob->id, &again));
	assert_string_equal(again->address, "carol@x.example");
	assert_string_equal(again->key, "otter-rope-17");
	expect_ok(store_players_at(f->store, f, "bob@x.example", &all));
	assert_int_equal(all.count, 0);
	expect_ok(store_players_at(f->store, f, "deputy@x.example", &all));
	assert_int_equal(all.count, 0);

	expect_ok(store_remove_player(f->store, f, bob->id));
	expect_ok(store_player(f->store, f, bob->id, &again));
	assert_null(again);
	expect_ok(store_players_at(f->store, f, "carol@x.example", &all));
	assert_int_equal(all.count, 0);
}

static void test_bounces(void **state)
{
	struct fixture *f = *state;
	struct player *p = add_player(f, add_game(f, "g"), "E", "a@x.example"), *again;
	struct outgoing *claimed;
	bool stopped;

	queue(f, p->id, "<1@x>", NOW);
	queue(f, p->id, "<2@x>", NOW);
	queue(f, 0, "<3@x>", NOW);
	expect_ok(store_claim(f->store, f, "me", NOW, 60, &claimed));
	for (int i = 1; i <= 4; i++) {
		expect_ok(store_bounced(f->store, f, p->id, 1000 + i, &stopped));
		assert_int_equal(stopped, i == BOUNCES_MAX);
		expect_ok(store_player(f->store, f, p->id, &again));
		assert_int_equal(again->stopped, i >= BOUNCES_MAX);
		assert_int_equal(again->bounced, 1000 + i);
	}
	/* What is on its way stays so, what waits for him will not be sent; other people's mail is. */
	assert_int_equal(count(f, "SELECT count(*) FROM outbox WHERE message_id = '<1@x>' AND state = 'sending'"), 1);
	assert_int_equal(count(f, "SELECT count(*) FROM outbox WHERE message_id = '<2@x>' AND state = 'failed'"), 1);
	expect_ok(store_claim(f->store, f, "me", NOW, 60, &claimed));
	assert_string_equal(claimed->message_id, "<3@x>");
	expect_ok(store_replace_player(f->store, f, p->id, "B", "b@x.example", "k"));
	expect_ok(store_player(f->store, f, p->id, &again));
	assert_false(again->stopped);
	assert_int_equal(again->bounces, 0);
	assert_int_equal(again->bounced, 0);
	/* Far apart they are each of its own cause, and none stops anything. */
	for (int i = 1; i <= 6; i++) {
		expect_ok(store_bounced(f->store, f, p->id, i * (BOUNCES_WITHIN + 1LL), &stopped));
		assert_false(stopped);
	}
	expect_ok(store_player(f->store, f, p->id, &again));
	assert_int_equal(again->bounces, 1);
	assert_false(again->stopped);
}

static struct sheet_row *add_sheet(
	struct fixture *f, const struct game *g, int64_t player, int64_t arrived, const char *canonical)
{
	struct sheet_row *row = talloc_zero(f, struct sheet_row);

	*row = (struct sheet_row){.player = player, .arrived = arrived, .canonical = canonical, .typed = "typed"};
	expect_ok(store_add_sheet(f->store, f, g, row));
	return row;
}

static void test_sheets(void **state)
{
	struct fixture *f = *state;
	struct game *g = add_game(f, "g"), *other = add_game(f, "other");
	int64_t anne = add_player(f, g, "E", "a@x.example")->id, bob = add_player(f, g, "J", "b@x.example")->id;
	struct sheet_rows rows;
	bool unread, ready;

	assert_int_equal(add_sheet(f, g, anne, NOW + 20, "A: hold\n")->number, 1);
	assert_int_equal(add_sheet(f, g, bob, NOW + 30, "a: charge\n")->number, 1);
	assert_int_equal(add_sheet(f, g, anne, NOW + 10, "B: hold\n")->number, 2); /* arrived earlier, read later */
	add_sheet(f, other, anne, NOW, "C: hold\n");
	expect_ok(store_sheets(f->store, f, g, 0, &rows));
	assert_int_equal(rows.count, 3);
	assert_string_equal(rows.list[0].canonical, "B: hold\n");
	assert_string_equal(rows.list[1].canonical, "A: hold\n");
	assert_string_equal(rows.list[2].canonical, "a: charge\n");
	expect_ok(store_sheets(f->store, f, g, anne, &rows));
	assert_int_equal(rows.count, 2);
	assert_string_equal(rows.list[0].typed, "typed");
	g->turn = 2;
	add_sheet(f, g, bob, NOW + 5, "b: hold\n");
	expect_ok(store_sheets(f->store, f, g, 0, &rows));
	assert_int_equal(rows.count, 1);
	expect_ok(store_sheets_in_force(f->store, f, g, "", &rows));
	assert_int_equal(rows.count, 4);
	assert_string_equal(rows.list[3].canonical, "b: hold\n");
	assert_int_equal(rows.list[3].turn, 2);
	expect_ok(store_open_of(f->store, f, g, bob, &unread, &ready));
	assert_false(unread);
	expect_ok(store_add_sheet(f->store, f, g,
		&(struct sheet_row){.player = bob,
			.arrived = NOW + 6,
			.unread = 1,
			.plain = "b",
			.canonical = "b: hold\n",
			.typed = ""}));
	expect_ok(store_open_of(f->store, f, g, bob, &unread, &ready));
	assert_true(unread);
	assert_false(ready);
	expect_ok(store_set_ready(f->store, f, g, bob, true));
	expect_ok(store_open_of(f->store, f, g, bob, &unread, &ready));
	assert_true(unread && ready);
	expect_ok(store_open_of(f->store, f, g, anne, &unread, &ready));
	assert_false(unread || ready);
	g->turn = 3; /* a plain one is over with its turn, and so is one without orders */
	add_sheet(f, g, bob, NOW + 7, "");
	expect_ok(store_open_of(f->store, f, g, bob, &unread, &ready));
	assert_false(unread);
	g->turn = 4;
	expect_ok(store_sheets_in_force(f->store, f, g, "", &rows));
	assert_int_equal(rows.count, 4);
	assert_string_equal(rows.list[3].canonical, "b: hold\n");
	assert_int_equal(rows.list[3].unread, 0);
	g->line = 2; /* another line of play knows nothing of this one */
	expect_ok(store_sheets_in_force(f->store, f, g, "", &rows));
	assert_int_equal(rows.count, 0);
}

static struct turn_row a_turn(int turn)
{
	return (struct turn_row){
		.resolution = 1,
		.line = 1,
		.turn = turn,
		.resolved = NOW,
		.why = "deadline",
		.before = "be\0fore",
		.before_len = 7,
		.after = "af\0ter",
		.after_len = 6,
		.orders = "orders E\norders J\n",
		.amendments = "",
		.events = "ev\0",
		.events_len = 3,
		.digest = "abc",
	};
}

static void test_ready_and_turns(void **state)
{
	struct fixture *f = *state;
	struct game *g = add_game(f, "g");
	int64_t anne = add_player(f, g, "E", "a@x.example")->id;
	struct turn_row row = a_turn(1), again = a_turn(1), *back;
	struct games ready;
	bool is;

	start(f, g, NOW + 1000);
	expect_ok(store_games_ready(f->store, f, &ready));
	assert_int_equal(ready.count, 0);
	expect_ok(store_set_ready(f->store, f, g, anne, true));
	expect_ok(store_set_ready(f->store, f, g, anne, true)); /* said twice */
	expect_ok(store_is_ready(f->store, f, g, anne, &is));
	assert_true(is);
	expect_ok(store_games_ready(f->store, f, &ready));
	assert_int_equal(ready.count, 1);
	expect_ok(store_set_ready(f->store, f, g, anne, false));
	expect_ok(store_is_ready(f->store, f, g, anne, &is));
	assert_false(is);
	expect_ok(store_set_ready(f->store, f, g, anne, true));

	expect_ok(store_turn(f->store, f, g, 1, &back));
	assert_null(back);
	expect_ok(store_add_turn(f->store, f, g, &row));
	expect_ok(store_turn(f->store, f, g, 1, &back));
	assert_int_equal(back->before_len, 7);
	assert_memory_equal(back->before, row.before, 7);
	assert_int_equal(back->after_len, 6);
	assert_memory_equal(back->after, row.after, 6);
	assert_int_equal(back->events_len, 3);
	assert_int_equal(back->amendments_len, 0);
	assert_string_equal(back->orders, row.orders);
	assert_string_equal(back->digest, "abc");
	expect_ok(store_games_ready(f->store, f, &ready));
	assert_int_equal(ready.count, 0);
	/* Resolved again: the last one counts; players know of none, then of the first. */
	expect_ok(store_turn_told(f->store, f, g, 1, &back));
	assert_null(back);
	expect_ok(store_release_turn(f->store, f, row.id, NOW));
	again.resolution = 2;
	again.digest = "def";
	expect_ok(store_add_turn(f->store, f, g, &again));
	expect_ok(store_turn(f->store, f, g, 1, &back));
	assert_string_equal(back->digest, "def");
	expect_ok(store_turn_told(f->store, f, g, 1, &back));
	assert_string_equal(back->digest, "abc");
	expect_ok(store_turn_resolution(f->store, f, g, 1, 1, &back));
	assert_int_equal(back->id, row.id);
	expect_ok(store_turn_row(f->store, f, again.id, &back));
	assert_int_equal(back->resolution, 2);
	assert_int_equal(back->game, g->id);
	expect_ok(store_turn_resolution(f->store, f, g, 1, 3, &back));
	assert_null(back);
	/* Once and for all. */
	assert_non_null(store_release_turn(f->store, f, row.id, NOW));
	expect_err(sql_run(f->store, f, "UPDATE released SET made = 1", ""), "told is told");
	expect_err(sql_run(f->store, f, "DELETE FROM released", ""), "told is told");
	assert_non_null(store_add_turn(f->store, f, g, &row));
	expect_err(sql_run(f->store, f, "UPDATE turn SET digest = 'x'", ""), "never changed");
	expect_err(sql_run(f->store, f, "DELETE FROM turn", ""), "never removed");
}

static void test_reminded_once(void **state)
{
	struct fixture *f = *state;
	struct game *g = add_game(f, "g");
	bool first;

	start(f, g, NOW + 1000);
	expect_ok(store_reminded(f->store, f, g, 24, &first));
	assert_true(first);
	expect_ok(store_reminded(f->store, f, g, 24, &first));
	assert_false(first);
	expect_ok(store_reminded(f->store, f, g, 3, &first));
	assert_true(first);
	g->deadline += 86400; /* put off: remind again */
	expect_ok(store_reminded(f->store, f, g, 24, &first));
	assert_true(first);
}

#define WITH_STORE(test) cmocka_unit_test_setup_teardown(test, fixture_set_up, fixture_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_STORE(test_game_round_trip),
		WITH_STORE(test_shared_texts),
		WITH_STORE(test_no_lost_change),
		WITH_STORE(test_due),
		WITH_STORE(test_sleeping),
		WITH_STORE(test_players),
		WITH_STORE(test_bounces),
		WITH_STORE(test_sheets),
		WITH_STORE(test_ready_and_turns),
		WITH_STORE(test_reminded_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
