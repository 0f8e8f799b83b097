/* galloper referee GAME WORDS...: the referee's commands, as he would mail them. */
#include "base/buf.h"
#include "cli/open.h"
#include "service/desk.h"

#include <stdio.h>

struct referee_options {
	const char *game;
	struct buf *text;
};

static error_t parse(int key, char *arg, struct argp_state *argp)
{
	struct referee_options *o = argp->input;

	switch (key) {
	case ARGP_KEY_ARG:
		if (argp->arg_num == 0)
			o->game = arg;
		else
			buf_printf(o->text, "%s\n", arg);
		return 0;
	case ARGP_KEY_END:
		if (argp->arg_num < 2)
			argp_error(argp, "write it like: galloper referee GAME \"AMEND 17 HITS 1 BECAUSE reason\"");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp referee_argp = {NULL, parse, "GAME \"COMMAND\"...",
	"Does what the game's referee could do by mail, and prints the answer: each word after GAME is a line of that "
	"mail, so put a command between quotes. HELP lists them."
	"\vEvents are named by the number that 'galloper report GAME' prints. RESOLVE goes by the orders that have "
	"been read; 'galloper resolve GAME' reads the mailbox first. The exit status is 1 when one of the commands was "
	"refused or not understood; the others were carried out.",
	NULL, NULL, NULL};

static int run_referee(struct cli *cli, int argc, char **argv)
{
	struct referee_options o = {NULL, buf_new(cli->mem)};
	struct desk_answer answer;
	struct service *s;
	struct game *g;
	struct err *e;
	int code;

	argp_parse(&referee_argp, argc, argv, 0, NULL, &o);
	code = cli_open(cli, &s);
	if (code == EXIT_DONE)
		code = cli_game(cli, s, o.game, &g);
	if (code != EXIT_DONE)
		return code;
	e = desk_referee(s, cli->mem, g, o.text->data, &answer);
	if (e != NULL)
		return cli_refuse(cli, e);
	fputs(answer.text, stdout);
	return answer.refused ? EXIT_NO : EXIT_DONE;
}

const struct command command_referee = {
	"referee", "GAME \"COMMAND\"...", "do what the referee can do by mail", &referee_argp, run_referee};
