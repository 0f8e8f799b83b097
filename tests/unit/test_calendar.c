#include "base/clock.h"
#include "service/calendar.h"
#include "service/when.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char *next_text(TALLOC_CTX *mem, const char *zone, const char *skips, const char *after)
{
	int64_t t;

	assert_true(clock_parse(after, "UTC", &t));
	return clock_iso(mem, calendar_next("Fri 16:00", zone, skips, t));
}

static void test_weeks(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);

	(void)state;
	/* Friday 15 January 2027 in London is GMT; a moment that is the slot itself is not after itself. */
	assert_string_equal(next_text(mem, "Europe/London", "", "2027-01-11T09:00:00Z"), "2027-01-15T16:00:00Z");
	assert_string_equal(next_text(mem, "Europe/London", "", "2027-01-15T16:00:00Z"), "2027-01-22T16:00:00Z");
	/* Over the change of 28 March 2027 the hour on the wall stays. */
	assert_string_equal(next_text(mem, "Europe/London", "", "2027-03-26T16:00:00Z"), "2027-04-02T15:00:00Z");
	talloc_free(mem);
}

static void test_skips(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);

	(void)state;
	/* Half term: the 19th is the last day of the range and is skipped too. */
	assert_string_equal(next_text(mem, "Europe/London", "2027-02-15..2027-02-19", "2027-02-13T00:00:00Z"),
		"2027-02-26T16:00:00Z");
	assert_string_equal(
		next_text(mem, "Europe/London", "2027-02-15..2027-02-19, 2027-02-26", "2027-02-13T00:00:00Z"),
		"2027-03-05T16:00:00Z");
	assert_string_equal(
		next_text(mem, "Europe/London", "2027-02-18", "2027-02-13T00:00:00Z"), "2027-02-19T16:00:00Z");
	talloc_free(mem);
}

static void test_reminders(void **state)
{
	int hours[REMINDERS_MAX];

	(void)state;
	assert_int_equal(calendar_reminders("3, 24", hours), 2);
	assert_int_equal(hours[0], 24);
	assert_int_equal(hours[1], 3);
	assert_int_equal(calendar_reminders("", hours), 0);
}

static void test_what_is_wrong(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);

	(void)state;
	assert_null(calendar_check(mem, "Fri 16:00", "Europe/London", "", "24 3"));
	assert_non_null(strstr(calendar_check(mem, "Fri 16:00", "Europe/Lundon", "", "")->what, "Europe/Lundon"));
	assert_non_null(strstr(calendar_check(mem, "Friday at 4", "Europe/London", "", "")->what, "Friday at 4"));
	assert_non_null(calendar_check(mem, "Fri 16:00", "Europe/London", "2027-02-19..2027-02-15", ""));
	assert_null(calendar_check(mem, "Fri 16:00", "Europe/London", "2028-02-29..2028-03-01, 2028-05-01", ""));
	assert_non_null(calendar_check(mem, "Fri 16:00", "Europe/London", "2027-02-30..2027-03-01", ""));
	assert_non_null(calendar_check(mem, "Fri 16:00", "Europe/London", "2027-01-01..2999-01-01", ""));
	assert_non_null(calendar_check(mem, "Fri 16:00", "Europe/London", "half term", ""));
	assert_non_null(calendar_check(mem, "Fri 16:00", "Europe/London", "", "soon"));
	talloc_free(mem);
}

static const char *day(TALLOC_CTX *mem, const char *text)
{
	int64_t now, found;

	assert_true(clock_parse("2027-01-11 09:00", "Europe/London", &now));
	return calendar_day(text, "Europe/London", now, &found) ? clock_iso(mem, found) : "no day";
}

