/* galloperd tick: one pass. */
#include "cli/open.h"
#include "cli/pass.h"
#include "cli/run.h"
#include "service/pass.h"

static int run(struct cli *cli, int argc, char **argv)
{
	struct service *s;
	struct passed done;
	struct pass pass;
	struct err *e;
	int code;

	argp_parse(&tick_argp, argc, argv, 0, NULL, NULL);
	code = cli_open(cli, &s);
	if (code != EXIT_DONE)
		return code;
	pass = (struct pass){.service = s, .reader = reader_new(cli->mem, galloperd_path(cli->mem))};
	e = pass_make(&pass, cli->mem, &done);
	if (e != NULL)
		return cli_fail(cli, e);
	return done.mailbox_trouble || done.sending_trouble ? EXIT_WORLD : EXIT_DONE;
}

const struct command command_tick_mail = {"tick", "", "make one pass: fetch, read, resolve, send", &tick_argp, run};
