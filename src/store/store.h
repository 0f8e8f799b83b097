/* The database: one SQLite file for all games. This layer alone knows SQL; it gives and takes plain structs.
 *
 * Reads may be made at any time. Writes that belong together stand between store_begin and store_commit; store_rollback
 * takes them back. Each write function may also be called alone and is then a transaction of its own. */
#ifndef GALLOPER_STORE_STORE_H
#define GALLOPER_STORE_STORE_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

struct store;

/* Opens the database file, or makes it from `schema` when it does not exist and `create` is set. Older ones are
 * migrated; a newer one is refused. `migrations` is a NULL-terminated list: what leads from version n to n + 1 at index
 * n. */
struct err *store_open(
	TALLOC_CTX *mem, const char *path, bool create, const char *const *migrations, struct store **out) MUST_CHECK;

/* Reads db/migrations/NNN.sql from 001 on, as store_open wants them. */
struct err *store_migrations(TALLOC_CTX *mem, const char *const **out) MUST_CHECK;

struct err *store_begin(struct store *s, TALLOC_CTX *mem) MUST_CHECK;
struct err *store_commit(struct store *s, TALLOC_CTX *mem) MUST_CHECK;
void store_rollback(struct store *s);

/* A copy of the whole database in a new file, checked after writing. */
struct err *store_backup(struct store *s, TALLOC_CTX *mem, const char *path) MUST_CHECK;

/* Checks the file at `path` (integrity and version) without changing it. */
struct err *store_check(TALLOC_CTX *mem, const char *path) MUST_CHECK;

/* The server's secret of that name, made of `len` random bytes when it does not exist yet. On `mem`. */
struct err *store_secret(
	struct store *s, TALLOC_CTX *mem, const char *name, size_t len, unsigned char **out) MUST_CHECK;

/* Takes or renews a lease until `until`; *got is false while another owner holds it. */
struct err *store_lease(struct store *s, TALLOC_CTX *mem, const char *name, const char *owner, int64_t now,
	int64_t until, bool *got) MUST_CHECK;
struct err *store_lease_end(struct store *s, TALLOC_CTX *mem, const char *name, const char *owner) MUST_CHECK;

/* Answers given: counted an address and hour, and a kind of answer since a moment. */
struct err *store_answered(
	struct store *s, TALLOC_CTX *mem, const char *address, const char *kind, int64_t now) MUST_CHECK;
struct err *store_answers_since(struct store *s, TALLOC_CTX *mem, const char *address, const char *kind, int64_t since,
	int *out) MUST_CHECK; /* kind "" = any */

/* Adds to the record of acts. `game` 0 = none. */
struct err *store_act(struct store *s, TALLOC_CTX *mem, int64_t game, int64_t now, const char *actor, const char *what,
	const char *reason) MUST_CHECK;

#endif
