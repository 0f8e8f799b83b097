/* Every command of the referee: what is wrong with it is refused with a sentence that says what to do, and nothing is
 * changed; nobody else may use it; and by mail it comes to the same as on the command line, with the same record. */
#include "desk_fixture.h"

#include "orders/verbs.h"

enum { WRONG_MAX = 7 };

/* Turn 1 has been released, and turn 2 is open. */
static const struct row {
	enum command_verb verb;
	const char *good; /* right in itself: for whoever may not */
	struct {
		const char *line, *says;
	} wrong[WRONG_MAX];
} rows[] = {
	{COMMAND_PAUSE, "PAUSE", {{"PAUSE TURN 9", "we are at turn 2"}}},
	{COMMAND_RESUME, "RESUME", {{"RESUME", "is not paused"}, {"RESUME TURN 1", "we are at turn 2"}}},
	{COMMAND_DEADLINE, "DEADLINE 2027-01-25 16:00",
		{{"DEADLINE", "DEADLINE date time"}, {"DEADLINE yesterday", "DEADLINE Friday 4pm"},
			{"DEADLINE Friday 22 January 25:00", "no date and time"},
			{"DEADLINE 2026-01-15 16:00", "write RESOLVE"},
			{"DEADLINE 2027-13-45 16:00", "no date and time"}}},
	{COMMAND_EXTEND, "EXTEND 2 DAYS",
		{{"EXTEND", "EXTEND n DAYS"}, {"EXTEND 0 DAYS", "from 1 to 60"}, {"EXTEND 99 DAYS", "from 1 to 60"}}},
	{COMMAND_SKIP, "SKIP FROM 1 February TO 7 February",
		{{"SKIP", "SKIP FROM date TO date"}, {"SKIP FROM soon TO later", "SKIP FROM 19 December TO 4 January"},
			{"SKIP FROM 2027-02-07 TO 2027-02-01", "before the first"},
			{"SKIP FROM 2026-12-01 TO 2026-12-07", "gone by already"},
			{"SKIP FROM 1 February TO 1 July", "more than 100 days"}, {"SKIP OFF", "no days are skipped"}}},
	{COMMAND_RESOLVE, "RESOLVE", {{"RESOLVE TURN 1", "we are at turn 2"}, {"RESOLVE TURN x", "RESOLVE [TURN n]"}}},
	{COMMAND_REVIEW, "REVIEW ON",
		{{"REVIEW", "REVIEW ON [n HOURS] | OFF"}, {"REVIEW ON 900 HOURS", "from 0 to 720"},
			{"REVIEW ON soon", "REVIEW ON [n HOURS] | OFF"}}},
	{COMMAND_HOLD, "HOLD", {{"HOLD TURN 99", "write HOLD alone"}}},
	{COMMAND_PREVIEW, "PREVIEW", {{"PREVIEWS please", "did you mean PREVIEW"}}},
	{COMMAND_RELEASE, "RELEASE",
		{{"RELEASE", "nothing is held"}, {"RELEASE TURN 7", "the last turn is 1"},
			{"RELEASE TURN x", "RELEASE [TURN n]"}}},
	{COMMAND_AMEND, "AMEND 1 VOID BECAUSE so",
		{{"AMEND 1 VOID", "please say why"}, {"AMEND 9999 VOID BECAUSE so", "numbered 1 to"},
			{"AMEND 0 HITS 1 BECAUSE so", "numbered 1 to"}, {"AMEND 1 HITS 1 BECAUSE so", "scores no hits"},
			{"AMEND T1.shoot.b.volley.1 HITS 99 BECAUSE so", "can score 0 to"},
			{"AMEND Zebras VOID BECAUSE so", "no such event"},
			{"AMEND T1.shoot.b.volley.1 BECAUSE so", "AMEND n HITS k | VOID BECAUSE reason"}}},
	{COMMAND_DIE, "DIE T1.shoot.a.powder.1 = 6 BECAUSE so",
		{{"DIE T1.shoot.a.powder.1 = 6", "please say why"},
			{"DIE T1.shoot.a.powder.1 = 7 BECAUSE so", "shows 1 to 6"},
			{"DIE T1.shoot.a.powder.1 = 0 BECAUSE so", "shows 1 to 6"},
			{"DIE T1.shoot.Q.shoot.1 = 3 BECAUSE so", "no die of that name"},
			{"DIE T1.shoot.a.powder.1 BECAUSE so", "DIE name = value"}}},
	{COMMAND_SET, "SET R BASES 3 BECAUSE so",
		{{"SET R BASES 3", "please say why"}, {"SET R BASES 7 BECAUSE so", "from 0 to 6"},
			{"SET Zebras BASES 3 BECAUSE so", "Zebras"}, {"SET Hu BASES 1 BECAUSE so", "KILL or SPARE"},
			{"SET R FIGURES 3 BECAUSE so", "count bases"},
			{"SET R BASES 3 BEFORE 999 BECAUSE so", "numbered 1 to"},
			{"SET R BECAUSE so", "SET unit BASES|FIGURES n"}}},
	{COMMAND_PLACE, "PLACE R AT M9 BECAUSE so",
		{{"PLACE R AT M9", "please say why"}, {"PLACE Zebras AT M9 BECAUSE so", "Zebras"},
			{"PLACE R AT Q77 BECAUSE so", "Q77"}, {"PLACE R AT (120,30) BECAUSE so", "90 by 60"},
			{"PLACE R AT (0,0) BECAUSE so", "edge of the table"},
			{"PLACE R BECAUSE so", "A place is a square"},
			{"PLACE R AT M9 FACING 400 BECAUSE so", "from 0 to 360"}}},
	{COMMAND_REMOVE, "REMOVE R BECAUSE so",
		{{"REMOVE R", "please say why"}, {"REMOVE Zebras BECAUSE so", "Zebras"},
			{"REMOVE BECAUSE so", "REMOVE unit"}, {"REMOVE R BEFORE 999 BECAUSE so", "numbered 1 to"}}},
	{COMMAND_RESTORE, "RESTORE R BECAUSE so",
		{{"RESTORE R BECAUSE so", "are there already"}, {"RESTORE R", "please say why"},
			{"RESTORE Zebras BECAUSE so", "Zebras"}}},
	{COMMAND_KILL, "KILL Hu BECAUSE so",
		{{"KILL Hu", "please say why"}, {"KILL R BECAUSE so", "are no commander"},
			{"KILL Zebra BECAUSE so", "Zebra"}}},
	{COMMAND_SPARE, "SPARE Hu BECAUSE so",
		{{"SPARE Hu", "please say why"}, {"SPARE R BECAUSE so", "are no commander"},
			{"SPARE Hu BECAUSE so", "is there already"}, {"SPARE Zebra BECAUSE so", "Zebra"}}},
	{COMMAND_UNDO, "UNDO", {{"UNDO", "no change of yours stands"}, {"UNDO 3", "no change of yours stands"}}},
	{COMMAND_ORDER, "ORDER E TURN 2: R: hold",
		{{"ORDER E: R: hold", "please say why"}, {"ORDER E TURN 9: R: hold", "turn 2 is open"},
			{"ORDER E TURN 2: Zebras: hold", "Zebras"},
			{"ORDER E TURN 2: Camerons: hold", "Nothing was done"},
			{"ORDER E TURN 2: well done", "there is no order in it"},
			{"ORDER E: hello there BECAUSE so", "there is no order in it"},
			{"ORDER E TURN 1: R: hold", "please say why"}}},
	{COMMAND_VOID, "VOID ORDERS E R TURN 2",
		{{"VOID ORDERS E", "please say why"}, {"VOID ORDERS E TURN 9", "turn 2 is open"},
			{"VOID ORDERS X BECAUSE so", "VOID ORDERS side"}, {"VOID ORDERS E Zebras BECAUSE so", "Zebras"},
			{"VOID ORDERS E Camerons TURN 2", "Nothing was done"}}},
	{COMMAND_RULE, "RULE wet-powder off",
		{{"RULE", "RULE option value"}, {"RULE zebras on", "zebras"}, {"RULE wet-powder perhaps", "wet-powder"},
			{"RULE turn-limit 9999", "from 0 to 100"}, {"RULE bases 3", "SET unit BASES n"}}},
	{COMMAND_ROLLBACK, "ROLLBACK TO TURN 1 BECAUSE so",
		{{"ROLLBACK", "ROLLBACK TO TURN n"}, {"ROLLBACK TO TURN 7 BECAUSE so", "has not been resolved"},
			{"ROLLBACK TO TURN 0 BECAUSE so", "ROLLBACK TO TURN n"}}},
	{COMMAND_ROLLFORWARD, "ROLLFORWARD",
		{{"ROLLFORWARD", "nothing was rolled back"}, {"ROLLFORWARD TO LINE 9", "nothing was"},
			{"ROLLFORWARD TO LINE x", "ROLLFORWARD [TO LINE n]"}}},
	{COMMAND_REPLACE, "REPLACE 2 WITH carl@hillside.example",
		{{"REPLACE 9 WITH carl@hillside.example", "Write the number"},
			{"REPLACE 2 WITH nobody", "no mail address"}, {"REPLACE 2", "REPLACE player WITH address"}}},
	{COMMAND_DEPUTY, "DEPUTY 1 dora@oakfield.example",
		{{"DEPUTY 9 dora@oakfield.example", "Write the number"}, {"DEPUTY 1 nobody", "no mail address"},
			{"DEPUTY 1", "DEPUTY player"}}},
	{COMMAND_GRANT, "GRANT 1 A",
		{{"GRANT 9 Price's", "no player '9'. Write the number"}, {"GRANT 1 Zebras", "Zebras"},
			{"GRANT 1", "GRANT player units"}}},
	{COMMAND_APPROVE, "APPROVE 1", {{"APPROVE", "nobody has offered"}, {"APPROVE 9", "no held message"}}},
	{COMMAND_REJECT, "REJECT 1 BECAUSE so",
		{{"REJECT", "nobody has offered"}, {"REJECT 9 BECAUSE so", "no held message"}}},
	{COMMAND_VERDICT, "VERDICT FINAL draw: the bell has rung",
		{{"VERDICT", "VERDICT side: text"}, {"VERDICT because it is late", "who has won?"},
			{"VERDICT FINAL", "who has won?"}, {"VERDICT\nSTATUS", "VERDICT side: text"}}},
	{COMMAND_NOTE, "NOTE player 2 was ill", {{"NOTE", "NOTE text"}}},
};

