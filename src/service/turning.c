#include "service/turning.h"

#include "report/result.h"
#include "service/part.h"

enum { REPLAYS = 100 };

static struct err *look_at_turn(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct turn_row *row, struct turning *t)
{
	struct state *before, *after;
	struct events *events;
	struct part_books *books;
	struct board other;
	struct err *e = state_read(mem, row->before, row->before_len, &before);

	if (e == NULL)
		e = state_read(mem, row->after, row->after_len, &after);
	if (e == NULL)
		e = events_read(mem, row->events, row->events_len, &events);
	if (e == NULL)
		e = board_as_of(s, mem, b, row->turn, row->line, &other);
	if (e != NULL)
		return e;
	if (result_unfought(events))
		return NULL;
	books = part_read(mem, b, before, row->orders);
	turning_begin_turn(t, before);
	for (int i = 1; i <= REPLAYS; i++) {
		TALLOC_CTX *one = talloc_new(mem);

		dice_from_number(&other.dice, (uint64_t)i);
		turning_replay(t, part_play(one, &other, before, 0, books, NULL, events_new(one), NULL));
		talloc_free(one);
	}
	turning_end_turn(t, after, events);
	return NULL;
}

struct err *turning_points(const struct service *s, const struct board *b, int last, struct turning **out)
{
	struct turning *t = b->memo->turning;
	struct err *e = NULL;

	if (t == NULL)
		t = turning_new(b->memo, b->sc);
	for (int turn = 1; e == NULL && t != b->memo->turning && turn <= last; turn++) {
		TALLOC_CTX *one = talloc_new(b->memo);
		struct turn_row *row;

		e = store_turn(s->store, one, b->game, turn, &row);
		if (e == NULL && row != NULL)
			e = look_at_turn(s, one, b, row, t);
		if (e != NULL)
			talloc_steal(b->memo, e);
		talloc_free(one);
	}
	if (e == NULL)
		b->memo->turning = t;
	*out = t;
	return e;
}
