#include "rules/path.h"

#include "rules/field.h"
#include "rules/intent.h"
#include "rules/parameters.h"

#include <stdlib.h>
#include <string.h>

enum { ALL_TURNS = 100000, STRIDE = 100, SQUARE_SIDE = INCH(6) };

/* A piece that the path (hard) or the place where it ends (soft) must keep clear of. */
struct obstacle {
	const struct box *box;
	int unit;
	int32_t clearance;
};

/* What stops a box on its way, remembered: an order is walked many times over when it has to be shortened. */
struct way {
	struct box from;
	struct point by;
	int32_t go;
	enum event_reason reason;
	int blocker;
};

/* How far the unit can turn from there before something stops it, as far as that has been asked. */
struct turning {
	struct box from;
	enum face_kind kind;
	int sign;
	int free; /* degrees that nothing stops */
	bool blocked;
	enum event_reason reason;
	int blocker;
};

enum { WAYS = 8 };

/* One way of carrying the orders out: at most `limit` inches and `turns` degrees of them. */
struct attempt {
	const struct mover *m;
	struct obstacle *hard, *soft;
	int hard_count, soft_count;
	struct way ways[WAYS];
	int way_count;
	struct turning turnings[WAYS];
	int turning_count;
	int32_t limit;
	int turns;
	struct walk *w;
	bool stopped; /* no further leg */
	bool touch;   /* end where friends touch, not as much deeper as is no overlap yet (FP9) */
};

const char *move_ruling(enum event_reason r)
{
	switch (r) {
	case REASON_ALLOWANCE:
	case REASON_TURNING:
		return "FP15";
	case REASON_ENEMY_NEAR:
		return "FP18";
	case REASON_FRIEND:
	case REASON_MELEE:
	case REASON_ENEMY:
		return "FP20";
	case REASON_EDGE:
		return "FP14";
	case REASON_TERRAIN:
		return "FP13";
	case REASON_LOCKED:
		return "FP21";
	case REASON_GUN:
		return "FP22";
	default:
		return "FP3";
	}
}

/* --- obstacles -----------------------------------------------------------------------------------------------------
 */

static void add(struct obstacle *list, int *count, const struct unit *u, int unit, int32_t clearance)
{
	list[(*count)++] = (struct obstacle){&u->box, unit, clearance};
}

/* Enemies keep their zone; a locked melee is not passed through; other friends need only be clear at the end. A lone
 * commander steps aside for a unit (FP84), but not for another commander. */
static void gather_obstacles(struct attempt *a)
{
	const struct mover *m = a->m;
	const struct state *s = m->t->state;
	const struct unit *self = &s->units[m->unit];
	int32_t zone = parameter(m->t, P_CLEARANCE);

	a->hard = talloc_array(m->t->mem, struct obstacle, (unsigned)s->count);
	a->soft = talloc_array(m->t->mem, struct obstacle, (unsigned)s->count);
	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];
		bool lone = is_lone(u) && self->kind == KIND_COMMANDER;

		if (i == m->unit || !(is_body(u) || lone) || !may_meet(&self->box, &u->box, m->allowance + zone))
			continue;
		turn_look(m->t, i);
		if (lone)
			add(a->soft, &a->soft_count, u, i, 0);
		else if (u->side != self->side)
			add(a->hard, &a->hard_count, u, i, zone);
		else if (state_locked(s, i) && self->with != i)
			add(a->hard, &a->hard_count, u, i, 0);
		else if (!m->absent || !m->absent[i])
			add(a->soft, &a->soft_count, u, i, 0);
	}
}

static void stop(struct attempt *a, enum event_reason reason, int blocker)
{
	if (a->w->whole) {
		a->w->whole = false;
		a->w->reason = reason;
		a->w->blocker = blocker;
	}
	a->stopped = true;
}

/* --- legs ----------------------------------------------------------------------------------------------------------
 */

