#include "service/calendar.h"

#include "base/clock.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A day as one number that grows with time: 20270215. */
struct range {
	int first, last;
};

enum { YEAR = 10000 };

static bool read_day(const char **p, int *day)
{
	char text[] = "YYYY-MM-DD 00:00";
	const size_t len = strlen("YYYY-MM-DD");
	struct civil c;
	int64_t when;

	if (strnlen(*p, len) < len)
		return false;
	memcpy(text, *p, len);
	if (!clock_parse(text, "UTC", &when))
		return false;
	c = clock_civil(when, "UTC");
	*day = c.year * 10000 + c.month * 100 + c.day;
	*p += len;
	return true;
}

/* The next range of `*p`; false at the end or, with *wrong set, where something else stands. */
static bool next_range(const char **p, struct range *r, bool *wrong)
{
	*wrong = false;
	*p += strspn(*p, " ,");
	if (**p == '\0')
		return false;
	*wrong = true;
	if (!read_day(p, &r->first))
		return false;
	r->last = r->first;
	if (strncmp(*p, "..", 2) == 0) {
		*p += 2;
		if (!read_day(p, &r->last) || r->last < r->first || r->last - r->first > YEAR)
			return false;
	}
	if (**p != '\0' && **p != ' ' && **p != ',')
		return false;
	*wrong = false;
	return true;
}

static bool skipped(const char *skips, int day)
{
	struct range r;
	bool wrong;

	while (next_range(&skips, &r, &wrong)) {
		if (day >= r.first && day <= r.last)
			return true;
	}
	return false;
}

int calendar_reminders(const char *reminders, int hours[REMINDERS_MAX])
{
	int n = 0;

	for (const char *p = reminders; n < REMINDERS_MAX;) {
		char *end;
		long h;

		p += strspn(p, " ,");
		h = strtol(p, &end, 10);
		if (end == p || h < 1 || h > 24 * 14)
			break;
		hours[n++] = (int)h;
		p = end;
	}
	for (int i = 1; i < n; i++) {
		for (int k = i; k > 0 && hours[k] > hours[k - 1]; k--) {
			int swap = hours[k];

			hours[k] = hours[k - 1];
			hours[k - 1] = swap;
		}
	}
	return n;
}

struct err *calendar_check(
	TALLOC_CTX *mem, const char *slot, const char *zone, const char *skips, const char *reminders)
{
	const char *p = skips;
	struct range r;
	bool wrong;
	int64_t when;

	if (!clock_zone_known(zone))
		return err_new(
			mem, ERR_GAME, false, "", "there is no time zone '%s'; write it like Europe/London", zone);
	if (!clock_next_slot(slot, zone, 0, &when))
		return err_new(mem, ERR_GAME, false, "",
			"'%s' is no weekly time; write it like \"Fri 16:00\" or \"Mon,Wed,Fri 16:00\"", slot);
	while (next_range(&p, &r, &wrong))
		;
	if (wrong || strlen(skips) > SKIPS_TEXT_MAX)
		return err_new(mem, ERR_GAME, false, "",
			"'%s' are no days to skip; write them like 2027-02-15..2027-02-19, the last day included, "
			"at most a year in one",
			skips);
	if (strspn(reminders, "0123456789 ,") != strlen(reminders))
		return err_new(mem, ERR_GAME, false, "",
			"'%s' are no reminder times; write the hours before the deadline, like \"24 3\"", reminders);
	return NULL;
}

int64_t calendar_next(const char *slot, const char *zone, const char *skips, int64_t after)
{
	enum { TEN_YEARS = 522 * 7 * 86400 };
	int64_t when = after;

	while (when - after < TEN_YEARS) {
		struct civil c;

		if (!clock_next_slot(slot, zone, when, &when))
			break;
		c = clock_civil(when, zone);
		if (!skipped(skips, c.year * 10000 + c.month * 100 + c.day))
			break;
	}
	return when;
}

/* --- days as people write them ------------------------------------------------------------------------------------ */

/* 1 to 12 for a word that begins like an English month, else 0. */
static int month_of(const char *word)
{
	static const char months[] = "janfebmaraprmayjunjulaugsepoctnovdec";

	for (int i = 0; i < 12; i++)
		if (strncasecmp(word, months + (size_t)i * 3, 3) == 0)
			return i + 1;
	return 0;
}

/* Day, month and year (0 when there is none): the numbers of the text in their order, and its month if that is a word.
 * Other words (days of the week, "th", "of") say nothing. */
static bool day_parts(const char *text, struct civil *out)
{
	long number[3] = {0, 0, 0};
	int count = 0, month = 0;

	while (*text != '\0') {
		size_t digits = strspn(text, "0123456789"), letters = 0;

		while (isalpha((unsigned char)text[letters]))
			letters++;
		if (digits > 4 || (digits > 0 && count == 3))
			return false;
		if (digits > 0)
			number[count++] = strtol(text, NULL, 10);
		if (letters >= 3 && month == 0)
			month = month_of(text);
		text += digits + letters > 0 ? digits + letters : 1;
	}
	if (count == 3 && month == 0 && number[0] >= 1970)
		*out = (struct civil){(int)number[0], (int)number[1], (int)number[2], 0, 0, 0, 0};
	else if (month == 0 && count >= 2)
		*out = (struct civil){(int)number[2], (int)number[1], (int)number[0], 0, 0, 0, 0};
	else if (month > 0 && (count == 1 || count == 2))
		*out = (struct civil){(int)number[1], month, (int)number[0], 0, 0, 0, 0};
	else
		return false;
	return true;
}

bool calendar_day(const char *text, const char *zone, int64_t now, int64_t *out)
{
	struct civil today = clock_civil(now, zone), day, read;

	if (!day_parts(text, &day))
		return false;
	if (day.year == 0) {
		bool gone = day.month < today.month || (day.month == today.month && day.day < today.day);

		day.year = today.year + gone;
	}
	if (day.year < 1970 || day.year > 2200 || day.month < 1 || day.month > 12 || day.day < 1 || day.day > 31)
		return false;
	*out = clock_utc(&day, zone);
	/* No 30 February. */
	read = clock_civil(*out, zone);
	return read.day == day.day && read.month == day.month;
}

char *calendar_day_text(TALLOC_CTX *mem, int64_t when, const char *zone)
{
	char *text = clock_text(mem, when, zone);

	text[strcspn(text, ",")] = '\0';
	return text;
}

char *calendar_range_text(TALLOC_CTX *mem, int64_t first, int64_t last, const char *zone)
{
	struct civil a = clock_civil(first, zone), b = clock_civil(last, zone);

	return talloc_asprintf(mem, "%04d-%02d-%02d..%04d-%02d-%02d", a.year, a.month, a.day, b.year, b.month, b.day);
}
