#include "store/turns.h"

#include "store/lines.h"
#include "store/sql.h"

struct err *store_add_sheet(struct store *s, TALLOC_CTX *mem, const struct game *g, struct sheet_row *row)
{
	int64_t n = 0;
	bool own;
	struct err *e = sql_enter(s, mem, &own);

	if (e != NULL)
		return e;
	e = sql_int(s, mem, &n,
		"SELECT count(*) + 1 FROM sheet WHERE game = ? AND line = ? AND turn = ? AND player = ?", "iiii", g->id,
		(int64_t)g->line, (int64_t)g->turn, row->player);
	row->number = (int)n;
	if (e == NULL)
		e = sql_run(s, mem,
			"INSERT INTO sheet (game, line, turn, player, mail, number, arrived, unread, referee, change, "
			"plain, canonical, typed) "
			"VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			"iiiiriiirrttt", g->id, (int64_t)g->line, (int64_t)g->turn, row->player, row->mail, n,
			row->arrived, (int64_t)row->unread, row->referee, row->change,
			row->plain == NULL ? "" : row->plain, row->canonical, row->typed);
	if (e == NULL)
		row->id = sql_last_id(s);
	return sql_leave(s, mem, own, e);
}

struct err *store_take_back_sheets(
	struct store *s, TALLOC_CTX *mem, const struct game *g, int turn, int64_t change, int *count)
{
	int64_t n = 0;
	struct err *e = sql_int(s, mem, &n,
		"SELECT count(*) FROM sheet WHERE game = ? AND line = ? AND turn = ? AND change = ?", "iiii", g->id,
		(int64_t)g->line, (int64_t)turn, change);

	*count = (int)n;
	if (e != NULL || n == 0)
		return e;
	return sql_run(s, mem, "DELETE FROM sheet WHERE game = ? AND line = ? AND turn = ? AND change = ?", "iiii",
		g->id, (int64_t)g->line, (int64_t)turn, change);
}

#define SELECT_SHEETS "SELECT sheet.id, player, mail, turn, referee, plain, canonical, "

/* Adds the row that a statement has come to, as far as SELECT_SHEETS names it; its further columns begin at 7. */
static struct sheet_row *add_row(TALLOC_CTX *mem, sqlite3_stmt *st, struct sheet_rows *out)
{
	out->list = talloc_realloc(mem, out->list, struct sheet_row, (unsigned)out->count + 1);
	out->list[out->count] = (struct sheet_row){
		.id = sqlite3_column_int64(st, 0),
		.player = sqlite3_column_int64(st, 1),
		.mail = sqlite3_column_int64(st, 2),
		.turn = sqlite3_column_int(st, 3),
		.referee = sqlite3_column_int64(st, 4),
		.plain = sql_text(mem, st, 5),
		.canonical = sql_text(mem, st, 6),
	};
	return &out->list[out->count++];
}

struct err *store_sheets(struct store *s, TALLOC_CTX *mem, const struct game *g, int64_t player, struct sheet_rows *out)
{
	sqlite3_stmt *st = NULL;
	bool row;
	struct err *e = sql_bind(s, mem, &st,
		SELECT_SHEETS
		"number, arrived, unread, typed FROM sheet WHERE game = ?1 AND line = ?2 AND turn = ?3 AND (?4 = 0 OR "
		"player = ?4) ORDER BY arrived, id",
		"iiii", g->id, (int64_t)g->line, (int64_t)g->turn, player);

	*out = (struct sheet_rows){NULL, 0};
	while (e == NULL && (e = sql_step(s, mem, st, &row)) == NULL && row) {
		struct sheet_row *r = add_row(mem, st, out);

		r->number = sqlite3_column_int(st, 7);
		r->arrived = sqlite3_column_int64(st, 8);
		r->unread = sqlite3_column_int(st, 9);
		r->typed = sql_text(mem, st, 10);
	}
	return e;
}

/* Those of one line of play, of the turns from `first` to `last`; added to what is there. Of one player, one behind the
 * other, they share what is his. */
static struct err *sheets_of_line(struct store *s, TALLOC_CTX *mem, const struct game *g, const char *role, int line,
	int first, int last, struct sheet_rows *out)
{
	sqlite3_stmt *st = NULL;
	bool row;
	struct err *e = sql_bind(s, mem, &st,
		SELECT_SHEETS
		"role, units, unread FROM sheet CROSS JOIN player p ON p.id = player WHERE sheet.game = ?1 AND "
		"line = ?2 AND turn BETWEEN ?3 AND ?4 AND (turn = ?5 OR (plain = '' AND canonical <> '')) "
		"AND gone = 0 AND (?6 = '' OR role = ?6) ORDER BY turn, arrived, sheet.id",
		"iiiiit", g->id, (int64_t)line, (int64_t)first, (int64_t)last, (int64_t)g->turn, role);

	while (e == NULL && (e = sql_step(s, mem, st, &row)) == NULL && row) {
		struct sheet_row *r = add_row(mem, st, out);
		bool same = out->count > 1 && r[-1].player == r->player;

		r->role = same ? r[-1].role : sql_text(mem, st, 7);
		r->units = same ? r[-1].units : sql_text(mem, st, 8);
		r->unread = sqlite3_column_int(st, 9);
	}
	return e;
}

