/* The rules' core: names of dice and events, a referee's changes, what is foreseen, and the edges of the geometry they
 * use. Values by hand. (Each ruling has its case in tests/cases.) */
#include "rules/field.h"
#include "rules/parameters.h"
#include "service/battles.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Barrell's face Camerons 8" away in the rain. */
struct duel {
	TALLOC_CTX *mem;
	struct scenario *sc;
	const struct ruleset *rules;
	struct dice dice;
	struct orderbook *book;
	struct events *events;
	struct amendments *amendments;
	int a, j, commander;
};

static void line(struct duel *d, const char *text)
{
	struct line_reader *r = line_reader_new(d->mem, "test", text, strlen(text));
	const struct line *l;
	bool taken;

	assert_null(line_next(d->mem, r, &l));
	assert_null(scenario_line(d->mem, d->sc, l, &taken));
	assert_true(taken);
}

static struct duel set_up(void)
{
	struct duel d = {.mem = talloc_new(NULL)};
	struct scenario *falkirk;

	assert_null(battle_load(d.mem, "falkirk", NULL, &falkirk, &d.rules));
	d.sc = scenario_empty(d.mem, falkirk);
	line(&d, "unit E B foot \"Barrell's\" 6 at 40,20 facing 0");
	line(&d, "unit J j clan \"Camerons\" 6 at 40,28 facing 180");
	line(&d, "commander J os \"Gen. John O'Sullivan\" with j");
	d.a = state_find_code(d.sc->state, "B", -1);
	d.j = state_find_code(d.sc->state, "j", -1);
	d.commander = state_find_code(d.sc->state, "os", -1);
	dice_from_number(&d.dice, 7);
	d.book = orderbook_new(d.mem, d.sc->state);
	d.events = events_new(d.mem);
	d.amendments = amendments_new(d.mem);
	return d;
}

static struct state *resolve(struct duel *d)
{
	talloc_free(d->events);
	d->events = events_new(d->mem);
	return resolve_turn(d->mem, d->rules, d->sc, d->sc->state, d->book, d->amendments, &d->dice, d->events);
}

static struct clause *order(struct duel *d, int unit, enum clause_kind kind)
{
	struct clause *c = talloc_zero(d->mem, struct clause);

	c->kind = kind;
	c->next = d->book->units[unit].clauses;
	d->book->units[unit].clauses = c;
	return c;
}

static void order_move(struct duel *d, int unit, int32_t distance)
{
	struct clause *c = order(d, unit, CLAUSE_MOVE);

	c->legs = talloc_zero(d->mem, struct leg);
	c->legs->heading.relative = true;
	c->legs->distance = distance;
	c->leg_count = 1;
}

static void order_at(struct duel *d, int unit, enum clause_kind kind, int target)
{
	struct clause *c = order(d, unit, kind);

	c->targets = talloc_zero(d->mem, struct target);
	c->targets->unit = target;
	c->target_count = 1;
}

static void test_names(void **unused)
{
	struct duel d = set_up();
	const struct event *ev;

	(void)unused;
	resolve(&d);
	ev = events_find(d.events, "T1.shoot.B.volley.1");
	assert_non_null(ev);
	assert_string_equal(ev->dice[0].name, "T1.shoot.B.powder.1");
	assert_string_equal(ev->dice[1].name, "T1.shoot.B.shoot.1");
	assert_int_equal(ev->dice[0].value, dice_roll(&d.dice, "T1.shoot.B.powder", 6, 1));
	assert_int_equal(ev->number[NUM_DICE], (ev->dice[0].value + 1) / 2);
	assert_int_equal(ev->number[NUM_DISTANCE], 8000);
	/* After a rollback the line of play is part of every name. */
	d.sc->state->line = 2;
	resolve(&d);
	ev = events_find(d.events, "L2.T1.shoot.j.volley.1");
	assert_non_null(ev);
	assert_string_equal(ev->dice[0].name, "L2.T1.shoot.j.powder.1");
	talloc_free(d.mem);
}

