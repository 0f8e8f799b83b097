/* Random armies under random orders: nothing that the rulings forbid may ever come about, a turn may be saved between
 * any two phases, and a referee's change moves nothing that does not depend on it. A failure prints the shortest case
 * file found that reproduces it; `test_random_battles FILE...` plays case files under the same eyes. The environment's
 * RANDOM_BATTLES gives how many battles to play and RANDOM_SEED the first. */
#include "amendment_fixture.h"
#include "case_orders.h"
#include "invariants_fixture.h"
#include "random_case.h"

#include "base/file.h"
#include "service/battles.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#ifdef __SANITIZE_ADDRESS__
enum { BATTLES = 24 };
#else
enum { BATTLES = 250 };
#endif
enum { TURNS = 8, WHOLE_ARMIES = 40, CASE_BYTES_MAX = 1 << 20 };

struct playing {
	const struct rules_case *c;
	struct dice dice;
	struct state *state;
	struct case_orders orders;
	int turns; /* played */
};

/* --- one turn --- */

static struct state *saved_and_read(TALLOC_CTX *mem, const struct state *s)
{
	struct state *copy = NULL;
	size_t len;
	char *bytes = state_write(mem, s, &len);

	return state_read(mem, bytes, len, &copy) ? NULL : copy;
}

/* Phase by phase through saved bytes, and whole: both must be the same turn. */
static char *play_one(TALLOC_CTX *mem, struct playing *p, const struct orderbook *book)
{
	const struct rules_case *c = p->c;
	struct events *events = events_new(mem), *stepped = events_new(mem);
	struct state *whole = resolve_turn(mem, c->rules, c->scenario, p->state, book, NULL, &p->dice, events);
	struct state *s = p->state;

	for (int i = 0; i < c->rules->phase_count; i++) {
		struct look l = {mem, c->scenario, &c->rules->phases[i], s, NULL, stepped, stepped->count};
		struct state *read = saved_and_read(mem, s);
		char *bad;

		if (!read)
			return talloc_asprintf(mem, "turn %d: the state before phase %d cannot be read", s->turn, i);
		l.after = s = step(mem, c->rules, c->scenario, read, book, NULL, &p->dice, stepped);
		bad = broken_invariant(&l);
		if (bad)
			return bad;
	}
	if (strcmp(state_digest(mem, whole), state_digest(mem, s)) != 0 ||
		strcmp(events_write(mem, events, NULL), events_write(mem, stepped, NULL)) != 0)
		return talloc_asprintf(mem, "turn %d resumed between phases is another turn", p->state->turn);
	if (p->turns % 2 == 0) {
		unsigned which = (unsigned)(c->seed * 31 + (uint64_t)p->turns * 7);
		char *bad = bad_amendment(mem, which, c->rules, c->scenario, p->state, book, &p->dice);

		if (bad)
			return talloc_asprintf(mem, "turn %d amended: %s", p->state->turn, bad);
	}
	talloc_free(p->state);
	p->state = state_copy(talloc_parent(mem), whole);
	return NULL;
}

static char *play_turn_of_case(TALLOC_CTX *mem, struct playing *p)
{
	TALLOC_CTX *one = talloc_new(mem);
	char *bad = play_one(one, p, case_orders_book(one, &p->orders, p->state));

	talloc_steal(mem, bad);
	talloc_free(one);
	p->turns++;
	return bad;
}

/* A case may set out what could never come about. */
static bool set_out_wrong(TALLOC_CTX *mem, const struct playing *p)
{
	const struct look l = {.mem = mem, .sc = p->c->scenario, .before = p->state, .after = p->state};

	return bad_place(&l) || bad_state(&l);
}

/* NULL when all is well. Text that is no case is not what we look for. */
static char *play_text(TALLOC_CTX *mem, const char *text, bool must_read, int *turns)
{
	struct playing p = {.turns = 0};
	struct rules_case *c;
	struct err *e = case_read(mem, "random.case", text, strlen(text), &c);

	if (e)
		return must_read ? talloc_asprintf(mem, "cannot be read: %s", err_text(mem, e)) : NULL;
	if (strcmp(c->rules->name, "fastplay") != 0)
		return NULL; /* the invariants are of its rulings */
	p.c = c;
	p.state = state_copy(mem, c->scenario->state);
	dice_from_number(&p.dice, c->seed);
	if (set_out_wrong(mem, &p))
		return NULL;
	for (int i = 0; i < c->step_count; i++) {
		const struct case_step *step = &c->steps[i];

		case_orders_take(&p.orders, step, p.state->turn);
		for (int n = 0; step->kind == STEP_TURN && n < step->turns && p.state->winner == WINNER_OPEN; n++) {
			char *bad = play_turn_of_case(mem, &p);

			if (bad)
				return bad;
		}
	}
	if (turns)
		*turns += p.turns;
	return NULL;
}

