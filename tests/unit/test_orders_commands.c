/* orders: headers, and the commands of players and referees. */
#include "orders_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static void test_headers(void **state)
{
	static const char stale[] = "turn 2\nR: hold\n", game[] = "GAME prestonpans-1\nR: hold\n",
			  good[] = "Game: falkirk-7b\nTurn 3\nKEY heather-otter-42\nR: hold\n",
			  line[] = "GAME falkirk-7b, key heather otter 42 TURN 3\nR: hold\n";
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	struct sheet *sheet;

	(void)state;
	ctx.turn = 3;
	ctx.game = "falkirk-7b";
	sheet = orders_read(f.mem, stale, strlen(stale), &ctx);
	assert_true(sheet->refused);
	assert_int_equal(sheet->problems[0].kind, PROBLEM_STALE);
	assert_true(orders_read(f.mem, game, strlen(game), &ctx)->refused);
	sheet = orders_read(f.mem, good, strlen(good), &ctx);
	assert_false(sheet->refused);
	assert_string_equal(sheet->game, "falkirk-7b");
	assert_string_equal(sheet->key, "heather-otter-42");
	sheet = orders_read(f.mem, line, strlen(line), &ctx);
	assert_false(sheet->refused);
	assert_string_equal(sheet->game, "falkirk-7b");
	assert_string_equal(sheet->key, "heather otter 42");
	assert_int_equal(sheet->turn, 3);
	assert_int_equal(sheet->set_aside_count, 0);
	assert_int_equal(sheet->turn, 3);
	assert_int_equal(sheet->order_count, 1);
	talloc_free(f.mem);
}

static void test_referee(void **state)
{
	static const char text[] = "PAUSE\n"
				   "DEADLINE Friday 22 January 16:00\n"
				   "EXTEND 2 DAYS BECAUSE of snow\n"
				   "RESOLVE TURN 3\n"
				   "AMEND T3.shoot.B.volley.1 HITS 2 BECAUSE miscounted\n"
				   "DIE T3.shoot.B.shoot.1 = 6\n"
				   "SET R BASES 4 BEFORE T3.shoot.B.volley.1 BECAUSE hits doubled\n"
				   "PLACE N AT H4 FACING north\n"
				   "KILL Huske\n"
				   "ORDER J: Camerons: hold\n"
				   "VOID ORDERS E R\n"
				   "RULE wet-powder off\n"
				   "ROLLBACK TO TURN 2\n"
				   "REPLACE huske WITH pupil@school.example\n"
				   "APPROVE 4\n"
				   "SAY TO all:\nThe match is on\nFriday.\n\n"
				   "NOTE all went well\n";
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	struct sheet *sheet;
	const struct command_record *c;

	(void)state;
	ctx.referee = true;
	sheet = orders_read(f.mem, text, strlen(text), &ctx);
	assert_int_equal(sheet->problem_count, 0);
	assert_int_equal(sheet->set_aside_count, 0);
	assert_int_equal(sheet->command_count, 17);
	c = sheet->commands;
	assert_int_equal(c[0].verb, COMMAND_PAUSE);
	assert_string_equal(c[1].text, "Friday 22 January 16:00");
	assert_int_equal(c[2].number, 2);
	assert_string_equal(c[2].because, "of snow");
	assert_int_equal(c[3].turn, 3);
	assert_string_equal(c[4].name, "T3.shoot.B.volley.1");
	assert_int_equal(c[4].number, 2);
	assert_string_equal(c[4].because, "miscounted");
	assert_string_equal(c[5].name, "T3.shoot.B.shoot.1");
	assert_int_equal(c[5].number, 6);
	assert_int_equal(c[6].units[0], 0);
	assert_int_equal(c[6].number, 4);
	assert_string_equal(c[6].before, "T3.shoot.B.volley.1");
	assert_int_equal(c[7].place.x, 45000);
	assert_int_equal(c[7].place.y, 39000);
	assert_int_equal(c[8].units[0], 6);
	assert_int_equal(c[9].side, SIDE_JACOBITE);
	assert_string_equal(c[9].text, "Camerons: hold");
	assert_int_equal(c[10].side, SIDE_GOVERNMENT);
	assert_int_equal(c[10].units[0], 0);
	assert_string_equal(c[11].name, "wet-powder");
	assert_string_equal(c[11].text, "off");
	assert_int_equal(c[12].turn, 2);
	assert_string_equal(c[13].text, "pupil@school.example");
	assert_int_equal(c[14].number, 4);
	assert_string_equal(c[15].text, "The match is on\nFriday.");
	assert_string_equal(c[16].text, "all went well");

	/* the same from a player */
	ctx.referee = false;
	sheet = orders_read(f.mem, "PAUSE\n", 6, &ctx);
	assert_int_equal(sheet->command_count, 0);
	assert_int_equal(sheet->problems[0].kind, PROBLEM_FORBIDDEN);
	talloc_free(f.mem);
}

