/* galloperd tick: one pass. */
#include "base/buf.h"
#include "cli/open.h"
#include "cli/pass.h"
#include "cli/run.h"
#include "service/pass.h"

#include <stdio.h>

/* One line for whoever tries things out; cron throws it away. */
static void tell(TALLOC_CTX *mem, const struct passed *done)
{
	const struct {
		int count;
		const char *one, *more;
	} parts[] = {
		{done->read, "mail read", "mails read"},
		{done->resolved, "turn resolved", "turns resolved"},
		{done->released, "report released", "reports released"},
		{done->reminded, "reminder written", "reminders written"},
		{done->sent, "mail sent", "mails sent"},
	};
	struct buf *out = buf_new(mem);

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (parts[i].count > 0)
			buf_printf(out, "%s%d %s", out->len > 0 ? ", " : "", parts[i].count,
				parts[i].count == 1 ? parts[i].one : parts[i].more);
	printf("%s.%s%s%s%s%s\n",
		out->len > 0         ? out->data
		: done->busy != NULL ? "Nothing was done"
				     : "There was nothing to do",
		done->busy != NULL ? " " : "", done->busy != NULL ? done->busy : "",
		done->mailbox_trouble ? " The mailbox could not be read." : "",
		done->filing_trouble ? " Mails that were read could not be moved out of the mailbox." : "",
		done->sending_trouble ? " Mail could not be sent." : "");
}

static int run(struct cli *cli, int argc, char **argv)
{
	struct service *s;
	struct passed done;
	struct pass pass;
	struct err *e;
	int code;

	argp_parse(&tick_argp, argc, argv, 0, NULL, NULL);
	code = cli_open(cli, &s);
	if (code != EXIT_DONE)
		return code;
	pass = (struct pass){.service = s, .reader = reader_new(cli->mem, reader_path(cli->mem))};
	e = pass_make(&pass, cli->mem, &done);
	if (e != NULL)
		return cli_fail(cli, e);
	tell(cli->mem, &done);
	return done.mailbox_trouble || done.filing_trouble || done.sending_trouble ? EXIT_WORLD : EXIT_DONE;
}

const struct command command_tick_mail = {"tick", "", "make one pass: fetch, read, resolve, send", &tick_argp, run};
