/* orders: the letter of the page "How to write orders": what every reading must keep, in kinds. What is to come of each
 * text is worked out from that page. */
#include "orders_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

/* A text, its orders in canonical form, how many problems it has, and how many lines are set aside. */
struct reading {
	const char *typed, *canonical;
	int problems, aside;
};

static void check_one(struct fixture *f, const struct reading *r)
{
	struct orders_context ctx = context(f);
	struct sheet *s = orders_read(f->mem, r->typed, strlen(r->typed), &ctx), *again;
	char *text = orders_canonical(f->mem, s, &ctx);

	if (strcmp(text, r->canonical) != 0)
		fail_msg("%s\nread as %s", r->typed, text);
	if (s->problem_count != r->problems)
		fail_msg("%s\n%d problems, as %s", r->typed, s->problem_count,
			s->problem_count ? s->problems[0].message : "");
	if (s->set_aside_count != r->aside)
		fail_msg("%s\n%d lines set aside, as %s", r->typed, s->set_aside_count,
			s->set_aside_count ? s->set_aside[0] : "");
	again = orders_read(f->mem, text, strlen(text), &ctx);
	assert_string_equal(orders_canonical(f->mem, again, &ctx), text);
}

static void check(const struct reading *list, size_t count)
{
	struct fixture f = setup();

	for (size_t i = 0; i < count; i++)
		check_one(&f, &list[i]);
	talloc_free(f.mem);
}

#define CHECK(list) check(list, sizeof(list) / sizeof *(list))

/* What is missing at the end of a text is missed in its last line, whether that has an end or not. */
static void test_end_of_text(void **state)
{
	static const char *const texts[] = {"if", "if\n", "if\n\n\n", "unless", "if not ", "\nif\n", "R: hold\nif"};
	struct fixture f = setup();
	struct orders_context ctx = context(&f);

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		char *typed, *sheet;
		struct sheet *s;

		orders_split(f.mem, texts[i], strlen(texts[i]), &typed, &sheet);
		assert_string_equal(typed, texts[i]);
		s = orders_read(f.mem, typed, strlen(typed), &ctx);
		assert_int_equal(s->problem_count, 1);
		if (!*s->problems[0].typed)
			fail_msg("%zu: the problem stands on line %d", i, s->problems[0].line);
	}
	talloc_free(f.mem);
}

/* The longest text that is read, and the first that is not. */
static void test_limits(void **state)
{
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	char *text = talloc_array(f.mem, char, SHEET_BYTES_MAX + 1);

	(void)state;
	memset(text, '#', SHEET_BYTES_MAX + 1);
	memcpy(text, "R: hold ", 8);
	assert_int_equal(orders_read(f.mem, text, SHEET_BYTES_MAX, &ctx)->order_count, 1);
	assert_true(orders_read(f.mem, text, SHEET_BYTES_MAX + 1, &ctx)->refused);
	memset(text, '\n', SHEET_LINES_MAX + 1);
	assert_false(orders_read(f.mem, text, SHEET_LINES_MAX, &ctx)->refused);
	assert_true(orders_read(f.mem, text, SHEET_LINES_MAX + 1, &ctx)->refused);
	text[SHEET_LINES_MAX] = 'x';
	assert_true(orders_read(f.mem, text, SHEET_LINES_MAX + 1, &ctx)->refused);
	talloc_free(f.mem);
}

/* A distance before a place stays. */
static void test_distance_to_place(void **state)
{
	static const struct reading list[] = {
		{"R: move 3 to H4", "R: move 3 to H4\n", 0, 0},
		{"R: 3 to H4", "R: move 3 to H4\n", 0, 0},
		{"R: move 4 1/2 towards H4", "R: move 4.5 to H4\n", 0, 0},
		{"R: advance 6 inches to (45,20.5)", "R: move 6 to (45,20.5)\n", 0, 0},
		{"R: move 3 to H4 via F4", "R: move to F4 then 3 to H4\n", 0, 0},
		{"R: move to H4", "R: move to H4\n", 0, 0},
	};

	(void)state;
	CHECK(list);
}

