/* The Melee phase (FP68-FP83): every unit in melee rolls, then all hits count at once. */
#include "rules/fastplay/fastplay.h"
#include "rules/fastplay/field.h"
#include "rules/fastplay/parameters.h"
#include "rules/intent.h"

#include "battle/scenario.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

/* One enemy of a unit, as it sees him. */
struct opponent {
	int unit;
	bool declared; /* the unit's own declared target */
	bool charger;  /* he charged the unit */
	bool rear;     /* he charged its rear, this is the first round: not to be hit (FP75) */
	bool flank;    /* he charged its flank, this is the first round: two hits at most (FP74) */
	int *limit;    /* hits that can still be given: to him, or to all who are in a flank */
	int given;
};

struct melee {
	struct turn *t;
	int *hits;      /* dealt to each piece in this round, before anything is removed */
	bool *rolled;   /* the commanders who rolled */
	bool *fought;   /* the units that are in melee as the phase begins */
	bool *new_face; /* the units charged in flank or rear, for which this was the first round (FP78) */
};

/* --- who fights whom -----------------------------------------------------------------------------------------------
 */

static int opponents_of(struct turn *t, int unit, struct opponent *out)
{
	const struct state *s = t->state;
	int n = 0;

	for (int i = 0; i < s->lock_count; i++) {
		const struct lock *l = &s->locks[i];
		bool charged = l->charged == unit, first = l->rounds == 0;

		if (!charged && l->charger != unit)
			continue;
		out[n++] = (struct opponent){
			.unit = charged ? l->charger : l->charged,
			.declared = !charged && l->declared,
			.charger = charged,
			.rear = charged && first && l->face == ARC_REAR,
			.flank = charged && first && (l->face == ARC_LEFT || l->face == ARC_RIGHT),
		};
	}
	return n;
}

/* FP80: the unit's declared target, then its charger, then the one with fewest bases, then file order. */
static bool comes_before(const struct state *s, const struct opponent *a, const struct opponent *b)
{
	int ranks[2] = {a->declared ? 0 : a->charger ? 1 : 2, b->declared ? 0 : b->charger ? 1 : 2};

	if (ranks[0] != ranks[1])
		return ranks[0] < ranks[1];
	if (s->units[a->unit].bases != s->units[b->unit].bases)
		return s->units[a->unit].bases < s->units[b->unit].bases;
	return a->unit < b->unit;
}

static void sort_opponents(const struct state *s, struct opponent *list, int count)
{
	for (int i = 1; i < count; i++)
		for (int k = i; k > 0 && comes_before(s, &list[k], &list[k - 1]); k--) {
			struct opponent swap = list[k];

			list[k] = list[k - 1];
			list[k - 1] = swap;
		}
}

static bool any_in_front(const struct opponent *list, int count)
{
	for (int i = 0; i < count; i++)
		if (!list[i].rear && !list[i].flank)
			return true;
	return false;
}

static bool all_in_rear(const struct opponent *list, int count)
{
	for (int i = 0; i < count; i++)
		if (!list[i].rear)
			return false;
	return true;
}

/* --- dealing hits --------------------------------------------------------------------------------------------------
 */

/* How many more hits remove the target: one base alone goes by itself (FP43). */
static int can_absorb(const struct melee *m, int unit)
{
	int left = m->t->state->units[unit].bases - 1 - m->hits[unit];

	return left > 0 ? left : 0;
}

/* Gives one enemy up to `most` of the hits; returns how many. */
static int deal(struct melee *m, struct opponent *o, int most)
{
	int n = can_absorb(m, o->unit);

	n = n < *o->limit ? n : *o->limit;
	n = n < most ? n : most;
	m->hits[o->unit] += n;
	*o->limit -= n;
	o->given += n;
	return n;
}

static struct opponent *find(struct opponent *list, int count, int unit)
{
	for (int i = 0; i < count; i++)
		if (list[i].unit == unit)
			return &list[i];
	return NULL;
}

