#include "store/sql.h"
#include "store/store.h"

struct err *store_add_act(struct store *s, TALLOC_CTX *mem, const struct act *a)
{
	return sql_run(s, mem,
		"INSERT INTO act (game, made, actor, what, reason, digest_before, digest_after) "
		"VALUES (nullif(?, 0), ?, ?, ?, ?, ?, ?)",
		"iittttt", a->game, a->made, a->actor, a->what, a->reason, a->digest_before, a->digest_after);
}

struct err *store_act(struct store *s, TALLOC_CTX *mem, int64_t game, int64_t now, const char *actor, const char *what,
	const char *reason)
{
	return sql_run(s, mem, "INSERT INTO act (game, made, actor, what, reason) VALUES (nullif(?, 0), ?, ?, ?, ?)",
		"iittt", game, now, actor, what, reason);
}
