/* The numbers of the Fast Play rules: db/rules/fastplay.rules has a value for each, a battle file may override them. */
#ifndef GALLOPER_RULES_FASTPLAY_PARAMETERS_H
#define GALLOPER_RULES_FASTPLAY_PARAMETERS_H

#include "rules/parameters.h"

/* id, name, type, least, most, choices, rulings that give the number, help; inches in thousandths. */
#define FASTPLAY_PARAMETERS(X)                                                                                         \
	X(INFANTRY_MOVE, "infantry-move", INCHES, 0, INCH(40), NULL, "FP15", "How far foot may move in a turn.")       \
	X(HORSE_MOVE, "horse-move", INCHES, 0, INCH(40), NULL, "FP15", "How far horse may move in a turn.")            \
	X(INFANTRY_CHARGE, "infantry-charge", INCHES, 0, INCH(40), NULL, "FP45 FP46", "How far foot may charge.")      \
	X(HORSE_CHARGE, "horse-charge", INCHES, 0, INCH(40), NULL, "FP45 FP46", "How far horse may charge.")           \
	X(COMMANDER_CHARGE, "commander-charge", INCHES, 0, INCH(40), NULL, "FP24",                                     \
		"How far a commander may ride to a unit in the Charge phase.")                                         \
	X(INFANTRY_RANGE, "infantry-range", INCHES, 0, INCH(120), NULL, "FP28 FP29", "How far muskets reach.")         \
	X(SHOOT_HIT, "shoot-hit", NUMBER, 2, 7, NULL, "FP29 FP30 FP61", "A volley hits on this or more.")              \
	X(CLOSE_HIT, "close-hit", NUMBER, 2, 7, NULL, "FP37 FP61", "Fire at chargers hits on this or more.")           \
	X(FOOT_MELEE_HIT, "foot-melee-hit", NUMBER, 2, 7, NULL, "FP68 FP69", "Foot in melee hits on this or more.")    \
	X(CHARGE_MELEE_HIT, "charge-melee-hit", NUMBER, 2, 7, NULL, "FP69 FP70",                                       \
		"Jacobite foot that charged hits on this or more.")                                                    \
	X(HORSE_MELEE_HIT, "horse-melee-hit", NUMBER, 2, 7, NULL, "FP68 FP69", "Horse in melee hits on this or more.") \
	X(COMMANDER_HIT, "commander-hit", NUMBER, 2, 7, NULL, "FP72", "A commander in melee hits on this or more.")    \
	X(COMMANDER_FALLS, "commander-falls", NUMBER, 2, 7, NULL, "FP44 FP73",                                         \
		"A commander at risk falls on this or more.")                                                          \
	X(WET_POWDER, "wet-powder", FLAG, 0, 1, NULL, "FP36 FP37", "Rain: a die says how many bases have dry powder.") \
	X(FIRE_AT_CHARGERS, "fire-at-chargers", CHOICE, 0, 1, "always discipline", "FP37 FP61",                        \
		"Every charged foot unit fires, or the Government's alone and after a test.")                          \
	X(DISCIPLINE_MODIFIER, "discipline-modifier", NUMBER, -20, 20, NULL, "FP61", "Added to the die of the test.")  \
	X(GUN_DICE, "gun-dice", NUMBER, 1, 12, NULL, "FP38", "Dice a gun.")                                            \
	X(GUN_HIT, "gun-hit", NUMBER, 2, 7, NULL, "FP38", "A gun hits on this or more.")                               \
	X(GUN_RANGE, "gun-range", INCHES, 0, INCH(200), NULL, "FP38", "How far guns reach; 0 for any distance.")       \
	X(GUN_CORRIDOR, "gun-corridor", INCHES, 0, INCH(12), NULL, "FP39", "Room that a gun needs between friends.")   \
	X(GUN_HITS, "gun-hits", NUMBER, 1, 12, NULL, "FP41", "Hits in one turn that take a gun.")                      \
	X(TERRAIN, "terrain", CHOICE, 0, 1, "marked ground", "FP12 FP13",                                              \
		"Walls and ground are drawn only, or have effect.")                                                    \
	X(WALL_COST, "wall-cost", INCHES, 0, INCH(12), NULL, "FP12", "What crossing a wall costs foot.")               \
	X(PACE, "pace", CHOICE, 0, 1, "turn phased", "FP1", "One deadline a turn, or three.")                          \
	X(POINTS_FOOT, "points-foot", NUMBER, 0, 1000, NULL, "FP90", "Points for a base of foot.")                     \
	X(POINTS_HORSE, "points-horse", NUMBER, 0, 1000, NULL, "FP90", "Points for a base of horse.")                  \
	X(POINTS_GUN, "points-gun", NUMBER, 0, 1000, NULL, "FP90", "Points for a gun.")                                \
	X(POINTS_COMMANDER, "points-commander", NUMBER, 0, 1000, NULL, "FP90", "Points for a commander.")              \
	X(POINTS_OVERALL, "points-overall", NUMBER, 0, 1000, NULL, "FP90", "Points for the overall commander.")        \
	X(POINTS_THIRD, "points-third", NUMBER, 0, 1000, NULL, "FP90", "Points for a third of the front held.")

enum fastplay_parameter {
	P_FASTPLAY_BEFORE = P_COMMON_COUNT - 1,
#define X(id, name, type, min, max, choices, rulings, help) P_##id,
	FASTPLAY_PARAMETERS(X)
#undef X
		P_COUNT
};

enum { TERRAIN_MARKED, TERRAIN_GROUND };
enum { FIRE_ALWAYS, FIRE_DISCIPLINE };

extern const struct parameter_def fastplay_parameters[P_COUNT];

#endif
