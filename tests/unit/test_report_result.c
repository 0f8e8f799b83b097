/* report/result, luck, roster and forecast: a turn and a battle in few words. */
#include "report_fixture.h"

#include "orders/merge.h"
#include "orders/sheet.h"
#include "report/debrief.h"
#include "report/examples.h"
#include "report/forecast.h"
#include "report/luck.h"
#include "report/map.h"
#include "report/readback.h"
#include "report/result.h"
#include "report/roster.h"

static struct event *dice_event(struct events *list, const struct scenario *sc, const char *actor, const char *stream,
	int need, const char *values)
{
	struct event *ev = events_add(list, EVENT_VOLLEY, "k");

	ev->actor = piece(sc, actor);
	event_set(ev, NUM_NEED, need);
	for (int i = 0; values[i] != '\0'; i++)
		event_die(ev, talloc_asprintf(ev, "%s.%d", stream, i + 1), 6, values[i] - '0', false);
	return ev;
}

/* 6 dice at 6+, 2 at 5+ and a blow at 4+: 6/6 + 4/6 + 3/6 = 13/6 expected, 2.2; powder, risk and given dice left out.
 */
static void test_luck(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = falkirk(mem);
	struct events *list = events_new(mem);
	struct luck luck = {{0}, {0}, {0}};

	(void)state;
	dice_event(list, sc, "R", "T3.shoot.R.powder", 6, "6");
	dice_event(list, sc, "R", "T3.shoot.R.shoot", 6, "662135");
	dice_event(list, sc, "S", "L2.T3.charge.S.reaction", 5, "14");
	dice_event(list, sc, "Hu", "T3.melee.Hu.melee", 4, "4");
	dice_event(list, sc, "Hu", "T3.melee.Hu.commander", 6, "6");
	dice_event(list, sc, "R", "T3.shoot.R.shoot", 6, "6")->dice[0].amended = true;
	luck_add(&luck, list, sc->state);
	assert_int_equal(luck.dice[SIDE_GOVERNMENT], 9);
	assert_int_equal(luck.hits[SIDE_GOVERNMENT], 3);
	assert_int_equal(luck.sixths[SIDE_GOVERNMENT], 13);
	assert_string_equal(luck_text(mem, &luck, sc, SIDE_JACOBITE),
		"Jacobites: no dice thrown for hits.\nEnglish: 3 hits with 9 dice. On average 2.2: lucky by 0.8.\n");
	talloc_free(mem);
}

static void lock(struct state *s, int charger, int charged)
{
	state_lock(s, (struct lock){.charger = (int16_t)charger, .charged = (int16_t)charged});
}

static void test_result_of_a_turn(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = falkirk(mem);
	struct state *before = state_copy(mem, sc->state), *after = state_copy(mem, sc->state);
	struct events *none = events_new(mem);

	(void)state;
	before->turn = 3;
	after->units[piece(sc, "R")].bases = 0;
	after->units[piece(sc, "S")].bases = 4;
	after->units[piece(sc, "Hu")].bases = 0;
	after->units[piece(sc, "j")].bases = 5;
	lock(after, piece(sc, "j"), piece(sc, "S"));
	lock(after, piece(sc, "h"), piece(sc, "S"));
	assert_string_equal(result_text(mem, sc, before, after, none, SIDE_JACOBITE),
		"Turn 3: the Jacobites lost 1 base; the English lost 8 bases, with 1 whole unit (Barrell's).\n"
		"The Jacobites have 113 of 114 bases left and break if they lose 56 more; the English have 94 of 102 "
		"bases left and break if they lose 43 more.\n"
		"Fallen: Maj. Gen. Huske. Still in melee: Battereau's with Camerons and Stuarts (Appin).\n");
	assert_string_equal(
		result_headline(mem, sc, before, after, SIDE_JACOBITE), "Turn 3: you lost 1 base, they lost 8");
	assert_string_equal(result_headline(mem, sc, before, after, -1), "Turn 3: English lost 8 bases, Jacobites 1");
	assert_string_equal(
		result_headline(mem, sc, before, before, SIDE_JACOBITE), "Turn 3: no losses on either side");
	talloc_free(mem);
}

