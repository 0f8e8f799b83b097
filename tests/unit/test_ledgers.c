/* store/mailbox and store/outbox: no mail is lost, none is read twice, none is sent by two. */
#include "store_fixture.h"

#include <signal.h>

static int64_t account(struct fixture *f)
{
	struct account *a;

	expect_ok(store_account(f->store, f, "inbox", NOW, &a));
	return a->id;
}

static void test_account(void **state)
{
	struct fixture *f = *state;
	struct account *a, *b;

	expect_ok(store_account(f->store, f, "inbox", NOW, &a));
	assert_int_equal(a->made, NOW);
	assert_int_equal(a->complete, 0);
	expect_ok(store_poll_failed(f->store, f, a->id, NOW + 10, "server away"));
	expect_ok(store_poll_failed(f->store, f, a->id, NOW + 20, "still away"));
	expect_ok(store_account(f->store, f, "inbox", NOW + 30, &b));
	assert_int_equal(b->id, a->id);
	assert_int_equal(b->made, NOW);
	assert_int_equal(b->failing_since, NOW + 10);
	assert_string_equal(b->failure, "still away");
	expect_ok(store_polled(f->store, f, a->id, NOW + 40));
	expect_ok(store_account(f->store, f, "inbox", NOW + 50, &b));
	assert_int_equal(b->complete, NOW + 40);
	assert_int_equal(b->failing_since, 0);
	assert_string_equal(b->failure, "");
}

static void test_a_mails_way(void **state)
{
	struct fixture *f = *state;
	int64_t a = account(f);
	struct incoming *m = add_mail(f, a, "11", "A: hold");
	struct incomings list;
	struct err *e;
	int tries;
	bool known;

	assert_string_equal(m->state, "fetched");
	expect_ok(store_mail_known(f->store, f, a, 7, "11", &known));
	assert_true(known);
	expect_ok(store_mail_known(f->store, f, a, 8, "11", &known));
	assert_false(known);
	expect_ok(store_mail_waiting(f->store, f, 10, 1024, &list));
	assert_int_equal(list.count, 1);
	assert_string_equal(list.list[0].raw, "A: hold");
	assert_int_equal(list.list[0].raw_len, 7);
	expect_ok(store_mail_failed(f->store, f, m->id, "the reader died", &tries));
	assert_int_equal(tries, 1);
	expect_ok(store_mail_failed(f->store, f, m->id, "the reader died", &tries));
	assert_int_equal(tries, 2);
	expect_ok(store_mail_done(f->store, f, m->id, "done", "Processed", 0, 0, ""));
	expect_ok(store_mail_waiting(f->store, f, 10, 1024, &list));
	assert_int_equal(list.count, 0);

	/* Another process that had it in hand as well must not answer it a second time. */
	e = store_mail_done(f->store, f, m->id, "done", "Processed", 0, 0, "");
	expect_err(e, "already");
	assert_int_equal(e->scope, ERR_MAIL);
	expect_ok(store_mail_failed(f->store, f, m->id, "x", &tries));
	assert_int_equal(tries, 0);

	expect_ok(store_mail_to_move(f->store, f, a, &list));
	assert_int_equal(list.count, 1);
	assert_string_equal(list.list[0].uid, "11");
	assert_int_equal(list.list[0].validity, 7);
	assert_string_equal(list.list[0].folder, "Processed");
	expect_ok(store_mail_moved(f->store, f, m->id));
	expect_ok(store_mail_to_move(f->store, f, a, &list));
	assert_int_equal(list.count, 0);
	/* The bytes stay. */
	assert_int_equal(count(f, "SELECT count(*) FROM mail_raw WHERE raw = CAST('A: hold' AS BLOB)"), 1);
	expect_err(sql_run(f->store, f, "UPDATE mail_raw SET raw = x'00'", ""), "never changed");
}

/* A server that gives a number to another mail: the new one is taken for new, and the old one is not moved in its
 * place. */
