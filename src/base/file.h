/* Files: whole ones read with a limit, written whole or not at all; and where the project's data files are. */
#ifndef GALLOPER_BASE_FILE_H
#define GALLOPER_BASE_FILE_H

#include "base/err.h"

#include <stddef.h>

/* The file's bytes on `mem`, NUL-terminated; an error if it is larger than `max`. */
struct err *file_read(TALLOC_CTX *mem, const char *path, size_t max, char **out, size_t *len) MUST_CHECK;

/* Writes beside the target, syncs, renames. `mode` as for open(2). */
struct err *file_write(TALLOC_CTX *mem, const char *path, const void *bytes, size_t len, int mode) MUST_CHECK;

/* A file's name is on the disk only when its folder is: after a rename of one's own, this syncs the folder that holds
 * `path`. A file system that cannot sync folders is forgiven. */
void file_sync_folder_of(TALLOC_CTX *mem, const char *path);

/* Renames within a file system, over what is there, and syncs the folder: after a crash it is done or not done. */
struct err *file_move(TALLOC_CTX *mem, const char *from, const char *to) MUST_CHECK;

/* mkdir -p. */
struct err *file_make_folder(TALLOC_CTX *mem, const char *path, int mode) MUST_CHECK;

/* The folder that holds db/ and templates/: $GALLOPER_DATA, else the nearest folder above the running program that
 * holds both, else the installed one. Error if there is none. On `mem`. */
struct err *data_folder(TALLOC_CTX *mem, char **out) MUST_CHECK;

/* A data file, as "db/battles/falkirk.battle"; names with ".." are refused. */
struct err *data_read(TALLOC_CTX *mem, const char *name, char **out, size_t *len) MUST_CHECK;

#endif
