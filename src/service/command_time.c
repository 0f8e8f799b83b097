/* The referee's hold on the clock: pause, deadlines, and resolving a turn now. */
#include "service/command.h"

#include "base/clock.h"
#include "base/text.h"
#include "service/calendar.h"
#include "service/part.h"
#include "service/post.h"
#include "service/when.h"

#include <string.h>

enum { EXTEND_MAX = 60, SKIP_DAYS_MAX = 100, DAY = 24 * 3600 };

/* What everybody is told, with the reason if he gives one. */
static const char *told_why(struct asking *a, const struct command_record *c, const char *told)
{
	return c->because[0] == '\0'
		       ? told
		       : talloc_asprintf(a->mem, "%s The reason: %s", told, text_sentence(a->mem, c->because));
}

/* After a pause that has outlasted the deadline: the first weekly time that leaves at least half of what players
 * usually have. */
static int64_t resumed_deadline(const struct game *g, int64_t now)
{
	int64_t next = next_deadline(g, now), usual = calendar_next(g->slot, g->zone, "", next) - next;

	return next - now < usual / 2 ? calendar_next(g->slot, g->zone, g->skips, next) : next;
}

static struct err *do_pause(struct asking *a, const struct command_record *c)
{
	struct game *g = a->b->game;
	bool pause = c->verb == COMMAND_PAUSE;
	int64_t now = clock_now(&a->s->clock);
	const char *said;

	if (pause == (strcmp(g->status, "paused") == 0))
		return refuse(a, pause ? "The game is paused already." : "The game is not paused.");
	g->status = pause ? "paused" : "running";
	if (!pause && g->deadline <= now) {
		g->deadline = resumed_deadline(g, now);
		g->deadline_set = false;
	}
	if (pause)
		return change_game(a, "The game is paused: no turn is resolved until you write RESUME.",
			"The game is paused",
			told_why(a, c,
				"The referee has paused the game: no turn is resolved until it goes on. You may send "
				"orders all the same."));
	said = talloc_asprintf(a->mem, "The game goes on. %s", part_ends_text(a->mem, a->b));
	return change_game(a,
		talloc_asprintf(a->mem, "%s To move that write DEADLINE and the day and time, or EXTEND 7 DAYS.", said),
		"The game goes on", told_why(a, c, said));
}

/* With a turn that is held for review the battle may be over. */
static bool has_no_deadline(struct asking *a, const struct command_record *c)
{
	if (a->b->game->deadline != 0)
		return false;
	refuse(a, talloc_asprintf(a->mem,
			  "%s: as %s is now, the battle is over with it, so there is no deadline. Nothing was done.",
			  command_name(a->mem, c->verb), part_resolved_text(a->mem, a->b->game)));
	return true;
}

static struct err *move_deadline(struct asking *a, const struct command_record *c)
{
	struct game *g = a->b->game;
	const char *said = talloc_asprintf(a->mem, "Turn %d now ends %s.", g->turn, deadline_text(a->mem, g));

	g->deadline_set = true;
	return change_game(a, said, "A new deadline",
		told_why(a, c, talloc_asprintf(a->mem, "The referee has set a new deadline. %s", said)));
}

static struct err *do_deadline(struct asking *a, const struct command_record *c)
{
	struct game *g = a->b->game;
	const char *wrong;
	int64_t when;

	if (has_no_deadline(a, c))
		return NULL;
	wrong = when_read(a->mem, c->text, g->zone, clock_now(&a->s->clock), g->deadline, &when);
	if (wrong != NULL)
		return refuse(a, talloc_asprintf(a->mem,
					 "DEADLINE '%s': %s Write it like one of these: DEADLINE Friday 4pm, DEADLINE "
					 "tomorrow 16:00, DEADLINE 2027-01-15 16:00",
					 text_escape(a->mem, c->text, strlen(c->text)), wrong));
	if (when <= clock_now(&a->s->clock))
		return refuse(a, "DEADLINE: that time has passed already. To end the turn now write RESOLVE.");
	g->deadline = when;
	return move_deadline(a, c);
}

static struct err *do_extend(struct asking *a, const struct command_record *c)
{
	struct game *g = a->b->game;

	if (has_no_deadline(a, c))
		return NULL;
	if (c->number < 1 || c->number > EXTEND_MAX)
		return refuse(a, "EXTEND takes a number of days from 1 to 60, as in: EXTEND 2 DAYS");
	g->deadline = clock_add_days(g->deadline, c->number, g->zone);
	return move_deadline(a, c);
}

