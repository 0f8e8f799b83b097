/* A referee's plain words are answered with a line; that line, sent back as it stands, is carried out. */
#include "desk_fixture.h"

/* A game of two classes, of which turn 1 is resolved where the case is of a later turn. */
static struct played *two_classes(bool resolved)
{
	struct played *t = resolved ? turn_one("off") : plain_game("off");

	expect_ok(sql_run(t->s->store, t,
		"UPDATE player SET name = CASE role WHEN 'E' THEN 'Class 7a' WHEN 'J' THEN 'Class 8b' ELSE 'Head' END",
		""));
	return t;
}

/* What stands in the answer behind "write:", its wrapped lines as one. */
static const char *offered(struct played *t, const char *answer)
{
	const char *at = strstr(answer, "write:"), *end;
	char *line;

	if (at == NULL)
		return NULL;
	at += strlen("write:");
	at += strspn(at, " \n");
	end = strstr(at, "\n\n");
	line = end == NULL ? talloc_strdup(t, at) : talloc_strndup(t, at, (size_t)(end - at));
	for (char *p = line; *p != '\0'; p++)
		if (*p == '\n')
			*p = ' ';
	while (line[0] != '\0' && line[strlen(line) - 1] == ' ')
		line[strlen(line) - 1] = '\0';
	return line;
}

