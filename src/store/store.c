#include "store/store.h"

#include "base/file.h"
#include "base/text.h"
#include "store/sql.h"

#include <assert.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATEMENTS_MAX = 256, MIGRATIONS_MAX = 64, MIGRATION_SIZE_MAX = 256 * 1024, BUSY_MILLISECONDS = 20000 };

struct store {
	sqlite3 *db;
	const char *path;
	int depth; /* 1 between store_begin and its end */
	struct {
		const char *sql;
		sqlite3_stmt *st;
	} statement[STATEMENTS_MAX];
	int statements;
};

/* SQLite's codes in words that say what to do. */
static struct err *sql_err(struct store *s, TALLOC_CTX *mem, int code)
{
	const char *text = sqlite3_errmsg(s->db);

	switch (code & 0xff) {
	case SQLITE_FULL:
		return err_new(
			mem, ERR_PROCESS, true, s->path, "the disk is full: nothing was lost, but free some space");
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return err_new(
			mem, ERR_PROCESS, true, s->path, "another program holds the database; it will be tried again");
	case SQLITE_READONLY:
		return err_new(mem, ERR_PROCESS, true, s->path,
			"the database cannot be written to: check the rights of the file and its folder");
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return err_new(mem, ERR_PROCESS, false, s->path,
			"the database is damaged (%s): stop, and restore the last backup with 'galloper restore'",
			text);
	case SQLITE_CANTOPEN:
		return err_new(mem, ERR_PROCESS, true, s->path,
			"the database cannot be opened: is the path right, and may this user read and write it?");
	case SQLITE_IOERR:
		return err_new(mem, ERR_PROCESS, true, s->path, "the disk failed: %s", text);
	default:
		return err_new(mem, ERR_PROCESS, false, s->path, "the database says: %s", text);
	}
}

void sql_reset(sqlite3_stmt *st)
{
	sqlite3_reset(st);
	sqlite3_clear_bindings(st);
}

static struct err *prepare(struct store *s, TALLOC_CTX *mem, sqlite3_stmt **out, const char *sql)
{
	int code;

	for (int i = 0; i < s->statements; i++) {
		if (s->statement[i].sql == sql) {
			*out = s->statement[i].st;
			sql_reset(*out);
			return NULL;
		}
	}
	assert(s->statements < STATEMENTS_MAX);
	code = sqlite3_prepare_v3(s->db, sql, (int)strlen(sql), SQLITE_PREPARE_PERSISTENT, out, NULL);
	if (code != SQLITE_OK)
		return sql_err(s, mem, code);
	s->statement[s->statements].sql = sql;
	s->statement[s->statements++].st = *out;
	return NULL;
}

static struct err *bind_values(
	struct store *s, TALLOC_CTX *mem, sqlite3_stmt **out, const char *sql, const char *format, va_list args)
{
	struct err *e = prepare(s, mem, out, sql);
	int code = SQLITE_OK;

	if (e != NULL)
		return e;
	assert((int)strlen(format) == sqlite3_bind_parameter_count(*out));
	for (int i = 0; format[i] != '\0' && code == SQLITE_OK; i++) {
		if (format[i] == 'i') {
			code = sqlite3_bind_int64(*out, i + 1, va_arg(args, int64_t));
		} else if (format[i] == 't') {
			code = sqlite3_bind_text(*out, i + 1, va_arg(args, const char *), -1, SQLITE_TRANSIENT);
		} else {
			struct blob b = va_arg(args, struct blob);

			assert(format[i] == 'b');
			code = sqlite3_bind_blob64(*out, i + 1, b.bytes, b.len, SQLITE_TRANSIENT);
		}
	}
	return code == SQLITE_OK ? NULL : sql_err(s, mem, code);
}

struct err *sql_bind(struct store *s, TALLOC_CTX *mem, sqlite3_stmt **out, const char *sql, const char *format, ...)
{
	va_list args;
	struct err *e;

