#include "service/review.h"

#include "base/buf.h"
#include "base/text.h"
#include "orders/print.h"
#include "report/changes.h"
#include "report/forecast.h"
#include "report/map.h"
#include "report/result.h"
#include "report/things.h"
#include "service/part.h"
#include "service/people.h"
#include "service/reports.h"
#include "service/undo.h"

#include <string.h>

/* --- how to change this very turn -------------------------------------------------------------------------------- */

struct howto {
	struct buf *out;
	const struct board *then;
	const struct state *after;
	const struct events *events;
	bool changed; /* a change of the turn stands already, as in a part of it */
};

static void put_example(const struct howto *h, const char *line, const char *meaning)
{
	buf_printf(h->out, "    %s\n", line);
	buf_printf(h->out, "        %s\n", text_wrap(h->out, meaning, LETTER_COLUMNS - 8, 8));
}

/* The index of the event with the highest of that number among those of dice and hits; -1 when there is none. */
static int most_hits(const struct events *events)
{
	int best = -1;

	for (int i = 0; i < events->count; i++) {
		const struct event *ev = events->list[i];

		if (ev->kind == EVENT_VOLLEY || ev->kind == EVENT_CLOSING_FIRE || ev->kind == EVENT_MELEE)
			if (ev->number[NUM_HITS] > 0 &&
				(best < 0 || ev->number[NUM_HITS] > events->list[best]->number[NUM_HITS]))
				best = i;
	}
	return best;
}

/* In a turn without hits: of its first move. */
static void put_void_example(const struct howto *h)
{
	for (int i = 0; i < h->events->count; i++) {
		const struct event *ev = h->events->list[i];

		if (ev->kind != EVENT_MOVE)
			continue;
		put_example(h, talloc_asprintf(h->out, "AMEND %d VOID BECAUSE they had orders to stand", i + 1),
			talloc_asprintf(h->out,
				"Event %d has no effect: %s stays where it was. For an event with hits, like a volley, "
				"HITS 2 in the place of VOID sets how many.",
				i + 1, piece_english(h->out, h->after, ev->actor)));
		return;
	}
}

static void put_hits_examples(const struct howto *h)
{
	int best = most_hits(h->events);
	const struct event *ev;
	const char *who;
	int hits;

	if (best < 0) {
		put_void_example(h);
		return;
	}
	ev = h->events->list[best];
	hits = ev->number[NUM_HITS];
	who = piece_name(h->out, h->then->sc, h->after, ev->actor);
	put_example(h,
		talloc_asprintf(h->out, "AMEND %d HITS %d BECAUSE %s", best + 1, hits / 2,
			ev->kind == EVENT_MELEE ? "they fought uphill" : "half of them could not see"),
		talloc_asprintf(h->out, "To change hits. Event %d below: %s score%s %d and not %d hit%s.", best + 1,
			who, h->after->units[ev->actor].kind == KIND_GUN ? "s" : "", hits / 2, hits,
			hits == 1 ? "" : "s"));
	put_example(h,
		talloc_asprintf(h->out, "AMEND %d VOID BECAUSE %s", best + 1,
			ev->kind == EVENT_MELEE ? "they never met" : "they had orders to hold fire"),
		talloc_asprintf(h->out, "To take an event away. Event %d has no effect at all.", best + 1));
}

/* A die of another event than the one of the examples before it, if any was rolled; it shows something else then. */
static void put_die_example(const struct howto *h)
{
	int best = most_hits(h->events), found = -1;
	const struct event_die *die;

	for (int i = 0; i < h->events->count; i++)
		if (h->events->list[i]->dice_count > 0 && !h->events->list[i]->dice[0].amended &&
			(found < 0 || (found == best && i != best)))
			found = i;
	if (found < 0)
		return;
	die = &h->events->list[found]->dice[0];
	put_example(h,
		talloc_asprintf(h->out, "DIE %s = %d BECAUSE it fell off the table", die->name,
			die->value == 1 ? die->sides : 1),
		talloc_asprintf(h->out,
			"To change a die. That one of event %d shows %d and not %d. The name of each die stands below "
			"its event.",
			found + 1, die->value == 1 ? die->sides : 1, die->value));
}

/* The middle of the square in which a point lies. */
static struct point square_middle(struct point p)
{
	enum { SQUARE_SIDE = 6000 };

