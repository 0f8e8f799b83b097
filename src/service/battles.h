/* Battles and rule sets as files: which text belongs to a name, and what it says. */
#ifndef GALLOPER_SERVICE_BATTLES_H
#define GALLOPER_SERVICE_BATTLES_H

#include "battle/scenario.h"
#include "report/chronicle.h"
#include "rules/ruleset.h"

/* The two texts that make a battle. A game keeps its own copy of them, so that no later edit of a file touches it. */
struct battle_source {
	const char *name;                 /* as the game keeps it: a name in small letters, or the path */
	const char *battle_file, *battle; /* where from (for errors), and the text */
	size_t battle_len;
	const char *rules_name;  /* fastplay */
	const char *rules_place; /* where the battle file says so, for errors */
	const char *rules_file, *rules;
	size_t rules_len;
};

/* The battles of ours, as "culloden, falkirk"; on `mem`. */
struct err *battle_names(TALLOC_CTX *mem, const char **out) MUST_CHECK;

/* Fetches both texts. `name_or_path` is a battle of ours ("falkirk": db/battles/falkirk.battle among the data files)
 * or, with a slash or the ending ".battle", a file. `rules_override` names the other rule set; NULL = the battle's own.
 * All on `mem`. */
struct err *battle_fetch(
	TALLOC_CTX *mem, const char *name_or_path, const char *rules_override, struct battle_source *out) MUST_CHECK;

/* Reads the texts. The rule set is never NULL on success; the scenario is on `mem`. Errors are file:line:column. */
struct err *battle_parse(TALLOC_CTX *mem, const struct battle_source *source, struct scenario **sc,
	const struct ruleset **rules) MUST_CHECK;

/* Reads them to the end, whatever is wrong (scenario_read_leniently). Errors are those of the rules alone. */
struct err *battle_parse_leniently(TALLOC_CTX *mem, const struct battle_source *source, struct scenario **sc,
	const struct ruleset **rules, struct bad_lines *bad) MUST_CHECK;

/* Both in one. */
struct err *battle_load(TALLOC_CTX *mem, const char *name_or_path, const char *rules_override, struct scenario **sc,
	const struct ruleset **rules) MUST_CHECK;

/* The words in which that rule set's events are told: templates/NAME.events. On `mem`. */
struct err *battle_words(TALLOC_CTX *mem, const struct ruleset *rules, struct chronicle **out) MUST_CHECK;

#endif