/* A line that ends in a list of enemies goes on, whatever stands behind the next name. */
static void test_open_lists(void **state)
{
	static const struct reading list[] = {
		{"R: fire at c,\nn; face east", "R: fire c, n; face east\n", 0, 0},
		{"R: fire at c and\nn; move 2 north", "R: fire c, n; move 2 north\n", 0, 0},
		{"R: fire at Camerons and\nStuarts; face east", "R: fire j, h; face east\n", 0, 0},
		{"R: fire at Camerons then\nStuarts, face east", "R: fire j, h; face east\n", 0, 0},
		{"R: fire at Camerons and\nStuarts. Face east", "R: fire j, h; face east\n", 0, 0},
		{"R: charge Camerons or\nStuarts if within 6", "R: charge j, h if within 6\n", 0, 0},
		{"R: fire at Camerons then at Stuarts", "R: fire j, h\n", 0, 0},
		/* an order of one's own ends it */
		{"R: fire at c,\nN: face east", "R: fire c\nN: face east\n", 0, 0},
		{"R: fire at c,\nN. Face east", "R: fire c\nN: face east\n", 0, 0},
		{"R: fire at c and\nN hold", "R: fire c\nN: hold\n", 0, 0},
	};

	(void)state;
	CHECK(list);
}

/* A line of 60 columns may be broken at any blank: it reads as if it were one. */
static void test_wrapped(void **state)
{
	static const char *const orders[] = {
		"fire at Camerons first then Stuarts",
		"fire at the Camerons; charge the Stuarts if within 6",
		"if Camerons within 8 then hold fire, otherwise they should advance 6 and face north",
		"if bases < 4 then retire 3",
		"hold fire; move 2 north",
		"hold fire if bases < 3",
		"then please move back to H4 and move 2 inches n",
		"charge Lord George Murray, Macdonalds (Keppoch) or nearest",
		"fire at Camerons. Then N, E and A: advance 4",
		"face Camerons; melee j 2, Stuarts 3; hold. All horse: hold",
	};
	static const char before[] = "Barrell's: turn left 30, turn right 30, turn left 20, turn right 20; ";
	struct fixture f = setup();
	struct orders_context ctx = context(&f);

	(void)state;
	for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
		char *text = talloc_asprintf(f.mem, "%s%s", before, orders[i]);
		struct sheet *whole = orders_read(f.mem, text, strlen(text), &ctx);
		char *canonical = orders_canonical(f.mem, whole, &ctx);

		assert_int_equal(whole->problem_count, 0);
		for (char *c = text + strlen(before); (c = strchr(c, ' ')); c++) {
			struct sheet *s;

			*c = '\n';
			s = orders_read(f.mem, text, strlen(text), &ctx);
			if (s->problem_count || s->set_aside_count ||
				strcmp(orders_canonical(f.mem, s, &ctx), canonical))
				fail_msg("%s\nread as %s", text, orders_canonical(f.mem, s, &ctx));
			*c = ' ';
		}
	}
	talloc_free(f.mem);
}

/* Names first: a full name of several words is one even where its words mean something else, and a verb that its one
 * word begins with is no second word of it. */
static void test_odd_names(void **state)
{
	static const struct reading list[] = {
		{"All Saints: advance 4", "S: move 4 forward\n", 0, 0},
		{"R and All Saints: hold", "R, S: hold\n", 0, 0},
		{"Holdsworth's hold", "O: hold\n", 0, 0},
		{"Holdsworth's hold fire", "O: hold fire\n", 0, 0},
		{"Holdsworth: hold", "O: hold\n", 0, 0},
		{"R: face Right Honourables", "R: face u\n", 0, 0},
		{"R: move towards Right Honourables", "R: move toward u\n", 0, 0},
		{"R: face right", "R: face right\n", 0, 0},
		{"R: fire at Nearest Kin then nearest", "R: fire v, nearest\n", 0, 0},
		{"R: charge Mcgregors (Perth's Regiment) or nearest", "R: charge w, nearest\n", 0, 0},
		{"R: fire at Mcgregors (Perth's Regiment) (w)", "R: fire w\n", 0, 0},
		{"R: if Mcgregors (Perth's Regiment) within 6 then hold", "R: if w within 6 then hold\n", 0, 0},
		{"R: fire at the Mcgregors", "", 1, 0},
	};
	struct fixture f = setup();

	(void)state;
	add_unit(&f, SIDE_GOVERNMENT, KIND_FOOT, "S", "SAI", "All Saints", "Left");
	add_unit(&f, SIDE_GOVERNMENT, KIND_FOOT, "L", "ETI", "Saint-Etienne", "Left");
	add_unit(&f, SIDE_GOVERNMENT, KIND_FOOT, "O", "HOL", "Holdsworth's", "Left");
	add_unit(&f, SIDE_JACOBITE, KIND_FOOT, "u", "RIG", "Right Honourables", "Left");
	add_unit(&f, SIDE_JACOBITE, KIND_FOOT, "v", "KIN", "Nearest Kin", "Left");
	add_unit(&f, SIDE_JACOBITE, KIND_FOOT, "w", "PER", "Mcgregors (Perth's Regiment)", "Left");
	add_unit(&f, SIDE_JACOBITE, KIND_FOOT, "x", "GLE", "Mcgregors (Glengyle's)", "Left");
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		check_one(&f, &list[i]);
	talloc_free(f.mem);
}

