/* galloper log GAME: the record of what was done. */
#include "cli/open.h"
#include "service/record.h"

#include <stdio.h>

struct log_options {
	const char *game;
	bool json;
};

static error_t parse(int key, char *arg, struct argp_state *argp)
{
	struct log_options *o = argp->input;

	switch (key) {
	case 'j':
		o->json = true;
		return 0;
	case ARGP_KEY_ARG:
		if (argp->arg_num > 0)
			argp_error(argp, "one game only");
		o->game = arg;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(argp, "which game?");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{"json", 'j', NULL, 0, "One JSON array, with whole digests", 0},
	{0},
};

static const struct argp log_argp = {options, parse, "GAME",
	"Prints the game's record: every act of a referee and every mail of a player, with its author, its reason, and "
	"the digest of the battle's state before and after it. Nothing is ever taken out of it. People are numbers in "
	"it; 'galloper player list' says whose they are.",
	NULL, NULL, NULL};

static int run(struct cli *cli, int argc, char **argv)
{
	struct log_options o = {NULL, false};
	struct buf *out = buf_new(cli->mem);
	struct service *s;
	struct game *g;
	struct err *e;
	int code;

	argp_parse(&log_argp, argc, argv, 0, NULL, &o);
	code = cli_open_game(cli, o.game, &s, &g);
	if (code != EXIT_DONE)
		return code;
	e = record_print(s, cli->mem, g, o.json, out);
	if (e != NULL)
		return cli_refuse(cli, e);
	fputs(out->data, stdout);
	return EXIT_DONE;
}

const struct command command_log = {"log", "GAME", "the record of who did what, and why", &log_argp, run};
