/* Fire and saves (RH20-RH34). */
#include "rules/shreds/fire.h"

#include "rules/intent.h"
#include "rules/shreds/field.h"
#include "rules/shreds/parameters.h"
#include "rules/shreds/shreds.h"

#include <assert.h>

enum {
	TIMED_CLAUSES =
		FIRE_CLAUSES | MOVE_CLAUSES | CHARGE_CLAUSES | CLAUSE_BIT(CLAUSE_COLUMN) | CLAUSE_BIT(CLAUSE_LINE),
};

/* --- at whom (RH21, RH22) ------------------------------------------------------------------------------------------
 */

int32_t shreds_range(const struct turn *t, int unit)
{
	return t->state->units[unit].kind == KIND_GUN ? parameter(t, P_GUN_RANGE) : parameter(t, P_LONG_RANGE);
}

enum event_reason shreds_aim(struct turn *t, int unit, int target, bool front, struct aim *out)
{
	/* FP22: a gun does not pivot, so it fires to its front alone. */
	return aim_muskets(t, unit, target, front || t->state->units[unit].kind == KIND_GUN, out);
}

/* --- cover (RH26-RH28) ---------------------------------------------------------------------------------------------
 */

static bool in_open_order(const struct unit *u)
{
	return u->kind == KIND_CLAN || u->kind == KIND_DISMOUNTED || u->kind == KIND_HUSSAR;
}

/* Does the line between the two cross the wall nearer to the target than to the firer? */
static bool behind_wall(const struct box *firer, const struct box *target, const struct terrain *wall)
{
	struct point from = firer->front, to, half;

	if (geo_arc_distance(firer, ARC_FRONT, target, &to) < 0)
		to = geo_centre(target);
	half = (struct point){from.x + (to.x - from.x) / 2, from.y + (to.y - from.y) / 2};
	for (int i = 0; i + 1 < wall->count || (wall->closed && i < wall->count); i++)
		if (geo_segments_cross(half, to, wall->points[i], wall->points[(i + 1) % wall->count]))
			return true;
	return false;
}

bool in_cover(const struct turn *t, int firer, int target)
{
	const struct state *s = t->state;
	const struct box *a = &s->units[firer].box, *b = &s->units[target].box;

	for (int i = 0; i < t->sc->table.terrain_count; i++) {
		const struct terrain *g = &t->sc->table.terrain[i];

		if (g->kind == TERRAIN_WALL && behind_wall(a, b, g))
			return true;
		if (g->kind == TERRAIN_WOOD && geo_box_meets_path(b, g->points, g->count, g->closed))
			return true;
	}
	return false;
}

int save_need(struct turn *t, struct event *ev, int firer, int target)
{
	bool open_order = in_open_order(&t->state->units[target]), cover = in_cover(t, firer, target);

	if (ev && open_order)
		turn_ruling(ev, "RH27");
	if (ev && cover)
		turn_ruling(ev, "RH28");
	return parameter(t, open_order || cover ? P_SAVE_COVER : P_SAVE_OPEN);
}

/* --- a volley ------------------------------------------------------------------------------------------------------
 */

struct fire_die fire_die(const struct turn *t, const struct unit *u, int32_t distance)
{
	bool far = distance > parameter(t, P_CLOSE_RANGE);

	if (u->kind == KIND_GUN)
		return (struct fire_die){parameter(t, P_GUN_DIE), 0, u->figures <= parameter(t, P_GUN_HALF_CREW)};
	if (is_highland(u))
		return (struct fire_die){
			parameter(t, P_HIGHLAND_FIRE_DIE), far ? parameter(t, P_HIGHLAND_LONG) : 0, false};
	return (struct fire_die){parameter(t, P_GOVERNMENT_FIRE_DIE), far ? parameter(t, P_GOVERNMENT_LONG) : 0, false};
}

int expected_hits(const struct fire_die *die, int dice)
{
	int hits = 0;

	for (int value = 1; value <= die->sides; value++) {
		int hit = value > die->less ? value - die->less : 0;

		hits += die->half ? (hit + 1) / 2 : hit;
	}
	return (100 * dice * hits + die->sides / 2) / die->sides;
}

/* RH23, RH24, RH31: a die a base, the sum is hits. */
static int roll_hits(struct turn *t, struct event *ev, const struct fire_die *die, int dice)
{
	int values[TURN_DICE_MAX], hits = 0;

	assert(dice <= TURN_DICE_MAX);
	turn_roll(t, ev, ev->actor, "fire", NULL, die->sides, dice, values);
	for (int i = 0; i < dice; i++) {
		int hit = values[i] - die->less;

		hits += hit < 0 ? 0 : die->half ? (hit + 1) / 2 : hit;
	}
	return turn_hits(t, ev, hits);
}

