/* The Charge phase (FP45-FP60): who charges whom, and the moves; the fire at chargers is in closing_fire.c. */
#include "rules/fastplay/charge.h"
#include "rules/fastplay/fastplay.h"
#include "rules/fastplay/field.h"
#include "rules/fastplay/parameters.h"
#include "rules/intent.h"
#include "rules/join.h"
#include "rules/march.h"

#include <stdlib.h>

struct charging {
	struct turn *t;
	struct charges all;
	bool *was_free; /* in no melee at the start of the phase */
	int *joins;     /* the unit that each commander has still to join, or -1 */
};

static void stands(struct turn *t, int unit, int target, enum event_reason reason, const char *ruling)
{
	const struct state *s = t->state;
	struct event *ev;

	if (!turn_reaches(t, EVENT_NO_CHARGE, unit))
		return;
	ev = turn_event(t, EVENT_NO_CHARGE, unit);
	if (reason == REASON_OUT_OF_REACH || reason == REASON_NO_TARGET)
		event_set(ev, NUM_ALLOWANCE, charge_allowance(t, &s->units[unit]));
	if (target >= 0) {
		turn_object(ev, target);
		event_set(ev, NUM_DISTANCE, geo_distance(&s->units[unit].box, &s->units[target].box));
	}
	ev->reason = reason;
	turn_ruling(ev, ruling);
}

/* --- declaring -----------------------------------------------------------------------------------------------------
 */

static const char *legal_ruling(enum event_reason reason)
{
	switch (reason) {
	case REASON_LOCKED:
		return "FP21 FP45";
	case REASON_GONE:
		return "FP3";
	default:
		return "FP45";
	}
}

/* The first legal target of the clauses, or -1 with the first one that is not and why. */
static int choose(struct turn *t, int unit, const struct intent *in, int *refused, enum event_reason *reason)
{
	struct reach reach;

	*refused = -1;
	*reason = REASON_NONE;
	for (int i = 0; i < in->count; i++)
		for (int k = 0; k < in->list[i]->target_count; k++) {
			const struct target *target = &in->list[i]->targets[k];
			bool named = target->kind == TARGET_UNIT;
			int enemy = named ? target->unit : nearest_charge(t, unit);
			enum event_reason why = enemy < 0 ? REASON_NO_TARGET : charge_legal(t, unit, enemy, &reach);

			if (why == REASON_NONE)
				return enemy;
			if (*reason == REASON_NONE) {
				*reason = !named && state_locked(t->state, unit) ? REASON_LOCKED : why;
				*refused = enemy;
			}
		}
	return -1;
}

static void declare_one(struct charging *c, int unit)
{
	struct turn *t = c->t;
	const struct state *s = t->state;
	const struct unit *u = &s->units[unit];
	enum event_reason reason;
	struct intent in;
	int target, refused;

	intent_read(t, unit, CHARGE_CLAUSES, &in);
	turn_act(t);
	if (in.count == 0)
		return;
	if (!unit_is_formed(u)) {
		stands(t, unit, -1, u->kind == KIND_GUN ? REASON_GUN : REASON_COMMANDER,
			u->kind == KIND_GUN ? "FP22" : "FP24");
		return;
	}
	target = choose(t, unit, &in, &refused, &reason);
	if (target < 0) {
		stands(t, unit, refused, reason, legal_ruling(reason));
		return;
	}
	c->all.list[c->all.count++] =
		(struct declared){unit, target, geo_distance(&u->box, &s->units[target].box), false};
}

static const struct declared *declared_by(const struct charging *c, int unit)
{
	for (int i = 0; i < c->all.count; i++)
		if (c->all.list[i].charger == unit)
			return &c->all.list[i];
	return NULL;
}

/* --- commanders who join now ---------------------------------------------------------------------------------------
 */

/* Is he with a unit that his orders name? Then nothing is left to join, whatever the conditions. */
static bool has_joined(const struct state *s, int commander, const struct clause *c)
{
	for (; c; c = c->next) {
		if (c->kind == CLAUSE_JOIN && c->unit == s->units[commander].with)
			return true;
		if (c->kind == CLAUSE_IF &&
			(has_joined(s, commander, c->then) || has_joined(s, commander, c->otherwise)))
			return true;
	}
	return false;
}

