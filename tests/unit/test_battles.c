/* db/battles: the armies as the rule texts count them, where they stand, and opening maps that show every piece. */
#include "report/chronicle.h"
#include "report/map.h"
#include "rules/ruleset.h"
#include "service/battles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

static struct scenario *load(TALLOC_CTX *mem, const char *name)
{
	const struct ruleset *rules;
	struct scenario *sc;
	struct err *e = battle_load(mem, name, NULL, &sc, &rules);

	if (e)
		fail_msg("%s", err_text(mem, e));
	return sc;
}

/* How many pieces of that side and kind a wing has; NULL for any wing. */
static int pieces(const struct scenario *sc, enum side side, const char *wing, enum kind kind)
{
	int n = 0;

	for (int i = 0; i < sc->state->count; i++) {
		const struct unit *u = &sc->state->units[i];

		n += u->side == side && u->kind == kind && (!wing || strcmp(u->wing, wing) == 0);
	}
	return n;
}

static int foot(const struct scenario *sc, enum side side, const char *wing)
{
	return pieces(sc, side, wing, KIND_FOOT) + pieces(sc, side, wing, KIND_CLAN);
}

static int bases(const struct scenario *sc, enum side side)
{
	int n = 0;

	for (int i = 0; i < sc->state->count; i++)
		if (sc->state->units[i].side == side && unit_is_formed(&sc->state->units[i]))
			n += sc->state->units[i].bases;
	return n;
}

/* The least distance of two enemies, in thousandths of an inch. */
static int32_t apart(const struct scenario *sc)
{
	const struct unit *units = sc->state->units;
	int32_t least = INT32_MAX;

	for (int a = 0; a < sc->state->count; a++)
		for (int b = 0; b < a; b++) {
			int32_t d = geo_distance(&units[a].box, &units[b].box);

			if (units[a].side != units[b].side && d < least)
				least = d;
		}
	return least;
}

static void at(const struct scenario *sc, const char *id, int32_t x, int32_t y, int facing)
{
	const struct unit *u = &sc->state->units[state_find_id(sc->state, id)];

	assert_int_equal(u->box.front.x, x);
	assert_int_equal(u->box.front.y, y);
	assert_int_equal(u->box.facing, facing);
}

static void test_prestonpans(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = load(mem, "prestonpans");

	(void)state;
	assert_string_equal(sc->label[SIDE_GOVERNMENT], "English"); /* FP5 */
	assert_int_equal(foot(sc, SIDE_GOVERNMENT, NULL), 7);
	assert_int_equal(pieces(sc, SIDE_GOVERNMENT, "Reserve", KIND_HORSE), 4);
	assert_int_equal(pieces(sc, SIDE_GOVERNMENT, NULL, KIND_GUN), 2);
	assert_int_equal(pieces(sc, SIDE_GOVERNMENT, NULL, KIND_COMMANDER), 2);
	assert_int_equal(foot(sc, SIDE_JACOBITE, "Left"), 5);
	assert_int_equal(foot(sc, SIDE_JACOBITE, "Right"), 4);
	assert_int_equal(foot(sc, SIDE_JACOBITE, "Reserve"), 5);
	assert_int_equal(pieces(sc, SIDE_JACOBITE, NULL, KIND_COMMANDER), 4);
	assert_int_equal(bases(sc, SIDE_GOVERNMENT), 2 * 33); /* FP88 */
	assert_int_equal(bases(sc, SIDE_JACOBITE), 2 * 42);
	assert_int_equal(apart(sc), 20000);
	at(sc, "GAR", 63250, 17000, 0);
	at(sc, "CAM2", 68250, 40000, 180);
	assert_int_equal(parameters_get(sc->parameters, "discipline-modifier"), 3);
	assert_int_equal(parameters_get(sc->parameters, "horse-move"), 12000);
	assert_int_equal(parameters_get(sc->parameters, "commander-charge"), 12000);
	assert_int_equal(parameters_get(sc->parameters, "turn-limit"), 10); /* FP87 */
	assert_int_equal(parameters_get(sc->parameters, "wet-powder"), 0);
	talloc_free(mem);
}

static void test_falkirk(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = load(mem, "falkirk");

	(void)state;
	assert_int_equal(bases(sc, SIDE_GOVERNMENT), 2 * 51);
	assert_int_equal(bases(sc, SIDE_JACOBITE), 2 * 57);
	assert_int_equal(apart(sc), 19000);
	talloc_free(mem);
}

