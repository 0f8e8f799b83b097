/* Notes for a receipt while a turn is foreseen (turn.plan). */
#ifndef GALLOPER_RULES_PLANNING_H
#define GALLOPER_RULES_PLANNING_H

#include "rules/path.h"

/* A new item: no target, nobody in the way, no chance known. The pointer is good until the next. */
struct plan_item *plan_add(struct plan *p, enum plan_kind kind, int unit, bool conditional);
void plan_way(struct plan_item *item, const struct box *from, const struct box *to);
/* REASON_NONE: it will be carried out as ordered. */
void plan_reason(struct plan_item *item, enum event_reason reason, const char *ruling);

/* Ordered to fire at whoever is nearest: nobody is before its muskets yet, which is not worth telling, since the enemy
 * may come. A gun does not turn, and says so. */
bool plan_may_wait(const struct unit *u, enum event_reason reason);

void plan_move(struct turn *t, int unit, const struct walk *w, bool conditional);
/* A commander's ride: `reason` is NONE when he has joined. */
struct plan_item *plan_join(
	struct turn *t, int commander, int unit, const struct box *from, enum event_reason reason, bool conditional);
/* What comes of a charge or fire that a commander is ordered to make, or of a gun's charge: nothing. */
void plan_unfit(struct turn *t, int piece, const char *ruling);

#endif
