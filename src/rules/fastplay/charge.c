/* The Charge phase: FP24, FP45-FP60, then fire at chargers (closing.c). */
#include "rules/fastplay/closing.h"
#include "rules/fastplay/reach.h"

struct declared {
	int charger, target;
	int32_t distance;
	bool done; /* carried out, cancelled or refused */
	struct box target_box;
};

struct charges {
	struct declared *list;
	int count;
	struct box *start; /* of every piece, at the start of the phase (FP48) */
	bool *locked_before;
};

static void stands(
	struct turn *t, int charger, int target, int32_t distance, enum event_reason reason, const char *ruling)
{
	struct event *ev = emit(t, EVENT_NO_CHARGE, charger);

	if (target >= 0) {
		event_object(ev, target);
		event_saw(ev, target);
		event_set(ev, NUM_DISTANCE, distance);
	}
	ev->reason = reason;
	ev->ruling = ruling;
}

/* The first legal target of the unit's charge clauses (FP49); -1 with the reason of the first refused. */
static int choose_target(struct turn *t, int charger, const struct taken *orders, int32_t *distance)
{
	enum event_reason reason = REASON_NO_TARGET;
	int32_t first_distance = 0;
	struct approach approach;
	int refused = -1;

	for (int i = 0; i < orders->count; i++) {
		const struct clause *c = orders->clause[i];

		for (int k = 0; k < c->target_count; k++) {
			int target = c->targets[k].unit;
			enum event_reason why;

			if (c->targets[k].kind != TARGET_UNIT) {
				target = nearest_charge_target(t, charger, distance, &approach);
				why = target >= 0 ? REASON_NONE : REASON_OUT_OF_REACH;
			} else {
				why = may_charge(t, charger, target, distance, &approach);
			}
			if (why == REASON_NONE)
				return target;
			if (reason == REASON_NO_TARGET || refused < 0) {
				reason = why;
				refused = target;
				first_distance = *distance;
			}
		}
	}
	stands(t, charger, refused, first_distance, reason,
		reason == REASON_LOCKED ? "FP21"
		: reason == REASON_GONE ? "FP3"
					: "FP45");
	return -1;
}

static void declare(struct turn *t, struct charges *all)
{
	for (int i = 0; i < t->state->count; i++) {
		const struct unit *u = &t->state->units[i];
		struct taken orders;
		int32_t distance = 0;
		int target;

		if (!unit_alive(u) || t->orders->units[i].clauses == NULL)
			continue;
		act_begin(t, EVENT_CHARGE, i);
		take_clauses(t, i, 1u << CLAUSE_CHARGE, &orders);
		if (orders.count == 0)
			continue;
		if (!unit_is_formed(u)) {
			stands(t, i, -1, 0, u->kind == KIND_GUN ? REASON_GUN : REASON_COMMANDER, "FP45");
			continue;
		}
		target = choose_target(t, i, &orders, &distance);
		if (target >= 0)
			all->list[all->count++] =
				(struct declared){i, target, distance, false, t->state->units[target].box};
	}
}

/* FP24: a commander who has still to reach his unit has another allowance now. */
static void late_joins(struct turn *t)
{
	for (int i = 0; i < t->state->count; i++) {
		const struct unit *c = &t->state->units[i];
		struct taken orders;

		if (c->kind != KIND_COMMANDER || !unit_alive(c) || t->orders->units[i].clauses == NULL)
			continue;
		take_clauses(t, i, 1u << CLAUSE_JOIN, &orders);
		if (orders.count > 0 && c->with != orders.clause[0]->unit &&
			(c->with < 0 || !state_locked(t->state, c->with)))
			join_unit(t, i, orders.clause[0]->unit, true);
	}
}

/* How far the charger comes on its way, and what stops it: all its width must be free (FP46, FP53). */
static int32_t free_run(const struct turn *t, const struct declared *d, const struct approach *a, int *blocker)
{
	const struct box *from = &t->state->units[d->charger].box;
	int32_t go = a->straight;

	*blocker = -1;
	for (int i = 0; i < t->state->count; i++) {
		const struct unit *o = &t->state->units[i];
		int32_t run = go;

		if (i == d->charger || i == d->target || !unit_alive(o) || o->kind == KIND_COMMANDER)
			continue;
		for (int w = 1; run > 0 && w <= (a->wheel < 0 ? -a->wheel : a->wheel); w++) {
			struct box b = geo_wheel(*from, a->wheel < 0 ? FRONT_LEFT : FRONT_RIGHT, a->wheel < 0 ? -w : w);

			if (geo_overlap(&b, &o->box) && !geo_overlap(from, &o->box))
				run = 0;
		}
		if (run > 0)
			run = geo_travel(&a->wheeled, a->wheeled.facing, go, &o->box, 0);
		if (run < go || (run == 0 && a->wheel != 0 && geo_overlap(&a->wheeled, &o->box))) {
			go = run;
			*blocker = i;
		}
	}
	return go;
}

