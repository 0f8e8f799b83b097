/* Players of one side who order the same units: who takes the place of another's orders is told so, and the other too.
 */
#ifndef GALLOPER_SERVICE_PARTNERS_H
#define GALLOPER_SERVICE_PARTNERS_H

#include "service/board.h"

/* The mail's orders have been kept. Each partner whose orders they replace gets a mail; *text is what to tell their
 * sender `p` of that, "" for nothing. In the caller's transaction. */
struct err *partners_tell(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p,
	int64_t mail, const char **text) MUST_CHECK;

/* Of units that are not in `p`'s command, but in that of a fellow who has the same address, the sheet's problems say
 * so: whose mail is to be answered. */
struct err *partners_name_fellows(const struct service *s, TALLOC_CTX *mem, const struct board *b,
	const struct player *p, const char *address, struct sheet *sheet) MUST_CHECK;

#endif
