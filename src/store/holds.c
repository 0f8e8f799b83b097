#include "store/sql.h"
#include "store/store.h"

#include <string.h>

struct err *store_hold(struct store *s, TALLOC_CTX *mem, const char *account, struct hold **out)
{
	sqlite3_stmt *st;
	bool row = false;
	struct err *e = sql_bind(
		s, mem, &st, "SELECT settings, refusals, until, why FROM hold WHERE account = ?", "t", account);

	*out = NULL;
	if (e == NULL)
		e = sql_step(s, mem, st, &row);
	if (row) {
		struct hold *h = talloc_zero(mem, struct hold);
		size_t len;
		char *settings = sql_bytes(h, st, 0, &len);

		h->account = talloc_strdup(h, account);
		if (len == sizeof h->settings)
			memcpy(h->settings, settings, len);
		h->refusals = sqlite3_column_int(st, 1);
		h->until = sqlite3_column_int64(st, 2);
		h->why = sql_text(h, st, 3);
		*out = h;
		sql_reset(st);
	}
	return e;
}

struct err *store_set_hold(struct store *s, TALLOC_CTX *mem, const struct hold *h)
{
	return sql_run(s, mem,
		"INSERT INTO hold (account, settings, refusals, until, why) VALUES (?1, ?2, ?3, ?4, ?5) "
		"ON CONFLICT (account) DO UPDATE SET settings = ?2, refusals = ?3, until = ?4, why = ?5",
		"tbiit", h->account, (struct blob){h->settings, sizeof h->settings}, (int64_t)h->refusals, h->until,
		h->why);
}

struct err *store_lift_hold(struct store *s, TALLOC_CTX *mem, const char *account)
{
	return sql_run(s, mem, "DELETE FROM hold WHERE account = ?", "t", account);
}
