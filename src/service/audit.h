/* Can what is kept be trusted? Games replayed from what was stored of them; copies of the database made, checked and
 * put back. */
#ifndef GALLOPER_SERVICE_AUDIT_H
#define GALLOPER_SERVICE_AUDIT_H

#include "service/service.h"
#include "store/games.h"

struct audit_row {
	int line, turn;
	int resolutions;    /* how many it has; all are replayed */
	const char *digest; /* of the state after it, as stored; "" when the turn is missing */
	const char *fault;  /* what is wrong, in words; "" when it replays to the same */
};

struct audit {
	struct audit_row *rows; /* the turns that each line of play has of its own, from the first */
	int count, faults;
	int lines; /* of play; 0 = the game was never rolled back */
};

/* Replays every turn of a game from the battle's own texts, the stored orders and amendments, and the game's dice, and
 * compares state and events byte by byte with what was stored. On `mem`. A difference is a row's fault, no error. */
struct err *audit_verify(const struct service *s, TALLOC_CTX *mem, struct game *g, struct audit *out) MUST_CHECK;

/* Writes a checked copy of the whole database into `path`, while everything goes on. ERR_GAME when something else than
 * an older copy is there. */
struct err *audit_backup(const struct service *s, TALLOC_CTX *mem, const char *path) MUST_CHECK;

/* Puts the copy `from` in the place of the configuration's database, which may be damaged or missing; what was there is
 * kept in *aside (NULL when there was nothing). ERR_GAME, with nothing changed, while a program works on it. */
struct err *audit_restore(TALLOC_CTX *mem, const struct config *config, const char *from, char **aside) MUST_CHECK;

#endif
