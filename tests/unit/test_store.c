/* store/store: opening and migrating, transactions that are kept whole or not at all, and what a failing disk says. */
#include "base/file.h"
#include "store/version.h"
#include "store_fixture.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>

/* What a database consists of, as text. */
static char *shape(TALLOC_CTX *mem, sqlite3 *db)
{
	char *out = talloc_strdup(mem, "");
	sqlite3_stmt *st;

	assert_int_equal(sqlite3_prepare_v2(db,
				 "SELECT type || ' ' || name || ' ' || ifnull(sql, '') FROM sqlite_schema "
				 "ORDER BY type, name",
				 -1, &st, NULL),
		SQLITE_OK);
	while (sqlite3_step(st) == SQLITE_ROW)
		out = talloc_asprintf_append(out, "%s\n", (const char *)sqlite3_column_text(st, 0));
	sqlite3_finalize(st);
	return out;
}

static void test_schema_is_all_migrations(void **state)
{
	struct fixture *f = *state;
	sqlite3 *db;
	char *schema;

	expect_ok(data_read(f, "db/schema.sql", &schema, NULL));
	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, schema, NULL, NULL, NULL), SQLITE_OK);
	assert_string_equal(shape(f, f->store->db), shape(f, db));
	sqlite3_close(db);
	assert_int_equal(count(f, "PRAGMA user_version"), migrations_count(f->migrations));
	assert_true(count(f, "SELECT count(*) FROM sqlite_schema WHERE type = 'table'") >= 15);
	assert_int_equal(
		count(f, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%STRICT%'"), 0);
}

static void test_settings(void **state)
{
	struct fixture *f = *state;
	sqlite3_stmt *st;
	struct stat file;

	assert_int_equal(count(f, "PRAGMA foreign_keys"), 1);
	assert_int_equal(count(f, "PRAGMA synchronous"), 2);
	assert_int_equal(sqlite3_prepare_v2(f->store->db, "PRAGMA journal_mode", -1, &st, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	assert_string_equal((const char *)sqlite3_column_text(st, 0), "wal");
	sqlite3_finalize(st);
	/* Keys and secrets are in there, and in its log. */
	assert_int_equal(stat(f->path, &file), 0);
	assert_int_equal(file.st_mode & 0777, 0600);
	add_game(f, "falkirk-7b");
	assert_int_equal(stat(in_folder(f, "galloper.db-wal"), &file), 0);
	assert_int_equal(file.st_mode & 0777, 0600);
}

static void test_older_is_brought_up_to_date(void **state)
{
	struct fixture *f = *state;
	const char *longer[] = {f->migrations[0],
		"CREATE TABLE extra (a INTEGER) STRICT; INSERT INTO extra SELECT id FROM game;", NULL};
	const char *broken[] = {longer[0], longer[1], "CREATE TABLE more (a INTEGER) STRICT; SELECT nonsense;", NULL};
	const char *dangling[] = {longer[0], longer[1], "PRAGMA foreign_keys = OFF; DELETE FROM game;", NULL};
	struct store *s = NULL;
	struct err *e;

	assert_null(f->migrations[1]); /* this test speaks of version 1; extend it with the next */
	add_player(f, add_game(f, "falkirk-7b"), "E", "a@b.example");
	expect_ok(store_open(f, f->path, false, longer, &s));
	talloc_free(s);
	assert_int_equal(count(f, "SELECT a FROM extra"), 1);
	assert_int_equal(count(f, "PRAGMA user_version"), 2);

	/* A migration that fails, or breaks references, leaves everything as it was. */
	expect_err(store_open(f, f->path, false, broken, &s), "nonsense");
	expect_err(store_open(f, f->path, false, dangling, &s), "references");
	assert_int_equal(count(f, "PRAGMA user_version"), 2);
	assert_int_equal(count(f, "SELECT count(*) FROM sqlite_schema WHERE name = 'more'"), 0);
	assert_int_equal(count(f, "SELECT count(*) FROM game"), 1);

	/* And now it is too new for the first program. */
	e = store_open(f, f->path, false, f->migrations, &s);
	expect_err(e, "newer Galloper (version 2, this one knows 1)");
	assert_false(e->retry);
}

static void test_other_files_are_refused(void **state)
{
	struct fixture *f = *state;
	char *other = in_folder(f, "places.sqlite"), *text = in_folder(f, "galloper.conf");
	static const char words[] = "address game@school.example\n";
	struct store *s;
	sqlite3 *db;
	char *bytes;

	assert_int_equal(sqlite3_open(other, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "CREATE TABLE bookmark (url TEXT)", NULL, NULL, NULL), SQLITE_OK);
	expect_err(store_open(f, other, true, f->migrations, &s), "no database of Galloper's");
	assert_int_equal(
		sqlite3_exec(db, "SELECT url FROM bookmark; PRAGMA user_version", NULL, NULL, NULL), SQLITE_OK);
	assert_string_equal(shape(f, db), "table bookmark CREATE TABLE bookmark (url TEXT)\n");
	sqlite3_close(db);

	expect_ok(file_write(f, text, words, sizeof words - 1, 0600));
	expect_err(store_open(f, text, true, f->migrations, &s), "no database");
	expect_ok(file_read(f, text, 1000, &bytes, NULL));
	assert_string_equal(bytes, words);

	expect_err(store_open(f, in_folder(f, "missing.db"), false, f->migrations, &s), "galloper init");
	expect_err(store_open(f, in_folder(f, "no/folder.db"), true, f->migrations, &s), "No such file");
	/* A crash between making the file and filling it leaves an empty one, which `init` fills the next time; nobody
	 * else does. */
	expect_ok(file_write(f, in_folder(f, "empty.db"), "", 0, 0600));
	expect_err(store_open(f, in_folder(f, "empty.db"), false, f->migrations, &s), "this file is empty");
	expect_ok(store_open(f, in_folder(f, "empty.db"), true, f->migrations, &s));
}

/* Processes that make the same database at the same time: each gets it, whole, with the one secret. */
static void test_many_open_at_once(void **state)
{
	struct fixture *f = *state;

	for (int round = 0; round < 10; round++) {
		char *path = in_folder(f, talloc_asprintf(f, "fresh-%d.db", round));
		int first = -1;

		for (int i = 0; i < 8; i++) {
			if (fork() == 0) {
				unsigned char *secret;

				expect_ok(store_open(f, path, true, f->migrations, &f->store));
				expect_ok(store_secret(f->store, f, "tokens", 32, &secret));
				_exit(secret[0]);
			}
		}
		for (int i = 0; i < 8; i++) {
			int status;

			assert_true(wait(&status) > 0);
			assert_true(WIFEXITED(status));
			first = first < 0 ? status : first;
			assert_int_equal(status, first);
		}
	}
}

static void test_commit_and_rollback(void **state)
{
	struct fixture *f = *state;

	expect_ok(store_begin(f->store, f));
	add_game(f, "one");
	store_rollback(f->store);
	assert_int_equal(count(f, "SELECT count(*) FROM game"), 0);
	expect_ok(store_begin(f->store, f));
	add_player(f, add_game(f, "two"), "J", "b@c.example");
	expect_ok(store_commit(f->store, f));
	assert_int_equal(count(f, "SELECT count(*) FROM player"), 1);
	store_rollback(f->store); /* after a commit: nothing */
	assert_int_equal(count(f, "SELECT count(*) FROM player"), 1);
	/* A reference that leads nowhere. */
	expect_err(store_act(f->store, f, 77, NOW, "clock", "x", ""), "FOREIGN KEY");
}

static int64_t games_seen_by(struct fixture *f, struct store *s)
{
	int64_t n = -1;

	expect_ok(sql_int(s, f, &n, "SELECT count(*) FROM game", ""));
	return n;
}

/* The transactions of a group are seen at once, or are undone together. */
static void test_group(void **state)
{
	struct fixture *f = *state;
	struct store *other;

	expect_ok(store_open(f, f->path, false, f->migrations, &other));
	expect_ok(store_group_begin(f->store, f));
	for (int i = 0; i < 2; i++) {
		expect_ok(store_begin(f->store, f));
		add_game(f, (const char *[]){"one", "two"}[i]);
		expect_ok(store_commit(f->store, f));
	}
	add_game(f, "three"); /* in no transaction of its own */
	assert_int_equal(count(f, "SELECT count(*) FROM game"), 3);
	assert_int_equal(games_seen_by(f, other), 0);
	expect_ok(store_group_end(f->store, f));
	assert_int_equal(games_seen_by(f, other), 3);

	expect_ok(store_group_begin(f->store, f));
	expect_ok(store_begin(f->store, f));
	add_game(f, "four");
	expect_ok(store_commit(f->store, f));
	assert_false(store_group_undone(f->store));
	expect_ok(store_begin(f->store, f));
	store_rollback(f->store);
	assert_true(store_group_undone(f->store));
	expect_err(store_act(f->store, f, 0, NOW, "clock", "x", ""), "undone");
	expect_err(store_group_end(f->store, f), "undone");
	assert_false(store_group_undone(f->store));
	assert_int_equal(games_seen_by(f, other), 3);
	expect_ok(store_group_end(f->store, f)); /* without a group */
	expect_ok(store_begin(f->store, f));
	expect_ok(store_commit(f->store, f));
	/* One that is never ended is undone. */
	expect_ok(store_group_begin(other, f));
	expect_ok(store_begin(other, f));
	expect_ok(store_act(other, f, 0, NOW, "clock", "x", ""));
	expect_ok(store_commit(other, f));
	talloc_free(other);
	assert_int_equal(count(f, "SELECT count(*) FROM act"), 0);
}

/* A disk that fills up undoes the whole group, and nothing is kept of what comes after. */
static void test_full_group(void **state)
{
	struct fixture *f = *state;
	char *big = talloc_array(f, char, 400000);
	struct game *g = add_game(f, "falkirk-7b");
	int64_t before = count(f, "SELECT count(*) FROM act");

	memset(big, 'x', 399999);
	big[399999] = '\0';
	assert_int_equal(count(f, "PRAGMA max_page_count = 60"), 60);
	expect_ok(store_group_begin(f->store, f));
	expect_ok(store_begin(f->store, f));
	expect_ok(store_act(f->store, f, g->id, NOW, "clock", "small", ""));
	expect_ok(store_commit(f->store, f));
	expect_ok(store_begin(f->store, f));
	expect_err(store_act(f->store, f, g->id, NOW, "clock", "large", big), "disk is full");
	store_rollback(f->store);
	expect_err(store_act(f->store, f, g->id, NOW, "clock", "after", ""), "undone");
	expect_err(store_group_end(f->store, f), "undone");
	assert_int_equal(count(f, "SELECT count(*) FROM act"), before);
	expect_ok(store_act(f->store, f, g->id, NOW, "clock", "after", ""));
}

/* A database that may not grow stands for a full disk. */
static void test_full_disk(void **state)
{
	struct fixture *f = *state;
	char *big = talloc_array(f, char, 400000);
	struct game *g = add_game(f, "falkirk-7b");
	struct err *e;
	int64_t before;

	memset(big, 'x', 399999);
	big[399999] = '\0';
	before = count(f, "SELECT count(*) FROM act");
	assert_int_equal(count(f, "PRAGMA max_page_count = 60"), 60);
	expect_ok(store_begin(f->store, f));
	expect_ok(store_act(f->store, f, g->id, NOW, "clock", "small", ""));
	e = store_act(f->store, f, g->id, NOW, "clock", "large", big);
	expect_err(e, "disk is full");
	assert_true(e->retry);
	/* Whoever overlooks that does not get the second half kept without the first. */
	if (sqlite3_get_autocommit(f->store->db) != 0)
		expect_err(store_act(f->store, f, g->id, NOW, "clock", "after", ""), "undone");
	store_rollback(f->store);
	assert_int_equal(count(f, "SELECT count(*) FROM act"), before);
	/* With room again, all goes on. */
	assert_int_equal(count(f, "PRAGMA max_page_count = 10000"), 10000);
	expect_ok(store_act(f->store, f, g->id, NOW, "clock", "large", big));
	assert_int_equal(count(f, "SELECT count(*) FROM act"), before + 1);
}

/* The same with a file system that really refuses: no file may grow beyond this size. */
static void test_failing_disk(void **state)
{
	struct fixture *f = *state;
	char *big = talloc_array(f, char, 600000);
	struct rlimit old, small;
	struct game *g = add_game(f, "falkirk-7b");
	struct err *e;

	memset(big, 'x', 599999);
	big[599999] = '\0';
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	small = (struct rlimit){300000, old.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	e = store_act(f->store, f, g->id, NOW, "clock", "large", big);
	setrlimit(RLIMIT_FSIZE, &old);
	expect_err(e, "disk");
	assert_true(e->retry);
	assert_int_equal(count(f, "SELECT count(*) FROM act"), 0);
	expect_ok(store_act(f->store, f, g->id, NOW, "clock", "large", big));
	assert_int_equal(count(f, "SELECT count(*) FROM act"), 1);
}

static void test_damaged(void **state)
{
	struct fixture *f = *state;
	struct store *s = NULL;
	struct games all;
	struct err *e;
	FILE *file;

	add_game(f, "falkirk-7b");
	talloc_free(f->store); /* the last one out puts the log into the file */
	file = fopen(f->path, "r+b");
	assert_int_equal(fseek(file, 4096, SEEK_SET), 0);
	for (int i = 0; i < 60 * 4096; i++)
		fputc(0x55, file);
	fclose(file);
	e = store_open(f, f->path, false, f->migrations, &s);
	if (e == NULL)
		e = store_games(s, f, &all);
	expect_err(e, "damaged");
	expect_err(e, "galloper restore");
	assert_false(e->retry);
}

static void test_locked_and_readonly(void **state)
{
	struct fixture *f = *state;
	struct store *other, *reader;
	struct games all;
	struct err *e;

	expect_ok(store_open(f, f->path, false, f->migrations, &other));
	sqlite3_busy_timeout(other->db, 50);
	expect_ok(store_begin(f->store, f));
	add_game(f, "falkirk-7b");
	e = store_begin(other, f);
	expect_err(e, "another program");
	assert_true(e->retry);
	/* Readers never wait, and see nothing unfinished. */
	expect_ok(store_games(other, f, &all));
	assert_int_equal(all.count, 0);
	expect_ok(store_commit(f->store, f));
	expect_ok(store_games(other, f, &all));
	assert_int_equal(all.count, 1);
	expect_ok(store_connect(f, f->path, SQLITE_OPEN_READONLY, 1, &reader));
	e = store_act(reader, f, 0, NOW, "clock", "x", "");
	expect_err(e, "cannot be written to");
	assert_true(e->retry);
}

/* A process is killed in the middle of transactions again and again. Each commits a game with two players and an act:
 * what is found afterwards has all of it or nothing. */
static void test_killed(void **state)
{
	struct fixture *f = *state;

	for (int round = 0; round < 12; round++) {
		pid_t child = fork();
		int status;

		if (child == 0) {
			struct store *s;

			if (store_open(f, f->path, false, f->migrations, &s) != NULL)
				_exit(1);
			f->store = s;
			for (int i = 0;; i++) {
				struct game *g;

				expect_ok(store_begin(s, f));
				g = add_game(f, talloc_asprintf(f, "game-%d-%d", round, i));
				add_player(f, g, "E", "e@x.example");
				add_player(f, g, "J", "j@x.example");
				expect_ok(store_act(s, f, g->id, NOW, "clock", "made", ""));
				expect_ok(store_commit(s, f));
			}
		}
		usleep((useconds_t)(20000 + 7000 * round));
		kill(child, SIGKILL);
		waitpid(child, &status, 0);
		assert_true(WIFSIGNALED(status));
	}
	assert_true(count(f, "SELECT count(*) FROM game") > 0);
	assert_int_equal(count(f, "SELECT count(*) FROM player"), 2 * count(f, "SELECT count(*) FROM game"));
	assert_int_equal(count(f, "SELECT count(*) FROM act"), count(f, "SELECT count(*) FROM game"));
	assert_int_equal(count(f, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"), 0);
}

static void test_leases(void **state)
{
	struct fixture *f = *state;
	bool got;

	expect_ok(store_lease(f->store, f, "poll", "process 1", NOW, NOW + 60, &got));
	assert_true(got);
	expect_ok(store_lease(f->store, f, "poll", "process 2", NOW, NOW + 60, &got));
	assert_false(got);
	expect_ok(store_lease(f->store, f, "send", "process 2", NOW, NOW + 60, &got));
	assert_true(got);
	expect_ok(store_lease(f->store, f, "poll", "process 1", NOW + 50, NOW + 110, &got)); /* renewed */
	assert_true(got);
	expect_ok(store_lease(f->store, f, "poll", "process 2", NOW + 109, NOW + 200, &got));
	assert_false(got);
	expect_ok(store_lease(f->store, f, "poll", "process 2", NOW + 110, NOW + 200, &got)); /* run out */
	assert_true(got);
	expect_ok(store_lease_end(f->store, f, "poll", "process 1")); /* no longer his to end */
	expect_ok(store_lease(f->store, f, "poll", "process 1", NOW + 111, NOW + 300, &got));
	assert_false(got);
	expect_ok(store_lease_end(f->store, f, "poll", "process 2"));
	expect_ok(store_lease(f->store, f, "poll", "process 1", NOW + 111, NOW + 300, &got));
	assert_true(got);
}

static void test_answers_forgotten(void **state)
{
	struct fixture *f = *state;
	int n, other;

	expect_ok(store_answered(f->store, f, "a@x.example", "answer", NOW));
	expect_ok(store_answered(f->store, f, "b@x.example", "acting", NOW + 1));
	expect_ok(store_answered(f->store, f, "a@x.example", "acting", NOW + 2));
	expect_ok(store_answers_since(f->store, f, "a@x.example", "", NOW - 1, NOW + 60, &n));
	assert_int_equal(n, 2);
	expect_ok(store_answers_since(f->store, f, "a@x.example", "acting", NOW - 1, NOW + 60, &n));
	assert_int_equal(n, 1);
	expect_ok(store_answers_since(f->store, f, "a@x.example", "acting", NOW + 2, NOW + 60, &n));
	assert_int_equal(n, 0);
	/* two in one second are two */
	expect_ok(store_answered(f->store, f, "a@x.example", "acting", NOW + 2));
	expect_ok(store_answers_since(f->store, f, "a@x.example", "acting", NOW - 1, NOW + 60, &n));
	assert_int_equal(n, 2);
	expect_ok(store_answers_of(f->store, f, "a@x.example", "answer", "acting", NOW - 1, NOW + 60, &n, &other));
	assert_int_equal(n, 1);
	assert_int_equal(other, 2);
	/* two days later the first two are gone */
	expect_ok(store_answered(f->store, f, "c@x.example", "answer", NOW + 2 + 2 * 24 * 3600));
	assert_int_equal(count(f, "SELECT count(*) FROM answered"), 2);
	expect_ok(store_answered(f->store, f, "c@x.example", "answer", NOW + 9 * 24 * 3600));
	assert_int_equal(count(f, "SELECT count(*) FROM answered"), 1);
}

/* Many processes want the same lease at the same time: one gets it. */
static void test_lease_race(void **state)
{
	struct fixture *f = *state;
	int winners = 0;

	for (int i = 0; i < 8; i++) {
		if (fork() == 0) {
			struct store *s;
			bool got = false;

			expect_ok(store_open(f, f->path, false, f->migrations, &s));
			expect_ok(store_lease(s, f, "turn", talloc_asprintf(f, "process %d", i), NOW, NOW + 60, &got));
			_exit(got ? 10 : 0);
		}
	}
	for (int i = 0; i < 8; i++) {
		int status;

		assert_true(wait(&status) > 0);
		assert_true(WIFEXITED(status));
		winners += WEXITSTATUS(status) == 10;
	}
	assert_int_equal(winners, 1);
}

static void test_secrets(void **state)
{
	struct fixture *f = *state;
	unsigned char *one, *again, *other;

	expect_ok(store_secret(f->store, f, "tokens", 32, &one));
	expect_ok(store_secret(f->store, f, "tokens", 32, &again));
	expect_ok(store_secret(f->store, f, "others", 32, &other));
	assert_memory_equal(one, again, 32);
	assert_memory_not_equal(one, other, 32);
	expect_err(store_secret(f->store, f, "tokens", 16, &one), "wrong length");
}

static void test_answers(void **state)
{
	struct fixture *f = *state;
	int n, other;

	expect_ok(store_answered(f->store, f, "a@b.example", "stranger", NOW));
	expect_ok(store_answered(f->store, f, "a@b.example", "receipt", NOW + 10));
	expect_ok(store_answered(f->store, f, "c@b.example", "receipt", NOW + 10));
	expect_ok(store_answers_since(f->store, f, "a@b.example", "", NOW - 1, NOW + 60, &n));
	assert_int_equal(n, 2);
	expect_ok(store_answers_since(f->store, f, "a@b.example", "", NOW, NOW + 60, &n));
	assert_int_equal(n, 1);
	expect_ok(store_answers_since(f->store, f, "a@b.example", "stranger", NOW - 86400, NOW + 60, &n));
	assert_int_equal(n, 1);
	expect_ok(store_answers_of(f->store, f, "a@b.example", "receipt", "stranger", NOW, NOW + 60, &n, &other));
	assert_int_equal(n, 1);
	assert_int_equal(other, 0);
	/* What nobody asks for any more goes. */
	expect_ok(store_answered(f->store, f, "d@b.example", "receipt", NOW + 3 * 86400));
	assert_int_equal(count(f, "SELECT count(*) FROM answered"), 1);
}

static void test_acts_stay(void **state)
{
	struct fixture *f = *state;

	expect_ok(store_act(f->store, f, 0, NOW, "command line", "made", ""));
	expect_err(sql_run(f->store, f, "UPDATE act SET what = 'x'", ""), "never changed");
	expect_err(sql_run(f->store, f, "DELETE FROM act", ""), "never removed");
	assert_int_equal(count(f, "SELECT count(*) FROM act WHERE game IS NULL AND what = 'made'"), 1);
}

#define WITH_STORE(test) cmocka_unit_test_setup_teardown(test, fixture_set_up, fixture_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_STORE(test_schema_is_all_migrations),
		WITH_STORE(test_settings),
		WITH_STORE(test_older_is_brought_up_to_date),
		WITH_STORE(test_other_files_are_refused),
		WITH_STORE(test_many_open_at_once),
		WITH_STORE(test_commit_and_rollback),
		WITH_STORE(test_group),
		WITH_STORE(test_full_group),
		WITH_STORE(test_full_disk),
		WITH_STORE(test_failing_disk),
		WITH_STORE(test_damaged),
		WITH_STORE(test_locked_and_readonly),
		WITH_STORE(test_killed),
		WITH_STORE(test_leases),
		WITH_STORE(test_answers_forgotten),
		WITH_STORE(test_lease_race),
		WITH_STORE(test_secrets),
		WITH_STORE(test_answers),
		WITH_STORE(test_acts_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
