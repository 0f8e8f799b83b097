/* The sandboxed side: opens what it needs, gives up the right to open anything more, then answers one mail after
 * another. */
#include "base/buf.h"
#include "base/memory.h"
#include "mail/decode.h"
#include "mail/pipe.h"
#include "mail/reader.h"

#include <errno.h>
#include <libxml/parser.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAIL_POOL_BYTES = 128 * 1024 }; /* a mail is read in many small pieces of memory: from one */

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

static bool limit(int resource, rlim_t most)
{
	struct rlimit l, own;

	/* Where we were given less than that already, it stays at that. */
	if (getrlimit((__rlimit_resource_t)resource, &own) != 0)
		return false;
	l.rlim_cur = l.rlim_max = own.rlim_max < most ? own.rlim_max : most;
	return setrlimit((__rlimit_resource_t)resource, &l) == 0;
}

#ifndef SANITIZED
#if defined(__x86_64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* All that reading a mail asks of the kernel: the two pipes, memory, the time, and an end. Everything else is refused:
 * files, the network, other processes, other programs. */
static const int allowed[] = {
#ifdef SYS_poll
	SYS_poll,
#endif
	SYS_ppoll, SYS_read, SYS_write, SYS_recvfrom, SYS_sendto, SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect,
	SYS_madvise, SYS_brk, SYS_futex, SYS_clock_gettime, SYS_getrandom, SYS_rt_sigreturn, SYS_rt_sigprocmask,
	SYS_getpid, SYS_gettid, SYS_exit, SYS_exit_group};
enum { ALLOWED = sizeof allowed / sizeof *allowed, BEFORE = 4, AFTER = 2 };

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define IF_EQUAL(number, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, yes, no)

/* A kernel without this kind of filter leaves us with the limits alone. */
static bool filter_calls(void)
{
	struct sock_filter code[BEFORE + ALLOWED + AFTER] = {
		LOAD(arch),
#ifdef OUR_ARCHITECTURE
		IF_EQUAL(OUR_ARCHITECTURE, 1, 0),
#else
		BPF_STMT(BPF_JMP | BPF_JA, 1),
#endif
		RETURN(SECCOMP_RET_KILL_PROCESS), /* calls of another architecture have other numbers */
		LOAD(nr),
	};
	struct sock_fprog program = {.len = sizeof code / sizeof *code, .filter = code};

	for (int i = 0; i < ALLOWED; i++)
		code[BEFORE + i] = (struct sock_filter)IF_EQUAL((uint32_t)allowed[i], (uint8_t)(ALLOWED - i), 0);
	code[BEFORE + ALLOWED] = (struct sock_filter)RETURN(SECCOMP_RET_ERRNO | EPERM);
	code[BEFORE + ALLOWED + 1] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 || errno == EINVAL;
}
#endif

bool reader_confine(void)
{
#ifndef SANITIZED /* it reserves terabytes of addresses, and opens files to write a report */
	if (!limit(RLIMIT_AS, READER_MEMORY) || !limit(RLIMIT_NOFILE, 0))
		return false;
#endif
	if (!limit(RLIMIT_STACK, READER_STACK) || !limit(RLIMIT_CORE, 0) || !limit(RLIMIT_FSIZE, 0) ||
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return false;
#ifdef SANITIZED
	return true;
#else
	return filter_calls();
#endif
}

/* What it holds of the system's memory. Not ru_maxrss: that begins with the size of whoever started us. */
static uint32_t size_in_kilobytes(void)
{
	struct mallinfo2 m = mallinfo2();

	return (uint32_t)((m.arena + m.hblkhd) / 1024);
}

/* `last`: before the answers go off, which therefore says how large we have become. */
static void answer(TALLOC_CTX *mem, const struct charsets *c, const char *raw, const struct pipe_head *asked, bool last,
	struct buf *out)
{
	enum reader_mode mode = asked->kind <= READER_COPY ? (enum reader_mode)asked->kind : READER_HEADERS;
	size_t len;
	char *bytes = message_encode(mem, message_read(mem, c, mode, raw, asked->len), &len);

	pipe_add(out, last ? size_in_kilobytes() : 0, bytes, len);
}

/* Answers one mail after another, and in one go those that have come in one. */
static bool answer_mails(TALLOC_CTX *mem, const struct charsets *c)
{
	struct pipe_in *in = talloc_zero(mem, struct pipe_in);
	struct buf *out = buf_new(mem);
	struct pipe_head head;
	bool ok = true;

	in->fd = STDIN_FILENO;
	while (ok && pipe_read(in, &head, sizeof head, -1) && head.len <= PIPE_MAX) {
		TALLOC_CTX *mail = talloc_pool(mem, MAIL_POOL_BYTES);
		char *raw = talloc_array(mail, char, head.len + 1);
		bool last;

		ok = raw && pipe_read(in, raw, head.len, -1);
		last = !pipe_whole(in);
		if (ok)
			answer(mail, c, raw, &head, last, out);
		if (ok && last) {
			ok = pipe_write(STDOUT_FILENO, out->data, out->len, -1);
			buf_cut(out, 0);
		}
		talloc_free(mail);
	}
	return ok;
}

int reader_child(void)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct charsets *charsets = charsets_open(mem);
	struct pipe_head head = {.kind = PIPE_READY};
	bool ok;

	/* Whoever stops the daemon may mean the whole group; this mail is to be finished first, and the closed line
	 * ends the child. */
	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	xmlInitParser();
	memory_trim();
	/* The parent waits for the word that we are ready: so a reader that cannot start is never blamed on a mail. */
	ok = reader_confine() && pipe_write(STDOUT_FILENO, &head, sizeof head, -1) && answer_mails(mem, charsets);
	talloc_free(mem);
	xmlCleanupParser();
	return ok ? 0 : 3;
}
