/* Melee in pairs (RH39-RH46, RH56). Everybody in melee fights in both halves of a turn (RH3). */
#include "rules/shreds/melee.h"

#include "rules/shreds/field.h"
#include "rules/shreds/move.h"
#include "rules/shreds/parameters.h"
#include "rules/shreds/shreds.h"

#include <assert.h>

/* --- bonuses (RH42, RH43) ------------------------------------------------------------------------------------------
 */

static bool general_near(struct turn *t, int unit)
{
	const struct state *s = t->state;

	for (int i = 0; i < s->count; i++)
		if (s->units[i].kind == KIND_COMMANDER && unit_alive(&s->units[i]) &&
			s->units[i].side == s->units[unit].side &&
			geo_distance(where_is(s, i), &s->units[unit].box) <= parameter(t, P_GENERAL_REACH)) {
			turn_look(t, i);
			return true;
		}
	return false;
}

int melee_bonus(struct turn *t, const struct lock *l, int unit)
{
	const struct unit *u = &t->state->units[unit];
	bool charger = l->charger == unit;
	int bonus = 0;

	if (charger && u->charged && l->rounds == 0 && (int)u->side == t->phase->side) {
		if (is_highland(u))
			bonus += parameter(t, P_HIGHLAND_CHARGE_BONUS);
		if (unit_is_horse(u))
			bonus += parameter(t, P_HORSE_CHARGE_BONUS);
	}
	if (charger && l->face != ARC_FRONT)
		bonus += parameter(t, P_FLANK_BONUS);
	if (general_near(t, unit))
		bonus += parameter(t, P_GENERAL_BONUS);
	return bonus;
}

/* --- a pairing of two units ----------------------------------------------------------------------------------------
 */

struct fighter {
	int unit, enemy, bonus, wins, hits;
	bool general; /* one is near by (RH43) */
	bool several; /* it fights more than one enemy (RH56) */
	bool rolls;   /* not a column (RH14), nor one caught in flight (RH37) */
	int values[TURN_DICE_MAX];
};

static int enemies_of(const struct state *s, int unit)
{
	int n = 0;

	for (int i = 0; i < s->lock_count; i++)
		n += s->locks[i].charger == unit || s->locks[i].charged == unit;
	return n;
}

static struct fighter fighter(struct turn *t, const struct lock *l, int unit)
{
	const struct unit *u = &t->state->units[unit];

	return (struct fighter){.unit = unit,
		.enemy = l->charger == unit ? l->charged : l->charger,
		.bonus = melee_bonus(t, l, unit),
		.general = general_near(t, unit),
		.several = enemies_of(t->state, unit) > 1,
		.rolls = !u->column && !u->fled};
}

static void roll_pairs(struct turn *t, struct event *ev, struct fighter *f, int pairs)
{
	const struct unit *u = &t->state->units[f->unit];
	int sides = parameter(t, is_highland(u) ? P_HIGHLAND_MELEE_DIE : P_MELEE_DIE);

	if (f->rolls)
		turn_roll(t, ev, f->unit, "pair", act_in_half(t, f->unit, t->state->units[f->enemy].code), sides, pairs,
			f->values);
}

/* RH45 */
static void roll_losses(struct turn *t, struct event *ev, struct fighter *f)
{
	int values[TURN_DICE_MAX], less = parameter(t, P_LOSS_LESS);

	turn_roll(t, ev, f->unit, "loss", act_in_half(t, f->unit, t->state->units[f->enemy].code),
		parameter(t, P_LOSS_DIE), f->wins, values);
	for (int i = 0; i < f->wins; i++)
		f->hits += values[i] > less ? values[i] - less : 0;
}

static void count_wins(struct fighter *a, struct fighter *b, int pairs)
{
	for (int i = 0; i < pairs; i++) {
		int ours = a->rolls ? a->values[i] + a->bonus : 0, theirs = b->rolls ? b->values[i] + b->bonus : 0;

		a->wins += ours > theirs;
		b->wins += theirs > ours;
	}
}

