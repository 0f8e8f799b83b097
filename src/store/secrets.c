#include "store/sql.h"
#include "store/store.h"

#include <sodium.h>

static struct err *read_secret(
	struct store *s, TALLOC_CTX *mem, const char *name, size_t len, unsigned char **out, bool *found)
{
	sqlite3_stmt *st;
	size_t got = len;
	struct err *e = sql_bind(s, mem, &st, "SELECT value FROM secret WHERE name = ?", "t", name);

	*found = false;
	if (e == NULL)
		e = sql_step(s, mem, st, found);
	if (*found) {
		*out = (unsigned char *)sql_bytes(mem, st, 0, &got);
		sql_reset(st);
	}
	if (e == NULL && got != len)
		e = err_new(
			mem, ERR_PROCESS, false, s->path, "the secret '%s' in the database has the wrong length", name);
	return e;
}

struct err *store_secret(struct store *s, TALLOC_CTX *mem, const char *name, size_t len, unsigned char **out)
{
	bool found;
	/* Looked for before it is made, so that reading commands need not wait for a writer. */
	struct err *e = read_secret(s, mem, name, len, out, &found);
	unsigned char *fresh;

	if (e != NULL || found)
		return e;
	fresh = talloc_size(mem, len);
	randombytes_buf(fresh, len);
	e = sql_run(s, mem, "INSERT INTO secret (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", "tb", name,
		(struct blob){fresh, len});
	sodium_memzero(fresh, len);
	talloc_free(fresh);
	return e != NULL ? e : read_secret(s, mem, name, len, out, &found);
}