static void test_a_number_given_again(void **state)
{
	struct fixture *f = *state;
	int64_t a = account(f);
	struct incoming *m = add_mail(f, a, "11", "A: hold");
	struct incomings list;
	bool known;

	expect_ok(sql_run(f->store, f, "UPDATE mail SET arrived = arrived - 60", ""));
	expect_ok(store_mail_done(f->store, f, m->id, "done", "Processed", 0, 0, ""));
	expect_ok(store_mail_listed(f->store, f, a, 7, "12", NOW - 60, &known));
	assert_false(known);
	expect_ok(store_mail_listed(f->store, f, a, 7, "11", NOW - 60, &known));
	assert_true(known);
	expect_ok(store_mail_to_move(f->store, f, a, &list));
	assert_int_equal(list.count, 1);
	expect_ok(store_mail_listed(f->store, f, a, 7, "11", NOW + 60, &known));
	assert_false(known);
	expect_ok(store_mail_to_move(f->store, f, a, &list));
	assert_int_equal(list.count, 0);
	assert_int_not_equal(add_mail(f, a, "11", "B: hold")->id, 0);

	/* One that was fetched "before it arrived", by the server's clock, has its number still. */
	expect_ok(store_mail_listed(f->store, f, a, 7, "11", NOW + 3600, &known));
	assert_true(known);
}

static void test_order_of_arrival(void **state)
{
	struct fixture *f = *state;
	int64_t a = account(f);
	struct incoming late = {.account = a, .validity = 1, .uid = "1", .arrived = NOW + 9, .raw = "x", .raw_len = 1};
	struct incoming early = {.account = a, .validity = 1, .uid = "2", .arrived = NOW + 3, .raw = "y", .raw_len = 1};
	struct incomings list;

	late.digest[0] = 1;
	expect_ok(store_add_mail(f->store, f, &late, NOW, 0));
	expect_ok(store_add_mail(f->store, f, &early, NOW, 0));
	expect_ok(store_mail_waiting(f->store, f, 1, 1024, &list));
	assert_int_equal(list.count, 1);
	assert_int_equal(list.list[0].id, early.id);
}

static void test_twins(void **state)
{
	struct fixture *f = *state;
	int64_t a = account(f);
	struct incoming *first = add_mail(f, a, "11", "A: hold"), *m, old = {.account = a, .uid = "5", .raw = "o"};
	struct incomings list;
	bool before;

	/* UIDVALIDITY changed: the same mail under another name. */
	m = add_mail(f, a, "900", "A: hold");
	assert_string_equal(m->state, "duplicate");
	assert_string_equal(m->folder, "Processed");
	/* The very same, by another process: nothing is added. */
	m = add_mail(f, a, "11", "A: hold");
	assert_int_equal(m->id, 0);
	assert_int_equal(count(f, "SELECT count(*) FROM mail"), 2);
	assert_int_equal(count(f, "SELECT count(*) FROM mail_raw"), 2);

	/* Rejected and moved away, then put back into the mailbox by hand: read again. */
	expect_ok(store_mail_done(f->store, f, first->id, "rejected", "Rejected", 0, 0, "three tries"));
	assert_string_equal(
		add_mail(f, a, "12", "A: hold")->state, "duplicate"); /* that is the one still lying there */
	expect_ok(store_mail_moved(f->store, f, first->id));
	expect_ok(store_mail_rejected_before(f->store, f, first->id, &before));
	assert_false(before);
	m = add_mail(f, a, "13", "A: hold");
	assert_string_equal(m->state, "fetched");
	expect_ok(store_mail_rejected_before(f->store, f, m->id, &before));
	assert_true(before);

	/* What lay in the mailbox before it became ours. */
	old.arrived = NOW - 100;
	old.raw_len = 1;
	expect_ok(store_add_mail(f->store, f, &old, NOW, NOW - 99));
	assert_string_equal(old.state, "old");
	assert_int_equal(count(f, "SELECT count(*) FROM mail_raw WHERE mail = (SELECT max(id) FROM mail)"), 0);
	expect_ok(store_mail_waiting(f->store, f, 10, 1024, &list));
	assert_int_equal(list.count, 1);
}