/* A player who writes a referee's command hears that it is not his; where the word is also a plain one, only when he
 * writes all of it as the manual does. */
static void test_not_his(void **state)
{
	static const struct {
		const char *text;
		bool told;
	} lines[] = {
		{"PAUSE", true},
		{"pause", true},
		{"REMOVE a BECAUSE x", true},
		{"REPLACE 2 WITH x@y.example", true},
		{"DEPUTY 2 x@y.example", true},
		{"DEPUTY 2 OFF", true},
		{"GRANT 1 A", true},
		{"RULE wet-powder off", true},
		{"REVIEW ON", true},
		{"DIE T1.shoot.B.shoot.1 = 6 BECAUSE x", true},
		{"ORDER J: Camerons: hold BECAUSE x", true},
		{"VERDICT draw: x", true},
		{"NOTE all went well", true},
		{"note that I am away on Monday", false},
		{"Review on Friday?", false},
		{"HOLD", false},
	};
	struct fixture f = setup();
	struct orders_context ctx = context(&f);

	(void)state;
	ctx.referee = false;
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct sheet *sheet = orders_read(f.mem, lines[i].text, strlen(lines[i].text), &ctx);
		bool told = sheet->problem_count > 0 && sheet->problems[0].kind == PROBLEM_FORBIDDEN;

		if (told != lines[i].told || sheet->command_count > 0 || sheet->order_count > 0)
			fail_msg("%s", lines[i].text);
	}
	talloc_free(f.mem);
}

/* What a referee may write besides the manual's form, and what he hears when something is missing or wrong. */
static void test_referee_words(void **state)
{
	static const struct {
		const char *text, *message; /* NULL: it is read */
		const char *suggestion;
		int number;
	} cases[] = {
		{"amend event 17 to 1 hit because x", NULL, NULL, 1},
		{"AMEND #17: HITS = 2 BECAUSE x", NULL, NULL, 2},
		{"SET R BASES TO 4 BECAUSE x", NULL, NULL, 4},
		{"SET R TO 4 BASES BECAUSE x", NULL, NULL, 4},
		{"EXTEND DEADLINE BY 2 DAYS", NULL, NULL, 2},
		{"WHY event 17", NULL, NULL, 17},
		{"AMEND 17", "This is written", "AMEND n HITS k | VOID BECAUSE reason", 0},
		{"DIE T3.shoot.B.shoot.1 6", "This is written", "DIE name = value BECAUSE reason", 0},
		{"SET R 4 BECAUSE x", NULL, NULL, 4},
		{"SET Barels BASES 4 BECAUSE x", "did you mean Barrell's (R)?", "SET Barrell's BASES 4 BECAUSE x", 0},
		{"REMOVE Bob BECAUSE x", "here the name or code of a unit was expected", NULL, 0},
		{"PLACE R AT Z9 FACING north BECAUSE x", "There is no square Z9", NULL, 0},
		{"PLACE R AT H4 FACING left BECAUSE x", "a direction of the compass", NULL, 0},
		{"PLACE R AT H4 FACING 400 BECAUSE x", "a direction of the compass", NULL, 0},
		{"RELESE", "did you mean RELEASE?", "RELEASE", 0},
		{"AMMEND 17 HITS 1 BECAUSE x", "did you mean AMEND?", "AMEND 17 HITS 1 BECAUSE x", 0},
		{"ABSENT", "This is written", "ABSENT player FROM date TO date", 0},
	};
	struct fixture f = setup();
	struct orders_context ctx = context(&f);

	(void)state;
	ctx.referee = true;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sheet *sheet = orders_read(f.mem, cases[i].text, strlen(cases[i].text), &ctx);

		assert_int_equal(sheet->problem_count, cases[i].message ? 1 : 0);
		assert_int_equal(sheet->command_count, cases[i].message ? 0 : 1);
		if (!cases[i].message) {
			assert_int_equal(sheet->commands[0].number, cases[i].number);
			continue;
		}
		assert_non_null(strstr(sheet->problems[0].message, cases[i].message));
		if (cases[i].suggestion)
			assert_string_equal(sheet->problems[0].suggestion, cases[i].suggestion);
		else
			assert_null(sheet->problems[0].suggestion);
	}
	talloc_free(f.mem);
}

