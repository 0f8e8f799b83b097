/* Inside the store only: what has been committed goes from the log into the database file (a checkpoint). */
#ifndef GALLOPER_STORE_CHECKPOINT_H
#define GALLOPER_STORE_CHECKPOINT_H

#include <sqlite3.h>
#include <talloc.h>

struct checkpoint;

/* From now on, while much is written through `db`, whose file is `path`, the log is copied on a thread of its own,
 * with a connection of its own; so who writes seldom waits for the disk. To be freed before `db` is closed, which
 * copies what is left. What hinders a checkpoint hinders the next commit as well, and is told there. */
struct checkpoint *checkpoint_new(TALLOC_CTX *mem, sqlite3 *db, const char *path);

#endif
