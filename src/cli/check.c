/* galloper check: reads an order sheet as the daemon would and prints the read-back. */
#include "base/file.h"
#include "cli/about.h"
#include "service/battles.h"
#include "service/reading.h"

#include <stdio.h>
#include <string.h>

enum { FILE_BYTES_MAX = 1 << 22 };

struct check_options {
	const char *battle, *rules, *file;
	int side; /* -1 = not given */
	bool json;
};

static error_t parse(int key, char *arg, struct argp_state *argp)
{
	struct check_options *o = argp->input;

	switch (key) {
	case 'b':
		o->battle = arg;
		return 0;
	case 'r':
		o->rules = arg;
		return 0;
	case 's':
		if (strcasecmp(arg, "E") != 0 && strcasecmp(arg, "J") != 0)
			argp_error(argp, "--side is E or J");
		o->side = strcasecmp(arg, "E") == 0 ? SIDE_GOVERNMENT : SIDE_JACOBITE;
		return 0;
	case 'j':
		o->json = true;
		return 0;
	case ARGP_KEY_ARG:
		if (o->file)
			argp_error(argp, "one file only");
		o->file = arg;
		return 0;
	case ARGP_KEY_END:
		if (!o->battle || o->side < 0 || !o->file)
			argp_error(argp, "needed: --battle NAME --side E|J FILE");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	ABOUT_BATTLE('b'),
	{"rules", 'r', "NAME", 0, "The rules: fastplay or shreds (the battle's own)", 0},
	{"side", 's', "E|J", 0, "Whose orders these are", 0},
	{"json", 'j', NULL, 0, "Print one JSON object", 0},
	{0},
};

static const struct argp check_argp = {options, parse, "FILE",
	"Reads an order sheet as the daemon would and prints what was understood, with all units where the battle "
	"begins. FILE - is standard input. --battle and --side must be given."
	"\vThe exit status is 0 when all was understood and 1 when something was not. Lines and columns count from 1, "
	"and "
	"columns in characters of the line as it was typed.",
	NULL, about_battles, NULL};

static struct err *read_input(TALLOC_CTX *mem, const char *file, char **text, size_t *len)
{
	return file_read(mem, strcmp(file, "-") == 0 ? "/dev/stdin" : file, FILE_BYTES_MAX, text, len);
}

static int run(struct cli *cli, int argc, char **argv)
{
	struct check_options o = {.side = -1};
	struct scenario *sc;
	const struct ruleset *rules;
	struct reading *r;
	struct err *e;
	char *text;
	size_t len;

	argp_parse(&check_argp, argc, argv, 0, NULL, &o);
	e = battle_load(cli->mem, o.battle, o.rules, &sc, &rules);
	if (!e)
		e = read_input(cli->mem, o.file, &text, &len);
	if (e) {
		cli_fail(cli, e);
		return EXIT_USAGE;
	}
	r = reading_new(cli->mem, sc, rules->command_points, (enum side)o.side, text, len);
	fputs(o.json ? reading_json(cli->mem, r, sc, (enum side)o.side)
		     : reading_text(cli->mem, r, sc, (enum side)o.side),
		stdout);
	return r->understood ? EXIT_DONE : EXIT_NO;
}

const struct command command_check = {
	.name = "check",
	.usage = "--battle NAME --side E|J [--json] FILE",
	.help = "read an order sheet and say what was understood",
	.argp = &check_argp,
	.run = run,
};
