/* The options of `read`, the same in galloper, which passes it on, and in galloperd, which does it. */
#ifndef GALLOPER_CLI_READ_H
#define GALLOPER_CLI_READ_H

#include "cli/command.h"

extern const struct argp read_argp; /* its input is a struct about (about.h) */

#endif
