/* service/board: mails of which nothing is in force are passed over, and the one that was just read is not read again,
 * and that is never seen. */
#include "game_fixture.h"

#include "orders/merge.h"
#include "service/accepted.h"
#include "service/board.h"
#include "service/unread.h"

static const char *const mails[] = {
	"Wolfe's: advance 4",
	"Barrell's: hold; fire at Camerons\nWolfe's: fire at Camerons",
	"all: hold",
	"left wing: advance 2\nWolfe's: face west",
	"cancel Wolfe's",
	"Wolfe's: don't charge Camerons",
	"Wolfe's: charge Camerons",
	"standing Wolfe's: fire at the nearest enemy",
	"everyone else: advance 1",
	"Good morning!",
};
enum { MAILS = sizeof mails / sizeof *mails, AT_ONCE = 3 };

struct kept {
	const struct sheet *sheet;
	const char *canonical, *plain;
};

static struct sheet_row add_sheet(struct played *t, struct board *b, const struct kept *sheet, int number, int turn)
{
	struct game then = *b->game;
	struct sheet_row row = {.player = t->players.list[0].id,
		.mail = number,
		.arrived = MONDAY + number,
		.plain = sheet->plain,
		.canonical = sheet->canonical,
		.typed = ""};

	then.turn = turn;
	expect_ok(store_add_sheet(t->s->store, b, &then, &row));
	return row;
}

/* What is in force, and what is said of the last mail. */
static char *in_force(struct played *t, TALLOC_CTX *mem, struct board *b)
{
	struct merge_notes notes;
	const struct orderbook *book;
	char *text;

	expect_ok(board_orders(t->s, mem, b, SIDE_GOVERNMENT, &notes, &book));
	text = board_orders_text(mem, b, book, SIDE_GOVERNMENT);
	for (int i = 0; i < notes.count; i++)
		if (notes.list[i].mail == AT_ONCE)
			text = talloc_asprintf_append(text, "%s\n", notes.list[i].text);
	return text;
}

/* Any three of them, the first one perhaps of an earlier turn, with what is known of them and without. */
static void test_passed_over(void **state)
{
	struct played *t = played_new("24");
	struct kept sheets[MAILS];
	struct board *b;
	int told = 0;

	(void)state;
	expect_ok(board_load(t->s, t, t->game, &b));
	expect_ok(sql_script(t->s->store, t, "PRAGMA foreign_keys = OFF"));
	for (int i = 0; i < MAILS; i++) {
		struct orders_context context = board_context(b, b, &t->players.list[0]);
		struct sheet *sheet = orders_read(b, mails[i], strlen(mails[i]), &context);

		assert_int_equal(sheet->problem_count, 0);
		sheets[i] = (struct kept){sheet, orders_canonical(b, sheet, &context), board_plain_pieces(b, b, sheet)};
	}
	assert_string_equal(sheets[1].plain, "WOL BAR");
	for (int i = 2; i < MAILS; i++)
		assert_true((sheets[i].plain[0] != '\0') == (i == 5 || i == 6));
	b->game->turn = 2;
	for (int n = 0; n < MAILS * MAILS * MAILS * 2; n++) {
		const int which[AT_ONCE] = {n / 2 % MAILS, n / 2 / MAILS % MAILS, n / 2 / MAILS / MAILS};
		TALLOC_CTX *one = talloc_new(t);
		struct sheet_row last;
		char *now, *all;

		expect_ok(store_begin(t->s->store, one));
		for (int i = 0; i < AT_ONCE; i++)
			last = add_sheet(t, b, &sheets[which[i]], i + 1, i == 0 && n % 2 ? 1 : 2);
		if (n % 3 == 0) /* the first had a line that was not understood */
			expect_ok(sql_run(t->s->store, one,
				"UPDATE sheet SET unread = 1 WHERE id = (SELECT min(id) FROM sheet)", ""));
		board_keeps(b, &last, sheets[which[AT_ONCE - 1]].sheet);
		now = in_force(t, one, b);
		board_keeps(b, &(struct sheet_row){.id = 0}, NULL);
		expect_ok(sql_run(t->s->store, one, "UPDATE sheet SET plain = ''", ""));
		all = in_force(t, one, b);
		assert_string_equal(now, all);
		told += strchr(now, '.') != NULL;
		store_rollback(t->s->store);
		talloc_free(one);
	}
	assert_true(told > 0);
	played_end(t);
}

/* ACCEPT looks back as far as receipts tell of lines that wait, whoever writes hundreds of mails. */
static void test_accepted_bound(void **state)
{
	enum { OLDER = 3, COUNT = UNREAD_MAILS_MAX + OLDER };
	struct played *t = played_new("24");
	const struct sheet *before;
	struct sheet_row list[COUNT];
	const struct sheet_rows rows = {list, COUNT};
	struct board *b;
	const char *taken;

	(void)state;
	expect_ok(board_load(t->s, t, t->game, &b));
	for (int i = 0; i < COUNT; i++)
		list[i] = (struct sheet_row){.unread = i != OLDER,
			.typed = i < OLDER ? "Barrell's: advnce 4\n" : "Wolfe's: advnce 4\n",
			.canonical = ""};
	assert_int_equal(unread_first(&rows), OLDER + 1);
	taken = accepted_text(t, b, &t->players.list[0], "ACCEPT\n", &rows, &before);
	assert_non_null(strstr(taken, "Wolfe's: advance 4"));
	assert_null(strstr(taken, "R: move 4"));
	assert_null(strstr(taken, "Barrell"));
	played_end(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_passed_over),
		cmocka_unit_test(test_accepted_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
