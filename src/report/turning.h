/* The turning points of a battle: what went most otherwise than was to be expected. Each turn is played again many
 * times from the same orders with other dice; how a unit (a gun, a commander) fared is weighed against how it fared in
 * those, in points (FP90). */
#ifndef GALLOPER_REPORT_TURNING_H
#define GALLOPER_REPORT_TURNING_H

#include "battle/event.h"
#include "battle/scenario.h"

enum { TURNING_POINTS = 5, TURNING_OF_A_TURN = 2, TURNING_BY_MAX = 2 };

struct turning_point {
	int turn, unit;
	int before, after;                /* its strength: bases, or figures where the rules count them */
	int usual;                        /* what it was left with most often */
	bool worse;                       /* than was to be expected */
	int times;                        /* of the replays it fared so badly or worse; or so well or better */
	int64_t swing;                    /* points times replays by which it differs from the mean */
	int by[TURNING_BY_MAX], by_count; /* who hit it, the hardest first */
};

struct turning {
	const struct scenario *sc;
	struct turning_point points[TURNING_POINTS + 1]; /* those that are told, the greatest swing first */
	int count;
	struct turning_point more[TURNING_POINTS + 1]; /* greatest of all others, for a battle of few turns */
	int more_count;
	/* Of the turn that is being looked at. */
	const struct state *before;
	int replays;
	int *left;  /* for each unit and number of bases, in how many replays it was left with so many */
	int *first; /* where a unit's numbers begin */
};

struct turning *turning_new(TALLOC_CTX *mem, const struct scenario *sc);
/* A turn begins from that state (kept until turning_end_turn); each of its replays; and how it really went. A unit that
 * the referee changed is left out. */
void turning_begin_turn(struct turning *t, const struct state *before);
void turning_replay(struct turning *t, const struct state *after);
void turning_end_turn(struct turning *t, const struct state *after, const struct events *events);

/* The points in the order of the turns, as wrapped lines; "" when there are none. `names` is any state of the battle.
 */
char *turning_text(TALLOC_CTX *mem, const struct turning *t, const struct state *names);

#endif