static void finish_move(struct turn *t, int charger, const struct box *to)
{
	t->state->units[charger].box = *to;
	place_commanders_with(t->state, charger);
	make_room(t, charger);
}

/* FP53, FP54: stopped on the way, 1" clear of every enemy; it has not charged. */
static void stop_short(struct turn *t, const struct declared *d, const struct approach *a, int32_t most, int blocker,
	enum event_reason reason)
{
	struct unit *u = &t->state->units[d->charger];
	struct box from = u->box, to = a->wheeled;
	struct event *ev;
	bool clear = true;

	for (int i = 0; i < t->state->count; i++) {
		const struct unit *o = &t->state->units[i];
		int32_t go;

		if (o->side == u->side || !unit_alive(o) || o->kind == KIND_COMMANDER)
			continue;
		clear = clear && (geo_distance(&to, &o->box) >= param(t, P_CLEARANCE) ||
					 geo_distance(&to, &o->box) >= geo_distance(&from, &o->box));
		go = geo_travel(&to, to.facing, most, &o->box, param(t, P_CLEARANCE));
		if (go < most)
			most = go;
	}
	to = clear && stands_on(t, d->charger, &to) < 0 ? geo_shift(to, to.facing, most) : from;
	ev = emit(t, EVENT_CHARGE_SHORT, d->charger);
	event_object(ev, d->target);
	event_saw(ev, d->target);
	if (blocker >= 0) {
		event_object(ev, blocker);
		event_saw(ev, blocker);
	}
	event_moved(ev, &from, &to);
	ev->reason = reason;
	ev->ruling = reason == REASON_NO_ROOM ? "FP54" : "FP53";
	finish_move(t, d->charger, &to);
}

static int chargers_on(const struct state *s, int target, enum arc face)
{
	int n = 0;

	for (int i = 0; i < s->lock_count; i++)
		n += s->locks[i].charged == target && s->locks[i].face == face;
	return n;
}

/* FP47: two that were declared against one face meet at its middle. -1, 1: this one's half as it sees it; 0: alone. */
static int half_of(const struct turn *t, const struct charges *all, const struct declared *d, enum arc face)
{
	const struct box *target = &t->state->units[d->target].box;
	struct edge e = face_edge(target, face);
	int own_left = geo_degrees(e.outward + 90);
	struct point axis = geo_step((struct point){0, 0}, own_left, INCH(1));

	if (face == ARC_LEFT || face == ARC_RIGHT)
		return 0;
	for (int i = 0; i < all->count; i++) {
		const struct declared *o = &all->list[i];
		struct point a, b;
		int64_t side;

		if (o == d || o->target != d->target || geo_arc(target, all->start[o->charger].front) != face ||
			(o->done && !state_locked_pair(t->state, o->charger, o->target)))
			continue;
		a = geo_centre(&all->start[d->charger]);
		b = geo_centre(&all->start[o->charger]);
		side = (int64_t)(a.x - b.x) * axis.x + (int64_t)(a.y - b.y) * axis.y;
		return side > 0 || (side == 0 && d->charger < o->charger) ? -1 : 1;
	}
	return 0;
}

static void lock_pair(struct turn *t, int charger, int charged, enum arc face, bool mutual, bool declared)
{
	struct event *ev;

	if (state_locked_pair(t->state, charger, charged))
		return;
	state_lock(t->state, (struct lock){(int16_t)charger, (int16_t)charged, face, mutual, declared, 0});
	ev = emit(t, EVENT_LOCKED, charger);
	event_object(ev, charged);
	event_saw(ev, charged);
	event_set(ev, NUM_FACE, face);
	ev->ruling = mutual ? "FP50" : declared ? "FP48" : "FP55";
}

/* FP55: a second enemy whom the charger cannot help touching. */
static void lock_neighbours(struct turn *t, const struct charges *all, int charger, int target)
{
	struct box probe = geo_shift(t->state->units[charger].box, t->state->units[charger].box.facing, 20);

	probe.width -= 40;
	for (int i = 0; i < t->state->count; i++) {
		const struct unit *o = &t->state->units[i];

		if (i == target || o->side == t->state->units[charger].side || !unit_alive(o) || !unit_is_formed(o))
			continue;
		if (geo_overlap(&probe, &o->box))
			lock_pair(t, charger, i, geo_arc(&o->box, all->start[charger].front), false, false);
	}
}

static struct event *charge_event(
	struct turn *t, int charger, int target, const struct box *to, enum arc face, const char *ruling)
{
	struct event *ev = emit(t, EVENT_CHARGE, charger);

	event_object(ev, target);
	event_saw(ev, target);
	event_moved(ev, &t->state->units[charger].box, to);
	event_set(ev, NUM_FACE, face);
	ev->ruling = ruling;
	return ev;
}

