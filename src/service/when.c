#include "service/when.h"

#include "base/clock.h"
#include "base/text.h"
#include "service/calendar.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { WORDS_MAX = 12, WORD_BYTES = 24, LATER_MAX = 366, NO_DAY = -1, HOUR = 3600, LATELY_DAYS = 60 };

/* The words, without those that only join them; and what they say of the time of day. */
struct phrase {
	char words[WORDS_MAX][WORD_BYTES];
	int count;
	int hour, minute; /* -1: no time of day */
	bool next;        /* "next Friday": not today */
};

static const char *const days[] = {"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"};

/* 0 for Sunday, from "sun", "tues", "Thursday"; or NO_DAY. */
static int weekday_of(const char *word)
{
	size_t len = strlen(word);

	for (int i = 0; i < 7 && len >= 3; i++)
		if (strncmp(days[i], word, len) == 0)
			return i;
	return NO_DAY;
}

static bool is_filler(const char *word)
{
	static const char *const fillers[] = {
		"on", "at", "by", "to", "till", "until", "is", "the", "next", "this", "coming", "of", "for", NULL};

	for (int i = 0; fillers[i] != NULL; i++)
		if (strcmp(word, fillers[i]) == 0)
			return true;
	return false;
}

/* --- the time of day ------------------------------------------------------------------------------------------------
 */

/* "16:00", "16.00", "16h", "16h30", "4pm", "4.30pm"; `sure` is false where it may be a date as well. */
static bool read_time(const char *word, int *hour, int *minute, bool *sure)
{
	char *end, mark;
	long h = strtol(word, &end, 10), m = 0;
	bool pm, am;

	if (!isdigit((unsigned char)word[0]) || h > 23)
		return false;
	mark = *end;
	if ((mark == ':' || mark == '.' || mark == 'h') && isdigit((unsigned char)end[1]) &&
		isdigit((unsigned char)end[2])) {
		m = 10 * (end[1] - '0') + end[2] - '0';
		end += 3;
	} else if (mark == 'h') {
		end++;
	} else {
		mark = '\0';
	}
	pm = strcmp(end, "pm") == 0;
	am = strcmp(end, "am") == 0;
	if (m > 59 || ((pm || am) && (h < 1 || h > 12)) || (!pm && !am && (*end != '\0' || mark == '\0')))
		return false;
	*hour = (int)(pm || am ? h % 12 + (pm ? 12 : 0) : h);
	*minute = (int)m;
	*sure = mark != '.' || pm || am;
	return true;
}

/* Takes the time of day out of the words: first one that can be nothing else. */
static void take_time(struct phrase *p)
{
	int found = -1;
	bool sure = false;

	for (int i = 0; i < p->count && !sure; i++) {
		int hour, minute;
		bool clear = true;

		if (strcmp(p->words[i], "noon") == 0 || strcmp(p->words[i], "midday") == 0)
			hour = 12, minute = 0;
		else if (!read_time(p->words[i], &hour, &minute, &clear))
			continue;
		if (found >= 0 && !clear)
			continue;
		found = i;
		sure = clear;
		p->hour = hour;
		p->minute = minute;
	}
	if (found < 0)
		return;
	p->count--;
	memmove(p->words[found], p->words[found + 1], sizeof p->words[0] * (size_t)(p->count - found));
}

/* Into lower-case words; "4 pm", "4 p.m." become one. False when there is too much of it. */
static bool split(const char *text, struct phrase *p)
{
	*p = (struct phrase){.hour = -1};
	for (const char *at = text; *at != '\0';) {
		size_t len;
		char *word;

		at += strspn(at, " \t,;!");
		len = strcspn(at, " \t,;!");
		while (len > 0 && at[len - 1] == '.' && strncasecmp(at, "p.m.", 4) != 0 &&
			strncasecmp(at, "a.m.", 4) != 0)
			len--; /* the end of a sentence */
		if (len == 0 && *at == '\0')
			break;
		if (len >= WORD_BYTES || p->count == WORDS_MAX)
			return false;
		word = p->words[p->count];
		for (size_t i = 0; i < len; i++)
			word[i] = (char)tolower((unsigned char)at[i]);
		word[len] = '\0';
		at += len + strspn(at + len, ".");
		if (strcmp(word, "p.m.") == 0 || strcmp(word, "a.m.") == 0)
			strcpy(word, word[0] == 'p' ? "pm" : "am");
		if (p->count > 0 && (strcmp(word, "pm") == 0 || strcmp(word, "am") == 0) &&
			strlen(p->words[p->count - 1]) + 2 < WORD_BYTES)
			memcpy(p->words[p->count - 1] + strlen(p->words[p->count - 1]), word, strlen(word) + 1);
		else if (len > 0 && !is_filler(word))
			p->count++;
		else
			p->next = p->next || strcmp(word, "next") == 0;
	}
	return true;
}

