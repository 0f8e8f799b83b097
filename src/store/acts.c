#include "store/sql.h"
#include "store/store.h"

struct err *store_act(struct store *s, TALLOC_CTX *mem, int64_t game, int64_t now, const char *actor, const char *what,
	const char *reason)
{
	return sql_run(s, mem, "INSERT INTO act (game, made, actor, what, reason) VALUES (nullif(?, 0), ?, ?, ?, ?)",
		"iittt", game, now, actor, what, reason);
}
