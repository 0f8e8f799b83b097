/* "Rip her to shreds": rulings RH0 to RH60. */
#ifndef GALLOPER_RULES_SHREDS_SHREDS_H
#define GALLOPER_RULES_SHREDS_SHREDS_H

#include "rules/aim.h"
#include "rules/ruleset.h"

extern const struct ruleset shreds;

/* The steps of one half of a turn (RH3): the side of t->phase plays. */
void shreds_points(struct turn *t); /* RH4, RH5 */
void shreds_charge(struct turn *t); /* RH6-RH8: charges declared, and the tests of both sides */
void shreds_fire(struct turn *t);   /* RH20-RH34: who fires before moving, or does not move */
void shreds_move(struct turn *t);   /* RH9-RH18, RH35-RH38, RH50: flights, charges, pursuits, moves, generals */
void shreds_shoot(struct turn *t);  /* RH20: who fires after moving */
void shreds_melee(struct turn *t);  /* RH39-RH49 */
void shreds_morale(struct turn *t); /* RH50-RH55 */

void shreds_end(struct turn *t); /* RH59 */

/* ruleset.losses and .tally (RH59) */
void shreds_losses(const struct turn *t, enum side side, int *lost, int *begun);
void shreds_tally(struct turn *t, struct tally *out);

/* ruleset.aim and .range (RH21, RH22) */
enum event_reason shreds_aim(struct turn *t, int unit, int target, bool front, struct aim *out);
int32_t shreds_range(const struct turn *t, int unit);

struct plan *shreds_foresee(TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, enum side side,
	const struct orderbook *orders);

#endif
