/* Pace phased (FP1): three parts a turn, each with its deadline, its orders and its report. */
#include "desk_fixture.h"

#include "service/audit.h"
#include "service/part.h"

static struct played *phased_new(const char *reminders)
{
	struct played *t = played_new(reminders);

	t->game->options = "set pace phased\n";
	t->game->slot = "Mon,Wed,Fri 16:00";
	t->game->deadline = MONDAY + 7 * HOUR;
	expect_ok(store_update_game(t->s->store, t, t->game));
	return t;
}

static void expect_at(const struct played *t, int turn, int part)
{
	assert_int_equal(t->game->turn, turn);
	assert_int_equal(t->game->part, part);
}

static struct board *board(struct played *t)
{
	struct board *b;

	expect_ok(board_load(t->s, t, t->game, &b));
	return b;
}

static int32_t height_of(struct played *t, const char *code)
{
	struct board *b = board(t);

	return b->state->units[state_find_code(b->state, code, -1)].box.front.y;
}

/* Each side is waited for in its own part, and both in the last. */
static void test_ready(void **state)
{
	struct played *t = phased_new("");
	int64_t now = MONDAY + HOUR;

	(void)state;
	put_mail(t, 1, now, "READY");
	pass_at(t, now + 1);
	expect_at(t, 1, 0);
	put_mail(t, 0, now + 2, "READY");
	pass_at(t, now + 3);
	expect_at(t, 1, 1);
	/* What was said for one part is not said for the next. */
	put_mail(t, 0, now + 4, "READY");
	pass_at(t, now + 5);
	expect_at(t, 1, 1);
	put_mail(t, 1, now + 6, "READY");
	pass_at(t, now + 7);
	expect_at(t, 1, 2);
	put_mail(t, 1, now + 8, "READY");
	pass_at(t, now + 9);
	expect_at(t, 1, 2);
	put_mail(t, 0, now + 10, "READY");
	pass_at(t, now + 11);
	expect_at(t, 2, 0);
	played_end(t);
}

/* Every part has its deadline; whoever moves in it is reminded, and the other side is not. */
static void test_deadlines(void **state)
{
	static const int64_t ends[] = {MONDAY + 7 * HOUR, MONDAY + 2 * DAY + 7 * HOUR, MONDAY + 4 * DAY + 7 * HOUR};
	struct played *t = phased_new("3");

	(void)state;
	for (int part = 0; part < 3; part++) {
		expect_at(t, 1, part);
		assert_int_equal(t->game->deadline, ends[part]);
		pass_at(t, ends[part] - 2 * HOUR);
		pass_at(t, ends[part] + MINUTE);
	}
	expect_at(t, 2, 0);
	assert_int_equal(number(t, "SELECT count(*) FROM outbox WHERE kind = 'reminder'"), 4);
	assert_int_equal(number(t, "SELECT count(*) FROM outbox JOIN player ON player.id = player "
				   "WHERE kind = 'reminder' AND role = 'E'"),
		2);
	assert_int_equal(number(t, "SELECT count(*) FROM outbox WHERE kind = 'report'"), 9);
	played_end(t);
}

/* A side moves in its own part only; what it orders later is for its charges. */
static void test_orders_of_a_part(void **state)
{
	struct played *t = phased_new("");
	int64_t now = MONDAY + HOUR;
	int32_t barrells = height_of(t, "R"), camerons = height_of(t, "j");

	(void)state;
	put_mail(t, 0, now, "Barrell's: move 2 north");
	put_mail(t, 1, now, "Camerons: move 3 south");
	pass_at(t, MONDAY + 7 * HOUR + MINUTE);
	expect_at(t, 1, 1);
	assert_int_equal(height_of(t, "R"), barrells + 2000);
	assert_int_equal(height_of(t, "j"), camerons);
	put_mail(t, 0, MONDAY + DAY, "Barrell's: move 4 north");
	pass_at(t, MONDAY + 2 * DAY + 7 * HOUR + MINUTE);
	expect_at(t, 1, 2);
	assert_int_equal(height_of(t, "R"), barrells + 2000);
	assert_int_equal(height_of(t, "j"), camerons - 3000);
	pass_at(t, MONDAY + 4 * DAY + 7 * HOUR + MINUTE);
	expect_at(t, 2, 0);
	assert_int_equal(height_of(t, "R"), barrells + 2000);
	played_end(t);
}

