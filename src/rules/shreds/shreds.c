#include "rules/shreds/shreds.h"

#include "rules/shreds/charge.h"
#include "rules/shreds/field.h"
#include "rules/shreds/parameters.h"

#include <assert.h>

enum { STEPS = 7 };

static void initiative(struct turn *t);
static void half(struct turn *t);

/* clang-format off */
#define STEP(key, title, side) {key, title, side, half, false}
#define HALF(side) \
	STEP("points", "command points", side), STEP("charge", "charges declared", side), STEP("fire", "fire", side), \
	STEP("move", "movement", side), STEP("shoot", "fire after moving", side), STEP("melee", "melee", side), \
	STEP("morale", "morale", side)
/* clang-format on */

/* Either side may go first: of the three halves here the first or the last is not played. */
static const struct phase phases[] = {
	{"initiative", "Initiative", -1, initiative, false},
	HALF(SIDE_GOVERNMENT),
	HALF(SIDE_JACOBITE),
	HALF(SIDE_GOVERNMENT),
	{"end", "End of the turn", -1, shreds_end, false},
};

/* RH1, RH2: each side a die, ties rolled again; the higher goes first. */
static void initiative(struct turn *t)
{
	struct event *ev = turn_event(t, EVENT_INITIATIVE, -1);
	int value[SIDES] = {0, 0};

	for (int again = 1; value[SIDE_GOVERNMENT] == value[SIDE_JACOBITE]; again++)
		for (int side = 0; side < SIDES; side++)
			turn_roll(t, ev, side_dice((enum side)side), "initiative",
				again > 1 ? talloc_asprintf(t->mem, "again%d", again) : NULL, 6, 1, &value[side]);
	t->state->initiative = value[SIDE_GOVERNMENT] > value[SIDE_JACOBITE] ? SIDE_GOVERNMENT : SIDE_JACOBITE;
	event_set(ev, NUM_SIDE, t->state->initiative);
	turn_ruling(ev, ev->dice_count > SIDES ? "RH1" : "RH2");
}

/* What a half leaves behind for nobody to see. */
static void forget_half(struct state *s)
{
	for (int i = 0; i < s->count; i++) {
		struct unit *u = &s->units[i];

		u->commanded = u->balked = u->fled = u->broke = u->wounded = false;
		u->charged = u->fired = u->closed_fire = u->fought = false;
		u->charge_target = -1;
	}
}

static void half(struct turn *t)
{
	static void (*const steps[STEPS])(struct turn *) = {
		shreds_points, shreds_charge, shreds_fire, shreds_move, shreds_shoot, shreds_melee, shreds_morale};
	int phase = (int)(t->phase - phases), skipped = t->state->initiative == SIDE_GOVERNMENT ? 2 : 0;

	if ((phase - 1) / STEPS == skipped)
		return;
	steps[(phase - 1) % STEPS](t);
	if ((phase - 1) % STEPS == STEPS - 1)
		forget_half(t->state);
}

static const struct die_purpose purposes[] = {
	{"initiative", true, 6},
	{"points", true, 6},
	{"nerve", false, 6},
	{"stand", false, 6},
	{"move", false, 8},
	{"fire", false, 8},
	{"save", false, 6},
	{"pair", false, 8},
	{"loss", false, 6},
	{"flee", false, 8},
	{"rout", false, 6},
	{"rally", false, 6},
	{"panic", false, 6},
	{"halt", false, 6},
	{NULL, false, 0},
};

const struct ruleset shreds = {
	.name = "shreds",
	.phases = phases,
	.phase_count = sizeof phases / sizeof *phases,
	.parameters = shreds_parameters,
	.parameter_count = P_COUNT,
	.purposes = purposes,
	.rulings = {.ride = "RH18",
		.join = "RH18",
		.stays = "RH18",
		.displaced = "RH18",
		.set_down = "RH18",
		.paid = "RH16",
		.stopped = "RH16",
		.broken = "RH59",
		.points = "RH59",
		.by_points = "RH59",
		.turn_limit = "RH59"},
	.credit = "The rules \"Rip her to shreds\" are by the author of the Tradgardland blog.",
	.command_points = true,
	.dice_add_up = true,
	.muster = shreds_muster,
	.ground = shreds_ground,
	.aim = shreds_aim,
	.range = shreds_range,
	.charge_target = shreds_charge_target,
	.settle = shreds_settle,
	.losses = shreds_losses,
	.tally = shreds_tally,
	.foresee = shreds_foresee,
};
