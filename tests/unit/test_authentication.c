/* mail/authentication: which servers' findings are believed, and what they come to (RFC 8601). */
#include "mail/authentication.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_findings(void **state)
{
	static const struct {
		const char *results, *why; /* NULL: no failure */
	} rows[] = {
		{"", NULL},
		{"mx.test; none\n", NULL},
		{"mx.test; spf=pass smtp.mailfrom=a.test; dkim=pass header.d=a.test; dmarc=pass\n", NULL},
		{"mx.test; spf=fail smtp.mailfrom=a.test; dmarc=fail (p=none) header.from=a.test\n", "dmarc=fail"},
		{"MX.TEST 1; dmarc=FAIL\n", "dmarc=fail"},
		{"mx.test; spf=fail; dkim=pass\n", NULL}, /* forwarded */
		{"mx.test; spf=fail; dkim=pass; dmarc=fail\n", "dmarc=fail"},
		{"mx.test; dkim=fail; dmarc=pass\n", NULL},
		{"mx.test; dkim=fail; spf=pass\n", "dkim=fail"},
		{"mx.test; dkim=fail; dkim=pass\n", NULL}, /* a list's and the sender's */
		{"mx.test; spf=softfail\n", NULL},
		{"mx.test; spf=fail\n", "spf=fail"},
		{"mx.test; x-spf=fail; spf=failure\n", NULL},
		{"elsewhere.test; dmarc=fail\n", NULL},
		{"mx.test.evil.test; dmarc=fail\n", NULL},
		{"elsewhere.test; dmarc=pass\nmx.test; dmarc=fail\n", "dmarc=fail"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *why = authentication_failure(NULL, rows[i].results, "mx.test");

		if (rows[i].why == NULL)
			assert_null(why);
		else
			assert_string_equal(why, rows[i].why);
		talloc_free((void *)(uintptr_t)why);
	}
	assert_null(authentication_failure(NULL, "; dmarc=fail\nmx.test; dmarc=fail\n", ""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_findings)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
