/* battle/geometry: values worked out by hand, and properties that must hold for boxes anywhere. */
#include "battle/geometry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static struct box foot(int32_t x, int32_t y, int facing)
{
	return (struct box){{x, y}, (int16_t)facing, 4500, 1500};
}

static struct box horse(int32_t x, int32_t y, int facing)
{
	return (struct box){{x, y}, (int16_t)facing, 4500, 3000};
}

static struct box gun(int32_t x, int32_t y, int facing)
{
	return (struct box){{x, y}, (int16_t)facing, 1500, 1500};
}

/* A small generator of its own, so that the same boxes come everywhere. */
static uint32_t next(uint32_t *seed, uint32_t below)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) % below;
}

static struct box any_box(uint32_t *seed, uint32_t span)
{
	struct box b = foot((int32_t)next(seed, span), (int32_t)next(seed, span), (int)next(seed, 360));

	switch (next(seed, 4)) {
	case 0:
		b.depth = 3000;
		break;
	case 1:
		b.width = 1500;
		b.depth = 750;
		break;
	default:
		break;
	}
	return b;
}

static void at(struct point p, int32_t x, int32_t y)
{
	assert_int_equal(p.x, x);
	assert_int_equal(p.y, y);
}

static void test_angles(void **state)
{
	struct point o = {0, 0};

	(void)state;
	assert_int_equal(geo_degrees(-90), 270);
	assert_int_equal(geo_degrees(720), 0);
	assert_int_equal(geo_length(3000, -4000), 5000);
	assert_int_equal(geo_length(1, 1), 1);
	assert_int_equal(geo_length(2, 2), 3); /* 2.83 */
	assert_int_equal(geo_length(2000000, 2000000), 2828427);
	at(geo_step(o, 0, 6000), 0, 6000);
	at(geo_step(o, 90, 6000), 6000, 0);
	at(geo_step(o, 30, 6000), 3000, 5196);
	at(geo_step(o, 225, 6000), -4243, -4243);
	for (int d = 0; d < 360; d++)
		assert_int_equal(geo_bearing(o, geo_step(o, d, 90000)), d);
	assert_int_equal(geo_bearing(o, o), 0);
	assert_int_equal(geo_bearing(o, (struct point){0, -5}), 180);
	assert_int_equal(geo_bearing(o, (struct point){-5, 0}), 270);
	assert_int_equal(geo_bearing(o, (struct point){1, 114}), 1); /* 0.5026 degrees */
	assert_int_equal(geo_bearing(o, (struct point){1, 115}), 0); /* 0.4982 */
	assert_int_equal(geo_bearing(o, (struct point){-1, 115}), 0);
}

static void test_boxes(void **state)
{
	struct box b = foot(40000, 20000, 0), t;
	struct point c[4];

	(void)state;
	geo_corners(&b, c);
	at(c[FRONT_LEFT], 37750, 20000);
	at(c[FRONT_RIGHT], 42250, 20000);
	at(c[REAR_RIGHT], 42250, 18500);
	at(c[REAR_LEFT], 37750, 18500);
	at(geo_centre(&b), 40000, 19250);
	t = geo_turn(b, 180);
	at(t.front, 40000, 18500);
	assert_int_equal(t.facing, 180);
	assert_int_equal(geo_corner_travel(&b, &t), 4743); /* FP15: 4.74" */
	t = geo_turn(b, 90);
	at(t.front, 40750, 19250);
	t = horse(0, 0, 0);
	b = geo_turn(t, 180);
	assert_int_equal(geo_corner_travel(&t, &b), 5408);    /* FP15: 5.41" */
	t = geo_wheel(foot(40000, 20000, 0), FRONT_LEFT, 90); /* clockwise: the front goes to the right of the pivot */
	at(t.front, 37750, 17750);
	assert_int_equal(t.facing, 90);
	geo_corners(&t, c);
	at(c[FRONT_LEFT], 37750, 20000);
	t = geo_wheel(foot(40000, 20000, 0), FRONT_RIGHT, -45);
	geo_corners(&t, c);
	at(c[FRONT_RIGHT], 42250, 20000);
	b = geo_box_at_centre((struct point){1000, 2000}, 270, 4500, 1500);
	at(b.front, 250, 2000);
	at(geo_centre(&b), 1000, 2000);
	b = geo_shift(foot(40000, 20000, 180), 180, 6000);
	at(b.front, 40000, 14000);
	assert_int_equal(geo_corner_travel(&b, &b), 0);
}

