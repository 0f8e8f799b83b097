/* The parts of answers that are text alone: what of a mail was not read, and why. For answer.c. */
#ifndef GALLOPER_SERVICE_ANSWER_TEXT_H
#define GALLOPER_SERVICE_ANSWER_TEXT_H

#include "mail/message.h"
#include "orders/sheet.h"
#include "service/commands.h"
#include "service/writer.h"

/* Why there was no text in a mail, and what to do. */
const char *answer_no_text(TALLOC_CTX *mem, const struct message *m);

/* To somebody who proves nothing: what is amiss with his key, and the games and the number of players that have his
 * address. That gives nothing away, for the address alone gets it; the key itself is not repeated. "" to a stranger. */
const char *answer_no_proof(TALLOC_CTX *mem, const struct writer *w);

/* To the same: for each of his games the mail to answer and the lines to begin a new one with; "" to a stranger. */
const char *answer_how(TALLOC_CTX *mem, const struct writer *w);
/* To somebody who plays no longer where he answers a mail: another has his place, or (not `replaced`) nobody. */
const char *answer_left(TALLOC_CTX *mem, const char *game, bool replaced);

/* What to do for a mail that names another game than the one it answers, where its writer plays too; and for one that
 * is for several games or from several players at once. */
const char *answer_elsewhere(TALLOC_CTX *mem, const char *game);
const char *answer_mixed(TALLOC_CTX *mem, const struct message *m);

/* The lines that were typed, to be copied into a new mail; "" for none. */
const char *answer_typed_lines(TALLOC_CTX *mem, const struct message *m);

/* What the mail reader set aside, in short; the lines of quoted text are only counted. */
char *answer_set_aside(TALLOC_CTX *mem, const struct typed *t, int *quoted);

/* The text of an earlier mail without its END, so that more can stand below it. */
char *answer_without_end(TALLOC_CTX *mem, const char *text);

/* Somebody who orders no units gets no receipt: what was not read is told below what was done. */
const char *answer_with_unread(
	TALLOC_CTX *mem, const struct command_results *done, const char *said, const struct sheet *sheet);

/* A line of a mail behind a mark of two columns, in the lines of a letter; on `mem`. */
char *quoted_line(TALLOC_CTX *mem, const char *mark, const char *line);

/* What the last answer of an hour says above all else: to a referee, in a drill, about orders or (not `acting`) about
 * other mails. */
const char *answer_last(TALLOC_CTX *mem, bool referee, bool drill, bool acting);

/* What a mail of commands alone is answered: what they say, and below it what was not read. Where each is answered by a
 * mail of its own, a greeting or a name alone (of one or two words) brings no mail besides: "". */
const char *answer_said(TALLOC_CTX *mem, const struct command_results *done, const struct sheet *sheet);

#endif
