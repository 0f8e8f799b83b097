/* AMEND, DIE, SET, PLACE and the like, by mail or on the command line: a change of one thing of the last resolved turn;
 * and UNDO. */
#include "service/amending.h"

#include "base/text.h"
#include "report/things.h"
#include "service/undo.h"
#include "store/lines.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { TEXT_SHOWN_MAX = 60 };

/* --- which event ---------------------------------------------------------------------------------------------------
 */

/* A number as the report prints it, or -1. */
static int event_number(const char *name)
{
	int n = 0;

	for (const char *p = name; *p != '\0'; p++) {
		if (!isdigit((unsigned char)*p) || n > 100000)
			return -1;
		n = 10 * n + *p - '0';
	}
	return name[0] == '\0' ? -1 : n;
}

static const char *shown(struct asking *a, const char *text)
{
	return text_escape(a->mem, text, strnlen(text, TEXT_SHOWN_MAX));
}

/* What the report shows as `ev`, as it is now; NULL where it no longer happens. The moment before it is then the one
 * before what still happens next. */
static const struct event *as_it_is_now(const struct amending *am, const struct event *ev, bool moment)
{
	const struct event *now = events_find(am->now->events, ev->key);
	int i = 0;

	while (i < am->labels->count && am->labels->list[i] != ev)
		i++;
	for (i++; moment && now == NULL && i < am->labels->count; i++)
		now = events_find(am->now->events, am->labels->list[i]->key);
	return now;
}

/* The event, as it is now, that the referee names by its number in the report that he answers, or by its key, or the
 * one of the moment that he names so; NULL after a refusal that says why. */
static const struct event *named_event(struct asking *a, const struct command_record *c, const char *name, bool moment)
{
	const struct amending *am = a->amending;
	int n = event_number(name);
	const char *word = moment ? talloc_asprintf(a->mem, "%s BEFORE", command_name(a->mem, c->verb))
				  : command_name(a->mem, c->verb);
	const struct event *ev, *now;

	if (n == 0 || n > am->labels->count) {
		refuse(a, talloc_asprintf(a->mem, "%s %s: %s, so nothing was done.", word, shown(a, name),
				  resolved_numbers_text(a->mem, am->now->row->turn, am->labels)));
		return NULL;
	}
	ev = n > 0 ? am->labels->list[n - 1] : events_find_typed(am->labels, name);
	if (ev == NULL && n < 0)
		ev = events_find_typed(am->now->events, name);
	if (ev == NULL) {
		refuse(a, talloc_asprintf(a->mem,
				  "%s '%s': there is no such event. Write the number that the report prints before it, "
				  "as in: AMEND 1 VOID BECAUSE reason",
				  word, shown(a, name)));
		return NULL;
	}
	now = as_it_is_now(am, ev, moment);
	if (now == NULL)
		refuse(a, talloc_asprintf(a->mem,
				  "%s %s: that event no longer happens after your other changes, so nothing was done.",
				  word, shown(a, name)));
	return now;
}

static struct err *amend_with(struct asking *a, const struct command_record *c, struct amendment *am,
	const struct ruling *ruling, const char *without)
{
	struct change change = {.amendment = am, .what = command_words(a, c)};

	am->because = ruling->why;
	return amending_apply(a, c, &change, ruling, without);
}

static struct amendment *new_amendment(struct asking *a, enum amendment_op op)
{
	return amendments_add(amendments_new(a->mem), op);
}

/* --- amendments --------------------------------------------------------------------------------------------------- */

/* The most hits that a referee may give an event: what its dice could have shown, or what there was to lose. */
static int hits_max(const struct ruleset *rules, const struct event *ev)
{
	int sum = 0;

	if (ev->kind == EVENT_LOSS)
		return ev->number[NUM_BEFORE];
	for (int i = 0; rules->dice_add_up && i < ev->dice_count; i++)
		sum += strstr(ev->dice[i].name, ".save.") == NULL ? ev->dice[i].sides : 0;
	if (rules->dice_add_up)
		return sum;
	return ev->number[NUM_ELIGIBLE] > ev->number[NUM_DICE] ? ev->number[NUM_ELIGIBLE] : ev->number[NUM_DICE];
}

