#include "store/store.h"

#include "base/file.h"
#include "store/checkpoint.h"
#include "store/sql.h"
#include "store/version.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MIGRATIONS_MAX = 64, BUSY_MILLISECONDS = 20000, RETRY_MILLISECONDS = 20 };

struct err *store_begin(struct store *s, TALLOC_CTX *mem)
{
	struct err *e = NULL;

	assert(!s->writing);
	if (!s->grouped)
		e = sql_run(s, mem, "BEGIN IMMEDIATE", "");
	s->writing = e == NULL;
	return e;
}

struct err *store_commit(struct store *s, TALLOC_CTX *mem)
{
	struct err *e = NULL;

	assert(s->writing);
	if (!s->grouped)
		e = sql_run(s, mem, "COMMIT", "");
	if (e != NULL)
		store_rollback(s);
	s->writing = false;
	return e;
}

void store_rollback(struct store *s)
{
	if (s->writing && sqlite3_get_autocommit(s->db) == 0)
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	s->writing = false;
}

struct err *store_end(struct store *s, TALLOC_CTX *mem, struct err *e)
{
	if (e == NULL)
		return store_commit(s, mem);
	store_rollback(s);
	return e;
}

struct err *store_group_begin(struct store *s, TALLOC_CTX *mem)
{
	struct err *e;

	assert(!s->writing && !s->grouped);
	e = sql_run(s, mem, "BEGIN IMMEDIATE", "");
	s->grouped = e == NULL;
	return e;
}

struct err *store_group_end(struct store *s, TALLOC_CTX *mem)
{
	struct err *e;

	assert(!s->writing);
	if (!s->grouped)
		return NULL;
	e = sql_run(s, mem, "COMMIT", "");
	if (e != NULL)
		store_group_undo(s);
	s->grouped = false;
	return e;
}

bool store_group_undone(const struct store *s)
{
	return s->grouped && sqlite3_get_autocommit(s->db) != 0;
}

void store_group_undo(struct store *s)
{
	assert(!s->writing);
	if (s->grouped && sqlite3_get_autocommit(s->db) == 0)
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	s->grouped = false;
}

/* With a write-ahead log, NORMAL leaves the log to be written by the system in its own time, and waits for it only
 * before pages go from there into the database: so what is lost is lost from the end. */
struct err *store_set_safety(struct store *s, TALLOC_CTX *mem, enum store_safety safety)
{
	struct err *e;

	assert(!s->writing && !s->grouped);
	e = sql_script(s, mem, safety == STORE_DURABLE ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
	if (e == NULL)
		s->safety = safety;
	return e;
}

enum store_safety store_safety(const struct store *s)
{
	return s->safety;
}

int64_t store_changes(struct store *s)
{
	return sqlite3_total_changes64(s->db);
}

void store_trim(struct store *s)
{
	sqlite3_db_release_memory(s->db);
}

static int close_store(struct store *s)
{
	TALLOC_FREE(s->checkpoint);
	store_rollback(s);
	s->grouped = false; /* what was in an open group is taken back with the end of the connection */
	for (int i = 0; i < STATEMENTS_MAX; i++)
		sqlite3_finalize(s->statement[i].st);
	sqlite3_close_v2(s->db);
	return 0;
}

int migrations_count(const char *const *migrations)
{
	int n = 0;

	while (migrations[n] != NULL)
		n++;
	return n;
}

/* All three as they are at one moment, or a database that another process is just filling would look strange. */
static struct err *read_header(
	struct store *s, TALLOC_CTX *mem, int64_t *version, int64_t *application, int64_t *objects)
{
	bool own = !s->writing;
	struct err *e = own ? sql_run(s, mem, "BEGIN", "") : NULL;

	if (e == NULL)
		e = sql_int(s, mem, version, "PRAGMA user_version", "");
	if (e == NULL)
		e = sql_int(s, mem, application, "PRAGMA application_id", "");
	if (e == NULL)
		e = sql_int(s, mem, objects, "SELECT count(*) FROM sqlite_schema", "");
	if (own && sqlite3_get_autocommit(s->db) == 0)
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	return e;
}

struct err *version_read(struct store *s, TALLOC_CTX *mem, int *version)
{
	int64_t is = 0, application = 0, objects = 0;
	struct err *e = read_header(s, mem, &is, &application, &objects);

	*version = application != APPLICATION_ID && (objects > 0 || is != 0) ? VERSION_FOREIGN : (int)is;
	return e;
}

struct err *version_check(struct store *s, TALLOC_CTX *mem, int version)
{
	if (version < 0)
		return err_new(mem, ERR_PROCESS, false, s->path, "this is no database of Galloper's");
	if (version > s->newest)
		return err_new(mem, ERR_PROCESS, false, s->path,
			"the database was written by a newer Galloper (version %d, this one knows %d): use that one",
			version, s->newest);
	return NULL;
}

/* Tables that are rebuilt by a migration may break references on the way, so these are checked at the end. */
static struct err *apply(struct store *s, TALLOC_CTX *mem, const char *const *migrations)
{
	int64_t broken = 0;
	int version = 0;
	/* Another process may have done it while this one waited for the lock. */
	struct err *e = version_read(s, mem, &version);

