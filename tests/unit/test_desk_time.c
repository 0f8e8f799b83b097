/* Illness, holidays and a game that goes on: what a referee, or a pupil, does about days. */
#include "desk_fixture.h"

/* A referee says who is away, by number or name; the pupil is told, and nobody waits. */
static void test_absent_pupil(void **state)
{
	struct played *t = plain_game("off");
	long long ann = (long long)t->players.list[ANN].id;

	(void)state;
	assert_false(referee(t, talloc_asprintf(t, "REPLACE %lld WITH Amy Lee <amy@oakfield.example>", ann)).refused);
	expect_says(referee(t, "ABSENT Amy FROM 10 TO 17 January BECAUSE she is ill").text,
		talloc_asprintf(t, "Player %lld (Amy Lee) is away from Sun 10 Jan 2027 to Sun 17 Jan 2027", ann));
	assert_int_equal(number(t, "SELECT count(*) FROM absence"), 1);
	assert_int_equal(count_mails(t, "answer", "has noted that you are"), 1);
	assert_int_equal(
		number(t,
			"SELECT count(*) FROM act WHERE what LIKE 'ABSENT player % FROM%' OR what LIKE 'ABSENT player "
			"% from%'"),
		1);
	assert_int_equal(number(t, "SELECT count(*) FROM act WHERE what LIKE '%Amy%'"), 0);
	expect_says(referee(t, "STATUS").text, "away until Sun 17 Jan 2027");
	/* A later word takes the place of the earlier. */
	expect_says(referee(t, talloc_asprintf(t, "ABSENT %lld FROM today UNTIL Wednesday please", ann)).text,
		"from Mon 11 Jan 2027 to Wed 13 Jan 2027");
	assert_int_equal(number(t, "SELECT count(*) FROM absence"), 1);
	expect_says(referee(t, "ABSENT FROM 1 February TO 7 February").text, "ABSENT: who?");
	expect_says(referee(t, "ABSENT Zed FROM 1 February TO 7 February").text, "there is no player 'Zed");
	expect_says(referee(t, "ABSENT referee FROM 1 TO 7").text, "there is no player");
	expect_says(referee(t, "ABSENT Amy").text, "ABSENT player FROM date TO date");
	expect_says(referee(t, "HELP").text, "ABSENT player FROM date TO date");
	/* A player's own, as before; he names nobody. */
	put_mail(t, BEN, MONDAY + MINUTE, "ABSENT FROM 1 TO 7 February");
	put_mail(t, BEN, MONDAY + 2 * MINUTE, "ABSENT Amy FROM 1 February TO 7 February");
	pass_at(t, MONDAY + HOUR);
	assert_int_equal(number(t, "SELECT count(*) FROM absence"), 2);
	played_end(t);
}

/* SKIP moves a deadline that lies in the holidays, and those to come; OFF takes them out. */
static void test_holidays(void **state)
{
	struct played *t = plain_game("off");

	(void)state;
	expect_says(referee(t, "SKIP FROM 14 January TO 24 January BECAUSE of half term").text,
		"No turn ends from Thu 14 Jan 2027 to Sun 24 Jan 2027. Turn 1 ends Fri 29 Jan 2027, 16:00");
	assert_string_equal(t->game->skips, "2027-01-14..2027-01-24");
	assert_true(t->game->deadline == FRIDAY + 2 * WEEK);
	assert_int_equal(count_mails(t, "notice", "half term"), 2);
	pass_at(t, FRIDAY + DAY);
	assert_int_equal(t->game->turn, 1);
	/* Beside a deadline that stays. */
	expect_says(referee(t, "SKIP 5 February").text,
		"No turn ends from Fri 5 Feb 2027 to Fri 5 Feb 2027. Turn 1 ends Fri 29 Jan 2027, 16:00");
	assert_false(referee(t, "SKIP 2027-02-15..2027-02-19").refused);
	assert_string_equal(t->game->skips, "2027-01-14..2027-01-24 2027-02-05..2027-02-05 2027-02-15..2027-02-19");
	pass_at(t, FRIDAY + 2 * WEEK + MINUTE);
	assert_int_equal(t->game->turn, 2);
	assert_true(t->game->deadline == FRIDAY + 4 * WEEK);
	assert_false(referee(t, "SKIP OFF").refused);
	assert_string_equal(t->game->skips, "");
	played_end(t);
}

