#include "service/examples.h"

#include "base/text.h"
#include "report/examples.h"
#include "report/forecast.h"
#include "service/part.h"

#include <string.h>

struct judge {
	const struct board *b;
	const struct player *p;
};

/* Would the line be understood, and as far as can be foreseen carried out as it stands? */
static bool fits(void *context, const char *line)
{
	const struct judge *j = context;
	const struct board *b = j->b;
	enum side side = (enum side)player_side(j->p);
	TALLOC_CTX *mem = talloc_new(NULL);
	struct orders_context reading = board_context(mem, b, j->p);
	struct sheet_in_force one = {.sheet = orders_read(mem, line, strlen(line), &reading), .turn = b->game->turn};
	struct orderbook *book = orderbook_new(mem, b->state);
	bool *named = talloc_zero_array(mem, bool, (unsigned)b->state->count), fit;

	orders_mark_named(one.sheet, named);
	orders_merge(mem, book, b->state, side, &one, 1, b->game->turn, NULL);
	fit = one.sheet->order_count == 1 && one.sheet->problem_count == 0 &&
	      forecast_troubles(b->rules->foresee(mem, b->sc, b->state, side, book), named) == 0;
	talloc_free(mem);
	return fit;
}

void put_examples(TALLOC_CTX *mem, const struct board *b, const struct player *p, struct values *v)
{
	enum side side = (enum side)player_side(p);
	struct judge judge = {b, p};
	struct example_wish wish = {.s = b->state, .side = side, .fits = fits, .context = &judge};
	const char *codes;
	int count;

	if (!has_sheet(b, p)) {
		put_value(v, "examples", "");
		put_value(v, "fighting", "");
		return;
	}
	wish.may_order = player_may_order(mem, b, p);
	wish.time = part_time(b, side);
	codes = fighting_text(mem, b->state, side, wish.may_order, &count);
	put_value(v, "examples", examples_text(mem, &wish));
	put_value(v, "fighting",
		count == 0   ? ""
		: count == 1 ? talloc_asprintf(mem, "%s is in melee: it fights on by itself and needs no line.", codes)
			     : talloc_asprintf(
				       mem, "%s are in melee: they fight on by themselves and need no line.", codes));
}

struct err *put_menu(TALLOC_CTX *mem, const struct board *b, const struct player *p, struct values *v)
{
	bool orders = player_side(p) >= 0;
	enum side side = orders ? (enum side)player_side(p) : SIDE_GOVERNMENT;
	struct own_names n = sheet_names(mem, b->sc, b->state, side, orders ? player_may_order(mem, b, p) : NULL);
	struct values names = {.count = 0};
	char *menu;
	struct err *e;

	put_value(&names, "tag", "");
	put_value(&names, "unit", n.unit[0] == '\0' ? "A" : n.unit);
	put_value(&names, "units", n.units);
	/* Wide enough for its remark to stand below the others. */
	put_value(&names, "wing",
		n.wing[0] == '\0' ? "" : talloc_asprintf(mem, "%-29s", talloc_asprintf(mem, "%s: hold", n.wing)));
	put_value(&names, "commander", n.commander);
	put_value(&names, "enemy", n.enemy[0] == '\0' ? "nearest" : n.enemy);
	put_value(&names, "other", n.other[0] == '\0' ? "nearest" : n.other);
	put_value(&names, "ahead", n.ahead);
	put_value(&names, "column", orders && side == SIDE_GOVERNMENT ? "" : "yes");
	put_value(&names, "shreds", b->rules->command_points ? "yes" : "");
	e = fill_page(mem, "templates/orders.txt", &names, NULL, &menu);
	if (e == NULL)
		put_value(v, "menu", menu);
	return e;
}
