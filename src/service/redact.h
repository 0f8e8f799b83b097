/* A mail as it may leave the server in an export: whoever reads it can prove nothing with it. */
#ifndef GALLOPER_SERVICE_REDACT_H
#define GALLOPER_SERVICE_REDACT_H

#include "base/buf.h"

/* The mail with its text parts and header fields decoded (so that nothing hides in an encoding), every reply token of
 * this game as "TOKEN", every key as "SECRET", and what is no text left out. Never fails: a mail
 * that is broken comes out as far as it can be read. */
void redact_mail(struct buf *out, int64_t game, const char *raw, size_t len);

/* The same for plain text. */
void redact_text(struct buf *out, int64_t game, const char *text, size_t len);

#endif
