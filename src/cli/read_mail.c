/* galloperd read FILE.eml, and `galloperd reader`, the sandboxed child that every reading of a mail starts. */
#include "cli/about.h"
#include "cli/pass.h"
#include "cli/read.h"
#include "service/mailview.h"

#include <stdio.h>

static int run_read(struct cli *cli, int argc, char **argv)
{
	struct about o = about_read(&read_argp, argc, argv);
	struct buf *out = buf_new(cli->mem);
	bool readable = false;
	struct err *e;

	e = mailview(cli->mem, galloperd_path(cli->mem), o.what, o.json, out, &readable);
	if (e)
		return cli_fail(cli, e);
	fwrite(out->data, 1, out->len, stdout);
	return readable ? EXIT_DONE : EXIT_NO;
}

const struct command command_read_mail = {
	.name = "read",
	.usage = "FILE.eml",
	.help = "show what the mail reader makes of a mail",
	.argp = &read_argp,
	.run = run_read,
};

static int run_reader(struct cli *cli, int argc, char **argv)
{
	(void)cli;
	(void)argc;
	(void)argv;
	return mailview_reader();
}

static const struct argp reader_argp = {
	NULL, NULL, NULL, "Reads mails for galloperd, which starts it.", NULL, NULL, NULL};

const struct command command_reader = {
	.name = "reader",
	.usage = "",
	.help = "read mails for the daemon, which starts this itself",
	.argp = &reader_argp,
	.run = run_reader,
};