static void points(struct events *list, enum side side, int foot, int horse, int commanders, int ground)
{
	struct event *ev = events_add(list, EVENT_POINTS, "p");

	event_set(ev, NUM_SIDE, side);
	event_set(ev, NUM_FOOT, foot);
	event_set(ev, NUM_HORSE, horse);
	event_set(ev, NUM_GUNS, 0);
	event_set(ev, NUM_COMMANDERS, commanders);
	event_set(ev, NUM_GROUND, ground);
	event_set(ev, NUM_POINTS, foot + horse + commanders + ground);
}

static void test_the_end(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = falkirk(mem);
	struct state *end = state_copy(mem, sc->state);
	struct events *list = events_new(mem);
	struct event *ev;

	(void)state;
	assert_string_equal(verdict_text(mem, sc, end, list), "");
	points(list, SIDE_GOVERNMENT, 20, 0, 10, 10);
	points(list, SIDE_JACOBITE, 60, 54, 0, 0);
	ev = events_add(list, EVENT_VERDICT, "v");
	ev->reason = REASON_BROKE;
	end->winner = WINNER_JACOBITE;
	end->broken[SIDE_GOVERNMENT] = true;
	end->points[SIDE_GOVERNMENT] = 40;
	end->points[SIDE_JACOBITE] = 114;
	assert_string_equal(verdict_text(mem, sc, end, list),
		"The Jacobites have won: the English army is broken (points: English 40, Jacobites 114).");
	assert_string_equal(result_headline(mem, sc, sc->state, end, SIDE_JACOBITE), "You have won the battle");
	assert_string_equal(
		result_headline(mem, sc, sc->state, end, SIDE_GOVERNMENT), "The Jacobites have won the battle");
	assert_string_equal(points_text(mem, sc, list, SIDE_JACOBITE), "Jacobites\n"
								       "  Enemy foot bases      30 x  2 =   60\n"
								       "  Enemy horse bases     18 x  3 =   54\n"
								       "  Enemy commanders                   0\n"
								       "  Thirds of the field    0 x 10 =    0\n"
								       "  Together                         114\n"
								       "\n"
								       "English\n"
								       "  Enemy foot bases      10 x  2 =   20\n"
								       "  Enemy horse bases      0 x  3 =    0\n"
								       "  Enemy commanders                  10\n"
								       "  Thirds of the field    1 x 10 =   10\n"
								       "  Together                          40\n");
	/* Where the enemy had a gun, what was got for guns has its line. */
	event_set(list->list[0], NUM_GUNS, 0);
	event_set(list->list[1], NUM_GUNS, 0);
	unit_of(sc, "B")->kind = KIND_GUN;
	assert_non_null(strstr(points_text(mem, sc, list, SIDE_JACOBITE), "  Enemy guns             0 x 10 =    0\n"));
	unit_of(sc, "B")->kind = KIND_FOOT;
	assert_string_equal(ground_text(mem, sc, list), "");
	ev = events_add(list, EVENT_THIRDS, "t");
	event_set(ev, NUM_THIRD, 2);
	event_set(ev, NUM_SIDE, SIDE_JACOBITE);
	assert_string_equal(ground_text(mem, sc, list),
		"  East:   Jacobites\n\n"
		"A side holds a third if it has foot or horse there beyond the middle of\n"
		"the field, and the enemy has none beyond it there.\n");
	ev = list->list[2];
	end->winner = WINNER_DRAW;
	ev->reason = REASON_TURN_LIMIT;
	assert_string_equal(verdict_text(mem, sc, end, list),
		"The battle is a draw: the last turn is over, so points decide (points: English 40, Jacobites 114).");
	talloc_free(mem);
}

