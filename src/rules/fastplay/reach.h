/* Reaching and meeting an enemy: FP45-FP48, FP54. For charge.c and foresee.c. */
#ifndef GALLOPER_RULES_FASTPLAY_REACH_H
#define GALLOPER_RULES_FASTPLAY_REACH_H

#include "rules/fastplay/fastplay.h"

/* How a charger gets at its target: a wheel, then straight ahead. */
struct approach {
	struct box wheeled; /* after the wheel */
	int wheel;          /* degrees, right is positive */
	int32_t straight;   /* then so far */
};

int32_t charge_allowance(const struct turn *t, const struct unit *u);

/* Is there a wheel of at most 45 degrees after which the target is met within the allowance? The least one (FP46). */
bool find_approach(const struct box *from, const struct box *target, int32_t allowance, struct approach *out);

/* May `charger` charge `target` from where both stand (FP45)? *distance is between their nearest points. */
enum event_reason may_charge(
	const struct turn *t, int charger, int target, int32_t *distance, struct approach *approach);

/* The nearest legal target, or -1. */
int nearest_charge_target(const struct turn *t, int charger, int32_t *distance, struct approach *approach);

/* A face of a box: the middle of that edge, the direction it looks to, its length. */
struct edge {
	struct point middle;
	int outward;
	int32_t length;
};
struct edge face_edge(const struct box *b, enum arc face);

/* Where a charger comes to stand flush against a face (FP47, FP54): centred, or by `side` (-1 left half, 1 right half
 * as the charger sees it, 0 neither) from the middle. False when there is no room. `beside` are other chargers on it.
 */
bool conform(const struct turn *t, int charger, int target, enum arc face, int half, int beside, struct box *out);

#endif
