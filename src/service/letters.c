#include "service/letters.h"

#include "base/buf.h"
#include "base/dice.h"
#include "base/text.h"
#include "orders/print.h"
#include "orders/verbs.h"
#include "report/forecast.h"
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

static const char *side_of(const struct board *b, const struct player *p)
{
	int side = player_side(p);

	return side < 0 ? "both sides" : b->sc->label[side];
}

/* The board before the turn that is held for review: as players know it. */
static struct err *state_told(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct state **out)
{
	struct turn_row *row;
	struct state *before;
	struct err *e = store_turn(s->store, mem, b->game, last_turn(b->game), &row);

	if (e != NULL || row == NULL)
		return e;
	e = state_read(mem, row->before, row->before_len, &before);
	if (e == NULL)
		*out = before;
	return e;
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
	const struct state *shown = b->state;
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
	put_value(&v, "game", b->game->name);
	put_value(&v, "key", p->key);
	put_value(&v, "when", welcome_when(mem, b, p));
	put_value(&v, "deputy", deputy);
	put_value(&v, "ordered", flag(ordered));
	put_map(&v, mem, b->sc, shown, NULL);
	put_value(&v, "roster", roster_both(mem, b->sc, shown, player_side(p)));
	put_value(&v, "seed", dice_seed_hash(mem, &b->dice));
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
	put_map(&v, mem, b->sc, b->state, NULL);
	return post_mail(s, mem, &post, &v);
}

struct err *letter_failure(const struct service *s, TALLOC_CTX *mem, const struct answered_mail *to, const char *why,
	const char *how, bool left)
{
	struct values v = {.count = 0};
	struct post post = {.recipient = to->sender, .template = "failure", .answers = to};

	put_value(&v, "why", why);
	put_value(&v, "how", how);
	put_value(&v, "left", flag(left));
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