static void test_apart(void **state)
{
	struct box a = foot(0, 0, 0), b = foot(0, 12000, 180), c;

	(void)state;
	assert_int_equal(geo_distance(&a, &b), 12000);
	b = foot(4500, 0, 0); /* side by side */
	assert_int_equal(geo_distance(&a, &b), 0);
	assert_false(geo_overlap(&a, &b));
	b.front.x = 4495;
	assert_false(geo_overlap(&a, &b));
	b.front.x = 4494;
	assert_true(geo_overlap(&a, &b));
	b = foot(7500, 4000, 180); /* 3" to the side, 4" ahead */
	assert_int_equal(geo_distance(&a, &b), 5000);
	b = gun(0, 3000,
		45); /* its rear corner points at the front edge: 3000 - 1500 * sqrt(1/2) - 1500 * sqrt(1/2) ... */
	c = geo_box_at_centre((struct point){0, 3000}, 45, 1500, 1500);
	assert_int_equal(geo_distance(&a, &c), 3000 - 1061);
	c = foot(0, -500, 0);
	assert_true(geo_overlap(&a, &c));
	assert_int_equal(geo_distance(&a, &c), 0);
	assert_int_equal(geo_point_distance(&a, (struct point){0, 700}), 700);
	assert_int_equal(geo_point_distance(&a, (struct point){5250, 4000}), 5000);
	assert_int_equal(geo_point_distance(&a, (struct point){0, -700}), 0);
	assert_true(geo_within(&a, (struct point){-2250, -1500}, (struct point){2250, 0}));
	assert_false(geo_within(&a, (struct point){-2249, -1500}, (struct point){2250, 0}));
}

static void test_arcs(void **state)
{
	struct box b = foot(0, 0, 0);

	(void)state;
	assert_int_equal(geo_arc(&b, (struct point){0, 1}), ARC_FRONT);
	assert_int_equal(geo_arc(&b, (struct point){3250, 1000}), ARC_FRONT); /* on the diagonal */
	assert_int_equal(geo_arc(&b, (struct point){3251, 1000}), ARC_RIGHT);
	assert_int_equal(geo_arc(&b, (struct point){-3250, 1000}), ARC_FRONT);
	assert_int_equal(geo_arc(&b, (struct point){-3251, 1000}), ARC_LEFT);
	assert_int_equal(geo_arc(&b, (struct point){3250, -2500}), ARC_RIGHT); /* on the rear diagonal */
	assert_int_equal(geo_arc(&b, (struct point){3250, -2501}), ARC_REAR);
	assert_int_equal(geo_arc(&b, (struct point){0, -1501}), ARC_REAR);
	assert_int_equal(geo_arc(&b, (struct point){2250, 0}), ARC_FRONT);
	b = foot(0, 0, 180);
	assert_int_equal(geo_arc(&b, (struct point){5000, 500}), ARC_LEFT);
	b = foot(0, 0, 45); /* the right diagonal runs due east from (2250,-2250) * sqrt(1/2) = (1591,-1591) */
	assert_int_equal(geo_arc(&b, (struct point){9000, -1591}), ARC_FRONT);
	assert_int_equal(geo_arc(&b, (struct point){9000, -1594}), ARC_RIGHT);
}

static void test_arc_distance(void **state)
{
	struct box a = foot(0, 0, 0), b = foot(0, 12000, 180);
	struct point p;

	(void)state;
	assert_int_equal(geo_arc_distance(&a, ARC_FRONT, &b, &p), 12000);
	at(p, 0, 12000);
	assert_int_equal(geo_arc_distance(&a, ARC_LEFT, &b, &p), -1);
	assert_int_equal(geo_arc_distance(&a, ARC_REAR, &b, NULL), -1);
	/* Its near corner (3250, 1000) lies on the diagonal: just in, at sqrt(2)". */
	b = foot(5500, 1000, 180);
	assert_int_equal(geo_arc_distance(&a, ARC_FRONT, &b, &p), 1414);
	at(p, 3250, 1000);
	/* Its upper corner (3250, 999) a thousandth below the diagonal: wholly in the right arc. */
	b = foot(5500, -501, 180);
	assert_int_equal(geo_arc_distance(&a, ARC_FRONT, &b, NULL), -1);
	assert_int_equal(geo_arc_distance(&a, ARC_RIGHT, &b, &p), 1000);
	at(p, 3250, -501); /* of all at that distance the nearest to the middle of the edge */
	/* Behind, and wholly in the rear arc. */
	b = foot(0, -4500, 0);
	assert_int_equal(geo_arc_distance(&a, ARC_REAR, &b, NULL), 3000);
	assert_int_equal(geo_arc_distance(&a, ARC_FRONT, &b, NULL), -1);
	/* Exactly 12" off at 45 degrees, both turned with it. */
	a = foot(0, 0, 45);
	b = foot(8485, 8485, 225);
	assert_int_equal(geo_arc_distance(&a, ARC_FRONT, &b, NULL), 12000);
}

