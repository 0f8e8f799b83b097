/* galloper battle check NAME|FILE: reads a battle file and shows what it says. */
#include "cli/open.h"

#include <stdio.h>
#include <string.h>

static error_t parse(int key, char *arg, struct argp_state *argp)
{
	const char **words = argp->input;

	if (key == ARGP_KEY_END && argp->arg_num < 2)
		argp_error(argp, "write: battle check NAME, or battle check FILE");
	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	if (argp->arg_num > 1)
		argp_error(argp, "one battle only");
	words[argp->arg_num] = arg;
	return 0;
}

static const struct argp battle_argp = {NULL, parse, "check NAME|FILE",
	"Reads a battle of ours or a .battle file, checks it, and shows its map and armies.", NULL, NULL, NULL};

static int run(struct cli *cli, int argc, char **argv)
{
	const char *words[2] = {"", ""};
	struct err *e;
	char *text;

	argp_parse(&battle_argp, argc, argv, 0, NULL, words);
	if (strcmp(words[0], "check") != 0) {
		fprintf(stderr, "galloper: battle %s? There is: battle check NAME|FILE\n", words[0]);
		return EXIT_USAGE;
	}
	e = desk_battle(cli->mem, words[1], &text);
	if (e != NULL) {
		cli_fail(cli, e);
		return EXIT_USAGE;
	}
	fputs(text, stdout);
	return EXIT_DONE;
}

const struct command command_battle = {"battle", "check NAME|FILE", "read and show a battle file", &battle_argp, run};
