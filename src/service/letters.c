#include "service/letters.h"

#include "base/buf.h"
#include "base/dice.h"
#include "base/text.h"
#include "orders/print.h"
#include "orders/verbs.h"
#include "report/forecast.h"
#include "report/map.h"
#include "report/readback.h"
#include "report/roster.h"
#include "rules/ruleset.h"
#include "service/drill.h"
#include "service/entered.h"
#include "service/examples.h"
#include "service/part.h"
#include "service/people.h"
#include "service/post.h"
#include "service/unread.h"
#include "store/turns.h"

#include <string.h>

static const char *flag(bool yes)
{
	return yes ? "yes" : "";
}

static const char *side_of(const struct board *b, const struct player *p)
{
	int side = player_side(p);

	return side < 0 ? "both sides" : b->sc->label[side];
}

/* The board before the turn that is held for review: as players know it. */
static struct err *state_told(const struct service *s, TALLOC_CTX *mem, const struct board *b, struct state **out)
{
	struct turn_row *row;
	struct err *e = store_turn(s->store, mem, b->game, last_turn(b->game), &row);

	return e != NULL || row == NULL ? e : state_read(mem, row->before, row->before_len, out);
}

/* When what he is asked for is due. Who comes in the middle is told where the battle stands. */
static const char *welcome_when(TALLOC_CTX *mem, const struct board *b, const struct player *p)
{
	const struct game *g = b->game;
	const char *deadline = deadline_text(mem, g);
	bool phased = part_title(mem, b, b->state) != NULL, plays = player_side(p) >= 0;

	if (g->held)
		return talloc_asprintf(mem,
			"The battle is under way. %s is over, and the referee is looking at what has happened: its "
			"report comes next%s.",
			part_resolved_text(mem, g), plays ? ", and then you can send orders" : "");
	if (g->turn > 1 || g->part > 0)
		return talloc_asprintf(mem, "The battle is under way. %s The map below shows how things stand now.%s",
			part_ends_text(mem, b),
			g->turn > 1 ? " RESEND on a line of its own brings the report of the last turn." : "");
	if (!plays)
		return talloc_asprintf(mem, "The first turn ends %s.", deadline);
	return phased ? "" : talloc_asprintf(mem, "Your first orders are due by %s.", deadline);
}

/* For whom the address that is welcomed stands in: what others call that player; "" when it is his own. */
static struct err *stands_in_for(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p, const char **out)
{
	const char **deputies;
	struct err *e = store_addresses(s->store, mem, p->id, true, &deputies);

	*out = "";
	for (int i = 0; e == NULL && deputies[i] != NULL; i++)
		if (strcmp(deputies[i], p->address) == 0)
			*out = people_label(mem, b, p);
	return e;
}

/* Has anything been ordered that he may change? */
static struct err *find_ordered(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p, bool *out)
{
	const struct orderbook *book;
	const bool *may;
	struct err *e;

	*out = false;
	if (player_side(p) < 0 || b->game->held)
		return NULL;
	may = player_may_order(mem, b, p);
	e = board_orders(s, mem, b, player_side(p), NULL, &book);
	for (int i = 0; e == NULL && i < b->state->count; i++)
		*out = *out || (may[i] && book->units[i].clauses != NULL);
	return e;
}

struct err *letter_welcome(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p)
{
	struct values v = {.count = 0};
	struct post post = {
		.board = b, .player = p, .recipient = p->address, .template = "welcome", .turn = b->game->turn};
	char *rules;
	struct state *shown = b->state;
	const char *deputy;
	bool ordered;
	struct err *e = put_sheet(s, mem, b, p, &v, &post.printed);