static void note_rulings(const struct turn *t, struct event *ev, const struct fighter *a, const struct fighter *b)
{
	turn_ruling(ev, "RH39");
	turn_ruling(ev,
		unit_is_horse(&t->state->units[a->unit]) || unit_is_horse(&t->state->units[b->unit]) ? "RH41" : "RH40");
	if (a->bonus || b->bonus)
		turn_ruling(ev, "RH42");
	if (a->general || b->general)
		turn_ruling(ev, "RH43");
	if (a->several || b->several)
		turn_ruling(ev, "RH56");
	turn_ruling(ev, a->wins + b->wins ? "RH45" : "RH44");
	if (!a->rolls || !b->rolls)
		turn_ruling(ev, t->state->units[a->rolls ? b->unit : a->unit].fled ? "RH37" : "RH14");
}

static void fight(struct turn *t, const struct lock *l, int pairs, int *suffered, int *dealt)
{
	struct fighter a, b;
	struct event *ev;

	if (pairs == 0)
		return;
	assert(pairs <= TURN_DICE_MAX);
	turn_act(t);
	a = fighter(t, l, l->charger);
	b = fighter(t, l, l->charged);
	ev = turn_event(t, EVENT_PAIRS, a.unit);
	turn_object(ev, b.unit);
	roll_pairs(t, ev, &a, pairs);
	roll_pairs(t, ev, &b, pairs);
	count_wins(&a, &b, pairs);
	roll_losses(t, ev, &a);
	roll_losses(t, ev, &b);
	note_rulings(t, ev, &a, &b);
	a.hits = turn_hits(t, ev, a.hits);
	event_set(ev, NUM_DICE, pairs);
	event_set(ev, NUM_LESS, parameter(t, P_LOSS_LESS));
	event_set(ev, NUM_BONUS, a.bonus);
	event_set(ev, NUM_ENEMY_BONUS, b.bonus);
	event_set(ev, NUM_HITS, a.hits);
	event_set(ev, NUM_ENEMY_HITS, b.hits);
	suffered[a.unit] += b.hits;
	suffered[b.unit] += a.hits;
	dealt[a.unit] += a.hits;
	dealt[b.unit] += b.hits;
}

/* --- who pairs with whom (RH39, RH56) ------------------------------------------------------------------------------
 */

/* The lock's part for a unit that fights several: its own charge first, then who charged it, then the fewest bases. */
static bool comes_before(const struct state *s, int unit, const struct lock *a, const struct lock *b)
{
	int ours = a->charger == unit && a->declared ? 0 : a->charged == unit ? 1 : 2;
	int theirs = b->charger == unit && b->declared ? 0 : b->charged == unit ? 1 : 2;
	int enemy = a->charger == unit ? a->charged : a->charger, other = b->charger == unit ? b->charged : b->charger;

	if (ours != theirs)
		return ours < theirs;
	if (s->units[enemy].bases != s->units[other].bases)
		return s->units[enemy].bases < s->units[other].bases;
	return enemy < other;
}

static int lock_with(const struct state *s, const int *list, int count, int enemy)
{
	for (int i = 0; i < count; i++)
		if (s->locks[list[i]].charger == enemy || s->locks[list[i]].charged == enemy)
			return list[i];
	return -1;
}

static int lesser(int a, int b)
{
	return a < b ? a : b;
}

static void give(const struct state *s, int lock, int unit, int most, int *left, int *given)
{
	const struct lock *l = &s->locks[lock];
	int enemy = l->charger == unit ? l->charged : l->charger, n;

	n = lesser(lesser(most, *left), s->units[enemy].bases - given[lock]);
	n = n < 0 ? 0 : n;
	given[lock] += n;
	*left -= n;
}

/* How many bases the unit gives to each of its locks, into `given` by lock. */
static void divide(struct turn *t, int unit, int *given)
{
	const struct state *s = t->state;
	int *list = talloc_array(t->mem, int, (unsigned)s->lock_count + 1), count = 0, left = s->units[unit].bases;
	struct intent in;

	for (int i = 0; i < s->lock_count; i++)
		if (s->locks[i].charger == unit || s->locks[i].charged == unit) {
			int k = count++;

			for (; k > 0 && comes_before(s, unit, &s->locks[i], &s->locks[list[k - 1]]); k--)
				list[k] = list[k - 1];
			list[k] = i;
		}
	if (count > 1) {
		intent_peek(t, unit, MELEE_CLAUSES, &in);
		for (int i = 0; i < in.count; i++)
			for (int k = 0; k < in.list[i]->target_count; k++) {
				const struct target *target = &in.list[i]->targets[k];
				int lock = target->kind == TARGET_UNIT ? lock_with(s, list, count, target->unit) : -1;

				if (lock >= 0)
					give(s, lock, unit, target->hits ? target->hits : left, &left, given);
			}
	}
	for (int i = 0; i < count; i++)
		give(s, list[i], unit, left, &left, given);
	talloc_free(list);
}

