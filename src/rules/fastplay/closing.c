#include "rules/fastplay/closing.h"

/* A volley that has been rolled and waits for the others. */
struct pending {
	struct event *ev;
	int target, hits;
};

static bool new_charger(const struct state *s, const struct lock *l, int unit)
{
	return l->charged == unit && l->rounds == 0 && unit_alive(&s->units[l->charger]);
}

/* FP64: the charger that a fire clause names, else the one that was nearest; never one at the rear. -1: none. */
static int choose_charger(struct turn *t, int unit, const struct box *start, enum arc *face)
{
	struct taken orders;
	int best = -1;
	int32_t nearest = 0;

	take_clauses(t, unit, 1u << CLAUSE_FIRE, &orders);
	for (int i = 0; i < orders.count; i++) {
		const struct clause *c = orders.clause[i];

		for (int k = 0; k < c->target_count; k++) {
			for (int n = 0; n < t->state->lock_count; n++) {
				const struct lock *l = &t->state->locks[n];

				if (c->targets[k].kind == TARGET_UNIT && new_charger(t->state, l, unit) &&
					l->charger == c->targets[k].unit && l->face != ARC_REAR) {
					*face = l->face;
					return l->charger;
				}
			}
		}
	}
	for (int n = 0; n < t->state->lock_count; n++) {
		const struct lock *l = &t->state->locks[n];
		int32_t d;

		if (!new_charger(t->state, l, unit) || l->face == ARC_REAR)
			continue;
		d = geo_distance(&start[l->charger], &start[unit]);
		if (best < 0 || d < nearest || (d == nearest && l->charger < best)) {
			best = l->charger;
			nearest = d;
			*face = l->face;
		}
	}
	return best;
}

static bool charged_now(const struct state *s, int unit)
{
	for (int n = 0; n < s->lock_count; n++) {
		if (new_charger(s, &s->locks[n], unit))
			return true;
	}
	return false;
}

/* FP61: the die of fire discipline gives the number that hits, or 7 for no fire. */
static int test_discipline(struct turn *t, struct event *ev, int unit)
{
	int value[ROLL_MAX], shown;

	roll(t, ev, unit, "discipline", "", 6, 1, value);
	shown = value[0] + param(t, P_DISCIPLINE_MODIFIER);
	if (shown < t->state->units[unit].bases)
		return param(t, P_CLOSE_HIT);
	return shown == t->state->units[unit].bases ? param(t, P_SHOOT_HIT) : 7;
}

static void no_fire(struct event *ev, enum event_reason reason, const char *ruling)
{
	ev->kind = EVENT_NO_CLOSING_FIRE;
	ev->reason = reason;
	ev->ruling = ruling;
}

static bool fire(struct turn *t, int unit, const struct box *start, struct pending *out)
{
	struct unit *u = &t->state->units[unit];
	bool tested = param(t, P_FIRE_AT_CHARGERS) == FIRE_DISCIPLINE;
	int need = param(t, P_CLOSE_HIT), dice, values[ROLL_MAX];
	enum arc face = ARC_FRONT;
	int charger = choose_charger(t, unit, start, &face);
	struct event *ev = emit(t, EVENT_CLOSING_FIRE, unit);

	if (charger < 0) {
		no_fire(ev, REASON_REAR, "FP63");
		return false;
	}
	event_object(ev, charger);
	event_saw(ev, charger);
	event_set(ev, NUM_FACE, face);
	if (tested) {
		need = test_discipline(t, ev, unit);
		if (need > 6) {
			no_fire(ev, REASON_FAILED_TEST, "FP61");
			return false;
		}
	}
	dice = face == ARC_FRONT || u->bases < param(t, P_FLANK_DICE) ? u->bases : param(t, P_FLANK_DICE);
	event_set(ev, NUM_ELIGIBLE, dice);
	if (param(t, P_WET_POWDER) != 0) {
		roll(t, ev, unit, "powder", "", 6, 1, values);
		dice = wet_powder_dice(values[0], dice);
	}
	event_set(ev, NUM_DICE, dice);
	event_set(ev, NUM_NEED, need);
	roll(t, ev, unit, "reaction", "", 6, dice, values);
	ev->ruling = tested ? face == ARC_FRONT ? "FP61" : "FP61 FP63" : face == ARC_FRONT ? "FP37" : "FP37 FP63";
	u->closed_fire = true;
	*out = (struct pending){ev, charger, settle_hits(t, ev, count_hits(values, dice, need))};
	return true;
}

void fire_at_chargers(struct turn *t, const struct box *start, const bool *locked_before)
{
	struct pending *all = talloc_zero_array(t->mem, struct pending, (unsigned)t->state->count);
	int count = 0;

	for (int i = 0; i < t->state->count; i++) {
		const struct unit *u = &t->state->units[i];

		if (!unit_alive(u) || !unit_is_foot(u) || locked_before[i] || !charged_now(t->state, i))
			continue;
		if (param(t, P_FIRE_AT_CHARGERS) == FIRE_DISCIPLINE && u->side != SIDE_GOVERNMENT)
			continue;
		act_begin(t, EVENT_CLOSING_FIRE, i);
		count += fire(t, i, start, &all[count]);
	}
	for (int i = 0; i < count; i++)
		take_fire(t, all[i].ev, all[i].target, all[i].hits);
}
