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

/* Every parameter: what it means, which values it takes, and (in brackets) which it has. Of a rule set each by default,
 * or of that battle when it is not NULL; and the game's options. On `mem`. */
struct err *options_manual(TALLOC_CTX *mem, const char *battle, char **out) MUST_CHECK;

#endif
