/* battle/state, event, amendment: written and read back, alike everywhere, and nothing but that is read. */
#include "battle/amendment.h"
#include "battle/event.h"
#include "battle/state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Every field off its default, so that one forgotten in writing or reading shows. */
static struct state *sample(TALLOC_CTX *mem)
{
	struct state *s = talloc_zero(mem, struct state);

	*s = (struct state){.turn = 3, .line = 2, .next_phase = 4, .winner = WINNER_DRAW, .initiative = 1};
	s->broken[SIDE_JACOBITE] = true;
	s->points[SIDE_GOVERNMENT] = 71;
	s->points[SIDE_JACOBITE] = -2;
	s->command_points[SIDE_JACOBITE] = 6;
	s->count = 3;
	s->units = talloc_zero_array(s, struct unit, 3);
	s->units[0] = (struct unit){.id = "LIGD",
		.code = "B",
		.name = "Ligonier's (dragoons) 100%",
		.wing = "Left",
		.kind = KIND_HORSE,
		.begun = 6,
		.figures_begun = 24,
		.bases = 5,
		.figures = 17,
		.box = {{27750, -1}, 359, 4500, 3000},
		.quarter = 3,
		.with = -1,
		.routing = true,
		.column = true,
		.halted = 2,
		.charged = true,
		.fired = true,
		.closed_fire = true,
		.fought = true,
		.charge_target = 1,
		.gun_hits = 2,
		.used = 5999,
		.pursues = 1,
		.ran = true,
		.points_left = 3,
		.commanded = true,
		.balked = true,
		.fled = true,
		.broke = true,
		.wounded = true};
	s->units[1] = (struct unit){.id = "a",
		.code = "a",
		.name = "Caf\xC3\xA9\n",
		.side = SIDE_JACOBITE,
		.kind = KIND_HUSSAR,
		.with = -1,
		.charge_target = -1};
	s->units[2] = (struct unit){.id = "K",
		.code = "K",
		.name = "%",
		.side = SIDE_JACOBITE,
		.kind = KIND_COMMANDER,
		.overall = true,
		.bases = 1,
		.with = 1,
		.charge_target = -1};
	state_lock(s,
		(struct lock){
			.charger = 1, .charged = 0, .face = ARC_RIGHT, .mutual = true, .declared = true, .rounds = 2});
	return s;
}

static void test_state_round(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct state *s = sample(mem), *back, *copy;
	size_t len, again;
	char *bytes = state_write(mem, s, &len);

	(void)state;
	assert_null(state_read(mem, bytes, len, &back));
	assert_string_equal(state_write(mem, back, &again), bytes);
	assert_int_equal(again, len);
	assert_memory_equal(back->units, s->units, 3 * sizeof *s->units);
	assert_memory_equal(back->locks, s->locks, sizeof *s->locks);
	assert_int_equal(back->points[SIDE_JACOBITE], -2);
	assert_int_equal(back->winner, WINNER_DRAW);
	copy = state_copy(mem, s);
	assert_string_equal(state_digest(mem, copy), state_digest(mem, s));
	copy->units[0].bases = 4; /* a deep copy: the first is as it was */
	assert_int_equal(s->units[0].bases, 5);
	assert_string_not_equal(state_digest(mem, copy), state_digest(mem, s));
	/* Pinned: stored games must stay readable, so a change of this needs a new version of the format. */
	assert_non_null(strstr(bytes, "state 1 3 2 4 3 1 3 1\nside 0 71 0\nside 1 -2 6\n"
				      "unit LIGD B Ligonier's%20(dragoons)%20100%25 Left 0 2 0 6 24 5 17 27750 -1 359 "
				      "4500 3000 3 -1 1 1 2 1 1 1 1 1 2 5999 1 1 3 1 1 1 1 1\n"));
	talloc_free(mem);
}

