/* The Fast Play rules (Falkirk, Culloden, Prestonpans): rulings FP1 to FP92. */
#ifndef GALLOPER_RULES_FASTPLAY_FASTPLAY_H
#define GALLOPER_RULES_FASTPLAY_FASTPLAY_H

#include "rules/ruleset.h"

extern const struct ruleset fastplay;

/* The phases. */
void fastplay_move(struct turn *t);   /* FP15-FP27 */
void fastplay_shoot(struct turn *t);  /* FP28-FP44 */
void fastplay_charge(struct turn *t); /* FP45-FP67 */
void fastplay_melee(struct turn *t);  /* FP68-FP83 */
void fastplay_end(struct turn *t);    /* FP85-FP92 */

/* ruleset.aim and .range (FP28-FP40) */
enum event_reason fastplay_aim(struct turn *t, int unit, int target, bool front, struct aim *out);
int32_t fastplay_range(const struct turn *t, int unit);

/* ruleset.losses (FP88) and .tally (FP90) */
void fastplay_losses(const struct turn *t, enum side side, int *lost, int *begun);
void fastplay_tally(struct turn *t, struct tally *out);

struct plan *fastplay_foresee(TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, enum side side,
	const struct orderbook *orders);

#endif
