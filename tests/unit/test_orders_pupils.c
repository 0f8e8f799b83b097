/* orders: the ways in which pupils say things: "them", "full speed ahead", "keep fighting". Each kind in several
 * wordings; what must be made of it is worked out from the page "How to write orders". */
#include "orders_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

/* What is typed, what it comes to in canonical form, and for a question a part of it and of what it suggests. */
struct wording {
	const char *typed, *canonical, *question, *suggestion;
};

static void check(struct fixture *f, const struct wording *w, size_t count)
{
	struct orders_context ctx = context(f);

	for (size_t i = 0; i < count; i++) {
		struct sheet *s = orders_read(f->mem, w[i].typed, strlen(w[i].typed), &ctx), *again;
		char *text = orders_canonical(f->mem, s, &ctx);
		const char *suggestion = NULL;
		bool asked = false;

		if (strcmp(text, w[i].canonical) != 0)
			fail_msg("%s: read as %s", w[i].typed, text);
		again = orders_read(f->mem, text, strlen(text), &ctx);
		assert_string_equal(orders_canonical(f->mem, again, &ctx), text);
		assert_int_equal(again->problem_count, 0);
		for (int k = 0; k < s->problem_count; k++) {
			asked |= w[i].question && strstr(s->problems[k].message, w[i].question);
			suggestion = suggestion ? suggestion : s->problems[k].suggestion;
		}
		if (asked != (w[i].question != NULL) || (!w[i].question && s->problem_count))
			fail_msg("%s: asked %s", w[i].typed, s->problem_count ? s->problems[0].message : "nothing");
		if (w[i].suggestion && (!suggestion || !strstr(suggestion, w[i].suggestion)))
			fail_msg("%s: suggested %s", w[i].typed, suggestion ? suggestion : "nothing");
	}
}

#define CHECK(f, list) check(f, list, sizeof(list) / sizeof *(list))

/* Who names a wing that there is not is told which there are. */
static void test_wings(void **state)
{
	static const struct wording list[] = {
		{"West wing: advance 4\nR: hold", "R: hold\n",
			"`West wing`: you have no such wing. Yours are: Right wing, Centre wing, Left wing.", NULL},
		{"reserve wing: hold", "",
			"`reserve wing`: you have no such wing. Yours are: Right wing, Centre wing, Left wing.", NULL},
	};
	struct fixture f = setup();

	(void)state;
	CHECK(&f, list);
	talloc_free(f.mem);
}

