/* Looking ahead for the receipt: what the orders need of the dice, everybody else standing. No die is rolled. */
#include "rules/aim.h"
#include "rules/intent.h"
#include "rules/planning.h"
#include "rules/shreds/charge.h"
#include "rules/shreds/field.h"
#include "rules/shreds/fire.h"
#include "rules/shreds/move.h"
#include "rules/shreds/parameters.h"
#include "rules/shreds/shreds.h"

#include <assert.h>
#include <string.h>

/* --- chances -------------------------------------------------------------------------------------------------------
 */

/* How many of all throws of those dice come to that sum or more, and of how many. */
static int64_t throws_reaching(int dice, int sides, int need, int64_t *all)
{
	int64_t reaching = 0;

	*all = 1;
	if (dice == 0)
		return need <= 0;
	for (int value = 1; value <= sides; value++)
		reaching += throws_reaching(dice - 1, sides, need - value, all);
	*all *= sides;
	return reaching;
}

static void needs(struct plan_item *item, int dice, int sides, int need)
{
	int64_t all, reaching = throws_reaching(dice, sides, need, &all);

	item->dice = dice;
	item->sides = sides;
	item->need = need;
	item->percent = (int)((reaching * 100 + all / 2) / all);
}

/* --- moves ---------------------------------------------------------------------------------------------------------
 */

static struct walk walk_with(struct turn *t, int unit, const struct intent *in, int32_t inches)
{
	struct mover mover = {.t = t, .unit = unit, .allowance = inches, .clauses = in->list, .count = in->count};
	struct walk w;

	walk_best(&mover, &w);
	return w;
}

/* The least throw that carries the move out whole; else the farthest that it can come. */
static void plan_steps(struct turn *t, int unit, const struct intent *in)
{
	struct move_dice d = move_dice(t, &t->state->units[unit], false);
	struct plan_item *item;
	struct walk w;
	int sum = d.count;

	do
		w = walk_with(t, unit, in, d.plus + INCH(sum));
	while (!w.whole && ++sum <= d.count * d.sides);
	plan_move(t, unit, &w, in->conditional);
	item = &t->plan->items[t->plan->count - 1];
	if (w.whole)
		needs(item, d.count, d.sides, sum);
	if (w.whole && sum == d.count) { /* no distance was ordered, or very little */
		struct walk best = walk_with(t, unit, in, d.plus + INCH(d.count * d.sides));

		item->farthest = best.gone > w.gone ? best.gone : 0;
	}
	t->state->units[unit].box = w.to;
}

/* --- charges -------------------------------------------------------------------------------------------------------
 */

static void plan_charge(struct turn *t, int unit, int target, bool conditional)
{
	const struct state *s = t->state;
	struct move_dice d = move_dice(t, &s->units[unit], true);
	enum event_reason reason = may_charge(t, unit, target);
	struct plan_item *item = plan_add(t->plan, PLAN_CHARGE, unit, conditional);

	plan_reason(item, reason, "FP45");
	plan_way(item, &s->units[unit].box, &s->units[unit].box);
	item->target = target;
	item->distance = geo_distance(&s->units[unit].box, &s->units[target].box);
	item->asked = d.plus + INCH(d.count * d.sides);
	if (reason != REASON_NONE)
		return;
	for (int sum = d.count; sum <= d.count * d.sides; sum++) {
		struct box to;

		if (!can_catch(t, unit, target, d.plus + INCH(sum), &to))
			continue;
		plan_way(item, &s->units[unit].box, &to);
		needs(item, d.count, d.sides, sum);
		return;
	}
	item->blocker = charge_blocker(t, unit, target, item->asked, &reason);
	plan_reason(item, reason, "FP53");
	item->stopped = true;
}

static bool plan_charges(struct turn *t, int unit)
{
	struct intent in;
	bool any = false;

	intent_read(t, unit, CHARGE_CLAUSES, &in);
	for (int i = 0; i < in.count; i++)
		for (int k = 0; k < in.list[i]->target_count; k++) {
			struct clause only = *in.list[i];
			int target;

			only.targets = &in.list[i]->targets[k];
			only.target_count = 1;
			target = shreds_charge_target(t, unit, &only);
			if (target < 0)
				continue;
			plan_charge(t, unit, target, in.conditional);
			any |= t->plan->items[t->plan->count - 1].whole;
		}
	return any;
}

/* --- fire ----------------------------------------------------------------------------------------------------------
 */

/* What a volley costs on average, in tenths of a figure. */
static int average_loss(struct turn *t, int unit, int target, int dice, int32_t distance)
{
	struct fire_die die = fire_die(t, &t->state->units[unit], distance);
	int saved = 7 - save_need(t, NULL, unit, target);

	saved = saved < 0 ? 0 : saved > 6 ? 6 : saved;
	return (expected_hits(&die, dice) * (6 - saved) + 30) / 60;
}

