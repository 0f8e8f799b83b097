#include "store/backup.h"

#include "base/file.h"
#include "store/sql.h"
#include "store/version.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Is the database behind `s` whole? */
static struct err *integrity(struct store *s, TALLOC_CTX *mem)
{
	sqlite3_stmt *st;
	bool row = false;
	int64_t broken = 0;
	struct err *e = sql_bind(s, mem, &st, "PRAGMA integrity_check(1)", "");

	if (e == NULL)
		e = sql_step(s, mem, st, &row);
	if (row) {
		char *text = sql_text(mem, st, 0);

		sql_reset(st);
		if (strcmp(text, "ok") != 0)
			e = err_new(mem, ERR_PROCESS, false, s->path, "this database is damaged: %s", text);
	}
	if (e == NULL)
		e = sql_int(s, mem, &broken, "SELECT count(*) FROM pragma_foreign_key_check", "");
	if (e == NULL && broken > 0)
		e = err_new(mem, ERR_PROCESS, false, s->path, "this database is damaged: %d references lead nowhere",
			(int)broken);
	return e;
}

static struct err *check_open(struct store *s, TALLOC_CTX *mem)
{
	int version = 0;
	struct err *e = version_read(s, mem, &version);

	if (e == NULL)
		e = version_check(s, mem, version == 0 ? VERSION_FOREIGN : version);
	return e != NULL ? e : integrity(s, mem);
}

struct err *store_check(TALLOC_CTX *mem, const char *path, const char *const *migrations)
{
	struct store *s;
	struct err *e = NULL;

	if (access(path, R_OK) != 0)
		return err_errno(mem, errno, path, "cannot open this file");
	e = store_connect(mem, path, SQLITE_OPEN_READONLY, migrations_count(migrations), &s);
	if (e != NULL)
		return e;
	e = check_open(s, mem);
	talloc_free(s);
	return e;
}

/* SQLite's online backup: all pages in one go, as one transaction of the target. */
static struct err *copy_pages(TALLOC_CTX *mem, struct store *from, struct store *to)
{
	sqlite3_backup *b = sqlite3_backup_init(to->db, "main", from->db, "main");
	int code = SQLITE_ERROR;

	if (b != NULL) {
		sqlite3_backup_step(b, -1);
		code = sqlite3_backup_finish(b);
	}
	return code == SQLITE_OK ? NULL : sql_err(mem, to->db, to->path, code);
}

/* A new file at `path` with the pages of `from`, on its own: without a log beside it. */
static struct err *copy_to_file(TALLOC_CTX *mem, struct store *from, const char *path, bool clear_leases)
{
	struct store *to = NULL;
	struct err *e;
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		return err_errno(mem, errno, path, "a copy of the database cannot be written here");
	close(fd);
	e = store_connect(mem, path, SQLITE_OPEN_READWRITE, from->newest, &to);
	if (e == NULL)
		e = copy_pages(mem, from, to);
	if (e == NULL)
		e = sql_script(to, mem, "PRAGMA journal_mode = DELETE");
	if (e == NULL && clear_leases)
		e = sql_run(to, mem, "DELETE FROM lease", "");
	if (e == NULL)
		e = check_open(to, mem);
	talloc_free(to);
	if (e != NULL)
		unlink(path);
	return e;
}

