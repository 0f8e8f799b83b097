#include "game_fixture.h"

#include "base/buf.h"
#include "mail/decode.h"
#include "mail/pipe.h"
#include "service/account.h"
#include "service/intake.h"
#include "service/lease.h"
#include "store/outbox.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void digest_of(const char *raw, unsigned char digest[32])
{
	intake_digest(raw, strlen(raw), digest);
}

/* Two deliveries of one mail are known as one; another mail is another. */
static void test_digest(void **state)
{
	unsigned char a[32], b[32];

	(void)state;
	digest_of("Received: from a\r\n\tby b\r\nFrom: x@y\r\nX-Spam: no\r\nSubject: s\r\n\r\nhold\r\n", a);
	digest_of("Return-Path: <x@y>\nFrom: x@y\nSubject: s\nAuthentication-Results: c;\n dkim=pass\n\nhold\n", b);
	assert_memory_equal(a, b, 32);
	digest_of("From: x@y\nSubject: s\n\nhold!\n", b);
	assert_memory_not_equal(a, b, 32);
	/* What looks like such a field in the body is text. */
	digest_of("From: x@y\nSubject: s\n\nX-ray: 1\n", a);
	digest_of("From: x@y\nSubject: s\n\nX-ray: 2\n", b);
	assert_memory_not_equal(a, b, 32);
}

static int files_in(struct played *t, const char *folder)
{
	char *command = talloc_asprintf(t, "ls '%s/%s' 2>/dev/null | wc -l", t->inbox, folder);
	FILE *p = popen(command, "r");
	int n = -1;

	assert_non_null(p);
	assert_int_equal(fscanf(p, "%d", &n), 1);
	pclose(p);
	return n;
}

/* Read once, answered once, moved away in the same pass; a second copy is moved and no more. */
static void test_once(void **state)
{
	struct played *t = played_new("");
	char *command = talloc_asprintf(t,
		"for f in %s/.Processed/cur/*; do (echo 'Received: from elsewhere'; cat $f) > %s/new/copy; touch -r $f "
		"%s/new/copy; done",
		t->inbox, t->inbox, t->inbox);
	struct passed done;

	(void)state;
	put_mail(t, 0, MONDAY + MINUTE, "Barrell's: hold");
	done = pass_at(t, MONDAY + 2 * MINUTE);
	assert_int_equal(done.fetched, 1);
	assert_int_equal(done.read, 1);
	assert_int_equal(number(t, "SELECT count(*) FROM outbox WHERE kind = 'receipt'"), 1);
	assert_int_equal(files_in(t, "new"), 0);
	assert_int_equal(system(command), 0);
	done = pass_at(t, MONDAY + 3 * MINUTE);
	assert_int_equal(done.fetched, 1);
	assert_int_equal(done.read, 0);
	assert_int_equal(files_in(t, "new"), 0);
	assert_int_equal(files_in(t, ".Processed/cur") + files_in(t, ".Processed/new"), 2);
	assert_int_equal(number(t, "SELECT count(*) FROM outbox WHERE kind = 'receipt'"), 1);
	assert_int_equal(number(t, "SELECT count(*) FROM mail WHERE state = 'duplicate'"), 1);
	played_end(t);
}

/* A mail that proves nothing and comes again is not answered again, in the same pass or in a later one; once it proves
 * something (the address became Ann's) it need only be put back. */
