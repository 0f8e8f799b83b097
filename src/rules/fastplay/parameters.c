#include "rules/fastplay/parameters.h"

const struct parameter_def fastplay_parameters[P_COUNT] = {
	COMMON_PARAMETERS(PARAMETER_DEF) FASTPLAY_PARAMETERS(PARAMETER_DEF)};