/* Where a figure is worth a point and a half, the sum is shown too; a half is counted up. */
static void test_points_of_figures(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	const struct ruleset *rules;
	struct scenario *sc;
	struct events *list = events_new(mem);

	(void)state;
	assert_null(battle_load(mem, "falkirk", "shreds", &sc, &rules));
	points(list, SIDE_GOVERNMENT, 94, 23, 0, 0);
	assert_string_equal(points_text(mem, sc, list, SIDE_GOVERNMENT), "English\n"
									 "  Enemy foot figures    94 x  1 =   94\n"
									 "  Enemy horse figures  15 x 1.5 =   23\n"
									 "  Enemy commanders                   0\n"
									 "  Thirds of the field                0\n"
									 "  Together                         117\n");
	talloc_free(mem);
}

static void test_wings_and_commanders(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = falkirk(mem);
	struct state *before = state_copy(mem, sc->state);
	struct fate *fates = talloc_zero_array(mem, struct fate, (unsigned)before->count);
	const char *wings, *commanders;

	(void)state;
	before->turn = 7;
	before->units[piece(sc, "Hu")].with = (int16_t)piece(sc, "R");
	unit_of(sc, "R")->bases = 0;
	unit_of(sc, "S")->bases = 4;
	unit_of(sc, "Hu")->bases = 0;
	unit_of(sc, "Ch")->bases = 0;
	fates_add(fates, before, sc->state);
	unit_of(sc, "Li")->with = (int16_t)piece(sc, "A");
	wings = wings_text(mem, sc, sc->state, SIDE_GOVERNMENT);
	assert_non_null(strstr(wings, "English\n  Left wing: 0 of 30 bases lost\n"));
	assert_non_null(strstr(wings, "  Right wing: 8 of 36 bases lost; gone: Barrell's\n"
				      "  Together: 8 of 102 bases lost\n\nJacobites\n"));
	commanders = commanders_text(mem, sc, sc->state, fates, SIDE_GOVERNMENT);
	assert_non_null(strstr(commanders, "  Lt. Gen. Henry Hawley, in command of the army: unhurt\n"));
	assert_non_null(strstr(commanders, "  Col. Ligonier: unhurt, with Hamilton's (dragoons)\n"));
	assert_non_null(strstr(commanders, "  Brig. Gen. Cholmondeley: fell in turn 7\n"));
	assert_non_null(strstr(commanders, "  Maj. Gen. Huske: fell in turn 7, leading Barrell's\n\nJacobites\n"));
	talloc_free(mem);
}

static void test_roster(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = falkirk(mem);
	const char *roster;

	(void)state;
	unit_of(sc, "A")->bases = 0;
	unit_of(sc, "S")->bases = 0;
	unit_of(sc, "Q")->bases = 0;
	unit_of(sc, "Hu")->with = (int16_t)piece(sc, "R");
	lock(sc->state, piece(sc, "b"), piece(sc, "R"));
	lock(sc->state, piece(sc, "c"), piece(sc, "R"));
	roster = roster_both(mem, sc, sc->state, SIDE_JACOBITE);
	assert_int_equal(strncmp(roster, "Jacobites\na  Macdonalds (Keppoch): C4, facing south, 6 bases", 55), 0);
	assert_non_null(strstr(roster, "B  Ligonier's (dragoons): E7, facing north, 6 bases, enemy c 19\" away\n"));
	assert_non_null(strstr(roster, "R  Barrell's: K8, facing north, 6 bases, in melee with Macdonalds\n"
				       "   (Clanranald) and Macdonalds (Glengarry)\n"));
	assert_non_null(strstr(roster, "Hu Maj. Gen. Huske: K8, with Barrell's\n"));
	assert_non_null(strstr(roster, "Horse: B, C\nLost: Hamilton's (dragoons), Fleming's, Battereau's\n"));
	assert_non_null(strstr(roster, "Horse: t\n"));
	assert_null(strstr(roster, "Clans: ")); /* who is one matters where figures are counted */
	unit_of(sc, "a")->figures_begun = 24;
	assert_non_null(strstr(roster_both(mem, sc, sc->state, SIDE_JACOBITE), "Horse: t\nClans: a\n"));
	assert_width(roster, 72);
	/* A player reads his own side's wings, a referee those of both, for ORDER and GRANT. */
	assert_non_null(strstr(roster, "Right wing: a, b, c, k, l, m\n"));
	assert_null(strstr(roster, "Centre wing: D, E, F"));
	roster = roster_both(mem, sc, sc->state, -1);
	assert_non_null(strstr(roster, "Right wing: a, b, c, k, l, m\n"));
	assert_non_null(strstr(roster, "Centre wing: D, E, F"));
	talloc_free(mem);
}