static int32_t find_way(struct attempt *a, struct point by, enum event_reason *reason, int *blocker)
{
	const struct turn *t = a->m->t;
	const struct unit *self = &t->state->units[a->m->unit];
	int32_t go = table_travel(t, &a->w->to, by), length = geo_length(by.x, by.y), g;

	*reason = go < length ? REASON_EDGE : REASON_NONE;
	*blocker = -1;
	for (int i = 0; i < a->hard_count; i++) {
		const struct obstacle *o = &a->hard[i];

		g = geo_travel_by(&a->w->to, by, o->box, o->clearance);
		if (g < go) {
			go = g;
			*reason = o->clearance ? REASON_ENEMY_NEAR : REASON_MELEE;
			*blocker = o->unit;
		}
	}
	g = ground_travel(t, &a->w->to, by, unit_is_horse(self));
	if (g < go) {
		go = g;
		*reason = REASON_TERRAIN;
		*blocker = -1;
	}
	return go;
}

static bool same_box(const struct box *a, const struct box *b)
{
	return a->front.x == b->front.x && a->front.y == b->front.y && a->facing == b->facing;
}

/* How far ahead along `by` nothing stops the box; says what does. */
static int32_t clear_way(struct attempt *a, struct point by, enum event_reason *reason, int *blocker)
{
	struct way *way;

	for (int i = 0; i < a->way_count; i++) {
		way = &a->ways[i];
		if (same_box(&way->from, &a->w->to) && way->by.x == by.x && way->by.y == by.y) {
			*reason = way->reason;
			*blocker = way->blocker;
			return way->go;
		}
	}
	way = &a->ways[a->way_count < WAYS ? a->way_count++ : WAYS - 1];
	*way = (struct way){.from = a->w->to, .by = by};
	way->go = find_way(a, by, &way->reason, &way->blocker);
	*reason = way->reason;
	*blocker = way->blocker;
	return way->go;
}

/* The displacement that a leg asks for, at most `left` long where it names no distance. */
static bool leg_displacement(struct attempt *a, const struct leg *leg, int32_t left, struct point *by, int32_t *want)
{
	const struct state *s = a->m->t->state;
	const struct box *b = &a->w->to;
	struct point middle = geo_centre(b), other;
	int32_t length;

	*want = leg->distance ? leg->distance : left;
	if (leg->kind == LEG_HEADING) {
		int bearing = geo_degrees(leg->heading.degrees + (leg->heading.relative ? b->facing : 0));

		*by = geo_step((struct point){0, 0}, bearing, *want);
		return true;
	}
	if (leg->kind == LEG_PLACE) {
		*by = (struct point){leg->place.x - b->front.x, leg->place.y - b->front.y};
	} else {
		if (!unit_alive(&s->units[leg->unit]))
			return false;
		turn_look(a->m->t, leg->unit);
		other = geo_centre(where_is(s, leg->unit));
		*by = (struct point){other.x - middle.x, other.y - middle.y};
	}
	length = geo_length(by->x, by->y);
	if (leg->kind == LEG_AWAY) {
		*by = length ? (struct point){-by->x, -by->y} : geo_step((struct point){0, 0}, b->facing + 180, 1000);
		length = length ? length : 1000;
		/* Long enough for the whole way, so that it only has to be cut. */
		if (length < *want) {
			int32_t times = *want / length + 1;

			*by = (struct point){by->x * times, by->y * times};
		}
	} else if (leg->kind == LEG_PLACE && leg->distance == 0) {
		*want = length;
	} else if (*want > length) {
		*want = length;
	}
	return true;
}

static void passed(struct walk *w)
{
	struct point p = w->to.front;

	if (w->path_count && w->path[w->path_count - 1].x == p.x && w->path[w->path_count - 1].y == p.y)
		return;
	if (w->path_count < PLAN_PATH_MAX)
		w->path[w->path_count++] = p;
	else
		w->path[PLAN_PATH_MAX - 1] = p;
}

/* Places are whole thousandths, so a step may end by one nearer to an enemy than it may. */
static bool too_near(const struct attempt *a, const struct box *to)
{
	for (int i = 0; i < a->hard_count; i++) {
		const struct obstacle *o = &a->hard[i];
		int32_t d;

		if (o->clearance == 0 || !may_meet(to, o->box, o->clearance))
			continue;
		d = geo_distance(to, o->box);
		if (d < o->clearance && d < geo_distance(&a->w->to, o->box))
			return true;
	}
	return false;
}

static void advance(struct attempt *a, struct point by, int32_t go)
{
	struct box to = geo_slide(a->w->to, geo_along(by, go));

	for (int tries = 0; tries < 3 && go > 0 && too_near(a, &to); tries++)
		to = geo_slide(a->w->to, geo_along(by, --go));
	a->w->to = to;
	a->w->gone += go;
}

