/* A referee's changes of a turn, read from its versions, and taken back. Nothing is erased: taking a change back is one
 * more version, resolved without it. */
#ifndef GALLOPER_SERVICE_UNDO_H
#define GALLOPER_SERVICE_UNDO_H

#include "service/referee.h"

/* What a version was resolved with. */
struct version {
	const struct turn_row *row;
	struct amendments *amendments;
};

struct desk_change {
	int number;                     /* as he writes it after UNDO: 1 for the turn's first */
	const char *what;               /* the command, without its reason */
	const struct version *was, *is; /* before it and with it */
	bool undone;
};

struct desk_changes {
	struct desk_change *list;
	int count;
};

/* All changes of the turn of `last`, its last version, in order; on `mem`. */
struct err *undo_changes(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct resolved *last,
	struct desk_changes *out) MUST_CHECK;

/* "1. SET R BASES 3" a line each, without those that are undone; "" for none. On `mem`. */
char *undo_list(TALLOC_CTX *mem, const struct desk_changes *changes);

/* Why the turn is another than in that version, for the players: "- The referee rules: SET R BASES 3, because ..." for
 * each later change that is not undone. On `mem`. */
char *undo_reasons(TALLOC_CTX *mem, const struct desk_changes *changes, int version);

/* The latest that is not undone, or NULL. */
const struct desk_change *undo_latest(const struct desk_changes *changes);

/* How the turn is resolved without it: fills in `out`, on `mem`. False with *why, a sentence, when a later change of
 * the same thing stands in its place. */
bool undo_change(TALLOC_CTX *mem, const struct desk_changes *changes, const struct desk_change *c,
	const struct resolved *last, struct change *out, const char **why);

/* The amendment that it made, or the one that it took away; NULL where it changed orders. */
const struct amendment *undo_amendment(const struct desk_change *c);

#endif
