/* galloper battle check NAME|FILE: reads a battle file and shows what it says. */
#include "cli/command.h"
#include "service/inspection.h"

#include <stdio.h>
#include <string.h>

struct words {
	char **list; /* check, and the battles */
	int count;
};

static error_t parse(int key, char *arg, struct argp_state *argp)
{
	struct words *words = argp->input;

	(void)arg;
	if (key == ARGP_KEY_ARGS) {
		words->list = argp->argv + argp->next;
		words->count = argp->argc - argp->next;
		return 0;
	}
	if (key == ARGP_KEY_END && words->count < 2)
		argp_error(argp, "write: battle check NAME, or battle check FILE");
	return ARGP_ERR_UNKNOWN;
}

static const struct argp battle_argp = {NULL, parse, "check NAME|FILE...",
	"Reads a battle of ours or a .battle file and shows its map and armies, and then what is wrong with it: pieces "
	"off the table or on one another, enemies nearer than the battle's minimum-distance, names and codes that are "
	"given twice or easily confused.\vThe exit status is 1 when something is to mend, and 2 when lines of the file "
	"cannot be "
	"read: for each the line and the column are named, and what was expected there.",
	NULL, NULL, NULL};

static int check(struct cli *cli, const char *battle)
{
	TALLOC_CTX *mem = talloc_new(cli->mem);
	char *text;
	struct bad_lines bad;
	int problems, code = EXIT_USAGE;
	struct err *e = inspect_battle(mem, battle, &text, &problems, &bad);

	if (e != NULL) {
		cli_fail(cli, e);
	} else {
		for (int i = 0; i < bad.count && i < BAD_LINES_MAX; i++)
			cli_fail(cli, bad.list[i]);
		fflush(stderr);
		fputs(text, stdout);
		if (bad.count == 0)
			code = problems > 0 ? EXIT_NO : EXIT_DONE;
	}
	talloc_free(mem);
	return code;
}

static int run(struct cli *cli, int argc, char **argv)
{
	struct words words = {NULL, 0};
	int worst = EXIT_DONE;

	argp_parse(&battle_argp, argc, argv, 0, NULL, &words);
	if (strcmp(words.list[0], "check") != 0) {
		fprintf(stderr, "galloper: battle %s? There is: battle check NAME|FILE\n", words.list[0]);
		return EXIT_USAGE;
	}
	for (int i = 1; i < words.count; i++) {
		int code = check(cli, words.list[i]);

		worst = code > worst ? code : worst;
	}
	return worst;
}

const struct command command_battle = {
	"battle", "check NAME|FILE...", "read and show a battle file", &battle_argp, run};
