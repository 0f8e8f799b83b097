/* The Melee phase: FP68-FP83. Everybody rolls, then hits are dealt, then bases are removed. */
#include "rules/fastplay/fastplay.h"

enum { FOES_MAX = 16, COMMANDERS_MAX = 8 };

/* How an enemy stands to the unit this round. */
enum stance { FOE_FULL, FOE_FLANK, FOE_REAR };

struct foe {
	int unit;
	enum stance stance;
	bool declared; /* its declared target, or its charger (FP80) */
};

struct fight {
	int unit;
	struct foe foe[FOES_MAX];
	int foes;
	int dice, need, hits; /* of its bases */
	int commander[COMMANDERS_MAX], commanders, commander_hits;
	struct event *ev;
};

/* FP74, FP75, FP77: in a charger's first round the unit it came at from the side or behind is limited against it. */
static enum stance stance_of(const struct lock *l, int unit)
{
	if (l->charged != unit || l->rounds > 0 || l->face == ARC_FRONT)
		return FOE_FULL;
	return l->face == ARC_REAR ? FOE_REAR : FOE_FLANK;
}

static void find_foes(const struct state *s, struct fight *f)
{
	for (int i = 0; i < s->lock_count && f->foes < FOES_MAX; i++) {
		const struct lock *l = &s->locks[i];

		if (l->charger == f->unit)
			f->foe[f->foes++] = (struct foe){l->charged, FOE_FULL, l->declared};
		else if (l->charged == f->unit)
			f->foe[f->foes++] = (struct foe){l->charger, stance_of(l, f->unit), true};
	}
}

static bool has_stance(const struct fight *f, enum stance stance)
{
	for (int i = 0; i < f->foes; i++) {
		if (f->foe[i].stance == stance)
			return true;
	}
	return false;
}

static int to_hit(const struct turn *t, const struct unit *u)
{
	if (unit_is_horse(u))
		return param(t, P_HORSE_MELEE_HIT);
	/* FP69, FP70 */
	return param(t, u->side == SIDE_JACOBITE && u->charged ? P_CHARGE_MELEE_HIT : P_FOOT_MELEE_HIT);
}

/* FP80: an enemy absorbs hits until FP43 removes it. `taken` are the hits dealt to each piece so far. */
static int room_for_hits(const struct turn *t, const int *taken, int unit)
{
	int room = t->state->units[unit].bases - 1;

	room = room < 1 ? 1 : room;
	return room > taken[unit] ? room - taken[unit] : 0;
}

/* Does a come before b when nothing is ordered: declared target or charger, fewest bases, file order (FP80)? */
static bool goes_before(const struct state *s, const struct foe *a, const struct foe *b)
{
	if (a->declared != b->declared)
		return a->declared;
	if (s->units[a->unit].bases != s->units[b->unit].bases)
		return s->units[a->unit].bases < s->units[b->unit].bases;
	return a->unit < b->unit;
}

/* What is left to deal, and the bound on what flank chargers may get (FP74). */
struct purse {
	int hits, flank;
};

/* Up to `most` of the purse to one enemy. */
static void deal(struct turn *t, struct fight *f, struct purse *p, int k, int most, int *taken, int *dealt)
{
	const struct foe *foe = &f->foe[k];
	int give = room_for_hits(t, taken, foe->unit);

	if (foe->stance == FOE_REAR)
		return;
	give = give < most ? give : most;
	give = give < p->hits ? give : p->hits;
	if (foe->stance == FOE_FLANK) {
		give = give < p->flank ? give : p->flank;
		p->flank -= give;
	}
	p->hits -= give;
	taken[foe->unit] += give;
	dealt[k] += give;
}

