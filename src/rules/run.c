#include "rules/contact.h"

#include "rules/field.h"
#include "rules/parameters.h"

#include <stdlib.h>

/* An obstacle less the depth to which touching is no overlap (FP9). */
static struct box less_tolerance(struct box b)
{
	b.front = geo_step(b.front, b.facing, -(OVERLAP_TOLERANCE - 1));
	b.width -= 2 * (OVERLAP_TOLERANCE - 1);
	b.depth -= 2 * (OVERLAP_TOLERANCE - 1);
	return b;
}

static bool in_the_way(const struct turn *t, int unit, int target, int other)
{
	return other != unit && other != target && is_body(&t->state->units[other]);
}

/* The first piece that the box runs onto at this degree of the wheel, or -1. */
static int wheel_blocker(struct turn *t, int unit, int target, const struct box *b)
{
	const struct state *s = t->state;

	for (int i = 0; i < s->count; i++) {
		if (!in_the_way(t, unit, target, i) || !may_meet(b, &s->units[i].box, 0))
			continue;
		turn_look(t, i);
		if (runs_onto(&s->units[unit].box, b, &s->units[i].box))
			return i;
	}
	return -1;
}

/* `way` is how long the way ahead is until now, in whole steps: rounded, it may be a thousandth less than
 * run->straight. */
static void stop_at(struct run *run, int32_t *way, int32_t go, enum event_reason reason)
{
	if (go >= *way)
		return;
	*way = run->straight = go;
	run->blocker = -1;
	run->reason = reason;
}

struct run run_try(struct turn *t, int unit, int target, const struct reach *r)
{
	const struct state *s = t->state;
	const struct box *from = &s->units[unit].box;
	struct run run = {.wheeled = *from, .straight = 0, .blocker = -1, .reason = REASON_NONE};
	int sign = r->degrees < 0 ? -1 : 1;
	struct point ahead;
	int32_t go, way;

	for (int d = 1; d <= abs(r->degrees); d++) {
		struct box next = geo_wheel(*from, sign < 0 ? FRONT_LEFT : FRONT_RIGHT, sign * d);

		run.blocker = wheel_blocker(t, unit, target, &next);
		if (run.blocker >= 0)
			run.reason = REASON_FRIEND;
		else if (on_table(t, from) && !on_table(t, &next))
			run.reason = REASON_EDGE;
		else if (ground_blocks(t, &next, true))
			run.reason = REASON_TERRAIN;
		if (run.reason != REASON_NONE)
			return run;
		run.wheeled = next;
	}
	run.straight = r->straight;
	for (int i = 0; i < s->count; i++) {
		struct box other = less_tolerance(s->units[i].box);

		if (!in_the_way(t, unit, target, i) || !may_meet(&run.wheeled, &other, r->straight))
			continue;
		turn_look(t, i);
		go = geo_travel(&run.wheeled, run.wheeled.facing, run.straight, &other, 0);
		if (go < run.straight) {
			go = geo_travel(&run.wheeled, run.wheeled.facing, run.straight, &s->units[i].box, 0);
			run.straight = go;
			run.blocker = i;
			run.reason = REASON_FRIEND;
		}
	}
	ahead = geo_step((struct point){0, 0}, run.wheeled.facing, run.straight);
	way = geo_length(ahead.x, ahead.y);
	stop_at(&run, &way, table_travel(t, &run.wheeled, ahead), REASON_EDGE);
	stop_at(&run, &way, ground_travel(t, &run.wheeled, ahead, true), REASON_TERRAIN);
	return run;
}

/* The box after going so far, or less, so that it does not overlap the friend who stops it (FP9). */
static struct box clear_of(const struct state *s, int friend, struct box from, int32_t most, int32_t *gone)
{
	struct box to = geo_shift(from, from.facing, most);

	for (*gone = most; *gone > 0 && friend >= 0 && geo_overlap(&to, &s->units[friend].box);)
		to = geo_shift(from, from.facing, --*gone);
	return to;
}

struct box run_stop(struct turn *t, int unit, const struct run *run, int32_t *gone)
{
	const struct state *s = t->state;
	const struct box from = s->units[unit].box;
	int32_t clearance = parameter(t, P_CLEARANCE), go = run->straight;
	struct box to = run->wheeled;

	for (int i = 0; i < s->count; i++) {
		const struct unit *e = &s->units[i];
		int32_t now, g;

		if (e->side == s->units[unit].side || !is_body(e) || !may_meet(&to, &e->box, go + clearance))
			continue;
		turn_look(t, i);
		now = geo_distance(&run->wheeled, &e->box);
		if (now < clearance && now < geo_distance(&from, &e->box)) {
			to = from;
			go = 0;
			break;
		}
		g = geo_travel(&run->wheeled, run->wheeled.facing, run->straight, &e->box, clearance);
		go = g < go ? g : go;
	}
	return clear_of(s, run->blocker, to, go, gone);
}
