/* report/chronicle: every event has a clear sentence that names who took part, with its dice and hits. */
#include "report/listing.h"
#include "report_fixture.h"

#include <stdlib.h>

static struct event *event(
	struct events *list, const struct scenario *sc, enum event_kind kind, const char *actor, const char *object)
{
	struct event *ev = events_add(list, kind, "T3.shoot.x.1");

	ev->actor = actor != NULL ? piece(sc, actor) : -1;
	if (object != NULL)
		event_object(ev, piece(sc, object));
	return ev;
}

static void dice(struct event *ev, const char *stream, const char *values)
{
	for (int i = 0; values[i] != '\0'; i++)
		event_die(ev, talloc_asprintf(ev, "%s.%d", stream, i + 1), 6, values[i] - '0', false);
}

/* What fire says: distance, eligible, dice, need, hits, before, after. */
static void fire_numbers(struct event *ev, const int32_t n[7])
{
	static const enum event_number names[] = {
		NUM_DISTANCE, NUM_ELIGIBLE, NUM_DICE, NUM_NEED, NUM_HITS, NUM_BEFORE, NUM_AFTER};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		event_set(ev, names[i], n[i]);
}

struct bench {
	TALLOC_CTX *mem;
	struct scenario *sc;
	struct chronicle *words;
	struct events *events;
};

static struct bench set_up(void)
{
	struct bench b = {.mem = talloc_new(NULL)};

	b.sc = falkirk(b.mem);
	b.words = fastplay_words(b.mem);
	b.events = events_new(b.mem);
	return b;
}

static void says(const struct bench *b, const struct event *ev, const char *expected)
{
	assert_string_equal(chronicle_sentence(b->mem, b->words, b->sc, b->sc->state, ev), expected);
}

static void test_volley(void **state)
{
	struct bench b = set_up();
	struct event *ev = event(b.events, b.sc, EVENT_VOLLEY, "R", "j");

	(void)state;
	fire_numbers(ev, (const int32_t[]){INCH(9), 6, 6, 6, 2, 6, 4});
	dice(ev, "T3.shoot.R.shoot", "662135");
	ev->ruling = "FP29";
	says(&b, ev,
		"Barrell's fire on Camerons at 9\": 6 dice, 6 6 2 1 3 5, hits on 6: 2 hits. "
		"Camerons 6 > 4 bases. [FP29]");
	talloc_free(b.mem);
}

static void test_wet_powder_to_the_side(void **state)
{
	struct bench b = set_up();
	struct event *ev = event(b.events, b.sc, EVENT_VOLLEY, "R", "j");

	(void)state;
	fire_numbers(ev, (const int32_t[]){4250, 2, 1, 6, 1, 6, 5});
	event_set(ev, NUM_ARC, ARC_LEFT);
	dice(ev, "T3.shoot.R.powder", "1");
	dice(ev, "T3.shoot.R.shoot", "6");
	ev->dice[1].amended = true;
	says(&b, ev,
		"Barrell's fire on Camerons at 4.25\", to their left: powder 1: 1 of 2 may fire; 1 dice, 6*, hits on "
		"6: 1 hit. Camerons 6 > 5 bases. (* given by the referee.)");
	talloc_free(b.mem);
}

static void test_fire_at_chargers(void **state)
{
	struct bench b = set_up();
	struct event *ev = event(b.events, b.sc, EVENT_CLOSING_FIRE, "R", "j");

	(void)state;
	fire_numbers(ev, (const int32_t[]){0, 2, 2, 5, 0, 6, 6});
	event_set(ev, NUM_FACE, ARC_RIGHT);
	dice(ev, "T3.charge.R.reaction", "14");
	says(&b, ev,
		"Barrell's fire at the charging Camerons, who come at their right flank: 2 dice, 1 4, hits on 5-6: "
		"0 hits.");
	talloc_free(b.mem);
}

