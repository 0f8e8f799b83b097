/* service/unread: which lines of earlier mails still wait to be mended, and what finding that out may cost. */
#include "report_fixture.h"

#include "base/buf.h"
#include "service/unread.h"

/* How many lines of the mail `before` the mail `now` leaves open. */
static int still_open(TALLOC_CTX *mem, const char *before, const char *now)
{
	struct scenario *sc = falkirk(mem);
	const struct orders_context context = {.state = sc->state, .table = &sc->table, .side = SIDE_GOVERNMENT};
	struct sheet_row row = {.unread = 1, .typed = before, .canonical = ""};
	const struct sheet_rows rows = {&row, 1};

	return unread_before(mem, &rows, orders_read(mem, now, strlen(now), &context), now, &context)->problem_count;
}

static void test_mended(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);

	(void)state;
	assert_int_equal(still_open(mem, "Barrell's: advanse 4\n", "D: hold\n"), 1);
	assert_int_equal(still_open(mem, "Barrell's: advanse 4\n", "R: hold\n"), 0);
	assert_int_equal(still_open(mem, "Zorks: advance 4\n", "D: hold\n"), 1);
	/* Three of its four words again. */
	assert_int_equal(still_open(mem, "Zorks: advance 4 inches\n", "D: hold\n\nRoyals: advance 4 inches\n"), 0);
	talloc_free(mem);
}

/* Lines as long as a mail may be are compared by their beginnings: it took 800 MB, and ten seconds. */
static void test_long_lines(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct buf *before = buf_new(mem), *now = buf_new(mem);

	(void)state;
	for (int i = 0; i < 8; i++) {
		buf_printf(before, "zorks%d: advance", i);
		buf_adds(now, "D: move 4 north #");
		for (int k = 0; k < 800; k++) {
			buf_printf(before, " fordward%d", k % 7);
			buf_printf(now, " fxrxwaxd%d", k % 7);
		}
		buf_adds(before, "\n");
		buf_adds(now, "\n");
	}
	assert_in_range(still_open(mem, before->data, now->data), 8, 20);
	assert_in_range(talloc_total_size(mem), 1, 4 * 1024 * 1024);
	talloc_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mended),
		cmocka_unit_test(test_long_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
