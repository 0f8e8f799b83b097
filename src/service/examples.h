/* What a player is shown of how orders are written: examples that fit the moment, and all that a line may say. */
#ifndef GALLOPER_SERVICE_EXAMPLES_H
#define GALLOPER_SERVICE_EXAMPLES_H

#include "service/post.h"

/* Fills in `examples`, lines each of which would be understood and carried out as things stand, and `fighting`, a
 * sentence on his units that are in melee; "" where there are none, and for whoever orders nothing. */
void put_examples(TALLOC_CTX *mem, const struct board *b, const struct player *p, struct values *v);

/* Fills in `menu`: templates/orders.txt with the names of his own pieces (a referee's are the Government's). */
struct err *put_menu(TALLOC_CTX *mem, const struct board *b, const struct player *p, struct values *v) MUST_CHECK;

#endif
