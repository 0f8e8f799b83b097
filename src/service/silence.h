/* The whole-turn circuit breaker: a turn for which too few players have sent anything (half term, a school's mail that
 * is down) waits at its deadline, once, and its referee is asked. */
#ifndef GALLOPER_SERVICE_SILENCE_H
#define GALLOPER_SERVICE_SILENCE_H

#include "service/board.h"

/* Called when a game's deadline has come, inside the transaction that would resolve the turn. The turn waits (*waits)
 * when more than the game's option silent-share of those who should order something have sent nothing, nobody of them
 * has been waited for in this turn before, and there are three such players or more: of two, one's silence is half, and
 * a game of two must not hang on each. (A game that sets silent-share itself is judged with two also.) Players who said
 * that they would be away do not count. Its deadline is then put off by the option silent-hours, everybody is told, and
 * the referee is asked; he answers RESOLVE or EXTEND, and if he does not, the turn is resolved when they are over: a
 * class whose referee is ill is not to be stuck. */
struct err *silence_check(const struct service *s, TALLOC_CTX *mem, struct game *g, bool *waits) MUST_CHECK;

#endif
