/* The manual page galloper(1), made from the same tables as `help`, so that the two cannot differ. */
#ifndef GALLOPER_CLI_MANUAL_H
#define GALLOPER_CLI_MANUAL_H

#include "cli/command.h"

#include <stdio.h>

/* Writes the page in man(7) to `out`; `parameters` are those of `help parameters`. */
void manual_print(FILE *out, const struct command *const *table, const char *parameters);

#endif
