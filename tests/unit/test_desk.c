/* The referee and the open turn: PREVIEW, orders entered for a side, notes. */
#include "desk_fixture.h"

#include "service/letters.h"

static const char both_advance[] = "all: advance 6\nall: fire nearest";

/* --- PREVIEW --- */

/* What a turn's row holds: its orders, events and states, not when it was made. */
static const char *turn_text(struct played *t)
{
	const struct turn_row *row = last(t)->row;
	size_t hex = 2 * (row->events_len + row->after_len) + 2;
	char *bytes = talloc_zero_size(t, hex), *rest;

	sodium_bin2hex(bytes, hex, (const unsigned char *)row->events, row->events_len);
	rest = bytes + strlen(bytes);
	sodium_bin2hex(rest, hex - strlen(bytes), (const unsigned char *)row->after, row->after_len);
	return talloc_asprintf(t, "%s\n%s\n%s", row->orders, bytes, row->digest);
}

/* He sees the very events that the turn then has; nothing else is different. */
static void test_preview(void **state)
{
	struct played *looked = plain_game("off"), *plain = plain_game("off");
	const char *before, *preview;
	struct played *both[] = {looked, plain};

	(void)state;
	for (int i = 0; i < 2; i++) {
		put_mail(both[i], ANN, MONDAY + MINUTE, both_advance);
		put_mail(both[i], BEN, MONDAY + MINUTE, both_advance);
		pass_at(both[i], MONDAY + HOUR);
	}
	before = talloc_asprintf(
		looked, "%s%s", contents(looked, game_tables), contents(looked, "outbox outbox_bytes mail reminded"));
	preview = referee(looked, "PREVIEW").text;
	assert_string_equal(before, talloc_asprintf(looked, "%s%s", contents(looked, game_tables),
					    contents(looked, "outbox outbox_bytes mail reminded")));
	assert_int_equal(number(looked, "SELECT count(*) FROM act WHERE what = 'PREVIEW'"), 1);
	for (int i = 0; i < 2; i++)
		pass_at(both[i], FRIDAY + MINUTE);
	assert_string_equal(turn_text(looked), turn_text(plain));
	assert_int_equal(number(looked, "SELECT count(*) FROM outbox"), number(plain, "SELECT count(*) FROM outbox"));
	/* The events of the report stand in the preview word for word. */
	{
		struct board *b;
		char *report;

		expect_ok(board_load(looked->s, looked, looked->game, &b));
		expect_ok(report_text(looked->s, looked, b, 1, -1, &report));
		report = strstr(report, "  1. ");
		assert_non_null(report);
		*strstr(report, "\n\nLUCK") = '\0';
		expect_says(preview, report);
	}
	played_end(looked);
	played_end(plain);
}

/* By mail it is an answer to the referee alone, and the turn goes on as it would. */
static void test_preview_by_mail(void **state)
{
	struct played *t = plain_game("off");
	int64_t others;

	(void)state;
	put_mail(t, ANN, MONDAY + MINUTE, both_advance);
	pass_at(t, MONDAY + HOUR);
	others = number(t, "SELECT count(*) FROM outbox WHERE recipient <> 'head@oakfield.example'");
	put_mail(t, HEAD, MONDAY + 2 * HOUR, "Preview please");
	put_mail(t, BEN, MONDAY + 2 * HOUR, "PREVIEW");
	pass_at(t, MONDAY + 3 * HOUR);
	assert_int_equal(count_mails(t, "answer", "Subject: Preview of turn 1"), 1);
	assert_int_equal(count_mails(t, "answer", "Nothing has come yet from player 2"), 1);
	assert_int_equal(
		number(t, "SELECT count(*) FROM outbox WHERE recipient <> 'head@oakfield.example'"), others + 1);
	assert_int_equal(count_mails(t, "receipt", "the referee's to say"), 1);
	assert_int_equal(t->game->turn, 1);
	played_end(t);
}

static void test_preview_refused(void **state)
{
	struct played *t = turn_one("on");

	(void)state;
	expect_says(referee(t, "PREVIEW").text, "still waits for your review");
	referee(t, "RELEASE");
	assert_false(referee(t, "PREVIEW").refused);
	/* A referee who commands units must not know dice that are still to fall. */
	referee(t, "DEPUTY 1 head@oakfield.example");
	expect_says(referee(t, "PREVIEW").text, "may not see dice before they fall");
	played_end(t);
}

/* --- orders entered for a side --- */

static const char *in_force(struct played *t)
{
	struct board *b;
	char *text;

	expect_ok(board_load(t->s, t, t->game, &b));
	expect_ok(desk_orders(t->s, t, b, &text));
	return text;
}

