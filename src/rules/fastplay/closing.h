/* Fire at chargers: FP37, FP61-FP67. */
#ifndef GALLOPER_RULES_FASTPLAY_CLOSING_H
#define GALLOPER_RULES_FASTPLAY_CLOSING_H

#include "rules/fastplay/fastplay.h"

/* After all charge moves every charged foot unit that may fires, all at once. `start` are the boxes and `locked_before`
 * the melees at the start of the phase, by piece. */
void fire_at_chargers(struct turn *t, const struct box *start, const bool *locked_before);

#endif
