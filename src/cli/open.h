/* Opening what most commands work on. */
#ifndef GALLOPER_CLI_OPEN_H
#define GALLOPER_CLI_OPEN_H

#include "cli/command.h"
#include "service/desk.h"

/* The configuration and its database; EXIT_DONE or, with the reason printed, another exit code. */
int cli_open(struct cli *cli, struct service **out);

/* The game of that name; EXIT_NO with the reason printed when there is none. */
int cli_game(struct cli *cli, const struct service *s, const char *name, struct game **out);

/* Both. */
int cli_open_game(struct cli *cli, const char *name, struct service **s, struct game **g);

/* Prints an error: EXIT_NO for a mistake of the caller's (ERR_GAME), else EXIT_WORLD. */
int cli_refuse(struct cli *cli, const struct err *e);

/* Says that no turn of the game has been resolved yet; gives EXIT_NO. */
int cli_no_turn(struct cli *cli, const struct game *g);

#endif
