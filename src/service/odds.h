/* `galloper odds`: one case with many seeds. */
#ifndef GALLOPER_SERVICE_ODDS_H
#define GALLOPER_SERVICE_ODDS_H

#include "service/casefile.h"

enum { ODDS_RUNS_MAX = 100000000 };

/* Plays the case `runs` times, with its own seed and the seeds that follow it, and writes CSV to `out`: a line
 * `unit,CODE,bases,N,SHARE` for each number of bases (from what it began with down to 0), `commander,CODE,dead,SHARE`,
 * `expect,LINE,SHARE` for each expectation, and `runs,N`. The work is divided among `workers` processes (0: one for
 * each processor); the result does not depend on how many. `progress` is a terminal's descriptor for a line that counts
 * the runs after the first second, or -1. */
struct err *odds_run(
	TALLOC_CTX *mem, const struct rules_case *c, long runs, int workers, int progress, struct buf *out) MUST_CHECK;

#endif
