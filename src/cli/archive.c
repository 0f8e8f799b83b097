/* galloper export|purge: a game taken out whole, and its people forgotten. */
#include "cli/about.h"
#include "cli/open.h"
#include "cli/pass.h"
#include "service/export.h"
#include "service/purge.h"

#include <stdio.h>

struct archive_options {
	const char *game, *folder;
};

static error_t parse_export(int key, char *arg, struct argp_state *argp)
{
	struct archive_options *o = argp->input;

	switch (key) {
	case ARGP_KEY_ARG:
		if (argp->arg_num > 1)
			argp_error(argp, "too many words: '%s'", arg);
		*(argp->arg_num == 0 ? &o->game : &o->folder) = arg;
		return 0;
	case ARGP_KEY_END:
		if (argp->arg_num < 2)
			argp_error(argp, "which GAME, and into which FOLDER?");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp export_argp = {NULL, parse_export, "GAME FOLDER",
	"Writes a whole game into a new folder: the game and its people, each turn's events, orders, report and map, "
	"the words of every mail, a table of who sent what when, messages, rulings and the record. Reply tokens and "
	"keys "
	"are made unreadable; names and addresses are not, so keep it as the school's rules say. Pictures and other "
	"files in mails are left out.",
	NULL, NULL, NULL};

static int run_export(struct cli *cli, int argc, char **argv)
{
	struct archive_options o = {NULL, NULL};
	struct exported done;
	struct service *s;
	struct game *g;
	struct err *e;
	int code;

	argp_parse(&export_argp, argc, argv, 0, NULL, &o);
	code = cli_open(cli, &s);
	if (code == EXIT_DONE)
		code = cli_game(cli, s, o.game, &g);
	if (code != EXIT_DONE)
		return code;
	e = export_game(s, cli->mem, g, o.folder, reader_new(cli->mem, reader_path(cli->mem)), &done);
	if (e != NULL)
		return cli_refuse(cli, e);
	printf("%s is in %s: %d turns, %d mails.\n", g->name, o.folder, done.turns, done.mails);
	return EXIT_DONE;
}

static const struct argp purge_argp = {NULL, about_parse, "[GAME]",
	"Forgets the people of games that have been over for the configuration's forget-after days, or of this one "
	"game "
	"at once: names, addresses, keys, messages, and the mails themselves, also those in Maildirs. The battle "
	"stays: turns, orders and the "
	"record, in which people are numbers. Mails of no game are forgotten after the same term.\vIt cannot be taken "
	"back; 'galloper export' keeps a copy. Backups that were made before still know them, and so does a mail "
	"server: clear its folders yourself.",
	NULL, NULL, NULL};

static int run_purge(struct cli *cli, int argc, char **argv)
{
	struct about o = about_read(&purge_argp, argc, argv);
	struct purged done;
	struct service *s;
	struct game *g;
	struct err *e;
	int code;

	code = cli_open(cli, &s);
	if (code == EXIT_DONE && o.what != NULL)
		code = cli_game(cli, s, o.what, &g);
	if (code != EXIT_DONE)
		return code;
	if (o.what != NULL) {
		e = purge_game(s, cli->mem, g);
		if (e == NULL)
			printf("The people of %s are forgotten; the battle is kept.\n", g->name);
		return e == NULL ? EXIT_DONE : cli_refuse(cli, e);
	}
	e = purge_due(s, cli->mem, &done);
	if (e != NULL)
		return cli_refuse(cli, e);
	for (int i = 0; i < done.games.count; i++)
		printf("The people of %s are forgotten; the battle is kept.\n", done.games.list[i].name);
	if (done.strangers > 0)
		printf("%d mails of no game are forgotten.\n", done.strangers);
	return EXIT_DONE;
}

const struct command command_export = {
	"export", "GAME FOLDER", "write a whole game into a folder", &export_argp, run_export};
const struct command command_purge = {
	"purge", "[GAME]", "forget the people of games that are long over", &purge_argp, run_purge};
