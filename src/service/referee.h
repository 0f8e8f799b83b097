/* The referee's desk: the last resolved turn may be amended, which resolves it again from what was amended on, and is
 * released to the players when it was held for review. Every resolution is kept; the last one counts. All functions
 * that write are called inside the transaction of what they belong to. */
#ifndef GALLOPER_SERVICE_REFEREE_H
#define GALLOPER_SERVICE_REFEREE_H

#include "service/adjudicate.h"

/* A resolution as it was stored. */
struct resolved {
	const struct turn_row *row;
	struct state *before, *after;
	struct events *events;
	struct amendments *amendments;
	int from;                  /* played again: before this phase all is as it was */
	struct part_positions way; /* and from there on, between the phases */
};

/* Reads a stored resolution; on `mem`. */
struct err *resolved_read(TALLOC_CTX *mem, const struct turn_row *row, struct resolved **out) MUST_CHECK;

/* Which numbers its report prints before events: "the events of turn 3 are numbered 1 to 17"; on `mem`. */
char *resolved_numbers_text(TALLOC_CTX *mem, int turn, const struct events *events);

/* The game's last resolved turn as it counts now; *out is NULL before turn 1 is resolved. */
struct err *referee_last(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, struct resolved **out) MUST_CHECK;

/* What a referee changes about a turn: one amendment, or the orders that it is resolved with. */
struct change {
	const struct amendment *amendment;   /* NULL: only the orders change */
	const char *orders;                  /* as they are stored; NULL: they stay */
	const struct amendments *amendments; /* in the place of all so far; NULL: they stay */
	const char *what;                    /* the command, kept as why the turn was resolved again */
};

/* Who is in the way of a piece that is put at `box`: a piece; OFF_TABLE over the table's edge; NOBODY. */
enum { NOBODY = -1, OFF_TABLE = -2 };
int referee_stands_there(const struct scenario *sc, const struct state *s, int unit, const struct box *box);

/* Are both about the same thing? */
bool amendment_alike(const struct amendment *a, const struct amendment *b);

/* The one among them that is about the same thing, or NULL; and is that very change among them? */
const struct amendment *amendment_about(const struct amendments *all, const struct amendment *like);
bool amendment_stands(const struct amendments *all, const struct amendment *like);

/* All but what is about the same thing (NULL: all), on `mem`; and one more, as if never applied. */
struct amendments *amendments_but(TALLOC_CTX *mem, const struct amendments *old, const struct amendment *about);
struct amendment *amendments_put(struct amendments *all, const struct amendment *added);

/* Resolves `last` again with the change on top of all earlier ones (an amendment of the same thing takes the earlier
 * one's place; if things then are as if neither had been made, neither is a ruling any more), keeps it, and moves the
 * board's state along. A change that would do nothing is not kept: *out is NULL then. Players know nothing of it yet:
 * see referee_correct. */
struct err *referee_amend(const struct service *s, TALLOC_CTX *mem, struct board *b, const struct resolved *last,
	const struct change *c, struct resolved **out) MUST_CHECK;

/* The version of the last turn that players have been told of while a correction of it is held back (see
 * referee_hold_back); NULL when they know nothing of it, or of it only a part. */
struct err *referee_told(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct resolved *last,
	struct resolved **out) MUST_CHECK;

/* A change of a turn that players know would end the battle, and then all is told, the secret seed too: so it waits for
 * the referee's RELEASE, however long that takes, and can be taken back until then. */
struct err *referee_hold_back(const struct service *s, TALLOC_CTX *mem, struct board *b) MUST_CHECK;

/* A held turn that has been let go, as long as the players have not been written to. */
struct released {
	const struct resolved *turn;
	const struct turn_row *told; /* what they knew of it, or of parts of it, before it was held; NULL for nothing */
	const struct resolved *known; /* the same where that was as much of the turn */
};

/* Lets a held turn go, and the next turn's time begins (see release_deadline). The game must be held. */
struct err *referee_release(const struct service *s, TALLOC_CTX *mem, struct board *b, struct released *out) MUST_CHECK;

/* The reports of a released turn are rendered and mailed to all, with the deadline that the game has now. What players
 * knew before it was held is corrected, if it is another now. */
struct err *referee_tell_released(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct released *r) MUST_CHECK;

/* After amendments that come to nothing of what the players know: that resolution counts as told. */
struct err *referee_keep_quiet(const struct service *s, TALLOC_CTX *mem, const struct resolved *now) MUST_CHECK;

/* After an amendment of a turn that the players know: mails the corrected report to all. `told` is the resolution that
 * they were told of before, `because` the referee's reasons. */
struct err *referee_correct(const struct service *s, TALLOC_CTX *mem, struct board *b, const struct resolved *told,
	const char *because) MUST_CHECK;

/* When the next turn ends if a held one is released at `now`. While a turn is held nobody can write orders, so no
 * deadline runs; afterwards players have at least half of the time that they would have had: the deadline that stood
 * when the turn was resolved, or else the first of the game's regular times that leaves them as much. One that the
 * referee has set by hand meanwhile stands as long as it lies ahead. `resolved` is when the turn was resolved first. */
int64_t release_deadline(const struct game *g, int64_t resolved, int64_t now);

#endif
