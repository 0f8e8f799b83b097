#include "store/mailbox.h"

#include "store/sql.h"

enum { ROWS_AT_ONCE = 100 };

static struct err *find_account(struct store *s, TALLOC_CTX *mem, const char *name, struct account **out)
{
	sqlite3_stmt *st;
	bool row = false;
	struct err *e = sql_bind(s, mem, &st,
		"SELECT id, made, complete, ifnull(failing_since, 0), failure FROM account WHERE name = ?", "t", name);

	*out = NULL;
	if (e == NULL)
		e = sql_step(s, mem, st, &row);
	if (row) {
		*out = talloc_zero(mem, struct account);
		**out = (struct account){
			.id = sqlite3_column_int64(st, 0),
			.name = talloc_strdup(*out, name),
			.made = sqlite3_column_int64(st, 1),
			.complete = sqlite3_column_int64(st, 2),
			.failing_since = sqlite3_column_int64(st, 3),
			.failure = sql_text(*out, st, 4),
		};
		sql_reset(st);
	}
	return e;
}

struct err *store_account(struct store *s, TALLOC_CTX *mem, const char *name, int64_t now, struct account **out)
{
	struct err *e = find_account(s, mem, name, out);

	if (e == NULL && *out == NULL) {
		e = sql_run(s, mem, "INSERT INTO account (name, made) VALUES (?, ?) ON CONFLICT DO NOTHING", "ti", name,
			now);
		if (e == NULL)
			e = find_account(s, mem, name, out);
	}
	return e;
}

struct err *store_polled(struct store *s, TALLOC_CTX *mem, int64_t account, int64_t begun)
{
	return sql_run(s, mem, "UPDATE account SET complete = ?, failing_since = NULL, failure = '' WHERE id = ?", "ii",
		begun, account);
}

struct err *store_poll_failed(struct store *s, TALLOC_CTX *mem, int64_t account, int64_t now, const char *why)
{
	return sql_run(s, mem, "UPDATE account SET failing_since = ifnull(failing_since, ?), failure = ? WHERE id = ?",
		"iti", now, why, account);
}

struct err *store_mail_known(
	struct store *s, TALLOC_CTX *mem, int64_t account, int64_t validity, const char *uid, bool *out)
{
	int64_t n = 0;
	struct err *e = sql_int(s, mem, &n, "SELECT count(*) FROM mail WHERE account = ? AND validity = ? AND uid = ?",
		"iit", account, validity, uid);

	*out = n > 0;
	return e;
}

struct err *store_mail_listed(struct store *s, TALLOC_CTX *mem, int64_t account, int64_t validity, const char *uid,
	int64_t arrived, bool *known)
{
	int64_t other = 0, id = 0;
	/* One of the future was taken down with the moment it was fetched. */
	struct err *e = sql_int(s, mem, &id, "SELECT id FROM mail WHERE account = ? AND validity = ? AND uid = ?",
		"iit", account, validity, uid);

	if (e == NULL && id != 0)
		e = sql_int(s, mem, &other,
			"SELECT count(*) FROM mail WHERE id = ? AND arrived NOT IN (?, fetched) AND state <> 'old'",
			"ii", id, arrived);
	*known = id != 0 && other == 0;
	if (e != NULL || other == 0)
		return e;
	return sql_run(s, mem, "UPDATE mail SET uid = uid || ' of ' || id, folder = '' WHERE id = ?", "i", id);
}

/* What a mail is when it comes in. One that was rejected and moved away, and now lies in the mailbox again, was put
 * back by somebody who wants it read again. */
static struct err *first_state(struct store *s, TALLOC_CTX *mem, struct incoming *m, bool old)
{
	int64_t twin = 0;
	struct err *e = sql_int(s, mem, &twin,
		"SELECT id FROM mail WHERE digest = ? AND state <> 'duplicate' AND "
		"NOT (state = 'rejected' AND folder = '') LIMIT 1",
		"b", (struct blob){m->digest, sizeof m->digest});

	m->state = old ? "old" : twin != 0 ? "duplicate" : "fetched";
	m->folder = old || twin == 0 ? "" : "Processed";
	return e;
}

struct err *store_add_mail(struct store *s, TALLOC_CTX *mem, struct incoming *m, int64_t now, int64_t not_before)
{
	bool own, old = m->arrived < not_before;
	struct err *e = sql_enter(s, mem, &own);

	if (e != NULL)
		return e;
	m->id = 0;
	e = first_state(s, mem, m, old);
	if (e == NULL)
		e = sql_run(s, mem,
			"INSERT INTO mail (account, validity, uid, arrived, fetched, digest, state, folder) "
			"VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (account, validity, uid) DO NOTHING",
			"iitiibtt", m->account, m->validity, m->uid, m->arrived, now,
			(struct blob){m->digest, sizeof m->digest}, m->state, m->folder);
	if (e == NULL && sql_changes(s) == 1)
		m->id = sql_last_id(s);
	if (e == NULL && m->id != 0 && !old)
		e = sql_run(s, mem, "INSERT INTO mail_raw (mail, raw) VALUES (?, ?)", "ib", m->id,
			(struct blob){m->raw, m->raw_len});
	return sql_leave(s, mem, own, e);
}

struct err *store_mail_rejected_before(struct store *s, TALLOC_CTX *mem, int64_t mail, bool *out)
{
	int64_t twin = 0;
	struct err *e = sql_int(s, mem, &twin,
		"SELECT t.id FROM mail m JOIN mail t ON t.digest = m.digest AND t.id < m.id AND t.state = 'rejected' "
		"WHERE m.id = ? LIMIT 1",
		"i", mail);