static void test_melee_of_several(void **state)
{
	struct bench b = set_up();
	struct event *ev = event(b.events, b.sc, EVENT_MELEE, "R", "j");

	(void)state;
	event_object(ev, piece(b.sc, "h"));
	fire_numbers(ev, (const int32_t[]){0, 0, 3, 6, 3, 0, 0});
	dice(ev, "T3.melee.R.melee", "666");
	ev->object_hits = talloc_array(ev, int, 2);
	ev->object_hits[0] = 2;
	ev->object_hits[1] = 1;
	says(&b, ev,
		"Barrell's fight Camerons and Stuarts (Appin): 3 dice, 6 6 6, hits on 6: 3 hits (2 on Camerons, "
		"1 on Stuarts (Appin)).");
	talloc_free(b.mem);
}

static void test_one_man_and_many(void **state)
{
	struct bench b = set_up();
	struct event *join = event(b.events, b.sc, EVENT_ATTACH, "Hu", "R");
	struct event *risk = event(b.events, b.sc, EVENT_COMMANDER_RISK, "Hu", "R");
	struct event *moved = event(b.events, b.sc, EVENT_MOVE, "Hu", NULL);
	struct event *turned = event(b.events, b.sc, EVENT_MOVE, "R", NULL);

	(void)state;
	says(&b, join, "Maj. Gen. Huske joins Barrell's.");
	event_set(risk, NUM_NEED, 6);
	event_set(risk, NUM_AFTER, 0);
	dice(risk, "T3.melee.Hu.commander", "6");
	says(&b, risk, "Maj. Gen. Huske is in danger with Barrell's: 1 dice, 6, he falls on 6: he falls.");
	event_set(moved, NUM_TO_X, INCH(45));
	event_set(moved, NUM_TO_Y, INCH(33));
	event_set(moved, NUM_TO_FACING, 90);
	event_set(moved, NUM_DISTANCE, 5996);
	says(&b, moved, "Maj. Gen. Huske moves 6\" to H5 and faces east.");
	event_set(turned, NUM_TO_FACING, 271);
	event_set(turned, NUM_DISTANCE, 3);
	says(&b, turned, "Barrell's turn to face west.");
	talloc_free(b.mem);
}

/* What is a hair out of reach must not look as if it were within. */
static void test_out_of_reach(void **state)
{
	struct bench b = set_up();
	struct event *ev = event(b.events, b.sc, EVENT_NO_CHARGE, "R", "j");

	(void)state;
	ev->reason = REASON_OUT_OF_REACH;
	event_set(ev, NUM_DISTANCE, 6001);
	says(&b, ev, "Barrell's do not charge Camerons: they are out of reach (6.01\" away).");
	talloc_free(b.mem);
}

static void lists(const struct bench *b, int i, const char *expected, int then)
{
	int next;

	assert_string_equal(listing_line(b->mem, b->words, b->sc, b->sc->state, b->events, i, &next), expected);
	assert_int_equal(next, then);
}

/* What is told of several units alike stands in one line, each with its number; a die or a referee's word parts them.
 */
static void test_lines_shared(void **state)
{
	struct bench b = set_up();

	(void)state;
	for (int i = 0; i < 6; i++)
		event(b.events, b.sc, EVENT_NO_CHARGE, (const char *[]){"R", "Q", "P", "N", "Hu", "S"}[i], NULL)
			->reason = i == 3 ? REASON_LOCKED : REASON_HORSE;
	dice(b.events->list[5], "T3.shoot.S.x", "6");
	lists(&b, 0, "  1-3. Barrell's (1), Fleming's (2) and Howard's (3) do not charge: men on horses do not fire.",
		3);
	lists(&b, 3, "  4. Munro's do not charge: they are in melee.", 4);
	b.events->list[1]->amended = true;
	b.events->list[1]->text = "";
	lists(&b, 0, "  1. Barrell's do not charge: men on horses do not fire.", 1);
	lists(&b, 2, "  3. Howard's do not charge: men on horses do not fire.", 3);
	talloc_free(b.mem);
}

static bool has_actor(enum event_kind kind)
{
	return kind != EVENT_THIRDS && kind != EVENT_BROKEN && kind != EVENT_POINTS && kind != EVENT_VERDICT &&
	       kind != EVENT_RULING_UNUSED;
}

