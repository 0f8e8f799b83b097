/* A receipt: what was understood of a mail, and what would come of it. */
#include "base/buf.h"
#include "base/text.h"
#include "orders/print.h"
#include "report/forecast.h"
#include "report/readback.h"
#include "report/roster.h"
#include "service/draft.h"
#include "service/drill.h"
#include "service/entered.h"
#include "service/examples.h"
#include "service/part.h"
#include "service/unread.h"

#include <string.h>

/* The pieces that a mail gives orders to or takes them from. */
static bool *named_pieces(TALLOC_CTX *mem, const struct board *b, const struct sheet *sheet)
{
	bool *named = talloc_zero_array(mem, bool, (unsigned)b->state->count);

	for (int k = 0; k < sheet->order_count; k++) {
		for (int n = 0; sheet->orders[k].kind != ORDER_CLEAR && n < sheet->orders[k].unit_count; n++)
			named[sheet->orders[k].units[n]] = true;
	}
	return named;
}

/* Whose units of a side come first for command points, where several players share them: a partner's in brackets. */
static const char *ranks_text(
	TALLOC_CTX *mem, const struct board *b, int side, const bool *may, const struct orderbook *book)
{
	int own = 0, ranked = 0, count = book->priority_count[side];
	struct buf *out = buf_new(mem);

	for (int i = 0; b->rules->command_points && i < count; i++) {
		int unit = book->priority[side][i];
		bool mine = may[unit];

		if (!unit_is_formed(&b->state->units[unit])) /* guns stay, and generals need none */
			continue;
		own += mine;
		ranked++;
		buf_printf(out, "%s%s%s%s", ranked == 1 ? "" : ", ", mine ? "" : "[", piece_code(out, b->state, unit),
			mine ? "" : "]");
	}
	if (own == 0 || own == ranked || !b->rules->command_points)
		return "";
	return buf_text(mem,
		"* Your side's command points go in this order, with your partners' units in brackets: %s. Whose "
		"PRIORITY line came first stands first.\n",
		out->data);
}

/* What a mail orders that is for no one piece: CLEAR ALL, and how command points are spent. */
static const char *general_text(TALLOC_CTX *mem, const struct board *b, int side, const bool *may,
	const struct sheet *sheet, const struct orderbook *book)
{
	struct buf *out = buf_new(mem);

	for (int i = 0; i < sheet->order_count; i++) {
		if (sheet->orders[i].kind == ORDER_CLEAR) {
			buf_adds(out, "* All your earlier orders are taken back.\n");
			break;
		}
	}
	for (int i = 0; i < sheet->priority_count; i++)
		buf_printf(out, "%s%s", i == 0 ? "* Command points go first to " : ", then ",
			piece_english(out, b->state, sheet->priority[i]));
	if (sheet->priority_count > 0)
		buf_adds(out, ".\n");
	if (sheet->order_count + sheet->priority_count > 0)
		buf_adds(out, ranks_text(mem, b, side, may, book));
	return text_wrap(mem, out->data, LETTER_COLUMNS, 2);
}

/* The subject: whether all is well must be seen without opening the mail. */
static const char *verdict_text(TALLOC_CTX *mem, const struct board *b, const struct receipt *r, int troubles)
{
	int unread = unread_lines(r->sheet, false), still = unread_lines(r->still, false);
	const char *verdict = "No orders found", *number = "";

	if (unread + still > 0)
		verdict = buf_text(mem, "%d line%s %snot understood%s", unread ? unread : still,
			(unread ? unread : still) == 1 ? "" : "s", unread == 0 ? "still " : "",
			unread > 0 && still > 0 ? buf_text(mem, ", and %d of earlier mails", still) : "");
	else if (troubles > 0 || unread_lines(r->sheet, true) > 0)
		verdict = "All understood, but not all can be done";
	else if (r->row != NULL)
		verdict = "All understood";
	if (r->row != NULL)
		number = buf_text(mem, ", no. %d", r->row->number);
	return buf_text(mem, "%s: turn %d%s", verdict, b->game->turn, number);
}

