/* The numbers that every rule set has, since the code that they share asks for them: the head of each one's table. */
#ifndef GALLOPER_RULES_PARAMETERS_H
#define GALLOPER_RULES_PARAMETERS_H

#include "rules/ruleset.h"

/* id, name, type, least, most, choices, rulings that give the number, help; inches in thousandths. */
#define COMMON_PARAMETERS(X)                                                                                           \
	X(COMMANDER_MOVE, "commander-move", INCHES, 0, INCH(40), NULL, "FP15 FP24 RH18",                               \
		"How far a commander may ride in a turn.")                                                             \
	X(CLEARANCE, "clearance", INCHES, 0, INCH(6), NULL, "FP18 FP53 FP54 FP60 FP73 FP84",                           \
		"How near to an enemy a move may come.")                                                               \
	X(FLANK_DICE, "flank-dice", NUMBER, 0, 6, NULL, "FP30 FP63 FP74 RH35",                                         \
		"Dice at a target to the side, and against chargers there.")                                           \
	X(TURN_LIMIT, "turn-limit", NUMBER, 0, 100, NULL, "FP87 FP89 RH59", "The last turn; 0 for no limit.")          \
	X(BREAK, "break", FLAG, 0, 1, NULL, "FP88 RH59", "Whether an army breaks.")                                    \
	X(BREAK_PERCENT, "break-percent", NUMBER, 1, 100, NULL, "FP88 RH59",                                           \
		"What an army has lost, in 100 of its foot and horse, when it breaks.")                                \
	X(DRAW_PERCENT, "draw-percent", NUMBER, 0, 100, NULL, "FP89 RH59",                                             \
		"A difference of points within this is a draw.")                                                       \
	X(MINIMUM_DISTANCE, "minimum-distance", INCHES, 0, INCH(60), NULL, "",                                         \
		"Between the armies when they are set out.")

enum common_parameter {
#define X(id, name, type, min, max, choices, rulings, help) P_##id,
	COMMON_PARAMETERS(X)
#undef X
		P_COMMON_COUNT
};

/* A line of a table of parameters. */
#define PARAMETER_DEF(id, name, type, min, max, choices, rulings, help)                                                \
	{name, PARAMETER_##type, min, max, choices, help, rulings},

/* `p` is one of the above or of the rule set's own enum, which goes on from it. */
static inline int32_t parameter(const struct turn *t, int p)
{
	return t->sc->parameters->values[p];
}

#endif
