/* galloper read FILE.eml: what the mail reader makes of a mail. galloperd does it (read_mail.c); with --text
 * the mail as a person sees it. */
#include "cli/read.h"
#include "cli/about.h"
#include "cli/pass.h"
#include "service/mailtext.h"

#include <stdio.h>

static const struct argp_option options[] = {
	ABOUT_JSON("Print one JSON object"),
	{"text", 'p', NULL, 0, "Only show the mail, as the person sees it who gets it", 0},
	{0},
};

const struct argp read_argp = {options, about_parse, "FILE.eml",
	"Shows what the mail reader makes of a mail: who wrote it, the tags and the token it carries, the text that "
	"was "
	"typed, the order sheets in it, and what was set aside."
	"\vNothing is stored and nobody is answered. A token is shown as it stands; only the daemon can tell whether "
	"it is "
	"genuine. The exit status is 1 when the mail cannot be read.",
	NULL, NULL, NULL};

static int run(struct cli *cli, int argc, char **argv)
{
	struct about o = about_read(&read_argp, argc, argv); /* a wrong word is told here */
	int code = cli_named_file(cli, o.what);
	struct buf *out = buf_new(cli->mem);
	struct err *e;

	if (code != EXIT_DONE || !o.text)
		return code == EXIT_DONE ? pass_on(cli) : code;
	e = mailtext_of_file(cli->mem, o.what, out);
	if (e != NULL)
		return cli_fail(cli, e);
	fwrite(out->data, 1, out->len, stdout);
	return EXIT_DONE;
}

const struct command command_read = {
	.name = "read",
	.usage = "FILE.eml",
	.help = "show what the mail reader makes of a mail",
	.argp = &read_argp,
	.run = run,
};
