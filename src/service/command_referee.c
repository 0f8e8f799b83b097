/* The referee's desk by mail or on the command line: review, amendments, release. What one mail amends is answered
 * together, with what has changed, and mailed to the players once. */
#include "service/command.h"

#include "base/buf.h"
#include "base/text.h"
#include "orders/print.h"
#include "report/roster.h"
#include "report/template.h"
#include "report/things.h"
#include "service/entered.h"
#include "service/part.h"
#include "service/people.h"
#include "service/reports.h"
#include "service/review.h"
#include "service/undo.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { HOUR = 3600, REVIEW_HOURS_MAX = 720, REASON_MAX = 400, TEXT_SHOWN_MAX = 60 };

/* The last resolved turn while a mail amends it. */
struct amending {
	struct resolved *first; /* as it counted before this mail */
	struct resolved *now;
	struct resolved *told;      /* as the players know it; NULL while it is held for review */
	struct events *labels;      /* whose numbers the referee writes */
	int version;                /* the resolution that they are of */
	struct given_reason *given; /* for the players, in order */
	int given_count;
};

/* What this mail has changed and why, in a sentence. */
struct given_reason {
	const char *text;
	const struct amendment *about; /* NULL: orders */
	bool takes_back;
};

/* --- which turn, which event -------------------------------------------------------------------------------------- */

/* The events of the report that the mail answers, if it told of this turn; else those that count now. */
static struct err *find_labels(struct asking *a, struct amending *am)
{
	struct turn_row *row = NULL;
	struct resolved *r;
	struct err *e = a->to != NULL && a->to->shows != 0 ? store_turn_row(a->s->store, am, a->to->shows, &row) : NULL;

	am->labels = am->now->events;
	am->version = am->now->row->resolution;
	if (e != NULL || row == NULL || row->game != am->now->row->game || row->line != am->now->row->line ||
		row->turn != am->now->row->turn)
		return e;
	e = resolved_read(am, row, &r);
	if (e == NULL) {
		am->labels = r->events;
		am->version = row->resolution;
	}
	return e;
}

/* Begins to amend; false (and told) when there is nothing to amend. */
static struct err *begin(struct asking *a, bool *ready)
{
	struct amending *am = a->amending;
	struct err *e;

	*ready = am != NULL;
	if (am != NULL)
		return NULL;
	am = talloc_zero(a->mem, struct amending);
	e = referee_last(a->s, am, a->b, &am->now);
	if (e != NULL)
		return e;
	if (am->now == NULL)
		return refuse(a, "No turn has been resolved yet, so there is nothing to change.");
	if (am->now->row->line != a->b->game->line) /* what followed it on the line that was left is kept */
		return refuse(
			a, talloc_asprintf(a->mem,
				   "Turn %d was played before the line of play was changed, and what came after "
				   "it then is kept, so it cannot be changed. To play it again write: ROLLBACK TO "
				   "TURN %d BECAUSE reason",
				   am->now->row->turn, am->now->row->turn));
	e = find_labels(a, am);
	am->first = am->told = am->now;
	if (e == NULL && a->b->game->held)
		e = referee_told(a->s, am, a->b, am->now, &am->told);
	a->amending = am;
	*ready = e == NULL;
	return e;
}

static const struct event *find_key(const struct events *events, const char *key)
{
	for (int i = 0; i < events->count; i++)
		if (strcasecmp(events->list[i]->key, key) == 0)
			return events->list[i];
	return NULL;
}

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

/* A piece as all read it: "Barrell's (R)", "English gun 1", since both sides have a gun 1. */
static const char *piece_of(struct asking *a, int unit)
{
	if (a->b->state->units[unit].kind == KIND_GUN)
		return piece_name(a->mem, a->b->sc, a->b->state, unit);
	return piece_english(a->mem, a->b->state, unit);
}

/* As it is typed to the referee's desk. */
static const char *code_of(struct asking *a, int unit)
{
	if (a->b->state->units[unit].kind == KIND_GUN)
		return piece_of(a, unit);
	return piece_code(a->mem, a->b->state, unit);
}

static const char *shown(struct asking *a, const char *text)
{
	return text_escape(a->mem, text, strnlen(text, TEXT_SHOWN_MAX));
}

