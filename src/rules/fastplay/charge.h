/* Charges: who may reach whom, and where a charger comes to stand. */
#ifndef GALLOPER_RULES_FASTPLAY_CHARGE_H
#define GALLOPER_RULES_FASTPLAY_CHARGE_H

#include "rules/turn.h"

/* FP46: the wheel (degrees, clockwise), where the charger stands after it, and how far ahead the target is. */
struct reach {
	int degrees;
	struct box wheeled;
	int32_t straight;
};

/* FP46: one wheel of at most 45 degrees about the inner front corner, the least that makes contact, then ahead. */
bool reach_find(const struct box *charger, const struct box *target, int32_t allowance, struct reach *out);

/* FP45, FP46: may it charge that enemy from where both stand now? REASON_NONE, or why not. */
enum event_reason charge_legal(struct turn *t, int unit, int target, struct reach *out);

/* The nearest enemy that it may charge, or -1. */
int nearest_charge(struct turn *t, int unit);

/* The target that a charge clause comes to now: the first of its list that is legal; if none is, the first that is
 * alive and named, else the nearest enemy; -1 for none. `c` may be NULL. */
int charge_target(struct turn *t, int unit, const struct clause *c);

/* FP48: the face of the target that is charged from there. */
enum arc charge_face(const struct box *target, struct point start);

/* FP54: bodies of the charger's side that stand in contact with that face. */
int face_taken(const struct turn *t, int target, enum arc face, enum side side);
/* FP54: how many may. */
int face_room(enum arc face);

/* FP47: where the charger comes to stand on the face: as near its middle as there is room, or with `half` -1 or 1 on
 * that side of the middle (its own left, its own right). False when there is no room (FP54). */
bool conform(struct turn *t, int charger, int target, enum arc face, int half, struct box *out);

/* FP37, FP61-FP67: all the fire at chargers, together. `was_free` says of each piece whether it was in no melee
 * when the phase began; `nearness` how far each charger was from its target then. */
void closing_fire(struct turn *t, const bool *was_free, const int32_t *nearness);

#endif
