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

#endif
