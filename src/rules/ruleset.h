/* A rule set: an ordered table of phases, its parameters, and a way to look ahead. Resolution is one phase a call. */
#ifndef GALLOPER_RULES_RULESET_H
#define GALLOPER_RULES_RULESET_H

#include "base/dice.h"
#include "battle/amendment.h"
#include "battle/plan.h"
#include "battle/scenario.h"
#include "orders/tree.h"

struct turn;
struct aim;
struct tally;

enum { GROUND_FREE = 0, GROUND_STOPS = -1 };

struct phase {
	const char *key;   /* in dice and event names: move shoot charge melee, and end */
	const char *title; /* "move", told after the side's label; or alone: "Charge" */
	int side;          /* whose phase; -1 both */
	void (*run)(struct turn *t);
	bool rest; /* under `pace phased` (FP1) the turn rests after it, until new orders are in */
};

/* What the events of shared code cite where the rule sets have rulings of their own: a commander who rides, joins, has
 * to stay in a melee, makes way, is set down; ground that a move paid for or was stopped by. */
struct shared_rulings {
	const char *ride, *join, *stays, *displaced, *set_down, *paid, *stopped;
	const char *broken, *points, *by_points, *turn_limit; /* an army breaks; the points, and what they decide */
	const char *conceded, *verdict; /* a battle that the referee ends; NULL: no ruling of this rule set */
};

/* What dice are rolled for, as cases name it. */
struct die_purpose {
	const char *word;
	bool side; /* a side rolls it, not a piece */
	int faces; /* the largest die that is ever rolled for it */
};

struct ruleset {
	const char *name; /* fastplay; its numbers are db/rules/NAME.rules, its words templates/NAME.events */
	const struct phase *phases;
	int phase_count;
	const struct parameter_def *parameters;
	int parameter_count;
	const struct die_purpose *purposes; /* the last has no word */
	struct shared_rulings rulings;
	const char *credit;  /* whose rules they are, a sentence for the end of a battle */
	bool command_points; /* orders_context.shreds: PRIORITY, column, line, rally and halt mean something */
	bool dice_add_up;    /* a die's value is hits (RH23, RH45); else a die is one hit at most */
	/* Gives the pieces what these rules count and the battle file does not say; NULL when there is nothing. */
	void (*muster)(struct scenario *sc);
	/* Inches that it costs to enter such ground, GROUND_FREE or GROUND_STOPS; `walls` says that no wall is to be
	 * crossed. */
	int32_t (*ground)(const struct turn *t, enum terrain_kind kind, bool walls);
	/* Can the unit fire at that target (aim.h)? `front` only asks about fire to the front. */
	enum event_reason (*aim)(struct turn *t, int unit, int target, bool front, struct aim *out);
	/* How far the unit fires at most; 0 for any distance. */
	int32_t (*range)(const struct turn *t, int unit);
	/* The target that a charge clause (NULL: none) comes to now, legal or not, or -1. */
	int (*charge_target)(struct turn *t, int unit, const struct clause *c);
	/* After a referee's change to that piece (`moved`: to its place): its footprint, melees and who rides with it.
	 */
	void (*settle)(struct turn *t, int unit, bool moved);
	/* What the side has lost of what it began with, counted in what makes an army break. */
	void (*losses)(const struct turn *t, enum side side, int *lost, int *begun);
	/* What each side has earned as the battle stands (verdict.h); NULL where nothing is counted. */
	void (*tally)(struct turn *t, struct tally *out);
	struct plan *(*foresee)(TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, enum side side,
		const struct orderbook *orders);
};

/* NULL when there is none of that name. */
const struct ruleset *ruleset_find(const char *name);
/* The index-th, for listing; NULL past the end. */
const struct ruleset *ruleset_at(int index);

/* All that a phase works with. Rule sets change `state` and emit events (turn.h); `sc` gives table, ground and
 * parameters. */
struct turn {
	TALLOC_CTX *mem; /* scratch, freed after the phase */
	const struct ruleset *rules;
	const struct scenario *sc;
	struct state *state;
	const struct orderbook *orders;
	struct amendments *amendments;
	const struct dice *dice;
	struct events *events;
	const struct phase *phase;
	int first_event;   /* index of the first event of this phase */
	bool *looked;      /* the pieces looked at since the last event */
	struct plan *plan; /* foresee: what becomes of moves is noted here; NULL in a turn */
};

/* Resolves the phase `before->next_phase` and appends its events. The result on `mem` has the next phase, or after the
 * last one turn + 1 and phase 0 (or a winner). `amendments` may be NULL; their `used` is counted. Pure: nothing else is
 * read or changed. */
struct state *step(TALLOC_CTX *mem, const struct ruleset *rules, const struct scenario *sc, const struct state *before,
	const struct orderbook *orders, struct amendments *amendments, const struct dice *dice, struct events *events);

/* Steps until the turn number changes or there is a winner, or until `phase` is the next one; 0 never is within a turn.
 */
struct state *resolve_until(TALLOC_CTX *mem, const struct ruleset *rules, const struct scenario *sc,
	const struct state *before, int phase, const struct orderbook *orders, struct amendments *amendments,
	const struct dice *dice, struct events *events);

/* The whole turn. */
struct state *resolve_turn(TALLOC_CTX *mem, const struct ruleset *rules, const struct scenario *sc,
	const struct state *before, const struct orderbook *orders, struct amendments *amendments,
	const struct dice *dice, struct events *events);

#endif
