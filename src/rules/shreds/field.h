/* What all phases of these rules ask about the pieces and do to them: figures, losses, routs, moves that nobody
 * ordered. */
#ifndef GALLOPER_RULES_SHREDS_FIELD_H
#define GALLOPER_RULES_SHREDS_FIELD_H

#include "rules/contact.h"
#include "rules/field.h"

/* RH60 */
static inline bool is_highland(const struct unit *u)
{
	return u->kind == KIND_CLAN;
}

/* RH50: who goes after a unit that routs. */
static inline bool is_pursuer(const struct unit *u)
{
	return is_highland(u) || unit_is_horse(u);
}

/* Foot or horse that takes orders to move: not in melee, routing or halted after a rally. */
bool can_act(const struct state *s, int unit);

/* RH51: half its figures or fewer are left. */
bool is_at_half(const struct turn *t, int unit);

/* A die's act in the name of what is rolled: dice that a piece may roll for one purpose in both halves of a turn (RH3)
 * have the enemy's half before the act, "J-a". On t->mem. */
const char *act_in_half(const struct turn *t, int who, const char *act);

/* RH9, RH10: throws for the unit's move or charge and says so; thousandths of an inch. */
int32_t roll_move(struct turn *t, int unit, bool charge);
/* The least and the most that it can throw. */
void move_range(const struct turn *t, int unit, bool charge, int32_t *least, int32_t *most);

/* What the move's dice are, and what they add to. */
struct move_dice {
	int count, sides;
	int32_t plus;
};
struct move_dice move_dice(const struct turn *t, const struct unit *u, bool charge);

/* Figures lost: bases (RH30), footprint, and the end of the unit (RH58). `by` may be -1. */
void take_losses(struct turn *t, int unit, int by, int figures, enum event_reason reason);
/* The unit is gone: event, melees; commanders with it are set down. `by` may be -1. */
void lose_unit(struct turn *t, int unit, int by, enum event_reason reason);

/* RH50-RH54: it routs from now on; whoever fought or charged it will pursue. `router` has caught it with panic, or -1.
 */
void begin_rout(struct turn *t, int unit, enum event_reason reason, int router);

/* A move that nobody ordered, straight along `bearing` from the box that the unit takes up first. */
struct involuntary {
	int unit;
	struct box from; /* turned as it will be, where it starts */
	int bearing;
	int32_t distance;
	bool ground_stops; /* RH47: ground that costs a mover something stops it; else it pays (RH16) */
};
/* Where that ends: through friends, to a clear place as near to the distance as there is, stopped by enemies; `off`
 * when it leaves the table. */
struct box run_away(struct turn *t, const struct involuntary *m, bool *off, enum event_reason *reason);
/* The same box turned about its centre to that facing. */
struct box about_to(const struct box *b, int facing);

/* ruleset.settle, ruleset.ground, ruleset.muster */
void shreds_settle(struct turn *t, int unit, bool moved);
int32_t shreds_ground(const struct turn *t, enum terrain_kind kind, bool walls);
void shreds_muster(struct scenario *sc);

#endif
