/* Rules cases: small text files that set out a few units, give orders and dice, play turns and say what has to come of
 * it. `galloper try` and `galloper odds` run them with no database and no mail. A line begins with its keyword:
 *
 *   case   FP36-a Wet powder halves the die, rounding up
 *   battle falkirk                         its rules and numbers, an empty table; `deploy` sets out its armies
 *   rules  shreds                          the other rule set
 *   set    OPTION VALUE                    any option of the rule set
 *   seed   N                               for all dice not given (1)
 *   unit, commander, locked, wall, wood, river, bog, ravine       as in a battle file
 *   orders E|J                             order language down to the next keyword, for the next turn
 *   die    UNIT PURPOSE = V V V            for the next turn
 *   turn   [N]
 *   concede E|J [approved]                 that side gives up; the battle ends if the referee approves
 *   verdict E|J|draw ["WORDS"]             the referee ends it
 *   expect ...                             see expect_line in casefile.c
 *
 * No army breaks and no turn limit applies unless the case sets `break on` or `turn-limit N`. */
#ifndef GALLOPER_SERVICE_CASEFILE_H
#define GALLOPER_SERVICE_CASEFILE_H

#include "orders/sheet.h"
#include "report/chronicle.h"
#include "rules/ruleset.h"

enum expect_kind {
	EXPECT_BASES,     /* number */
	EXPECT_FIGURES,   /* number */
	EXPECT_AT,        /* at, facing, within */
	EXPECT_LOCKED,    /* other, or with anybody */
	EXPECT_DESTROYED, /* a commander: fallen */
	EXPECT_ROUTING,
	EXPECT_COLUMN,
	EXPECT_WITH,   /* other */
	EXPECT_DIE,    /* purpose: has rolled a die for it */
	EXPECT_EVENT,  /* texts */
	EXPECT_RULING, /* texts[0] */
	EXPECT_WINNER, /* number: enum winner */
};

struct expectation {
	enum expect_kind kind;
	bool negated;
	int line;
	const char *words; /* the line without "expect", its blanks narrowed */
	const char *name;  /* the unit as written; NULL if the expectation is about none */
	int unit;          /* its index, or -1: there never was one, which fails */
	const char *other_name;
	int other;
	int number;
	struct point at;
	int facing;     /* degrees, or -1 for any */
	int32_t within; /* thousandths; the facing may then be off by as many degrees as it has whole inches */
	const char *purpose;
	const char **texts;
	int text_count;
};

struct dealt {
	int line;
	const char *name; /* as written */
	int unit, side;   /* one of the two, the other -1 */
	const char *purpose;
	int *values;
	int count;
};

enum step_kind { STEP_ORDERS, STEP_DIE, STEP_TURN, STEP_END, STEP_EXPECT };

struct case_step {
	enum step_kind kind;
	int line;
	enum side side;      /* ORDERS */
	struct sheet *sheet; /* ORDERS: read against the set-up */
	struct dealt dealt;  /* DIE */
	int turns;           /* TURN */
	enum winner winner;  /* END: WINNER_OPEN when a referee has not approved */
	bool conceded;       /* END */
	const char *because; /* END */
	struct expectation expect;
};

struct rules_case {
	const char *file;
	const char *name; /* FP36-a; the file's name when it has no `case` line */
	const char *title;
	uint64_t seed;
	const struct ruleset *rules;
	struct scenario *scenario; /* its state is the set-up */
	struct chronicle *words;   /* for the events' sentences */
	struct case_step *steps;   /* in file order; talloc child */
	int step_count;
};

/* Reads a case. Errors are file:line:column and say what was expected there; an order that cannot be read is one, an
 * order that cannot be carried out is none. Everything on `mem`. */
struct err *case_read(
	TALLOC_CTX *mem, const char *file, const char *text, size_t len, struct rules_case **out) MUST_CHECK;

#endif
