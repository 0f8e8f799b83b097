/* Inside the store only: statements prepared once, values bound by a format, rows read by column. */
#ifndef GALLOPER_STORE_SQL_H
#define GALLOPER_STORE_SQL_H

#include "store/store.h"

#include <sqlite3.h>

/* Slots for statements: more than twice as many as there are. */
enum { STATEMENTS_MAX = 512 };

enum { TEXTS_MAX = 12, TEXTS_DIGEST_BYTES = 32 };

/* A battle and its rules, as games that were made of the same files have them. */
struct game_texts {
	unsigned char digest[TEXTS_DIGEST_BYTES];
	const char *battle, *rules;
};

struct checkpoint;

struct store {
	sqlite3 *db;
	struct checkpoint *checkpoint; /* NULL for one that is only read */
	const char *path;
	int newest; /* the version of the tables that this program makes */
	enum store_safety safety;
	bool writing;   /* between store_begin and its end */
	bool grouped;   /* between store_group_begin and its end */
	int64_t forgot; /* in which hour old answers were forgotten last */
	struct {
		const char *sql;
		sqlite3_stmt *st;
	} statement[STATEMENTS_MAX];        /* by the address of its text */
	struct game_texts texts[TEXTS_MAX]; /* that were read; kept, since most games share them */
	int texts_count;
};

struct blob {
	const void *bytes;
	size_t len;
};

/* What SQLite's code means, in words that say what to do. */
struct err *sql_err(TALLOC_CTX *mem, sqlite3 *db, const char *path, int code);

/* The statement for `sql` (a string literal, by its address), reset and with values bound: `format` has a letter for
 * each: i int64_t, r int64_t that refers to a row (0: NULL), t const char *, b struct blob. */
struct err *sql_bind(
	struct store *s, TALLOC_CTX *mem, sqlite3_stmt **out, const char *sql, const char *format, ...) MUST_CHECK;

/* One step: *row says whether there is a row to read. After the last row the statement is reset. */
struct err *sql_step(struct store *s, TALLOC_CTX *mem, sqlite3_stmt *st, bool *row) MUST_CHECK;

/* Bind and run to the end; for statements without rows. */
struct err *sql_run(struct store *s, TALLOC_CTX *mem, const char *sql, const char *format, ...) MUST_CHECK;

/* Bind and read one integer of the first row; *out is left alone when there is none. Statements that write (RETURNING)
 * are run to their end. Not for INSERT: with RETURNING, SQLite looks through every table that refers to this one. */
struct err *sql_int(
	struct store *s, TALLOC_CTX *mem, int64_t *out, const char *sql, const char *format, ...) MUST_CHECK;

/* Several statements of text that is ours (a migration, pragmas). */
struct err *sql_script(struct store *s, TALLOC_CTX *mem, const char *sql) MUST_CHECK;

/* For a function of several statements, which may be called inside a transaction or alone: sql_enter begins one unless
 * one is open (*own says so), sql_leave ends it by `e`, which it gives back. In the caller's transaction a failure
 * is the caller's to roll back. */
struct err *sql_enter(struct store *s, TALLOC_CTX *mem, bool *own) MUST_CHECK;
struct err *sql_leave(struct store *s, TALLOC_CTX *mem, bool own, struct err *e) MUST_CHECK;

void sql_reset(sqlite3_stmt *st);
char *sql_text(TALLOC_CTX *mem, sqlite3_stmt *st, int column);               /* NULL -> "" */
char *sql_bytes(TALLOC_CTX *mem, sqlite3_stmt *st, int column, size_t *len); /* NUL added */
int64_t sql_last_id(struct store *s);
int sql_changes(struct store *s);

#endif
