/* The people of a game while it is played: found by what a referee calls them, replaced, deputised, given units. All
 * are called inside a transaction. */
#ifndef GALLOPER_SERVICE_PEOPLE_H
#define GALLOPER_SERVICE_PEOPLE_H

#include "service/board.h"
#include "store/people.h"

enum { DEPUTIES_MAX = 4 };

/* Whom the text begins with: a player's number, address, name, or a part of a name that fits one alone. *rest is what
 * follows (after blanks). *out is NULL with *why saying what is wrong, for the referee to read. */
struct err *people_find(const struct service *s, TALLOC_CTX *mem, const struct game *g, const char *text,
	struct player **out, const char **rest, const char **why) MUST_CHECK;

/* A name as it may stand in mails: one line of at most 80 bytes, no control or invisible characters; "" if nothing is
 * left. Every name goes through here before it is stored. On `mem`. */
const char *people_name(TALLOC_CTX *mem, const char *text);

/* Is this one mailbox that a player may have? Then *out is its address in small letters and *name the name beside it,
 * or ""; else *why. */
bool people_address(TALLOC_CTX *mem, const struct service *s, const char *text, const char **name, const char **out,
	const char **why);

/* May this address be the player's (of whom only game and role are looked at) or his deputy's? One person on both sides
 * would read both sides' orders, and a slip in a number must not make that of anybody: *why says so, else it is "". */
struct err *people_other_side(const struct service *s, TALLOC_CTX *mem, const struct player *p, const char *address,
	const char **why) MUST_CHECK;

/* The pieces of that side that the text names, read as the subject of an order: "Barrell's, D, left wing and Huske".
 * NULL with *why, a sentence, when it cannot be read. */
const struct order *people_pieces(
	TALLOC_CTX *mem, const struct board *b, enum side side, const char *text, const char **why);

/* Another person plays on: new address, new key, no deputies; he gets a welcome when the game has begun, and the one
 * before him a word of thanks. `name` may be "". */
struct err *people_replace(const struct service *s, TALLOC_CTX *mem, const struct board *b, struct player *p,
	const char *name, const char *address) MUST_CHECK;

/* The address may order, and gets reports, in his name too; both are told. *why when there are enough already. */
struct err *people_deputy(const struct service *s, TALLOC_CTX *mem, const struct board *b, struct player *p,
	const char *address, const char **why) MUST_CHECK;

/* No longer may the address, or with "" any deputy of his; each of them is told, and so is he. *ended counts them. */
struct err *people_end_deputies(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p,
	const char *address, int *ended) MUST_CHECK;

/* He is in the game no longer, and is told, like his deputies. */
struct err *people_remove(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p) MUST_CHECK;

/* Tells the player what his deputy did when the mail came from one; `did` in words, as in the record. */
struct err *people_acted(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p,
	const char *sender, const char *did) MUST_CHECK;

/* Tells each player of that side who may order one of the pieces that the sheet is for that a referee has acted in his
 * name, in that turn: `did` is the command as typed, without its reason. Of the open turn he is told his orders in
 * force as well. For whatever changes a player's orders. */
struct err *people_acted_for(const struct service *s, TALLOC_CTX *mem, const struct board *b, enum side side,
	const struct sheet *sheet, int turn, const char *did, const char *because) MUST_CHECK;

/* A player may be the referee of his own game only if everybody knows: tells all when this address, which `p` has got
 * just now, makes it so. Before the game has begun nothing is said; people_announce_all does it then. */
struct err *people_announce(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p,
	const char *address) MUST_CHECK;
struct err *people_announce_all(const struct service *s, TALLOC_CTX *mem, const struct board *b) MUST_CHECK;

/* What other players call him: his name, or "player 3" where that would be an address; with his side. On `mem`. */
const char *people_label(TALLOC_CTX *mem, const struct board *b, const struct player *p);

/* Has he something to order in the open turn (or its open part) and has sent neither orders that were understood nor
 * READY? */
struct err *people_silent(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p, bool *out) MUST_CHECK;

/* Is a player who orders units away now? Until when (0 = not). */
struct err *people_away(const struct service *s, TALLOC_CTX *mem, const struct player *p, int64_t *until) MUST_CHECK;

#endif
