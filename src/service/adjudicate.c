#include "service/adjudicate.h"

#include "service/calendar.h"

#include <string.h>

enum { HOUR = 3600 };

static const char *const orders_heading[SIDES] = {"orders E\n", "orders J\n"};

/* The part of a turn's stored orders that belongs to one side. */
static const char *side_part(const char *orders, enum side side, size_t *len)
{
	const char *start = strstr(orders, orders_heading[side]);
	const char *end;

	if (start == NULL) {
		*len = 0;
		return orders;
	}
	start += strlen(orders_heading[side]);
	end = side == SIDE_GOVERNMENT ? strstr(start, orders_heading[SIDE_JACOBITE]) : NULL;
	*len = end == NULL ? strlen(start) : (size_t)(end - start);
	return start;
}

/* Orders are always resolved as read from the text that is stored, so that a replay cannot differ from the turn. */
static struct orderbook *read_orders(
	TALLOC_CTX *mem, const struct board *b, const struct state *before, const char *orders)
{
	struct orderbook *book = orderbook_new(mem, before);

	for (int side = 0; side < SIDES; side++) {
		struct orders_context context = {
			.state = before,
			.table = &b->sc->table,
			.side = (enum side)side,
			.shreds = strcmp(b->rules->name, "shreds") == 0,
		};
		size_t len;
		const char *part = side_part(orders, (enum side)side, &len);
		struct sheet_in_force sheet = {orders_read(book, part, len, &context), before->turn};

		orders_merge(book, book, before, (enum side)side, &sheet, 1, before->turn, NULL);
	}
	return book;
}

int64_t next_deadline(const struct game *g, int64_t now)
{
	int64_t from = g->deadline > now ? g->deadline : now;

	return calendar_next(g->slot, g->zone, g->skips, from);
}

/* The turn that was just resolved: does the referee see it before the players do? Then it waits for his RELEASE, or
 * for the hours that he has set; a turn held by the word HOLD waits for him alone. */
static void hold_if_reviewed(struct game *g, int64_t now)
{
	bool once = strcmp(g->review, "once") == 0;

	g->held = once || strcmp(g->review, "on") == 0;
	g->release_at = g->held && !once && g->review_hours > 0 ? now + (int64_t)g->review_hours * HOUR : 0;
	if (once)
		g->review = "off";
}

static struct err *keep_turn(const struct service *s, TALLOC_CTX *mem, struct adjudication *a, const char *orders,
	const struct amendments *amendments, const char *why)
{
	struct game *g = a->board->game;
	struct turn_row row = {
		.line = g->line,
		.turn = g->turn,
		.resolution = 1,
		.resolved = clock_now(&s->clock),
		.why = why,
		.orders = orders,
		.digest = state_digest(mem, a->after),
	};
	struct err *e;

	row.before = state_write(mem, a->board->state, &row.before_len);
	row.after = state_write(mem, a->after, &row.after_len);
	row.amendments = amendments_write(mem, amendments, &row.amendments_len);
	row.events = events_write(mem, a->events, &row.events_len);
	e = store_add_turn(s->store, mem, g, &row);
	if (e != NULL)
		return e;
	a->row = row.id;
	g->turn++;
	g->concession = ""; /* an offer is for the turn in which it was made */
	if (amendments->count == 0)
		hold_if_reviewed(g, row.resolved);
	if (!g->held)
		e = store_release_turn(s->store, mem, row.id, row.resolved);
	if (e != NULL)
		return e;
	if (a->after->winner == WINNER_OPEN)
		g->deadline = next_deadline(g, row.resolved);
	else
		g->deadline = 0;
	if (a->after->winner != WINNER_OPEN && !g->held)
		g->status = "ended";
	return store_update_game(s->store, mem, g);
}

static struct err *note_resolved(
	const struct service *s, struct adjudication *a, const struct game *game, bool verdict, const char *why)
{
	struct act act = {
		.game = game->id,
		.made = clock_now(&s->clock),
		.actor = "clock",
		.what = verdict ? talloc_asprintf(a, "battle ended in turn %d", game->turn - 1)
				: talloc_asprintf(a, "turn %d resolved", game->turn - 1),
		.reason = why,
		.digest_before = state_digest(a, a->board->state),
		.digest_after = state_digest(a, a->after),
	};

	return store_add_act(s->store, a, &act);
}

static struct err *resolve(const struct service *s, TALLOC_CTX *mem, struct game *game, struct amendments *amendments,
	const char *why, struct adjudication **out)
{
	struct adjudication *a = talloc_zero(mem, struct adjudication);
	const struct orderbook *merged;
	struct err *e = board_load(s, a, game, &a->board);
	char *orders;

	if (e == NULL)
		e = board_orders(s, a, a->board, -1, NULL, &merged);
	if (e != NULL)
		return e;
	orders = talloc_asprintf(a, "%s%s%s%s", orders_heading[SIDE_GOVERNMENT],
		board_orders_text(a, a->board, merged, SIDE_GOVERNMENT), orders_heading[SIDE_JACOBITE],
		board_orders_text(a, a->board, merged, SIDE_JACOBITE));
	a->orders = read_orders(a, a->board, a->board->state, orders);
	a->events = events_new(a);
	a->after = resolve_turn(
		a, a->board->rules, a->board->sc, a->board->state, a->orders, amendments, &a->board->dice, a->events);
	e = keep_turn(s, a, a, orders, amendments, why);
	if (e == NULL)
		e = note_resolved(s, a, game, amendments->count > 0, why);
	*out = a;
	return e;
}

struct err *adjudicate(
	const struct service *s, TALLOC_CTX *mem, struct game *game, const char *why, struct adjudication **out)
{
	return resolve(s, mem, game, amendments_new(mem), why, out);
}

struct err *adjudicate_verdict(const struct service *s, TALLOC_CTX *mem, struct game *game,
	const struct verdict *verdict, struct adjudication **out)
{
	struct amendments *amendments = amendments_new(mem);
	struct amendment *a = amendments_add(amendments, AMEND_VERDICT);

	a->unit = 0;
	a->value = (int)verdict->winner;
	a->side = verdict->conceded;
	a->because = verdict->because;
	return resolve(s, mem, game, amendments, verdict->conceded >= 0 ? "conceded" : "verdict", out);
}

struct err *adjudicate_again(TALLOC_CTX *mem, const struct board *b, const struct turn_row *row, struct state **after,
	struct events **events)
{
	struct state *before;
	struct amendments *amendments;
	struct err *e = state_read(mem, row->before, row->before_len, &before);

	if (e == NULL)
		e = amendments_read(mem, row->amendments, row->amendments_len, &amendments);
	if (e != NULL)
		return e;
	*events = events_new(mem);
	*after = resolve_turn(
		mem, b->rules, b->sc, before, read_orders(mem, b, before, row->orders), amendments, &b->dice, *events);
	return NULL;
}
