/* battle/scenario and parameters: battle files, a case's set-up lines, and what is said about bad ones. */
#include "battle/scenario.h"

#include "base/file.h"
#include "rules/ruleset.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct parameter_def defs[] = {
	{"wet-powder", PARAMETER_FLAG, 0, 1, NULL, "Rain halves the dice of every volley.", NULL},
	{"infantry-move", PARAMETER_INCHES, 0, 90000, NULL, "How far foot moves.", NULL},
	{"turn-limit", PARAMETER_NUMBER, 0, 99, NULL, "The last turn.", NULL},
	{"terrain", PARAMETER_CHOICE, 0, 1, "marked ground", "Whether ground counts.", NULL},
};

static struct parameters *base(TALLOC_CTX *mem)
{
	static const char text[] = "# numbers\nwet-powder off\ninfantry-move 6\nturn-limit 12\nterrain marked\n";
	struct parameters *p = parameters_new(mem, defs, 4);

	assert_null(parameters_read(mem, p, "x.rules", text, sizeof text - 1));
	return p;
}

static void parameters_fail(const char *text, const char *expected)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct parameters *p = parameters_new(mem, defs, 4);
	struct err *e = parameters_read(mem, p, "x.rules", text, strlen(text));

	assert_non_null(e);
	assert_string_equal(err_text(mem, e), expected);
	talloc_free(mem);
}

static void test_parameters(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct parameters *p = base(mem), *copy = parameters_copy(mem, p);

	(void)state;
	assert_int_equal(parameters_get(p, "infantry-move"), 6000);
	assert_int_equal(parameters_get(p, "wet-powder"), 0);
	copy->values[3] = 1;
	assert_string_equal(parameters_text(mem, copy, 3), "ground");
	assert_string_equal(parameters_text(mem, p, 3), "marked");
	assert_string_equal(parameters_text(mem, p, 0), "off");
	assert_string_equal(parameters_text(mem, p, 1), "6");
	assert_string_equal(parameters_text(mem, p, 2), "12");
	parameters_fail("wet-powder on\ninfantry-move 6\nturn-limit 12\n",
		"x.rules:4:1: the option terrain is missing here at the end: write \"terrain VALUE\", with a value of "
		"marked, ground. Whether ground counts.");
	parameters_fail("wet-powder on\nwet-powder on\n", "x.rules:2:1: wet-powder has been given before");
	parameters_fail("wet-powdr on\n", "x.rules:1:1: there is no option \"wet-powdr\"; did you mean wet-powder?");
	parameters_fail("colour on\n", "x.rules:1:1: there is no option \"colour\"");
	parameters_fail("wet-powder yes\n", "x.rules:1:12: wet-powder is one of: off on; not \"yes\"");
	parameters_fail("terrain mark\n", "x.rules:1:9: terrain is one of: marked ground; not \"mark\"");
	parameters_fail("turn-limit 100\n", "x.rules:1:12: expected a whole number from 0 to 99, not \"100\"");
	parameters_fail("turn-limit 1 2\n", "x.rules:1:14: nothing more is expected after the value of turn-limit");
	talloc_free(mem);
}

/* --- set-up lines --------------------------------------------------------------------------------------------------
 */

static const char good[] = "battle try\n"
			   "rules fastplay\n"
			   "side E \"British\"\n"
			   "set infantry-move 4.5\n"
			   "unit E A foot \"Barrell's\" 4 of 6 at 40,20 facing 360 id BAR wing \"Left\"\n"
			   "unit J a clan \"Camerons\" 6 at 40,30.125 facing 180\n"
			   "unit J b horse \"Elcho's\" 13/2 of 24/3 at 60,30 facing 180 routing in column\n"
			   "commander E K \"King\" overall with A\n"
			   "commander J pc \"Prince\" at 10,50\n"
			   "locked a A\n"
			   "wall 1,1 2,2.5 name \"Dyke\"\n"
			   "bog 1,1 5,1 5,5 closed\n"
			   "history \"One.\"\n"
			   "history \"Two.\"\n";

static struct err *read_text(TALLOC_CTX *mem, const char *text, struct scenario **s)
{
	return scenario_read(mem, "b", text, strlen(text), base(mem), s);
}

