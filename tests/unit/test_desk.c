/* The referee and the open turn: PREVIEW, orders entered for a side, notes. */
#include "base/file.h"
#include "desk_fixture.h"
#include "report/why.h"
#include "rules/ruleset.h"

#include "service/entered.h"

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
	assert_int_equal(count_mails(t, "answer", "Subject: Preview: Turn 1"), 1);
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

/* What a player of a part of the side writes for `all` is no word on what the referee has entered for the others. */
static void test_entered_for_another(void **state)
{
	struct played *t = plain_game("off");
	struct sheet_row row = {.arrived = MONDAY + 2 * HOUR, .canonical = "all: hold", .typed = "all: hold"};
	struct board *b;
	const char *text;

	(void)state;
	pass_at(t, MONDAY + MINUTE);
	expect_ok(enrol_player(t->s, t, t->game, "E", "carol@oakfield.example", "Carol", "B"));
	assert_false(referee(t, "ORDER E: R: advance 3 BECAUSE Ann is ill").refused);
	row.player = number(t, "SELECT max(id) FROM player");
	expect_ok(store_add_sheet(t->s->store, t, t->game, &row));
	expect_ok(board_load(t->s, t, t->game, &b));
	expect_ok(entered_text(t->s, t, b, 1, -1, false, &text));
	assert_string_equal(text, "English: Barrell's (R)");
	played_end(t);
}

/* Orders behind a READY take it not back, which their receipt says. */
static void test_still_ready(void **state)
{
	struct played *t = plain_game("off");

	(void)state;
	put_mail(t, ANN, MONDAY + MINUTE, "R: hold\nREADY");
	pass_at(t, MONDAY + HOUR);
	assert_int_equal(count_mails(t, "receipt", "You are READY for turn 1"), 1);
	assert_int_equal(count_mails(t, "receipt", "You are still READY"), 0);
	put_mail(t, ANN, MONDAY + HOUR, "A: hold");
	pass_at(t, MONDAY + 2 * HOUR);
	assert_int_equal(count_mails(t, "receipt", "You are still READY: when everybody is, turn 1 is resolved"), 1);
	put_mail(t, ANN, MONDAY + 2 * HOUR, "A: hold\nWAIT");
	pass_at(t, MONDAY + 3 * HOUR);
	assert_int_equal(count_mails(t, "receipt", "You are still READY"), 1);
	put_mail(t, ANN, MONDAY + 3 * HOUR, "B: hold");
	pass_at(t, MONDAY + 4 * HOUR);
	assert_int_equal(count_mails(t, "receipt", "You are still READY"), 1);
	played_end(t);
}

