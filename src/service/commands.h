/* The words on a line of their own: what players and referees may ask for and do by mail. */
#ifndef GALLOPER_SERVICE_COMMANDS_H
#define GALLOPER_SERVICE_COMMANDS_H

#include "service/letters.h"

struct command_results {
	int answered;     /* commands that were carried out or answered, by mails of their own or in `said` */
	const char *said; /* paragraphs for the receipt; "" for none */
};

/* The command's first word in capitals: "ROLLBACK"; on `mem`. */
const char *command_name(TALLOC_CTX *mem, enum command_verb verb);

/* Carries out a sheet's commands for a player or referee. The board's game is changed in place (pause, deadline); a
 * turn that RESOLVE resolves is mailed to all at once. In a stale mail only questions are answered. */
struct err *carry_out_commands(const struct service *s, TALLOC_CTX *mem, struct board *b, const struct player *p,
	const struct answered_mail *to, const struct sheet *sheet, bool stale, struct command_results *out) MUST_CHECK;

#endif
