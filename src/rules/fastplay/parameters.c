#include "rules/fastplay/parameters.h"

const struct parameter_def fastplay_parameters[P_COUNT] = {
#define X(id, name, type, min, max, choices, help) {name, PARAMETER_##type, min, max, choices, help},
	FASTPLAY_PARAMETERS(X)
#undef X
};