static bool names_object(enum event_kind kind)
{
	return kind == EVENT_VOLLEY || kind == EVENT_CLOSING_FIRE || kind == EVENT_CHARGE ||
	       kind == EVENT_CHARGE_SHORT || kind == EVENT_MELEE || kind == EVENT_COMMANDER_BLOW ||
	       kind == EVENT_COMMANDER_RISK || kind == EVENT_ATTACH || kind == EVENT_DETACH || kind == EVENT_LOCKED ||
	       kind == EVENT_GUN_TAKEN || kind == EVENT_LOSS || kind == EVENT_TURNED;
}

/* Every kind with every reason, with any numbers: a sentence that names them, and nothing left over of the template. */
static void test_every_kind_and_reason(void **state)
{
	struct bench b = set_up();

	(void)state;
	srandom(1746);
	for (int kind = 0; kind < EVENT_KIND_COUNT; kind++) {
		for (int reason = 0; reason < EVENT_REASON_COUNT; reason++) {
			struct event *ev;
			const char *said;

			if (!chronicle_knows(b.words, (enum event_kind)kind, (enum event_reason)reason))
				continue;
			ev = event(b.events, b.sc, (enum event_kind)kind, "R", "j");
			ev->reason = (enum event_reason)reason;
			ev->actor = has_actor(ev->kind) ? ev->actor : -1;
			for (int n = 0; n < EVENT_NUMBER_COUNT; n++)
				event_set(ev, (enum event_number)n, (int32_t)(random() % 2));
			dice(ev, "T3.shoot.R.shoot", "6");
			said = chronicle_sentence(b.mem, b.words, b.sc, b.sc->state, ev);
			assert_null(strpbrk(said, "{}|`"));
			assert_null(strstr(said, "  "));
			if (has_actor(ev->kind))
				assert_non_null(strstr(said, "Barrell's"));
			if (names_object(ev->kind) && reason == REASON_NONE)
				assert_non_null(strstr(said, "Camerons"));
			assert_in_range(strlen(said), 10, 300);
		}
	}
	talloc_free(b.mem);
}

/* Names and a referee's words are never taken for a template. */
static void test_values_are_no_templates(void **state)
{
	struct bench b = set_up();
	struct event *ev = event(b.events, b.sc, EVENT_RULING, "R", NULL);

	(void)state;
	strcpy(unit_of(b.sc, "R")->name, "{distance} {{tag}} %s");
	event_set(ev, NUM_BEFORE, 6);
	event_set(ev, NUM_AFTER, 5);
	ev->text = "{hits} %n";
	says(&b, ev, "The referee rules: {distance} {{tag}} %s 6 > 5 bases, because {hits} %n.");
	talloc_free(b.mem);
}

static void wrong(const char *text, const char *expected)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct chronicle *c;
	struct err *e = chronicle_read(mem, "x.events", text, strlen(text), &c);

	assert_non_null(e);
	assert_non_null(strstr(err_text(mem, e), expected));
	talloc_free(mem);
}

static void test_wrong_files(void **state)
{
	(void)state;
	wrong("# nothing\nmoove {actor} goes.\n", "x.events:2:1: 'moove' is no kind of event");
	wrong("move {actor} goes.\nmove/because {actor} goes.\n", "x.events:2:1");
	wrong("move {actr} goes.\n", "x.events:1:6: there is no {actr}");
	wrong("move {actor goes.\n", "x.events:1:6: a { without its }");
	wrong("reason fire it {burns}\n", "there is no {burns}");
	wrong("reason fire it is {reason}\n", "{reason} cannot stand in a reason");
	wrong("move {actor} goes.\n", "there are no words for the event 'no-move'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_volley),
		cmocka_unit_test(test_wet_powder_to_the_side),
		cmocka_unit_test(test_fire_at_chargers),
		cmocka_unit_test(test_melee_of_several),
		cmocka_unit_test(test_one_man_and_many),
		cmocka_unit_test(test_out_of_reach),
		cmocka_unit_test(test_lines_shared),
		cmocka_unit_test(test_every_kind_and_reason),
		cmocka_unit_test(test_values_are_no_templates),
		cmocka_unit_test(test_wrong_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