static void test_rejected_again(void **state)
{
	struct played *t = played_new("");
	const char *mail = talloc_asprintf(t,
		"From: aunt@oakfield.example\nTo: galloper@oakfield.example\nMessage-ID: <1@a>\nSubject: orders\n\n"
		"GAME falkirk-7b\nKEY %s\n\nBarrell's: hold\n",
		t->players.list[0].key);
	const char *answers = "SELECT count(*) FROM outbox WHERE recipient = 'aunt@oakfield.example'";

	(void)state;
	put_raw(t, MONDAY + MINUTE, mail);
	put_raw(t, MONDAY + MINUTE + 1, mail);
	pass_at(t, MONDAY + 2 * MINUTE);
	assert_int_equal(number(t, answers), 1);
	put_raw(t, MONDAY + 2 * DAY, mail);
	pass_at(t, MONDAY + 2 * DAY + MINUTE);
	assert_int_equal(number(t, answers), 1);
	assert_int_equal(files_in(t, "new"), 0);
	expect_ok(sql_run(t->s->store, t, "UPDATE address SET address = 'aunt@oakfield.example' WHERE player = 1", ""));
	put_raw(t, MONDAY + 3 * DAY, mail);
	pass_at(t, MONDAY + 3 * DAY + MINUTE);
	assert_int_equal(number(t, answers), 2);
	assert_int_equal(number(t, "SELECT count(*) FROM sheet"), 1);
	played_end(t);
}

/* Mail from before the game was made is recorded, and neither answered nor touched. */
static void test_first_sight(void **state)
{
	struct played *t = played_new("");

	(void)state;
	put_mail(t, 0, MONDAY - 1, "Barrell's: hold");
	assert_int_equal(pass_at(t, MONDAY + MINUTE).read, 0);
	pass_at(t, MONDAY + 2 * MINUTE);
	assert_int_equal(files_in(t, "new"), 1);
	assert_int_equal(
		number(t, "SELECT count(*) FROM mail WHERE state = 'old' AND id NOT IN (SELECT mail FROM mail_raw)"),
		1);
	assert_int_equal(number(t, "SELECT count(*) FROM outbox WHERE kind = 'receipt'"), 0);
	played_end(t);
}

/* A game's folder that is moved, or that -c names in another way, has the same mailbox: no waiting mail becomes old. */
static void test_moved_folder(void **state)
{
	struct played *t = played_new("");
	char *elsewhere = talloc_asprintf(t, "%s.moved", t->folder);
	struct config *config;
	struct service *s;
	struct account *account;

	(void)state;
	assert_int_equal(symlink(t->folder, elsewhere), 0);
	expect_ok(config_read(t, talloc_asprintf(t, "%s/galloper.conf", elsewhere), &config));
	assert_string_not_equal(config->maildir_in, t->config->maildir_in);
	expect_ok(service_open(t, config, false, &(struct clock){.fixed = MONDAY + HOUR}, &t->log, &s));
	expect_ok(account_load(s, t, &account));
	assert_int_equal(number(t, "SELECT count(*) FROM account"), 1);
	assert_int_equal(unlink(elsewhere), 0);
	played_end(t);
}

/* A reader that dies over two mails, and not over a plain one: three tries each, then the mail is rejected and the
 * operator told; nothing is lost, and the pass goes on. */
static void test_quarantine(void **state)
{
	struct played *t = played_new("");
	char *program = talloc_asprintf(t, "%s/reader", t->folder);
	/* Says that it is ready (pipe.h: length 0, kind READY); answers the shortest of mails, and dies over others. */
	const char *script = "#!/bin/sh\nprintf '\\000\\000\\000\\000YDER'\n"
			     "[ $(head -c 4 | od -An -tu4) -lt 40 ] && head -c 32 >/dev/null && exec cat $0.answer -\n";
	struct message *plain = message_read(t, charsets_open(t), READER_WHOLE, "\n", 1);
	struct reader *good = t->reader;
	struct pipe_head head = {.kind = 100};
	struct buf *answer = buf_new(t);
	size_t len;
	char *record = message_encode(t, plain, &len);

	(void)state;
	head.len = (uint32_t)len;
	buf_add(answer, (const char *)&head, sizeof head);
	buf_add(answer, record, len);
	expect_ok(file_write(t, talloc_asprintf(t, "%s.answer", program), answer->data, answer->len, 0600));
	expect_ok(file_write(t, program, script, strlen(script), 0700));
	t->reader = reader_new(t, program);
	put_mail(t, 0, MONDAY + MINUTE, "Barrell's: hold");
	put_mail(t, 1, MONDAY + MINUTE + 1, "Camerons: hold");
	pass_at(t, MONDAY + 2 * MINUTE);
	assert_int_equal(number(t, "SELECT count(*) FROM mail WHERE state = 'rejected' AND tries = 3"), 2);
	assert_int_equal(number(t, "SELECT count(*) FROM mail_raw WHERE length(raw) > 100"), 2);
	assert_int_equal(
		number(t, "SELECT count(*) FROM outbox WHERE kind = 'notice' AND recipient LIKE 'operator@%'"), 2);
	t->reader = good;
	put_mail(t, 0, MONDAY + 3 * MINUTE, "Barrell's: hold");
	assert_int_equal(pass_at(t, MONDAY + 4 * MINUTE).read, 1);
	assert_int_equal(files_in(t, ".Rejected/cur") + files_in(t, ".Rejected/new"), 2);
	played_end(t);
}

