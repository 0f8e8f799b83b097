/* galloper resolve: what galloperd does (resolve_mail.c), unless the mailbox is to be left alone. */
#include "cli/resolve.h"

#include "cli/number.h"
#include "cli/open.h"
#include "cli/pass.h"
#include "service/part.h"

#include <stdio.h>

static error_t parse(int key, char *arg, struct argp_state *argp)
{
	struct resolve_options *o = argp->input;

	switch (key) {
	case 't':
		o->turn = number_option(argp, "--turn", arg, 1, TURN_MAX, "");
		return 0;
	case 'w':
		o->without_mailbox = true;
		return 0;
	case ARGP_KEY_ARG:
		if (argp->arg_num > 0)
			argp_error(argp, "one GAME only");
		o->game = arg;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(argp, "which GAME?");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{"turn", 't', "N", 0, "Only if it is that turn now", 0},
	{"without-mailbox", 'w', NULL, 0, "With the orders that have been read, whatever else lies in the mailbox", 0},
	{0},
};

const struct argp resolve_argp = {options, parse, "GAME",
	"Reads the mailbox, as `galloper tick` does, resolves the current turn now, and puts the reports into the "
	"outbox."
	"\vOrders that lie in the mailbox so count. Where it cannot be read, nothing is resolved and the exit status "
	"is "
	"3; "
	"--without-mailbox goes on all the same. If what was read has ended the turn, since everybody was READY or the "
	"deadline was over, the next turn is left alone.",
	NULL, NULL, NULL};

int resolve_now(struct cli *cli, const struct service *s, struct game *g, int turn)
{
	struct err *e = desk_resolve(s, cli->mem, g, turn);

	if (e != NULL)
		return cli_refuse(cli, e);
	printf("%s is resolved; the reports are in the outbox.\n", part_resolved_text(cli->mem, g));
	return EXIT_DONE;
}

static int run_resolve(struct cli *cli, int argc, char **argv)
{
	struct resolve_options o = {NULL, 0, false};
	struct service *s;
	struct game *g;
	int code;

	argp_parse(&resolve_argp, argc, argv, 0, NULL, &o);
	if (!o.without_mailbox)
		return pass_on(cli);
	code = cli_open_game(cli, o.game, &s, &g);
	return code == EXIT_DONE ? resolve_now(cli, s, g, o.turn) : code;
}

const struct command command_resolve = {"resolve", "GAME [--turn N] [--without-mailbox]",
	"read the mailbox and resolve the current turn now", &resolve_argp, run_resolve};