/* What is asked of the teacher reaches nobody, but for SAY. */
static void test_questions(void **state)
{
	struct played *t = plain_game("off");

	(void)state;
	put_mail(t, ANN, MONDAY + MINUTE, "R: hold\ncan we shoot over our own guys?");
	pass_at(t, MONDAY + HOUR);
	assert_int_equal(count_mails(t, "receipt", "SAY TO referee: can we shoot over our own guys?"), 1);
	put_mail(t, ANN, MONDAY + HOUR, "ask the teacher if we can have more time");
	pass_at(t, MONDAY + 2 * HOUR);
	assert_int_equal(count_mails(t, "answer", "SAY TO referee: ask the teacher if we can have more time"), 1);
	put_mail(t, ANN, MONDAY + 2 * HOUR, "R: hold\nhow are you?\nThe battle is great");
	pass_at(t, MONDAY + 3 * HOUR);
	assert_int_equal(count_mails(t, "receipt", "SAY TO referee: The battle"), 0);
	played_end(t);
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
	assert_int_equal(count_mails(t, "answer", "The referee has acted in your name, in turn 1"), 1);
	assert_int_equal(count_mails(t, "answer", "The reason: Ann is ill."), 1);
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

/* As teachers write on a phone. NULL: it releases. */
static void test_written_on_a_phone(void **state)
{
	static const struct {
		const char *typed, *says;
	} cases[] = {
		{"pls release it now", NULL},
		{"ok release", NULL},
		{"Release please", NULL},
		{"Yes, release it to the players, thanks", NULL},
		{"can you release turn 1 now please", NULL},
		{"Looks good to me. Release.", NULL},
		{"don't release it yet", "not read as a command"},
		{"I will release it tomorrow", "not read as a command"},
		{"Please release it tomorrow", "This is written `RELEASE [TURN n]`"},
		{"41 should be 1 hit", "AMEND 41 HITS 1 BECAUSE reason"},
		{"halve the hits of 41", "AMEND 41 HITS and how many BECAUSE reason"},
		{"41: 1 hit instead of 2 because they ran", "AMEND 41 HITS 1 BECAUSE they ran"},
		{"ignore 41 because they ran", "AMEND 41 VOID BECAUSE they ran"},
		{"D should be at G7 because I slipped", "PLACE D AT G7 BECAUSE I slipped"},
		{"ok, send it", "To let the players have the report write: RELEASE"},
		{"let it go", "write: RELEASE"},
		{"move Barrell's to B7", "PLACE R AT B7 BECAUSE reason"},
		{"put Barrell's at B7.4 please", "PLACE R AT B7.4 BECAUSE reason"},
		{"put Kerr's at B7", "PLACE unit AT B7 BECAUSE reason"},
		{"Barrell's: advance 4", "ORDER E TURN 1: R: advance 4 BECAUSE reason"},
		{"Well played Barrell's!", "not read as a command"},
		{"PLACE R", "a ninth of one as H7.5, or inches as (45, 30)"},
		/* A mail client has broken the line; what stands below it is another command. */
		{"REMOVE Hu BECAUSE he was much too ill to come to the battle on that\n"
		 "set and well known day. Sorry!\nRELEASE",
			NULL},
		{"REMOVE Hu BECAUSE he was ill\nSorry!\nRELEASE", "not read as a command: Sorry!"},
		/* His own Enter. */
		{"REMOVE Hu BECAUSE the wall\nwas much too high for him\nHOLD",
			"because the wall was much too high for him."},
		{"REMOVE Hu BECAUSE the wall\nBarrell's stood behind was high\nHOLD",
			"because the wall Barrell's stood behind was"},
		{"REMOVE Hu BECAUSE the wall was high\nthanks a lot to all of you\nHOLD", "because the wall was high."},
		{"REMOVE Hu BECAUSE the wall was high.\nwe saw it all on the day\nHOLD", "because the wall was high."},
		{"hold it pls, back on monday", "waits until you write RELEASE"},
		{"Please hold the report - I am away", "waits until you write RELEASE"},
		{"Hold the next one till i have read it", "write HOLD alone on its line"},
		{"hold on a moment", "not read as a command"},
		{"why did murray stop", "after WHY: WHY 17"},
		{"put the deadline off by a week", "write: EXTEND 7 DAYS"},
		{"I want to undo it", "there is nothing to take back"},
		{"who was that?", "not read as a command"},
		{"Approve all", "as in: APPROVE 2 and 3"},
		{"Approve messages 2 and 3", "APPROVE 3: there is no held message"},
		{"reject, play on please", "nobody has offered to concede"},
		{"EXTEND two days please", "Turn 2 now ends Sun 24 Jan 2027, 16:00"},
		{"extend it by another week", "Turn 2 now ends Fri 29 Jan 2027, 16:00"},
		{"extend the deadline by 2 weeks", "Turn 2 now ends Fri 5 Feb 2027, 16:00"},
		{"extend by a bit", "This is written `EXTEND n DAYS`"},
		{"pause the game please", "The game is paused"},
		{"Please could you PAUSE the game until Monday?",
			"To stop the clock until you write RESUME, write: PAUSE"},
		{"go back to turn 1", "To play again from turn 1, with new orders and dice, write: ROLLBACK TO TURN 1 "
				      "BECAUSE reason"},
		{"please go back a turn", "write: ROLLBACK TO TURN 1 BECAUSE reason"},
		{"UNDOO", "did you mean UNDO?"},
		{"SET R 4 because I slipped", "The referee rules: Barrell's 6 > 4 bases, because I slipped."},
		{"AMEND 55 no hits because so", "This is written `AMEND n HITS k"},
		{"AMEND 1 one hit because so", "AMEND 1 one hit: that event scores no hits"},
		{"PLACE u FACING east because so", "Irish Picquets stand at F3, facing east"},
		{"PLACE R FACING east BEFORE 20 because so", "please write where as well"},
		{"REMOVE R BEFORE 999 because so", "REMOVE BEFORE 999: the events of turn 1 are numbered"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct played *t = turn_one("on");
		struct desk_answer a = referee(t, cases[i].typed);

		if (cases[i].says == NULL && t->game->held)
			fail_msg("'%s' does not release: %s", cases[i].typed, a.text);
		if (cases[i].says != NULL)
			expect_says(a.text, cases[i].says);
		if (strncmp(cases[i].typed, "REMOVE Hu BECAUSE he was much", 29) == 0)
			assert_int_equal(count_mails(t, "report", "well known day. Sorry!"), 3);
		played_end(t);
	}
}

/* Each is answered with the line to write, in his own words; nothing is changed by it. */
static void test_plain_words(void **state)
{
	static const struct {
		const char *typed, *says;
	} cases[] = {
		{"The Camerons should have lost only one base because they ran",
			"They have 6 now. Put how many they shall have in the place of `n`, and to change that write: "
			"SET j "
			"BASES n BECAUSE they ran"},
		{"take two bases off Barrell's", "To change that to 4 write: SET R BASES 4 BECAUSE reason"},
		{"give Barrell's 2 bases back because I slipped", "They are complete: they have all 6 of the bases"},
		{"Barrell's should have 5 bases", "To change that to 5 write: SET R BASES 5 BECAUSE reason"},
		{"Can you give them two more days?", "write: EXTEND 2 DAYS"},
		{"they need another 1 week please", "write: EXTEND 7 DAYS"},
		{"please move the deadline to Monday 10am", "write: DEADLINE Monday 10am"},
		{"can you make the deadline 25 January at 16:00, please", "write: DEADLINE 25 January at 16:00"},
		{"the deadline of turn 2 should be on Friday 22.1.2027. Thanks", "write: DEADLINE Friday 22.1.2027"},
		{"put the deadline off by 3 days", "write: EXTEND 3 DAYS"},
		{"Take Barrells order out, they were out of time", "write: VOID ORDERS E R BECAUSE reason"},
		{"please remove the Camerons' orders because they were late",
			"write: VOID ORDERS J j BECAUSE they were late"},
		{"Barrell's orders should not count", "write: VOID ORDERS E R BECAUSE reason"},
		{"fine by me, please send it out", "write: RELEASE"},
		{"12 is wrong", "write: AMEND 12 VOID BECAUSE reason"},
		{"how do I undo?", "To take back your last change write: UNDO"},
		{"Barrell's should be taken off", "write: REMOVE R BECAUSE reason"},
		{"Huske is dead because he fell", "write: KILL Hu BECAUSE he fell"},
		{"Huske should not be dead", "write: SPARE Hu BECAUSE reason"},
		{"Barrell's should not have charged", "write: VOID ORDERS E R BECAUSE reason"},
		{"Barrell's shouldn't have moved because of the wall",
			"AMEND n VOID BECAUSE of the wall. To play the turn again without the orders of that unit "
			"write: "
			"VOID ORDERS E R BECAUSE of the wall"},
		{"amend 6 hits 1, the Royals were surprised", "AMEND 6 HITS 1 BECAUSE the Royals were surprised"},
		{"set r bases 3 - since they were late", "SET r BASES 3 BECAUSE they were late"},
		{"Well done all, what a day", "not read as a command"},
		{"Barrell's fought well", "order word was expected"},
	};
	struct played *t = turn_one("on");
	const char *before = contents(t, game_tables);

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		expect_says(referee(t, cases[i].typed).text, cases[i].says);
	assert_string_equal(before, contents(t, game_tables));
	/* What is suggested does it. */
	assert_false(referee(t, "VOID ORDERS E R BECAUSE of the wall").refused);
	assert_false(referee(t, "ORDER E TURN 1: R: advance 4 BECAUSE so").refused);
	played_end(t);
}

/* What both sides had ordered for a turn, each order once: in the review, and on demand for any that is resolved. */
static void test_ordered(void **state)
{
	struct played *t = turn_one("on");
	const char *said = referee(t, "Orders for turn 1").text;

	(void)state;
	expect_says(said,
		"What was ordered for turn 1:  English: A, B, C, D, E, F, G, H, J, K, L, M, N, P, Q, R, S: move 6 "
		"forward; fire nearest  Jacobites: a, b, c, d, e, f, g, h, j, k, l, m, n, p, q, r, s, t, u: move 6 "
		"forward; fire nearest");
	assert_string_equal(referee(t, "ORDERS").text, said); /* turn 1 waits, and turn 2 takes no orders yet */
	expect_says(referee(t, "What did Ann order in turn 1?").text, "write: ORDERS TURN 1");
	assert_int_equal(count_mails(t, "review", "WHAT THEY ORDERED"), 1);
	assert_true(referee(t, "ORDERS TURN 7").refused);
	expect_says(referee(t, "ORDERS TURN 7").text, "ORDERS TURN 7: turn 7 has not been resolved.");
	referee(t, "RELEASE");
	expect_says(referee(t, "ORDERS").text, "orders in force for turn 2:");
	assert_string_equal(referee(t, "ORDERS TURN 1").text, said);
	/* A pupil's heading is none. */
	put_mail(t, ANN, FRIDAY + HOUR, "ORDERS TURN 2\nR: hold");
	pass_at(t, FRIDAY + 2 * HOUR);
	assert_int_equal(count_mails(t, "answer", "What was ordered"), 0);
	assert_int_equal(number(t, "SELECT count(*) FROM sheet WHERE turn = 2"), 1);
	played_end(t);
}

/* Nobody is put on another: who comes back where another stands by now, or is put there in the middle of a turn, gets
 * the nearest room; a commander who stands there alone makes way. */
static void test_room(void **state)
{
	struct played *t = turn_one("on");
	const struct state *s;

	(void)state;
	assert_false(referee(t, "REMOVE C BEFORE 1 BECAUSE so\nPLACE L AT F6 BEFORE 40 BECAUSE so").refused);
	assert_false(referee(t, "RESTORE C BECAUSE so\nPLACE K AT E6 BEFORE 40 BECAUSE so").refused);
	assert_false(referee(t, "PLACE Ha AT (30, 3) BECAUSE so\nPLACE D AT (30, 4) BECAUSE so").refused);
	s = last(t)->after;
	for (int i = 0; i < s->count; i++)
		for (int k = 0; k < i; k++)
			if (unit_alive(&s->units[i]) && unit_alive(&s->units[k]) && s->units[i].with < 0 &&
				s->units[k].with < 0 && geo_overlap(&s->units[i].box, &s->units[k].box))
				fail_msg("%s stands on %s", s->units[i].code, s->units[k].code);
	assert_true(unit_alive(&s->units[state_find_code(s, "C", SIDE_GOVERNMENT)]));
	assert_int_equal(s->units[state_find_code(s, "D", SIDE_GOVERNMENT)].box.front.y, 4000);
	played_end(t);
}

/* Who stops the clock or moves it is heard with his reason. */
static void test_reason_for_time(void **state)
{
	struct played *t = turn_one("off");

	(void)state;
	assert_false(referee(t, "PAUSE BECAUSE half term\nRESUME\nEXTEND 2 DAYS BECAUSE of the snow").refused);
	assert_int_equal(count_mails(t, "notice", "The reason: Half term."), 2);
	assert_int_equal(count_mails(t, "notice", "The reason: Of the snow."), 2);
	assert_int_equal(count_mails(t, "notice", "The reason: "), 4);
	played_end(t);
}

/* All that a mail asks is answered by one, under the title of the version that it has made, if it has. */
static void test_one_answer(void **state)
{
	static const char answers[] = "SELECT count(*) FROM outbox WHERE kind = 'answer' AND player = 3";
	struct played *t = turn_one("on");

	(void)state;
	put_mail(t, HEAD, FRIDAY + 2 * MINUTE,
		"MAP\nSET R BASES 5 BECAUSE so\nWHY 1\nRULE wet-powder 7\nSTATUS\nRELESE\nIt was a fine day for all");
	pass_at(t, FRIDAY + 3 * MINUTE);
	assert_int_equal(number(t, answers), 1);
	assert_int_equal(count_mails(t, "answer", "Subject: Turn 1, version 2"), 1);
	assert_int_equal(count_mails(t, "answer", "\nTHE MAP\r\n"), 1);
	assert_int_equal(count_mails(t, "answer", "\nWHY? TURN 1, EVENT 1\r\n"), 1);
	assert_int_equal(count_mails(t, "answer", "did you mean RELEASE"), 1);
	assert_int_equal(count_mails(t, "answer", "| It was a fine day for all"), 1);
	/* A page alone needs no heading, and names its mail. */
	put_mail(t, HEAD, FRIDAY + 4 * MINUTE, "MAP");
	pass_at(t, FRIDAY + 5 * MINUTE);
	assert_int_equal(count_mails(t, "answer", "Subject: The map"), 1);
	assert_int_equal(count_mails(t, "answer", "\nTHE MAP\r\n"), 1);
	/* What does not go into one goes on in another. */
	put_mail(t, HEAD, FRIDAY + 6 * MINUTE, "MAP\nMAP\nMAP\nMAP\nMAP\nMAP\nMAP\nMAP\nMAP");
	pass_at(t, FRIDAY + 7 * MINUTE);
	assert_int_equal(count_mails(t, "answer", "Subject: Answer to MAP"), 2);
	assert_int_equal(number(t, answers), 4);
	played_end(t);
}

/* A deadline that the same mail sets, above or below, is the one that the reports name. */
static void test_deadline_beside_a_change(void **state)
{
	static const char new_deadline[] = "ends Sun 24 Jan 2027, 16:00", old_deadline[] = "ends Fri 22 Jan 2027";
	static const char *const mails[] = {"SET R BASES 5 BECAUSE so\nEXTEND 2 DAYS",
		"EXTEND 2 DAYS\nREMOVE R BECAUSE so",
		"PLACE R AT K9 BECAUSE so\nDEADLINE 2027-01-24 16:00\nSET C BASES 5 BECAUSE so"};

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct played *t = turn_one("off");

		put_mail(t, HEAD, FRIDAY + 2 * MINUTE, mails[i]);
		pass_at(t, FRIDAY + 3 * MINUTE);
		assert_int_equal(count_mails(t, "report", "Subject: Corrected"), 3);
		assert_int_equal(count_mails(t, "report", new_deadline), 3);
		assert_int_equal(count_mails(t, "report", old_deadline), 3); /* those of the turn itself */
		played_end(t);
	}
	for (int i = 0; i < 2; i++) {
		struct played *t = turn_one("on");

		put_mail(t, HEAD, FRIDAY + 2 * MINUTE, i == 0 ? "RELEASE\nEXTEND 2 DAYS" : "EXTEND 2 DAYS\nRELEASE");
		pass_at(t, FRIDAY + 3 * MINUTE);
		assert_false(t->game->held);
		assert_int_equal(count_mails(t, "report", new_deadline), 3);
		assert_int_equal(count_mails(t, "report", old_deadline), 0);
		played_end(t);
	}
}

/* WHY quotes the rulebook, whose numbers are not all those of a muddy field. */
static void test_why_of_this_game(void **state)
{
	struct played *t = turn_one("off");

	(void)state;
	/* A move: what is usual in charges and fire does not matter to it. */
	expect_says(referee(t, "WHY 1").text,
		"In this game these are others: commander-move 6 (usually 12), horse-move 6 (usually 12).");
	/* A house rule changes no turn before it. */
	assert_false(referee(t, "RULE horse-move 12").refused);
	expect_says(referee(t, "WHY 1").text, "horse-move 6 (usually 12)");
	played_end(t);
}

/* Every number says in which rulings it stands, and the rulebooks have them. */
static void test_rulings_of_numbers(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	const struct ruleset *rules;
	char *books[2];
	size_t len;

	(void)state;
	assert_null(data_read(mem, "doc/rulebook.md", &books[0], &len));
	assert_null(data_read(mem, "doc/rulebook-shreds.md", &books[1], &len));
	for (int i = 0; (rules = ruleset_at(i)) != NULL; i++)
		for (int p = 0; p < rules->parameter_count; p++) {
			char *list = talloc_strdup(mem, rules->parameters[p].rulings), *save = NULL;

			for (char *word = strtok_r(list, " ", &save); word != NULL; word = strtok_r(NULL, " ", &save))
				assert_true(rulebook_entry(mem, books[0], word) != NULL ||
					    rulebook_entry(mem, books[1], word) != NULL);
		}
	talloc_free(mem);
}

/* A change with which the report says what it said mails nobody. */
static void test_change_of_nothing(void **state)
{
	static const char reports[] = "SELECT count(*) FROM outbox WHERE kind = 'report'";
	struct played *t = turn_one("off");

	(void)state;
	assert_int_equal(number(t, reports), 3);
	assert_false(referee(t, "SET R BASES 5 BECAUSE so").refused);
	assert_int_equal(number(t, reports), 6);
	expect_says(referee(t, "SET R BASES 5 BECAUSE so").text, "that stands already");
	assert_int_equal(number(t, reports), 6);
	/* Only whose orders have become others hears of it. */
	expect_says(referee(t, "ORDER J TURN 1: Murray: hold BECAUSE so").text, "they are not written to");
	assert_int_equal(number(t, reports), 6);
	played_end(t);
}

/* A referee reads of each player what REPLACE, DEPUTY and SAY TO take; a player no names of others. */
static void test_status_names(void **state)
{
	struct played *t = plain_game("off");
	long long ann = (long long)t->players.list[ANN].id;

	(void)state;
	assert_false(referee(t, talloc_asprintf(t, "REPLACE %lld WITH Amy Lee <amy@oakfield.example>", ann)).refused);
	expect_says(referee(t, "STATUS").text,
		talloc_asprintf(t, "English, player %lld, Amy Lee, who commands the whole army: no orders yet", ann));
	expect_says(referee(t, "DEPUTY amy dep@oakfield.example").text, "(Amy Lee), and gets what");
	put_mail(t, BEN, MONDAY + MINUTE, "STATUS");
	pass_at(t, MONDAY + HOUR);
	assert_int_equal(count_mails(t, "answer", "Jacobite, you: no orders yet"), 1);
	assert_int_equal(count_mails(t, "answer", "Amy"), 0);
	played_end(t);
}

/* A message of who is replaced stays his own; STATUS shows what waits, and APPROVE's answer what goes out. */
static void test_messages_of_who_played_before(void **state)
{
	struct played *t = turn_one("off");
	struct desk_answer a;

	(void)state;
	put_mail(t, BEN, FRIDAY + HOUR, "SAY TO English: we are coming\n\nSAY TO all: good luck\n");
	pass_at(t, FRIDAY + 2 * HOUR);
	expect_says(referee(t, "STATUS").text, "| we are coming");
	assert_false(referee(t, "REPLACE player 2 WITH \"Carla\" <carla@hillside.example>").refused);
	a = referee(t, "STATUS");
	expect_says(a.text, "1. Who played before (player 2) to");
	assert_null(strstr(a.text, "Carla (player 2) to"));
	expect_says(referee(t, "APPROVE 1").text, "| we are coming");
	assert_int_equal(count_mails(t, "answer", "The person who was player 2 before says to"), 1);
	assert_int_equal(count_mails(t, "answer", "Carla"), 0);
	expect_says(referee(t, "REJECT 2 BECAUSE it is late").text, "its writer plays no longer");
	assert_int_equal(count_mails(t, "answer", "was not sent"), 0);
	put_mail(t, ANN, FRIDAY + 3 * HOUR, "SAY TO all: good luck\n\nSAY TO all: ha ha\n");
	pass_at(t, FRIDAY + 4 * HOUR);
	expect_says(referee(t, "REJECT 3").text, "its writer is told, but not why: BECAUSE and a reason would say it.");
	expect_says(referee(t, "REJECT 4 BECAUSE it is rude").text, "its writer is told, and why.");
	assert_int_equal(count_mails(t, "answer", "was not sent"), 2);
	assert_null(strstr(referee(t, "STATUS").text, "WAIT FOR YOU"));
	assert_false(referee(t, "DEPUTY player 1 dora@oakfield.example").refused);
	assert_false(referee(t, "DEPUTY player 1 OFF").refused);
	played_end(t);
}

/* WHY below an AMEND tells what has become of the event. */
static void test_why_after_a_change(void **state)
{
	struct played *t = turn_one("on");
	const struct events *events = last(t)->events;
	int n = 0;

	(void)state;
	while (events->list[n]->kind != EVENT_VOLLEY || events->list[n]->number[NUM_HITS] == 0)
		n++;
	put_mail(t, HEAD, FRIDAY + 2 * MINUTE,
		talloc_asprintf(t, "AMEND %d HITS 0 BECAUSE of the smoke\nREMOVE Hu BEFORE 1 BECAUSE ill\nWHY %d",
			n + 1, n + 1));
	pass_at(t, FRIDAY + 3 * MINUTE);
	assert_int_equal(
		count_mails(t, "answer", talloc_asprintf(t, "AS IT IS NOW (number %d of version 3)", n + 2)), 1);
	assert_int_equal(count_mails(t, "answer", "YOUR CHANGES"), 1);
	played_end(t);
}

/* More mails in an hour than a player is answered. */
static void test_many_mails(void **state)
{
	struct played *t = turn_one("on");

	(void)state;
	for (int i = 0; i < 15; i++)
		put_mail(t, HEAD, FRIDAY + 2 * MINUTE, talloc_asprintf(t, "SET C BASES %d BECAUSE so %d", i % 2, i));
	pass_at(t, FRIDAY + 3 * MINUTE);
	assert_int_equal(last(t)->row->resolution, 16);
	played_end(t);
}

/* What is typed on a terminal is read as a mail would be: nothing in it turns the words of a report round, or colours
 * them. */
static void test_typed_plainly(void **state)
{
	struct played *t = turn_one("on");
	const char *why;

	(void)state;
	assert_false(referee(t, "SET Barrell\xE2\x80\x99s BASES 4 BECAUSE \x1B[31mwe \xE2\x80\xAE"
				"miscounted")
			     .refused);
	why = last(t)->amendments->list[0]->because;
	assert_null(strchr(why, '\x1B'));
	assert_null(strstr(why, "\xE2\x80\xAE"));
	assert_non_null(strstr(why, "miscounted"));
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

/* --- a number means that event --- */

/* Is the last change that stands one of that event, or of the moment before it? */
static bool is_about(const struct resolved *r, const char *key)
{
	const struct amendment *a = r->amendments->count == 0 ? NULL : r->amendments->list[r->amendments->count - 1];

	return a != NULL && (strcmp(a->key, key) == 0 || strcmp(a->before, key) == 0);
}

static bool has_namesake(const struct events *events, const char *key)
{
	for (int i = 0; i < events->count; i++)
		if (strcmp(events->list[i]->key, key) != 0 && strcasecmp(events->list[i]->key, key) == 0)
			return true;
	return false;
}

/* `N` and `n` both move and shoot: AMEND and BEFORE change that one of them whose number is named. */
static void test_namesakes(void **state)
{
	struct played *t = plain_game("on");
	const struct resolved *r;
	int moves = 0, volleys = 0;

	(void)state;
	for (int turn = 1; turn < 4; turn++) {
		referee(t, "RELEASE");
		referee(t, talloc_asprintf(t, "ORDER E TURN %d:\n%s\nORDER J TURN %d:\n%s", turn, both_advance, turn,
				   both_advance));
		assert_true(referee(t, "RESOLVE\nno wait, don't").refused);
		assert_false(referee(t, "RESOLVE").refused);
	}
	r = last(t);
	for (int i = 0; i < r->events->count; i++) {
		const struct event *ev = r->events->list[i];
		bool volley = ev->kind == EVENT_VOLLEY;
		const char *const how[] = {
			volley ? talloc_asprintf(t, "AMEND %d HITS %d BECAUSE so", i + 1, ev->number[NUM_HITS] == 0)
			       : talloc_asprintf(t, "AMEND %d VOID BECAUSE so", i + 1),
			talloc_asprintf(t, "REMOVE Hu BEFORE %d BECAUSE so", i + 1)};

		if (!has_namesake(r->events, ev->key) || (!volley && ev->kind != EVENT_MOVE))
			continue;
		for (int k = 0; k < 2; k++) {
			assert_false(referee(t, how[k]).refused);
			assert_true(is_about(last(t), ev->key));
			assert_false(referee(t, "UNDO").refused);
		}
		moves += !volley;
		volleys += volley;
	}
	assert_int_equal(moves, 8);
	assert_int_equal(volleys, 28);
	played_end(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_preview),
		cmocka_unit_test(test_preview_by_mail),
		cmocka_unit_test(test_preview_refused),
		cmocka_unit_test(test_orders_entered),
		cmocka_unit_test(test_still_ready),
		cmocka_unit_test(test_questions),
		cmocka_unit_test(test_entered_for_another),
		cmocka_unit_test(test_later_mail_counts),
		cmocka_unit_test(test_orders_refused),
		cmocka_unit_test(test_orders_shared_out),
		cmocka_unit_test(test_written_on_a_phone),
		cmocka_unit_test(test_plain_words),
		cmocka_unit_test(test_ordered),
		cmocka_unit_test(test_change_of_nothing),
		cmocka_unit_test(test_why_of_this_game),
		cmocka_unit_test(test_rulings_of_numbers),
		cmocka_unit_test(test_one_answer),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_reason_for_time),
		cmocka_unit_test(test_deadline_beside_a_change),
		cmocka_unit_test(test_status_names),
		cmocka_unit_test(test_messages_of_who_played_before),
		cmocka_unit_test(test_why_after_a_change),
		cmocka_unit_test(test_many_mails),
		cmocka_unit_test(test_typed_plainly),
		cmocka_unit_test(test_note),
		cmocka_unit_test(test_namesakes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