	return (struct point){p.x - p.x % SQUARE_SIDE + SQUARE_SIDE / 2, p.y - p.y % SQUARE_SIDE + SQUARE_SIDE / 2};
}

/* A unit put back into the square in which it stood before its move, where there is room for it. */
static void put_place_example(const struct howto *h)
{
	for (int i = 0; i < h->events->count; i++) {
		const struct event *ev = h->events->list[i];
		struct point from = {ev->number[NUM_FROM_X], ev->number[NUM_FROM_Y]};
		struct box box;

		if (ev->kind != EVENT_MOVE || !unit_alive(&h->after->units[ev->actor]))
			continue;
		box = h->after->units[ev->actor].box;
		box.front = square_middle(from);
		if (referee_stands_there(h->then->sc, h->after, ev->actor, &box) != NOBODY)
			continue;
		put_example(h,
			talloc_asprintf(h->out, "PLACE %s AT %s FACING %s BECAUSE of a mistake",
				piece_code(h->out, h->after, ev->actor), square_name(h->out, &h->then->sc->table, from),
				facing_word(box.facing)),
			talloc_asprintf(h->out,
				"To move a unit. At the end of the turn %s is there. A place is a square as H4, a "
				"ninth "
				"of one as H4.7 (digits as on a telephone), or inches from the map's bottom left as "
				"(45, 30). Without FACING it faces as before.",
				piece_english(h->out, h->after, ev->actor)));
		return;
	}
}

/* The first unit that is still there and has lost something in this turn, else the first at all. */
static void put_set_example(const struct howto *h)
{
	const struct unit *u;
	int found = -1;

	for (int i = 0; i < h->after->count &&
			(found < 0 || h->after->units[found].bases == h->then->state->units[found].bases);
		i++)
		if (unit_alive(&h->after->units[i]) && unit_is_formed(&h->after->units[i]) &&
			(found < 0 || h->after->units[i].bases < h->then->state->units[i].bases))
			found = i;
	if (found < 0)
		return;
	u = &h->then->state->units[found];
	put_example(h,
		talloc_asprintf(h->out, "SET %s %s %d BECAUSE we counted wrong", piece_code(h->out, h->after, found),
			u->figures_begun > 0 ? "FIGURES" : "BASES", u->figures_begun > 0 ? u->figures : u->bases),
		talloc_asprintf(h->out, "To change strength. At the end of the turn %s has that many.",
			piece_english(h->out, h->after, found)));
}

static char *howto_text(TALLOC_CTX *mem, const struct howto *h)
{
	put_example(h, "RELEASE", "To let it go. The players get the report as it is now.");
	put_example(h, "HOLD", "To have time. It waits until you write RELEASE, however long that takes.");
	if (h->changed)
		put_example(h, "UNDO", "To go back. Your last change of this turn is undone.");
	put_hits_examples(h);
	put_die_example(h);
	put_place_example(h);
	put_set_example(h);
	return talloc_steal(mem, h->out->data);
}

/* --- the review ----------------------------------------------------------------------------------------------------
 */

static const char *when_text(TALLOC_CTX *mem, const struct game *g)
{
	if (g->release_at == 0)
		return "It waits until you write RELEASE.";
	return talloc_asprintf(mem, "If you do nothing, it goes to the players by itself on %s (%s).",
		clock_text(mem, g->release_at, g->zone), g->zone);
}

static struct err *review_to(
	const struct service *s, TALLOC_CTX *mem, const struct adjudication *a, const struct player *p)
{
	struct board now = *a->board;
	int turn = a->board->state->turn;
	struct values v = {.count = 0};
	struct howto h = {buf_new(mem), a->board, a->after, a->events, false};
	struct desk_changes changes;
	struct post post = {
		.board = &now,
		.player = p,
		.recipient = p->address,
		.template = "review",
		.turn = now.game->turn,
		.shows = a->row,
	};
	struct turn_row *row;
	struct err *e = put_report(mem, a->board, a->after, a->events, a->told, turn, -1, true, &v);

	if (e == NULL)
		e = store_turn_row(s->store, mem, a->row, &row);
	if (e == NULL)
		e = undo_changes(s, mem, a->board, &(struct resolved){.row = row}, &changes);
	if (e == NULL)
		e = put_luck(s, mem, a->board, a->events, -1, &v);
	if (e == NULL)
		e = put_entered(s, mem, a->board, a->after, &v);
	if (e != NULL)
		return e;
	now.state = a->after;
	h.changed = undo_latest(&changes) != NULL;
	put_value(&v, "when", when_text(mem, now.game));
	put_value(&v, "howto", howto_text(mem, &h));
	put_value(&v, "ordered", part_ordered_text(mem, a->board, row->orders, -1));
	return post_mail(s, mem, &post, &v);
}

