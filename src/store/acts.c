#include "store/sql.h"
#include "store/store.h"

struct err *store_add_act(struct store *s, TALLOC_CTX *mem, const struct act *a)
{
	return sql_run(s, mem,
		"INSERT INTO act (game, made, actor, what, reason, digest_before, digest_after) "
		"VALUES (?, ?, ?, ?, ?, ?, ?)",
		"rittttt", a->game, a->made, a->actor, a->what, a->reason, a->digest_before, a->digest_after);
}

struct err *store_act(struct store *s, TALLOC_CTX *mem, int64_t game, int64_t now, const char *actor, const char *what,
	const char *reason)
{
	return sql_run(s, mem, "INSERT INTO act (game, made, actor, what, reason) VALUES (?, ?, ?, ?, ?)", "rittt",
		game, now, actor, what, reason);
}

struct err *store_acts(struct store *s, TALLOC_CTX *mem, int64_t game, struct acts *out)
{
	sqlite3_stmt *st;
	bool row;
	struct err *e = sql_bind(s, mem, &st,
		"SELECT id, game, made, actor, what, reason, digest_before, digest_after FROM act WHERE game = ? "
		"ORDER BY id",
		"i", game);

	*out = (struct acts){NULL, 0};
	while (e == NULL && (e = sql_step(s, mem, st, &row)) == NULL && row) {
		out->list = talloc_realloc(mem, out->list, struct act, (unsigned)out->count + 1);
		out->list[out->count++] = (struct act){
			.id = sqlite3_column_int64(st, 0),
			.game = sqlite3_column_int64(st, 1),
			.made = sqlite3_column_int64(st, 2),
			.actor = sql_text(mem, st, 3),
			.what = sql_text(mem, st, 4),
			.reason = sql_text(mem, st, 5),
			.digest_before = sql_text(mem, st, 6),
			.digest_after = sql_text(mem, st, 7),
		};
	}
	return e;
}