/* Guns of both sides may have one number: neither their events nor their dice may fall together. */
static void test_guns_of_one_number(void **unused)
{
	struct duel d = set_up();
	const struct event *ev;

	(void)unused;
	line(&d, "unit E 1 gun \"Cannon 1\" 1 at 20,20 facing 0 id GE");
	line(&d, "unit J 1 gun \"Cannon 1\" 1 at 20,50 facing 180 id GJ");
	d.book = orderbook_new(d.mem, d.sc->state);
	resolve(&d);
	ev = events_find(d.events, "T1.shoot.E-1.volley.1");
	assert_non_null(ev);
	assert_string_equal(ev->dice[2].name, "T1.shoot.E-1.shoot.3");
	assert_int_equal(ev->dice_count, 3);
	assert_non_null(events_find(d.events, "T1.shoot.J-1.volley.1"));
	talloc_free(d.mem);
}

static struct amendment *amend(struct duel *d, enum amendment_op op, const char *key, int value)
{
	struct amendment *a = amendments_add(d->amendments, op);

	a->key = key;
	a->value = value;
	a->because = "a die fell off the table";
	return a;
}

static void test_hits_and_void(void **unused)
{
	struct duel d = set_up();
	const struct event *ev;
	struct state *s;

	(void)unused;
	amend(&d, AMEND_HITS, "T1.shoot.B.volley.1", 2);
	amend(&d, AMEND_VOID, "T1.shoot.j.volley.1", 0);
	s = resolve(&d);
	assert_int_equal(s->units[d.j].bases, 4);
	assert_int_equal(s->units[d.a].bases, 6);
	ev = events_find(d.events, "T1.shoot.B.volley.1");
	assert_true(ev->amended);
	assert_string_equal(ev->text, "a die fell off the table");
	assert_int_equal(ev->number[NUM_AFTER], 4);
	assert_int_equal(events_find(d.events, "T1.shoot.j.volley.1")->reason, REASON_REFEREE);
	talloc_free(d.mem);
}

/* Five hits take all of it (the last base goes by itself), and the commander rolls (FP43, FP44). */
static void test_die_and_wipe_out(void **unused)
{
	struct duel d = set_up();
	struct state *s;

	(void)unused;
	amend(&d, AMEND_HITS, "T1.shoot.B.volley.1", 5);
	amend(&d, AMEND_DIE, "T1.shoot.os.commander.1", 5);
	s = resolve(&d);
	assert_int_equal(s->units[d.j].bases, 0);
	assert_int_equal(s->units[d.commander].bases, 1);
	assert_int_equal(s->units[d.commander].with, -1);
	/* Nobody is near, so he is set down where his unit's front was. */
	assert_int_equal(s->units[d.commander].box.front.y, 28000);
	d.amendments->list[1]->value = 6;
	s = resolve(&d);
	assert_int_equal(s->units[d.commander].bases, 0);
	talloc_free(d.mem);
}

/* A change before an event counts for it; one that finds no place is told of, and does nothing. */
static void test_before(void **unused)
{
	struct duel d = set_up();
	struct amendment *a = amend(&d, AMEND_BASES, "", 3);
	const struct event *ev;
	struct state *s;

	(void)unused;
	a->unit = d.j;
	a->before = "T1.shoot.j.volley.1";
	a = amend(&d, AMEND_BASES, "", 2);
	a->unit = d.a;
	a->before = "T1.shoot.B.volley.2";
	amend(&d, AMEND_HITS, "T1.shoot.B.volley.1", 0);
	amend(&d, AMEND_HITS, "T1.shoot.j.volley.1", 0);
	s = resolve(&d);
	assert_int_equal(s->units[d.j].bases, 3);
	assert_int_equal(s->units[d.a].bases, 6);
	assert_int_equal(s->units[d.j].box.depth, 750);
	ev = events_find(d.events, "T1.shoot.j.volley.1");
	assert_int_equal(ev->number[NUM_ELIGIBLE], 3);
	assert_string_equal(events_find(d.events, "T1.end.B.ruling-unused.1")->text, "T1.shoot.B.volley.2");
	talloc_free(d.mem);
}

