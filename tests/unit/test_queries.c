/* Every statement of the store reaches its rows by an index, however many there are. */
#include "store_fixture.h"

#include "store/archive.h"
#include "store/lines.h"
#include "store/messages.h"
#include "store/news.h"
#include "store/people.h"

/* What the referee's desk keeps. */
static void call_the_desk(struct fixture *f, struct game *g, const struct player *p)
{
	struct message_row m = {
		.game = g->id, .player = p->id, .made = NOW, .audience = "all", .body = "x", .state = "held"};
	struct message_rows messages;
	struct message_row *found;
	struct line_rows lines;
	struct players players;
	struct games games;
	struct acts acts;
	struct news news;
	const char **addresses, *digest, *key;
	int64_t until;
	bool yes;
	int n;

	expect_ok(store_add_message(f->store, f, &m));
	expect_ok(store_message(f->store, f, g->id, 1, &found));
	expect_ok(store_messages(f->store, f, g->id, true, &messages));
	expect_ok(store_messages(f->store, f, g->id, false, &messages));
	expect_ok(store_messages_since(f->store, f, g->id, p->id, NOW - 1, NOW, &n));
	expect_ok(store_decide_message(f->store, f, &m, "sent", NOW, "", &yes));
	expect_ok(store_add_news(f->store, f, g->id, NOW, "x"));
	expect_ok(store_games_with_news(f->store, f, NOW, &games));
	expect_ok(store_news(f->store, f, g->id, &news));
	expect_ok(store_news_told(f->store, f, g->id, NOW));
	expect_ok(store_set_units(f->store, f, p->id, "BAR"));
	expect_ok(store_addresses(f->store, f, p->id, true, &addresses));
	expect_ok(store_keys_of_people(f->store, f, g->id, &addresses));
	expect_ok(store_players_with(f->store, f, g->id, "a@x.example", &players));
	expect_ok(store_key_among(f->store, f, g->id, p->id, "a@x.example", &key, &n));
	assert_string_equal(key, p->key);
	assert_int_equal(n, players.count);
	expect_ok(store_set_absence(f->store, f, p->id, NOW, NOW, NOW + 1));
	expect_ok(store_absent(f->store, f, p->id, NOW, &until));
	expect_ok(store_ask_silence(f->store, f, g, NOW, &yes));
	expect_ok(store_turn_digest(f->store, f, g, 1, &digest));
	expect_ok(store_acts(f->store, f, g->id, &acts));
	expect_ok(store_leave_line(f->store, f, g));
	expect_ok(store_begin_line(f->store, f, g, 1, NOW, &n));
	expect_ok(store_lines(f->store, f, g->id, &lines));
}

