/* The sandbox round the mail reader: what becomes of a mail when the reader dies over it, hangs, or is not there; and
 * the record that travels between the two. */
#include "base/buf.h"
#include "base/file.h"
#include "mail/decode.h"
#include "mail/pipe.h"
#include "mail/reader.h"
#include "mail/typed.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const char mail[] =
	"From: Carol <carol@school.test>\r\nSubject: Re: [g T1 x] y\r\nDelivered-To: "
	"game+tag@mail.test\r\n\r\nHello,\r\nA: hold\r\n--- ORDERS g turn 1 ---\r\nB: hold\r\n--- END "
	"---\r\n> quoted\r\n";

/* The reader lies two folders up from this program. */
static char *program(TALLOC_CTX *mem)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

	assert_true(n > 0);
	path[n] = '\0';
	*strrchr(path, '/') = '\0';
	*strrchr(path, '/') = '\0';
	return talloc_asprintf(mem, "%s/galloper-reader", path);
}

static void check_mail(const struct message *m)
{
	assert_true(m->readable);
	assert_string_equal(m->sender, "carol@school.test");
	assert_string_equal(m->sender_name, "Carol");
	assert_string_equal(m->subject_tag, "g T1 x");
	assert_int_equal(m->recipient_count, 1);
	assert_string_equal(m->recipients[0].tag, "tag");
	assert_string_equal(m->typed.text, "A: hold\n");
	assert_int_equal(m->typed.sheet_count, 1);
	assert_int_equal(m->typed.sheets[0].turn, 1);
	assert_string_equal(m->typed.sheets[0].lines, "B: hold\n");
	assert_int_equal(m->typed.set_aside_count, 2);
	assert_string_equal(m->typed.set_aside[0].what, "greeting");
	assert_string_equal(m->typed.set_aside[1].lines, "> quoted\n");
	assert_int_equal(m->no_text, TEXT_FOUND);
}

/* A text of nothing but empty lines, however many, is read. */
static void empty_lines(void **state)
{
	enum { LINES = 200000 };
	char *text = talloc_array(NULL, char, LINES);
	struct typed typed;

	(void)state;
	memset(text, '\n', LINES);
	typed_read(text, text, LINES, false, &typed);
	assert_string_equal(typed.text, "");
	talloc_free(text);
}

static void travels_whole(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct message *m = message_read(mem, charsets_open(mem), READER_WHOLE, mail, strlen(mail)), *out;
	size_t len;
	char *bytes = message_encode(mem, m, &len);

	(void)state;
	check_mail(m);
	assert_true(message_decode(mem, bytes, len, &out));
	check_mail(out);
	/* Cut anywhere, or with any byte changed, it is refused or at least read without harm. */
	for (size_t n = 0; n < len; n++)
		assert_false(message_decode(mem, bytes, n, &out));
	for (size_t n = 0; n < len; n++) {
		bytes[n] = (char)(bytes[n] ^ 0xFF);
		if (message_decode(mem, bytes, len, &out))
			talloc_free(out);
		bytes[n] = (char)(bytes[n] ^ 0xFF);
	}
	talloc_free(mem);
}

/* A program in the reader's place: a script that says it is ready and then does `then`. */
static char *impostor(TALLOC_CTX *mem, const char *ready, const char *then)
{
	char *path = talloc_asprintf(mem, "/tmp/test_mail_reader.%d", (int)getpid());
	char *script = talloc_asprintf(mem, "#!/bin/sh\n%s\n%s\n", ready, then);

	assert_null(file_write(mem, path, script, strlen(script), 0700));
	return path;
}

/* The reader itself, with a line in `seen` for each time it is started. */
static char *counted(TALLOC_CTX *mem, const char *seen)
{
	return impostor(
		mem, talloc_asprintf(mem, "echo >>%s", seen), talloc_asprintf(mem, "exec %s \"$@\"", program(mem)));
}

static size_t starts(TALLOC_CTX *mem, const char *seen)
{
	size_t len;
	char *text;

	assert_null(file_read(mem, seen, 100, &text, &len));
	return len;
}

static void reads_a_thousand_in_one_child(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	char *seen = talloc_asprintf(mem, "/tmp/test_mail_reader.%d.seen", (int)getpid()),
	     *program = counted(mem, seen);
	struct reader *r = reader_new(mem, program);
	struct message *m;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		TALLOC_CTX *one = talloc_new(mem);

		assert_null(reader_read(one, r, READER_WHOLE, mail, strlen(mail), &m));
		check_mail(m);
		talloc_free(one);
	}
	assert_null(reader_read(mem, r, READER_HEADERS, mail, strlen(mail), &m));
	assert_false(m->readable);
	assert_string_equal(m->sender, "carol@school.test");
	assert_string_equal(m->typed.text, "");
	assert_int_equal(starts(mem, seen), 1);
	unlink(seen);
	unlink(program);
	talloc_free(mem);
}