/* The unit named last, where it fits. */
static void test_them(void **state)
{
	static const struct wording list[] = {
		{"R: move up to 5 towards Camerons and shoot at them", "R: move 5 toward j; fire j\n", NULL, NULL},
		{"R: shoot at Camerons and charge them", "R: fire j; charge j\n", NULL, NULL},
		{"R: attack Camerons and hit em", "R: charge j; melee j\n", NULL, NULL},
		{"R: advance toward Camerons, then face them", "R: move toward j, face j\n", NULL, NULL},
		{"Hu: go to Munro's and join them", "Hu: move toward N; join N\n", NULL, NULL},
		{"Hu: follow Munro's and stay with them", "Hu: move toward N; join N\n", NULL, NULL},
		{"R: follow Munro's, fire at Camerons and charge them", "R: move toward N; fire j; charge j\n", NULL,
			NULL},
		{"R: move away from Lord George Murray and shoot at him", "R: move away from mu; fire mu\n", NULL,
			NULL},
		/* in and behind a condition */
		{"R: if Camerons come within 12 shoot at them", "R: if j within 12 then fire j\n", NULL, NULL},
		{"R: fire at j when it is within 4", "R: if j within 4 then fire j\n", NULL, NULL},
		{"R: fire at j if they get within 9, otherwise hold", "R: if j within 9 then fire j, otherwise hold\n",
			NULL, NULL},
		{"R: if j is within 12 fire at it, otherwise move towards it",
			"R: if j within 12 then fire j, otherwise move toward j\n", NULL, NULL},
		{"R: fire at j; if h comes within 6 charge it", "R: fire j; charge h if h within 6\n", NULL, NULL},
		{"R: fire at j. If they are routing, hold", "R: fire j; if j routing then hold\n", NULL, NULL},
		{"R: charge j if they come within 6", "R: charge j if within 6\n", NULL, NULL},
		{"R: if they come within 6 fire", "R: if enemy within 6 then fire nearest\n", NULL, NULL},
		/* the same line, another unit */
		{"R: fire at j. N: charge them", "R: fire j\nN: charge j\n", NULL, NULL},
		{"R: fire at j\nN: charge them", "R: fire j\n", "`them`: whom? No enemy is named", "N: charge nearest"},
		/* nobody, or two */
		{"R: charge them", "", "`them`: whom? No enemy is named", "R: charge nearest"},
		{"R: go to Munro's and charge them", "R: move toward N\n", "No enemy is named", NULL},
		{"Hu: charge Camerons and join them", "Hu: charge j\n", "None of your units is named", NULL},
		{"R: fire at j and h, then charge them", "R: fire j, h\n",
			"could be Camerons (j) or Stuarts (Appin) (h)",
			"then charge j, or R: fire at j and h, then charge h"},
		{"R: fire at j or h if they are within 6", "", "`they` could be", "if j are within 6"},
		{"R: follow Munro's and shoot Camerons, then face them", "R: move toward N; fire j\n",
			"could be Munro's (N) or Camerons (j)", NULL},
		{"R: if it is within 6 fire at j", "", "`it`: whom?", NULL},
		{"R: fire at Camerns and charge them", "", "did you mean Camerons", "R: fire at Camerons and charge"},
	};
	struct fixture f = setup();

	(void)state;
	CHECK(&f, list);
	talloc_free(f.mem);
}

/* How far, which way, toward whom. */
static void test_moves(void **state)
{
	static const struct wording list[] = {
		{"R: full speed ahead", "R: move forward\n", NULL, NULL},
		{"R: top speed towards Camerons", "R: move toward j\n", NULL, NULL},
		{"R: go as far as possible", "R: move forward\n", NULL, NULL},
		{"R: go north as far as you can", "R: move north\n", NULL, NULL},
		{"R: as fast as they can to H4", "R: move to H4\n", NULL, NULL},
		{"R: advance flat out", "R: move forward\n", NULL, NULL},
		{"R: turn to the south", "R: face south\n", NULL, NULL},
		{"R: turn to face the north east", "R: face north-east\n", NULL, NULL},
		{"R: turn towards Camerons", "R: face j\n", NULL, NULL},
		{"R: up to 5 inches towards Camerons", "R: move 5 toward j\n", NULL, NULL},
		{"R: move up to 4 inches", "R: move 4 forward\n", NULL, NULL},
		{"R: advance at most 4", "R: move 4 forward\n", NULL, NULL},
		{"R: advance no more than three inches", "R: move 3 forward\n", NULL, NULL},
		{"R: move up to H4", "R: move to H4\n", NULL, NULL},
		{"R: go up towards Camerons", "R: move toward j\n", NULL, NULL},
		{"R: move up to 4 towards Camerons and charge Camerons in the flank", "R: move 4 toward j; charge j\n",
			NULL, NULL},
		/* what cannot be ordered */
		{"R: advance 4 but don't go past Munro's", "", "where a unit is not to go", "R: advance 4"},
		{"R: fire at j, advance 4, do not move beyond Munro's", "R: fire j\n", "where a unit is not to go",
			"R: fire at j, advance 4"},
		/* a kind, and "the enemy", are no unit's name */
		{"R: face the enemy", "", "The nearest now is Camerons (j)", "R: face j"},
		{"R: turn to the enemy", "", "The nearest now is Camerons (j)", "R: turn to j"},
		{"R: move towards the nearest enemy; hold fire", "R: hold fire\n", "The nearest now is Camerons (j)",
			"R: move towards j; hold fire"},
		{"R: charge the clansmen", "", "is no target", "R: charge j"},
		{"R: fire at the nearest highlanders", "", "which one?", "R: fire at j"},
		{"R: charge the nearest cavalry", "", "is not the name of a unit", NULL},
		{"R: charge the nearest enemy", "R: charge nearest\n", NULL, NULL},
	};
	struct fixture f = setup();

	(void)state;
	CHECK(&f, list);
	talloc_free(f.mem);
}

