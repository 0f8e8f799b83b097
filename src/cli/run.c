/* galloper tick and galloper daemon, which galloperd does (tick.c, daemon.c). */
#include "cli/run.h"

#include "cli/pass.h"

static error_t parse(int key, char *arg, struct argp_state *argp)
{
	(void)arg;
	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	argp_error(argp, "it takes no words after it");
	return 0;
}

const struct argp tick_argp = {NULL, parse, "",
	"Makes one pass: fetches mail, reads it, resolves the turns that are due, and sends what is to be sent."
	"\vFor cron, and for trying things out with --now. A daemon may run beside it: nothing is done twice. The exit "
	"status is 3 when the mailbox could not be read or the mail not be sent; everything else was done all the "
	"same.",
	NULL, NULL, NULL};

const struct argp daemon_argp = {NULL, parse, "",
	"Makes one pass after the other, as often as the configuration says, until it is told to stop."
	"\vIt stays in the foreground and logs to standard error, as systemd wants it. SIGTERM breaks off what "
	"it is saying to a server and ends it within seconds, and nothing is lost; SIGHUP makes it read its "
	"configuration "
	"again.",
	NULL, NULL, NULL};

static int run_tick(struct cli *cli, int argc, char **argv)
{
	argp_parse(&tick_argp, argc, argv, 0, NULL, NULL);
	return pass_on(cli);
}

static int run_daemon(struct cli *cli, int argc, char **argv)
{
	argp_parse(&daemon_argp, argc, argv, 0, NULL, NULL);
	return pass_on(cli);
}

const struct command command_tick = {"tick", "", "make one pass: fetch, read, resolve, send", &tick_argp, run_tick};
const struct command command_daemon = {"daemon", "", "make passes until told to stop", &daemon_argp, run_daemon};
