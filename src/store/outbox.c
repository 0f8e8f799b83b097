#include "store/outbox.h"

#include "store/sql.h"

#include <assert.h>

struct err *store_queue_row(struct store *s, TALLOC_CTX *mem, struct outgoing *row)
{
	struct err *e = sql_run(s, mem,
		"INSERT INTO outbox (game, player, recipient, kind, turn, message_id, made, state, due, shows, line) "
		"VALUES (?, ?, ?, ?, ?, ?, ?7, 'queued', ?7, ?, ?)",
		"rrttitiri", row->game, row->player, row->recipient, row->kind, (int64_t)row->turn, row->message_id,
		row->made, row->shows, (int64_t)row->line);

	if (e == NULL)
		row->id = sql_last_id(s);
	return e;
}

struct err *store_queue_bytes(struct store *s, TALLOC_CTX *mem, const struct outgoing *row)
{
	return sql_run(s, mem, "INSERT INTO outbox_bytes (outbox, bytes, printed) VALUES (?, ?, ?)", "ibt", row->id,
		(struct blob){row->bytes, row->len}, row->printed == NULL ? "" : row->printed);
}

struct err *store_queue(struct store *s, TALLOC_CTX *mem, struct outgoing *row)
{
	bool own;
	struct err *e = sql_enter(s, mem, &own);

	if (e != NULL)
		return e;
	e = store_queue_row(s, mem, row);
	if (e == NULL)
		e = store_queue_bytes(s, mem, row);
	return sql_leave(s, mem, own, e);
}

#define SELECT_OUTGOING                                                                                                \
	"SELECT o.id, ifnull(o.game, 0), ifnull(o.player, 0), o.recipient, o.kind, o.turn, o.message_id, b.bytes, "    \
	"b.printed, o.made, o.state, o.tries, o.doubts, o.why, ifnull(o.shows, 0), o.line FROM outbox o JOIN "         \
	"outbox_bytes b "                                                                                              \
	"ON b.outbox = o.id "

/* The one row of a bound statement, or NULL. */
static struct err *read_row(struct err *e, struct store *s, TALLOC_CTX *mem, sqlite3_stmt *st, struct outgoing **out)
{
	bool row = false;
	struct outgoing *o;

	*out = NULL;
	if (e == NULL)
		e = sql_step(s, mem, st, &row);
	if (!row)
		return e;
	o = talloc_zero(mem, struct outgoing);
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
	o->doubts = sqlite3_column_int(st, 12);
	o->why = sql_text(o, st, 13);
	o->shows = sqlite3_column_int64(st, 14);
	o->line = sqlite3_column_int(st, 15);
	sql_reset(st);
	*out = o;
	return NULL;
}

static struct err *claim(
	struct store *s, TALLOC_CTX *mem, const char *owner, int64_t now, int seconds, struct outgoing **out)
{
	sqlite3_stmt *st = NULL;
	int64_t id = 0;
	/* A clock that was ahead for a while may have put a row off by years: what was never tried is due at once, and
	 * what was waits no longer than any wait can be. */
	struct err *e = sql_int(s, mem, &id,
		"SELECT id FROM outbox WHERE state NOT IN ('sent', 'failed') AND "
		"(due <= ?1 OR due > ?2 OR (state = 'queued' AND made > ?1 AND tries = 0)) "
		"ORDER BY due, id LIMIT 1",
		"ii", now, now + OUTBOX_WAIT_MAX);

	assert(seconds <= OUTBOX_WAIT_MAX);

	if (e != NULL || id == 0)
		return e;
	e = sql_run(s, mem,
		"UPDATE outbox SET state = 'sending', owner = ?, due = ?, tries = tries + 1, "
		"doubts = doubts + (state = 'sending') WHERE id = ?",
		"tii", owner, now + seconds, id);
	if (e == NULL)
		e = sql_bind(s, mem, &st, SELECT_OUTGOING "WHERE o.id = ?", "i", id);
	return read_row(e, s, mem, st, out);
}

/* In one transaction, so that no two processes can claim the same row. */
struct err *store_claim(
	struct store *s, TALLOC_CTX *mem, const char *owner, int64_t now, int seconds, struct outgoing **out)
{
	bool own;
	struct err *e = sql_enter(s, mem, &own);

	*out = NULL;
	if (e != NULL)
		return e;
	return sql_leave(s, mem, own, claim(s, mem, owner, now, seconds, out));
}

struct err *store_outbox_last(struct store *s, TALLOC_CTX *mem, int64_t *id)
{
	*id = 0;
	return sql_int(s, mem, id, "SELECT ifnull(max(id), 0) FROM outbox", "");
}

struct err *store_claimants(struct store *s, TALLOC_CTX *mem, const char ***out)
{
	sqlite3_stmt *st;
	const char **owners = talloc_zero_array(mem, const char *, 1);
	unsigned count = 0;
	bool row;
	/* The condition of the index, so that the sent mails of years are not looked at. */
	struct err *e = sql_bind(s, mem, &st,
		"SELECT DISTINCT owner FROM outbox WHERE state NOT IN ('sent', 'failed') AND state = "
		"'sending'",
		"");

	while (e == NULL && (e = sql_step(s, mem, st, &row)) == NULL && row) {
		owners = talloc_realloc(mem, owners, const char *, count + 2);
		owners[count++] = sql_text(owners, st, 0);
		owners[count] = NULL;
	}
	*out = owners;
	return e;
}

