/* "Rip her to shreds": its file of numbers, what a receipt foresees, and the names of its dice. Values by hand. (Each
 * ruling has its case in tests/cases.) */
#include "base/file.h"
#include "orders/merge.h"
#include "report/forecast.h"
#include "rules/ruleset.h"
#include "service/casefile.h"
#include "service/trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* --- the file --- */

/* What is said of the rule set's own file when `old` in it is replaced by `new`; "" when nothing is. */
static const char *verdict_on(TALLOC_CTX *mem, const char *old, const char *new)
{
	const struct ruleset *rules = ruleset_find("shreds");
	struct parameters *p = parameters_new(mem, rules->parameters, rules->parameter_count);
	char *text, *at;
	size_t len;
	struct err *e;

	assert_null(data_read(mem, "db/rules/shreds.rules", &text, &len));
	at = strstr(text, old);
	assert_non_null(at);
	text = talloc_asprintf(mem, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
	e = parameters_read(mem, p, "shreds.rules", text, strlen(text));
	return e ? err_text(mem, e) : "";
}

static void test_numbers(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);

	(void)state;
	assert_string_equal(verdict_on(mem, "halt                   3", "halt                   2"), "");
	assert_non_null(strstr(verdict_on(mem, "flee-die               8\n", ""),
		"the option flee-die is missing here at the end: write \"flee-die VALUE\", with a value of 2 to 20."));
	assert_non_null(strstr(verdict_on(mem, "\nflee-die ", "\nnerve-fails 1\nflee-die "),
		"shreds.rules:22:1: nerve-fails has been given before"));
	assert_non_null(strstr(verdict_on(mem, "rally                  5", "rally                  9"), "from 2 to 7"));
	assert_non_null(strstr(verdict_on(mem, "long-range             12", "long-range             far"),
		"expected inches from 0 to 120"));
	assert_non_null(strstr(
		verdict_on(mem, "panic-reach ", "panic-reech "), "there is no option \"panic-reech\"; did you mean"));
	talloc_free(mem);
}

/* --- what is foreseen --- */

static struct rules_case *read_case(TALLOC_CTX *mem, const char *text)
{
	struct rules_case *c;
	struct err *e = case_read(mem, "test.case", text, strlen(text), &c);

	if (e)
		fail_msg("%s", err_text(mem, e));
	return c;
}

/* All sentences that the receipt would have of the case's first orders. */
static char *forecast(TALLOC_CTX *mem, const char *text)
{
	struct rules_case *c = read_case(mem, text);
	const struct state *s = c->scenario->state;
	struct orderbook *book = orderbook_new(mem, s);
	const struct case_step *orders = &c->steps[0];
	struct sheet_in_force sheet = {.sheet = orders->sheet, .turn = 1};
	char *out = talloc_strdup(mem, "");
	struct plan *plan;

	orders_merge(mem, book, s, orders->side, &sheet, 1, 1, NULL);
	plan = c->rules->foresee(mem, c->scenario, s, orders->side, book);
	for (int i = 0; i < plan->count; i++)
		out = talloc_asprintf_append(out, "%s\n", forecast_sentence(mem, c->scenario, s, &plan->items[i]));
	return out;
}

/* 6 + D8 reach eleven inches on 5 or more; a base that fires at seven inches hits 1 2 3 4 of six times, (1+2+3+4)/6 a
 * base, three bases 5, of which a sixth is saved: 4.2. */