struct err *letter_review(const struct service *s, TALLOC_CTX *mem, const struct adjudication *a)
{
	struct players players;
	struct err *e = store_players(s->store, mem, a->board->game->id, &players);

	for (int i = 0; e == NULL && i < players.count; i++)
		if (strcmp(players.list[i].role, "referee") == 0)
			e = review_to(s, mem, a, &players.list[i]);
	return e;
}

/* --- what amendments have done -------------------------------------------------------------------------------------
 */

/* "- AMEND T3.shoot.B.volley.1" for each that meets nothing in that resolution. */
static char *unmet_text(TALLOC_CTX *mem, const struct resolved *r)
{
	struct buf *out = buf_new(mem);

	for (int i = 0; i < r->events->count; i++)
		if (r->events->list[i]->kind == EVENT_RULING_UNUSED)
			buf_printf(out, "- number %d: the change of %s\n", i + 1, r->events->list[i]->text);
	return out->data;
}

struct err *amended_page(TALLOC_CTX *mem, const struct board *b, const struct resolved *was, const struct resolved *now,
	const char *so_far, const char **subject, char **out)
{
	struct board then = *b;
	struct values v = {.count = 0};
	struct chronicle *c;
	struct err *e = report_chronicle(mem, b, &c);

	then.state = now->before;
	if (e == NULL)
		e = put_course(mem, &then, now->after, now->events, 0, now->row->turn, -1, true, &v);
	if (e != NULL)
		return e;
	put_value(&v, "version", talloc_asprintf(mem, "%d", now->row->resolution));
	put_value(&v, "old", talloc_asprintf(mem, "%d", was->row->resolution));
	put_value(&v, "changes", changes_text(mem, c, b->sc, now->after, was->events, now->events));
	put_value(&v, "unmet", unmet_text(mem, now));
	put_value(&v, "so_far", so_far);
	return fill_page(mem, "templates/amended.txt", &v, subject, out);
}

/* --- a look ahead --------------------------------------------------------------------------------------------------
 */

/* Who has something to order and has sent nothing, in a sentence; "" for nobody. */
static struct err *put_missing(const struct service *s, TALLOC_CTX *mem, const struct board *b, struct values *v)
{
	struct buf *who = buf_new(mem);
	struct players players;
	struct err *e = store_players(s->store, mem, b->game->id, &players);

	for (int i = 0; e == NULL && i < players.count; i++) {
		bool silent = false;

		if (player_side(&players.list[i]) >= 0)
			e = people_silent(s, mem, b, &players.list[i], &silent);
		if (silent)
			buf_printf(who, "%s%s", who->len > 0 ? ", " : "", people_label(who, b, &players.list[i]));
	}
	put_value(v, "missing",
		who->len == 0 ? ""
			      : text_wrap(mem, talloc_asprintf(who, "Nothing has come yet from %s.", who->data),
					LETTER_COLUMNS, 0));
	return e;
}

struct err *preview_page(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct adjudication *a,
	const char **subject, char **out)
{
	struct values v = {.count = 0};
	struct err *e = put_report(mem, a->board, a->after, a->events, a->told, a->board->state->turn, -1, false, &v);

	if (e == NULL)
		e = put_entered(s, mem, a->board, a->after, &v);
	if (e == NULL)
		e = put_missing(s, mem, b, &v);
	if (e != NULL)
		return e;
	put_value(&v, "ends", part_ends_text(mem, b));
	return fill_page(mem, "templates/preview.txt", &v, subject, out);
}

/* --- the corrected report ------------------------------------------------------------------------------------------
 */

/* A player's orders for the turn that is open, against one state: what of them can no longer be read, and what they
 * would come to. */
struct outlook {
	struct buf *problems; /* items */
	struct plan *plan;
};

