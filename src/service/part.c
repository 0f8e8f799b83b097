#include "service/part.h"

#include "base/text.h"
#include "report/roster.h"
#include "report/things.h"
#include "service/post.h"

#include <assert.h>
#include <string.h>

static const char *const heading[SIDES] = {"orders E\n", "orders J\n"};

/* --- where the turn rests ----------------------------------------------------------------------------------------- */

static bool phased(const struct board *b)
{
	return rule_number(b->sc, "pace", 0) != 0;
}

/* The part to which a phase belongs, from 0. */
static int part_of(const struct ruleset *rules, int phase)
{
	int part = 0;

	for (int i = 0; i < phase; i++)
		part += rules->phases[i].rest;
	return part;
}

/* The first phase after it that begins a part; 0 when there is none. */
static int next_part(const struct ruleset *rules, int phase)
{
	for (int i = phase; i < rules->phase_count; i++)
		if (rules->phases[i].rest)
			return i + 1 < rules->phase_count ? i + 1 : 0;
	return 0;
}

int part_count(const struct board *b)
{
	return phased(b) ? part_of(b->rules, b->rules->phase_count) + 1 : 1;
}

int part_end(const struct board *b)
{
	return phased(b) ? next_part(b->rules, b->state->next_phase) : 0;
}

bool part_is_of(const struct board *b, enum side side)
{
	int whose = b->rules->phases[b->state->next_phase].side;

	return !phased(b) || whose < 0 || whose == (int)side;
}

bool part_moves(const struct board *b, enum side side)
{
	bool moves = !phased(b);

	for (int i = b->state->next_phase; i < b->rules->phase_count; i++)
		moves = moves || b->rules->phases[i].side == (int)side;
	return moves;
}

enum sheet_time part_time(const struct board *b, enum side side)
{
	return !phased(b) ? SHEET_WHOLE : part_moves(b, side) ? SHEET_MOVES : SHEET_CHARGES;
}

/* --- in words ----------------------------------------------------------------------------------------------------- */

const char *part_title(TALLOC_CTX *mem, const struct board *b, const struct state *s)
{
	int side = b->rules->phases[s->next_phase].side;

	if (!phased(b))
		return NULL;
	return side < 0 ? "the charges and melees of both sides"
			: talloc_asprintf(mem, "the %s move and shooting", b->sc->label[side]);
}

char *part_turn_text(TALLOC_CTX *mem, const struct board *b)
{
	const char *title = part_title(mem, b, b->state);

	if (title == NULL)
		return talloc_asprintf(mem, "turn %d", b->game->turn);
	return talloc_asprintf(mem, "turn %d, part %d of %d: %s", b->game->turn,
		part_of(b->rules, b->state->next_phase) + 1, part_count(b), title);
}

char *part_ends_text(TALLOC_CTX *mem, const struct board *b)
{
	const char *when = deadline_text(mem, b->game);

	if (!phased(b))
		return talloc_asprintf(mem, "Turn %d ends %s.", b->game->turn, when);
	return talloc_asprintf(mem, "This is %s. It ends %s.", part_turn_text(mem, b), when);
}

char *part_played_text(TALLOC_CTX *mem, const struct board *b, const struct state *after, int turn)
{
	int parts = part_of(b->rules, after->next_phase);

	return parts == 0 ? talloc_asprintf(mem, "%d", turn) : talloc_asprintf(mem, "%d, PART %d", turn, parts);
}

char *part_resolved_text(TALLOC_CTX *mem, const struct game *g)
{
	return g->part > 0 ? talloc_asprintf(mem, "Turn %d, part %d", g->turn, g->part)
			   : talloc_asprintf(mem, "Turn %d", g->turn - 1);
}

const char *part_advice(TALLOC_CTX *mem, const struct board *b, enum side side)
{
	bool over = !part_moves(b, side);

	if (!phased(b))
		return "";
	if (part_is_of(b, side))
		return talloc_asprintf(mem, "This is %s.%s", part_turn_text(mem, b),
			over ? " What you order for moving and shooting comes too late for this turn." : "");
	return talloc_asprintf(mem, "This is %s. %s", part_turn_text(mem, b),
		over ? "You have moved and shot; charges and melee orders count when their part comes."
		     : "Your orders count when your part comes, and until it ends you can change them.");
}

