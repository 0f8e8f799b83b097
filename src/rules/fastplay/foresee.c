/* Looking ahead for the receipt: the side's moves are carried out on a copy of the state in which nobody else moves;
 * from there its volleys and charges are measured. No die is rolled. */
#include "rules/fastplay/reach.h"

#include <string.h>

/* The chance in 100 that at least one of `dice` (after the powder die, when wet) shows `need` or more. */
static int chance_of_a_hit(bool wet, int dice, int need)
{
	enum { ONE = 1000000 };
	int64_t miss = 0;

	for (int powder = 1; powder <= 6; powder++) {
		int n = wet ? wet_powder_dice(powder, dice) : dice;
		int64_t all = ONE;

		for (int i = 0; i < n; i++)
			all = all * (need - 1) / 6;
		miss += all;
	}
	return (int)((6 * (int64_t)ONE - miss + 3 * ONE / 100) * 100 / (6 * (int64_t)ONE));
}

static struct plan_item *add(struct plan *p, enum plan_kind kind, int unit)
{
	struct plan_item *item;

	p->items = talloc_realloc(p, p->items, struct plan_item, (unsigned)p->count + 1);
	item = &p->items[p->count++];
	*item = (struct plan_item){
		.kind = kind, .unit = unit, .target = -1, .blocker = -1, .percent = -1, .ruling = ""};
	return item;
}

static bool is_conditional(const struct orderbook *orders, int unit)
{
	for (const struct clause *c = orders->units[unit].clauses; c != NULL; c = c->next) {
		if (c->kind == CLAUSE_IF)
			return true;
	}
	return false;
}

/* What the Move phase made of the orders, as plans. */
static void plan_moves(struct plan *p, const struct turn *t, const struct state *before)
{
	for (int i = 0; i < t->events->count; i++) {
		const struct event *ev = t->events->list[i];
		bool join = ev->kind == EVENT_ATTACH || ev->kind == EVENT_NO_JOIN;
		struct plan_item *item;

		if (ev->kind != EVENT_MOVE && ev->kind != EVENT_NO_MOVE && !join)
			continue;
		item = add(p, join ? PLAN_JOIN : PLAN_MOVE, ev->actor);
		item->from = before->units[ev->actor].box;
		item->to = t->state->units[ev->actor].box;
		item->path[0] = item->from.front;
		item->path[1] = item->to.front;
		item->path_count = 2;
		item->whole = ev->reason == REASON_NONE;
		item->reason = ev->reason;
		if (join)
			item->target = ev->object_count > 0 ? ev->objects[0] : -1;
		else
			item->blocker = ev->object_count > 0 ? ev->objects[0] : -1;
		item->distance = ev->number[NUM_DISTANCE];
		item->asked = ev->has[NUM_ASKED] ? ev->number[NUM_ASKED] : 0;
		item->conditional = is_conditional(t->orders, ev->actor);
		item->ruling = talloc_strdup(p, ev->ruling);
	}
}

static void plan_fire(struct plan *p, struct turn *t, int unit)
{
	struct taken orders;

	take_clauses(t, unit, 1u << CLAUSE_FIRE, &orders);
	for (int i = 0; i < orders.count; i++) {
		for (int k = 0; k < orders.clause[i]->target_count; k++) {
			const struct target *target = &orders.clause[i]->targets[k];
			struct plan_item *item;
			struct aim aim;

			if (target->kind != TARGET_UNIT)
				continue;
			aim = aim_at(t, unit, target->unit);
			item = add(p, PLAN_FIRE, unit);
			item->target = target->unit;
			item->distance = aim.distance;
			item->reason = aim.reason;
			item->whole = aim.reason == REASON_NONE;
			item->conditional = orders.conditional;
			if (item->whole)
				item->percent =
					chance_of_a_hit(param(t, P_WET_POWDER) != 0, aim.dice, param(t, P_SHOOT_HIT));
			item->ruling = item->whole ? "FP29" : "FP33";
		}
	}
}

static void plan_charge(struct plan *p, struct turn *t, int unit)
{
	struct taken orders;

	take_clauses(t, unit, 1u << CLAUSE_CHARGE, &orders);
	for (int i = 0; i < orders.count; i++) {
		for (int k = 0; k < orders.clause[i]->target_count; k++) {
			const struct target *target = &orders.clause[i]->targets[k];
			struct approach a;
			struct plan_item *item;

			if (target->kind != TARGET_UNIT)
				continue;
			item = add(p, PLAN_CHARGE, unit);
			item->target = target->unit;
			item->from = item->to = t->state->units[unit].box;
			item->reason = may_charge(t, unit, target->unit, &item->distance, &a);
			item->whole = item->reason == REASON_NONE;
			item->conditional = orders.conditional;
			item->asked = charge_allowance(t, &t->state->units[unit]);
			item->ruling = "FP45";
			if (item->whole)
				item->to = geo_shift(a.wheeled, a.wheeled.facing, a.straight);
			item->path[0] = item->from.front;
			item->path[1] = item->to.front;
			item->path_count = 2;
		}
	}
}

static const struct phase *move_phase_of(const struct ruleset *rules, enum side side, int *index)
{
	for (int i = 0; i < rules->phase_count; i++) {
		if (strcmp(rules->phases[i].key, "move") == 0 && rules->phases[i].side == (int)side) {
			*index = i;
			return &rules->phases[i];
		}
	}
	return NULL;
}

struct plan *fastplay_foresee(TALLOC_CTX *mem, const struct scenario *sc, const struct state *s, enum side side,
	const struct orderbook *orders)
{
	struct plan *p = talloc_zero(mem, struct plan);
	struct dice no_dice = {{0}};
	struct turn t = {
		.mem = talloc_new(p),
		.rules = ruleset_find("fastplay"),
		.sc = sc,
		.orders = orders,
		.dice = &no_dice,
	};
	int index = 0;

	t.state = state_copy(t.mem, s);
	t.events = events_new(t.mem);
	t.phase = move_phase_of(t.rules, side, &index);
	t.state->next_phase = index;
	fastplay_move(&t);
	plan_moves(p, &t, s);
	t.events = NULL;
	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];

		if (u->side != side || !unit_alive(u) || orders->units[i].clauses == NULL || !unit_is_formed(u))
			continue;
		if (unit_is_foot(u) && !state_locked(s, i))
			plan_fire(p, &t, i);
		plan_charge(p, &t, i);
	}
	talloc_free(t.mem);
	return p;
}
