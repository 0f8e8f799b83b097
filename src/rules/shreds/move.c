/* Step 3, movement: flights, charges and the fire at them, pursuits, ordered moves, generals. */
#include "rules/shreds/move.h"
#include "rules/intent.h"
#include "rules/join.h"
#include "rules/march.h"
#include "rules/planning.h"
#include "rules/shreds/charge.h"
#include "rules/shreds/field.h"
#include "rules/shreds/fire.h"
#include "rules/shreds/parameters.h"
#include "rules/shreds/shreds.h"

/* --- flights (RH37) ------------------------------------------------------------------------------------------------
 */

/* The nearest of those who charge it. */
static int nearest_charger(const struct turn *t, int unit)
{
	const struct state *s = t->state;
	int32_t nearest = 0;
	int best = -1;

	for (int i = 0; i < s->count; i++) {
		int32_t d;

		if (s->units[i].charge_target != unit || (int)s->units[i].side != t->phase->side ||
			!unit_alive(&s->units[i]))
			continue;
		d = geo_distance(&s->units[i].box, &s->units[unit].box);
		if (best < 0 || d < nearest) {
			best = i;
			nearest = d;
		}
	}
	return best;
}

/* Off along that bearing; a unit that leaves the table is lost (RH58). */
static void go_away(struct turn *t, struct event *ev, const struct involuntary *m)
{
	struct unit *u = &t->state->units[m->unit];
	struct box from = u->box, to;
	struct point a = geo_centre(&from), b;
	bool off;

	to = run_away(t, m, &off, &ev->reason);
	if (ev->reason == REASON_TERRAIN)
		turn_ruling(ev, "RH16");
	turn_saw(t, ev);
	turn_from(ev, &from);
	if (turn_void(t, ev)) {
		to = from;
		off = false;
	}
	turn_to(ev, &to);
	b = geo_centre(&to);
	event_set(ev, NUM_DISTANCE, geo_length(b.x - a.x, b.y - a.y));
	if (off)
		lose_unit(t, m->unit, -1, REASON_EDGE);
	else
		come_to(t, m->unit, &to);
}

static void flee(struct turn *t, int unit)
{
	const struct state *s = t->state;
	int charger, value, bearing = own_edge(s->units[unit].side);
	struct event *ev;

	turn_act(t);
	if (!turn_reaches(t, EVENT_FLIGHT, unit))
		return;
	charger = nearest_charger(t, unit);
	ev = turn_event(t, EVENT_FLIGHT, unit);
	turn_roll(t, ev, unit, "flee", NULL, parameter(t, P_FLEE_DIE), 1, &value);
	turn_ruling(ev, "RH37");
	if (charger >= 0) {
		turn_object(ev, charger);
		bearing = geo_bearing(geo_centre(&s->units[charger].box), geo_centre(&s->units[unit].box));
	}
	go_away(t, ev,
		&(struct involuntary){.unit = unit,
			.from = about_to(&s->units[unit].box, bearing),
			.bearing = bearing,
			.distance = INCH(value)});
}

void rout_move(struct turn *t, int unit)
{
	struct unit *u = &t->state->units[unit];
	struct event *ev;
	int value;

	turn_act(t);
	if (!turn_reaches(t, EVENT_ROUT_MOVE, unit))
		return;
	ev = turn_event(t, EVENT_ROUT_MOVE, unit);
	turn_roll(t, ev, unit, "rout", NULL, parameter(t, P_ROUT_DIE), 1, &value);
	turn_ruling(ev, "RH52");
	u->ran = true;
	go_away(t, ev,
		&(struct involuntary){.unit = unit,
			.from = about_to(&u->box, own_edge(u->side)),
			.bearing = own_edge(u->side),
			.distance = INCH(value)});
}

/* --- charges, and the fire of those who stand (RH35, RH36) ---------------------------------------------------------
 */

static void charge_all(struct turn *t)
{
	const struct state *s = t->state;
	unsigned n = (unsigned)s->count + 1;
	struct box *start = talloc_zero_array(t->mem, struct box, n);
	struct charges c = {.list = talloc_zero_array(t->mem, struct declared, n), .start = start};

	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];

		start[i] = u->box;
		if ((int)u->side == t->phase->side && u->charge_target >= 0 && unit_alive(u))
			c.list[c.count++] = (struct declared){
				i, u->charge_target, geo_distance(&u->box, &s->units[u->charge_target].box), false};
	}
	for (struct declared *d; (d = charges_next(t, &c, (enum side)t->phase->side));) {
		d->done = true;
		carry_out_charge(t, &c, d);
	}
}