static void test_lines(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *s, *empty;
	const struct unit *u;

	(void)state;
	assert_null(read_text(mem, good, &s));
	assert_string_equal(s->name, "try");
	assert_string_equal(s->title, "try");
	assert_string_equal(s->label[SIDE_GOVERNMENT], "British");
	assert_string_equal(s->label[SIDE_JACOBITE], "Jacobite");
	assert_string_equal(s->history, "One.\n\nTwo.");
	assert_int_equal(parameters_get(s->parameters, "infantry-move"), 4500);
	assert_int_equal(s->state->count, 5);
	assert_int_equal(s->state->turn, 1);
	u = &s->state->units[0];
	assert_string_equal(u->id, "BAR");
	assert_string_equal(u->wing, "Left");
	assert_int_equal(u->bases, 4);
	assert_int_equal(u->begun, 6);
	assert_int_equal(u->box.facing, 0);
	assert_int_equal(u->box.width, 4500);
	assert_int_equal(u->box.depth, 1500);
	u = &s->state->units[1];
	assert_string_equal(u->id, "a"); /* the code, when none is given */
	assert_int_equal(u->box.front.y, 30125);
	u = &s->state->units[2];
	assert_int_equal(u->figures, 13);
	assert_int_equal(u->bases, 2);
	assert_int_equal(u->figures_begun, 24);
	assert_int_equal(u->begun, 3);
	assert_true(u->routing && u->column);
	assert_int_equal(u->box.width, 1500);
	assert_int_equal(u->box.depth, 9000);
	u = &s->state->units[3];
	assert_int_equal(u->with, 0);
	assert_true(u->overall);
	assert_int_equal(u->box.front.x, 40000);
	u = &s->state->units[4];
	assert_int_equal(u->box.facing, 180);
	assert_int_equal(u->with, -1);
	assert_int_equal(s->state->lock_count, 1);
	assert_int_equal(s->state->locks[0].face, ARC_FRONT);
	assert_int_equal(s->state->locks[0].rounds, 1);
	assert_int_equal(s->table.terrain_count, 2);
	assert_string_equal(s->table.terrain[0].name, "Dyke");
	assert_int_equal(s->table.terrain[0].points[1].y, 2500);
	assert_true(s->table.terrain[1].closed);
	empty = scenario_empty(mem, s);
	assert_int_equal(empty->state->count, 0);
	assert_int_equal(empty->table.terrain_count, 0);
	assert_int_equal(parameters_get(empty->parameters, "infantry-move"), 4500);
	assert_string_equal(empty->label[SIDE_GOVERNMENT], "British");
	talloc_free(mem);
}

/* A line after two good units, and what is said about it. */
static void fails(const char *line, const char *expected)
{
	static const char head[] =
		"battle x\nunit E A foot \"A\" 6 at 40,20 facing 0\nunit J a clan \"a\" 6 at 40,30 facing 180\n";
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *s;
	struct err *e = read_text(mem, talloc_asprintf(mem, "%s%s", head, line), &s);

	assert_non_null(e);
	assert_string_equal(err_text(mem, e), expected);
	talloc_free(mem);
}

