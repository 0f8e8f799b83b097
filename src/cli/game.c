/* galloper game new|list|show|start|end */
#include "cli/about.h"
#include "cli/number.h"
#include "cli/open.h"
#include "service/board.h"
#include "service/drill.h"
#include "service/enrol.h"
#include "service/listing.h"
#include "service/part.h"
#include "service/post.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { OPTIONS_MAX = 64, GRACE_MAX = 14 * 24, REVIEW_MAX = 30 * 24 /* hours */ };

struct game_options {
	const char *verb;
	struct new_game n;
	const char *set[OPTIONS_MAX + 1];
	int sets;
	bool draft, json;
};

/* An option that is kept as it was typed has for its key where that is. */
enum { KEY_GRACE = 256, KEY_REVIEW, KEY_SET, KEY_DRAFT, KEY_JSON, KEY_TEXT = 1024 };

#define TEXT(member) KEY_TEXT + (int)offsetof(struct game_options, n.member)

static error_t parse(int key, char *arg, struct argp_state *argp)
{
	struct game_options *o = argp->input;

	if (key >= KEY_TEXT && key < KEY_TEXT + (int)sizeof *o) {
		memcpy((char *)o + (key - KEY_TEXT), &arg, sizeof arg);
		return 0;
	}
	switch (key) {
	case KEY_GRACE:
		o->n.grace = number_option(argp, "--grace", arg, 0, GRACE_MAX, "hours");
		return 0;
	case KEY_REVIEW:
		o->n.review = true;
		o->n.review_hours =
			arg == NULL ? REVIEW_HOURS
				    : number_option(argp, "--review", arg, 0, REVIEW_MAX, "hours (0: never by itself)");
		return 0;
	case KEY_SET:
		if (o->sets == OPTIONS_MAX)
			argp_error(argp, "too many --set");
		o->set[o->sets++] = arg;
		return 0;
	case KEY_DRAFT:
		o->draft = true;
		return 0;
	case KEY_JSON:
		o->json = true;
		return 0;
	case ARGP_KEY_ARG:
		if (argp->arg_num == 0)
			o->verb = arg;
		else if (argp->arg_num == 1)
			o->n.name = arg;
		else
			argp_error(argp, "too many words: '%s'", arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	ABOUT_BATTLE(TEXT(battle)),
	{"rules", TEXT(rules), "NAME", 0, "The rules: fastplay or shreds (the battle's own when not given)", 0},
	{"english", TEXT(english), "ADDRESS", 0,
		"Who commands the Government side, whatever the battle calls it; several are parted by commas", 0},
	{"jacobite", TEXT(jacobite), "ADDRESS", 0, "Who commands the Jacobite side; several likewise", 0},
	{"referee", TEXT(referee), "ADDRESS", 0, "The referee; several likewise", 0},
	{"every", TEXT(every), "SLOT", 0, "The weekly deadline (\"Fri 16:00\"), or several: \"Mon,Wed,Fri 16:00\"", 0},
	{"timezone", TEXT(zone), "ZONE", 0, "The time zone of all its times (Europe/London)", 0},
	{"skip", TEXT(skips), "DAYS", 0,
		"Days without a deadline, as \"2027-02-15..2027-02-19\"; several are parted by commas", 0},
	{"remind", TEXT(reminders), "HOURS", 0, "Reminders, so many hours before the deadline (\"24 3\")", 0},
	{"grace", KEY_GRACE, "HOURS", 0, "How long a turn waits when the mailbox cannot be read (2)", 0},
	{"review", KEY_REVIEW, "HOURS", OPTION_ARG_OPTIONAL,
		"The referee sees each turn first; after so many hours (48) it goes out by itself, 0: never", 0},
	{"set", KEY_SET, "NAME=VALUE", 0,
		"A number of the rules for this game, or an option of it; 'galloper help parameters' lists them all. "
		"May be given several times",
		0},
	{"draft", KEY_DRAFT, NULL, 0, "Make it without starting it; 'game start' does that", 0},
	{"json", KEY_JSON, NULL, 0, "With list and show: one JSON object", 0},
	{0},
};

static const struct argp game_argp = {options, parse, "new|list|show|start|end [NAME]",
	"Makes, shows, starts and ends games. `new` starts the game at once when both sides and a referee are named: "
	"everybody is sent a welcome.\vIn brackets is what holds when the option is not given. The game keeps its own "
	"copy of "
	"battle and rules, so that no later edit of a file touches it.",
	NULL, about_battles, NULL};

static void print_game(TALLOC_CTX *mem, const struct game *g)
{
	const char *when = "";

	if (g->held && g->release_at > 0)
		when = talloc_asprintf(
			mem, "held for the referee until %s (%s)", clock_text(mem, g->release_at, g->zone), g->zone);
	else if (g->held)
		when = "held until the referee writes RELEASE";
	else if (g->deadline > 0)
		when = talloc_asprintf(mem, "ends %s (%s)", clock_text(mem, g->deadline, g->zone), g->zone);
	printf("%-20s %-10s %-8s turn %-3d %s\n", g->name, g->battle, g->status, g->held ? last_turn(g) : g->turn,
		when);
}

static int list(struct cli *cli, const struct service *s, bool json)
{
	struct games games;
	struct err *e = store_games(s->store, cli->mem, &games);

	if (e != NULL)
		return cli_fail(cli, e);
	if (json)
		fputs(listing_games(cli->mem, &games), stdout);
	for (int i = 0; i < games.count && !json; i++)
		if (!is_drill(&games.list[i]))
			print_game(cli->mem, &games.list[i]);
	return EXIT_DONE;
}

static int make(struct cli *cli, const struct service *s, struct game_options *o)
{
	struct game *g;
	struct err *e;

	if (o->n.battle == NULL) {
		fprintf(stderr, "galloper: game new needs --battle NAME, for example --battle falkirk\n");
		return EXIT_USAGE;
	}
	o->n.options = o->set;
	e = enrol_game(s, cli->mem, &o->n, &g);
	if (e == NULL && !o->draft && o->n.english[0] != '\0' && o->n.jacobite[0] != '\0' && o->n.referee[0] != '\0')
		e = enrol_start(s, cli->mem, g);
	if (e != NULL)
		return cli_refuse(cli, e);
	print_game(cli->mem, g);
	if (strcmp(g->status, "setup") == 0)
		printf("It has not begun: add players with 'galloper player add', then 'galloper game start %s'.\n",
			g->name);
	else
		printf("Welcome mails are in the outbox; the daemon or 'galloper tick' sends them.\n");
	return EXIT_DONE;
}

static int show(struct cli *cli, const struct service *s, struct game *g, bool json)
{
	struct players players;
	char *text;
	struct board *b;
	struct err *e = store_players(s->store, cli->mem, g->id, &players);

	if (e == NULL)
		e = board_load(s, cli->mem, g, &b);
	if (e != NULL)
		return cli_refuse(cli, e);
	if (json) {
		e = listing_game(s, cli->mem, b, &text);
		if (e != NULL)
			return cli_refuse(cli, e);
		fputs(text, stdout);
		return EXIT_DONE;
	}
	print_game(cli->mem, g);
	if (part_count(b) > 1 && strcmp(g->status, "ended") != 0)
		printf("%s\n", part_ends_text(cli->mem, b));
	printf("Every %s%s%s, reminders %s hours before, grace %d hours.\n", g->slot,
		g->skips[0] != '\0' ? ", not on " : "", g->skips, g->reminders, g->grace);
	if (strcmp(g->review, "on") == 0 && g->review_hours > 0)
		printf("The referee sees each turn first; it goes out by itself after %d hours.\n", g->review_hours);
	else if (strcmp(g->review, "off") != 0)
		printf("The referee sees %s turn first, and releases it.\n",
			strcmp(g->review, "once") == 0 ? "the next" : "each");
	if (g->concession[0] != '\0')
		printf("Side %s has offered to concede.\n", g->concession);
	for (int i = 0; i < players.count; i++) {
		const struct player *p = &players.list[i];
		int side = player_side(p);

		printf("player %lld: %s%s%s%s%s\n", (long long)p->id, side < 0 ? p->role : b->sc->label[side],
			side < 0 ? "" : ", ", side < 0 ? "" : command_text(cli->mem, b, p),
			p->stopped ? ", mail stopped after bounces" : "", p->heard == 0 ? ", not heard yet" : "");
	}
	return EXIT_DONE;
}

static bool is_verb(const char *verb)
{
	static const char *const verbs[] = {"new", "list", "show", "start", "end"};

	for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
		if (strcmp(verb, verbs[i]) == 0)
			return true;
	return false;
}

static int run(struct cli *cli, int argc, char **argv)
{
	struct game_options o = {.n = {.english = "",
					 .jacobite = "",
					 .referee = "",
					 .every = "Fri 16:00",
					 .zone = "Europe/London",
					 .skips = "",
					 .reminders = "24 3",
					 .grace = 2}};
	struct service *s;
	struct game *g;
	struct err *e;
	int code;

	argp_parse(&game_argp, argc, argv, 0, NULL, &o);
	if (o.verb != NULL && !is_verb(o.verb)) {
		fprintf(stderr, "galloper: game %s? There are new, list, show, start and end\n", o.verb);
		return EXIT_USAGE;
	}
	if (o.verb == NULL || (o.n.name == NULL && strcmp(o.verb, "list") != 0)) {
		fprintf(stderr, "galloper: game new|show|start|end NAME, or game list\n");
		return EXIT_USAGE;
	}
	if (o.json && strcmp(o.verb, "list") != 0 && strcmp(o.verb, "show") != 0) {
		fprintf(stderr, "galloper: --json goes with game list and game show\n");
		return EXIT_USAGE;
	}
	code = cli_open(cli, &s);
	if (code == EXIT_DONE && strcmp(o.verb, "list") == 0)
		return list(cli, s, o.json);
	if (code == EXIT_DONE && strcmp(o.verb, "new") == 0)
		return make(cli, s, &o);
	if (code == EXIT_DONE)
		code = cli_game(cli, s, o.n.name, &g);
	if (code != EXIT_DONE)
		return code;
	if (strcmp(o.verb, "show") == 0)
		return show(cli, s, g, o.json);
	e = strcmp(o.verb, "start") == 0 ? enrol_start(s, cli->mem, g) : enrol_end(s, cli->mem, g);
	if (e != NULL)
		return cli_refuse(cli, e);
	print_game(cli->mem, g);
	return EXIT_DONE;
}

const struct command command_game = {
	"game", "new|list|show|start|end [NAME] [OPTION...]", "make and run games", &game_argp, run};
