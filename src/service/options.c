#include "service/options.h"

#include <string.h>

static const struct parameter_def defs[OPTION_COUNT] = {
	[OPTION_MESSAGES] = {"messages", PARAMETER_CHOICE, 0, 0, "held own-side off",
		"Messages between players: held for the referee, held unless they go to the own side, or none."},
	[OPTION_SILENT_SHARE] = {"silent-share", PARAMETER_NUMBER, 0, 100, NULL,
		"A turn waits at its deadline when more than this percentage of the players have sent nothing."},
	[OPTION_SILENT_HOURS] = {"silent-hours", PARAMETER_NUMBER, 1, 336, NULL,
		"How long such a turn waits for the referee before it goes on by itself."},
};

/* More than half of a class; two days, so that a weekend passes. */
static const int32_t defaults[OPTION_COUNT] = {
	[OPTION_MESSAGES] = MESSAGES_HELD,
	[OPTION_SILENT_SHARE] = 50,
	[OPTION_SILENT_HOURS] = 48,
};

struct parameters *options_new(TALLOC_CTX *mem)
{
	struct parameters *p = parameters_new(mem, defs, OPTION_COUNT);

	memcpy(p->values, defaults, sizeof defaults);
	return p;
}

bool options_know(const char *name)
{
	for (int i = 0; i < OPTION_COUNT; i++)
		if (strcmp(defs[i].name, name) == 0)
			return true;
	return false;
}
