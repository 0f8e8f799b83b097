/* Time: UTC seconds inside, a game's own zone for people. The zone is always passed in, and the C library's notion of a
 * local zone is touched in this module only. */
#ifndef GALLOPER_BASE_CLOCK_H
#define GALLOPER_BASE_CLOCK_H

#include "base/err.h"

#include <stdint.h>

/* A source of "now": fixed by --now, else the wall clock. */
struct clock {
	int64_t fixed; /* UTC seconds, or -1 for the wall clock */
};

int64_t clock_now(const struct clock *c);

/* Is there such a zone in the system's database ("Europe/London")? The name is checked before it reaches a path. */
bool clock_zone_known(const char *zone);

struct civil {
	int year, month, day; /* month 1..12 */
	int hour, minute, second;
	int weekday; /* 0 Sunday .. 6 Saturday */
};

/* Both ways between UTC seconds and a zone's civil time. A civil time that the zone skips is moved on to the first
 * that exists; one that it has twice is the first. The zone must be known (assertion). */
struct civil clock_civil(int64_t when, const char *zone);
int64_t clock_utc(const struct civil *c, const char *zone);

/* The same time of day in the zone `days` later (or earlier): a day with a clock change has 23 or 25 hours. */
int64_t clock_add_days(int64_t when, int days, const char *zone);

/* "Fri 15 Jan 2027, 16:00" in the zone; on `mem`. */
char *clock_text(TALLOC_CTX *mem, int64_t when, const char *zone);
/* RFC 5322 date in UTC, and ISO 8601 in UTC ("2027-01-15T16:00:00Z"); on `mem`. */
char *clock_rfc5322(TALLOC_CTX *mem, int64_t when);
char *clock_iso(TALLOC_CTX *mem, int64_t when);

/* Reads "2027-01-15T16:00:00Z", "2027-01-15 16:00", "2027-01-15T16:00" (the last two in `zone`) or "@SECONDS". */
bool clock_parse(const char *text, const char *zone, int64_t *out);

/* The next weekly slot ("Fri 16:00", or on several days "Mon, Wed, Fri 16:00") strictly after `after`, in the zone.
 * False if the slot cannot be read. */
bool clock_next_slot(const char *slot, const char *zone, int64_t after, int64_t *out);

#endif