/* Enemies named come first, in the order given. */
static void put_named_first(struct opponent *list, int count, const struct intent *in)
{
	int place = 0;

	for (int i = 0; i < in->count; i++)
		for (int k = 0; k < in->list[i]->target_count; k++) {
			const struct target *target = &in->list[i]->targets[k];
			struct opponent *o =
				target->kind == TARGET_UNIT ? find(list + place, count - place, target->unit) : NULL;
			struct opponent named;

			if (!o)
				continue;
			named = *o;
			memmove(list + place + 1, list + place, sizeof *list * (size_t)(o - (list + place)));
			list[place++] = named;
		}
}

static int number_for(const struct intent *in, int unit)
{
	for (int i = 0; i < in->count; i++)
		for (int k = 0; k < in->list[i]->target_count; k++)
			if (in->list[i]->targets[k].kind == TARGET_UNIT && in->list[i]->targets[k].unit == unit)
				return in->list[i]->targets[k].hits;
	return 0;
}

/* FP80: each in order takes the number given for him, or all he can; what is over spills. Hits that nobody can absorb
 * any more go to the first who may be hit, and are lost there (FP42). */
static void deal_all(struct melee *m, struct opponent *list, int count, const struct intent *in, int hits)
{
	for (int i = 0; i < count && hits > 0; i++) {
		int number = number_for(in, list[i].unit);

		hits -= deal(m, &list[i], number && number < hits ? number : hits);
	}
	for (int i = 0; i < count && hits > 0; i++)
		hits -= deal(m, &list[i], hits);
	for (int i = 0; i < count && hits > 0; i++) {
		int n = hits < *list[i].limit ? hits : *list[i].limit;

		m->hits[list[i].unit] += n;
		*list[i].limit -= n;
		list[i].given += n;
		hits -= n;
	}
}

/* --- one unit's round ----------------------------------------------------------------------------------------------
 */

static int needs(const struct turn *t, const struct unit *u)
{
	if (unit_is_horse(u))
		return parameter(t, P_HORSE_MELEE_HIT);
	if (u->side == SIDE_JACOBITE && u->charged)
		return parameter(t, P_CHARGE_MELEE_HIT);
	return parameter(t, P_FOOT_MELEE_HIT);
}

static int round_of(const struct state *s, int unit)
{
	int rounds = 0;

	for (int i = 0; i < s->lock_count; i++)
		if ((s->locks[i].charger == unit || s->locks[i].charged == unit) && s->locks[i].rounds > rounds)
			rounds = s->locks[i].rounds;
	return rounds + 1;
}

/* FP72, FP76: one die each, in a flank fight too; none against enemies in the rear alone (FP75). */
static int commanders_roll(struct melee *m, int unit, bool may, bool in_flank)
{
	struct turn *t = m->t;
	int hits = 0;

	for (int i = 0; may && i < t->state->count; i++) {
		const struct unit *c = &t->state->units[i];
		struct event *ev;
		int value, hit;

		if (c->kind != KIND_COMMANDER || c->with != unit || !unit_alive(c))
			continue;
		turn_act(t);
		if (!turn_reaches(t, EVENT_COMMANDER_BLOW, i))
			continue;
		ev = turn_event(t, EVENT_COMMANDER_BLOW, i);
		turn_object(ev, unit);
		turn_roll(t, ev, i, "melee", NULL, 6, 1, &value);
		hit = turn_hits(t, ev, value >= parameter(t, P_COMMANDER_HIT));
		event_set(ev, NUM_DICE, 1);
		event_set(ev, NUM_NEED, parameter(t, P_COMMANDER_HIT));
		event_set(ev, NUM_HITS, hit);
		turn_ruling(ev, "FP72");
		if (in_flank)
			turn_ruling(ev, "FP76");
		m->rolled[i] = true;
		hits += hit;
	}
	return hits;
}