	if (e == NULL)
		e = rules_page(mem, b, &rules);
	if (e == NULL)
		e = stands_in_for(s, mem, b, p, &deputy);
	if (e == NULL)
		e = find_ordered(s, mem, b, p, &ordered);
	if (e == NULL && b->game->held && strcmp(p->role, "referee") != 0)
		e = state_told(s, mem, b, &shown);
	if (e != NULL)
		return e;
	put_examples(mem, b, p, &v);
	e = put_menu(mem, b, p, &v);
	if (e != NULL)
		return e;
	put_value(&v, "rules", rules);
	put_value(&v, "part", part_title(mem, b, b->state) != NULL ? part_ends_text(mem, b) : "");
	put_value(&v, "government", b->sc->label[SIDE_GOVERNMENT]);
	put_value(&v, "jacobite", b->sc->label[SIDE_JACOBITE]);
	put_value(&v, "title", b->sc->title);
	put_value(&v, "player", flag(player_side(p) >= 0));
	put_value(&v, "referee", flag(strcmp(p->role, "referee") == 0));
	put_value(&v, "observer", flag(strcmp(p->role, "observer") == 0));
	put_value(&v, "side", side_of(b, p));
	put_value(&v, "command", player_side(p) >= 0 ? command_text(mem, b, p) : "");
	put_value(&v, "commands", commands_text(mem, strcmp(p->role, "referee") == 0));
	put_value(&v, "game", b->game->name);
	put_value(&v, "key", p->key);
	put_value(&v, "when", welcome_when(mem, b, p));
	put_value(&v, "deputy", deputy);
	put_value(&v, "ordered", flag(ordered));
	put_value(&v, "map", map_of(mem, b->sc, shown, NULL));
	put_value(&v, "legend", map_key(mem, b->sc, shown, NULL));
	put_value(&v, "roster", roster_both(mem, b->sc, shown, player_side(p)));
	put_value(&v, "seed", dice_seed_hash(mem, &b->dice));
	return post_mail(s, mem, &post, &v);
}

/* --- receipts -------------------------------------------------------------------------------------------------- */

/* The pieces that a mail gives orders to or takes them from. */
static bool *named_pieces(TALLOC_CTX *mem, const struct board *b, const struct sheet *sheet)
{
	bool *named = talloc_zero_array(mem, bool, (unsigned)b->state->count);

	for (int k = 0; k < sheet->order_count; k++) {
		for (int n = 0; sheet->orders[k].kind != ORDER_CLEAR && n < sheet->orders[k].unit_count; n++)
			named[sheet->orders[k].units[n]] = true;
	}
	return named;
}

/* Whose units of a side come first for command points, where several players share them: a partner's in brackets. */
static const char *ranks_text(
	TALLOC_CTX *mem, const struct board *b, const struct player *p, const struct orderbook *book)
{
	const bool *may = player_may_order(mem, b, p);
	int side = player_side(p), own = 0, count = book->priority_count[side];
	struct buf *out = buf_new(mem);

	for (int i = 0; b->rules->command_points && i < count; i++) {
		int unit = book->priority[side][i];
		bool mine = may[unit];

		own += mine;
		buf_printf(out, "%s%s%s%s", i == 0 ? "" : ", ", mine ? "" : "[", piece_code(out, b->state, unit),
			mine ? "" : "]");
	}
	if (own == 0 || own == count || !b->rules->command_points)
		return "";
	return talloc_asprintf(mem,
		"* Your side's command points go in this order, with your partners' units in brackets: %s. Whose "
		"PRIORITY line came first stands first.\n",
		out->data);
}

/* What a mail orders that is for no one piece: CLEAR ALL, and how command points are spent. */
static const char *general_text(TALLOC_CTX *mem, const struct board *b, const struct player *p,
	const struct sheet *sheet, const struct orderbook *book)
{
	struct buf *out = buf_new(mem);

	for (int i = 0; i < sheet->order_count; i++) {
		if (sheet->orders[i].kind == ORDER_CLEAR) {
			buf_adds(out, "* All your earlier orders are taken back.\n");
			break;
		}
	}
	for (int i = 0; i < sheet->priority_count; i++)
		buf_printf(out, "%s%s", i == 0 ? "* Command points go first to " : ", then ",
			piece_english(out, b->state, sheet->priority[i]));
	if (sheet->priority_count > 0)
		buf_adds(out, ".\n");
	if (sheet->order_count + sheet->priority_count > 0)
		buf_adds(out, ranks_text(mem, b, p, book));
	return text_wrap(mem, out->data, LETTER_COLUMNS, 2);
}

/* The subject: whether all is well must be seen without opening the mail. */
static const char *verdict_text(TALLOC_CTX *mem, const struct board *b, const struct receipt *r, int troubles)
{
	int unread = unread_lines(r->sheet, false), still = unread_lines(r->still, false);
	const char *verdict = "No orders found", *number = "";

	if (unread + still > 0)
		verdict = talloc_asprintf(mem, "%d line%s %snot understood", unread + still,
			unread + still == 1 ? "" : "s", unread == 0 ? "still " : "");
	else if (troubles > 0 || unread_lines(r->sheet, true) > 0)
		verdict = "All understood, but not all can be done";
	else if (r->row != NULL)
		verdict = "All understood";
	if (r->row != NULL)
		number = talloc_asprintf(mem, ", no. %d", r->row->number);
	return talloc_asprintf(mem, "%s: turn %d%s", verdict, b->game->turn, number);
}

