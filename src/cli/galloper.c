/* galloper: the program for people. It loads no mail library; daemon, tick and doctor are galloperd's and are passed on
 * to it. */
#include "cli/command.h"
#include "cli/manual.h"
#include "service/options.h"

#include <stdio.h>
#include <string.h>

extern const struct command command_demo;
extern const struct command command_init;
extern const struct command command_game;
extern const struct command command_player;
extern const struct command command_daemon;
extern const struct command command_doctor;
extern const struct command command_tick;
extern const struct command command_referee;
extern const struct command command_why;
extern const struct command command_orders;
extern const struct command command_resolve;
extern const struct command command_report;
extern const struct command command_map;
extern const struct command command_battle;
extern const struct command command_check;
extern const struct command command_odds;
extern const struct command command_read;
extern const struct command command_try;
extern const struct command command_log;
extern const struct command command_export;
extern const struct command command_purge;
extern const struct command command_verify;
extern const struct command command_backup;
extern const struct command command_restore;

static int print_manual(const struct command *const *table)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct err *e;
	char *parameters;

	e = options_manual(mem, NULL, &parameters);
	if (e == NULL)
		manual_print(stdout, table, parameters);
	else
		fprintf(stderr, "galloper: %s\n", err_text(mem, e));
	talloc_free(mem);
	return e == NULL ? EXIT_DONE : EXIT_WORLD;
}

int main(int argc, char **argv)
{
	static const struct command *const table[] = {
		&command_init,
		&command_demo,
		&command_game,
		&command_player,
		&command_doctor,
		&command_daemon,
		&command_tick,
		&command_referee,
		&command_why,
		&command_orders,
		&command_resolve,
		&command_report,
		&command_map,
		&command_battle,
		&command_check,
		&command_odds,
		&command_read,
		&command_try,
		&command_log,
		&command_export,
		&command_purge,
		&command_verify,
		&command_backup,
		&command_restore,
		NULL,
	};

	/* For `make install`, which keeps the page and the table the same. */
	if (argc == 2 && strcmp(argv[1], "manual") == 0) {
		return print_manual(table);
	}
	return cli_main(argc, argv, "galloper", table);
}
