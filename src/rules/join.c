#include "rules/join.h"

#include "rules/field.h"
#include "rules/parameters.h"

int join_target(const struct state *s, int commander, const struct clause *const *list, int count)
{
	int unit = -1;

	for (int i = 0; i < count; i++)
		if (list[i]->kind == CLAUSE_JOIN)
			unit = list[i]->unit;
	return unit >= 0 && s->units[commander].with == unit ? -1 : unit;
}

/* The edge as a box of next to no depth. */
static struct box edge_line(const struct box *b, enum arc edge)
{
	int bearing;
	int32_t length;
	struct point middle = geo_edge(b, edge, &bearing, &length);

	return (struct box){middle, (int16_t)bearing, length, 2};
}

/* FP25: an edge in contact with an enemy is no way to a locked unit. */
static bool edge_in_contact(struct turn *t, int unit, const struct box *edge)
{
	const struct state *s = t->state;

	for (int i = 0; i < s->count; i++)
		if (state_locked_pair(s, unit, i) && geo_flush(edge, &s->units[i].box) > OVERLAP_TOLERANCE)
			return true;
	return false;
}

/* Is the way to the edge free of enemies? Those in melee with the unit exert no zone on him (FP25). */
static bool way_free(struct turn *t, int commander, int unit, const struct box *edge, int32_t distance)
{
	const struct state *s = t->state;
	const struct unit *c = &s->units[commander];
	struct point from = geo_centre(&c->box), to = edge->front, by;
	int bearing = geo_degrees(edge->facing + 90);
	int64_t along;

	/* The point of the edge nearest to him: his foot on its line, kept between its ends. */
	{
		struct point right = geo_step((struct point){0, 0}, bearing, 1000);
		int64_t half = edge->width / 2;

		along = ((int64_t)(from.x - to.x) * right.x + (int64_t)(from.y - to.y) * right.y) / 1000;
		along = along > half ? half : along < -half ? -half : along;
	}
	to = geo_step(to, bearing, (int32_t)along);
	by = geo_along((struct point){to.x - from.x, to.y - from.y}, distance);
	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];
		bool locked = state_locked_pair(s, unit, i), enemy = u->side != c->side;

		if (!is_body(u) || i == unit || i == c->with || (!enemy && !state_locked(s, i)) ||
			!may_meet(&c->box, &u->box, distance + parameter(t, P_CLEARANCE)))
			continue;
		turn_look(t, i);
		if (geo_travel_by(&c->box, by, &u->box, enemy && !locked ? parameter(t, P_CLEARANCE) : 0) <
			geo_length(by.x, by.y))
			return false;
	}
	return ground_travel(t, &c->box, by, true) >= geo_length(by.x, by.y);
}

enum event_reason join_reach(struct turn *t, int commander, int unit, int32_t allowance, int32_t *distance)
{
	const struct unit *c = &t->state->units[commander], *u = &t->state->units[unit];
	enum event_reason reason = REASON_OUT_OF_REACH;

	turn_look(t, unit);
	*distance = geo_distance(&c->box, &u->box);
	if (!unit_alive(u))
		return REASON_GONE;
	if (u->side != c->side)
		return REASON_NOT_YOURS;
	if (!unit_is_formed(u))
		return REASON_GUN;
	for (int e = ARC_FRONT; e <= ARC_REAR; e++) {
		struct box edge = edge_line(&u->box, (enum arc)e);
		int32_t d = geo_distance(&c->box, &edge);

		if (d > allowance || edge_in_contact(t, unit, &edge))
			continue;
		if (way_free(t, commander, unit, &edge, d)) {
			*distance = d;
			return REASON_NONE;
		}
		reason = REASON_ENEMY_NEAR;
	}
	return reason;
}

void attach(struct turn *t, int commander, int unit, int32_t distance)
{
	struct unit *c = &t->state->units[commander];
	struct event *ev;

	if (!turn_reaches(t, EVENT_ATTACH, commander) || !unit_alive(&t->state->units[unit]))
		return;
	ev = turn_event(t, EVENT_ATTACH, commander);
	turn_object(ev, unit);
	event_set(ev, NUM_DISTANCE, distance);
	turn_from(ev, &c->box);
	turn_ruling(ev, t->rules->rulings.join);
	if (!turn_void(t, ev)) {
		c->with = (int16_t)unit;
		carry(t, unit);
	}
	turn_to(ev, &c->box);
}

bool detach(struct turn *t, int commander)
{
	struct unit *c = &t->state->units[commander];
	struct event *ev;

	if (state_locked(t->state, c->with)) {
		if (!turn_reaches(t, EVENT_NO_MOVE, commander))
			return false;
		ev = turn_event(t, EVENT_NO_MOVE, commander);
		turn_object(ev, c->with);
		ev->reason = REASON_MELEE;
		turn_ruling(ev, t->rules->rulings.stays);
		return false;
	}
	if (!turn_reaches(t, EVENT_DETACH, commander))
		return false;
	if (c->with < 0)
		return true;
	ev = turn_event(t, EVENT_DETACH, commander);
	turn_object(ev, c->with);
	if (turn_void(t, ev))
		return false;
	c->with = -1;
	return true;
}