/* Each is answered with that line and changes nothing; the line itself does it. */
static void test_offered_lines(void **state)
{
	static const struct {
		bool resolved;
		const char *typed, *line, *done;
	} cases[] = {
		/* "8b" is a class, and 8 no number of days. */
		{false, "Give 8b two more days", "EXTEND 2 DAYS", "Turn 1 now ends Sun 17 Jan 2027"},
		{false, "8b need another week", "EXTEND 7 DAYS", "Turn 1 now ends Fri 22 Jan 2027"},
		{false, "give them 2days more", "EXTEND 2 DAYS", "Turn 1 now ends Sun 17 Jan 2027"},
		{true, "give them two more days because of half term", "EXTEND 2 DAYS", "Sun 24 Jan 2027"},
		/* Holidays. */
		{false, "No turn next week, we have half term from 14 to 18 December",
			"SKIP FROM 14 Dec 2027 TO 18 Dec 2027", "No turn ends from Tue 14 Dec 2027 to Sat 18 Dec 2027"},
		{false, "no game over Christmas, 19 Dec till 4 Jan", "SKIP FROM 19 Dec 2027 TO 4 Jan 2028",
			"No turn ends from Sun 19 Dec 2027 to Tue 4 Jan 2028"},
		{false, "no turn on 18 January", "SKIP FROM 18 Jan 2027 TO 18 Jan 2027", "No turn ends from Mon 18"},
		{false, "No game next week", "SKIP FROM 18 Jan 2027 TO 24 Jan 2027", "No turn ends from Mon 18"},
		{false, "No games this week", "SKIP FROM 11 Jan 2027 TO 17 Jan 2027", "No turn ends from Mon 11"},
		{false, "no battle over Easter please", "SKIP FROM 11 Jan 2027 TO 18 Jan 2027", "No turn ends from"},
		/* A turn once more. */
		{true, "play turn 1 again", "ROLLBACK TO TURN 1 BECAUSE reason", "at the start of turn 1"},
		{true, "take back turn 1, we want to play it again", "ROLLBACK TO TURN 1 BECAUSE reason", "line 2"},
		{true, "Turn 1 was unfair, do turn 1 again", "ROLLBACK TO TURN 1 BECAUSE reason", "line 2"},
		{true, "can we replay the last turn?", "ROLLBACK TO TURN 1 BECAUSE reason", "line 2"},
		{true, "go back to turn 7", "ROLLBACK TO TURN 1 BECAUSE reason", "line 2"},
		/* Deadlines. */
		{false, "Please move the deadline to Friday 4pm next week", "DEADLINE Fri 22 Jan 2027, 16:00",
			"Turn 1 now ends Fri 22 Jan 2027, 16:00"},
		{false, "the deadline should be next week on Wednesday", "DEADLINE Wed 20 Jan 2027, 16:00",
			"Turn 1 now ends Wed 20 Jan 2027, 16:00"},
		{true, "please move the deadline to Monday 10am", "DEADLINE Monday 10am", "Mon 18 Jan 2027, 10:00"},
		{true, "can you make the deadline 25 January at 16:00, please", "DEADLINE 25 January at 16:00",
			"Mon 25 Jan 2027, 16:00"},
		{true, "the deadline of turn 2 should be on Friday 22.1.2027. Thanks", "DEADLINE Friday 22.1.2027",
			"Fri 22 Jan 2027, 16:00"},
		/* Of this the day alone could be read, and the time not. */
		{false, "put the deadline on 22.1. at 10", "DEADLINE Friday 16:00", "Turn 1 now ends Fri 15 Jan 2027"},
		{false, "We are on a trip on Monday, could the kids have until Tuesday?", "DEADLINE Tuesday",
			"Turn 1 now ends Tue"},
		{false, "Please give everyone until Tuesday", "DEADLINE Tuesday", "Turn 1 now ends Tue"},
		{true, "Can we make it Monday 10am instead?", "DEADLINE Monday 10am", "Mon 18 Jan 2027, 10:00"},
		{true, "Can we make it Monday 10 o'clock instead?", "DEADLINE Monday 10:00", "Mon 18 Jan 2027, 10:00"},
		{true, "from now on the deadline should be Thursdays at 3pm", "DEADLINE Friday 16:00",
			"Turn 2 now ends Fri"},
		{false, "could we have a bit longer", "EXTEND 2 DAYS", "Turn 1 now ends Sun 17 Jan 2027"},
		{true, "reopen turn 1 please", "ROLLBACK TO TURN 1 BECAUSE reason", "line 2"},
		{true, "turn 1 has to be played again, some orders got lost", "ROLLBACK TO TURN 1 BECAUSE reason",
			"line 2"},
		{true, "please remind those who haven't ordered", "SAY TO all: please send your orders", "on its way"},
		{true, "send everyone this message: well played, keep it up!", "SAY TO all: well played, keep it up!",
			"on its way"},
		{true, "Please write to all players that the next lesson is on Wednesday",
			"SAY TO all: the next lesson is on Wednesday", "on its way"},
		{true, "can you send me the report first?", "REVIEW ON", "Review is on"},
		{false, "Please stop the clock", "PAUSE", "The game is paused"},
		{false, "don't resolve yet", "EXTEND 2 DAYS", "Turn 1 now ends Sun 17 Jan 2027"},
		/* Messages. */
		{true, "8b: you can only shoot 12 inches, have another look",
			"SAY TO 2: you can only shoot 12 inches, have another look", "on its way"},
		{true, "Can you tell 7a that the deadline is Friday?", "SAY TO 1: the deadline is Friday",
			"on its way"},
		{true, "Tell class 8b: well done", "SAY TO 2: well done", "on its way"},
		{true, "Tell both classes: well done, a great battle", "SAY TO all: well done, a great battle",
			"on its way"},
		{true, "remind 8b to send their orders", "SAY TO 2: please send your orders", "on its way"},
		{true, "tell the Jacobites that they may rest", "SAY TO the Jacobites: they may rest", "on its way"},
		{true, "Ben is in hospital, another kid plays for 7a: mia@hill.example",
			"REPLACE 1 WITH mia@hill.example", "mia@hill.example"},
		{true, "Can I see what 8b ordered?", "ORDERS TURN 1", "What was ordered for turn 1"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct played *t = two_classes(cases[i].resolved);
		const char *before = contents(t, game_tables), *line;
		struct desk_answer a = referee(t, cases[i].typed);

		line = offered(t, a.text);
		if (line == NULL || strcmp(line, cases[i].line) != 0)
			fail_msg("'%s' is answered with '%s'", cases[i].typed, a.text);
		assert_string_equal(before, contents(t, game_tables));
		a = referee(t, line);
		if (a.refused)
			fail_msg("'%s' is refused: %s", line, a.text);
		expect_says(a.text, cases[i].done);
		played_end(t);
	}
}

/* A pupil's wishes; and the one word for the one message that waits. */
static void test_pupils(void **state)
{
	struct played *t = turn_one("off");
	struct desk_answer a;

	(void)state;
	expect_ok(sql_run(t->s->store, t, "UPDATE player SET name = 'Mia' WHERE role = 'J'", ""));
	put_mail(t, ANN, FRIDAY + HOUR, "can i have the report again");
	pass_at(t, FRIDAY + HOUR + MINUTE);
	assert_int_equal(count_mails(t, "answer", "of the last turn once more"), 1);
	put_mail(t, ANN, FRIDAY + 2 * HOUR, "tell mia dont charge yet!!!");
	pass_at(t, FRIDAY + 2 * HOUR + MINUTE);
	assert_int_equal(count_mails(t, "answer", "dont charge yet!!!"), 1);
	assert_int_equal(count_mails(t, "answer", "SAY TO"), 1);
	a = referee(t, "47 VOID because it was a mistake");
	assert_string_equal(offered(t, a.text), "AMEND 47 VOID because it was a mistake");
	for (int i = 0; i < 3; i++) {
		put_mail(t, ANN, FRIDAY + (3 + i) * HOUR, "SAY TO mia: we are coming");
		pass_at(t, FRIDAY + (3 + i) * HOUR + MINUTE);
		if (i == 0)
			expect_says(referee(t, "ok approve").text, "Message 1 is on its way");
	}
	expect_says(referee(t, "approve").text, "APPROVE: which message? Write: APPROVE 2 or APPROVE 3");
	expect_says(referee(t, "reject 2\napprove").text, "Message 3 is on its way");
	expect_says(referee(t, "approve").text, "nobody has offered to concede");
	played_end(t);
}

/* Where nothing can be done in one line, it is said why, or asked; no line is offered. */
static void test_no_line(void **state)
{
	static const struct {
		const char *typed, *says;
	} cases[] = {
		{"give the Camerons two bases back because I slipped",
			"They are complete: they have all 6 of the bases with which they began"},
		{"take two bases off the Atholls", "Which Atholls: Atholls (1st) (k) or Atholls (2nd) (l)?"},
		{"yes", "Of the lines that we had offered, write the line itself"},
		{"Yes please", "Of the lines that we had offered, write the line itself"},
		{"don't play turn 1 again", "This was not read as a command"},
		{"Is class 7a ready?", "player 1, Class 7a, who commands the whole army: no orders yet"},
		{"Has 8b sent orders?", "no orders yet"},
	};
	struct played *t = two_classes(true);

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct desk_answer a = referee(t, cases[i].typed);

		expect_says(a.text, cases[i].says);
		if (offered(t, a.text) != NULL)
			fail_msg("'%s' is offered for '%s'", offered(t, a.text), cases[i].typed);
	}
	assert_string_equal(
		offered(t, referee(t, "please send the last report again").text), "RESEND"); /* by mail only */
	expect_says(referee(t, "8a: have another look").text,
		"put the number of the player (STATUS lists them) in the place of `player`, and write: SAY TO player: "
		"have another look");
	played_end(t);
	t = two_classes(false);
	expect_says(referee(t, "play turn 1 again").text, "No turn has been resolved yet");
	played_end(t);
}

/* What UNDO means behind a ROLLBACK is another command. */
static void test_undo_of_rollback(void **state)
{
	struct played *t = two_classes(true);
	struct desk_answer a;

	(void)state;
	assert_false(referee(t, "ROLLBACK TO TURN 1 BECAUSE reason").refused);
	a = referee(t, "no wait, undo that");
	assert_true(a.refused);
	assert_string_equal(offered(t, a.text), "ROLLFORWARD");
	expect_says(referee(t, "UNDO").text, "write: ROLLFORWARD");
	assert_int_equal(t->game->turn, 1);
	assert_false(referee(t, "ROLLFORWARD").refused);
	assert_int_equal(t->game->turn, 2);
	expect_says(referee(t, "UNDO").text, "no change of yours stands in turn 1");
	played_end(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_offered_lines),
		cmocka_unit_test(test_pupils),
		cmocka_unit_test(test_no_line),
		cmocka_unit_test(test_undo_of_rollback),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
