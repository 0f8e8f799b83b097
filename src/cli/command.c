#include "cli/command.h"

#include "base/random.h"
#include "service/options.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int cli_fail(struct cli *cli, const struct err *e)
{
	fprintf(stderr, "galloper: %s\n", err_text(cli->mem, e));
	return EXIT_WORLD;
}

int cli_named_file(struct cli *cli, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK), error = errno;
	struct stat st;

	if (fd >= 0) {
		error = fstat(fd, &st) == 0 && S_ISDIR(st.st_mode) ? EISDIR : 0;
		close(fd);
	}
	if (error == 0)
		return EXIT_DONE;
	cli_fail(cli, err_errno(cli->mem, error, path, "cannot read this file"));
	return EXIT_USAGE;
}

static void print_commands(FILE *out, const char *program, const struct command *const *table)
{
	fprintf(out, "Usage: %s [-c FILE] [--now TIME] [-v] COMMAND ...\n\nCommands:\n", program);
	for (int i = 0; table[i] != NULL; i++)
		fprintf(out, "  %-10s %s\n", table[i]->name, table[i]->help);
	fprintf(out, "  %-10s this list, or help about a command\n  %-10s print the version\n", "help", "version");
	fprintf(out,
		"\n'%s COMMAND --help' says more about one. '%s help parameters'\nlists all numbers of the rules. The "
		"manual is galloper(1).\n",
		program, program);
}

/* The options that stand before the command. argp would reorder the command's own options among them, so these few are
 * read here. Returns the index of the command, argc when there is none, or -1 after a wrong option. */
static int read_options(struct cli *cli, const char **fixed, int argc, char **argv)
{
	int i;

	for (i = 1; i < argc && argv[i][0] == '-'; i++) {
		const char *a = argv[i], *now = NULL;

		if (strcmp(a, "-v") == 0 || strcmp(a, "--verbose") == 0) {
			cli->log.level = LOG_LEVEL_DEBUG;
		} else if (strcmp(a, "-c") == 0 && i + 1 < argc) {
			cli->config = argv[++i];
		} else if (strncmp(a, "--now=", 6) == 0) {
			now = a + 6;
		} else if (strcmp(a, "--now") == 0 && i + 1 < argc) {
			now = argv[++i];
		} else if (strcmp(a, "-c") == 0 || strcmp(a, "--now") == 0) {
			fprintf(stderr, "galloper: %s wants %s after it, and then the command\n", a,
				a[1] == 'c' ? "a FILE" : "a TIME");
			return -1;
		} else if (strcmp(a, "--random") == 0 && i + 1 < argc) {
			*fixed = argv[++i];
		} else if (strcmp(a, "--help") == 0 || strcmp(a, "-h") == 0 || strcmp(a, "--version") == 0) {
			break;
		} else {
			fprintf(stderr, "galloper: unknown option %s before the command; see 'galloper help'\n", a);
			return -1;
		}
		if (now != NULL && !clock_parse(now, "UTC", &cli->clock.fixed)) {
			fprintf(stderr, "galloper: --now %s is no time; write it as 2027-01-15T16:00:00Z\n", now);
			return -1;
		}
	}
	return i;
}

/* argp's messages begin with the whole name: "Usage: galloper check ...". */
static int run_command(struct cli *cli, const struct command *command, int argc, char **argv)
{
	char **own = talloc_array(cli->mem, char *, (unsigned)argc + 1);

	memcpy(own, argv, (size_t)(argc + 1) * sizeof *own);
	own[0] = talloc_asprintf(own, "galloper %s", command->name);
	argp_err_exit_status = EXIT_USAGE;
	return command->run(cli, argc, own);
}

/* `help parameters [BATTLE]`, `help COMMAND`. */
static int print_topic(struct cli *cli, const char *program, const struct command *const *table, int argc, char **argv)
{
	char *text;
	struct err *e;
	int code;

	if (strcmp(argv[0], "version") == 0) {
		printf("%s version prints the version, which is now " VERSION ".\n", program);
		return EXIT_DONE;
	}
	if (strcmp(argv[0], "help") == 0 || strcmp(argv[0], "--help") == 0) {
		print_commands(stdout, program, table);
		return EXIT_DONE;
	}
	if (strcmp(argv[0], "parameters") == 0) {
		e = options_manual(cli->mem, argc > 1 ? argv[1] : NULL, &text);
		if (e != NULL) {
			code = cli_fail(cli, e);
			return e->scope == ERR_GAME ? EXIT_USAGE : code;
		}
		fputs(text, stdout);
		return EXIT_DONE;
	}
	for (int i = 0; table[i] != NULL; i++)
		if (strcmp(table[i]->name, argv[0]) == 0) {
			argp_help(table[i]->argp, stdout, ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK,
				talloc_asprintf(cli->mem, "%s %s", program, argv[0]));
			return EXIT_DONE;
		}
	fprintf(stderr, "galloper: there is no help about '%s'; 'galloper help' lists the commands\n", argv[0]);
	return EXIT_USAGE;
}

int cli_main(int argc, char **argv, const char *program, const struct command *const *table)
{
	struct cli cli = {
		.mem = talloc_new(NULL),
		.whole = argv,
		.config = "galloper.conf",
		.clock = {.fixed = -1},
		.log = {.fd = STDERR_FILENO, .level = LOG_LEVEL_WARN},
	};
	const char *fixed = NULL;
	int at = read_options(&cli, &fixed, argc, argv);
	int code = EXIT_USAGE;

	/* A file that may not grow further (ulimit -f) is an error like any other, not a sudden end. */
	signal(SIGXFSZ, SIG_IGN);
	/* For scripted weeks in tests only, so `help` does not name it. */
	if (fixed != NULL)
		random_fix(fixed, clock_now(&cli.clock));
	if (at >= 0 && at == argc) {
		print_commands(stderr, program, table);
	} else if (at >= 0 && strcmp(argv[at], "help") == 0 && at + 1 < argc) {
		code = print_topic(&cli, program, table, argc - at - 1, argv + at + 1);
	} else if (at >= 0 &&
		   (strcmp(argv[at], "--help") == 0 || strcmp(argv[at], "-h") == 0 || strcmp(argv[at], "help") == 0)) {
		print_commands(stdout, program, table);
		code = EXIT_DONE;
	} else if (at >= 0 && (strcmp(argv[at], "--version") == 0 || strcmp(argv[at], "version") == 0)) {
		puts("galloper " VERSION);
		code = EXIT_DONE;
	} else if (at >= 0) {
		int i = 0;

		while (table[i] != NULL && strcmp(table[i]->name, argv[at]) != 0)
			i++;
		if (table[i] != NULL) {
			code = run_command(&cli, table[i], argc - at, argv + at);
		} else {
			fprintf(stderr, "galloper: there is no command '%s'; 'galloper help' lists them\n", argv[at]);
		}
	}
	if (fflush(stdout) != 0 && code == EXIT_DONE) {
		perror("galloper: standard output");
		code = EXIT_WORLD;
	}
	talloc_free(cli.mem);
	return code;
}
