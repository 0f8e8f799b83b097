#include "rules/fastplay/reach.h"

#include <stdlib.h>

enum { WHEEL_MAX = 45, SHIFT_STEP = 250, CONTACT_LEAST = 1500, BEYOND = 2000, TOUCH = 2 };

int32_t charge_allowance(const struct turn *t, const struct unit *u)
{
	return param(t, unit_is_horse(u) ? P_HORSE_CHARGE : P_INFANTRY_CHARGE);
}

/* Straight ahead from this box: is the target met within the allowance? */
static bool meets(const struct box *b, const struct box *target, int32_t allowance, int32_t *straight)
{
	struct box there;

	if (geo_overlap(b, target)) {
		*straight = 0;
		return true;
	}
	*straight = geo_travel(b, b->facing, allowance + BEYOND, target, 0);
	if (*straight > allowance)
		return false;
	there = geo_shift(*b, b->facing, *straight);
	return geo_distance(&there, target) <= TOUCH;
}

bool find_approach(const struct box *from, const struct box *target, int32_t allowance, struct approach *out)
{
	int toward = geo_degrees(geo_bearing(geo_centre(from), geo_centre(target)) - from->facing);
	int first = toward <= 180 ? 1 : -1;

	if (geo_distance(from, target) > allowance)
		return false;
	for (int angle = 0; angle <= WHEEL_MAX; angle++) {
		for (int k = 0; k < (angle == 0 ? 1 : 2); k++) {
			int by = angle * (k == 0 ? first : -first);

			out->wheel = by;
			out->wheeled = by == 0 ? *from : geo_wheel(*from, by < 0 ? FRONT_LEFT : FRONT_RIGHT, by);
			if (meets(&out->wheeled, target, allowance, &out->straight))
				return true;
		}
	}
	return false;
}

enum event_reason may_charge(
	const struct turn *t, int charger, int target, int32_t *distance, struct approach *approach)
{
	const struct unit *u = &t->state->units[charger], *e = &t->state->units[target];

	*distance = geo_distance(&u->box, &e->box);
	if (state_locked(t->state, charger))
		return REASON_LOCKED;
	if (!unit_alive(e))
		return REASON_GONE;
	if (e->side == u->side || e->kind == KIND_COMMANDER)
		return REASON_NO_TARGET;
	if (geo_arc_distance(&u->box, ARC_FRONT, &e->box, NULL) < 0)
		return REASON_NOT_IN_FRONT;
	if (*distance > charge_allowance(t, u) || !find_approach(&u->box, &e->box, charge_allowance(t, u), approach))
		return REASON_OUT_OF_REACH;
	return REASON_NONE;
}

int nearest_charge_target(const struct turn *t, int charger, int32_t *distance, struct approach *approach)
{
	int best = -1;

	for (int i = 0; i < t->state->count; i++) {
		struct approach a;
		int32_t d;

		if (t->state->units[i].side == t->state->units[charger].side)
			continue;
		if (may_charge(t, charger, i, &d, &a) == REASON_NONE && (best < 0 || d < *distance)) {
			best = i;
			*distance = d;
			*approach = a;
		}
	}
	return best;
}

struct edge face_edge(const struct box *b, enum arc face)
{
	struct point middle = geo_centre(b);

	switch (face) {
	case ARC_FRONT:
		return (struct edge){b->front, b->facing, b->width};
	case ARC_REAR:
		return (struct edge){
			geo_step(b->front, b->facing + 180, b->depth), geo_degrees(b->facing + 180), b->width};
	case ARC_LEFT:
		return (struct edge){
			geo_step(middle, b->facing - 90, b->width / 2), geo_degrees(b->facing - 90), b->depth};
	case ARC_RIGHT:
	default:
		return (struct edge){
			geo_step(middle, b->facing + 90, b->width / 2), geo_degrees(b->facing + 90), b->depth};
	}
}

/* Does the front of the box lie flush against the other, along more than a corner? */
static bool flush(const struct box *b, const struct box *other)
{
	struct box probe = geo_shift(*b, b->facing, 20);

	probe.width -= 40;
	return geo_overlap(&probe, other);
}

enum fit { FIT_NONE, FIT_TWO_ENEMIES, FIT_CLEAR };

/* Can the charger stand so: on the table, on nobody, and touching no second enemy (FP47, FP55)? */
static enum fit fits(const struct turn *t, int charger, int target, const struct box *b)
{
	struct point low = {0, 0}, high = {t->sc->table.width, t->sc->table.height};
	enum fit fit = FIT_CLEAR;

	if (!geo_within(b, low, high))
		return FIT_NONE;
	for (int i = 0; i < t->state->count; i++) {
		const struct unit *o = &t->state->units[i];

		if (i == charger || i == target || !unit_alive(o) || o->kind == KIND_COMMANDER)
			continue;
		if (geo_overlap(b, &o->box))
			return FIT_NONE;
		if (o->side != t->state->units[charger].side && flush(b, &o->box))
			fit = FIT_TWO_ENEMIES;
	}
	return fit;
}

/* How long the charger's front touches the edge when it stands `shift` off its middle. */
static int32_t contact(int32_t shift, int32_t width, int32_t length)
{
	int32_t low = shift - width / 2 > -length / 2 ? shift - width / 2 : -length / 2;
	int32_t high = shift + width / 2 < length / 2 ? shift + width / 2 : length / 2;

	return high - low;
}

/* The bearing along the edge that goes toward the left of the charger's side; on an edge that runs up and down the
 * table, toward the charger's own left. */
static int left_along(const struct edge *e, enum side side)
{
	int own_left = geo_degrees(e->outward + 180 - 90);
	int side_left = side == SIDE_GOVERNMENT ? 270 : 90;
	int off = geo_degrees(own_left - side_left);

	if (off == 90 || off == 270)
		return own_left;
	return off < 90 || off > 270 ? own_left : geo_degrees(own_left + 180);
}

bool conform(const struct turn *t, int charger, int target, enum arc face, int half, int beside, struct box *out)
{
	const struct unit *u = &t->state->units[charger];
	struct edge e = face_edge(&t->state->units[target].box, face);
	int32_t least = e.length < CONTACT_LEAST ? e.length : CONTACT_LEAST;
	int most = face == ARC_FRONT || face == ARC_REAR ? 2 : 1, left = left_along(&e, u->side);
	int own_left = geo_degrees(e.outward + 90);
	int32_t base = half * u->box.width / 2;
	bool found = false;

	if (u->box.width < least)
		least = u->box.width;
	if (beside >= most)
		return false;
	/* `half` is as the charger sees it; shifts count along `left`. */
	if (left != own_left)
		base = -base;
	base = -base;
	for (int32_t k = 0; k <= 2 * ((e.length + u->box.width) / SHIFT_STEP); k++) {
		int32_t shift = base + ((k & 1) != 0 ? 1 : -1) * ((k + 1) / 2) * SHIFT_STEP;
		struct box b = {
			.facing = (int16_t)geo_degrees(e.outward + 180), .width = u->box.width, .depth = u->box.depth};
		enum fit fit;

		if (contact(shift, u->box.width, e.length) < least)
			continue;
		b.front = geo_step(e.middle, left, shift);
		fit = fits(t, charger, target, &b);
		if (fit == FIT_CLEAR || (fit == FIT_TWO_ENEMIES && !found)) {
			*out = b;
			found = true;
		}
		if (fit == FIT_CLEAR)
			return true;
	}
	return found;
}