static void test_bad_lines(void **state)
{
	(void)state;
	fails("unti E B", "b:4:1: \"unti\" is no keyword; did you mean unit?");
	fails("cavalry", "b:4:1: \"cavalry\" is no keyword of a battle file");
	fails("  unit", "b:4:3: a line begins with its keyword, without blanks before it");
	fails("unit G", "b:4:6: expected E or J for the side, not \"G\"");
	fails("unit E", "b:4:7: expected a code of letters and digits, not the end of the line");
	fails("unit E A-B foot", "b:4:8: expected a code of letters and digits, not \"A-B\"");
	fails("unit E ABCD foot", "b:4:8: a code of letters and digits has at most 3 letters");
	fails("unit E B elephant \"x\"",
		"b:4:10: expected a kind (foot, horse, gun, clan, dragoon-dismounted or hussar), not \"elephant\"");
	fails("unit E B foot \"x\" none", "b:4:19: expected a number of bases from 1 to 99 (or figures/bases, such as "
					  "24/3), not \"none\"");
	fails("unit E B foot \"x\" 0",
		"b:4:19: expected a number of bases from 1 to 99 (or figures/bases, such as 24/3), "
		"not \"0\"");
	fails("unit E B foot \"x\" 6 of 4",
		"b:4:24: expected a beginning no smaller than what is left, given in the same "
		"way, not \"4\"");
	fails("unit E B foot \"x\" 6 at 40 facing 0",
		"b:4:24: expected a place as X,Y in inches, without a blank (such as 40,20.5), not \"40\"");
	fails("unit E B foot \"x\" 6 at 60,20 facing 361",
		"b:4:37: expected a whole number from 0 to 360, not \"361\"");
	fails("unit E B foot \"x\" 6 at 60,20",
		"b:4:29: expected where the unit faces (facing D), not the end of the line");
	fails("unit E B foot \"x\" 6 facing 0", "b:4:29: expected the unit's place (at X,Y), not the end of the line");
	fails("unit E B foot \"x\" 6 at 60,20 facing 0 in step",
		"b:4:42: expected at, facing, id, wing, routing or in column, each once, not \"step\"");
	fails("commander E K \"King\" with z", "b:4:27: expected the code of a unit from a line above, not \"z\"");
	fails("commander E K \"King\" with a", "b:4:27: expected a foot or horse unit of his own side, not \"a\"");
	fails("commander E K \"King\"", "b:4:21: expected where he is (with UNIT, or at X,Y), not the end of the line");
	fails("locked A A", "b:4:8: only foot and horse of different sides can be in melee");
	fails("wall 1,1", "b:4:9: expected two places or more (X,Y X,Y), not the end of the line");
	fails("bog 1,1 2,2 closed", "b:4:19: expected three places or more before closed, not the end of the line");
	fails("wall 1,1 2,2 closd",
		"b:4:14: expected a place as X,Y in inches, without a blank (such as 40,20.5), not \"closd\"");
	fails("set wet-powder maybe", "b:4:16: wet-powder is one of: off on; not \"maybe\"");
	fails("title Two words", "b:4:11: expected nothing more (put quote marks round several words), not \"words\"");
	fails("unit E A foot \"B\" 6 at 60,20 facing 0 id B", "b:4:1: \"B\" has the code A, as \"A\" has");
	fails("unit E B foot \"B\" 6 at 60,20 facing 0 id A", "b:4:1: \"B\" has the id A, as \"A\" has");
	fails("unit E B foot \"B\" 6 at 44,20 facing 0", "b:4:1: \"B\" stands on \"A\"");
	fails("unit E B foot \"B\" 6 at 88,20 facing 0", "b:4:1: \"B\" is not wholly on the table");
}

static void test_other_rule_set(void **state)
{
	static const char text[] = "battle x\nset snow on\nrules shreds\nunit E A foot \"A\" 6 at 40,20 facing 0\n";
	TALLOC_CTX *mem = talloc_new(NULL);
	struct parameters *p = base(mem);
	struct scenario *s;
	const char *name, *place;
	struct err *e;

	(void)state;
	p->rules =
		"shreds"; /* the line comes before `rules`, so it is fastplay's, and passed over; then no Jacobites */
	e = scenario_read(mem, "b", text, sizeof text - 1, p, &s);
	assert_string_equal(err_text(mem, e), "b:1:1: the side J has no foot and no horse");
	p->rules = "fastplay";
	e = scenario_read(mem, "b", text, sizeof text - 1, p, &s);
	assert_string_equal(err_text(mem, e), "b:2:5: there is no option \"snow\"");
	assert_null(scenario_rules_name(mem, "b", text, sizeof text - 1, &name, &place));
	assert_string_equal(name, "shreds");
	assert_string_equal(place, "b:3:7");
	assert_null(scenario_rules_name(mem, "b", "", 0, &name, &place));
	assert_string_equal(name, "fastplay");
	talloc_free(mem);
}

/* FP6, FP7 */
static void test_footprints(void **state)
{
	static const struct {
		enum kind kind;
		int bases, width, depth;
	} rows[] = {{KIND_FOOT, 6, 4500, 1500}, {KIND_CLAN, 5, 4500, 1500}, {KIND_FOOT, 4, 4500, 1500},
		{KIND_FOOT, 3, 4500, 750}, {KIND_FOOT, 2, 3000, 750}, {KIND_FOOT, 1, 1500, 750},
		{KIND_HORSE, 6, 4500, 3000}, {KIND_HORSE, 3, 4500, 1500}, {KIND_HUSSAR, 2, 3000, 1500},
		{KIND_GUN, 1, 1500, 1500}, {KIND_COMMANDER, 1, 1500, 750}, {KIND_DISMOUNTED, 6, 4500, 1500}};
	struct unit u = {.kind = KIND_FOOT, .begun = 6, .bases = 2, .box = {{40000, 20000}, 90, 4500, 1500}};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int32_t width, depth;

		footprint(rows[i].kind, rows[i].bases, 6, &width, &depth);
		assert_int_equal(width, rows[i].width);
		assert_int_equal(depth, rows[i].depth);
	}
	unit_refit(&u);
	assert_int_equal(u.box.front.x, 40000);
	assert_int_equal(u.box.width, 3000);
	assert_int_equal(u.box.depth, 750);
	u.quarter = 1; /* FP78: it faces from the end of its ranks */
	unit_refit(&u);
	assert_int_equal(u.box.width, 750);
	assert_int_equal(u.box.depth, 3000);
	u.quarter = 0;
	u.figures_begun = 24; /* RH0 */
	unit_refit(&u);
	assert_int_equal(u.box.width, 4500);
	assert_int_equal(u.box.depth, 1500);
}