/* The clock stood a year ahead for a while. What it dated later than now is not counted, and is due now. */
static void test_clock_was_ahead(void **state)
{
	enum { AHEAD = 365 * 86400 };
	struct fixture *f = *state;
	struct game *g = add_game(f, "g");
	int64_t p = add_player(f, g, "E", "a@x.example")->id, sent;
	struct outgoing *one = queue(f, p, "<1@x>", NOW + AHEAD), *two = queue(f, p, "<2@x>", NOW + AHEAD), *o;
	bool stopped;
	int n, other;

	/* One was tried then, and one never. */
	expect_ok(store_claim(f->store, f, "me", NOW + AHEAD, 60, &o));
	assert_int_equal(o->id, one->id);
	expect_ok(store_sent(f->store, f, one->id, "queued", NOW + AHEAD + 60, "450 later"));
	expect_ok(store_claim(f->store, f, "me", NOW, 60, &o));
	assert_non_null(o);
	assert_int_equal(o->id, two->id);
	expect_ok(store_sent(f->store, f, o->id, "sent", NOW, ""));
	expect_ok(store_claim(f->store, f, "me", NOW, 60, &o));
	assert_non_null(o);
	assert_int_equal(o->id, one->id);
	/* Now it waits like any other, also one that was made then. */
	expect_ok(store_sent(f->store, f, o->id, "queued", NOW + 120, "450 later"));
	expect_ok(store_claim(f->store, f, "me", NOW + 119, 60, &o));
	assert_null(o);
	expect_ok(store_claim(f->store, f, "me", NOW + 120, 60, &o));
	assert_non_null(o);
	expect_ok(store_sent(f->store, f, o->id, "sent", NOW + AHEAD, ""));
	expect_ok(store_sent_since(f->store, f, NOW - 60, NOW, &sent));
	assert_int_equal(sent, 1);

	expect_ok(store_answered(f->store, f, "a@x.example", "answer", NOW + AHEAD));
	expect_ok(store_answers_since(f->store, f, "a@x.example", "", NOW - 60, NOW, &n));
	assert_int_equal(n, 0);
	expect_ok(store_answers_of(f->store, f, "a@x.example", "answer", "acting", NOW - 60, NOW, &n, &other));
	assert_int_equal(n, 0);
	for (int i = 0; i < BOUNCES_MAX; i++) {
		expect_ok(store_bounced(f->store, f, p, NOW + (i + 1 < BOUNCES_MAX ? AHEAD : 0), &stopped));
		assert_false(stopped);
	}
}

