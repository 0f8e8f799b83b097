/* The numbers of "Rip her to shreds": db/rules/shreds.rules has a value for each. */
#ifndef GALLOPER_RULES_SHREDS_PARAMETERS_H
#define GALLOPER_RULES_SHREDS_PARAMETERS_H

#include "rules/parameters.h"

/* id, name, type, least, most, choices, help; inches, and points with their halves, in thousandths. */
#define SHREDS_PARAMETERS(X)                                                                                           \
	X(POINTS_DIE, "points-die", NUMBER, 2, 20, NULL, "Sides of the die for command points.")                       \
	X(FOOT_MOVE, "foot-move", INCHES, 0, INCH(40), NULL, "What foot adds to its die.")                             \
	X(GOVERNMENT_MOVE_DIE, "government-move-die", NUMBER, 2, 20, NULL, "Sides of the die of foot that moves.")     \
	X(HIGHLAND_MOVE_DIE, "highland-move-die", NUMBER, 2, 20, NULL, "The same of Highland foot.")                   \
	X(FOOT_CHARGE, "foot-charge", INCHES, 0, INCH(40), NULL, "What foot that charges adds.")                       \
	X(HORSE_MOVE, "horse-move", INCHES, 0, INCH(40), NULL, "What horse adds to its dice.")                         \
	X(HORSE_MOVE_DICE, "horse-move-dice", NUMBER, 1, 10, NULL, "Dice of horse that moves.")                        \
	X(HORSE_MOVE_DIE, "horse-move-die", NUMBER, 2, 20, NULL, "Sides of each of them.")                             \
	X(HORSE_CHARGE, "horse-charge", INCHES, 0, INCH(40), NULL, "What horse that charges adds.")                    \
	X(COLUMN_MOVE, "column-move", INCHES, 0, INCH(40), NULL, "What a column adds.")                                \
	X(GROUND_COST, "ground-cost", INCHES, 0, INCH(40), NULL, "What entering a wall, river or wood costs.")         \
	X(NERVE_FAILS, "nerve-fails", NUMBER, 0, 6, NULL, "Highland foot does not charge on this or less.")            \
	X(STAND_FAILS, "stand-fails", NUMBER, 0, 6, NULL, "A charged unit flees on this or less.")                     \
	X(FLEE_DIE, "flee-die", NUMBER, 2, 20, NULL, "Sides of the die for how far it flees.")                         \
	X(CLOSE_RANGE, "close-range", INCHES, 0, INCH(120), NULL, "How far close fire reaches.")                       \
	X(LONG_RANGE, "long-range", INCHES, 0, INCH(120), NULL, "How far muskets reach.")                              \
	X(GUN_RANGE, "gun-range", INCHES, 0, INCH(200), NULL, "How far guns reach; 0 for any distance.")               \
	X(GOVERNMENT_FIRE_DIE, "government-fire-die", NUMBER, 2, 20, NULL, "Sides of the die of a base that fires.")   \
	X(GOVERNMENT_LONG, "government-long", NUMBER, 0, 20, NULL, "What long range takes off that die.")              \
	X(HIGHLAND_FIRE_DIE, "highland-fire-die", NUMBER, 2, 20, NULL, "The die of a base of Highland foot.")          \
	X(HIGHLAND_LONG, "highland-long", NUMBER, 0, 20, NULL, "What long range takes off that die.")                  \
	X(GUN_DIE, "gun-die", NUMBER, 2, 20, NULL, "Sides of the die of a gun.")                                       \
	X(GUN_HALF_CREW, "gun-half-crew", NUMBER, 0, 99, NULL, "A gun with this crew or less has half effect.")        \
	X(SAVE_OPEN, "save-open", NUMBER, 2, 7, NULL, "A hit in the open is saved on this or more.")                   \
	X(SAVE_COVER, "save-cover", NUMBER, 2, 7, NULL, "A hit in cover or open order is saved on this or more.")      \
	X(MELEE_DIE, "melee-die", NUMBER, 2, 20, NULL, "Sides of the die of a base in melee.")                         \
	X(HIGHLAND_MELEE_DIE, "highland-melee-die", NUMBER, 2, 20, NULL, "The same of Highland foot.")                 \
	X(HIGHLAND_CHARGE_BONUS, "highland-charge-bonus", NUMBER, 0, 20, NULL, "Added for Highland foot's charge.")    \
	X(HORSE_CHARGE_BONUS, "horse-charge-bonus", NUMBER, 0, 20, NULL, "Added for the charge of horse.")             \
	X(FLANK_BONUS, "flank-bonus", NUMBER, 0, 20, NULL, "Added for an attack on flank or rear.")                    \
	X(GENERAL_BONUS, "general-bonus", NUMBER, 0, 20, NULL, "Added when a general is near.")                        \
	X(GENERAL_REACH, "general-reach", INCHES, 0, INCH(120), NULL, "How near that is.")                             \
	X(LOSS_DIE, "loss-die", NUMBER, 2, 20, NULL, "Sides of the die for what a pair that is won costs the loser.")  \
	X(LOSS_LESS, "loss-less", NUMBER, 0, 20, NULL, "What is taken off that die.")                                  \
	X(RETREAT, "retreat", INCHES, 0, INCH(40), NULL, "How far the loser of a melee falls back.")                   \
	X(HALT, "halt", NUMBER, 0, 6, NULL, "Cavalry halts on this or less.")                                          \
	X(ROUT_PERCENT, "rout-percent", NUMBER, 1, 100, NULL, "A unit with this part of its figures or less routs.")   \
	X(ROUT_DIE, "rout-die", NUMBER, 2, 20, NULL, "Sides of the die for how far it routs.")                         \
	X(RALLY, "rally", NUMBER, 2, 7, NULL, "A general rallies a unit on this or more.")                             \
	X(RALLY_TURNS, "rally-turns", NUMBER, 0, 10, NULL, "Own turns for which a rallied unit halts.")                \
	X(PANIC_REACH, "panic-reach", INCHES, 0, INCH(120), NULL, "How near to routers a unit may panic.")             \
	X(PANIC, "panic", NUMBER, 0, 6, NULL, "It routs on this or less.")                                             \
	X(FOOT_FIGURES, "foot-figures", NUMBER, 1, 999, NULL, "Figures of a foot unit of a battle.")                   \
	X(FOOT_BASES, "foot-bases", NUMBER, 1, 99, NULL, "The bases that they stand on.")                              \
	X(HORSE_FIGURES, "horse-figures", NUMBER, 1, 999, NULL, "Figures of a horse unit of a battle.")                \
	X(HORSE_BASES, "horse-bases", NUMBER, 1, 99, NULL, "The bases that they stand on.")                            \
	X(GUN_CREW, "gun-crew", NUMBER, 1, 99, NULL, "The crew of a gun.")                                             \
	X(POINTS_FOOT, "points-foot", INCHES, 0, INCH(1000), NULL, "Points for a figure of foot.")                     \
	X(POINTS_HORSE, "points-horse", INCHES, 0, INCH(1000), NULL, "Points for a figure of horse.")                  \
	X(POINTS_GUN, "points-gun", INCHES, 0, INCH(1000), NULL, "Points for a gun.")                                  \
	X(POINTS_GENERAL, "points-general", INCHES, 0, INCH(1000), NULL, "Points for a general.")

enum shreds_parameter {
	P_SHREDS_BEFORE = P_COMMON_COUNT - 1,
#define X(id, name, type, min, max, choices, help) P_##id,
	SHREDS_PARAMETERS(X)
#undef X
		P_COUNT
};

extern const struct parameter_def shreds_parameters[P_COUNT];

#endif
