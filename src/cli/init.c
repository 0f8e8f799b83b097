/* galloper init: a folder that works at once, with Maildirs and no server. */
#include "cli/open.h"
#include "service/setup.h"

#include <stdio.h>
#include <unistd.h>

struct init_options {
	const char *folder, *address, *operator_address;
};

static error_t parse(int key, char *arg, struct argp_state *argp)
{
	struct init_options *o = argp->input;

	switch (key) {
	case 'a':
		o->address = arg;
		return 0;
	case 'o':
		o->operator_address = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (argp->arg_num > 0)
			argp_error(argp, "one folder only");
		o->folder = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{"address", 'a', "ADDRESS", 0, "The game's own mail address (galloper@localhost)", 0},
	{"operator", 'o', "ADDRESS", 0, "Who is told about faults that belong to no game (nobody)", 0},
	{0},
};

static const struct argp init_argp = {options, parse, "[DIR]",
	"Makes DIR (this folder when not given) with a commented galloper.conf and an empty database.", NULL, NULL,
	NULL};

static int run(struct cli *cli, int argc, char **argv)
{
	struct init_options o = {".", "galloper@localhost", ""};
	bool configured;
	struct err *e;

	argp_parse(&init_argp, argc, argv, 0, NULL, &o);
	configured = access(talloc_asprintf(cli->mem, "%s/galloper.conf", o.folder), F_OK) == 0;
	e = setup_folder(cli->mem, o.folder, o.address, o.operator_address, &cli->clock, &cli->log);
	if (e != NULL)
		return cli_refuse(cli, e);
	printf(configured ? "Made a database for %s/galloper.conf.\n"
			  : "Made %s/galloper.conf and a database beside it.\n",
		o.folder);
	printf("It works at once with Maildirs: orders are files in %s/mail/in/new, and what is\n"
	       "sent lies in %s/mail/out. For a real mailbox, edit galloper.conf.\n"
	       "Next: galloper -c %s/galloper.conf game new NAME --battle falkirk --english ADDR\n"
	       "      --jacobite ADDR --referee ADDR\n",
		o.folder, o.folder, o.folder);
	return EXIT_DONE;
}

const struct command command_init = {"init", "[DIR]", "make a folder with settings and a database", &init_argp, run};