/* --- orders ------------------------------------------------------------------------------------------------------- */

char *part_orders(TALLOC_CTX *mem, const struct board *b, const struct orderbook *book)
{
	return talloc_asprintf(mem, "%s%s%s%s", heading[SIDE_GOVERNMENT],
		board_orders_text(mem, b, book, SIDE_GOVERNMENT), heading[SIDE_JACOBITE],
		board_orders_text(mem, b, book, SIDE_JACOBITE));
}

/* The block of orders after that one; NULL after the last. */
static const char *next_block(const char *block)
{
	return strstr(block + 1, heading[SIDE_GOVERNMENT]);
}

/* One side's lines of a block. */
static const char *side_lines(const char *block, enum side side, size_t *len)
{
	const char *start = strstr(block, heading[side]), *end;

	*len = 0;
	if (start == NULL)
		return block;
	start += strlen(heading[side]);
	end = strstr(start, heading[side_other(side)]);
	*len = end == NULL ? strlen(start) : (size_t)(end - start);
	return start;
}

/* The lines of one side, each order once behind all who have it. A line is "WHO: order". */
static void put_together(struct buf *out, const char *lines, size_t len)
{
	const char *end = lines + len;

	for (const char *p = lines, *next; p < end; p = next) {
		const char *colon = memchr(p, ':', (size_t)(end - p)), *before = lines;
		size_t rest;
		struct buf *who = buf_new(out);

		next = p + strcspn(p, "\n") + 1;
		if (colon == NULL || colon > next)
			colon = p;
		rest = (size_t)(next - colon);
		for (const char *q = lines, *after; q < end; q = after) {
			size_t own = strcspn(q, "\n") + 1, head;

			after = q + own;
			head = own > rest ? own - rest : 0;
			if (own < rest || memcmp(q + head, colon, rest) != 0 || memchr(q, ':', head) != NULL)
				continue;
			if (who->len == 0)
				before = q;
			buf_printf(who, "%s%.*s", who->len > 0 ? ", " : "", (int)head, q);
		}
		if (before == p) /* told with the first that has it */
			buf_printf(out, "%s\n",
				text_wrap(out, talloc_asprintf(out, "%s%.*s", who->data, (int)rest - 1, colon),
					LETTER_COLUMNS, 4));
		talloc_free(who);
	}
}

char *part_ordered_text(TALLOC_CTX *mem, const struct board *b, const char *orders, int only)
{
	struct buf *out = buf_new(mem);
	int part = 1;

	for (const char *block = orders; block != NULL; block = next_block(block), part++)
		for (int side = 0; side < SIDES; side++) {
			size_t len;
			const char *lines = side_lines(block, (enum side)side, &len);

			if (only >= 0 && only != side)
				continue;
			buf_printf(out, "%s%s%s:\n", out->len > 0 ? "\n" : "", side_people(out, b->sc, side),
				part > 1 || next_block(block) != NULL ? talloc_asprintf(out, ", part %d", part) : "");
			if (len == 0)
				buf_adds(out, "No orders.\n");
			put_together(out, lines, len);
		}
	return out->data;
}

static struct orderbook *read_block(
	TALLOC_CTX *mem, const struct board *b, const struct state *before, const char *block)
{
	struct orderbook *book = orderbook_new(mem, before);

	for (int side = 0; side < SIDES; side++) {
		struct orders_context context = {
			.state = before,
			.table = &b->sc->table,
			.side = (enum side)side,
			.shreds = b->rules->command_points,
		};
		size_t len;
		const char *lines = side_lines(block, (enum side)side, &len);
		struct sheet_in_force sheet = {.sheet = orders_read(book, lines, len, &context), .turn = before->turn};

		orders_merge(book, book, before, (enum side)side, &sheet, 1, before->turn, NULL);
	}
	return book;
}

/* --- orders by what they are for ---------------------------------------------------------------------------------- */

enum { FOR_MOVES = 1, FOR_CHARGES = 2, FOR_HOLD = 4, FOR_LATER_TURNS = 8 };

static int time_of_kind(enum clause_kind kind)
{
	switch (kind) {
	case CLAUSE_HOLD:
		return FOR_HOLD;
	case CLAUSE_CHARGE:
	case CLAUSE_MELEE:
		return FOR_CHARGES;
	case CLAUSE_JOIN: /* FP24: when he moves, or else when charges are made */
		return FOR_MOVES | FOR_CHARGES;
	default:
		return FOR_MOVES;
	}
}