static void say_dealt(struct event *ev, const struct opponent *list, int count)
{
	int n = 0;

	for (int i = 0; i < count; i++)
		if (!list[i].rear)
			turn_object(ev, list[i].unit);
	for (int i = 0; i < count; i++)
		if (list[i].rear)
			turn_object(ev, list[i].unit);
	ev->object_hits = talloc_zero_array(ev, int, (unsigned)ev->object_count);
	for (int i = 0; i < count; i++)
		if (!list[i].rear)
			ev->object_hits[n++] = list[i].given;
}

static bool charged_too(const struct opponent *list, int count)
{
	for (int i = 0; i < count; i++)
		if (list[i].charger)
			return true;
	return false;
}

static void say_rulings(struct event *ev, const struct unit *u, const struct opponent *list, int count)
{
	turn_ruling(ev, "FP68");
	if (unit_is_horse(u))
		turn_ruling(ev, "FP69");
	else if (u->side == SIDE_JACOBITE && u->charged)
		turn_ruling(ev, charged_too(list, count) ? "FP70 FP71" : "FP70");
	if (u->kind == KIND_FOOT && u->side == SIDE_JACOBITE && u->charged)
		turn_ruling(ev, "FP69");
	for (int i = 0; i < count; i++) {
		if (list[i].flank)
			turn_ruling(ev, "FP74");
		if (list[i].rear)
			turn_ruling(ev, "FP75");
	}
	if (count > 1) {
		turn_ruling(ev, "FP79");
		turn_ruling(ev, "FP80");
	}
}

static void look_at_fight(struct turn *t, int unit, const struct opponent *list, int count)
{
	const struct state *s = t->state;

	for (int i = 0; i < s->count; i++)
		if (s->units[i].with == unit)
			turn_look(t, i);
	for (int i = 0; i < count; i++) {
		turn_look(t, list[i].unit);
		/* Others who deal hits to the same enemy (FP80). */
		for (int k = 0; k < s->lock_count; k++) {
			if (s->locks[k].charger == list[i].unit)
				turn_look(t, s->locks[k].charged);
			if (s->locks[k].charged == list[i].unit)
				turn_look(t, s->locks[k].charger);
		}
	}
}

/* Whom it fights and with how much, as things stand. */
struct fight {
	struct opponent *list;
	int count, dice, need;
	bool front, idle;
};

/* False when there is nobody to fight. */
static bool take_stock(struct turn *t, int unit, const struct intent *in, struct fight *f)
{
	const struct unit *u = &t->state->units[unit];
	int flank_dice = parameter(t, P_FLANK_DICE);

	f->count = opponents_of(t, unit, f->list);
	if (!unit_alive(u) || f->count == 0)
		return false;
	f->front = any_in_front(f->list, f->count);
	f->idle = all_in_rear(f->list, f->count);
	f->dice = f->idle ? 0 : f->front || u->bases < flank_dice ? u->bases : flank_dice;
	f->need = needs(t, u);
	sort_opponents(t->state, f->list, f->count);
	put_named_first(f->list, f->count, in);
	return true;
}

static void fight(struct melee *m, int unit)
{
	struct turn *t = m->t;
	struct fight f = {.list = talloc_array(t->mem, struct opponent, (unsigned)t->state->lock_count + 1)};
	int values[TURN_DICE_MAX], hits, by_commanders, none = 0, in_flank, all = INT_MAX;
	struct intent in;
	struct event *ev;

	intent_read(t, unit, MELEE_CLAUSES, &in);
	turn_act(t);
	/* Before the unit's own event, which says to whom all their hits go; and before a referee's change at it, after
	 * which stock is taken again. */
	by_commanders = take_stock(t, unit, &in, &f) ? commanders_roll(m, unit, !f.idle, !f.front) : 0;
	turn_before(t, EVENT_MELEE, unit);
	if (!take_stock(t, unit, &in, &f)) {
		talloc_free(f.list);
		return;
	}
	look_at_fight(t, unit, f.list, f.count);
	ev = turn_event(t, EVENT_MELEE, unit);
	assert(f.dice <= TURN_DICE_MAX);
	turn_roll(t, ev, unit, "melee", NULL, 6, f.dice, values);
	hits = turn_hits(t, ev, dice_at_least(values, f.dice, f.need));
	in_flank = parameter(t, P_FLANK_DICE) + by_commanders;
	for (int i = 0; i < f.count; i++)
		f.list[i].limit = f.list[i].rear ? &none : f.list[i].flank && f.front ? &in_flank : &all;
	deal_all(m, f.list, f.count, &in, hits + by_commanders);
	event_set(ev, NUM_DICE, f.dice);
	event_set(ev, NUM_NEED, f.need);
	event_set(ev, NUM_HITS, hits);
	event_set(ev, NUM_ROUND, round_of(t->state, unit));
	say_dealt(ev, f.list, f.count);
	say_rulings(ev, &t->state->units[unit], f.list, f.count);
	talloc_free(f.list);
}

