/* base/text: what people type, made plain, compared, measured and wrapped. */
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void plain_is(const char *typed, const char *expected)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	size_t len;
	char *got = text_plain(mem, typed, strlen(typed), &len);

	assert_string_equal(got, expected);
	assert_int_equal(len, strlen(expected));
	talloc_free(mem);
}

static void test_plain(void **state)
{
	(void)state;
	plain_is("", "");
	plain_is("\xEF\xBB\xBF"
		 "A: hold",
		"A: hold");
	plain_is("a\r\nb\rc\nd\xC2\x85"
		 "e\xE2\x80\xA8"
		 "f\xE2\x80\xA9g\vh\fi",
		"a\nb\nc\nd\ne\nf\ng\nh\ni");
	plain_is("Barrell\xE2\x80\x99s \xE2\x80\x9C"
		 "6\xE2\x80\x9D",
		"Barrell's \"6\"");
	plain_is("4\xE2\x80\xB2 5\xE2\x80\xB3 `x\xC2\xB4", "4' 5\" 'x'");
	plain_is("a\xE2\x80\x94"
		 "b\xE2\x88\x92"
		 "c\xEF\xBC\x8D"
		 "d\xEF\xB9\x98",
		"a-b-c-d-");
	plain_is("a\xC2\xA0"
		 "b\xE3\x80\x80"
		 "c\xE2\x80\xAF"
		 "d\xE2\x81\x9F.",
		"a b c d .");
	plain_is("s\xC2\xADo\xE2\x80\x8B"
		 "ft\xEF\xB8\x8F",
		"soft");
	plain_is("\xEF\xBC\xA1\xEF\xBC\x9A \xEF\xBC\x96\xEF\xBC\x87", "A: 6'");
	plain_is("\xEF\xAC\x81re \xEF\xAC\x83 \xEF\xAC\x86", "fire ffi st");
	plain_is("\xE2\x80\xA2 one\n  \xC2\xB7 two\nthree \xE2\x80\xA2", "* one\n  * two\nthree \xE2\x80\xA2");
	plain_is("A \xE2\x86\x92 b\xE2\x80\xA6", "A -> b...");
	plain_is("a\x01"
		 "b\x7F\xC2\x80"
		 "c\td",
		"abc\td");
	plain_is("caf\xC3\xA9 \xE6\x9D\xB1", "caf\xC3\xA9 \xE6\x9D\xB1");
	plain_is("bad\xFF\xC3", "bad\xEF\xBF\xBD\xEF\xBF\xBD");
	plain_is("\xE2\x80\xAE"
		 "evil",
		"evil"); /* right-to-left override */
}

static void fold_is(const char *typed, const char *expected)
{
	TALLOC_CTX *mem = talloc_new(NULL);

	assert_string_equal(text_fold(mem, typed), expected);
	talloc_free(mem);
}

static void test_fold(void **state)
{
	(void)state;
	fold_is("St. Claire's", "st claires");
	fold_is("  BARRELL\xE2\x80\x99S  ", "barrells");
	fold_is("Macdonalds (Glengarry, 1st)", "macdonalds glengarry 1st");
	fold_is("\xC3\x89"
		"cosse stra\xC3\x9F"
		"e",
		"ecosse strasse");
	fold_is("e\xCC\x81", "e");
	fold_is("4\xC2\xBD", "4\xC2\xBD");
	fold_is("...", "");
}

static void test_distance(void **state)
{
	(void)state;
	assert_int_equal(text_distance("barrells", "barrells", 3), 0);
	assert_int_equal(text_distance("barrels", "barrells", 3), 1);
	assert_int_equal(text_distance("barlrells", "barrells", 3), 1); /* one letter too many */
	assert_int_equal(text_distance("abrrells", "barrells", 3), 1);  /* swapped */
	assert_int_equal(text_distance("mun", "mum", 2), 1);
	assert_int_equal(text_distance("", "abc", 3), 3);
	assert_int_equal(text_distance("kitten", "sitting", 5), 3);
	assert_int_equal(text_distance("kitten", "sitting", 2), 3); /* stops early: limit + 1 */
	assert_int_equal(text_distance("ca", "abc", 5), 3);         /* each letter moved once only */
	assert_int_equal(text_distance("a", "abcdefgh", 2), 3);
}

static void test_width(void **state)
{
	(void)state;
	assert_int_equal(text_width("abc", 3), 3);
	assert_int_equal(text_width("\xC3\xA9", 2), 1);
	assert_int_equal(text_width("e\xCC\x81", 3), 1);
	assert_int_equal(text_width("\xE6\x9D\xB1", 3), 2);
	assert_int_equal(text_width("\xFF\xFF", 2), 2);
}

