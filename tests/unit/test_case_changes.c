/* Every rules case once more, four times for each of its events: just before it the referee takes its actor off the
 * table, or whom it is done to, or sets the actor elsewhere, or leaves it two bases. Nothing before that may change,
 * and whoever is gone does nothing more. */
#include "amendment_fixture.h"
#include "case_orders.h"

#include "base/file.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { DICE_MAX = 64, CASE_BYTES_MAX = 1 << 20 };

struct playing {
	const struct rules_case *c;
	struct dice dice;
	struct state *state;
	struct case_orders orders;
	const struct dealt *dealt[DICE_MAX]; /* for the next turn */
	int dealt_count;
	int changes;
};

/* The case's own dice, none of them rolled yet. */
static struct amendments *dice_of(TALLOC_CTX *mem, const struct playing *p)
{
	struct amendments *list = amendments_new(mem);

	for (int i = 0; i < p->dealt_count; i++) {
		struct amendment *a = amendments_add(list, AMEND_DEAL);

		a->purpose = p->dealt[i]->purpose;
		a->unit = p->dealt[i]->unit;
		a->side = p->dealt[i]->side;
		a->values = p->dealt[i]->values;
		a->value_count = p->dealt[i]->count;
	}
	return list;
}

enum change { ACTOR_GONE, OBJECT_GONE, ACTOR_ELSEWHERE, ACTOR_SMALL, CHANGES };

/* False when the event has nobody to change so. */
static bool add_change(struct amendments *list, enum change change, const struct event *ev)
{
	static const enum amendment_op ops[CHANGES] = {AMEND_REMOVE, AMEND_REMOVE, AMEND_PLACE, AMEND_BASES};
	int object = ev->object_count > 0 ? ev->objects[0] : -1, unit = change == OBJECT_GONE ? object : ev->actor;
	struct amendment *a;

	if (unit < 0)
		return false;
	a = amendments_add(list, ops[change]);
	a->unit = unit;
	a->before = ev->key;
	a->value = 2;
	a->box = (struct box){.front = {INCH(84), INCH(30)}, .facing = 270};
	return true;
}

static char *with_change(TALLOC_CTX *mem, struct playing *p, const struct orderbook *book, const struct play *plain,
	int at, enum change change)
{
	const struct event *ev = plain->events->list[at];
	struct amendments *list = dice_of(mem, p);
	struct play changed;

	if (!add_change(list, change, ev))
		return NULL;
	play_turn(mem, &changed, p->c->rules, p->c->scenario, p->state, book, list, &p->dice);
	for (int i = 0; i < at; i++)
		if (i >= changed.events->count || strcmp(event_bytes(mem, plain->events->list[i]),
							  event_bytes(mem, changed.events->list[i])) != 0)
			return talloc_asprintf(mem, "%s changes with what comes later", plain->events->list[i]->key);
	if (list->list[list->count - 1]->used != 1)
		return talloc_asprintf(mem, "%s: the change before it was not made", ev->key);
	p->changes++;
	return acts_after_removal(mem, &changed);
}

static void play_one(TALLOC_CTX *all, struct playing *p)
{
	TALLOC_CTX *mem = talloc_new(all);
	struct orderbook *book = case_orders_book(mem, &p->orders, p->state);
	struct play plain;

	play_turn(mem, &plain, p->c->rules, p->c->scenario, p->state, book, dice_of(mem, p), &p->dice);
	for (int i = 0; i < plain.events->count; i++) {
		for (enum change change = 0; change < CHANGES; change++) {
			TALLOC_CTX *one = talloc_new(mem);
			char *bad = with_change(one, p, book, &plain, i, change);

			if (bad)
				fail_msg("%s, turn %d, change %d of %s: %s", p->c->file, p->state->turn, (int)change,
					plain.events->list[i]->key, bad);
			talloc_free(one);
		}
	}
	p->state = state_copy(all, plain.at[p->c->rules->phase_count]);
	p->dealt_count = 0;
	talloc_free(mem);
}

static int play_case(const char *file)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct playing p = {.changes = 0};
	struct rules_case *c;
	char *text;
	size_t len;
	int changes;

	assert_null(file_read(mem, file, CASE_BYTES_MAX, &text, &len));
	assert_null(case_read(mem, file, text, len, &c));
	p.c = c;
	p.state = state_copy(mem, c->scenario->state);
	dice_from_number(&p.dice, c->seed);
	for (int i = 0; i < c->step_count; i++) {
		const struct case_step *step = &c->steps[i];

		case_orders_take(&p.orders, step, p.state->turn);
		if (step->kind == STEP_DIE && p.dealt_count < DICE_MAX)
			p.dealt[p.dealt_count++] = &step->dealt;
		for (int n = 0; step->kind == STEP_TURN && n < step->turns && p.state->winner == WINNER_OPEN; n++)
			play_one(mem, &p);
	}
	changes = p.changes;
	talloc_free(mem);
	return changes;
}

static void test_changes(void **unused)
{
	int changes = 0;
	glob_t found;

	(void)unused;
	assert_int_equal(glob("tests/cases/*.case", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++)
		changes += play_case(found.gl_pathv[i]);
	globfree(&found);
	print_message("%d changes\n", changes);
	assert_true(changes > 4000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_changes)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
