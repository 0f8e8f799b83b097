#include "rules/verdict.h"

#include "rules/parameters.h"

#include <stdlib.h>

/* --- points --------------------------------------------------------------------------------------------------------
 */

static int64_t sum(const struct tally *p)
{
	return p->foot + p->horse + p->guns + p->commanders + p->ground;
}

static int32_t whole(int64_t thousandths)
{
	return (int32_t)((thousandths + 500) / 1000);
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
	event_set(ev, NUM_COMMANDERS, whole(p->commanders));
	if (p->counts_ground)
		event_set(ev, NUM_GROUND, whole(p->ground));
	turn_ruling(ev, t->rules->rulings.points);
}

/* FP89: a difference within so many parts in a hundred of the larger is a draw. */
static enum winner by_points(const struct turn *t, int64_t ours, int64_t theirs)
{
	int64_t larger = ours > theirs ? ours : theirs;

	if (llabs(ours - theirs) * 100 <= larger * parameter(t, P_DRAW_PERCENT))
		return WINNER_DRAW;
	return ours > theirs ? WINNER_GOVERNMENT : WINNER_JACOBITE;
}

enum winner count_points(struct turn *t)
{
	struct tally tally[SIDES] = {{0}};

	if (!t->rules->tally)
		return WINNER_DRAW;
	t->rules->tally(t, tally);
	for (int side = 0; side < SIDES; side++)
		say_points(t, (enum side)side, &tally[side]);
	return by_points(t, sum(&tally[SIDE_GOVERNMENT]), sum(&tally[SIDE_JACOBITE]));
}

/* --- the end of a turn ---------------------------------------------------------------------------------------------
 */

/* Has the army lost its part? */
static bool breaks(struct turn *t, enum side side)
{
	int lost = 0, begun = 0;
	struct event *ev;

	t->rules->losses(t, side, &lost, &begun);
	if (begun == 0 || lost * 100 < begun * parameter(t, P_BREAK_PERCENT))
		return false;
	turn_act(t);
	ev = turn_event(t, EVENT_BROKEN, -1);
	event_set(ev, NUM_SIDE, (int32_t)side);
	event_set(ev, NUM_LOST, lost);
	event_set(ev, NUM_BEFORE, begun);
	turn_ruling(ev, t->rules->rulings.broken);
	return !turn_void(t, ev);
}

void judge_battle(struct turn *t)
{
	struct state *s = t->state;
	int limit = parameter(t, P_TURN_LIMIT);
	enum winner winner;
	struct event *ev;

	for (int side = 0; side < SIDES && parameter(t, P_BREAK); side++)
		s->broken[side] = breaks(t, (enum side)side);
	if (!s->broken[0] && !s->broken[1] && (limit == 0 || s->turn < limit))
		return;
	turn_act(t);
	winner = count_points(t);
	if (s->broken[0] != s->broken[1])
		winner = s->broken[SIDE_GOVERNMENT] ? WINNER_JACOBITE : WINNER_GOVERNMENT;
	ev = turn_event(t, EVENT_VERDICT, -1);
	event_set(ev, NUM_WINNER, (int32_t)winner);
	ev->reason = s->broken[0] || s->broken[1] ? REASON_BROKE : REASON_TURN_LIMIT;
	turn_ruling(ev, s->broken[0] == s->broken[1] ? t->rules->rulings.by_points : t->rules->rulings.broken);
	if (ev->reason == REASON_TURN_LIMIT)
		turn_ruling(ev, t->rules->rulings.turn_limit);
	if (!turn_void(t, ev))
		s->winner = winner;
}