/* "2027-02-15..2027-02-19" too, as `game new --skip` takes it. */
static bool skipped_days(struct asking *a, const struct command_record *c, int64_t *first, int64_t *last)
{
	const char *dots = strstr(c->from, "..");
	const char *from = dots == NULL ? c->from : talloc_strndup(a->mem, c->from, (size_t)(dots - c->from));

	return when_days(a->mem, from,
		dots != NULL       ? dots + 2
		: c->to[0] != '\0' ? c->to
				   : from,
		a->b->game->zone, clock_now(&a->s->clock), first, last);
}

static struct err *skip_none(struct asking *a, const struct command_record *c)
{
	const char *said;

	if (a->b->game->skips[0] == '\0')
		return refuse(a, "SKIP OFF: no days are skipped, so nothing was done.");
	a->b->game->skips = "";
	said = talloc_asprintf(a->mem, "No days are skipped any more. %s", part_ends_text(a->mem, a->b));
	return change_game(a, said, "No holidays any more", told_why(a, c, said));
}

static struct err *do_skip(struct asking *a, const struct command_record *c)
{
	struct game *g = a->b->game;
	int64_t first, last;
	const char *skips, *days, *said;

	if (strcmp(c->text, "off") == 0)
		return skip_none(a, c);
	if (!skipped_days(a, c, &first, &last))
		return refuse(a, "SKIP: that is no date that could be read. Write it like: SKIP FROM 19 December TO 4 "
				 "January, or: SKIP FROM 2027-02-15 TO 2027-02-19");
	if (last < first || last < clock_now(&a->s->clock))
		return refuse(a, "SKIP: the last day lies before the first, or has gone by already.");
	if (last - first > (int64_t)SKIP_DAYS_MAX * DAY)
		return refuse(
			a, "SKIP: that is more than 100 days. To stop the clock until you write RESUME, write PAUSE.");
	skips = talloc_asprintf(a->mem, "%s%s%s", g->skips, g->skips[0] == '\0' ? "" : " ",
		calendar_range_text(a->mem, first, last, g->zone));
	if (strlen(skips) > SKIPS_TEXT_MAX)
		return refuse(a, "SKIP: there are too many holidays already. SKIP OFF takes all of them out.");
	g->skips = skips;
	if (g->deadline >= first && g->deadline <= last) {
		g->deadline = calendar_next(g->slot, g->zone, skips, g->deadline);
		g->deadline_set = false;
	}
	days = talloc_asprintf(a->mem, "from %s to %s", calendar_day_text(a->mem, first, g->zone),
		calendar_day_text(a->mem, last, g->zone));
	said = talloc_asprintf(a->mem, "No turn ends %s.%s%s", days, g->deadline != 0 ? " " : "",
		g->deadline != 0 ? part_ends_text(a->mem, a->b) : "");
	return change_game(a,
		talloc_asprintf(a->mem,
			"%s To move that write DEADLINE and the day and time. SKIP OFF takes all holidays "
			"out again.",
			said),
		"Holidays", told_why(a, c, talloc_asprintf(a->mem, "The referee has put in holidays. %s", said)));
}

static struct err *do_resolve(struct asking *a, const struct command_record *c)
{
	struct game *g = a->b->game;
	struct adjudication *done;
	struct err *e;

	if (waits_for_the_rest(a, c))
		return NULL;
	if (a->unresolved)
		return refuse(a,
			"RESOLVE: nothing was resolved, for your mail also says to wait or not to do it. If you "
			"want the turn resolved now, write RESOLVE alone.");
	if (g->held)
		return refuse(a, talloc_asprintf(a->mem,
					 "RESOLVE: %s still waits for your review, and the players have not seen it. "
					 "RELEASE it first.",
					 part_resolved_text(a->mem, g)));
	e = adjudicate(a->s, a->mem, g, "referee", &done);
	if (e == NULL)
		e = letter_reports(a->s, a->mem, done);
	return e != NULL ? e
			 : say(a, talloc_asprintf(a->mem, "%s is resolved; %s", part_resolved_text(a->mem, g),
					  g->held ? "the reports wait for your review. RELEASE lets them go."
						  : "the reports are on their way."));
}

const struct deed time_deeds[] = {
	{COMMAND_PAUSE, do_pause, true, false},
	{COMMAND_RESUME, do_pause, true, false},
	{COMMAND_DEADLINE, do_deadline, true, false},
	{COMMAND_EXTEND, do_extend, false, false},
	{COMMAND_SKIP, do_skip, true, false},
	{COMMAND_RESOLVE, do_resolve, false, false},
	{COMMAND_VERBS, NULL, false, false},
};