static void test_orders_entered(void **state)
{
	struct played *t = plain_game("off");

	(void)state;
	put_mail(t, ANN, MONDAY + MINUTE, "R: hold\nA: hold");
	pass_at(t, MONDAY + HOUR);
	t->s->clock.fixed = MONDAY + 2 * HOUR;
	expect_says(referee(t, "ORDER E: R, B: advance 3 BECAUSE Ann is ill").text, "orders no. 2 of player 1");
	expect_says(in_force(t), "A: hold\nB: move 3 forward\nR: move 3 forward\n");
	assert_int_equal(number(t, "SELECT referee FROM sheet WHERE number = 2"), t->players.list[HEAD].id);
	assert_int_equal(count_mails(t, "answer", "given orders for you"), 1);
	assert_int_equal(count_mails(t, "answer", "in your name, because Ann is"), 1);
	/* What the player sends later replaces it; the receipt and the report tell what is the referee's. */
	put_mail(t, ANN, MONDAY + 3 * HOUR, "B: hold");
	pass_at(t, MONDAY + 4 * HOUR);
	assert_int_equal(count_mails(t, "receipt", "the referee has given for you: Barrell's (R)."), 1);
	expect_says(in_force(t), "B: hold\nR: move 3 forward\n");
	assert_false(referee(t, "VOID ORDERS E A TURN 1").refused);
	assert_null(strstr(in_force(t), "A: hold"));
	pass_at(t, FRIDAY + MINUTE);
	assert_int_equal(count_mails(t, "report", "English: Hamilton's"), 3);
	assert_int_equal(last(t)->row->resolution, 1);
	played_end(t);
}

/* A mail of the player that arrived later than the referee's counts, though both are read at once. */
static void test_later_mail_counts(void **state)
{
	struct played *t = plain_game("off");

	(void)state;
	put_mail(t, ANN, MONDAY + 2 * HOUR, "R: hold");
	put_mail(t, HEAD, MONDAY + HOUR, "ORDER E: R: advance 3");
	pass_at(t, MONDAY + 3 * HOUR);
	expect_says(in_force(t), "R: hold\n");
	played_end(t);
}

static void test_orders_refused(void **state)
{
	static const struct {
		const char *command, *says;
	} cases[] = {
		{"ORDER E TURN 1: R: hold", "please say why"},
		{"ORDER E TURN 7: R: hold", "turn 2 is open"},
		{"ORDER E: R: hold", "ORDER E TURN 2"},
		{"ORDER E TURN 2: Zebras: hold", "Zebras"},
		{"ORDER E TURN 2: good luck", "there is no order in it"},
		{"VOID ORDERS E", "VOID ORDERS E TURN 2"},
		{"VOID ORDERS E TURN 9", "turn 2 is open"},
		{"NOTE", "NOTE text"},
		{"NOTE\nSTATUS", "NOTE text"},
		{"VERDICT\nREVIEW ON", "VERDICT side: text"},
		{"REMOVE R BECAUSE\nREVIEW ON", "please say why"},
	};
	struct played *t = turn_one("off");

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct desk_answer a = referee(t, cases[i].command);

		assert_true(a.refused);
		expect_says(a.text, cases[i].says);
	}
	assert_int_equal(number(t, "SELECT count(*) FROM turn"), 1);
	assert_int_equal(number(t, "SELECT count(*) FROM sheet WHERE turn = 2"), 0);
	assert_string_equal(t->game->status, "running");
	assert_false(referee(t, "ORDER E TURN 2: R: hold").refused);
	assert_false(referee(t, "ORDER E TURN 1: R: hold BECAUSE he said so").refused);
	assert_int_equal(last(t)->row->resolution, 2);
	expect_ok(sql_run(t->s->store, t, "UPDATE game SET held = 1", ""));
	expect_ok(store_game(t->s->store, t, t->game->id, &t->game));
	expect_says(referee(t, "ORDER E TURN 2: R: hold").text, "before you RELEASE it");
	played_end(t);
}

/* Each player gets what he commands; what nobody commands is said. */
static void test_orders_shared_out(void **state)
{
	struct played *t = plain_game("off");
	const char *said;

	(void)state;
	expect_ok(sql_run(t->s->store, t, "UPDATE player SET units = 'BAR CHO' WHERE role = 'E'", ""));
	said = referee(t, "ORDER E: R: advance 2\nORDER E: B: advance 2\nORDER E: E, B: hold").text;
	expect_says(said, "Nobody commands");
	expect_says(in_force(t), "E: hold\nR: move 2 forward\n");
	assert_int_equal(number(t, "SELECT count(*) FROM sheet"), 2);
	played_end(t);
}

static void test_note(void **state)
{
	struct played *t = turn_one("off");
	int64_t mails = number(t, "SELECT count(*) FROM outbox");

	(void)state;
	assert_false(referee(t, "NOTE player 2 was ill\nNOTE:\nthe bell rang\nbefore the end\n\nSTATUS").refused);
	assert_int_equal(number(t, "SELECT count(*) FROM act WHERE what = 'NOTE player 2 was ill'"), 1);
	assert_int_equal(number(t, "SELECT count(*) FROM act WHERE what = 'NOTE the bell rang before the end'"), 1);
	assert_int_equal(number(t, "SELECT count(*) FROM outbox"), mails);
	played_end(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_preview),
		cmocka_unit_test(test_preview_by_mail),
		cmocka_unit_test(test_preview_refused),
		cmocka_unit_test(test_orders_entered),
		cmocka_unit_test(test_later_mail_counts),
		cmocka_unit_test(test_orders_refused),
		cmocka_unit_test(test_orders_shared_out),
		cmocka_unit_test(test_note),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