static struct plan_item item(const struct scenario *sc, enum plan_kind kind, const char *unit, const char *target)
{
	struct plan_item p = {.kind = kind, .unit = piece(sc, unit), .target = -1, .blocker = -1, .percent = -1};

	if (target != NULL)
		p.target = piece(sc, target);
	p.from = p.to = unit_of(sc, unit)->box;
	return p;
}

static void foretells(TALLOC_CTX *mem, const struct scenario *sc, const struct plan_item *p, const char *expected)
{
	assert_string_equal(forecast_sentence(mem, sc, sc->state, p), expected);
}

static void test_forecast(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = falkirk(mem);
	struct plan_item move = item(sc, PLAN_MOVE, "R", NULL), fire = item(sc, PLAN_FIRE, "R", "j"),
			 charge = item(sc, PLAN_CHARGE, "A", "j"), join = item(sc, PLAN_JOIN, "Hu", "R");
	struct plan plan = {&move, 1};
	bool *pieces = talloc_zero_array(mem, bool, (unsigned)sc->state->count);

	(void)state;
	move.whole = true;
	move.to = geo_shift(move.from, 0, INCH(4));
	move.distance = INCH(4);
	foretells(mem, sc, &move, "Barrell's (R) go 4\", to K8.");
	pieces[move.unit] = true;
	assert_string_equal(forecast_text(mem, sc, sc->state, &plan, pieces), "");
	assert_int_equal(forecast_troubles(&plan, pieces), 0);
	move.whole = false;
	move.reason = REASON_ALLOWANCE;
	move.asked = INCH(8);
	foretells(mem, sc, &move,
		"Barrell's (R) go only 4\", to K8: the 8\" that you ordered are more than they may move in a turn.");
	assert_string_equal(forecast_text(mem, sc, sc->state, &plan, pieces),
		"    BUT they go only 4\", to K8: the 8\" that you ordered are more than\n"
		"    they may move in a turn.\n");
	assert_int_equal(forecast_troubles(&plan, pieces), 1);
	move.reason = REASON_ENEMY_NEAR;
	move.blocker = piece(sc, "j");
	foretells(mem, sc, &move,
		"Barrell's (R) go only 4\", to K8: Camerons (j) are in the way, and only a charge may come nearer than "
		"1\".");
	fire.whole = true;
	fire.distance = 9500;
	fire.percent = 30;
	foretells(mem, sc, &fire,
		"Barrell's (R) can fire at Camerons (j), 9.5\" away (chance of at least one hit: 30%).");
	fire.whole = false;
	fire.reason = REASON_OUT_OF_RANGE;
	foretells(mem, sc, &fire, "Barrell's (R) cannot fire at Camerons (j), 9.5\" away: muskets reach only 12\".");
	charge.reason = REASON_OUT_OF_REACH;
	charge.distance = INCH(19);
	charge.asked = INCH(6);
	charge.conditional = true;
	foretells(mem, sc, &charge,
		"Hamilton's (dragoons) (A) cannot charge Camerons (j), 19\" away: a charge goes only 6\". (There "
		"is an \"if\": it is judged when the time comes.)");
	join.whole = true;
	foretells(mem, sc, &join, "Maj. Gen. Huske (Hu) joins Barrell's (R).");
	join.whole = false;
	join.reason = REASON_OUT_OF_REACH;
	join.asked = INCH(9);
	foretells(mem, sc, &join, "Maj. Gen. Huske (Hu) cannot join Barrell's (R), 9\" away: that is too far to ride.");
	join.distance = INCH(6);
	foretells(mem, sc, &join, "Maj. Gen. Huske (Hu) cannot join Barrell's (R), 9\" away: he gets only 6\" nearer.");
	join.again = true;
	foretells(mem, sc, &join,
		"Maj. Gen. Huske (Hu) cannot join Barrell's (R) in his move: he gets only 6\" nearer. He tries again "
		"when charges are made.");
	talloc_free(mem);
}

