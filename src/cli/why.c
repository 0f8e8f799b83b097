/* galloper why GAME N: what is behind one event of a report. */
#include "service/why.h"
#include "cli/number.h"
#include "cli/open.h"

#include <limits.h>
#include <stdio.h>

struct why_options {
	const char *game;
	int number, turn;
};

static error_t parse(int key, char *arg, struct argp_state *argp)
{
	struct why_options *o = argp->input;

	switch (key) {
	case 't':
		o->turn = number_option(argp, "--turn", arg, 1, TURN_MAX, "");
		return 0;
	case ARGP_KEY_ARG:
		if (argp->arg_num == 0)
			o->game = arg;
		else if (argp->arg_num == 1)
			o->number = number_option(argp, "N", arg, 1, INT_MAX, "");
		else
			argp_error(argp, "too many words: '%s'", arg);
		return 0;
	case ARGP_KEY_END:
		if (argp->arg_num < 2)
			argp_error(argp, "write it like: galloper why GAME 17, with the number that the report prints");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{"turn", 't', "N", 0, "An event of that turn instead of the last", 0},
	{0},
};

static const struct argp why_argp = {options, parse, "GAME N",
	"Explains event N of the last report: its dice by their names, its numbers, the rulings in words, and what the "
	"referee has changed about it.",
	NULL, NULL, NULL};

static int run_why(struct cli *cli, int argc, char **argv)
{
	struct why_options o = {NULL, 0, 0};
	struct turn_row *row = NULL;
	struct service *s;
	struct board *b;
	struct game *g;
	char *text;
	struct err *e;
	int code;

	argp_parse(&why_argp, argc, argv, 0, NULL, &o);
	code = cli_open(cli, &s);
	if (code == EXIT_DONE)
		code = cli_game(cli, s, o.game, &g);
	if (code != EXIT_DONE)
		return code;
	e = board_load(s, cli->mem, g, &b);
	if (e == NULL)
		e = why_turn(s, cli->mem, b, 0, o.turn, true, &row);
	if (e == NULL && row == NULL && o.turn == 0)
		return cli_no_turn(cli, g);
	if (e == NULL && row == NULL)
		e = err_new(cli->mem, ERR_GAME, false, "", "turn %d has not been resolved", o.turn);
	if (e == NULL)
		e = why_text(s, cli->mem, b, row, o.number, true, &text);
	if (e != NULL)
		return cli_refuse(cli, e);
	fputs(text, stdout);
	return EXIT_DONE;
}

const struct command command_why = {"why", "GAME N [--turn N]", "explain one event of a report", &why_argp, run_why};
