#include "rules/shreds/parameters.h"

const struct parameter_def shreds_parameters[P_COUNT] = {
	COMMON_PARAMETERS(PARAMETER_DEF) SHREDS_PARAMETERS(PARAMETER_DEF)};
