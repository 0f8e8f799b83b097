/* Charges of a phase, in their order, and what a charger touches (FP47, FP49, FP55). */
#include "rules/contact.h"
#include "rules/field.h"

struct declared *charges_next(const struct turn *t, const struct charges *c, enum side side)
{
	struct declared *next = NULL;

	for (int i = 0; i < c->count; i++) {
		struct declared *d = &c->list[i];

		if (!d->done && t->state->units[d->charger].side == side && (!next || d->distance < next->distance))
			next = d;
	}
	return next;
}

/* Does the other charge count for the room on this one's face: on its way there, or there already? */
static bool shares_face(const struct state *s, const struct charges *c, const struct declared *d,
	const struct declared *o, enum arc face)
{
	return o->charger != d->charger && o->target == d->target &&
	       (!o->done || state_locked_pair(s, o->charger, o->target)) &&
	       s->units[o->charger].side == s->units[d->charger].side &&
	       charge_face(&s->units[d->target].box, c->start[o->charger].front) == face;
}

int charges_half(const struct turn *t, const struct charges *c, const struct declared *d, enum arc face)
{
	const struct state *s = t->state;
	const struct declared *other = NULL;
	int bearing;
	int32_t length;
	struct point left, a, b;
	int64_t along;

	if (face_room(face) < 2)
		return 0;
	for (int i = 0; i < c->count; i++) {
		const struct declared *o = &c->list[i];

		if (shares_face(s, c, d, o, face) && (!other || (o->done && !other->done) ||
							     (o->done == other->done && o->distance < other->distance)))
			other = o;
	}
	if (!other)
		return 0;
	geo_edge(&s->units[d->target].box, face, &bearing, &length);
	left = geo_step((struct point){0, 0}, geo_degrees(bearing + 90), INCH(1));
	a = geo_centre(&c->start[d->charger]);
	b = geo_centre(&c->start[other->charger]);
	along = (int64_t)(a.x - b.x) * left.x + (int64_t)(a.y - b.y) * left.y;
	return along > 0 || (along == 0 && d->charger < other->charger) ? -1 : 1;
}

int touched_next(const struct turn *t, int charger, int target, int after)
{
	const struct state *s = t->state;
	const struct box *b = &s->units[charger].box;

	for (int i = after + 1; i < s->count; i++) {
		const struct unit *e = &s->units[i];

		if (i != target && e->side != s->units[charger].side && is_body(e) &&
			may_meet(b, &e->box, OVERLAP_TOLERANCE) && geo_flush(b, &e->box) > OVERLAP_TOLERANCE)
			return i;
	}
	return -1;
}

struct event *lock_pair(struct turn *t, struct lock lock)
{
	struct event *ev;

	turn_act(t);
	if (state_locked_pair(t->state, lock.charger, lock.charged) || !turn_reaches(t, EVENT_LOCKED, lock.charger) ||
		!unit_alive(&t->state->units[lock.charged]))
		return NULL;
	state_lock(t->state, lock);
	ev = turn_event(t, EVENT_LOCKED, lock.charger);
	turn_object(ev, lock.charged);
	event_set(ev, NUM_FACE, (int32_t)lock.face);
	return ev;
}

bool say_gun_taken(struct turn *t, int charger, int gun, const char *ruling)
{
	struct event *ev;

	turn_act(t);
	if (!turn_reaches(t, EVENT_GUN_TAKEN, charger) || !unit_alive(&t->state->units[gun]))
		return false;
	ev = turn_event(t, EVENT_GUN_TAKEN, charger);
	turn_object(ev, gun);
	turn_ruling(ev, ruling);
	return true;
}
