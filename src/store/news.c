#include "store/news.h"

#include "store/sql.h"

struct err *store_add_news(struct store *s, TALLOC_CTX *mem, int64_t game, int64_t now, const char *text)
{
	/* Bounded, whoever writes how often: a digest shows a few of them and counts the rest. */
	return sql_run(s, mem,
		"INSERT INTO news (game, made, text) SELECT ?1, ?2, ?3 WHERE (SELECT count(*) FROM news WHERE game = "
		"?1) < ?4 ON CONFLICT DO NOTHING",
		"iiti", game, now, text, (int64_t)NEWS_MAX);
}

struct err *store_games_with_news(struct store *s, TALLOC_CTX *mem, int64_t since, struct games *out)
{
	sqlite3_stmt *st;
	bool row;
	/* CROSS JOIN: from the few lines of news to their games, not through all games. */
	struct err *e = sql_bind(s, mem, &st,
		"SELECT id FROM (SELECT DISTINCT game AS has_news FROM news) CROSS JOIN game ON id = has_news "
		"WHERE digested <= ? ORDER BY id",
		"i", since);
	int64_t *ids = talloc_array(mem, int64_t, 0);
	unsigned n = 0;

	*out = (struct games){NULL, 0};
	while (e == NULL && (e = sql_step(s, mem, st, &row)) == NULL && row) {
		ids = talloc_realloc(mem, ids, int64_t, n + 1);
		ids[n++] = sqlite3_column_int64(st, 0);
	}
	out->list = talloc_array(mem, struct game, n + 1);
	for (unsigned i = 0; e == NULL && i < n; i++) {
		struct game *g;

		e = store_game(s, mem, ids[i], &g);
		if (e == NULL && g != NULL)
			out->list[out->count++] = *g;
	}
	return e;
}

struct err *store_news(struct store *s, TALLOC_CTX *mem, int64_t game, struct news *out)
{
	sqlite3_stmt *st;
	bool row;
	struct err *e = sql_bind(s, mem, &st, "SELECT text FROM news WHERE game = ? ORDER BY id", "i", game);

	*out = (struct news){NULL, 0};
	while (e == NULL && (e = sql_step(s, mem, st, &row)) == NULL && row) {
		out->list = talloc_realloc(mem, out->list, const char *, (unsigned)out->count + 1);
		out->list[out->count++] = sql_text(mem, st, 0);
	}
	return e;
}

struct err *store_news_told(struct store *s, TALLOC_CTX *mem, int64_t game, int64_t now)
{
	bool own;
	struct err *e = sql_enter(s, mem, &own);

	if (e != NULL)
		return e;
	e = sql_run(s, mem, "DELETE FROM news WHERE game = ?", "i", game);
	if (e == NULL)
		e = sql_run(s, mem, "UPDATE game SET digested = max(digested, ?) WHERE id = ?", "ii", now, game);
	return sql_leave(s, mem, own, e);
}
