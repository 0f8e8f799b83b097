#include "rules/intent.h"

#include "rules/field.h"

/* --- conditions ----------------------------------------------------------------------------------------------------
 */

const struct box *where_is(const struct state *s, int unit)
{
	const struct unit *u = &s->units[unit];

	return &(u->with >= 0 ? &s->units[u->with] : u)->box;
}

int nearest_enemy(const struct turn *t, int unit, int32_t *distance)
{
	const struct state *s = t->state;
	const struct box *from = where_is(s, unit);
	int best = -1;

	for (int i = 0; i < s->count; i++) {
		int32_t d;

		if (s->units[i].side == s->units[unit].side || !is_body(&s->units[i]) ||
			(best >= 0 && !may_meet(from, &s->units[i].box, *distance)))
			continue;
		d = geo_distance(from, &s->units[i].box);
		if (best < 0 || d < *distance) {
			best = i;
			*distance = d;
		}
	}
	return best;
}

/* What was asked about, for the event. */
struct asked {
	int unit;
	int32_t distance; /* -1 when none was measured */
};

static bool within(
	struct turn *t, int unit, const struct condition *c, const struct clause *governed, struct asked *asked)
{
	const struct state *s = t->state;
	int of = c->of >= 0 ? c->of : unit, subject = c->unit;
	int32_t d = 0;

	if (c->subject == WITHIN_CHARGE_TARGET)
		subject = t->rules->charge_target(t, unit, governed);
	if (c->subject == WITHIN_ENEMY || (c->subject == WITHIN_CHARGE_TARGET && subject < 0))
		subject = nearest_enemy(t, of, &d);
	if (subject < 0 || !unit_alive(&s->units[subject]) || !unit_alive(&s->units[of]))
		return false;
	turn_look(t, subject);
	turn_look(t, of);
	d = geo_distance(where_is(s, of), where_is(s, subject));
	asked->unit = subject;
	asked->distance = d;
	return d <= c->distance;
}

static bool has_status(struct turn *t, const struct condition *c, struct asked *asked)
{
	const struct unit *u = &t->state->units[c->unit];

	turn_look(t, c->unit);
	asked->unit = c->unit;
	switch (c->status) {
	case STATUS_GONE:
		return !unit_alive(u);
	case STATUS_LOCKED:
		return state_locked(t->state, u->with >= 0 ? u->with : c->unit);
	case STATUS_ROUTING:
		return u->routing;
	}
	return false;
}

static bool compare(int value, enum comparison how, int number)
{
	switch (how) {
	case COMPARE_LESS:
		return value < number;
	case COMPARE_AT_MOST:
		return value <= number;
	case COMPARE_EQUAL:
		return value == number;
	case COMPARE_AT_LEAST:
		return value >= number;
	case COMPARE_MORE:
		return value > number;
	}
	return false;
}

static bool judge(
	struct turn *t, int unit, const struct condition *c, const struct clause *governed, struct asked *asked)
{
	switch (c->kind) {
	case CONDITION_WITHIN:
		return within(t, unit, c, governed, asked);
	case CONDITION_STATUS:
		return has_status(t, c, asked);
	case CONDITION_BASES:
		return compare(t->state->units[unit].bases, c->comparison, c->number);
	case CONDITION_FIGURES:
		return compare(t->state->units[unit].figures, c->comparison, c->number);
	/* Where nobody throws for the first move, nobody has it, and nobody has points or is out of them. */
	case CONDITION_OUT_OF_POINTS:
		return t->state->initiative >= 0 && t->state->units[unit].points_left == 0;
	case CONDITION_POINTS:
		return t->state->initiative >= 0 &&
		       compare(t->state->units[unit].points_left, c->comparison, c->number);
	case CONDITION_INITIATIVE:
		return t->state->initiative == (int)t->state->units[unit].side;
	case CONDITION_AND:
		return judge(t, unit, c->left, governed, asked) && judge(t, unit, c->right, governed, asked);
	case CONDITION_OR:
		return judge(t, unit, c->left, governed, asked) || judge(t, unit, c->right, governed, asked);
	case CONDITION_NOT:
		return !judge(t, unit, c->left, governed, asked);
	}
	return false;
}

/* "Within 6" after a charge is about its target, so the charge that the condition governs comes with it. */
static const struct clause *first_charge(const struct clause *c)
{
	const struct clause *found = NULL;

	for (; c && !found; c = c->next) {
		if (c->kind == CLAUSE_CHARGE)
			found = c;
		else if (c->kind == CLAUSE_IF && !(found = first_charge(c->then)))
			found = first_charge(c->otherwise);
	}
	return found;
}

bool condition_holds(struct turn *t, int unit, const struct condition *c, const struct clause *governed)
{
	struct asked asked = {-1, -1};
	struct event *ev;
	bool holds;

	turn_act(t);
	if (turn_before(t, EVENT_CONDITION, unit))
		turn_act(t);
	if (!unit_alive(&t->state->units[unit]))
		return false;
	holds = judge(t, unit, c, governed, &asked);
	ev = turn_event(t, EVENT_CONDITION, unit);
	if (asked.unit >= 0)
		turn_object(ev, asked.unit);
	if (asked.distance >= 0)
		event_set(ev, NUM_DISTANCE, asked.distance);
	event_set(ev, NUM_HITS, holds);
	return holds;
}

