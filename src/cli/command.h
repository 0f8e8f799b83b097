/* A command of the program: one file each in this folder, one line each in the table of galloper.c or galloperd.c. The
 * same table makes `galloper help` and the man page. */
#ifndef GALLOPER_CLI_COMMAND_H
#define GALLOPER_CLI_COMMAND_H

#include "base/clock.h"
#include "base/log.h"

#include <argp.h>

enum exit_code { EXIT_DONE = 0, EXIT_NO = 1, EXIT_USAGE = 2, EXIT_WORLD = 3 };

/* What the options before the command say, and where things go. */
struct cli {
	TALLOC_CTX *mem;    /* one for the whole command */
	char **whole;       /* the program's own argv, for passing on */
	const char *config; /* -c FILE; "galloper.conf" when not given */
	struct clock clock; /* --now TIME */
	struct log log;
};

struct command {
	const char *name;
	const char *usage;       /* "FILE..." as after the name */
	const char *help;        /* one sentence for `help`; more in argp's doc */
	const struct argp *argp; /* options and doc; never NULL */
	/* argv[0] is the command's name. Returns an enum exit_code. */
	int (*run)(struct cli *cli, int argc, char **argv);
};

/* Prints the error as "galloper: where: what" on standard error; gives EXIT_WORLD. */
int cli_fail(struct cli *cli, const struct err *e);

/* Can this file, which the command line names, be read? EXIT_DONE, or EXIT_USAGE and the reason is printed. */
int cli_named_file(struct cli *cli, const char *path);

/* Reads the options before the command, finds it in the table (ends with NULL) and runs it. */
int cli_main(int argc, char **argv, const char *program, const struct command *const *table);

#endif