/* Calls every function that reads or writes games, mails and turns, so that its statements are prepared. */
static void call_everything(struct fixture *f)
{
	struct game *g = add_game(f, "g"), *found;
	struct player *p = add_player(f, g, "E", "a@x.example"), *player;
	struct account *a;
	struct outgoing *o;
	const char *id;
	struct incoming *m;
	struct incomings incoming;
	struct games games;
	struct players players;
	struct sheet_row row = {.player = p->id, .arrived = NOW, .canonical = "", .typed = ""};
	struct sheet_rows rows;
	struct turn_row turn = {.line = 1, .turn = 1, .resolution = 1, .why = "", .orders = "", .digest = ""}, *t;
	unsigned char *secret;
	bool yes;
	const char *key;
	int64_t since, shown, sent;
	int n, other;

	g->status = "running";
	g->deadline = NOW;
	expect_ok(store_update_game(f->store, f, g));
	expect_ok(store_game(f->store, f, g->id, &found));
	expect_ok(store_game_named(f->store, f, "g", &found));
	expect_ok(store_games(f->store, f, &games));
	expect_ok(store_games_due(f->store, f, NOW, &games));
	expect_ok(store_games_to_release(f->store, f, NOW, &games));
	expect_ok(store_games_awake(f->store, f, NOW, &games));
	expect_ok(store_sleep_game(f->store, f, g, NOW));
	expect_ok(store_games_ready(f->store, f, &games));
	expect_ok(store_players(f->store, f, g->id, &players));
	expect_ok(store_players_ever(f->store, f, g->id, &players));
	expect_ok(store_players_at(f->store, f, "a@x.example", &players));
	expect_ok(store_player(f->store, f, p->id, &player));
	expect_ok(store_add_deputy(f->store, f, p->id, "d@x.example", "k"));
	expect_ok(store_key(f->store, f, p->id, "a@x.example", &key));
	expect_ok(store_heard(f->store, f, p->id, NOW));
	expect_ok(store_sent_since(f->store, f, NOW, NOW, &sent));
	for (int i = 0; i < BOUNCES_MAX; i++)
		expect_ok(store_bounced(f->store, f, p->id, 1000, &yes));
	call_the_desk(f, g, p);
	expect_ok(store_replace_player(f->store, f, p->id, "B", "b@x.example", "k"));
	expect_ok(store_set_ready(f->store, f, g, p->id, true));
	expect_ok(store_set_ready(f->store, f, g, p->id, false));
	expect_ok(store_is_ready(f->store, f, g, p->id, &yes));
	expect_ok(store_reminded(f->store, f, g, 3, &yes));
	expect_ok(store_add_sheet(f->store, f, g, &row));
	expect_ok(store_sheets(f->store, f, g, 0, &rows));
	expect_ok(store_sheets_in_force(f->store, f, g, "", &rows));
	expect_ok(store_add_turn(f->store, f, g, &turn));
	expect_ok(store_turn(f->store, f, g, 1, &t));
	expect_ok(store_release_turn(f->store, f, turn.id, NOW));
	expect_ok(store_turn_told(f->store, f, g, 1, &t));
	expect_ok(store_turn_resolution(f->store, f, g, 1, 1, &t));
	expect_ok(store_turn_row(f->store, f, turn.id, &t));

	expect_ok(store_account(f->store, f, "inbox", NOW, &a));
	expect_ok(store_polled(f->store, f, a->id, NOW));
	expect_ok(store_poll_failed(f->store, f, a->id, NOW, ""));
	m = add_mail(f, a->id, "1", "x");
	expect_ok(store_mail_known(f->store, f, a->id, 7, "1", &yes));
	expect_ok(store_put_off(f->store, f, a->id, 7, "1", NOW, 1, 1));
	expect_ok(store_any_put_off(f->store, f, a->id, &yes));
	assert_true(yes);
	expect_ok(store_put_off_until(f->store, f, a->id, 7, "1", &shown));
	expect_ok(store_mail_listed(f->store, f, a->id, 7, "1", NOW, &yes));
	expect_ok(store_mail_waiting(f->store, f, 1, 1024, &incoming));
	expect_ok(store_mail_failed(f->store, f, m->id, "", &n));
	expect_ok(store_mail_done(f->store, f, m->id, "done", "", 0, 0, ""));
	expect_ok(store_mail_to_move(f->store, f, a->id, &incoming));
	expect_ok(store_mail_moving_since(f->store, f, a->id, &since));
	expect_ok(store_mail_moved(f->store, f, m->id));
	queue(f, p->id, "<1@x>", NOW);
	expect_ok(store_claim(f->store, f, "me", NOW, 60, &o));
	expect_ok(store_sent(f->store, f, o->id, "sent", NOW, ""));
	expect_ok(store_last_to(f->store, f, p->id, "a@x.example", &id));
	expect_ok(store_last_mail(f->store, f, p->id, "", 0, &o));
	expect_ok(store_last_shown(f->store, f, p->id, &shown));
	expect_ok(store_mail_sent_as(f->store, f, "<1@x>", &o));
	expect_ok(store_outbox_count(f->store, f, &n, &other));

	expect_ok(store_secret(f->store, f, "tokens", 32, &secret));
	expect_ok(store_lease(f->store, f, "poll", "me", NOW, NOW + 1, &yes));
	expect_ok(store_lease_end(f->store, f, "poll", "me"));
	expect_ok(store_answered(f->store, f, "a@x.example", "", NOW));
	expect_ok(store_answers_since(f->store, f, "a@x.example", "", NOW, NOW, &n));
	expect_ok(store_answers_of(f->store, f, "a@x.example", "answer", "acting", NOW, NOW, &n, &other));
	expect_ok(store_act(f->store, f, g->id, NOW, "me", "x", ""));
	expect_ok(store_remove_player(f->store, f, p->id));
}

