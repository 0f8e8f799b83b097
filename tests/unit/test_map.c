#include "report/map.h"
#include "report/roster.h"
#include "rules/ruleset.h"
#include "service/battles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
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

static void test_roster_names_all(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = load(mem);
	const char *roster;

	(void)state;
	sc->state->units[state_find_code(sc->state, "R", -1)].bases = 0;
	roster = roster_text(mem, sc, sc->state, -1);
	assert_non_null(strstr(roster, "A  Hamilton's (dragoons): D7, facing north, 6 bases, enemy b 19\" away\n"));
	assert_non_null(strstr(roster, "Lost: Barrell's\n"));
	assert_non_null(strstr(roster, "mu Lord George Murray: C3\n"));
	talloc_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_deployment),
		cmocka_unit_test(test_nothing_hidden),
		cmocka_unit_test(test_roster_names_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
