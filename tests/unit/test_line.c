/* base/line: words, comments, and errors that say where. */
#include "base/line.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const struct line *only(TALLOC_CTX *mem, const char *text)
{
	struct line_reader *r = line_reader_new(mem, "f", text, strlen(text));
	const struct line *l;

	assert_null(line_next(mem, r, &l));
	assert_non_null(l);
	return l;
}

static void test_words(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	const struct line *l = only(mem, "unit  E\tA \"Caf\xC3\xA9 blue\" 6 # rest\r\nnext");

	(void)state;
	assert_int_equal(l->count, 5);
	assert_string_equal(l->words[3].text, "Caf\xC3\xA9 blue");
	assert_true(l->words[3].quoted);
	assert_int_equal(l->words[3].column, 11);
	assert_int_equal(l->words[4].column, 23); /* characters, not bytes */
	assert_string_equal(l->raw, "unit  E\tA \"Caf\xC3\xA9 blue\" 6 # rest");
	assert_false(l->indented);
	talloc_free(mem);
}

static void test_comments_and_ends(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	static const char text[] = "\xEF\xBB\xBF# whole\n\na#b #3 # gone\n  A: fire at \"x\n\"\"";
	struct line_reader *r = line_reader_new(mem, "f", text, sizeof text - 1);
	const struct line *l;

	(void)state;
	assert_null(line_next(mem, r, &l));
	assert_int_equal(l->count, 0);
	assert_null(line_next(mem, r, &l));
	assert_int_equal(l->count, 0);
	assert_int_equal(l->number, 2);
	assert_null(line_next(mem, r, &l));
	assert_int_equal(l->count, 2);
	assert_string_equal(l->words[0].text, "a#b");
	assert_string_equal(l->words[1].text, "#3");
	assert_null(line_next(mem, r, &l));
	assert_true(l->indented);
	assert_int_equal(l->count, 4);
	assert_string_equal(l->words[3].text, "\"x");
	assert_null(line_next(mem, r, &l));
	assert_int_equal(l->count, 1);
	assert_string_equal(l->words[0].text, "");
	assert_null(line_next(mem, r, &l));
	assert_null(l);
	talloc_free(mem);
}

static void fails(const char *text, size_t len, const char *expected)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct line_reader *r = line_reader_new(mem, "f", text, len);
	const struct line *l;
	struct err *e;

	do
		e = line_next(mem, r, &l);
	while (!e && l);
	assert_non_null(e);
	assert_string_equal(err_text(mem, e), expected);
	talloc_free(mem);
}

static void test_errors(void **state)
{
	char many[2 * LINE_WORDS_MAX + 3];

	(void)state;
	fails("a\nb \"c d\n", 9, "f:2:3: this quote mark (\") has no second one to close it");
	fails("a \"b\"c", 6, "f:1:3: there has to be a blank after the closing quote mark (\")");
	fails("\xC3\xA9 \xE9", 4, "f:1:3: this character is not UTF-8: save the file as UTF-8 text");
	fails("ab\0c", 4, "f:1:3: a control character (code 0) cannot stand here");
	memset(many, 'a', sizeof many);
	for (size_t i = 1; i < sizeof many; i += 2)
		many[i] = ' ';
	fails(many, sizeof many, "f:1:513: there are more than 256 words in this line");
}

static void test_numbers(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	const struct line *l = only(mem, "6 4.5 40,20.25 12\" -1 1.2345 99999999999999999999 x 1,2,3 .5 1.2000 - +3");
	int32_t x, y;
	long n;

	(void)state;
	assert_null(line_int(mem, l, 0, 1, 6, &n));
	assert_int_equal(n, 6);
	assert_null(line_inches(mem, l, 1, 0, 10000, &x));
	assert_int_equal(x, 4500);
	assert_null(line_point(mem, l, 2, &x, &y));
	assert_int_equal(x, 40000);
	assert_int_equal(y, 20250);
	assert_null(line_inches(mem, l, 3, 0, 12000, &x));
	assert_int_equal(x, 12000);
	assert_null(line_inches(mem, l, 9, 0, 12000, &x));
	assert_int_equal(x, 500);
	assert_null(line_inches(mem, l, 10, 0, 12000, &x));
	assert_int_equal(x, 1200);
	assert_string_equal(err_text(mem, line_int(mem, l, 4, 0, 6, &n)),
		"f:1:20: expected a whole number from 0 to 6, not \"-1\"");
	assert_string_equal(err_text(mem, line_inches(mem, l, 5, 0, 9000, &x)),
		"f:1:23: expected inches from 0 to 9 with at most three decimals (such as 4.5), not \"1.2345\"");
	assert_non_null(line_int(mem, l, 6, 0, 6, &n));
	assert_non_null(line_inches(mem, l, 6, 0, INT32_MAX, &x));
	assert_non_null(line_int(mem, l, 7, 0, 6, &n));
	assert_non_null(line_int(mem, l, 12, 0, 6, &n));
	assert_non_null(line_inches(mem, l, 11, -1000, 1000, &x));
	assert_string_equal(err_text(mem, line_point(mem, l, 8, &x, &y)),
		"f:1:53: expected a place as X,Y in inches, without a blank (such as 40,20.5), not \"1,2,3\"");
	assert_string_equal(err_text(mem, line_int(mem, l, 13, 0, 6, &n)),
		"f:1:73: expected a whole number from 0 to 6, not the end of the line");
	talloc_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_comments_and_ends),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