/* One leg: as far as it asks, the allowance lasts and the way is clear, paying for walls and the like on the way (FP12,
 * RH16). */
static void walk_leg(struct attempt *a, const struct leg *leg)
{
	struct walk *w = a->w;
	int32_t left, want, done = 0, all = a->m->allowance - w->gone - w->paid;
	struct point by;

	if (!leg_displacement(a, leg, all > 0 ? all : 0, &by, &want)) {
		stop(a, REASON_GONE, leg->unit);
		return;
	}
	w->asked += want;
	while (done < want && !a->stopped) {
		struct point rest = geo_along(by, want - done);
		enum event_reason reason;
		int blocker;
		int32_t cost, go = clear_way(a, rest, &reason, &blocker);
		int32_t wall = ground_cost_travel(a->m->t, &w->to, rest, &cost);

		left = a->limit - w->gone - w->paid;
		if (wall < go && wall <= left) {
			bool pays = left - wall > cost;

			advance(a, rest, wall);
			done += wall;
			if (!pays) {
				stop(a, REASON_TERRAIN, -1);
				break;
			}
			/* Over it: far enough that the box lies across the wall and is not stopped by it again. */
			w->paid += cost;
			go = 2 * OVERLAP_TOLERANCE < want - done ? 2 * OVERLAP_TOLERANCE : want - done;
			advance(a, rest, go);
			done += go;
			continue;
		}
		if (go > left) {
			go = left;
			reason = REASON_ALLOWANCE;
			blocker = -1;
		}
		advance(a, rest, go);
		done += go;
		if (done < want)
			stop(a, reason, blocker);
	}
	passed(w);
}

/* In the square of the map, or the ninth of one, that the leg names? */
static bool in_square(const struct attempt *a, const struct leg *leg)
{
	int32_t side = strchr(leg->square, '.') ? SQUARE_SIDE / 3 : SQUARE_SIDE;
	int32_t height = a->m->t->sc->table.height;
	const struct point *front = &a->w->to.front;

	return leg->kind == LEG_PLACE && *leg->square && leg->distance == 0 && front->x / side == leg->place.x / side &&
	       (height - front->y) / side == (height - leg->place.y) / side;
}

/* --- turns ---------------------------------------------------------------------------------------------------------
 */

/* By how many degrees the clause turns the unit from where it is: -180..360. */
static bool face_degrees(struct attempt *a, const struct face *f, int *degrees)
{
	const struct state *s = a->m->t->state;
	const struct box *b = &a->w->to;
	int to = 0;

	*degrees = f->degrees;
	switch (f->kind) {
	case FACE_TURN:
	case FACE_WHEEL:
		return true;
	case FACE_HEADING:
		to = geo_degrees(f->heading.degrees + (f->heading.relative ? b->facing : 0));
		break;
	case FACE_UNIT:
		if (!unit_alive(&s->units[f->unit]))
			return false;
		turn_look(a->m->t, f->unit);
		to = geo_bearing(geo_centre(b), geo_centre(where_is(s, f->unit)));
		break;
	case FACE_PLACE:
		to = geo_bearing(geo_centre(b), f->place);
		break;
	}
	*degrees = geo_degrees(to - b->facing);
	if (*degrees > 180)
		*degrees -= 360;
	return true;
}

static enum event_reason turn_blocked(struct attempt *a, const struct box *now, const struct box *next, int *blocker)
{
	const struct turn *t = a->m->t;

	*blocker = -1;
	if (!on_table(t, next) && on_table(t, now))
		return REASON_EDGE;
	for (int i = 0; i < a->hard_count; i++) {
		const struct obstacle *o = &a->hard[i];
		int32_t d;

		if (!may_meet(next, o->box, o->clearance))
			continue;
		*blocker = o->unit;
		/* An enemy that it touches already can come no nearer in distance, but deeper. */
		if (runs_onto(now, next, o->box))
			return o->clearance ? REASON_ENEMY_NEAR : REASON_MELEE;
		d = geo_distance(next, o->box);
		if (d < o->clearance && d < geo_distance(now, o->box))
			return REASON_ENEMY_NEAR;
	}
	*blocker = -1;
	if (ground_blocks(t, next, unit_is_horse(&t->state->units[a->m->unit])) &&
		!ground_blocks(t, now, unit_is_horse(&t->state->units[a->m->unit])))
		return REASON_TERRAIN;
	return REASON_NONE;
}