/* What players write in words of their own: only what can mean nothing else is a command, or is told how it is written.
 */
static void test_players_words(void **state)
{
	static const struct {
		const char *text;
		int commands, problems;
		enum command_verb verb;
	} cases[] = {
		{"NO CONCEDE", 1, 0, COMMAND_NO_CONCEDE},
		{"no concede!", 1, 0, COMMAND_NO_CONCEDE},
		{"No, we go on", 0, 0, COMMAND_VERBS},
		{"NO WAY", 0, 0, COMMAND_VERBS},
		{"concede? what does that do", 0, 0, COMMAND_VERBS},
		{"we give up", 0, 0, COMMAND_VERBS},
		{"Absent next week", 0, 1, COMMAND_VERBS},
	};
	struct fixture f = setup();
	struct orders_context ctx = context(&f);

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sheet *sheet = orders_read(f.mem, cases[i].text, strlen(cases[i].text), &ctx);

		assert_int_equal(sheet->command_count, cases[i].commands);
		assert_int_equal(sheet->problem_count, cases[i].problems);
		assert_int_equal(sheet->order_count, 0);
		if (cases[i].commands == 1)
			assert_int_equal(sheet->commands[0].verb, cases[i].verb);
	}
	talloc_free(f.mem);
}

/* ACCEPT and READY as pupils say them; where the line holds more than that, it is no command. */
static void test_assent(void **state)
{
	static const char *const accept[] = {"ok ACCEPT", "Yes, accept please", "also accept",
		"I accept the suggestions", "accept them all, thank you!"},
				 *const ready[] = {"I'm ready", "i m ready", "I\u2019m ready now", "ready now",
					 "we are ready!", "OK, we're ready", "yes ready"},
				 *const neither[] = {"are we ready", "ok ready?", "ready to charge",
					 "when we are ready", "I do not accept that", "almost ready", "not ready?",
					 "not ready to charge", "dont wait"},
				 *const wait[] = {"not ready", "I'm not ready yet", "We are not ready!", "un-ready",
					 "no longer ready", "Sorry, not READY.", "cancel ready", "take back READY",
					 "READY (but not yet)", "please don't resolve yet", "please wait"};
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	struct sheet *sheet;

	(void)state;
	for (size_t i = 0; i < sizeof accept / sizeof *accept; i++) {
		sheet = orders_read(f.mem, accept[i], strlen(accept[i]), &ctx);
		assert_int_equal(sheet->command_count, 1);
		assert_int_equal(sheet->commands[0].verb, COMMAND_ACCEPT);
		assert_int_equal(sheet->problem_count + sheet->set_aside_count, 0);
	}
	for (size_t i = 0; i < sizeof ready / sizeof *ready; i++) {
		sheet = orders_read(f.mem, ready[i], strlen(ready[i]), &ctx);
		assert_int_equal(sheet->command_count, 1);
		assert_int_equal(sheet->commands[0].verb, COMMAND_READY);
	}
	for (size_t i = 0; i < sizeof wait / sizeof *wait; i++) {
		sheet = orders_read(f.mem, wait[i], strlen(wait[i]), &ctx);
		assert_int_equal(sheet->command_count, 1);
		assert_int_equal(sheet->commands[0].verb, COMMAND_WAIT);
		assert_int_equal(sheet->problem_count + sheet->set_aside_count, 0);
	}
	for (size_t i = 0; i < sizeof neither / sizeof *neither; i++)
		assert_int_equal(orders_read(f.mem, neither[i], strlen(neither[i]), &ctx)->command_count, 0);
	talloc_free(f.mem);
}

