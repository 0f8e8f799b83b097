/* galloperd resolve: the mailbox is read first, so that no orders are missed. */
#include "cli/open.h"
#include "cli/pass.h"
#include "cli/resolve.h"
#include "service/part.h"
#include "service/pass.h"

#include <stdio.h>
#include <unistd.h>

enum { TRIES = 20, WAIT = 250000 /* microseconds, while another process is at the mailbox */ };

static struct err *read_mailbox(struct cli *cli, const struct service *s, struct passed *done)
{
	struct pass pass = {.service = s, .reader = reader_new(cli->mem, reader_path(cli->mem))};
	struct err *e = pass_read(&pass, cli->mem, done);

	for (int i = 1; e == NULL && done->busy != NULL && i < TRIES; i++) {
		usleep(WAIT);
		e = pass_read(&pass, cli->mem, done);
	}
	return e;
}

static int not_read(struct cli *cli, const struct game *g, const struct passed *done)
{
	return cli_fail(cli,
		err_new(cli->mem, ERR_ACCOUNT, true, "",
			"%s, so orders that lie in it would be missed: nothing was resolved. Try again later, or go on "
			"without it: galloper resolve %s --without-mailbox",
			done->busy != NULL ? "another process is at the mailbox" : "the mailbox could not be read",
			g->name));
}

static int run_resolve(struct cli *cli, int argc, char **argv)
{
	struct resolve_options o = {NULL, 0, false};
	struct passed done;
	struct service *s;
	struct game *was, *g;
	struct err *e;
	int code;

	argp_parse(&resolve_argp, argc, argv, 0, NULL, &o);
	code = cli_open_game(cli, o.game, &s, &was);
	if (code != EXIT_DONE || o.without_mailbox)
		return code != EXIT_DONE ? code : resolve_now(cli, s, was, o.turn);
	e = read_mailbox(cli, s, &done);
	if (e != NULL)
		return cli_fail(cli, e);
	if (done.busy != NULL || done.mailbox_trouble)
		return not_read(cli, was, &done);
	code = cli_game(cli, s, o.game, &g);
	if (code != EXIT_DONE)
		return code;
	if (done.read > 0)
		printf("%d mail%s read first.\n", done.read, done.read == 1 ? " was" : "s were");
	if (g->turn == was->turn && g->part == was->part && g->line == was->line)
		return resolve_now(cli, s, g, o.turn);
	printf("By that %s is resolved already; the reports are in the outbox.\n", part_resolved_text(cli->mem, g));
	return EXIT_DONE;
}

const struct command command_resolve_mail = {"resolve", "GAME [--turn N] [--without-mailbox]",
	"read the mailbox and resolve the current turn now", &resolve_argp, run_resolve};
