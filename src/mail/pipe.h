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
	uint32_t kind; /* to the reader: enum reader_mode; from it: PIPE_READY, then its size in KB */
};

/* All the bytes or false: the other side is gone, or the time is up. `deadline` is CLOCK_MONOTONIC in milliseconds, -1
 * for none; with one, the descriptor must be non-blocking. */
bool pipe_read(int fd, void *bytes, size_t len, int64_t deadline);
bool pipe_write(int fd, const void *bytes, size_t len, int64_t deadline);

/* Head and bytes in one go, so that the other side wakes once. */
bool pipe_send(int fd, const struct pipe_head *head, const void *bytes, int64_t deadline);

/* CLOCK_MONOTONIC in milliseconds. */
int64_t pipe_now(void);

#endif