struct err *store_open_of(
	struct store *s, TALLOC_CTX *mem, const struct game *g, int64_t player, bool *unread, bool *ready)
{
	int64_t n = 0;
	struct err *e = sql_int(s, mem, &n,
		"SELECT EXISTS (SELECT 1 FROM sheet WHERE player = ?1 AND turn = ?2 AND unread > 0 AND line = ?3) + 2 "
		"* "
		"EXISTS (SELECT 1 FROM ready WHERE game = ?4 AND line = ?3 AND turn = ?2 AND player = ?1)",
		"iiii", player, (int64_t)g->turn, (int64_t)g->line, g->id);

	*unread = (n & 1) != 0;
	*ready = (n & 2) != 0;
	return e;
}

struct err *store_forget_unread(struct store *s, TALLOC_CTX *mem, const struct game *g, int64_t player)
{
	return sql_run(s, mem, "UPDATE sheet SET unread = 0 WHERE player = ? AND turn = ? AND unread > 0 AND line = ?",
		"iii", player, (int64_t)g->turn, (int64_t)g->line);
}

struct err *store_any_entered(struct store *s, TALLOC_CTX *mem, const struct game *g, int turn, bool *out)
{
	int64_t n = 0;
	struct err *e = sql_int(s, mem, &n,
		"SELECT EXISTS (SELECT 1 FROM sheet WHERE game = ? AND turn = ? AND referee IS NOT NULL)", "ii", g->id,
		(int64_t)turn);

	*out = n != 0;
	return e;
}

struct err *store_sheets_in_force(
	struct store *s, TALLOC_CTX *mem, const struct game *g, const char *role, struct sheet_rows *out)
{
	struct err *e = NULL;

	*out = (struct sheet_rows){NULL, 0};
	for (int first = 1, last; e == NULL && first <= g->turn; first = last + 1) {
		int line = g->line, next;

		e = store_line_of_turn(s, mem, g, first, &line);
		for (last = first, next = line; e == NULL && last < g->turn && next == line;) {
			e = store_line_of_turn(s, mem, g, last + 1, &next);
			last += next == line;
		}
		if (e == NULL)
			e = sheets_of_line(s, mem, g, role, line, first, last, out);
	}
	return e;
}

struct err *store_add_turn(struct store *s, TALLOC_CTX *mem, const struct game *g, struct turn_row *t)
{
	bool own;
	struct err *e = sql_enter(s, mem, &own);

	if (e != NULL)
		return e;
	e = sql_run(s, mem,
		"INSERT INTO turn (game, line, turn, resolution, resolved, why, before, orders, amendments, events, "
		"after, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		"iiiiitbtbbbt", g->id, (int64_t)t->line, (int64_t)t->turn, (int64_t)t->resolution, t->resolved, t->why,
		(struct blob){t->before, t->before_len}, t->orders, (struct blob){t->amendments, t->amendments_len},
		(struct blob){t->events, t->events_len}, (struct blob){t->after, t->after_len}, t->digest);
	if (e == NULL) {
		t->id = sql_last_id(s);
		e = sql_run(s, mem, "DELETE FROM ready WHERE game = ? AND line = ? AND turn = ?", "iii", g->id,
			(int64_t)t->line, (int64_t)t->turn);
	}
	return sql_leave(s, mem, own, e);
}

#define SELECT_TURN                                                                                                    \
	"SELECT id, game, line, turn, resolution, resolved, why, before, orders, amendments, events, after, digest "   \
	"FROM turn "

/* The one row of a bound statement, or NULL. */
static struct err *read_turn(struct err *e, struct store *s, TALLOC_CTX *mem, sqlite3_stmt *st, struct turn_row **out)
{
	bool row = false;

	*out = NULL;
	if (e == NULL)
		e = sql_step(s, mem, st, &row);
	if (row) {
		struct turn_row *t = talloc_zero(mem, struct turn_row);

		t->id = sqlite3_column_int64(st, 0);
		t->game = sqlite3_column_int64(st, 1);
		t->line = sqlite3_column_int(st, 2);
		t->turn = sqlite3_column_int(st, 3);
		t->resolution = sqlite3_column_int(st, 4);
		t->resolved = sqlite3_column_int64(st, 5);
		t->why = sql_text(t, st, 6);
		t->before = sql_bytes(t, st, 7, &t->before_len);
		t->orders = sql_text(t, st, 8);
		t->amendments = sql_bytes(t, st, 9, &t->amendments_len);
		t->events = sql_bytes(t, st, 10, &t->events_len);
		t->after = sql_bytes(t, st, 11, &t->after_len);
		t->digest = sql_text(t, st, 12);
		*out = t;
		sql_reset(st);
	}
	return e;
}