static bool scores_hits(const struct event *ev)
{
	return ev->has[NUM_HITS] && ev->kind != EVENT_CONDITION;
}

/* A unit is many, a commander or a gun is one. */
static const char *verb(struct asking *a, int unit, const char *one, const char *several)
{
	return unit_is_formed(&a->b->state->units[unit]) ? several : one;
}

/* What AMEND does to an event, in words; `hits` < 0: VOID. */
static const char *amended_words(struct asking *a, const struct event *ev, int hits)
{
	const char *who = ev->actor >= 0 ? desk_piece(a, ev->actor) : "the turn";
	const char *act = "what happened to";

	if (hits >= 0)
		return talloc_asprintf(
			a->mem, "%s: %d hit%s and not %d", who, hits, hits == 1 ? "" : "s", ev->number[NUM_HITS]);
	if (ev->kind == EVENT_VOLLEY || ev->kind == EVENT_CLOSING_FIRE)
		act = "the fire of";
	else if (ev->kind == EVENT_MOVE)
		act = "the move of";
	else if (ev->kind == EVENT_CHARGE)
		act = "the charge of";
	else if (ev->kind == EVENT_MELEE || ev->kind == EVENT_PAIRS)
		act = "the fighting of";
	return talloc_asprintf(a->mem, "%s %s does not count", act, who);
}

static struct err *do_amend(struct asking *a, const struct command_record *c)
{
	bool ready, void_it = c->number < 0;
	const struct event *ev;
	struct amendment *am;
	const char *why;
	struct err *e = amending_begin(a, &ready);

	if (e != NULL || !ready || (ev = named_event(a, c, c->name, false)) == NULL ||
		(why = amending_reason(a, c)) == NULL)
		return e;
	if (!void_it && !scores_hits(ev))
		return refuse(
			a, talloc_asprintf(a->mem,
				   "%s: that event scores no hits, so nothing was done. You can take it away with "
				   "AMEND %s VOID BECAUSE reason, or change a unit with SET or PLACE.",
				   command_words(a, c), c->name));
	if (!void_it && c->number > hits_max(a->b->rules, ev))
		return refuse(a, talloc_asprintf(a->mem, "%s: that event can score 0 to %d hits, so nothing was done.",
					 command_words(a, c), hits_max(a->b->rules, ev)));
	am = new_amendment(a, void_it ? AMEND_VOID : AMEND_HITS);
	am->key = ev->key;
	am->value = void_it ? 0 : c->number;
	return amend_with(a, c, am, &(struct ruling){amended_words(a, ev, c->number), why},
		"that event only tells what others have done, so it cannot be changed by itself. Amend the event that "
		"it follows from.");
}

/* The die of that name, the case of letters aside if only one fits so. */
static const struct event_die *find_die(const struct events *events, const char *name)
{
	const struct event_die *like = NULL;
	int likes = 0;

	for (int i = 0; i < events->count; i++)
		for (int k = 0; k < events->list[i]->dice_count; k++) {
			const struct event_die *die = &events->list[i]->dice[k];

			if (strcmp(die->name, name) == 0)
				return die;
			if (strcasecmp(die->name, name) == 0) {
				like = die;
				likes++;
			}
		}
	return likes == 1 ? like : NULL;
}

/* A line with a die that was rolled, to be copied. */
static const char *some_die(struct asking *a, const struct events *events)
{
	for (int i = 0; i < events->count; i++)
		if (events->list[i]->dice_count > 0)
			return talloc_asprintf(a->mem,
				"Its name stands below its event, as in: DIE %s = %d BECAUSE reason",
				events->list[i]->dice[0].name, events->list[i]->dice[0].sides);
	return "No die was rolled at all.";
}

static struct err *do_die(struct asking *a, const struct command_record *c)
{
	const struct event_die *die;
	struct amending *desk;
	struct amendment *am;
	const char *why;
	bool ready;
	struct err *e = amending_begin(a, &ready);