/* The charger that it fires at: one that a fire clause of its own names, else the first to come. -1: none. */
static int fires_at(struct turn *t, int unit, const bool *was_locked)
{
	const struct state *s = t->state;
	const struct unit *u = &s->units[unit];
	struct intent in;
	int first = -1;

	if (!unit_alive(u) || !unit_is_foot(u) || u->column || u->routing || was_locked[unit])
		return -1;
	intent_peek(t, unit, FIRE_CLAUSES, &in);
	for (int i = 0; i < s->lock_count; i++) {
		const struct lock *l = &s->locks[i];

		if (l->charged != unit || l->face == ARC_REAR)
			continue;
		first = first < 0 ? l->charger : first;
		for (int k = 0; k < in.count; k++)
			for (int n = 0; in.list[k]->kind == CLAUSE_FIRE && n < in.list[k]->target_count; n++)
				if (in.list[k]->targets[n].kind == TARGET_UNIT &&
					in.list[k]->targets[n].unit == l->charger)
					return l->charger;
	}
	return first;
}

static enum arc face_of_lock(const struct state *s, int charger, int charged)
{
	for (int i = 0; i < s->lock_count; i++)
		if (s->locks[i].charger == charger && s->locks[i].charged == charged)
			return s->locks[i].face;
	return ARC_FRONT;
}

static void stand_and_fire(struct turn *t, int unit, int charger)
{
	struct unit *u = &t->state->units[unit], *e = &t->state->units[charger];
	enum arc face = face_of_lock(t->state, charger, unit);
	int dice = u->bases, flank = parameter(t, P_FLANK_DICE);
	struct event *ev;

	turn_act(t);
	ev = turn_event(t, EVENT_CLOSING_FIRE, unit);
	turn_object(ev, charger);
	event_set(ev, NUM_FACE, (int32_t)face);
	turn_ruling(ev, "RH35");
	if (face != ARC_FRONT) {
		dice = dice < flank ? dice : flank;
		turn_ruling(ev, "FP30");
	}
	u->closed_fire = true;
	volley(t, ev, charger, dice, 0);
	if (unit_alive(e) && is_at_half(t, charger) && e->wounded) {
		begin_rout(t, charger, REASON_HALF_STRENGTH, -1);
		if (unit_alive(e))
			turn_ruling(t->events->list[t->events->count - 1], "RH36");
		if (e->routing)
			rout_move(t, charger);
	}
}

static void closing_fire(struct turn *t, const bool *was_locked)
{
	for (int i = 0; i < t->state->count; i++) {
		int charger = (int)t->state->units[i].side == t->phase->side ? -1 : fires_at(t, i, was_locked);

		turn_act(t);
		if (charger >= 0 && turn_reaches(t, EVENT_CLOSING_FIRE, i))
			charger = fires_at(t, i, was_locked);
		if (charger >= 0 && unit_alive(&t->state->units[i]))
			stand_and_fire(t, i, charger);
	}
}

/* --- ordered moves -------------------------------------------------------------------------------------------------
 */

static void no_room(struct turn *t, int unit)
{
	struct event *ev;

	if (!turn_reaches(t, EVENT_REFUSED, unit))
		return;
	ev = turn_event(t, EVENT_REFUSED, unit);
	ev->reason = REASON_NO_ROOM;
	turn_ruling(ev, "RH13");
}