	va_start(args, format);
	e = bind_values(s, mem, out, sql, format, args);
	va_end(args);
	return e;
}

struct err *sql_step(struct store *s, TALLOC_CTX *mem, sqlite3_stmt *st, bool *row)
{
	int code = sqlite3_step(st);
	struct err *e = NULL;

	*row = code == SQLITE_ROW;
	if (!*row) {
		if (code != SQLITE_DONE)
			e = sql_err(s, mem, code);
		sql_reset(st);
	}
	return e;
}

struct err *sql_run(struct store *s, TALLOC_CTX *mem, const char *sql, const char *format, ...)
{
	sqlite3_stmt *st;
	va_list args;
	struct err *e;
	bool row;

	va_start(args, format);
	e = bind_values(s, mem, &st, sql, format, args);
	va_end(args);
	do {
		row = false;
		e = e != NULL ? e : sql_step(s, mem, st, &row);
	} while (row);
	return e;
}

struct err *sql_int(struct store *s, TALLOC_CTX *mem, int64_t *out, const char *sql, const char *format, ...)
{
	sqlite3_stmt *st;
	va_list args;
	struct err *e;
	bool row = false;

	va_start(args, format);
	e = bind_values(s, mem, &st, sql, format, args);
	va_end(args);
	if (e == NULL)
		e = sql_step(s, mem, st, &row);
	if (row) {
		*out = sqlite3_column_int64(st, 0);
		sql_reset(st);
	}
	return e;
}

char *sql_text(TALLOC_CTX *mem, sqlite3_stmt *st, int column)
{
	const char *text = (const char *)sqlite3_column_text(st, column);

	return talloc_strdup(mem, text == NULL ? "" : text);
}

char *sql_bytes(TALLOC_CTX *mem, sqlite3_stmt *st, int column, size_t *len)
{
	const void *bytes = sqlite3_column_blob(st, column);
	char *copy;

	*len = (size_t)sqlite3_column_bytes(st, column);
	copy = talloc_size(mem, *len + 1);
	if (*len > 0)
		memcpy(copy, bytes, *len);
	copy[*len] = '\0';
	return copy;
}

int64_t sql_last_id(struct store *s)
{
	return sqlite3_last_insert_rowid(s->db);
}

int sql_changes(struct store *s)
{
	return sqlite3_changes(s->db);
}

struct err *store_begin(struct store *s, TALLOC_CTX *mem)
{
	struct err *e;

	assert(s->depth == 0);
	e = sql_run(s, mem, "BEGIN IMMEDIATE", "");
	if (e == NULL)
		s->depth = 1;
	return e;
}

struct err *store_commit(struct store *s, TALLOC_CTX *mem)
{
	struct err *e;

	assert(s->depth == 1);
	e = sql_run(s, mem, "COMMIT", "");
	if (e != NULL)
		store_rollback(s);
	s->depth = 0;
	return e;
}

void store_rollback(struct store *s)
{
	if (s->depth == 1 && sqlite3_get_autocommit(s->db) == 0)
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	s->depth = 0;
}

static int close_store(struct store *s)
{
	store_rollback(s);
	for (int i = 0; i < s->statements; i++)
		sqlite3_finalize(s->statement[i].st);
	sqlite3_close_v2(s->db);
	return 0;
}

static struct err *exec(struct store *s, TALLOC_CTX *mem, const char *sql)
{
	int code = sqlite3_exec(s->db, sql, NULL, NULL, NULL);

	return code == SQLITE_OK ? NULL : sql_err(s, mem, code);
}

static struct err *migrate(struct store *s, TALLOC_CTX *mem, const char *const *migrations)
{
	int64_t version = 0;
	int newest = 0;
	struct err *e;

