/* Commands that need the mail libraries: `galloper` knows their names and options and passes them on to galloperd,
 * which lies beside it. */
#ifndef GALLOPER_CLI_PASS_H
#define GALLOPER_CLI_PASS_H

#include "cli/command.h"

/* The paths of galloperd and of the mail reader: beside the running program. On `mem`. */
char *galloperd_path(TALLOC_CTX *mem);
char *reader_path(TALLOC_CTX *mem);

/* Becomes galloperd with the whole command line of this program; comes back only if that fails. */
int pass_on(struct cli *cli);

#endif
