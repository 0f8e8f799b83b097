/* From sheets to one orderbook: rules 8 and 15 of the language. */
#ifndef GALLOPER_ORDERS_MERGE_H
#define GALLOPER_ORDERS_MERGE_H

#include "orders/sheet.h"

/* One mail's sheet (read again from its canonical text against the state now, which checks ownership again). */
struct sheet_in_force {
	const struct sheet *sheet;
	int turn;       /* for which it was sent: of earlier turns only standing orders and cancels count */
	int64_t mail;   /* the mail that it came in, for the notes on it; 0 for none */
	int64_t player; /* whose it is: each player's PRIORITY ranks his own units */
	bool unread;    /* it had lines that were not understood: who mends one is told what he loses of the rest */
};

struct merge_note {
	int64_t mail;
	int line;
	const char *text;   /* "R: ordered twice; the later line stands." */
	int64_t partner;    /* another player whose orders it says are replaced, or 0 */
	const char *pieces; /* with a partner: for which */
};

struct merge_notes {
	struct merge_note *list;
	int count;
};

/* Fills the entries of that side's pieces in `book` from the sheets, earliest first: a later mail replaces the orders
 * of the units it names, by their names or in a group, and leaves the rest; its `everyone else` names none that an
 * earlier mail has given an order of its own or its wing's. Within a mail kind by kind, the line for the unit before
 * its wing's before all's, then the later one. The clauses point into the sheets, which must outlive the book. Orders
 * of pieces that are gone are dropped. `notes` may be NULL; else its list is filled on `mem`. */
void orders_merge(TALLOC_CTX *mem, struct orderbook *book, const struct state *s, enum side side,
	const struct sheet_in_force *sheets, int count, int turn, struct merge_notes *notes);

/* Does the sheet do no more than order pieces by their names, for its own turn? Nothing of such a mail is in force once
 * the turn is over, or later mails of the turn have taken the place of its orders for every piece that it names. */
bool orders_plain(const struct sheet *sheet);

/* Marks the pieces that the sheet orders by their names, so that nothing of what earlier mails of its turn ordered for
 * them is left. One flag for each piece of the state. */
void orders_mark_replaced(const struct sheet *sheet, bool *units);

#endif