	while (migrations[newest] != NULL)
		newest++;
	e = sql_int(s, mem, &version, "PRAGMA user_version", "");
	if (e == NULL && version > newest)
		return err_new(mem, ERR_PROCESS, false, s->path,
			"the database was written by a newer Galloper (version %d, this one knows %d): use that one",
			(int)version, newest);
	if (e != NULL || version == newest)
		return e;
	e = store_begin(s, mem);
	/* Another process may have done it while this one waited. */
	if (e == NULL)
		e = sql_int(s, mem, &version, "PRAGMA user_version", "");
	for (int i = (int)version; e == NULL && i < newest; i++)
		e = exec(s, mem, migrations[i]);
	if (e == NULL)
		e = exec(s, mem, talloc_asprintf(mem, "PRAGMA user_version = %d", newest));
	if (e == NULL)
		return store_commit(s, mem);
	store_rollback(s);
	return e;
}

struct err *store_open(
	TALLOC_CTX *mem, const char *path, bool create, const char *const *migrations, struct store **out)
{
	struct store *s = talloc_zero(mem, struct store);
	struct err *e = NULL;
	int code;

	s->path = talloc_strdup(s, path);
	if (!create && access(path, F_OK) != 0) {
		e = err_new(mem, ERR_PROCESS, false, path, "there is no database here; 'galloper init' makes one");
		talloc_free(s);
		return e;
	}
	code = sqlite3_open_v2(path, &s->db, SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0), NULL);
	talloc_set_destructor(s, close_store);
	if (code != SQLITE_OK)
		e = sql_err(s, mem, code);
	if (e == NULL) {
		sqlite3_busy_timeout(s->db, BUSY_MILLISECONDS);
		sqlite3_extended_result_codes(s->db, 1);
		e = exec(s, mem,
			"PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA "
			"trusted_schema = OFF");
	}
	if (e == NULL)
		e = migrate(s, mem, migrations);
	if (e != NULL) {
		talloc_free(s);
		return e;
	}
	*out = s;
	return NULL;
}

struct err *store_migrations(TALLOC_CTX *mem, const char *const **out)
{
	const char **list = talloc_zero_array(mem, const char *, MIGRATIONS_MAX + 1);

	for (int i = 0; i < MIGRATIONS_MAX; i++) {
		char *name = talloc_asprintf(list, "db/migrations/%03d.sql", i + 1);
		char *text;
		size_t len;
		struct err *e = data_read(list, name, &text, &len);

		if (e != NULL && i == 0)
			return talloc_steal(mem, e);
		if (e != NULL)
			break;
		list[i] = text;
	}
	*out = (const char *const *)list;
	return NULL;
}

static struct err *integrity(struct store *s, TALLOC_CTX *mem)
{
	sqlite3_stmt *st;
	bool row = false;
	struct err *e = sql_bind(s, mem, &st, "PRAGMA integrity_check(1)", "");

	if (e == NULL)
		e = sql_step(s, mem, st, &row);
	if (row) {
		char *text = sql_text(mem, st, 0);

		sql_reset(st);
		if (strcmp(text, "ok") != 0)
			e = err_new(mem, ERR_PROCESS, false, s->path, "the database is damaged: %s", text);
	}
	return e;
}

struct err *store_check(TALLOC_CTX *mem, const char *path)
{
	struct store *s = talloc_zero(mem, struct store);
	struct err *e = NULL;
	int64_t version = 0;
	int code;

	s->path = talloc_strdup(s, path);
	code = sqlite3_open_v2(path, &s->db, SQLITE_OPEN_READONLY, NULL);
	talloc_set_destructor(s, close_store);
	if (code != SQLITE_OK)
		e = sql_err(s, mem, code);
	if (e == NULL)
		e = integrity(s, mem);
	if (e == NULL)
		e = sql_int(s, mem, &version, "PRAGMA user_version", "");
	if (e == NULL && version == 0)
		e = err_new(mem, ERR_PROCESS, false, path, "this is no database of Galloper's");
	talloc_free(s);
	return e;
}