/* --- after the dice ------------------------------------------------------------------------------------------------
 */

static void lose_bases(struct melee *m)
{
	struct turn *t = m->t;
	struct state *s = t->state;

	for (int i = 0; i < s->count; i++) {
		struct unit *u = &s->units[i];
		struct event *ev;
		int before, after;

		if (m->hits[i] <= 0)
			continue;
		turn_act(t);
		turn_before(t, EVENT_LOSS, i);
		if (!unit_alive(u))
			continue;
		ev = turn_event(t, EVENT_LOSS, i);
		for (int k = 0; k < s->lock_count; k++)
			if (s->locks[k].charger == i || s->locks[k].charged == i)
				turn_object(ev, s->locks[k].charger == i ? s->locks[k].charged : s->locks[k].charger);
		before = u->bases;
		m->hits[i] = turn_hits(t, ev, m->hits[i]);
		after = bases_after(t, u, m->hits[i]);
		event_set(ev, NUM_HITS, m->hits[i]);
		event_set(ev, NUM_BEFORE, before);
		event_set(ev, NUM_AFTER, after < 0 ? 0 : after);
		if (m->hits[i] > before)
			turn_ruling(ev, "FP42");
		else if (before - m->hits[i] == 1)
			turn_ruling(ev, "FP43");
		u->bases = after < 0 ? 0 : after;
		if (unit_alive(u))
			unit_refit(u);
	}
}

/* Only now, so that every melee's losses stand in one place. */
static void remove_dead(struct melee *m)
{
	struct turn *t = m->t;
	struct state *s = t->state;

	for (int i = 0; i < s->count; i++)
		if (m->fought[i] && !unit_alive(&s->units[i]) && m->hits[i] > 0)
			destroy(t, i, -1, REASON_MELEE, 0);
}

/* FP73: who rolled takes the risk; a living commander whose unit is gone is set down. */
static void risk_commanders(struct melee *m)
{
	struct turn *t = m->t;
	struct state *s = t->state;

	for (int i = 0; i < s->count; i++) {
		struct unit *c = &s->units[i];
		int unit = c->with;

		if (c->kind != KIND_COMMANDER || !unit_alive(c) || unit < 0 || !m->fought[unit])
			continue;
		turn_act(t);
		if (m->rolled[i])
			commander_risk(t, i, unit, "FP73");
		if (unit_alive(c) && c->with >= 0 && !unit_alive(&s->units[unit]))
			set_down(t, i);
	}
}

/* --- turning to the enemy (FP78) -----------------------------------------------------------------------------------
 */

static bool room_for(struct turn *t, int unit, const struct box *b)
{
	const struct state *s = t->state;

	if (!on_table(t, b) || ground_blocks(t, b, true))
		return false;
	for (int i = 0; i < s->count; i++)
		if (i != unit && is_body(&s->units[i]) && may_meet(b, &s->units[i].box, 0)) {
			turn_look(t, i);
			if (geo_overlap(b, &s->units[i].box))
				return false;
		}
	return true;
}

/* The side of the unit on which the enemy stands. */
static enum arc side_of(const struct box *b, const struct box *enemy)
{
	for (int e = ARC_FRONT; e <= ARC_REAR; e++) {
		int bearing;
		int32_t length;
		struct point middle = geo_edge(b, (enum arc)e, &bearing, &length);
		struct box edge = {middle, (int16_t)bearing, length, 2};

		if (geo_flush(&edge, enemy) > OVERLAP_TOLERANCE)
			return (enum arc)e;
	}
	return geo_arc(b, geo_centre(enemy));
}

