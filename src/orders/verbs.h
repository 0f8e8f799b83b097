/* The words of the language: verbs of clauses, verbs of mail and referee commands, and the small words between them.
 * One table; lexer, parser, messages and HELP all read it. */
#ifndef GALLOPER_ORDERS_VERBS_H
#define GALLOPER_ORDERS_VERBS_H

#include <stdbool.h>
#include <stddef.h>

/* Commands of players (by mail) and of the referee (by mail or `galloper referee`). */
enum command_verb {
	/* players and referee */
	COMMAND_HELP,
	COMMAND_STATUS,
	COMMAND_MAP,
	COMMAND_RULES,
	COMMAND_ORDERS,
	COMMAND_RESEND, /* turn */
	COMMAND_WHY,    /* number: the event of the last report */
	COMMAND_ACCEPT,
	COMMAND_FORGET,
	COMMAND_READY,
	COMMAND_WAIT,
	COMMAND_CONCEDE,
	COMMAND_NO_CONCEDE,
	COMMAND_CANCEL, /* units; the orders list of the sheet has it too */
	COMMAND_CLEAR,  /* the same */
	COMMAND_SAY,    /* name: side, all or referee; text */
	COMMAND_ABSENT, /* from, to; name: the player, when a referee writes it */
	COMMAND_DRILL,
	/* referee only */
	COMMAND_PAUSE,
	COMMAND_RESUME,
	COMMAND_DEADLINE, /* text: date and time as typed */
	COMMAND_EXTEND,   /* number: days */
	COMMAND_SKIP,     /* from, to ("": one day); text: "off" */
	COMMAND_RESOLVE,  /* turn */
	COMMAND_REVIEW,   /* text: on, off; number: hours */
	COMMAND_HOLD,
	COMMAND_PREVIEW,
	COMMAND_RELEASE, /* turn */
	COMMAND_AMEND,   /* name: event; number: hits, or -1 for VOID */
	COMMAND_DIE,     /* name; number */
	COMMAND_SET,     /* units; name: "bases" or "figures"; number; before */
	COMMAND_PLACE,   /* units; place, heading; before */
	COMMAND_REMOVE,
	COMMAND_RESTORE,
	COMMAND_KILL,
	COMMAND_SPARE,       /* units; before */
	COMMAND_UNDO,        /* number (-1: the latest change) */
	COMMAND_ORDER,       /* side; text: the order as typed */
	COMMAND_VOID,        /* side, [units] */
	COMMAND_RULE,        /* name: option; text: value */
	COMMAND_ROLLBACK,    /* turn */
	COMMAND_ROLLFORWARD, /* number: of the line, or -1 */
	COMMAND_REPLACE,     /* name: player; text: address */
	COMMAND_DEPUTY,      /* the same */
	COMMAND_GRANT,       /* name: player; text: units as typed; units */
	COMMAND_APPROVE,
	COMMAND_REJECT,  /* [number] */
	COMMAND_VERDICT, /* text */
	COMMAND_NOTE,    /* text */
	COMMAND_VERBS
};

struct command_info {
	const char *word;  /* resend */
	const char *usage; /* RESEND [TURN n] */
	const char *help;  /* one short sentence for HELP */
	bool referee;      /* the referee's alone */
};

const struct command_info *command_info(enum command_verb verb);
/* The same as a referee writes it, for whom ABSENT is of a player. */
const struct command_info *command_info_for(enum command_verb verb, bool referee);

/* Does it change a result, so that it ends in BECAUSE and a reason? */
bool command_wants_reason(enum command_verb verb);
/* Does it change a piece, so that it may say BEFORE which event? */
bool command_takes_before(enum command_verb verb);

#endif
