/* The dice of a volley (RH23-RH32). */
#ifndef GALLOPER_RULES_SHREDS_FIRE_H
#define GALLOPER_RULES_SHREDS_FIRE_H

#include "rules/turn.h"

struct fire_die {
	int sides, less; /* what long range takes off each */
	bool half;       /* RH31 */
};

struct fire_die fire_die(const struct turn *t, const struct unit *u, int32_t distance);

/* RH28: behind a wall as seen from the firer, or in a wood. */
bool in_cover(const struct turn *t, int firer, int target);
/* RH26, RH27: a hit is saved on this or more; why goes into the event, which may be NULL. */
int save_need(struct turn *t, struct event *ev, int firer, int target);

/* What so many of these dice come to on average, in hundredths of a hit. */
int expected_hits(const struct fire_die *die, int dice);

/* The event's actor fires so many bases at the target: dice, saves, losses. Fills DICE HITS SAVES NEED BEFORE AFTER. */
void volley(struct turn *t, struct event *ev, int target, int dice, int32_t distance);

/* RH20: does it fire before it moves, or not move at all? */
bool fires_first(struct turn *t, int unit);

#endif
