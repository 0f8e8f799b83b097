#include "store/checkpoint.h"

#include "base/worker.h"

/* Pages of 8 KB in the log. */
enum {
	BEGIN_PAGES = 256, /* fewer are left to whoever closes the database last */
	LOG_PAGES = 2560,  /* so many, and who writes waits: only a log that has been copied whole begins anew */
};

struct checkpoint {
	sqlite3 *db; /* the thread's own connection; NULL before its first use */
	const char *path;
	struct worker *worker;
};

static void copy_log(void *context)
{
	struct checkpoint *c = context;

	if (c->db == NULL && sqlite3_open_v2(c->path, &c->db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
		return;
	sqlite3_exec(c->db, "PRAGMA wal_checkpoint", NULL, NULL, NULL);
}

/* After each commit: so many `pages` are in the log. */
static int committed(void *context, sqlite3 *db, const char *name, int pages)
{
	struct checkpoint *c = context;

	if (pages < BEGIN_PAGES)
		return SQLITE_OK;
	if (worker_take(c->worker, pages >= LOG_PAGES) != NULL || worker_held(c->worker) == 0)
		worker_give(c->worker, c);
	if (pages >= LOG_PAGES) {
		worker_take(c->worker, true);
		sqlite3_wal_checkpoint_v2(db, name, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
	}
	return SQLITE_OK;
}

static int end_checkpoint(struct checkpoint *c)
{
	talloc_free(c->worker);
	sqlite3_close(c->db);
	return 0;
}

struct checkpoint *checkpoint_new(TALLOC_CTX *mem, sqlite3 *db, const char *path)
{
	struct checkpoint *c = talloc_zero(mem, struct checkpoint);

	c->path = path;
	c->worker = worker_new(c, copy_log, 1);
	talloc_set_destructor(c, end_checkpoint);
	sqlite3_wal_hook(db, committed, c);
	return c;
}