/* It comes about only where that event does, so it has seen whose that is. */
static void test_before_sees(void **unused)
{
	struct duel d = set_up();
	struct amendment *a = amend(&d, AMEND_BASES, "", 3);
	const struct event *ev;

	(void)unused;
	a->unit = d.a;
	a->before = "T1.shoot.j.volley.1";
	resolve(&d);
	ev = events_find(d.events, "T1.shoot-J.B.ruling.1");
	assert_non_null(ev);
	assert_true(ev->amended);
	assert_int_equal(ev->seen_count, 2);
	assert_int_equal(ev->seen[0], d.a);
	assert_int_equal(ev->seen[1], d.j);
	talloc_free(d.mem);
}

/* FP91, FP92: the battle ends where it stands, no die is rolled, and the points are told. */
static void test_verdict(void **unused)
{
	struct duel d = set_up();
	struct amendment *a = amendments_add(d.amendments, AMEND_VERDICT);
	struct state *after;
	const struct event *last;

	(void)unused;
	a->unit = 0;
	a->side = SIDE_JACOBITE;
	a->value = WINNER_GOVERNMENT;
	d.sc->state->units[d.j].bases = 4;
	after = resolve(&d);
	last = d.events->list[d.events->count - 1];
	assert_int_equal(after->winner, WINNER_GOVERNMENT);
	assert_int_equal(after->turn, 1);
	assert_int_equal(after->points[SIDE_GOVERNMENT], 4); /* two bases of foot */
	assert_int_equal(after->units[d.j].bases, 4);
	assert_int_equal(d.events->count, 6); /* three thirds, two sums, the verdict */
	assert_string_equal(last->key, "T1.end.army.verdict.1");
	assert_int_equal(last->reason, REASON_CONCEDED);
	assert_string_equal(last->ruling, "FP91");
	/* The referee's own word, by points; given in the middle of a turn it waits for the phase. */
	a->side = -1;
	a->value = WINNER_OPEN;
	a->because = "Enough.";
	a->unit = 2;
	after = resolve(&d);
	last = d.events->list[d.events->count - 1];
	assert_int_equal(d.events->list[0]->kind, EVENT_VOLLEY);
	assert_int_equal(last->reason, REASON_REFEREE);
	assert_string_equal(last->ruling, "FP92");
	assert_string_equal(last->text, "Enough.");
	assert_int_equal(after->winner, WINNER_JACOBITE); /* 10 for the middle third, against at most 4 */
	talloc_free(d.mem);
}

static void test_foresee(void **unused)
{
	struct duel d = set_up();
	struct plan *p;

	(void)unused;
	/* Seven forward is one too many; 1" short of Camerons would be 7" too, so it is the allowance that counts. */
	order_move(&d, d.a, 7000);
	order_at(&d, d.a, CLAUSE_FIRE, d.j);
	p = d.rules->foresee(d.mem, d.sc, d.sc->state, SIDE_GOVERNMENT, d.book);
	assert_int_equal(p->count, 2);
	assert_int_equal(p->items[0].kind, PLAN_MOVE);
	assert_false(p->items[0].whole);
	assert_int_equal(p->items[0].reason, REASON_ALLOWANCE);
	assert_int_equal(p->items[0].distance, 6000);
	assert_int_equal(p->items[0].to.front.y, 26000);
	assert_int_equal(p->items[1].kind, PLAN_FIRE);
	assert_int_equal(p->items[1].distance, 2000);
	/* One, two or three dice alike: 1 - (5/6 + 25/36 + 125/216) / 3 = 0.2978. */
	assert_int_equal(p->items[1].percent, 30);
	/* The Jacobite charge is measured from where everybody stands: 8" are too far. */
	order_at(&d, d.j, CLAUSE_CHARGE, d.a);
	p = d.rules->foresee(d.mem, d.sc, d.sc->state, SIDE_JACOBITE, d.book);
	assert_int_equal(p->count, 1);
	assert_int_equal(p->items[0].kind, PLAN_CHARGE);
	assert_int_equal(p->items[0].reason, REASON_OUT_OF_REACH);
	assert_int_equal(p->items[0].distance, 8000);
	assert_int_equal(p->items[0].asked, 6000);
	talloc_free(d.mem);
}

