/* Failures of the world: a file that cannot be read, a server that is away, a full disk.
 *
 * A function that can fail in this way returns `struct err *`: NULL when all went well, else an error allocated
 * on the talloc context that it was given. Our own bugs are assertions, a player's mistakes are diagnostics in the
 * receipt; neither is a `struct err`. */
#ifndef GALLOPER_BASE_ERR_H
#define GALLOPER_BASE_ERR_H

#include <stdbool.h>
#include <talloc.h>

#define MUST_CHECK __attribute__((warn_unused_result))
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))

/* How far the failure reaches: what has to stop and who has to be told. */
enum err_scope { ERR_MAIL, ERR_GAME, ERR_ACCOUNT, ERR_PROCESS };

struct err {
	const char *what;  /* one sentence: what went wrong and, where it can be said, what to do */
	const char *where; /* file:line:column, mail id, host:port; "" when there is nothing to say */
	enum err_scope scope;
	bool retry; /* the same call may go well later */
};

/* A new error on `mem`. `where` is copied and may be NULL. */
struct err *err_new(TALLOC_CTX *mem, enum err_scope scope, bool retry, const char *where, const char *format, ...)
	PRINTF_LIKE(5, 6);

/* The same from errno's value `number`: "FORMAT: Permission denied". A full disk says what to do about it. */
struct err *err_errno(TALLOC_CTX *mem, int number, const char *where, const char *format, ...) PRINTF_LIKE(4, 5);

/* "where: what", or "what" alone; on `mem`. */
const char *err_text(TALLOC_CTX *mem, const struct err *e);

#endif
