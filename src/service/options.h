/* How a game is run, apart from its rules: what `game new --set NAME=VALUE` and RULE may set besides the parameters of
 * the rule set. Kept in the same lines "set NAME VALUE" of the game. */
#ifndef GALLOPER_SERVICE_OPTIONS_H
#define GALLOPER_SERVICE_OPTIONS_H

#include "battle/parameters.h"

/* In the order of the table; values[] of `struct parameters` is indexed by it. */
enum game_option {
	OPTION_MESSAGES, /* enum messages_option */
	OPTION_SILENT_SHARE,
	OPTION_SILENT_HOURS,
	OPTION_COUNT
};

enum messages_option { MESSAGES_HELD, MESSAGES_OWN_SIDE, MESSAGES_OFF };

/* All at their defaults; on `mem`. */
struct parameters *options_new(TALLOC_CTX *mem);

/* Is this the name of a game's option? */
bool options_know(const char *name);

#endif
