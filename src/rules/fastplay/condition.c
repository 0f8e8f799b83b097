/* Which of a unit's clauses are in force now, and the conditions that decide it. */
#include "rules/fastplay/fastplay.h"

#include <assert.h>

static bool compare(int a, enum comparison how, int b)
{
	switch (how) {
	case COMPARE_LESS:
		return a < b;
	case COMPARE_AT_MOST:
		return a <= b;
	case COMPARE_EQUAL:
		return a == b;
	case COMPARE_AT_LEAST:
		return a >= b;
	case COMPARE_MORE:
		return a > b;
	}
	return false;
}

/* The nearest enemy unit or gun of `unit`, and how far; -1 when there is none. */
static int nearest_enemy(const struct state *s, int unit, int32_t *distance)
{
	int best = -1;

	for (int i = 0; i < s->count; i++) {
		const struct unit *e = &s->units[i];
		int32_t d;

		if (e->side == s->units[unit].side || !unit_alive(e) || e->kind == KIND_COMMANDER)
			continue;
		d = geo_distance(&s->units[unit].box, &e->box);
		if (best < 0 || d < *distance) {
			best = i;
			*distance = d;
		}
	}
	return best;
}

/* The first piece that a list's charge clause names; nearest enemy for `nearest` and `any`. */
static int charge_target_of(const struct state *s, int unit, const struct clause *list)
{
	int32_t d;

	for (const struct clause *c = list; c != NULL; c = c->next) {
		if (c->kind == CLAUSE_CHARGE && c->target_count > 0)
			return c->targets[0].kind == TARGET_UNIT ? c->targets[0].unit : nearest_enemy(s, unit, &d);
	}
	return nearest_enemy(s, unit, &d);
}

/* What a condition looked at, for its event. */
struct look {
	int unit;
	int32_t distance;
};

static bool within(
	const struct state *s, int unit, const struct condition *c, const struct clause *then, struct look *look)
{
	int of = c->of >= 0 ? c->of : unit;

	if (!unit_alive(&s->units[of]))
		return false;
	switch (c->subject) {
	case WITHIN_UNIT:
		look->unit = c->unit;
		break;
	case WITHIN_ENEMY:
		look->unit = nearest_enemy(s, of, &look->distance);
		break;
	case WITHIN_CHARGE_TARGET:
		look->unit = charge_target_of(s, unit, then);
		break;
	}
	if (look->unit < 0 || !unit_alive(&s->units[look->unit]))
		return false;
	look->distance = geo_distance(&s->units[of].box, &s->units[look->unit].box);
	return look->distance <= c->distance;
}

static bool holds(
	const struct state *s, int unit, const struct condition *c, const struct clause *then, struct look *look)
{
	const struct unit *u = &s->units[unit];

	switch (c->kind) {
	case CONDITION_WITHIN:
		return within(s, unit, c, then, look);
	case CONDITION_STATUS:
		look->unit = c->unit;
		if (c->status == STATUS_GONE)
			return !unit_alive(&s->units[c->unit]);
		if (!unit_alive(&s->units[c->unit]))
			return false;
		return c->status == STATUS_LOCKED ? state_locked(s, c->unit) : s->units[c->unit].routing;
	case CONDITION_BASES:
		return compare(u->bases, c->comparison, c->number);
	case CONDITION_FIGURES:
		return compare(u->figures, c->comparison, c->number);
	case CONDITION_OUT_OF_POINTS:
		return s->command_points[u->side] <= 0;
	case CONDITION_AND:
		return holds(s, unit, c->left, then, look) && holds(s, unit, c->right, then, look);
	case CONDITION_OR:
		return holds(s, unit, c->left, then, look) || holds(s, unit, c->right, then, look);
	case CONDITION_NOT:
		return !holds(s, unit, c->left, then, look);
	}
	return false;
}

/* Does the list hold a clause of one of the kinds, at any depth? */
static bool mentions(const struct clause *list, unsigned kinds)
{
	for (const struct clause *c = list; c != NULL; c = c->next) {
		if ((kinds & (1u << c->kind)) != 0)
			return true;
		if (c->kind == CLAUSE_IF && (mentions(c->then, kinds) || mentions(c->otherwise, kinds)))
			return true;
	}
	return false;
}

static bool judge(struct turn *t, int unit, const struct clause *c)
{
	struct look look = {-1, -1};
	bool yes = holds(t->state, unit, c->condition, c->then, &look);
	struct event *ev;

	if (t->events == NULL)
		return yes;
	ev = emit(t, EVENT_CONDITION, unit);
	ev->ruling = "FP49";
	if (t->phase->side >= 0 || t->phase->key[0] != 'c')
		ev->ruling = "";
	event_set(ev, NUM_HITS, yes);
	if (look.unit >= 0) {
		event_object(ev, look.unit);
		event_saw(ev, look.unit);
	}
	if (look.distance >= 0)
		event_set(ev, NUM_DISTANCE, look.distance);
	return yes;
}

/* Collects the list's clauses; `closed` has the kinds of which a conditional clause has been taken already. */
static void collect(struct turn *t, int unit, const struct clause *list, unsigned kinds, bool under_if,
	unsigned *closed, struct taken *out)
{
	unsigned opened = 0;

	for (const struct clause *c = list; c != NULL; c = c->next) {
		unsigned bit = 1u << c->kind;

		if (c->kind == CLAUSE_IF) {
			unsigned open = kinds & ~*closed;

			if (open != 0 && (mentions(c->then, open) || mentions(c->otherwise, open)))
				collect(t, unit, judge(t, unit, c) ? c->then : c->otherwise, open, true, closed, out);
		} else if ((kinds & bit) != 0 && (*closed & bit) == 0 && out->count < CLAUSES_MAX) {
			out->clause[out->count++] = c;
			out->conditional |= under_if;
			opened |= bit;
		}
	}
	if (under_if)
		*closed |= opened;
}

/* The unconditional clauses that a conditional one of their kind has replaced go out. */
static void drop_replaced(const struct clause *top, unsigned closed, struct taken *out)
{
	int kept = 0;

	for (int i = 0; i < out->count; i++) {
		bool at_top = false;

		for (const struct clause *c = top; c != NULL; c = c->next)
			at_top |= c == out->clause[i];
		if (!at_top || (closed & (1u << out->clause[i]->kind)) == 0)
			out->clause[kept++] = out->clause[i];
	}
	out->count = kept;
}

void take_clauses(struct turn *t, int unit, unsigned kinds, struct taken *out)
{
	const struct clause *list = t->orders->units[unit].clauses;
	unsigned closed = 0;

	out->count = 0;
	out->conditional = false;
	/* First the conditional ones, in order, so that they close their kinds; then the rest in written order. */
	collect(t, unit, list, kinds, false, &closed, out);
	if (closed != 0)
		drop_replaced(list, closed, out);
}
