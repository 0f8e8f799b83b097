/* Commands of players and of the referee, for the files that read them. */
#ifndef GALLOPER_ORDERS_COMMAND_H
#define GALLOPER_ORDERS_COMMAND_H

#include "orders/parse.h"

/* What follows the word. */
enum shape {
	SHAPE_NONE,
	SHAPE_ORDERS,        /* the referee's: [TURN n] */
	SHAPE_HOLD,          /* ["it"] */
	SHAPE_TURN,          /* [TURN n] */
	SHAPE_TURN_NEEDED,   /* TO TURN n */
	SHAPE_LINE,          /* [TO LINE n] */
	SHAPE_NUMBER,        /* n */
	SHAPE_MAYBE_NUMBER,  /* [n] */
	SHAPE_CANCEL,        /* subject */
	SHAPE_CLEAR,         /* [all] */
	SHAPE_CONCEDE,       /* CONCEDE */
	SHAPE_SAY,           /* TO whom: text */
	SHAPE_ABSENT,        /* FROM date TO date; the referee's: player FROM date TO date */
	SHAPE_SKIP,          /* FROM date [TO date] | OFF */
	SHAPE_TEXT,          /* text */
	SHAPE_EXTEND,        /* n DAYS */
	SHAPE_REVIEW,        /* ON [n HOURS] | OFF */
	SHAPE_AMEND,         /* event HITS k | event VOID */
	SHAPE_DIE,           /* name = value */
	SHAPE_SET,           /* unit BASES|FIGURES n */
	SHAPE_PLACE,         /* unit AT place FACING direction */
	SHAPE_UNIT,          /* unit */
	SHAPE_UNDO,          /* ["that" | "change"] [n] */
	SHAPE_ORDER,         /* side [TURN n]: text */
	SHAPE_VOID,          /* ORDERS side [unit] [TURN n] */
	SHAPE_NAME_AND_TEXT, /* name text */
	SHAPE_REPLACE,       /* player WITH address */
};

struct command_row {
	struct command_info info;
	enum shape shape;
};

/* The row of that verb, in the table of all of them (command_table.c). */
const struct command_row *command_row(int verb);

/* Reads what follows the word into the fields of the record; false when it is not of that shape, told or not
 * (command_shape.c). */
bool read_shape(struct parser *p, struct command_record *c, enum shape shape);
/* [ "turn" n ] [ "before" event ] [ "because" reason ] */
void read_tail(struct parser *p, struct command_record *c);
bool take_text(struct parser *p, const char *folded);

#endif
