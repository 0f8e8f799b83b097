/* The turning points of a battle that is over (report/turning.h): every turn is played again from what is stored of it.
 */
#ifndef GALLOPER_SERVICE_TURNING_H
#define GALLOPER_SERVICE_TURNING_H

#include "report/turning.h"
#include "service/board.h"

/* Turns 1 to `last`. The dice of the replays come from the numbers 1 to 100 and not from the game's seed, so that the
 * same battle has the same turning points whenever they are asked for. The result is kept with the board. */
struct err *turning_points(const struct service *s, const struct board *b, int last, struct turning **out) MUST_CHECK;

#endif