/* A turn in parts that is ordered all at once is the turn that it would be in one; both verify. */
static void test_same_turn(void **state)
{
	struct played *t = phased_new("");
	struct turn_row *row;
	struct part_books *books;
	struct audit audit;
	struct state *whole;
	struct game start;
	struct board *b;

	(void)state;
	put_mail(t, 0, MONDAY + HOUR, "all: advance; fire at nearest; charge nearest");
	put_mail(t, 1, MONDAY + HOUR, "all: advance; charge nearest");
	for (int day = 0; day < 3; day++) {
		pass_at(t, MONDAY + 2 * day * DAY + 7 * HOUR + MINUTE);
		expect_ok(audit_verify(t->s, t, t->game, &audit));
		assert_int_equal(audit.count, 1); /* a turn in part is verified as well */
		assert_int_equal(audit.faults, 0);
	}
	expect_at(t, 2, 0);
	expect_ok(store_turn(t->s->store, t, t->game, 1, &row));
	assert_int_equal(row->resolution, 3);
	start = *t->game;
	start.turn = 1;
	expect_ok(board_load(t->s, t, &start, &b));
	books = part_read(t, b, b->state, row->orders);
	assert_int_equal(books->count, 3);
	whole = resolve_turn(t, b->rules, b->sc, b->state, books->list[2], NULL, &b->dice, events_new(t));
	assert_string_equal(state_digest(t, whole), row->digest);
	played_end(t);
}

/* A rollback to the turn that is being played begins it anew, and the line that is left stays as it was. */
static void test_rollback(void **state)
{
	struct played *t = phased_new("");
	int32_t barrells = height_of(t, "R");

	(void)state;
	put_mail(t, 0, MONDAY + HOUR, "Barrell's: move 2 north");
	pass_at(t, MONDAY + 7 * HOUR + MINUTE);
	expect_at(t, 1, 1);
	put_mail(t, 2, MONDAY + DAY, "ROLLBACK TO TURN 1 BECAUSE the sheet was wrong");
	pass_at(t, MONDAY + DAY + MINUTE);
	expect_at(t, 1, 0);
	assert_int_equal(t->game->line, 2);
	assert_int_equal(height_of(t, "R"), barrells);
	put_mail(t, 2, MONDAY + DAY + HOUR, "ROLLFORWARD");
	pass_at(t, MONDAY + DAY + HOUR + MINUTE);
	assert_int_equal(t->game->line, 1);
	expect_at(t, 1, 1);
	assert_int_equal(height_of(t, "R"), barrells + 2000);
	played_end(t);
}

/* The referee's ORDER goes to the part in which its side did such a thing; for a part that is still to come it is an
 * order as the side's own, and does not vanish. */