/* A reader that cannot be started is no mail's fault: the pass fails, the mail waits. */
static void test_no_reader(void **state)
{
	struct played *t = played_new("");
	struct pass pass = {.service = t->s, .reader = reader_new(t, "/nonexistent/galloper-reader")};
	struct passed done;

	(void)state;
	put_mail(t, 0, MONDAY + MINUTE, "Barrell's: hold");
	t->s->clock.fixed = MONDAY + 2 * MINUTE;
	assert_non_null(pass_make(&pass, t, &done));
	assert_int_equal(number(t, "SELECT count(*) FROM mail WHERE state = 'fetched' AND tries = 0"), 1);
	/* What was to be sent was sent all the same. */
	assert_int_equal(number(t, "SELECT count(*) FROM outbox WHERE state <> 'sent'"), 0);
	assert_int_equal(pass_at(t, MONDAY + 3 * MINUTE).read, 1);
	played_end(t);
}

/* A lease of a living process is respected; a dead one's is taken over at once. */
static void test_leases(void **state)
{
	struct played *t = played_new("");
	struct service other = *t->s;
	int64_t until;
	bool got;

	(void)state;
	assert_true(lease_owner_lives(t->s->owner));
	/* The same process number, begun at another time; and a process of which nothing is known. */
	other.owner = talloc_asprintf(t, "%ld 1%s", (long)getpid(), strchr(strchr(t->s->owner, ' ') + 1, ' '));
	assert_false(lease_owner_lives(other.owner));
	assert_true(lease_owner_lives("12 34 another machine"));
	/* What was begun in another namespace of time counts from another moment; and who could not see the boot may be
	 * anywhere. */
	assert_non_null(strstr(t->s->owner, " pid:"));
	assert_non_null(strstr(t->s->owner, " time:"));
	assert_true(lease_owner_lives("12 34 "));
	expect_ok(lease_take(&other, t, "fetch", &got));
	assert_true(got);
	expect_ok(lease_take(t->s, t, "fetch", &got));
	assert_true(got);
	expect_ok(lease_take(&other, t, "fetch", &got));
	assert_false(got);
	/* It is written again only when half of it has gone by, or when the clock was set back. */
	expect_ok(sql_run(t->s->store, t, "UPDATE lease SET until = until - 200", ""));
	until = number(t, "SELECT until FROM lease");
	expect_ok(lease_take(t->s, t, "fetch", &got));
	assert_true(got);
	assert_int_equal(number(t, "SELECT until FROM lease"), until);
	expect_ok(sql_run(t->s->store, t, "UPDATE lease SET until = until - 200", ""));
	expect_ok(lease_take(t->s, t, "fetch", &got));
	assert_true(got);
	assert_true(number(t, "SELECT until FROM lease") >= until + 200);
	expect_ok(sql_run(t->s->store, t, "UPDATE lease SET until = until + 3600", ""));
	expect_ok(lease_take(t->s, t, "fetch", &got));
	assert_true(got);
	assert_true(number(t, "SELECT until FROM lease") < until + 3600);
	/* With somebody else at the mailbox and the outbox, a pass does neither. */
	other.owner = "12 34 another machine";
	lease_end(t->s, t, "fetch");
	expect_ok(lease_take(&other, t, "fetch", &got));
	expect_ok(lease_take(&other, t, "schedule", &got));
	put_mail(t, 0, MONDAY + MINUTE, "Barrell's: hold");
	assert_int_equal(pass_at(t, MONDAY + 2 * MINUTE).fetched, 0);
	assert_int_equal(pass_at(t, FRIDAY + MINUTE).resolved, 0);
	assert_non_null(
		strstr(pass_at(t, FRIDAY + MINUTE).busy, "Another process is reading mails and playing turns."));
	lease_end(&other, t, "fetch");
	lease_end(&other, t, "schedule");
	assert_int_equal(pass_at(t, FRIDAY + 2 * MINUTE).resolved, 1);
	assert_int_equal(number(t, "SELECT count(*) FROM sheet WHERE turn = 1"), 1);
	played_end(t);
}

