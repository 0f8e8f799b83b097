#include "service/entered.h"

#include "base/buf.h"
#include "orders/print.h"
#include "report/roster.h"
#include "report/things.h"
#include "service/part.h"
#include "service/people.h"

#include <string.h>

static struct orders_context whole_side(const struct board *b, enum side side)
{
	return (struct orders_context){
		.state = b->state, .table = &b->sc->table, .side = side, .shreds = b->rules->command_points};
}

/* --- told as the referee's ------------------------------------------------------------------------------------------
 */

/* Marks for each piece that the sheet names whether a referee has entered it. What a player writes for `all` is for
 * those that he commands. */
static void mark_sheet(TALLOC_CTX *mem, const struct board *b, const struct player *p, bool moves,
	const struct sheet_row *row, bool *entered)
{
	bool *named = talloc_zero_array(mem, bool, (unsigned)b->state->count);
	const bool *may = player_may_order(mem, b, p);
	enum side side = (enum side)player_side(p);
	struct orders_context context = whole_side(b, side);
	struct sheet *sheet;

	sheet = orders_read(mem, row->canonical, strlen(row->canonical), &context);
	if (moves)
		part_mark_moves(sheet, named);
	else
		orders_mark_named(sheet, named);
	for (int i = 0; i < b->state->count; i++)
		if (named[i] && b->state->units[i].side == side && (may[i] || row->referee != 0))
			entered[i] = row->referee != 0;
}

/* Those of a side, after its name when `names` is set: "Barrell's (R), Huske (Hu)". */
static void put_entered_side(
	TALLOC_CTX *mem, const struct board *b, enum side side, bool names, const bool *entered, struct buf *out)
{
	int *list = talloc_array(mem, int, (unsigned)b->state->count), count = 0;

	for (int i = 0; i < b->state->count; i++)
		if (entered[i] && b->state->units[i].side == side)
			list[count++] = i;
	if (count == 0)
		return;
	buf_printf(out, "%s%s%s%s", out->len > 0 ? "; " : "", names ? side_people(mem, b->sc, (int)side) : "",
		names ? ": " : "", pieces_text(mem, b->state, list, count));
}

struct err *entered_text(const struct service *s, TALLOC_CTX *mem, const struct board *b, int turn, int side,
	bool moves, const char **out)
{
	struct game then = *b->game;
	struct sheet_rows rows;
	bool *entered, any = false;
	struct buf *text;
	struct err *e = store_any_entered(s->store, mem, b->game, turn, &any);

	*out = "";
	if (e != NULL || !any)
		return e;
	entered = talloc_zero_array(mem, bool, (unsigned)b->state->count);
	text = buf_new(mem);
	then.turn = turn;
	e = store_sheets_in_force(s->store, mem, &then, "", &rows);
	if (e != NULL)
		return e;
	for (int i = 0; i < rows.count; i++) {
		struct player sender = sheet_sender(&rows.list[i]);

		if (rows.list[i].turn == turn && player_side(&sender) >= 0)
			mark_sheet(mem, b, &sender, moves, &rows.list[i], entered);
	}
	for (int k = 0; k < SIDES; k++)
		if (side < 0 || k == side)
			put_entered_side(mem, b, (enum side)k, side < 0, entered, text);
	*out = text->data;
	return NULL;
}

/* --- entering -------------------------------------------------------------------------------------------------------
 */

/* What is wrong with it, as a sentence; NULL when it can be entered. */
static const char *refused_entry(TALLOC_CTX *mem, const struct sheet *sheet, enum side side, int turn)
{
	if (sheet->problem_count > 0)
		return sheet->problems[0].message;
	if (sheet->order_count == 0 && sheet->priority_count == 0)
		return talloc_asprintf(mem,
			"there is no order in it. Write it like: ORDER %s TURN %d: name of the unit: advance 4",
			side == SIDE_GOVERNMENT ? "E" : "J", turn);
	return NULL;
}