/* The scans that are meant: `game list` shows all; indexes that hold only what waits; who is READY now; the answers of
 * two days, when some are to be forgotten. */
static bool meant(const char *plan, const char *sql)
{
	return strstr(plan, "USING INDEX mail_waiting") != NULL || strstr(plan, "INDEX outbox_due") != NULL ||
	       strstr(plan, "SCAN ready") != NULL || strstr(plan, "SCAN news") != NULL ||
	       (strstr(plan, "SCAN answered") != NULL && strstr(sql, "DELETE") != NULL) ||
	       strstr(plan, "SCAN (subquery") != NULL || strstr(plan, "CONSTANT ROW") != NULL ||
	       (strstr(plan, "SCAN game") != NULL && strstr(sql, "FROM game ORDER BY id") != NULL) ||
	       strstr(sql, "sqlite_schema") != NULL || strstr(sql, "pragma_foreign_key_check") != NULL;
}

static void test_no_scan(void **state)
{
	struct fixture *f = *state;
	int statements = 0;

	call_everything(f);
	for (sqlite3_stmt *st = sqlite3_next_stmt(f->store->db, NULL); st != NULL;
		st = sqlite3_next_stmt(f->store->db, st)) {
		const char *sql = sqlite3_sql(st);
		char *explain = talloc_asprintf(f, "EXPLAIN QUERY PLAN %s", sql);
		sqlite3_stmt *plan;

		if (strncmp(sql, "EXPLAIN", 7) == 0 || strncmp(sql, "PRAGMA", 6) == 0)
			continue;
		assert_int_equal(sqlite3_prepare_v2(f->store->db, explain, -1, &plan, NULL), SQLITE_OK);
		while (sqlite3_step(plan) == SQLITE_ROW) {
			const char *detail = (const char *)sqlite3_column_text(plan, 3);

			if (strncmp(detail, "SCAN", 4) == 0 && !meant(detail, sql))
				fail_msg("%s\n  in: %s", detail, sql);
		}
		sqlite3_finalize(plan);
		statements++;
	}
	assert_true(statements >= 50);
}

/* What the clock asks once a minute costs the same for one game and for thousands: SQLite's own count of steps. */
static int idle_steps(struct fixture *f)
{
	struct games games;
	struct outgoing *o;
	struct incomings waiting;
	int steps = 0;

	expect_ok(store_games_due(f->store, f, NOW, &games));
	assert_int_equal(games.count, 0);
	expect_ok(store_games_awake(f->store, f, NOW, &games));
	assert_int_equal(games.count, 0);
	expect_ok(store_games_to_release(f->store, f, NOW, &games));
	assert_int_equal(games.count, 0);
	expect_ok(store_games_ready(f->store, f, &games));
	expect_ok(store_mail_waiting(f->store, f, 10, 1024, &waiting));
	expect_ok(store_claim(f->store, f, "me", NOW, 60, &o));
	assert_null(o);
	for (sqlite3_stmt *st = sqlite3_next_stmt(f->store->db, NULL); st != NULL;
		st = sqlite3_next_stmt(f->store->db, st))
		steps += sqlite3_stmt_status(st, SQLITE_STMTSTATUS_VM_STEP, 1);
	return steps;
}

static void test_idle_costs_the_same(void **state)
{
	struct fixture *f = *state;
	int few, many;

	idle_steps(f);
	few = idle_steps(f);
	expect_ok(store_begin(f->store, f));
	for (int i = 0; i < 2000; i++) {
		struct game *g = add_game(f, talloc_asprintf(f, "g%d", i));

		g->status = i % 3 == 0 ? "ended" : "running";
		g->deadline = NOW + 5000 + i;
		expect_ok(store_update_game(f->store, f, g));
		expect_ok(store_sleep_game(f->store, f, g, NOW + 1000));
	}
	expect_ok(store_commit(f->store, f));
	idle_steps(f);
	many = idle_steps(f);
	assert_in_range(many, 1, few + 10);
}

#define WITH_STORE(test) cmocka_unit_test_setup_teardown(test, fixture_set_up, fixture_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_STORE(test_no_scan),
		WITH_STORE(test_idle_costs_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