static void test_order_of_the_referee(void **state)
{
	struct played *t = phased_new("");
	int32_t barrells = height_of(t, "R"), camerons = height_of(t, "j");

	(void)state;
	put_mail(t, 0, MONDAY + HOUR, "Barrell's: move 2 north");
	pass_at(t, MONDAY + 7 * HOUR + MINUTE);
	expect_at(t, 1, 1);
	put_mail(t, 2, MONDAY + DAY, "ORDER J: Camerons: move 2 south BECAUSE Ben has no mail");
	put_mail(t, 2, MONDAY + DAY, "ORDER E: Barrell's: charge Camerons BECAUSE she said so");
	put_mail(t, 2, MONDAY + DAY + 1, "ORDER E: Barrell's: charge Camerons BECAUSE she said so");
	pass_at(t, MONDAY + DAY + MINUTE);
	assert_int_equal(number(t, "SELECT count(*) FROM turn"), 1);
	assert_int_equal(number(t, "SELECT count(*) FROM sheet WHERE canonical LIKE 'j: move 2 %'"), 1);
	assert_int_equal(number(t, "SELECT count(*) FROM sheet WHERE canonical LIKE 'R: charge j%'"), 1);
	pass_at(t, MONDAY + 2 * DAY + 7 * HOUR + MINUTE);
	expect_at(t, 1, 2);
	assert_int_equal(height_of(t, "j"), camerons - 2000);
	put_mail(t, 2, MONDAY + 3 * DAY, "ORDER E: Barrell's: move 4 north BECAUSE she meant four");
	put_mail(t, 2, MONDAY + 3 * DAY, "ORDER J: Camerons: move 1 south BECAUSE he meant one");
	pass_at(t, MONDAY + 3 * DAY + MINUTE);
	assert_int_equal(height_of(t, "R"), barrells + 4000);
	assert_int_equal(height_of(t, "j"), camerons - 1000);
	pass_at(t, MONDAY + 4 * DAY + 7 * HOUR + MINUTE);
	expect_at(t, 2, 0);
	assert_int_equal(height_of(t, "R"), barrells + 4000);
	put_mail(t, 2, MONDAY + 5 * DAY, "VOID ORDERS E Barrell's BECAUSE of a quarrel");
	pass_at(t, MONDAY + 5 * DAY + MINUTE);
	assert_int_equal(height_of(t, "R"), barrells);
	assert_int_equal(height_of(t, "j"), camerons - 1000);
	played_end(t);
}

/* A change that stands already, in a turn that has been played in part, where nothing is left to play again; and the
 * playing on of a turn is no change of the referee's, however it came about. */
static void test_nothing_to_play_again(void **state)
{
	static const char set[] = "SET R BASES 4 BECAUSE we miscounted";
	struct played *t = phased_new("");
	struct audit audit;

	(void)state;
	expect_ok(desk_resolve(t->s, t, t->game, 0));
	expect_at(t, 1, 1);
	assert_false(referee(t, set).refused);
	expect_says(referee(t, set).text, "SET R BASES 4: that stands already. Nothing was done.");
	assert_false(referee(t, "SET R BASES 4 BECAUSE we counted again").refused);
	expect_ok(desk_resolve(t->s, t, t->game, 0));
	expect_at(t, 1, 2);
	assert_false(referee(t, "UNDO").refused);
	assert_false(referee(t, "UNDO").refused);
	expect_says(referee(t, "UNDO").text, "no change of yours stands in turn 1");
	expect_ok(audit_verify(t->s, t, t->game, &audit));
	assert_int_equal(audit.faults, 0);
	played_end(t);
}

/* One order of the referee for a part that is over and for the charges to come: both are done, and the other side reads
 * nothing of the charges before they are made. */
static void test_secret_charges(void **state)
{
	struct played *t = phased_new("");
	int32_t barrells = height_of(t, "R");
	const char *told = "SELECT count(*) FROM outbox JOIN player ON player.id = player "
			   "JOIN outbox_bytes b ON b.outbox = outbox.id WHERE role = 'J' AND kind = 'report' AND "
			   "instr(CAST(b.bytes AS TEXT), 'English orders are changed') + "
			   "instr(CAST(b.bytes AS TEXT), 'gave, and not a player: English: Munro') > 0";

	(void)state;
	put_mail(t, 0, MONDAY + HOUR, "Hamilton's: charge nearest");
	pass_at(t, MONDAY + 7 * HOUR + MINUTE);
	expect_at(t, 1, 1);
	put_mail(t, 2, MONDAY + DAY, "ORDER E: Munro's: charge j BECAUSE of this");
	put_mail(t, 2, MONDAY + DAY, "ORDER E: Barrell's: move 1 north; charge nearest BECAUSE of that");
	pass_at(t, MONDAY + DAY + MINUTE);
	assert_int_equal(height_of(t, "R"), barrells + 1000);
	assert_int_equal(
		number(t, "SELECT count(*) FROM sheet WHERE canonical LIKE 'R: move 1 %; charge nearest%'"), 1);
	assert_int_equal(number(t, "SELECT count(*) FROM turn"), 2);
	assert_int_equal(number(t, told), 0);
	/* Too late for the move; what is taken back is taken back for the charges as well. */
	put_mail(t, 2, MONDAY + DAY + HOUR, "ORDER E TURN 1: Barrell's: move 4 north");
	put_mail(t, 2, MONDAY + DAY + HOUR, "VOID ORDERS E Hamilton's BECAUSE of a quarrel");
	pass_at(t, MONDAY + DAY + HOUR + MINUTE);
	assert_int_equal(number(t, "SELECT count(*) FROM sheet"), 4);
	assert_int_equal(number(t, "SELECT count(*) FROM sheet WHERE canonical LIKE 'cancel A%'"), 1);
	assert_int_equal(height_of(t, "R"), barrells + 1000);
	assert_int_equal(number(t, told), 0);
	played_end(t);
}

