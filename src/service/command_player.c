/* What anybody may ask, and what players may do. */
#include "service/command.h"

#include "base/buf.h"
#include "report/map.h"
#include "report/readback.h"
#include "report/result.h"
#include "report/roster.h"
#include "report/things.h"
#include "service/calendar.h"
#include "service/desk.h"
#include "service/digest.h"
#include "service/entered.h"
#include "service/examples.h"
#include "service/part.h"
#include "service/people.h"
#include "service/post.h"
#include "service/why.h"

#include <string.h>

/* --- questions ------------------------------------------------------------------------------------------------- */

/* How many of the units that a player commands have orders; those in melee fight on without. */
static struct err *ordered_text(struct asking *a, const struct player *p, const char **out)
{
	const bool *may = player_may_order(a->mem, a->b, p);
	const struct orderbook *book;
	int all = 0, ordered = 0, fighting = 0;
	struct err *e = board_orders(a->s, a->mem, a->b, player_side(p), NULL, &book);

	for (int i = 0; e == NULL && i < a->b->state->count; i++) {
		bool counts = may[i] && unit_alive(&a->b->state->units[i]) && unit_is_formed(&a->b->state->units[i]);

		all += counts;
		ordered += counts && book->units[i].clauses != NULL;
		fighting += counts && book->units[i].clauses == NULL && state_locked(a->b->state, i);
	}
	*out = ordered == 0 ? talloc_strdup(a->mem, "no orders yet")
			    : talloc_asprintf(a->mem, "orders for %d of %d units", ordered, all);
	if (fighting > 0)
		*out = talloc_asprintf(a->mem, "%s (%d of the others %s in melee and need%s none)", *out, fighting,
			fighting == 1 ? "is" : "are", fighting == 1 ? "s" : "");
	return e;
}

/* Whom a row of STATUS is about. A referee reads the number and the name too, as DEPUTY, REPLACE and SAY take them. */
static const char *status_player(struct asking *a, const struct player *p)
{
	const char *commands = command_text(a->mem, a->b, p);

	if (p->id == a->p->id)
		return "you";
	if (strcmp(a->p->role, "referee") != 0)
		return commands;
	return talloc_asprintf(a->mem, "player %lld, %s, who commands %s", (long long)p->id, p->name, commands);
}

/* Whose orders are in and who is ready, of the own side; a referee sees both. */
static struct err *status_text(struct asking *a, char **out)
{
	const struct game *g = a->b->game;
	struct buf *t = buf_new(a->mem);
	struct players players;
	struct err *e = store_players(a->s->store, a->mem, g->id, &players);
	int mine = player_side(a->p);

	if (strcmp(g->status, "ended") == 0) {
		*out = talloc_asprintf(a->mem, "%s is over. %s. RESEND brings the debrief again.", a->b->sc->title,
			result_headline(t, a->b->sc, a->b->state, a->b->state, mine));
		return e;
	}
	if (g->held)
		buf_printf(t,
			"%s. %s waits for your review: no deadline runs, and the players know nothing of it. Write "
			"RELEASE to let it go.\n",
			a->b->sc->title, part_resolved_text(t, g));
	else
		buf_printf(t, "%s. %s\n", a->b->sc->title, part_ends_text(t, a->b));
	buf_printf(t, "\n%s\n", result_strengths(t, a->b->sc, a->b->state, mine));
	for (int i = 0; e == NULL && i < players.count; i++) {
		const struct player *p = &players.list[i];
		const char *ordered = "";
		int side = player_side(p);
		int64_t away = 0;
		bool ready = false;

		if (side < 0 || (side != mine && strcmp(a->p->role, "referee") != 0))
			continue;
		e = ordered_text(a, p, &ordered);
		if (e == NULL)
			e = store_is_ready(a->s->store, a->mem, g, p->id, &ready);
		if (e == NULL)
			e = people_away(a->s, a->mem, p, &away);
		buf_printf(t, "\n%s, %s: %s, %s", a->b->sc->label[side], status_player(a, p), ordered,
			ready       ? "READY"
			: away == 0 ? "not READY yet"
				    : talloc_asprintf(t, "away until %s", calendar_day_text(t, away, g->zone)));
	}
	*out = t->data;
	return e;
}

static struct err *do_status(struct asking *a, const struct command_record *c)
{
	struct buf *waiting = buf_new(a->mem);
	char *text;
	int count;
	struct err *e = status_text(a, &text);

	(void)c;
	if (e == NULL && strcmp(a->p->role, "referee") == 0)
		e = digest_waiting(a->s, a->mem, a->b, waiting, &count);
	if (e != NULL)
		return e;
	say(a, text);
	return waiting->len == 0 ? NULL : say(a, waiting->data);
}

