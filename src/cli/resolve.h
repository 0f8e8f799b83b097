/* galloper resolve GAME, in both programs: galloperd reads the mailbox first. */
#ifndef GALLOPER_CLI_RESOLVE_H
#define GALLOPER_CLI_RESOLVE_H

#include "cli/command.h"
#include "service/desk.h"

struct resolve_options {
	const char *game;
	int turn; /* 0: whichever it is */
	bool without_mailbox;
};

/* Fills in a struct resolve_options. */
extern const struct argp resolve_argp;

/* Resolves the turn that is open, and says so. An exit code. */
int resolve_now(struct cli *cli, const struct service *s, struct game *g, int turn);

#endif
