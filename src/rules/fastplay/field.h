/* Allowances and losses: what all phases of these rules ask about the pieces and do to them. */
#ifndef GALLOPER_RULES_FASTPLAY_FIELD_H
#define GALLOPER_RULES_FASTPLAY_FIELD_H

#include "rules/field.h"

int32_t move_allowance(const struct turn *t, const struct unit *u);
int32_t charge_allowance(const struct turn *t, const struct unit *u);

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

/* ruleset.settle, ruleset.ground */
void field_settle(struct turn *t, int unit, bool moved);
int32_t field_ground(const struct turn *t, enum terrain_kind kind, bool walls);

#endif
