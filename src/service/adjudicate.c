#include "service/adjudicate.h"

#include "service/calendar.h"
#include "service/part.h"
#include "service/record.h"

#include <string.h>

enum { HOUR = 3600 };

int64_t next_deadline(const struct game *g, int64_t now)
{
	int64_t from = g->deadline > now ? g->deadline : now;
	int64_t usual, early;

	if (g->slot[0] == '\0') /* a drill */
		return 0;
	usual = early = calendar_next(g->slot, g->zone, g->skips, from);
	if (g->deadline > now)
		early = calendar_next(g->slot, g->zone, g->skips, now + TURN_LEAST - 1);
	return early < usual ? early : usual;
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

static bool has_verdict(const struct amendments *amendments)
{
	for (int i = 0; i < amendments->count; i++)
		if (amendments->list[i]->op == AMEND_VERDICT)
			return true;
	return false;
}

static struct err *keep_turn(const struct service *s, TALLOC_CTX *mem, struct adjudication *a, struct turn_row *row,
	const struct amendments *amendments, const char *why)
{
	struct game *g = a->board->game;
	struct err *e;

	row->line = g->line;
	row->turn = g->turn;
	row->resolution++;
	row->resolved = clock_now(&s->clock);
	row->why = why;
	row->digest = state_digest(mem, a->after);
	row->before = state_write(mem, a->board->state, &row->before_len);
	row->after = state_write(mem, a->after, &row->after_len);
	row->amendments = amendments_write(mem, amendments, &row->amendments_len);
	row->events = events_write(mem, a->events, &row->events_len);
	e = store_add_turn(s->store, mem, g, row);
	if (e != NULL)
		return e;
	a->row = row->id;
	e = part_keep_way(s, mem, a->board, row->id, 0, &a->way);
	if (e != NULL)
		return e;
	if (a->after->next_phase > 0) {
		g->part++;
	} else {
		g->turn++;
		g->part = 0;
		g->concession = ""; /* an offer is for the turn in which it was made */
	}
	if (!has_verdict(amendments))
		hold_if_reviewed(g, row->resolved);
	if (!g->held)
		e = store_release_turn(s->store, mem, row->id, row->resolved);
	if (e != NULL)
		return e;
	if (a->after->winner == WINNER_OPEN)
		g->deadline = next_deadline(g, row->resolved);
	else
		g->deadline = 0;
	g->deadline_set = false;
	if (a->after->winner != WINNER_OPEN && !g->held)
		g->status = "ended";
	return store_update_game(s->store, mem, g);
}

static struct err *note_resolved(const struct service *s, struct adjudication *a, const struct game *game, bool verdict,
	const char *before, const char *why)
{
	struct act act = {
		.game = game->id,
		.made = clock_now(&s->clock),
		.actor = "clock",
		.what = verdict ? talloc_asprintf(a, "battle ended in turn %d", game->turn - 1)
			: a->after->next_phase == 0
				? talloc_asprintf(a, "turn %d resolved", game->turn - 1)
				: talloc_asprintf(a, "turn %d, part %d resolved", game->turn, game->part),
		.reason = why,
		.digest_before = before,
		.digest_after = state_digest(a, a->after),
	};

	return store_add_act(s->store, a, &act);
}

/* What is stored of the turn so far, an empty row at its start; and the amendments with which it goes on. */
static struct err *load_so_far(const struct service *s, struct adjudication *a, const struct amendments *more,
	struct turn_row **row, struct amendments **amendments, const struct state **start)
{
	struct board *b = a->board;
	struct events *told;
	struct state *before;
	struct err *e = NULL;

	*start = b->state;
	*row = talloc_zero(a, struct turn_row);
	(*row)->orders = "";
	*amendments = amendments_new(a);
	if (b->game->part > 0) {
		e = store_turn(s->store, a, b->game, b->game->turn, row);
		if (e == NULL)
			e = state_read(a, (*row)->before, (*row)->before_len, &before);
		if (e == NULL)
			*start = before;
		if (e == NULL)
			e = amendments_read(a, (*row)->amendments, (*row)->amendments_len, amendments);
		if (e == NULL)
			e = events_read(a, (*row)->events, (*row)->events_len, &told);
		if (e == NULL)
			a->told = told->count;
	}
	for (int i = 0; e == NULL && i < more->count; i++) {
		struct amendment *am = amendments_add(*amendments, more->list[i]->op);

		*am = *more->list[i];
		if (am->op == AMEND_VERDICT) /* parts that have been played stay */
			am->unit = b->state->next_phase;
	}
	return e;
}

/* Plays the open turn, or the open part of it, and stores nothing. */
static struct err *play(const struct service *s, TALLOC_CTX *mem, struct game *game, const struct amendments *more,
	struct adjudication **out, struct turn_row **row, struct amendments **amendments)
{
	struct adjudication *a = talloc_zero(mem, struct adjudication);
	const struct orderbook *merged;
	const struct state *start;
	struct err *e = board_load(s, a, game, &a->board);
	int end;

	*out = a;
	if (e == NULL)
		e = board_orders(s, a, a->board, -1, NULL, &merged);
	if (e == NULL)
		e = load_so_far(s, a, more, row, amendments, &start);
	if (e != NULL)
		return e;
	(*row)->orders = talloc_asprintf(a, "%s%s", (*row)->orders, part_orders(a, a->board, merged));
	end = part_end(a->board);
	a->board->state = start;
	a->events = events_new(a);
	a->after = part_play(a, a->board, start, end, part_read(a, a->board, start, (*row)->orders), *amendments,
		a->events, &a->way);
	return NULL;
}

struct err *adjudicate_preview(const struct service *s, TALLOC_CTX *mem, struct game *game, struct adjudication **out)
{
	struct turn_row *row;
	struct amendments *amendments;

	return play(s, mem, game, amendments_new(mem), out, &row, &amendments);
}

static struct err *resolve(const struct service *s, TALLOC_CTX *mem, struct game *game, const struct amendments *more,
	const char *why, struct adjudication **out)
{
	struct amendments *amendments;
	struct turn_row *row;
	const char *before;
	struct err *e = record_digest(s, mem, game, &before);

	if (e == NULL)
		e = play(s, mem, game, more, out, &row, &amendments);
	if (e == NULL)
		e = keep_turn(s, *out, *out, row, amendments, why);
	if (e == NULL)
		e = note_resolved(s, *out, game, has_verdict(amendments), before, why);
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

	a->value = (int)verdict->winner;
	a->side = verdict->conceded;
	a->because = verdict->because;
	return resolve(s, mem, game, amendments, verdict->conceded >= 0 ? "conceded" : "verdict", out);
}

struct err *adjudicate_again(TALLOC_CTX *mem, const struct board *b, const struct turn_row *row, struct state **after,
	struct events **events)
{
	struct state *before, *stored;
	struct amendments *amendments;
	struct err *e = state_read(mem, row->before, row->before_len, &before);

	if (e == NULL)
		e = state_read(mem, row->after, row->after_len, &stored);
	if (e == NULL)
		e = amendments_read(mem, row->amendments, row->amendments_len, &amendments);
	if (e != NULL)
		return e;
	*events = events_new(mem);
	*after = part_play(
		mem, b, before, stored->next_phase, part_read(mem, b, before, row->orders), amendments, *events, NULL);
	return NULL;
}
