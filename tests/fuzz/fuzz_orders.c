/* Any text as an order sheet for Falkirk, for either side: read, printed, read again to the same orders, merged. */
#include "../unit/orders_merged.h"
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
		const struct sheet *sheet, *again;
		char *canonical;
		int changed;

		context.side = (enum side)side;
		sheet = orders_read(mem, (const char *)bytes, len, &context);
		orders_accept(mem, (const char *)bytes, len, sheet, &changed);
		canonical = orders_canonical(mem, sheet, &context);
		again = orders_read(mem, canonical, strlen(canonical), &context);
		if (strcmp(canonical, orders_canonical(mem, again, &context)) != 0 ||
			strcmp(merged_text(mem, orders_as_printed(mem, sheet), &context),
				merged_text(mem, again, &context)) != 0)
			abort();
	}
	talloc_free(mem);
	return 0;
}
