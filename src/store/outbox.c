#include "store/outbox.h"

#include "store/sql.h"

struct err *store_queue(struct store *s, TALLOC_CTX *mem, struct outgoing *row)
{
	struct err *e = sql_run(s, mem,
		"INSERT INTO outbox (game, player, recipient, kind, turn, message_id, bytes, printed, made, state, "
		"due) VALUES "
		"(nullif(?, 0), nullif(?, 0), ?, ?, ?, ?, ?, ?, ?9, 'queued', ?9)",
		"iittitbti", row->game, row->player, row->recipient, row->kind, (int64_t)row->turn, row->message_id,
		(struct blob){row->bytes, row->len}, row->printed, row->made);

	if (e == NULL)
		row->id = sql_last_id(s);
	return e;
}

#define OUTGOING_COLUMNS                                                                                               \
	"id, ifnull(game, 0), ifnull(player, 0), recipient, kind, turn, message_id, bytes, printed, made, state, "     \
	"tries, why"

static struct outgoing *read_row(TALLOC_CTX *mem, sqlite3_stmt *st)
{
	struct outgoing *o = talloc_zero(mem, struct outgoing);

	o->id = sqlite3_column_int64(st, 0);
	o->game = sqlite3_column_int64(st, 1);
	o->player = sqlite3_column_int64(st, 2);
	o->recipient = sql_text(o, st, 3);
	o->kind = sql_text(o, st, 4);
	o->turn = sqlite3_column_int(st, 5);
	o->message_id = sql_text(o, st, 6);
	o->bytes = sql_bytes(o, st, 7, &o->len);
	o->printed = sql_text(o, st, 8);
	o->made = sqlite3_column_int64(st, 9);
	o->state = sql_text(o, st, 10);
	o->tries = sqlite3_column_int(st, 11);
	o->why = sql_text(o, st, 12);
	return o;
}

/* One UPDATE that names its row itself, so that no two processes can claim the same one. */
struct err *store_claim(
	struct store *s, TALLOC_CTX *mem, const char *owner, int64_t now, int seconds, struct outgoing **out)
{
	sqlite3_stmt *st;
	bool row = false;
	struct err *e = sql_bind(s, mem, &st,
		"UPDATE outbox SET state = 'sending', owner = ?1, due = ?2 + ?3, tries = tries + 1 WHERE id = (SELECT "
		"id FROM outbox "
		"WHERE state IN ('queued', 'uncertain', 'sending') AND due <= ?2 ORDER BY due, id LIMIT 1) "
		"RETURNING " OUTGOING_COLUMNS,
		"tii", owner, now, (int64_t)seconds);

	*out = NULL;
	if (e == NULL)
		e = sql_step(s, mem, st, &row);
	if (row) {
		bool more;

		*out = read_row(mem, st);
		e = sql_step(s, mem, st, &more);
	}
	return e;
}

struct err *store_sent(struct store *s, TALLOC_CTX *mem, int64_t row, const char *state, int64_t due, const char *why)
{
	return sql_run(s, mem, "UPDATE outbox SET state = ?, due = ?, why = ?, owner = '' WHERE id = ?", "titi", state,
		due, why, row);
}

struct err *store_last_mail(
	struct store *s, TALLOC_CTX *mem, int64_t player, const char *kind, int turn, struct outgoing **out)
{
	sqlite3_stmt *st;
	bool row = false;
	struct err *e = sql_bind(s, mem, &st,
		"SELECT " OUTGOING_COLUMNS
		" FROM outbox WHERE player = ?1 AND (?2 = '' OR kind = ?2) AND (?3 = 0 OR turn = ?3) "
		"ORDER BY id DESC LIMIT 1",
		"iti", player, kind, (int64_t)turn);

	*out = NULL;
	if (e == NULL)
		e = sql_step(s, mem, st, &row);
	if (row) {
		*out = read_row(mem, st);
		sql_reset(st);
	}
	return e;
}

struct err *store_outbox_count(struct store *s, TALLOC_CTX *mem, int *waiting, int *failing)
{
	int64_t n = 0, bad = 0;
	struct err *e = sql_int(
		s, mem, &n, "SELECT count(*) FROM outbox WHERE state IN ('queued', 'uncertain', 'sending')", "");

	if (e == NULL)
		e = sql_int(s, mem, &bad,
			"SELECT count(*) FROM outbox WHERE state IN ('queued', 'uncertain', 'sending') AND tries > 0",
			"");
	*waiting = (int)n;
	*failing = (int)bad;
	return e;
}