struct err *store_unclaim(struct store *s, TALLOC_CTX *mem, const char *owner, int64_t now)
{
	return sql_run(s, mem,
		"UPDATE outbox SET state = 'uncertain', due = ?, owner = '', doubts = doubts + 1 "
		"WHERE state NOT IN ('sent', 'failed') AND state = 'sending' AND owner = ?",
		"it", now, owner);
}

/* What is not being sent any more (another process had it meanwhile and is done) stays as it is. */
struct err *store_sent(struct store *s, TALLOC_CTX *mem, int64_t row, const char *state, int64_t due, const char *why)
{
	return sql_run(s, mem,
		"UPDATE outbox SET state = ?1, due = ?2, why = ?3, owner = '', doubts = doubts + (?1 = 'uncertain') "
		"WHERE id = ?4 AND state = 'sending'",
		"titi", state, due, why, row);
}

struct err *store_sent_since(struct store *s, TALLOC_CTX *mem, int64_t since, int64_t now, int64_t *count)
{
	*count = 0;
	return sql_int(s, mem, count, "SELECT count(*) FROM outbox WHERE state = 'sent' AND due > ? AND due <= ?", "ii",
		since, now);
}

struct err *store_unsent(struct store *s, TALLOC_CTX *mem, int64_t row, int64_t now, const char *why)
{
	return sql_run(s, mem,
		"UPDATE outbox SET state = 'queued', due = ?, why = ?, owner = '', tries = tries - 1 "
		"WHERE id = ? AND state = 'sending'",
		"iti", now, why, row);
}

struct err *store_last_mail(
	struct store *s, TALLOC_CTX *mem, int64_t player, const char *kind, int turn, struct outgoing **out)
{
	sqlite3_stmt *st = NULL;
	struct err *e = sql_bind(s, mem, &st,
		SELECT_OUTGOING "WHERE o.id = (SELECT max(id) FROM outbox WHERE player = ?1 AND (?2 = '' OR kind = ?2) "
				"AND (?3 = 0 OR turn = ?3))",
		"iti", player, kind, (int64_t)turn);

	return read_row(e, s, mem, st, out);
}

struct err *store_last_to(
	struct store *s, TALLOC_CTX *mem, int64_t player, const char *recipient, const char **message_id)
{
	sqlite3_stmt *st = NULL;
	bool row = false;
	struct err *e = sql_bind(s, mem, &st,
		"SELECT message_id FROM outbox WHERE player = ? AND recipient = ? ORDER BY id DESC LIMIT 1", "it",
		player, recipient);

	if (e == NULL)
		e = sql_step(s, mem, st, &row);
	*message_id = row ? sql_text(mem, st, 0) : "";
	if (row)
		sql_reset(st);
	return e;
}

struct err *store_mail_sent_as(struct store *s, TALLOC_CTX *mem, const char *message_id, struct outgoing **out)
{
	sqlite3_stmt *st = NULL;
	struct err *e = sql_bind(s, mem, &st, SELECT_OUTGOING "WHERE o.message_id = ?", "t", message_id);

	return read_row(e, s, mem, st, out);
}

struct err *store_came_back(struct store *s, TALLOC_CTX *mem, const char *message_id, struct outgoing **out)
{
	struct err *e = sql_run(s, mem,
		"UPDATE outbox SET why = 'came back' WHERE message_id = ? AND state IN ('sent', 'uncertain', "
		"'sending') "
		"AND why <> 'came back'",
		"t", message_id);

	*out = NULL;
	return e != NULL || sql_changes(s) == 0 ? e : store_mail_sent_as(s, mem, message_id, out);
}

struct err *store_last_shown(struct store *s, TALLOC_CTX *mem, int64_t player, int64_t *out)
{
	*out = 0;
	return sql_int(s, mem, out,
		"SELECT shows FROM outbox WHERE player = ? AND shows IS NOT NULL ORDER BY id DESC LIMIT 1", "i",
		player);
}

struct err *store_printed(struct store *s, TALLOC_CTX *mem, int64_t player, int turn, char **out)
{
	sqlite3_stmt *st;
	bool row;
	struct err *e = sql_bind(s, mem, &st,
		"SELECT b.printed FROM outbox o JOIN outbox_bytes b ON b.outbox = o.id WHERE o.player = ? AND o.turn = "
		"?",
		"ii", player, (int64_t)turn);

	*out = talloc_strdup(mem, "");
	while (e == NULL && (e = sql_step(s, mem, st, &row)) == NULL && row)
		*out = talloc_strdup_append_buffer(*out, sql_text(*out, st, 0));
	return e;
}

struct err *store_take_back(struct store *s, TALLOC_CTX *mem, int64_t player, const char *why)
{
	return sql_run(s, mem,
		"UPDATE outbox SET state = 'failed', why = ? WHERE player = ? AND state IN ('queued', 'uncertain')",
		"ti", why, player);
}

struct err *store_outbox_count(struct store *s, TALLOC_CTX *mem, int *waiting, int *failing)
{
	int64_t n = 0, bad = 0;
	struct err *e = sql_int(s, mem, &n, "SELECT count(*) FROM outbox WHERE state NOT IN ('sent', 'failed')", "");

	if (e == NULL)
		e = sql_int(s, mem, &bad,
			"SELECT count(*) FROM outbox WHERE state NOT IN ('sent', 'failed') AND tries > 0", "");
	*waiting = (int)n;
	*failing = (int)bad;
	return e;
}
