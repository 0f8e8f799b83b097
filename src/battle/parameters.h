/* Every number that differs between battles or that a referee might change: a value in the rule set's .rules file, that
 * a .battle file, `set` in a case, `game new --set` or RULE may override. A rule set owns the table of its parameters;
 * this module reads and keeps values for any table. */
#ifndef GALLOPER_BATTLE_PARAMETERS_H
#define GALLOPER_BATTLE_PARAMETERS_H

#include "base/line.h"

enum parameter_type { PARAMETER_NUMBER, PARAMETER_INCHES, PARAMETER_FLAG, PARAMETER_CHOICE };

struct parameter_def {
	const char *name; /* infantry-move */
	enum parameter_type type;
	int32_t min, max;    /* INCHES: thousandths; FLAG: 0..1 */
	const char *choices; /* CHOICE: "marked ground"; the value is the index */
	const char *help;    /* one sentence */
	const char *rulings; /* the rulings in which the number stands: "FP15 FP24"; NULL where there are none */
};

struct parameters {
	const char *rules; /* name of the rule set that owns the table (not copied); NULL when it does not matter */
	const struct parameter_def *defs;
	int count;
	int32_t *values; /* one for each def */
	bool *given;
};

struct parameters *parameters_new(TALLOC_CTX *mem, const struct parameter_def *defs, int count);
struct parameters *parameters_copy(TALLOC_CTX *mem, const struct parameters *p);

/* Reads a whole .rules file: lines "NAME VALUE"; each parameter exactly once. */
struct err *parameters_read(
	TALLOC_CTX *mem, struct parameters *p, const char *file, const char *text, size_t len) MUST_CHECK;

/* Sets from words `index` (name) and `index` + 1 (value) of a line: "infantry-move 6", "wet-powder on", "pace turn". */
struct err *parameters_set(TALLOC_CTX *mem, struct parameters *p, const struct line *l, int index) MUST_CHECK;

/* The value of a name that must exist in the table (assertion). Rule sets index `values` by their own enum instead. */
int32_t parameters_get(const struct parameters *p, const char *name);

/* The value as its file would write it; on `mem`. */
char *parameters_text(TALLOC_CTX *mem, const struct parameters *p, int index);

/* What each one means, which values it takes and which it has, two lines for each; on `mem`. */
char *parameters_manual(TALLOC_CTX *mem, const struct parameters *p);

#endif