/* A process that was killed holds nothing any more, even while its parent has not asked after it. */
static void test_unasked_dead(void **state)
{
	char owner[512];
	int pipes[2];
	siginfo_t died;
	pid_t child;

	(void)state;
	assert_int_equal(pipe(pipes), 0);
	child = fork();
	if (child == 0) {
		char *own = lease_owner(NULL);

		_exit(write(pipes[1], own, strlen(own) + 1) < 0 || pause());
	}
	assert_true(read(pipes[0], owner, sizeof owner) > 0);
	assert_true(lease_owner_lives(owner));
	kill(child, SIGKILL);
	assert_int_equal(waitid(P_PID, (id_t)child, &died, WEXITED | WNOWAIT), 0);
	assert_false(lease_owner_lives(owner));
	waitpid(child, NULL, 0);
	assert_false(lease_owner_lives(owner));
}

/* A mail that a process had in hand when it died goes out with the next pass; a living one's is left to him. */
static void test_dead_sender(void **state)
{
	struct played *t = played_new("");
	char *dead = talloc_asprintf(t, "%ld 1%s", (long)getpid(), strchr(strchr(t->s->owner, ' ') + 1, ' '));
	struct outgoing *row;

	(void)state;
	expect_ok(store_claim(t->s->store, t, dead, MONDAY, 900, &row));
	assert_non_null(row);
	expect_ok(store_claim(t->s->store, t, "12 34 another machine", MONDAY, 900, &row));
	assert_non_null(row);
	assert_int_equal(pass_at(t, MONDAY + 1).sent, 2);
	assert_int_equal(number(t, "SELECT count(*) FROM outbox WHERE state = 'sending'"), 1);
	assert_int_equal(number(t, "SELECT doubts FROM outbox ORDER BY id LIMIT 1"), 1);
	assert_int_equal(pass_at(t, MONDAY + 900).sent, 1);
	played_end(t);
}

/* A mailbox of which only the newest mails are listed: two, of a day that the test sets. */
struct crowded {
	struct source source;
	int64_t oldest;
	int asked;     /* for bodies */
	bool delivers; /* also the first of the two (fetch_but_one) */
	int filed, filings;
	atomic_bool *stop; /* set while mails are filed */
};

static struct crowded *crowd; /* the kind's functions have no other way to the test */

static struct err *open_crowded(TALLOC_CTX *mem, const struct source_settings *settings, struct source **out)
{
	(void)settings;
	*out = talloc_memdup(mem, &crowd->source, sizeof crowd->source);
	return NULL;
}

static struct err *list_crowded(struct source *s, TALLOC_CTX *mem, struct source_list *out)
{
	(void)s;
	*out = (struct source_list){0};
	out->items = talloc_zero_array(mem, struct source_item, 2);
	out->items[0] = (struct source_item){1, "1", crowd->oldest, 100};
	out->items[1] = (struct source_item){1, "2", crowd->oldest + 1, 100};
	out->count = 2;
	return NULL;
}