/* --- the shortest case --- */

static bool still_bad(const char *text)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	bool bad = play_text(mem, text, false, NULL) != NULL;

	talloc_free(mem);
	return bad;
}

/* Without the line at `at`, or (with `clause`) without its last clause. */
static char *without(TALLOC_CTX *mem, const char *text, const char *at, bool clause)
{
	size_t line = strcspn(at, "\n"), from = 0;

	if (clause) {
		for (from = line; from > 0 && at[from] != ';'; from--)
			;
		return from == 0 ? NULL
				 : talloc_asprintf(mem, "%.*s%s", (int)(at - text + (long)from), text, at + line);
	}
	return talloc_asprintf(mem, "%.*s%s", (int)(at - text), text, at + line + (at[line] == '\n'));
}

/* Leaves out lines and clauses as long as something is still wrong. */
static const char *shrink(TALLOC_CTX *mem, const char *text)
{
	bool less = true;

	while (less) {
		less = false;
		for (int clause = 0; clause < 2; clause++)
			for (size_t at = 0; text[at];) {
				char *shorter = without(mem, text, text + at, clause);

				if (shorter && still_bad(shorter)) {
					text = shorter;
					less = true;
				} else {
					at += strcspn(text + at, "\n") + 1;
				}
			}
	}
	return text;
}

static void watch(const char *text, bool random, int *turns)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	char *bad = play_text(mem, text, random, turns);

	if (bad) {
		const char *least = random ? shrink(mem, text) : text;
		char *same = play_text(mem, least, true, NULL);

		fprintf(stderr, "%s\n--- this case file shows it: %s\n%s---\n", bad, same ? same : bad, least);
		fail();
	}
	talloc_free(mem);
}

/* --- the tests --- */

static long number_from(const char *variable, long otherwise)
{
	const char *text = getenv(variable);

	return text ? strtol(text, NULL, 10) : otherwise;
}

static void test_random_battles(void **unused)
{
	long battles = number_from("RANDOM_BATTLES", BATTLES), seed = number_from("RANDOM_SEED", 1);
	TALLOC_CTX *mem = talloc_new(NULL);
	const struct ruleset *rules;
	struct scenario *falkirk;
	int turns = 0;

	(void)unused;
	assert_null(battle_load(mem, "falkirk", NULL, &falkirk, &rules));
	for (long i = 0; i < battles; i++) {
		bool whole = (seed + i) % WHOLE_ARMIES == 0;
		char *text = random_case(NULL, (uint64_t)(seed + i), TURNS, whole ? falkirk->state : NULL);

		watch(text, true, &turns);
		talloc_free(text);
	}
	talloc_free(mem);
	print_message("%d turns of %ld battles played\n", turns, battles);
}

/* The rules cases, with dice of their seed for those that they give. */
static void test_cases(void **unused)
{
	glob_t found;

	(void)unused;
	assert_int_equal(glob("tests/cases/*.case", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		TALLOC_CTX *mem = talloc_new(NULL);
		char *text;
		size_t len;

		assert_null(file_read(mem, found.gl_pathv[i], CASE_BYTES_MAX, &text, &len));
		watch(text, false, NULL);
		talloc_free(mem);
	}
	globfree(&found);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_battles), cmocka_unit_test(test_cases)};

	for (int i = 1; i < argc; i++) {
		char *text, *bad;
		size_t len;

		if (file_read(NULL, argv[i], CASE_BYTES_MAX, &text, &len))
			return 2;
		bad = play_text(NULL, text, true, NULL);
		printf("%s: %s\n", argv[i], bad ? bad : "nothing wrong");
	}
	return argc > 1 ? 0 : cmocka_run_group_tests(tests, NULL, NULL);
}
