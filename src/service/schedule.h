/* What is due: deadlines, early resolution when everybody is ready, reminders. */
#ifndef GALLOPER_SERVICE_SCHEDULE_H
#define GALLOPER_SERVICE_SCHEDULE_H

#include "service/service.h"

/* What is known of the mailbox: the account's times (store/mailbox.h). */
struct mailbox_seen {
	int64_t complete;      /* when the last poll that got everything was begun */
	int64_t failing_since; /* 0 = it works */
};

struct deadlines {
	int resolved;
	/* The earliest deadline of a game that is due and has to wait: for a complete poll, for its grace to run out,
	 * or for the next pass since we are told to stop. Mails that arrived later must not be read before. INT64_MAX
	 * when none waits. */
	int64_t held;
};

/* Resolves every running game whose deadline lies before `before`, as far as it may be: when the mailbox has been read
 * whole since, or grace is over (then its referees are told). Grace is over when that many hours have gone by since the
 * deadline, and the mailbox had failed by then or has failed for as long since: a server that comes back after a week
 * gives its mailbox that much time before it does without. The deadline's second is still in time, so a mail that
 * arrived at T may be read once this was called with `before` = T, unless T lies after `held`. Each game is a
 * transaction of its own, in which `lease` must still be ours; one that fails is told to the operator and holds up no
 * other. After a long time away a game is resolved once, and its next deadline lies in the future. */
struct err *schedule_deadlines(const struct service *s, TALLOC_CTX *mem, int64_t before,
	const struct mailbox_seen *seen, const char *lease, struct deadlines *out) MUST_CHECK;

/* Releases every held turn whose referee has let the hours of review go by. */
struct err *schedule_releases(const struct service *s, TALLOC_CTX *mem, const char *lease, int *released) MUST_CHECK;

/* Resolves this game if every player of both sides has said READY. With 0: every running game. */
struct err *schedule_ready(
	const struct service *s, TALLOC_CTX *mem, int64_t game, const char *lease, int *resolved) MUST_CHECK;

/* Reminds the players who have no orders in, once for each of the game's hours and each deadline. When several of these
 * hours have passed at once, one reminder is sent. Drills that nobody plays any more end. */
struct err *schedule_reminders(const struct service *s, TALLOC_CTX *mem, const char *lease, int *sent) MUST_CHECK;

/* Tells the operator, at most once a day for each `kind`. A transaction of its own. */
struct err *tell_operator(
	const struct service *s, TALLOC_CTX *mem, const char *kind, const char *subject, const char *text) MUST_CHECK;

#endif