static char *data_text(TALLOC_CTX *mem, const char *name, size_t *len)
{
	char *text = NULL;
	const char *top = getenv("GALLOPER_DATA");
	char *path = talloc_asprintf(mem, "%s/%s", top ? top : ".", name);

	assert_null(file_read(mem, path, 1 << 20, &text, len));
	return text;
}

static struct parameters *fastplay(TALLOC_CTX *mem)
{
	const struct ruleset *rules = ruleset_find("fastplay");
	struct parameters *p = parameters_new(mem, rules->parameters, rules->parameter_count);
	size_t len;
	char *text = data_text(mem, "db/rules/fastplay.rules", &len);

	assert_null(parameters_read(mem, p, "fastplay.rules", text, len));
	return p;
}

/* Seed counts: 17 English units, 19 Jacobite ones, four commanders each; nearest enemies 19" apart. */
static void test_falkirk(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	int units[SIDES] = {0}, bases[SIDES] = {0}, commanders[SIDES] = {0};
	int32_t nearest = INT32_MAX;
	struct scenario *s;
	size_t len;
	const char *text = data_text(mem, "db/battles/falkirk.battle", &len);

	(void)state;
	assert_null(scenario_read(mem, "falkirk", text, len, fastplay(mem), &s));
	for (int i = 0; i < s->state->count; i++) {
		const struct unit *u = &s->state->units[i];

		if (u->kind == KIND_COMMANDER) {
			commanders[u->side]++;
			continue;
		}
		units[u->side]++;
		bases[u->side] += u->bases;
		for (int k = 0; k < i; k++) {
			const struct unit *v = &s->state->units[k];

			if (u->side != v->side && v->kind != KIND_COMMANDER && geo_distance(&u->box, &v->box) < nearest)
				nearest = geo_distance(&u->box, &v->box);
		}
	}
	assert_int_equal(units[SIDE_GOVERNMENT], 17);
	assert_int_equal(units[SIDE_JACOBITE], 19);
	assert_int_equal(bases[SIDE_GOVERNMENT], 102); /* FP88: broken at 51 */
	assert_int_equal(bases[SIDE_JACOBITE], 114);   /* at 57 */
	assert_int_equal(commanders[SIDE_GOVERNMENT], 4);
	assert_int_equal(commanders[SIDE_JACOBITE], 4);
	assert_int_equal(nearest, 19000);
	assert_string_equal(s->label[SIDE_GOVERNMENT], "English");
	assert_int_equal(parameters_get(s->parameters, "wet-powder"), 1);
	assert_int_equal(parameters_get(s->parameters, "horse-move"), 6000);
	assert_int_equal(parameters_get(s->parameters, "horse-charge"), 6000);
	assert_int_equal(parameters_get(s->parameters, "commander-move"), 6000);
	assert_int_equal(parameters_get(s->parameters, "infantry-range"), 12000); /* not set by the battle */
	talloc_free(mem);
}

/* Any damage gives an error with its place, or a scenario; never a crash. */
static void test_damage(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	size_t len = sizeof good - 1;
	uint32_t seed = 5;

	(void)state;
	for (int n = 0; n < 20000; n++) {
		TALLOC_CTX *one = talloc_new(NULL);
		char *copy = talloc_memdup(one, good, len);
		size_t part = n < (int)len ? (size_t)n : len;
		struct scenario *s;
		struct err *e;

		for (int k = 0; k < n % 4; k++) {
			seed = seed * 1664525 + 1013904223;
			copy[(seed >> 8) % len] = good[(seed >> 5) % len];
		}
		e = scenario_read(one, "b", copy, part, base(one), &s);
		if (e)
			assert_int_equal(*e->where, 'b');
		talloc_free(one);
	}
	talloc_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parameters),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_bad_lines),
		cmocka_unit_test(test_other_rule_set),
		cmocka_unit_test(test_footprints),
		cmocka_unit_test(test_falkirk),
		cmocka_unit_test(test_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
