/* Commanders who join and leave units (FP24-FP27). */
#ifndef GALLOPER_RULES_JOIN_H
#define GALLOPER_RULES_JOIN_H

#include "rules/turn.h"

/* Can he ride to the unit with that allowance, and how far is it? REASON_NONE, or why not. */
enum event_reason join_reach(struct turn *t, int commander, int unit, int32_t allowance, int32_t *distance);

/* He is with the unit from now on; says so. */
void attach(struct turn *t, int commander, int unit, int32_t distance);

/* He leaves his unit (not out of a melee, FP26: then false) and may move; says so. */
bool detach(struct turn *t, int commander);

/* The unit that he is ordered to join, or -1. */
int join_target(const struct state *s, int commander, const struct clause *const *list, int count);

#endif
