#include "service/board.h"

#include "base/buf.h"
#include "orders/print.h"
#include "service/scenarios.h"

#include <string.h>

int last_turn(const struct game *g)
{
	return g->part > 0 ? g->turn : g->turn - 1;
}

static struct err *missing_turn(TALLOC_CTX *mem, const struct game *g, int turn)
{
	return err_new(mem, ERR_GAME, false, "",
		"turn %d of the game %s is missing in the database: restore the last backup", turn, g->name);
}

struct err *board_load(const struct service *s, TALLOC_CTX *mem, struct game *game, struct board **out)
{
	struct board *b = talloc_zero(mem, struct board);
	struct turn_row *last = NULL;
	struct state *after = NULL;
	struct read_game *texts = NULL;
	struct err *e = scenarios_read(s->scenarios, b, game, &texts);

	b->game = game;
	b->memo = talloc_zero(b, struct board_memo);
	memcpy(b->dice.seed, game->seed, DICE_SEED_BYTES);
	if (e == NULL) {
		b->sc = texts->sc;
		b->rules = texts->rules;
		b->options = texts->options;
		b->names = texts->names;
	}
	if (e == NULL && game->turn > 1)
		e = store_turn(s->store, b, game, game->turn - 1, &last);
	if (e == NULL && game->turn > 1 && last == NULL)
		e = missing_turn(b, game, game->turn - 1);
	if (e == NULL && game->part > 0)
		e = store_turn(s->store, b, game, game->turn, &last);
	if (e == NULL && game->part > 0 && last == NULL)
		e = missing_turn(b, game, game->turn);
	if (e == NULL && game->part > 0)
		b->part_began = last->resolved;
	if (e == NULL && last != NULL)
		e = state_read(b, last->after, last->after_len, &after);
	if (e != NULL) {
		talloc_steal(mem, e);
		talloc_free(b);
		return e;
	}
	if (last == NULL && game->line != b->sc->state->line)
		after = state_copy(b, b->sc->state);
	if (after != NULL)
		after->line = game->line;
	b->state = after != NULL ? after : b->sc->state;
	*out = b;
	return NULL;
}

struct err *board_as_of(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, int turn, int line, struct board *out)
{
	struct game then = *b->game;
	struct read_game *texts;
	struct err *e;

	then.turn = turn;
	then.line = line;
	*out = *b;
	e = scenarios_read(s->scenarios, mem, &then, &texts);
	if (e == NULL) {
		out->sc = texts->sc;
		out->rules = texts->rules;
		out->options = texts->options;
	}
	return e;
}

int player_side(const struct player *p)
{
	if (strcmp(p->role, "E") == 0)
		return SIDE_GOVERNMENT;
	return strcmp(p->role, "J") == 0 ? SIDE_JACOBITE : -1;
}

/* Does the blank-parted list hold this id? */
static bool listed(const char *list, const char *id)
{
	size_t n = strlen(id);

	for (const char *p = list; *p != '\0';) {
		size_t len = strcspn(p, " ");

		if (len == n && memcmp(p, id, n) == 0)
			return true;
		p += len + strspn(p + len, " ");
	}
	return false;
}

bool *player_may_order(TALLOC_CTX *mem, const struct board *b, const struct player *p)
{
	bool *may = talloc_zero_array(mem, bool, (unsigned)b->state->count);
	int side = player_side(p);

	for (int i = 0; i < b->state->count; i++) {
		const struct unit *u = &b->state->units[i];

		may[i] = (int)u->side == side && (p->units[0] == '\0' || listed(p->units, u->id));
	}
	return may;
}

struct orders_context board_context(TALLOC_CTX *mem, const struct board *b, const struct player *p)
{
	int side = player_side(p);

	return (struct orders_context){
		.state = b->state,
		.table = &b->sc->table,
		.side = side < 0 ? SIDE_GOVERNMENT : (enum side)side,
		.may_order = player_may_order(mem, b, p),
		.referee = strcmp(p->role, "referee") == 0,
		.shreds = b->rules->command_points,
		.turn = b->game->turn,
		.held_turn = b->game->held ? last_turn(b->game) : 0,
		.game = b->game->name,
		.names = b->names,
	};
}

