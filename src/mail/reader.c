/* The parent's side of the reader: starts the child, hands it mails, and ends it when it is slow, dead or grown. */
#include "mail/reader.h"

#include "base/buf.h"
#include "mail/pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
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
	struct pipe_in in;
	uint32_t first_size; /* KB, as first heard; 0 = not yet */
	bool ready;          /* the child has said that it is */
	bool worn;           /* a fresh child when this one has nothing in hand */
	struct buf *sent;    /* the mails that it has in hand, ahead of their being asked for, as they were sent... */
	size_t at;           /* ...from here on... */
	int held;            /* ...and how many they are */
	int singly;          /* so many mails are handed over one by one, since it has died over one of several */
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
	r->held = 0;
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
	r->sent = buf_new(r);
	talloc_set_destructor(r, end_reader);
	return r;
}

/* No environment and no descriptor but the line: the child inherits nothing that is secret. */
static int spawn(struct reader *r, int theirs)
{
	char name[] = "galloper-reader", locale[] = "LC_ALL=C";
	char *argv[] = {name, NULL}, *environment[] = {locale, NULL};
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
	r->fd = r->in.fd = pair[0];
	r->in.at = r->in.end = 0;
	r->first_size = 0;
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
	r->ready = pipe_read(&r->in, &head, sizeof head, pipe_now() + READER_SECONDS * 1000) && head.kind == PIPE_READY;
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

/* Hands it what has been added to `sent` since it was `from` bytes long. */
static bool send_from(struct reader *r, size_t from)
{
	allow_time(r);
	return pipe_write(r->fd, r->sent->data + from, r->sent->len - from, pipe_now() + READER_SECONDS * 1000);
}

static bool ask(struct reader *r, enum reader_mode mode, const char *raw, size_t len)
{
	buf_cut(r->sent, 0);
	r->at = 0;
	pipe_add(r->sent, mode, raw, len);
	return send_from(r, 0);
}

static bool hear(TALLOC_CTX *mem, struct reader *r, struct message **out)
{
	int64_t deadline = pipe_now() + READER_SECONDS * 1000;
	struct pipe_head head;
	char *bytes;
	bool ok;

	if (!pipe_read(&r->in, &head, sizeof head, deadline) || head.len > PIPE_MAX)
		return false;
	bytes = talloc_array(mem, char, head.len + 1);
	ok = pipe_read(&r->in, bytes, head.len, deadline) && message_decode(mem, bytes, head.len, out);
	talloc_free(bytes);
	if (r->first_size == 0)
		r->first_size = head.kind;
	r->worn |= head.kind > r->first_size && (head.kind - r->first_size) * 1024ULL > READER_GROWTH;
	return ok;
}

int reader_held(const struct reader *r)
{
	return r->held;
}

/* Does it take one more of so many bytes? Any first one, but of several no more than the line holds: else both sides
 * might wait for each other to read. */
static bool takes(const struct reader *r, size_t len)
{
	size_t held = r->sent->len - r->at;

	if (r->held == 0)
		return len <= PIPE_MAX;
	return r->singly == 0 && r->held < READER_AHEAD_MAX && len <= READER_AHEAD_BYTES &&
	       held <= READER_AHEAD_BYTES - len;
}

void reader_ahead(struct reader *r, const struct raw_mail *next, int count)
{
	size_t from;

	reader_begin(r);
	if (r->pid == 0 || r->worn)
		return;
	memmove(r->sent->data, r->sent->data + r->at, r->held > 0 ? r->sent->len - r->at : 0);
	buf_cut(r->sent, r->held > 0 ? r->sent->len - r->at : 0);
	r->at = 0;
	from = r->sent->len;
	for (int i = 0; i < count && takes(r, next[i].len); i++) {
		pipe_add(r->sent, READER_WHOLE, next[i].bytes, next[i].len);
		r->held++;
	}
	if (r->sent->len > from && !send_from(r, from))
		stop(r);
}

bool reader_ready(const struct reader *r, int milliseconds)
{
	return r->held > 0 && (pipe_whole(&r->in) || has_spoken(r, milliseconds));
}

/* Is this mail the first of those that the child has in hand? If not, they are brought to their end. */
static bool is_first(struct reader *r, enum reader_mode mode, const char *raw, size_t len)
{
	struct pipe_head head;
	TALLOC_CTX *mem;
	struct message *other;

	if (r->held == 0)
		return false;
	memcpy(&head, r->sent->data + r->at, sizeof head);
	if (mode == READER_WHOLE && head.len == len && memcmp(r->sent->data + r->at + sizeof head, raw, len) == 0)
		return true;
	mem = talloc_new(NULL);
	while (r->held > 0)
		if (hear(mem, r, &other))
			r->held--;
		else
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

/* What it died over, or was too slow for: this mail, if it reads another that nobody could stumble over. */
static struct err *blame(TALLOC_CTX *mem, struct reader *r, int64_t begun)
{
	bool late = pipe_now() - begun >= READER_SECONDS * 1000;
	struct err *e;

	stop(r);
	e = try_plain_mail(mem, r);
	return e != NULL ? e
			 : err_new(mem, ERR_MAIL, true, NULL, "the mail reader %s over this mail",
				   late ? "took too long" : "died");
}

static struct err *read_alone(
	TALLOC_CTX *mem, struct reader *r, enum reader_mode mode, const char *raw, size_t len, struct message **out)
{
	int64_t begun = pipe_now();
	struct err *e = start(mem, r);

	return e != NULL || (ask(r, mode, raw, len) && hear(mem, r, out)) ? e : blame(mem, r, begun);
}

/* The answer to the first of those that it has in hand. */
static struct err *read_first(TALLOC_CTX *mem, struct reader *r, const char *raw, size_t len, struct message **out)
{
	int64_t begun = pipe_now();
	bool alone = r->sent->len == sizeof(struct pipe_head) + len;

	r->at += sizeof(struct pipe_head) + len;
	r->held--;
	if (hear(mem, r, out))
		return NULL;
	if (alone)
		return blame(mem, r, begun);
	/* Over this one, or another of them: that shows when each is read alone. */
	stop(r);
	r->singly = READER_AHEAD_MAX;
	return read_alone(mem, r, READER_WHOLE, raw, len, out);
}

/* When nothing is in hand. */
static void tidy(struct reader *r)
{
	if (r->worn) {
		stop(r);
		reader_begin(r);
	}
	if (r->sent->room > 4 * READER_AHEAD_BYTES) { /* a large mail's */
		talloc_free(r->sent);
		r->sent = buf_new(r);
	}
}

struct err *reader_read(
	TALLOC_CTX *mem, struct reader *r, enum reader_mode mode, const char *raw, size_t len, struct message **out)
{
	struct err *e = start(mem, r);

	if (e && e->retry) /* somebody may have ended it before it was ready; it is no news unless that happens again */
		e = start(mem, r);
	if (e)
		return e;
	if (len > PIPE_MAX)
		return err_new(mem, ERR_MAIL, false, NULL, "a mail of %zu bytes is too large to read", len);
	r->singly -= r->singly > 0;
	e = is_first(r, mode, raw, len) ? read_first(mem, r, raw, len, out) : read_alone(mem, r, mode, raw, len, out);
	if (r->held == 0)
		tidy(r);
	return e;
}
