/* What the program makes of an order sheet: `galloper check`. */
#ifndef GALLOPER_SERVICE_READING_H
#define GALLOPER_SERVICE_READING_H

#include "battle/scenario.h"
#include "orders/merge.h"
#include "orders/sheet.h"

struct reading {
	const struct sheet *sheet;
	struct orderbook *book; /* the sheet's orders merged */
	struct merge_notes merged;
	const int *order; /* the units that have orders, as they were first named */
	int count;
	bool understood; /* no problems */
};

/* Reads the sheet for that side against the battle's deployment. `text` as typed, any bytes; what a mail program put
 * into it (quotes, what stands below a reply's separator, a signature) is set aside as the mail reader would. */
struct reading *reading_new(
	TALLOC_CTX *mem, const struct scenario *sc, bool shreds, enum side side, const char *text, size_t len);

/* For people: the orders in plain English and canonical form, problems with a caret, what was set aside. */
char *reading_text(TALLOC_CTX *mem, const struct reading *r, const struct scenario *sc, enum side side);
/* One JSON object: orders, problems, set_aside, commands, priority (codes), notes. Lines and columns count from 1,
 * columns in characters (code points) of the line as it was typed, where a byte order mark counts nothing. */
char *reading_json(TALLOC_CTX *mem, const struct reading *r, const struct scenario *sc, enum side side);

#endif