/* The event, as it is now, that the referee names by its number in the report that he answers, or by its key; NULL
 * after a refusal that says why. */
static const struct event *named_event(struct asking *a, const struct command_record *c, const char *name)
{
	const struct amending *am = a->amending;
	int n = event_number(name);
	const char *word = command_name(a->mem, c->verb);
	const struct event *ev, *now;

	if (n == 0 || n > am->labels->count) {
		refuse(a, talloc_asprintf(a->mem, "%s %s: %s, so nothing was done.", word, shown(a, name),
				  resolved_numbers_text(a->mem, am->now->row->turn, am->labels)));
		return NULL;
	}
	ev = n > 0 ? am->labels->list[n - 1] : find_key(am->labels, name);
	if (ev == NULL && n < 0)
		ev = find_key(am->now->events, name);
	if (ev == NULL) {
		refuse(a, talloc_asprintf(a->mem,
				  "%s '%s': there is no such event. Write the number that the report prints before it, "
				  "as in: AMEND 1 VOID BECAUSE reason",
				  word, shown(a, name)));
		return NULL;
	}
	now = find_key(am->now->events, ev->key);
	if (now == NULL)
		refuse(a, talloc_asprintf(a->mem,
				  "%s %s: that event no longer happens after your other changes, so nothing was done.",
				  word, shown(a, name)));
	return now;
}

/* --- applying a change -------------------------------------------------------------------------------------------- */

/* The reason; NULL after a refusal. */
static const char *reason(struct asking *a, const struct command_record *c)
{
	const char *text = c->because;

	if (text[0] == '\0')
		refuse(a, talloc_asprintf(a->mem,
				  "%s: please say why, and write it like: %s BECAUSE reason. All players read the "
				  "reason.",
				  command_name(a->mem, c->verb), command_words(a, c)));
	else if (strlen(text) > REASON_MAX)
		refuse(a, talloc_asprintf(a->mem, "%s: the reason is too long; please say it in %d letters.",
				  command_name(a->mem, c->verb), REASON_MAX));
	else
		return text;
	return NULL;
}

static void give_reason(struct asking *a, const struct amendment *about, bool takes_back, const char *text)
{
	struct amending *am = a->amending;

	am->given = talloc_realloc(am, am->given, struct given_reason, (unsigned)am->given_count + 1);
	am->given[am->given_count++] = (struct given_reason){text, about, takes_back};
}

/* Does it tell the players anything? Not what came and went before they heard of it. */
static bool concerns_players(const struct amending *am, const struct given_reason *r)
{
	if (r->about == NULL)
		return true;
	if (r->takes_back)
		return amendment_stands(am->told->amendments, r->about);
	return amendment_stands(am->now->amendments, r->about) ||
	       (amendment_about(am->now->amendments, r->about) == NULL &&
		       amendment_about(am->told->amendments, r->about) != NULL);
}

static const char *reasons_text(struct asking *a, const struct amending *am)
{
	struct buf *out = buf_new(a->mem);

	for (int i = 0; i < am->given_count; i++)
		if (concerns_players(am, &am->given[i]))
			buf_printf(out, "%s\n", text_wrap(out, am->given[i].text, LETTER_COLUMNS, 2));
	return out->data;
}

/* A change on its way: what it does in words, as all players read it, and the referee's reason. */
struct ruling {
	const char *did; /* "Barrell's (R) has 4 bases" */
	const char *why;
};

/* Resolves the turn again with it; `without` says what it means if that would do nothing. */
static struct err *amend(struct asking *a, const struct command_record *c, const struct change *change,
	const struct ruling *ruling, const char *without)
{
	struct amending *am = a->amending;
	struct resolved *now;
	size_t len = strlen(ruling->why);
	struct err *e = referee_amend(a->s, a->mem, a->b, am->now, change, &now);

	if (e != NULL)
		return e;
	if (now == NULL)
		return refuse(a, talloc_asprintf(a->mem, "%s: %s Nothing was done.", command_words(a, c), without));
	am->now = now;
	len -= ruling->why[len - 1] == '.';
	give_reason(a, change->amendment, false,
		talloc_asprintf(am, "- The referee rules: %s, because %.*s.", ruling->did, (int)len, ruling->why));
	return say(a, talloc_asprintf(a->mem, "%s: done.", command_words(a, c)));
}