static void test_outbox(void **state)
{
	struct fixture *f = *state;
	int64_t p = add_player(f, add_game(f, "g"), "E", "a@x.example")->id;
	struct outgoing *one = queue(f, p, "<1@x>", NOW), *two, *o;
	int waiting, failing;

	assert_non_null(store_queue(f->store, f, one)); /* a Message-ID is used once */
	assert_int_equal(count(f, "SELECT count(*) FROM outbox_bytes"), 1);
	expect_ok(store_claim(f->store, f, "me", NOW, 60, &o));
	assert_int_equal(o->id, one->id);
	assert_int_equal(o->len, 16);
	assert_memory_equal(o->bytes, one->bytes, 16);
	assert_string_equal(o->recipient, "anne@school.example");
	assert_string_equal(o->state, "sending");
	assert_int_equal(o->tries, 1);
	expect_ok(store_claim(f->store, f, "me", NOW, 60, &o));
	assert_null(o); /* it is taken */
	two = queue(f, p, "<2@x>", NOW + 5);
	expect_ok(store_sent(f->store, f, one->id, "queued", NOW + 120, "450 later"));
	expect_ok(store_outbox_count(f->store, f, &waiting, &failing));
	assert_int_equal(waiting, 2);
	assert_int_equal(failing, 1);
	expect_ok(store_claim(f->store, f, "me", NOW + 100, 60, &o));
	assert_int_equal(o->id, two->id);
	expect_ok(store_sent(f->store, f, two->id, "sent", NOW + 100, ""));
	expect_ok(store_claim(f->store, f, "me", NOW + 119, 60, &o));
	assert_null(o);
	expect_ok(store_claim(f->store, f, "me", NOW + 120, 60, &o));
	assert_int_equal(o->id, one->id);
	assert_string_equal(o->why, "450 later");
	assert_int_equal(o->tries, 2);

	/* Its sender dies. Another takes it over when the time is up; the first one, only hung, says "sent" after all;
	 * what the second then says cannot bring it back. */
	expect_ok(store_claim(f->store, f, "other", NOW + 179, 60, &o));
	assert_null(o);
	expect_ok(store_claim(f->store, f, "other", NOW + 180, 60, &o));
	assert_int_equal(o->id, one->id);
	assert_string_equal(o->message_id, "<1@x>");
	assert_int_equal(o->doubts, 1);
	expect_ok(store_sent(f->store, f, one->id, "sent", NOW + 181, ""));
	expect_ok(store_sent(f->store, f, one->id, "queued", NOW + 182, "late"));
	expect_ok(store_outbox_count(f->store, f, &waiting, &failing));
	assert_int_equal(waiting, 0);
}

static void test_looking_up_mails(void **state)
{
	struct fixture *f = *state;
	int64_t p = add_player(f, add_game(f, "g"), "E", "a@x.example")->id;
	struct outgoing *o;
	const char *id;

	queue(f, p, "<1@x>", NOW);
	queue(f, p, "<2@x>", NOW);
	queue(f, 0, "<3@x>", NOW);
	expect_ok(store_last_mail(f->store, f, p, "receipt", 1, &o));
	assert_string_equal(o->message_id, "<2@x>");
	assert_string_equal(o->printed, "A: hold\n");
	expect_ok(store_last_mail(f->store, f, p, "", 0, &o));
	assert_string_equal(o->message_id, "<2@x>");
	expect_ok(store_last_to(f->store, f, p, "anne@school.example", &id));
	assert_string_equal(id, "<2@x>");
	expect_ok(store_last_to(f->store, f, p, "b@x.example", &id));
	assert_string_equal(id, "");
	expect_ok(store_last_mail(f->store, f, p, "report", 1, &o));
	assert_null(o);
	expect_ok(store_last_mail(f->store, f, p, "receipt", 2, &o));
	assert_null(o);
	expect_ok(store_mail_sent_as(f->store, f, "<1@x>", &o));
	assert_int_equal(o->player, p);
	expect_ok(store_mail_sent_as(f->store, f, "<9@x>", &o));
	assert_null(o);
}

enum { MAILS = 120, SENDERS = 4 };

/* Takes rows until none is left and writes their ids to the pipe; the first sender is killed on its way. */
static void send_all(struct fixture *f, int number, int out)
{
	struct store *s;

	expect_ok(store_open(f, f->path, false, f->migrations, &s));
	for (;;) {
		struct outgoing *o;

		expect_ok(store_claim(s, f, talloc_asprintf(f, "process %d", number), NOW, 60, &o));
		if (o == NULL)
			_exit(0);
		assert_int_equal(write(out, &o->id, sizeof o->id), sizeof o->id);
		if (number == 0)
			raise(SIGKILL);
		expect_ok(store_sent(s, f, o->id, "sent", NOW, ""));
	}
}

