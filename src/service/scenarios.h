/* Battles that were read already. A class's games are the same battle under the same rules, and reading those texts
 * costs more than anything else that a mail sets off. */
#ifndef GALLOPER_SERVICE_SCENARIOS_H
#define GALLOPER_SERVICE_SCENARIOS_H

#include "battle/parameters.h"
#include "battle/scenario.h"
#include "rules/ruleset.h"
#include "store/games.h"

struct names;
struct scenarios;

/* What a game's texts and its own options say. Nobody else changes it. */
struct read_game {
	const struct game *game; /* whose texts they are; for the store of them only */
	struct scenario *sc;
	const struct ruleset *rules;
	struct parameters *options; /* by enum game_option */
	struct names *names;        /* of the pieces, for reading orders */
	const char *opening;        /* digest of the position in which the battle begins; NULL = not asked for yet */
	int opening_line;           /* the line of play it holds for */
};

struct scenarios *scenarios_new(TALLOC_CTX *mem);

/* Reads the game's texts, as its options hold in its turn and line of play (options_at), or finds that the same were
 * read before. *out lives until scenarios_forget, or as long as `mem` when a dozen others are kept already. */
struct err *scenarios_read(
	struct scenarios *all, TALLOC_CTX *mem, const struct game *game, struct read_game **out) MUST_CHECK;

/* The digest of the position in which the game's battle begins, in the game's line of play. On `mem`. */
struct err *scenarios_opening(
	struct scenarios *all, TALLOC_CTX *mem, const struct game *game, const char **out) MUST_CHECK;

/* To be called when no board is in use: a daemon must not keep the battles of years. */
void scenarios_forget(struct scenarios *all);

#endif