static void deal_all(struct turn *t, struct fight *f, struct purse p, int *taken, int *dealt)
{
	bool done[FOES_MAX] = {false};
	struct taken orders;

	take_clauses(t, f->unit, 1u << CLAUSE_MELEE, &orders);
	for (int i = 0; i < orders.count; i++) {
		const struct clause *c = orders.clause[i];

		for (int n = 0; n < c->target_count; n++) {
			for (int k = 0; k < f->foes; k++) {
				if (c->targets[n].kind == TARGET_UNIT && f->foe[k].unit == c->targets[n].unit)
					deal(t, f, &p, k, c->targets[n].hits > 0 ? c->targets[n].hits : p.hits, taken,
						dealt);
			}
		}
	}
	for (int turns = 0; turns < f->foes; turns++) {
		int best = -1;

		for (int k = 0; k < f->foes; k++) {
			if (!done[k] && (best < 0 || goes_before(t->state, &f->foe[k], &f->foe[best])))
				best = k;
		}
		done[best] = true;
		deal(t, f, &p, best, p.hits, taken, dealt);
	}
}

static void roll_commanders(struct turn *t, struct fight *f)
{
	f->commanders = state_commanders_with(t->state, f->unit, f->commander, COMMANDERS_MAX);
	/* FP75: with enemies only behind it, nobody of the unit fights. */
	if (!has_stance(f, FOE_FULL) && !has_stance(f, FOE_FLANK))
		f->commanders = 0;
	for (int i = 0; i < f->commanders; i++) {
		struct event *ev = emit(t, EVENT_COMMANDER_BLOW, f->commander[i]);
		int value[ROLL_MAX];

		event_object(ev, f->unit);
		event_set(ev, NUM_NEED, param(t, P_COMMANDER_HIT));
		event_set(ev, NUM_DICE, 1);
		roll(t, ev, f->commander[i], "melee", "", 6, 1, value);
		ev->ruling = "FP72";
		f->commander_hits += settle_hits(t, ev, value[0] >= param(t, P_COMMANDER_HIT));
	}
}

static void roll_fight(struct turn *t, struct fight *f)
{
	const struct unit *u = &t->state->units[f->unit];
	bool full = has_stance(f, FOE_FULL), flank = has_stance(f, FOE_FLANK);
	int values[ROLL_MAX];

	act_begin(t, EVENT_MELEE, f->unit);
	f->dice = full ? u->bases : flank ? (u->bases < param(t, P_FLANK_DICE) ? u->bases : param(t, P_FLANK_DICE)) : 0;
	f->need = to_hit(t, u);
	f->ev = emit(t, EVENT_MELEE, f->unit);
	for (int i = 0; i < f->foes; i++)
		event_saw(f->ev, f->foe[i].unit);
	event_set(f->ev, NUM_DICE, f->dice);
	event_set(f->ev, NUM_NEED, f->need);
	f->ev->ruling = full    ? (unit_is_horse(u) || (u->side == SIDE_JACOBITE && u->charged) ? "FP69" : "FP68")
			: flank ? "FP74"
				: "FP75";
	roll(t, f->ev, f->unit, "melee", "", 6, f->dice, values);
	f->hits = settle_hits(t, f->ev, count_hits(values, f->dice, f->need));
	roll_commanders(t, f);
}

/* Unit's and commanders' hits to its enemies; the event lists the enemies in the order in which they were dealt to. */
static void deal_fight(struct turn *t, struct fight *f, int *taken)
{
	int dealt[FOES_MAX] = {0};

	deal_all(t, f, (struct purse){f->hits, param(t, P_FLANK_DICE)}, taken, dealt);
	/* FP76: a commander's own hits are not of the two. */
	deal_all(t, f, (struct purse){f->commander_hits, f->commander_hits}, taken, dealt);
	f->ev->object_hits = talloc_zero_array(f->ev, int, (unsigned)f->foes);
	for (int k = 0; k < f->foes; k++) {
		event_object(f->ev, f->foe[k].unit);
		f->ev->object_hits[k] = dealt[k];
	}
}