/* The largest enemy, one in front before all others. */
static int enemy_to_face(const struct state *s, int unit)
{
	const struct box *b = &s->units[unit].box;
	int best = -1;
	bool best_front = false;

	for (int i = 0; i < s->count; i++) {
		bool front;

		if (!state_locked_pair(s, unit, i))
			continue;
		front = side_of(b, &s->units[i].box) == ARC_FRONT;
		if (best < 0 || (front && !best_front) ||
			(front == best_front && s->units[i].bases > s->units[best].bases)) {
			best = i;
			best_front = front;
		}
	}
	return best;
}

static void turn_to_enemy(struct turn *t, int unit)
{
	static const int quarters[] = {[ARC_FRONT] = 0, [ARC_RIGHT] = 1, [ARC_REAR] = 2, [ARC_LEFT] = 3};
	struct unit *u = &t->state->units[unit], turned;
	int enemy = enemy_to_face(t->state, unit), bearing, quarter;
	struct event *ev;
	int32_t length;
	enum arc side;

	if (enemy < 0 || (side = side_of(&u->box, &t->state->units[enemy].box)) == ARC_FRONT)
		return;
	turn_act(t);
	if (!turn_reaches(t, EVENT_TURNED, unit) || !unit_alive(&t->state->units[enemy]))
		return;
	turned = *u;
	turned.quarter = 0;
	unit_refit(&turned);
	turned.box = geo_box_at_centre(geo_centre(&u->box), geo_degrees(u->box.facing + 90 * quarters[side]),
		turned.box.width, turned.box.depth);
	if (!room_for(t, unit, &turned.box)) {
		quarter = (u->quarter + quarters[side]) % 4;
		turned = *u;
		turned.box.front = geo_edge(&u->box, side, &bearing, &length);
		turned.box.facing = (int16_t)bearing;
		turned.quarter = (int16_t)quarter;
		unit_refit(&turned);
	}
	ev = turn_event(t, EVENT_TURNED, unit);
	turn_object(ev, enemy);
	turn_from(ev, &u->box);
	turn_ruling(ev, "FP78");
	if (!turn_void(t, ev))
		*u = turned;
	turn_to(ev, &u->box);
	carry(t, unit);
	displace_commanders(t, unit);
}

/* --- the phase -----------------------------------------------------------------------------------------------------
 */

static void end_of_round(struct melee *m)
{
	struct state *s = m->t->state;

	for (int i = 0; i < s->lock_count; i++) {
		struct lock *l = &s->locks[i];

		if (l->rounds == 0 && l->face != ARC_FRONT)
			m->new_face[l->charged] = true;
		l->rounds++;
	}
	for (int i = 0; i < s->count; i++)
		if (m->fought[i] && unit_alive(&s->units[i]))
			s->units[i].fought = true;
	say_freed(m->t, m->fought);
	for (int i = 0; i < s->count; i++)
		if (m->new_face[i] && unit_alive(&s->units[i]))
			turn_to_enemy(m->t, i);
}

void fastplay_melee(struct turn *t)
{
	struct state *s = t->state;
	unsigned n = (unsigned)s->count + 1;
	struct melee m = {
		.t = t,
		.hits = talloc_zero_array(t->mem, int, n),
		.rolled = talloc_zero_array(t->mem, bool, n),
		.fought = talloc_zero_array(t->mem, bool, n),
		.new_face = talloc_zero_array(t->mem, bool, n),
	};

	for (int i = 0; i < s->count; i++)
		m.fought[i] = state_locked(s, i);
	for (int i = 0; i < s->count; i++)
		if (m.fought[i])
			fight(&m, i);
	lose_bases(&m);
	remove_dead(&m);
	risk_commanders(&m);
	end_of_round(&m);
}
