/* What a referee changes about people: deputies, commands; and who is away. */
#ifndef GALLOPER_STORE_PEOPLE_H
#define GALLOPER_STORE_PEOPLE_H

#include "store/games.h"

/* What a player commands from now on (player.units). */
struct err *store_set_units(struct store *s, TALLOC_CTX *mem, int64_t player, const char *units) MUST_CHECK;

/* Another person is that player from now on: what was done before was not his doing. */
struct err *store_set_since(struct store *s, TALLOC_CTX *mem, int64_t player, int64_t now) MUST_CHECK;

/* A player's addresses, the first one first; with `deputies` only those of his deputies. NULL-terminated. */
struct err *store_addresses(
	struct store *s, TALLOC_CTX *mem, int64_t player, bool deputies, const char ***out) MUST_CHECK;

/* Who in the game has this address, as his own or as a deputy. */
struct err *store_players_with(
	struct store *s, TALLOC_CTX *mem, int64_t game, const char *address, struct players *out) MUST_CHECK;

/* How many these are, and the key of that address for one player of the game, as store_key gives it. */
struct err *store_key_among(struct store *s, TALLOC_CTX *mem, int64_t game, int64_t player, const char *address,
	const char **key, int *sharing) MUST_CHECK;

/* He is away from `first` to `last`, both included; what he had said before of the time from `now` on is forgotten. */
struct err *store_set_absence(
	struct store *s, TALLOC_CTX *mem, int64_t player, int64_t now, int64_t first, int64_t last) MUST_CHECK;
/* Until when he is away if he is at that time, else 0. */
struct err *store_absent(struct store *s, TALLOC_CTX *mem, int64_t player, int64_t when, int64_t *until) MUST_CHECK;

/* Has the referee been asked what to do about this turn's silence? Asked once: *first says if it is now. */
struct err *store_ask_silence(
	struct store *s, TALLOC_CTX *mem, const struct game *g, int64_t now, bool *first) MUST_CHECK;

#endif