enum { ROWS = sizeof rows / sizeof *rows };

/* No command was forgotten here. */
static void test_all_there(void **state)
{
	(void)state;
	for (int verb = 0; verb < COMMAND_VERBS; verb++) {
		int found = 0;

		for (int i = 0; i < ROWS; i++)
			found += (int)rows[i].verb == verb;
		assert_int_equal(found, command_info((enum command_verb)verb)->referee);
	}
}

/* Player 1 commands a part of his side. */
static void give_part(struct played *t)
{
	expect_ok(sql_run(t->s->store, t, "UPDATE player SET units = 'BAR CHO' WHERE role = 'E'", ""));
}

/* On the command line and by mail. */
static void test_wrong(void **state)
{
	struct played *t = turn_one("off");
	const char *before;
	int now = FRIDAY + HOUR;

	(void)state;
	give_part(t);
	before = contents(t, game_tables);
	expect_says(before, "turn ");
	for (int i = 0; i < ROWS; i++)
		for (int k = 0; k < WRONG_MAX && rows[i].wrong[k].line != NULL; k++) {
			const char *line = rows[i].wrong[k].line;
			struct desk_answer a = referee(t, line);

			if (!a.refused)
				fail_msg("%s was not refused: %s", line, a.text);
			expect_says(a.text, rows[i].wrong[k].says);
			if (strcmp(contents(t, game_tables), before) != 0)
				fail_msg("%s: something was changed", line);
		}
	/* `heard` is when the referee last wrote. */
	before = contents(t, "game address line turn released sheet ready silence absence message");
	for (int i = 0; i < ROWS; i++)
		for (int k = 0; k < WRONG_MAX && rows[i].wrong[k].line != NULL; k++) {
			int64_t answers = number(t, "SELECT count(*) FROM outbox WHERE kind = 'answer'");

			put_mail(t, HEAD, now += 7 * MINUTE, rows[i].wrong[k].line);
			pass_at(t, now);
			if (number(t, "SELECT count(*) FROM outbox WHERE kind = 'answer'") == answers)
				fail_msg("%s: no answer", rows[i].wrong[k].line);
			if (strcmp(contents(t, "game address line turn released sheet ready silence absence message"),
				    before) != 0)
				fail_msg("%s by mail: something was changed", rows[i].wrong[k].line);
		}
	played_end(t);
}