static void test_two_never_send_one(void **state)
{
	struct fixture *f = *state;
	int pipes[2], taken = 0, seen[MAILS + 1] = {0};
	struct outgoing *o;
	int64_t id;

	for (int i = 0; i < MAILS; i++)
		queue(f, 0, talloc_asprintf(f, "<%d@x>", i), NOW);
	assert_int_equal(pipe(pipes), 0);
	for (int i = 0; i < SENDERS; i++) {
		if (fork() == 0)
			send_all(f, i, pipes[1]);
		if (i == 0)
			assert_true(wait(NULL) > 0);
	}
	close(pipes[1]);
	while (read(pipes[0], &id, sizeof id) == sizeof id) {
		assert_in_range(id, 1, MAILS);
		assert_int_equal(++seen[id], 1);
		taken++;
	}
	close(pipes[0]);
	for (int i = 1; i < SENDERS; i++)
		assert_true(wait(NULL) > 0);
	assert_int_equal(taken, MAILS);
	assert_int_equal(count(f, "SELECT count(*) FROM outbox WHERE state = 'sent'"), MAILS - 1);
	/* The one whose sender was killed comes up again, with the Message-ID it had. */
	expect_ok(store_claim(f->store, f, "later", NOW + 59, 60, &o));
	assert_null(o);
	expect_ok(store_claim(f->store, f, "later", NOW + 60, 60, &o));
	assert_non_null(o);
	assert_int_equal(o->tries, 2);
}

/* Processes that fetch the same mailbox at the same time keep each mail once. */
static void test_two_fetch_one_mailbox(void **state)
{
	struct fixture *f = *state;
	int64_t a = account(f);

	for (int i = 0; i < 3; i++) {
		if (fork() == 0) {
			expect_ok(store_open(f, f->path, false, f->migrations, &f->store));
			for (int uid = 1; uid <= 60; uid++) {
				char *name = talloc_asprintf(f, "%d", uid);

				add_mail(f, a, name, talloc_asprintf(f, "mail %d", uid));
			}
			_exit(0);
		}
	}
	for (int i = 0; i < 3; i++) {
		int status;

		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	assert_int_equal(count(f, "SELECT count(*) FROM mail WHERE state = 'fetched'"), 60);
	assert_int_equal(count(f, "SELECT count(*) FROM mail"), 60);
	assert_int_equal(count(f, "SELECT count(*) FROM mail_raw"), 60);
}

static int64_t size_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_size;
}

/* However much is written while the store is open: the log begins anew again and again, and what was in it is in the
 * database's own file. */
static void test_log_is_copied_meanwhile(void **state)
{
	enum { WRITTEN = 700, MAIL_BYTES = 100000, LOG_BYTES = 24 * 1024 * 1024 };

	struct fixture *f = *state;
	const char *log = talloc_asprintf(f, "%s-wal", f->path);
	char *bytes = talloc_zero_size(f, MAIL_BYTES + 1);
	int64_t a = account(f);

	memset(bytes, 'x', MAIL_BYTES);
	for (int i = 0; i < WRITTEN; i++) {
		const char *uid = talloc_asprintf(f, "%d", i);

		talloc_free(add_mail(f, a, uid, bytes));
		assert_true(size_of(log) < LOG_BYTES);
	}
	assert_true(size_of(f->path) > (int64_t)WRITTEN * MAIL_BYTES - LOG_BYTES);
	assert_int_equal(count(f, "SELECT count(*) FROM mail_raw WHERE length(raw) = 100000"), WRITTEN);
	talloc_free(f->store);
	assert_int_not_equal(access(log, F_OK), 0);
	expect_ok(store_open(f, f->path, false, f->migrations, &f->store));
	assert_int_equal(count(f, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"), 1);
}

#define WITH_STORE(test) cmocka_unit_test_setup_teardown(test, fixture_set_up, fixture_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_STORE(test_account),
		WITH_STORE(test_a_mails_way),
		WITH_STORE(test_a_number_given_again),
		WITH_STORE(test_order_of_arrival),
		WITH_STORE(test_twins),
		WITH_STORE(test_clock_was_ahead),
		WITH_STORE(test_outbox),
		WITH_STORE(test_looking_up_mails),
		WITH_STORE(test_two_never_send_one),
		WITH_STORE(test_two_fetch_one_mailbox),
		WITH_STORE(test_log_is_copied_meanwhile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