/* Of which parts of a turn the clauses speak. */
static int time_of(const struct clause *c)
{
	int time = 0;

	for (; c != NULL; c = c->next)
		time |= c->kind == CLAUSE_IF ? time_of(c->then) | time_of(c->otherwise) : time_of_kind(c->kind);
	return time;
}

/* Is there anything among them that can be done in a side's move and shooting only? */
static bool any_for_moves_alone(const struct clause *c)
{
	for (; c != NULL; c = c->next)
		if (c->kind == CLAUSE_IF ? any_for_moves_alone(c->then) || any_for_moves_alone(c->otherwise)
					 : time_of_kind(c->kind) == FOR_MOVES)
			return true;
	return false;
}

const char *part_late_text(TALLOC_CTX *mem, const struct board *b, enum side side, const struct sheet *sheet)
{
	bool *late = talloc_zero_array(mem, bool, (unsigned)b->state->count);
	int *list = talloc_array(mem, int, (unsigned)b->state->count), count = 0;

	if (part_moves(b, side))
		return "";
	for (int i = 0; i < sheet->order_count; i++) {
		const struct order *o = &sheet->orders[i];

		for (int k = 0; k < o->unit_count; k++)
			late[o->units[k]] = o->kind == ORDER_GIVE && !o->standing && any_for_moves_alone(o->clauses);
	}
	for (int i = 0; i < b->state->count; i++)
		if (late[i])
			list[count++] = i;
	return count == 0 ? ""
			  : talloc_asprintf(mem,
				    "The %s have moved and shot in this turn already. Of your orders for %s only what "
				    "they say of charges and melees can still be done.",
				    side_people(mem, b->sc, (int)side), pieces_text(mem, b->state, list, count));
}

void part_mark_moves(const struct sheet *sheet, bool *units)
{
	for (int i = 0; i < sheet->order_count; i++)
		for (int k = 0; k < sheet->orders[i].unit_count; k++)
			if (time_of(sheet->orders[i].clauses) & FOR_MOVES)
				units[sheet->orders[i].units[k]] = true;
}

/* What orders of that side a part takes, which begins before `phase`. */
static int takes(const struct board *b, int phase, enum side side)
{
	int whose = b->rules->phases[phase].side;

	if (!phased(b))
		return FOR_MOVES | FOR_CHARGES | FOR_HOLD;
	return whose < 0 ? FOR_CHARGES | FOR_HOLD : whose == (int)side ? FOR_MOVES | FOR_HOLD : 0;
}

/* The sheet's orders of pieces for which it has something to do in a part that takes `times`. */
static struct sheet *sheet_for(
	TALLOC_CTX *mem, const char *text, int times, const struct orders_context *context, int *count)
{
	struct sheet *sheet = orders_read(mem, text, strlen(text), context);
	bool *others = talloc_zero_array(mem, bool, (unsigned)context->state->count);

	for (int i = 0; i < sheet->order_count; i++) {
		const struct order *o = &sheet->orders[i];

		for (int k = 0; k < o->unit_count; k++)
			others[o->units[k]] = others[o->units[k]] || o->kind == ORDER_GIVE;
	}
	for (int i = 0; i < sheet->order_count; i++) {
		const struct order *o = &sheet->orders[i];

		for (int k = 0; k < o->unit_count; k++)
			if (o->kind == ORDER_CANCEL || (time_of(o->clauses) & times) ||
				(o->standing && (times & FOR_LATER_TURNS)))
				others[o->units[k]] = false;
	}
	orders_leave_out(sheet, others, context);
	for (int i = 0; i < sheet->order_count; i++)
		*count += sheet->orders[i].kind == ORDER_CLEAR || sheet->orders[i].unit_count > 0;
	return sheet;
}

/* A block with that sheet as the side's last mail. */
static char *block_with(TALLOC_CTX *mem, const struct board *then, const char *block, const struct sheet *last,
	const struct orders_context *context)
{
	struct orderbook *book = read_block(mem, then, then->state, block);
	struct sheet_in_force sheets[2] = {{.turn = then->state->turn}, {.turn = then->state->turn}};
	size_t len;
	const char *lines = side_lines(block, context->side, &len);

	sheets[0].sheet = orders_read(mem, lines, len, context);
	sheets[1].sheet = last;
	orders_merge(book, book, then->state, context->side, sheets, 2, then->state->turn, NULL);
	return part_orders(mem, then, book);
}

