/* The sandboxed side: opens what it needs, gives up the right to open anything more, then answers one mail after
 * another. */
#include "mail/decode.h"
#include "mail/pipe.h"
#include "mail/reader.h"

#include <libxml/parser.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

static bool limit(int resource, rlim_t most)
{
	struct rlimit l = {.rlim_cur = most, .rlim_max = most};

	return setrlimit((__rlimit_resource_t)resource, &l) == 0;
}

/* The limit on processor time is the parent's to raise, mail by mail (reader.c). */
static bool confine(void)
{
#ifndef SANITIZED /* it reserves terabytes of addresses, and opens files to write a report */
	if (!limit(RLIMIT_AS, READER_MEMORY) || !limit(RLIMIT_NOFILE, 0))
		return false;
#endif
	return limit(RLIMIT_STACK, READER_STACK) && limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, 0) &&
	       prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

static bool answer(TALLOC_CTX *mem, const struct charsets *c, const char *raw, const struct pipe_head *asked)
{
	struct pipe_head head = {0};
	struct rusage use;
	size_t len;
	char *bytes = message_encode(
		mem, message_read(mem, c, asked->kind ? READER_HEADERS : READER_WHOLE, raw, asked->len), &len);

	getrusage(RUSAGE_SELF, &use);
	head.len = (uint32_t)len;
	head.kind = (uint32_t)use.ru_maxrss;
	return pipe_write(STDOUT_FILENO, &head, sizeof head, -1) && pipe_write(STDOUT_FILENO, bytes, len, -1);
}

int reader_child(void)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct charsets *charsets = charsets_open(mem);
	struct pipe_head head;
	bool ok;

	/* Whoever stops the daemon may mean the whole group; this mail is to be finished first, and the closed line
	 * ends the child. */
	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	xmlInitParser();
	ok = confine();
	/* The parent waits for this: so a reader that cannot start is never blamed on a mail. */
	head = (struct pipe_head){.kind = PIPE_READY};
	ok = ok && pipe_write(STDOUT_FILENO, &head, sizeof head, -1);
	while (ok && pipe_read(STDIN_FILENO, &head, sizeof head, -1) && head.len <= PIPE_MAX) {
		TALLOC_CTX *mail = talloc_new(mem);
		char *raw = talloc_array(mail, char, head.len + 1);

		ok = raw && pipe_read(STDIN_FILENO, raw, head.len, -1) && answer(mail, charsets, raw, &head);
		talloc_free(mail);
	}
	talloc_free(mem);
	xmlCleanupParser();
	return ok ? 0 : 3;
}