static void test_lookups(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct state *s = sample(mem);
	int with[4];

	(void)state;
	assert_int_equal(state_find_id(s, "K"), 2);
	assert_int_equal(state_find_id(s, "k"), -1);
	assert_int_equal(state_find_code(s, "a", -1), 1);
	assert_int_equal(state_find_code(s, "a", SIDE_GOVERNMENT), -1);
	assert_true(state_locked(s, 0) && state_locked(s, 1) && !state_locked(s, 2));
	assert_true(state_locked_pair(s, 0, 1) && state_locked_pair(s, 1, 0) && !state_locked_pair(s, 0, 2));
	assert_int_equal(state_commanders_with(s, 1, with, 4), 1);
	assert_int_equal(with[0], 2);
	s->units[2].bases = 0;
	assert_int_equal(state_commanders_with(s, 1, with, 4), 0);
	state_lock(s, (struct lock){.charger = 2, .charged = 0});
	state_unlock(s, 0);
	assert_int_equal(s->lock_count, 1);
	assert_int_equal(s->locks[0].charger, 2);
	talloc_free(mem);
}

static struct events *sample_events(TALLOC_CTX *mem)
{
	struct events *e = events_new(mem);
	struct event *ev = events_add(e, EVENT_VOLLEY, "T3.shoot.B.volley.1");

	ev->turn = 3;
	ev->phase = 1;
	ev->actor = 0;
	ev->reason = REASON_MOVED_AWAY;
	ev->ruling = "FP36 FP29";
	ev->amended = true;
	event_object(ev, 1);
	event_object(ev, 2);
	event_object(ev, 0);
	event_set(ev, NUM_DISTANCE, 9000);
	event_set(ev, NUM_FROM_X, -3);
	event_die(ev, "T3.shoot.B.shoot.1", 6, 5, false);
	event_die(ev, "T3.shoot.B.shoot.2", 6, 1, true);
	event_saw(ev, 1);
	event_saw(ev, 1);
	event_saw(ev, 2);
	ev->object_hits = talloc_array(ev, int, 3);
	ev->object_hits[0] = 2;
	ev->object_hits[1] = ev->object_hits[2] = 0;
	ev = events_add(e, EVENT_RULING, "T3.end.ruling.1");
	ev->text = "Said \"so\"\nand 100% so \xE2\x80\x93 \x01";
	return e;
}

static void test_events(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct events *e = sample_events(mem), *back;
	size_t len, again;
	char *bytes = events_write(mem, e, &len);
	struct buf *out = buf_new(mem);
	struct event *ev;
	struct json j;

	(void)state;
	assert_null(events_read(mem, bytes, len, &back));
	assert_string_equal(events_write(mem, back, &again), bytes);
	assert_int_equal(back->list[0]->seen_count, 2);
	assert_int_equal(back->list[0]->number[NUM_DISTANCE], 9000);
	assert_false(back->list[0]->has[NUM_TO_X]);
	assert_string_equal(back->list[1]->text, e->list[1]->text);
	assert_ptr_equal(events_find(back, "T3.end.ruling.1"), back->list[1]);
	assert_null(events_find(back, "T3.end.ruling.2"));
	ev = back->list[0]; /* what was read can be added to */
	event_object(ev, 1);
	event_die(ev, "x", 6, 6, false);
	event_saw(ev, 0);
	assert_int_equal(ev->object_count, 4);
	json_begin(&j, out);
	event_json(&j, e->list[0], sample(mem));
	assert_string_equal(out->data,
		"{\"key\":\"T3.shoot.B.volley.1\",\"kind\":\"volley\",\"turn\":3,\"phase\":1,\"actor\":\"LIGD\","
		"\"objects\":[\"a\",\"K\",\"LIGD\"],\"object_hits\":[2,0,0],\"numbers\":{\"from-x\":-3,\"distance\":"
		"9000},"
		"\"dice\":[{\"name\":\"T3.shoot.B.shoot.1\",\"sides\":6,\"value\":5},"
		"{\"name\":\"T3.shoot.B.shoot.2\",\"sides\":6,\"value\":1,\"amended\":true}],"
		"\"reason\":\"moved-away\",\"ruling\":\"FP36 FP29\",\"text\":null,\"amended\":true}");
	talloc_free(mem);
}

static struct amendments *sample_amendments(TALLOC_CTX *mem)
{
	struct amendments *a = amendments_new(mem);
	struct amendment *am = amendments_add(a, AMEND_DEAL);

	am->unit = 4;
	am->purpose = "shoot";
	am->value_count = 3;
	am->values = talloc_array(am, int, 3);
	am->values[0] = 6;
	am->values[1] = 1;
	am->values[2] = -1;
	am = amendments_add(a, AMEND_PLACE);
	am->unit = 1;
	am->box = (struct box){{-5, 60000}, 180, 0, 0};
	am->before = "T3.melee.a.melee.1";
	am->because = "The ruler slipped; see \"page 2\".";
	am->used = 9;
	return a;
}