/* --- clauses -------------------------------------------------------------------------------------------------------
 */

/* Clauses that answer the same question are of one kind: where to move, at whom to fire. */
static unsigned group(enum clause_kind kind)
{
	switch (kind) {
	case CLAUSE_HOLD:
		return CLAUSE_BIT(CLAUSE_MOVE);
	case CLAUSE_LEAVE:
		return CLAUSE_BIT(CLAUSE_JOIN);
	case CLAUSE_HOLD_FIRE:
		return CLAUSE_BIT(CLAUSE_FIRE);
	default:
		return CLAUSE_BIT(kind);
	}
}

/* The groups that the clauses hold, conditional ones included, as far as `kinds` goes. */
static unsigned groups_in(const struct clause *c, unsigned kinds)
{
	unsigned found = 0;

	for (; c; c = c->next) {
		if (c->kind == CLAUSE_IF)
			found |= groups_in(c->then, kinds) | groups_in(c->otherwise, kinds);
		else if (CLAUSE_BIT(c->kind) & kinds)
			found |= group(c->kind);
	}
	return found;
}

bool intent_possible(const struct turn *t, int unit, unsigned kinds)
{
	return groups_in(t->orders->units[unit].clauses, kinds) != 0;
}

struct gathering {
	struct turn *t;
	int unit;
	unsigned kinds;
	bool quiet;              /* judge without events */
	unsigned taken;          /* groups for which a conditional clause stands already */
	bool branch[INTENT_MAX]; /* of each clause in `out`: it was under an "if" */
	struct intent *out;
};

/* The clauses that an "if" comes to now. */
static const struct clause *branch(struct gathering *g, const struct clause *c)
{
	const struct clause *charge = first_charge(c->then);
	struct asked asked;

	if (!charge)
		charge = first_charge(c->otherwise);
	if (g->quiet ? judge(g->t, g->unit, c->condition, charge, &asked)
		     : condition_holds(g->t, g->unit, c->condition, charge))
		return c->then;
	return c->otherwise;
}

static void gather(struct gathering *g, const struct clause *c, bool conditional)
{
	for (; c; c = c->next) {
		if (c->kind == CLAUSE_IF) {
			unsigned may = groups_in(c->then, g->kinds) | groups_in(c->otherwise, g->kinds);
			unsigned taken = g->taken;
			const struct clause *held;

			if (!(may & ~taken))
				continue;
			held = branch(g, c);
			gather(g, held, true);
			if (!conditional)
				g->taken = taken | groups_in(held, g->kinds);
		} else if ((CLAUSE_BIT(c->kind) & g->kinds) && g->out->count < INTENT_MAX &&
			   !(conditional && (group(c->kind) & g->taken))) {
			g->branch[g->out->count] = conditional;
			g->out->list[g->out->count++] = c;
		}
	}
}

/* Whether the unconditional clause has to give way to a conditional one that holds. */
static bool gives_way(const struct gathering *g, const struct clause *c)
{
	bool move = false, hold = false, same = false;

	for (int i = 0; i < g->out->count; i++) {
		const struct clause *other = g->out->list[i];

		if (!g->branch[i])
			continue;
		move |= other->kind == CLAUSE_MOVE || other->kind == CLAUSE_JOIN;
		hold |= other->kind == CLAUSE_HOLD;
		same |= group(other->kind) == group(c->kind);
	}
	switch (c->kind) {
	case CLAUSE_MOVE:
	case CLAUSE_JOIN:
		return hold && !move;
	case CLAUSE_HOLD:
		return move;
	case CLAUSE_FIRE:
	case CLAUSE_HOLD_FIRE:
	case CLAUSE_CHARGE:
	case CLAUSE_MELEE:
		return same;
	default:
		return false;
	}
}

static void read_intent(struct turn *t, int unit, unsigned kinds, bool quiet, struct intent *out)
{
	const struct clause *clauses = t->orders->units[unit].clauses;
	struct gathering g = {.t = t, .unit = unit, .kinds = kinds, .quiet = quiet, .out = out};
	int kept = 0;
	bool keep[INTENT_MAX] = {false};

	out->count = 0;
	out->ordered = clauses != NULL;
	out->conditional = false;
	gather(&g, clauses, false);
	for (int i = 0; i < out->count; i++) {
		keep[i] = g.branch[i] || !gives_way(&g, out->list[i]);
		out->conditional |= g.branch[i];
	}
	for (int i = 0; i < out->count; i++)
		if (keep[i])
			out->list[kept++] = out->list[i];
	out->count = kept;
}

void intent_read(struct turn *t, int unit, unsigned kinds, struct intent *out)
{
	read_intent(t, unit, kinds, false, out);
}

void intent_peek(struct turn *t, int unit, unsigned kinds, struct intent *out)
{
	read_intent(t, unit, kinds, true, out);
}
