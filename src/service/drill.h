/* The drill: a small battle that a player fights alone by mail against standing orders. It is a game of its own under
 * the rules of his real one, with no referee and no deadlines: each mail of orders is resolved and answered at once.
 * The real game knows nothing of it. */
#ifndef GALLOPER_SERVICE_DRILL_H
#define GALLOPER_SERVICE_DRILL_H

#include "service/letters.h"

enum { DRILLS_A_DAY = 3, DRILL_REST_DAYS = 14 };

/* Is this game a drill? (It has no regular deadline.) */
bool is_drill(const struct game *g);

/* Sets out a new drill for a player of a real game and answers his mail with it. *begun is false when he has had his
 * DRILLS_A_DAY today; then nothing was done. In the caller's transaction. */
struct err *drill_begin(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p,
	const struct answered_mail *to, bool *begun) MUST_CHECK;

/* The drill is looked at: it ends when no mail has come for DRILL_REST_DAYS, else it sleeps until then. In the caller's
 * transaction. */
struct err *drill_wake(const struct service *s, TALLOC_CTX *mem, struct game *g) MUST_CHECK;

/* Resolves the drill's turn and answers the mail with its report, which names what of the mail was `left`
 * (unread_left). In the caller's transaction. */
struct err *drill_play(const struct service *s, TALLOC_CTX *mem, struct game *g, const struct answered_mail *to,
	const char *left) MUST_CHECK;

#endif
