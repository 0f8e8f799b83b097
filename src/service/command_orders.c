/* ORDER and VOID ORDERS: for the turn that is open, or for the one that was resolved last. */
#include "service/amending.h"

#include "orders/print.h"
#include "report/roster.h"
#include "report/things.h"
#include "service/entered.h"
#include "service/part.h"

#include <string.h>

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
		.change = a->amending->now->row->id,
		.arrived = a->to != NULL ? a->to->arrived : clock_now(&a->s->clock),
	};
	const char *why, *did;
	struct err *e = enter_orders(a->s, a->mem, a->b, &entry, &why, &did);

	if (e != NULL)
		return e;
	return say(
		a, why != NULL ? why : talloc_asprintf(a->mem, "What it says for later is entered as well. %s", did));
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

/* Has the side, or the one unit that is named, a standing order now? */
static struct err *has_standing(struct asking *a, const struct command_record *c, bool *out)
{
	const struct orderbook *book;
	struct err *e = board_orders(a->s, a->mem, a->b, c->side, NULL, &book);

	*out = false;
	for (int i = 0; e == NULL && i < book->count; i++)
		if ((int)a->b->state->units[i].side == c->side && (c->unit_count == 0 || c->units[0] == i))
			*out = *out || book->units[i].standing;
	return e;
}

/* He is told when all of the mail is done: not while the turn is held, nor of what comes to nothing. */
static void note_acted(struct amending *am, const struct acted_for *acted)
{
	am->acted = talloc_realloc(am, am->acted, struct acted_for, (unsigned)am->acted_count + 1);
	am->acted[am->acted_count++] = *acted;
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
	bool stands = false;
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
	e = amending_apply(a, c, &change, &(struct ruling){changed_orders_text(a, c, share.played), why},
		"the turn had these very orders already.");
	if (e != NULL || am->now == was)
		return e;
	if (c->verb == COMMAND_VOID && to_come[0] == '\0') {
		e = has_standing(a, c, &stands);
		to_come = stands ? text : "";
	}
	if (e == NULL && to_come[0] != '\0')
		e = enter_rest(a, c, was->row->turn, to_come);
	if (e == NULL)
		note_acted(a->amending,
			&(struct acted_for){(enum side)c->side, sheet, was->row->turn, command_words(a, c), why});
	return e;
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
	e = amending_begin(a, &ready);
	if (e != NULL || !ready || (why = amending_reason(a, c)) == NULL)
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
		return refuse(a,
			talloc_asprintf(a->mem, "%s: %s %s on the other side. Nothing was done.", command_words(a, c),
				desk_piece(a, c->units[0]), unit_is_formed(&s->units[c->units[0]]) ? "are" : "is"));
	return with_orders(a, c,
		c->unit_count == 0 ? "clear all"
				   : talloc_asprintf(a->mem, "cancel %s", piece_code(a->mem, s, c->units[0])));
}

const struct deed order_deeds[] = {
	{COMMAND_ORDER, do_order, false, false},
	{COMMAND_VOID, do_void_orders, false, false},
	{COMMAND_VERBS, NULL, false, false},
};
