/* Charges: who may charge whom, and the fire at chargers. */
#ifndef GALLOPER_RULES_FASTPLAY_CHARGE_H
#define GALLOPER_RULES_FASTPLAY_CHARGE_H

#include "rules/contact.h"

/* FP45, FP46: may it charge that enemy from where both stand now? REASON_NONE, or why not. */
enum event_reason charge_legal(struct turn *t, int unit, int target, struct reach *out);

/* The nearest enemy that it may charge, or -1. */
int nearest_charge(struct turn *t, int unit);

/* The target that a charge clause comes to now: the first of its list that is legal; if none is, the first that is
 * alive and named, else the nearest enemy; -1 for none. `c` may be NULL. */
int charge_target(struct turn *t, int unit, const struct clause *c);

/* For foreseeing: the side's charges are carried out where everybody stands, in their order, the enemy's left out and
 * those under an `if` last, as far as contact. Events only, no dice. */
void rehearse_charges(struct turn *t, enum side side);

/* FP37, FP61-FP67: all the fire at chargers, together. `was_free` says of each piece whether it was in no melee
 * when the phase began, `start` where it stood then. */
void closing_fire(struct turn *t, const bool *was_free, const struct box *start);

#endif
