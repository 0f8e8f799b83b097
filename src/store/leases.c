#include "store/sql.h"
#include "store/store.h"

struct err *store_lease(
	struct store *s, TALLOC_CTX *mem, const char *name, const char *owner, int64_t now, int64_t until, bool *got)
{
	struct err *e = sql_run(s, mem,
		"INSERT INTO lease (name, owner, until) VALUES (?1, ?2, ?4) "
		"ON CONFLICT (name) DO UPDATE SET owner = ?2, until = ?4 WHERE lease.owner = ?2 OR lease.until <= ?3",
		"ttii", name, owner, now, until);

	*got = e == NULL && sql_changes(s) == 1;
	return e;
}

struct err *store_lease_held(struct store *s, TALLOC_CTX *mem, const char *name, struct lease_row *out)
{
	sqlite3_stmt *st;
	bool row = false;
	struct err *e = sql_bind(s, mem, &st, "SELECT owner, until FROM lease WHERE name = ?", "t", name);

	*out = (struct lease_row){NULL, 0};
	if (e == NULL)
		e = sql_step(s, mem, st, &row);
	if (e == NULL && row) {
		*out = (struct lease_row){sql_text(mem, st, 0), sqlite3_column_int64(st, 1)};
		sql_reset(st);
	}
	return e;
}

struct err *store_lease_end(struct store *s, TALLOC_CTX *mem, const char *name, const char *owner)
{
	return sql_run(s, mem, "DELETE FROM lease WHERE name = ? AND owner = ?", "tt", name, owner);
}
