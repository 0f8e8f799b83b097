/* Where a charger comes to stand (FP47, FP54, FP55). */
#include "rules/contact.h"
#include "rules/field.h"

#include <stdlib.h>

enum { SHIFT = 250, CONTACT = 1500 };

static int32_t lesser(int32_t a, int32_t b)
{
	return a < b ? a : b;
}

int face_room(enum arc face)
{
	return face == ARC_FRONT || face == ARC_REAR ? 2 : 1;
}

bool face_full(const struct turn *t, int target, enum arc face, enum side side)
{
	const struct state *s = t->state;
	int bearing, n = 0;
	int32_t length;
	struct point middle = geo_edge(&s->units[target].box, face, &bearing, &length);
	struct box edge = {middle, (int16_t)bearing, length, 2};

	for (int i = 0; i < s->count; i++)
		n += is_body(&s->units[i]) && s->units[i].side == side && state_locked_pair(s, i, target) &&
		     geo_flush(&edge, &s->units[i].box) > OVERLAP_TOLERANCE;
	return n >= face_room(face);
}

enum fit { FITS_NOT, FITS_TOUCHING, FITS };

/* Can the charger stand there: on the table, on nobody, and without touching a second enemy (FP55)? */
static enum fit fit(struct turn *t, int charger, int target, const struct box *b)
{
	const struct state *s = t->state;
	enum fit result = FITS;

	if (!on_table(t, b) || ground_blocks(t, b, true))
		return FITS_NOT;
	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];

		if (i == charger || i == target || !is_body(u) || !may_meet(b, &u->box, OVERLAP_TOLERANCE))
			continue;
		turn_look(t, i);
		if (geo_overlap(b, &u->box))
			return FITS_NOT;
		if (u->side != s->units[charger].side && geo_flush(b, &u->box) > OVERLAP_TOLERANCE)
			result = FITS_TOUCHING;
	}
	return result;
}

/* How long the charger touches the face when it stands `off` the middle. */
static int32_t contact(int32_t off, int32_t width, int32_t length)
{
	return lesser(lesser(width, length), (width + length) / 2 - abs(off));
}

/* Which way along the face shifts are tried first, 1 toward the charger's own left: toward the left of its side, and on
 * a face that runs up the table toward its own. */
static int first_way(int own_left, enum side side)
{
	int off = geo_degrees(own_left - (side == SIDE_GOVERNMENT ? 270 : 90));

	return off > 90 && off < 270 ? -1 : 1;
}

bool conform(struct turn *t, int charger, int target, enum arc face, int half, struct box *out)
{
	const struct unit *u = &t->state->units[charger];
	int bearing, own_left, way;
	int32_t length, least, base = -half * u->box.width / 2;
	struct point middle = geo_edge(&t->state->units[target].box, face, &bearing, &length);
	bool found = false;

	if (face_full(t, target, face, u->side))
		return false;
	least = lesser(lesser(length, u->box.width), CONTACT);
	own_left = geo_degrees(bearing + 90); /* the charger looks against the face */
	way = first_way(own_left, u->side);
	for (int k = 0; k <= 2 * (abs(base) + length + u->box.width) / SHIFT; k++) {
		int32_t off = base + way * (k % 2 ? 1 : -1) * ((k + 1) / 2) * SHIFT;
		struct box b = {geo_step(middle, own_left, off), (int16_t)geo_degrees(bearing + 180), u->box.width,
			u->box.depth};
		enum fit result;

		if (contact(off, u->box.width, length) < least)
			continue;
		result = fit(t, charger, target, &b);
		if (result == FITS || (result == FITS_TOUCHING && !found)) {
			*out = b;
			found = true;
		}
		if (result == FITS)
			return true;
	}
	return found;
}
