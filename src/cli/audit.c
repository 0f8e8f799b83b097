/* galloper verify|backup|restore: whether what is kept can be trusted. */
#include "service/audit.h"
#include "cli/about.h"
#include "cli/open.h"
#include "service/listing.h"

#include <stdio.h>
#include <string.h>

static const struct argp_option verify_options[] = {
	ABOUT_JSON("One JSON object, with whole digests"),
	{0},
};

static const struct argp verify_argp = {verify_options, about_parse, "GAME",
	"Plays every turn of the game again, from the battle's texts, the stored orders and the dice that follow from "
	"the "
	"game's seed, and compares each state and each event with what was stored.\vIt ends with 0 when all turns are "
	"the "
	"same, with 1 when one is not.",
	NULL, NULL, NULL};

static int run_verify(struct cli *cli, int argc, char **argv)
{
	struct about o = about_read(&verify_argp, argc, argv);
	struct service *s;
	struct game *g;
	struct audit audit;
	struct err *e;
	int code;

	code = cli_open_game(cli, o.what, &s, &g);
	if (code != EXIT_DONE)
		return code;
	e = audit_verify(s, cli->mem, g, &audit);
	if (e != NULL)
		return cli_refuse(cli, e);
	if (o.json) {
		fputs(listing_audit(cli->mem, g, &audit), stdout);
		return audit.faults > 0 ? EXIT_NO : EXIT_DONE;
	}
	for (int i = 0; i < audit.count; i++) {
		const struct audit_row *row = &audit.rows[i];

		if (audit.lines > 0)
			printf("line %d ", row->line);
		printf("turn %d  %s  %s", row->turn, row->digest[0] != '\0' ? row->digest : "-",
			row->fault[0] != '\0' ? row->fault : "the same");
		if (row->resolutions > 1)
			printf(" (%d resolutions)", row->resolutions);
		printf("\n");
	}
	if (audit.faults > 0)
		printf("%s: %d of %d turns differ.\n", g->name, audit.faults, audit.count);
	else if (audit.count == 0)
		printf("%s: no turn has been resolved yet.\n", g->name);
	else if (audit.count == 1)
		printf("%s: its one turn replays to the same.\n", g->name);
	else
		printf("%s: all %d turns replay to the same.\n", g->name, audit.count);
	return audit.faults > 0 ? EXIT_NO : EXIT_DONE;
}

static const struct argp backup_argp = {NULL, about_parse, "FILE",
	"Copies the whole database into FILE while the daemon goes on, and checks the copy before it takes the place "
	"of "
	"an older one. Keep it as secret as the database: it holds every player's key.",
	NULL, NULL, NULL};

static int run_backup(struct cli *cli, int argc, char **argv)
{
	struct about o = about_read(&backup_argp, argc, argv);
	struct service *s;
	struct err *e;
	int code;

	code = cli_open(cli, &s);
	if (code != EXIT_DONE)
		return code;
	e = audit_backup(s, cli->mem, o.what);
	if (e != NULL)
		return cli_refuse(cli, e);
	printf("The whole database is in %s, and the copy is sound.\n", o.what);
	return EXIT_DONE;
}

static const struct argp restore_argp = {NULL, about_parse, "FILE",
	"Puts a copy that 'galloper backup' made in the place of the database. Stop galloperd first. What was there is "
	"kept "
	"beside it.",
	NULL, NULL, NULL};

static int run_restore(struct cli *cli, int argc, char **argv)
{
	struct about o = about_read(&restore_argp, argc, argv);
	struct config *config;
	char *aside = NULL;
	struct err *e;

	if (cli_named_file(cli, o.what) != EXIT_DONE)
		return EXIT_USAGE;
	e = config_read(cli->mem, cli->config, &config);
	if (e == NULL)
		e = audit_restore(cli->mem, config, o.what, &aside);
	if (e != NULL)
		return cli_refuse(cli, e);
	printf("The database is again as it was when %s was made.\n", o.what);
	if (aside != NULL)
		printf("What was there before is kept in %s.\n", aside);
	printf("It knows nothing of mails that came since. To have them read again, move them from the folders '%s' "
	       "and\n"
	       "'%s' back into the mailbox. Mails that waited to be sent then may go out a second time.\n",
		config->processed_folder, config->rejected_folder);
	return EXIT_DONE;
}

const struct command command_verify = {
	"verify", "GAME [--json]", "play a game's turns again and compare", &verify_argp, run_verify};
const struct command command_backup = {
	"backup", "FILE", "copy the database and check the copy", &backup_argp, run_backup};
const struct command command_restore = {
	"restore", "FILE", "put a copy of the database back", &restore_argp, run_restore};