/* --- the day --------------------------------------------------------------------------------------------------------
 */

/* "2 days", "in a week", "in 3 hours": how many, of which unit; false if it is not that. */
static bool read_later(const struct phrase *p, int *count, char *unit)
{
	int at = p->count > 0 && strcmp(p->words[0], "in") == 0;
	const char *number = p->words[at], *word = p->words[at + 1];
	char *end;

	if (p->count != at + 2)
		return false;
	*count = (int)strtol(number, &end, 10);
	if (strcmp(number, "a") == 0 || strcmp(number, "an") == 0 || strcmp(number, "one") == 0)
		*count = 1;
	else if (end == number || *end != '\0' || *count < 1 || *count > LATER_MAX)
		return false;
	*unit = word[0];
	return strncmp(word, "day", 3) == 0 || strncmp(word, "week", 4) == 0 || strncmp(word, "hour", 4) == 0;
}

static char *rest_of(TALLOC_CTX *mem, const struct phrase *p, int from)
{
	char *out = talloc_strdup(mem, "");

	for (int i = from; i < p->count; i++)
		out = talloc_asprintf_append(out, "%s%s", i > from ? " " : "", p->words[i]);
	return out;
}

/* That day, `days_on` later, at the time of day that is said or usual. */
static int64_t on_day(const struct phrase *p, int64_t day, int days_on, const char *zone, int64_t usual)
{
	struct civil c = clock_civil(clock_add_days(day, days_on, zone), zone), often = clock_civil(usual, zone);

	c.hour = p->hour >= 0 ? p->hour : often.hour;
	c.minute = p->hour >= 0 ? p->minute : often.minute;
	c.second = 0;
	return clock_utc(&c, zone);
}

/* The next day of which `weekday` is true (NO_DAY: any), at that time of day, after now. */
static int64_t next_day(const struct phrase *p, int weekday, const char *zone, int64_t now, int64_t usual)
{
	int64_t when = 0;

	for (int i = p->next; i <= 7 + p->next; i++) {
		when = on_day(p, now, i, zone, usual);
		if (when > now && (weekday == NO_DAY || clock_civil(when, zone).weekday == weekday))
			break;
	}
	return when;
}

/* "Friday next week", "next week on Friday": that day of the week that begins with the next Monday. */
static bool read_next_week(const struct phrase *p, int *days_on, const char *zone, int64_t now)
{
	int day = NO_DAY, today = (clock_civil(now, zone).weekday + 6) % 7; /* from Monday */

	for (int i = 0; i < 2 && p->next && p->count == 2; i++)
		if (strcmp(p->words[1 - i], "week") == 0)
			day = weekday_of(p->words[i]);
	if (day == NO_DAY)
		return false;
	*days_on = 7 - today + (day + 6) % 7;
	return true;
}

static const char *named_date(TALLOC_CTX *mem, const struct phrase *p, int weekday, const char *zone, int64_t now,
	int64_t usual, int64_t *out)
{
	int64_t day;

	if (!calendar_day(rest_of(mem, p, weekday != NO_DAY), zone, now, &day))
		return "that is no date and time.";
	if (weekday != NO_DAY && clock_civil(day, zone).weekday != weekday)
		return talloc_asprintf(mem, "that day is %s.", calendar_day_text(mem, day, zone));
	*out = on_day(p, day, 0, zone, usual);
	return NULL;
}