/* A mail that only says yes, or says it first; "ok thanks" may say no more than that ours has come. */
static void test_yes(void **state)
{
	static const char *const yes[] = {"yes", "Yes please!", "ok do that", "Yes, as suggested.\nEmma",
		"yep all of them", "that's what I meant, yes", "\nok take the suggestions\n\nThanks, Tom",
		"yes that's what we meant", "ok yes do that", "yes to all!"},
				 *const talk[] = {"", "ok", "OK", "ok thanks", "thanks", "yes?", "do it",
					 "yes it was so cool to beat you", "yes, but not the guns",
					 "Yes. Only for the Camerons"},
				 *const first[][2] = {{"Yes please!\nREADY", "\nREADY"},
					 {"yes pls. Were ready", "Were ready"}, {"yes\na: hold", "\na: hold"},
					 {"Yes, a: hold", "a: hold"}, {"Yes!!! We won", "We won"},
					 {"yes\nand then we all went to the beach",
						 "\nand then we all went to the beach"}};
	TALLOC_CTX *mem = talloc_new(NULL);
	bool alone;

	(void)state;
	for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
		assert_true(orders_assent(mem, yes[i], &alone) && alone);
	for (size_t i = 0; i < sizeof talk / sizeof *talk; i++)
		assert_null(orders_assent(mem, talk[i], &alone));
	for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
		const char *rest = orders_assent(mem, first[i][0], &alone);

		assert_non_null(rest);
		assert_string_equal(rest, first[i][1]);
		assert_int_equal(alone, i == 0 || i == 2); /* a few words below may be a name */
	}
	talloc_free(mem);
}

static void test_forget(void **state)
{
	static const char *const forget[] = {"FORGET", "forget it", "Forget that line please.", "forget those lines"},
				 *const not_that[] = {"forget my last mail", "don't forget", "forget the Camerons"};
	struct fixture f = setup();
	struct orders_context ctx = context(&f);

	(void)state;
	for (size_t i = 0; i < sizeof forget / sizeof *forget; i++) {
		struct sheet *sheet = orders_read(f.mem, forget[i], strlen(forget[i]), &ctx);

		assert_int_equal(sheet->command_count, 1);
		assert_int_equal(sheet->commands[0].verb, COMMAND_FORGET);
		assert_int_equal(sheet->problem_count + sheet->set_aside_count, 0);
	}
	for (size_t i = 0; i < sizeof not_that / sizeof *not_that; i++)
		assert_int_equal(orders_read(f.mem, not_that[i], strlen(not_that[i]), &ctx)->command_count, 0);
	talloc_free(f.mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_referee),
		cmocka_unit_test(test_not_his),
		cmocka_unit_test(test_referee_words),
		cmocka_unit_test(test_players_words),
		cmocka_unit_test(test_assent),
		cmocka_unit_test(test_yes),
		cmocka_unit_test(test_forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
