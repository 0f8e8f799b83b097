/* Copies of the whole database: made while it is in use, checked, and put back. */
#ifndef GALLOPER_STORE_BACKUP_H
#define GALLOPER_STORE_BACKUP_H

#include "store/store.h"

/* Checks a database file without changing it: that it is Galloper's and no newer than `migrations`, that it is whole
 * (PRAGMA integrity_check), that every reference leads somewhere. */
struct err *store_check(TALLOC_CTX *mem, const char *path, const char *const *migrations) MUST_CHECK;

/* Writes a copy of the whole database, as it is at one moment, into the file `path`, for the owner's eyes only; others
 * may go on reading and writing the database meanwhile. The copy is checked before it takes the place of an older
 * copy; any other file that is there is left alone, with an error. */
struct err *store_backup(struct store *s, TALLOC_CTX *mem, const char *path) MUST_CHECK;

/* Puts the copy `from` in the place of the database at `path`, which need not exist and may be damaged. An ERR_GAME,
 * with nothing changed, while anybody holds a lease in it at `now` of whom `lives` says that he may still be at work.
 * What was there is kept in the file *aside (on `mem`; NULL when there was nothing). A crash leaves the old or the
 * restored database; a damaged one may be found moved to *aside already. */
struct err *store_restore(TALLOC_CTX *mem, const char *path, const char *from, const char *const *migrations,
	int64_t now, bool (*lives)(const char *owner), char **aside) MUST_CHECK;

#endif