/* The units that this mail does not name keep what they have been ordered before. */
static const char *kept_text(
	TALLOC_CTX *mem, const struct board *b, const struct player *p, const struct orderbook *book, const bool *named)
{
	const bool *may = player_may_order(mem, b, p);
	int count = 0;

	for (int i = 0; i < b->state->count; i++)
		count += may[i] && unit_alive(&b->state->units[i]) && book->units[i].clauses != NULL && !named[i];
	if (count == 0)
		return "";
	return text_wrap(mem,
		talloc_asprintf(mem, "New from this mail; %d other unit%s earlier orders (see the sheet below):", count,
			count == 1 ? " keeps its" : "s keep their"),
		LETTER_COLUMNS, 0);
}

/* Of what is to be said of the orders in force only what this mail brought about. */
static char *notes_text(TALLOC_CTX *mem, const struct board *b, enum side side, const struct receipt *r,
	const struct merge_notes *merged)
{
	const struct sheet *sheet = r->sheet;
	const char *late = part_late_text(mem, b, side, sheet);
	struct buf *out = buf_new(mem);

	if (late[0] != '\0')
		buf_printf(out, "%s\n", text_wrap(out, talloc_asprintf(out, "* %s", late), LETTER_COLUMNS, 2));

	for (int i = 0; i < sheet->note_count; i++)
		buf_printf(out, "%s\n",
			text_wrap(out, talloc_asprintf(out, "* %s", sheet->notes[i].text), LETTER_COLUMNS, 2));
	for (int i = 0; i < merged->count; i++)
		if (r->row != NULL && merged->list[i].mail == r->row->mail)
			buf_printf(out, "%s\n",
				text_wrap(out, talloc_asprintf(out, "* %s", merged->list[i].text), LETTER_COLUMNS, 2));
	return out->data;
}

/* Units of his that nothing has been ordered, and that could do something: whoever is in melee fights on. */
static const char *missing_text(
	TALLOC_CTX *mem, const struct board *b, const struct player *p, const struct orderbook *book)
{
	const bool *may = player_may_order(mem, b, p);
	int *list = talloc_array(mem, int, (unsigned)b->state->count), count = 0;

	for (int i = 0; i < b->state->count; i++) {
		const struct unit *u = &b->state->units[i];

		if (may[i] && unit_alive(u) && unit_is_formed(u) && !state_locked(b->state, i) &&
			book->units[i].clauses == NULL)
			list[count++] = i;
	}
	return count == 0 ? "" : pieces_text(mem, b->state, list, count);
}

static char *set_aside_text(TALLOC_CTX *mem, const struct sheet *sheet, const char *by_reader)
{
	enum { SHOWN_MAX = 30 };
	struct buf *out = buf_new(mem);

	for (int i = 0; i < sheet->set_aside_count && i < SHOWN_MAX; i++)
		buf_printf(out, "| %s\n",
			text_wrap(out, text_escape(out, sheet->set_aside[i], strlen(sheet->set_aside[i])),
				LETTER_COLUMNS - 2, 2));
	if (sheet->set_aside_count > SHOWN_MAX)
		buf_printf(out, "| and %d more lines\n", sheet->set_aside_count - SHOWN_MAX);
	buf_adds(out, by_reader);
	return out->data;
}

/* Who has written no order gets some to copy. */
static void put_idle(TALLOC_CTX *mem, const struct board *b, const struct player *p, bool idle, struct values *v)
{
	put_value(v, "idle", flag(idle));
	if (idle)
		put_examples(mem, b, p, v);
	else
		put_value(v, "examples", "");
}

/* What became of the mail's own lines, whatever the battle: what was not understood, what was left alone. */
static void put_reading(
	TALLOC_CTX *mem, const struct board *b, const struct receipt *r, int unread, int gone, struct values *v)
{
	int still = unread_lines(r->still, false);

	put_value(v, "which", r->which);
	put_value(v, "said", r->said);
	put_value(v, "problems", unread_text(mem, r->sheet));
	put_value(v, "suggestions", unread_advice(mem, r->sheet));
	put_value(v, "still", unread_still_text(mem, r->still, is_drill(b->game)));
	put_value(v, "still_lines", still == 0 ? "" : talloc_asprintf(mem, "%d line%s", still, still == 1 ? "" : "s"));
	put_value(v, "set_aside", set_aside_text(mem, r->sheet, r->set_aside));
	put_value(v, "quoted", r->quoted == 0 ? "" : talloc_asprintf(mem, "%d", r->quoted));
	put_value(v, "unread", unread == 0 ? "" : talloc_asprintf(mem, "%d line%s", unread, unread == 1 ? "" : "s"));
	put_value(v, "gone", gone == 0 ? "" : talloc_asprintf(mem, "%d line%s", gone, gone == 1 ? "" : "s"));
}