/* A move is told to fall short only where one would see it: by 0.05" or more. */
static void test_foresee_hair(void **unused)
{
	const struct {
		int32_t ordered;
		bool whole;
	} moves[] = {{6000, true}, {6049, true}, {6050, false}};

	(void)unused;
	for (int i = 0; i < 3; i++) {
		struct duel d = set_up();
		struct plan *p;

		order_move(&d, d.a, moves[i].ordered);
		p = d.rules->foresee(d.mem, d.sc, d.sc->state, SIDE_GOVERNMENT, d.book);
		assert_int_equal(p->items[0].distance, 6000);
		assert_int_equal(p->items[0].whole, moves[i].whole);
		talloc_free(d.mem);
	}
}

/* Who comes into the square that was named, if not to its centre, has done what was ordered. */
static void test_foresee_square(void **unused)
{
	const struct {
		int32_t start; /* how far south of the centre of the square */
		const char *square;
		bool whole;
	} moves[] = {{8999, "H4", true}, {9000, "H4", false}, {6999, "H4.5", true}, {7000, "H4.5", false}};

	(void)unused;
	for (int i = 0; i < 4; i++) {
		struct duel d = set_up();
		struct box *box = &d.sc->state->units[d.a].box;
		struct leg *leg;
		struct plan *p;

		order_move(&d, d.a, 0);
		leg = d.book->units[d.a].clauses->legs;
		*leg = (struct leg){.kind = LEG_PLACE, .place = {45000, 39000}};
		snprintf(leg->square, sizeof leg->square, "%s", moves[i].square);
		d.sc->state->units[d.j].box.front = (struct point){80000, 20000};
		box->front = (struct point){45000, 39000 - moves[i].start};
		p = d.rules->foresee(d.mem, d.sc, d.sc->state, SIDE_GOVERNMENT, d.book);
		assert_int_equal(p->items[0].distance, 6000);
		assert_int_equal(p->items[0].whole, moves[i].whole);
		talloc_free(d.mem);
	}
}

/* FP24: when the turn rests before the Charge phase (FP1), a commander has his allowance for that phase alone, 6". */
static void test_foresee_late(void **unused)
{
	struct duel d = set_up();
	struct plan *p;

	(void)unused;
	line(&d, "unit J k clan \"Frasers\" 6 at 60,28 facing 180");
	line(&d, "unit J l clan \"Stuarts\" 6 at 47,28 facing 180");
	line(&d, "unit J 1 gun \"Cannon 1\" 1 at 20,50 facing 180");
	d.book = orderbook_new(d.mem, d.sc->state);
	while (strcmp(d.rules->phases[d.sc->state->next_phase].key, "charge") != 0)
		d.sc->state->next_phase++;
	order(&d, d.commander, CLAUSE_JOIN)->unit = state_find_code(d.sc->state, "k", -1);
	order_at(&d, state_find_code(d.sc->state, "1", -1), CLAUSE_CHARGE, d.a);
	p = d.rules->foresee(d.mem, d.sc, d.sc->state, SIDE_JACOBITE, d.book);
	assert_int_equal(p->count, 2);
	assert_int_equal(p->items[0].kind, PLAN_JOIN);
	assert_int_equal(p->items[0].reason, REASON_OUT_OF_REACH);
	assert_false(p->items[0].again);
	assert_int_equal(p->items[1].kind, PLAN_CHARGE);
	assert_int_equal(p->items[1].reason, REASON_GUN);
	d.book->units[d.commander].clauses->unit = state_find_code(d.sc->state, "l", -1);
	p = d.rules->foresee(d.mem, d.sc, d.sc->state, SIDE_JACOBITE, d.book);
	assert_true(p->items[0].whole);
	talloc_free(d.mem);
}

