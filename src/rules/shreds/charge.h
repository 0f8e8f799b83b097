/* Charges under these rules: declared before the dice say how far they come. */
#ifndef GALLOPER_RULES_SHREDS_CHARGE_H
#define GALLOPER_RULES_SHREDS_CHARGE_H

#include "rules/contact.h"

/* FP45: may it declare a charge against that enemy: in front, and within the most that its dice can give? REASON_NONE,
 * or why not. */
enum event_reason may_charge(struct turn *t, int unit, int target);

/* ruleset.charge_target */
int shreds_charge_target(struct turn *t, int unit, const struct clause *c);

/* RH12, RH37: the charge of a unit that has declared one. */
void carry_out_charge(struct turn *t, const struct charges *c, const struct declared *d);

/* The charger goes for its target with so many inches: into him, or as far as they last, or into what is in the way
 * (FP53). `c` are all the charges of its phase. */
void run_at(struct turn *t, const struct charges *c, const struct declared *d, int32_t inches);
/* Would it get into that enemy, and where would it meet him? `to` may be NULL. */
bool can_catch(struct turn *t, int unit, int target, int32_t inches, struct box *to);
/* What keeps it from there, for a receipt: the piece in the way or -1, and why. */
int charge_blocker(struct turn *t, int unit, int target, int32_t inches, enum event_reason *reason);

/* RH50: the unit's own next movement after its enemy has begun to rout. */
void pursue(struct turn *t, int unit);

#endif