static void test_amendments(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct amendments *a = sample_amendments(mem), *back;
	size_t len;
	char *bytes = amendments_write(mem, a, &len);

	(void)state;
	assert_null(amendments_read(mem, bytes, len, &back));
	assert_string_equal(amendments_write(mem, back, NULL), bytes);
	assert_int_equal(back->list[0]->values[2], -1);
	assert_int_equal(back->list[1]->box.front.y, 60000);
	assert_string_equal(back->list[1]->because, a->list[1]->because);
	assert_int_equal(back->list[1]->used, 0);
	talloc_free(mem);
}

/* --- damaged bytes -------------------------------------------------------------------------------------------------
 */

/* Reads, and if that went well writes again; NULL if it was refused. */
typedef char *again(TALLOC_CTX *mem, const char *bytes, size_t len);

static char *again_state(TALLOC_CTX *mem, const char *bytes, size_t len)
{
	struct state *s;

	return state_read(mem, bytes, len, &s) ? NULL : state_write(mem, s, NULL);
}

static char *again_events(TALLOC_CTX *mem, const char *bytes, size_t len)
{
	struct events *e;

	return events_read(mem, bytes, len, &e) ? NULL : events_write(mem, e, NULL);
}

static char *again_amendments(TALLOC_CTX *mem, const char *bytes, size_t len)
{
	struct amendments *a;

	return amendments_read(mem, bytes, len, &a) ? NULL : amendments_write(mem, a, NULL);
}

/* Whatever is accepted is canonical: it is written again byte for byte. */
static void damage(again *f, const char *bytes, size_t len)
{
	static const char odd[] = "0123456789-%\n aZ\xFF";
	uint32_t seed = 7;

	for (size_t cut = 0; cut < len; cut++) {
		TALLOC_CTX *mem = talloc_new(NULL);

		assert_null(f(mem, bytes, cut));
		talloc_free(mem);
	}
	for (int n = 0; n < 20000; n++) {
		TALLOC_CTX *mem = talloc_new(NULL);
		char *copy = talloc_memdup(mem, bytes, len), *back;

		for (int k = 0; k < 1 + n % 3; k++) {
			seed = seed * 1664525 + 1013904223;
			copy[(seed >> 8) % len] = odd[(seed >> 4) % (sizeof odd - 1)];
		}
		back = f(mem, copy, len);
		if (back)
			assert_memory_equal(back, copy, len);
		talloc_free(mem);
	}
}

static void test_damage(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	size_t len;
	char *bytes;

	(void)state;
	bytes = state_write(mem, sample(mem), &len);
	damage(again_state, bytes, len);
	bytes = events_write(mem, sample_events(mem), &len);
	damage(again_events, bytes, len);
	bytes = amendments_write(mem, sample_amendments(mem), &len);
	damage(again_amendments, bytes, len);
	talloc_free(mem);
}

static void test_refusals(void **state)
{
	static const char *const bad[] = {"", "state", "state 2 1 1 0 0 -1 0 0\nside 0 0 0\nside 0 0 0\n",
		"state 1 1 1 0 0 -1 0 0\nside 0 0 0\nside 0 0 0\nmore",
		"state 1 01 1 0 0 -1 0 0\nside 0 0 0\nside 0 0 0\n",
		"state 1 1 1 0 0 -1 99999999 0\nside 0 0 0\nside 0 0 0\n",
		"state 1 1 1 0 0 -1 0 1\nside 0 0 0\nside 0 0 0\nlock 0 0 0 0 0 0\n",
		"state 1 -0 1 0 0 -1 0 0\nside 0 0 0\nside 0 0 0\n"};
	TALLOC_CTX *mem = talloc_new(NULL);
	struct state *s;
	struct err *e;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_non_null(state_read(mem, bad[i], strlen(bad[i]), &s));
	e = state_read(mem, bad[1], strlen(bad[1]), &s);
	assert_string_equal(err_text(mem, e), "the stored positions are damaged in line 1: expected another field");
	assert_null(state_read(mem, "state 1 1 1 0 0 -1 0 0\nside 0 0 0\nside 0 0 0\n", 45, &s));
	talloc_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_state_round),
		cmocka_unit_test(test_lookups),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_amendments),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
