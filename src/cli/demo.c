/* galloper demo: two turns of Falkirk in a scratch folder. */
#include "service/demo.h"
#include "cli/command.h"
#include "cli/pass.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static error_t parse(int key, char *arg, struct argp_state *argp)
{
	const char **folder = argp->input;

	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	if (argp->arg_num > 0)
		argp_error(argp, "one folder only");
	*folder = arg;
	return 0;
}

static const struct argp demo_argp = {NULL, parse, "[DIR]",
	"Plays two turns of Falkirk from sample mails, without any server, in DIR (a new scratch folder when not "
	"given), and "
	"shows the mails.",
	NULL, NULL, NULL};

/* One pass is galloperd's business, so that the demo runs what a real game runs. */
static struct err *tick(void *context, TALLOC_CTX *mem, const char *config, int64_t now)
{
	struct cli *cli = context;
	char *program = galloperd_path(mem), *time = clock_iso(mem, now);
	const char *words[] = {program, "-c", config, "--now", time, "tick", NULL};
	int status = 0;
	pid_t child;

	(void)cli;
	fflush(stdout);
	child = fork();
	if (child == 0) {
		int nowhere = open("/dev/null", O_WRONLY);

		dup2(nowhere, STDOUT_FILENO);
		execv(program, (char **)(uintptr_t)words);
		_exit(EXIT_WORLD);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return err_errno(mem, errno, program, "cannot be run");
	if (!WIFEXITED(status) || WEXITSTATUS(status) != EXIT_DONE)
		return err_new(mem, ERR_PROCESS, false, program, "the pass failed");
	return NULL;
}

static int run(struct cli *cli, int argc, char **argv)
{
	const char *folder = NULL;
	struct err *e;

	argp_parse(&demo_argp, argc, argv, 0, NULL, &folder);
	if (folder == NULL) {
		const char *base = getenv("TMPDIR");
		char *scratch = talloc_asprintf(cli->mem, "%s/galloper-demo.XXXXXX", base != NULL ? base : "/tmp");

		if (mkdtemp(scratch) == NULL)
			return cli_fail(cli, err_errno(cli->mem, errno, scratch, "cannot be made"));
		folder = scratch;
	}
	e = demo_play(cli->mem, folder, &cli->log, tick, cli);
	return e == NULL ? EXIT_DONE : cli_fail(cli, e);
}

const struct command command_demo = {"demo", "[DIR]", "play two turns from sample mails", &demo_argp, run};