struct player sheet_sender(const struct sheet_row *row)
{
	return (struct player){.id = row->player, .role = row->role, .units = row->units};
}

char *board_plain_pieces(TALLOC_CTX *mem, const struct board *b, const struct sheet *sheet)
{
	bool *named = talloc_zero_array(mem, bool, (unsigned)b->state->count);
	struct buf out;

	buf_open(&out, mem);
	if (orders_plain(sheet))
		orders_mark_named(sheet, named);
	for (int i = 0; i < b->state->count; i++) {
		if (named[i] && out.len > 0)
			buf_addc(&out, ' ');
		if (named[i])
			buf_adds(&out, b->state->units[i].id);
	}
	return buf_close(&out);
}

/* Is nothing left of it, since later mails of the same player have ordered all its pieces anew? `replaced`: for each
 * piece who did so last, or 0. `told`: those of whose earlier orders something is told, for which each mail counts. */
static bool is_replaced(const struct board *b, const struct sheet_row *row, const int64_t *replaced, const bool *told)
{
	int named = 0, found = 0;

	if (row->plain[0] == '\0')
		return row->canonical[0] == '\0';
	for (const char *p = row->plain; p != NULL; p = strchr(p + 1, ' '))
		named++;
	for (int i = 0; i < b->state->count; i++)
		found += replaced[i] == row->player && !told[i] && listed(row->plain, b->state->units[i].id);
	return found == named;
}

/* The pieces that several of the side's players order, or a mail with mistakes: the first mail that replaces an order
 * of theirs tells the partner, or what was lost when half of it was mended. A mail that is not plain may order any. */
static bool *find_told(TALLOC_CTX *mem, const struct board *b, const struct sheet_rows *rows, enum side side)
{
	bool *told = talloc_zero_array(mem, bool, (unsigned)b->state->count);
	int64_t *by = talloc_zero_array(mem, int64_t, (unsigned)b->state->count);

	for (int k = 0; k < rows->count; k++) {
		const struct sheet_row *row = &rows->list[k];
		struct player sender = sheet_sender(row);

		if (player_side(&sender) != (int)side)
			continue;
		for (int i = 0; i < b->state->count; i++) {
			if (row->plain[0] != '\0' && !listed(row->plain, b->state->units[i].id))
				continue;
			told[i] |= row->unread > 0 || (by[i] != 0 && by[i] != sender.id);
			by[i] = sender.id;
		}
	}
	talloc_free(by);
	return told;
}

/* Can something have to be told of any earlier order? Mostly not, and then nobody need look for which. */
static bool may_tell(const struct sheet_rows *rows)
{
	for (int i = 0; i < rows->count; i++)
		if (rows->list[i].unread > 0 || rows->list[i].player != rows->list[0].player)
			return true;
	return false;
}

/* Is the sheet that was kept last also the last to have arrived? If it is not, its mail's notes may be about what later
 * ones have replaced. */
static bool last_came_last(const struct sheet_rows *rows)
{
	for (int i = 0; i < rows->count; i++)
		if (rows->list[i].id > rows->list[rows->count - 1].id)
			return false;
	return true;
}

static void mark_replaced(TALLOC_CTX *mem, const struct board *b, const struct sheet_in_force *in, int64_t *replaced)
{
	bool *ordered = talloc_zero_array(mem, bool, (unsigned)b->state->count);

	orders_mark_replaced(in->sheet, ordered);
	for (int i = 0; i < b->state->count; i++)
		if (ordered[i] && replaced[i] == 0)
			replaced[i] = in->player;
	talloc_free(ordered);
}

void board_keeps(const struct board *b, const struct sheet_row *row, const struct sheet *sheet)
{
	b->memo->kept = row->id;
	b->memo->kept_sheet = sheet;
}

