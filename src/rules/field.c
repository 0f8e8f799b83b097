#include "rules/field.h"

#include "rules/parameters.h"

bool centres_near(const struct box *a, const struct box *b, int64_t distance)
{
	struct point p = geo_centre(a), q = geo_centre(b);
	int64_t dx = (int64_t)p.x - q.x, dy = (int64_t)p.y - q.y;

	return dx * dx + dy * dy <= distance * distance;
}

bool runs_onto(const struct box *from, const struct box *to, const struct box *piece)
{
	return geo_overlap(to, piece) && (!geo_overlap(from, piece) || geo_depth(to, piece) > geo_depth(from, piece));
}

void carry(struct turn *t, int unit)
{
	struct state *s = t->state;

	for (int i = 0; i < s->count; i++)
		if (s->units[i].with == unit && s->units[i].kind == KIND_COMMANDER) {
			s->units[i].box.front = s->units[unit].box.front;
			s->units[i].box.facing = s->units[unit].box.facing;
		}
}

/* --- clear places --------------------------------------------------------------------------------------------------
 */

static bool takes_room(const struct unit *u)
{
	return is_body(u) || is_lone(u);
}

/* Does piece `i` leave no room for the box? */
static bool in_the_way(struct turn *t, int i, const struct box *b, enum side side, int32_t zone)
{
	const struct unit *u = &t->state->units[i];
	bool enemy = u->side != side && is_body(u);

	if (!may_meet(b, &u->box, zone))
		return false;
	turn_look(t, i);
	return geo_overlap(b, &u->box) || (enemy && zone && geo_distance(b, &u->box) < zone);
}

static bool ground_clear(const struct turn *t, const struct box *b)
{
	return on_table(t, b) && !ground_blocks(t, b, false);
}

bool place_clear(struct turn *t, int self, const struct box *b, enum side side, int32_t zone)
{
	const struct state *s = t->state;

	if (!ground_clear(t, b))
		return false;
	for (int i = 0; i < s->count; i++)
		if (i != self && takes_room(&s->units[i]) && in_the_way(t, i, b, side, zone))
			return false;
	return true;
}

int own_edge(enum side side)
{
	return side == SIDE_GOVERNMENT ? 180 : 0;
}

static void put(struct turn *t, int commander, const struct box *from, const struct box *to, const char *ruling)
{
	struct event *ev;

	if (!turn_reaches(t, EVENT_SET_DOWN, commander))
		return;
	ev = turn_event(t, EVENT_SET_DOWN, commander);
	turn_from(ev, from);
	turn_to(ev, to);
	turn_ruling(ev, ruling);
	t->state->units[commander].box = *to;
}

/* Who of the others may be in his way after going up to `far`; how many. */
static int list_near(const struct turn *t, int commander, int32_t far, int *list)
{
	const struct state *s = t->state;
	int count = 0;

	for (int i = 0; i < s->count; i++)
		if (i != commander && takes_room(&s->units[i]) &&
			may_meet(&s->units[commander].box, &s->units[i].box, far))
			list[count++] = i;
	return count;
}

/* place_clear for the commander, with those alone who may be in his way. */
static bool clear_of(struct turn *t, int commander, const struct box *b, int32_t zone, const int *list, int count)
{
	if (!ground_clear(t, b))
		return false;
	for (int i = 0; i < count; i++)
		if (in_the_way(t, list[i], b, t->state->units[commander].side, zone))
			return false;
	return true;
}

/* How far he has to go at least to be clear of those in the way where he is: no shorter step leads out of somebody than
 * how deep he stands in him, or takes an enemy out of the zone than what is wanting. */
static int32_t least_step(struct turn *t, int commander, int32_t zone, const int *list, int count)
{
	enum { ROUNDING = 2 };
	const struct unit *u = &t->state->units[commander];
	int32_t least = 0;

	for (int i = 0; i < count; i++) {
		const struct unit *other = &t->state->units[list[i]];
		int32_t step;

		if (!in_the_way(t, list[i], &u->box, u->side, zone))
			continue;
		step = geo_depth(&u->box, &other->box) - OVERLAP_TOLERANCE;
		if (other->side != u->side && is_body(other) && zone)
			step = zone - geo_distance(&u->box, &other->box);
		if (step - ROUNDING > least)
			least = step - ROUNDING;
	}
	return least;
}

