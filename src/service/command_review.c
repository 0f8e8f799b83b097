/* REVIEW, HOLD and RELEASE: what the referee looks at before the players do. */
#include "service/amending.h"

#include "service/part.h"

#include <string.h>

enum { REVIEW_HOURS_MAX = 720 };

static struct err *do_review(struct asking *a, const struct command_record *c)
{
	struct game *g = a->b->game;
	bool on = strcmp(c->text, "on") == 0;
	struct err *e;

	if (c->number > REVIEW_HOURS_MAX)
		return refuse(a, "REVIEW ON takes a number of hours from 0 to 720, as in: REVIEW ON 48 HOURS");
	g->review = on ? "on" : "off";
	if (on && c->number >= 0)
		g->review_hours = c->number;
	e = store_update_game(a->s->store, a->mem, g);
	if (e != NULL)
		return e;
	if (!on)
		return say(
			a, g->held ? "Review is off from the next turn on. The turn that is held still waits for your "
				     "RELEASE."
				   : "Review is off: players get each report as soon as the turn is resolved.");
	return say(a, g->review_hours == 0
			      ? "Review is on: each turn comes to you first and waits until you write RELEASE."
			      : talloc_asprintf(a->mem,
					"Review is on: each turn comes to you first. If you do nothing for %d hours, "
					"it goes to "
					"the players by itself.",
					g->review_hours));
}

static struct err *do_hold(struct asking *a, const struct command_record *c)
{
	struct game *g = a->b->game;
	const char *said;
	struct err *e;

	(void)c;
	if (g->held) {
		g->release_at = 0;
		said = talloc_asprintf(a->mem, "%s waits until you write RELEASE.", part_resolved_text(a->mem, g));
	} else if (strcmp(g->review, "on") == 0) {
		return say(a,
			talloc_asprintf(a->mem,
				"Review is on, so turn %d comes to you first anyway. Write HOLD in answer to it if you "
				"need more time.",
				g->turn));
	} else {
		g->review = "once";
		said = talloc_asprintf(a->mem,
			"Turn %d will come to you first and wait until you write RELEASE. Players get it then.",
			g->turn);
	}
	e = store_update_game(a->s->store, a->mem, g);
	return e != NULL ? e : say(a, said);
}

static struct err *do_release(struct asking *a, const struct command_record *c)
{
	struct game *g = a->b->game;
	int last = last_turn(g);
	const char *what = part_resolved_text(a->mem, g);
	struct amending *am = a->amending;
	struct err *e;

	if (last == 0)
		return refuse(a, "RELEASE: no turn has been resolved yet.");
	if (c->turn > 0 && c->turn != last)
		return refuse(a, talloc_asprintf(a->mem, "RELEASE TURN %d: the last turn is %d, so nothing was done.",
					 c->turn, last));
	if (!g->held)
		return refuse(a, talloc_asprintf(a->mem,
					 "RELEASE: nothing is held. %s has been told to the players already.", what));
	if (a->amiss)
		return refuse(a, "RELEASE: something else in your mail could not be done, so nothing is released yet. "
				 "Mend it, or write RELEASE alone.");
	e = release_turn(a);
	if (e != NULL)
		return e;
	if (am != NULL) {
		am->told = am->now;
		am->given_count = 0;
	}
	return say(a, strcmp(g->status, "ended") == 0
			      ? talloc_asprintf(a->mem, "%s is released, and the battle is over.", what)
			      : talloc_asprintf(a->mem, "%s is released: the reports are on their way. %s", what,
					part_ends_text(a->mem, a->b)));
}

const struct deed review_deeds[] = {
	{COMMAND_REVIEW, do_review, true, false},
	{COMMAND_HOLD, do_hold, false, false},
	{COMMAND_RELEASE, do_release, false, false},
	{COMMAND_VERBS, NULL, false, false},
};
