#include "store/archive.h"

#include "store/sql.h"

enum { ANSWERED_SECONDS = 2 * 24 * 3600 /* as long as they count (store.h) */ };

static struct err *walk(
	struct err *e, struct store *s, TALLOC_CTX *mem, sqlite3_stmt *st, bool in, archive_each each, void *context)
{
	bool row;

	while (e == NULL && (e = sql_step(s, mem, st, &row)) == NULL && row) {
		TALLOC_CTX *one = talloc_new(mem);
		struct archived m = {
			.in = in,
			.id = sqlite3_column_int64(st, 0),
			.player = sqlite3_column_int64(st, 1),
			.when = sqlite3_column_int64(st, 2),
			.what = sql_text(one, st, 3),
			.turn = sqlite3_column_int(st, 4),
			.state = sql_text(one, st, 5),
			.recipient = sql_text(one, st, 6),
		};

		if (sqlite3_column_type(st, 7) != SQLITE_NULL)
			m.raw = sql_bytes(one, st, 7, &m.len);
		e = each(context, one, &m);
		if (e != NULL) {
			talloc_steal(mem, e);
			sql_reset(st);
		}
		talloc_free(one);
	}
	return e;
}

struct err *store_archive(struct store *s, TALLOC_CTX *mem, int64_t game, archive_each each, void *context)
{
	sqlite3_stmt *st = NULL;
	struct err *e = sql_bind(s, mem, &st,
		"SELECT m.id, ifnull(m.player, 0), m.arrived, m.why, ifnull((SELECT h.turn FROM sheet h WHERE h.game "
		"= ?1 AND h.mail = m.id), 0), m.state, '', r.raw FROM mail m LEFT JOIN mail_raw r ON r.mail = m.id "
		"WHERE m.game = ?1 "
		"ORDER BY m.id",
		"i", game);

	e = walk(e, s, mem, st, true, each, context);
	if (e == NULL)
		e = sql_bind(s, mem, &st,
			"SELECT o.id, ifnull(o.player, 0), o.made, o.kind, o.turn, o.state, o.recipient, b.bytes "
			"FROM outbox o LEFT JOIN outbox_bytes b ON b.outbox = o.id WHERE o.game = ? ORDER BY o.id",
			"i", game);
	return e != NULL ? e : walk(e, s, mem, st, false, each, context);
}

struct err *store_games_to_forget(struct store *s, TALLOC_CTX *mem, int64_t before, struct games *out)
{
	struct games all;
	struct err *e = store_games(s, mem, &all);

	*out = (struct games){talloc_zero_array(mem, struct game, (unsigned)(e == NULL ? all.count : 0) + 1), 0};
	for (int i = 0; e == NULL && i < all.count; i++) {
		int64_t last = 0, forgotten = 0;

		if (all.list[i].status[0] != 'e')
			continue;
		e = store_forgotten(s, mem, all.list[i].id, &forgotten);
		if (e == NULL)
			e = sql_int(s, mem, &last, "SELECT ifnull(max(made), 0) FROM act WHERE game = ?", "i",
				all.list[i].id);
		if (e == NULL && forgotten == 0 && last < before)
			out->list[out->count++] = all.list[i];
	}
	return e;
}

struct err *store_drills_of(struct store *s, TALLOC_CTX *mem, int64_t game, struct games *out)
{
	struct games all;
	struct err *e = store_games(s, mem, &all);

	*out = (struct games){talloc_zero_array(mem, struct game, (unsigned)(e == NULL ? all.count : 0) + 1), 0};
	for (int i = 0; e == NULL && i < all.count; i++) {
		int64_t players = 0;

		if (all.list[i].slot[0] != '\0')
			continue;
		e = sql_int(s, mem, &players,
			"SELECT count(*) FROM player WHERE game = ? AND instr(?, 'drill-' || id || '-') = 1", "it",
			game, all.list[i].name);
		if (e == NULL && players > 0)
			out->list[out->count++] = all.list[i];
	}
	return e;
}

/* Everybody who has ever had a mail of the game, also who was replaced. */
#define ADDRESSES_OF_GAME                                                                                              \
	"SELECT a.address FROM address a JOIN player p ON p.id = a.player WHERE p.game = ?1 UNION SELECT recipient "   \
	"FROM outbox WHERE game = ?1 AND recipient <> ''"

struct err *store_keys_of_people(struct store *s, TALLOC_CTX *mem, int64_t game, const char ***out)
{
	sqlite3_stmt *st;
	unsigned n = 0;
	bool row;
	struct err *e = sql_bind(s, mem, &st,
		"SELECT DISTINCT key FROM address WHERE key <> '' AND address IN (SELECT a.address FROM address a JOIN "
		"player p ON p.id = a.player WHERE p.game = ?1 UNION SELECT o.recipient FROM outbox o JOIN player p ON "
		"p.id = o.player WHERE p.game = ?1)",
		"i", game);

	*out = talloc_zero_array(mem, const char *, 1);
	while (e == NULL && (e = sql_step(s, mem, st, &row)) == NULL && row) {
		*out = talloc_realloc(mem, *out, const char *, n + 2);
		(*out)[n++] = sql_text(mem, st, 0);
		(*out)[n] = NULL;
	}
	return e;
}

struct err *store_adopt_mails(struct store *s, TALLOC_CTX *mem, int64_t game)
{
	bool own;
	struct err *e = sql_enter(s, mem, &own);

