/* The C library has one zone at a time, the one that TZ names. It belongs to this module: all other code works in UTC
 * (gmtime_r, timegm), so TZ is left at the zone last asked for and need not be put back; asking for the same zone again
 * costs nothing, since tzset(3) reads a zone's file only when TZ has changed. One thread at a time. */
#include "base/clock.h"

#include "base/buf.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum { DAY = 86400, ZONE_NAME_MAX = 64 };

static const char *const weekdays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
static const char *const weekday_tails[] = {"day", "day", "sday", "nesday", "rsday", "day", "urday"};
static const char *const months[] = {
	"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

int64_t clock_now(const struct clock *c)
{
	return c->fixed >= 0 ? c->fixed : time(NULL);
}

/* --- zones ---------------------------------------------------------------------------------------------------------
 */

static bool zone_name_safe(const char *zone)
{
	size_t len = strlen(zone);

	/* The zones under right/ count leap seconds, which UTC seconds do not. */
	return len > 0 && len <= ZONE_NAME_MAX &&
	       strspn(zone, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
			    "0123456789_+-/") == len &&
	       *zone != '/' && strncmp(zone, "right/", 6) != 0;
}

bool clock_zone_known(const char *zone)
{
	const char *folder = getenv("TZDIR"); /* as the C library looks for it */
	char path[512], magic[4];
	bool known = false;
	FILE *f;

	if (!zone_name_safe(zone))
		return false;
	if (snprintf(path, sizeof path, "%s/%s", folder && *folder ? folder : "/usr/share/zoneinfo", zone) >=
		(int)sizeof path)
		return false;
	f = fopen(path, "re");
	if (f) {
		known = fread(magic, 1, sizeof magic, f) == sizeof magic && memcmp(magic, "TZif", sizeof magic) == 0;
		fclose(f);
	}
	return known;
}

static void use_zone(const char *zone)
{
	const char *now = getenv("TZ");
	char value[ZONE_NAME_MAX + 2];

	if (now && *now == ':' && strcmp(now + 1, zone) == 0)
		return;
	assert(clock_zone_known(zone));
	snprintf(value, sizeof value, ":%s", zone); /* the colon: a file's name, nothing else */
	setenv("TZ", value, 1);
	tzset();
}

static struct tm local(int64_t when, const char *zone)
{
	static pthread_mutex_t one_zone = PTHREAD_MUTEX_INITIALIZER;
	time_t t = when;
	struct tm tm = {0};

	pthread_mutex_lock(&one_zone);
	use_zone(zone);
	localtime_r(&t, &tm);
	pthread_mutex_unlock(&one_zone);
	return tm;
}

/* Seconds by which the zone is ahead of UTC at that moment. */
static int64_t offset(int64_t when, const char *zone)
{
	return local(when, zone).tm_gmtoff;
}

struct civil clock_civil(int64_t when, const char *zone)
{
	struct tm tm = local(when, zone);

	return (struct civil){
		tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec, tm.tm_wday};
}

/* The civil time as if it were UTC. Fields out of range are carried over. */
static int64_t as_utc(const struct civil *c)
{
	struct tm tm = {.tm_year = c->year - 1900,
		.tm_mon = c->month - 1,
		.tm_mday = c->day,
		.tm_hour = c->hour,
		.tm_min = c->minute,
		.tm_sec = c->second};

	return timegm(&tm);
}

/* mktime(3) leaves open which of two it takes and what it makes of a time that is skipped, so: the offset before and
 * the one after any change nearby give the only two moments that can show this civil time. */
int64_t clock_utc(const struct civil *c, const char *zone)
{
	int64_t shown = as_utc(c), low = shown - 2 * DAY, high = shown + 2 * DAY;
	int64_t before = offset(low, zone), after = offset(high, zone);
	int64_t early = shown - (before > after ? before : after), late = shown - (before > after ? after : before);

	if (offset(early, zone) == shown - early)
		return early;
	if (offset(late, zone) == shown - late)
		return late;
	/* Skipped: the first moment with the new offset is the first civil time after the gap. */
	while (high - low > 1) {
		int64_t middle = low + (high - low) / 2;

		if (offset(middle, zone) == before)
			low = middle;
		else
			high = middle;
	}
	return high;
}

int64_t clock_add_days(int64_t when, int days, const char *zone)
{
	struct civil c = clock_civil(when, zone);

	c.day += days;
	return clock_utc(&c, zone);
}

/* --- text ----------------------------------------------------------------------------------------------------------
 */

char *clock_text(TALLOC_CTX *mem, int64_t when, const char *zone)
{
	struct civil c = clock_civil(when, zone);

	return buf_text(mem, "%s %d %s %d, %02d:%02d", weekdays[c.weekday], c.day, months[c.month - 1], c.year, c.hour,
		c.minute);
}

static struct tm utc(int64_t when)
{
	time_t t = when;
	struct tm tm = {0};

	gmtime_r(&t, &tm);
	return tm;
}

char *clock_rfc5322(TALLOC_CTX *mem, int64_t when)
{
	struct tm tm = utc(when);

	return buf_text(mem, "%s, %02d %s %d %02d:%02d:%02d +0000", weekdays[tm.tm_wday], tm.tm_mday, months[tm.tm_mon],
		tm.tm_year + 1900, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

char *clock_iso(TALLOC_CTX *mem, int64_t when)
{
	struct tm tm = utc(when);

	return talloc_asprintf(mem, "%04d-%02d-%02dT%02d:%02d:%02dZ", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday,
		tm.tm_hour, tm.tm_min, tm.tm_sec);
}

/* Exactly `digits` digits at *at, which moves behind them. */
static bool number(const char **at, int digits, int *out)
{
	*out = 0;
	for (int i = 0; i < digits; i++, (*at)++) {
		if (**at < '0' || **at > '9')
			return false;
		*out = 10 * *out + (**at - '0');
	}
	return true;
}

static bool character(const char **at, const char *any_of)
{
	if (!**at || !strchr(any_of, **at))
		return false;
	(*at)++;
	return true;
}

/* "16:00" or "16:00:30". */
static bool time_of_day(const char **at, struct civil *c)
{
	c->second = 0;
	return number(at, 2, &c->hour) && character(at, ":") && number(at, 2, &c->minute) &&
	       (!character(at, ":") || number(at, 2, &c->second)) && c->hour < 24 && c->minute < 60 && c->second < 60;
}

static bool date(const char **at, struct civil *c)
{
	struct tm back;

	if (!number(at, 4, &c->year) || !character(at, "-") || !number(at, 2, &c->month) || !character(at, "-") ||
		!number(at, 2, &c->day))
		return false;
	back = utc(as_utc(c)); /* 31 February comes back as March */
	return back.tm_year + 1900 == c->year && back.tm_mon + 1 == c->month && back.tm_mday == c->day;
}

bool clock_parse(const char *text, const char *zone, int64_t *out)
{
	struct civil c = {0};

	if (*text == '@') {
		size_t digits = strspn(text + 1, "0123456789");

		if (digits == 0 || digits > 12 || text[1 + digits])
			return false;
		*out = strtoll(text + 1, NULL, 10);
		return true;
	}
	if (!date(&text, &c) || !character(&text, " T") || !time_of_day(&text, &c))
		return false;
	if (strcmp(text, "Z") == 0)
		*out = as_utc(&c);
	else if (!*text)
		*out = clock_utc(&c, zone);
	else
		return false;
	return true;
}

/* "Fri" or "Friday" in any case; -1 if it is neither. */
static int weekday(const char **at)
{
	for (int day = 0; day < 7; day++) {
		size_t tail = strlen(weekday_tails[day]);

		if (strncasecmp(*at, weekdays[day], 3) != 0)
			continue;
		*at += 3;
		if (strncasecmp(*at, weekday_tails[day], tail) == 0)
			*at += tail;
		return day;
	}
	return -1;
}

/* The next such weekday at that time of day after `after`. */
static int64_t next_weekday(int day, const struct civil *wanted, const char *zone, int64_t after)
{
	struct civil c = clock_civil(after, zone);
	int64_t when;

	c.hour = wanted->hour;
	c.minute = wanted->minute;
	c.second = wanted->second;
	c.day += (day - c.weekday + 7) % 7;
	when = clock_utc(&c, zone);
	if (when <= after) {
		c.day += 7;
		when = clock_utc(&c, zone);
	}
	return when;
}

bool clock_next_slot(const char *slot, const char *zone, int64_t after, int64_t *out)
{
	struct civil wanted = {0};
	bool days[7] = {false};
	bool found = false;

	do {
		int day = weekday(&slot);
		size_t between = strspn(slot, " ,");

		if (day < 0 || between == 0)
			return false;
		days[day] = true;
		slot += between;
	} while (*slot < '0' || *slot > '9');
	if (!time_of_day(&slot, &wanted) || *slot)
		return false;
	for (int day = 0; day < 7; day++) {
		int64_t when = days[day] ? next_weekday(day, &wanted, zone, after) : 0;

		if (days[day] && (!found || when < *out)) {
			*out = when;
			found = true;
		}
	}
	return true;
}