char *part_orders_with(TALLOC_CTX *mem, const struct board *b, const struct state *before, const char *orders,
	enum side side, const char *text, struct part_share *share)
{
	struct orders_context context = {
		.state = before,
		.table = &b->sc->table,
		.side = side,
		.shreds = b->rules->command_points,
	};
	struct board then = *b;
	char *out = talloc_strdup(mem, "");
	int phase = 0;

	then.state = state_copy(mem, before);
	*share = (struct part_share){
		.sheet = orders_read(mem, text, strlen(text), &context),
		.played = talloc_zero_array(mem, bool, (unsigned)before->count),
	};
	for (const char *block = orders, *next; block != NULL; block = next) {
		int times = takes(b, phase, side);

		next = next_block(block);
		if (times == 0) {
			out = talloc_strndup_append(out, block, next == NULL ? strlen(block) : (size_t)(next - block));
		} else {
			const struct sheet *last = sheet_for(mem, text, times, &context, &share->count);

			orders_mark_named(last, share->played);
			out = talloc_strdup_append(out, block_with(mem, &then, block, last, &context));
		}
		phase = next_part(b->rules, phase);
	}
	return out;
}

char *part_to_come(TALLOC_CTX *mem, const struct board *b, enum side side, const char *text)
{
	struct orders_context context = {
		.state = b->state,
		.table = &b->sc->table,
		.side = side,
		.shreds = b->rules->command_points,
	};
	struct sheet *sheet = orders_read(mem, text, strlen(text), &context);
	int times = FOR_LATER_TURNS, count = 0, phase = b->state->next_phase;
	bool standing = false;

	while (phase != 0) {
		times |= takes(b, phase, side);
		phase = next_part(b->rules, phase);
	}
	for (int i = 0; i < sheet->order_count; i++)
		standing = standing || sheet->orders[i].standing;
	if (times == FOR_LATER_TURNS && !standing)
		return talloc_strdup(mem, "");
	sheet = sheet_for(mem, text, times, &context, &count);
	return count == 0 ? talloc_strdup(mem, "") : orders_canonical(mem, sheet, &context);
}

struct part_books *part_read(TALLOC_CTX *mem, const struct board *b, const struct state *start, const char *orders)
{
	struct part_books *books = talloc_zero(mem, struct part_books);

	do {
		books->list[books->count++] = read_block(books, b, start, orders);
		orders = next_block(orders);
	} while (orders != NULL && books->count < PARTS_MAX);
	return books;
}

static void add_position(TALLOC_CTX *mem, struct part_positions *way, struct state *s)
{
	way->list = talloc_realloc(mem, way->list, struct state *, (unsigned)way->count + 1);
	way->list[way->count++] = s;
}

struct state *part_play(TALLOC_CTX *mem, const struct board *b, const struct state *start, int phase,
	const struct part_books *books, struct amendments *amendments, struct events *events,
	struct part_positions *way)
{
	int part = phased(b) ? part_of(b->rules, start->next_phase) : 0;
	const struct state *from = start;
	struct state *s = NULL;

	assert(part < books->count);
	do {
		int end = part + 1 < books->count ? next_part(b->rules, from->next_phase) : phase;

		do {
			s = step(mem, b->rules, b->sc, from, books->list[part], amendments, &b->dice, events);
			if (way != NULL && s->next_phase != 0)
				add_position(mem, way, s);
			from = s;
		} while (s->next_phase != 0 && s->next_phase != end);
	} while (++part < books->count && s->next_phase != 0);
	return s;
}

struct err *part_keep_way(const struct service *s, TALLOC_CTX *mem, const struct board *b, int64_t turn, int kept,
	const struct part_positions *way)
{
	struct phase_row *rows = talloc_zero_array(mem, struct phase_row, (unsigned)way->count + 1);

	for (int i = 0; i < way->count; i++) {
		rows[i].phase = way->list[i]->next_phase;
		rows[i].state = state_write(rows, way->list[i], &rows[i].len);
	}
	return store_keep_phases(s->store, mem, b->game->id, turn, kept, rows, way->count);
}
