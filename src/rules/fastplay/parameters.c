#include "rules/fastplay/fastplay.h"

const struct parameter_def fastplay_parameters[FASTPLAY_PARAMETER_COUNT] = {
#define X(name, word, type, min, max, choices, help) {word, PARAMETER_##type, min, max, choices, help},
	FASTPLAY_PARAMETERS(X)
#undef X
};