void volley(struct turn *t, struct event *ev, int target, int dice, int32_t distance)
{
	struct unit *u = &t->state->units[ev->actor], *e = &t->state->units[target];
	struct fire_die die = fire_die(t, u, distance);
	int values[TURN_DICE_MAX], hits, saves, need, lost;

	turn_ruling(ev, "RH23");
	if (die.half) {
		turn_ruling(ev, "RH31");
		event_set(ev, NUM_HALVED, 1);
	}
	if (die.less > 0)
		event_set(ev, NUM_LESS, die.less);
	hits = roll_hits(t, ev, &die, dice);
	hits = hits > TURN_DICE_MAX ? TURN_DICE_MAX : hits;
	need = save_need(t, ev, ev->actor, target);
	turn_roll(t, ev, target, "save", u->code, 6, hits, values);
	saves = dice_at_least(values, hits, need);
	turn_ruling(ev, e->kind == KIND_GUN ? "RH32" : "RH26");
	lost = hits - saves;
	event_set(ev, NUM_DICE, dice);
	event_set(ev, NUM_EXPECTED, expected_hits(&die, dice));
	event_set(ev, NUM_HITS, hits);
	event_set(ev, NUM_SAVES, saves);
	event_set(ev, NUM_NEED, need);
	event_set(ev, NUM_BEFORE, e->figures);
	event_set(ev, NUM_AFTER, lost > e->figures ? 0 : e->figures - lost);
	take_losses(t, target, ev->actor, lost, e->kind == KIND_GUN ? REASON_CREW : REASON_FIRE);
}

/* --- the two phases ------------------------------------------------------------------------------------------------
 */

static bool is_step(const struct clause *c)
{
	return c->kind == CLAUSE_MOVE || c->kind == CLAUSE_FACE || c->kind == CLAUSE_COLUMN || c->kind == CLAUSE_LINE ||
	       c->kind == CLAUSE_CHARGE;
}

/* RH20: it fires before it moves when its orders name the fire first, or when it does not move at all. */
bool fires_first(struct turn *t, int unit)
{
	const struct unit *u = &t->state->units[unit];
	struct intent in;

	if (u->pursues >= 0)
		return false;
	if (!u->commanded || u->balked)
		return true;
	intent_peek(t, unit, TIMED_CLAUSES, &in);
	for (int i = 0; i < in.count; i++) {
		if (in.list[i]->kind == CLAUSE_FIRE)
			return true;
		if (is_step(in.list[i]))
			return false;
	}
	return true;
}

static void no_volley(struct turn *t, int unit, enum event_reason reason, int target)
{
	struct event *ev;

	if (!turn_reaches(t, EVENT_NO_VOLLEY, unit))
		return;
	ev = turn_event(t, EVENT_NO_VOLLEY, unit);
	if (target >= 0)
		turn_object(ev, target);
	ev->reason = reason;
	turn_ruling(ev, reason == REASON_LOCKED || reason == REASON_FIGHTING ? "RH34"
			: reason == REASON_HORSE                             ? "RH23"
			: reason == REASON_COLUMN                            ? "RH14"
			: reason == REASON_ROUTING                           ? "RH52"
			: reason == REASON_OUT_OF_RANGE                      ? "RH21"
									     : "RH22");
}

static enum event_reason unable(const struct turn *t, int unit)
{
	const struct unit *u = &t->state->units[unit];

	if (u->kind == KIND_COMMANDER)
		return REASON_COMMANDER;
	if (unit_is_horse(u))
		return REASON_HORSE;
	if (u->routing)
		return REASON_ROUTING;
	if (u->column)
		return REASON_COLUMN;
	return state_locked(t->state, unit) ? REASON_LOCKED : REASON_NONE;
}

static bool orders_fire(const struct intent *in)
{
	return in->count > 0 && in->list[in->count - 1]->kind == CLAUSE_FIRE;
}

static void shoot_one(struct turn *t, int unit)
{
	struct unit *u = &t->state->units[unit];
	enum event_reason reason = unable(t, unit);
	struct intent in;
	struct event *ev;
	struct aim aim;

	if (u->charged) /* RH20: never after contact */
		return;
	intent_read(t, unit, FIRE_CLAUSES, &in);
	turn_act(t);
	if (reason != REASON_NONE) {
		if (orders_fire(&in))
			no_volley(t, unit, reason, -1);
		return;
	}
	turn_before(t, EVENT_VOLLEY, unit);
	if (!unit_alive(u) || !aim_by_orders(t, unit, &in, &aim)) {
		if (unit_alive(u) && aim.reason != REASON_NONE && aim.reason != REASON_HELD)
			no_volley(t, unit, aim.reason, aim.refused);
		return;
	}
	ev = turn_event(t, EVENT_VOLLEY, unit);
	turn_object(ev, aim.target);
	event_set(ev, NUM_DISTANCE, aim.distance);
	event_set(ev, NUM_ARC, (int32_t)aim.arc);
	turn_ruling(ev, aim.arc == ARC_FRONT ? "RH22" : "FP30");
	turn_ruling(ev, "RH21");
	u->fired = true;
	volley(t, ev, aim.target, u->kind == KIND_GUN ? 1 : aim.eligible, aim.distance);
}

static void shoot_all(struct turn *t, bool first)
{
	const struct state *s = t->state;
	bool *now = talloc_zero_array(t->mem, bool, (unsigned)s->count + 1);

	for (int i = 0; i < s->count; i++)
		now[i] = (int)s->units[i].side == t->phase->side && unit_alive(&s->units[i]) && !s->units[i].fired &&
			 fires_first(t, i) == first;
	for (int i = 0; i < s->count; i++)
		if (now[i] && unit_alive(&s->units[i]))
			shoot_one(t, i);
}

void shreds_fire(struct turn *t)
{
	shoot_all(t, true);
}

void shreds_shoot(struct turn *t)
{
	shoot_all(t, false);
}