/* After a pause that has outlasted the deadline players have at least half of their week. */
static void test_resume(void **state)
{
	static const struct {
		int resumed, ends;
	} cases[] = {
		{FRIDAY + 2 * HOUR, FRIDAY + WEEK},
		{FRIDAY + 3 * DAY, FRIDAY + WEEK},
		{FRIDAY + 4 * DAY, FRIDAY + 2 * WEEK},
		{FRIDAY + 5 * DAY, FRIDAY + 2 * WEEK},
		/* The deadline still lies ahead: it stays, and the referee reads how it is moved. */
		{FRIDAY - DAY, FRIDAY},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct played *t = plain_game("off");
		struct desk_answer a;

		assert_false(referee(t, "PAUSE").refused);
		t->s->clock.fixed = cases[i].resumed;
		a = referee(t, "RESUME");
		assert_true(t->game->deadline == cases[i].ends);
		expect_says(a.text, "To move that write DEADLINE and the day and time, or EXTEND 7 DAYS.");
		played_end(t);
	}
}

/* In a referee's own words; of the line that is told each says what it says, and nothing is changed by it. */
static void test_plain_words(void **state)
{
	static const struct {
		const char *typed, *says;
	} cases[] = {
		{"Amy is ill from 1 December to 7 December", "write: ABSENT 1 FROM 1 Dec 2027 TO 7 Dec 2027"},
		{"Ben is away until Friday", "write: ABSENT 2 FROM 11 Jan 2027 TO 15 Jan 2027"},
		{"ben cannot play on 1-3 February, sorry", "write: ABSENT 2 FROM 1 Feb 2027 TO 3 Feb 2027"},
		{"Tom is in hospital from tomorrow till 20 January",
			"write: ABSENT player FROM 12 Jan 2027 TO 20 Jan 2027"},
		{"Amy is ill", "With your own dates in their place write: ABSENT 1 FROM 11 Jan 2027 TO 18 Jan 2027"},
		{"We have holidays from 19 December to 4 January", "write: SKIP FROM 19 Dec 2027 TO 4 Jan 2028"},
		{"half-term is 15-19 February", "write: SKIP FROM 15 Feb 2027 TO 19 Feb 2027"},
		{"There is no school on 1 February.", "write: SKIP FROM 1 Feb 2027 TO 1 Feb 2027"},
		{"Holidays start on 19 December and end on 4 January", "write: SKIP FROM 19 Dec 2027 TO 4 Jan 2028"},
		{"can we skip the week of 8 February?", "This is written `SKIP FROM date TO date"},
		{"Amy will not be here next week", "write: ABSENT 1 FROM 18 Jan 2027 TO 24 Jan 2027"},
		{"please cancel Barrell's orders", "write: VOID ORDERS E R TURN 1"},
		{"cancel Barrell's", "write: VOID ORDERS E R TURN 1"},
		{"HOLIDAYS", "With your own dates in their place write: SKIP FROM 11 Jan 2027 TO 18 Jan 2027"},
		{"I'd like to stop the game early. The British have won", "write: VERDICT FINAL English win: and why"},
		{"END THE GAME", "write who has won and why: VERDICT English win: and why, VERDICT"},
		{"please finish the battle now, British victory", "write: VERDICT FINAL English win: and why"},
		{"The Jacobites have won.", "write: VERDICT FINAL Jacobites win: and why"},
		{"It is a draw, end the battle", "write: VERDICT FINAL draw: and why"},
		{"Please end turn 1 now", "write: RESOLVE TURN 1"},
		{"Take back the last change", "write: UNDO"},
		{"Ben has left the school", "write: REPLACE 2 WITH address"},
		{"Show me the turn before the children see it", "write: REVIEW ON"},
		{"Ben has left. Dora plays for him: dora@hillside.example.",
			"write: REPLACE 2 WITH dora@hillside.example"},
		{"Ben's new email is <ben2@hillside.example>", "write: REPLACE 2 WITH ben2@hillside.example"},
		{"Dora (dora@hillside.example) will help Ben", "write: DEPUTY 2 dora@hillside.example"},
		{"Ben has lost all his mails", "write: SAY TO 2: Please answer this mail"},
		{"Please tell everyone that the battle is postponed", "write: PAUSE"},
		{"Please tell everyone that the battle is postponed", "write: SAY TO all: the battle is postponed"},
		{"Can you tell all players well done!", "write: SAY TO all: well done!"},
		{"give the Jacobites one more base", "write: SET R BASES 5 BECAUSE reason"},
		{"start the turn now", "write: RESOLVE TURN 1"},
		{"please wait for the Jacobites", "write: EXTEND 2 DAYS"},
		{"how do I change a hit?", "AMEND 17 HITS 1 BECAUSE reason"},
		{"pls undo what I did", "The one word UNDO on a line of its own"},
		{"What a lovely day for a war", "No command was found"},
		{"Thanks, see you on Friday", "No command was found"},
	};
	struct played *t = plain_game("off");
	const char *before, *tables = "game line turn released ready silence absence message";
	int now = MONDAY + HOUR;

	(void)state;
	expect_ok(
		sql_run(t->s->store, t, "UPDATE player SET name = iif(role = 'E', 'Amy Lee', 'Ben') WHERE id < 3", ""));
	before = contents(t, tables);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (strncmp(cases[i].says, "No command", 10) != 0)
			expect_says(referee(t, cases[i].typed).text, cases[i].says);
		else if (strstr(referee(t, cases[i].typed).text, "write: ") != NULL)
			fail_msg("a hint at '%s'", cases[i].typed);
	assert_string_equal(before, contents(t, tables));
	/* By mail the same; what waits for an answer is seen to. */
	put_mail(t, HEAD, now, "Amy is ill from 1 February to 7 February");
	pass_at(t, now);
	assert_int_equal(count_mails(t, "answer", "ABSENT 1 FROM 1 Feb 2027 TO 7 Feb 2027"), 1);
	put_mail(t, BEN, now, "SAY TO all: boo");
	put_mail(t, BEN, now, "CONCEDE");
	pass_at(t, now + MINUTE);
	expect_says(referee(t, "the message from Ben is fine").text, "write: APPROVE 1");
	expect_says(referee(t, "No, let them play one more turn").text, "write: REJECT");
	played_end(t);
}

