/* base/csv: tables as the spreadsheets of this world save them. */
#include "base/buf.h"
#include "base/csv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* The rows as "LINE:field|field|...;", or the error. */
static char *rows(TALLOC_CTX *mem, const char *text)
{
	struct buf *out = buf_new(mem);
	struct csv csv;
	struct csv_row row;

	csv_begin(&csv, "t.csv", text);
	for (;;) {
		struct err *e = csv_next(mem, &csv, &row);

		if (e != NULL) {
			assert_int_equal(e->scope, ERR_GAME);
			return talloc_asprintf(mem, "%s %s", e->where, e->what);
		}
		if (row.count == 0)
			return out->data;
		buf_printf(out, "%d:", row.line);
		for (int i = 0; i < row.count; i++)
			buf_printf(out, "%s%s", i > 0 ? "|" : "", row.fields[i]);
		buf_addc(out, ';');
		assert_string_equal(row.fields[row.count], "");
	}
}

static void test_rows(void **state)
{
	static const struct {
		const char *text, *rows;
	} cases[] = {
		{"", ""},
		{"\n\r\n,,\n", ""},
		{"a,b\nc,d", "1:a|b;2:c|d;"},
		{"\xEF\xBB\xBFrole,name\r\nE,Ann\r\n", "1:role|name;2:E|Ann;"},
		{"a;b,c\r\nd;e\r\n", "1:a|b,c;2:d|e;"},
		{"a\tb c\t\nd\t\te\n", "1:a|b c|;2:d||e;"},
		{"a,b\rc,d\r", "1:a|b;2:c|d;"},
		{"a, \"b, c\" ,d\n", "1:a|b, c|d;"},
		{"a,\"b \"\"c\"\"\"\n", "1:a|b \"c\";"},
		{"\"a;b\",\"c\nd\"\n\ne,f\n", "1:a;b|c\nd;4:e|f;"},
		{"a;\"D, E\";x@y.example\n", "1:a|D, E|x@y.example;"},
		{" a b , c \n", "1:a b|c;"},
		{"a,\"\"\n", "1:a|;"},
		{"a\"b,c\n", "1:a\"b|c;"},
		{"a,b\nc,\"d\ne\n", "t.csv:2 a quote mark (\") has no second one to close it"},
		{"a,\"b\"c\n", "t.csv:1 a field goes on behind its closing quote mark (\")"},
		{"1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16\n", "t.csv:1 there are too many fields in this line"},
		{"a,b\n,,,,,,,,,,,,,,,,,\n", "t.csv:2 there are too many fields in this line"},
	};
	TALLOC_CTX *mem = talloc_new(NULL);

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(rows(mem, cases[i].text), cases[i].rows);
	talloc_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