/* A mistake loses nothing that stands beside it, and is told once. */
static void test_beside_mistakes(void **state)
{
	static const struct reading list[] = {
		{"R: fire at c or N: hold", "R: fire c\nN: hold\n", 0, 0},
		{"R: charge c or N hold", "R: charge c\nN: hold\n", 0, 0},
		{"r: advance 4 n: hold", "R: move 4 forward\nN: hold\n", 0, 0},
		{"R: melee Camerns first then Stuarts; hold", "R: hold\n", 1, 0},
		{"R: melee Camerns 2 then Stuarts 3; hold", "R: hold\n", 1, 0},
		{"Charge with R", "", 1, 0},
		{"priority", "", 1, 0},
		/* what is not understood is not done in half */
		{"R: fire not; advance 2", "R: move 2 forward\n", 1, 0},
		{"R: advance +4", "R: move 4 forward\n", 0, 0},
		{"R: advance 4. Fier at Camerons.", "R: move 4 forward\n", 1, 0},
		{"R: advance 4. Thanks for your time.", "R: move 4 forward\n", 0, 1},
	};

	(void)state;
	CHECK(list);
}

/* Of a list of units those that are known get the order, and of each of the others it is asked. */
static void test_lists_with_unknown(void **state)
{
	static const struct reading list[] = {
		{"R, N, Zorks: advance 4", "R, N: move 4 forward\n", 1, 0},
		{"R, N and Hamiltn: advance 4", "R, N: move 4 forward\n", 1, 0},
		{"Zorks, R: advance 4", "R: move 4 forward\n", 1, 0},
		{"R and Zorks advance 4", "R: move 4 forward\n", 1, 0},
		{"standing R, Zorks: fire", "standing R: fire nearest\n", 1, 0},
		{"Zorks and Borks advance 4", "", 1, 0},
		{"I: hold", "", 1, 0},
		{"No, wait, Barrell's: advance 4", "R: move 4 forward\n", 0, 0},
		{"First, R: advance 4", "R: move 4 forward\n", 0, 0},
		{"R: R: advance 4", "R: move 4 forward\n", 0, 0},
		{"R: N: A: hold", "A: hold\n", 2, 0},
		{"R: if Camerns within 8 then hold; fire at c", "R: fire c\n", 1, 0},
	};
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	static const char text[] = "R, N and Hamiltn: if Camerns gone then hold";
	struct sheet *s = orders_read(f.mem, text, strlen(text), &ctx);

	(void)state;
	CHECK(list);
	assert_int_equal(s->problem_count, 2);
	assert_int_equal(s->problems[0].column, 10);
	assert_string_equal(s->problems[0].suggestion, "R, N and Hamilton's: if Camerons gone then hold");
	assert_int_equal(s->problems[1].column, 22);
	talloc_free(f.mem);
}

/* Heads: a subject alone heads the verb lines below it, or is set aside, and nothing else is said of it. */
static void test_heads(void **state)
{
	static const struct reading list[] = {
		{"left wing except A who fire at c\nhold", "A: fire c\nleft wing except A: hold\n", 0, 0},
		{"standing Barrell's\nfire nearest", "standing R: fire nearest\n", 0, 0},
		{"standing Barrell's:\nfire nearest", "standing R: fire nearest\n", 0, 0},
		{"R: fire at c\nN", "R: fire c\n", 0, 1},
		{"R: fire at c\nStuarts", "R: fire c\n", 1, 0},
		{"R: fire at Camerons\n  then Stuarts", "R: fire j, h\n", 0, 0},
		{"R: advance 4\nhold on a moment please", "R: move 4 forward\n", 0, 1},
		/* who is excepted is read like anybody else */
		{"all except R who halt: hold", "R: halt; hold\nall except R: hold\n", 0, 0},
	};

	(void)state;
	CHECK(list);
}

/* One message for a list that is too long. */
static void test_long_list(void **state)
{
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	char *text = talloc_strdup(f.mem, "R: fire at c");
	struct sheet *s;

	(void)state;
	for (int i = 0; i < 100; i++)
		text = talloc_strdup_append(text, ", j");
	s = orders_read(f.mem, text, strlen(text), &ctx);
	assert_int_equal(s->problem_count, 1);
	talloc_free(f.mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_end_of_text),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_distance_to_place),
		cmocka_unit_test(test_open_lists),
		cmocka_unit_test(test_wrapped),
		cmocka_unit_test(test_odd_names),
		cmocka_unit_test(test_beside_mistakes),
		cmocka_unit_test(test_lists_with_unknown),
		cmocka_unit_test(test_heads),
		cmocka_unit_test(test_long_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