static void test_culloden(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = load(mem, "culloden");

	(void)state;
	assert_string_equal(sc->label[SIDE_GOVERNMENT], "British"); /* FP5 */
	assert_int_equal(foot(sc, SIDE_GOVERNMENT, "Left"), 1);
	assert_int_equal(pieces(sc, SIDE_GOVERNMENT, "Left", KIND_HORSE), 2);
	/* Wolfe's, the seventh name of the centre, is counted with the reserve. */
	assert_int_equal(foot(sc, SIDE_GOVERNMENT, "Centre"), 6);
	assert_int_equal(foot(sc, SIDE_GOVERNMENT, "Reserve"), 5);
	assert_int_equal(pieces(sc, SIDE_GOVERNMENT, "Centre", KIND_GUN), 7);
	assert_int_equal(pieces(sc, SIDE_GOVERNMENT, "Right", KIND_HORSE), 2);
	assert_int_equal(foot(sc, SIDE_GOVERNMENT, "Second"), 5);
	assert_int_equal(pieces(sc, SIDE_GOVERNMENT, NULL, KIND_COMMANDER), 6);
	for (int i = 0; i < 3; i++)
		assert_int_equal(foot(sc, SIDE_JACOBITE, (const char *const[]){"Left", "Centre", "Right"}[i]), 4);
	assert_int_equal(foot(sc, SIDE_JACOBITE, "Reserve"), 2);
	assert_int_equal(pieces(sc, SIDE_JACOBITE, "Reserve", KIND_HORSE), 1);
	assert_int_equal(pieces(sc, SIDE_JACOBITE, "Centre", KIND_GUN), 2);
	assert_int_equal(pieces(sc, SIDE_JACOBITE, NULL, KIND_COMMANDER), 5);
	assert_int_equal(bases(sc, SIDE_GOVERNMENT), 2 * 63);
	assert_int_equal(bases(sc, SIDE_JACOBITE), 2 * 45);
	assert_int_equal(apart(sc), 18750);
	at(sc, "WOL", 20500, 20000, 90);
	at(sc, "COBR", 73250, 20000, 0);
	at(sc, "JG2", 59500, 42500, 180);
	assert_int_equal(parameters_get(sc->parameters, "discipline-modifier"), 0);
	assert_int_equal(parameters_get(sc->parameters, "turn-limit"), 12);
	talloc_free(mem);
}

static int times(const char *text, const char *what)
{
	int n = 0;

	for (const char *p = strstr(text, what); p; p = strstr(p + 1, what))
		n++;
	return n;
}

/* The label of every piece stands on the map once (guns: one sign each), and no line is over 72 columns. */
static void map_shows_all(const char *name, const char *moved)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = load(mem, name);
	char *map = map_draw(mem, &sc->table, sc->state, NULL);
	int guns = 0;

	for (int i = 0; i < sc->state->count; i++) {
		const struct unit *u = &sc->state->units[i];
		const char *facing = u->box.facing == 0 ? "^" : u->box.facing == 90 ? ">" : "v";

		if (u->kind == KIND_GUN)
			guns++;
		else if (u->kind == KIND_COMMANDER)
			assert_int_equal(times(map, u->code), 1);
		else
			assert_int_equal(times(map, talloc_asprintf(mem, "%s%s%d", u->code, facing, u->bases)), 1);
	}
	assert_int_equal(times(map, "="), guns);
	for (const char *line = map; *line; line += strcspn(line, "\n") + 1)
		assert_true(strcspn(line, "\n") <= 72);
	if (moved)
		assert_non_null(strstr(map_key(mem, sc, sc->state, NULL), moved));
	else
		assert_null(strstr(map_key(mem, sc, sc->state, NULL), "Moved aside"));
	talloc_free(mem);
}

static void test_maps(void **state)
{
	(void)state;
	map_shows_all("prestonpans", NULL);
	map_shows_all("falkirk", NULL);
	/* Mordaunt's centre and Cumberland's are in one row of the map. */
	map_shows_all("culloden", "Moved aside for room: Mo");
}

/* A teacher's debrief: every battle tells what happened. */
static void test_history(void **state)
{
	static const char *const battles[] = {"prestonpans", "falkirk", "culloden"};
	TALLOC_CTX *mem = talloc_new(NULL);

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_true(strlen(load(mem, battles[i])->history) > 400);
	talloc_free(mem);
}

/* The two sides' units bear the same letters, one in capitals and one not: what is said of the one is never taken for
 * the other, whichever of them has acted first or alone. */
static void test_namesakes(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	static const char *const names[] = {"falkirk", "prestonpans", "prestonpans-heritage", "culloden"};
	int pairs = 0;

	(void)state;
	for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
		const struct state *s = load(mem, names[n])->state;
		struct events *all = events_new(mem);

		/* A gun's key says whose it is where both sides have one of its number. */
		for (int i = 0; i < s->count; i++)
			if (s->units[i].kind != KIND_GUN)
				events_add(all, EVENT_VOLLEY,
					talloc_asprintf(mem, "T2.shoot.%s.volley.1", s->units[i].code));
		for (int i = 0; i < all->count; i++) {
			const char *key = all->list[i]->key, *typed = talloc_asprintf(mem, "t%s", key + 1);
			int namesakes = 0;

			for (int k = 0; k < all->count; k++)
				namesakes += strcasecmp(all->list[k]->key, key) == 0;
			pairs += namesakes == 2;
			assert_ptr_equal(events_find_typed(all, key), all->list[i]);
			assert_ptr_equal(events_find_typed(all, typed), namesakes == 1 ? all->list[i] : NULL);
		}
	}
	assert_int_equal(pairs, 2 * 54);
	talloc_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_prestonpans),
		cmocka_unit_test(test_falkirk),
		cmocka_unit_test(test_culloden),
		cmocka_unit_test(test_maps),
		cmocka_unit_test(test_history),
		cmocka_unit_test(test_namesakes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
