/* Notes for a receipt while moves are foreseen (turn.plan). */
#ifndef GALLOPER_RULES_FASTPLAY_PLANNING_H
#define GALLOPER_RULES_FASTPLAY_PLANNING_H

#include "rules/path.h"

void plan_move(struct turn *t, int unit, const struct walk *w, bool conditional);
/* A commander's ride: `reason` is NONE when he has joined. */
void plan_join(
	struct turn *t, int commander, int unit, const struct box *from, enum event_reason reason, bool conditional);

#endif
