/* Inside the store only: connecting to a file, and whether it is ours to read. */
#ifndef GALLOPER_STORE_VERSION_H
#define GALLOPER_STORE_VERSION_H

#include "store/store.h"

/* "Galp" in the database's header: no other program's file is taken for ours. */
enum { APPLICATION_ID = 0x47616c70, VERSION_FOREIGN = -1 };

int migrations_count(const char *const *migrations);

/* Connects, with `flags` as for sqlite3_open_v2; nothing is read yet. `newest` is the version that this program makes.
 */
struct err *store_connect(TALLOC_CTX *mem, const char *path, int flags, int newest, struct store **out) MUST_CHECK;

/* The version of the tables; 0 for an empty file, VERSION_FOREIGN for another program's database. */
struct err *version_read(struct store *s, TALLOC_CTX *mem, int *version) MUST_CHECK;

/* An error for another program's database and for one that a newer Galloper wrote. */
struct err *version_check(struct store *s, TALLOC_CTX *mem, int version) MUST_CHECK;

#endif
