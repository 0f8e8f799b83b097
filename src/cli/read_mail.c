/* galloperd read FILE.eml. */
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

	e = mailview(cli->mem, reader_path(cli->mem), o.what, o.json, out, &readable);
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