/* What a unit in melee does by itself. */
static void test_melee_talk(void **state)
{
	static const struct wording list[] = {
		{"R: fight on", "R: hold\n", NULL, NULL},
		{"R: keep fighting", "R: hold\n", NULL, NULL},
		{"R: stay and fight", "R: hold\n", NULL, NULL},
		{"R: stand where you are and fight", "R: hold\n", NULL, NULL},
		{"R: stay in the fight", "R: hold\n", NULL, NULL},
		{"R: remain in combat please", "R: hold\n", NULL, NULL},
		{"R: keep up the melee", "R: hold\n", NULL, NULL},
		{"R: carry on fighting", "R: hold\n", NULL, NULL},
		{"R: go on with the fight", "R: hold\n", NULL, NULL},
		{"R: fight to the death!", "R: hold\n", NULL, NULL},
		{"R: keep fighting them", "R: hold\n", NULL, NULL},
		{"R: continue the melee, fire at j", "R: hold; fire j\n", NULL, NULL},
		{"R: keep fighting Camerons", "R: melee j\n", NULL, NULL},
		{"R: charge Camerons and keep fighting them", "R: charge j; melee j\n", NULL, NULL},
		{"R: fight", "", "Fight whom?", NULL},
		{"R: pull out of the fight", "", "No order takes a unit out of a melee", "R: hold"},
		{"R: leave the melee; fire at j", "R: fire j\n", "No order takes a unit out of a melee",
			"R: hold; fire at j"},
		{"Note that we fight on", "", NULL, NULL},
	};
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	struct sheet *s;

	(void)state;
	CHECK(&f, list);
	s = orders_read(f.mem, "R: keep fighting", 16, &ctx);
	assert_int_equal(s->note_count, 1);
	assert_non_null(strstr(s->notes[0].text, "a unit in melee fights on by itself"));
	/* in melee the word alone is enough */
	state_lock(f.s, (struct lock){.charger = 7, .charged = 0});
	s = orders_read(f.mem, "R: fight!", 9, &ctx);
	assert_int_equal(s->problem_count, 0);
	assert_string_equal(orders_canonical(f.mem, s, &ctx), "R: hold\n");
	talloc_free(f.mem);
}

/* Orders and charges taken back behind a subject. */
static void test_taking_back(void **state)
{
	static const struct wording list[] = {
		{"R: cancel the standing order", "cancel R\n", NULL, NULL},
		{"R: stop the standing order", "cancel R\n", NULL, NULL},
		{"R: no more standing orders", "cancel R\n", NULL, NULL},
		{"R: end your standing order. Fire at j", "cancel R\nR: fire j\n", NULL, NULL},
		{"R: cancel the standing order to fire at j", "cancel R\n", NULL, NULL},
		{"cancel the standing order of Barrell's", "cancel R\n", NULL, NULL},
		{"R: cancel, then charge j", "cancel R\nR: charge j\n", NULL, NULL},
		{"R: cancel charge", "R: do not charge\n", NULL, NULL},
		{"R: no charge", "R: do not charge\n", NULL, NULL},
		{"R: call off the attack", "R: do not charge\n", NULL, NULL},
		{"R: cancel the charge on Camerons; fire at j", "R: do not charge j; fire j\n", NULL, NULL},
		{"R: stop", "R: hold\n", NULL, NULL},
		{"R: stop firing", "R: hold fire\n", NULL, NULL},
	};
	struct fixture f = setup();

	(void)state;
	CHECK(&f, list);
	talloc_free(f.mem);
}

