#include "cli/open.h"

int cli_refuse(struct cli *cli, const struct err *e)
{
	cli_fail(cli, e);
	return e->scope == ERR_GAME ? EXIT_NO : EXIT_WORLD;
}

int cli_open(struct cli *cli, struct service **out)
{
	struct config *config;
	struct err *e = config_read(cli->mem, cli->config, &config);

	if (e == NULL && cli->log.level < LOG_LEVEL_DEBUG)
		cli->log.level = (enum log_level)config->log_level < LOG_LEVEL_WARN ? LOG_LEVEL_QUIET : LOG_LEVEL_WARN;
	if (e == NULL)
		e = service_open(cli->mem, config, false, &cli->clock, &cli->log, out);
	return e == NULL ? EXIT_DONE : cli_fail(cli, e);
}

int cli_game(struct cli *cli, const struct service *s, const char *name, struct game **out)
{
	struct err *e = desk_game(s, cli->mem, name, out);

	return e == NULL ? EXIT_DONE : cli_refuse(cli, e);
}

int cli_open_game(struct cli *cli, const char *name, struct service **s, struct game **g)
{
	int code = cli_open(cli, s);

	return code == EXIT_DONE ? cli_game(cli, *s, name, g) : code;
}

int cli_no_turn(struct cli *cli, const struct game *g)
{
	return cli_refuse(cli, err_new(cli->mem, ERR_GAME, false, "", "no turn of %s has been resolved yet", g->name));
}
