/* Making games and enrolling the people who play them. */
#ifndef GALLOPER_SERVICE_ENROL_H
#define GALLOPER_SERVICE_ENROL_H

#include "service/service.h"
#include "store/games.h"

enum { REVIEW_HOURS = 48 };

/* What `game new` was told; NULL or "" for what was not given. */
struct new_game {
	const char *name, *battle, *rules;
	const char *english, *jacobite,
		*referee; /* addresses; english and jacobite may name several, parted by commas */
	const char *every, *zone, *skips, *reminders;
	int grace;
	bool review; /* the referee sees each turn first, and after review_hours (0: never) it goes out by itself */
	int review_hours;
	const char *const *options; /* "NAME=VALUE" or "NAME VALUE"; NULL-terminated; may be NULL */
	const char *seed;           /* GAME_SEED_BYTES for the dice; NULL: drawn at random */
};

/* Checks everything, then makes the game with its players in one transaction; no mail goes out before it is started. */
struct err *enrol_game(
	const struct service *s, TALLOC_CTX *mem, const struct new_game *n, struct game **out) MUST_CHECK;

/* Starts it: the first deadline is set and everybody is sent a welcome. */
struct err *enrol_start(const struct service *s, TALLOC_CTX *mem, struct game *g) MUST_CHECK;

/* Ends it: a battle that has begun with an open concession or by points, and the debrief to everybody. */
struct err *enrol_end(const struct service *s, TALLOC_CTX *mem, struct game *g) MUST_CHECK;

/* Adds a player: role E, J, observer or referee; `units` are ids, codes or wing names parted by commas ("" = the whole
 * side). In a running game he is sent a welcome. Two of one role and address have to have different names. */
struct err *enrol_player(const struct service *s, TALLOC_CTX *mem, struct game *g, const char *role,
	const char *address, const char *name, const char *units) MUST_CHECK;

/* Puts somebody else in a player's place, with a new key and a welcome. */
struct err *enrol_replace(
	const struct service *s, TALLOC_CTX *mem, struct game *g, int64_t player, const char *address) MUST_CHECK;

/* Takes a player out of the game (but not its only referee), or with `deputy` only that address of a deputy of his. Who
 * is taken out is told, and of a deputy the player, too. */
struct err *enrol_remove(
	const struct service *s, TALLOC_CTX *mem, struct game *g, int64_t player, const char *deputy) MUST_CHECK;

/* Many players from CSV text (base/csv.h): role, name, address, units, or in the order that a heading of these words
 * says. Nothing is added when a line is wrong; the error names the line. *added counts them. */
struct err *enrol_import(const struct service *s, TALLOC_CTX *mem, struct game *g, const char *file, const char *text,
	int *added) MUST_CHECK;

#endif
