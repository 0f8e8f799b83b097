/* The mails about a turn that a referee looks at or has changed. All are called inside the transaction of what they
 * tell of. */
#ifndef GALLOPER_SERVICE_REVIEW_H
#define GALLOPER_SERVICE_REVIEW_H

#include "service/letters.h"
#include "service/referee.h"

/* To the referees: the report of a turn that is held, with the names of all dice, and how to change it and let it go.
 * The examples are of this very turn. */
struct err *letter_review(const struct service *s, TALLOC_CTX *mem, const struct adjudication *a) MUST_CHECK;

/* What amendments have made of a turn, as a page: what changed from `was` to `now`, amendments that no longer meet
 * their event, the map and the whole turn with its dice. `so_far` lists the changes that
 * stand. *subject says which version it is. Both on `mem`. */
struct err *amended_page(TALLOC_CTX *mem, const struct board *b, const struct resolved *was, const struct resolved *now,
	const char *so_far, const char **subject, char **out) MUST_CHECK;

/* What `a` (adjudicate_preview) says that the open turn would come to, as a page, with who has sent nothing yet. `b` is
 * the game as it is. Both on `mem`. */
struct err *preview_page(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct adjudication *a,
	const char **subject, char **out) MUST_CHECK;

/* The corrected report to everybody, with what changed since `told`, the referee's reasons, and to those whose orders
 * for the next turn no longer come to the same, what became of them. */
struct err *letter_corrections(const struct service *s, TALLOC_CTX *mem, const struct adjudication *a,
	const struct resolved *told, const char *because) MUST_CHECK;

#endif
