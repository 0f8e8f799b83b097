/* Any text as each of the files that people write: a rules case, which is then played, a battle, the settings. */
#include "base/file.h"
#include "battle/inspect.h"
#include "config/config.h"
#include "service/battles.h"
#include "service/trial.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void read_config(TALLOC_CTX *mem, const char *text, size_t len)
{
	struct config *config;
	char path[64];

	snprintf(path, sizeof path, "/tmp/galloper-fuzz.%d.conf", (int)getpid());
	if (file_write(mem, path, text, len, 0600) == NULL)
		talloc_free(config_read(mem, path, &config));
	unlink(path);
}

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
	read_config(mem, (const char *)bytes, len);
	talloc_free(mem);
	return 0;
}