/* Reading ahead never gives one mail the words of another. */
static void reads_ahead(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct reader *r = reader_new(mem, program(mem));
	struct raw_mail next[READER_AHEAD_MAX + 1];
	struct message *m;

	(void)state;
	for (int i = 0; i <= READER_AHEAD_MAX; i++) {
		next[i].bytes = talloc_asprintf(mem, "From: %c@school.test\r\n\r\nhold %d\r\n", 'a' + i, i);
		next[i].len = strlen(next[i].bytes);
	}
	reader_ahead(r, next, 3); /* no child yet */
	for (int round = 0, at = 0; round < 100; round++) {
		if (round % 5 == 4) { /* one that it does not have in hand */
			assert_null(reader_read(mem, r, READER_WHOLE, mail, strlen(mail), &m));
			check_mail(m);
			assert_int_equal(reader_held(r), 0);
			at = 0;
			reader_ahead(r, next, READER_AHEAD_MAX + 1);
			assert_int_equal(reader_held(r), READER_AHEAD_MAX);
		}
		assert_null(reader_read(mem, r, READER_WHOLE, next[at].bytes, next[at].len, &m));
		assert_int_equal(m->sender[0], 'a' + at);
		assert_string_equal(m->typed.text, talloc_asprintf(mem, "hold %d\n", at));
		at = (at + 1) % 3;
		reader_ahead(r, next + at, 1); /* behind those that it has */
		if (reader_held(r) == 1)
			continue;
		assert_null(reader_read(mem, r, READER_HEADERS, next[at].bytes, next[at].len, &m));
		assert_false(m->readable);
		assert_int_equal(reader_held(r), 0);
	}
	talloc_free(mem);
}

/* Several are read together only where neither side can be left waiting for the other to read. */
static void a_large_mail_is_read_ahead_alone(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct reader *r = reader_new(mem, program(mem));
	size_t len = 5 * 1024 * 1024;
	char *large = talloc_size(mem, len);
	struct raw_mail next[] = {{mail, strlen(mail)}, {large, len}, {mail, strlen(mail)}};
	struct message *m;

	(void)state;
	memset(large, 'x', len);
	reader_ahead(r, next, 3);
	assert_int_equal(reader_held(r), 1);
	assert_null(reader_read(mem, r, READER_WHOLE, mail, strlen(mail), &m));
	check_mail(m);
	reader_ahead(r, next + 1, 2);
	assert_int_equal(reader_held(r), 1);
	assert_null(reader_read(mem, r, READER_WHOLE, large, len, &m));
	assert_false(m->readable);
	assert_null(reader_read(mem, r, READER_WHOLE, mail, strlen(mail), &m));
	check_mail(m);
	talloc_free(mem);
}

#define READY "printf '\\0\\0\\0\\0YDER'"

/* Reads a mail of a line or two, with the answer that lies in a file beside it, and dies over any other. */
#define DIES_OVER_MAILS                                                                                                \
	"while [ \"$(head -c 4 | od -An -tu4)\" -lt 40 ]; do head -c 32 >/dev/null; cat \"$0.answer\"; done; "         \
	"head -c 20 >/dev/null; kill -SEGV $$"

/* Puts the answer there: a head as in pipe.h, which says how large the reader is, and a mail's record. */
static char *put_answer(TALLOC_CTX *mem, const char *program, uint32_t kilobytes)
{
	char *path = talloc_asprintf(mem, "%s.answer", program);
	struct buf *out = buf_new(mem);
	size_t len;
	char *record =
		message_encode(mem, message_read(mem, charsets_open(mem), READER_WHOLE, mail, strlen(mail)), &len);

	pipe_add(out, kilobytes, record, len);
	assert_null(file_write(mem, path, out->data, out->len, 0600));
	return path;
}

