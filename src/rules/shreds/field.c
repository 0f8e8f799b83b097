#include "rules/shreds/field.h"

#include "rules/shreds/parameters.h"

#include <assert.h>

bool can_act(const struct state *s, int unit)
{
	const struct unit *u = &s->units[unit];

	return unit_alive(u) && unit_is_formed(u) && !u->routing && u->halted == 0 && !state_locked(s, unit);
}

bool is_at_half(const struct turn *t, int unit)
{
	const struct unit *u = &t->state->units[unit];

	return u->figures * 100 <= u->figures_begun * parameter(t, P_ROUT_PERCENT);
}

const char *act_in_half(const struct turn *t, int who, const char *act)
{
	enum side half = (enum side)t->phase->side;

	if (t->state->units[who].side == half)
		return act;
	return talloc_asprintf(t->mem, "%s-%s", half == SIDE_GOVERNMENT ? "E" : "J", act);
}

/* --- moves by dice -------------------------------------------------------------------------------------------------
 */

/* RH9, RH10, RH14, RH23 */
struct move_dice move_dice(const struct turn *t, const struct unit *u, bool charge)
{
	if (unit_is_horse(u))
		return (struct move_dice){parameter(t, P_HORSE_MOVE_DICE), parameter(t, P_HORSE_MOVE_DIE),
			parameter(t, P_HORSE_MOVE) + (charge ? parameter(t, P_HORSE_CHARGE) : 0) +
				(u->column ? parameter(t, P_COLUMN_MOVE) : 0)};
	return (struct move_dice){1, parameter(t, is_highland(u) ? P_HIGHLAND_MOVE_DIE : P_GOVERNMENT_MOVE_DIE),
		parameter(t, P_FOOT_MOVE) + (charge ? parameter(t, P_FOOT_CHARGE) : 0) +
			(u->column ? parameter(t, P_COLUMN_MOVE) : 0)};
}

void move_range(const struct turn *t, int unit, bool charge, int32_t *least, int32_t *most)
{
	struct move_dice d = move_dice(t, &t->state->units[unit], charge);

	*least = d.plus + INCH(d.count);
	*most = d.plus + INCH(d.count * d.sides);
}

int32_t roll_move(struct turn *t, int unit, bool charge)
{
	struct unit *u = &t->state->units[unit];
	struct move_dice d;
	int values[TURN_DICE_MAX];
	int32_t inches;
	struct event *ev;

	turn_act(t); /* how far it may go hangs on nobody else */
	if (!turn_reaches(t, EVENT_ROLL, unit))
		return 0;
	d = move_dice(t, u, charge);
	inches = d.plus;
	ev = turn_event(t, EVENT_ROLL, unit);
	turn_roll(t, ev, unit, "move", NULL, d.sides, d.count, values);
	for (int i = 0; i < d.count; i++)
		inches += INCH(values[i]);
	event_set(ev, NUM_DICE, d.count);
	event_set(ev, NUM_ALLOWANCE, inches);
	turn_ruling(ev, unit_is_horse(u) ? "RH10" : "RH9");
	if (charge)
		turn_ruling(ev, "RH11");
	if (u->column)
		turn_ruling(ev, "RH14");
	return inches;
}

/* --- losses --------------------------------------------------------------------------------------------------------
 */

void lose_unit(struct turn *t, int unit, int by, enum event_reason reason)
{
	struct state *s = t->state;
	struct unit *u = &s->units[unit];
	struct event *ev;

	turn_act(t);
	ev = turn_event(t, EVENT_DESTROYED, unit);
	if (by >= 0)
		turn_object(ev, by);
	event_set(ev, NUM_BEFORE, u->figures);
	ev->reason = reason;
	turn_ruling(ev, reason == REASON_GUN ? "RH33" : reason == REASON_ROUTING ? "RH52" : "RH58");
	u->bases = u->figures = 0;
	u->routing = false;
	unlock(s, unit);
	for (int i = 0; i < s->count; i++)
		if (s->units[i].kind == KIND_COMMANDER && s->units[i].with == unit && unit_alive(&s->units[i]))
			set_down(t, i);
}

void take_losses(struct turn *t, int unit, int by, int figures, enum event_reason reason)
{
	struct unit *u = &t->state->units[unit];

	if (figures <= 0 || !unit_alive(u))
		return;
	u->wounded = true;
	if (figures >= u->figures) {
		lose_unit(t, unit, by, reason);
		return;
	}
	u->figures -= figures;
	u->bases = unit_bases_of(u, u->figures);
}

/* --- routs ---------------------------------------------------------------------------------------------------------
 */

void begin_rout(struct turn *t, int unit, enum event_reason reason, int router)
{
	struct state *s = t->state;
	struct event *ev;

	turn_act(t);
	if (!turn_reaches(t, EVENT_ROUT, unit))
		return;
	ev = turn_event(t, EVENT_ROUT, unit);
	if (router >= 0)
		turn_object(ev, router);
	ev->reason = reason;
	turn_ruling(ev, reason == REASON_PANIC ? "RH54" : reason == REASON_FLED ? "RH38" : "RH51");
	if (turn_void(t, ev))
		return;
	s->units[unit].routing = s->units[unit].broke = true;
	s->units[unit].column = false;
	unit_refit(&s->units[unit]);
	for (int i = 0; i < s->count; i++) {
		struct unit *e = &s->units[i];
		bool charging = (int)e->side == t->phase->side && e->charge_target == unit && !e->balked;

		if (e->side != s->units[unit].side && unit_alive(e) && is_pursuer(e) && !e->routing &&
			(charging || state_locked_pair(s, i, unit)))
			e->pursues = (int16_t)unit;
	}
	unlock(s, unit);
}

