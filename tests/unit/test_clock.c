/* base/clock: zones, the nights when the clocks change, weekly slots. */
#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define LONDON "Europe/London"
#define NEW_YORK "America/New_York"

static int64_t utc_of(const char *text, const char *zone)
{
	int64_t when = -1;

	assert_true(clock_parse(text, zone, &when));
	return when;
}

static void test_zones(void **state)
{
	static const char *const bad[] = {"", "Europe/Londn", "/etc/localtime", "../../../etc/passwd", "Europe",
		"Europe/London\n", "tzdata.zi", "right/Europe/London", "GMT0BST", "Europe/../UTC"};

	(void)state;
	assert_true(clock_zone_known(LONDON));
	assert_true(clock_zone_known(NEW_YORK));
	assert_true(clock_zone_known("UTC"));
	assert_true(clock_zone_known("Etc/GMT+5"));
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_false(clock_zone_known(bad[i]));
}

static void test_civil(void **state)
{
	struct civil c = clock_civil(1800028800, LONDON);

	(void)state;
	assert_int_equal(c.year, 2027);
	assert_int_equal(c.month, 1);
	assert_int_equal(c.day, 15);
	assert_int_equal(c.hour, 16);
	assert_int_equal(c.weekday, 5);
	assert_int_equal(clock_civil(1800028800, NEW_YORK).hour, 11);
	assert_int_equal(clock_civil(1800028800, "Asia/Kolkata").minute, 30);
	assert_int_equal(clock_civil(1800028800, LONDON).hour, 16); /* the zone before does not stick */
	assert_int_equal(clock_utc(&c, LONDON), 1800028800);
	assert_int_equal(clock_utc(&c, NEW_YORK), 1800028800 + 5 * 3600);
}

static void test_days(void **state)
{
	(void)state;
	/* Friday to Sunday over the night in which London puts its clocks on: 16:00 stays 16:00. */
	assert_int_equal(
		clock_add_days(utc_of("2027-03-26T16:00", LONDON), 2, LONDON), utc_of("2027-03-28T16:00", LONDON));
	assert_int_equal(utc_of("2027-03-28T16:00", LONDON) - utc_of("2027-03-26T16:00", LONDON), 47 * 3600);
}

/* London 2027: on at 28 March 01:00 UTC (01:00 -> 02:00), off at 31 October 01:00 UTC (02:00 -> 01:00).
 * New York 2027: on at 14 March 07:00 UTC, off at 7 November 06:00 UTC. */
static void test_gaps_and_overlaps(void **state)
{
	(void)state;
	assert_int_equal(utc_of("2027-03-28T00:59", LONDON), 1806195600 - 60);
	assert_int_equal(utc_of("2027-03-28T01:00", LONDON), 1806195600);
	assert_int_equal(utc_of("2027-03-28T01:30", LONDON), 1806195600);
	assert_int_equal(utc_of("2027-03-28T02:00", LONDON), 1806195600);
	assert_int_equal(utc_of("2027-03-28T02:01", LONDON), 1806195660);
	assert_int_equal(utc_of("2027-10-31T01:30", LONDON), 1824942600); /* the first of two: 00:30 UTC */
	assert_int_equal(utc_of("2027-10-31T02:00", LONDON), 1824946200 + 1800);
	assert_int_equal(utc_of("2027-03-14 02:30", NEW_YORK), 1805007600);
	assert_int_equal(utc_of("2027-11-07 01:30", NEW_YORK), 1825565400); /* 05:30 UTC */
	assert_int_equal(utc_of("2011-12-30 12:00", "Pacific/Apia"), utc_of("2011-12-31 00:00", "Pacific/Apia"));
}

static int64_t slot(const char *text, const char *zone, int64_t after)
{
	int64_t when = -1;

	assert_true(clock_next_slot(text, zone, after, &when));
	return when;
}

static void test_slots(void **state)
{
	static const char *const bad[] = {"", "Fri", "Fri16:00", "Fri 24:00", "Fri 16:60", "Fri 1:00", "Xyz 16:00",
		"Fri 16:00 ", "Frid 16:00", "16:00"};
	int64_t out;

	(void)state;
	/* One Friday to the next over both changes of the clock: 7 days less, then plus, an hour. */
	assert_int_equal(slot("Fri 16:00", LONDON, 1806076800), 1806678000);
	assert_int_equal(slot("Fri 16:00", LONDON, 1806076799), 1806076800);
	/* Friday 26 March 2027 16:00, then Monday after the change of the clocks, then Wednesday. */
	assert_int_equal(slot("Mon,Wed, Fri 16:00", LONDON, 1806076799), 1806076800);
	assert_int_equal(slot("Mon,Wed, Fri 16:00", LONDON, 1806076800), 1806076800 + 3 * 86400 - 3600);
	assert_int_equal(slot("Wed Mon 16:00", LONDON, 1806076800 + 3 * 86400 - 3600), 1806076800 + 5 * 86400 - 3600);
	assert_int_equal(slot("friday 16:00", LONDON, 1824822000), 1825430400);
	assert_int_equal(slot("Fri 16:00", NEW_YORK, 1804885200), 1805486400);
	assert_int_equal(slot("Fri 16:00", NEW_YORK, 1825444800), 1826053200);
	assert_int_equal(slot("Sun 01:30", LONDON, 1806076800), 1806195600); /* skipped that night */
	assert_int_equal(slot("Thu 16:00", LONDON, 1800028800), 1800028800 + 6 * 86400);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_false(clock_next_slot(bad[i], LONDON, 0, &out));
}

static void test_text(void **state)
{
	static const char *const bad[] = {"", "2027-02-29 10:00", "2027-13-01 10:00", "2027-01-15", "2027-01-15 16:00x",
		"@", "@12x", "@9999999999999", "27-01-15 16:00", "2027-01-15 16:61"};
	TALLOC_CTX *mem = talloc_new(NULL);
	int64_t out;

	(void)state;
	assert_string_equal(clock_text(mem, 1800028800, LONDON), "Fri 15 Jan 2027, 16:00");
	assert_string_equal(clock_text(mem, 1806195600, LONDON), "Sun 28 Mar 2027, 02:00");
	assert_string_equal(clock_rfc5322(mem, 1800028800), "Fri, 15 Jan 2027 16:00:00 +0000");
	assert_string_equal(clock_iso(mem, 1800028800), "2027-01-15T16:00:00Z");
	assert_int_equal(utc_of("2027-01-15T16:00:00Z", LONDON), 1800028800);
	assert_int_equal(utc_of("@1800028800", LONDON), 1800028800);
	assert_int_equal(utc_of("2028-02-29 12:00", LONDON), 1835438400);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_false(clock_parse(bad[i], LONDON, &out));
	assert_int_equal(clock_now(&(struct clock){.fixed = 42}), 42);
	assert_true(llabs(clock_now(&(struct clock){.fixed = -1}) - time(NULL)) <= 1);
	talloc_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_zones),
		cmocka_unit_test(test_civil),
		cmocka_unit_test(test_days),
		cmocka_unit_test(test_gaps_and_overlaps),
		cmocka_unit_test(test_slots),
		cmocka_unit_test(test_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
