/* Mail that no person wrote: automatic replies, lists, delivery reports, our own. Nobody answers these, or two machines
 * would write to each other for ever (RFC 3834). */
#ifndef GALLOPER_MAIL_AUTOMATIC_H
#define GALLOPER_MAIL_AUTOMATIC_H

#include "mail/message.h"
#include "mail/parts.h"

/* Why the mail counts as automatic; "" for a person's. `sender` and `subject` are decoded. X-Auto-Response-Suppress is
 * no sign: Exchange puts it into people's mails. */
const char *automatic_reason(
	const struct fields *f, const struct parts *parts, const char *sender, const char *subject);

/* Does it carry the mark of a Galloper's mails? */
bool automatic_own(const struct fields *f);

/* What a delivery report says (RFC 3464); strings on `mem`. */
void bounce_read(TALLOC_CTX *mem, const struct parts *parts, struct bounce *out);

/* The same of a mail server's mail that only says it in words (qmail, older Exims, GMX): by the copy of the mail that
 * came back in its text, and the codes above it. `f`: its header. */
void bounce_read_words(TALLOC_CTX *mem, const struct fields *f, const char *text, struct bounce *out);

#endif
