/* A referee's changes (and the dice of a rules case) as inputs of resolution. Stored by key; applied at their event, at
 * their die, or at a phase boundary; the turn is then resolved again from its start and only consequences move. */
#ifndef GALLOPER_BATTLE_AMENDMENT_H
#define GALLOPER_BATTLE_AMENDMENT_H

#include "battle/event.h"

enum amendment_op {
	AMEND_DIE,     /* key = die name, value */
	AMEND_DEAL,    /* a case's `die` line: unit (or -1 with side), purpose, values dealt in rolling order */
	AMEND_HITS,    /* key = event, value = hits */
	AMEND_VOID,    /* key = event: it happens without effect (for a volley or melee: no hits; for a move or charge:
			  stands) */
	AMEND_BASES,   /* unit, value */
	AMEND_FIGURES, /* unit, value */
	AMEND_PLACE,   /* unit, box.front and box.facing */
	AMEND_REMOVE,
	AMEND_RESTORE,
	AMEND_KILL,
	AMEND_SPARE,   /* unit */
	AMEND_VERDICT, /* the battle ends before phase `unit` or a later one: value = who has won (enum winner; OPEN:
			  points say), side = who conceded, or -1 for a word of the referee, `because` */
};

struct amendment {
	enum amendment_op op;
	const char *key;     /* event key or die name; "" if none */
	const char *purpose; /* DEAL: shoot, powder ... */
	int unit;            /* -1 for none */
	int side;            /* DEAL for a side's dice; else -1 */
	int value;
	int *values, value_count; /* DEAL */
	struct box box;
	/* From BASES on: applied just before this event; "" = at the end of the turn; amendment_after_phase = at the
	 * end of that phase, for a turn that has been played only so far. */
	const char *before;
	const char *because; /* printed as the referee's ruling; "" in a case */
	int used;            /* out: how often it was applied, in DEAL how many values were dealt */
};

struct amendments {
	struct amendment **list;
	int count;
};

/* The moment after that phase of the turn (an index), for `before`; on `mem`. */
char *amendment_after_phase(TALLOC_CTX *mem, int phase);

struct amendments *amendments_new(TALLOC_CTX *mem);
struct amendment *amendments_add(struct amendments *a, enum amendment_op op);
char *amendments_write(TALLOC_CTX *mem, const struct amendments *a, size_t *len);
struct err *amendments_read(TALLOC_CTX *mem, const char *bytes, size_t len, struct amendments **out) MUST_CHECK;

#endif