static void a_death_costs_one_try(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	char *path = impostor(mem, READY, DIES_OVER_MAILS), *answer = put_answer(mem, path, 100);
	struct reader *r = reader_new(mem, path);
	struct message *m = NULL;

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct err *e = reader_read(mem, r, READER_WHOLE, mail, strlen(mail), &m);

		assert_non_null(e);
		assert_int_equal(e->scope, ERR_MAIL);
		assert_true(e->retry);
		assert_non_null(strstr(e->what, "died"));
		assert_null(m);
	}
	/* The right reader, and all is well again. */
	unlink(path);
	assert_int_equal(symlink(program(mem), path), 0);
	talloc_free(r);
	r = reader_new(mem, path);
	assert_null(reader_read(mem, r, READER_WHOLE, mail, strlen(mail), &m));
	check_mail(m);
	unlink(path);
	unlink(answer);
	talloc_free(mem);
}

static void one_that_has_grown_is_renewed(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	char *seen = talloc_asprintf(mem, "/tmp/test_mail_reader.%d.seen", (int)getpid());
	char *path = impostor(mem, talloc_asprintf(mem, "echo >>%s; " READY, seen),
		talloc_asprintf(mem, "while head -c %zu | grep -q hold; do cat \"$0.answer\"; done", 8 + strlen(mail)));
	char *answer = put_answer(mem, path, 5000);
	struct reader *r = reader_new(mem, path);
	struct message *m;

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_null(reader_read(mem, r, READER_WHOLE, mail, strlen(mail), &m));
	assert_int_equal(starts(mem, seen), 1);
	put_answer(mem, path, 5000 + READER_GROWTH / 1024 + 1);
	for (int i = 0; i < 3; i++) /* the second is another child's, which has always been of that size */
		assert_null(reader_read(mem, r, READER_WHOLE, mail, strlen(mail), &m));
	assert_int_equal(starts(mem, seen), 2);
	unlink(seen);
	unlink(path);
	unlink(answer);
	talloc_free(mem);
}

/* Of mails that it had in hand together, only the one that it dies over when it reads that alone. */
static void a_death_is_blamed_on_one_mail(void **state)
{
	static const char plain[] = "From: a@b.example\r\n\r\nplain\r\n",
			  bomb[] = "From: x@b.example\r\n\r\nthe longer one of them\r\n";
	TALLOC_CTX *mem = talloc_new(NULL);
	char *path = impostor(mem, READY, DIES_OVER_MAILS), *answer = put_answer(mem, path, 100);
	struct reader *r = reader_new(mem, path);
	struct raw_mail next[] = {
		{bomb, strlen(bomb)}, {plain, strlen(plain)}, {plain, strlen(plain)}, {bomb, strlen(bomb)}};
	struct message *m;
	struct err *e;

	(void)state;
	for (int i = 0; i < 2; i++) { /* it stands before them; behind them */
		reader_ahead(r, next + i * 2, 2);
		for (int k = i * 2; k < i * 2 + 2; k++) {
			e = reader_read(mem, r, READER_WHOLE, next[k].bytes, next[k].len, &m);
			assert_true((e != NULL) == (next[k].bytes == bomb));
			assert_true(e == NULL || (e->scope == ERR_MAIL && e->retry));
		}
		reader_ahead(r, next + 1, 2); /* from now on one by one, until the bad one must have been among them */
		assert_int_equal(reader_held(r), 1);
		for (int k = 0; k <= READER_AHEAD_MAX; k++)
			assert_null(reader_read(mem, r, READER_WHOLE, plain, strlen(plain), &m));
	}
	unlink(path);
	unlink(answer);
	talloc_free(mem);
}

/* As on a machine without memory to spare: then every mail would be thought to be a bad one. */
static void one_that_dies_over_every_mail_is_no_mails_fault(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	char *path = impostor(mem, READY, "head -c 20 >/dev/null; kill -SEGV $$");
	struct message *m;
	struct err *e = reader_read(mem, reader_new(mem, path), READER_WHOLE, mail, strlen(mail), &m);

	(void)state;
	assert_non_null(e);
	assert_int_equal(e->scope, ERR_PROCESS);
	assert_true(e->retry);
	assert_non_null(strstr(e->what, "memory"));
	unlink(path);
	talloc_free(mem);
}

static void one_that_does_not_start_is_no_mails_fault(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct reader *r = reader_new(mem, "/nonexistent/galloper-reader");
	struct message *m;
	struct err *e = reader_read(mem, r, READER_WHOLE, mail, strlen(mail), &m);
	char *path;

	(void)state;
	assert_non_null(e);
	assert_int_equal(e->scope, ERR_PROCESS);
	path = impostor(mem, "exit 1", "");
	e = reader_read(mem, reader_new(mem, path), READER_WHOLE, mail, strlen(mail), &m);
	assert_non_null(e);
	assert_int_equal(e->scope, ERR_PROCESS);
	unlink(path);
	talloc_free(mem);
}