/* A battle that ends by word of people between two parts keeps what has been played of the turn. */
static void test_concession(void **state)
{
	struct played *t = phased_new("");
	int32_t barrells = height_of(t, "R");
	struct turn_row *row;
	struct audit audit;
	struct state *after;

	(void)state;
	put_mail(t, 0, MONDAY + HOUR, "Barrell's: move 2 north");
	pass_at(t, MONDAY + 7 * HOUR + MINUTE);
	expect_at(t, 1, 1);
	put_mail(t, 1, MONDAY + DAY, "CONCEDE");
	pass_at(t, MONDAY + DAY + MINUTE);
	put_mail(t, 2, MONDAY + DAY + 2 * MINUTE, "DEADLINE yesterday\nAPPROVE"); /* waits for what failed */
	pass_at(t, MONDAY + DAY + 3 * MINUTE);
	assert_string_equal(t->game->status, "running");
	put_mail(t, 2, MONDAY + DAY + HOUR, "APPROVE");
	pass_at(t, MONDAY + DAY + HOUR + MINUTE);
	assert_string_equal(t->game->status, "ended");
	expect_ok(store_turn(t->s->store, t, t->game, 1, &row));
	expect_ok(state_read(t, row->after, row->after_len, &after));
	assert_int_equal(after->winner, WINNER_GOVERNMENT);
	assert_int_equal(after->units[state_find_code(after, "R", -1)].box.front.y, barrells + 2000);
	expect_ok(audit_verify(t->s, t, t->game, &audit));
	assert_int_equal(audit.faults, 0);
	played_end(t);
}

/* In answer to a mail of a part that is over READY is not taken for the next, and orders are kept for the charges. */
static void test_late_answer(void **state)
{
	struct played *t = phased_new("");

	(void)state;
	put_mail(t, 0, MONDAY + 7 * HOUR + 30, "all: advance 4; charge nearest\nREADY");
	pass_at(t, MONDAY + 7 * HOUR + MINUTE);
	expect_at(t, 1, 1);
	assert_int_equal(number(t, "SELECT count(*) FROM sheet"), 1);
	assert_int_equal(number(t, "SELECT count(*) FROM ready"), 0);
	put_mail(t, 0, MONDAY + 8 * HOUR, "READY");
	pass_at(t, MONDAY + 8 * HOUR + MINUTE);
	assert_int_equal(number(t, "SELECT count(*) FROM ready"), 1);
	put_mail(t, 2, MONDAY + 2 * DAY + 7 * HOUR + 30, "RESOLVE");
	pass_at(t, MONDAY + 2 * DAY + 7 * HOUR + MINUTE);
	expect_at(t, 1, 2);
	put_mail(t, 2, MONDAY + 3 * DAY, "RESOLVE");
	pass_at(t, MONDAY + 3 * DAY + MINUTE);
	expect_at(t, 2, 0);
	played_end(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ready),
		cmocka_unit_test(test_deadlines),
		cmocka_unit_test(test_orders_of_a_part),
		cmocka_unit_test(test_same_turn),
		cmocka_unit_test(test_rollback),
		cmocka_unit_test(test_order_of_the_referee),
		cmocka_unit_test(test_nothing_to_play_again),
		cmocka_unit_test(test_secret_charges),
		cmocka_unit_test(test_late_answer),
		cmocka_unit_test(test_concession),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