static void test_chances(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	const char *said = forecast(mem, "battle falkirk\nrules shreds\n"
					 "unit E A foot \"Barrell's\" 24/3 at 40,20 facing 0\n"
					 "unit E B foot \"Royals\" 24/3 at 60,20 facing 0\n"
					 "unit J a clan \"Camerons\" 24/3 at 40,31 facing 180\n"
					 "unit J b clan \"Stuarts\" 24/3 at 60,27 facing 180\n"
					 "unit J c horse \"Elcho's\" 12/2 at 20,50 facing 180\n"
					 "orders J\n  a: charge A\n  b: fire at B\n  c: advance 8\n");

	(void)state;
	assert_non_null(strstr(said, "Camerons (a) need 5 or more on D8: 50 in 100 to reach Barrell's (A), 11\" away"));
	assert_non_null(strstr(said, "Stuarts (b) can fire at Royals (B), 7\" away (4.2 figures on average)"));
	assert_non_null(strstr(said, "Elcho's (c) go 8\", to D4, on 8 or more on 2 D6: 42 in 100"));
	assert_non_null(strstr(said, "Elcho's (c) get a command point on 2 or more on D6: 83 in 100"));
	talloc_free(mem);
}

/* FP53: who stands in front of a charger stops it, whatever the throw. */
static void test_charge_stopped(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	const char *said = forecast(mem, "battle falkirk\nrules shreds\n"
					 "unit E A foot \"Barrell's\" 24/3 at 40,20 facing 0\n"
					 "unit J a clan \"Camerons\" 24/3 at 40,31 facing 180\n"
					 "unit J b clan \"Stuarts\" 24/3 at 40,27 facing 180\n"
					 "orders J\n  a: charge A\n");

	(void)state;
	assert_non_null(
		strstr(said, "Camerons (a) cannot get at Barrell's (A), 11\" away: Stuarts (b) are in the way,"));
	talloc_free(mem);
}

/* Three inches and a D6 (RH9), where the order names no distance. */
static void test_open_distance(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);

	(void)state;
	assert_string_equal(forecast(mem, "battle falkirk\nrules shreds\n"
					  "unit E A foot \"Barrell's\" 24/3 at 40,20 facing 0\n"
					  "orders E\n  A: advance\n"),
		"Barrell's (A) go 4\" to 9\", as the dice fall; the map shows the least.\n");
	talloc_free(mem);
}

/* RH4: a point goes to whoever wants to charge, within reach (3 + 6 + 3 inches) or not; and to six units at most, so
 * that of all the others the same is true. With a move ordered too the point is not lost. */
static void test_points_foreseen(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	char *text = talloc_strdup(mem, "battle falkirk\nrules shreds\n");
	const char *said;

	(void)state;
	for (const char *code = "ABCDEFGHJ"; *code != '\0'; code++)
		text = talloc_asprintf_append(text, "unit E %c foot \"Unit %c\" 24/3 at %d,10 facing 0\n", *code, *code,
			10 + 8 * (*code - 'A'));
	text = talloc_asprintf_append(text, "unit J a clan \"Camerons\" 24/3 at 14,40 facing 180\n"
					    "orders E\n  A: charge a\n  B: advance 1; charge a\n  C to J: advance 1\n");
	said = forecast(mem, text);
	assert_non_null(strstr(said,
		"Unit A (A) cannot charge Camerons (a), 30\" away: a charge goes only 12\", and that costs "
		"a command point all the same.\n"));
	assert_non_null(strstr(said, "Unit B (B) cannot charge Camerons (a), 30\" away: a charge goes only 12\".\n"));
	assert_non_null(strstr(said, "Unit G (G) get no command point: 6 units or more come first.\n"));
	assert_non_null(strstr(said, "Unit J (J) get no command point: 6 units or more come first.\n"));
	talloc_free(mem);
}

/* RH18: a general goes with a unit; he has no charge of his own, and moves once. */
static void test_generals(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);

	(void)state;
	assert_string_equal(forecast(mem, "battle falkirk\nrules shreds\n"
					  "unit E A foot \"Barrell's\" 24/3 at 40,20 facing 0\n"
					  "unit J a clan \"Camerons\" 24/3 at 40,31 facing 180\n"
					  "unit J b clan \"Stuarts\" 24/3 at 80,31 facing 180\n"
					  "commander J mu \"Murray\" at 40,35 facing 180\n"
					  "commander J os \"O'Sullivan\" at 60,31 facing 180\n"
					  "orders J\n  mu: join a and charge A\n  os: join b; fire at nearest\n"),
		"Murray (mu) joins Camerons (a).\n"
		"Murray (mu) cannot charge Barrell's (A) himself: order the unit that he goes with to charge.\n"
		"O'Sullivan (os) cannot join Stuarts (b), 17\" away: he gets only 12\" nearer.\n"
		"O'Sullivan (os) cannot fire at anybody: commanders do not fire.\n");
	talloc_free(mem);
}

