/* report/map: the sample map sign by sign, and nothing hidden however pieces stand. */
#include "report/map.h"
#include "rules/ruleset.h"
#include "service/battles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char falkirk[] = "   A   B   C   D   E   F   G   H   I   J   K   L   M   N   O\n"
			      "  +------------------------------------------------------------+\n"
			      " 1|.   .   .   .   .   . pc.   .   .   .   .   .   .   .   .   |\n"
			      "  |       tv6                                                  |\n"
			      " 2|.   .   .   .   .   . uv6   .   .   .   .   .   .   .   .   |\n"
			      "  |                                                            |\n"
			      " 3|.   .  kv6lv6 mv6 nv6 pv6qv6.rv6. sv6   .   .   .   .   .   |\n"
			      "  |           mu       dr          os                          |\n"
			      " 4|.   .  av6bv6 cv6 dv6ev6.fv6.gv6hv6 jv6 .   .   .   .   .   |\n"
			      "  |                                                            |\n"
			      " 5|.   .   .   .   .   .   .   .   .   .   .   .   .   .   .   |\n"
			      "  |                                                            |\n"
			      " 6|.   .   .   .   .   .   .   .   .   .   .   .   .   .   .   |\n"
			      "  |                                                            |\n"
			      " 7|.   .   .   .   .   .   .   .   .   .   .   .   .   .   .   |\n"
			      "  |             A^6 B^6 C^6 D^6 E^6F^6  G^6H^6 J^6             |\n"
			      " 8|.   .   .   .   . Li.   .   .Ch .   .   .Hu .   .   .   .   |\n"
			      "  |               K^6 L^6   M^6 N^6P^6  Q^6R^6 S^6             |\n"
			      " 9|.   .   .   .   .   .   .   .   .   .   .   .   .   .   .   |\n"
			      "  |                             Ha                             |\n"
			      "10|.   .   .   .   .   .   .   .   .   .   .   .   .   .   .   |\n"
			      "  |                                                            |\n"
			      "  +------------------------------------------------------------+\n";

static struct scenario *load(TALLOC_CTX *mem)
{
	const struct ruleset *rules;
	struct scenario *sc;

	assert_null(battle_load(mem, "falkirk", NULL, &sc, &rules));
	return sc;
}

static void test_deployment(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = load(mem);

	(void)state;
	assert_string_equal(map_draw(mem, &sc->table, sc->state, NULL), falkirk);
	talloc_free(mem);
}

/* Every piece on one spot: each label is still there once. */
static void test_nothing_hidden(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = load(mem);
	const char *map;

	(void)state;
	for (int i = 0; i < sc->state->count; i++)
		sc->state->units[i].box.front = (struct point){INCH(45), INCH(30)};
	map = map_draw(mem, &sc->table, sc->state, NULL);
	for (int i = 0; i < sc->state->count; i++) {
		const struct unit *u = &sc->state->units[i];
		const char *label = u->kind == KIND_COMMANDER
					    ? u->code
					    : talloc_asprintf(mem, "%s%c6", u->code, u->box.facing == 0 ? '^' : 'v');

		assert_non_null(strstr(map, label));
	}
	assert_int_equal(strlen(map), strlen(falkirk));
	talloc_free(mem);
}

/* Who has his own place free keeps it; the key names the one that had to move. */
static void test_only_the_crowded_move(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = load(mem);
	struct unit *r = &sc->state->units[state_find_code(sc->state, "R", -1)];
	const char *map;

	(void)state;
	/* R comes to stand on Q's place: Q, first in the file, keeps it, and so does everybody else. */
	r->box = sc->state->units[state_find_code(sc->state, "Q", -1)].box;
	map = map_draw(mem, &sc->table, sc->state, NULL);
	assert_non_null(strstr(map, " 8|.   .   .   .   . Li.   .   .Ch .   .R^6.Hu .   .   .   .   |\n"
				    "  |               K^6 L^6   M^6 N^6P^6  Q^6    S^6             |\n"));
	assert_non_null(strstr(map_key(mem, sc, sc->state, NULL), "Moved aside for room: R (the list"));
	talloc_free(mem);
}

static int count_of(const char *text, const char *what)
{
	int n = 0;

	for (const char *p = strstr(text, what); p != NULL; p = strstr(p + 1, what))
		n++;
	return n;
}

/* Any positions and facings: 23 lines, the frame whole, each living piece there once and no dead one. */
static void test_any_positions(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = load(mem);

	(void)state;
	srandom(46);
	for (int round = 0; round < 200; round++) {
		const char *map;

		for (int i = 0; i < sc->state->count; i++) {
			struct unit *u = &sc->state->units[i];

			u->box.front = (struct point){(int32_t)(random() % INCH(round % 2 ? 20 : 90)),
				(int32_t)(random() % INCH(round % 2 ? 20 : 60))};
			u->box.facing = (int16_t)(random() % 360);
			u->bases = (int)(random() % (u->kind == KIND_COMMANDER ? 2 : 7));
		}
		map = map_draw(mem, &sc->table, sc->state, NULL);
		assert_int_equal(strlen(map), strlen(falkirk));
		for (size_t i = 0; i < strlen(map); i++) {
			if (strchr("|+\n", falkirk[i]) != NULL)
				assert_int_equal(map[i], falkirk[i]);
		}
		for (int i = 0; i < sc->state->count; i++) {
			const struct unit *u = &sc->state->units[i];
			int n = 0;

			if (u->kind == KIND_COMMANDER)
				continue;
			for (const char *f = "^>v<"; *f != '\0'; f++)
				n += count_of(map, talloc_asprintf(mem, "%s%c%d", u->code, *f, u->bases));
			assert_int_equal(n, u->bases > 0);
		}
		talloc_free_children(mem);
		sc = load(mem);
	}
	talloc_free(mem);
}

