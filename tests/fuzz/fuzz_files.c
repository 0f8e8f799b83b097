/* Any text as each of the files that people write: a rules case, which is then played, a battle, the
 * numbers of a rule set. */
#include "battle/inspect.h"
#include "service/battles.h"
#include "service/trial.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct battle_source source;
	const struct ruleset *rules;
	struct rules_case *c;
	struct bad_lines bad;
	struct scenario *sc;

	if (case_read(mem, "fuzz.case", (const char *)bytes, len, &c) == NULL)
		trial_run(mem, c, 1, true);
	if (battle_fetch(mem, "falkirk", NULL, &source) != NULL)
		abort();
	source.battle_file = "fuzz.battle";
	source.battle = (const char *)bytes;
	source.battle_len = len;
	if (battle_parse_leniently(mem, &source, &sc, &rules, &bad) == NULL)
		scenario_inspect(mem, sc, INCH(18));
	if (battle_fetch(mem, "falkirk", NULL, &source) != NULL)
		abort();
	source.rules_file = "fuzz.rules";
	source.rules = (const char *)bytes;
	source.rules_len = len;
	if (battle_parse(mem, &source, &sc, &rules) == NULL)
		scenario_inspect(mem, sc, INCH(18));
	talloc_free(mem);
	return 0;
}