/* FP73: who rolled is at risk, also when his unit died. */
static void risk(struct turn *t, const struct fight *f)
{
	for (int i = 0; i < f->commanders; i++) {
		struct unit *c = &t->state->units[f->commander[i]];
		struct event *ev = emit(t, EVENT_COMMANDER_RISK, f->commander[i]);
		int value[ROLL_MAX];

		event_object(ev, f->unit);
		event_set(ev, NUM_NEED, param(t, P_COMMANDER_FALLS));
		roll(t, ev, f->commander[i], "commander", "", 6, 1, value);
		ev->ruling = "FP73";
		event_set(ev, NUM_AFTER, value[0] < param(t, P_COMMANDER_FALLS));
		if (value[0] >= param(t, P_COMMANDER_FALLS)) {
			c->bases = 0;
			c->with = -1;
		}
	}
}

static void lose(struct turn *t, int unit, int hits)
{
	struct unit *u = &t->state->units[unit];
	int before = u->bases, left = before - hits;
	struct event *ev;

	left = left <= 1 ? 0 : left;
	ev = emit(t, EVENT_LOSS, unit);
	for (int i = 0; i < t->state->lock_count; i++) {
		const struct lock *l = &t->state->locks[i];

		if (l->charger == unit || l->charged == unit) {
			event_object(ev, l->charger == unit ? l->charged : l->charger);
			event_saw(ev, l->charger == unit ? l->charged : l->charger);
		}
	}
	event_set(ev, NUM_HITS, hits);
	event_set(ev, NUM_BEFORE, before);
	event_set(ev, NUM_AFTER, left);
	ev->ruling = left == 0 && before - hits == 1 ? "FP43" : "FP68";
	u->bases = left;
	if (left > 0) {
		unit_refit(u);
		place_commanders_with(t->state, unit);
	}
}

/* The survivors of a unit that fought no more: who rode with it stands alone now. */
static void leave_dead(struct turn *t, int unit)
{
	int with[COMMANDERS_MAX];
	int n = state_commanders_with(t->state, unit, with, COMMANDERS_MAX);

	for (int i = 0; i < n; i++) {
		t->state->units[with[i]].with = -1;
		set_down(t, with[i]);
	}
}

/* Has the unit somebody in front, and who is the largest of those at its flank or rear (FP78)? -1: nobody to turn to.
 */
static int turns_to(const struct state *s, int unit, enum arc *face)
{
	int best = -1;

	for (int i = 0; i < s->lock_count; i++) {
		const struct lock *l = &s->locks[i];

		if (l->charger == unit || (l->charged == unit && l->face == ARC_FRONT))
			return -1;
		if (l->charged == unit && l->rounds == 1 &&
			(best < 0 || s->units[l->charger].bases > s->units[best].bases)) {
			best = l->charger;
			*face = l->face;
		}
	}
	return best;
}

/* The same footprint, faced from another of its edges. */
static struct box faced_from(const struct box *b, enum arc face)
{
	struct point centre = geo_centre(b);
	int by = face == ARC_RIGHT ? 90 : face == ARC_LEFT ? -90 : 180;
	bool side = face == ARC_LEFT || face == ARC_RIGHT;

	return geo_box_at_centre(
		centre, geo_degrees(b->facing + by), side ? b->depth : b->width, side ? b->width : b->depth);
}

static bool room_to_stand(const struct turn *t, int unit, const struct box *b)
{
	struct point low = {0, 0}, high = {t->sc->table.width, t->sc->table.height};

	return geo_within(b, low, high) && stands_on(t, unit, b) < 0;
}