static void read_joins(struct charging *c)
{
	struct turn *t = c->t;
	const struct state *s = t->state;

	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];
		struct intent in;

		c->joins[i] = -1;
		if (u->kind != KIND_COMMANDER || !unit_alive(u) || !intent_possible(t, i, JOIN_CLAUSES) ||
			has_joined(s, i, t->orders->units[i].clauses))
			continue;
		intent_read(t, i, JOIN_CLAUSES, &in);
		c->joins[i] = join_target(s, i, in.list, in.count);
	}
}

/* FP24: with his allowance for the Charge phase, which is for joining only. Whoever cannot yet is tried again after the
 * charges. */
static void join_now(struct charging *c, bool last)
{
	struct turn *t = c->t;

	for (int i = 0; i < t->state->count; i++) {
		const struct unit *u = &t->state->units[i];
		enum event_reason reason;
		int32_t distance;
		struct event *ev;

		if (c->joins[i] < 0 || !unit_alive(u))
			continue;
		turn_act(t);
		reason = join_reach(t, i, c->joins[i], charge_allowance(t, u), &distance);
		if (u->with >= 0)
			turn_look(t, u->with);
		if (u->with >= 0 && state_locked(t->state, u->with))
			reason = REASON_MELEE;
		if (reason == REASON_NONE) {
			if (u->with < 0 || detach(t, i))
				attach(t, i, c->joins[i], distance);
			c->joins[i] = -1;
		} else if (last && turn_reaches(t, EVENT_NO_JOIN, i)) {
			ev = turn_event(t, EVENT_NO_JOIN, i);
			turn_object(ev, c->joins[i]);
			event_set(ev, NUM_DISTANCE, geo_distance(&u->box, &t->state->units[c->joins[i]].box));
			ev->reason = reason;
			turn_ruling(ev, reason == REASON_MELEE ? "FP26" : reason == REASON_GUN ? "FP27" : "FP24");
		}
	}
}

/* --- stopping short ------------------------------------------------------------------------------------------------
 */

/* FP53, FP54: stopped on the way, 1" clear of every enemy; this is no charge. */
static void stop_short(
	struct turn *t, const struct declared *d, const struct run *run, enum event_reason reason, const char *ruling)
{
	struct box from, to;
	struct event *ev;
	int32_t go;

	if (!turn_reaches(t, EVENT_CHARGE_SHORT, d->charger))
		return;
	from = t->state->units[d->charger].box;
	to = run_stop(t, d->charger, run, &go);
	ev = turn_event(t, EVENT_CHARGE_SHORT, d->charger);
	turn_object(ev, d->target);
	if (run->blocker >= 0)
		turn_object(ev, run->blocker);
	turn_from(ev, &from);
	event_set(ev, NUM_DISTANCE, go);
	ev->reason = reason;
	turn_ruling(ev, ruling);
	if (turn_void(t, ev))
		to = from;
	turn_to(ev, &to);
	come_to(t, d->charger, &to);
}

/* --- contact -------------------------------------------------------------------------------------------------------
 */

static void lock(struct turn *t, struct lock lock)
{
	struct event *ev = lock_pair(t, lock);

	if (!ev)
		return;
	turn_ruling(ev, lock.declared ? "FP48" : "FP55");
	if (lock.mutual)
		turn_ruling(ev, "FP50");
}

static void take_gun(struct turn *t, int charger, int gun)
{
	if (say_gun_taken(t, charger, gun, "FP59"))
		destroy(t, gun, charger, REASON_GUN, t->state->units[gun].bases);
}

