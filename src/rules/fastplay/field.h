/* What all phases ask about the pieces on the table, and what they do to them. */
#ifndef GALLOPER_RULES_FASTPLAY_FIELD_H
#define GALLOPER_RULES_FASTPLAY_FIELD_H

#include "rules/turn.h"

/* Alive and in the way of others: a foot or horse unit or a gun. */
static inline bool is_body(const struct unit *u)
{
	return unit_alive(u) && u->kind != KIND_COMMANDER;
}

/* A commander who stands on the table by himself. */
static inline bool is_lone(const struct unit *u)
{
	return unit_alive(u) && u->kind == KIND_COMMANDER && u->with < 0;
}

int32_t move_allowance(const struct turn *t, const struct unit *u);
int32_t charge_allowance(const struct turn *t, const struct unit *u);

/* Can anything of the two boxes come within `reach` of each other? Cheap; true when in doubt. */
bool may_meet(const struct box *a, const struct box *b, int32_t reach);

/* Commanders with the unit ride where it is (FP24). */
void carry(struct turn *t, int unit);

/* Is the place on the table, clear of every piece but `self` and, if `zone` is not 0, that far from `side`'s enemies?
 */
bool place_clear(struct turn *t, int self, const struct box *b, enum side side, int32_t zone);

/* FP84: lone commanders on whom the unit stands go to the nearest clear place 1" from their enemies. */
void displace_commanders(struct turn *t, int unit);
/* FP73: the commander, by himself from now on, is put on the table clear of everybody, toward his own edge. */
void set_down(struct turn *t, int commander);

/* The bases left after so many hits (FP42, FP43). A gun counts hits instead (FP41). */
int bases_after(const struct turn *t, const struct unit *u, int hits);

/* The unit is gone: event, locks. By fire, each commander with it rolls and the living are set down (FP44); by melee
 * that is for the caller. `by` may be -1. */
void destroy(struct turn *t, int unit, int by, enum event_reason reason, int before);
/* Hits of a volley on a unit or gun: bases, footprint, and its end. */
void take_fire(struct turn *t, int unit, int by, int hits);
/* One die for the life of a commander (FP44, FP73). */
void commander_risk(struct turn *t, int commander, int unit, const char *ruling);

/* Units in `was` (one flag a piece) that are in no melee any more: says so (FP81). */
void say_freed(struct turn *t, const bool *was);

/* ruleset.settle */
void field_settle(struct turn *t, int unit, bool moved);

/* --- ground (FP12, FP13): nothing of it counts under `terrain marked` --- */

/* How far the box can go along `by` before ground that stops it; walls stop it when `walls` is set. */
int32_t ground_travel(const struct turn *t, const struct box *b, struct point by, bool walls);
/* How far it can go before it touches a wall that it does not touch yet; its length when there is none. */
int32_t wall_travel(const struct turn *t, const struct box *b, struct point by);
/* Does the box stand on ground where nobody may be (or, with `walls`, across a wall)? */
bool ground_blocks(const struct turn *t, const struct box *b, bool walls);

#endif