/* FP78: at the end of the first round a unit hit in flank or rear turns to its largest enemy. */
static void turn_to_enemy(struct turn *t, int unit)
{
	struct unit *u = &t->state->units[unit];
	enum arc face = ARC_FRONT;
	int enemy = turns_to(t->state, unit, &face);
	struct box from = u->box, to;
	struct event *ev;

	if (enemy < 0)
		return;
	to = geo_turn(u->box, face == ARC_RIGHT ? 90 : face == ARC_LEFT ? -90 : 180);
	if (!room_to_stand(t, unit, &to)) {
		to = faced_from(&u->box, face);
		u->quarter = (int16_t)((u->quarter + (face == ARC_RIGHT ? 1 : face == ARC_LEFT ? 3 : 2)) % 4);
	}
	u->box = to;
	for (int i = 0; i < t->state->lock_count; i++) {
		struct lock *l = &t->state->locks[i];

		if (l->charged == unit)
			l->face = geo_arc(&to, t->state->units[l->charger].box.front);
	}
	place_commanders_with(t->state, unit);
	ev = emit(t, EVENT_TURNED, unit);
	event_object(ev, enemy);
	event_saw(ev, enemy);
	event_moved(ev, &from, &to);
	ev->ruling = "FP78";
}

/* FP78: a free unit that was faced from another edge goes back into its ranks where there is room. */
void reform(struct turn *t, int unit)
{
	struct unit *u = &t->state->units[unit];
	struct box from = u->box, to;
	bool side = u->quarter % 2 != 0;
	struct event *ev;

	if (u->quarter == 0)
		return;
	to = geo_box_at_centre(
		geo_centre(&from), from.facing, side ? from.depth : from.width, side ? from.width : from.depth);
	if (!room_to_stand(t, unit, &to))
		return;
	u->quarter = 0;
	u->box = to;
	place_commanders_with(t->state, unit);
	ev = emit(t, EVENT_REFORMED, unit);
	event_moved(ev, &from, &to);
	ev->ruling = "FP78";
}

static void set_free(struct turn *t, int unit)
{
	struct event *ev = emit(t, EVENT_FREED, unit);

	ev->ruling = "FP81";
	reform(t, unit);
}

static void apply_losses(struct turn *t, const int *taken, bool *died)
{
	int *bases_before = talloc_zero_array(t->mem, int, (unsigned)t->state->count);

	for (int i = 0; i < t->state->count; i++) {
		bases_before[i] = t->state->units[i].bases;
		if (taken[i] > 0)
			lose(t, i, taken[i]);
	}
	for (int i = 0; i < t->state->count; i++) {
		int by = -1;

		if (taken[i] == 0 || t->state->units[i].bases > 0)
			continue;
		died[i] = true;
		for (int k = 0; k < t->state->lock_count && by < 0; k++) {
			const struct lock *l = &t->state->locks[k];

			by = l->charger == i ? l->charged : l->charged == i ? l->charger : -1;
		}
		destroy(t, i, by, REASON_MELEE, bases_before[i]);
	}
}

void fastplay_melee(struct turn *t)
{
	unsigned count = (unsigned)t->state->count;
	struct fight *fights = talloc_zero_array(t->mem, struct fight, count);
	int *taken = talloc_zero_array(t->mem, int, count);
	bool *died = talloc_zero_array(t->mem, bool, count);
	int n = 0;

	for (int i = 0; i < t->state->count; i++) {
		if (unit_alive(&t->state->units[i]) && state_locked(t->state, i)) {
			fights[n].unit = i;
			find_foes(t->state, &fights[n]);
			n++;
		}
	}
	for (int i = 0; i < n; i++)
		roll_fight(t, &fights[i]);
	for (int i = 0; i < n; i++)
		deal_fight(t, &fights[i], taken);
	apply_losses(t, taken, died);
	for (int i = 0; i < n; i++)
		risk(t, &fights[i]);
	for (int i = 0; i < t->state->lock_count; i++)
		t->state->locks[i].rounds++;
	for (int i = 0; i < n; i++) {
		int unit = fights[i].unit;

		t->state->units[unit].fought = true;
		if (died[unit])
			leave_dead(t, unit);
		else if (!state_locked(t->state, unit))
			set_free(t, unit);
	}
	for (int i = 0; i < n; i++) {
		if (!died[fights[i].unit])
			turn_to_enemy(t, fights[i].unit);
	}
}