/* The nearest clear place on rings about where he is, his own edge's side first. Who may be in the way is listed for
 * ten rings together. */
static bool nearest_place(struct turn *t, int commander, struct box *out)
{
	enum { RING = 100, RINGS = 400, SPOKE = 15, LISTED = 10 * RING };
	const struct unit *u = &t->state->units[commander];
	int *near = talloc_array(NULL, int, (unsigned)t->state->count);
	int32_t zone = parameter(t, P_CLEARANCE), listed = LISTED;
	int count = list_near(t, commander, zone + listed, near);
	int32_t least = least_step(t, commander, zone, near, count);
	bool found = false;

	for (int32_t r = (least + RING - 1) / RING * RING; r <= RING * RINGS && !found; r += RING) {
		if (r + RING > listed) {
			listed = r + LISTED;
			count = list_near(t, commander, zone + listed, near);
		}
		for (int k = 0; k < (r == 0 ? 1 : 360 / SPOKE) && !found; k++) {
			int turn = (k % 2 ? 1 : -1) * ((k + 1) / 2) * SPOKE;

			*out = geo_shift(u->box, geo_degrees(own_edge(u->side) + turn), r);
			found = clear_of(t, commander, out, zone, near, count);
		}
	}
	talloc_free(near);
	return found;
}

void find_room(struct turn *t, int unit)
{
	struct state *s = t->state;
	struct unit *u = &s->units[unit];
	bool taken = false;
	struct box to;

	if (!takes_room(u))
		return;
	for (int i = 0; i < s->count; i++)
		if (i != unit && (is_body(u) ? is_body(&s->units[i]) : takes_room(&s->units[i])))
			taken |= in_the_way(t, i, &u->box, u->side, 0);
	if (!taken || !nearest_place(t, unit, &to))
		return;
	u->box = to;
	carry(t, unit);
	unlock_apart(s, unit);
}

void displace_commanders(struct turn *t, int unit)
{
	struct state *s = t->state;

	for (int i = 0; i < s->count; i++) {
		struct box to;

		if (i == unit || !is_lone(&s->units[i]) || !may_meet(&s->units[i].box, &s->units[unit].box, 0) ||
			!geo_overlap(&s->units[i].box, &s->units[unit].box))
			continue;
		turn_act(t);
		turn_look(t, unit);
		if (nearest_place(t, i, &to))
			put(t, i, &s->units[i].box, &to, t->rules->rulings.displaced);
	}
}

void come_to(struct turn *t, int unit, const struct box *to)
{
	t->state->units[unit].box = *to;
	carry(t, unit);
	displace_commanders(t, unit);
}

void set_down(struct turn *t, int commander)
{
	enum { STEP = 50 };
	struct unit *u = &t->state->units[commander];
	struct box from = u->box, to;

	u->with = -1;
	turn_act(t);
	for (int32_t r = 0; r <= t->sc->table.height; r += STEP) {
		to = geo_shift(from, own_edge(u->side), r);
		if (place_clear(t, commander, &to, u->side, parameter(t, P_CLEARANCE))) {
			put(t, commander, &from, &to, t->rules->rulings.set_down);
			return;
		}
	}
	if (nearest_place(t, commander, &to))
		put(t, commander, &from, &to, t->rules->rulings.set_down);
}

/* --- melees --------------------------------------------------------------------------------------------------------
 */

void unlock(struct state *s, int unit)
{
	for (int i = s->lock_count - 1; i >= 0; i--)
		if (s->locks[i].charger == unit || s->locks[i].charged == unit)
			state_unlock(s, i);
}

void unlock_apart(struct state *s, int unit)
{
	for (int i = s->lock_count - 1; i >= 0; i--) {
		const struct lock *l = &s->locks[i];

		if ((l->charger == unit || l->charged == unit) &&
			geo_distance(&s->units[l->charger].box, &s->units[l->charged].box) > OVERLAP_TOLERANCE)
			state_unlock(s, i);
	}
}
