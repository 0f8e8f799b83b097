/* A side's Move phase (FP14-FP27). */
#include "rules/fastplay/fastplay.h"
#include "rules/fastplay/field.h"
#include "rules/fastplay/parameters.h"
#include "rules/intent.h"
#include "rules/join.h"
#include "rules/march.h"
#include "rules/path.h"
#include "rules/planning.h"

#include <assert.h>
#include <string.h>

struct moving {
	struct turn *t;
	enum side side;
	bool *pending;          /* has still to move in this phase */
	struct intent **intent; /* read when the unit's turn first comes */
};

static bool has_steps(const struct intent *in)
{
	for (int i = 0; i < in->count; i++)
		if (in->list[i]->kind == CLAUSE_MOVE || in->list[i]->kind == CLAUSE_FACE)
			return true;
	return false;
}

static bool has_clause(const struct intent *in, enum clause_kind kind)
{
	for (int i = 0; i < in->count; i++)
		if (in->list[i]->kind == kind)
			return true;
	return false;
}

/* --- events --------------------------------------------------------------------------------------------------------
 */

static void cannot_move(struct turn *t, int unit, enum event_reason reason, const char *ruling)
{
	const struct box *b = &t->state->units[unit].box;
	struct walk w = {.from = *b, .to = *b, .reason = reason, .blocker = -1};
	struct event *ev;

	if (t->plan)
		plan_move(t, unit, &w, false);
	if (!turn_reaches(t, EVENT_NO_MOVE, unit))
		return;
	ev = turn_event(t, EVENT_NO_MOVE, unit);
	ev->reason = reason;
	turn_ruling(ev, ruling);
}

/* --- legs and turns ------------------------------------------------------------------------------------------------
 */

static bool anyone_pending(const struct moving *m)
{
	for (int i = 0; i < m->t->state->count; i++)
		if (m->pending[i])
			return true;
	return false;
}

static struct mover mover_of(struct moving *m, int unit)
{
	const struct intent *in = m->intent[unit];

	return (struct mover){.t = m->t,
		.unit = unit,
		.allowance = move_allowance(m->t, &m->t->state->units[unit]) - m->t->state->units[unit].used,
		.clauses = in->list,
		.count = in->count};
}

static bool farther(const struct walk *a, const struct walk *b)
{
	return a->gone != b->gone ? a->gone > b->gone : a->turned > b->turned;
}

/* FP4: would it come farther if those friends were gone who have still to move? */
static bool should_wait(struct moving *m, struct mover *mover, const struct walk *w)
{
	struct walk without;

	if (w->reason != REASON_FRIEND || !anyone_pending(m))
		return false;
	mover->absent = m->pending;
	walk_best(mover, &without);
	mover->absent = NULL;
	return farther(&without, w);
}

/* False when the unit waits. */
static bool walk_unit(struct moving *m, int unit, bool may_wait)
{
	struct mover mover = mover_of(m, unit);
	struct walk w;

	turn_act(m->t);
	walk_best(&mover, &w);
	if (may_wait && should_wait(m, &mover, &w))
		return false;
	if (turn_before(m->t, same_place(&w.from, &w.to) ? EVENT_NO_MOVE : EVENT_MOVE, unit)) {
		if (!unit_alive(&m->t->state->units[unit]))
			return true;
		mover = mover_of(m, unit);
		walk_best(&mover, &w);
	}
	if (m->t->plan)
		plan_move(m->t, unit, &w, m->intent[unit]->conditional);
	march(m->t, unit, &w);
	return true;
}

/* --- commanders ----------------------------------------------------------------------------------------------------
 */

