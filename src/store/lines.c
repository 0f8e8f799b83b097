#include "store/lines.h"

#include "store/sql.h"

struct err *store_lines(struct store *s, TALLOC_CTX *mem, int64_t game, struct line_rows *out)
{
	sqlite3_stmt *st;
	bool row;
	struct err *e = sql_bind(s, mem, &st,
		"SELECT line, parent, start, made, turn, deadline, held, part, release_at FROM line WHERE game = ? "
		"ORDER BY line",
		"i", game);

	*out = (struct line_rows){NULL, 0};
	while (e == NULL && (e = sql_step(s, mem, st, &row)) == NULL && row) {
		out->list = talloc_realloc(mem, out->list, struct line_row, (unsigned)out->count + 1);
		out->list[out->count++] = (struct line_row){
			.line = sqlite3_column_int(st, 0),
			.parent = sqlite3_column_int(st, 1),
			.start = sqlite3_column_int(st, 2),
			.made = sqlite3_column_int64(st, 3),
			.turn = sqlite3_column_int(st, 4),
			.deadline = sqlite3_column_int64(st, 5),
			.held = sqlite3_column_int(st, 6) != 0,
			.part = sqlite3_column_int(st, 7),
			.release_at = sqlite3_column_int64(st, 8),
		};
	}
	return e;
}

struct err *store_leave_line(struct store *s, TALLOC_CTX *mem, const struct game *g)
{
	/* Only line 1 can be without a row. */
	return sql_run(s, mem,
		"INSERT INTO line (game, line, parent, start, made, turn, deadline, held, part, release_at) "
		"VALUES (?1, ?2, 0, 1, ?3, ?4, ?5, ?6, ?7, ?8) "
		"ON CONFLICT (game, line) DO UPDATE SET turn = ?4, deadline = ?5, held = ?6, part = ?7, release_at = "
		"?8",
		"iiiiiiii", g->id, (int64_t)g->line, g->made, (int64_t)g->turn, g->deadline, (int64_t)g->held,
		(int64_t)g->part, g->release_at);
}

struct err *store_begin_line(struct store *s, TALLOC_CTX *mem, const struct game *g, int start, int64_t now, int *out)
{
	int64_t last = g->line;
	bool own;
	struct err *e = sql_enter(s, mem, &own);

	if (e != NULL)
		return e;
	e = sql_int(s, mem, &last, "SELECT line FROM line WHERE game = ? ORDER BY line DESC LIMIT 1", "i", g->id);
	if (e == NULL)
		e = sql_run(s, mem,
			"INSERT INTO line (game, line, parent, start, made, turn, deadline, held, part, release_at) "
			"VALUES (?1, ?2, ?3, ?4, ?5, ?4, 0, 0, 0, 0)",
			"iiiii", g->id, last + 1, (int64_t)g->line, (int64_t)start, now);
	*out = (int)last + 1;
	return sql_leave(s, mem, own, e);
}

struct err *store_line_of_turn(struct store *s, TALLOC_CTX *mem, const struct game *g, int turn, int *out)
{
	struct line_rows rows;
	struct err *e;

	*out = g->line;
	if (g->line == 1)
		return NULL;
	e = store_lines(s, mem, g->id, &rows);
	/* Parents are older than their children, so going down the list is going back. */
	for (int i = rows.count - 1; e == NULL && i >= 0; i--)
		if (rows.list[i].line == *out && rows.list[i].start > turn && rows.list[i].parent > 0)
			*out = rows.list[i].parent;
	return e;
}