	if (e != NULL || !ready || (why = amending_reason(a, c)) == NULL)
		return e;
	desk = a->amending;
	die = find_die(desk->now->events, c->name);
	if (die == NULL)
		return refuse(a, talloc_asprintf(a->mem,
					 "DIE '%s': no die of that name was rolled in turn %d, so nothing was done. %s",
					 shown(a, c->name), desk->now->row->turn, some_die(a, desk->now->events)));
	if (c->number < 1 || c->number > die->sides)
		return refuse(a, talloc_asprintf(a->mem, "%s: that die shows 1 to %d, so nothing was done.",
					 command_words(a, c), die->sides));
	am = new_amendment(a, AMEND_DIE);
	am->key = die->name;
	am->value = c->number;
	return amend_with(a, c, am,
		&(struct ruling){
			talloc_asprintf(a->mem, "the die %s shows %d and not %d", die->name, c->number, die->value),
			why},
		"that die decides nothing now.");
}

/* The moment at which a change without BEFORE is made: the end of the turn, or of what has been played of it. */
static const char *now_played(struct asking *a)
{
	const struct amending *am = a->amending;
	int phase = am->now->after->next_phase;

	return phase == 0 ? "" : amendment_after_phase(a->mem, phase - 1);
}

/* The key of the moment before that event; what a referee did there already is no moment of its own. */
static const char *moment_before(struct asking *a, const struct event *ev)
{
	const struct events *events = a->amending->now->events;
	int i = 0;

	while (i < events->count && events->list[i] != ev)
		i++;
	while (i < events->count && events->list[i]->kind == EVENT_RULING)
		i++;
	return i < events->count ? events->list[i]->key : now_played(a);
}

/* What SET, PLACE, REMOVE and the like begin with: the piece, the reason, and before which event; NULL when told. */
static struct err *begin_piece(struct asking *a, const struct command_record *c, enum amendment_op op,
	struct amendment **out, const char **why)
{
	const struct event *before = NULL;
	bool ready;
	struct err *e = amending_begin(a, &ready);

	*out = NULL;
	if (e != NULL || !ready || (*why = amending_reason(a, c)) == NULL)
		return e;
	if (c->unit_count == 0)
		return refuse(a, talloc_asprintf(a->mem, "%s: please name one unit.", command_words(a, c)));
	if (c->before[0] != '\0' && (before = named_event(a, c, c->before, true)) == NULL)
		return NULL;
	*out = new_amendment(a, op);
	(*out)->unit = c->units[0];
	(*out)->before = before != NULL ? moment_before(a, before) : now_played(a);
	return NULL;
}

static const char no_moment[] = "that moment does not come in this turn.";

static struct err *do_set(struct asking *a, const struct command_record *c)
{
	bool figures = strcmp(c->name, "figures") == 0;
	const struct unit *u;
	struct amendment *am;
	const char *why;
	int begun;
	struct err *e = begin_piece(a, c, figures ? AMEND_FIGURES : AMEND_BASES, &am, &why);

	if (e != NULL || am == NULL)
		return e;
	u = &a->b->state->units[am->unit];
	begun = figures ? u->figures_begun : u->begun;
	if (figures && begun == 0)
		return refuse(a, talloc_asprintf(a->mem,
					 "%s: these rules count bases and not figures. Write it like: SET %s "
					 "BASES %d BECAUSE reason",
					 command_words(a, c), desk_code(a, am->unit), u->bases));
	if (!unit_is_formed(u) || c->number < 0 || c->number > begun)
		return refuse(a, unit_is_formed(u)
					 ? talloc_asprintf(a->mem,
						   "%s: %s began with %d, so write a number from 0 to %d. Nothing "
						   "was done.",
						   command_words(a, c), u->name, begun, begun)
					 : talloc_asprintf(a->mem,
						   "%s: only foot and horse have bases to set. For a commander write "
						   "KILL or SPARE, for a gun REMOVE or RESTORE.",
						   command_words(a, c)));
	am->value = c->number;
	return amend_with(a, c, am,
		&(struct ruling){talloc_asprintf(a->mem, "%s %s %d %s%s", desk_piece(a, am->unit),
					 verb(a, am->unit, "has", "have"), c->number, figures ? "figure" : "base",
					 c->number == 1 ? "" : "s"),
			why},
		no_moment);
}

