/* For the command_*.c files of the referee's desk: the last resolved turn while one mail amends it. All its changes are
 * answered together (finish_amending, command.h) and mailed to the players once. */
#ifndef GALLOPER_SERVICE_AMENDING_H
#define GALLOPER_SERVICE_AMENDING_H

#include "service/command.h"
#include "service/referee.h"

struct amending {
	struct resolved *first; /* as it counted before this mail */
	struct resolved *now;
	struct resolved *told;      /* as the players know it; NULL while it is held for review */
	struct events *labels;      /* whose numbers the referee writes */
	int version;                /* the resolution that they are of */
	struct given_reason *given; /* for the players, in order */
	int given_count;
	struct acted_for *acted; /* for those whose orders were changed */
	int acted_count;
};

/* An ORDER or VOID ORDERS of this mail for a turn that the players know, as people_acted_for wants it. */
struct acted_for {
	enum side side;
	const struct sheet *sheet;
	int turn;
	const char *did, *because;
};

/* What this mail has changed and why, in a sentence. */
struct given_reason {
	const char *text;
	const struct amendment *about; /* NULL: orders */
	bool takes_back;
};

/* Begins to amend, unless this mail has begun: a->amending is set then. *ready is false (and told) when there is
 * nothing to amend. */
struct err *amending_begin(struct asking *a, bool *ready) MUST_CHECK;

/* The reason that comes with a command; NULL after a refusal. */
const char *amending_reason(struct asking *a, const struct command_record *c);

/* A change on its way: what it does in words, as all players read it, and the referee's reason. */
struct ruling {
	const char *did; /* "Barrell's (R) has 4 bases" */
	const char *why;
};

/* Resolves the turn again with it; `without` says what it means if that would do nothing. */
struct err *amending_apply(struct asking *a, const struct command_record *c, const struct change *change,
	const struct ruling *ruling, const char *without) MUST_CHECK;

/* Lets the held turn go. Its reports are written when the mail's next commands about time are done (finish_desk). */
struct err *release_turn(struct asking *a) MUST_CHECK;

/* Notes a reason for the players; `about` is NULL where orders have changed. */
void amending_give_reason(struct asking *a, const struct amendment *about, bool takes_back, const char *text);

/* A piece as all read it: "Barrell's (R)", "English gun 1", since both sides have a gun 1; and as it is typed to the
 * referee's desk. On a->mem. */
const char *desk_piece(struct asking *a, int unit);
const char *desk_code(struct asking *a, int unit);

#endif