/* A pupil's own. */
static void test_pupils_words(void **state)
{
	static const struct {
		const char *typed, *says; /* NULL: nothing */
	} cases[] = {
		{"we are on a school trip from 1 to 7 february", "ABSENT FROM 1 Feb 2027 TO 7 Feb 2027"},
		{"Sorry, I'll be away from 1 February until 3 February.", "ABSENT FROM 1 Feb 2027 TO 3 Feb 2027"},
		{"I am ill until Friday", "ABSENT FROM 11 Jan 2027 TO 15 Jan 2027"},
		{"I'll be back on Friday", NULL},
		{"We were away from the hill", NULL},
	};
	struct played *t = plain_game("off");
	int now = MONDAY + HOUR;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int64_t hints = number(t,
			"SELECT count(*) FROM outbox_bytes WHERE instr(CAST(bytes AS TEXT), 'ABSENT FROM') > 0 "
			"AND instr(CAST(bytes AS TEXT), 'Nobody waits for you on') > 0");

		now += 10 * MINUTE;
		put_mail(t, ANN, now, talloc_asprintf(t, "R: hold\n\n%s", cases[i].typed));
		pass_at(t, now);
		if (cases[i].says != NULL)
			assert_int_equal(count_mails(t, "receipt", cases[i].says), 1);
		else
			assert_int_equal(number(t, "SELECT count(*) FROM outbox_bytes WHERE instr(CAST(bytes AS TEXT), "
						   "'Nobody waits for you on') > 0"),
				hints);
	}
	assert_int_equal(number(t, "SELECT count(*) FROM absence"), 0);
	played_end(t);
}

/* Questions in plain words are answered; what cannot be undone by being read is only told. */
static void test_questions(void **state)
{
	static const struct {
		const char *typed, *says;
	} cases[] = {
		{"who has not sent orders yet?", "no orders yet"},
		{"Hi, can you tell me who is still missing?", "no orders yet"},
		{"player list", "player 2"},
		{"Who is playing?", "player 2"},
		{"what does the score stand at?",
			"The English have 102 of 102 bases left and break if they lose 51 more"},
		{"What's the score?", "the Jacobites have 114 of 114 bases left"},
		{"When is the next deadline?", "Turn 1 ends Fri 15 Jan 2027, 16:00"},
		{"can you show me the map", "A^6 is unit A"},
	};
	struct played *t = plain_game("off");

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct desk_answer a = referee(t, cases[i].typed);

		expect_says(a.text, cases[i].says);
		assert_false(a.refused);
	}
	/* Each line that is answered stands above its answer, and no other. */
	put_mail(t, HEAD, MONDAY + HOUR, "Ben has left the school\nLovely weather today\nStart the turn");
	pass_at(t, MONDAY + HOUR);
	assert_int_equal(count_mails(t, "answer", "Nothing was done yet"), 1);
	assert_int_equal(count_mails(t, "answer", "> Ben has left the school\r\nGRANT"), 1);
	assert_int_equal(count_mails(t, "answer", "NOT READ AS COMMANDS\r\n\r\n| Lovely weather today\r\n\r\n"), 1);
	played_end(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_absent_pupil),
		cmocka_unit_test(test_holidays),
		cmocka_unit_test(test_resume),
		cmocka_unit_test(test_plain_words),
		cmocka_unit_test(test_pupils_words),
		cmocka_unit_test(test_questions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
