/* The programs' long-running side: `tick` makes one pass, `daemon` makes them for ever. galloper knows their options
 * and passes them on to galloperd. */
#ifndef GALLOPER_CLI_RUN_H
#define GALLOPER_CLI_RUN_H

#include "cli/command.h"

extern const struct argp tick_argp;
extern const struct argp daemon_argp;

#endif
