/* ROLLBACK and ROLLFORWARD: lines of play. Nothing is ever deleted: what is left can be taken up again. A new line has
 * dice of its own, since people have read the old ones. */
#include "service/command.h"

#include "base/buf.h"
#include "base/text.h"
#include "report/map.h"
#include "service/post.h"
#include "store/lines.h"

#include <string.h>

/* Everybody but the referee who did it gets the map as it is now and a sheet to fill in; no map where the last turn
 * waits for the referee's release. */
static struct err *tell_line(struct asking *a, const char *subject, const char *text)
{
	struct players players;
	struct board *b;
	const char *map;
	struct err *e = board_load(a->s, a->mem, a->b->game, &b);

	if (e == NULL)
		e = store_players(a->s->store, a->mem, b->game->id, &players);
	if (e != NULL)
		return e;
	map = text_wrap(a->mem, text, LETTER_COLUMNS, 0);
	if (!b->game->held)
		map = talloc_asprintf(a->mem, "%s\n\n%s%s", map, map_of(a->mem, b->sc, b->state, NULL),
			map_key(a->mem, b->sc, b->state, NULL));
	for (int i = 0; e == NULL && i < players.count; i++) {
		if (players.list[i].id != a->p->id)
			e = letter_answer(a->s, a->mem, b, &players.list[i], NULL, subject, map, !b->game->held);
	}
	return e;
}

static const char *because(TALLOC_CTX *mem, const struct command_record *c)
{
	size_t len = strlen(c->because);

	if (len == 0)
		return "";
	len -= c->because[len - 1] == '.';
	return talloc_asprintf(mem, " because %.*s", (int)len, c->because);
}

/* The deadline of the turn that is now open: the one it had if that is still to come. */
static void open_turn(struct asking *a, int line, int turn, int part, int64_t deadline, bool held)
{
	struct game *g = a->b->game;
	int64_t now = clock_now(&a->s->clock);

	g->line = line;
	g->turn = turn;
	g->part = part;
	g->concession = "";
	g->held = held;
	g->release_at = 0;
	g->deadline = deadline;
	if (deadline <= now)
		g->deadline = next_deadline(g, now);
}

static struct err *do_rollback(struct asking *a, const struct command_record *c)
{
	struct game *g = a->b->game;
	int left = g->line, line;
	const char *text;
	struct err *e;

	if (c->turn >= g->turn + (g->part > 0))
		return refuse(a, talloc_asprintf(a->mem,
					 "ROLLBACK TO TURN %d: that turn has not been resolved; we are at turn %d. "
					 "Nothing was done.",
					 c->turn, g->turn));
	if (waits_for_the_rest(a, c))
		return NULL;
	e = store_leave_line(a->s->store, a->mem, g);
	if (e == NULL)
		e = store_begin_line(a->s->store, a->mem, g, c->turn, clock_now(&a->s->clock), &line);
	if (e != NULL)
		return e;
	open_turn(a, line, c->turn, 0, g->deadline, false);
	e = store_update_game(a->s->store, a->mem, g);
	text = talloc_asprintf(a->mem,
		"The referee has taken the battle back to the start of turn %d%s. What was played since "
		"does not count. It is played again, with new dice.\n\nOrders that were sent for it before do not "
		"count either: please send orders for turn %d. It ends %s.",
		c->turn, because(a->mem, c), c->turn, deadline_text(a->mem, g));
	if (e == NULL)
		e = tell_line(a, talloc_asprintf(a->mem, "Back to turn %d", c->turn), text);
	if (e != NULL)
		return e;
	return say(a, talloc_asprintf(a->mem,
			      "We are back at the start of turn %d, on a new line of play with dice of its own (line "
			      "%d). It ends %s; everybody has been told. Nothing is lost: as long as turn %d has not "
			      "been resolved again, ROLLFORWARD undoes this; later, ROLLFORWARD TO LINE %d does.",
			      c->turn, line, deadline_text(a->mem, g), c->turn, left));
}

