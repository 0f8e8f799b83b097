/* Looking a battle file over for the one who wrote it. */
#ifndef GALLOPER_SERVICE_INSPECTION_H
#define GALLOPER_SERVICE_INSPECTION_H

#include "base/err.h"

/* A battle of ours or a file: its map and roster, then its flaws, a line each, and how many of these are no mere notes.
 * What cannot be read is an error, file:line:column. On `mem`. */
struct err *inspect_battle(TALLOC_CTX *mem, const char *name_or_path, char **out, int *problems) MUST_CHECK;

#endif