/* FP55: whom else it cannot help touching. */
static void meet_neighbours(struct charging *c, int charger, int target)
{
	struct turn *t = c->t;

	for (int i = -1; (i = touched_next(t, charger, target, i)) >= 0;) {
		const struct unit *e = &t->state->units[i];

		if (e->kind == KIND_GUN)
			take_gun(t, charger, i);
		else
			lock(t, (struct lock){.charger = (int16_t)charger,
					.charged = (int16_t)i,
					.face = charge_face(&e->box, c->all.start[charger].front)});
	}
}

/* `in_way`: it had not meant to charge him (FP53). */
static struct event *say_charge(
	struct turn *t, const struct declared *d, const struct box *to, enum arc face, bool in_way, const char *ruling)
{
	struct event *ev = turn_event(t, EVENT_CHARGE, d->charger);

	turn_object(ev, d->target);
	turn_from(ev, &t->state->units[d->charger].box);
	turn_to(ev, to);
	event_set(ev, NUM_DISTANCE, geo_distance(&t->state->units[d->charger].box, &t->state->units[d->target].box));
	event_set(ev, NUM_FACE, (int32_t)face);
	turn_ruling(ev, ruling);
	if (in_way) {
		ev->reason = REASON_ENEMY;
		turn_ruling(ev, "FP53");
	}
	return ev;
}

static void charge_gun(struct charging *c, const struct declared *d, const struct run *run, bool in_way)
{
	struct turn *t = c->t;
	struct box to = geo_shift(run->wheeled, run->wheeled.facing, run->straight);
	enum arc face = charge_face(&t->state->units[d->target].box, c->all.start[d->charger].front);
	struct event *ev = say_charge(t, d, &to, face, in_way, "FP59");

	if (turn_void(t, ev))
		return;
	t->state->units[d->charger].charged = true;
	t->state->units[d->charger].charge_target = (int16_t)d->target;
	come_to(t, d->charger, &to);
	take_gun(t, d->charger, d->target);
}

/* The way is free to this enemy: the charger's own target, or one that stood in the way (FP53). */
static void contact(struct charging *c, const struct declared *d, const struct run *run, bool in_way)
{
	struct turn *t = c->t;
	struct unit *u = &t->state->units[d->charger], *e = &t->state->units[d->target];
	const struct declared *back = declared_by(c, d->target);
	bool mutual = back && !back->done && back->target == d->charger && !state_locked(t->state, d->target);
	enum arc face = charge_face(&e->box, c->all.start[d->charger].front);
	struct event *ev;
	struct box to;

	if (e->kind == KIND_GUN) {
		charge_gun(c, d, run, in_way);
		return;
	}
	if (!conform(t, d->charger, d->target, face, charges_half(t, &c->all, d, face), &to)) {
		stop_short(t, d, run, REASON_NO_ROOM, "FP54");
		return;
	}
	ev = say_charge(t, d, &to, face, in_way, "FP46");
	turn_ruling(ev, "FP47");
	turn_ruling(ev, "FP48");
	if (!same_place(&c->all.start[d->target], &e->box))
		turn_ruling(ev, "FP52");
	if (state_locked(t->state, d->target))
		turn_ruling(ev, "FP56");
	if (turn_void(t, ev))
		return;
	u->charged = true;
	u->charge_target = (int16_t)d->target;
	if (mutual) { /* FP50: it stands, but has charged */
		e->charged = true;
		e->charge_target = (int16_t)d->charger;
	}
	come_to(t, d->charger, &to);
	lock(t, (struct lock){.charger = (int16_t)d->charger,
			.charged = (int16_t)d->target,
			.face = face,
			.mutual = mutual,
			.declared = true});
	meet_neighbours(c, d->charger, d->target);
}

/* --- carrying out --------------------------------------------------------------------------------------------------
 */

/* The enemy that has hit this charger, and was not its target or it would have been done with; or -1. */
static int hit_by(const struct state *s, int unit)
{
	for (int i = 0; i < s->lock_count; i++)
		if (s->locks[i].charged == unit)
			return s->locks[i].charger;
	return -1;
}