static void inherits_nothing(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	char *seen = talloc_asprintf(mem, "/tmp/test_mail_reader.%d.seen", (int)getpid());
	char *path = impostor(mem, READY,
		talloc_asprintf(mem, "ls /proc/$$/fd > %s; env | grep -c SECRET >> %s; exit 0", seen, seen));
	struct message *m;
	size_t len;
	char *text;

	(void)state;
	setenv("SECRET", "heather", 1);
	assert_true(dup(1) > 2); /* a descriptor that the parent has open without close-on-exec */
	assert_non_null(reader_read(mem, reader_new(mem, path), READER_WHOLE, mail, strlen(mail), &m));
	assert_null(file_read(mem, seen, 100, &text, &len));
	/* The shell keeps its own from 10 on; what the parent has open would stand among 3 to 9. */
	assert_memory_equal(text, "0\n1\n", 4);
	for (char digit = '3'; digit <= '9'; digit++)
		assert_null(strstr(text, (char[]){'\n', digit, '\n', '\0'}));
	assert_string_equal(text + len - 3, "\n0\n"); /* no line of the environment has the secret */
	unlink(seen);
	unlink(path);
	talloc_free(mem);
}

#ifndef __SANITIZE_ADDRESS__ /* the sanitizers need what a reader gives up */
/* What a reader that a mail has taken over might try, once it is confined: it must all fail. */
static const char *what_it_can_do(const char *file, pid_t parent)
{
	struct sockaddr_un there = {.sun_family = AF_UNIX};
	char *argv[] = {(char[]){"sh"}, NULL}, *environment[] = {NULL};
	int held = open("/dev/null", O_RDWR);

	if (!reader_confine())
		return "be left as it was";
	if (open(file, O_RDONLY) >= 0)
		return "read a file";
	if (open(file, O_WRONLY | O_CREAT, 0600) >= 0)
		return "write a file";
	if (unlink(file) == 0 || rename(file, "/tmp/stolen") == 0 || chmod(file, 0666) == 0)
		return "change the file system";
	if (socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0)
		return "have a socket";
	if (connect(held, (struct sockaddr *)&there, sizeof there) == 0 || errno != EPERM)
		return "connect";
	if (kill(parent, 0) == 0)
		return "send a signal";
	if (ptrace(PTRACE_ATTACH, parent, NULL, NULL) == 0)
		return "look into another process";
	if (syscall(SYS_fork) >= 0 || syscall(SYS_clone, 0, 0, 0, 0, 0) >= 0)
		return "have a child";
	if (execve("/bin/sh", argv, environment) == 0 || errno != EPERM)
		return "run a program";
	if (setrlimit(RLIMIT_NOFILE, &(struct rlimit){64, 64}) == 0 || prctl(PR_SET_DUMPABLE, 1) == 0)
		return "loosen its bonds";
	return mmap(NULL, READER_MEMORY, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED
		       ? "have as much memory as it likes"
		       : NULL;
}

static void can_do_nothing_but_read(void **state)
{
	char path[] = "/tmp/test_mail_reader.XXXXXX";
	int fd = mkstemp(path), status;
	pid_t child;

	(void)state;
	assert_true(fd >= 0);
	child = fork();
	if (child == 0) {
		const char *can = what_it_can_do(path, getppid());

		if (can != NULL && write(fd, can, strlen(can)) > 0)
			_exit(1);
		_exit(can != NULL);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	if (status != 0)
		print_error("a confined reader can do something; see %s\n", path);
	assert_int_equal(status, 0);
	unlink(path);
	close(fd);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_lines),
		cmocka_unit_test(travels_whole),
		cmocka_unit_test(reads_a_thousand_in_one_child),
		cmocka_unit_test(reads_ahead),
		cmocka_unit_test(a_large_mail_is_read_ahead_alone),
		cmocka_unit_test(a_death_costs_one_try),
		cmocka_unit_test(a_death_is_blamed_on_one_mail),
		cmocka_unit_test(one_that_has_grown_is_renewed),
		cmocka_unit_test(one_that_dies_over_every_mail_is_no_mails_fault),
		cmocka_unit_test(one_that_does_not_start_is_no_mails_fault),
		cmocka_unit_test(inherits_nothing),
#ifndef __SANITIZE_ADDRESS__
		cmocka_unit_test(can_do_nothing_but_read),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
