/* Looking over a battle that has been read: what makes it unplayable, what a teacher will not have meant, and what his
 * players should know. */
#ifndef GALLOPER_BATTLE_INSPECT_H
#define GALLOPER_BATTLE_INSPECT_H

#include "battle/scenario.h"

enum flaw_weight {
	FLAW_FATAL,   /* no game can be made of it: off the table, on another piece, an id or code given twice */
	FLAW_PROBLEM, /* playable, but surely wrong: enemies too near, names that are alike, codes the map cannot show
		       */
	FLAW_NOTE     /* worth knowing: a word that names several units, no history */
};

struct flaw {
	enum flaw_weight weight;
	int piece;        /* index of the piece that it is about, or -1 */
	const char *what; /* one sentence without a full stop */
};

struct flaws {
	struct flaw *list; /* fatal ones first, then as they stand in the file */
	int count;
};

/* The first fatal flaw, or NULL; what every reading of a battle checks. On `mem`. */
struct flaw *scenario_fault(TALLOC_CTX *mem, const struct scenario *s);

/* All flaws; on `mem`. `minimum` is how near to each other enemies may be set out, in thousandths of an inch. */
struct flaws *scenario_inspect(TALLOC_CTX *mem, const struct scenario *s, int32_t minimum);

/* "FILE:LINE:1" of a flaw's piece, "FILE:1:1" for one of the whole battle; on `mem`. */
const char *flaw_place(TALLOC_CTX *mem, const struct scenario *s, const struct flaw *f);

#endif