static void run_at(struct charging *c, const struct declared *d, const struct reach *reach)
{
	struct turn *t = c->t;
	struct run run = run_try(t, d->charger, d->target, reach);
	const struct unit *u = &t->state->units[d->charger],
			  *b = run.blocker < 0 ? NULL : &t->state->units[run.blocker];
	bool enemy = b && b->side != u->side;

	if (run.reason == REASON_NONE) {
		contact(c, d, &run, false);
	} else if (enemy && geo_distance(&u->box, &b->box) <= charge_allowance(t, u)) {
		struct declared other = *d;

		other.target = run.blocker;
		contact(c, &other, &run, true);
	} else {
		enum arc face = charge_face(&t->state->units[d->target].box, c->all.start[d->charger].front);
		bool full = b && !enemy && face_full(t, d->target, face, u->side);

		stop_short(t, d, &run, enemy ? REASON_ENEMY : run.reason,
			run.reason == REASON_EDGE ? "FP14"
			: full                    ? "FP53 FP54"
						  : "FP53");
	}
}

static void carry_out(struct charging *c, struct declared *d)
{
	struct turn *t = c->t;
	const struct state *s = t->state;
	enum event_reason reason;
	struct reach reach;

	d->done = true;
	turn_act(t);
	turn_before(t, EVENT_CHARGE, d->charger);
	if (!unit_alive(&s->units[d->charger]))
		return;
	turn_act(t);
	if (state_locked(s, d->charger)) {
		/* FP50: its own target came first, and it has stood to meet it. */
		if (!state_locked_pair(s, d->charger, d->target) || !s->units[d->charger].charged)
			stands(t, d->charger, hit_by(s, d->charger), REASON_HIT_FIRST, "FP51");
		return;
	}
	reason = charge_legal(t, d->charger, d->target, &reach);
	if (reason == REASON_NONE) {
		run_at(c, d, &reach);
	} else if (reason != REASON_GONE && same_place(&c->all.start[d->target], &s->units[d->target].box)) {
		stands(t, d->charger, d->target, reason, legal_ruling(reason));
	} else {
		stands(t, d->charger, d->target, reason == REASON_GONE ? reason : REASON_MOVED_AWAY, "FP52");
	}
}

static struct charging begin(struct turn *t)
{
	const struct state *s = t->state;
	unsigned n = (unsigned)s->count + 1;
	struct box *start = talloc_zero_array(t->mem, struct box, n);
	struct charging c = {
		.t = t,
		.all = {.list = talloc_zero_array(t->mem, struct declared, n), .start = start},
		.was_free = talloc_zero_array(t->mem, bool, n),
		.joins = talloc_zero_array(t->mem, int, n),
	};

	for (int i = 0; i < s->count; i++) {
		start[i] = s->units[i].box;
		c.was_free[i] = !state_locked(s, i);
	}
	return c;
}

void rehearse_charges(struct turn *t, enum side side)
{
	const struct state *s = t->state;
	struct charging c = begin(t);
	struct intent in;

	for (int open = 0; open < 2; open++) {
		for (int i = 0; i < s->count; i++) {
			if (s->units[i].side != side || !unit_alive(&s->units[i]) || !unit_is_formed(&s->units[i]))
				continue;
			intent_peek(t, i, CHARGE_CLAUSES, &in);
			if (in.count > 0 && in.conditional == (open == 1))
				declare_one(&c, i);
		}
		for (struct declared *d; (d = charges_next(t, &c.all, side));)
			carry_out(&c, d);
	}
}

void fastplay_charge(struct turn *t)
{
	const struct state *s = t->state;
	struct charging c = begin(t);

	for (int i = 0; i < s->count; i++)
		if (unit_alive(&s->units[i]) && intent_possible(t, i, CHARGE_CLAUSES))
			declare_one(&c, i);
	read_joins(&c);
	join_now(&c, false);
	for (struct declared *d; (d = charges_next(t, &c.all, SIDE_JACOBITE));)
		carry_out(&c, d);
	for (struct declared *d; (d = charges_next(t, &c.all, SIDE_GOVERNMENT));)
		carry_out(&c, d);
	join_now(&c, true);
	closing_fire(t, c.was_free, c.all.start);
}
