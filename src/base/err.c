#include "base/err.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>

static struct err *make(TALLOC_CTX *mem, enum err_scope scope, bool retry, const char *where)
{
	struct err *e = talloc_zero(mem, struct err);

	assert(e);
	e->scope = scope;
	e->retry = retry;
	e->where = talloc_strdup(e, where ? where : "");
	return e;
}

struct err *err_new(TALLOC_CTX *mem, enum err_scope scope, bool retry, const char *where, const char *format, ...)
{
	struct err *e = make(mem, scope, retry, where);
	va_list args;

	va_start(args, format);
	e->what = talloc_vasprintf(e, format, args);
	va_end(args);
	return e;
}

/* Will the same call perhaps go well when somebody else has let go of something? */
static bool passes(int number)
{
	switch (number) {
	case EAGAIN:
	case EINTR:
	case EBUSY:
	case ENOMEM:
	case ENOSPC:
	case EDQUOT:
	case EMFILE:
	case ENFILE:
	case EIO:
	case ETIMEDOUT:
	case ECONNREFUSED:
	case ECONNRESET:
	case EPIPE:
	case ENETUNREACH:
	case EHOSTUNREACH:
		return true;
	default:
		return false;
	}
}

struct err *err_errno(TALLOC_CTX *mem, int number, const char *where, const char *format, ...)
{
	struct err *e = make(mem, ERR_PROCESS, passes(number), where);
	bool full = number == ENOSPC || number == EDQUOT;
	const char *reason = full ? "the disk is full; free some space, and it goes on" : strerrordesc_np(number);
	char *what;
	va_list args;

	va_start(args, format);
	what = talloc_vasprintf(e, format, args);
	va_end(args);
	e->what =
		reason ? talloc_asprintf(e, "%s: %s", what, reason) : talloc_asprintf(e, "%s: error %d", what, number);
	return e;
}

const char *err_text(TALLOC_CTX *mem, const struct err *e)
{
	return *e->where ? talloc_asprintf(mem, "%s: %s", e->where, e->what) : talloc_strdup(mem, e->what);
}
