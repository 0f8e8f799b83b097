/* Lines of play, messages, news and people in the store. */
#include "store_fixture.h"

#include "store/lines.h"
#include "store/messages.h"
#include "store/news.h"
#include "store/people.h"

static void put_turn(struct fixture *f, const struct game *g, int turn, const char *digest)
{
	struct turn_row row = {
		.line = g->line, .turn = turn, .resolution = 1, .why = "", .orders = "", .digest = digest};

	expect_ok(store_add_turn(f->store, f, g, &row));
}

static const char *digest_of(struct fixture *f, const struct game *g, int turn)
{
	const char *digest;
	struct turn_row *row;

	expect_ok(store_turn_digest(f->store, f, g, turn, &digest));
	expect_ok(store_turn(f->store, f, g, turn, &row));
	assert_int_equal(digest == NULL, row == NULL);
	if (row != NULL)
		assert_string_equal(row->digest, digest);
	return digest == NULL ? "none" : digest;
}

/* Leaves the game's line and begins one with that turn. */
static void back_to(struct fixture *f, struct game *g, int turn)
{
	int line;

	expect_ok(store_leave_line(f->store, f, g));
	expect_ok(store_begin_line(f->store, f, g, turn, NOW, &line));
	g->line = line;
	g->turn = turn;
	expect_ok(store_update_game(f->store, f, g));
}

/* Turns a1 a2 a3; back to 3: b3 b4; back from there to 2: c2; and each line still sees its own. */
static void test_lines(void **state)
{
	struct fixture *f = *state;
	struct game *g = add_game(f, "g"), first;
	struct line_rows lines;

	put_turn(f, g, 1, "a1");
	put_turn(f, g, 2, "a2");
	put_turn(f, g, 3, "a3");
	g->turn = 4;
	first = *g;
	back_to(f, g, 3);
	assert_int_equal(g->line, 2);
	assert_string_equal(digest_of(f, g, 2), "a2");
	assert_string_equal(digest_of(f, g, 3), "none");
	put_turn(f, g, 3, "b3");
	put_turn(f, g, 4, "b4");
	g->turn = 5;
	back_to(f, g, 2);
	assert_int_equal(g->line, 3);
	put_turn(f, g, 2, "c2");
	assert_string_equal(digest_of(f, g, 1), "a1");
	assert_string_equal(digest_of(f, g, 2), "c2");
	assert_string_equal(digest_of(f, g, 3), "none");
	g->line = 2;
	assert_string_equal(digest_of(f, g, 1), "a1");
	assert_string_equal(digest_of(f, g, 2), "a2");
	assert_string_equal(digest_of(f, g, 4), "b4");
	assert_string_equal(digest_of(f, &first, 3), "a3");
	assert_string_equal(digest_of(f, &first, 4), "none");
	expect_ok(store_lines(f->store, f, g->id, &lines));
	assert_int_equal(lines.count, 3);
	assert_int_equal(lines.list[0].turn, 4);
	assert_int_equal(lines.list[1].parent, 1);
	assert_int_equal(lines.list[1].turn, 5);
	assert_int_equal(lines.list[2].parent, 2);
	assert_int_equal(lines.list[2].start, 2);
}

static void put_sheet(struct fixture *f, const struct game *g, int64_t player, const char *lines)
{
	struct sheet_row row = {.player = player, .arrived = NOW, .canonical = lines, .typed = lines};

	expect_ok(store_add_sheet(f->store, f, g, &row));
}

/* Sheets of the turns before a rollback count in the new line, those of the turns that are played again do not. */
static void test_sheets_of_lines(void **state)
{
	struct fixture *f = *state;
	struct game *g = add_game(f, "g");
	struct player *p = add_player(f, g, "E", "a@x.example");
	struct sheet_rows rows;

	put_sheet(f, g, p->id, "one");
	g->turn = 2;
	put_sheet(f, g, p->id, "two");
	back_to(f, g, 2);
	put_sheet(f, g, p->id, "again");
	expect_ok(store_sheets_in_force(f->store, f, g, "", &rows));
	assert_int_equal(rows.count, 2);
	assert_string_equal(rows.list[0].canonical, "one");
	assert_string_equal(rows.list[1].canonical, "again");
	expect_ok(store_sheets(f->store, f, g, p->id, &rows));
	assert_int_equal(rows.count, 1);
	assert_int_equal(rows.list[0].number, 1);
	g->line = 1;
	expect_ok(store_sheets_in_force(f->store, f, g, "", &rows));
	assert_int_equal(rows.count, 2);
	assert_string_equal(rows.list[1].canonical, "two");
}

