/* The words on a line of their own: what players and referees may ask for and do by mail. */
#ifndef GALLOPER_SERVICE_COMMANDS_H
#define GALLOPER_SERVICE_COMMANDS_H

#include "service/letters.h"

struct command_results {
	int answered;      /* commands that were carried out or answered, by mails of their own or in `said` */
	const char *said;  /* paragraphs for the receipt; "" for none */
	const char *pages; /* on the command line: what would have been mails of their own; "" for none */
	int refused;       /* commands of which nothing was done */
};

/* The command's first word in capitals: "ROLLBACK" ("NO CONCEDE" is both); on `mem`. */
const char *command_name(TALLOC_CTX *mem, enum command_verb verb);

/* Carries out a sheet's commands for a player or referee. The board's game is changed in place (pause, deadline); a
 * turn that RESOLVE resolves is mailed to all at once. In a stale mail only questions are answered, and while a turn is
 * held for review a player is told nothing that would give it away. `to` NULL: typed on the command line. */
struct err *carry_out_commands(const struct service *s, TALLOC_CTX *mem, struct board *b, const struct player *p,
	const struct answered_mail *to, const struct sheet *sheet, bool stale, struct command_results *out) MUST_CHECK;

#endif
