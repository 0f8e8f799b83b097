#include "rules/ruleset.h"

#include "rules/fastplay/fastplay.h"
#include "rules/shreds/shreds.h"
#include "rules/turn.h"
#include "rules/verdict.h"

#include <assert.h>
#include <string.h>

static const struct ruleset *const rulesets[] = {&fastplay, &shreds};

enum { RULESETS = sizeof rulesets / sizeof *rulesets };

const struct ruleset *ruleset_at(int index)
{
	return index >= 0 && index < RULESETS ? rulesets[index] : NULL;
}

const struct ruleset *ruleset_find(const char *name)
{
	for (int i = 0; i < RULESETS; i++)
		if (strcmp(rulesets[i]->name, name) == 0)
			return rulesets[i];
	return NULL;
}

/* The referee's word that ends the battle before the next phase, or NULL. */
static struct amendment *verdict_now(const struct turn *t)
{
	for (int i = 0; t->amendments && i < t->amendments->count; i++) {
		struct amendment *a = t->amendments->list[i];

		if (a->op == AMEND_VERDICT && a->unit <= t->state->next_phase)
			return a;
	}
	return NULL;
}

/* The battle ends here and now, and is told of as its last phase would tell it. */
static void give_verdict(struct turn *t, struct amendment *a)
{
	const char *ruling = a->side >= 0 ? t->rules->rulings.conceded : t->rules->rulings.verdict;
	enum winner by_points;
	struct event *ev;

	t->phase = &t->rules->phases[t->rules->phase_count - 1];
	t->first_event = t->events->count;
	turn_act(t);
	by_points = count_points(t);
	t->state->winner = a->value == WINNER_OPEN ? by_points : (enum winner)a->value;
	t->state->next_phase = 0;
	ev = turn_event(t, EVENT_VERDICT, -1);
	event_set(ev, NUM_WINNER, (int32_t)t->state->winner);
	ev->reason = a->side >= 0 ? REASON_CONCEDED : REASON_REFEREE;
	ev->text = talloc_strdup(ev, a->because);
	ev->amended = true;
	if (ruling)
		turn_ruling(ev, ruling);
	a->used++;
}

/* Runs the state's next phase on it. */
static void run_phase(struct turn *t)
{
	struct state *s = t->state;
	int phase = s->next_phase, turn = s->turn;
	struct amendment *verdict = verdict_now(t);

	assert(phase >= 0 && phase < t->rules->phase_count && s->winner == WINNER_OPEN);
	if (verdict) {
		give_verdict(t, verdict);
		return;
	}
	t->phase = &t->rules->phases[phase];
	t->first_event = t->events->count;
	turn_act(t);
	t->phase->run(t);
	turn_after_phase(t, phase);
	if (s->winner == WINNER_OPEN && phase + 1 < t->rules->phase_count) {
		s->next_phase = phase + 1;
		return;
	}
	s->next_phase = 0;
	if (s->winner == WINNER_OPEN)
		s->turn = turn + 1;
}

static struct turn *new_turn(TALLOC_CTX *mem, const struct ruleset *rules, const struct scenario *sc,
	const struct state *before, const struct orderbook *orders, struct amendments *amendments,
	const struct dice *dice, struct events *events)
{
	struct turn *t = talloc_zero(mem, struct turn);

	assert(t && orders->count == before->count);
	t->mem = t;
	t->rules = rules;
	t->sc = sc;
	t->state = state_copy(mem, before);
	t->orders = orders;
	t->amendments = amendments;
	t->dice = dice;
	t->events = events;
	t->looked = talloc_zero_array(t, bool, (unsigned)before->count + 1);
	return t;
}

static struct state *finish(struct turn *t)
{
	struct state *s = t->state;

	talloc_free(t);
	return s;
}

struct state *step(TALLOC_CTX *mem, const struct ruleset *rules, const struct scenario *sc, const struct state *before,
	const struct orderbook *orders, struct amendments *amendments, const struct dice *dice, struct events *events)
{
	struct turn *t = new_turn(mem, rules, sc, before, orders, amendments, dice, events);

	run_phase(t);
	return finish(t);
}

struct state *resolve_until(TALLOC_CTX *mem, const struct ruleset *rules, const struct scenario *sc,
	const struct state *before, int phase, const struct orderbook *orders, struct amendments *amendments,
	const struct dice *dice, struct events *events)
{
	struct turn *t = new_turn(mem, rules, sc, before, orders, amendments, dice, events);

	do
		run_phase(t);
	while (t->state->winner == WINNER_OPEN && t->state->turn == before->turn && t->state->next_phase != phase);
	return finish(t);
}

struct state *resolve_turn(TALLOC_CTX *mem, const struct ruleset *rules, const struct scenario *sc,
	const struct state *before, const struct orderbook *orders, struct amendments *amendments,
	const struct dice *dice, struct events *events)
{
	return resolve_until(mem, rules, sc, before, 0, orders, amendments, dice, events);
}
