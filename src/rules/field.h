/* What all rule sets ask about the pieces on the table. */
#ifndef GALLOPER_RULES_FIELD_H
#define GALLOPER_RULES_FIELD_H

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

bool centres_near(const struct box *a, const struct box *b, int64_t distance);

/* Does a step from one place to the other run onto that piece, or deeper into one that it stood against already? Where
 * two touch, rounding may have them overlap by a hair (FP9). */
bool runs_onto(const struct box *from, const struct box *to, const struct box *piece);

/* Can anything of the two boxes come within `reach` of each other? Cheap; true when in doubt. No
 * point of a box is farther from the middle of its front than half its width and its depth together, or from its centre
 * than half of both. */
static inline bool may_meet(const struct box *a, const struct box *b, int32_t reach)
{
	int64_t dx = (int64_t)a->front.x - b->front.x, dy = (int64_t)a->front.y - b->front.y;
	int64_t half = reach + (a->width + b->width) / 2 + 4, far = half + a->depth + b->depth;

	int64_t square = dx * dx + dy * dy;

	/* With fronts as near as that no two depths set the centres farther apart than is asked. */
	if (square <= (half - 2) * (half - 2))
		return true;
	return square <= far * far && centres_near(a, b, half + (a->depth + b->depth) / 2);
}

/* Commanders with the unit ride where it is (FP24). */
void carry(struct turn *t, int unit);

/* Is the place on the table, clear of every piece but `self` and, if `zone` is not 0, that far from `side`'s enemies?
 */
bool place_clear(struct turn *t, int self, const struct box *b, enum side side, int32_t zone);

/* Lone commanders on whom the unit stands go to the nearest clear place 1" from their enemies (FP84, RH18). */
void displace_commanders(struct turn *t, int unit);
/* A piece that a referee has put somewhere, brought back or made larger stands on nobody: where another stands it comes
 * to the nearest clear place. */
void find_room(struct turn *t, int unit);
/* The unit stands there from now on, with who rides with it; lone commanders make way. */
void come_to(struct turn *t, int unit, const struct box *to);
/* The commander, by himself from now on, is put on the table clear of everybody, toward his own edge (FP73). */
void set_down(struct turn *t, int commander);
/* The bearing toward the side's own edge. */
int own_edge(enum side side);

/* Ends all melees of the unit; or those with units that it does not touch any more, after a referee has moved it. */
void unlock(struct state *s, int unit);
void unlock_apart(struct state *s, int unit);

/* --- the table's edge (FP14) --- */

bool on_table(const struct turn *t, const struct box *b);
/* How far the box can go along `by` until a corner is over the edge. */
int32_t table_travel(const struct turn *t, const struct box *b, struct point by);

/* --- ground, as ruleset.ground has it --- */

/* How far the box can go along `by` before ground that stops it; walls stop it when `walls` is set. */
int32_t ground_travel(const struct turn *t, const struct box *b, struct point by, bool walls);
/* How far it can go before it touches ground that costs something and that it does not touch yet, and what it costs;
 * the length of `by` and 0 when there is none. */
int32_t ground_cost_travel(const struct turn *t, const struct box *b, struct point by, int32_t *cost);
/* Does the box stand on ground where nobody may be (or, with `walls`, across a wall)? */
bool ground_blocks(const struct turn *t, const struct box *b, bool walls);
/* Has any of the ground an effect? */
bool ground_counts(const struct turn *t);

#endif
