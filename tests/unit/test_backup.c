/* store/backup: copies made in use, and put back over whole, damaged and missing databases. */
#include "base/file.h"
#include "store/backup.h"
#include "store_fixture.h"

#include <signal.h>
#include <stdio.h>

static int64_t count_in(struct fixture *f, const char *path, const char *sql)
{
	struct store *s;
	int64_t n = -1;

	expect_ok(store_open(f, path, false, f->migrations, &s));
	expect_ok(sql_int(s, f, &n, sql, ""));
	talloc_free(s);
	return n;
}

static bool exists(struct fixture *f, const char *name)
{
	return access(in_folder(f, name), F_OK) == 0;
}

static void test_backup(void **state)
{
	struct fixture *f = *state;
	char *copy = in_folder(f, "copy.db");
	struct stat file;

	add_game(f, "one");
	expect_ok(store_begin(f->store, f)); /* what is not committed is not in the copy */
	add_game(f, "two");
	{
		struct store *other;

		expect_ok(store_open(f, f->path, false, f->migrations, &other));
		expect_ok(store_backup(other, f, copy));
		talloc_free(other);
	}
	expect_ok(store_commit(f->store, f));
	assert_int_equal(count_in(f, copy, "SELECT count(*) FROM game"), 1);
	expect_ok(store_check(f, copy, f->migrations));
	assert_int_equal(stat(copy, &file), 0);
	assert_int_equal(file.st_mode & 0777, 0600);
	/* The next night's takes its place. */
	expect_ok(store_backup(f->store, f, copy));
	assert_int_equal(count_in(f, copy, "SELECT count(*) FROM game"), 2);
	assert_false(exists(f, "copy.db-wal"));
}

static void test_backup_spares_other_files(void **state)
{
	struct fixture *f = *state;
	char *conf = in_folder(f, "galloper.conf"), *bytes;
	struct err *e;

	expect_ok(file_write(f, conf, "address x\n", 10, 0600));
	e = store_backup(f->store, f, conf);
	expect_err(e, "no backup");
	assert_int_equal(e->scope, ERR_GAME);
	expect_ok(file_read(f, conf, 100, &bytes, NULL));
	assert_string_equal(bytes, "address x\n");
	expect_err(store_backup(f->store, f, f->path), "the database itself");
	assert_int_equal(symlink(f->path, in_folder(f, "link.db")), 0);
	expect_err(store_backup(f->store, f, in_folder(f, "link.db")), "the database itself");
	expect_err(store_backup(f->store, f, in_folder(f, "no/copy.db")), "No such file");
	expect_err(store_backup(f->store, f, f->folder), "no backup");
	assert_int_equal(count(f, "SELECT count(*) FROM game"), 0);
}

/* A backup that is killed or finds the disk full leaves the older copy as it was. */
static void test_backup_fails(void **state)
{
	struct fixture *f = *state;
	char *copy = in_folder(f, "copy.db");

	expect_ok(store_backup(f->store, f, copy));
	add_game(f, "one");
	for (int i = 0; i < 10; i++) {
		pid_t child = fork();

		if (child == 0) {
			expect_ok(store_open(f, f->path, false, f->migrations, &f->store));
			for (;;)
				expect_ok(store_backup(f->store, f, copy));
		}
		usleep((useconds_t)(15000 + 3000 * i));
		kill(child, SIGKILL);
		assert_true(wait(NULL) == child);
		expect_ok(store_check(f, copy, f->migrations));
	}
}

static void test_check(void **state)
{
	struct fixture *f = *state;
	char *copy = in_folder(f, "copy.db");
	const char *none[] = {NULL};
	FILE *file;

	add_game(f, "one");
	expect_ok(store_backup(f->store, f, copy));
	expect_err(store_check(f, copy, none), "newer Galloper");
	expect_err(store_check(f, in_folder(f, "missing"), f->migrations), "No such file");
	expect_ok(file_write(f, in_folder(f, "empty"), "", 0, 0600));
	expect_err(store_check(f, in_folder(f, "empty"), f->migrations), "no database of Galloper's");
	file = fopen(copy, "r+b");
	assert_int_equal(fseek(file, 3 * 4096, SEEK_SET), 0);
	for (int i = 0; i < 20 * 4096; i++)
		fputc(0x55, file);
	fclose(file);
	assert_non_null(store_check(f, copy, f->migrations));
}

static bool lives(const char *owner)
{
	return strcmp(owner, "4711 a b") == 0;
}

