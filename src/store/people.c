#include "store/people.h"

#include "store/sql.h"

struct err *store_set_units(struct store *s, TALLOC_CTX *mem, int64_t player, const char *units)
{
	return sql_run(s, mem, "UPDATE player SET units = ? WHERE id = ?", "ti", units, player);
}

struct err *store_set_since(struct store *s, TALLOC_CTX *mem, int64_t player, int64_t now)
{
	return sql_run(s, mem, "UPDATE player SET since = ? WHERE id = ?", "ii", now, player);
}

struct err *store_addresses(struct store *s, TALLOC_CTX *mem, int64_t player, bool deputies, const char ***out)
{
	sqlite3_stmt *st;
	unsigned n = 0;
	bool row;
	struct err *e = sql_bind(s, mem, &st,
		"SELECT address FROM address WHERE player = ? AND deputy >= ? ORDER BY deputy, id", "ii", player,
		(int64_t)deputies);

	*out = talloc_zero_array(mem, const char *, 1);
	while (e == NULL && (e = sql_step(s, mem, st, &row)) == NULL && row) {
		*out = talloc_realloc(mem, *out, const char *, n + 2);
		(*out)[n++] = sql_text(mem, st, 0);
		(*out)[n] = NULL;
	}
	return e;
}

struct err *store_players_with(struct store *s, TALLOC_CTX *mem, int64_t game, const char *address, struct players *out)
{
	struct players all;
	struct err *e = store_players_at(s, mem, address, &all);

	*out = (struct players){talloc_zero_array(mem, struct player, (unsigned)(e == NULL ? all.count : 0) + 1), 0};
	for (int i = 0; e == NULL && i < all.count; i++)
		if (all.list[i].game == game)
			out->list[out->count++] = all.list[i];
	return e;
}

struct err *store_key_among(struct store *s, TALLOC_CTX *mem, int64_t game, int64_t player, const char *address,
	const char **key, int *sharing)
{
	sqlite3_stmt *st;
	bool row;
	struct err *e = sql_bind(s, mem, &st,
		"SELECT p.id, a.key, p.gone FROM address a CROSS JOIN player p ON p.id = a.player "
		"WHERE a.address = ? AND p.game = ?",
		"ti", address, game);

	*key = "";
	*sharing = 0;
	while (e == NULL && (e = sql_step(s, mem, st, &row)) == NULL && row) {
		if (sqlite3_column_int64(st, 0) == player)
			*key = sql_text(mem, st, 1);
		*sharing += sqlite3_column_int(st, 2) == 0;
	}
	return e;
}

struct err *store_set_absence(
	struct store *s, TALLOC_CTX *mem, int64_t player, int64_t now, int64_t first, int64_t last)
{
	bool own;
	struct err *e = sql_enter(s, mem, &own);

	if (e != NULL)
		return e;
	e = sql_run(s, mem, "DELETE FROM absence WHERE player = ? AND last >= ?", "ii", player, now);
	if (e == NULL)
		e = sql_run(s, mem, "INSERT INTO absence (player, first, last) VALUES (?, ?, ?)", "iii", player, first,
			last);
	return sql_leave(s, mem, own, e);
}

struct err *store_absent(struct store *s, TALLOC_CTX *mem, int64_t player, int64_t when, int64_t *until)
{
	*until = 0;
	return sql_int(s, mem, until,
		"SELECT last FROM absence WHERE player = ?1 AND last >= ?2 AND first <= ?2 ORDER BY last DESC LIMIT 1",
		"ii", player, when);
}

struct err *store_ask_silence(struct store *s, TALLOC_CTX *mem, const struct game *g, int64_t now, bool *first)
{
	struct err *e = sql_run(s, mem,
		"INSERT INTO silence (game, line, turn, asked) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", "iiii",
		g->id, (int64_t)g->line, (int64_t)g->turn, now);

	*first = e == NULL && sql_changes(s) == 1;
	return e;
}