	*out = twin != 0;
	return e;
}

struct err *store_put_off(struct store *s, TALLOC_CTX *mem, int64_t account, int64_t validity, const char *uid,
	int64_t now, int tries, int seconds)
{
	return sql_run(s, mem,
		"INSERT INTO ghost (account, validity, uid, tries, due) VALUES (?1, ?2, ?3, 1, ?4) "
		"ON CONFLICT (account, validity, uid) DO UPDATE SET tries = tries + 1, "
		"due = ?4 + CASE WHEN tries + 1 < ?5 THEN 0 ELSE ?6 END",
		"iitiii", account, validity, uid, now, (int64_t)tries, (int64_t)seconds);
}

struct err *store_put_off_until(
	struct store *s, TALLOC_CTX *mem, int64_t account, int64_t validity, const char *uid, int64_t *out)
{
	*out = 0;
	return sql_int(s, mem, out, "SELECT due FROM ghost WHERE account = ? AND validity = ? AND uid = ?", "iit",
		account, validity, uid);
}

struct err *store_any_put_off(struct store *s, TALLOC_CTX *mem, int64_t account, bool *out)
{
	int64_t n = 0;
	struct err *e = sql_int(s, mem, &n, "SELECT EXISTS (SELECT 1 FROM ghost WHERE account = ?)", "i", account);

	*out = n != 0;
	return e;
}

struct err *store_mail_waiting(struct store *s, TALLOC_CTX *mem, int max, size_t bytes, struct incomings *out)
{
	sqlite3_stmt *st;
	size_t so_far = 0;
	bool row = false;
	struct err *e = sql_bind(s, mem, &st,
		"SELECT m.id, m.account, m.arrived, m.tries, r.raw FROM mail m JOIN mail_raw r ON r.mail = m.id "
		"WHERE m.state = 'fetched' ORDER BY m.arrived, m.id LIMIT ?",
		"i", (int64_t)max);

	*out = (struct incomings){talloc_zero_array(mem, struct incoming, (unsigned)max), 0};
	while (e == NULL && so_far < bytes && (e = sql_step(s, mem, st, &row)) == NULL && row) {
		struct incoming *m = &out->list[out->count++];

		m->id = sqlite3_column_int64(st, 0);
		m->account = sqlite3_column_int64(st, 1);
		m->arrived = sqlite3_column_int64(st, 2);
		m->tries = sqlite3_column_int(st, 3);
		m->raw = sql_bytes(out->list, st, 4, &m->raw_len);
		m->state = "fetched";
		m->uid = m->folder = "";
		so_far += m->raw_len;
	}
	if (e == NULL && row)
		sql_reset(st);
	return e;
}

struct err *store_mail_done(struct store *s, TALLOC_CTX *mem, int64_t mail, const char *state, const char *folder,
	int64_t game, int64_t player, const char *why)
{
	struct err *e = sql_run(s, mem,
		"UPDATE mail SET state = ?, folder = ?, game = ?, player = ?, why = ? "
		"WHERE id = ? AND state = 'fetched'",
		"ttrrti", state, folder, game, player, why, mail);

	if (e == NULL && sql_changes(s) == 0)
		e = err_new(mem, ERR_MAIL, false, s->path, "mail %lld has been dealt with already by another process",
			(long long)mail);
	return e;
}

struct err *store_mail_failed(struct store *s, TALLOC_CTX *mem, int64_t mail, const char *why, int *tries)
{
	int64_t n = 0;
	struct err *e = sql_int(s, mem, &n,
		"UPDATE mail SET tries = tries + 1, why = ? WHERE id = ? AND state = 'fetched' RETURNING tries", "ti",
		why, mail);

	*tries = (int)n;
	return e;
}

struct err *store_mail_moving_since(struct store *s, TALLOC_CTX *mem, int64_t account, int64_t *since)
{
	*since = 0;
	return sql_int(s, mem, since, "SELECT ifnull(min(fetched), 0) FROM mail WHERE account = ? AND folder <> ''",
		"i", account);
}

struct err *store_mail_to_move(struct store *s, TALLOC_CTX *mem, int64_t account, struct incomings *out)
{
	sqlite3_stmt *st;
	bool row;
	struct err *e = sql_bind(s, mem, &st,
		"SELECT id, validity, uid, folder FROM mail WHERE account = ? AND folder <> '' ORDER BY id LIMIT 1000",
		"i", account);

	*out = (struct incomings){NULL, 0};
	while (e == NULL && (e = sql_step(s, mem, st, &row)) == NULL && row) {
		if (out->count % ROWS_AT_ONCE == 0)
			out->list =
				talloc_realloc(mem, out->list, struct incoming, (unsigned)(out->count + ROWS_AT_ONCE));
		out->list[out->count++] = (struct incoming){
			.id = sqlite3_column_int64(st, 0),
			.account = account,
			.validity = sqlite3_column_int64(st, 1),
			.uid = sql_text(mem, st, 2),
			.folder = sql_text(mem, st, 3),
		};
	}
	return e;
}

struct err *store_mail_moved(struct store *s, TALLOC_CTX *mem, int64_t mail)
{
	return sql_run(s, mem, "UPDATE mail SET folder = '' WHERE id = ?", "i", mail);
}