	if (e == NULL)
		e = version_check(s, mem, version);
	if (e != NULL || version == s->newest)
		return e;
	for (int i = version; e == NULL && i < s->newest; i++)
		e = sql_script(s, mem, migrations[i]);
	if (e == NULL)
		e = sql_int(s, mem, &broken, "SELECT count(*) FROM pragma_foreign_key_check", "");
	if (e == NULL && broken > 0)
		e = err_new(mem, ERR_PROCESS, false, s->path, "bringing the database up to date broke %d references",
			(int)broken);
	if (e == NULL)
		e = sql_script(s, mem,
			talloc_asprintf(mem, "PRAGMA user_version = %d; PRAGMA application_id = %d", s->newest,
				APPLICATION_ID));
	return e;
}

static struct err *migrate(struct store *s, TALLOC_CTX *mem, const char *const *migrations)
{
	int version = 0;
	struct err *e = version_read(s, mem, &version);
	bool own;

	if (e == NULL)
		e = version_check(s, mem, version);
	if (e != NULL || version == s->newest)
		return e;
	e = sql_script(s, mem, "PRAGMA foreign_keys = OFF");
	if (e == NULL)
		e = sql_enter(s, mem, &own);
	if (e == NULL)
		e = sql_leave(s, mem, own, apply(s, mem, migrations));
	return e;
}

/* The file holds keys and secrets, so it is made for its owner alone; SQLite gives its log the same mode. */
static struct err *make_file(TALLOC_CTX *mem, const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		return err_errno(mem, errno, path, "the database cannot be made here");
	close(fd);
	return NULL;
}

/* SQLite takes an empty file for a new database; here it is one that was cut off, or the wrong file. */
static struct err *check_file(TALLOC_CTX *mem, const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return errno == ENOENT ? err_new(mem, ERR_PROCESS, false, path,
						 "there is no database here; 'galloper init' makes one")
				       : err_errno(mem, errno, path, "the database cannot be read");
	if (st.st_size > 0 || access(talloc_asprintf(mem, "%s-wal", path), F_OK) == 0)
		return NULL;
	return err_new(mem, ERR_PROCESS, false, path,
		"this file is empty, so it is no database: 'galloper restore COPY' puts a copy back; if no game was "
		"ever in it, 'galloper init' makes it again");
}

/* One thread alone ever sees a connection, so SQLite need not guard it against others, nor count the memory that it
 * takes. Both hold from its first use in a process on; asked for later, they are refused and nothing is lost. */
static void configure_sqlite(void)
{
	sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

struct err *store_connect(TALLOC_CTX *mem, const char *path, int flags, int newest, struct store **out)
{
	struct store *s = talloc_zero(mem, struct store);
	struct err *e = NULL;
	int code;

	s->path = talloc_strdup(s, path);
	s->newest = newest;
	configure_sqlite();
	code = sqlite3_open_v2(path, &s->db, flags | SQLITE_OPEN_EXRESCODE, NULL);
	talloc_set_destructor(s, close_store);
	if (code == SQLITE_OK)
		code = sqlite3_busy_timeout(s->db, BUSY_MILLISECONDS);
	if (code != SQLITE_OK)
		e = sql_err(mem, s->db, path, code);
	if (e == NULL)
		e = sql_script(
			s, mem, "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY");
	if (e != NULL)
		talloc_free(s);
	else
		*out = s;
	return e;
}

/* While another process opens the same new file SQLite gives up at once here, whatever the busy timeout is. */
static struct err *use_log(struct store *s, TALLOC_CTX *mem)
{
	struct err *e = sql_script(s, mem, "PRAGMA journal_mode = WAL");

	for (int waited = 0; e != NULL && e->retry && waited < BUSY_MILLISECONDS; waited += RETRY_MILLISECONDS) {
		if ((sqlite3_errcode(s->db) & 0xff) != SQLITE_BUSY)
			break;
		talloc_free(e);
		sqlite3_sleep(RETRY_MILLISECONDS);
		e = sql_script(s, mem, "PRAGMA journal_mode = WAL");
	}
	return e;
}

/* Mails and reports are of some KB: a larger page (of a database that is made; others keep theirs) holds one in fewer
 * pieces, each of which is written to the log and from there into the file. What all mails need anew, the pages of the
 * tables' ends and of their games, is kept. */
static const char page_sizes[] = "PRAGMA page_size = 8192; PRAGMA cache_size = -4000";

struct err *store_open(
	TALLOC_CTX *mem, const char *path, bool create, const char *const *migrations, struct store **out)
{
	struct store *s = NULL;
	struct err *e = NULL;

	if (create)
		e = make_file(mem, path);
	else
		e = check_file(mem, path);
	if (e == NULL)
		e = store_connect(mem, path, SQLITE_OPEN_READWRITE, migrations_count(migrations), &s);
	if (e != NULL)
		return e;
	e = sql_script(s, mem, page_sizes);
	/* Before the first write: a file that is not ours stays as it is. */
	if (e == NULL)
		e = migrate(s, mem, migrations);
	if (e == NULL)
		e = use_log(s, mem);
	if (e == NULL)
		s->checkpoint = checkpoint_new(s, s->db, s->path);
	if (e == NULL)
		e = store_set_safety(s, mem, STORE_DURABLE);
	if (e == NULL)
		e = sql_script(s, mem, "PRAGMA foreign_keys = ON");
	if (e != NULL)
		talloc_free(s);
	else
		*out = s;
	return e;
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
