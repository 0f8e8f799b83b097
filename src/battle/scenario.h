/* A battle file: armies, deployment, ground, parameters and history, in lines a teacher can edit.
 *
 *   battle  falkirk
 *   title   "Falkirk, 17 January 1746"
 *   rules   fastplay
 *   side    E "English"                  (label of the side; J likewise; without it Government and Jacobite)
 *   table   90 60
 *   set     wet-powder on                (overrides of the rule set's parameters)
 *   unit    E A horse "Hamilton's (dragoons)" 6 at 22.25,22 facing north id HAM wing "Left"
 *   commander E Ha "Lt. Gen. Henry Hawley" overall at 45.25,9 facing 0 id HAWL wing "Army"
 *   bog     0,8 15,8 15,34 0,34 closed name "Boggy ground"
 *   history "One paragraph." (may be given several times; the other headings once)
 *
 * A case's set-up lines are the same syntax (CASES.md), so both go through scenario_line. */
#ifndef GALLOPER_BATTLE_SCENARIO_H
#define GALLOPER_BATTLE_SCENARIO_H

#include "battle/parameters.h"
#include "battle/state.h"
#include "battle/terrain.h"

struct scenario {
	const char *name; /* falkirk */
	const char *title;
	const char *rules;        /* fastplay */
	const char *label[SIDES]; /* English, Jacobite */
	const char *history;      /* paragraphs parted by blank lines; "" for none */
	struct table table;
	struct parameters *parameters; /* the rule set's, with this battle's overrides */
	struct state *state;           /* turn 1 before its first phase: the deployment */
	const char *file;              /* as given to scenario_read, and the line of each piece; NULL in a case */
	const int *lines;
	bool labelled[SIDES]; /* has a `side` line */
};

/* Reads a battle file. `base` are the rule set's parameters as read from its .rules file; they are copied; where they
 * name their rule set and it is not the battle's own, the battle's `set` lines are passed over and scenario.rules still
 * says the battle's own. Checks that ids and codes are unique, that everything is on the table and nothing overlaps. */
struct err *scenario_read(TALLOC_CTX *mem, const char *file, const char *text, size_t len,
	const struct parameters *base, struct scenario **out) MUST_CHECK;

/* Lines that cannot be read, as errors with their places. */
enum { BAD_LINES_MAX = 50 };
struct bad_lines {
	struct err *list[BAD_LINES_MAX]; /* in the order of the file; further ones are only counted */
	int count;
};

/* The same without those checks and down to the file's end, for `battle check`, which shows all that is wrong at once
 * (battle/inspect.h): each line that cannot be read is one in `bad`, and the scenario is made of all others. */
struct scenario *scenario_read_leniently(TALLOC_CTX *mem, const char *file, const char *text, size_t len,
	const struct parameters *base, struct bad_lines *bad);

/* Only the name after `rules` (so that the caller can fetch that rule set first), and where it stands; "fastplay" when
 * there is none. Other lines are passed over, whatever they hold. */
struct err *scenario_rules_name(TALLOC_CTX *mem, const char *file, const char *text, size_t len, const char **out,
	const char **place) MUST_CHECK;

/* An empty table with this scenario's rules, sides and ground parameters: what `battle NAME` means in a case. */
struct scenario *scenario_empty(TALLOC_CTX *mem, const struct scenario *of);

/* One set-up line (unit, commander, locked, set, or a kind of ground) added to the scenario; *taken is false when the
 * keyword is none of these. Nothing is checked against other pieces. */
struct err *scenario_line(TALLOC_CTX *mem, struct scenario *s, const struct line *l, bool *taken) MUST_CHECK;

/* Width and depth of a unit of that kind with that many bases (FP6, FP7). */
void footprint(enum kind kind, int bases, int begun, int32_t *width, int32_t *depth);
/* The same box with the footprint for its bases now: the front's midpoint stays (FP7). */
void unit_refit(struct unit *u);

#endif