/* A player; and somebody who writes from the referee's address and has neither a mail of ours nor the key. */
static void test_who_may_not(void **state)
{
	static const char tables[] = "game address line turn released ready silence absence message";
	struct played *t = turn_one("off");
	const char *before = contents(t, tables);
	int now = FRIDAY + HOUR;

	(void)state;
	for (int i = 0; i < ROWS; i++) {
		int64_t answers = number(t, "SELECT count(*) FROM outbox");

		put_mail(t, ANN, now += 7 * MINUTE, rows[i].good);
		pass_at(t, now);
		if (strcmp(contents(t, tables), before) != 0)
			fail_msg("%s: a player has changed something", rows[i].good);
		if (number(t, "SELECT count(*) FROM outbox") == answers)
			fail_msg("%s: the player was not answered", rows[i].good);
		put_from(t, "head@oakfield.example", now, "hello",
			talloc_asprintf(t, "GAME falkirk-7b\n%s", rows[i].good));
		pass_at(t, now);
		if (strcmp(contents(t, tables), before) != 0)
			fail_msg("%s: somebody without a key has changed something", rows[i].good);
	}
	assert_int_equal(number(t, "SELECT count(*) FROM mail WHERE state = 'rejected'"), ROWS);
	assert_int_equal(count_mails(t, "failure", "KEY"), 3); /* to an address that plays, three a day */
	played_end(t);
}

