/* What `--json` prints of games, people, pieces, orders and a replay: one object each, one line of text, times as
 * "2027-01-15T16:00:00Z" or null, distances in thousandths of an inch. The manual page lists the names. */
#ifndef GALLOPER_SERVICE_LISTING_H
#define GALLOPER_SERVICE_LISTING_H

#include "base/json.h"
#include "service/audit.h"
#include "service/board.h"

/* All on `mem`. Drills are left out of the games. */
char *listing_games(TALLOC_CTX *mem, const struct games *games);
struct err *listing_game(const struct service *s, TALLOC_CTX *mem, const struct board *b, char **out) MUST_CHECK;
struct err *listing_players(const struct service *s, TALLOC_CTX *mem, const struct board *b, char **out) MUST_CHECK;
char *listing_map(TALLOC_CTX *mem, const struct board *b);
struct err *listing_orders(const struct service *s, TALLOC_CTX *mem, const struct board *b, char **out) MUST_CHECK;
char *listing_audit(TALLOC_CTX *mem, const struct game *g, const struct audit *audit);

/* One piece's orders, as objects inside the open array: what stands and what is for this turn alone are two. `side` is
 * the reader's, whose enemies the clauses name; with `tell_side` each says whose piece it is. */
void listing_piece_orders(
	struct json *j, const struct orderbook *book, int piece, const struct state *s, enum side side, bool tell_side);

#endif