static struct err *fetch_crowded(struct source *s, TALLOC_CTX *mem, const struct source_item *items, int count,
	source_take take, void *context, int *missed)
{
	static const char mail[] = "From: ann@oakfield.example\n\nhold\n";
	struct err *e = NULL;

	(void)s;
	*missed = 0;
	for (int i = 0; i < count && e == NULL; i++) {
		char *raw = talloc_asprintf(mem, "Message-ID: <%s@x>\n%s", items[i].uid, mail);

		crowd->asked++;
		e = take(context, mem, &items[i], raw, strlen(raw));
	}
	return e;
}

/* With more old mails than one poll lists, the first poll is complete all the same, and asks for no old mail's bytes;
 * with more new ones it is not. */
static void test_crowded_mailbox(void **state)
{
	static const struct source_kind kind = {"crowded", open_crowded, list_crowded, fetch_crowded, NULL};
	struct played *t = played_new("");
	struct crowded c = {.source = {&kind}, .oldest = MONDAY - 1};
	struct source_settings settings = {0};
	struct intake how = {.kind = &kind, .settings = &settings, .reader = t->reader, .lease = "fetch"};
	struct fetched fetched;

	(void)state;
	crowd = &c;
	expect_ok(intake_fetch(t->s, t, &how, &fetched));
	assert_true(fetched.complete);
	assert_int_equal(c.asked, 1);
	assert_int_equal(number(t, "SELECT count(*) FROM mail WHERE state = 'old'"), 1);
	expect_ok(intake_fetch(t->s, t, &how, &fetched));
	assert_true(fetched.complete);
	assert_int_equal(c.asked, 1);
	played_end(t);

	t = played_new("");
	how.reader = t->reader;
	c.oldest = MONDAY;
	expect_ok(intake_fetch(t->s, t, &how, &fetched));
	assert_false(fetched.complete);
	assert_int_equal(number(t, "SELECT count(*) FROM mail WHERE state = 'fetched'"), 2);
	played_end(t);
}

static struct err *fetch_but_one(struct source *s, TALLOC_CTX *mem, const struct source_item *items, int count,
	source_take take, void *context, int *missed)
{
	struct err *e = NULL;

	*missed = 0;
	for (int i = 0; i < count && e == NULL; i++) {
		if (items[i].uid[0] == '1' && !crowd->delivers)
			crowd->asked++;
		else
			e = fetch_crowded(s, mem, &items[i], 1, take, context, missed);
	}
	return e;
}

static struct err *list_whole(struct source *s, TALLOC_CTX *mem, struct source_list *out)
{
	struct err *e = list_crowded(s, mem, out);

	out->complete = true;
	return e;
}

/* A mail that is listed and never delivered is asked for less and less; deadlines wait for it for a day. When it comes
 * after all it is read. */
static void test_ghost(void **state)
{
	static const struct source_kind kind = {"ghost", open_crowded, list_whole, fetch_but_one, NULL};
	struct played *t = played_new("");
	struct crowded c = {.source = {&kind}, .oldest = MONDAY + MINUTE};
	struct source_settings settings = {0};
	struct intake how = {.kind = &kind, .settings = &settings, .reader = t->reader, .lease = "fetch"};
	struct fetched fetched;
	int polls = 0;

	(void)state;
	crowd = &c;
	for (int64_t at = MONDAY + 2 * MINUTE; at < MONDAY + 2 * DAY; at += MINUTE, polls++) {
		t->s->clock.fixed = at;
		expect_ok(intake_fetch(t->s, t, &how, &fetched));
		assert_non_null(fetched.lacks);
		assert_null(fetched.trouble);
	}
	assert_int_equal(polls, 2878);
	/* The other mail; ten polls; every ten minutes of the day; every hour of the next. */
	assert_in_range(c.asked, 1 + 10 + 140 + 22, 1 + 10 + 144 + 24);
	assert_int_equal(number(t, "SELECT count(*) FROM mail WHERE state = 'fetched'"), 1);
	c.delivers = true;
	t->s->clock.fixed += HOUR;
	expect_ok(intake_fetch(t->s, t, &how, &fetched));
	assert_null(fetched.lacks);
	assert_int_equal(number(t, "SELECT count(*) FROM mail WHERE state = 'fetched'"), 2);
	played_end(t);
}

