/* The end of a turn and of the battle (RH59). */
#include "rules/shreds/field.h"
#include "rules/shreds/parameters.h"
#include "rules/shreds/shreds.h"

#include <stdlib.h>

/* Half its foot and horse units are destroyed or routing. */
static bool breaks(struct turn *t, enum side side)
{
	const struct state *s = t->state;
	int begun = 0, lost = 0;
	struct event *ev;

	for (int i = 0; i < s->count; i++)
		if (s->units[i].side == side && unit_is_formed(&s->units[i])) {
			begun++;
			lost += !unit_alive(&s->units[i]) || s->units[i].routing;
		}
	if (begun == 0 || lost * 100 < begun * parameter(t, P_BREAK_PERCENT))
		return false;
	turn_act(t);
	ev = turn_event(t, EVENT_BROKEN, -1);
	event_set(ev, NUM_SIDE, (int32_t)side);
	event_set(ev, NUM_LOST, lost);
	event_set(ev, NUM_BEFORE, begun);
	turn_ruling(ev, "RH59");
	return !turn_void(t, ev);
}

/* What the side's enemies have lost, in thousandths of a point. */
struct tally {
	int32_t foot, horse, guns, generals;
};

static int32_t sum(const struct tally *p)
{
	return p->foot + p->horse + p->guns + p->generals;
}

static void count_losses(const struct turn *t, enum side side, struct tally *out)
{
	const struct state *s = t->state;

	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];
		int lost = u->figures_begun - u->figures;

		if (u->side == side)
			continue;
		if (unit_is_foot(u))
			out->foot += lost * parameter(t, P_POINTS_FOOT);
		else if (unit_is_horse(u))
			out->horse += lost * parameter(t, P_POINTS_HORSE);
		else if (!unit_alive(u) && u->kind == KIND_GUN)
			out->guns += parameter(t, P_POINTS_GUN);
		else if (!unit_alive(u))
			out->generals += parameter(t, P_POINTS_GENERAL);
	}
}

static int whole(int32_t thousandths)
{
	return (thousandths + 500) / 1000;
}

static void say_points(struct turn *t, enum side side, const struct tally *p)
{
	struct event *ev = turn_event(t, EVENT_POINTS, -1);

	t->state->points[side] = whole(sum(p));
	event_set(ev, NUM_SIDE, (int32_t)side);
	event_set(ev, NUM_POINTS, whole(sum(p)));
	event_set(ev, NUM_FOOT, whole(p->foot));
	event_set(ev, NUM_HORSE, whole(p->horse));
	event_set(ev, NUM_GUNS, whole(p->guns));
	event_set(ev, NUM_COMMANDERS, whole(p->generals));
	turn_ruling(ev, "RH59");
}

static enum winner by_points(const struct turn *t, int32_t ours, int32_t theirs)
{
	int64_t larger = ours > theirs ? ours : theirs;

	if (llabs((int64_t)ours - theirs) * 100 <= larger * parameter(t, P_DRAW_PERCENT))
		return WINNER_DRAW;
	return ours > theirs ? WINNER_GOVERNMENT : WINNER_JACOBITE;
}

static void judge_battle(struct turn *t)
{
	struct state *s = t->state;
	struct tally tally[SIDES] = {{0}};
	int limit = parameter(t, P_TURN_LIMIT);
	enum winner winner;
	struct event *ev;

	for (int side = 0; side < SIDES && parameter(t, P_BREAK); side++)
		s->broken[side] = breaks(t, (enum side)side);
	if (!s->broken[0] && !s->broken[1] && (limit == 0 || s->turn < limit))
		return;
	turn_act(t);
	for (int side = 0; side < SIDES; side++) {
		count_losses(t, (enum side)side, &tally[side]);
		say_points(t, (enum side)side, &tally[side]);
	}
	if (s->broken[0] != s->broken[1])
		winner = s->broken[SIDE_GOVERNMENT] ? WINNER_JACOBITE : WINNER_GOVERNMENT;
	else
		winner = by_points(t, sum(&tally[SIDE_GOVERNMENT]), sum(&tally[SIDE_JACOBITE]));
	ev = turn_event(t, EVENT_VERDICT, -1);
	event_set(ev, NUM_WINNER, (int32_t)winner);
	ev->reason = s->broken[0] || s->broken[1] ? REASON_BROKE : REASON_TURN_LIMIT;
	turn_ruling(ev, "RH59");
	if (!turn_void(t, ev))
		s->winner = winner;
}

void shreds_end(struct turn *t)
{
	turn_end_amendments(t);
	for (int i = 0; i < t->state->count; i++) {
		struct unit *u = &t->state->units[i];

		u->ran = false;
		u->used = 0;
		u->points_left = 0;
	}
	judge_battle(t);
	turn_unused_amendments(t);
}
