/* The Fast Play rules by Matt Fritz (Junior General) as one rule set for Falkirk, Culloden and Prestonpans. A phase is
 * a file; this header is for them alone. */
#ifndef GALLOPER_RULES_FASTPLAY_FASTPLAY_H
#define GALLOPER_RULES_FASTPLAY_FASTPLAY_H

#include "rules/act.h"

/* name, type, least, most, choices, help: the parameters in the order of their enum. */
#define FASTPLAY_PARAMETERS(X)                                                                                         \
	X(INFANTRY_MOVE, "infantry-move", INCHES, 0, INCH(40), NULL, "How far foot may move in a turn.")               \
	X(HORSE_MOVE, "horse-move", INCHES, 0, INCH(40), NULL, "How far horse may move in a turn.")                    \
	X(COMMANDER_MOVE, "commander-move", INCHES, 0, INCH(40), NULL, "How far a commander may ride in a phase.")     \
	X(INFANTRY_CHARGE, "infantry-charge", INCHES, 0, INCH(40), NULL, "How far foot may charge.")                   \
	X(HORSE_CHARGE, "horse-charge", INCHES, 0, INCH(40), NULL, "How far horse may charge.")                        \
	X(CLEARANCE, "clearance", INCHES, 0, INCH(6), NULL, "How near to an enemy a move may come.")                   \
	X(INFANTRY_RANGE, "infantry-range", INCHES, 0, INCH(120), NULL, "How far muskets reach.")                      \
	X(FLANK_DICE, "flank-dice", NUMBER, 0, 6, NULL, "Dice at a target to the side, and against chargers there.")   \
	X(SHOOT_HIT, "shoot-hit", NUMBER, 2, 7, NULL, "A volley hits on this or more.")                                \
	X(CLOSE_HIT, "close-hit", NUMBER, 2, 7, NULL, "Fire at chargers hits on this or more.")                        \
	X(FOOT_MELEE_HIT, "foot-melee-hit", NUMBER, 2, 7, NULL, "Foot in melee hits on this or more.")                 \
	X(CHARGE_MELEE_HIT, "charge-melee-hit", NUMBER, 2, 7, NULL,                                                    \
		"Jacobite foot that charged hits on this or more.")                                                    \
	X(HORSE_MELEE_HIT, "horse-melee-hit", NUMBER, 2, 7, NULL, "Horse in melee hits on this or more.")              \
	X(COMMANDER_HIT, "commander-hit", NUMBER, 2, 7, NULL, "A commander in melee hits on this or more.")            \
	X(COMMANDER_FALLS, "commander-falls", NUMBER, 2, 7, NULL, "A commander at risk falls on this or more.")        \
	X(WET_POWDER, "wet-powder", FLAG, 0, 1, NULL, "Rain: a die says how many bases have dry powder.")              \
	X(FIRE_AT_CHARGERS, "fire-at-chargers", CHOICE, 0, 1, "always discipline",                                     \
		"Every charged foot unit fires, or the Government's alone and after a test.")                          \
	X(DISCIPLINE_MODIFIER, "discipline-modifier", NUMBER, -6, 6, NULL, "Added to the die of the test.")            \
	X(GUN_DICE, "gun-dice", NUMBER, 1, 12, NULL, "Dice a gun.")                                                    \
	X(GUN_CORRIDOR, "gun-corridor", INCHES, 0, INCH(12), NULL, "Room that a gun needs between friends.")           \
	X(GUN_HITS, "gun-hits", NUMBER, 1, 12, NULL, "Hits in one turn that take a gun.")                              \
	X(TERRAIN, "terrain", CHOICE, 0, 1, "marked ground", "Walls and ground are drawn only, or have effect.")       \
	X(WALL_COST, "wall-cost", INCHES, 0, INCH(12), NULL, "What crossing a wall costs foot.")                       \
	X(PACE, "pace", CHOICE, 0, 1, "turn phased", "One deadline a turn, or three.")                                 \
	X(TURN_LIMIT, "turn-limit", NUMBER, 0, 100, NULL, "The last turn; 0 for no limit.")                            \
	X(BREAK, "break", FLAG, 0, 1, NULL, "Whether an army breaks.")                                                 \
	X(BREAK_PERCENT, "break-percent", NUMBER, 1, 100, NULL,                                                        \
		"Bases lost, in 100 of foot and horse, that break it.")                                                \
	X(POINTS_FOOT, "points-foot", NUMBER, 0, 1000, NULL, "Points for a base of foot.")                             \
	X(POINTS_HORSE, "points-horse", NUMBER, 0, 1000, NULL, "Points for a base of horse.")                          \
	X(POINTS_GUN, "points-gun", NUMBER, 0, 1000, NULL, "Points for a gun.")                                        \
	X(POINTS_COMMANDER, "points-commander", NUMBER, 0, 1000, NULL, "Points for a commander.")                      \
	X(POINTS_OVERALL, "points-overall", NUMBER, 0, 1000, NULL, "Points for the overall commander.")                \
	X(POINTS_THIRD, "points-third", NUMBER, 0, 1000, NULL, "Points for a third of the front held.")                \
	X(DRAW_PERCENT, "draw-percent", NUMBER, 0, 100, NULL, "A difference of points within this is a draw.")         \
	X(MINIMUM_DISTANCE, "minimum-distance", INCHES, 0, INCH(60), NULL, "Between the armies when they are set out.")