static void take_gun(struct turn *t, int charger, int gun, const struct approach *a, int32_t straight)
{
	struct box to = geo_shift(a->wheeled, a->wheeled.facing, straight);
	struct event *ev = charge_event(t, charger, gun, &to, ARC_FRONT, "FP59");

	if (event_is_void(t, ev))
		return;
	t->state->units[charger].charged = true;
	finish_move(t, charger, &to);
	ev = emit(t, EVENT_GUN_TAKEN, charger);
	event_object(ev, gun);
	ev->ruling = "FP59";
	destroy(t, gun, charger, REASON_GUN, 1);
}

static struct declared *declared_by(struct charges *all, int unit)
{
	for (int i = 0; i < all->count; i++) {
		if (all->list[i].charger == unit)
			return &all->list[i];
	}
	return NULL;
}

/* The charger has a free way to the enemy `target` (its own, or one that stood in the way). */
static void make_contact(
	struct turn *t, struct charges *all, const struct declared *d, const struct approach *a, int32_t straight)
{
	struct unit *u = &t->state->units[d->charger], *e = &t->state->units[d->target];
	enum arc face = geo_arc(&e->box, all->start[d->charger].front);
	struct declared *back = declared_by(all, d->target);
	bool mutual = back != NULL && !back->done && back->target == d->charger;
	struct event *ev;
	struct box to;

	if (e->kind == KIND_GUN) {
		take_gun(t, d->charger, d->target, a, straight);
		return;
	}
	if (!conform(t, d->charger, d->target, face, half_of(t, all, d, face), chargers_on(t->state, d->target, face),
		    &to)) {
		stop_short(t, d, a, straight, -1, REASON_NO_ROOM);
		return;
	}
	ev = charge_event(t, d->charger, d->target, &to, face, "FP46 FP48");
	if (event_is_void(t, ev))
		return;
	u->charged = true;
	u->charge_target = (int16_t)d->target;
	finish_move(t, d->charger, &to);
	if (mutual) {
		e->charged = true;
		e->charge_target = (int16_t)d->charger;
		back->done = true;
	}
	lock_pair(t, d->charger, d->target, face, mutual, true);
	lock_neighbours(t, all, d->charger, d->target);
}

/* FP51: a Government charger whom another than its own target has hit stays where it is. */
static bool hit_first(const struct turn *t, const struct declared *d, int *by)
{
	for (int i = 0; i < t->state->lock_count; i++) {
		const struct lock *l = &t->state->locks[i];

		if (l->charged == d->charger && l->rounds == 0) {
			*by = l->charger;
			return true;
		}
	}
	return false;
}

static void carry_out(struct turn *t, struct charges *all, struct declared *d)
{
	const struct unit *e = &t->state->units[d->target];
	bool moved = e->box.front.x != d->target_box.front.x || e->box.front.y != d->target_box.front.y;
	struct approach a;
	int32_t distance, run;
	enum event_reason reason;
	int by, blocker;

	if (d->done)
		return;
	if (hit_first(t, d, &by)) {
		d->done = true;
		stands(t, d->charger, by, 0, REASON_HIT_FIRST, "FP51");
		return;
	}
	reason = may_charge(t, d->charger, d->target, &distance, &a);
	if (reason != REASON_NONE) {
		d->done = true;
		stands(t, d->charger, d->target, distance, moved ? REASON_MOVED_AWAY : reason, moved ? "FP52" : "FP45");
		return;
	}
	run = free_run(t, d, &a, &blocker);
	if (blocker >= 0 && t->state->units[blocker].side == t->state->units[d->charger].side) {
		stop_short(t, d, &a, run, blocker, REASON_FRIEND);
	} else if (blocker >= 0) {
		struct declared other = *d;

		other.target = blocker;
		make_contact(t, all, &other, &a, run);
	} else {
		make_contact(t, all, d, &a, run);
	}
	d->done = true;
}

/* FP49: the Jacobites first, the nearest first; then the Government's. */
static void carry_out_side(struct turn *t, struct charges *all, enum side side)
{
	for (;;) {
		struct declared *next = NULL;

		for (int i = 0; i < all->count; i++) {
			struct declared *d = &all->list[i];

			if (!d->done && t->state->units[d->charger].side == side &&
				(next == NULL || d->distance < next->distance))
				next = d;
		}
		if (next == NULL)
			return;
		carry_out(t, all, next);
	}
}

void fastplay_charge(struct turn *t)
{
	unsigned count = (unsigned)t->state->count;
	struct charges all = {
		.list = talloc_zero_array(t->mem, struct declared, count),
		.start = talloc_zero_array(t->mem, struct box, count),
		.locked_before = talloc_zero_array(t->mem, bool, count),
	};

	for (int i = 0; i < t->state->count; i++) {
		all.start[i] = t->state->units[i].box;
		all.locked_before[i] = state_locked(t->state, i);
	}
	declare(t, &all);
	late_joins(t);
	carry_out_side(t, &all, SIDE_JACOBITE);
	carry_out_side(t, &all, SIDE_GOVERNMENT);
	fire_at_chargers(t, all.start, all.locked_before);
}