/* A gun does not turn, so it says why it cannot fire, whom its orders name or not: here guns 4 and 6 stand within 1.5"
 * of its lines to the corners of both Camerons, which are equally near. Muskets may yet see somebody. */
static void test_fire_that_cannot_be(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);

	(void)state;
	assert_string_equal(
		forecast(mem,
			"battle prestonpans-heritage\ndeploy\norders E\n  gun 5: fire at j\n  C: fire at nearest\n"),
		"gun 5 cannot fire at Camerons (2nd) (j): gun 6 is in the way, and guns fire only where 3\" about "
		"their "
		"line of fire are free of friends.\n");
	assert_string_equal(forecast(mem, "battle prestonpans-heritage\ndeploy\norders E\n  gun 5: fire at nearest\n"),
		"gun 5 cannot fire at Camerons (1st) (h): gun 4 is in the way, and guns fire only where 3\" about "
		"their "
		"line of fire are free of friends.\n");
	talloc_free(mem);
}

/* --- dice --- */

/* A melee is fought in both halves of a turn, so its dice need two names. */
static void test_names_of_both_halves(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct rules_case *c =
		read_case(mem, "battle falkirk\nrules shreds\nunit E A foot \"Barrell's\" 24/3 at 40,20 facing 0\n"
			       "unit J a foot \"Picquets\" 24/3 at 40,20 facing 180\nlocked A a\n"
			       "die A pair = 3 3 3 3 3 3\ndie a pair = 3 3 3 3 3 3\nturn\n");
	struct trial *t = trial_run(mem, c, 1, true);
	const char *const names[] = {"T1.melee.A.pair.a.1", "T1.melee.A.pair.J-a.1", "T1.melee.a.pair.A.3",
		"T1.melee.a.pair.E-A.3", "T1.initiative.E.initiative.1", "T1.points.J.points.1"};

	(void)state;
	assert_int_equal(t->failure_count, 0);
	for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
		int found = 0;

		for (int i = 0; i < t->events->count; i++)
			for (int d = 0; d < t->events->list[i]->dice_count; d++)
				found += strcmp(t->events->list[i]->dice[d].name, names[n]) == 0;
		if (found != 1)
			fail_msg("%s is rolled %d times", names[n], found);
	}
	talloc_free(mem);
}

/* A gun's dice are found under its number, and under side and number where both sides have one. */
static void test_no_die_of_a_gun(void **state)
{
	static const char *const enemies[] = {"", "unit J 1 gun \"Drum\" 4/1 at 80,50 facing 180 id JG\n"};

	(void)state;
	for (size_t i = 0; i < sizeof enemies / sizeof *enemies; i++) {
		TALLOC_CTX *mem = talloc_new(NULL);
		struct rules_case *c = read_case(mem,
			talloc_asprintf(mem,
				"battle falkirk\nrules shreds\nunit E 1 gun \"Gun\" 4/1 at 40,20 facing 0 id EG\n%s"
				"unit J a foot \"Picquets\" 24/3 at 40,40 facing 180\nturn\nexpect no die EG fire\n"
				"expect no die EG move\n",
				enemies[i]));

		assert_int_equal(trial_run(mem, c, 1, true)->failure_count, 1);
		talloc_free(mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_chances),
		cmocka_unit_test(test_charge_stopped),
		cmocka_unit_test(test_open_distance),
		cmocka_unit_test(test_points_foreseen),
		cmocka_unit_test(test_generals),
		cmocka_unit_test(test_fire_that_cannot_be),
		cmocka_unit_test(test_names_of_both_halves),
		cmocka_unit_test(test_no_die_of_a_gun),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
