/* For the command_*.c files: a mail's (or the command line's) commands on their way, and what each file can do. A file
 * of commands ends with its list, which commands.c looks through. */
#ifndef GALLOPER_SERVICE_COMMAND_H
#define GALLOPER_SERVICE_COMMAND_H

#include "service/commands.h"

struct amending;
struct released;

struct asking {
	const struct service *s;
	TALLOC_CTX *mem;
	struct board *b;
	const struct player *p;
	const struct answered_mail *to; /* NULL: on the command line, where answers are printed */
	struct command_results *out;
	struct buf *said; /* paragraphs for the receipt or answer */
	bool stale;       /* the mail answers one of an earlier turn */
	bool refused;     /* the command at hand was: nothing was done */
	bool amiss;       /* something in this mail could not be read or was refused: what cannot be taken back waits */
	bool doubted;     /* what else this mail says puts in doubt that its CONCEDE is meant */
	bool unresolved;  /* the same of RESOLVE */
	struct amending *amending; /* the turn that this mail amends (amending.h); NULL before it does */
	struct released
		*released; /* the turn that it has released (referee.h); NULL when the players have its reports */
	/* What the record says of the command at hand when its own words may not stand there (names, addresses). */
	const char *recorded;
};

struct deed {
	enum command_verb verb;
	struct err *(*run)(struct asking *a, const struct command_record *c);
	bool any_turn;   /* is not about one turn: good in a stale mail too */
	bool while_held; /* tells a player nothing of a turn that is held for review */
};

/* Each ends with a deed whose `run` is NULL. */
extern const struct deed player_deeds[], drill_deeds[], time_deeds[], line_deeds[], verdict_deeds[], amend_deeds[],
	order_deeds[], review_deeds[], people_deeds[], message_deeds[], rule_deeds[], open_deeds[];

/* Adds a paragraph to what is answered; always NULL, so that a command may end with it. */
struct err *say(struct asking *a, const char *text);

/* The same for a command of which nothing was done; the record says so. */
struct err *refuse(struct asking *a, const char *text);

/* Is something else in the mail amiss, so that this command, which goes far, is not to be done yet? It is refused. */
bool waits_for_the_rest(struct asking *a, const struct command_record *c);

/* Adds a page to what is answered; `shows` is the turn row whose event numbers it prints, or 0. Always NULL. */
struct err *answer_page(struct asking *a, const char *title, const char *text, int64_t shows);

/* "AMEND 17 HITS 1": as typed without its reason, for answers. */
const char *command_words(struct asking *a, const struct command_record *c);

/* Mails the reports of a turn that this mail has released, answers what it has amended so far, and mails the correction
 * when players know the turn. */
struct err *finish_desk(struct asking *a) MUST_CHECK;

/* Writes the game back and tells everybody else `told` under `subject`. (That a referee did it is recorded for every
 * command, in commands.c.) */
struct err *change_game(struct asking *a, const char *said, const char *subject, const char *told) MUST_CHECK;

/* ORDER and VOID ORDERS for the turn that is open: `text` is entered for c->side as if its players had sent it. */
struct err *order_open_turn(struct asking *a, const struct command_record *c, const char *text) MUST_CHECK;

/* Do the words around a CONCEDE put in doubt that it is meant: "no wait, just kidding"? */
bool doubts_concession(TALLOC_CTX *mem, const struct sheet *sheet);
/* The same of a RESOLVE. */
bool doubts_resolving(TALLOC_CTX *mem, const struct sheet *sheet);

/* Is any of the words or phrases in the folded text? They stand with a blank before and behind. */
bool has_any(TALLOC_CTX *mem, const char *folded, const char *const *words);

/* "The British have won": the line that ends the battle so; NULL where it is not plain who has. */
const char *verdict_line(struct asking *a, const char *text);

/* What the mail asks for in its writer's own words, illness, holidays, the end of the game: answered with the line that
 * does it (wishes.c). */
struct err *hint_wishes(struct asking *a, const struct sheet *sheet) MUST_CHECK;

/* "We give up" and "we do not want to concede any more" in a player's own words: says how that is written. */
void hint_concession(struct asking *a, const struct sheet *sheet);

/* APPROVE n and REJECT n: a held message goes on, or not. */
struct err *decide_message(struct asking *a, const struct command_record *c) MUST_CHECK;
/* APPROVE or REJECT without a number, of messages: the one that waits; of several it is asked which. *any: one waits.
 */
struct err *decide_waiting(struct asking *a, const struct command_record *c, bool *any) MUST_CHECK;

#endif
