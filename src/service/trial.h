/* Playing a rules case: `galloper try` and, many times over, `galloper odds`. */
#ifndef GALLOPER_SERVICE_TRIAL_H
#define GALLOPER_SERVICE_TRIAL_H

#include "service/casefile.h"

struct finding {
	int line; /* of the expectation, or of the `die` line that was not used up */
	bool passed;
	const char *got; /* why it failed, as after "expected ...,"; NULL when it passed or nobody asked */
};

struct trial {
	const struct rules_case *of;
	struct state *state;      /* at the end */
	struct events *events;    /* of all turns */
	struct finding *findings; /* the expectations in file order; talloc child */
	int finding_count;
	const char **failures; /* "line 12: expected a bases 5, got 4"; values left over among them */
	int failure_count;
};

/* Plays the case with the dice of `seed`. With `explain` the failures are put into words and values that no die took
 * fail the case; without it (for odds) only findings are made. On `mem`. */
struct trial *trial_run(TALLOC_CTX *mem, const struct rules_case *c, uint64_t seed, bool explain);

/* The log of a trial as a player would read it, each line ended; on `mem`. */
char *trial_log(TALLOC_CTX *mem, const struct trial *t);

#endif
