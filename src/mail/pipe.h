/* The line between the reader and its parent: a head, then so many bytes, each way. Both ends are the same program on
 * the same machine. */
#ifndef GALLOPER_MAIL_PIPE_H
#define GALLOPER_MAIL_PIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PIPE_MAX = 32 * 1024 * 1024, PIPE_READY = 0x52454459 };

struct pipe_head {
	uint32_t len;  /* bytes that follow */
	uint32_t kind; /* to the reader: enum reader_mode; from it: PIPE_READY, then its size in KB or 0 */
};

/* What has come in on a descriptor and was not taken yet: many at once where they are small. */
struct pipe_in {
	int fd;
	size_t at, end; /* in `bytes` */
	char bytes[64 * 1024];
};

/* All the bytes or false: the other side is gone, or the time is up. `deadline` is CLOCK_MONOTONIC in milliseconds, -1
 * for none; with one, the descriptor must be non-blocking. */
bool pipe_read(struct pipe_in *in, void *bytes, size_t len, int64_t deadline);
bool pipe_write(int fd, const void *bytes, size_t len, int64_t deadline);

/* Has a head come with all that belongs to it? Does not look whether there is more on the descriptor. */
bool pipe_whole(const struct pipe_in *in);

struct buf;
/* Adds head and bytes to what is to be written in one go, so that the other side wakes once. */
void pipe_add(struct buf *out, uint32_t kind, const void *bytes, size_t len);

/* CLOCK_MONOTONIC in milliseconds. */
int64_t pipe_now(void);

#endif