static void test_messages(void **state)
{
	struct fixture *f = *state;
	struct game *g = add_game(f, "g"), *h = add_game(f, "h");
	struct player *p = add_player(f, g, "E", "a@x.example");
	struct message_row m = {
		.game = g->id, .player = p->id, .made = NOW, .audience = "J", .body = "hi", .state = "held"};
	struct message_rows rows;
	bool first;
	int n;

	expect_ok(store_add_message(f->store, f, &m));
	assert_int_equal(m.number, 1);
	m.state = "sent";
	expect_ok(store_add_message(f->store, f, &m));
	assert_int_equal(m.number, 2);
	m.game = h->id;
	expect_ok(store_add_message(f->store, f, &m));
	assert_int_equal(m.number, 1);
	expect_ok(store_messages(f->store, f, g->id, true, &rows));
	assert_int_equal(rows.count, 1);
	expect_ok(store_decide_message(f->store, f, &rows.list[0], "rejected", NOW, "rude", &first));
	assert_true(first);
	expect_ok(store_decide_message(f->store, f, &rows.list[0], "sent", NOW, "", &first));
	assert_false(first);
	expect_ok(store_messages(f->store, f, g->id, false, &rows));
	assert_string_equal(rows.list[0].state, "rejected");
	assert_string_equal(rows.list[0].reason, "rude");
	expect_ok(store_messages_since(f->store, f, g->id, p->id, NOW - 1, NOW, &n));
	assert_int_equal(n, 2);
	expect_ok(store_messages_since(f->store, f, g->id, p->id, NOW, NOW, &n));
	assert_int_equal(n, 0);
}

static void test_news(void **state)
{
	struct fixture *f = *state;
	struct game *g = add_game(f, "g");
	struct games due;
	struct news news;

	expect_ok(store_games_with_news(f->store, f, NOW, &due));
	assert_int_equal(due.count, 0);
	for (int i = 0; i < NEWS_MAX + 50; i++)
		expect_ok(store_add_news(f->store, f, g->id, NOW, talloc_asprintf(f, "news %d", i)));
	expect_ok(store_add_news(f->store, f, g->id, NOW, "news 1"));
	expect_ok(store_news(f->store, f, g->id, &news));
	assert_int_equal(news.count, NEWS_MAX);
	expect_ok(store_games_with_news(f->store, f, NOW, &due));
	assert_int_equal(due.count, 1);
	expect_ok(store_news_told(f->store, f, g->id, NOW));
	expect_ok(store_add_news(f->store, f, g->id, NOW, "more"));
	expect_ok(store_games_with_news(f->store, f, NOW - 1, &due));
	assert_int_equal(due.count, 0);
	expect_ok(store_games_with_news(f->store, f, NOW, &due));
	assert_int_equal(due.count, 1);
}

static void test_absence(void **state)
{
	struct fixture *f = *state;
	struct game *g = add_game(f, "g");
	struct player *p = add_player(f, g, "E", "a@x.example");
	int64_t until;

	expect_ok(store_set_absence(f->store, f, p->id, NOW, NOW + 10, NOW + 20));
	expect_ok(store_absent(f->store, f, p->id, NOW + 9, &until));
	assert_int_equal(until, 0);
	expect_ok(store_absent(f->store, f, p->id, NOW + 10, &until));
	assert_int_equal(until, NOW + 20);
	expect_ok(store_absent(f->store, f, p->id, NOW + 20, &until));
	assert_int_equal(until, NOW + 20);
	expect_ok(store_absent(f->store, f, p->id, NOW + 21, &until));
	assert_int_equal(until, 0);
	/* The later word counts. */
	expect_ok(store_set_absence(f->store, f, p->id, NOW + 12, NOW + 30, NOW + 40));
	expect_ok(store_absent(f->store, f, p->id, NOW + 15, &until));
	assert_int_equal(until, 0);
}

#define WITH_STORE(test) cmocka_unit_test_setup_teardown(test, fixture_set_up, fixture_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_STORE(test_lines),
		WITH_STORE(test_sheets_of_lines),
		WITH_STORE(test_messages),
		WITH_STORE(test_news),
		WITH_STORE(test_absence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
