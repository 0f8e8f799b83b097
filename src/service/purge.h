/* Forgetting people. They are pupils: their names, addresses and mails are kept no longer than a game needs them and
 * the configuration's forget-after says. The battle itself stays and can still be verified. */
#ifndef GALLOPER_SERVICE_PURGE_H
#define GALLOPER_SERVICE_PURGE_H

#include "service/service.h"
#include "store/games.h"

struct purged {
	struct games games; /* whose people were forgotten now */
	int strangers;      /* mails of no game that were forgotten */
};

/* All ended games of which nothing has happened for the term, and mails of no game that are as old. */
struct err *purge_due(const struct service *s, TALLOC_CTX *mem, struct purged *out) MUST_CHECK;

/* This game now; ERR_GAME when it is not over, or was forgotten before. */
struct err *purge_game(const struct service *s, TALLOC_CTX *mem, struct game *g) MUST_CHECK;

#endif