/* RH13-RH15: into column or out of it at the start of the move. */
void change_formation(struct turn *t, int unit, bool column)
{
	struct unit *u = &t->state->units[unit], formed;
	struct event *ev;

	turn_act(t);
	if (u->column == column || !turn_reaches(t, column ? EVENT_FORM_COLUMN : EVENT_FORM_LINE, unit))
		return;
	formed = *u;
	if (column && u->side != SIDE_JACOBITE) {
		if (!turn_reaches(t, EVENT_REFUSED, unit))
			return;
		ev = turn_event(t, EVENT_REFUSED, unit);
		ev->reason = REASON_COLUMN;
		turn_ruling(ev, "RH14");
		return;
	}
	formed.column = column;
	unit_refit(&formed);
	if (!place_clear(t, unit, &formed.box, u->side, 0)) {
		formed.box = geo_box_at_centre(geo_centre(&u->box), u->box.facing, formed.box.width, formed.box.depth);
		if (!place_clear(t, unit, &formed.box, u->side, 0)) {
			no_room(t, unit);
			return;
		}
	}
	ev = turn_event(t, column ? EVENT_FORM_COLUMN : EVENT_FORM_LINE, unit);
	turn_ruling(ev, "RH13");
	if (column)
		turn_ruling(ev, "RH15");
	if (turn_void(t, ev))
		return;
	*u = formed;
	carry(t, unit);
	displace_commanders(t, unit);
}

bool has_steps(const struct intent *in)
{
	for (int i = 0; i < in->count; i++)
		if (in->list[i]->kind == CLAUSE_MOVE || in->list[i]->kind == CLAUSE_FACE)
			return true;
	return false;
}

void read_steps(struct turn *t, int unit, struct intent *in)
{
	intent_read(t, unit, MOVE_CLAUSES | CLAUSE_BIT(CLAUSE_COLUMN) | CLAUSE_BIT(CLAUSE_LINE), in);
}

void form_up(struct turn *t, int unit, const struct intent *in)
{
	for (int i = 0; i < in->count; i++)
		if (in->list[i]->kind == CLAUSE_COLUMN || in->list[i]->kind == CLAUSE_LINE)
			change_formation(t, unit, in->list[i]->kind == CLAUSE_COLUMN);
}

static void walk_unit(struct turn *t, int unit, const struct clause *const *list, int count, int32_t allowance)
{
	struct mover mover = {.t = t, .unit = unit, .allowance = allowance, .clauses = list, .count = count};
	struct walk w;

	if (!unit_alive(&t->state->units[unit]))
		return;
	turn_act(t);
	walk_best(&mover, &w);
	if (turn_before(t, same_place(&w.from, &w.to) ? EVENT_NO_MOVE : EVENT_MOVE, unit)) {
		if (!unit_alive(&t->state->units[unit]) || state_locked(t->state, unit))
			return;
		walk_best(&mover, &w);
	}
	march(t, unit, &w);
}

static void move_ordered(struct turn *t, int unit)
{
	const struct unit *u = &t->state->units[unit];
	struct intent in;

	if (!u->commanded || u->balked || u->charge_target >= 0 || !can_act(t->state, unit))
		return;
	read_steps(t, unit, &in);
	form_up(t, unit, &in);
	if (has_steps(&in))
		walk_unit(t, unit, in.list, in.count, roll_move(t, unit, false));
}

/* --- pursuit (RH50) ------------------------------------------------------------------------------------------------
 */

/* RH49, RH50: whether cavalry halts whose orders say so. */
bool halts(struct turn *t, int unit, int enemy, const char *ruling)
{
	const struct unit *u = &t->state->units[unit];
	int value, most = parameter(t, P_HALT);
	struct intent in;
	struct event *ev;
	bool stays;

	if (!unit_is_horse(u))
		return false;
	intent_peek(t, unit, CLAUSE_BIT(CLAUSE_HALT), &in);
	if (in.count == 0)
		return false;
	turn_act(t);
	if (!turn_reaches(t, EVENT_HALT, unit))
		return true;
	ev = turn_event(t, EVENT_HALT, unit);
	turn_object(ev, enemy);
	turn_roll(t, ev, unit, "halt", act_in_half(t, unit, t->state->units[enemy].code), 6, 1, &value);
	stays = value <= most;
	event_set(ev, NUM_NEED, most);
	event_set(ev, NUM_AFTER, stays);
	if (stays)
		turn_ruling(ev, ruling);
	return stays;
}

static bool may_pursue(const struct state *s, int unit, int enemy)
{
	const struct unit *u = &s->units[unit], *e = &s->units[enemy];

	return unit_alive(u) && !u->routing && !state_locked(s, unit) && unit_alive(e) && e->routing;
}

