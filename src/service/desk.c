#include "service/desk.h"

#include "base/buf.h"
#include "base/text.h"
#include "report/map.h"
#include "report/roster.h"
#include "report/template.h"
#include "report/things.h"
#include "service/answer_pages.h"
#include "service/commands.h"
#include "service/letters.h"
#include "service/part.h"

#include <string.h>

struct err *desk_game(const struct service *s, TALLOC_CTX *mem, const char *name, struct game **out)
{
	struct err *e = store_game_named(s->store, mem, name, out);

	if (e == NULL && *out == NULL)
		e = err_new(mem, ERR_GAME, false, "", "there is no game '%s'; 'galloper game list' shows them", name);
	return e;
}

char *desk_map(TALLOC_CTX *mem, const struct board *b)
{
	return talloc_asprintf(mem, "%s, %s\n\n%s%s\n%s", b->sc->title, part_turn_text(mem, b),
		map_of(mem, b->sc, b->state, NULL), map_key(mem, b->sc, b->state, NULL),
		roster_text(mem, b->sc, b->state, -1));
}

struct err *desk_orders(const struct service *s, TALLOC_CTX *mem, const struct board *b, char **out)
{
	struct buf *text = buf_new(mem);
	const struct orderbook *book;
	struct err *e = board_orders(s, mem, b, -1, NULL, &book);

	for (int side = 0; e == NULL && side < SIDES; side++)
		buf_printf(text, "%s%s, %s\n%s", side > 0 ? "\n" : "", side_people(text, b->sc, side),
			part_turn_text(text, b), board_orders_text(text, b, book, (enum side)side));
	*out = text->data;
	return e;
}

struct err *desk_ordered(const struct service *s, TALLOC_CTX *mem, const struct board *b, int turn, char **out)
{
	struct turn_row *row;
	struct err *e = store_turn(s->store, mem, b->game, turn, &row);

	if (e == NULL && row == NULL)
		e = err_new(mem, ERR_GAME, false, "", "turn %d has not been resolved", turn);
	if (e == NULL)
		*out = talloc_asprintf(
			mem, "What was ordered for turn %d:\n\n%s", turn, part_ordered_text(mem, b, row->orders, -1));
	return e;
}

struct err *desk_resolve(const struct service *s, TALLOC_CTX *mem, struct game *g, int turn)
{
	struct adjudication *a;
	struct game *now;
	struct err *e;

	if (strcmp(g->status, "running") != 0 && strcmp(g->status, "paused") != 0)
		return err_new(mem, ERR_GAME, false, "", "the game %s is not running", g->name);
	if (turn > 0 && turn != g->turn)
		return err_new(mem, ERR_GAME, false, "",
			"turn %d is not the current turn, which is %d: nothing was done", turn, g->turn);
	if (g->held)
		return err_new(mem, ERR_GAME, false, "",
			"the last turn still waits for the referee's review: 'galloper referee %s RELEASE' first",
			g->name);
	e = store_begin(s->store, mem);
	if (e != NULL)
		return e;
	e = store_game(s->store, mem, g->id, &now);
	if (e == NULL && (now == NULL || now->revision != g->revision)) /* a tick was faster */
		e = err_new(mem, ERR_GAME, false, "",
			"the game %s has just been changed by another process: look at it again first", g->name);
	if (e == NULL)
		e = adjudicate(s, mem, g, "command line", &a);
	if (e == NULL)
		e = letter_reports(s, mem, a);
	return store_end(s->store, mem, e);
}

static const struct player *first_referee(const struct players *players)
{
	for (int i = 0; i < players->count; i++)
		if (strcmp(players->list[i].role, "referee") == 0)
			return &players->list[i];
	return NULL;
}

/* What was not understood, as the receipt would say it. */
static void put_problems(struct buf *out, const struct command_results *done, const struct sheet *sheet)
{
	for (int i = 0; i < sheet->problem_count; i++)
		buf_printf(out, "%s> %s\n%s\n", out->len > 0 ? "\n" : "",
			text_escape(out, sheet->problems[i].typed, strlen(sheet->problems[i].typed)),
			text_wrap(out, sheet->problems[i].message, LETTER_COLUMNS, 0));
	for (int i = 0; i < sheet->set_aside_count; i++)
		if (done->told == NULL || !done->told[i])
			buf_printf(out, "%sThis was not read as a command: %s\n", out->len > 0 ? "\n" : "",
				text_escape(out, sheet->set_aside[i], strlen(sheet->set_aside[i])));
}

/* Inside the transaction. */
static struct err *act_as_referee(const struct service *s, TALLOC_CTX *mem, struct game *g, const struct player *p,
	const char *text, struct desk_answer *out)
{
	struct buf *said = buf_new(mem);
	struct command_results done;
	struct orders_context context;
	struct sheet *sheet;
	struct board *b;
	struct err *e = board_load(s, mem, g, &b);

	if (e != NULL)
		return e;
	context = board_context(mem, b, p);
	text = text_plain(mem, text, strlen(text), NULL);
	sheet = orders_read(mem, text, strlen(text), &context);
	e = carry_out_commands(s, mem, b, p, NULL, sheet, false, &done);
	if (e != NULL)
		return e;
	buf_printf(said, "%s%s%s", done.said, done.said[0] != '\0' ? "\n" : "", pages_text(said, &done));
	put_problems(said, &done, sheet);
	if (said->len == 0)
		buf_adds(said, "No command was found. Write HELP for what you can do.\n");
	out->text = said->data;
	out->refused = done.refused > 0 || sheet->problem_count > 0 || sheet->set_aside_count > 0 || done.answered == 0;
	return NULL;
}

struct err *desk_referee(
	const struct service *s, TALLOC_CTX *mem, struct game *g, const char *text, struct desk_answer *out)
{
	struct players players;
	struct game *now;
	struct err *e = store_begin(s->store, mem);

	if (e != NULL)
		return e;
	e = store_game(s->store, mem, g->id, &now);
	if (e == NULL)
		e = store_players(s->store, mem, g->id, &players);
	if (e == NULL && first_referee(&players) == NULL)
		e = err_new(mem, ERR_GAME, false, "",
			"the game %s has no referee: add one with 'galloper player add %s referee ADDRESS'", g->name,
			g->name);
	if (e == NULL && strcmp(now->status, "running") != 0 && strcmp(now->status, "paused") != 0)
		e = err_new(mem, ERR_GAME, false, "", "the game %s is not running, so nothing was done", g->name);
	if (e == NULL)
		e = act_as_referee(s, mem, now, first_referee(&players), text, out);
	return store_end(s->store, mem, e);
}
