/* Any text as an order sheet for Falkirk, for either side: read, printed, read again to the same orders, merged. */
#include "orders/merge.h"
#include "service/battles.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static TALLOC_CTX *battle; /* read once */
	static struct scenario *sc;
	static const struct ruleset *rules;
	TALLOC_CTX *mem = talloc_new(NULL);
	struct orders_context context;

	if (battle == NULL && battle_load(battle = talloc_new(NULL), "falkirk", NULL, &sc, &rules) != NULL)
		abort();
	context = (struct orders_context){.state = sc->state, .table = &sc->table};
	for (int side = SIDE_GOVERNMENT; side <= SIDE_JACOBITE; side++) {
		struct sheet_in_force in_force = {.turn = sc->state->turn};
		struct orderbook *book = orderbook_new(mem, sc->state);
		char *canonical, *again;
		int changed;

		context.side = (enum side)side;
		in_force.sheet = orders_read(mem, (const char *)bytes, len, &context);
		orders_accept(mem, (const char *)bytes, len, in_force.sheet, &changed);
		canonical = orders_canonical(mem, in_force.sheet, &context);
		again = orders_canonical(mem, orders_read(mem, canonical, strlen(canonical), &context), &context);
		if (strcmp(canonical, again) != 0)
			abort();
		orders_merge(mem, book, sc->state, (enum side)side, &in_force, 1, sc->state->turn, NULL);
	}
	talloc_free(mem);
	return 0;
}