static struct err *do_help(struct asking *a, const struct command_record *c)
{
	struct values v = {.count = 0};
	struct post post = {.board = a->b,
		.player = a->p,
		.recipient = a->to == NULL ? "" : a->to->sender,
		.template = "help",
		.answers = a->to,
		.turn = a->b->game->turn};
	struct err *e = put_sheet(a->s, a->mem, a->b, a->p, &v, &post.printed);

	(void)c;
	put_examples(a->mem, a->b, a->p, &v);
	if (e == NULL)
		e = put_menu(a->mem, a->b, a->p, &v);
	if (e == NULL && a->to == NULL) /* typed by the referee on the command line */
		return answer_page(a, "Help", commands_text(a->mem, a->b, true), 0);
	put_value(&v, "commands", commands_text(a->mem, a->b, strcmp(a->p->role, "referee") == 0));
	return e != NULL ? e : post_mail(a->s, a->mem, &post, &v);
}

static struct err *print_rules(struct asking *a)
{
	char *page;
	struct err *e = rules_page(a->mem, a->b, &page);

	return e != NULL ? e : answer_page(a, "The rules", page, 0);
}

static struct err *do_rules(struct asking *a, const struct command_record *c)
{
	struct values v = {.count = 0};
	struct post post = {.board = a->b,
		.player = a->p,
		.recipient = a->to == NULL ? "" : a->to->sender,
		.template = rules_template(a->mem, a->b),
		.answers = a->to,
		.turn = a->b->game->turn};

	(void)c;
	if (a->to == NULL)
		return print_rules(a);
	put_rules(&v, a->mem, a->b->sc);
	return post_mail(a->s, a->mem, &post, &v);
}

static struct err *do_map(struct asking *a, const struct command_record *c)
{
	(void)c;
	return answer_page(a, "The map",
		talloc_asprintf(a->mem, "%s:\n\n%s%s\n%s",
			strcmp(a->b->game->status, "ended") == 0 ? "The field at the end of the battle"
			: a->b->game->part > 0
				? talloc_asprintf(
					  a->mem, "The map at the beginning of %s", part_turn_text(a->mem, a->b))
				: talloc_asprintf(a->mem, "Turn %d before anybody moves", a->b->game->turn),
			map_of(a->mem, a->b->sc, a->b->state, NULL), map_key(a->mem, a->b->sc, a->b->state, NULL),
			roster_text(a->mem, a->b->sc, a->b->state, -1)),
		0);
}

/* A side's orders in force as a receipt tells them. */
static struct err *put_orders(struct asking *a, struct buf *t, enum side side)
{
	const struct board *b = a->b;
	bool *named = talloc_zero_array(t, bool, (unsigned)b->state->count);
	const struct orderbook *book;
	const char *text;
	const char *entered;
	struct err *e = board_orders(a->s, a->mem, b, (int)side, NULL, &book);

	if (e == NULL)
		e = entered_text(a->s, a->mem, b, b->game->turn, (int)side, false, &entered);
	if (e != NULL)
		return e;
	for (int i = 0; i < b->state->count; i++)
		named[i] = b->state->units[i].side == side && book->units[i].clauses != NULL;
	text = readback_text(t, b->sc, b->state, book, b->rules->foresee(t, b->sc, b->state, side, book), side, named);
	buf_printf(t, "%s%s, orders in force for turn %d:\n\n%s", t->len > 0 ? "\n" : "",
		side_people(t, b->sc, (int)side), b->game->turn, text[0] != '\0' ? text : "None yet.\n");
	if (entered[0] != '\0')
		buf_printf(t, "\nGiven by the referee: %s.\n", entered);
	return NULL;
}

/* What both sides had ordered for a turn that is resolved. */
static struct err *show_ordered(struct asking *a, int turn)
{
	char *text;
	struct err *e = desk_ordered(a->s, a->mem, a->b, turn, &text);

	if (e != NULL && e->scope == ERR_GAME)
		return refuse(a, talloc_asprintf(a->mem, "ORDERS TURN %d: %s.", turn, e->what));
	return e != NULL ? e : answer_page(a, talloc_asprintf(a->mem, "Orders of turn %d", turn), text, 0);
}

static struct err *do_orders(struct asking *a, const struct command_record *c)
{
	struct buf *t = buf_new(a->mem);
	int side = player_side(a->p);
	struct err *e = NULL;

