/* A unit's way through its movement clauses: FP3, FP15-FP20. */
#include "rules/fastplay/fastplay.h"

#include <stdlib.h>

int32_t move_allowance(const struct turn *t, const struct unit *u)
{
	if (u->kind == KIND_COMMANDER)
		return param(t, P_COMMANDER_MOVE);
	return param(t, unit_is_horse(u) ? P_HORSE_MOVE : P_INFANTRY_MOVE);
}

/* A course is walked anew with smaller limits until it is legal where it ends. */
struct limits {
	int32_t legs; /* inches of legs at most */
	int turning;  /* degrees at most */
};

struct walk {
	const struct turn *t;
	int unit;
	int32_t allowance;
	struct limits left;
	bool stopped; /* no further leg */
	struct course c;
};

static void mark(struct walk *w)
{
	if (w->c.path_count < PLAN_PATH_MAX)
		w->c.path[w->c.path_count++] = w->c.to.front;
}

static struct point toward(struct point from, struct point to, int32_t distance)
{
	struct point by = {to.x - from.x, to.y - from.y};

	return geo_along(by, distance);
}

/* The displacement that a leg asks for, from where the unit now stands. */
static struct point leg_vector(const struct walk *w, const struct leg *leg)
{
	const struct box *b = &w->c.to;
	int32_t rest = w->allowance - w->c.used, d = leg->distance > 0 ? leg->distance : rest > 0 ? rest : 0;
	struct point none = {0, 0}, at;
	int32_t far;

	switch (leg->kind) {
	case LEG_HEADING:
		at = geo_step(none, geo_degrees(leg->heading.degrees + (leg->heading.relative ? b->facing : 0)), d);
		return at;
	case LEG_PLACE:
		at = leg->place;
		break;
	case LEG_TOWARD:
		at = geo_centre(&w->t->state->units[leg->unit].box);
		break;
	case LEG_AWAY:
		at = geo_centre(&w->t->state->units[leg->unit].box);
		at = toward(at, b->front, d);
		return at;
	}
	far = geo_length((int64_t)at.x - b->front.x, (int64_t)at.y - b->front.y);
	if (leg->distance > 0 && far > leg->distance)
		far = leg->distance;
	/* A unit to go toward may be farther than the allowance; only a place is asked for whole. */
	if (leg->kind == LEG_TOWARD && leg->distance == 0 && far > d)
		far = d;
	return toward(b->front, at, far);
}

static void walk_leg(struct walk *w, const struct leg *leg)
{
	struct point by = leg_vector(w, leg);
	int32_t asked = geo_length(by.x, by.y), go = asked, clear;
	enum event_reason reason;
	int blocker;

	w->c.asked += asked;
	if (w->stopped || asked == 0)
		return;
	if (go > w->left.legs) {
		go = w->left.legs;
		w->stopped = true;
		if (w->c.reason == REASON_NONE)
			w->c.reason = REASON_ALLOWANCE;
	}
	clear = clear_way(w->t, w->unit, &w->c.to, by, &reason, &blocker);
	if (clear < go) {
		go = clear;
		w->stopped = true;
		w->c.reason = reason;
		w->c.blocker = blocker;
	}
	w->c.to = geo_slide(w->c.to, go == asked ? by : geo_along(by, go));
	w->c.used += go;
	w->left.legs -= go;
	mark(w);
}

/* Signed degrees that a face clause asks for, the short way round. */
static int face_degrees(const struct walk *w, const struct face *f)
{
	struct point centre = geo_centre(&w->c.to), at = centre;
	int to = w->c.to.facing, by;

	switch (f->kind) {
	case FACE_HEADING:
		to = f->heading.degrees + (f->heading.relative ? w->c.to.facing : 0);
		break;
	case FACE_UNIT:
		at = geo_centre(&w->t->state->units[f->unit].box);
		to = geo_bearing(centre, at);
		break;
	case FACE_PLACE:
		to = geo_bearing(centre, f->place);
		break;
	case FACE_TURN:
	case FACE_WHEEL:
		return f->degrees;
	}
	by = geo_degrees(to - w->c.to.facing);
	return by > 180 ? by - 360 : by;
}

/* May the box turn so, by one degree: on the table, and no nearer to an enemy than it may be? */
static bool may_turn(const struct walk *w, const struct box *from, const struct box *to, int *blocker)
{
	struct point low = {0, 0}, high = {w->t->sc->table.width, w->t->sc->table.height};
	const struct state *s = w->t->state;

	*blocker = -1;
	if (!geo_within(to, low, high) && geo_within(from, low, high))
		return false;
	for (int i = 0; i < s->count; i++) {
		const struct unit *o = &s->units[i];
		int32_t d;

		if (o->side == s->units[w->unit].side || !unit_alive(o) || o->kind == KIND_COMMANDER)
			continue;
		d = geo_distance(to, &o->box);
		if (d < param(w->t, P_CLEARANCE) && d < geo_distance(from, &o->box)) {
			*blocker = i;
			return false;
		}
	}
	return true;
}

