/* The Move phases: FP3, FP4, FP14-FP27. */
#include "rules/fastplay/fastplay.h"

static const unsigned move_kinds =
	1u << CLAUSE_MOVE | 1u << CLAUSE_FACE | 1u << CLAUSE_HOLD | 1u << CLAUSE_JOIN | 1u << CLAUSE_LEAVE;

/* `hold` takes the legs out, not the facing (ORDERS, rule 9). */
static void apply_hold(struct taken *orders)
{
	bool held = false;
	int kept = 0;

	for (int i = 0; i < orders->count; i++)
		held |= orders->clause[i]->kind == CLAUSE_HOLD;
	for (int i = 0; i < orders->count; i++) {
		if (orders->clause[i]->kind != CLAUSE_HOLD && !(held && orders->clause[i]->kind == CLAUSE_MOVE))
			orders->clause[kept++] = orders->clause[i];
	}
	orders->count = kept;
}

static const struct clause *first_of(const struct taken *orders, enum clause_kind kind)
{
	for (int i = 0; i < orders->count; i++) {
		if (orders->clause[i]->kind == kind)
			return orders->clause[i];
	}
	return NULL;
}

static bool moves(const struct taken *orders)
{
	return first_of(orders, CLAUSE_MOVE) != NULL || first_of(orders, CLAUSE_FACE) != NULL;
}

static const char *ruling_of(enum event_reason reason)
{
	switch (reason) {
	case REASON_ENEMY_NEAR:
		return "FP18";
	case REASON_FRIEND:
	case REASON_MELEE:
		return "FP20";
	case REASON_EDGE:
		return "FP14";
	case REASON_LOCKED:
		return "FP21";
	case REASON_GUN:
		return "FP22";
	case REASON_NONE:
		return "";
	default:
		return "FP15";
	}
}

static void refuse(struct turn *t, int unit, enum event_reason reason, const char *ruling)
{
	struct event *ev = emit(t, EVENT_NO_MOVE, unit);

	ev->reason = reason;
	ev->ruling = ruling;
}

static void commit(struct turn *t, int unit, const struct course *c)
{
	struct unit *u = &t->state->units[unit];
	bool stays =
		c->to.front.x == u->box.front.x && c->to.front.y == u->box.front.y && c->to.facing == u->box.facing;
	struct event *ev;

	if (stays && c->asked == 0 && c->reason == REASON_NONE)
		return;
	ev = emit(t, stays ? EVENT_NO_MOVE : EVENT_MOVE, unit);
	ev->reason = c->reason;
	ev->ruling = ruling_of(c->reason);
	event_moved(ev, &u->box, &c->to);
	if (c->asked > 0)
		event_set(ev, NUM_ASKED, c->asked);
	if (c->blocker >= 0) {
		event_object(ev, c->blocker);
		event_saw(ev, c->blocker);
	}
	if (event_is_void(t, ev))
		return;
	u->box = c->to;
	u->used = c->used;
	place_commanders_with(t->state, unit);
	make_room(t, unit);
}

/* A commander leaves his unit, if it is in no melee (FP26). */
static bool detach(struct turn *t, int commander)
{
	struct unit *c = &t->state->units[commander];
	int unit = c->with;
	struct event *ev;

	if (unit < 0)
		return true;
	if (state_locked(t->state, unit)) {
		refuse(t, commander, REASON_LOCKED, "FP26");
		return false;
	}
	ev = emit(t, EVENT_DETACH, commander);
	event_object(ev, unit);
	ev->ruling = "FP24";
	c->with = -1;
	return true;
}

