/* orders: no typed line gets lost. Whatever stands above it, a line is taken as an order, asked about, or set aside. */
#include "orders_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { MIXES = 400, LINES_MAX = 8 };

static const char *const good[] = {"R: move 4 north", "Munros advance 3", "E: hold", "Barrells charge the Camerons",
	"c fire at j", "Hamiltons and Munros hold", "everyone else: hold", "N: face east; fire",
	"If j within 6 then R hold"};
static const char *const bad[] = {"Huske go and stop the keppochs running", "R: charge", "barrels chrage j",
	"Zorks: advance 4", "Cobhams foo the bar", "R n the others charge j", "N: move", "Zorks: hold, then fire at",
	"E: advnce 3,", "j: hold", "Hamiltons turn", "c: fire at the", "if j within then hold", "R: if they come near",
	"E: don't", "Munros march to"};
static const char *const talk[] = {"hello from class 7b", "we had fun last turn", "Emma and Tom", "is it raining?",
	"Good luck to you all", "we think the Camerons are scary", "Thanks!", "turn 2 was the best ever"};

static const char *one_of(struct random *r)
{
	switch (below(r, 3)) {
	case 0:
		return good[below(r, sizeof good / sizeof *good)];
	case 1:
		return bad[below(r, sizeof bad / sizeof *bad)];
	default:
		return talk[below(r, sizeof talk / sizeof *talk)];
	}
}

/* Is the line, bytes [from, end) and number `line` of the text, in an order or a problem; or is it set aside? */
static void find_line(const struct sheet *s, int line, size_t from, size_t end, bool *taken, bool *set_aside)
{
	*taken = *set_aside = false;
	for (int i = 0; i < s->order_count; i++)
		*taken |= s->orders[i].line == line;
	for (int i = 0; i < s->problem_count; i++)
		*taken |= s->problems[i].line == line;
	for (int i = 0; i < s->set_aside_count; i++)
		*set_aside |= s->set_aside_at[i] >= from && s->set_aside_at[i] < end;
}

/* None of these lines is a part of another and none holds two sentences: each is in one section of the receipt. */
static void test_every_line_is_told(void **state)
{
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	struct random r = {.state = 46, .mem = f.mem};

	(void)state;
	for (int mix = 0; mix < MIXES; mix++) {
		int lines = 2 + below(&r, LINES_MAX - 1);
		size_t at = 0;
		char *text = talloc_strdup(f.mem, "");
		struct sheet *s;

		for (int i = 0; i < lines; i++)
			text = talloc_asprintf_append(text, "%s\n", one_of(&r));
		s = orders_read(f.mem, text, strlen(text), &ctx);
		for (int i = 0; i < lines; i++) {
			size_t length = strcspn(text + at, "\n");
			bool taken, set_aside;

			find_line(s, i + 1, at, at + length, &taken, &set_aside);
			if (taken == set_aside)
				fail_msg("line %d is in %s section:\n%s", i + 1, taken ? "more than one" : "no", text);
			at += length + 1;
		}
		talloc_free(s);
		talloc_free(text);
	}
	talloc_free(f.mem);
}

/* A verb at the end of a line that could not be read takes no order from the next one. */
static void test_line_below_is_read(void **state)
{
	static const char text[] = "Huske go and stop the keppochs running\nMunros chrage j\nE: hold";
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	struct sheet *s = orders_read(f.mem, text, strlen(text), &ctx);
	bool asked = false;

	(void)state;
	for (int i = 0; i < s->problem_count; i++)
		asked |= s->problems[i].line == 2 && strcmp(s->problems[i].suggestion, "Munros charge j") == 0;
	assert_true(asked);
	assert_string_equal(orders_canonical(f.mem, s, &ctx), "E: hold\n");
	talloc_free(f.mem);
}

/* What was read together with a line that could not be read is set aside, in the order of the text. */
static void test_rest_is_set_aside(void **state)
{
	static const char text[] = "Zorks: hold,\nthen fire at\nthe nearest\nE: hold";
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	struct sheet *s = orders_read(f.mem, text, strlen(text), &ctx);

	(void)state;
	assert_int_equal(s->problem_count, 1);
	assert_int_equal(s->set_aside_count, 2);
	assert_string_equal(s->set_aside[0], "then fire at");
	assert_string_equal(s->set_aside[1], "the nearest");
	talloc_free(f.mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_line_is_told),
		cmocka_unit_test(test_line_below_is_read),
		cmocka_unit_test(test_rest_is_set_aside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
