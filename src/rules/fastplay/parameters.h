/* The numbers of the Fast Play rules: db/rules/fastplay.rules has a value for each, a battle file may override them. */
#ifndef GALLOPER_RULES_FASTPLAY_PARAMETERS_H
#define GALLOPER_RULES_FASTPLAY_PARAMETERS_H

#include "rules/parameters.h"

/* id, name, type, least, most, choices, help; inches in thousandths. */
#define FASTPLAY_PARAMETERS(X)                                                                                         \
	X(INFANTRY_MOVE, "infantry-move", INCHES, 0, INCH(40), NULL, "How far foot may move in a turn.")               \
	X(HORSE_MOVE, "horse-move", INCHES, 0, INCH(40), NULL, "How far horse may move in a turn.")                    \
	X(INFANTRY_CHARGE, "infantry-charge", INCHES, 0, INCH(40), NULL, "How far foot may charge.")                   \
	X(HORSE_CHARGE, "horse-charge", INCHES, 0, INCH(40), NULL, "How far horse may charge.")                        \
	X(COMMANDER_CHARGE, "commander-charge", INCHES, 0, INCH(40), NULL,                                             \
		"How far a commander may ride to a unit in the Charge phase.")                                         \
	X(INFANTRY_RANGE, "infantry-range", INCHES, 0, INCH(120), NULL, "How far muskets reach.")                      \
	X(SHOOT_HIT, "shoot-hit", NUMBER, 2, 7, NULL, "A volley hits on this or more.")                                \
	X(CLOSE_HIT, "close-hit", NUMBER, 2, 7, NULL, "Fire at chargers hits on this or more.")                        \
	X(FOOT_MELEE_HIT, "foot-melee-hit", NUMBER, 2, 7, NULL, "Foot in melee hits on this or more.")                 \
	X(CHARGE_MELEE_HIT, "charge-melee-hit", NUMBER, 2, 7, NULL,                                                    \
		"Jacobite foot that charged hits on this or more.")                                                    \
	X(HORSE_MELEE_HIT, "horse-melee-hit", NUMBER, 2, 7, NULL, "Horse in melee hits on this or more.")              \
	X(COMMANDER_HIT, "commander-hit", NUMBER, 2, 7, NULL, "A commander in melee hits on this or more.")            \
	X(COMMANDER_FALLS, "commander-falls", NUMBER, 2, 7, NULL, "A commander at risk falls on this or more.")        \
	X(WET_POWDER, "wet-powder", FLAG, 0, 1, NULL, "Rain: a die says how many bases have dry powder.")              \
	X(FIRE_AT_CHARGERS, "fire-at-chargers", CHOICE, 0, 1, "always discipline",                                     \
		"Every charged foot unit fires, or the Government's alone and after a test.")                          \
	X(DISCIPLINE_MODIFIER, "discipline-modifier", NUMBER, -20, 20, NULL, "Added to the die of the test.")          \
	X(GUN_DICE, "gun-dice", NUMBER, 1, 12, NULL, "Dice a gun.")                                                    \
	X(GUN_HIT, "gun-hit", NUMBER, 2, 7, NULL, "A gun hits on this or more.")                                       \
	X(GUN_RANGE, "gun-range", INCHES, 0, INCH(200), NULL, "How far guns reach; 0 for any distance.")               \
	X(GUN_CORRIDOR, "gun-corridor", INCHES, 0, INCH(12), NULL, "Room that a gun needs between friends.")           \
	X(GUN_HITS, "gun-hits", NUMBER, 1, 12, NULL, "Hits in one turn that take a gun.")                              \
	X(TERRAIN, "terrain", CHOICE, 0, 1, "marked ground", "Walls and ground are drawn only, or have effect.")       \
	X(WALL_COST, "wall-cost", INCHES, 0, INCH(12), NULL, "What crossing a wall costs foot.")                       \
	X(PACE, "pace", CHOICE, 0, 1, "turn phased", "One deadline a turn, or three.")                                 \
	X(POINTS_FOOT, "points-foot", NUMBER, 0, 1000, NULL, "Points for a base of foot.")                             \
	X(POINTS_HORSE, "points-horse", NUMBER, 0, 1000, NULL, "Points for a base of horse.")                          \
	X(POINTS_GUN, "points-gun", NUMBER, 0, 1000, NULL, "Points for a gun.")                                        \
	X(POINTS_COMMANDER, "points-commander", NUMBER, 0, 1000, NULL, "Points for a commander.")                      \
	X(POINTS_OVERALL, "points-overall", NUMBER, 0, 1000, NULL, "Points for the overall commander.")                \
	X(POINTS_THIRD, "points-third", NUMBER, 0, 1000, NULL, "Points for a third of the front held.")

enum fastplay_parameter {
	P_FASTPLAY_BEFORE = P_COMMON_COUNT - 1,
#define X(id, name, type, min, max, choices, help) P_##id,
	FASTPLAY_PARAMETERS(X)
#undef X
		P_COUNT
};

enum { TERRAIN_MARKED, TERRAIN_GROUND };
enum { FIRE_ALWAYS, FIRE_DISCIPLINE };

extern const struct parameter_def fastplay_parameters[P_COUNT];

#endif