const char *when_read(TALLOC_CTX *mem, const char *text, const char *zone, int64_t now, int64_t usual, int64_t *out)
{
	struct phrase p;
	int weekday, count;
	const char *all;
	char unit;

	if (clock_parse(text, zone, out))
		return NULL;
	if (!split(text, &p))
		return "that is no date and time.";
	take_time(&p);
	weekday = p.count > 0 ? weekday_of(p.words[0]) : NO_DAY;
	all = rest_of(mem, &p, 0);
	if (p.count == 0 && p.hour < 0)
		return "that is no date and time.";
	if (p.count == (weekday != NO_DAY))
		*out = next_day(&p, weekday, zone, now, usual);
	else if (strcmp(all, "today") == 0 || strcmp(all, "tonight") == 0)
		*out = on_day(&p, now, 0, zone, usual);
	else if (strcmp(all, "tomorrow") == 0)
		*out = on_day(&p, now, 1, zone, usual);
	else if (strcmp(all, "day after tomorrow") == 0)
		*out = on_day(&p, now, 2, zone, usual);
	else if (read_next_week(&p, &count, zone, now))
		*out = on_day(&p, now, count, zone, usual);
	else if (!read_later(&p, &count, &unit))
		return named_date(mem, &p, weekday, zone, now, usual, out);
	else if (unit == 'h')
		*out = now + (int64_t)count * HOUR;
	else
		*out = on_day(&p, now, unit == 'w' ? 7 * count : count, zone, usual);
	return NULL;
}

/* --- from one day to another ----------------------------------------------------------------------------------------
 */

/* "7 February" with the "1" of "from 1 to 7 February" in the place of its first number: the day that names no month. */
static const char *with_number(TALLOC_CTX *mem, const char *whole, const char *bare)
{
	size_t at = strcspn(whole, "0123456789"), digits = strspn(whole + at, "0123456789");
	size_t typed = strspn(bare, "0123456789");

	if (typed == 0 || typed > 2 || digits == 0 || digits > 2 ||
		strspn(bare + typed, "stndrh ") != strlen(bare + typed))
		return bare;
	return talloc_asprintf(mem, "%.*s%.*s%s", (int)at, whole, (int)typed, bare, whole + at + digits);
}

/* The first second of that day; one without a year is the next such day from `since` on. */
static bool read_midnight(TALLOC_CTX *mem, const char *text, const char *zone, int64_t since, int64_t now, int64_t *out)
{
	struct civil c;
	int64_t when;

	if (calendar_day(text, zone, since, out))
		return true;
	if (when_read(mem, text, zone, now, now, &when) != NULL)
		return false;
	c = clock_civil(when, zone);
	c.hour = c.minute = c.second = 0;
	*out = clock_utc(&c, zone);
	return true;
}

bool when_days(TALLOC_CTX *mem, const char *first, const char *last, const char *zone, int64_t now, int64_t *begin,
	int64_t *end)
{
	const char *from = with_number(mem, last, first), *to = with_number(mem, first, last);

	/* On 11 January "from 10 to 17 January" has begun, and "from 1 to 7 December" is to come. */
	for (int lately = LATELY_DAYS; lately >= 0; lately -= LATELY_DAYS) {
		int64_t since = now - (int64_t)lately * 24 * HOUR;

		if (!read_midnight(mem, from, zone, since, now, begin) ||
			!read_midnight(mem, to, zone, *begin, *begin, end))
			return false;
		*end = clock_add_days(*end, 1, zone) - 1;
		if (*end >= now)
			break;
	}
	return true;
}

/* --- in a sentence --------------------------------------------------------------------------------------------------
 */

enum { SENTENCE_WORDS_MAX = 60, APART_MAX = 4 };

static bool is_one_of(const char *word, const char *const *list)
{
	for (; *list != NULL; list++)
		if (strcmp(word, *list) == 0)
			return true;
	return false;
}

/* "7", "7th", "2027", "1/2", "1.2.2027", "2027-02-01" */
static bool is_date_number(const char *word)
{
	size_t digits = strspn(word, "0123456789");
	const char *rest = word + digits;

	if (digits == 0 || digits > 4)
		return false;
	return *rest == '\0' || strcmp(rest, "st") == 0 || strcmp(rest, "nd") == 0 || strcmp(rest, "rd") == 0 ||
	       strcmp(rest, "th") == 0 ||
	       (strchr("-./", *rest) != NULL && strspn(rest, "0123456789-./") == strlen(rest));
}

static bool is_date_word(const char *word)
{
	static const char *const months[] = {"january", "february", "march", "april", "may", "june", "july", "august",
		"september", "october", "november", "december"};
	static const char *const near[] = {"today", "tomorrow", NULL};
	size_t len = strlen(word);

	for (size_t i = 0; i < sizeof months / sizeof *months && len >= 3; i++)
		if (strncmp(months[i], word, len) == 0)
			return true;
	return is_date_number(word) || weekday_of(word) != NO_DAY || is_one_of(word, near);
}

