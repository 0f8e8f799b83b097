/* galloper report|map|orders GAME: what a referee looks at at his desk. */
#include "cli/about.h"
#include "cli/open.h"
#include "service/desk.h"
#include "service/letters.h"
#include "service/listing.h"

#include <stdio.h>

static const struct argp_option report_options[] = {
	ABOUT_TURN("That turn instead of the last"),
	ABOUT_JSON("The turn's events as one JSON object, with the name and value of every die"),
	{0},
};

static const struct argp_option map_options[] = {
	ABOUT_JSON("The pieces as one JSON object, instead of map and roster"),
	{0},
};

static const struct argp_option orders_options[] = {
	ABOUT_TURN("Those with which that turn was resolved, instead of those for the open one"),
	ABOUT_JSON("One JSON object"),
	{0},
};

static const struct argp report_argp = {report_options, about_parse, "GAME",
	"Prints the report of the last turn, or of another, as the referee gets it.", NULL, NULL, NULL};
static const struct argp map_argp = {map_options, about_parse, "GAME",
	"Prints the map as it stands, and the roster of both sides.", NULL, NULL, NULL};
static const struct argp orders_argp = {orders_options, about_parse, "GAME",
	"Prints the orders in force for the current turn, of both sides.", NULL, NULL, NULL};

/* Reads the command line and opens what it is about. */
static int open_board(struct cli *cli, const struct argp *argp, int argc, char **argv, struct about *o,
	struct service **s, struct board **b)
{
	struct game *g;
	struct err *e;
	int code;

	*o = about_read(argp, argc, argv);
	code = cli_open_game(cli, o->what, s, &g);
	if (code != EXIT_DONE)
		return code;
	e = board_load(*s, cli->mem, g, b);
	return e == NULL ? EXIT_DONE : cli_refuse(cli, e);
}

static int run_report(struct cli *cli, int argc, char **argv)
{
	struct about o = {0};
	struct service *s;
	struct board *b;
	char *text;
	struct err *e;
	int code = open_board(cli, &report_argp, argc, argv, &o, &s, &b);

	if (code != EXIT_DONE)
		return code;
	if (o.turn == 0)
		o.turn = last_turn(b->game);
	if (o.turn == 0)
		return cli_no_turn(cli, b->game);
	e = o.json ? report_json(s, cli->mem, b, o.turn, &text) : report_text(s, cli->mem, b, o.turn, -1, &text);
	if (e != NULL)
		return cli_refuse(cli, e);
	fputs(text, stdout);
	return EXIT_DONE;
}

static int run_map(struct cli *cli, int argc, char **argv)
{
	struct about o = {0};
	struct service *s;
	struct board *b;
	int code = open_board(cli, &map_argp, argc, argv, &o, &s, &b);

	if (code != EXIT_DONE)
		return code;
	fputs(o.json ? listing_map(cli->mem, b) : desk_map(cli->mem, b), stdout);
	return EXIT_DONE;
}

static int run_orders(struct cli *cli, int argc, char **argv)
{
	struct about o = {0};
	struct service *s;
	struct board *b;
	char *text;
	struct err *e;
	int code = open_board(cli, &orders_argp, argc, argv, &o, &s, &b);

	if (code != EXIT_DONE)
		return code;
	if (o.turn == b->game->turn)
		o.turn = 0;
	if (o.turn > 0 && o.json)
		e = err_new(
			cli->mem, ERR_GAME, false, "", "--json is for the orders of the open turn: leave --turn out");
	else if (o.turn > 0)
		e = desk_ordered(s, cli->mem, b, o.turn, &text);
	else
		e = o.json ? listing_orders(s, cli->mem, b, &text) : desk_orders(s, cli->mem, b, &text);
	if (e != NULL)
		return cli_refuse(cli, e);
	fputs(text, stdout);
	return EXIT_DONE;
}

const struct command command_report = {
	"report", "GAME [--turn N] [--json]", "print a turn's report", &report_argp, run_report};
const struct command command_map = {"map", "GAME [--json]", "print the map and the roster", &map_argp, run_map};
const struct command command_orders = {
	"orders", "GAME [--turn N] [--json]", "print the orders in force", &orders_argp, run_orders};