static const struct line_row *find_line(const struct line_rows *rows, int line)
{
	for (int i = 0; i < rows->count; i++)
		if (rows->list[i].line == line)
			return &rows->list[i];
	return NULL;
}

/* Which lines there are, for who named one that is not. */
static const char *lines_text(TALLOC_CTX *mem, const struct line_rows *rows, const struct game *g)
{
	struct buf *out = buf_new(mem);

	for (int i = 0; i < rows->count; i++) {
		const struct line_row *r = &rows->list[i];

		buf_printf(out, "%sline %d (at turn %d%s)", out->len > 0 ? ", " : "", r->line,
			r->line == g->line ? g->turn : r->turn, r->line == g->line ? ", being played" : "");
	}
	return out->data;
}

/* The line to go on with; NULL when the command was refused. */
static const struct line_row *choose_line(
	struct asking *a, const struct command_record *c, const struct line_rows *rows)
{
	const struct game *g = a->b->game;
	const struct line_row *own = find_line(rows, g->line), *to;

	if (own == NULL || (c->number <= 0 && own->parent == 0)) {
		refuse(a, "ROLLFORWARD: nothing was rolled back, so nothing was done.");
		return NULL;
	}
	to = find_line(rows, c->number > 0 ? c->number : own->parent);
	if (to == NULL || to == own) {
		refuse(a, talloc_asprintf(a->mem, "ROLLFORWARD TO LINE %d: nothing was done. There is: %s.", c->number,
				  lines_text(a->mem, rows, g)));
		return NULL;
	}
	if (c->number <= 0 && g->turn > own->start) {
		refuse(a, talloc_asprintf(a->mem,
				  "ROLLFORWARD: turn %d has been played again since the rollback, so nothing was done. "
				  "To "
				  "take up the old line of play all the same, write ROLLFORWARD TO LINE %d. What was "
				  "played "
				  "since then is kept as line %d.",
				  own->start, to->line, own->line));
		return NULL;
	}
	return to;
}

static struct err *do_rollforward(struct asking *a, const struct command_record *c)
{
	struct game *g = a->b->game;
	int left = g->line;
	const struct line_row *to;
	struct line_rows rows;
	const char *text;
	struct err *e = store_lines(a->s->store, a->mem, g->id, &rows);

	to = e == NULL ? choose_line(a, c, &rows) : NULL;
	if (to == NULL)
		return e;
	e = store_leave_line(a->s->store, a->mem, g);
	if (e != NULL)
		return e;
	open_turn(a, to->line, to->turn, to->part, to->deadline, to->held);
	g->release_at = to->release_at;
	e = store_update_game(a->s->store, a->mem, g);
	text = talloc_asprintf(a->mem,
		"The referee has taken up an earlier line of play again%s: the reports that you had of it count, and "
		"what was played since it was left does not. %s",
		because(a->mem, c),
		g->held ? talloc_asprintf(a->mem, "The referee is still looking at turn %d; its report comes later.",
				  last_turn(g))
			: talloc_asprintf(a->mem,
				  "We are at turn %d, which ends %s. Orders that you had sent for it count.", g->turn,
				  deadline_text(a->mem, g)));
	if (e == NULL)
		e = tell_line(a, talloc_asprintf(a->mem, "On with turn %d", g->turn), text);
	if (e != NULL)
		return e;
	return say(
		a, talloc_asprintf(a->mem,
			   "We are at turn %d of line %d again, which ends %s; everybody has been told. What you left "
			   "is kept as line %d.%s",
			   g->turn, g->line, deadline_text(a->mem, g), left,
			   g->held ? " The last turn waits for your RELEASE, as it did." : ""));
}

const struct deed line_deeds[] = {
	{COMMAND_ROLLBACK, do_rollback, false, false},
	{COMMAND_ROLLFORWARD, do_rollforward, false, false},
	{COMMAND_VERBS, NULL, false, false},
};
