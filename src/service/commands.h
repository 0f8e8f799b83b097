/* The words on a line of their own: what players and referees may ask for and do by mail. */
#ifndef GALLOPER_SERVICE_COMMANDS_H
#define GALLOPER_SERVICE_COMMANDS_H

#include "service/letters.h"

/* An answer of some length with a title of its own, like a map. */
struct answer_page {
	const char *title, *text;
	int64_t shows;  /* the turn row whose event numbers it prints, or 0 */
	bool renumbers; /* they are those of a version that this mail has made */
};

struct command_results {
	int answered;              /* commands that were carried out or answered */
	const char *said;          /* paragraphs for the receipt; "" for none */
	struct answer_page *pages; /* answer_pages.h mails them */
	int page_count;
	int refused; /* commands of which nothing was done */
	/* Of the sheet's lines set aside those that are quoted in `said`, above what they are answered with; NULL:
	 * none. */
	const bool *told;
};

/* The command's first word in capitals: "ROLLBACK" ("NO CONCEDE" is both); on `mem`. */
const char *command_name(TALLOC_CTX *mem, enum command_verb verb);

/* Carries out a sheet's commands for a player or referee. The board's game is changed in place (pause, deadline); a
 * turn that RESOLVE resolves is mailed to all at once. In a stale mail only questions are answered, and while a turn is
 * held for review a player is told nothing that would give it away. `to` NULL: typed on the command line. */
struct err *carry_out_commands(const struct service *s, TALLOC_CTX *mem, struct board *b, const struct player *p,
	const struct answered_mail *to, const struct sheet *sheet, bool stale, struct command_results *out) MUST_CHECK;

#endif
