/* The parent's side of the reader: starts the child, hands it mails, and ends it when it is slow, dead or grown. */
#include "mail/reader.h"

#include "mail/pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sodium.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct reader {
	const char *program;
	pid_t pid; /* 0 = none */
	int fd;
	int mails;
	uint32_t first_size; /* KB, after its first mail */
	bool ready;          /* the child has said that it is */
	bool worn;           /* a fresh child for the next mail */
	bool ahead;          /* it reads a mail already, whole: the one of this digest */
	unsigned char digest[32];
};

static void stop(struct reader *r)
{
	if (r->pid == 0)
		return;
	close(r->fd);
	kill(r->pid, SIGKILL);
	while (waitpid(r->pid, NULL, 0) < 0 && errno == EINTR)
		;
	r->pid = 0;
	r->ahead = false;
	r->worn = false;
}

static int end_reader(struct reader *r)
{
	stop(r);
	return 0;
}

struct reader *reader_new(TALLOC_CTX *mem, const char *program)
{
	struct reader *r = talloc_zero(mem, struct reader);

	r->program = talloc_strdup(r, program);
	talloc_set_destructor(r, end_reader);
	return r;
}

/* No environment and no descriptor but the line: the child inherits nothing that is secret. */
static int spawn(struct reader *r, int theirs)
{
	char name[] = "galloperd", command[] = "reader", locale[] = "LC_ALL=C";
	char *argv[] = {name, command, NULL}, *environment[] = {locale, NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none;
	int failed;

	sigemptyset(&none);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, theirs, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, theirs, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
	/* Its own group: a Ctrl-C at the terminal is the parent's to deal with. */
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attributes, &none);
	failed = posix_spawn(&r->pid, r->program, &actions, &attributes, argv, environment);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return failed;
}

/* The child then makes itself ready while we go on; what is sent to it meanwhile waits in the line. */
static struct err *launch(TALLOC_CTX *mem, struct reader *r)
{
	int pair[2], failed;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return err_errno(mem, errno, r->program, "the mail reader cannot be started");
	failed = spawn(r, pair[1]);
	close(pair[1]);
	if (failed) {
		close(pair[0]);
		r->pid = 0;
		return err_errno(mem, failed, r->program, "the mail reader cannot be started");
	}
	r->fd = pair[0];
	r->mails = 0;
	r->ready = false;
	fcntl(r->fd, F_SETFL, O_NONBLOCK);
	return NULL;
}

/* A child that is ready. Whatever mail it has been sent already, one that does not get as far is not to blame it on. */
static struct err *start(TALLOC_CTX *mem, struct reader *r)
{
	struct err *e = r->pid == 0 ? launch(mem, r) : NULL;
	struct pipe_head head;

	if (e != NULL || r->ready)
		return e;
	r->ready = pipe_read(r->fd, &head, sizeof head, pipe_now() + READER_SECONDS * 1000) && head.kind == PIPE_READY;
	if (r->ready)
		return NULL;
	stop(r);
	return err_new(mem, ERR_PROCESS, true, r->program, "the mail reader does not start");
}

void reader_begin(struct reader *r)
{
	if (r->pid == 0)
		talloc_free(launch(r, r)); /* shows when the first mail is asked for */
}

static bool has_spoken(const struct reader *r, int milliseconds)
{
	struct pollfd p = {.fd = r->fd, .events = POLLIN};

	return poll(&p, 1, milliseconds) > 0;
}

bool reader_begun(const struct reader *r)
{
	return r->pid != 0 && (r->ready || has_spoken(r, 0));
}

/* So many seconds more of processor from now on: RLIMIT_CPU counts the child's whole life. */
static void allow_time(const struct reader *r)
{
	struct rlimit l = {.rlim_max = RLIM_INFINITY};
	struct timespec used;
	clockid_t clock;

	if (clock_getcpuclockid(r->pid, &clock) != 0 || clock_gettime(clock, &used) != 0)
		return;
	l.rlim_cur = (rlim_t)used.tv_sec + READER_CPU_SECONDS + 1;
	prlimit(r->pid, RLIMIT_CPU, &l, NULL);
}

