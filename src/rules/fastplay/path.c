/* Where a piece may go and stand: FP14, FP17-FP20, FP73, FP84. */
#include "rules/fastplay/fastplay.h"

#include <stdlib.h>

static bool lone_commander(const struct unit *u)
{
	return u->kind == KIND_COMMANDER && u->with < 0;
}

/* A piece that takes up room: alive, and not a commander who rides with a unit. */
static bool on_table(const struct unit *u)
{
	return unit_alive(u) && (u->kind != KIND_COMMANDER || u->with < 0);
}

/* How far the box may go along `by` before a corner leaves the table (FP14). */
static int32_t until_edge(const struct turn *t, const struct box *b, struct point by, int32_t length)
{
	struct point corner[4], low = {0, 0}, high = {t->sc->table.width, t->sc->table.height};
	int32_t least = length;

	geo_corners(b, corner);
	for (int i = 0; i < 4; i++) {
		int64_t room[2] = {
			by.x > 0 ? high.x - corner[i].x : corner[i].x - low.x,
			by.y > 0 ? high.y - corner[i].y : corner[i].y - low.y,
		};
		int64_t way[2] = {llabs(by.x), llabs(by.y)};

		for (int k = 0; k < 2; k++) {
			int64_t go = way[k] == 0 ? length : (room[k] < 0 ? 0 : room[k]) * length / way[k];

			if (go < least)
				least = (int32_t)go;
		}
	}
	return least;
}

int32_t clear_way(
	const struct turn *t, int unit, const struct box *b, struct point by, enum event_reason *reason, int *blocker)
{
	const struct unit *u = &t->state->units[unit];
	int32_t length = geo_length(by.x, by.y), go = until_edge(t, b, by, length);

	*reason = go < length ? REASON_EDGE : REASON_NONE;
	*blocker = -1;
	for (int i = 0; i < t->state->count; i++) {
		const struct unit *o = &t->state->units[i];
		bool enemy = o->side != u->side;
		int32_t d;

		if (i == unit || !on_table(o) || o->kind == KIND_COMMANDER || (!enemy && !state_locked(t->state, i)))
			continue;
		d = geo_travel_by(b, by, &o->box, enemy ? param(t, P_CLEARANCE) : 0);
		if (d < go) {
			go = d;
			*blocker = i;
			*reason = enemy ? REASON_ENEMY_NEAR : REASON_MELEE;
		}
	}
	return go;
}

int stands_on(const struct turn *t, int unit, const struct box *b)
{
	for (int i = 0; i < t->state->count; i++) {
		const struct unit *o = &t->state->units[i];

		if (i == unit || !on_table(o) || (lone_commander(o) && t->state->units[unit].kind != KIND_COMMANDER))
			continue;
		if (geo_overlap(b, &o->box))
			return i;
	}
	return -1;
}

/* May a lone commander stand here: on the table, on nobody, 1" from every enemy unit? */
static bool free_place(const struct turn *t, int commander, const struct box *b)
{
	struct point low = {0, 0}, high = {t->sc->table.width, t->sc->table.height};

	if (!geo_within(b, low, high) || stands_on(t, commander, b) >= 0)
		return false;
	for (int i = 0; i < t->state->count; i++) {
		const struct unit *o = &t->state->units[i];

		if (o->side != t->state->units[commander].side && on_table(o) && o->kind != KIND_COMMANDER &&
			geo_distance(b, &o->box) < param(t, P_CLEARANCE))
			return false;
	}
	return true;
}

/* The nearest free place along one bearing, within `most`; -1 when there is none. */
static int32_t free_along(const struct turn *t, int commander, const struct box *from, int bearing, int32_t most)
{
	enum { COARSE = 250 };

	for (int32_t d = 0; d <= most; d += COARSE) {
		struct box there = geo_shift(*from, bearing, d);
		int32_t bad = d - COARSE;

		if (!free_place(t, commander, &there))
			continue;
		while (d - bad > 1) {
			int32_t middle = bad + (d - bad) / 2;

			there = geo_shift(*from, bearing, middle);
			if (free_place(t, commander, &there))
				d = middle;
			else
				bad = middle;
		}
		return d;
	}
	return -1;
}

void set_down(struct turn *t, int commander)
{
	static const int fan[] = {0, 45, -45, 90, -90, 135, -135, 180};
	struct unit *c = &t->state->units[commander];
	int home = c->side == SIDE_GOVERNMENT ? 180 : 0;
	struct box from = c->box, to = from;
	struct event *ev;

	for (size_t i = 0; i < sizeof fan / sizeof fan[0]; i++) {
		int bearing = geo_degrees(home + fan[i]);
		int32_t d = free_along(t, commander, &from, bearing, INCH(60));

		if (d >= 0) {
			to = geo_shift(from, bearing, d);
			break;
		}
	}
	c->with = -1;
	c->box = to;
	ev = emit(t, EVENT_SET_DOWN, commander);
	event_moved(ev, &from, &to);
	ev->ruling = "FP73";
}

void make_room(struct turn *t, int unit)
{
	for (int i = 0; i < t->state->count; i++) {
		struct unit *c = &t->state->units[i];
		struct box from = c->box;
		int32_t best = -1;
		int bearing = 0;
		struct event *ev;

		if (i == unit || !unit_alive(c) || !lone_commander(c) ||
			!geo_overlap(&c->box, &t->state->units[unit].box))
			continue;
		/* The nearest clear place of all directions; toward his own edge first. */
		for (int k = 0; k < 360; k += 15) {
			int way = geo_degrees((c->side == SIDE_GOVERNMENT ? 180 : 0) + k);
			int32_t d = free_along(t, i, &from, way, best < 0 ? INCH(60) : best - 1);

			if (d >= 0 && (best < 0 || d < best)) {
				best = d;
				bearing = way;
			}
		}
		if (best < 0)
			continue;
		c->box = geo_shift(from, bearing, best);
		ev = emit(t, EVENT_SET_DOWN, i);
		event_object(ev, unit);
		event_moved(ev, &from, &c->box);
		ev->ruling = "FP84";
	}
}

void place_with(struct state *s, int commander)
{
	struct unit *c = &s->units[commander];
	const struct unit *u = &s->units[c->with];

	c->box.facing = u->box.facing;
	c->box.front = u->box.front;
}

void place_commanders_with(struct state *s, int unit)
{
	for (int i = 0; i < s->count; i++) {
		if (s->units[i].kind == KIND_COMMANDER && s->units[i].with == unit && unit_alive(&s->units[i]))
			place_with(s, i);
	}
}
