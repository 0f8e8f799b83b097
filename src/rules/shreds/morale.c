/* Step 5 of a half: rallies, routs, panic and the flight of routers (RH50-RH55). */
#include "rules/shreds/field.h"
#include "rules/shreds/move.h"
#include "rules/shreds/parameters.h"
#include "rules/shreds/shreds.h"

/* --- rallying (RH53) -----------------------------------------------------------------------------------------------
 */

static bool touches(const struct state *s, int general, int unit)
{
	const struct unit *c = &s->units[general];

	return c->with == unit || (c->with < 0 && geo_distance(&c->box, &s->units[unit].box) <= OVERLAP_TOLERANCE);
}

static int general_touching(const struct state *s, int unit)
{
	for (int i = 0; i < s->count; i++)
		if (s->units[i].kind == KIND_COMMANDER && unit_alive(&s->units[i]) &&
			s->units[i].side == s->units[unit].side && touches(s, i, unit))
			return i;
	return -1;
}

static void rally(struct turn *t, int unit)
{
	struct unit *u = &t->state->units[unit];
	int general = general_touching(t->state, unit), need = parameter(t, P_RALLY), value;
	struct event *ev;
	bool rallied;

	if (general < 0)
		return;
	turn_act(t);
	if (!turn_reaches(t, EVENT_RALLY, general))
		return;
	ev = turn_event(t, EVENT_RALLY, general);
	turn_object(ev, unit);
	/* The general throws; a case may give the die as the unit's. */
	turn_roll(t, ev, turn_dealt(t, unit, "rally") ? unit : general, "rally", u->code, 6, 1, &value);
	rallied = value >= need && !turn_void(t, ev);
	event_set(ev, NUM_NEED, need);
	event_set(ev, NUM_AFTER, rallied);
	turn_ruling(ev, "RH53");
	if (!rallied)
		return;
	u->routing = u->wounded = false; /* what it has lost so far makes it rout no more */
	u->halted = (int16_t)parameter(t, P_RALLY_TURNS);
}

static void rally_all(struct turn *t)
{
	struct state *s = t->state;

	for (int i = 0; i < s->count; i++) {
		struct unit *u = &s->units[i];

		if ((int)u->side != t->phase->side || !unit_alive(u))
			continue;
		if (u->halted > 0)
			u->halted--;
		if (u->routing)
			rally(t, i);
	}
}

/* --- panic (RH54, RH55) --------------------------------------------------------------------------------------------
 */

static bool panics(struct turn *t, int unit, int router)
{
	struct event *ev;
	int value, most = parameter(t, P_PANIC);
	bool holds;

	turn_act(t);
	if (!turn_reaches(t, EVENT_PANIC, unit))
		return false;
	ev = turn_event(t, EVENT_PANIC, unit);
	turn_object(ev, router);
	turn_roll(t, ev, unit, "panic", act_in_half(t, unit, t->state->units[router].code), 6, 1, &value);
	holds = value > most || turn_void(t, ev);
	event_set(ev, NUM_NEED, most + 1);
	event_set(ev, NUM_AFTER, holds);
	event_set(ev, NUM_DISTANCE, geo_distance(&t->state->units[unit].box, &t->state->units[router].box));
	turn_ruling(ev, "RH54");
	return !holds;
}

/* Each router in the order in which it began; whom it moves to rout stands at the end of the queue. Nobody throws
 * twice, so it ends. */
static void spread_panic(struct turn *t)
{
	const struct state *s = t->state;
	int *queue = talloc_array(t->mem, int, (unsigned)s->count + 1), count = 0;
	bool *thrown = talloc_zero_array(t->mem, bool, (unsigned)s->count + 1);

	for (int i = 0; i < s->count; i++)
		if (unit_alive(&s->units[i]) && s->units[i].broke)
			queue[count++] = i;
	for (int k = 0; k < count; k++)
		for (int i = 0; i < s->count; i++) {
			const struct unit *u = &s->units[i], *router = &s->units[queue[k]];

			if (u == router || u->side != router->side || !unit_alive(u) || !unit_is_formed(u) ||
				u->routing || thrown[i] || state_locked(s, i) ||
				geo_distance(&u->box, &router->box) > parameter(t, P_PANIC_REACH))
				continue;
			thrown[i] = true;
			if (!panics(t, i, queue[k]))
				continue;
			begin_rout(t, i, REASON_PANIC, queue[k]);
			if (u->routing)
				queue[count++] = i;
		}
}

/* --- the phase -----------------------------------------------------------------------------------------------------
 */

void shreds_morale(struct turn *t)
{
	struct state *s = t->state;

	rally_all(t);
	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];

		if (unit_alive(u) && unit_is_formed(u) && u->wounded && !u->routing && is_at_half(t, i))
			begin_rout(t, i, REASON_HALF_STRENGTH, -1);
	}
	spread_panic(t);
	for (int i = 0; i < s->count; i++) {
		const struct unit *u = &s->units[i];
		bool begins = u->broke && !u->fled, goes_on = (int)u->side == t->phase->side && !u->fled;

		if (unit_alive(u) && u->routing && !u->ran && (begins || goes_on))
			rout_move(t, i);
	}
}