static void test_days(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	static const char *const first_of_february[] = {"2027-02-01", "1 February", "1 Feb", "Feb 1", "1st Feb 2027",
		"Mon 1 February, 2027", "1/2", "1.2.", "01.02.2027", "the 1st of February"};
	static const char *const none[] = {"soon", "", "30 February", "32 January", "1", "Feb", "1 2 3 4", "12345-1-1",
		"0 May", "1/13", "99999999999999999999 May"};

	(void)state;
	for (size_t i = 0; i < sizeof first_of_february / sizeof *first_of_february; i++)
		assert_string_equal(day(mem, first_of_february[i]), "2027-02-01T00:00:00Z");
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		assert_string_equal(day(mem, none[i]), "no day");
	/* Today is still to come; yesterday is next year's; in summer London is an hour ahead. */
	assert_string_equal(day(mem, "11 January"), "2027-01-11T00:00:00Z");
	assert_string_equal(day(mem, "10 January"), "2028-01-10T00:00:00Z");
	assert_string_equal(day(mem, "1 July"), "2027-06-30T23:00:00Z");
	talloc_free(mem);
}

/* On Monday 11 January 2027, 09:00; turns usually end at 16:00. */
static void test_when(void **state)
{
	static const struct {
		const char *text, *when; /* NULL: cannot be read */
	} cases[] = {
		{"2027-01-20 17:30", "Wed 20 Jan 2027, 17:30"},
		{"2027-01-20", "Wed 20 Jan 2027, 16:00"},
		{"tomorrow 4pm", "Tue 12 Jan 2027, 16:00"},
		{"tomorrow", "Tue 12 Jan 2027, 16:00"},
		{"today at 16.30", "Mon 11 Jan 2027, 16:30"},
		{"the day after tomorrow, noon", "Wed 13 Jan 2027, 12:00"},
		{"Friday 4pm", "Fri 15 Jan 2027, 16:00"},
		{"to fri 4.30 p.m.", "Fri 15 Jan 2027, 16:30"},
		{"Monday 10:00", "Mon 11 Jan 2027, 10:00"},
		{"Monday 08:00", "Mon 18 Jan 2027, 08:00"},
		{"next Monday 10:00", "Mon 18 Jan 2027, 10:00"},
		{"16:00", "Mon 11 Jan 2027, 16:00"},
		{"8am", "Tue 12 Jan 2027, 08:00"},
		{"12 am", "Tue 12 Jan 2027, 00:00"},
		{"Friday 4pm next week", "Fri 22 Jan 2027, 16:00"},
		{"next week on Monday at 10:00", "Mon 18 Jan 2027, 10:00"},
		{"Sunday next week", "Sun 24 Jan 2027, 16:00"},
		{"Friday week", NULL},
		{"next week", NULL},
		{"in 2 days", "Wed 13 Jan 2027, 16:00"},
		{"in a week at 9h30", "Mon 18 Jan 2027, 09:30"},
		{"in 3 hours", "Mon 11 Jan 2027, 12:00"},
		{"20 January at 4 pm", "Wed 20 Jan 2027, 16:00"},
		{"Wed 20.1.2027 16.30", "Wed 20 Jan 2027, 16:30"},
		{"Thursday, 1 April 2027 16:00", "Thu 1 Apr 2027, 16:00"}, /* summer time */
		{"Friday 20 January 16:00", NULL},                         /* it is a Wednesday */
		{"friday 25:00", NULL},
		{"tomorrow 4", NULL},
		{"13pm", NULL},
		{"yesterday", NULL},
		{"whenever", NULL},
		{"", NULL},
		{"in 9999 days", NULL},
		{"a b c d e f g h i j k l m n o p", NULL},
		{"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", NULL},
	};
	TALLOC_CTX *mem = talloc_new(NULL);

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int64_t when = 0;
		const char *wrong = when_read(mem, cases[i].text, "Europe/London", 1799658000, 1800028800, &when);

		if ((wrong == NULL) != (cases[i].when != NULL) ||
			(wrong == NULL && strcmp(clock_text(mem, when, "Europe/London"), cases[i].when) != 0))
			fail_msg("'%s' is read as %s", cases[i].text,
				wrong != NULL ? wrong : clock_text(mem, when, "Europe/London"));
	}
	talloc_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_when),
		cmocka_unit_test(test_weeks),
		cmocka_unit_test(test_days),
		cmocka_unit_test(test_skips),
		cmocka_unit_test(test_reminders),
		cmocka_unit_test(test_what_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