static struct err *do_place(struct asking *a, const struct command_record *c)
{
	const struct state *s = a->b->state;
	struct amendment *am;
	const char *why;
	int other;
	struct err *e = begin_piece(a, c, AMEND_PLACE, &am, &why);

	if (e != NULL || am == NULL)
		return e;
	if (!c->has_place && c->before[0] != '\0')
		return refuse(a, talloc_asprintf(a->mem,
					 "%s: please write where as well, with AT and a place, since the unit may have "
					 "stood elsewhere then. Nothing was done.",
					 command_words(a, c)));
	am->box = s->units[am->unit].box;
	if (c->has_place)
		am->box.front = c->place;
	if (c->has_heading)
		am->box.facing = (int16_t)(((c->heading.relative ? am->box.facing : 0) + c->heading.degrees) % 360);
	if (!unit_alive(&s->units[am->unit]))
		return refuse(
			a, talloc_asprintf(a->mem, "%s: %s %s gone. To put %s back write: RESTORE %s BECAUSE reason",
				   command_words(a, c), desk_piece(a, am->unit), verb(a, am->unit, "is", "are"),
				   verb(a, am->unit, "it", "them"), desk_code(a, am->unit)));
	other = referee_stands_there(a->b->sc, s, am->unit, &am->box);
	if (other == OFF_TABLE)
		return refuse(a, talloc_asprintf(a->mem,
					 "%s: there they would stand over the edge of the table, so nothing was done.",
					 command_words(a, c)));
	if (c->before[0] == '\0' && other != NOBODY)
		return refuse(
			a, talloc_asprintf(a->mem, "%s: %s %s there, so nothing was done. Choose a place beside %s.",
				   command_words(a, c), desk_piece(a, other), verb(a, other, "is", "stand"),
				   verb(a, other, "it", "them")));
	return amend_with(a, c, am,
		&(struct ruling){talloc_asprintf(a->mem, "%s %s at %s", desk_piece(a, am->unit),
					 verb(a, am->unit, "stands", "stand"),
					 square_name(a->mem, &a->b->sc->table, am->box.front)),
			why},
		no_moment);
}

/* REMOVE, RESTORE, KILL, SPARE. */
static struct err *do_life(struct asking *a, const struct command_record *c)
{
	bool gone = c->verb == COMMAND_REMOVE || c->verb == COMMAND_KILL;
	bool commander = c->verb == COMMAND_KILL || c->verb == COMMAND_SPARE;
	enum amendment_op op = c->verb == COMMAND_REMOVE    ? AMEND_REMOVE
			       : c->verb == COMMAND_RESTORE ? AMEND_RESTORE
			       : c->verb == COMMAND_KILL    ? AMEND_KILL
							    : AMEND_SPARE;
	const struct unit *u;
	struct amendment *am;
	const char *why;
	struct err *e = begin_piece(a, c, op, &am, &why);

	if (e != NULL || am == NULL)
		return e;
	u = &a->b->state->units[am->unit];
	if (commander && u->kind != KIND_COMMANDER)
		return refuse(a,
			talloc_asprintf(a->mem, "%s: %s %s. For a unit write REMOVE or RESTORE.", command_words(a, c),
				desk_piece(a, am->unit), verb(a, am->unit, "is no commander", "are no commander")));
	if (c->before[0] == '\0' && unit_alive(u) != gone)
		return refuse(a,
			talloc_asprintf(a->mem, "%s: %s %s %s already, so there is nothing to do.", command_words(a, c),
				desk_piece(a, am->unit), verb(a, am->unit, "is", "are"), gone ? "gone" : "there"));
	return amend_with(a, c, am,
		&(struct ruling){talloc_asprintf(a->mem, "%s %s", desk_piece(a, am->unit),
					 op == AMEND_REMOVE ? verb(a, am->unit, "is taken off the table",
								      "are taken off the table")
					 : op == AMEND_RESTORE
						 ? verb(a, am->unit, "is back on the table", "are back on the table")
					 : op == AMEND_KILL ? "falls"
							    : "lives"),
			why},
		no_moment);
}

