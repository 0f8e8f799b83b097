#include "service/partners.h"

#include "base/buf.h"
#include "base/text.h"
#include "service/post.h"

/* The units of whom the mail's orders from `first` on have taken the place of that partner's. */
static const char *pieces_of(TALLOC_CTX *mem, const struct merge_notes *notes, int first)
{
	char *pieces = talloc_strdup(mem, notes->list[first].pieces);

	for (int i = first + 1; i < notes->count; i++)
		if (notes->list[i].mail == notes->list[first].mail &&
			notes->list[i].partner == notes->list[first].partner)
			pieces = talloc_asprintf_append(pieces, ", %s", notes->list[i].pieces);
	return pieces;
}

static bool told_before(const struct merge_notes *notes, int note)
{
	for (int i = 0; i < note; i++)
		if (notes->list[i].mail == notes->list[note].mail &&
			notes->list[i].partner == notes->list[note].partner)
			return true;
	return false;
}

static struct err *tell_partner(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p,
	const struct player *partner, const char *pieces, const struct orderbook *book)
{
	enum side side = (enum side)player_side(partner);
	const char *what = talloc_asprintf(mem,
		"In turn %d your partner who commands %s has ordered units that you had ordered before: %s. The last "
		"order for a unit counts, so yours for these do not stand any more. If you do not agree, talk with "
		"each other, or answer this mail with new lines.",
		b->game->turn, command_text(mem, b, p), pieces);

	return letter_answer(s, mem, b, partner, NULL, "Your partner has changed orders of yours",
		talloc_asprintf(mem, "%s\n\nOrders in force for turn %d:\n%s", text_wrap(mem, what, LETTER_COLUMNS, 0),
			b->game->turn, board_orders_text(mem, b, book, side)),
		true);
}

struct err *partners_tell(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p,
	int64_t mail, const char **text)
{
	struct merge_notes notes;
	const struct orderbook *book;
	struct buf told;
	struct err *e = board_orders(s, mem, b, player_side(p), &notes, &book);

	buf_open(&told, mem);
	for (int i = 0; e == NULL && i < notes.count; i++) {
		const char *pieces;
		struct player *partner;

		if (notes.list[i].mail != mail || notes.list[i].partner == 0 || told_before(&notes, i))
			continue;
		pieces = pieces_of(mem, &notes, i);
		e = store_player(s->store, mem, notes.list[i].partner, &partner);
		if (e != NULL || partner == NULL)
			continue;
		buf_printf(&told, "%s\n",
			text_wrap(mem,
				talloc_asprintf(mem,
					"* %s: your partner who commands %s had given orders for this turn, which "
					"yours replace. Your partner has been told.",
					pieces, command_text(mem, b, partner)),
				LETTER_COLUMNS, 2));
		e = tell_partner(s, mem, b, p, partner, pieces, book);
	}
	*text = buf_close(&told);
	return e;
}
