/* What the mail reader makes of a mail, for people and for tests. */
#ifndef GALLOPER_SERVICE_MAILVIEW_H
#define GALLOPER_SERVICE_MAILVIEW_H

#include "base/buf.h"

/* Reads the mail in the file ("-" is standard input) in the sandbox of `program` (the mail reader's path) and writes
 * what it says to `out`: lines for people, or one JSON object. *readable: could it be read? */
struct err *mailview(
	TALLOC_CTX *mem, const char *program, const char *path, bool json, struct buf *out, bool *readable) MUST_CHECK;

#endif
