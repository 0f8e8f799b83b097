/* galloper player add|replace|remove|list|import */
#include "base/file.h"
#include "cli/about.h"
#include "cli/number.h"
#include "cli/open.h"
#include "service/board.h"
#include "service/enrol.h"
#include "service/listing.h"
#include "service/people.h"
#include "service/post.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { WORDS_MAX = 4, IMPORT_MAX = 1 << 20 };

struct player_options {
	const char *word[WORDS_MAX]; /* verb, game, then as the verb wants */
	const char *name, *units;
	bool json;
};

static error_t parse(int key, char *arg, struct argp_state *argp)
{
	struct player_options *o = argp->input;

	switch (key) {
	case 'n':
		o->name = arg;
		return 0;
	case 'u':
		o->units = arg;
		return 0;
	case 'j':
		o->json = true;
		return 0;
	case ARGP_KEY_ARG:
		if (argp->arg_num >= WORDS_MAX)
			argp_error(argp, "too many words: '%s'", arg);
		o->word[argp->arg_num] = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{"name", 'n', "NAME", 0, "The name shown in mails", 0},
	{"units", 'u', "LIST", 0, "The units, commanders or wings to command, parted by commas; else the whole side",
		0},
	ABOUT_JSON("With list: one JSON object"),
	{0},
};

static const struct argp player_argp = {options, parse,
	"add GAME E|J|observer|referee ADDRESS\nreplace GAME NUMBER ADDRESS\nremove GAME NUMBER [DEPUTY'S "
	"ADDRESS]\nlist GAME\nimport "
	"GAME FILE.csv",
	"Adds and changes the people of a game. A CSV file, as spreadsheets save it, has the heading "
	"role,name,address,units. Players who share an address have to have different names.",
	NULL, NULL, NULL};

/* Under his line the addresses of a player's deputies. */
static struct err *list_deputies(struct cli *cli, const struct service *s, int64_t player)
{
	const char **deputies;
	struct err *e = store_addresses(s->store, cli->mem, player, true, &deputies);

	for (int i = 0; e == NULL && deputies[i] != NULL; i++)
		printf("     %-9s %s\n", "deputy", deputies[i]);
	return e;
}

/* A line a person: number, side or role, address, name; what he commands, and when he was heard last and his mail came
 * back. */
static int list(struct cli *cli, const struct service *s, struct game *g, bool json)
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
		e = listing_players(s, cli->mem, b, &text);
		if (e == NULL)
			fputs(text, stdout);
	}
	for (int i = 0; e == NULL && i < players.count && !json; i++) {
		const struct player *p = &players.list[i];
		int side = player_side(p);

		printf("%-4lld %-9s %-30s %-20s %s%s%s%s%s\n", (long long)p->id,
			side < 0 ? p->role : b->sc->label[side], p->address, p->name,
			side < 0 ? "" : command_text(cli->mem, b, p), side < 0 ? "" : "; ",
			p->heard > 0
				? talloc_asprintf(cli->mem, "last heard %s", clock_text(cli->mem, p->heard, g->zone))
				: "not heard yet",
			p->bounced > 0 ? talloc_asprintf(cli->mem, ", last bounced %s",
						 clock_text(cli->mem, p->bounced, g->zone))
				       : "",
			p->stopped ? ", mail stopped" : "");
		e = list_deputies(cli, s, p->id);
	}
	return e == NULL ? EXIT_DONE : cli_refuse(cli, e);
}

static bool is_verb(const char *verb)
{
	static const char *const verbs[] = {"add", "replace", "remove", "list", "import"};

	for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
		if (strcmp(verb, verbs[i]) == 0)
			return true;
	return false;
}

/* What is wrong with the words before anything is opened, or NULL. */
static const char *wrong_words(TALLOC_CTX *mem, const struct player_options *o, long *number)
{
	const char *verb = o->word[0], *third = o->word[2], *fourth = o->word[3];
	bool changes;

	if (verb != NULL && !is_verb(verb))
		return talloc_asprintf(mem, "player %s? There are add, replace, remove, list and import", verb);
	if (verb != NULL && o->json && strcmp(verb, "list") != 0)
		return "--json goes with player list";
	if (verb == NULL || o->word[1] == NULL || (strcmp(verb, "list") != 0 && third == NULL) ||
		((strcmp(verb, "add") == 0 || strcmp(verb, "replace") == 0) && fourth == NULL))
		return "see 'galloper player --help' for what to write";
	changes = strcmp(verb, "replace") == 0 || strcmp(verb, "remove") == 0;
	if (changes && !number_read(third, 1, LONG_MAX, number))
		return talloc_asprintf(mem,
			"'%s' is no player's number; 'galloper player list %s' shows each player's number first", third,
			o->word[1]);
	if (strcmp(verb, "add") == 0 && strcmp(third, "E") != 0 && strcmp(third, "J") != 0 &&
		strcmp(third, "observer") != 0 && strcmp(third, "referee") != 0)
		return talloc_asprintf(mem, "'%s' is no role; there are E, J, observer and referee", third);
	return NULL;
}

static struct err *import_file(const struct service *s, TALLOC_CTX *mem, struct game *g, const char *path)
{
	char *text;
	size_t len;
	int added = 0;
	struct err *e = file_read(mem, path, IMPORT_MAX, &text, &len);

	if (e == NULL)
		e = enrol_import(s, mem, g, path, text, &added);
	if (e == NULL)
		printf("%d player%s added.\n", added, added == 1 ? "" : "s");
	return e;
}

static int run(struct cli *cli, int argc, char **argv)
{
	struct player_options o = {.name = "", .units = ""};
	struct service *s;
	struct game *g;
	struct err *e;
	const char *verb, *third, *fourth, *wrong;
	long number = 0;
	int code;

	argp_parse(&player_argp, argc, argv, 0, NULL, &o);
	verb = o.word[0];
	third = o.word[2];
	fourth = o.word[3];
	wrong = wrong_words(cli->mem, &o, &number);
	if (wrong != NULL) {
		fprintf(stderr, "galloper: %s\n", wrong);
		return EXIT_USAGE;
	}
	if (strcmp(verb, "import") == 0 && cli_named_file(cli, third) != EXIT_DONE)
		return EXIT_USAGE;
	code = cli_open_game(cli, o.word[1], &s, &g);
	if (code != EXIT_DONE)
		return code;
	if (strcmp(verb, "list") == 0)
		return list(cli, s, g, o.json);
	if (strcmp(verb, "add") == 0) {
		e = enrol_player(s, cli->mem, g, third, fourth, o.name, o.units);
		if (e == NULL)
			printf("%s added to %s as %s.\n", fourth, g->name, third);
	} else if (strcmp(verb, "replace") == 0) {
		e = enrol_replace(s, cli->mem, g, number, fourth);
		if (e == NULL)
			printf("Player %s is now %s.\n", third, fourth);
	} else if (strcmp(verb, "remove") == 0) {
		e = enrol_remove(s, cli->mem, g, number, fourth);
		if (e == NULL)
			printf("Player %s has left %s.\n", third, g->name);
	} else {
		e = import_file(s, cli->mem, g, third);
	}
	return e == NULL ? EXIT_DONE : cli_refuse(cli, e);
}

const struct command command_player = {
	"player", "add|replace|remove|list|import GAME ...", "the people of a game", &player_argp, run};