/* The words of the sentence in small letters, without the marks behind them; a dash between two days is a word. */
static int sentence_words(TALLOC_CTX *mem, const char *sentence, char **words)
{
	char *text = talloc_strdup(mem, ""), *save = NULL;
	int count = 0;

	for (const char *p = sentence; *p != '\0'; p++) {
		bool dash = strncmp(p, "\xE2\x80\x93", 3) == 0 || strncmp(p, "\xE2\x80\x94", 3) == 0;
		bool hyphen = *p == '-' && p > sentence && strspn(p + 1, "0123456789") < 3 &&
			      (p - sentence < 4 || strspn(p - 4, "0123456789") < 4) && strchr(p + 1, '-') == NULL;

		text = dash || hyphen ? talloc_asprintf_append(text, " - ")
				      : talloc_asprintf_append(text, "%c", tolower((unsigned char)*p));
		p += dash ? 2 : 0;
	}
	for (char *w = strtok_r(text, " \t\n,;!?:()\"", &save); w != NULL && count < SENTENCE_WORDS_MAX;
		w = strtok_r(NULL, " \t\n,;!?:()\"", &save)) {
		size_t len = strlen(w);

		while (len > 1 && w[len - 1] == '.')
			w[--len] = '\0';
		words[count++] = w;
	}
	return count;
}

/* The date words from *at on, as one text; "" when none stands there. */
static const char *take_date(TALLOC_CTX *mem, char **words, int count, int *at)
{
	static const char *const joining[] = {"the", "of", "on", "next", "this", NULL};
	char *out = talloc_strdup(mem, "");
	int end = *at;

	for (int i = *at; i < count && (is_date_word(words[i]) || is_one_of(words[i], joining)); i++)
		if (is_date_word(words[i]))
			end = i + 1;
	for (; *at < end; ++*at)
		out = talloc_asprintf_append(out, "%s%s", out[0] == '\0' ? "" : " ", words[*at]);
	return out;
}

/* The first dates that the words name, from one day to another. */
static bool dates_found(
	TALLOC_CTX *mem, char **words, int count, const char *zone, int64_t now, int64_t *begin, int64_t *end)
{
	static const char *const until[] = {"until", "till", "til", NULL};
	static const char *const links[] = {"to", "until", "till", "til", "-", "and", "through", NULL};

	for (int i = 0; i < count; i++) {
		int at = i, next;
		const char *first = take_date(mem, words, count, &at), *last = first;

		if (first[0] == '\0')
			continue;
		next = at + 1;
		if (at < count && is_one_of(words[at], links))
			last = take_date(mem, words, count, &next);
		/* "holidays start on 19 December and end on 4 January" */
		for (next = at; next < count && next < at + APART_MAX && (last == first || last[0] == '\0'); next++)
			last = take_date(mem, words, count, &next);
		if (last[0] == '\0')
			last = first;
		if (last == first && i > 0 && is_one_of(words[i - 1], until))
			first = "today";
		if (when_days(mem, first, last, zone, now, begin, end) ||
			when_days(mem, first, first, zone, now, begin, end))
			return *begin <= *end && *end - *begin < (int64_t)LATER_MAX / 2 * 24 * HOUR;
	}
	return false;
}

bool when_found(TALLOC_CTX *mem, const char *sentence, const char *zone, int64_t now, int64_t *begin, int64_t *end)
{
	char *words[SENTENCE_WORDS_MAX];
	int count = sentence_words(mem, sentence, words);
	const char *week = NULL;
	bool numbers = false;

	for (int i = 0; i < count; i++) {
		numbers |= is_date_number(words[i]);
		if (i + 1 < count && strcmp(words[i + 1], "week") == 0 &&
			(strcmp(words[i], "next") == 0 || strcmp(words[i], "this") == 0))
			week = week != NULL ? week : words[i];
	}
	/* "No turn next week, we have half term from 14 to 18 December" */
	if (week == NULL || numbers)
		return dates_found(mem, words, count, zone, now, begin, end);
	return when_days(mem, week[0] == 'n' ? "next Monday" : "today", "Sunday", zone, now, begin, end);
}
