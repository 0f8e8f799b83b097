#include "store/sql.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>

struct err *sql_err(TALLOC_CTX *mem, sqlite3 *db, const char *path, int code)
{
	const char *text = db == NULL ? sqlite3_errstr(code) : sqlite3_errmsg(db);
	int system = db == NULL ? 0 : sqlite3_system_errno(db);

	/* The file that its processes share cannot grow either, but SQLite calls that a failure of the disk. */
	if ((code & 0xff) == SQLITE_IOERR && (system == ENOSPC || system == EDQUOT))
		code = SQLITE_FULL;
	switch (code & 0xff) {
	case SQLITE_FULL:
		return err_new(mem, ERR_PROCESS, true, path,
			"the disk is full: nothing is lost, but nothing new can be kept; free some space, and it goes "
			"on");
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return err_new(
			mem, ERR_PROCESS, true, path, "another program holds the database; it will be tried again");
	case SQLITE_READONLY:
		return err_new(mem, ERR_PROCESS, true, path,
			"the database cannot be written to: check the rights of the file and its folder");
	case SQLITE_CORRUPT:
		return err_new(mem, ERR_PROCESS, false, path,
			"the database is damaged (%s): stop, and restore the last backup with 'galloper restore'",
			text);
	case SQLITE_NOTADB:
		return err_new(mem, ERR_PROCESS, false, path,
			"this file is no database, or a damaged one: 'galloper restore COPY' puts a copy back");
	case SQLITE_CANTOPEN:
	case SQLITE_PERM:
		return err_new(mem, ERR_PROCESS, true, path,
			"the database cannot be opened: is the path right, and may this user read and write it?");
	case SQLITE_IOERR:
		return err_new(mem, ERR_PROCESS, true, path,
			"the disk cannot be read or written (%s): nothing was lost, but look at the disk%s", text,
			code == SQLITE_IOERR_WRITE ? ", and whether files may grow further (ulimit -f)" : "");
	default:
		return err_new(mem, ERR_PROCESS, false, path, "the database says: %s", text);
	}
}

static struct err *fault(struct store *s, TALLOC_CTX *mem, int code)
{
	return code == SQLITE_OK ? NULL : sql_err(mem, s->db, s->path, code);
}

/* The values that were bound stay until others are: nothing reads them before. */
void sql_reset(sqlite3_stmt *st)
{
	sqlite3_reset(st);
}

/* Where the statement is, or can be put. */
static size_t slot_of(const struct store *s, const char *sql)
{
	size_t at = (size_t)((uint64_t)(uintptr_t)sql * UINT64_C(0x9e3779b97f4a7c15) >> 32) % STATEMENTS_MAX;

	for (int looked = 0; s->statement[at].sql != NULL && s->statement[at].sql != sql; looked++) {
		assert(looked < STATEMENTS_MAX);
		at = (at + 1) % STATEMENTS_MAX;
	}
	return at;
}

static struct err *prepare(struct store *s, TALLOC_CTX *mem, sqlite3_stmt **out, const char *sql)
{
	size_t at = slot_of(s, sql);
	int code;

	*out = NULL;
	/* After some failures (a full disk) SQLite takes the transaction back by itself; what comes after must not
	 * be kept alone. */
	if ((s->writing || s->grouped) && sqlite3_get_autocommit(s->db) != 0)
		return err_new(mem, ERR_PROCESS, true, s->path, "an earlier failure has undone this transaction");
	if (s->statement[at].sql == sql) {
		*out = s->statement[at].st;
		if (sqlite3_stmt_busy(*out)) /* its last rows were not asked for */
			sql_reset(*out);
		return NULL;
	}
	code = sqlite3_prepare_v3(s->db, sql, (int)strlen(sql), SQLITE_PREPARE_PERSISTENT, out, NULL);
	if (code != SQLITE_OK)
		return fault(s, mem, code);
	s->statement[at].sql = sql;
	s->statement[at].st = *out;
	return NULL;
}

/* `keep` says whether SQLite has to copy the values: SQLITE_STATIC where the statement is run to its end at once. */
static struct err *bind_values(struct store *s, TALLOC_CTX *mem, sqlite3_stmt **out, const char *sql,
	const char *format, va_list args, sqlite3_destructor_type keep)
{
	struct err *e = prepare(s, mem, out, sql);
	int code = SQLITE_OK;

	if (e != NULL)
		return e;
	assert((int)strlen(format) == sqlite3_bind_parameter_count(*out));
	for (int i = 0; format[i] != '\0' && code == SQLITE_OK; i++) {
		if (format[i] == 'i' || format[i] == 'r') {
			int64_t value = va_arg(args, int64_t);

			code = value == 0 && format[i] == 'r' ? sqlite3_bind_null(*out, i + 1)
							      : sqlite3_bind_int64(*out, i + 1, value);
		} else if (format[i] == 't') {
			code = sqlite3_bind_text(*out, i + 1, va_arg(args, const char *), -1, keep);
		} else {
			struct blob b = va_arg(args, struct blob);

			assert(format[i] == 'b');
			/* A NULL pointer would be bound as NULL; no bytes are an empty blob. */
			code = sqlite3_bind_blob64(*out, i + 1, b.bytes == NULL ? "" : b.bytes, b.len, keep);
		}
	}
	return fault(s, mem, code);
}

struct err *sql_bind(struct store *s, TALLOC_CTX *mem, sqlite3_stmt **out, const char *sql, const char *format, ...)
{
	va_list args;
	struct err *e;

	va_start(args, format);
	e = bind_values(s, mem, out, sql, format, args, SQLITE_TRANSIENT);
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
			e = fault(s, mem, code);
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
	e = bind_values(s, mem, &st, sql, format, args, SQLITE_STATIC);
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
	e = bind_values(s, mem, &st, sql, format, args, SQLITE_STATIC);
	va_end(args);
	if (e == NULL)
		e = sql_step(s, mem, st, &row);
	if (!row)
		return e;
	*out = sqlite3_column_int64(st, 0);
	if (sqlite3_stmt_readonly(st))
		sql_reset(st);
	else
		while (e == NULL && row)
			e = sql_step(s, mem, st, &row);
	return e;
}

struct err *sql_script(struct store *s, TALLOC_CTX *mem, const char *sql)
{
	return fault(s, mem, sqlite3_exec(s->db, sql, NULL, NULL, NULL));
}

struct err *sql_enter(struct store *s, TALLOC_CTX *mem, bool *own)
{
	*own = !s->writing;
	return *own ? store_begin(s, mem) : NULL;
}

struct err *sql_leave(struct store *s, TALLOC_CTX *mem, bool own, struct err *e)
{
	return own ? store_end(s, mem, e) : e;
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
