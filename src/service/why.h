/* WHY: what is behind one event of a report. */
#ifndef GALLOPER_SERVICE_WHY_H
#define GALLOPER_SERVICE_WHY_H

#include "service/board.h"

/* The resolution whose numbers somebody means: the one of turn row `shows` if it is of this game, else the last one,
 * for players of those that they were told of. `turn` > 0: of that turn, whatever `shows`. *out is NULL when there is
 * none. */
struct err *why_turn(const struct service *s, TALLOC_CTX *mem, const struct board *b, int64_t shows, int turn,
	bool referee, struct turn_row **out) MUST_CHECK;

/* Event `number` of that resolution, as it was printed: dice, numbers, rulings in words, and for a referee his changes
 * that touched it. A number that was not printed is an error of ERR_GAME in words for whoever asks. On `mem`. */
struct err *why_text(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct turn_row *row,
	int number, bool referee, char **out) MUST_CHECK;

#endif