static bool ask(struct reader *r, enum reader_mode mode, const char *raw, size_t len)
{
	int64_t deadline = pipe_now() + READER_SECONDS * 1000;
	struct pipe_head head = {.len = (uint32_t)len, .kind = mode};

	allow_time(r);
	return pipe_send(r->fd, &head, raw, deadline);
}

static bool hear(TALLOC_CTX *mem, struct reader *r, struct message **out)
{
	int64_t deadline = pipe_now() + READER_SECONDS * 1000;
	struct pipe_head head;
	char *bytes;
	bool ok;

	if (!pipe_read(r->fd, &head, sizeof head, deadline) || head.len > PIPE_MAX)
		return false;
	bytes = talloc_array(mem, char, head.len + 1);
	ok = pipe_read(r->fd, bytes, head.len, deadline) && message_decode(mem, bytes, head.len, out);
	talloc_free(bytes);
	if (r->mails++ == 0)
		r->first_size = head.kind;
	r->worn = r->mails >= READER_MAILS || (head.kind - r->first_size) * 1024ULL > READER_GROWTH;
	return ok;
}

void reader_ahead(struct reader *r, const char *raw, size_t len)
{
	reader_begin(r);
	if (r->pid == 0 || r->ahead || len > PIPE_MAX)
		return;
	crypto_generichash(r->digest, sizeof r->digest, (const unsigned char *)raw, len, NULL, 0);
	r->ahead = ask(r, READER_WHOLE, raw, len);
	if (!r->ahead)
		stop(r);
}

bool reader_ready(const struct reader *r, int milliseconds)
{
	return r->ahead && has_spoken(r, milliseconds);
}

/* Does the child read this mail already? If it reads another, that is brought to its end first. */
static bool is_ahead(struct reader *r, enum reader_mode mode, const char *raw, size_t len)
{
	unsigned char digest[32];
	TALLOC_CTX *mem;
	struct message *other;

	if (!r->ahead)
		return false;
	r->ahead = false;
	crypto_generichash(digest, sizeof digest, (const unsigned char *)raw, len, NULL, 0);
	if (mode == READER_WHOLE && memcmp(digest, r->digest, sizeof digest) == 0)
		return true;
	mem = talloc_new(NULL);
	if (!hear(mem, r, &other))
		stop(r);
	talloc_free(mem);
	return false;
}

/* Does a fresh child read a mail that nobody could stumble over? If not, it is the machine that is short of memory or
 * of time, and no mail is to be blamed for that. */
static struct err *try_plain_mail(TALLOC_CTX *mem, struct reader *r)
{
	static const char plain[] = "From: a@b.example\r\n\r\nplain\r\n";
	struct err *e = start(mem, r);
	struct message *m;

	if (e != NULL || (ask(r, READER_WHOLE, plain, strlen(plain)) && hear(mem, r, &m)))
		return e;
	stop(r);
	return err_new(
		mem, ERR_PROCESS, true, r->program, "the mail reader fails over any mail: is there too little memory?");
}

struct err *reader_read(
	TALLOC_CTX *mem, struct reader *r, enum reader_mode mode, const char *raw, size_t len, struct message **out)
{
	int64_t begun = pipe_now();
	struct err *e = start(mem, r);
	bool asked;

	if (e && e->retry) /* somebody may have ended it before it was ready; it is no news unless that happens again */
		e = start(mem, r);
	asked = e == NULL && is_ahead(r, mode, raw, len);
	if (e == NULL)
		e = start(mem, r); /* if it has died over the mail that it was ahead with */
	if (e)
		return e;
	if (len > PIPE_MAX)
		return err_new(mem, ERR_MAIL, false, NULL, "a mail of %zu bytes is too large to read", len);
	if ((!asked && !ask(r, mode, raw, len)) || !hear(mem, r, out)) {
		bool late = pipe_now() - begun >= READER_SECONDS * 1000;

		stop(r);
		e = try_plain_mail(mem, r);
		return e != NULL ? e
				 : err_new(mem, ERR_MAIL, true, NULL, "the mail reader %s over this mail",
					   late ? "took too long" : "died");
	}
	if (r->worn) {
		stop(r);
		reader_begin(r);
	}
	return NULL;
}
