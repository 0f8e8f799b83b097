/* How a game is run, apart from its rules: what `game new --set NAME=VALUE` and RULE may set besides the parameters of
 * the rule set. Kept in the same lines "set NAME VALUE" of the game. */
#ifndef GALLOPER_SERVICE_OPTIONS_H
#define GALLOPER_SERVICE_OPTIONS_H

#include "battle/parameters.h"

struct ruleset;

/* In the order of the table; values[] of `struct parameters` is indexed by it. */
enum game_option {
	OPTION_MESSAGES, /* enum messages_option */
	OPTION_SILENT_SHARE,
	OPTION_SILENT_HOURS,
	OPTION_BASES, /* 0: as the battle says */
	OPTION_COUNT
};

enum messages_option { MESSAGES_HELD, MESSAGES_OWN_SIDE, MESSAGES_OFF };

/* All at their defaults; on `mem`. */
struct parameters *options_new(TALLOC_CTX *mem);

/* Is this the name of a game's option? */
bool options_know(const char *name);

/* A game's lines `options` as they hold in that turn of that line of play. A referee's house rule is a line "set NAME
 * VALUE from TURN LINE LAST": it holds from that turn on, in the line of play in which it was made and in those that
 * were begun after LAST, the last one there was. So no turn that was resolved before changes. Points into `options` or
 * is on `mem`. */
const char *options_at(TALLOC_CTX *mem, const char *options, int turn, int line);

/* Which parameters that stand in one of the rulings `cited` ("FP46 FP48") are others than the rule set's own:
 * "horse-charge 6 (usually 12), ..."; "" for none. On `mem`. */
struct err *options_unusual(TALLOC_CTX *mem, const struct ruleset *rules, const struct parameters *now,
	const char *cited, const char **out) MUST_CHECK;

/* Every parameter: what it means, which values it takes, and (in brackets) which it has. Of a rule set each by default,
 * or of that battle when it is not NULL; and the game's options. On `mem`. */
struct err *options_manual(TALLOC_CTX *mem, const char *battle, char **out) MUST_CHECK;

#endif
