#include "rules/ruleset.h"

#include "rules/fastplay/fastplay.h"

#include <assert.h>
#include <string.h>

static const struct phase fastplay_phases[] = {
	{"move", "move", SIDE_GOVERNMENT, fastplay_move},
	{"shoot", "shoot", SIDE_GOVERNMENT, fastplay_shoot},
	{"move", "move", SIDE_JACOBITE, fastplay_move},
	{"shoot", "shoot", SIDE_JACOBITE, fastplay_shoot},
	{"charge", "Charge", -1, fastplay_charge},
	{"melee", "Melee", -1, fastplay_melee},
	{"end", "End of the turn", -1, fastplay_end},
};

/* A line a rule set. */
static const struct ruleset rulesets[] = {
	{"fastplay", fastplay_phases, sizeof fastplay_phases / sizeof fastplay_phases[0], fastplay_parameters,
		FASTPLAY_PARAMETER_COUNT, fastplay_foresee},
};

const struct ruleset *ruleset_at(int index)
{
	return index >= 0 && index < (int)(sizeof rulesets / sizeof rulesets[0]) ? &rulesets[index] : NULL;
}

const struct ruleset *ruleset_find(const char *name)
{
	for (int i = 0; ruleset_at(i) != NULL; i++) {
		if (strcmp(rulesets[i].name, name) == 0)
			return &rulesets[i];
	}
	return NULL;
}

struct state *step(TALLOC_CTX *mem, const struct ruleset *rules, const struct scenario *sc, const struct state *before,
	const struct orderbook *orders, struct amendments *amendments, const struct dice *dice, struct events *events)
{
	struct turn t = {
		.mem = talloc_new(NULL),
		.rules = rules,
		.sc = sc,
		.state = state_copy(mem, before),
		.orders = orders,
		.amendments = amendments,
		.dice = dice,
		.events = events,
		.phase = &rules->phases[before->next_phase],
	};

	assert(orders->count == before->count);
	t.phase->run(&t);
	if (++t.state->next_phase == rules->phase_count) {
		t.state->next_phase = 0;
		t.state->turn++;
	}
	talloc_free(t.mem);
	return t.state;
}

struct state *resolve_turn(TALLOC_CTX *mem, const struct ruleset *rules, const struct scenario *sc,
	const struct state *before, const struct orderbook *orders, struct amendments *amendments,
	const struct dice *dice, struct events *events)
{
	struct state *s = NULL;

	do {
		struct state *next = step(mem, rules, sc, s == NULL ? before : s, orders, amendments, dice, events);

		talloc_free(s);
		s = next;
	} while (s->next_phase != 0);
	return s;
}
