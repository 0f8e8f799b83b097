#include "service/letters.h"

#include "base/buf.h"
#include "base/dice.h"
#include "base/text.h"
#include "orders/print.h"
#include "orders/verbs.h"
#include "report/forecast.h"
#include "report/map.h"
#include "report/roster.h"
#include "rules/ruleset.h"
#include "service/post.h"

#include <string.h>

enum { INDENT = 4 };

static const char *flag(bool yes)
{
	return yes ? "yes" : "";
}

static const char *side_of(const struct board *b, const struct player *p)
{
	int side = player_side(p);

	return side < 0 ? "both sides" : b->sc->label[side];
}

struct err *letter_welcome(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p)
{
	struct values v = {.count = 0};
	struct post post = {
		.board = b, .player = p, .recipient = p->address, .template = "welcome", .turn = b->game->turn};
	char *rules;
	struct err *e = put_sheet(s, mem, b, p, &v, &post.printed);

	if (e == NULL)
		e = rules_page(mem, b, &rules);
	if (e != NULL)
		return e;
	put_value(&v, "rules", rules);
	put_value(&v, "title", b->sc->title);
	put_value(&v, "player", flag(player_side(p) >= 0));
	put_value(&v, "referee", flag(strcmp(p->role, "referee") == 0));
	put_value(&v, "observer", flag(strcmp(p->role, "observer") == 0));
	put_value(&v, "side", side_of(b, p));
	put_value(&v, "command", player_side(p) >= 0 ? command_text(mem, b, p) : "");
	put_value(&v, "commands", commands_text(mem, strcmp(p->role, "referee") == 0));
	put_value(&v, "game", b->game->name);
	put_value(&v, "key", p->key);
	put_value(&v, "deadline", deadline_text(mem, b->game));
	put_value(&v, "map", map_of(mem, b->sc, b->state, NULL));
	put_value(&v, "legend", map_key(mem, b->sc, b->state, NULL));
	put_value(&v, "roster", roster_both(mem, b->sc, b->state, player_side(p)));
	put_value(&v, "seed", dice_seed_hash(mem, &b->dice));
	return post_mail(s, mem, &post, &v);
}

/* --- receipts -------------------------------------------------------------------------------------------------- */

/* What each ordered piece will do: in English and in canonical form. */
static char *orders_read_back(
	TALLOC_CTX *mem, const struct board *b, const struct sheet *sheet, const struct orderbook *book, enum side side)
{
	struct buf *out = buf_new(mem);

	for (int i = 0; i < b->state->count; i++) {
		bool named = false;

		for (int k = 0; k < sheet->order_count; k++) {
			for (int n = 0; n < sheet->orders[k].unit_count; n++)
				named |= sheet->orders[k].units[n] == i;
		}
		if (!named)
			continue;
		if (book->units[i].clauses == NULL) {
			buf_printf(out, "* %s: no orders any more\n", piece_english(out, b->state, i));
			continue;
		}
		buf_printf(out, "* %s\n",
			text_wrap(out, orders_english(out, &book->units[i], i, b->state, side), LETTER_COLUMNS - 2, 2));
		buf_printf(out, "    | %s\n",
			text_wrap(out, orders_line(out, &book->units[i], i, b->state, side), LETTER_COLUMNS - 6, 6));
	}
	return out->data;
}

/* The line as it was typed, a caret under the place, what is wrong, what would be right. */
static char *problems_text(TALLOC_CTX *mem, const struct sheet *sheet)
{
	enum { TYPED_MAX = 64 };
	struct buf *out = buf_new(mem);

	for (int i = 0; i < sheet->problem_count; i++) {
		const struct problem *p = &sheet->problems[i];
		char *typed = text_escape(out, p->typed, strlen(p->typed));
		int column = p->column > 0 ? p->column - 1 : 0;

		/* A long line is shown from a little before the place. */
		if ((int)strlen(typed) > TYPED_MAX) {
			int from = column > TYPED_MAX / 2 ? column - TYPED_MAX / 2 : 0;

			from = from < (int)strlen(typed) ? from : 0;
			typed = talloc_strndup(out, typed + from, TYPED_MAX);
			column -= from;
		}
		buf_printf(out, "\n> %s\n  %*s^\n", typed, column, "");
		buf_printf(out, "  %s\n", text_wrap(out, p->message, LETTER_COLUMNS - 4, 2));
		if (p->suggestion != NULL)
			buf_printf(
				out, "  Suggestion: %s\n", text_wrap(out, p->suggestion, LETTER_COLUMNS - 16, INDENT));
	}
	return out->data;
}

