#include "store/messages.h"

#include "store/sql.h"

struct err *store_add_message(struct store *s, TALLOC_CTX *mem, struct message_row *m)
{
	int64_t number = 1;
	bool own;
	struct err *e = sql_enter(s, mem, &own);

	if (e != NULL)
		return e;
	e = sql_int(s, mem, &number, "SELECT number + 1 FROM message WHERE game = ? ORDER BY number DESC LIMIT 1", "i",
		m->game);
	if (e == NULL)
		e = sql_run(s, mem,
			"INSERT INTO message (game, number, player, made, audience, body, state, decided) "
			"VALUES (?, ?, ?, ?4, ?, ?, ?7, CASE ?7 WHEN 'held' THEN NULL ELSE ?4 END)",
			"iiiittt", m->game, number, m->player, m->made, m->audience, m->body, m->state);
	m->number = (int)number;
	if (e == NULL)
		m->id = sql_last_id(s);
	return sql_leave(s, mem, own, e);
}

#define SELECT_MESSAGE "SELECT id, game, number, player, made, audience, body, state, reason FROM message "

static struct err *collect(struct err *e, struct store *s, TALLOC_CTX *mem, sqlite3_stmt *st, struct message_rows *out)
{
	bool row;

	*out = (struct message_rows){NULL, 0};
	while (e == NULL && (e = sql_step(s, mem, st, &row)) == NULL && row) {
		out->list = talloc_realloc(mem, out->list, struct message_row, (unsigned)out->count + 1);
		out->list[out->count++] = (struct message_row){
			.id = sqlite3_column_int64(st, 0),
			.game = sqlite3_column_int64(st, 1),
			.number = sqlite3_column_int(st, 2),
			.player = sqlite3_column_int64(st, 3),
			.made = sqlite3_column_int64(st, 4),
			.audience = sql_text(mem, st, 5),
			.body = sql_text(mem, st, 6),
			.state = sql_text(mem, st, 7),
			.reason = sql_text(mem, st, 8),
		};
	}
	return e;
}

struct err *store_message(struct store *s, TALLOC_CTX *mem, int64_t game, int number, struct message_row **out)
{
	sqlite3_stmt *st = NULL;
	struct message_rows rows;
	struct err *e =
		sql_bind(s, mem, &st, SELECT_MESSAGE "WHERE game = ? AND number = ?", "ii", game, (int64_t)number);

	e = collect(e, s, mem, st, &rows);
	*out = rows.count > 0 ? rows.list : NULL;
	return e;
}

struct err *store_messages(struct store *s, TALLOC_CTX *mem, int64_t game, bool held, struct message_rows *out)
{
	sqlite3_stmt *st = NULL;
	struct err *e;

	if (held)
		e = sql_bind(
			s, mem, &st, SELECT_MESSAGE "WHERE game = ? AND state = 'held' ORDER BY number", "i", game);
	else
		e = sql_bind(s, mem, &st, SELECT_MESSAGE "WHERE game = ? ORDER BY number", "i", game);
	return collect(e, s, mem, st, out);
}

struct err *store_messages_since(
	struct store *s, TALLOC_CTX *mem, int64_t game, int64_t player, int64_t since, int64_t now, int *out)
{
	int64_t n = 0;
	struct err *e = sql_int(s, mem, &n,
		"SELECT count(*) FROM message WHERE game = ? AND player = ? AND made > ? AND made <= ?", "iiii", game,
		player, since, now);

	*out = (int)n;
	return e;
}

struct err *store_decide_message(struct store *s, TALLOC_CTX *mem, const struct message_row *m, const char *state,
	int64_t now, const char *reason, bool *first)
{
	struct err *e =
		sql_run(s, mem, "UPDATE message SET state = ?, decided = ?, reason = ? WHERE id = ? AND state = 'held'",
			"titi", state, now, reason, m->id);

	*first = e == NULL && sql_changes(s) == 1;
	return e;
}