/* --- the same by mail and on the command line --- */

/* Each command at least once; what a player says stands between them. Turn 1 is held at first. */
static const char *const course[] = {
	"HOLD",
	"REVIEW ON 24 HOURS",
	"AMEND T1.shoot.b.volley.1 HITS 0 BECAUSE half of them could not see",
	"DIE T1.shoot.a.powder.1 = 6 BECAUSE it fell off the table",
	"SET C BASES 3 BECAUSE we counted wrong\nPLACE R AT M10.2 FACING 90 degrees BECAUSE of a mistake",
	"REMOVE Hu BEFORE 1 BECAUSE he was ill",
	"RESTORE Hu BECAUSE he is well again",
	"KILL Li BECAUSE he fell off his horse",
	"SPARE Li BECAUSE he got up",
	"ORDER E: S: hold BECAUSE they said so",
	"VOID ORDERS J b BECAUSE nobody sent them",
	"AMEND 999 VOID BECAUSE no such thing",
	"UNDO BECAUSE somebody has sent them after all",
	"RESOLVE",
	"RELEASE",
	"SET A BASES 2 BECAUSE all know it already",
	"PREVIEW",
	"ORDER E TURN 2: R: hold BECAUSE she is ill\nVOID ORDERS E A TURN 2",
	"NOTE player 2 was ill",
	"PAUSE",
	"RESUME",
	"DEADLINE 2027-01-25 16:00",
	"EXTEND 2 DAYS",
	"SKIP FROM 1 February TO 7 February",
	"RULE wet-powder off BECAUSE the sun shines",
	"GRANT 1 A",
	"DEPUTY 1 dora@oakfield.example",
	"APPROVE 1",
	"REJECT 2 BECAUSE it is rude",
	"REPLACE 2 WITH carl@hillside.example",
	"RESOLVE TURN 2",
	"RELEASE",
	"ROLLBACK TO TURN 1 BECAUSE half the class was ill",
	"ROLLFORWARD",
	"VERDICT FINAL draw: the bell has rung",
};