/* Whom the same befalls is told of together; a target that is good makes the others no trouble. */
static void test_forecast_of_many(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = falkirk(mem);
	struct plan_item items[] = {item(sc, PLAN_CHARGE, "A", "a"), item(sc, PLAN_CHARGE, "B", "a"),
		item(sc, PLAN_FIRE, "R", "j"), item(sc, PLAN_FIRE, "R", "h"), item(sc, PLAN_CHARGE, "S", NULL)};
	struct plan plan = {items, 5};
	bool *pieces = talloc_zero_array(mem, bool, (unsigned)sc->state->count);

	(void)state;
	for (int i = 0; i < 5; i++) {
		items[i].distance = INCH(10 + i);
		items[i].asked = INCH(6);
		items[i].reason = items[i].kind == PLAN_FIRE ? REASON_NOT_IN_FRONT : REASON_OUT_OF_REACH;
		pieces[items[i].unit] = true;
	}
	items[3].whole = true;
	items[3].percent = 52;
	assert_string_equal(forecast_text(mem, sc, sc->state, &plan, pieces),
		"    BUT Hamilton's (dragoons) (A) and Ligonier's (dragoons) (B) cannot\n"
		"    charge Macdonalds (Keppoch) (a): a charge goes only 6\".\n"
		"    BUT Battereau's (S) cannot charge anybody: nobody is near enough in\n"
		"    front, a charge goes only 6\".\n"
		"    Barrell's (R) cannot fire at Camerons (j): not in front of them.\n"
		"    Barrell's (R) can fire at Stuarts (Appin) (h), 13\" away (chance of\n"
		"    at least one hit: 52%).\n");
	assert_int_equal(forecast_troubles(&plan, pieces), 3);
	talloc_free(mem);
}

static void says_pieces(TALLOC_CTX *mem, const struct scenario *sc, const char *codes, const char *expected)
{
	int list[32], count = 0;
	char code[2] = "";

	for (; *codes != '\0'; codes++) {
		code[0] = *codes;
		list[count++] = piece(sc, code);
	}
	assert_string_equal(pieces_text(mem, sc->state, list, count), expected);
}

static void test_pieces(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = falkirk(mem);

	(void)state;
	says_pieces(mem, sc, "R", "Barrell's (R)");
	says_pieces(mem, sc, "DE", "Wolfe's (D) and Cholmondeley's (E)");
	says_pieces(mem, sc, "DEFG", "Wolfe's (D), Cholmondeley's (E), Pulteney's (F) and Royals (G)");
	says_pieces(mem, sc, "DEFGH", "5 units (D, E, F, G and H)");
	says_pieces(mem, sc, "fghjs", "The whole left wing (f, g, h, j and s)");
	says_pieces(mem, sc, "ABCDEFGHJKLMNPQRS", "All 17 units");
	unit_of(sc, "S")->bases = 0;
	says_pieces(mem, sc, "ABCDEFGHJKLMNPQR", "All 16 units");
	talloc_free(mem);
}