static void test_restore_over(void **state)
{
	struct fixture *f = *state;
	char *copy = in_folder(f, "copy.db"), *aside;
	struct games games;
	struct err *e;
	bool got;

	add_game(f, "one");
	expect_ok(store_lease(f->store, f, "daemon", "a dead one", NOW, NOW + 900, &got));
	expect_ok(store_lease(f->store, f, "poll", "4711 a b", NOW, NOW + 60, &got));
	expect_ok(store_backup(f->store, f, copy));
	add_game(f, "two");

	e = store_restore(f, f->path, copy, f->migrations, NOW + 59, lives, &aside);
	expect_err(e, "stop galloperd");
	expect_err(e, "poll, process 4711)");
	assert_int_equal(e->scope, ERR_GAME);
	expect_ok(store_games(f->store, f, &games));
	assert_int_equal(games.count, 2);

	/* f->store stays open all the time, as somebody's who looks at a game. */
	expect_ok(store_restore(f, f->path, copy, f->migrations, NOW + 60, lives, &aside));
	expect_ok(store_games(f->store, f, &games));
	assert_int_equal(games.count, 1);
	assert_string_equal(games.list[0].name, "one");
	assert_int_equal(count(f, "SELECT count(*) FROM lease"), 0);
	add_game(f, "three"); /* and may be written to */
	assert_int_equal(count_in(f, aside, "SELECT count(*) FROM game"), 2);
	/* A second one keeps what was there, too. */
	expect_ok(store_restore(f, f->path, aside, f->migrations, NOW + 60, lives, &aside));
	assert_true(exists(f, "galloper.db.replaced-2"));
	expect_ok(store_games(f->store, f, &games));
	assert_int_equal(games.count, 2);
	expect_err(store_restore(f, f->path, f->path, f->migrations, NOW, lives, &aside), "no backup of it");
}

static void test_restore_damaged(void **state)
{
	struct fixture *f = *state;
	char *copy = in_folder(f, "copy.db"), *bad = in_folder(f, "bad.db"), *aside;
	static const char rubbish[] = "this is not a database at all, and longer than a header of one hundred bytes: "
				      "it goes on and on and on";

	add_game(f, "one");
	expect_ok(store_backup(f->store, f, copy));
	expect_ok(file_write(f, bad, rubbish, sizeof rubbish, 0600));
	expect_ok(file_write(f, in_folder(f, "bad.db-wal"), rubbish, sizeof rubbish, 0600));
	expect_ok(store_restore(f, bad, copy, f->migrations, NOW, lives, &aside));
	assert_int_equal(count_in(f, bad, "SELECT count(*) FROM game"), 1);
	assert_true(exists(f, "bad.db.replaced"));
	assert_true(exists(f, "bad.db.replaced-wal"));

	expect_ok(store_restore(f, in_folder(f, "fresh.db"), copy, f->migrations, NOW, lives, &aside));
	assert_null(aside);
	assert_int_equal(count_in(f, in_folder(f, "fresh.db"), "SELECT count(*) FROM game"), 1);

	/* A bad copy changes nothing. */
	expect_err(
		store_restore(f, f->path, aside = in_folder(f, "bad.db.replaced"), f->migrations, NOW, lives, &aside),
		"no database");
	assert_int_equal(count(f, "SELECT count(*) FROM game"), 1);
}

/* Killed anywhere, the database is the one before or the one restored. */
static void test_restore_killed(void **state)
{
	struct fixture *f = *state;
	char *copy = in_folder(f, "copy.db"), *aside;

	add_game(f, "one");
	expect_ok(store_backup(f->store, f, copy));
	add_game(f, "two");
	for (int i = 0; i < 12; i++) {
		pid_t child = fork();
		int64_t games;

		if (child == 0)
			_exit(store_restore(f, f->path, copy, f->migrations, NOW, lives, &aside) != NULL);
		usleep((useconds_t)(1500 * i));
		kill(child, SIGKILL);
		assert_true(wait(NULL) == child);
		games = count(f, "SELECT count(*) FROM game");
		assert_in_range(games, 1, 2);
		assert_int_equal(
			count(f, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"), 0);
		if (games == 1)
			add_game(f, "two");
	}
}

#define WITH_STORE(test) cmocka_unit_test_setup_teardown(test, fixture_set_up, fixture_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_STORE(test_backup),
		WITH_STORE(test_backup_spares_other_files),
		WITH_STORE(test_backup_fails),
		WITH_STORE(test_check),
		WITH_STORE(test_restore_over),
		WITH_STORE(test_restore_damaged),
		WITH_STORE(test_restore_killed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
