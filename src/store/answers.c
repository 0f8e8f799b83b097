#include "store/sql.h"
#include "store/store.h"

/* No question reaches further back than a day. */
enum { KEPT_SECONDS = 2 * 24 * 3600, FORGET_SECONDS = 3600 };

struct err *store_answered(struct store *s, TALLOC_CTX *mem, const char *address, const char *kind, int64_t now)
{
	bool own;
	struct err *e = sql_enter(s, mem, &own);

	if (e != NULL)
		return e;
	e = sql_run(s, mem,
		"INSERT INTO answered (address, kind, made, count) VALUES (?, ?, ?, 1) "
		"ON CONFLICT (address, made, kind) DO UPDATE SET count = count + 1",
		"tti", address, kind, now);
	if (e == NULL && s->forgot != now / FORGET_SECONDS)
		e = sql_run(s, mem, "DELETE FROM answered WHERE made < ?", "i", now - KEPT_SECONDS);
	s->forgot = now / FORGET_SECONDS;
	return sql_leave(s, mem, own, e);
}

struct err *store_answers_of(struct store *s, TALLOC_CTX *mem, const char *address, const char *kind, const char *other,
	int64_t since, int64_t now, int *count, int *other_count)
{
	sqlite3_stmt *st;
	bool row = false;
	struct err *e = sql_bind(s, mem, &st,
		"SELECT sum(count) FILTER (WHERE kind = ?), sum(count) FILTER (WHERE kind = ?) FROM answered "
		"WHERE address = ? AND made > ? AND made <= ?",
		"tttii", kind, other, address, since, now);

	if (e == NULL)
		e = sql_step(s, mem, st, &row);
	*count = row ? sqlite3_column_int(st, 0) : 0;
	*other_count = row ? sqlite3_column_int(st, 1) : 0;
	if (row)
		sql_reset(st);
	return e;
}

struct err *store_answers_since(
	struct store *s, TALLOC_CTX *mem, const char *address, const char *kind, int64_t since, int64_t now, int *out)
{
	int64_t n = 0;
	struct err *e = sql_int(s, mem, &n,
		"SELECT sum(count) FROM answered WHERE address = ?1 AND made > ?3 AND made <= ?4 "
		"AND (?2 = '' OR kind = ?2)",
		"ttii", address, kind, since, now);

	*out = (int)n;
	return e;
}