/* Can nothing be in the way of a turn, however far? Then its degrees need not be looked at one by one. */
static bool turns_freely(const struct attempt *a, const struct box *b, enum face_kind kind, int sign)
{
	const struct table *table = &a->m->t->sc->table;
	struct point corner[4], pivot = geo_centre(b);
	int32_t reach = geo_length(b->width, b->depth) / 2 + 2;

	if (kind == FACE_WHEEL) {
		geo_corners(b, corner);
		pivot = corner[sign < 0 ? FRONT_LEFT : FRONT_RIGHT];
		reach *= 2;
	}
	if (pivot.x < reach || pivot.y < reach || pivot.x > table->width - reach || pivot.y > table->height - reach ||
		ground_counts(a->m->t))
		return false;
	for (int i = 0; i < a->hard_count; i++)
		if (geo_point_distance(a->hard[i].box, pivot) < reach + a->hard[i].clearance)
			return false;
	return true;
}

static struct box turned(const struct box *b, enum face_kind kind, int degrees)
{
	return kind == FACE_WHEEL ? geo_wheel(*b, degrees < 0 ? FRONT_LEFT : FRONT_RIGHT, degrees)
				  : geo_turn(*b, degrees);
}

/* Degree by degree from there, up to `most`. The same turn is asked for again and again while a move is shortened. */
static const struct turning *turn_until(
	struct attempt *a, const struct box *from, enum face_kind kind, int sign, int most)
{
	struct turning *t = NULL;
	struct box now;

	for (int i = 0; i < a->turning_count && !t; i++)
		if (same_box(&a->turnings[i].from, from) && a->turnings[i].kind == kind && a->turnings[i].sign == sign)
			t = &a->turnings[i];
	if (!t) {
		t = &a->turnings[a->turning_count < WAYS ? a->turning_count++ : WAYS - 1];
		*t = (struct turning){.from = *from, .kind = kind, .sign = sign};
	}
	now = turned(from, kind, sign * t->free);
	while (t->free < most && !t->blocked) {
		struct box next = turned(from, kind, sign * (t->free + 1));

		t->reason = turn_blocked(a, &now, &next, &t->blocker);
		t->blocked = t->reason != REASON_NONE;
		t->free += !t->blocked;
		now = next;
	}
	return t;
}

/* Degree by degree (FP15); a turn about the centre, a wheel about its inner front corner. */
static void walk_face(struct attempt *a, const struct face *f)
{
	struct walk *w = a->w;
	struct box start = w->to;
	const struct turning *t;
	int degrees, sign, most, done;

	if (!face_degrees(a, f, &degrees)) {
		stop(a, REASON_GONE, f->unit);
		return;
	}
	sign = degrees < 0 ? -1 : 1;
	w->turn_asked += abs(degrees);
	if (w->turned + abs(degrees) <= a->turns && turns_freely(a, &start, f->kind, sign)) {
		w->to = turned(&start, f->kind, degrees);
		w->turned += abs(degrees);
		passed(w);
		return;
	}
	most = a->turns - w->turned < abs(degrees) ? a->turns - w->turned : abs(degrees);
	t = turn_until(a, &start, f->kind, sign, most);
	done = t->free < most ? t->free : most;
	w->to = turned(&start, f->kind, sign * done);
	w->turned += done;
	if (done == abs(degrees))
		passed(w);
	else if (done == most)
		stop(a, REASON_TURNING, -1);
	else
		stop(a, t->reason, t->blocker);
}

/* --- the whole path ------------------------------------------------------------------------------------------------
 */

