/* Charges: who can reach whom, what is in the way, where a charger comes to stand and whom it touches (FP46-FP49,
 * FP53-FP55). */
#ifndef GALLOPER_RULES_CONTACT_H
#define GALLOPER_RULES_CONTACT_H

#include "rules/turn.h"

/* FP46: the wheel (degrees, clockwise), where the charger stands after it, and how far ahead the target is. */
struct reach {
	int degrees;
	struct box wheeled;
	int32_t straight;
};

/* FP46: one wheel of at most 45 degrees about the inner front corner, then ahead. The ruling is read so that a contact
 * out of reach is none: the wheel is the least that makes contact within the allowance. */
bool reach_find(const struct box *charger, const struct box *target, int32_t allowance, struct reach *out);

/* FP48: the face of the target that is charged from there. */
enum arc charge_face(const struct box *target, struct point start);

/* FP54: how many may charge that face, and whether so many of that side stand at it already. */
int face_room(enum arc face);
bool face_full(const struct turn *t, int target, enum arc face, enum side side);

/* FP47: where the charger comes to stand on the face: as near its middle as there is room, or with `half` -1 or 1 on
 * that side of the middle (its own left, its own right). False when there is no room (FP54). */
bool conform(struct turn *t, int charger, int target, enum arc face, int half, struct box *out);

/* How a charger's way goes, and what is in it. */
struct run {
	struct box wheeled; /* as far as it could wheel */
	int32_t straight;
	int blocker;              /* or -1 */
	enum event_reason reason; /* NONE: nothing */
};

/* FP46: the wheel degree by degree, then ahead, with the full width free. */
struct run run_try(struct turn *t, int unit, int target, const struct reach *r);
/* FP53: where the charger stops on such a way, 1" clear of every enemy and clear of the friend who stops it, and how
 * far it has gone straight ahead. */
struct box run_stop(struct turn *t, int unit, const struct run *run, int32_t *gone);

/* A charge as it was declared (FP49). */
struct declared {
	int charger, target;
	int32_t distance; /* between the two then */
	bool done;        /* carried out, whatever became of it */
};

/* All the charges of a phase, and where every piece stood when they were declared (FP48); none: count 0. */
struct charges {
	struct declared *list;
	int count;
	const struct box *start;
};

/* FP49: the side's next charge to carry out: the nearest, of equal ones the first listed. NULL after the last. */
struct declared *charges_next(const struct turn *t, const struct charges *c, enum side side);

/* FP47: two declared against one face meet at its middle. -1 or 1: the half on this one's own left or right; 0: alone.
 * Of three or more the nearest two count, those already there first. */
int charges_half(const struct turn *t, const struct charges *c, const struct declared *d, enum arc face);

/* FP55: the first enemy after the piece `after` (-1: of all) whom the charger cannot help touching besides its target;
 * -1 after the last. */
int touched_next(const struct turn *t, int charger, int target, int after);

/* The two are in melee from now on, and it is told. NULL when they are already, or when one of them is gone. */
struct event *lock_pair(struct turn *t, struct lock lock);
/* FP59, RH33: the charger has come to the gun. That it is lost is for the caller; false when one of the two is gone. */
bool say_gun_taken(struct turn *t, int charger, int gun, const char *ruling);

#endif