int *melee_pairs(struct turn *t)
{
	const struct state *s = t->state;
	int *pairs = talloc_zero_array(t->mem, int, (unsigned)s->lock_count + 1);
	int *given = talloc_array(t->mem, int, (unsigned)s->lock_count + 1);

	for (int i = 0; i < s->lock_count; i++)
		pairs[i] = TURN_DICE_MAX;
	for (int unit = 0; unit < s->count; unit++) {
		if (!state_locked(s, unit))
			continue;
		for (int i = 0; i < s->lock_count; i++)
			given[i] = 0;
		divide(t, unit, given);
		for (int i = 0; i < s->lock_count; i++)
			if (s->locks[i].charger == unit || s->locks[i].charged == unit)
				pairs[i] = lesser(pairs[i], given[i]);
	}
	return pairs;
}

/* --- the phase -----------------------------------------------------------------------------------------------------
 */

static void lose(struct turn *t, int unit, int hits)
{
	struct unit *u = &t->state->units[unit];
	struct event *ev;

	turn_act(t);
	if (hits <= 0 || !turn_reaches(t, EVENT_LOSS, unit))
		return;
	ev = turn_event(t, EVENT_LOSS, unit);
	event_set(ev, NUM_HITS, hits);
	event_set(ev, NUM_BEFORE, u->figures);
	event_set(ev, NUM_AFTER, hits > u->figures ? 0 : u->figures - hits);
	turn_ruling(ev, "RH45");
	turn_ruling(ev, "RH30");
	take_losses(t, unit, -1, hits, REASON_MELEE);
}

static int find_lock(const struct state *s, const struct lock *l)
{
	for (int i = 0; i < s->lock_count; i++)
		if (s->locks[i].charger == l->charger && s->locks[i].charged == l->charged)
			return i;
	return -1;
}

/* A referee's change before one of the fights may end others: then those left are matched again. */
static void fight_all(struct turn *t, int *suffered, int *dealt)
{
	const struct state *s = t->state;
	int *pairs = melee_pairs(t), count = s->lock_count;
	struct lock *all = talloc_memdup(t->mem, s->locks, sizeof *s->locks * (size_t)count);

	for (int i = 0; i < count; i++) {
		int k = find_lock(s, &all[i]);

		if (k < 0)
			continue;
		turn_act(t);
		if (pairs[k] > 0 && turn_before(t, EVENT_PAIRS, all[i].charger)) {
			pairs = melee_pairs(t);
			k = find_lock(s, &all[i]);
		}
		if (k >= 0)
			fight(t, &s->locks[k], pairs[k], suffered, dealt);
	}
}

void shreds_melee(struct turn *t)
{
	struct state *s = t->state;
	int *suffered = talloc_zero_array(t->mem, int, (unsigned)s->count + 1);
	int *dealt = talloc_zero_array(t->mem, int, (unsigned)s->count + 1);
	bool *column = talloc_zero_array(t->mem, bool, (unsigned)s->count + 1);
	struct melee_outcome *outcome;

	if (s->lock_count == 0)
		return;
	for (int i = 0; i < s->count; i++)
		column[i] = s->units[i].column && state_locked(s, i);
	fight_all(t, suffered, dealt);
	for (int i = 0; i < s->lock_count; i++)
		s->locks[i].rounds++;
	outcome = melee_outcome(t, dealt);
	for (int i = 0; i < s->count; i++)
		lose(t, i, suffered[i]);
	melee_follow_up(t, outcome);
	for (int i = 0; i < s->count; i++)
		if (column[i] && unit_alive(&s->units[i]))
			change_formation(t, i, false);
}