static void walk_face(struct walk *w, const struct face *f)
{
	int by = face_degrees(w, f), step = by < 0 ? -1 : 1;
	enum corner pivot = by < 0 ? FRONT_LEFT : FRONT_RIGHT;
	struct box start = w->c.to;

	for (int done = 0; done != by; done += step) {
		struct box next =
			f->kind == FACE_WHEEL ? geo_wheel(start, pivot, done + step) : geo_turn(start, done + step);
		int blocker;

		if (w->left.turning == 0) {
			if (w->c.reason == REASON_NONE)
				w->c.reason = REASON_TURNING;
			break;
		}
		if (!may_turn(w, &w->c.to, &next, &blocker)) {
			w->c.reason = blocker < 0 ? REASON_EDGE : REASON_ENEMY_NEAR;
			w->c.blocker = blocker;
			break;
		}
		w->c.to = next;
		w->left.turning--;
	}
	mark(w);
}

static struct course walk_course(const struct turn *t, int unit, const struct taken *orders, struct limits limits)
{
	struct walk w = {
		.t = t,
		.unit = unit,
		.allowance = move_allowance(t, &t->state->units[unit]),
		.left = limits,
		.c = {.to = t->state->units[unit].box, .reason = REASON_NONE, .blocker = -1},
	};

	mark(&w);
	for (int i = 0; i < orders->count; i++) {
		const struct clause *c = orders->clause[i];

		for (int k = 0; c->kind == CLAUSE_MOVE && k < c->leg_count; k++)
			walk_leg(&w, &c->legs[k]);
		if (c->kind == CLAUSE_FACE)
			walk_face(&w, &c->face);
	}
	return w.c;
}

/* Is the end of the course legal? If not, *reason and *blocker say why. */
static bool ends_well(const struct turn *t, int unit, const struct course *c, enum event_reason *reason, int *blocker)
{
	const struct unit *u = &t->state->units[unit];

	*blocker = -1;
	*reason = REASON_TURNING;
	if (geo_corner_travel(&u->box, &c->to) > move_allowance(t, u))
		return false;
	*reason = REASON_FRIEND;
	*blocker = stands_on(t, unit, &c->to);
	return *blocker < 0;
}

/* The largest limit up to `most` with which the course ends well: in steps, then to the unit. `degrees` says which of
 * the two limits is meant. -1 if there is none. */
static int32_t largest_limit(
	const struct turn *t, int unit, const struct taken *orders, bool degrees, int32_t most, struct course *out)
{
	int32_t coarse = degrees ? 15 : 100, high = most + 1;
	enum event_reason reason;
	int blocker;

	for (int32_t low = most;; low = low > coarse ? low - coarse : 0) {
		struct limits l = degrees ? (struct limits){0, low} : (struct limits){low, 720};
		struct course c = walk_course(t, unit, orders, l);

		if (!ends_well(t, unit, &c, &reason, &blocker)) {
			high = low;
			if (low == 0)
				return -1;
			continue;
		}
		while (high - low > 1) {
			int32_t middle = low + (high - low) / 2;
			struct limits m = degrees ? (struct limits){0, middle} : (struct limits){middle, 720};
			struct course better = walk_course(t, unit, orders, m);

			if (ends_well(t, unit, &better, &reason, &blocker)) {
				low = middle;
				c = better;
			} else {
				high = middle;
			}
		}
		*out = c;
		return low;
	}
}

struct course plot_course(const struct turn *t, int unit, const struct taken *orders)
{
	int32_t allowance = move_allowance(t, &t->state->units[unit]);
	struct course whole = walk_course(t, unit, orders, (struct limits){allowance, 720}), c = whole;
	enum event_reason reason;
	int blocker;

	if (ends_well(t, unit, &whole, &reason, &blocker))
		return whole;
	/* FP15: the facing is done and the move shortened; only where not even that ends well is the turn cut short. */
	if (largest_limit(t, unit, orders, false, whole.used, &c) < 0 &&
		largest_limit(t, unit, orders, true, 720, &c) < 0)
		c.to = t->state->units[unit].box;
	c.asked = whole.asked;
	c.reason = reason;
	c.blocker = blocker;
	return c;
}
