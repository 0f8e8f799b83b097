/* Dates and times of day as people write them to the referee's desk. */
#ifndef GALLOPER_SERVICE_WHEN_H
#define GALLOPER_SERVICE_WHEN_H

#include "base/err.h"

#include <stdint.h>

/* Reads "Friday 4pm", "tomorrow 16.00", "in 2 days", "22 January at 16:00", "2027-01-22", "16:00" and what clock_parse
 * and calendar_day read, in the zone. A day without a time means the time of day of `usual`; a time without a day its
 * next coming; a weekday the next one after `now`. NULL and UTC seconds in *out, or what is wrong with it, in a
 * sentence on `mem`. */
const char *when_read(
	TALLOC_CTX *mem, const char *text, const char *zone, int64_t now, int64_t usual, int64_t *out) MUST_CHECK;

/* Reads the days from `first` to `last` as people write them: "1 February" to "7 February", "1" to "7 February",
 * "Monday" to "Friday", "today" to "tomorrow". The first second of the one and the last of the other, which lies before
 * it where `last` does. False if a day cannot be read. */
bool when_days(TALLOC_CTX *mem, const char *first, const char *last, const char *zone, int64_t now, int64_t *begin,
	int64_t *end);

/* The days that a sentence names: "we are on a trip from 1 to 7 February", "Amy is ill until Friday", "no school on 1
 * May", "next week" (from its Monday). False if it names none, or names them back to front, or more than half a year.
 */
bool when_found(TALLOC_CTX *mem, const char *sentence, const char *zone, int64_t now, int64_t *begin, int64_t *end);

#endif