static void test_travel(void **state)
{
	struct box a = foot(0, 0, 0), b = foot(0, 7000, 180), g = gun(0, 4000, 0);

	(void)state;
	assert_int_equal(geo_travel(&a, 0, 12000, &b, 1000), 6000);
	assert_int_equal(geo_travel(&a, 0, 12000, &b, 0), 7000);
	assert_int_equal(geo_travel(&a, 0, 5000, &b, 1000), 5000);
	assert_int_equal(geo_travel(&a, 180, 12000, &b, 1000), 12000);
	assert_int_equal(geo_travel(&a, 90, 12000, &b, 1000), 12000);
	assert_int_equal(geo_travel(&a, 0, 12000, &g, 0), 2500);
	/* Passing beside: 1" clear exactly, then a thousandth too near. The circle round the corner counts. */
	b = foot(5500, 7000, 0);
	assert_int_equal(geo_travel(&a, 0, 12000, &b, 1000), 12000);
	b.front.x = 5499;
	/* Distances to the nearest thousandth: 5500 - sqrt(999.5^2 - 999^2). */
	assert_int_equal(geo_travel(&a, 0, 12000, &b, 1000), 5468);
	/* Flush along the side, then away. */
	b = foot(4500, 0, 0);
	assert_int_equal(geo_travel(&a, 0, 12000, &b, 0), 12000);
	assert_int_equal(geo_travel(&a, 90, 12000, &b, 0), 0);
	assert_int_equal(geo_travel(&a, 270, 12000, &b, 0), 12000);
	/* Nearer than 1" already: may pass by or go away, not come nearer. */
	b = foot(0, 2100, 0); /* 0.6" */
	assert_int_equal(geo_travel(&a, 0, 3000, &b, 1000), 0);
	assert_int_equal(geo_travel(&a, 90, 3000, &b, 1000), 3000);
	assert_int_equal(geo_travel(&a, 180, 3000, &b, 1000), 3000);
	assert_int_equal(geo_travel(&a, 45, 3000, &b, 1000), 0);
	/* The table's edge. */
	assert_int_equal(geo_travel_line(&a, 0, 9000, (struct point){-45000, 6000}, (struct point){45000, 6000}), 6000);
	assert_int_equal(geo_travel_line(&a, 90, 9000, (struct point){2250, -9000}, (struct point){2250, 9000}), 0);
	assert_int_equal(geo_travel_line(&a, 0, 9000, (struct point){2250, -9000}, (struct point){2250, 9000}), 9000);
	assert_int_equal(
		geo_travel_line(&a, 45, 9000, (struct point){8000, -20000}, (struct point){8000, 20000}), 8132);
}

static void test_sight(void **state)
{
	struct box a = foot(0, 0, 0), t = foot(0, 10000, 180), b[3];

	(void)state;
	assert_true(geo_sight(&a, ARC_FRONT, &t, 12000, NULL, 0));
	assert_true(geo_sight(&a, ARC_FRONT, &t, 10000, NULL, 0));
	assert_false(geo_sight(&a, ARC_FRONT, &t, 9999, NULL, 0));
	assert_false(geo_sight(&a, ARC_REAR, &t, 12000, NULL, 0));
	/* As wide as both: straight up along its side, touching it, is free; not if it is wider on both sides. */
	b[0] = foot(0, 5000, 0);
	assert_true(geo_sight(&a, ARC_FRONT, &t, 10000, b, 1));
	b[0].width = 4510;
	assert_false(geo_sight(&a, ARC_FRONT, &t, 10000, b, 1));
	assert_false(geo_sight(&a, ARC_FRONT, &t, 12000, b, 1));
	b[0] = foot(0, 5000, 0);
	b[0].width = 4400;
	assert_true(geo_sight(&a, ARC_FRONT, &t, 10000, b, 1));
	/* Two with a gap of 0.1" between them, then flush. */
	b[0] = foot(-2300, 5000, 0);
	b[1] = foot(2300, 5000, 0);
	assert_true(geo_sight(&a, ARC_FRONT, &t, 10000, b, 2));
	b[0].front.x = -2250;
	b[1].front.x = 2250;
	assert_false(geo_sight(&a, ARC_FRONT, &t, 10000, b, 2));
	/* Behind the firer, beside it, and beyond the target nothing is in the way. */
	b[0] = foot(0, -1500, 0);
	b[1] = foot(4500, 0, 0);
	b[2] = foot(0, 13000, 0);
	assert_true(geo_sight(&a, ARC_FRONT, &t, 12000, b, 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_angles),
		cmocka_unit_test(test_boxes),
		cmocka_unit_test(test_apart),
		cmocka_unit_test(test_arcs),
		cmocka_unit_test(test_arc_distance),
		cmocka_unit_test(test_travel),
		cmocka_unit_test(test_sight),
	};

	(void)any_box;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
