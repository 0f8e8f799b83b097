#include "service/commands.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/text.h"
#include "orders/print.h"
#include "orders/verbs.h"
#include "report/map.h"
#include "report/roster.h"
#include "service/post.h"

#include <string.h>

enum { DAY = 24 * 3600, EXTEND_MAX = 60 };

struct asking {
	const struct service *s;
	TALLOC_CTX *mem;
	struct board *b;
	const struct player *p;
	const struct answered_mail *to;
	struct buf *said;
	bool stale;
};

static struct err *say(struct asking *a, const char *text)
{
	buf_printf(a->said, "%s%s", a->said->len > 0 ? "\n\n" : "", text);
	return NULL;
}

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

/* --- the referee's --------------------------------------------------------------------------------------------- */

/* Notes what a referee did and tells everybody else `told` under `subject`. */
static struct err *change_game(
	struct asking *a, const char *what, const char *said, const char *subject, const char *told)
{
	struct err *e = store_update_game(a->s->store, a->mem, a->b->game);

	if (e == NULL)
		e = store_act(a->s->store, a->mem, a->b->game->id, clock_now(&a->s->clock),
			talloc_asprintf(a->mem, "referee %lld", (long long)a->p->id), what, "");
	if (e == NULL)
		e = letter_to_others(a->s, a->mem, a->b, a->p, subject, told);
	return e != NULL ? e : say(a, said);
}

static struct err *do_pause(struct asking *a, const struct command_record *c)
{
	struct game *g = a->b->game;
	bool pause = c->verb == COMMAND_PAUSE;
	int64_t now = clock_now(&a->s->clock);
	const char *said;

	if (pause == (strcmp(g->status, "paused") == 0))
		return say(a, pause ? "The game is paused already." : "The game is not paused.");
	g->status = pause ? "paused" : "running";
	if (!pause && g->deadline <= now)
		g->deadline = next_deadline(g, now);
	if (pause)
		return change_game(a, "paused", "The game is paused: no turn is resolved until you write RESUME.",
			"The game is paused",
			"The referee has paused the game: no turn is resolved until it goes on. You may send "
			"orders all the same.");
	said = talloc_asprintf(a->mem, "The game goes on. Turn %d ends %s.", g->turn, deadline_text(a->mem, g));
	return change_game(a, "resumed", said, "The game goes on", said);
}

static struct err *move_deadline(struct asking *a, const char *what)
{
	const struct game *g = a->b->game;
	const char *said = talloc_asprintf(a->mem, "Turn %d now ends %s.", g->turn, deadline_text(a->mem, g));

	return change_game(a, what, said, "A new deadline",
		talloc_asprintf(a->mem, "The referee has set a new deadline. %s", said));
}

static struct err *do_deadline(struct asking *a, const struct command_record *c)
{
	struct game *g = a->b->game;
	int64_t when;

	if (!clock_parse(c->text, g->zone, &when))
		return say(a, talloc_asprintf(a->mem,
				      "DEADLINE: '%s' is no date and time. Write it like: DEADLINE 2027-01-15 16:00",
				      text_escape(a->mem, c->text, strlen(c->text))));
	if (when <= clock_now(&a->s->clock))
		return say(a, "DEADLINE: that time has passed already. To end the turn now write RESOLVE.");
	g->deadline = when;
	return move_deadline(a, "deadline set");
}

static struct err *do_extend(struct asking *a, const struct command_record *c)
{
	struct game *g = a->b->game;

	if (c->number < 1 || c->number > EXTEND_MAX)
		return say(a, "EXTEND takes a number of days from 1 to 60, as in: EXTEND 2 DAYS");
	g->deadline += (int64_t)c->number * DAY;
	return move_deadline(a, "deadline extended");
}

static struct err *do_resolve(struct asking *a, const struct command_record *c)
{
	struct game *g = a->b->game;
	struct adjudication *done;
	struct err *e;

	if (c->turn > 0 && c->turn != g->turn)
		return say(a, talloc_asprintf(a->mem, "RESOLVE TURN %d: we are at turn %d, so nothing was done.",
				      c->turn, g->turn));
	e = adjudicate(a->s, a->mem, g, "referee", &done);
	if (e == NULL)
		e = letter_reports(a->s, a->mem, done);
	return e != NULL ? e
			 : say(a, talloc_asprintf(
					  a->mem, "Turn %d is resolved; the reports are on their way.", g->turn - 1));
}

/* --- the table ------------------------------------------------------------------------------------------------- */

static const struct {
	enum command_verb verb;
	struct err *(*run)(struct asking *a, const struct command_record *c);
	bool any_turn; /* is not about one turn: good in a stale mail too */
} built[] = {
	{COMMAND_HELP, do_help, true},
	{COMMAND_STATUS, do_status, true},
	{COMMAND_MAP, do_map, true},
	{COMMAND_RULES, do_rules, true},
	{COMMAND_ORDERS, do_orders, true},
	{COMMAND_RESEND, do_resend, true},
	{COMMAND_READY, do_ready, false},
	{COMMAND_WAIT, do_ready, false},
	{COMMAND_CONCEDE, do_concede, false},
	{COMMAND_PAUSE, do_pause, true},
	{COMMAND_RESUME, do_pause, true},
	{COMMAND_DEADLINE, do_deadline, true},
	{COMMAND_EXTEND, do_extend, false},
	{COMMAND_RESOLVE, do_resolve, false},
};

static struct err *carry_out(struct asking *a, const struct command_record *c, int *answered)
{
	const struct command_info *info = command_info(c->verb);

	/* These are orders, or have been dealt with as such. */
	if (c->verb == COMMAND_ACCEPT || c->verb == COMMAND_CANCEL || c->verb == COMMAND_CLEAR)
		return NULL;
	if (info->referee && strcmp(a->p->role, "referee") != 0) {
		*answered += 1;
		return say(a, talloc_asprintf(a->mem, "%s is for the referee.", info->usage));
	}
	for (size_t i = 0; i < sizeof built / sizeof built[0]; i++) {
		if (built[i].verb != c->verb || (a->stale && !built[i].any_turn))
			continue;
		*answered += 1;
		return built[i].run(a, c);
	}
	if (a->stale)
		return NULL;
	*answered += 1;
	return say(a, talloc_asprintf(a->mem, "%s is not in this version of Galloper.", info->usage));
}

struct err *carry_out_commands(const struct service *s, TALLOC_CTX *mem, struct board *b, const struct player *p,
	const struct answered_mail *to, const struct sheet *sheet, bool stale, struct command_results *out)
{
	struct asking a = {s, mem, b, p, to, buf_new(mem), stale};
	struct err *e = NULL;
	int64_t turn = b->game->turn;
	int i = 0;

	out->answered = 0;
	for (; e == NULL && i < sheet->command_count && b->game->turn == turn; i++)
		e = carry_out(&a, &sheet->commands[i], &out->answered);
	if (e == NULL && i < sheet->command_count)
		e = say(&a, "What stands below RESOLVE was not carried out: that turn is over. Please send it again.");
	out->said = text_wrap(mem, a.said->data, LETTER_COLUMNS, 0);
	return e;
}