/* FP53: who stands or is locked in front of a charger stops it, and so does who charges first; the distance is the one
 * from where its own move has brought it. */
static void test_foresee_stopped(void **unused)
{
	struct duel d = set_up();
	struct plan *p;
	int k, l, m;

	(void)unused;
	line(&d, "unit J k clan \"Frasers\" 6 at 40,25 facing 180");
	k = state_find_code(d.sc->state, "k", -1);
	d.book = orderbook_new(d.mem, d.sc->state);
	order_at(&d, d.j, CLAUSE_CHARGE, d.a);
	order_move(&d, d.j, 1000);
	/* Frasers stand before Camerons, who come to no more than their rear: 28 - 1 to 20. */
	d.sc->state->units[d.a].box.front.y = 22000;
	p = d.rules->foresee(d.mem, d.sc, d.sc->state, SIDE_JACOBITE, d.book);
	assert_int_equal(p->items[1].kind, PLAN_CHARGE);
	assert_int_equal(p->items[1].distance, 5000);
	assert_false(p->items[1].whole);
	assert_true(p->items[1].stopped);
	assert_int_equal(p->items[1].reason, REASON_FRIEND);
	assert_int_equal(p->items[1].blocker, k);
	/* They charge too, from nearer by, and are as much in the way when they fight. */
	d.book = orderbook_new(d.mem, d.sc->state);
	order_at(&d, k, CLAUSE_CHARGE, d.a);
	order_at(&d, d.j, CLAUSE_CHARGE, d.a);
	p = d.rules->foresee(d.mem, d.sc, d.sc->state, SIDE_JACOBITE, d.book);
	assert_int_equal(p->count, 2);
	assert_int_equal(p->items[0].unit, d.j);
	assert_int_equal(p->items[0].blocker, k);
	assert_true(p->items[1].whole);
	/* Beside each other both get there; a third finds no room on that front (FP54). */
	line(&d, "unit J l clan \"Stuarts\" 6 at 44.6,25.5 facing 180");
	line(&d, "unit J m clan \"Grants\" 6 at 35.4,25.5 facing 180");
	l = state_find_code(d.sc->state, "l", -1);
	m = state_find_code(d.sc->state, "m", -1);
	d.book = orderbook_new(d.mem, d.sc->state);
	order_at(&d, k, CLAUSE_CHARGE, d.a);
	order_at(&d, l, CLAUSE_CHARGE, d.a);
	p = d.rules->foresee(d.mem, d.sc, d.sc->state, SIDE_JACOBITE, d.book);
	assert_true(p->items[0].whole && p->items[1].whole);
	order_at(&d, m, CLAUSE_CHARGE, d.a);
	p = d.rules->foresee(d.mem, d.sc, d.sc->state, SIDE_JACOBITE, d.book);
	assert_int_equal(p->count, 3);
	assert_int_equal(p->items[0].whole + p->items[1].whole + p->items[2].whole, 2);
	talloc_free(d.mem);
}

