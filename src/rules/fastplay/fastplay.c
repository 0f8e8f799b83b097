#include "rules/fastplay/fastplay.h"

#include "rules/fastplay/charge.h"
#include "rules/fastplay/field.h"
#include "rules/fastplay/parameters.h"

static const struct phase phases[] = {
	{"move", "move", SIDE_GOVERNMENT, fastplay_move, false},
	{"shoot", "shoot", SIDE_GOVERNMENT, fastplay_shoot, true},
	{"move", "move", SIDE_JACOBITE, fastplay_move, false},
	{"shoot", "shoot", SIDE_JACOBITE, fastplay_shoot, true},
	{"charge", "Charge", -1, fastplay_charge, false},
	{"melee", "Melee", -1, fastplay_melee, false},
	{"end", "End of the turn", -1, fastplay_end, false},
};

static const struct die_purpose purposes[] = {
	{"powder", false, 6},
	{"shoot", false, 6},
	{"discipline", false, 6},
	{"reaction", false, 6},
	{"melee", false, 6},
	{"commander", false, 6},
	{NULL, false, 0},
};

const struct ruleset fastplay = {
	.name = "fastplay",
	.phases = phases,
	.phase_count = sizeof phases / sizeof *phases,
	.parameters = fastplay_parameters,
	.parameter_count = P_COUNT,
	.purposes = purposes,
	.rulings = {.ride = "FP24",
		.join = "FP24 FP25",
		.stays = "FP26",
		.displaced = "FP84",
		.set_down = "FP73",
		.paid = "FP12",
		.stopped = "FP13",
		.broken = "FP88",
		.points = "FP90",
		.by_points = "FP89",
		.turn_limit = "FP87",
		.conceded = "FP91",
		.verdict = "FP92"},
	.credit = "The Fast Play rules are by Matt Fritz (Junior General).",
	.ground = field_ground,
	.aim = fastplay_aim,
	.range = fastplay_range,
	.charge_target = charge_target,
	.settle = field_settle,
	.losses = fastplay_losses,
	.tally = fastplay_tally,
	.foresee = fastplay_foresee,
};