/* The units that this mail does not name keep what they have been ordered before. */
static const char *kept_text(
	TALLOC_CTX *mem, const struct board *b, const bool *may, const struct orderbook *book, const bool *named)
{
	int count = 0;

	for (int i = 0; i < b->state->count; i++)
		count += may[i] && unit_alive(&b->state->units[i]) && book->units[i].clauses != NULL && !named[i];
	if (count == 0)
		return "";
	return text_wrap(mem,
		buf_text(mem, "New from this mail; %d other unit%s earlier orders (see the sheet below):", count,
			count == 1 ? " keeps its" : "s keep their"),
		LETTER_COLUMNS, 0);
}

static void put_note(struct buf *out, const char *text)
{
	bool gun = strncmp(text, "gun ", 4) == 0; /* other small letters may be the codes of units */

	buf_printf(out, "%s\n", text_wrap(out, buf_text(out, "* %s%s", gun ? "G" : "", text + gun), LETTER_COLUMNS, 2));
}

/* Of what is to be said of the orders in force only what this mail brought about. */
static char *notes_text(TALLOC_CTX *mem, const struct board *b, enum side side, const struct receipt *r,
	const struct merge_notes *merged)
{
	const struct sheet *sheet = r->sheet;
	const char *late = part_late_text(mem, b, side, sheet);
	struct buf *out = buf_new(mem);

	if (late[0] != '\0')
		put_note(out, late);
	buf_adds(out, r->partners != NULL ? r->partners : "");
	for (int i = 0; i < sheet->note_count; i++)
		put_note(out, sheet->notes[i].text);
	for (int i = 0; i < merged->count; i++)
		if (r->row != NULL && merged->list[i].mail == r->row->mail && merged->list[i].partner == 0)
			put_note(out, merged->list[i].text);
	return out->data;
}

/* Units of his that nothing has been ordered, and that could do something: whoever is in melee fights on. */
static const char *missing_text(TALLOC_CTX *mem, const struct board *b, const bool *may, const struct orderbook *book)
{
	int *list = talloc_array(mem, int, (unsigned)b->state->count), count = 0;

	for (int i = 0; i < b->state->count; i++) {
		const struct unit *u = &b->state->units[i];

		if (may[i] && unit_alive(u) && unit_is_formed(u) && !state_locked(b->state, i) &&
			book->units[i].clauses == NULL)
			list[count++] = i;
	}
	return count == 0 ? "" : pieces_text(mem, b->state, list, count);
}

/* Who has written no order gets some to copy. */
static void put_idle(TALLOC_CTX *mem, const struct board *b, const struct player *p, bool idle, struct values *v)
{
	put_value(v, "idle", flag(idle));
	if (idle)
		put_examples(mem, b, p, v);
	else
		put_value(v, "examples", "");
}

/* What became of the mail's own lines, whatever the battle: what was not understood, what was left alone. */
static void put_reading(
	TALLOC_CTX *mem, const struct board *b, const struct receipt *r, int unread, int gone, struct values *v)
{
	int still = unread_lines(r->still, false);

	put_value(v, "which", r->which);
	put_value(v, "said", r->said);
	put_value(v, "problems", unread_text(mem, r->sheet));
	put_value(v, "suggestions", unread_advice(mem, r->sheet));
	put_value(v, "still", unread_still_text(mem, r->still, is_drill(b->game)));
	put_value(v, "still_lines", still == 0 ? "" : buf_text(mem, "%d line%s", still, still == 1 ? "" : "s"));
	put_value(v, "set_aside", unread_aside(mem, r->sheet, r->set_aside));
	put_value(v, "quoted", r->quoted == 0 ? "" : buf_text(mem, "%d", r->quoted));
	put_value(v, "unread", unread == 0 ? "" : buf_text(mem, "%d line%s", unread, unread == 1 ? "" : "s"));
	put_value(v, "gone", gone == 0 ? "" : buf_text(mem, "%d line%s", gone, gone == 1 ? "" : "s"));
}

