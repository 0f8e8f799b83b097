/* The numbers of "Rip her to shreds": db/rules/shreds.rules has a value for each. */
#ifndef GALLOPER_RULES_SHREDS_PARAMETERS_H
#define GALLOPER_RULES_SHREDS_PARAMETERS_H

#include "rules/parameters.h"

/* id, name, type, least, most, choices, rulings that give the number, help; inches, and points with their halves, in
 * thousandths. */
#define SHREDS_PARAMETERS(X)                                                                                           \
	X(POINTS_DIE, "points-die", NUMBER, 2, 20, NULL, "RH4", "Sides of the die for command points.")                \
	X(FOOT_MOVE, "foot-move", INCHES, 0, INCH(40), NULL, "RH9", "What foot adds to its die.")                      \
	X(GOVERNMENT_MOVE_DIE, "government-move-die", NUMBER, 2, 20, NULL, "RH9",                                      \
		"Sides of the die of foot that moves.")                                                                \
	X(HIGHLAND_MOVE_DIE, "highland-move-die", NUMBER, 2, 20, NULL, "RH9", "The same of Highland foot.")            \
	X(FOOT_CHARGE, "foot-charge", INCHES, 0, INCH(40), NULL, "RH9 RH11", "What foot that charges adds.")           \
	X(HORSE_MOVE, "horse-move", INCHES, 0, INCH(40), NULL, "RH10", "What horse adds to its dice.")                 \
	X(HORSE_MOVE_DICE, "horse-move-dice", NUMBER, 1, 10, NULL, "RH10", "Dice of horse that moves.")                \
	X(HORSE_MOVE_DIE, "horse-move-die", NUMBER, 2, 20, NULL, "RH10", "Sides of each of them.")                     \
	X(HORSE_CHARGE, "horse-charge", INCHES, 0, INCH(40), NULL, "RH10", "What horse that charges adds.")            \
	X(COLUMN_MOVE, "column-move", INCHES, 0, INCH(40), NULL, "RH14", "What a column adds.")                        \
	X(GROUND_COST, "ground-cost", INCHES, 0, INCH(40), NULL, "RH16", "What entering a wall, river or wood costs.") \
	X(NERVE_FAILS, "nerve-fails", NUMBER, 0, 6, NULL, "RH7", "Highland foot does not charge on this or less.")     \
	X(STAND_FAILS, "stand-fails", NUMBER, 0, 6, NULL, "RH8", "A charged unit flees on this or less.")              \
	X(FLEE_DIE, "flee-die", NUMBER, 2, 20, NULL, "RH37", "Sides of the die for how far it flees.")                 \
	X(CLOSE_RANGE, "close-range", INCHES, 0, INCH(120), NULL, "RH21", "How far close fire reaches.")               \
	X(LONG_RANGE, "long-range", INCHES, 0, INCH(120), NULL, "RH21", "How far muskets reach.")                      \
	X(GUN_RANGE, "gun-range", INCHES, 0, INCH(200), NULL, "RH21", "How far guns reach; 0 for any distance.")       \
	X(GOVERNMENT_FIRE_DIE, "government-fire-die", NUMBER, 2, 20, NULL, "RH23",                                     \
		"Sides of the die of a base that fires.")                                                              \
	X(GOVERNMENT_LONG, "government-long", NUMBER, 0, 20, NULL, "RH23", "What long range takes off that die.")      \
	X(HIGHLAND_FIRE_DIE, "highland-fire-die", NUMBER, 2, 20, NULL, "RH23", "The die of a base of Highland foot.")  \
	X(HIGHLAND_LONG, "highland-long", NUMBER, 0, 20, NULL, "RH23", "What long range takes off that die.")          \
	X(GUN_DIE, "gun-die", NUMBER, 2, 20, NULL, "RH23", "Sides of the die of a gun.")                               \
	X(GUN_HALF_CREW, "gun-half-crew", NUMBER, 0, 99, NULL, "RH31",                                                 \
		"A gun with this crew or less has half effect.")                                                       \
	X(SAVE_OPEN, "save-open", NUMBER, 2, 7, NULL, "RH26 RH32", "A hit in the open is saved on this or more.")      \
	X(SAVE_COVER, "save-cover", NUMBER, 2, 7, NULL, "RH26 RH32",                                                   \
		"A hit in cover or open order is saved on this or more.")                                              \
	X(MELEE_DIE, "melee-die", NUMBER, 2, 20, NULL, "RH40", "Sides of the die of a base in melee.")                 \
	X(HIGHLAND_MELEE_DIE, "highland-melee-die", NUMBER, 2, 20, NULL, "RH40", "The same of Highland foot.")         \
	X(HIGHLAND_CHARGE_BONUS, "highland-charge-bonus", NUMBER, 0, 20, NULL, "RH42",                                 \
		"Added for Highland foot's charge.")                                                                   \
	X(HORSE_CHARGE_BONUS, "horse-charge-bonus", NUMBER, 0, 20, NULL, "RH42", "Added for the charge of horse.")     \
	X(FLANK_BONUS, "flank-bonus", NUMBER, 0, 20, NULL, "RH37 RH42", "Added for an attack on flank or rear.")       \
	X(GENERAL_BONUS, "general-bonus", NUMBER, 0, 20, NULL, "RH42 RH43", "Added when a general is near.")           \
	X(GENERAL_REACH, "general-reach", INCHES, 0, INCH(120), NULL, "RH42 RH43", "How near that is.")                \
	X(LOSS_DIE, "loss-die", NUMBER, 2, 20, NULL, "RH45",                                                           \
		"Sides of the die for what a pair that is won costs the loser.")                                       \
	X(LOSS_LESS, "loss-less", NUMBER, 0, 20, NULL, "RH45", "What is taken off that die.")                          \
	X(RETREAT, "retreat", INCHES, 0, INCH(40), NULL, "RH47", "How far the loser of a melee falls back.")           \
	X(HALT, "halt", NUMBER, 0, 6, NULL, "RH49 RH50", "Cavalry halts on this or less.")                             \
	X(ROUT_PERCENT, "rout-percent", NUMBER, 1, 100, NULL, "RH36 RH51",                                             \
		"A unit with this part of its figures or less routs.")                                                 \
	X(ROUT_DIE, "rout-die", NUMBER, 2, 20, NULL, "RH52", "Sides of the die for how far it routs.")                 \
	X(RALLY, "rally", NUMBER, 2, 7, NULL, "RH53", "A general rallies a unit on this or more.")                     \
	X(RALLY_TURNS, "rally-turns", NUMBER, 0, 10, NULL, "RH53", "Own turns for which a rallied unit halts.")        \
	X(PANIC_REACH, "panic-reach", INCHES, 0, INCH(120), NULL, "RH54", "How near to routers a unit may panic.")     \
	X(PANIC, "panic", NUMBER, 0, 6, NULL, "RH54", "It routs on this or less.")                                     \
	X(FOOT_FIGURES, "foot-figures", NUMBER, 1, 999, NULL, "RH29", "Figures of a foot unit of a battle.")           \
	X(FOOT_BASES, "foot-bases", NUMBER, 1, 99, NULL, "RH29", "The bases that they stand on.")                      \
	X(HORSE_FIGURES, "horse-figures", NUMBER, 1, 999, NULL, "RH29", "Figures of a horse unit of a battle.")        \
	X(HORSE_BASES, "horse-bases", NUMBER, 1, 99, NULL, "RH29", "The bases that they stand on.")                    \
	X(GUN_CREW, "gun-crew", NUMBER, 1, 99, NULL, "RH29", "The crew of a gun.")                                     \
	X(POINTS_FOOT, "points-foot", INCHES, 0, INCH(1000), NULL, "RH59", "Points for a figure of foot.")             \
	X(POINTS_HORSE, "points-horse", INCHES, 0, INCH(1000), NULL, "RH59", "Points for a figure of horse.")          \
	X(POINTS_GUN, "points-gun", INCHES, 0, INCH(1000), NULL, "RH59", "Points for a gun.")                          \
	X(POINTS_GENERAL, "points-general", INCHES, 0, INCH(1000), NULL, "RH59", "Points for a general.")

enum shreds_parameter {
	P_SHREDS_BEFORE = P_COMMON_COUNT - 1,
#define X(id, name, type, min, max, choices, rulings, help) P_##id,
	SHREDS_PARAMETERS(X)
#undef X
		P_COUNT
};

extern const struct parameter_def shreds_parameters[P_COUNT];

#endif