static struct err *file_crowded(
	struct source *s, TALLOC_CTX *mem, const struct source_item *items, int count, enum source_folder folder)
{
	(void)s;
	(void)mem;
	(void)items;
	assert_int_equal(folder, SOURCE_PROCESSED);
	assert_in_range(count, 1, 1000);
	crowd->filed += count;
	crowd->filings++;
	if (crowd->stop != NULL)
		*crowd->stop = true;
	return NULL;
}

/* However many mails are done with, one pass files them all, a thousand at a time; told to stop, it does after the
 * thousand in hand, and the next pass files the rest. With the lease another's, nothing is filed. */
static void test_all_filed(void **state)
{
	static const struct source_kind kind = {"crowded", open_crowded, list_crowded, fetch_crowded, file_crowded};
	struct played *t = played_new("");
	atomic_bool stop = false;
	struct crowded c = {.source = {&kind}, .oldest = MONDAY - 2, .stop = &stop};
	struct source_settings settings = {0};
	struct intake how = {.kind = &kind, .settings = &settings, .reader = t->reader, .lease = "fetch"};
	struct service other = *t->s;
	const struct err *trouble;
	struct filing *filing;
	struct fetched fetched;
	bool got;
	int moved;

	(void)state;
	crowd = &c;
	expect_ok(intake_fetch(t->s, t, &how, &fetched));
	filing = intake_filing(t->s, t, fetched.mailbox, "fetch");
	expect_ok(intake_file(filing, t, true, &moved, &trouble));
	assert_int_equal(c.filings, 0);
	expect_ok(sql_run(t->s->store, t,
		"WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 2502) "
		"INSERT INTO mail (account, validity, uid, arrived, fetched, digest, state, folder) "
		"SELECT (SELECT id FROM account), 1, i, ?1, ?1, zeroblob(32), 'done', 'Processed' FROM n",
		"i", (int64_t)MONDAY));
	t->s->stop = &stop;
	expect_ok(intake_file(filing, t, true, &moved, &trouble));
	assert_int_equal(moved, 1000);
	assert_int_equal(number(t, "SELECT count(*) FROM mail WHERE folder <> ''"), 1500);

	stop = false;
	c.stop = NULL;
	lease_end(t->s, t, "fetch");
	other.owner = "12 34 another machine";
	expect_ok(lease_take(&other, t, "fetch", &got));
	expect_ok(intake_file(filing, t, true, &moved, &trouble));
	assert_int_equal(moved, 0);

	lease_end(&other, t, "fetch");
	expect_ok(intake_file(filing, t, true, &moved, &trouble));
	assert_int_equal(moved, 1500);
	assert_int_equal(c.filed, 2500);
	assert_int_equal(c.filings, 3);
	assert_int_equal(number(t, "SELECT count(*) FROM mail WHERE folder <> ''"), 0);
	played_end(t);
}