struct err *letter_receipt(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p,
	const struct answered_mail *to, const struct receipt *r)
{
	struct values v = {.count = 0};
	struct post post = {.board = b,
		.player = p,
		.recipient = to->sender,
		.template = "receipt",
		.answers = to,
		.turn = b->game->turn};
	enum side side = (enum side)player_side(p);
	struct merge_notes merged = {NULL, 0};
	const struct orderbook *book;
	struct plan *plan;
	const bool *named;
	const char *orders;
	char *entered;
	int troubles, unread, gone;
	bool idle;
	struct err *e = board_orders(s, mem, b, (int)side, &merged, &book);

	if (e == NULL)
		e = entered_text(s, mem, b, b->game->turn, (int)side, false, &entered);
	if (e == NULL)
		e = put_sheet(s, mem, b, p, &v, &post.printed);
	if (e != NULL)
		return e;
	plan = b->rules->foresee(mem, b->sc, b->state, side, book);
	named = named_pieces(mem, b, r->sheet);
	troubles = forecast_troubles(plan, named);
	unread = unread_lines(r->sheet, false);
	gone = unread ? 0 : unread_lines(r->sheet, true);
	orders = talloc_asprintf(mem, "%s%s", general_text(mem, b, p, r->sheet, book),
		readback_text(mem, b->sc, b->state, book, plan, side, named));
	idle = orders[0] == '\0' && unread + gone == 0 && r->said[0] == '\0';
	put_reading(mem, b, r, unread, gone, &v);
	put_value(&v, "turn", talloc_asprintf(mem, "%d", b->game->turn));
	put_value(&v, "verdict", verdict_text(mem, b, r, troubles));
	put_value(&v, "arrived", clock_text(mem, clock_now(&s->clock), b->game->zone));
	put_value(&v, "orders", orders);
	put_value(&v, "clear", flag(orders[0] != '\0' && unread + gone + r->still->problem_count == 0));
	put_value(&v, "waiting", flag(orders[0] != '\0' && unread + gone == 0 && r->still->problem_count > 0));
	put_value(&v, "kept", kept_text(mem, b, p, book, named));
	put_idle(mem, b, p, idle, &v);
	put_value(&v, "troubles", troubles == 0 ? "" : talloc_asprintf(mem, "%d of your units", troubles));
	put_value(&v, "part", text_wrap(mem, part_advice(mem, b, side), LETTER_COLUMNS, 0));
	put_value(&v, "own_part", flag(part_is_of(b, side)));
	put_value(&v, "notes", notes_text(mem, b, side, r, &merged));
	put_value(&v, "missing", missing_text(mem, b, p, book));
	put_value(&v, "entered",
		entered[0] == '\0'
			? ""
			: text_wrap(mem,
				  talloc_asprintf(mem, "Orders that the referee has given for you: %s.", entered),
				  LETTER_COLUMNS, 0));
	put_value(&v, "moves", flag(part_moves(b, side)));
	put_value(&v, "map", r->sheet->order_count > 0 ? map_of(mem, b->sc, b->state, plan) : "");
	put_value(&v, "legend", map_key(mem, b->sc, b->state, plan));
	put_value(&v, "deadline", deadline_text(mem, b->game));
	return post_mail(s, mem, &post, &v);
}

/* --- other mails ----------------------------------------------------------------------------------------------- */

static struct err *answer_with(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p,
	const struct answered_mail *to, const char *subject, const char *text, bool with_sheet, int64_t shows,
	bool alone)
{
	struct values v = {.count = 0};
	struct post post = {.board = b,
		.player = p,
		.recipient = to != NULL ? to->sender : p->address,
		.template = "answer",
		.answers = to,
		.turn = b->game->turn,
		.shows = shows,
		.alone = alone};
	struct err *e = NULL;

	if (with_sheet)
		e = put_sheet(s, mem, b, p, &v, &post.printed);
	else
		put_value(&v, "sheet", "");
	if (e != NULL)
		return e;
	put_value(&v, "subject", subject);
	put_value(&v, "text", text);
	put_value(&v, "deadline", part_ends_text(mem, b));
	return post_mail(s, mem, &post, &v);
}

