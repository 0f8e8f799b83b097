/* The dice of a volley: in the Shoot phase and at chargers. */
#ifndef GALLOPER_RULES_FASTPLAY_VOLLEY_H
#define GALLOPER_RULES_FASTPLAY_VOLLEY_H

#include "rules/turn.h"

/* Rolls the volley of an event whose actor fires: powder first where it is wet (FP36), then `purpose`. Fills ELIGIBLE
 * DICE NEED HITS; returns the hits. */
int volley_roll(struct turn *t, struct event *ev, const char *purpose, int eligible, int need);
/* Fills BEFORE and AFTER and the rulings about losses; take_fire then does it. `taken`: what other volleys of the same
 * moment have hit before and take_fire has still to do. */
void volley_effect(struct turn *t, struct event *ev, int target, int taken, int hits);

#endif