/* The orders of those pieces that this player commands and no player before him; these are marked as taken. */
static struct sheet *share_of(
	TALLOC_CTX *mem, const struct board *b, const struct entry *entry, const struct player *p, bool *taken)
{
	struct orders_context context = whole_side(b, entry->side);
	struct sheet *sheet = orders_read(mem, entry->text, strlen(entry->text), &context);
	bool *others = talloc_zero_array(mem, bool, (unsigned)b->state->count);
	const bool *may = player_may_order(mem, b, p);

	for (int i = 0; i < b->state->count; i++) {
		others[i] = !may[i] || taken[i];
		taken[i] = taken[i] || may[i];
	}
	orders_leave_out(sheet, others, &context);
	return sheet;
}

/* Was the player's last sheet of that turn the very same? */
static struct err *is_in_force(const struct service *s, TALLOC_CTX *mem, const struct game *then,
	const struct player *p, const char *lines, bool *out)
{
	struct sheet_rows rows;
	struct err *e = store_sheets(s->store, mem, then, p->id, &rows);

	*out = e == NULL && rows.count > 0 && strcmp(rows.list[rows.count - 1].canonical, lines) == 0;
	return e;
}

/* Keeps one player's share; nothing when he has none, or has it already. */
static struct err *give_share(const struct service *s, TALLOC_CTX *mem, const struct board *b,
	const struct entry *entry, const struct player *p, const struct sheet *sheet, struct buf *did, bool *again)
{
	struct orders_context context = whole_side(b, entry->side);
	const char *lines = orders_canonical(mem, sheet, &context);
	struct game then = *b->game;
	struct sheet_row row = {.player = p->id,
		.arrived = entry->arrived,
		.canonical = lines,
		.typed = lines,
		.referee = entry->referee->id,
		.change = entry->change};
	bool same = false;
	struct err *e = NULL;

	if (lines[0] == '\0')
		return NULL;
	then.turn = entry->turn;
	if (entry->change == 0)
		e = is_in_force(s, mem, &then, p, lines, &same);
	*again |= same;
	if (e != NULL || same)
		return e;
	e = store_add_sheet(s->store, mem, &then, &row);
	if (e == NULL) /* he may write again */
		e = store_set_ready(s->store, mem, b->game, p->id, false);
	if (e == NULL)
		buf_printf(did, "%sThis counts as orders no. %d of %s, who has been told.", did->len > 0 ? " " : "",
			row.number, people_label(did, b, p));
	return e;
}

/* Pieces that are named and that nobody commands. */
static const char *nobodys(TALLOC_CTX *mem, const struct board *b, const struct sheet *sheet,
	const struct orders_context *context, const bool *taken)
{
	bool *named = talloc_zero_array(mem, bool, (unsigned)b->state->count);
	int *list = talloc_array(mem, int, (unsigned)b->state->count), count = 0;

	orders_mark_named(sheet, named);
	for (int i = 0; i < b->state->count; i++)
		if (named[i] && !taken[i] && b->state->units[i].side == context->side)
			list[count++] = i;
	return count == 0 ? "" : pieces_text(mem, b->state, list, count);
}

struct err *enter_orders(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct entry *entry,
	const char **why, const char **did)
{
	struct orders_context context = whole_side(b, entry->side);
	struct sheet *sheet = orders_read(mem, entry->text, strlen(entry->text), &context);
	bool *taken = talloc_zero_array(mem, bool, (unsigned)b->state->count), again = false;
	struct buf *told = buf_new(mem);
	const char *nobody;
	struct players players;
	struct err *e = store_players(s->store, mem, b->game->id, &players);

	*why = refused_entry(mem, sheet, entry->side, b->game->turn);
	if (e != NULL || *why != NULL)
		return e;
	for (int i = 0; e == NULL && i < players.count; i++)
		if (player_side(&players.list[i]) == (int)entry->side)
			e = give_share(s, mem, b, entry, &players.list[i],
				share_of(mem, b, entry, &players.list[i], taken), told, &again);
	if (e != NULL)
		return e;
	nobody = nobodys(mem, b, sheet, &context, taken);
	if (nobody[0] != '\0')
		buf_printf(told, "%sNobody commands %s, so what you wrote for it counts for nothing: GRANT it first.",
			told->len > 0 ? " " : "", nobody);
	if (told->len == 0)
		*why = again ? "these very orders are in force already." : "nobody plays that side.";
	*did = told->data;
	return entry->command == NULL || *why != NULL
		       ? NULL
		       : people_acted_for(s, mem, b, entry->side, sheet, b->game->turn, entry->command, entry->because);
}
