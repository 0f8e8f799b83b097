/* galloper read FILE.eml: what the mail reader makes of a mail. galloperd does it (read_mail.c). */
#include "cli/read.h"
#include "cli/pass.h"

static error_t parse(int key, char *arg, struct argp_state *argp)
{
	struct read_options *o = argp->input;

	switch (key) {
	case 'j':
		o->json = true;
		return 0;
	case ARGP_KEY_ARG:
		if (argp->arg_num > 0)
			argp_error(argp, "name one mail file only");
		o->file = arg;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(argp, "name a mail file, or - for standard input");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{"json", 'j', NULL, 0, "Print one JSON object", 0},
	{0},
};

const struct argp read_argp = {options, parse, "FILE.eml",
	"Shows what the mail reader makes of a mail: who wrote it, the tags and the token it carries, the text that "
	"was "
	"typed, the order sheets in it, and what was set aside."
	"\vNothing is stored and nobody is answered. A token is shown as it stands; only the daemon can tell whether "
	"it is "
	"genuine. The exit status is 1 when the mail cannot be read.",
	NULL, NULL, NULL};

static int run(struct cli *cli, int argc, char **argv)
{
	struct read_options o = {0};

	argp_parse(&read_argp, argc, argv, 0, NULL, &o);
	return pass_on(cli);
}

const struct command command_read = {
	.name = "read",
	.usage = "FILE.eml",
	.help = "show what the mail reader makes of a mail",
	.argp = &read_argp,
	.run = run,
};
