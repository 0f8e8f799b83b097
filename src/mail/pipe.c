#include "mail/pipe.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
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

bool pipe_read(int fd, void *bytes, size_t len, int64_t deadline)
{
	char *p = bytes;

	while (len > 0) {
		ssize_t n = read(fd, p, len);

		if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
			return false;
		if (n > 0) {
			p += n;
			len -= (size_t)n;
		} else if (!wait_for(fd, POLLIN, deadline)) {
			return false;
		}
	}
	return true;
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

bool pipe_send(int fd, const struct pipe_head *head, const void *bytes, int64_t deadline)
{
	size_t len = sizeof *head + head->len;
	char *all = malloc(len);
	bool ok;

	if (all == NULL)
		return false;
	memcpy(all, head, sizeof *head);
	if (head->len > 0)
		memcpy(all + sizeof *head, bytes, head->len);
	ok = pipe_write(fd, all, len, deadline);
	free(all);
	return ok;
}