/* What it needs to know besides what its post says. */
struct facts {
	struct receipt r;
	struct sheet_row row;
	struct answered_mail to;
	struct board board; /* without the names that all games share, which are the asking thread's */
	const struct orderbook *book;
	struct merge_notes merged;
	const char *entered;
};

/* All that it says follows from what has been gathered. */
static void work_out(struct draft *d)
{
	const struct facts *f = d->facts;
	const struct receipt *r = &f->r;
	const struct board *b = d->post.board;
	const struct player *p = d->post.player;
	TALLOC_CTX *mem = d->mem;
	struct values *v = &d->values;
	enum side side = (enum side)player_side(p);
	struct plan *plan = b->rules->foresee(mem, b->sc, b->state, side, f->book);
	const bool *named = named_pieces(mem, b, r->sheet), *may = player_may_order(mem, b, p);
	int troubles = forecast_troubles(plan, named), unread = unread_lines(r->sheet, false);
	int gone = unread ? 0 : unread_lines(r->sheet, true);
	const char *orders = buf_text(mem, "%s%s", general_text(mem, b, (int)side, may, r->sheet, f->book),
		readback_text(mem, b->sc, b->state, f->book, plan, side, named));
	bool ordered = orders[0] != '\0', idle = !ordered && unread + gone == 0 && r->said[0] == '\0';

	put_reading(mem, b, r, unread, gone, v);
	put_value(v, "turn", buf_text(mem, "%d", b->game->turn));
	put_value(v, "verdict", verdict_text(mem, b, r, troubles));
	put_value(v, "arrived", clock_text(mem, d->row.made, b->game->zone));
	put_value(v, "orders", orders);
	put_value(v, "clear", flag(ordered && unread + gone + r->still->problem_count == 0));
	put_value(v, "waiting", flag(ordered && unread + gone == 0 && r->still->problem_count > 0));
	put_value(v, "kept", kept_text(mem, b, may, f->book, named));
	put_idle(mem, b, p, idle, v);
	put_value(v, "troubles", troubles == 0 ? "" : buf_text(mem, "%d of your units", troubles));
	put_value(v, "ready", flag(r->ready));
	put_value(v, "part", text_wrap(mem, part_advice(mem, b, side), LETTER_COLUMNS, 0));
	put_value(v, "own_part", flag(part_is_of(b, side)));
	put_value(v, "notes", notes_text(mem, b, side, r, &f->merged));
	put_value(v, "missing", missing_text(mem, b, may, f->book));
	put_value(v, "entered",
		f->entered[0] == '\0'
			? ""
			: text_wrap(mem, buf_text(mem, "Orders that the referee has given for you: %s.", f->entered),
				  LETTER_COLUMNS, 0));
	put_value(v, "moves", flag(part_moves(b, side)));
	put_map(v, mem, b->sc, r->sheet->order_count > 0 ? b->state : NULL, plan);
	put_value(v, "deadline", deadline_text(mem, b->game));
	put_sheet_of(mem, b, p, f->book, v, &d->row.printed);
}

struct err *letter_receipt(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p,
	const struct answered_mail *to, const struct receipt *r, struct draft **out)
{
	struct facts *f = talloc_zero(mem, struct facts);
	struct post post = {.board = &f->board,
		.player = p,
		.recipient = to->sender,
		.template = "receipt",
		.answers = &f->to,
		.turn = b->game->turn};
	const char *entered;
	struct err *e = board_orders(s, mem, b, player_side(p), &f->merged, &f->book);

	*out = NULL;
	f->r = *r;
	f->to = *to;
	f->board = *b;
	f->board.names = NULL;
	if (r->row != NULL) {
		f->row = *r->row;
		f->r.row = &f->row;
	}
	if (e == NULL)
		e = entered_text(s, mem, b, b->game->turn, player_side(p), false, &entered);
	if (e != NULL || !post_wanted(&post))
		return e;
	f->entered = entered;
	e = draft_begin(s, mem, &post, NULL, post.recipient, out);
	if (e != NULL)
		return e;
	(*out)->work_out = work_out;
	(*out)->facts = f;
	return NULL;
}
