/* What anybody may ask, and what players may do. */
#include "service/command.h"

#include "base/buf.h"
#include "orders/print.h"
#include "report/map.h"
#include "report/roster.h"
#include "service/post.h"

#include <string.h>

/* --- questions ------------------------------------------------------------------------------------------------- */

/* Whose orders are in and who is ready, of the own side; a referee sees both. */
static struct err *status_text(struct asking *a, char **out)
{
	const struct game *g = a->b->game;
	struct buf *t = buf_new(a->mem);
	struct players players;
	struct err *e = store_players(a->s->store, a->mem, g->id, &players);
	int mine = player_side(a->p);

	buf_printf(t, "%s, turn %d. It ends %s.\n", a->b->sc->title, g->turn, deadline_text(t, g));
	for (int i = 0; e == NULL && i < players.count; i++) {
		const struct player *p = &players.list[i];
		int side = player_side(p);
		struct sheet_rows rows;
		bool ready = false;

		if (side < 0 || (side != mine && strcmp(a->p->role, "referee") != 0))
			continue;
		e = store_sheets(a->s->store, a->mem, g, p->id, &rows);
		if (e == NULL)
			e = store_is_ready(a->s->store, a->mem, g, p->id, &ready);
		if (e == NULL)
			buf_printf(t, "\n%s, %s: %s%s", a->b->sc->label[side],
				p->id == a->p->id ? "you" : command_text(t, a->b, p),
				rows.count == 0 ? "no orders yet" : "orders are in", ready ? ", READY" : "");
	}
	*out = t->data;
	return e;
}

static struct err *do_status(struct asking *a, const struct command_record *c)
{
	char *text;
	struct err *e = status_text(a, &text);

	(void)c;
	return e != NULL ? e : say(a, text);
}

static struct err *do_help(struct asking *a, const struct command_record *c)
{
	struct values v = {.count = 0};
	struct post post = {.board = a->b,
		.player = a->p,
		.recipient = a->to->sender,
		.template = "help",
		.answers = a->to,
		.turn = a->b->game->turn};
	struct err *e = put_sheet(a->s, a->mem, a->b, a->p, &v, &post.printed);

	(void)c;
	put_value(&v, "commands", commands_text(a->mem, strcmp(a->p->role, "referee") == 0));
	return e != NULL ? e : post_mail(a->s, a->mem, &post, &v);
}

static struct err *do_rules(struct asking *a, const struct command_record *c)
{
	struct values v = {.count = 0};
	struct post post = {.board = a->b,
		.player = a->p,
		.recipient = a->to->sender,
		.template = rules_template(a->mem, a->b),
		.answers = a->to,
		.turn = a->b->game->turn};

	(void)c;
	put_rules(&v, a->mem, a->b->sc);
	return post_mail(a->s, a->mem, &post, &v);
}

static struct err *do_map(struct asking *a, const struct command_record *c)
{
	(void)c;
	return letter_answer(a->s, a->mem, a->b, a->p, a->to, "The map",
		talloc_asprintf(a->mem, "Turn %d before anybody moves:\n\n%s%s\n%s", a->b->game->turn,
			map_of(a->mem, a->b->sc, a->b->state, NULL), map_key(a->mem, a->b->sc, a->b->state, NULL),
			roster_text(a->mem, a->b->sc, a->b->state, -1)),
		false);
}

static struct err *do_orders(struct asking *a, const struct command_record *c)
{
	struct buf *t = buf_new(a->mem);
	struct orderbook *book;
	int side = player_side(a->p);
	struct err *e = NULL;

	(void)c;
	for (int k = 0; e == NULL && k < SIDES; k++) {
		if ((side >= 0 && k != side) || (side < 0 && strcmp(a->p->role, "referee") != 0))
			continue;
		e = board_orders(a->s, a->mem, a->b, k, NULL, &book);
		if (e == NULL)
			buf_printf(t, "%s%s, orders in force for turn %d:\n%s", t->len > 0 ? "\n" : "",
				a->b->sc->label[k], a->b->game->turn, board_orders_text(t, a->b, book, (enum side)k));
	}
	if (e != NULL)
		return e;
	return letter_answer(a->s, a->mem, a->b, a->p, a->to, "Orders in force", t->data, side >= 0);
}

static struct err *do_resend(struct asking *a, const struct command_record *c)
{
	int turn = c->turn > 0 ? c->turn : a->b->game->turn - 1;
	struct err *e;

	if (turn < 1)
		return letter_welcome(a->s, a->mem, a->b, a->p);
	e = letter_resend(a->s, a->mem, a->b, a->p, a->to, turn);
	if (e != NULL && e->scope == ERR_GAME)
		return say(a, talloc_asprintf(a->mem, "RESEND: %s.", e->what));
	return e;
}

/* --- acts of players ------------------------------------------------------------------------------------------- */

static struct err *do_ready(struct asking *a, const struct command_record *c)
{
	bool ready = c->verb == COMMAND_READY;

	if (player_side(a->p) < 0)
		return say(a, "READY and WAIT are for players who order units.");
	say(a, ready ? "You are READY. When everybody is, the turn is resolved at once. Write WAIT if you need more "
		       "time."
		     : "You are no longer READY: the turn waits for its deadline, or for you to write READY.");
	return store_set_ready(a->s->store, a->mem, a->b->game, a->p->id, ready);
}

static struct err *do_concede(struct asking *a, const struct command_record *c)
{
	const bool *may = player_may_order(a->mem, a->b, a->p);
	bool overall = false;
	struct err *e;

	(void)c;
	for (int i = 0; i < a->b->state->count; i++)
		overall |= may[i] && a->b->state->units[i].overall;
	if (!overall)
		return say(a, "CONCEDE is for the player of the overall commander.");
	a->b->game->concession = a->p->role;
	e = store_update_game(a->s->store, a->mem, a->b->game);
	if (e == NULL)
		e = letter_to_referees(a->s, a->mem, a->b, "A side offers to concede",
			talloc_asprintf(a->mem,
				"The %s side offers to concede the battle. If you agree, end it with: galloper game "
				"end %s\nIf not, nothing "
				"need be done; the game goes on.",
				a->b->sc->label[player_side(a->p)], a->b->game->name));
	say(a, "Your offer to concede has gone to the referee. The game goes on unless the referee agrees.");
	return e;
}

const struct deed player_deeds[] = {
	{COMMAND_HELP, do_help, true},
	{COMMAND_STATUS, do_status, true},
	{COMMAND_MAP, do_map, true},
	{COMMAND_RULES, do_rules, true},
	{COMMAND_ORDERS, do_orders, true},
	{COMMAND_RESEND, do_resend, true},
	{COMMAND_READY, do_ready, false},
	{COMMAND_WAIT, do_ready, false},
	{COMMAND_CONCEDE, do_concede, false},
	{COMMAND_VERBS, NULL, false},
};