/* A mailbox out of which nothing can be moved is tried again; when that goes on for an hour, the operator is told. */
static void test_not_filed(void **state)
{
	struct played *t = played_new("");
	const char *in_the_way = talloc_asprintf(t, "%s/.Processed/cur/%d.1.host:2,S", t->inbox, MONDAY + 1);
	const char *told = "SELECT count(*) FROM outbox WHERE recipient = 'operator@oakfield.example'";

	(void)state;
	put_mail(t, 0, MONDAY + 1, "Barrell's: advance 4");
	expect_ok(file_make_folder(t, in_the_way, 0700));
	assert_int_equal(pass_at(t, MONDAY + MINUTE).read, 1);
	assert_int_equal(number(t, "SELECT count(*) FROM mail WHERE folder <> ''"), 1);
	assert_int_equal(number(t, told), 0);
	pass_at(t, MONDAY + 2 * HOUR);
	assert_int_equal(number(t, told), 1);
	assert_int_equal(rmdir(in_the_way), 0);
	pass_at(t, MONDAY + 3 * HOUR);
	assert_int_equal(number(t, "SELECT count(*) FROM mail WHERE folder <> ''"), 0);
	assert_int_equal(number(t, told), 1);
	assert_int_equal(number(t, "SELECT count(*) FROM sheet"), 1);
	played_end(t);
}

/* Receipts are written beside the acting on the next mails. One that cannot be written takes none of the others with
 * it, nor leaves a row without bytes; its mail waits. */
static void test_unwritten_receipt(void **state)
{
	struct played *t = played_new("");
	const char *before = getenv("GALLOPER_DATA") ? talloc_strdup(t, getenv("GALLOPER_DATA")) : NULL;
	const char *data = talloc_asprintf(t, "%s/data", t->folder);
	struct pass pass = {.service = t->s, .reader = t->reader};
	struct passed done;
	struct err *e;
	char *from;

	(void)state;
	expect_ok(data_folder(t, &from));
	assert_int_equal(
		system(talloc_asprintf(t, "mkdir %s && cp -r %s/db %s/templates %s && rm %s/templates/receipt.txt",
			data, from, from, data, data)),
		0);
	setenv("GALLOPER_DATA", data, 1);
	t->s->clock.fixed = MONDAY + HOUR;
	put_mail(t, 0, MONDAY + 1, "HELP");
	put_mail(t, 0, MONDAY + 2, "Barrell's: advance 4");
	put_mail(t, 1, MONDAY + 3, "Camerons: advance 4");
	e = pass_make(&pass, t, &done);
	assert_non_null(e);
	assert_non_null(strstr(e->where, "receipt.txt"));
	assert_int_equal(done.read, 1);
	assert_int_equal(number(t, "SELECT count(*) FROM mail WHERE state = 'done'"), 1);
	assert_int_equal(number(t, "SELECT count(*) FROM sheet"), 0);
	assert_int_equal(number(t, "SELECT count(*) FROM outbox WHERE kind = 'help'"), 1);
	assert_int_equal(number(t, "SELECT count(*) FROM outbox WHERE kind = 'receipt'"), 0);
	if (before != NULL)
		setenv("GALLOPER_DATA", before, 1);
	else
		unsetenv("GALLOPER_DATA");
	done = pass_at(t, MONDAY + 2 * HOUR);
	assert_int_equal(done.read, 2);
	assert_int_equal(number(t, "SELECT count(*) FROM sheet"), 2);
	assert_int_equal(
		number(t, "SELECT count(*) FROM outbox o JOIN outbox_bytes b ON b.outbox = o.id WHERE o.kind = "
			  "'receipt' AND length(b.bytes) > 2000 AND instr(b.printed, ':') > 0"),
		2);
	played_end(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_digest),
		cmocka_unit_test(test_once),
		cmocka_unit_test(test_rejected_again),
		cmocka_unit_test(test_first_sight),
		cmocka_unit_test(test_moved_folder),
		cmocka_unit_test(test_quarantine),
		cmocka_unit_test(test_no_reader),
		cmocka_unit_test(test_leases),
		cmocka_unit_test(test_unasked_dead),
		cmocka_unit_test(test_dead_sender),
		cmocka_unit_test(test_crowded_mailbox),
		cmocka_unit_test(test_ghost),
		cmocka_unit_test(test_all_filed),
		cmocka_unit_test(test_not_filed),
		cmocka_unit_test(test_unwritten_receipt),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
