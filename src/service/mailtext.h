/* A mail as the person sees it who gets it, without the mail reader: for the mails of ours, which are files where a
 * game is played on Maildirs. */
#ifndef GALLOPER_SERVICE_MAILTEXT_H
#define GALLOPER_SERVICE_MAILTEXT_H

#include "base/buf.h"
#include "base/err.h"

/* The plain text of a mail of whole bytes, ended by a zero: of its first part, or of its body where it has no parts. On
 * `mem`. */
char *mailtext(TALLOC_CTX *mem, const char *bytes, size_t len);

/* Adds to `out` from whom, to whom and when the mail in that file is, its subject and its plain text, safe for a
 * terminal. */
struct err *mailtext_of_file(TALLOC_CTX *mem, const char *path, struct buf *out) MUST_CHECK;

#endif
