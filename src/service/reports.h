/* What the mails about a resolved turn have in common: for reports.c and review.c. */
#ifndef GALLOPER_SERVICE_REPORTS_H
#define GALLOPER_SERVICE_REPORTS_H

#include "report/chronicle.h"
#include "service/post.h"

/* The sentences of the board's rule set, which are the board's; read once. */
struct err *report_chronicle(TALLOC_CTX *mem, const struct board *b, struct chronicle **out) MUST_CHECK;

/* Numbered sentences under the titles of their phases; without the first `told`, with `dice` each with the names of its
 * dice. `s` is any state of the battle. On `mem`. */
char *report_events(TALLOC_CTX *mem, const struct board *b, const struct chronicle *c, const struct state *s,
	const struct events *events, int told, bool dice);

/* The values that all of them share: turn, headline, map, legend, events; put_report's also result and roster. `then`
 * is the board with the state before the turn. */
struct err *put_course(TALLOC_CTX *mem, const struct board *then, const struct state *after,
	const struct events *events, int told, int turn, int side, bool dice, struct values *v) MUST_CHECK;
struct err *put_report(TALLOC_CTX *mem, const struct board *then, const struct state *after,
	const struct events *events, int told, int turn, int side, bool dice, struct values *v) MUST_CHECK;

/* The value entered: whose orders a referee gave in this turn. */
struct err *put_entered(const struct service *s, TALLOC_CTX *mem, const struct board *then, const struct state *after,
	struct values *v) MUST_CHECK;

/* The values luck and luck_all: of this turn's dice, and of all so far. */
struct err *put_luck(const struct service *s, TALLOC_CTX *mem, const struct board *then, const struct events *events,
	int side, struct values *v) MUST_CHECK;

/* A resolved turn as a report tells it. */
struct told_turn {
	const struct board *then, *now; /* with the states before and after it; the game has moved on already */
	const struct events *events;
	int told;               /* how many of them have been told before (pace phased) */
	int64_t row;            /* as it is stored (turns.h) */
	const char *correction; /* what a referee has changed since the last report; "" for a first one */
	const char *left;       /* what of a drill's mails gave no order (unread_left) */
};

/* The report, or when the battle has ended the debrief, to one of them; `to` NULL: of our own accord. */
struct err *report_mail(const struct service *s, TALLOC_CTX *mem, const struct told_turn *t, const struct player *p,
	const struct answered_mail *to) MUST_CHECK;

#endif