/* --- moves that nobody ordered -------------------------------------------------------------------------------------
 */

struct box about_to(const struct box *b, int facing)
{
	return geo_turn(*b, geo_degrees(facing - b->facing));
}

static bool is_clear(struct turn *t, int unit, const struct box *b)
{
	const struct state *s = t->state;

	for (int i = 0; i < s->count; i++) {
		if (i == unit || !is_body(&s->units[i]) || !may_meet(b, &s->units[i].box, 0))
			continue;
		turn_look(t, i);
		if (geo_overlap(b, &s->units[i].box))
			return false;
	}
	return true;
}

/* How far the ground lets it come: what it enters is paid for, or stops it. */
static int32_t ground_limit(struct turn *t, const struct involuntary *m)
{
	enum { OVER = 2 * OVERLAP_TOLERANCE };
	struct box b = m->from;
	int32_t left = m->distance, gone = 0;

	while (left > 0) {
		struct point by = geo_step((struct point){0, 0}, m->bearing, left);
		int32_t cost, go = ground_cost_travel(t, &b, by, &cost);

		if (cost == 0)
			return gone + left;
		gone += go;
		left -= go;
		if (m->ground_stops || left - cost < OVER)
			return gone;
		left -= cost + OVER;
		gone += OVER;
		b = geo_shift(m->from, m->bearing, gone);
	}
	return gone;
}

/* How far no enemy stops it, up to `most`. */
static int32_t enemy_limit(struct turn *t, const struct involuntary *m, int32_t most)
{
	const struct state *s = t->state;
	struct point by = geo_step((struct point){0, 0}, m->bearing, most);

	for (int i = 0; i < s->count; i++) {
		int32_t go;

		if (s->units[i].side == s->units[m->unit].side || !is_body(&s->units[i]) ||
			!may_meet(&m->from, &s->units[i].box, most))
			continue;
		turn_look(t, i);
		go = geo_travel_by(&m->from, by, &s->units[i].box, 0);
		most = go < most ? go : most;
	}
	return most;
}

struct box run_away(struct turn *t, const struct involuntary *m, bool *off, enum event_reason *reason)
{
	enum { STEP = 100, FARTHEST = INCH(30) };
	int32_t ground = ground_limit(t, m), go = enemy_limit(t, m, ground);
	struct box to = geo_shift(m->from, m->bearing, go);

	*off = false;
	*reason = go < ground ? REASON_ENEMY : ground < m->distance ? REASON_TERRAIN : REASON_NONE;
	if (!on_table(t, &to)) {
		*off = true;
		*reason = REASON_EDGE;
		return to;
	}
	if (is_clear(t, m->unit, &to))
		return to;
	/* Friends stand there: through them, or short of them where there is no room beyond. */
	for (int32_t d = go + STEP; *reason == REASON_NONE && d <= FARTHEST; d += STEP) {
		struct involuntary longer = *m;

		longer.distance = d;
		to = geo_shift(m->from, m->bearing, d);
		if (!on_table(t, &to) || enemy_limit(t, &longer, d) < d || ground_limit(t, &longer) < d)
			break;
		if (is_clear(t, m->unit, &to))
			return to;
	}
	*reason = REASON_FRIEND;
	for (int32_t d = go - STEP; d > -STEP; d -= STEP) {
		to = geo_shift(m->from, m->bearing, d > 0 ? d : 0);
		if (on_table(t, &to) && is_clear(t, m->unit, &to))
			return to;
	}
	return t->state->units[m->unit].box;
}

/* --- what the service asks for -------------------------------------------------------------------------------------
 */

void shreds_settle(struct turn *t, int unit, bool moved)
{
	struct state *s = t->state;
	struct unit *u = &s->units[unit];

	if (unit_alive(u)) {
		unit_refit(u);
		if (u->kind == KIND_COMMANDER && u->with >= 0 && !unit_alive(&s->units[u->with]))
			u->with = -1;
		if (moved)
			unlock_apart(s, unit);
		carry(t, unit);
		return;
	}
	unlock(s, unit);
	u->with = -1;
	u->routing = false;
	for (int i = 0; i < s->count; i++)
		if (s->units[i].with == unit && unit_alive(&s->units[i]))
			set_down(t, i);
}

/* RH16 */
int32_t shreds_ground(const struct turn *t, enum terrain_kind kind, bool walls)
{
	(void)walls;
	return kind == TERRAIN_WALL || kind == TERRAIN_WOOD || kind == TERRAIN_RIVER ? parameter(t, P_GROUND_COST)
										     : GROUND_FREE;
}

/* RH29: a battle file that counts the bases of other rules gives the part of the roster that is left. */
void shreds_muster(struct scenario *sc)
{
	const int32_t *value = sc->parameters->values;

	for (int i = 0; i < sc->state->count; i++) {
		struct unit *u = &sc->state->units[i];
		int bases = u->bases, begun = u->begun;

		if (u->kind == KIND_COMMANDER || u->figures_begun)
			continue;
		u->begun = u->kind == KIND_GUN ? 1 : value[unit_is_horse(u) ? P_HORSE_BASES : P_FOOT_BASES];
		u->figures_begun = u->kind == KIND_GUN ? value[P_GUN_CREW]
				   : unit_is_horse(u)  ? value[P_HORSE_FIGURES]
						       : value[P_FOOT_FIGURES];
		u->figures = (u->figures_begun * bases + begun - 1) / begun;
		u->bases = unit_bases_of(u, u->figures);
		unit_refit(u);
	}
}
