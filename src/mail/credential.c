#include "mail/credential.h"

#include "mail/pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The child's side: the shell with nothing but our end of the pipe, in a group of its own so that all of it can be
 * ended, and heeding signals, which a thread of ours may not. */
static void run_shell(const char *command, int out)
{
	int null = open("/dev/null", O_RDWR);
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setpgid(0, 0);
	dup2(null, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* All that it prints, up to CREDENTIAL_MAX, until it closes its output; false when the time is up. */
static bool read_output(int fd, char *text, size_t *len)
{
	int64_t deadline = pipe_now() + CREDENTIAL_SECONDS * 1000;

	for (*len = 0;;) {
		struct pollfd p = {.fd = fd, .events = POLLIN};
		int64_t left = deadline - pipe_now();
		ssize_t n;

		if (left <= 0)
			return false;
		if (poll(&p, 1, (int)left) <= 0)
			continue;
		n = read(fd, text + *len, CREDENTIAL_MAX - *len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0 || (*len += (size_t)n) == CREDENTIAL_MAX)
			return true;
	}
}

static struct err *ask(TALLOC_CTX *mem, const char *command, char **out)
{
	char *text = talloc_size(mem, CREDENTIAL_MAX + 1);
	int ends[2] = {-1, -1}, status = 0;
	size_t len;
	bool in_time;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return err_errno(mem, errno, NULL, "the command for the password cannot be started");
	child = fork();
	if (child == 0)
		run_shell(command, ends[1]);
	close(ends[1]);
	if (child < 0) {
		close(ends[0]);
		return err_errno(mem, errno, NULL, "the command for the password cannot be started");
	}
	in_time = read_output(ends[0], text, &len);
	close(ends[0]);
	if (!in_time)
		kill(-child, SIGKILL);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (!in_time)
		return err_new(mem, ERR_ACCOUNT, true, NULL,
			"the command for the password did not end within %d seconds", CREDENTIAL_SECONDS);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return err_new(mem, ERR_ACCOUNT, true, NULL,
			"the command for the password failed (exit status %d): try it by hand, as the same user",
			WIFEXITED(status) ? WEXITSTATUS(status) : -1);
	text[len] = '\0';
	text[strcspn(text, "\r\n")] = '\0';
	*out = text;
	return *text != '\0' ? NULL
			     : err_new(mem, ERR_ACCOUNT, true, NULL,
				       "the command for the password printed nothing in its first line");
}

static bool given(const char *command)
{
	return command != NULL && command[0] != '\0';
}

struct err *credential_get(TALLOC_CTX *mem, const struct server_config *server, struct credential *out)
{
	char *text = NULL;
	struct err *e;

	*out = (struct credential){.token = given(server->token_command), .secret = server->password};
	if (!given(server->token_command) && !given(server->password_command))
		return NULL;
	e = ask(mem, out->token ? server->token_command : server->password_command, &text);
	if (e == NULL)
		out->secret = text;
	return e;
}
