/* Looking ahead for the receipt: the side's moves are made on a copy of the state in which nobody else moves; from
 * there its volleys and charges are measured. No die is rolled. */
#include "rules/aim.h"
#include "rules/fastplay/charge.h"
#include "rules/fastplay/fastplay.h"
#include "rules/fastplay/field.h"
#include "rules/fastplay/parameters.h"

#include "rules/intent.h"
#include "rules/join.h"
#include "rules/planning.h"

#include <assert.h>

/* --- volleys -------------------------------------------------------------------------------------------------------
 */

/* The chance in 100 that at least one die of a volley hits, over all powder dice where it is wet (FP36). */
static int chance_of_a_hit(const struct turn *t, const struct unit *u, int eligible)
{
	enum { ONE = 1000000 };
	bool gun = u->kind == KIND_GUN, wet = !gun && parameter(t, P_WET_POWDER);
	int need = parameter(t, gun ? P_GUN_HIT : P_SHOOT_HIT);
	int64_t misses = 0;

	for (int powder = 1; powder <= 6; powder++) {
		int dry = (powder + 1) / 2, dice = wet && dry < eligible ? dry : eligible;
		int64_t miss = ONE;

		for (int i = 0; i < dice; i++)
			miss = miss * (need > 6 ? 6 : need - 1) / 6;
		misses += miss;
	}
	return (int)((6 * (int64_t)ONE - misses + 3 * ONE / 100) * 100 / (6 * (int64_t)ONE));
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
	plan_reason(item, reason, reason == REASON_NONE ? "FP29" : "FP33");
	plan_way(item, &u->box, &u->box);
	item->target = reason == REASON_NONE ? aim.target : target->kind == TARGET_UNIT ? target->unit : aim.refused;
	item->blocker = aim.blocker;
	item->distance = aim.distance;
	if (reason != REASON_NONE && item->target >= 0)
		item->distance = geo_distance(&u->box, &s->units[item->target].box);
	if (reason == REASON_NONE)
		item->percent = chance_of_a_hit(t, u, aim.eligible);
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

/* --- charges -------------------------------------------------------------------------------------------------------
 */

static void plan_charge(struct turn *t, int unit)
{
	const struct state *s = t->state;
	const struct unit *u = &s->units[unit];
	struct intent in;

	intent_read(t, unit, CHARGE_CLAUSES, &in);
	for (int i = 0; i < in.count; i++)
		for (int k = 0; k < in.list[i]->target_count; k++) {
			const struct target *target = &in.list[i]->targets[k];
			int enemy = target->kind == TARGET_UNIT ? target->unit : nearest_charge(t, unit);
			struct plan_item *item;
			enum event_reason reason;
			struct reach reach;

			if (enemy >= 0)
				reason = charge_legal(t, unit, enemy, &reach);
			else
				reason = state_locked(s, unit) ? REASON_LOCKED : REASON_OUT_OF_REACH;
			item = plan_add(t->plan, PLAN_CHARGE, unit, in.conditional);
			plan_reason(item, reason, "FP45");
			plan_way(item, &u->box, &u->box);
			if (reason == REASON_NONE) {
				struct box to = geo_shift(reach.wheeled, reach.wheeled.facing, reach.straight);

				plan_way(item, &u->box, &to);
			}
			item->target = enemy;
			item->distance = enemy < 0 ? 0 : geo_distance(&u->box, &s->units[enemy].box);
			item->asked = charge_allowance(t, u);
		}
}

/* The charge of the unit that is declared, the first of its list that can be; NULL when there is none. */
static struct plan_item *declared_charge(struct plan *p, int unit)
{
	for (int i = 0; i < p->count; i++)
		if (p->items[i].kind == PLAN_CHARGE && p->items[i].whole && p->items[i].unit == unit)
			return &p->items[i];
	return NULL;
}

/* FP53, FP54: a charge that could reach its target from where it begins finds somebody in the way, or no room. */
static void plan_stops(struct turn *t, enum side side)
{
	for (; t->phase->run != fastplay_charge; t->phase++)
		;
	talloc_free(t->events);
	t->events = events_new(t->mem);
	rehearse_charges(t, side);
	for (int i = 0; i < t->events->count; i++) {
		const struct event *ev = t->events->list[i];
		bool other = ev->kind == EVENT_CHARGE && ev->reason == REASON_ENEMY;
		struct plan_item *item;

		if (!other && ev->kind != EVENT_CHARGE_SHORT)
			continue;
		item = declared_charge(t->plan, ev->actor);
		if (item == NULL)
			continue;
		plan_reason(item, ev->reason, "FP53");
		item->stopped = true;
		item->blocker = other ? ev->objects[0] : ev->object_count > 1 ? ev->objects[1] : -1;
	}
}

/* --- commanders ----------------------------------------------------------------------------------------------------
 */

/* FP24: the ride with the allowance of the Charge phase. In a whole turn his move is told, and that he tries again. */
static void plan_late_join(struct turn *t, int commander)
{
	const struct unit *c = &t->state->units[commander];
	enum event_reason reason;
	struct intent in;
	int unit;
	int32_t distance;

	intent_read(t, commander, JOIN_CLAUSES, &in);
	unit = join_target(t->state, commander, in.list, in.count);
	if (unit < 0)
		return;
	reason = join_reach(t, commander, unit, charge_allowance(t, c), &distance);
	if (c->with >= 0 && state_locked(t->state, c->with))
		reason = REASON_MELEE;
	plan_join(t, commander, unit, &c->box, reason, in.conditional);
}

/* --- all of it -----------------------------------------------------------------------------------------------------
 */

struct plan *fastplay_foresee(TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, enum side side,
	const struct orderbook *orders)
{
	struct plan *plan = talloc_zero(mem, struct plan);
	struct dice none = {{0}};
	bool moves, shoots; /* not when the turn rests after that already (FP1) */
	struct turn t = {.mem = talloc_new(plan), .rules = &fastplay, .sc = sc, .orders = orders, .dice = &none};

	t.plan = plan;
	t.state = state_copy(t.mem, s);
	t.events = events_new(t.mem);
	t.looked = talloc_zero_array(t.mem, bool, (unsigned)s->count + 1);
	for (t.phase = fastplay.phases; t.phase->run != fastplay_move || t.phase->side != (int)side; t.phase++)
		;
	moves = s->next_phase <= t.phase - fastplay.phases;
	if (moves)
		fastplay_move(&t);
	for (; t.phase->run != fastplay_shoot; t.phase++)
		;
	shoots = s->next_phase <= t.phase - fastplay.phases;
	for (int i = 0; i < s->count; i++) {
		if (s->units[i].side != side || !unit_alive(&s->units[i]) || orders->units[i].clauses == NULL)
			continue;
		if (s->units[i].kind != KIND_COMMANDER && shoots)
			plan_fire(&t, i);
		else if (s->units[i].kind == KIND_COMMANDER && !moves)
			plan_late_join(&t, i);
		if (unit_is_formed(&s->units[i]))
			plan_charge(&t, i);
		else
			plan_unfit(&t, i, s->units[i].kind == KIND_GUN ? "FP22" : "FP24");
	}
	plan_stops(&t, side);
	talloc_free(t.mem);
	return plan;
}