/* False when he waits for the unit to come. */
static bool join(struct moving *m, int commander, int unit, bool may_wait)
{
	struct turn *t = m->t;
	struct unit *c = &t->state->units[commander];
	int32_t distance;
	struct box from = c->box;
	enum event_reason reason;

	turn_act(t);
	reason = join_reach(t, commander, unit, move_allowance(t, c) - c->used, &distance);
	if (reason == REASON_NONE && turn_before(t, EVENT_ATTACH, commander))
		reason = join_reach(t, commander, unit, move_allowance(t, c) - c->used, &distance);
	if (reason == REASON_NONE) {
		attach(t, commander, unit, distance);
		c->used += distance;
	} else if (reason == REASON_OUT_OF_REACH || reason == REASON_ENEMY_NEAR) {
		if (may_wait && m->pending[unit])
			return false;
		ride_toward(t, commander, unit, move_allowance(t, c) - c->used);
	}
	if (t->plan)
		plan_join(t, commander, unit, &from, reason, m->intent[commander]->conditional)->again = true;
	return true;
}

static bool move_commander(struct moving *m, int unit, bool may_wait)
{
	struct turn *t = m->t;
	struct unit *u = &t->state->units[unit];
	const struct intent *in = m->intent[unit];
	int target = join_target(t->state, unit, in->list, in->count);

	if (u->with >= 0 && (target >= 0 || has_steps(in) || has_clause(in, CLAUSE_LEAVE))) {
		turn_act(t);
		if (!detach(t, unit))
			return true;
	}
	if (has_steps(in) && u->used == 0)
		walk_unit(m, unit, false);
	if (target >= 0 && !join(m, unit, target, may_wait))
		return false;
	clear_of_unit(t, unit);
	return true;
}

/* --- the phase -----------------------------------------------------------------------------------------------------
 */

/* False when the unit waits for a friend. */
static bool move_one(struct moving *m, int unit, bool may_wait)
{
	struct turn *t = m->t;
	const struct unit *u = &t->state->units[unit];

	if (!m->intent[unit]) {
		m->intent[unit] = talloc(t->mem, struct intent);
		assert(m->intent[unit]);
		intent_read(t, unit, MOVE_CLAUSES, m->intent[unit]);
	}
	if (!unit_alive(u))
		return true;
	turn_act(t);
	if (u->kind == KIND_COMMANDER)
		return move_commander(m, unit, may_wait);
	if (has_clause(m->intent[unit], CLAUSE_JOIN) && turn_reaches(t, EVENT_REFUSED, unit)) {
		struct event *ev = turn_event(t, EVENT_REFUSED, unit);

		ev->reason = REASON_COMMANDER;
		turn_ruling(ev, "FP24");
	}
	if (!has_steps(m->intent[unit]))
		return true;
	if (u->kind == KIND_GUN) {
		cannot_move(t, unit, REASON_GUN, "FP22");
		return true;
	}
	if (state_locked(t->state, unit)) {
		cannot_move(t, unit, REASON_LOCKED, "FP21");
		return true;
	}
	return walk_unit(m, unit, may_wait);
}

/* One pass in file order. True if anybody moved. With `force` the first who waits moves as far as he can, and the pass
 * ends with him. */
static bool pass(struct moving *m, bool force)
{
	bool moved = false;

	for (int i = 0; i < m->t->state->count; i++) {
		if (!m->pending[i])
			continue;
		m->pending[i] = false; /* not in his own way */
		if (!move_one(m, i, !force)) {
			m->pending[i] = true;
			continue;
		}
		moved = true;
		if (force)
			break;
	}
	return moved;
}

void fastplay_move(struct turn *t)
{
	struct moving m = {.t = t, .side = (enum side)t->phase->side};
	const struct state *s = t->state;

	m.pending = talloc_zero_array(t->mem, bool, (unsigned)s->count + 1);
	m.intent = talloc_zero_array(t->mem, struct intent *, (unsigned)s->count + 1);
	for (int i = 0; i < s->count; i++)
		m.pending[i] =
			s->units[i].side == m.side && unit_alive(&s->units[i]) && intent_possible(t, i, MOVE_CLAUSES);
	while (anyone_pending(&m))
		if (!pass(&m, false))
			pass(&m, true);
}