static void wrap_is(const char *text, int columns, int indent, const char *expected)
{
	TALLOC_CTX *mem = talloc_new(NULL);

	assert_string_equal(text_wrap(mem, text, columns, indent), expected);
	talloc_free(mem);
}

/* One odd byte is found wherever it stands, in a short text and in one of several blocks. */
static void test_is_ascii(void **state)
{
	static const char odd[] = "\n\t\x1f\x7f\x80\xff";
	char text[50];

	(void)state;
	memset(text, 'a', sizeof text);
	text[0] = ' ';
	text[1] = '~';
	for (size_t len = 0; len <= sizeof text; len++) {
		assert_true(text_is_ascii(text, len));
		for (size_t at = 0; at < len; at++) {
			char was = text[at];

			text[at] = odd[at % (sizeof odd - 1)];
			assert_false(text_is_ascii(text, len));
			assert_int_equal(text_is_ascii_lines(text, len), text[at] == '\n');
			text[at] = was;
		}
	}
}

static void test_wrap(void **state)
{
	(void)state;
	wrap_is("", 10, 2, "");
	wrap_is("one two three four", 10, 2, "one two\n  three\n  four");
	wrap_is("one two three", 13, 2, "one two three");
	wrap_is("one two   three", 7, 0, "one two\nthree");
	wrap_is("a b\n\nc d\n", 20, 2, "a b\n\nc d\n");
	wrap_is("  kept lead and more", 10, 4, "  kept\n    lead\n    and\n    more");
	wrap_is("abcdefghijkl", 5, 1, "abcde\n fghi\n jkl");
	wrap_is("ends here   ", 9, 0, "ends here");
	wrap_is("\xE6\x9D\xB1\xE6\x9D\xB1\xE6\x9D\xB1", 4, 0, "\xE6\x9D\xB1\xE6\x9D\xB1\n\xE6\x9D\xB1");
}

static void test_escape_and_inches(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);

	(void)state;
	assert_string_equal(text_escape(mem, "a\nb\x1b[31m\xFF", 9), "a\\x0ab\\x1b[31m\\xff");
	assert_string_equal(text_escape(mem, "\xE2\x80\xAE", 3), "\\xe2\\x80\\xae");
	assert_string_equal(text_escape(mem, "caf\xC3\xA9", 5), "caf\xC3\xA9");
	assert_string_equal(text_sentence(mem, "the bell has rung"), "The bell has rung.");
	assert_string_equal(text_sentence(mem, "Has it rung?"), "Has it rung?");
	assert_string_equal(text_sentence(mem, ""), "");
	assert_string_equal(text_inches(mem, 4500), "4.5");
	assert_string_equal(text_inches(mem, 6000), "6");
	assert_string_equal(text_inches(mem, 0), "0");
	assert_string_equal(text_inches(mem, 5), "0.005");
	assert_string_equal(text_inches(mem, -1250), "-1.25");
	assert_string_equal(text_inches(mem, INT32_MIN), "-2147483.648");
	talloc_free(mem);
}

/* Hostile text of 64 KB (the largest order mail): runs of marks, blanks, letters and broken bytes. */
static void test_runs(void **state)
{
	static const char *const piece[] = {
		"e\xCC\x81\xCC\xA3", "\xCC\x81\xCC\xA3", " ", "x", "\xFF", "\xE2\x80\xA6", "\r"};
	TALLOC_CTX *mem = talloc_new(NULL);

	(void)state;
	for (size_t i = 0; i < sizeof piece / sizeof *piece; i++) {
		char *text = talloc_strdup(mem, "");

		while (talloc_get_size(text) < 65536)
			text = talloc_asprintf(mem, "%s%s%s", *text ? text : piece[i], *text ? text : piece[i], "");
		assert_string_equal(text_fold(mem, text_fold(mem, text)), text_fold(mem, text));
		for (const char *line = text_wrap(mem, text, 72, 2); line != NULL; line = strchr(line, '\n')) {
			line += *line == '\n';
			assert_in_range(text_width(line, strcspn(line, "\n")), 0, 72);
		}
		assert_true(strlen(text_escape(mem, text, strlen(text))) >= strlen(text));
	}
	talloc_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_fold),
		cmocka_unit_test(test_distance),
		cmocka_unit_test(test_width),
		cmocka_unit_test(test_is_ascii),
		cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_escape_and_inches),
		cmocka_unit_test(test_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