static const struct sheet *read_row(TALLOC_CTX *mem, const struct board *b, const struct sheet_row *row)
{
	struct player sender = sheet_sender(row);
	struct orders_context context;

	if (row->id == b->memo->kept)
		return orders_as_printed(mem, b->memo->kept_sheet);
	context = board_context(mem, b, &sender);
	context.turn = 0;
	context.game = NULL;
	return orders_read(mem, row->canonical, strlen(row->canonical), &context);
}

/* The sheets of one side's players of which something is in force, read again against the state now: the latest first,
 * since of the earlier ones little is left, and put in front of each other at the end of `sheets`. How many. */
static int read_side(TALLOC_CTX *mem, const struct board *b, const struct sheet_rows *rows, enum side side,
	struct sheet_in_force *sheets)
{
	int64_t *replaced = talloc_zero_array(mem, int64_t, (unsigned)b->state->count);
	bool may_skip = last_came_last(rows);
	bool *told = may_tell(rows) ? find_told(mem, b, rows, side)
				    : talloc_zero_array(mem, bool, (unsigned)b->state->count);
	int n = 0;

	for (int i = rows->count - 1; i >= 0; i--) {
		const struct sheet_row *row = &rows->list[i];
		struct player sender = sheet_sender(row);
		struct sheet_in_force *in = &sheets[rows->count - n - 1];

		if (player_side(&sender) != (int)side || (may_skip && is_replaced(b, row, replaced, told)))
			continue;
		*in = (struct sheet_in_force){
			.sheet = read_row(mem, b, row),
			.turn = row->turn,
			.mail = row->mail,
			.player = sender.id,
			.unread = row->unread > 0,
		};
		n++;
		if (row->turn == b->game->turn)
			mark_replaced(mem, b, in, replaced);
	}
	return n;
}

static void merge_sides(const struct board *b, const struct sheet_rows *rows, int only, struct board_memo *out)
{
	out->only = only;
	out->book = orderbook_new(b->memo, b->state);
	for (int side = 0; side < SIDES; side++) {
		struct sheet_in_force *sheets;
		int n;

		if (only >= 0 && side != only)
			continue;
		sheets = talloc_zero_array(out->book, struct sheet_in_force, (unsigned)rows->count + 1);
		n = read_side(out->book, b, rows, (enum side)side, sheets);
		orders_merge(out->book, out->book, b->state, (enum side)side, sheets + rows->count - n, n,
			b->game->turn, &out->notes);
	}
}

struct err *board_orders(const struct service *s, TALLOC_CTX *mem, const struct board *b, int only,
	struct merge_notes *notes, const struct orderbook **out)
{
	static const char *const roles[SIDES] = {"E", "J"};
	struct board_memo *memo = b->memo;
	int64_t changes = store_changes(s->store);
	struct sheet_rows rows;
	struct err *e;

	if (memo->book == NULL || memo->only != only || memo->turn != b->game->turn || memo->changes != changes) {
		e = store_sheets_in_force(s->store, mem, b->game, only < 0 ? "" : roles[only], &rows);
		if (e != NULL)
			return e;
		memo->turn = b->game->turn; /* a book that was given out stays with the board */
		memo->changes = changes;
		memo->notes = (struct merge_notes){NULL, 0};
		merge_sides(b, &rows, only, memo);
	}
	if (notes != NULL)
		*notes = memo->notes;
	*out = memo->book;
	return NULL;
}

char *board_orders_text(TALLOC_CTX *mem, const struct board *b, const struct orderbook *book, enum side side)
{
	struct buf *text = buf_new(mem);

	for (int i = 0; i < book->count; i++) {
		if (b->state->units[i].side != side || book->units[i].clauses == NULL)
			continue;
		buf_adds(text, orders_lines(text, &book->units[i], piece_code(text, b->state, i), b->state, side));
	}
	for (int i = 0; b->rules->command_points && i < book->priority_count[side]; i++)
		buf_printf(
			text, "%s%s", i == 0 ? "priority " : ", ", piece_code(text, b->state, book->priority[side][i]));
	if (b->rules->command_points && book->priority_count[side] > 0)
		buf_addc(text, '\n');
	return buf_finish(mem, text);
}