/* After a leg is stopped there are no more legs, but turns are still made. */
static void walk(struct attempt *a, int32_t limit, int turns, struct walk *w)
{
	const struct box *from = &a->m->t->state->units[a->m->unit].box;
	bool turning = true;

	*w = (struct walk){.from = *from, .to = *from, .whole = true, .blocker = -1};
	a->w = w;
	a->limit = limit;
	a->turns = turns;
	a->stopped = false;
	passed(w);
	for (int i = 0; i < a->m->count; i++) {
		const struct clause *c = a->m->clauses[i];

		for (int k = 0; c->kind == CLAUSE_MOVE && k < c->leg_count; k++) {
			w->in_square = !a->stopped;
			if (!a->stopped)
				walk_leg(a, &c->legs[k]);
			w->in_square = w->in_square && in_square(a, &c->legs[k]);
		}
		if (c->kind == CLAUSE_FACE && turning) {
			int asked = w->turn_asked;
			int before = w->turned;

			walk_face(a, &c->face);
			turning = w->turned - before == w->turn_asked - asked;
		}
	}
	a->w = NULL;
}

static bool stands_on(const struct attempt *a, const struct box *to, const struct box *friend)
{
	struct box b = *friend;

	if (a->touch) {
		b.front = geo_step(b.front, b.facing, OVERLAP_TOLERANCE - 1);
		b.width += 2 * (OVERLAP_TOLERANCE - 1);
		b.depth += 2 * (OVERLAP_TOLERANCE - 1);
	}
	return geo_overlap(to, &b);
}

/* FP15 to the nearest thousandth, and FP20. */
static bool legal(const struct attempt *a, const struct walk *w, enum event_reason *reason, int *blocker)
{
	*blocker = -1;
	if (geo_corner_travel(&w->from, &w->to) > a->m->allowance - w->paid + 1) {
		*reason = w->turned ? REASON_TURNING : REASON_ALLOWANCE;
		return false;
	}
	for (int i = 0; i < a->soft_count; i++)
		if (may_meet(&w->to, a->soft[i].box, 0) && stands_on(a, &w->to, a->soft[i].box)) {
			*reason = REASON_FRIEND;
			*blocker = a->soft[i].unit;
			return false;
		}
	return true;
}

/* The longest legal move of at most `most` inches, all turns made; false if there is none even without a step. The
 * reason is what makes the next thousandth illegal. */
static bool shorten(struct attempt *a, int32_t most, struct walk *out)
{
	enum event_reason reason = REASON_NONE, ignored;
	int blocker = -1, nobody;
	int32_t high = most, low = most;
	struct walk w;

	do {
		high = low;
		low = low > STRIDE ? low - STRIDE : 0;
		walk(a, low, ALL_TURNS, &w);
		if (high == 0)
			return false;
	} while (!legal(a, &w, &ignored, &nobody));
	while (high - low > 1) {
		int32_t middle = (low + high) / 2;

		walk(a, middle, ALL_TURNS, &w);
		if (legal(a, &w, &ignored, &nobody))
			low = middle;
		else
			high = middle;
	}
	walk(a, high, ALL_TURNS, &w);
	legal(a, &w, &reason, &blocker);
	walk(a, low, ALL_TURNS, out);
	out->whole = false;
	out->reason = reason;
	out->blocker = blocker;
	return true;
}

/* No step is possible with all turns made: as many degrees as fit, on the spot. */
static void turn_less(struct attempt *a, int most, struct walk *out)
{
	enum event_reason reason = REASON_NONE;
	int blocker = -1;

	for (int degrees = most; degrees >= 0; degrees--) {
		enum event_reason why;
		int who;

		walk(a, 0, degrees, out);
		out->whole = false;
		out->reason = reason;
		out->blocker = blocker;
		if (legal(a, out, &why, &who))
			return;
		reason = why;
		blocker = who;
	}
	out->to = out->from;
	out->gone = out->paid = 0;
	out->reason = reason;
	out->blocker = blocker;
}

void walk_best(const struct mover *m, struct walk *out)
{
	struct attempt a = {.m = m};
	enum event_reason reason;
	int blocker;
	struct walk first;

	gather_obstacles(&a);
	walk(&a, m->allowance, ALL_TURNS, &first);
	*out = first;
	if (!legal(&a, &first, &reason, &blocker)) {
		a.touch = true;
		if (!shorten(&a, first.gone + first.paid, out)) {
			a.touch = false;
			if (!shorten(&a, first.gone + first.paid, out))
				turn_less(&a, first.turned, out);
		}
		out->asked = first.asked;
		out->turn_asked = first.turn_asked;
	}
	talloc_free(a.hard);
	talloc_free(a.soft);
}