static void plan_target(struct turn *t, int unit, const struct target *target, bool conditional)
{
	const struct state *s = t->state;
	const struct unit *u = &s->units[unit];
	struct aim aim = {.target = -1, .refused = -1, .blocker = -1};
	enum event_reason reason = REASON_NO_TARGET;
	struct plan_item *item;

	if (unit_is_horse(u))
		reason = REASON_HORSE;
	else if (u->column)
		reason = REASON_COLUMN;
	else if (state_locked(s, unit))
		reason = REASON_LOCKED;
	else if (target->kind == TARGET_UNIT)
		reason = aim_at(t, unit, target->unit, false, &aim);
	else if (aim_nearest(t, unit, false, &aim))
		reason = REASON_NONE;
	else {
		aim_explain(t, unit, &aim);
		reason = aim.reason;
	}
	if (target->kind != TARGET_UNIT && plan_may_wait(u, reason))
		return;
	item = plan_add(t->plan, PLAN_FIRE, unit, conditional);
	plan_reason(item, reason, "RH22");
	plan_way(item, &u->box, &u->box);
	item->target = reason == REASON_NONE ? aim.target : target->kind == TARGET_UNIT ? target->unit : aim.refused;
	item->distance = aim.distance;
	if (reason != REASON_NONE && item->target >= 0)
		item->distance = geo_distance(&u->box, &s->units[item->target].box);
	item->blocker = aim.blocker;
	if (reason == REASON_NONE)
		item->tenths = average_loss(t, unit, aim.target, u->kind == KIND_GUN ? 1 : aim.eligible, aim.distance);
}

static void plan_fire(struct turn *t, int unit)
{
	struct intent in;

	intent_read(t, unit, FIRE_CLAUSES, &in);
	if (in.count && in.list[in.count - 1]->kind == CLAUSE_HOLD_FIRE)
		return;
	for (int i = 0; i < in.count; i++)
		for (int k = 0; in.list[i]->kind == CLAUSE_FIRE && k < in.list[i]->target_count; k++)
			plan_target(t, unit, &in.list[i]->targets[k], in.conditional);
}

/* --- all of it -----------------------------------------------------------------------------------------------------
 */

/* RH4: the third in the queue gets a point on a 3 or more. */
static void plan_points(struct turn *t)
{
	int side = t->phase->side, place = 0;

	for (int i = 0; i < t->orders->priority_count[side]; i++) {
		int unit = t->orders->priority[side][i];
		struct plan_item *item;

		t->state->units[unit].points_left = 1;
		if (!unit_alive(&t->state->units[unit]) || !wants_point(t, unit))
			continue;
		t->state->units[unit].commanded = true;
		if (++place < 2)
			continue;
		item = plan_add(t->plan, PLAN_POINT, unit, false);
		plan_reason(item, REASON_NONE, "RH4");
		needs(item, 1, parameter(t, P_POINTS_DIE), place);
	}
}

static void plan_cannot(struct turn *t, int unit)
{
	const char *ruling;
	enum event_reason reason = why_not_act(t, unit, &ruling);
	struct plan_item *item;

	if (reason == REASON_NONE)
		return;
	item = plan_add(t->plan, PLAN_MOVE, unit, false);
	plan_way(item, &t->state->units[unit].box, &t->state->units[unit].box);
	plan_reason(item, reason, ruling);
}

/* RH4: a point goes to who wants to charge, whether or not that can be done. */
static void plan_wasted_point(struct turn *t, int unit)
{
	for (int i = t->plan->count - 1; i >= 0 && t->plan->items[i].unit == unit; i--)
		t->plan->items[i].costs_point = t->plan->items[i].kind == PLAN_CHARGE;
}

static void plan_unit(struct turn *t, int unit)
{
	const struct unit *u = &t->state->units[unit];
	bool first = fires_first(t, unit);
	struct intent in;

	if (first)
		plan_fire(t, unit);
	if (u->commanded && !plan_charges(t, unit)) {
		read_steps(t, unit, &in);
		if (in.count == 0)
			plan_wasted_point(t, unit);
		form_up(t, unit, &in);
		if (has_steps(&in))
			plan_steps(t, unit, &in);
	}
	if (!first)
		plan_fire(t, unit);
	plan_cannot(t, unit);
}

static void plan_general(struct turn *t, int general)
{
	move_general(t, general);
	plan_unfit(t, general, "RH18");
}

struct plan *shreds_foresee(TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, enum side side,
	const struct orderbook *orders)
{
	struct plan *plan = talloc_zero(mem, struct plan);
	struct dice none = {{0}};
	struct turn t = {.mem = talloc_new(plan), .rules = &shreds, .sc = sc, .orders = orders, .dice = &none};

	t.plan = plan;
	t.state = state_copy(t.mem, s);
	t.events = events_new(t.mem);
	t.looked = talloc_zero_array(t.mem, bool, (unsigned)s->count + 1);
	for (t.phase = shreds.phases; t.phase->side != (int)side || strcmp(t.phase->key, "move") != 0; t.phase++)
		;
	if (t.state->initiative < 0)
		t.state->initiative = (int)side; /* or no condition on points could be judged */
	plan_points(&t);
	for (int i = 0; i < s->count; i++)
		if (s->units[i].side == side && unit_alive(&s->units[i]) && s->units[i].kind != KIND_COMMANDER)
			plan_unit(&t, i);
	for (int i = 0; i < s->count; i++)
		if (s->units[i].side == side && unit_alive(&s->units[i]) && s->units[i].kind == KIND_COMMANDER)
			plan_general(&t, i);
	talloc_free(t.mem);
	return plan;
}
