/* A piece on the table: a foot or horse unit, a gun, or a commander. */
#ifndef GALLOPER_BATTLE_UNIT_H
#define GALLOPER_BATTLE_UNIT_H

#include "battle/geometry.h"

enum side { SIDE_GOVERNMENT, SIDE_JACOBITE, SIDES }; /* case letters E and J */

enum kind { KIND_FOOT, KIND_CLAN, KIND_HORSE, KIND_GUN, KIND_COMMANDER, KIND_DISMOUNTED, KIND_HUSSAR, KINDS };

enum { UNIT_ID_MAX = 11, UNIT_CODE_MAX = 3, UNIT_NAME_MAX = 63, UNIT_WING_MAX = 31 };

struct unit {
	/* What does not change in a battle. */
	char id[UNIT_ID_MAX + 1];     /* LIGD; unique in the battle */
	char code[UNIT_CODE_MAX + 1]; /* B; for a gun its number */
	char name[UNIT_NAME_MAX + 1]; /* Ligonier's (dragoons) */
	char wing[UNIT_WING_MAX + 1]; /* Left; "" for none */
	enum side side;
	enum kind kind;
	bool overall;      /* a commander of the whole army */
	int begun;         /* bases at the start; a commander has 1 */
	int figures_begun; /* RH */
	/* What does. */
	int bases;   /* 0: destroyed, lost or (a commander) fallen */
	int figures; /* RH */
	struct box box;
	int16_t quarter;      /* FP78: quarter turns by which its front is off its ranks; box is as it faces now */
	int16_t with;         /* a commander: index of the unit he is attached to, or -1 */
	bool routing, column; /* RH */
	int16_t halted;       /* RH53: turns of its halt after a rally */
	int16_t pursues;      /* RH50: index of the routing unit that it will pursue in its next movement, or -1 */
	/* Memory within one turn, cleared at its end. */
	bool charged;          /* made a charge move this turn (FP50, FP70) */
	bool fired;            /* shot in its Shoot phase */
	bool closed_fire;      /* fired at chargers */
	bool fought;           /* fought a round of melee this turn */
	int16_t charge_target; /* index of the unit it declared against, or -1 */
	int16_t gun_hits;      /* FP41 */
	int32_t used;          /* inches used in the Move phase */
	bool ran;              /* RH52: has made its rout move this turn */
	/* RH: memory within one half of a turn, cleared at its end. */
	int16_t points_left; /* of its side, when it was its turn to get one (RH4) */
	bool commanded;      /* has got a command point */
	bool balked;         /* its nerve failed: no charge and no move (RH7) */
	bool fled;           /* runs from a charge (RH37) */
	bool broke;          /* began to rout (RH51, RH54) */
	bool wounded;        /* lost figures (RH51) */
};

static inline bool unit_alive(const struct unit *u)
{
	return u->bases > 0;
}

/* Foot or horse of any sort: what fights in melee and counts for breaking. */
static inline bool unit_is_formed(const struct unit *u)
{
	return u->kind != KIND_GUN && u->kind != KIND_COMMANDER;
}

static inline bool unit_is_horse(const struct unit *u)
{
	return u->kind == KIND_HORSE || u->kind == KIND_HUSSAR;
}

static inline bool unit_is_foot(const struct unit *u)
{
	return u->kind == KIND_FOOT || u->kind == KIND_CLAN || u->kind == KIND_DISMOUNTED;
}

/* RH30: the bases that so many of its figures stand on. */
static inline int unit_bases_of(const struct unit *u, int figures)
{
	return (figures * u->begun + u->figures_begun - 1) / u->figures_begun;
}

static inline enum side side_other(enum side s)
{
	return s == SIDE_GOVERNMENT ? SIDE_JACOBITE : SIDE_GOVERNMENT;
}

/* The words of battle and case files: "foot", "clan", "dragoon-dismounted" ...; kind_from_word gives -1 for none. */
const char *kind_word(enum kind k);
int kind_from_word(const char *word);

#endif