/* "until": what goes without saying, what is the same as `unless`, and what cannot be said. */
static void test_until(void **state)
{
	static const struct wording list[] = {
		{"R: hold until they charge", "R: hold\n", NULL, NULL},
		{"R: hold fire till charged", "R: hold fire\n", NULL, NULL},
		{"R: stay put until the enemy attacks us", "R: hold\n", NULL, NULL},
		{"R: hold fire until Camerons are within 6", "R: if not j within 6 then hold fire\n", NULL, NULL},
		{"R: don't shoot until they are within 6", "R: if not enemy within 6 then hold fire\n", NULL, NULL},
		{"R: hold until Camerons come within 6 then charge them",
			"R: if not j within 6 then hold, otherwise charge j\n", NULL, NULL},
		{"R: wait till the enemy is within 4, then fire",
			"R: if not enemy within 4 then hold, otherwise fire nearest\n", NULL, NULL},
		{"R: hold until they charge, then charge them", "", "`until` cannot be ordered", NULL},
		{"R: hold until Munro's charge", "", "`until` cannot be ordered", NULL},
		{"R: charge j until dead", "", "`until` cannot be ordered", NULL},
		{"R: advance until within 6 of j", "", "`until` cannot be ordered", NULL},
	};
	struct fixture f = setup();

	(void)state;
	CHECK(&f, list);
	talloc_free(f.mem);
}

/* Whom to leave out, and how many are meant. */
static void test_some_of_them(void **state)
{
	static const struct wording list[] = {
		{"R: fire nearest not Camerons", "", "cannot be left out", "R: fire h, c, n"},
		{"R: fire at nearest, but not at Camerons; hold", "R: hold\n", "cannot be left out",
			"R: fire at h, c, n; hold"},
		{"R: shoot at anyone except Camerons", "", "cannot be left out", "R: shoot at h, c, n"},
		{"R: fire at j but not at h", "R: fire j\n", NULL, NULL},
		{"R: fire at j otherwise nearest", "R: fire j, nearest\n", NULL, NULL},
		{"R: fire at j, otherwise h", "R: fire j, h\n", NULL, NULL},
		{"R: if j within 6 then fire j, otherwise hold", "R: if j within 6 then fire j, otherwise hold\n", NULL,
			NULL},
		{"R: shoot Camerons if you can see them", "R: fire j\n", NULL, NULL},
		{"2 foot: charge nearest", "", "4 of your units are foot", "R, N: charge nearest"},
		{"two of the foot charge nearest", "", "4 of your units are foot", "R, N charge nearest"},
		{"4 foot: hold", "foot: hold\n", NULL, NULL},
		{"1 R hold\n2 N hold", "R: hold\nN: hold\n", NULL, NULL},
	};
	struct fixture f = setup();

	(void)state;
	CHECK(&f, list);
	talloc_free(f.mem);
}

/* Names as books spell them: the same name, and said; a slip is asked about, and so is a name of several. */
static void test_spellings(void **state)
{
	static const struct wording list[] = {
		{"R: fire at Appin Stewarts", "R: fire h\n", NULL, NULL},
		{"R: fire at the Stewarts of Appin", "R: fire h\n", NULL, NULL},
		{"R: fire at McDonalds of Keppoch", "R: fire a\n", NULL, NULL},
		{"R: fire at MacDonells of Glengarry", "R: fire c\n", NULL, NULL},
		{"R: fire at McLachlan's", "R: fire n\n", NULL, NULL},
		{"R: fire at MacLauchlans", "R: fire n\n", NULL, NULL},
		{"Monro's: hold", "N: hold\n", NULL, NULL},
		{"R: fire at McDonald", "", "could be Macdonalds (Glengarry) (c) or Macdonalds (Keppoch) (a)",
			"R: fire at c, or R: fire at a"},
		{"R: fire at Macdonlds", "", "did you mean Macdonalds (Glengarry) (c) or Macdonalds (Keppoch) (a)?",
			"R: fire at c, or R: fire at a"},
		{"Barrel's: hold", "", "did you mean Barrell's (R)?", "Barrell's: hold"},
		{"gun no. 1: hold fire", "gun 1: hold fire\n", NULL, NULL},
		{"gun one: hold fire", "gun 1: hold fire\n", NULL, NULL},
		{"Falkirk gun no. 1: hold fire", "", "did you mean gun 1?", "gun 1: hold fire"},
	};
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	struct sheet *s;

	(void)state;
	CHECK(&f, list);
	s = orders_read(f.mem, "R: fire at Stewarts", 19, &ctx);
	assert_int_equal(s->note_count, 1);
	assert_string_equal(s->notes[0].text, "Stewarts was read as Stuarts (Appin) (h).");
	talloc_free(f.mem);
}