	if (e != NULL)
		return e;
	e = sql_run(s, mem,
		"UPDATE mail SET game = ?1 WHERE game IS NULL AND state <> 'fetched' AND id IN (SELECT r.mail FROM "
		"mail_raw r JOIN (" ADDRESSES_OF_GAME ") a ON instr(lower(CAST(r.raw AS TEXT)), a.address) > 0)",
		"i", game);
	if (e == NULL)
		e = sql_run(s, mem,
			"UPDATE outbox SET game = ?1 WHERE game IS NULL AND state IN ('sent', 'failed') AND recipient "
			"IN (" ADDRESSES_OF_GAME ")",
			"i", game);
	return sql_leave(s, mem, own, e);
}

static struct err *read_uids(struct err *e, struct store *s, TALLOC_CTX *mem, sqlite3_stmt *st, struct mail_names *out)
{
	bool row;

	while (e == NULL && (e = sql_step(s, mem, st, &row)) == NULL && row) {
		out->uids = talloc_realloc(mem, out->uids, const char *, (unsigned)out->uid_count + 1);
		out->uids[out->uid_count++] = sql_text(mem, st, 0);
	}
	return e;
}

struct err *store_mail_names(
	struct store *s, TALLOC_CTX *mem, int64_t game, int64_t account, int64_t before, struct mail_names *out)
{
	sqlite3_stmt *st = NULL;
	bool row;
	struct err *e = sql_bind(s, mem, &st,
		"SELECT uid FROM mail WHERE account = ?1 AND (game = ?2 OR (?2 = 0 AND game IS NULL AND arrived < ?3 "
		"AND state <> 'fetched'))",
		"iii", account, game, before);

	*out = (struct mail_names){NULL, 0, NULL, 0};
	e = read_uids(e, s, mem, st, out);
	if (e == NULL)
		e = sql_bind(s, mem, &st,
			"SELECT recipient, message_id FROM outbox WHERE recipient <> '' AND (game = ?1 OR (?1 = 0 AND "
			"game IS NULL AND made < ?2 AND state IN ('sent', 'failed')))",
			"ii", game, before);
	while (e == NULL && (e = sql_step(s, mem, st, &row)) == NULL && row) {
		out->sent = talloc_realloc(mem, out->sent, struct sent_name, (unsigned)out->sent_count + 1);
		out->sent[out->sent_count++] = (struct sent_name){sql_text(mem, st, 0), sql_text(mem, st, 1)};
	}
	return e;
}

struct err *store_forget_game(struct store *s, TALLOC_CTX *mem, int64_t game, int64_t now)
{
	static const char *const steps[] = {
		"DELETE FROM mail_raw WHERE mail IN (SELECT id FROM mail WHERE game = ?)",
		"DELETE FROM outbox_bytes WHERE outbox IN (SELECT id FROM outbox WHERE game = ?)",
		"UPDATE outbox SET recipient = '', why = '' WHERE game = ?",
		"UPDATE outbox SET state = 'failed' WHERE state <> 'sent' AND game = ?",
		"UPDATE sheet SET typed = '' WHERE game = ?",
		"UPDATE message SET body = '', reason = '' WHERE game = ?",
		"DELETE FROM news WHERE game = ?",
		"DELETE FROM absence WHERE player IN (SELECT id FROM player WHERE game = ?)",
		"DELETE FROM address WHERE player IN (SELECT id FROM player WHERE game = ?)",
		"UPDATE player SET name = 'player ' || id, stopped = 1 WHERE game = ?",
	};
	bool own;
	struct err *e = sql_enter(s, mem, &own);

	if (e != NULL)
		return e;
	e = sql_run(s, mem, "DELETE FROM answered WHERE address IN (" ADDRESSES_OF_GAME ")", "i", game);
	for (size_t i = 0; e == NULL && i < sizeof steps / sizeof *steps; i++)
		e = sql_run(s, mem, steps[i], "i", game);
	if (e == NULL)
		e = sql_run(s, mem, "UPDATE game SET forgotten = ? WHERE id = ?", "ii", now, game);
	return sql_leave(s, mem, own, e);
}

struct err *store_forget_strangers(struct store *s, TALLOC_CTX *mem, int64_t now, int64_t before, int *count)
{
	bool own;
	struct err *e = sql_enter(s, mem, &own);

	*count = 0;
	if (e != NULL)
		return e;
	e = sql_run(s, mem,
		"DELETE FROM mail_raw WHERE mail IN (SELECT id FROM mail WHERE game IS NULL AND arrived < ? AND state "
		"<> 'fetched')",
		"i", before);
	if (e == NULL)
		*count = sql_changes(s);
	if (e == NULL)
		e = sql_run(s, mem,
			"DELETE FROM outbox_bytes WHERE outbox IN (SELECT id FROM outbox WHERE game IS NULL AND made < "
			"? AND "
			"state IN ('sent', 'failed'))",
			"i", before);
	if (e == NULL)
		e = sql_run(s, mem,
			"UPDATE outbox SET recipient = '', why = '' WHERE game IS NULL AND made < ? AND state IN "
			"('sent', "
			"'failed')",
			"i", before);
	if (e == NULL)
		e = sql_run(s, mem, "DELETE FROM answered WHERE made < ?", "i", now - ANSWERED_SECONDS);
	if (e == NULL)
		e = sql_run(s, mem, "DELETE FROM ghost WHERE due < ?", "i", before);
	return sql_leave(s, mem, own, e);
}

struct err *store_forgotten(struct store *s, TALLOC_CTX *mem, int64_t game, int64_t *out)
{
	*out = 0;
	return sql_int(s, mem, out, "SELECT forgotten FROM game WHERE id = ?", "i", game);
}

struct err *store_shrink(struct store *s, TALLOC_CTX *mem)
{
	return sql_script(s, mem,
		"PRAGMA temp_store = FILE; VACUUM; PRAGMA temp_store = MEMORY; PRAGMA wal_checkpoint(TRUNCATE)");
}