static void test_ordered_moves(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = load(mem);
	int b = state_find_code(sc->state, "B", -1), hawley = state_find_code(sc->state, "Ha", -1);
	struct plan_item items[] = {
		{.kind = PLAN_MOVE, .unit = b, .from = sc->state->units[b].box},
		{.kind = PLAN_MOVE, .unit = hawley, .from = sc->state->units[hawley].box},
	};
	struct plan plan = {items, 2};
	const char *map;

	(void)state;
	items[0].to = geo_shift(items[0].from, 0, INCH(6));
	items[0].to.facing = 90;
	items[1].to = geo_shift(items[1].from, 90, INCH(6));
	map = map_draw(mem, &sc->table, sc->state, &plan);
	assert_non_null(strstr(map, " 6|.   .   .   .   B>  .   .   .   .   .   .   .   .   .   .   |\n"));
	assert_non_null(strstr(map, " 7|.   .   .   .   . * .   .   .   .   .   .   .   .   .   .   |\n"));
	assert_non_null(strstr(map, "  |             A^6 B^6 C^6"));
	assert_non_null(strstr(map, "  |                             Ha**H*                         |\n"));
	assert_non_null(strstr(map_key(mem, sc, sc->state, &plan), "Stars are the ways ordered"));
	assert_null(strstr(map_key(mem, sc, sc->state, NULL), "Stars"));
	talloc_free(mem);
}

/* The key reads what stands on the map: the first whole unit as it is now, and guns only where there are some. */
static void test_key(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = load(mem);
	const char *key;

	(void)state;
	assert_null(strstr(map_key(mem, sc, sc->state, NULL), "gun"));
	sc->state->units[0].bases = 0;
	sc->state->units[1].bases = 1;
	sc->state->units[1].box.facing = 90;
	key = map_key(mem, sc, sc->state, NULL);
	assert_ptr_equal(strstr(key, "B>1 is unit B, facing east (right), with 1 base. CAPITALS"), key);
	talloc_free(mem);
}

/* Ground is drawn where it counts, behind everything else, and is told in words in any case. */
static void test_ground(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = load(mem);
	const char *map;
	char *key;

	(void)state;
	assert_string_equal(map_of(mem, sc, sc->state, NULL), falkirk);
	assert_non_null(
		strstr(map_key(mem, sc, sc->state, NULL), "Ground: Boggy ground at A5 to\nC9; Ravine at K5 to O6; "
							  "Walled enclosure at M8 to O10 (without effect in\n"
							  "this game)."));
	for (int i = 0; i < sc->parameters->count; i++) {
		if (strcmp(sc->parameters->defs[i].name, "terrain") == 0)
			sc->parameters->values[i] = 1;
	}
	map = map_of(mem, sc, sc->state, NULL);
	assert_non_null(strstr(map, " 6|,,,,,,,,,,  .   .   .   .   .   .   .   .:::::::::::::::::::|\n"));
	assert_non_null(strstr(map, "#########"));
	assert_non_null(strstr(map, "  |,,,,,,,,,,   A^6 B^6 C^6"));
	assert_non_null(strstr(map_key(mem, sc, sc->state, NULL), "Boggy ground at A5 to\nC9 (,)"));
	assert_string_equal(map_with_key(mem, sc, sc->state, NULL, &key), map);
	assert_string_equal(key, map_key(mem, sc, sc->state, NULL));
	assert_int_equal(strlen(map), strlen(falkirk));
	talloc_free(mem);
}

static void test_guns_and_off_the_table(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = load(mem);
	struct unit *d = &sc->state->units[state_find_code(sc->state, "D", -1)];
	struct unit *e = &sc->state->units[state_find_code(sc->state, "E", -1)];

	(void)state;
	d->kind = KIND_GUN;
	d->box = (struct box){{INCH(45), INCH(30)}, 0, 1500, 1500};
	e->box.front = (struct point){INCH(90), INCH(-1)};
	assert_non_null(strstr(map_draw(mem, &sc->table, sc->state, NULL),
		" 6|.   .   .   .   .   .   .   . = .   .   .   .   .   .   .   |\n"));
	assert_non_null(strstr(map_draw(mem, &sc->table, sc->state, NULL), "E^6|\n  +---"));
	assert_non_null(
		strstr(map_key(mem, sc, sc->state, NULL), "= is a\ngun; each side's are numbered from the left."));
	talloc_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_deployment),
		cmocka_unit_test(test_nothing_hidden),
		cmocka_unit_test(test_only_the_crowded_move),
		cmocka_unit_test(test_any_positions),
		cmocka_unit_test(test_ordered_moves),
		cmocka_unit_test(test_key),
		cmocka_unit_test(test_ground),
		cmocka_unit_test(test_guns_and_off_the_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
