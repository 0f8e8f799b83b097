/* Inside the store only: statements prepared once, values bound by a format, rows read by column. */
#ifndef GALLOPER_STORE_SQL_H
#define GALLOPER_STORE_SQL_H

#include "store/store.h"

#include <sqlite3.h>

struct blob {
	const void *bytes;
	size_t len;
};

/* The statement for `sql` (a string literal, by its address), reset and with values bound: `format` has a letter for
 * each: i int64_t, t const char *, b struct blob. */
struct err *sql_bind(
	struct store *s, TALLOC_CTX *mem, sqlite3_stmt **out, const char *sql, const char *format, ...) MUST_CHECK;

/* One step: *row says whether there is a row to read. After the last row the statement is reset. */
struct err *sql_step(struct store *s, TALLOC_CTX *mem, sqlite3_stmt *st, bool *row) MUST_CHECK;

/* Bind and run to the end; for statements without rows. */
struct err *sql_run(struct store *s, TALLOC_CTX *mem, const char *sql, const char *format, ...) MUST_CHECK;

/* Bind and read one integer of the first row; *out is left alone when there is none. */
struct err *sql_int(
	struct store *s, TALLOC_CTX *mem, int64_t *out, const char *sql, const char *format, ...) MUST_CHECK;

void sql_reset(sqlite3_stmt *st);
char *sql_text(TALLOC_CTX *mem, sqlite3_stmt *st, int column);               /* NULL -> "" */
char *sql_bytes(TALLOC_CTX *mem, sqlite3_stmt *st, int column, size_t *len); /* NUL added */
int64_t sql_last_id(struct store *s);
int sql_changes(struct store *s);

#endif
