/* galloper log GAME: the record of what was done. */
#include "cli/about.h"
#include "cli/open.h"
#include "service/record.h"

#include <stdio.h>

static const struct argp_option options[] = {
	ABOUT_JSON("One JSON array, with whole digests"),
	{0},
};

static const struct argp log_argp = {options, about_parse, "GAME",
	"Prints the game's record: every act of a referee and every mail of a player, with its author, its reason, and "
	"the digest of the battle's state before and after it. Nothing is ever taken out of it. People are numbers in "
	"it; 'galloper player list' says whose they are.",
	NULL, NULL, NULL};

static int run(struct cli *cli, int argc, char **argv)
{
	struct about o = about_read(&log_argp, argc, argv);
	struct buf *out = buf_new(cli->mem);
	struct service *s;
	struct game *g;
	struct err *e;
	int code;

	code = cli_open_game(cli, o.what, &s, &g);
	if (code != EXIT_DONE)
		return code;
	e = record_print(s, cli->mem, g, o.json, out);
	if (e != NULL)
		return cli_refuse(cli, e);
	fputs(out->data, stdout);
	return EXIT_DONE;
}

const struct command command_log = {"log", "GAME", "the record of who did what, and why", &log_argp, run};