static void suggests(struct fixture *f, const char *typed, const char *suggestion)
{
	struct orders_context ctx = context(f);
	struct sheet *s = orders_read(f->mem, typed, strlen(typed), &ctx);

	assert_true(s->problem_count > 0);
	if (!suggestion)
		assert_null(s->problems[0].suggestion);
	else if (!s->problems[0].suggestion || strcmp(s->problems[0].suggestion, suggestion) != 0)
		fail_msg("%s: suggested %s", typed, s->problems[0].suggestion ? s->problems[0].suggestion : "nothing");
}

/* Where no word can be mended, an example: an order of the same kind that reads. */
static void test_suggestions(void **state)
{
	struct fixture f = setup();

	(void)state;
	suggests(&f, "R: move 4 north, then wobble", NULL);
	suggests(&f, "standing R: fire at the moon", "standing R: fire at nearest");
	suggests(&f, "Barrell's: march in step with the band", "Barrell's: move 4 forward");
	suggests(&f, "N and R: charge when they get close", "N and R: if j within 6 then charge nearest");
	suggests(&f, "R: hold until Munro's charge", "R: hold");
	suggests(&f, "R: shoot until they run", "R: fire at nearest");
	suggests(&f, "R: if the moon is full charge j", "R: if j within 6 then charge j");
	suggests(&f, "charge j", "R: charge j");
	/* in melee nothing that cannot be done there */
	state_lock(f.s, (struct lock){.charger = 7, .charged = 0});
	suggests(&f, "R: charge them", "R: hold");
	suggests(&f, "R: march in step with the band", "R: hold");
	suggests(&f, "R: face the enemy", "R: hold");
	suggests(&f, "R: charge Camerns", "R: hold");
	suggests(&f, "R: fire at Camerns", "R: fire at Camerons");
	suggests(&f, "N: charge them", "N: charge nearest");
	talloc_free(f.mem);
}

/* The map's up and down; "up to" stays a distance or a way. */
static void test_up_and_down(void **state)
{
	struct fixture f = setup();
	static const struct wording list[] = {
		{"R: go 3 up then shoot", "R: move 3 north; fire nearest\n", NULL, NULL},
		{"R: down 3, left 2", "R: move 3 south then 2 left\n", NULL, NULL},
		{"R: move up", "R: move north\n", NULL, NULL},
		{"R: face down", "R: face south\n", NULL, NULL},
		{"R: move up to 4", "R: move 4 forward\n", NULL, NULL},
		{"R: go down to H9", "R: move to H9\n", NULL, NULL},
	};
	static const struct wording down[] = {
		{"all the others move up 6", "", "Up the map, or forward?", NULL},
		{"R: go down 4", "R: move 4 south\n", NULL, NULL},
		{"R: move up to F4", "R: move to F4\n", NULL, NULL},
	};
	struct orders_context ctx = context(&f);
	struct sheet *s;

	(void)state;
	CHECK(&f, list);
	s = orders_read(f.mem, "R: 3 up", 7, &ctx);
	assert_int_equal(s->note_count, 1);
	assert_string_equal(s->notes[0].text, "`up` was read as north: the top of the map is north.");
	/* of an army that comes down the map, nobody goes up it unasked */
	for (int i = 0; i < f.s->count; i++)
		f.s->units[i].box.facing = 180;
	CHECK(&f, down);
	talloc_free(f.mem);
}