enum fastplay_parameter {
#define X(name, word, type, min, max, choices, help) P_##name,
	FASTPLAY_PARAMETERS(X)
#undef X
		FASTPLAY_PARAMETER_COUNT
};

enum fire_at_chargers { FIRE_ALWAYS, FIRE_DISCIPLINE };

extern const struct parameter_def fastplay_parameters[FASTPLAY_PARAMETER_COUNT];

static inline int32_t param(const struct turn *t, enum fastplay_parameter p)
{
	return t->sc->parameters->values[p];
}

/* The phases. */
void fastplay_move(struct turn *t);
void fastplay_shoot(struct turn *t);
void fastplay_charge(struct turn *t);
void fastplay_melee(struct turn *t);
void fastplay_end(struct turn *t);

struct plan *fastplay_foresee(TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, enum side side,
	const struct orderbook *orders);

/* --- what several phases need ---------------------------------------------------------------------------------- */

/* Has foot or horse of this index an order of that kind that holds now? `take` below fills lists. */
enum { CLAUSES_MAX = 64 };

struct taken {
	const struct clause *clause[CLAUSES_MAX]; /* in written order */
	int count;
	bool conditional; /* something of it stood under an `if` */
};

/* The unit's clauses of the kinds in `kinds` (bits 1 << CLAUSE_...) that are in force now. Conditions are judged here,
 * once, and each makes an event (unless t->events is NULL); of conditional clauses of one kind the first that holds
 * stands, and goes before an unconditional one (ORDERS, rules 4 and 8). */
void take_clauses(struct turn *t, int unit, unsigned kinds, struct taken *out);

/* Can this unit shoot at that target now, and with how many dice (FP28-FP31, FP35)? */
struct aim {
	enum arc arc;
	int32_t distance; /* to the part in that arc */
	int dice;
	enum event_reason reason; /* REASON_NONE: it may */
};
struct aim aim_at(const struct turn *t, int firer, int target);

/* How many dice of the eligible a powder die leaves (FP36). */
int wet_powder_dice(int value, int eligible);

/* Takes bases from a target of fire (FP41-FP44); the event is the volley's. */
void take_fire(struct turn *t, struct event *volley, int target, int hits);

/* A unit or gun is gone: event, locks, commanders set down or at risk. `by` may be -1. */
void destroy(struct turn *t, int unit, int by, enum event_reason reason, int before);

/* A free unit goes back into its ranks if it was faced from another edge and has room (FP78). */
void reform(struct turn *t, int unit);

/* A commander comes to stand alone, 1" clear of enemies toward his own edge (FP73, FP84). */
void set_down(struct turn *t, int commander);
/* Lone commanders whom the piece stands on are pushed aside (FP84). */
void make_room(struct turn *t, int unit);
/* A commander who is with a unit has his place at the middle of its front. */
void place_with(struct state *s, int commander);
void place_commanders_with(struct state *s, int unit);

/* A commander tries to reach the unit he is to join, within his allowance; true when he has (FP24, FP25). */
bool join_unit(struct turn *t, int commander, int unit, bool last_chance);

/* How far the box may go along `by` (FP17, FP18, FP20): `blocker` is the piece in the way or -1. */
int32_t clear_way(
	const struct turn *t, int unit, const struct box *b, struct point by, enum event_reason *reason, int *blocker);
/* Does the box stand on another piece that it may not stand on? Its index or -1. */
int stands_on(const struct turn *t, int unit, const struct box *b);

/* What a unit's movement clauses come to (FP3, FP15-FP20). */
struct course {
	struct box to;
	int32_t asked, used; /* inches of legs: as ordered, and gone */
	enum event_reason reason;
	int blocker;
	struct point path[PLAN_PATH_MAX]; /* front midpoints, from and to included */
	int path_count;
};
int32_t move_allowance(const struct turn *t, const struct unit *u);
struct course plot_course(const struct turn *t, int unit, const struct taken *orders);

#endif
