/* A whole game in a folder, for the teacher's records and for whoever wants to read it with another program. */
#ifndef GALLOPER_SERVICE_EXPORT_H
#define GALLOPER_SERVICE_EXPORT_H

#include "mail/reader.h"
#include "service/service.h"
#include "store/games.h"

struct exported {
	int mails, turns;
};

/* Writes into `folder`, which must not exist or be empty (else an ERR_GAME), what `reader` makes of each mail, and the
 * rest. No file holds a genuine reply token or a key of the game's people (redact.h).
 * - game.json: the game, its options, and its people; the dice's seed once the battle is over
 * - battle.txt, rules.txt: the texts that it was played by
 * - turns/: for each line of play and turn the events as JSON, both sides' orders, the referee's report, and the map
 * - mails/: all words of every mail, in and out, as a mail of plain text (copy.h)
 * - mails.csv: who sent what when; a name stands where the address is still the player's own
 * - messages.json: what players said to each other, and what became of it
 * - rulings.txt: every act of a referee with its reason
 * - log.txt, log.json: the whole record */
struct err *export_game(const struct service *s, TALLOC_CTX *mem, struct game *g, const char *folder,
	struct reader *reader, struct exported *out) MUST_CHECK;

#endif
