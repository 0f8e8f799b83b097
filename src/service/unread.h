/* Lines of a player's mails that are not understood: how they are told, and which of his earlier mails still wait to be
 * mended. */
#ifndef GALLOPER_SERVICE_UNREAD_H
#define GALLOPER_SERVICE_UNREAD_H

#include "service/board.h"

/* How many lines hold something that could not be read; or, with `gone`, an order to a unit that is gone. */
int unread_lines(const struct sheet *sheet, bool gone);

/* The line as it was typed, a caret under the place, what is wrong, what would be right. On `mem`. */
char *unread_text(TALLOC_CTX *mem, const struct sheet *sheet);

/* The lines that were set aside, a bar before each, and what the mail reader says of those that it set aside. On `mem`.
 */
char *unread_aside(TALLOC_CTX *mem, const struct sheet *sheet, const char *by_reader);

/* For the report of a turn that did not wait for them: the lines of the mail, and of those before it, that gave no
 * order, in sections; "" for none. On `mem`. */
const char *unread_left(TALLOC_CTX *mem, const struct sheet *sheet, const struct sheet *still);

/* What ACCEPT would take: "If the suggestion is right, answer with the one word ACCEPT." "" when it would take none. */
const char *unread_advice(TALLOC_CTX *mem, const struct sheet *sheet);

/* The first of a player's mails for the open turn that has lines to mend and is among his last so many: no mail before
 * it is read again. rows->count for none. */
enum { UNREAD_MAILS_MAX = 24 };
int unread_first(const struct sheet_rows *rows);

/* The problems of the player's earlier mails for the open turn (`rows`, as store_sheets gives them) that `now`, the
 * mail being answered, does not repeat, and that are not mended. One is mended when later mails, `now` and its text
 * `typed` among them, have ordered the units it is about; where these cannot be told, when one says the line again so
 * that it gives an order, or they have ordered every unit of his. On `mem`; only its problems count. */
struct sheet *unread_before(TALLOC_CTX *mem, const struct sheet_rows *rows, const struct sheet *now, const char *typed,
	const struct orders_context *context);

/* The section of an answer that names them; "" for none. `drill`: the turn waits for them. */
const char *unread_still_text(TALLOC_CTX *mem, const struct sheet *still, bool drill);

#endif