static bool has_suggestions(const struct sheet *sheet)
{
	for (int i = 0; i < sheet->problem_count; i++) {
		if (sheet->problems[i].replacement != NULL)
			return true;
	}
	return false;
}

static char *notes_text(TALLOC_CTX *mem, const struct sheet *sheet, const struct merge_notes *merged)
{
	struct buf *out = buf_new(mem);

	for (int i = 0; i < sheet->note_count; i++)
		buf_printf(out, "* %s\n", text_wrap(out, sheet->notes[i].text, LETTER_COLUMNS - 2, 2));
	for (int i = 0; i < merged->count; i++)
		buf_printf(out, "* %s\n", text_wrap(out, merged->list[i].text, LETTER_COLUMNS - 2, 2));
	return out->data;
}

/* Pieces of his without orders, as names. */
static char *missing_text(TALLOC_CTX *mem, const struct board *b, const struct player *p, const struct orderbook *book)
{
	const bool *may = player_may_order(mem, b, p);
	struct buf *out = buf_new(mem);

	for (int i = 0; i < b->state->count; i++) {
		const struct unit *u = &b->state->units[i];

		if (may[i] && unit_alive(u) && unit_is_formed(u) && book->units[i].clauses == NULL)
			buf_printf(out, "%s%s", out->len > 0 ? ", " : "", piece_english(out, b->state, i));
	}
	return text_wrap(mem, out->data, LETTER_COLUMNS, 0);
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
	struct orderbook *book;
	struct plan *plan;
	struct err *e = board_orders(s, mem, b, (int)side, &merged, &book);

	if (e == NULL)
		e = put_sheet(s, mem, b, p, &v, &post.printed);
	if (e != NULL)
		return e;
	plan = b->rules->foresee(mem, b->sc, b->state, side, book);
	put_value(&v, "turn", talloc_asprintf(mem, "%d", b->game->turn));
	put_value(&v, "number",
		r->row == NULL ? "no orders" : talloc_asprintf(mem, "turn %d, no. %d", b->game->turn, r->row->number));
	put_value(&v, "arrived", clock_text(mem, clock_now(&s->clock), b->game->zone));
	put_value(&v, "orders", orders_read_back(mem, b, r->sheet, book, side));
	put_value(&v, "said", r->said);
	put_value(&v, "trouble", flag(r->sheet->problem_count > 0));
	put_value(&v, "problems", problems_text(mem, r->sheet));
	put_value(&v, "suggestions", flag(has_suggestions(r->sheet)));
	put_value(&v, "notes", notes_text(mem, r->sheet, &merged));
	put_value(&v, "foreseen", forecast_text(mem, b->sc, b->state, plan, player_may_order(mem, b, p)));
	put_value(&v, "missing", missing_text(mem, b, p, book));
	put_value(&v, "map", r->sheet->order_count > 0 ? map_of(mem, b->sc, b->state, plan) : "");
	put_value(&v, "legend", map_key(mem, b->sc, b->state, plan));
	put_value(&v, "set_aside", set_aside_text(mem, r->sheet, r->set_aside));
	put_value(&v, "deadline", deadline_text(mem, b->game));
	return post_mail(s, mem, &post, &v);
}

/* --- other mails ----------------------------------------------------------------------------------------------- */

struct err *letter_answer(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p,
	const struct answered_mail *to, const char *subject, const char *text, bool with_sheet)
{
	struct values v = {.count = 0};
	struct post post = {.board = b,
		.player = p,
		.recipient = to != NULL ? to->sender : p->address,
		.template = "answer",
		.answers = to,
		.turn = b->game->turn};
	struct err *e = NULL;

	if (with_sheet)
		e = put_sheet(s, mem, b, p, &v, &post.printed);
	else
		put_value(&v, "sheet", "");
	if (e != NULL)
		return e;
	put_value(&v, "subject", subject);
	put_value(&v, "text", text);
	put_value(&v, "deadline", talloc_asprintf(mem, "Turn %d ends %s.", b->game->turn, deadline_text(mem, b->game)));
	return post_mail(s, mem, &post, &v);
}

struct err *letter_reminder(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p)
{
	struct values v = {.count = 0};
	struct post post = {
		.board = b, .player = p, .recipient = p->address, .template = "reminder", .turn = b->game->turn};
	struct err *e = put_sheet(s, mem, b, p, &v, &post.printed);

	if (e != NULL)
		return e;
	put_value(&v, "turn", talloc_asprintf(mem, "%d", b->game->turn));
	put_value(&v, "deadline", deadline_text(mem, b->game));
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
		put_value(&v, "subject", talloc_asprintf(mem, " %s", subject));
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
