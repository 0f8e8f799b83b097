#include "service/partners.h"

#include "base/buf.h"
#include "base/text.h"
#include "orders/print.h"
#include "service/people.h"
#include "service/post.h"
#include "store/people.h"

#include <string.h>

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

/* "Royals (G) is not in your command." of a unit that is in the fellow's. */
static void name_fellow(TALLOC_CTX *mem, const struct board *b, const struct player *fellow, struct problem *problem)
{
	const bool *may = player_may_order(mem, b, fellow);
	const char *tail = " is not in your command.";

	for (int i = 0; i < b->state->count; i++) {
		const char *name = piece_english(mem, b->state, i);
		size_t len = strlen(name);

		if (may[i] && strncmp(problem->message, name, len) == 0 && strcmp(problem->message + len, tail) == 0) {
			problem->message = talloc_asprintf(mem,
				"%s is not in your command but in that of %s, who shares your address. Give the order "
				"in "
				"answer to a mail whose subject begins with: For %s",
				name, people_label(mem, b, fellow), people_label(mem, b, fellow));
			return;
		}
	}
}

struct err *partners_name_fellows(const struct service *s, TALLOC_CTX *mem, const struct board *b,
	const struct player *p, const char *address, struct sheet *sheet)
{
	struct players same = {NULL, 0};
	struct err *e = NULL;
	bool any = false;

	for (int k = 0; k < sheet->problem_count; k++)
		any |= sheet->problems[k].kind == PROBLEM_NOT_YOURS;
	if (any)
		e = store_players_with(s->store, mem, b->game->id, address, &same);
	for (int i = 0; e == NULL && i < same.count; i++)
		for (int k = 0; same.list[i].id != p->id && k < sheet->problem_count; k++)
			if (sheet->problems[k].kind == PROBLEM_NOT_YOURS)
				name_fellow(mem, b, &same.list[i], &sheet->problems[k]);
	return e;
}