/* Equal orders stand together, in English and in canonical form, with what comes of them. */
static void test_readback(void **state)
{
	static const char text[] = "D, E: advance 4\nR: fire at j\nstanding F: advance 4\nS: hold\ncancel S\n";
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = falkirk(mem);
	struct orders_context context = {.state = sc->state, .table = &sc->table, .side = SIDE_GOVERNMENT};
	struct sheet_in_force sheet = {orders_read(mem, text, strlen(text), &context), 1, 0, 0, false};
	struct orderbook *book = orderbook_new(mem, sc->state);
	struct plan_item items[] = {item(sc, PLAN_FIRE, "R", "j")};
	struct plan plan = {items, 1};
	bool *named = talloc_zero_array(mem, bool, (unsigned)sc->state->count);

	(void)state;
	orders_merge(book, book, sc->state, SIDE_GOVERNMENT, &sheet, 1, 1, NULL);
	items[0].reason = REASON_NO_SIGHT;
	for (const char *code = "DEFRS"; *code != '\0'; code++)
		named[piece(sc, (char[]){*code, '\0'})] = true;
	assert_string_equal(readback_text(mem, sc, sc->state, book, &plan, SIDE_GOVERNMENT, named),
		"* Wolfe's (D) and Cholmondeley's (E): move 4 inches forward.\n"
		"    | D, E: move 4 forward\n"
		"* Pulteney's (F): move 4 inches forward; this order stands until it is\n"
		"  changed.\n"
		"    | standing F: move 4 forward\n"
		"* Barrell's (R): fire at Camerons (j).\n"
		"    | R: fire j\n"
		"    BUT they cannot fire at Camerons (j): somebody stands in the line of\n"
		"    fire.\n"
		"* Battereau's (S): no orders any more.\n");
	talloc_free(mem);
}

/* Every kind and reason has words of its own or falls back to plain ones; never an empty or broken sentence. */
static void test_forecast_of_everything(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = falkirk(mem);

	(void)state;
	for (int kind = PLAN_MOVE; kind <= PLAN_JOIN; kind++) {
		for (int reason = 0; reason < EVENT_REASON_COUNT; reason++) {
			struct plan_item p = item(sc, (enum plan_kind)kind, "R", "j");
			const char *said;

			p.reason = (enum event_reason)reason;
			p.blocker = piece(sc, "S");
			said = forecast_sentence(mem, sc, sc->state, &p);
			assert_non_null(strstr(said, "Barrell's (R) "));
			assert_int_equal(said[strlen(said) - 1], '.');
		}
	}
	talloc_free(mem);
}

/* Says no to what has a word in it. */
static bool without(void *context, const char *line)
{
	return strstr(line, context) == NULL;
}

static char *examples(TALLOC_CTX *mem, const struct scenario *sc, struct example_wish wish)
{
	wish.s = sc->state;
	return examples_text(mem, &wish);
}

static void test_examples(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = falkirk(mem);
	bool *may = talloc_zero_array(mem, bool, (unsigned)sc->state->count);
	char charge[] = "charge", fire[] = "fire", colon[] = ":";

	(void)state;
	/* Hamilton's dragoons stand 19" from Clanranald's, Wolfe's 21" from the Frasers, and Ligonier is nearest to his
	 * own.
	 */
	assert_string_equal(examples(mem, sc, (struct example_wish){.side = SIDE_GOVERNMENT}),
		"    D: move 4 north; fire at Frasers\n"
		"    Hamilton's (dragoons): charge b\n"
		"    Li: join B\n");
	assert_string_equal(
		examples(mem, sc, (struct example_wish){.side = SIDE_GOVERNMENT, .fits = without, .context = charge}),
		"    D: move 4 north; fire at Frasers\n"
		"    Hamilton's (dragoons): advance 6\n"
		"    Li: join B\n");
	assert_string_equal(
		examples(mem, sc, (struct example_wish){.side = SIDE_JACOBITE, .fits = without, .context = fire}),
		"    b: move 4 south\n"
		"    Macdonalds (Glengarry): charge A\n"
		"    dr: join n\n");
	assert_string_equal(
		examples(mem, sc, (struct example_wish){.side = SIDE_JACOBITE, .fits = without, .context = colon}), "");
	/* In a phased game no charge is shown while only moves can be ordered, and afterwards nothing else. */
	assert_string_equal(examples(mem, sc, (struct example_wish){.side = SIDE_GOVERNMENT, .time = SHEET_MOVES}),
		"    D: move 4 north; fire at Frasers\n"
		"    Hamilton's (dragoons): advance 6\n"
		"    Li: join B\n");
	assert_string_equal(examples(mem, sc, (struct example_wish){.side = SIDE_GOVERNMENT, .time = SHEET_CHARGES}),
		"    D: charge Frasers\n"
		"    Hamilton's (dragoons): charge b\n"
		"    Li: join B\n");
	assert_string_equal(examples(mem, sc, (struct example_wish){.side = SIDE_JACOBITE, .may_order = may}), "");
	/* No line for who runs, forms up or is in column. */
	unit_of(sc, "D")->halted = unit_of(sc, "A")->halted = 1;
	unit_of(sc, "B")->column = true;
	assert_string_equal(examples(mem, sc, (struct example_wish){.side = SIDE_GOVERNMENT}),
		"    E: move 4 north; fire at Macphersons\n"
		"    Cobham's (dragoons): charge d\n"
		"    Li: join B\n");
	may[piece(sc, "t")] = true;
	assert_string_equal(
		examples(mem, sc,
			(struct example_wish){
				.side = SIDE_JACOBITE, .may_order = may, .fits = without, .context = charge}),
		"    Elcho's Life Guards: advance 6\n");
	talloc_free(mem);
}