/* The change that UNDO means; NULL after a refusal. */
static struct err *named_change(struct asking *a, const struct command_record *c, const struct desk_changes *all,
	const struct desk_change **out)
{
	const struct amending *am = a->amending;
	const char *list = undo_list(a->mem, all);

	*out = c->number > 0 ? NULL : undo_latest(all);
	for (int i = 0; i < all->count && c->number > 0; i++)
		if (all->list[i].number == c->number && !all->list[i].undone)
			*out = &all->list[i];
	if (*out != NULL)
		return NULL;
	if (list[0] == '\0')
		return refuse(
			a, talloc_asprintf(a->mem,
				   "UNDO: no change of yours stands in turn %d, so there is nothing to take back. "
				   "(ROLLBACK takes back whole turns.)",
				   am->now->row->turn));
	return refuse(a, talloc_asprintf(a->mem,
				 "UNDO %d: no change of that number stands, so nothing was done. These do:\n\n%s",
				 c->number, list));
}

/* Has nothing been resolved since the line of play was begun with a ROLLBACK? */
static struct err *just_rolled_back(struct asking *a, bool *out)
{
	const struct game *g = a->b->game;
	struct line_rows rows;
	struct err *e = store_lines(a->s->store, a->mem, g->id, &rows);

	*out = false;
	for (int i = 0; e == NULL && i < rows.count; i++)
		if (rows.list[i].line == g->line)
			*out = rows.list[i].parent != 0 && g->turn == rows.list[i].start && g->part == 0;
	return e;
}

static struct err *do_undo(struct asking *a, const struct command_record *c)
{
	const struct desk_change *undone = NULL;
	struct desk_changes all;
	struct change change;
	struct resolved *now;
	struct amending *am;
	const char *why = "", *but = c->because;
	bool ready = false, rolled_back;
	int taken_back;
	struct err *e = just_rolled_back(a, &rolled_back);

	if (e == NULL && rolled_back && c->number <= 0)
		return refuse(a, "UNDO takes back changes of a turn, and the last that you did was to go back to the "
				 "start of this one. To undo that write: ROLLFORWARD");
	if (e == NULL)
		e = amending_begin(a, &ready);
	if (e != NULL || !ready)
		return e;
	am = a->amending;
	e = undo_changes(a->s, a->mem, a->b, am->now, &all);
	if (e == NULL)
		e = named_change(a, c, &all, &undone);
	if (e != NULL || undone == NULL)
		return e;
	if (!undo_change(a->mem, &all, undone, am->now, &change, &why))
		return refuse(a, talloc_asprintf(a->mem, "UNDO %d: nothing was done, since %s", undone->number, why));
	e = referee_amend(a->s, a->mem, a->b, am->now, &change, &now);
	if (e != NULL)
		return e;
	am->now = now;
	e = store_take_back_sheets(a->s->store, a->mem, a->b->game, now->row->turn, undone->is->row->id, &taken_back);
	if (e != NULL)
		return e;
	a->recorded = change.what;
	amending_give_reason(a, undo_amendment(undone), true,
		talloc_asprintf(am, "- The referee takes back the change %s%s%s.", undone->what,
			but[0] != '\0' ? ", because " : "",
			talloc_strndup(am, but, strlen(but) - (but[0] != '\0' && but[strlen(but) - 1] == '.'))));
	return say(a, talloc_asprintf(a->mem, "%s: done. Your change %s is taken back%s.", change.what, undone->what,
			      taken_back > 0 ? ", also what it had entered for later" : ""));
}

const struct deed amend_deeds[] = {
	{COMMAND_AMEND, do_amend, false, false},
	{COMMAND_DIE, do_die, false, false},
	{COMMAND_SET, do_set, false, false},
	{COMMAND_PLACE, do_place, false, false},
	{COMMAND_REMOVE, do_life, false, false},
	{COMMAND_RESTORE, do_life, false, false},
	{COMMAND_KILL, do_life, false, false},
	{COMMAND_SPARE, do_life, false, false},
	{COMMAND_UNDO, do_undo, false, false},
	{COMMAND_VERBS, NULL, false, false},
};
