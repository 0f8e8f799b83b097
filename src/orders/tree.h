/* Orders as understood: bound to the pieces of one battle (by index into state->units) and ready for the rules. */
#ifndef GALLOPER_ORDERS_TREE_H
#define GALLOPER_ORDERS_TREE_H

#include "battle/state.h"

enum clause_kind {
	CLAUSE_MOVE,
	CLAUSE_FACE,
	CLAUSE_FIRE,
	CLAUSE_HOLD_FIRE,
	CLAUSE_CHARGE,
	CLAUSE_NO_CHARGE, /* takes a charge ordered before back; in no orderbook */
	CLAUSE_MELEE,
	CLAUSE_JOIN,
	CLAUSE_LEAVE,
	CLAUSE_HOLD,
	CLAUSE_COLUMN, /* RH13: goes into column before it moves; LINE leaves it */
	CLAUSE_LINE,
	CLAUSE_RALLY, /* RH53: the general goes to that unit, as far as he can, and rallies it */
	CLAUSE_HALT,  /* RH49, RH50: cavalry that wins tries to halt and not to follow or pursue */
	CLAUSE_IF,
};

/* An angle, or a direction relative to the unit's own facing: relative is added to the facing when it is carried out.
 */
struct heading {
	bool relative; /* forward 0, right 90, back 180, left 270 */
	int degrees;   /* 0..359 */
};

enum { SQUARE_NAME_MAX = 5 };

enum leg_kind { LEG_HEADING, LEG_PLACE, LEG_TOWARD, LEG_AWAY };

struct leg {
	enum leg_kind kind;
	struct heading heading;           /* HEADING */
	struct point place;               /* PLACE: where the front midpoint is to come */
	char square[SQUARE_NAME_MAX + 1]; /* PLACE: the square's name when it was given by one, "H4.7" */
	int unit;                         /* TOWARD, AWAY */
	int32_t distance;                 /* thousandths; 0 = all that is left of the allowance */
};

enum face_kind { FACE_HEADING, FACE_UNIT, FACE_PLACE, FACE_TURN, FACE_WHEEL };

struct face {
	enum face_kind kind;
	struct heading heading;           /* HEADING */
	int unit;                         /* UNIT */
	struct point place;               /* PLACE */
	char square[SQUARE_NAME_MAX + 1]; /* PLACE: as above */
	int degrees;                      /* TURN, WHEEL: clockwise, negative = left */
};

enum target_kind { TARGET_UNIT, TARGET_NEAREST, TARGET_ANY };

struct target {
	enum target_kind kind;
	int unit;
	int hits; /* in a melee clause: how many hits (RH56: how many bases) it is to get; 0 = no number given */
};

enum condition_kind {
	CONDITION_WITHIN, /* unit, nearest to it, within distance of `of`; see subject */
	CONDITION_STATUS, /* unit is gone / locked / routing */
	CONDITION_BASES,  /* own bases against number */
	CONDITION_FIGURES,
	CONDITION_OUT_OF_POINTS, /* RH: none left when it is this unit's turn to get one */
	CONDITION_POINTS,        /* RH: the side's command points then left against number */
	CONDITION_INITIATIVE,    /* RH: the unit's side goes first this turn */
	CONDITION_AND,
	CONDITION_OR,
	CONDITION_NOT,
};

enum within_subject { WITHIN_UNIT, WITHIN_ENEMY, WITHIN_CHARGE_TARGET };
enum unit_status { STATUS_GONE, STATUS_LOCKED, STATUS_ROUTING };
enum comparison { COMPARE_LESS, COMPARE_AT_MOST, COMPARE_EQUAL, COMPARE_AT_LEAST, COMPARE_MORE };

struct condition {
	enum condition_kind kind;
	enum within_subject subject; /* WITHIN */
	int unit;                    /* WITHIN with WITHIN_UNIT, STATUS */
	int of;                      /* WITHIN: measured from this unit; -1 = the unit that has the order */
	int32_t distance;
	enum unit_status status;
	enum comparison comparison;
	int number;
	struct condition *left, *right; /* AND, OR; NOT has left */
};

/* Where a clause stands in its mail, for messages. */
struct place_in_text {
	int line, column; /* 1-based; 0 for none */
};

struct clause {
	enum clause_kind kind;
	struct place_in_text at;
	struct leg *legs; /* MOVE */
	int leg_count;
	struct face face;       /* FACE */
	struct target *targets; /* FIRE, CHARGE, MELEE; NO_CHARGE: of these only, when there are any */
	int target_count;
	int unit;                        /* JOIN, RALLY */
	struct condition *condition;     /* IF; a trailing `if` is turned into this form by the parser */
	struct clause *then, *otherwise; /* IF: lists linked by `next` */
	bool standing;                   /* in an orderbook: it stands until it is changed */
	struct clause *next;
};

/* What one unit is to do this turn, after merging (ORDERS.md rules 8 and 15). */
struct unit_orders {
	/* In written order; NULL = no order (FP2). RH20: a fire clause before the first move clause fires first. */
	struct clause *clauses;
	bool standing; /* some of it stands until it is changed */
};

/* The orders of both sides for one turn: one entry for each piece of the state, in its order. */
struct orderbook {
	struct unit_orders *units;
	int count;
	/* RH4: every unit of that side with orders once, in the order in which points are spent: those of each
	 * player's last PRIORITY line, then the others as the sheets name them. */
	int *priority[SIDES];
	int priority_count[SIDES];
};

/* Everybody without orders. On `mem`. */
struct orderbook *orderbook_new(TALLOC_CTX *mem, const struct state *s);

#endif
