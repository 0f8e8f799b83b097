/* The order sheets that a rules case has given so far, and what they order together. */
#ifndef GALLOPER_TESTS_CASE_ORDERS_H
#define GALLOPER_TESTS_CASE_ORDERS_H

#include "orders/merge.h"
#include "service/casefile.h"

enum { SHEETS_MAX = 64 };

struct case_orders {
	struct sheet_in_force sheets[SIDES][SHEETS_MAX];
	int count[SIDES];
};

/* Nothing where the step is not about orders. */
static inline void case_orders_take(struct case_orders *o, const struct case_step *step, int turn)
{
	if (step->kind == STEP_ORDERS && o->count[step->side] < SHEETS_MAX)
		o->sheets[step->side][o->count[step->side]++] =
			(struct sheet_in_force){.sheet = step->sheet, .turn = turn};
}

static inline struct orderbook *case_orders_book(TALLOC_CTX *mem, const struct case_orders *o, const struct state *s)
{
	struct orderbook *book = orderbook_new(mem, s);

	for (int side = 0; side < SIDES; side++)
		orders_merge(mem, book, s, (enum side)side, o->sheets[side], o->count[side], s->turn, NULL);
	return book;
}

#endif