static bool same_file(const char *a, const char *b)
{
	struct stat one, other;

	return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* A copy may take the place of an older copy only: a slip of the fingers must not cost somebody his galloper.conf. */
static struct err *check_target(struct store *s, TALLOC_CTX *mem, const char *path)
{
	struct store *old = NULL;
	int version = VERSION_FOREIGN;
	struct err *e = NULL;

	if (same_file(s->path, path))
		return err_new(mem, ERR_GAME, false, path, "this is the database itself: give the copy another name");
	if (access(path, F_OK) != 0)
		return NULL;
	e = store_connect(mem, path, SQLITE_OPEN_READONLY, s->newest, &old);
	if (e == NULL)
		e = version_read(old, mem, &version);
	talloc_free(old);
	if (e != NULL || version <= 0)
		return err_new(mem, ERR_GAME, false, path,
			"there is a file here already that is no backup: move it away or choose another name");
	return NULL;
}

struct err *store_backup(struct store *s, TALLOC_CTX *mem, const char *path)
{
	char *part = talloc_asprintf(mem, "%s.%ld.part", path, (long)getpid());
	struct err *e = check_target(s, mem, path);

	if (e != NULL)
		return e;
	unlink(part);
	e = copy_to_file(mem, s, part, false);
	if (e == NULL)
		e = file_move(mem, part, path);
	if (e != NULL)
		unlink(part);
	return e;
}

/* Somebody's lease that has not run out means that a program works on this database. */
static struct err *check_unused(struct store *s, TALLOC_CTX *mem, int64_t now, bool (*lives)(const char *owner))
{
	sqlite3_stmt *st;
	struct err *held = NULL;
	bool row = false;
	struct err *e = sql_bind(s, mem, &st, "SELECT name, owner FROM lease WHERE until > ? ORDER BY name", "i", now);

	while (e == NULL && (e = sql_step(s, mem, st, &row)) == NULL && row) {
		const char *name = sql_text(mem, st, 0), *owner = sql_text(mem, st, 1);

		if (held == NULL && lives(owner))
			held = err_new(mem, ERR_GAME, true, s->path,
				"a program works on this database (%s, process %.*s): stop galloperd first, then "
				"restore "
				"again",
				name, (int)strcspn(owner, " "), owner);
	}
	return e != NULL ? e : held;
}

/* Over a whole database the copy goes as one transaction, so that a program which still has it open (somebody looking
 * at a game) reads the restored one from then on instead of a file that has been moved from under it. */
static struct err *restore_over(TALLOC_CTX *mem, const char *path, struct store *copy, const char *aside)
{
	struct store *there = NULL;
	struct err *e = store_connect(mem, path, SQLITE_OPEN_READWRITE, copy->newest, &there);

	if (e == NULL)
		e = copy_to_file(mem, there, aside, false);
	if (e == NULL)
		e = copy_pages(mem, copy, there);
	if (e == NULL)
		e = sql_script(there, mem, "DELETE FROM lease");
	talloc_free(there);
	return e;
}

/* A damaged database is moved away as it is, with its log, which would spoil the copy if it stayed behind. */
static struct err *restore_beside(TALLOC_CTX *mem, const char *path, struct store *copy, const char *aside)
{
	static const char *const ends[] = {"-wal", "-shm", "-journal", ""};
	char *part = talloc_asprintf(mem, "%s.%ld.part", path, (long)getpid());
	struct err *e;

	unlink(part);
	e = copy_to_file(mem, copy, part, true);
	for (size_t i = 0; e == NULL && i < sizeof ends / sizeof ends[0]; i++) {
		char *from = talloc_asprintf(mem, "%s%s", path, ends[i]);

		if (access(from, F_OK) == 0)
			e = file_move(mem, from, talloc_asprintf(mem, "%s%s", aside, ends[i]));
	}
	if (e == NULL)
		e = file_move(mem, part, path);
	if (e != NULL)
		unlink(part);
	return e;
}

/* May the database at `path` be replaced, and is it whole? It is looked at without being changed: a damaged one is
 * evidence. */
static struct err *look_at_old(
	TALLOC_CTX *mem, const char *path, int newest, int64_t now, bool (*lives)(const char *owner), bool *whole)
{
	struct store *old = NULL;
	int version = 0;
	struct err *unreadable = store_connect(mem, path, SQLITE_OPEN_READONLY, newest, &old);
	struct err *e = NULL;

	*whole = false;
	if (unreadable == NULL)
		unreadable = version_read(old, mem, &version);
	if (unreadable == NULL)
		e = version_check(old, mem, version);
	if (unreadable == NULL && e == NULL && version > 0) {
		e = check_unused(old, mem, now, lives);
		*whole = e == NULL && integrity(old, mem) == NULL;
		if (e != NULL && e->scope != ERR_GAME)
			e = NULL; /* its leases cannot be read: damaged */
	}
	talloc_free(old);
	return e;
}

/* A name beside `path` that is free. */
static char *free_name(TALLOC_CTX *mem, const char *path)
{
	char *name = talloc_asprintf(mem, "%s.replaced", path);

	for (int i = 2; access(name, F_OK) == 0; i++)
		name = talloc_asprintf(mem, "%s.replaced-%d", path, i);
	return name;
}

struct err *store_restore(TALLOC_CTX *mem, const char *path, const char *from, const char *const *migrations,
	int64_t now, bool (*lives)(const char *owner), char **aside)
{
	int newest = migrations_count(migrations);
	bool exists = access(path, F_OK) == 0, whole = false;
	struct store *copy = NULL;
	struct err *e;

	*aside = exists ? free_name(mem, path) : NULL;
	if (same_file(path, from))
		return err_new(mem, ERR_GAME, false, from, "this is the database itself, no backup of it");
	e = store_check(mem, from, migrations);
	if (e == NULL && exists)
		e = look_at_old(mem, path, newest, now, lives, &whole);
	if (e == NULL)
		e = store_connect(mem, from, SQLITE_OPEN_READONLY, newest, &copy);
	if (e == NULL && whole)
		e = restore_over(mem, path, copy, *aside);
	else if (e == NULL)
		e = restore_beside(mem, path, copy, exists ? *aside : talloc_asprintf(mem, "%s.stray", path));
	talloc_free(copy);
	return e;
}