bool join_unit(struct turn *t, int commander, int unit, bool last_chance)
{
	struct unit *c = &t->state->units[commander];
	const struct unit *u = &t->state->units[unit];
	int32_t distance = geo_distance(&c->box, &u->box);
	struct point goal = geo_centre(&u->box);
	struct point by = geo_along((struct point){goal.x - c->box.front.x, goal.y - c->box.front.y}, distance);
	enum event_reason reason = REASON_OUT_OF_REACH;
	int blocker = -1;
	struct event *ev;

	if (!unit_alive(u) || !unit_is_formed(u) || u->side != c->side) {
		reason = unit_alive(u) ? REASON_GUN : REASON_GONE;
	} else if (distance <= param(t, P_COMMANDER_MOVE) &&
		   (distance == 0 || clear_way(t, commander, &c->box, by, &reason, &blocker) >= distance ||
			   blocker == unit)) {
		c->with = (int16_t)unit;
		place_with(t->state, commander);
		ev = emit(t, EVENT_ATTACH, commander);
		event_object(ev, unit);
		event_saw(ev, unit);
		event_set(ev, NUM_DISTANCE, distance);
		ev->ruling = "FP25";
		return true;
	}
	if (!last_chance)
		return false;
	ev = emit(t, EVENT_NO_JOIN, commander);
	event_object(ev, unit);
	event_saw(ev, unit);
	event_set(ev, NUM_DISTANCE, distance);
	ev->reason = reason == REASON_NONE ? REASON_OUT_OF_REACH : reason;
	ev->ruling = "FP24";
	return false;
}

/* `join` in the Move phase: at once if within reach, else as near as his allowance brings him (FP3, FP24). */
static void ride_to_join(struct turn *t, int commander, const struct clause *join)
{
	struct unit *c = &t->state->units[commander];
	struct leg leg = {.kind = LEG_TOWARD, .unit = join->unit};
	struct clause ride = {.kind = CLAUSE_MOVE, .legs = &leg, .leg_count = 1};
	struct taken orders = {.clause = {&ride}, .count = 1};
	struct course course;

	if (c->with == join->unit || !unit_alive(&t->state->units[join->unit]) || !detach(t, commander))
		return;
	if (join_unit(t, commander, join->unit, false))
		return;
	course = plot_course(t, commander, &orders);
	if (course.used > 0)
		commit(t, commander, &course);
}

/* Has the piece something to do in this phase? Orders that cannot be taken up are refused here. */
static bool ready_to_move(struct turn *t, int i, struct taken *orders)
{
	struct unit *u = &t->state->units[i];
	const struct clause *join;

	act_begin(t, EVENT_MOVE, i);
	take_clauses(t, i, move_kinds, orders);
	apply_hold(orders);
	join = first_of(orders, CLAUSE_JOIN);
	if (orders->count == 0)
		return false;
	if (u->kind == KIND_GUN) {
		refuse(t, i, REASON_GUN, "FP22");
		return false;
	}
	if (u->kind != KIND_COMMANDER) {
		if (moves(orders) && state_locked(t->state, i)) {
			refuse(t, i, REASON_LOCKED, "FP21");
			return false;
		}
		return moves(orders);
	}
	if (join != NULL) {
		ride_to_join(t, i, join);
		return false;
	}
	return detach(t, i) && moves(orders);
}

/* FP4: whoever is stopped only by a friend who has still to move waits for him. */
static bool waits(const struct course *c, const bool *pending)
{
	return c->reason == REASON_FRIEND && c->blocker >= 0 && pending[c->blocker];
}

void fastplay_move(struct turn *t)
{
	int count = t->state->count;
	struct taken *orders = talloc_zero_array(t->mem, struct taken, (unsigned)count);
	bool *pending = talloc_zero_array(t->mem, bool, (unsigned)count);
	bool changed;

	for (int i = 0; i < count; i++) {
		const struct unit *u = &t->state->units[i];

		if ((int)u->side == t->phase->side && unit_alive(u) && t->orders->units[i].clauses != NULL)
			pending[i] = ready_to_move(t, i, &orders[i]);
	}
	do {
		changed = false;
		for (int i = 0; i < count; i++) {
			struct course c;

			if (!pending[i])
				continue;
			c = plot_course(t, i, &orders[i]);
			if (waits(&c, pending))
				continue;
			commit(t, i, &c);
			pending[i] = false;
			changed = true;
		}
	} while (changed);
	for (int i = 0; i < count; i++) {
		if (pending[i]) {
			struct course c = plot_course(t, i, &orders[i]);

			commit(t, i, &c);
		}
	}
}
