/* Who writes a mail, proved by a token or a key and by the address (DESIGN, Who is writing). */
#ifndef GALLOPER_SERVICE_WRITER_H
#define GALLOPER_SERVICE_WRITER_H

#include "mail/message.h"
#include "service/service.h"
#include "store/games.h"
#include "store/outbox.h"

struct writer {
	struct player *player;    /* NULL: nobody we know, or no proof */
	struct game *game;        /* his */
	int turn;                 /* that his mail answers; 0 = a fresh mail */
	bool other_part;          /* it answers one of a part of the open turn that is over (FP1) */
	bool other_line;          /* it answers one of a line of play that has been left */
	const char *named;        /* what was typed after GAME; NULL for nothing */
	bool key;                 /* something was typed after KEY */
	struct player *claimed;   /* without proof: the player of the named game who has this address; or NULL */
	const char *claimed_game; /* its name */
};

/* `sender` is the address that the mail came from, in small letters. What is found is on `mem`. */
struct err *writer_find(const struct service *s, TALLOC_CTX *mem, const struct message *m, const char *sender,
	struct writer *out) MUST_CHECK;

/* The mail of ours that this one answers. Where its Message-ID was changed on the way, *out is NULL. */
struct err *writer_answered(
	const struct service *s, TALLOC_CTX *mem, const struct message *m, struct outgoing **out) MUST_CHECK;

#endif
