/* Reading mails in a sandbox. A mail is the one input that anybody in the world can hand us, and the parsers behind it
 * are large: so they run in a child process (galloper-reader) that holds nothing but a socket to us, may ask nothing
 * else of the kernel, and has limits on memory, stack and time. A mail that kills the child costs one failed try of
 * that mail, and nothing else. */
#ifndef GALLOPER_MAIL_READER_H
#define GALLOPER_MAIL_READER_H

#include "mail/message.h"

enum {
	READER_SECONDS = 10,               /* for one mail, by the clock */
	READER_CPU_SECONDS = 5,            /* for one mail, of processor */
	READER_MEMORY = 256 * 1024 * 1024, /* address space */
	READER_STACK = 64 * 1024 * 1024,
	READER_GROWTH = 10 * 1024 * 1024, /* grown by more: a fresh child */
	READER_AHEAD_MAX = 16,            /* mails that it has in hand at most */
	READER_AHEAD_BYTES = 64 * 1024,   /* of them, if they are several */
};

enum reader_mode {
	READER_WHOLE,
	READER_HEADERS, /* the header's fields only, by code that touches no library: for a mail that kills the child */
	READER_COPY,    /* the header's fields, and in typed.text all of the mail (copy.h), for an export */
};

struct reader;

/* A reader on `mem`; talloc_free ends its child. `program` is the path of galloper-reader. The child is started with
 * the first mail and again whenever it is gone. */
struct reader *reader_new(TALLOC_CTX *mem, const char *program);

/* Starts the child, if there is none, without waiting for it: there will soon be a mail. */
void reader_begin(struct reader *r);

/* Has it made itself ready? */
bool reader_begun(const struct reader *r);

/* What the mail says; *out is on `mem`. Errors: ERR_MAIL with retry when the child died or took too long over this
 * mail, ERR_PROCESS when it cannot be started or fails over a plain mail too. */
struct err *reader_read(TALLOC_CTX *mem, struct reader *r, enum reader_mode mode, const char *raw, size_t len,
	struct message **out) MUST_CHECK;

struct raw_mail {
	const char *bytes;
	size_t len;
};

/* Hands the reader mails that will be asked for next, in that order, after those that it has in hand: so that they are
 * read, many in one go, while we are busy with others. It takes as many as it may hold. What goes wrong with them shows
 * when they are asked for: a mail is blamed for the reader's death only when it was read alone. */
void reader_ahead(struct reader *r, const struct raw_mail *next, int count);

/* How many mails it has in hand that have not been asked for. */
int reader_held(const struct reader *r);

/* Is the first of them read, or will it be within so many milliseconds? */
bool reader_ready(const struct reader *r, int milliseconds);

/* The child's side: answers mails from descriptor 0 on descriptor 1 until it closes; gives the exit code. */
int reader_child(void);

/* Gives up, for good, all that a mail reader does not need: memory, stack and core beyond their limits, descriptors,
 * files, the network, other processes and programs. (The limit on processor time is the parent's to raise, mail by
 * mail.) False when the system does not let us. Under the sanitizers, which need more, only some of it. */
bool reader_confine(void);

struct charsets;

/* What the child does with one mail, in this process. Never fails, and takes time linear in the length. */
struct message *message_read(
	TALLOC_CTX *mem, const struct charsets *c, enum reader_mode mode, const char *raw, size_t len);

#endif