struct err *store_backup(struct store *s, TALLOC_CTX *mem, const char *path)
{
	char *part = talloc_asprintf(mem, "%s.part", path);
	sqlite3 *to = NULL;
	struct err *e = NULL;
	sqlite3_backup *b;
	int code;

	unlink(part);
	code = sqlite3_open_v2(part, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
	b = code == SQLITE_OK ? sqlite3_backup_init(to, "main", s->db, "main") : NULL;
	if (b != NULL) {
		sqlite3_backup_step(b, -1);
		code = sqlite3_backup_finish(b);
	}
	if (b == NULL || code != SQLITE_OK)
		e = err_new(mem, ERR_PROCESS, true, path, "the backup could not be written: %s", sqlite3_errmsg(to));
	/* The copy is one file on its own, without a log beside it. */
	if (e == NULL)
		sqlite3_exec(to, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
	sqlite3_close_v2(to);
	if (e == NULL)
		e = store_check(mem, part);
	if (e == NULL && rename(part, path) != 0)
		e = err_new(mem, ERR_PROCESS, true, path, "the backup could not be put in its place");
	if (e != NULL)
		unlink(part);
	return e;
}

struct err *store_secret(struct store *s, TALLOC_CTX *mem, const char *name, size_t len, unsigned char **out)
{
	unsigned char *fresh = talloc_size(mem, len);
	sqlite3_stmt *st;
	bool row = false;
	size_t got = 0;
	struct err *e;

	randombytes_buf(fresh, len);
	e = sql_run(s, mem, "INSERT INTO secret (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", "tb", name,
		(struct blob){fresh, len});
	if (e == NULL)
		e = sql_bind(s, mem, &st, "SELECT value FROM secret WHERE name = ?", "t", name);
	if (e == NULL)
		e = sql_step(s, mem, st, &row);
	if (row) {
		*out = (unsigned char *)sql_bytes(mem, st, 0, &got);
		sql_reset(st);
	}
	if (e == NULL && got != len)
		e = err_new(
			mem, ERR_PROCESS, false, s->path, "the secret '%s' in the database has the wrong length", name);
	return e;
}

struct err *store_lease(
	struct store *s, TALLOC_CTX *mem, const char *name, const char *owner, int64_t now, int64_t until, bool *got)
{
	struct err *e = sql_run(s, mem,
		"INSERT INTO lease (name, owner, until) VALUES (?1, ?2, ?4) ON CONFLICT (name) DO UPDATE SET owner = "
		"?2, "
		"until = ?4 WHERE lease.owner = ?2 OR lease.until <= ?3",
		"ttii", name, owner, now, until);

	*got = e == NULL && sql_changes(s) == 1;
	return e;
}

struct err *store_lease_end(struct store *s, TALLOC_CTX *mem, const char *name, const char *owner)
{
	return sql_run(s, mem, "DELETE FROM lease WHERE name = ? AND owner = ?", "tt", name, owner);
}

struct err *store_answered(struct store *s, TALLOC_CTX *mem, const char *address, const char *kind, int64_t now)
{
	return sql_run(
		s, mem, "INSERT INTO answered (address, kind, made) VALUES (?, ?, ?)", "tti", address, kind, now);
}

struct err *store_answers_since(
	struct store *s, TALLOC_CTX *mem, const char *address, const char *kind, int64_t since, int *out)
{
	int64_t n = 0;
	struct err *e = sql_int(s, mem, &n,
		"SELECT count(*) FROM answered WHERE address = ?1 AND made > ?3 AND (?2 = '' OR kind = ?2)", "tti",
		address, kind, since);

	*out = (int)n;
	return e;
}

struct err *store_act(struct store *s, TALLOC_CTX *mem, int64_t game, int64_t now, const char *actor, const char *what,
	const char *reason)
{
	return sql_run(s, mem, "INSERT INTO act (game, made, actor, what, reason) VALUES (nullif(?, 0), ?, ?, ?, ?)",
		"iittt", game, now, actor, what, reason);
}