/* "If possible" goes without saying; what else then is a further target, or the `otherwise` of a real condition. */
static void test_if_possible(void **state)
{
	struct fixture f = setup();
	static const struct wording list[] = {
		{"R: fire at j if possible, otherwise at the nearest", "R: fire j, nearest\n", NULL, NULL},
		{"R: fire at j, if not possible at h", "R: fire j, h\n", NULL, NULL},
		{"R: fire at j or if that isn't possible at h", "R: fire j, h\n", NULL, NULL},
		{"R: charge j if possible, if not charge h", "R: charge j, h\n", NULL, NULL},
		{"R: attack the camerons, or else the stuarts", "R: charge j, h\n", NULL, NULL},
		{"R: charge j if they can reach them", "R: charge j\n", NULL, NULL},
		{"R: if j within 6 then charge j if possible, otherwise charge h",
			"R: charge j if j within 6, otherwise charge h\n", NULL, NULL},
		{"R: if j within 6 then charge j. If not then hold", "R: charge j if j within 6, otherwise hold\n",
			NULL, NULL},
		{"R: if j isn't within 6 hold", "R: if not j within 6 then hold\n", NULL, NULL},
		{"R: if j within 10 then hold; fire at j, otherwise advance 3",
			"R: if j within 10 then hold, otherwise move 3 forward; fire j\n", NULL, NULL},
		{"R: if wobble then hold; fire at j, otherwise advance 3", "R: fire j\n", "condition", NULL},
		{"R: charge j if possible, otherwise hold", "R: charge j; hold\n", NULL, NULL},
		{"R: charge j if possible, otherwise advance 3", "R: charge j\n", "needs an `if`",
			"R: charge j if within 6, otherwise move 3 forward"},
	};

	(void)state;
	CHECK(&f, list);
	talloc_free(f.mem);
}

/* What a pupil says of the game names a unit and an order word, and is no order. */
static void test_talk(void **state)
{
	struct fixture f = setup();
	static const struct wording list[] = {
		{"these are the orders of General Huske for turn 3.\nR: hold", "R: hold\n", NULL, NULL},
		{"we want revenge for Barrell's so here we go:\nR: hold", "R: hold\n", NULL, NULL},
		{"plan: smash the frasers from the side\nR: hold", "R: hold\n", NULL, NULL},
		{"Our plan for turn 3: Barrell's finish the Stuarts, and go\nR: hold", "R: hold\n", NULL, NULL},
		{"We want to finish the Frasers before they charge.\nR: hold", "R: hold\n", NULL, NULL},
		{"we charge the camerons", "", "If this was an order", NULL},
		{"Our plan: barrells go 4 forward", "R: move 4 forward\n", NULL, NULL},
		{"we want Barrell's men go 4 north", "R: move 4 north\n", NULL, NULL},
	};

	(void)state;
	CHECK(&f, list);
	talloc_free(f.mem);
}

/* The kind beside a name, and several of one name. */
static void test_kinds_and_names(void **state)
{
	struct fixture f = setup();
	static const struct wording list[] = {
		{"Cobham's horses: charge j", "C: charge j\n", NULL, NULL},
		{"R: move towards Cobham's cavalry", "R: move toward C\n", NULL, NULL},
		{"R: charge Stuarts horse", "", "`horse` was not expected", NULL},
	};

	(void)state;
	add_unit(&f, SIDE_GOVERNMENT, KIND_FOOT, "K", "ATH1", "Atholls (1st)", "Right");
	add_unit(&f, SIDE_GOVERNMENT, KIND_FOOT, "L", "ATH2", "Atholls (2nd)", "Right");
	CHECK(&f, list);
	CHECK(&f, ((const struct wording[]){
			  {"Atholls: all go forward 6", "K, L: move 6 forward\n", NULL, NULL},
			  {"Atholls (both): hold", "K, L: hold\n", NULL, NULL},
			  {"the Atholls both advance", "K, L: move forward\n", NULL, NULL},
			  {"Atholls: advance", "", "could be Atholls (1st)", NULL},
		  }));
	talloc_free(f.mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wings),
		cmocka_unit_test(test_them),
		cmocka_unit_test(test_moves),
		cmocka_unit_test(test_melee_talk),
		cmocka_unit_test(test_taking_back),
		cmocka_unit_test(test_until),
		cmocka_unit_test(test_some_of_them),
		cmocka_unit_test(test_spellings),
		cmocka_unit_test(test_suggestions),
		cmocka_unit_test(test_up_and_down),
		cmocka_unit_test(test_if_possible),
		cmocka_unit_test(test_talk),
		cmocka_unit_test(test_kinds_and_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
