/* At whom a unit can fire (FP28-FP40). */
#ifndef GALLOPER_RULES_AIM_H
#define GALLOPER_RULES_AIM_H

#include "rules/intent.h"

struct aim {
	int target;
	enum arc arc;
	int32_t distance;
	int eligible;             /* bases that may fire */
	bool diverted;            /* it is not the one aimed at, but stands on the line to him (FP40) */
	int place_in_list;        /* 1: the first target named; 0: not named, the nearest */
	enum event_reason reason; /* why not, when there is no target */
	/* The first target named that was not legal, or where nobody is named the nearest in front and within range; or
	 * -1. And who stands in the way to it, or -1 when nobody in particular. */
	int refused, blocker;
};

/* The boxes of all that may stand in the line between the two (FP31); `out` has room for every piece. Returns how many.
 */
int aim_blockers(struct turn *t, int unit, int target, struct box *out);

/* Muskets: a front volley, or some of the bases to the side (FP29-FP31). The target is one that may be fired at. */
enum event_reason aim_muskets(struct turn *t, int unit, int target, bool front, struct aim *out);

/* Can the unit fire at that target? `front` only asks about a front volley. Fills `out` when it can (REASON_NONE). */
enum event_reason aim_at(struct turn *t, int unit, int target, bool front, struct aim *out);

/* The nearest legal target, one in front before one to the side; with `front` only one in front (FP2). */
bool aim_nearest(struct turn *t, int unit, bool front, struct aim *out);

/* Why aim_nearest found nobody: sets reason, refused and blocker. REASON_NO_TARGET: no enemy is in front and within
 * range.
 */
void aim_explain(struct turn *t, int unit, struct aim *out);

/* The target that the orders come to (FP2, FP32, FP33); false if there is none or fire is held. */
bool aim_by_orders(struct turn *t, int unit, const struct intent *in, struct aim *out);

#endif
