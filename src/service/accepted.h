/* ACCEPT: the suggestions of a player's last receipt become his orders. */
#ifndef GALLOPER_SERVICE_ACCEPTED_H
#define GALLOPER_SERVICE_ACCEPTED_H

#include "service/board.h"

/* For a mail with ACCEPT the text to read, on `mem`: the suggestions of his mails that no later one has settled, and
 * below them what he has typed now. NULL when there is nothing to accept; else *before is the latest mail with slips,
 * as it was read. `rows` are his sheets of the turn (store_sheets). */
const char *accepted_text(TALLOC_CTX *mem, const struct board *b, const struct player *p, const char *typed,
	const struct sheet_rows *rows, const struct sheet **before);

#endif