static struct err *amend_with(struct asking *a, const struct command_record *c, struct amendment *am,
	const struct ruling *ruling, const char *without)
{
	struct change change = {.amendment = am, .what = command_words(a, c)};

	am->because = ruling->why;
	return amend(a, c, &change, ruling, without);
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

/* What AMEND does to an event, in words; `hits` < 0: VOID. */
static const char *amended_words(struct asking *a, const struct event *ev, int hits)
{
	const char *who = ev->actor >= 0 ? piece_of(a, ev->actor) : "the turn";
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
	struct err *e = begin(a, &ready);

	if (e != NULL || !ready || (ev = named_event(a, c, c->name)) == NULL || (why = reason(a, c)) == NULL)
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
	struct err *e = begin(a, &ready);

	if (e != NULL || !ready || (why = reason(a, c)) == NULL)
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
	struct err *e = begin(a, &ready);

	*out = NULL;
	if (e != NULL || !ready || (*why = reason(a, c)) == NULL)
		return e;
	if (c->unit_count == 0)
		return refuse(a, talloc_asprintf(a->mem, "%s: please name one unit.", command_words(a, c)));
	if (c->before[0] != '\0' && (before = named_event(a, c, c->before)) == NULL)
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
					 command_words(a, c), code_of(a, am->unit), u->bases));
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
		&(struct ruling){talloc_asprintf(a->mem, "%s has %d %s%s", piece_of(a, am->unit), c->number,
					 figures ? "figure" : "base", c->number == 1 ? "" : "s"),
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
	am->box = s->units[am->unit].box;
	am->box.front = c->place;
	if (c->has_heading)
		am->box.facing = (int16_t)(((c->heading.relative ? am->box.facing : 0) + c->heading.degrees) % 360);
	if (!unit_alive(&s->units[am->unit]))
		return refuse(
			a, talloc_asprintf(a->mem, "%s: %s is gone. To put it back write: RESTORE %s BECAUSE reason",
				   command_words(a, c), piece_of(a, am->unit), code_of(a, am->unit)));
	other = referee_stands_there(a->b->sc, s, am->unit, &am->box);
	if (other == OFF_TABLE)
		return refuse(a, talloc_asprintf(a->mem,
					 "%s: there they would stand over the edge of the table, so nothing was done.",
					 command_words(a, c)));
	if (c->before[0] == '\0' && other != NOBODY)
		return refuse(
			a, talloc_asprintf(a->mem, "%s: %s %s there, so nothing was done. Choose a place beside %s.",
				   command_words(a, c), piece_of(a, other),
				   unit_is_formed(&s->units[other]) ? "stand" : "is",
				   unit_is_formed(&s->units[other]) ? "them" : "it"));
	return amend_with(a, c, am,
		&(struct ruling){talloc_asprintf(a->mem, "%s stands at %s", piece_of(a, am->unit),
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
		return refuse(a, talloc_asprintf(a->mem, "%s: %s is no commander. For a unit write REMOVE or RESTORE.",
					 command_words(a, c), piece_of(a, am->unit)));
	if (c->before[0] == '\0' && unit_alive(u) != gone)
		return refuse(a, talloc_asprintf(a->mem, "%s: %s %s, so there is nothing to do.", command_words(a, c),
					 piece_of(a, am->unit), gone ? "is gone already" : "is there already"));
	return amend_with(a, c, am,
		&(struct ruling){talloc_asprintf(a->mem, "%s %s", piece_of(a, am->unit),
					 op == AMEND_REMOVE    ? "is taken off the table"
					 : op == AMEND_RESTORE ? "is back on the table"
					 : op == AMEND_KILL    ? "falls"
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

static struct err *do_undo(struct asking *a, const struct command_record *c)
{
	const struct desk_change *undone = NULL;
	struct desk_changes all;
	struct change change;
	struct resolved *now;
	struct amending *am;
	const char *why = "", *but = c->because;
	bool ready;
	struct err *e = begin(a, &ready);

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
	a->recorded = change.what;
	give_reason(a, undo_amendment(undone), true,
		talloc_asprintf(am, "- The referee takes back his change %s%s%s", undone->what,
			but[0] != '\0' ? ", because " : "", but[0] != '\0' ? but : "."));
	return say(a, talloc_asprintf(a->mem, "%s: done. Your change %s is taken back.", change.what, undone->what));
}

/* --- orders of the turn ------------------------------------------------------------------------------------------- */

/* Which turn orders are meant for: the one that was resolved last, or the one that is open. Where that is not said, a
 * held one, or the only one there is; or the last, whose change needs a reason. */
enum orders_turn { ORDERS_REFUSED, ORDERS_LAST, ORDERS_OPEN };

static enum orders_turn which_turn(struct asking *a, const struct command_record *c)
{
	const struct game *g = a->b->game;
	int last = last_turn(g);
	const char *side = c->side == SIDE_GOVERNMENT ? "E" : "J";
	const char *word = c->verb == COMMAND_ORDER ? "ORDER" : "VOID ORDERS";

	if (g->held && c->turn > last)
		refuse(a,
			talloc_asprintf(a->mem,
				"%s TURN %d: %s waits for your review, and no orders are taken before you RELEASE it. "
				"Nothing was done.",
				word, c->turn, part_resolved_text(a->mem, g)));
	else if (!g->held && (c->turn == g->turn || (c->turn <= 0 && last == 0)))
		return ORDERS_OPEN;
	else if (c->turn > 0 && c->turn != last)
		refuse(a, talloc_asprintf(a->mem, "%s TURN %d: turn %d is open%s. Nothing was done.", word, c->turn,
				  g->turn,
				  last > 0 ? talloc_asprintf(a->mem,
						     ", and turn %d is the last whose result can be changed", last)
					   : ""));
	else if (c->turn <= 0 && !g->held && c->because[0] == '\0')
		refuse(a,
			talloc_asprintf(a->mem,
				"%s: for which turn? For turn %d, which is open, write: %s %s TURN %d%s To change turn "
				"%d, please say why: all players read the reason. Write it like: %s BECAUSE reason",
				word, g->turn, word, side, g->turn, c->verb == COMMAND_ORDER ? ": and the order." : ".",
				last, command_words(a, c)));
	else
		return ORDERS_LAST;
	return ORDERS_REFUSED;
}

/* The turn that is open may have been played in part: what comes too late in it is not taken. */
static struct err *enter_open(struct asking *a, const struct command_record *c, const char *text)
{
	enum side side = (enum side)c->side;
	struct orders_context context = {
		.state = a->b->state,
		.table = &a->b->sc->table,
		.side = side,
		.shreds = a->b->rules->command_points,
	};
	const struct sheet *sheet = orders_read(a->mem, text, strlen(text), &context);
	const char *to_come = text, *late = part_late_text(a->mem, a->b, side, sheet);
	struct err *e;

	if (a->b->game->part > 0 && sheet->problem_count == 0 && sheet->order_count > 0)
		to_come = part_to_come(a->mem, a->b, side, text);
	if (to_come[0] == '\0')
		return refuse(a, talloc_asprintf(a->mem,
					 "%s: that comes too late. %s Nothing was done. To change what they have done, "
					 "leave TURN out and add BECAUSE and your reason.",
					 command_words(a, c), late));
	e = order_open_turn(a, c, to_come);
	return e != NULL || a->refused || late[0] == '\0' ? e : say(a, late);
}

/* Of an order that has changed what was played: what it says of the parts to come, and of later turns if it stands. */
static struct err *enter_rest(struct asking *a, const struct command_record *c, int turn, const char *to_come)
{
	const struct entry entry = {
		.referee = a->p,
		.side = (enum side)c->side,
		.text = to_come,
		.because = c->because,
		.turn = turn,
		.arrived = a->to != NULL ? a->to->arrived : clock_now(&a->s->clock),
	};
	const char *why, *did;
	struct err *e = enter_orders(a->s, a->mem, a->b, &entry, &why, &did);

	if (e != NULL)
		return e;
	return say(a, why != NULL
			      ? why
			      : talloc_asprintf(a->mem,
					"What it says for later is entered as well. %s (UNDO does not take that back: "
					"order anew for it.)",
					did));
}

/* What all players read of it: between two parts not what was ordered, since it may speak of charges to come. */
static const char *changed_orders_text(struct asking *a, const struct command_record *c, const bool *played)
{
	const struct state *s = a->b->state;
	int *list = talloc_array(a->mem, int, (unsigned)s->count), count = 0;

	if (a->amending->now->after->next_phase == 0)
		return talloc_asprintf(
			a->mem, "the %s orders are changed (%s)", a->b->sc->label[c->side], command_words(a, c));
	for (int i = 0; i < s->count; i++)
		if (played[i] && (int)s->units[i].side == c->side)
			list[count++] = i;
	return talloc_asprintf(a->mem, "the %s orders for moving and shooting are changed%s%s",
		a->b->sc->label[c->side], count > 0 ? ": " : "", count > 0 ? pieces_text(a->mem, s, list, count) : "");
}

/* Resolves the last turn as if that side had sent `text` as its last mail. */
static struct err *amend_orders(struct asking *a, const struct command_record *c, const char *text, const char *why)
{
	const struct amending *am = a->amending;
	const struct resolved *was = am->now;
	struct change change = {.what = command_words(a, c)};
	const char *to_come = part_to_come(a->mem, a->b, (enum side)c->side, text);
	struct part_share share;
	struct sheet *sheet;
	struct err *e;

	change.orders =
		part_orders_with(a->mem, a->b, am->now->before, am->now->row->orders, (enum side)c->side, text, &share);
	sheet = share.sheet;
	if (strcmp(change.orders, am->now->row->orders) == 0 && to_come[0] != '\0')
		share.count = 0;
	if (sheet->problem_count > 0)
		return refuse(a, talloc_asprintf(a->mem, "%s: %s Nothing was done.", command_words(a, c),
					 sheet->problems[0].message));
	if (sheet->order_count == 0)
		return refuse(
			a, talloc_asprintf(a->mem,
				   "%s: there is no order in it, so nothing was done. Write it like: ORDER %s: name of "
				   "the unit: advance 4 BECAUSE reason",
				   command_words(a, c), c->side == SIDE_GOVERNMENT ? "E" : "J"));
	if (share.count == 0 && !a->b->game->held) /* all of it is for a part that is still to come */
		return enter_open(a, c, text);
	if (share.count == 0)
		return refuse(
			a, talloc_asprintf(a->mem,
				   "%s: that is for a part of the turn that is still to come, and no orders are taken "
				   "before you RELEASE what you have for review. Nothing was done.",
				   command_words(a, c)));
	e = amend(a, c, &change, &(struct ruling){changed_orders_text(a, c, share.played), why},
		"the turn had these very orders already.");
	if (e != NULL || am->now == was)
		return e;
	e = to_come[0] == '\0' ? NULL : enter_rest(a, c, was->row->turn, to_come);
	if (e != NULL)
		return e;
	return people_acted_for(
		a->s, a->mem, a->b, (enum side)c->side, sheet, was->row->turn, command_words(a, c), why);
}

static struct err *with_orders(struct asking *a, const struct command_record *c, const char *text)
{
	enum orders_turn which = which_turn(a, c);
	const struct resolved *was;
	bool ready;
	const char *why;
	struct err *e;

	if (which == ORDERS_REFUSED)
		return NULL;
	if (which == ORDERS_OPEN)
		return enter_open(a, c, text);
	e = begin(a, &ready);
	if (e != NULL || !ready || (why = reason(a, c)) == NULL)
		return e;
	was = a->amending->now;
	e = amend_orders(a, c, text, why);
	if (e == NULL && !a->refused && c->turn <= 0 && !a->b->game->held && a->amending->now != was)
		say(a, talloc_asprintf(a->mem,
			       "(%s, which was over, has changed by that. For %s, which is open, write TURN %d after "
			       "the side.)",
			       part_resolved_text(a->mem, a->b->game), part_turn_text(a->mem, a->b), a->b->game->turn));
	return e;
}

static struct err *do_order(struct asking *a, const struct command_record *c)
{
	return with_orders(a, c, c->text);
}

static struct err *do_void_orders(struct asking *a, const struct command_record *c)
{
	const struct state *s = a->b->state;

	if (c->unit_count > 0 && (int)s->units[c->units[0]].side != c->side)
		return refuse(a, talloc_asprintf(a->mem, "%s: %s is on the other side. Nothing was done.",
					 command_words(a, c), piece_of(a, c->units[0])));
	return with_orders(a, c,
		c->unit_count == 0 ? "clear all"
				   : talloc_asprintf(a->mem, "cancel %s", piece_code(a->mem, s, c->units[0])));
}

/* --- review and release ------------------------------------------------------------------------------------------- */

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
	e = referee_release(a->s, a->mem, a->b);
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

/* --- the answer --------------------------------------------------------------------------------------------------- */

static bool is_over(const struct resolved *r)
{
	return r->after->winner != WINNER_OPEN;
}

/* The players know the turn: they are told what has become of it, unless that cannot be taken back. */
static struct err *tell_players(struct asking *a, const struct amending *am)
{
	struct game *g = a->b->game;
	const char *reasons = reasons_text(a, am);

	if (is_over(am->now) && !is_over(am->told)) {
		say(a, "Mind: by this change the battle is over. When everybody is told of that, they learn the secret "
		       "seed as well, so it is final then. Therefore nobody is told yet, and no orders are taken: "
		       "RELEASE makes it so for everybody; UNDO takes your last change back.");
		return referee_hold_back(a->s, a->mem, a->b);
	}
	if (g->held) {
		say(a, "With that the battle goes on, so the turn is no longer held back. Where it is another now than "
		       "the players know, the corrected report is on its way to them.");
		return referee_release(a->s, a->mem, a->b);
	}
	if (reasons[0] == '\0') {
		say(a, "All in all that changes nothing of what the players know, so they are not written to.");
		return referee_keep_quiet(a->s, a->mem, am->now);
	}
	say(a, "The corrected report is on its way to all players.");
	return referee_correct(a->s, a->mem, a->b, am->told, reasons);
}

static void tell_referee_of_hold(struct asking *a, const struct amending *am)
{
	say(a, talloc_asprintf(a->mem, "The players know nothing of turn %d yet. To let it go write RELEASE.",
		       am->now->row->turn));
	if (is_over(am->now) && !is_over(am->first))
		say(a, "Mind: as the turn is now, the battle is over with it. UNDO takes your last change back; after "
		       "RELEASE it is final.");
}

struct err *finish_amending(struct asking *a)
{
	struct amending *am = a->amending;
	const char *subject, *said;
	struct desk_changes changes = {NULL, 0};
	char *page;
	struct err *e = NULL;

	a->amending = NULL;
	if (am == NULL || am->now == am->first)
		return NULL;
	if (am->told == NULL)
		tell_referee_of_hold(a, am);
	else if (am->told != am->now)
		e = tell_players(a, am);
	if (am->version != am->first->row->resolution)
		say(a, talloc_asprintf(a->mem, "(Numbers of events were read as those of version %d.)", am->version));
	if (e == NULL)
		e = undo_changes(a->s, a->mem, a->b, am->now, &changes);
	if (e == NULL)
		e = amended_page(a->mem, a->b, am->first, am->now, undo_list(a->mem, &changes), &subject, &page);
	if (e != NULL)
		return e;
	said = text_wrap(a->mem, a->said->data, LETTER_COLUMNS, 0);
	a->said = buf_new(a->mem);
	return answer_page(a, subject, talloc_asprintf(a->mem, "%s\n\n%s", said, page), false, am->now->row->id);
}

const struct deed referee_deeds[] = {
	{COMMAND_REVIEW, do_review, true, false},
	{COMMAND_HOLD, do_hold, false, false},
	{COMMAND_RELEASE, do_release, false, false},
	{COMMAND_AMEND, do_amend, false, false},
	{COMMAND_DIE, do_die, false, false},
	{COMMAND_SET, do_set, false, false},
	{COMMAND_PLACE, do_place, false, false},
	{COMMAND_REMOVE, do_life, false, false},
	{COMMAND_RESTORE, do_life, false, false},
	{COMMAND_KILL, do_life, false, false},
	{COMMAND_SPARE, do_life, false, false},
	{COMMAND_UNDO, do_undo, false, false},
	{COMMAND_ORDER, do_order, false, false},
	{COMMAND_VOID, do_void_orders, false, false},
	{COMMAND_VERBS, NULL, false, false},
};