void pursue(struct turn *t, int unit)
{
	struct state *s = t->state;
	struct unit *u = &s->units[unit];
	int enemy = u->pursues;
	struct leg leg = {.kind = LEG_TOWARD, .unit = enemy};
	struct clause march_on = {.kind = CLAUSE_MOVE, .legs = &leg, .leg_count = 1};
	struct clause turn_to_it = {.kind = CLAUSE_FACE, .face = {.kind = FACE_UNIT, .unit = enemy}};
	const struct clause *list[] = {&turn_to_it, &march_on};
	const struct charges none = {.count = 0};
	int32_t inches;

	u->pursues = -1;
	if (!may_pursue(s, unit, enemy) || halts(t, unit, enemy, "RH50"))
		return;
	inches = roll_move(t, unit, false);
	if (!unit_alive(u))
		return;
	turn_ruling(t->events->list[t->events->count - 1], "RH50");
	leg.distance = inches;
	if (can_catch(t, unit, enemy, inches, NULL)) {
		if (turn_before(t, EVENT_CHARGE, unit) && !may_pursue(s, unit, enemy))
			return;
		run_at(t, &none, &(struct declared){unit, enemy, 0, false}, inches);
		return;
	}
	walk_unit(t, unit, list, 2, inches);
}

/* --- generals (RH18) -----------------------------------------------------------------------------------------------
 */

/* Whom he is ordered to join or to rally: he goes there and stays with it. */
static int goes_to(const struct turn *t, int general, const struct intent *in)
{
	int unit = join_target(t->state, general, in->list, in->count);

	for (int i = 0; i < in->count; i++)
		if (in->list[i]->kind == CLAUSE_RALLY && in->list[i]->unit >= 0)
			unit = in->list[i]->unit;
	return unit >= 0 && t->state->units[general].with == unit ? -1 : unit;
}

static bool leaves(const struct intent *in)
{
	for (int i = 0; i < in->count; i++)
		if (in->list[i]->kind == CLAUSE_LEAVE)
			return true;
	return false;
}

void move_general(struct turn *t, int general)
{
	struct unit *c = &t->state->units[general];
	int32_t allowance = parameter(t, P_COMMANDER_MOVE), distance;
	enum event_reason reason;
	struct intent in;
	struct box from = c->box;
	int unit;

	intent_read(t, general, MOVE_CLAUSES | CLAUSE_BIT(CLAUSE_RALLY), &in);
	unit = goes_to(t, general, &in);
	turn_act(t);
	if (c->with >= 0 && (unit >= 0 || has_steps(&in) || leaves(&in)) && !detach(t, general))
		return;
	if (unit < 0 && has_steps(&in))
		walk_unit(t, general, in.list, in.count, allowance);
	if (unit >= 0) {
		turn_act(t);
		reason = join_reach(t, general, unit, allowance, &distance);
		if (reason == REASON_NONE)
			attach(t, general, unit, distance);
		else if (reason == REASON_OUT_OF_REACH || reason == REASON_ENEMY_NEAR)
			ride_toward(t, general, unit, allowance);
		if (t->plan)
			plan_join(t, general, unit, &from, reason, in.conditional);
	}
	clear_of_unit(t, general);
}

/* --- the phase -----------------------------------------------------------------------------------------------------
 */

void shreds_move(struct turn *t)
{
	struct state *s = t->state;
	bool *was_locked = talloc_zero_array(t->mem, bool, (unsigned)s->count + 1);
	int side = t->phase->side;

	for (int i = 0; i < s->count; i++)
		was_locked[i] = state_locked(s, i);
	for (int i = 0; i < s->count; i++)
		if (s->units[i].fled && (int)s->units[i].side != side && unit_alive(&s->units[i]))
			flee(t, i);
	charge_all(t);
	closing_fire(t, was_locked);
	for (int i = 0; i < s->count; i++)
		if ((int)s->units[i].side == side && s->units[i].pursues >= 0 && s->units[i].charge_target < 0)
			pursue(t, i);
	for (int i = 0; i < t->orders->priority_count[side]; i++)
		move_ordered(t, t->orders->priority[side][i]);
	for (int i = 0; i < s->count; i++)
		if ((int)s->units[i].side == side && unit_alive(&s->units[i]) && s->units[i].kind == KIND_COMMANDER)
			move_general(t, i);
}