	if (strcmp(a->p->role, "referee") == 0 && (c->turn > 0 ? c->turn != a->b->game->turn : a->b->game->held))
		return show_ordered(a, c->turn > 0 ? c->turn : last_turn(a->b->game));
	for (int k = 0; e == NULL && k < SIDES; k++) {
		if (side >= 0 ? k == side : strcmp(a->p->role, "referee") == 0)
			e = put_orders(a, t, (enum side)k);
	}
	return e != NULL ? e : answer_page(a, "Orders in force", t->data, 0);
}

static struct err *do_resend(struct asking *a, const struct command_record *c)
{
	int turn = c->turn > 0 ? c->turn : last_turn(a->b->game);
	struct err *e;

	if (a->to == NULL)
		return refuse(a, "RESEND answers a mail. Here write: galloper report GAME --turn N");
	if (turn < 1)
		return letter_welcome(a->s, a->mem, a->b, a->p);
	e = letter_resend(a->s, a->mem, a->b, a->p, a->to, turn);
	if (e != NULL && e->scope == ERR_GAME)
		return say(a, talloc_asprintf(a->mem, "RESEND: %s.", e->what));
	return e;
}

static struct err *do_why(struct asking *a, const struct command_record *c)
{
	bool referee = strcmp(a->p->role, "referee") == 0;
	struct turn_row *row;
	char *text;
	struct err *e = why_turn(a->s, a->mem, a->b, a->to != NULL ? a->to->shows : 0, 0, referee, &row);

	if (e == NULL && row == NULL)
		return refuse(a, "WHY: no turn has been resolved yet, so there is no event to explain.");
	if (e == NULL)
		e = why_text(a->s, a->mem, a->b, row, c->number, referee, &text);
	if (e != NULL && e->scope == ERR_GAME)
		return refuse(a, talloc_asprintf(a->mem, "WHY %d: %s.", c->number, e->what));
	return e != NULL ? e
			 : answer_page(a, talloc_asprintf(a->mem, "Why? Turn %d, event %d", row->turn, c->number), text,
				   row->id);
}

/* --- acts of players ------------------------------------------------------------------------------------------- */

/* What was asked for has been done with the mail's orders, for ACCEPT in the same mail is not to find them. */
static struct err *do_forget(struct asking *a, const struct command_record *c)
{
	(void)c;
	if (player_side(a->p) < 0)
		return say(a, "FORGET is for players who order units.");
	return say(a,
		"FORGET: the lines of your earlier mails that were not understood are forgotten, and nobody asks about "
		"them any more. All your orders stay: CANCEL and a unit's name takes back its orders, and CLEAR "
		"ALL takes back all of them.");
}

static struct err *do_ready(struct asking *a, const struct command_record *c)
{
	bool ready = c->verb == COMMAND_READY;
	const char *ordered;
	struct err *e;

	if (player_side(a->p) < 0)
		return say(a, "READY and WAIT are for players who order units.");
	if (ready && a->amiss)
		return refuse(a,
			"You are not READY yet, since not all of your mail was understood. Mend your orders and "
			"write READY again, or write READY alone if they are good enough.");
	e = ordered_text(a, a->p, &ordered);
	if (e == NULL)
		e = store_set_ready(a->s->store, a->mem, a->b->game, a->p->id, ready);
	if (e != NULL)
		return e;
	if (!ready)
		return say(a, "You are no longer READY: the turn waits for its deadline, or for you to write READY.");
	if (!part_is_of(a->b, (enum side)player_side(a->p)))
		return say(a,
			talloc_asprintf(a->mem,
				"You are READY, with %s. But nobody waits for you now: this is %s. Your orders count "
				"when your part comes.",
				ordered, part_turn_text(a->mem, a->b)));
	return say(a,
		talloc_asprintf(a->mem,
			"You are READY for %s, with %s. When everybody is, %s is resolved at once. Write WAIT if you "
			"need more time.",
			part_count(a->b) > 1 ? "this part" : talloc_asprintf(a->mem, "turn %d", a->b->game->turn),
			ordered, part_count(a->b) > 1 ? "it" : "the turn"));
}

const struct deed player_deeds[] = {
	{COMMAND_HELP, do_help, true, true},
	{COMMAND_STATUS, do_status, true, false},
	{COMMAND_MAP, do_map, true, false},
	{COMMAND_RULES, do_rules, true, true},
	{COMMAND_ORDERS, do_orders, true, false},
	{COMMAND_RESEND, do_resend, true, true},
	{COMMAND_WHY, do_why, true, true},
	{COMMAND_FORGET, do_forget, false, false},
	{COMMAND_READY, do_ready, false, false},
	{COMMAND_WAIT, do_ready, false, false},
	{COMMAND_VERBS, NULL, false, false},
};