/* No line for who is in melee or routs, nor a shot at who is in melee. */
static void test_examples_of_a_melee(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = falkirk(mem);
	int count;

	(void)state;
	assert_string_equal(fighting_text(mem, sc->state, SIDE_JACOBITE, NULL, &count), "");
	state_lock(sc->state, (struct lock){.charger = (int16_t)piece(sc, "f"), .charged = (int16_t)piece(sc, "D")});
	assert_string_equal(fighting_text(mem, sc->state, SIDE_GOVERNMENT, NULL, &count), "D");
	assert_int_equal(count, 1);
	state_lock(sc->state, (struct lock){.charger = (int16_t)piece(sc, "b"), .charged = (int16_t)piece(sc, "B")});
	state_lock(sc->state, (struct lock){.charger = (int16_t)piece(sc, "a"), .charged = (int16_t)piece(sc, "A")});
	assert_string_equal(fighting_text(mem, sc->state, SIDE_GOVERNMENT, NULL, &count), "A, B and D");
	assert_int_equal(count, 3);
	unit_of(sc, "C")->routing = true;
	/* Cholmondeley's are nearest to the Macphersons now. All horse is out of it, so Pulteney's charge, from their
	 * 21" to the Stuarts, and Ligonier rides to his dragoons who run. */
	assert_string_equal(examples(mem, sc, (struct example_wish){.side = SIDE_GOVERNMENT}),
		"    E: move 4 north; fire at Macphersons\n"
		"    Pulteney's: charge h\n"
		"    Li: rally C\n");
	talloc_free(mem);
}

static void test_own_names(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct scenario *sc = falkirk(mem);
	bool *may = talloc_zero_array(mem, bool, (unsigned)sc->state->count);
	struct own_names n = sheet_names(mem, sc, sc->state, SIDE_GOVERNMENT, NULL);

	(void)state;
	assert_string_equal(n.unit, "D"); /* A, B and C are horse */
	assert_string_equal(n.units, "A, B and C");
	assert_string_equal(n.commander, "Ha");
	assert_string_equal(n.enemy, "f"); /* straight ahead of Wolfe's */
	assert_string_equal(n.ahead, "G6");
	n = sheet_names(mem, sc, sc->state, SIDE_JACOBITE, may);
	assert_string_equal(n.unit, "");
	assert_string_equal(n.ahead, "");
	assert_string_equal(n.enemy, "A");
	unit_of(sc, "D")->box = geo_shift(unit_of(sc, "D")->box, 0, INCH(36)); /* 4" below the table's edge */
	assert_string_equal(sheet_names(mem, sc, sc->state, SIDE_GOVERNMENT, NULL).ahead, "");
	talloc_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_luck),
		cmocka_unit_test(test_result_of_a_turn),
		cmocka_unit_test(test_the_end),
		cmocka_unit_test(test_points_of_figures),
		cmocka_unit_test(test_wings_and_commanders),
		cmocka_unit_test(test_roster),
		cmocka_unit_test(test_forecast),
		cmocka_unit_test(test_forecast_of_everything),
		cmocka_unit_test(test_forecast_of_many),
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_readback),
		cmocka_unit_test(test_examples),
		cmocka_unit_test(test_examples_of_a_melee),
		cmocka_unit_test(test_own_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