enum { COURSE = sizeof course / sizeof *course };

static bool on_course(const char *word)
{
	for (int i = 0; i < COURSE; i++)
		for (const char *at = course[i]; at != NULL; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
			if (strncasecmp(at, word, strlen(word)) == 0)
				return true;
	return false;
}

/* The record but for the lines of the mails themselves, and all that came of it. Keys are drawn by lot. */
static const char *outcome(struct played *t)
{
	char *text = talloc_strdup(t, "");
	struct acts acts;

	expect_ok(store_acts(t->s->store, t, t->game->id, &acts));
	for (int i = 0; i < acts.count; i++)
		if (strncmp(acts.list[i].what, "mail ", 5) != 0)
			text = talloc_asprintf(t, "%s%lld %s: %s (%s) %s -> %s\n", text, (long long)acts.list[i].made,
				acts.list[i].actor, acts.list[i].what, acts.list[i].reason, acts.list[i].digest_before,
				acts.list[i].digest_after);
	return talloc_asprintf(t, "%s%s%d reports, %d reviews", text,
		contents(t, "game line turn released ready silence absence message"), count_mails(t, "report", "Turn "),
		count_mails(t, "review", "Turn "));
}

static void test_mail_and_command_line_agree(void **state)
{
	struct played *by_mail = turn_one("on"), *by_hand = turn_one("on"), *both[] = {by_mail, by_hand};

	(void)state;
	for (int i = 0; i < ROWS; i++)
		assert_true(on_course(command_info(rows[i].verb)->word));
	for (int i = 0; i < COURSE; i++) {
		int now = FRIDAY + (i + 2) * HOUR;

		for (int k = 0; k < 2 && strncmp(course[i], "NOTE", 4) == 0; k++) {
			put_mail(both[k], ANN, now - 2 * MINUTE, "SAY TO all: well played");
			put_mail(both[k], ANN, now - MINUTE, "SAY TO all: boo");
			pass_at(both[k], now - MINUTE);
			give_part(both[k]);
		}
		put_mail(by_mail, HEAD, now, course[i]);
		pass_at(by_mail, now);
		by_hand->s->clock.fixed = now;
		referee(by_hand, course[i]);
		if (strcmp(outcome(by_mail), outcome(by_hand)) != 0)
			fail_msg("after %s by mail:\n%s\non the command line:\n%s", course[i], outcome(by_mail),
				outcome(by_hand));
	}
	assert_string_equal(by_hand->game->status, "ended");
	assert_int_equal(number(by_hand, "SELECT count(*) FROM act WHERE what LIKE 'refused%'"), 2);
	played_end(by_mail);
	played_end(by_hand);
}

/* What ends the battle for good is asked back; the line that the answer names does it, and its FINAL is no reason. */
static void test_verdict_asked_back(void **state)
{
	struct played *t = turn_one("off");
	static const char tables[] = "game address line turn released sheet ready silence absence message";
	const char *before = contents(t, tables);

	(void)state;
	put_mail(t, HEAD, FRIDAY + HOUR, "VERDICT Jacobites win: the bell has rung");
	pass_at(t, FRIDAY + HOUR);
	assert_int_equal(count_mails(t, "answer", "VERDICT FINAL Jacobites win: the bell has rung"), 1);
	assert_string_equal(contents(t, tables), before);
	assert_string_equal(t->game->status, "running");
	put_mail(t, HEAD, FRIDAY + 2 * HOUR, "Verdict final: Jacobites win: the bell has rung");
	pass_at(t, FRIDAY + 2 * HOUR);
	assert_string_equal(t->game->status, "ended");
	assert_int_equal(last(t)->after->winner, WINNER_JACOBITE);
	assert_int_equal(count_mails(t, "debrief", "Jacobites win: the bell has rung"), 3);
	played_end(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_there),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_who_may_not),
		cmocka_unit_test(test_mail_and_command_line_agree),
		cmocka_unit_test(test_verdict_asked_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
