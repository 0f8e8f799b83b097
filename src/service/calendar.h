/* When a game's turns are due: a weekly slot, of one day or several, in the game's zone, weeks that are skipped,
 * reminders before. */
#ifndef GALLOPER_SERVICE_CALENDAR_H
#define GALLOPER_SERVICE_CALENDAR_H

#include "base/err.h"

#include <stdint.h>

enum { REMINDERS_MAX = 8, SKIPS_TEXT_MAX = 1000 };

/* Is `slot` a weekly slot ("Fri 16:00", "Mon,Wed,Fri 16:00")? Are `skips` ranges of dates ("2027-02-15..2027-02-19
 * 2027-04-05", first and last day included, parted by blanks)? Are `reminders` hours before the deadline ("24 3")? NULL
 * or what is wrong. */
struct err *calendar_check(
	TALLOC_CTX *mem, const char *slot, const char *zone, const char *skips, const char *reminders) MUST_CHECK;

/* The first slot after `after` that lies on no skipped day. The arguments must have passed calendar_check. Returns UTC
 * seconds; a game whose every week of the next ten years is skipped is due at the end of them. */
int64_t calendar_next(const char *slot, const char *zone, const char *skips, int64_t after);

/* The first second of a day as people write it: "2027-02-01", "1 February", "Feb 1", "1 Feb 2027", "1/2", "1.2.2027"
 * (day first). Without a year it is the next such day from `now` on, that of `now` included. False if it cannot be
 * read. */
bool calendar_day(const char *text, const char *zone, int64_t now, int64_t *out);

/* "Fri 15 Jan 2027"; on `mem`. */
char *calendar_day_text(TALLOC_CTX *mem, int64_t when, const char *zone);

/* The hours of the reminders, largest first; how many. */
int calendar_reminders(const char *reminders, int hours[REMINDERS_MAX]);

/* "2027-02-15..2027-02-19", as `skips` holds it; on `mem`. */
char *calendar_range_text(TALLOC_CTX *mem, int64_t first, int64_t last, const char *zone);

#endif