/* In the line of play that holds the turn. */
#define WHERE_TURN "WHERE game = ? AND line = ? AND turn = ? "

struct err *store_turn(struct store *s, TALLOC_CTX *mem, const struct game *g, int turn, struct turn_row **out)
{
	sqlite3_stmt *st = NULL;
	int line;
	struct err *e = store_line_of_turn(s, mem, g, turn, &line);

	if (e == NULL)
		e = sql_bind(s, mem, &st, SELECT_TURN WHERE_TURN "ORDER BY resolution DESC LIMIT 1", "iii", g->id,
			(int64_t)line, (int64_t)turn);
	return read_turn(e, s, mem, st, out);
}

struct err *store_turn_digest(struct store *s, TALLOC_CTX *mem, const struct game *g, int turn, const char **out)
{
	sqlite3_stmt *st = NULL;
	bool row = false;
	int line;
	struct err *e = store_line_of_turn(s, mem, g, turn, &line);

	*out = NULL;
	if (e == NULL)
		e = sql_bind(s, mem, &st, "SELECT digest FROM turn " WHERE_TURN "ORDER BY resolution DESC LIMIT 1",
			"iii", g->id, (int64_t)line, (int64_t)turn);
	if (e == NULL)
		e = sql_step(s, mem, st, &row);
	if (row) {
		*out = sql_text(mem, st, 0);
		sql_reset(st);
	}
	return e;
}

struct err *store_turn_told(struct store *s, TALLOC_CTX *mem, const struct game *g, int turn, struct turn_row **out)
{
	sqlite3_stmt *st = NULL;
	int line;
	struct err *e = store_line_of_turn(s, mem, g, turn, &line);

	if (e == NULL)
		e = sql_bind(s, mem, &st,
			SELECT_TURN WHERE_TURN "AND EXISTS (SELECT 1 FROM released r WHERE r.turn = turn.id) "
					       "ORDER BY resolution DESC LIMIT 1",
			"iii", g->id, (int64_t)line, (int64_t)turn);
	return read_turn(e, s, mem, st, out);
}

struct err *store_turn_resolution(
	struct store *s, TALLOC_CTX *mem, const struct game *g, int turn, int resolution, struct turn_row **out)
{
	sqlite3_stmt *st = NULL;
	int line;
	struct err *e = store_line_of_turn(s, mem, g, turn, &line);

	if (e == NULL)
		e = sql_bind(s, mem, &st, SELECT_TURN WHERE_TURN "AND resolution = ?", "iiii", g->id, (int64_t)line,
			(int64_t)turn, (int64_t)resolution);
	return read_turn(e, s, mem, st, out);
}

struct err *store_turn_row(struct store *s, TALLOC_CTX *mem, int64_t id, struct turn_row **out)
{
	sqlite3_stmt *st = NULL;
	struct err *e = sql_bind(s, mem, &st, SELECT_TURN "WHERE id = ?", "i", id);

	return read_turn(e, s, mem, st, out);
}

struct err *store_release_turn(struct store *s, TALLOC_CTX *mem, int64_t id, int64_t now)
{
	return sql_run(s, mem, "INSERT INTO released (turn, made) VALUES (?, ?)", "ii", id, now);
}

struct err *store_keep_phases(
	struct store *s, TALLOC_CTX *mem, int64_t game, int64_t turn, int kept, const struct phase_row *rows, int count)
{
	bool own;
	struct err *e = sql_enter(s, mem, &own);

	if (e != NULL)
		return e;
	e = sql_run(s, mem, "DELETE FROM turn_phase WHERE game = ? AND phase > ?", "ii", game, (int64_t)kept);
	if (e == NULL)
		e = sql_run(s, mem, "UPDATE turn_phase SET turn = ? WHERE game = ?", "ii", turn, game);
	for (int i = 0; e == NULL && i < count; i++)
		e = sql_run(s, mem, "INSERT INTO turn_phase (game, phase, turn, state) VALUES (?, ?, ?, ?)", "iiib",
			game, (int64_t)rows[i].phase, turn, (struct blob){rows[i].state, rows[i].len});
	return sql_leave(s, mem, own, e);
}

struct err *store_phase(struct store *s, TALLOC_CTX *mem, int64_t game, int64_t turn, int phase, struct phase_row *out)
{
	sqlite3_stmt *st = NULL;
	bool row = false;
	struct err *e = sql_bind(s, mem, &st,
		"SELECT phase, state FROM turn_phase WHERE game = ? AND turn = ? AND phase <= ? "
		"ORDER BY phase DESC LIMIT 1",
		"iii", game, turn, (int64_t)phase);

	*out = (struct phase_row){0, NULL, 0};
	if (e == NULL)
		e = sql_step(s, mem, st, &row);
	if (row) {
		out->phase = sqlite3_column_int(st, 0);
		out->state = sql_bytes(mem, st, 1, &out->len);
		sql_reset(st);
	}
	return e;
}