struct err *letter_answer(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p,
	const struct answered_mail *to, const char *subject, const char *text, bool with_sheet)
{
	return answer_with(s, mem, b, p, to, subject, text, with_sheet, 0, false);
}

struct err *letter_answer_showing(const struct service *s, TALLOC_CTX *mem, const struct board *b,
	const struct player *p, const struct answered_mail *to, const char *subject, const char *text, int64_t shows)
{
	return answer_with(s, mem, b, p, to, subject, text, false, shows, false);
}

struct err *letter_private(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p,
	const char *subject, const char *text, bool with_sheet)
{
	return answer_with(s, mem, b, p, NULL, subject, text, with_sheet, 0, true);
}

struct err *letter_reminder(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p)
{
	struct values v = {.count = 0};
	struct post post = {
		.board = b, .player = p, .recipient = p->address, .template = "reminder", .turn = b->game->turn};
	struct err *e = put_sheet(s, mem, b, p, &v, &post.printed);

	if (e != NULL)
		return e;
	put_examples(mem, b, p, &v);
	put_value(&v, "turn", talloc_asprintf(mem, "%d", b->game->turn));
	put_value(&v, "ends", part_ends_text(mem, b));
	put_value(&v, "map", map_of(mem, b->sc, b->state, NULL));
	put_value(&v, "legend", map_key(mem, b->sc, b->state, NULL));
	return post_mail(s, mem, &post, &v);
}

struct err *letter_failure(const struct service *s, TALLOC_CTX *mem, const struct answered_mail *to, const char *why)
{
	struct values v = {.count = 0};
	struct post post = {.recipient = to->sender, .template = "failure", .answers = to};

	put_value(&v, "why", why);
	return post_mail(s, mem, &post, &v);
}

/* A notice to the people of a game: all of them, or its referees; `except` (a player's id, or 0) gets none. */
static struct err *notify(const struct service *s, TALLOC_CTX *mem, const struct board *b, bool referees_only,
	int64_t except, const char *subject, const char *text)
{
	struct players players;
	struct err *e = store_players(s->store, mem, b->game->id, &players);

	for (int i = 0; e == NULL && i < players.count; i++) {
		const struct player *p = &players.list[i];
		struct values v = {.count = 0};
		struct post post = {
			.board = b, .player = p, .recipient = p->address, .template = "notice", .turn = b->game->turn};

		if ((referees_only && strcmp(p->role, "referee") != 0) || p->id == except)
			continue;
		put_value(&v, "subject", subject);
		put_value(&v, "text", text);
		e = post_mail(s, mem, &post, &v);
	}
	return e;
}

struct err *letter_to_referees(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, const char *subject, const char *text)
{
	return notify(s, mem, b, true, 0, subject, text);
}

struct err *letter_to_all(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, const char *subject, const char *text)
{
	return notify(s, mem, b, false, 0, subject, text);
}

struct err *letter_to_others(const struct service *s, TALLOC_CTX *mem, const struct board *b,
	const struct player *sender, const char *subject, const char *text)
{
	return notify(s, mem, b, false, sender->id, subject, text);
}

struct err *letter_to_operator(const struct service *s, TALLOC_CTX *mem, const char *subject, const char *text)
{
	struct values v = {.count = 0};
	struct post post = {.recipient = s->config->operator_address, .template = "notice"};

	if (s->config->operator_address[0] == '\0')
		return NULL;
	put_value(&v, "subject", subject);
	put_value(&v, "text", text);
	return post_mail(s, mem, &post, &v);
}

struct err *letter_unreachable(const struct service *s, TALLOC_CTX *mem, const struct player *p)
{
	static const char subject[] = "A player cannot be reached";
	struct game *g;
	struct board *b;
	const char *text;
	struct err *e = store_game(s->store, mem, p->game, &g);

	if (e != NULL)
		return e;
	text = talloc_asprintf(mem,
		"Three mails to %s (player %lld) came back, so no more are sent to that address.\nPut it right with: "
		"galloper player replace %s %lld ADDRESS",
		p->name, (long long)p->id, g->name, (long long)p->id);
	if (strcmp(p->role, "referee") == 0)
		return letter_to_operator(s, mem, subject, text);
	e = board_load(s, mem, g, &b);
	return e != NULL ? e : letter_to_referees(s, mem, b, subject, text);
}
