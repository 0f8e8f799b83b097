/* Who writes a mail, proved by a token or a key and by the address (DESIGN, Who is writing). One address may belong to
 * several players: of several games, or of a class that shares a mailbox. */
#ifndef GALLOPER_SERVICE_WRITER_H
#define GALLOPER_SERVICE_WRITER_H

#include "mail/message.h"
#include "service/service.h"
#include "store/games.h"
#include "store/outbox.h"

enum { WRITER_GAMES_MAX = 8 };

/* A game that is played from an address. */
struct writer_game {
	const char *name;
	int players; /* that have the address in it */
};

struct writer {
	struct player *player; /* NULL: nobody we know, or no proof */
	struct game *game;     /* his */
	int turn;              /* that his mail answers; 0 = a fresh mail */
	bool other_part;       /* it answers one of a part of the open turn that is over (FP1) */
	bool other_line;       /* it answers one of a line of play that has been left */
	bool mixed;            /* it names several of the address's games, or has the keys of several players */
	const char *named;     /* what was typed after GAME; NULL for nothing */
	bool key;              /* something was typed after KEY */

	/* The games that are played from the address and not over (no drills); of what was typed after GAME that alone,
	 * if it is one of them. */
	struct writer_game games[WRITER_GAMES_MAX];
	int game_count;
};

/* A right key that was typed says more than the mail that is answered: whoever answers the wrong one of a shared
 * mailbox is still himself. `sender` is the address that the mail came from, in small letters. What is found is on
 * `mem`. */
struct err *writer_find(const struct service *s, TALLOC_CTX *mem, const struct message *m, const char *sender,
	struct writer *out) MUST_CHECK;

/* The mail of ours that this one answers. Where its Message-ID was changed on the way, *out is NULL. */
struct err *writer_answered(
	const struct service *s, TALLOC_CTX *mem, const struct message *m, struct outgoing **out) MUST_CHECK;

/* Does the mail answer one of ours to that very address, of a game where it is that player's no longer? Then *game is
 * that game, else NULL; *replaced: another has the player's place. */
struct err *writer_left(const struct service *s, TALLOC_CTX *mem, const struct message *m, const char *sender,
	struct game **game, bool *replaced) MUST_CHECK;

#endif