static struct err *look_out(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct state *state,
	const struct player *p, struct outlook *out)
{
	struct board then = *b;
	struct sheet_rows rows;
	const struct orderbook *book;
	enum side side = (enum side)player_side(p);
	struct err *e;

	then.state = state_copy(mem, state);
	out->problems = buf_new(mem);
	e = store_sheets(s->store, mem, b->game, p->id, &rows);
	if (e == NULL)
		e = board_orders(s, mem, &then, (int)side, NULL, &book);
	for (int i = 0; e == NULL && i < rows.count; i++) {
		struct orders_context context = board_context(mem, &then, p);
		const struct sheet *sheet =
			orders_read(mem, rows.list[i].canonical, strlen(rows.list[i].canonical), &context);

		for (int k = 0; k < sheet->problem_count; k++)
			buf_printf(out->problems, "- %s: %s\n", sheet->problems[k].typed, sheet->problems[k].message);
	}
	if (e == NULL)
		out->plan = b->rules->foresee(mem, b->sc, then.state, side, book);
	return e;
}

static const struct plan_item *find_item(const struct plan *plan, const struct plan_item *like)
{
	for (int i = 0; i < plan->count; i++)
		if (plan->items[i].kind == like->kind && plan->items[i].unit == like->unit)
			return &plan->items[i];
	return NULL;
}

/* What goes wrong with the orders `now` that did not when they were written. */
static char *new_troubles(
	TALLOC_CTX *mem, const struct board *b, const bool *may, const struct outlook *was, const struct outlook *now)
{
	struct buf *out = buf_new(mem);

	for (const char *p = now->problems->data; *p != '\0';) {
		size_t len = strcspn(p, "\n") + 1;
		const char *item = talloc_strndup(out, p, len);

		if (strstr(was->problems->data, item) == NULL)
			buf_adds(out, text_wrap(out, item, LETTER_COLUMNS, 2));
		p += len;
	}
	for (int i = 0; i < now->plan->count; i++) {
		const struct plan_item *item = &now->plan->items[i], *before = find_item(was->plan, item);

		if (!may[item->unit] || item->whole ||
			(before != NULL && !before->whole && before->reason == item->reason))
			continue;
		buf_printf(out, "%s\n",
			text_wrap(out, talloc_asprintf(out, "- %s", forecast_sentence(out, b->sc, b->state, item)),
				LETTER_COLUMNS, 2));
	}
	return out->data;
}

/* What the correction means for the orders that a player has sent for the next turn already; "" when he has not. */
static struct err *orders_note(const struct service *s, TALLOC_CTX *mem, const struct board *now,
	const struct state *told, const struct player *p, const char **out)
{
	struct sheet_rows rows;
	struct outlook was, is;
	char *trouble;
	struct err *e = player_side(p) < 0 ? NULL : store_sheets(s->store, mem, now->game, p->id, &rows);

	*out = "";
	if (e != NULL || player_side(p) < 0 || rows.count == 0 || now->state->winner != WINNER_OPEN)
		return e;
	e = look_out(s, mem, now, told, p, &was);
	if (e == NULL)
		e = look_out(s, mem, now, now->state, p, &is);
	if (e != NULL)
		return e;
	trouble = new_troubles(mem, now, player_may_order(mem, now, p), &was, &is);
	*out = talloc_asprintf(mem, "\nYour orders for turn %d are kept.%s\n%s", now->game->turn,
		trouble[0] == '\0' ? "" : " After the correction this no longer goes as you meant it:", trouble);
	return NULL;
}

struct err *letter_corrections(const struct service *s, TALLOC_CTX *mem, const struct adjudication *a,
	const struct resolved *told, const char *because)
{
	struct board now = *a->board;
	struct told_turn t = {a->board, &now, a->events, 0, a->row, "", ""};
	int turn = a->board->state->turn;
	struct players players;
	struct chronicle *c;
	const char *changes;
	struct err *e = store_players(s->store, mem, now.game->id, &players);

	now.state = a->after;
	if (e == NULL)
		e = report_chronicle(mem, a->board, &c);
	if (e != NULL)
		return e;
	changes = changes_text(mem, c, now.sc, a->after, told->events, a->events);
	for (int i = 0; e == NULL && i < players.count; i++) {
		const char *note = "";

		e = orders_note(s, mem, &now, told->after, &players.list[i], &note);
		t.correction = talloc_asprintf(mem, "%s\n\n%s\n%s%s",
			text_wrap(mem,
				talloc_asprintf(mem,
					"The referee has corrected the report of turn %d. This is how it stands now; "
					"the report that you had no longer counts.",
					turn),
				LETTER_COLUMNS, 0),
			because, changes, note);
		if (e == NULL)
			e = report_mail(s, mem, &t, &players.list[i], NULL);
	}
	return e;
}
