/* galloper odds FILE --runs N: how a case ends with many different dice. */
#include "service/odds.h"

#include "base/file.h"
#include "cli/command.h"
#include "cli/number.h"

#include <stdio.h>
#include <unistd.h>

enum { CASE_BYTES_MAX = 1 << 20, RUNS_DEFAULT = 10000, WORKERS_MAX = 16 };

struct odds_options {
	const char *file;
	int runs, workers;
};

static error_t parse(int key, char *arg, struct argp_state *argp)
{
	struct odds_options *o = argp->input;

	switch (key) {
	case 'n':
		o->runs = number_option(argp, "--runs", arg, 1, ODDS_RUNS_MAX, "");
		return 0;
	case 'w':
		o->workers = number_option(argp, "--workers", arg, 1, WORKERS_MAX, "");
		return 0;
	case ARGP_KEY_ARG:
		if (o->file)
			argp_error(argp, "name one case file");
		o->file = arg;
		return 0;
	case ARGP_KEY_END:
		if (!o->file)
			argp_error(argp, "name a case file");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{"runs", 'n', "N", 0, "How often to play the case (10,000 when not given)", 0},
	{"workers", 'w', "N", 0, "Processes to divide the work among; the result is the same for any number", 0},
	{0},
};

static const struct argp odds_argp = {options, parse, "FILE",
	"Plays a rules case many times, each time with other dice, and prints how it ends as CSV."
	"\vLines are unit,CODE,bases,N,SHARE and commander,CODE,dead,SHARE for the end of the case, expect,LINE,SHARE "
	"for "
	"each "
	"expectation, and runs,N. Dice that the case gives stay as given.",
	NULL, NULL, NULL};

static int run(struct cli *cli, int argc, char **argv)
{
	struct odds_options o = {.runs = RUNS_DEFAULT};
	struct buf *out = buf_new(cli->mem);
	struct rules_case *c;
	struct err *e;
	char *text;
	size_t len;

	if (argp_parse(&odds_argp, argc, argv, 0, NULL, &o))
		return EXIT_USAGE;
	e = file_read(cli->mem, o.file, CASE_BYTES_MAX, &text, &len);
	if (!e)
		e = case_read(cli->mem, o.file, text, len, &c);
	if (e) {
		cli_fail(cli, e);
		return EXIT_USAGE;
	}
	e = odds_run(cli->mem, c, o.runs, o.workers, isatty(STDERR_FILENO) ? STDERR_FILENO : -1, out);
	if (e)
		return cli_fail(cli, e);
	fwrite(out->data, 1, out->len, stdout);
	return EXIT_DONE;
}

const struct command command_odds = {
	"odds", "[--runs N] FILE", "play a rules case with many different dice and print the odds", &odds_argp, run};