static void test_edges(void **unused)
{
	struct box foot = {{40000, 20000}, 0, 4500, 1500}, other = {{44500, 21000}, 0, 4500, 1500};
	struct point p;
	int bearing;
	int32_t length;

	(void)unused;
	p = geo_edge(&foot, ARC_RIGHT, &bearing, &length);
	assert_int_equal(p.x, 42250);
	assert_int_equal(p.y, 19250);
	assert_int_equal(bearing, 90);
	assert_int_equal(length, 1500);
	p = geo_edge(&foot, ARC_REAR, &bearing, &length);
	assert_int_equal(p.y, 18500);
	assert_int_equal(bearing, 180);
	assert_int_equal(length, 4500);
	/* Side by side, one an inch further on: half an inch of flank is shared. */
	assert_int_equal(geo_flush(&foot, &other), 500);
	other.front.x += 6;
	assert_int_equal(geo_flush(&foot, &other), 0);
	other = (struct box){{41000, 20000}, 180, 4500, 1500};
	assert_int_equal(geo_flush(&foot, &other), 3500);
	other.facing = 181;
	assert_int_equal(geo_flush(&foot, &other), 0);
	/* A strip 3" wide along y = 30": 1.5" to each side, touching is not holding. */
	other = (struct box){{50000, 30000}, 180, 4500, 1500};
	assert_false(geo_strip_holds((struct point){40000, 28500}, (struct point){60000, 28500}, 3000, &other));
	assert_true(geo_strip_holds((struct point){40000, 28510}, (struct point){60000, 28510}, 3000, &other));
	assert_false(geo_strip_holds((struct point){40000, 28510}, (struct point){47700, 28510}, 3000, &other));
	assert_true(geo_strip_holds((struct point){40000, 30500}, (struct point){60000, 30500}, 0, &other));
}

/* FP84: whoever stands in the way of a unit goes to the first clear place on rings a tenth of an inch apart, found here
 * by trying every one. */
static struct box first_clear(struct turn *t, int commander)
{
	const struct unit *u = &t->state->units[commander];
	struct box to = u->box;

	for (int32_t r = 0; r <= INCH(40); r += INCH(1) / 10)
		for (int k = 0; k < 24; k++) {
			int turn = (k % 2 ? 15 : -15) * ((k + 1) / 2);

			to = geo_shift(u->box, geo_degrees(own_edge(u->side) + turn), r);
			if (place_clear(t, commander, &to, u->side, parameter(t, P_CLEARANCE)))
				return to;
		}
	return to;
}

static void test_displaced(void **unused)
{
	struct duel d = set_up();
	struct turn t = {.mem = d.mem, .rules = d.rules, .sc = d.sc, .state = d.sc->state};
	struct unit *units = d.sc->state->units, *os = &units[d.commander];

	(void)unused;
	t.phase = &d.rules->phases[0];
	t.events = d.events;
	t.looked = talloc_zero_array(d.mem, bool, (unsigned)d.sc->state->count);
	os->with = -1;
	for (int i = 0; i < 200; i++) {
		struct box before = {
			{40000 + 97 * (i % 23), 28000 - 71 * (i % 31)}, (int16_t)(i * 45 % 360), 1000, 1000};
		struct box clear;

		units[d.j].box.facing = (int16_t)(180 + i / 2);
		units[d.a].box.front = (struct point){40000 + 50 * i, i % 3 ? 20000 : 26000};
		os->box = before;
		clear = first_clear(&t, d.commander);
		displace_commanders(&t, d.j);
		if (!geo_overlap(&before, &units[d.j].box))
			clear = before;
		assert_memory_equal(&os->box.front, &clear.front, sizeof clear.front);
	}
	assert_true(d.events->count > 100);
	talloc_free(d.mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_guns_of_one_number),
		cmocka_unit_test(test_hits_and_void),
		cmocka_unit_test(test_die_and_wipe_out),
		cmocka_unit_test(test_before),
		cmocka_unit_test(test_before_sees),
		cmocka_unit_test(test_verdict),
		cmocka_unit_test(test_foresee),
		cmocka_unit_test(test_foresee_hair),
		cmocka_unit_test(test_foresee_square),
		cmocka_unit_test(test_foresee_late),
		cmocka_unit_test(test_foresee_stopped),
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_displaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
