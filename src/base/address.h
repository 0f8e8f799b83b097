/* Mail addresses: which ones we are willing to write to, the plus tag, and reading one out of a header or a command
 * line.
 *
 * An address here is a bare ASCII `local@domain` of a narrower kind than RFC 5321 allows: no quoted local parts, no
 * address literals, none of the characters that mean something to a shell, a path or an old mail route. What passes can
 * go into an SMTP command, a header and (in lower case) a folder's name as it stands. */
#ifndef GALLOPER_BASE_ADDRESS_H
#define GALLOPER_BASE_ADDRESS_H

#include "base/err.h"

#include <stddef.h>

enum { ADDRESS_MAX = 254, ADDRESS_LOCAL_MAX = 64 /* RFC 5321, 4.5.3.1 */ };

/* Is this a bare address that we would write to? NULL is none. */
bool address_valid(const char *address);

/* The same mailbox, as people mean it: letters' case does not count. */
bool address_equal(const char *a, const char *b);

/* What stands after the '@'; the address must be valid. Points into it. */
const char *address_domain(const char *address);

/* local+tag@domain of a valid address and a tag of letters, digits and dashes; on `mem`. NULL if that is too long. */
char *address_with_tag(TALLOC_CTX *mem, const char *address, const char *tag);

/* If `address` is `own` with a plus tag, the tag (on `mem`); NULL if not. */
char *address_tag(TALLOC_CTX *mem, const char *address, const char *own);

struct address {
	char *address; /* valid */
	char *name;    /* display name, quotes and escapes undone, encoded words left alone; "" if there is none */
};

/* Reads the one mailbox that `text` holds: `a@b`, `<a@b>`, `Name <a@b>`, `"Smith, C." <a@b>` or `a@b (Name)`. False if
 * there is none, more than one, or one that is not valid. The strings are on `mem`. */
bool address_parse(TALLOC_CTX *mem, const char *text, struct address *out);

#endif
