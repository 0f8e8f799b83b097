/* The fields of a mail's header or of a part's (RFC 5322, 2.2; RFC 2045, 5.1), read from the raw bytes: as lenient as
 * mails are ill-formed, and never further than it must go. */
#ifndef GALLOPER_MAIL_FIELD_H
#define GALLOPER_MAIL_FIELD_H

#include "base/err.h"

#include <stddef.h>

enum { FIELDS_MAX = 1000, FIELD_BYTES_MAX = 8 * 1024 };

struct field {
	const char *name;  /* as written */
	const char *value; /* unfolded, blanks at the ends gone, control characters as blanks; still encoded */
};

struct fields {
	struct field *list;
	int count;
	size_t end; /* where the body begins */
};

/* Reads until the empty line, or to the first line that can be no field. Line ends are LF or CRLF. On `mem`. */
struct fields *fields_read(TALLOC_CTX *mem, const char *raw, size_t len);

/* The same of a part, whose text may follow without an empty line: a name that no part's header has ends it. */
struct fields *fields_read_part(TALLOC_CTX *mem, const char *raw, size_t len);

/* The value of the first field of that name; "" if there is none. And how many there are. */
const char *fields_get(const struct fields *f, const char *name);
int fields_count(const struct fields *f, const char *name);

/* The main value of a structured field in lower case, without parameters and comments: "text/plain". On `mem`. */
char *field_main(TALLOC_CTX *mem, const char *value);

/* A parameter of it: `charset=utf-8`, quoted, or in RFC 2231's pieces (then in UTF-8 only if it was). "" if it is not
 * there. On `mem`. */
char *field_parameter(TALLOC_CTX *mem, const char *value, const char *name);

#endif
