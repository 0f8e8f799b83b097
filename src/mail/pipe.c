#include "mail/pipe.h"

#include "base/buf.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

int64_t pipe_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static bool wait_for(int fd, short events, int64_t deadline)
{
	struct pollfd p = {.fd = fd, .events = events};
	int64_t left = deadline - pipe_now();

	if (deadline < 0)
		return poll(&p, 1, -1) > 0 || errno == EINTR;
	return left > 0 && (poll(&p, 1, (int)left) > 0 || errno == EINTR);
}

/* Some bytes, at least one. */
static bool read_some(int fd, void *bytes, size_t room, size_t *got, int64_t deadline)
{
	for (;;) {
		ssize_t n = read(fd, bytes, room);

		*got = n > 0 ? (size_t)n : 0;
		if (n > 0)
			return true;
		if (n == 0 || (errno != EAGAIN && errno != EINTR) || !wait_for(fd, POLLIN, deadline))
			return false;
	}
}

bool pipe_read(struct pipe_in *in, void *bytes, size_t len, int64_t deadline)
{
	char *p = bytes;

	while (len > 0) {
		size_t n = in->end - in->at;

		if (n > 0) {
			n = n < len ? n : len;
			memcpy(p, in->bytes + in->at, n);
			in->at += n;
		} else if (len >= sizeof in->bytes) {
			if (!read_some(in->fd, p, len, &n, deadline))
				return false;
		} else {
			in->at = 0;
			if (!read_some(in->fd, in->bytes, sizeof in->bytes, &in->end, deadline))
				return false;
		}
		p += n;
		len -= n;
	}
	return true;
}

bool pipe_whole(const struct pipe_in *in)
{
	struct pipe_head head;
	size_t n = in->end - in->at;

	if (n < sizeof head)
		return false;
	memcpy(&head, in->bytes + in->at, sizeof head);
	return head.len <= n - sizeof head;
}

bool pipe_write(int fd, const void *bytes, size_t len, int64_t deadline)
{
	const char *p = bytes;

	while (len > 0) {
		ssize_t n = send(fd, p, len, MSG_NOSIGNAL);

		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return false;
		if (n > 0) {
			p += n;
			len -= (size_t)n;
		} else if (!wait_for(fd, POLLOUT, deadline)) {
			return false;
		}
	}
	return true;
}

void pipe_add(struct buf *out, uint32_t kind, const void *bytes, size_t len)
{
	struct pipe_head head = {.len = (uint32_t)len, .kind = kind};

	buf_add(out, &head, sizeof head);
	buf_add(out, bytes, len);
}
