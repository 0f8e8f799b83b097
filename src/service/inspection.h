/* Looking a battle file over for the one who wrote it. */
#ifndef GALLOPER_SERVICE_INSPECTION_H
#define GALLOPER_SERVICE_INSPECTION_H

#include "battle/scenario.h"

/* A battle of ours or a file: its map and roster, then its flaws, a line each, and how many of these are no mere notes.
 * Where lines cannot be read, they are in `bad`, and besides them only flaws of the pieces that could be read are
 * listed. On `mem`. */
struct err *inspect_battle(
	TALLOC_CTX *mem, const char *name_or_path, char **out, int *problems, struct bad_lines *bad) MUST_CHECK;

#endif
