/* battle/geometry: values worked out by hand, and properties that must hold for boxes anywhere. */
#include "battle/geometry.h"

#include <math.h>
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
	assert_int_equal(geo_depth(&a, &b), 6);
	b.front.x = 4501;
	assert_int_equal(geo_depth(&a, &b), 0);
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

/* A box whose nearest corner was put on the diagonal at any angle: in the front arc but for rounding to thousandths. */
static void test_arc_edge(void **state)
{
	int in = 0;

	(void)state;
	for (int f = 0; f < 360; f++) {
		struct box a = foot(40000, 30000, f), b = gun(0, 0, f);
		struct point c[4];

		geo_corners(&a, c);
		b.front = geo_step(geo_step(c[FRONT_RIGHT], f + 45, 5000), f + 90, 750);
		in += geo_arc_distance(&a, ARC_FRONT, &b, NULL) >= 0;
		b.front = geo_step(b.front, f + 90, 3); /* clearly beyond it */
		assert_int_equal(geo_arc_distance(&a, ARC_FRONT, &b, NULL), -1);
		b.front = geo_step(b.front, f + 270, 6); /* clearly in */
		assert_true(geo_arc_distance(&a, ARC_FRONT, &b, NULL) >= 0);
	}
	/* Corner and place are rounded each on its own; together that is seldom a thousandth or more. */
	assert_in_range(in, 320, 360);
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
	b[0] = foot(0, 2000, 0); /* half an inch before the whole of the firing edge, and wider */
	b[0].width = 6000;
	assert_false(geo_sight(&a, ARC_FRONT, &t, 12000, b, 1));
	/* Behind the firer, beside it, and beyond the target nothing is in the way. */
	b[0] = foot(0, -1500, 0);
	b[1] = foot(4500, 0, 0);
	b[2] = foot(0, 13000, 0);
	assert_true(geo_sight(&a, ARC_FRONT, &t, 12000, b, 3));
}

/* --- properties of boxes anywhere ----------------------------------------------------------------------------------
 */

static struct box quarter(struct box b)
{
	int32_t x = b.front.x;

	b.front.x = b.front.y;
	b.front.y = -x;
	b.facing = (int16_t)geo_degrees(b.facing + 90);
	return b;
}

/* Turning the whole table by a quarter changes nothing, nor does asking the other way round. */
static void test_symmetry(void **state)
{
	uint32_t seed = 1745;

	(void)state;
	for (int n = 0; n < 20000; n++) {
		struct box a = any_box(&seed, 12000), b = any_box(&seed, 12000), qa = quarter(a), qb = quarter(b);
		int bearing = (int)next(&seed, 360);
		int32_t clearance = next(&seed, 2) ? 1000 : 0;
		enum arc arc = (enum arc)next(&seed, 4);
		struct box third = any_box(&seed, 12000), q3 = quarter(third);

		assert_int_equal(geo_distance(&a, &b), geo_distance(&b, &a));
		assert_int_equal(geo_distance(&a, &b), geo_distance(&qa, &qb));
		assert_int_equal(geo_overlap(&a, &b), geo_overlap(&b, &a));
		assert_int_equal(geo_overlap(&a, &b), geo_overlap(&qa, &qb));
		assert_int_equal(geo_arc(&a, b.front), geo_arc(&qa, qb.front));
		assert_int_equal(geo_arc_distance(&a, arc, &b, NULL), geo_arc_distance(&qa, arc, &qb, NULL));
		assert_int_equal(geo_travel(&a, bearing, 9000, &b, clearance),
			geo_travel(&qa, geo_degrees(bearing + 90), 9000, &qb, clearance));
		assert_int_equal(geo_sight(&a, arc, &b, 12000, &third, 1), geo_sight(&qa, arc, &qb, 12000, &q3, 1));
	}
}

/* Boxes that look straight along the table are told apart in a way of their own; small ones, to meet every edge often.
 */
static void test_straight(void **state)
{
	uint32_t seed = 1746, overlaps = 0;

	(void)state;
	for (int n = 0; n < 20000; n++) {
		struct box box[2];

		for (int i = 0; i < 2; i++)
			box[i] = (struct box){{(int32_t)next(&seed, 40), (int32_t)next(&seed, 40)},
				(int16_t)(90 * next(&seed, 4)), 10 + (int32_t)next(&seed, 30),
				10 + (int32_t)next(&seed, 30)};
		assert_int_equal(geo_overlap(&box[0], &box[1]), geo_depth(&box[0], &box[1]) > OVERLAP_TOLERANCE);
		overlaps += geo_overlap(&box[0], &box[1]);
	}
	assert_in_range(overlaps, 5000, 15000);
}

/* Where it says that a box may go, it may stand all the way; and it could not have gone on. */
static void test_travel_against_steps(void **state)
{
	uint32_t seed = 1746;

	(void)state;
	for (int n = 0; n < 1500; n++) {
		struct box a = any_box(&seed, 12000), b = any_box(&seed, 12000);
		int bearing = (int)next(&seed, 360);
		int32_t clearance = next(&seed, 2) ? 1000 : 0, start = geo_distance(&a, &b);
		int32_t least = start < clearance ? start : clearance, go, near = -11, stop = 9001;

		if (geo_overlap(&a, &b))
			continue;
		go = geo_travel(&a, bearing, 9000, &b, clearance);
		for (int32_t s = 0; s <= 9000; s += 11) {
			struct box there = geo_shift(a, bearing, s);
			int32_t d = geo_distance(&there, &b);

			if (s <= go) {
				assert_true(d >= least - 1);
				assert_false(geo_overlap(&there, &b));
			}
			/* What is clearly forbidden, and what is clearly allowed from the start on. */
			if (stop > 9000 && (least > 0 ? d < least - 1 : geo_overlap(&there, &b)))
				stop = s;
			if (near == s - 11 && (s == 0 || d > least + 1))
				near = s;
		}
		near = near < 0 ? 0 : near;
		assert_true(go < stop);
		assert_true(go >= near - 11);
		if (go > 0) {
			struct box there = geo_shift(a, bearing, go);

			assert_true(geo_distance(&there, &b) >= least);
		}
	}
}

/* A displacement gives the same as the bearing and length that it stands for. */
static void test_displacements(void **state)
{
	uint32_t seed = 1749;
	struct box a = foot(0, 0, 0), b = foot(0, 7000, 180);

	(void)state;
	assert_int_equal(geo_travel_by(&a, (struct point){0, 12000}, &b, 1000), 6000);
	assert_int_equal(geo_travel_by(&a, (struct point){0, 0}, &b, 1000), 0);
	at(geo_along((struct point){3000, -4000}, 2500), 1500, -2000);
	at(geo_along((struct point){0, 0}, 2500), 0, 0);
	for (int n = 0; n < 3000; n++) {
		int bearing = (int)next(&seed, 360), length = 5000 + (int)next(&seed, 20000);
		struct point by = geo_step((struct point){0, 0}, bearing, length),
			     along = geo_along(by, geo_length(by.x, by.y));
		int32_t one, other;

		assert_int_equal(along.x, by.x);
		assert_int_equal(along.y, by.y);
		a = any_box(&seed, 9000);
		b = any_box(&seed, 18000);
		if (geo_overlap(&a, &b) || geo_distance(&a, &b) < 1001)
			continue;
		one = geo_travel(&a, bearing, length, &b, 1000);
		other = geo_travel_by(&a, by, &b, 1000);
		/* Apart by rounding of the direction only, but for those that pass by a corner with a hair to spare. */
		assert_true(abs(one - other) < 60 || one == length || abs(other - geo_length(by.x, by.y)) <= 1);
	}
}

/* A box at any angle beside another that shares its facing, flush: it may slide along and leave, but not press on. */
static void test_flush(void **state)
{
	(void)state;
	for (int f = 0; f < 360; f++) {
		struct box a = foot(30000, 30000, f), b = geo_shift(a, geo_degrees(f + 90), 4500);
		struct box c = geo_shift(geo_turn(a, 180), f, 1500); /* front to front */

		assert_false(geo_overlap(&a, &b));
		assert_false(geo_overlap(&a, &c));
		assert_true(geo_distance(&a, &b) <= 1);
		assert_true(geo_distance(&a, &c) <= 1);
		assert_int_equal(geo_travel(&a, f, 9000, &b, 0), 9000);
		assert_int_equal(geo_travel(&a, geo_degrees(f + 180), 9000, &b, 0), 9000);
		assert_int_equal(geo_travel(&a, geo_degrees(f + 270), 9000, &b, 0), 9000);
		assert_true(geo_travel(&a, geo_degrees(f + 90), 9000, &b, 0) <= 1);
		assert_true(geo_travel(&a, f, 9000, &c, 0) <= 1);
	}
}

/* --- by sampling, in floating point --------------------------------------------------------------------------------
 */

struct spot {
	double x, y;
};

static struct spot inside(const struct box *b, double right, double forward)
{
	double f = b->facing * M_PI / 180;

	return (struct spot){
		b->front.x + right * cos(f) + forward * sin(f), b->front.y - right * sin(f) + forward * cos(f)};
}

static struct spot local(const struct box *b, struct spot p)
{
	double f = b->facing * M_PI / 180, dx = p.x - b->front.x, dy = p.y - b->front.y;

	return (struct spot){dx * cos(f) - dy * sin(f), dx * sin(f) + dy * cos(f)};
}

/* Does the segment enter the box after all its edges were moved in by `margin`? */
static bool enters(struct spot p, struct spot q, const struct box *b, double margin)
{
	struct spot a = local(b, p), c = local(b, q);
	double low[2] = {-b->width / 2.0 + margin, -b->depth + margin}, high[2] = {b->width / 2.0 - margin, -margin};
	double from[2] = {a.x, a.y}, way[2] = {c.x - a.x, c.y - a.y}, t0 = 0, t1 = 1;

	for (int i = 0; i < 2; i++) {
		double u, v;

		if (fabs(way[i]) < 1e-9) {
			if (from[i] <= low[i] || from[i] >= high[i])
				return false;
			continue;
		}
		u = (low[i] - from[i]) / way[i];
		v = (high[i] - from[i]) / way[i];
		t0 = fmax(t0, fmin(u, v));
		t1 = fmin(t1, fmax(u, v));
	}
	return t0 < t1;
}

/* How far outside the front arc and range a point is: 0 when it is in both. */
static double beyond(const struct box *from, struct spot p, double range)
{
	struct spot q = local(from, p);
	double side = fmax(fabs(q.x) - from->width / 2.0, 0), out = fmax(-q.y, side - q.y);

	return fmax(fmax(out, hypot(side, fmax(q.y, 0)) - range), 0);
}

/* Is there a free line among samples, with blockers smaller and arc and range wider by `margin`? */
static bool sampled_sight(const struct box *from, const struct box *target, double range, const struct box *blockers,
	int count, double margin)
{
	enum { STEPS = 45 };

	for (int i = 0; i <= STEPS; i++)
		for (int k = 0; k <= STEPS; k++) {
			struct spot t =
				inside(target, target->width * ((double)i / STEPS - 0.5), -target->depth * k / STEPS);

			if (beyond(from, t, range) > fmax(margin, 0))
				continue;
			for (int m = 0; m <= STEPS; m++) {
				struct spot s = inside(from, from->width * ((double)m / STEPS - 0.5), 0);
				bool blocked = false;

				for (int n = 0; n < count && !blocked; n++)
					blocked = enters(s, t, &blockers[n], margin);
				if (!blocked)
					return true;
			}
		}
	return false;
}

static void test_sight_against_samples(void **state)
{
	uint32_t seed = 1747;
	int seen = 0, hidden = 0;

	(void)state;
	for (int n = 0; n < 2500; n++) {
		struct box from = foot(15000, 4000, 315 + (int)next(&seed, 90)), target, blocker[10];
		int count = 0, wanted = 1 + (int)next(&seed, 10);
		bool sight;

		from.facing = (int16_t)geo_degrees(from.facing);
		target = any_box(&seed, 30000);
		target.front.y = 9000 + (int32_t)next(&seed, 9000);
		for (int tries = 0; count < wanted && tries < 100; tries++) {
			struct box b = any_box(&seed, 30000);

			b.front.y /= 2;
			if (geo_overlap(&b, &from) || geo_overlap(&b, &target))
				continue;
			blocker[count++] = b;
		}
		if (geo_overlap(&from, &target))
			continue;
		sight = geo_sight(&from, ARC_FRONT, &target, 12000, blocker, count);
		if (sampled_sight(&from, &target, 12000, blocker, count, -5)) {
			assert_true(sight);
			seen++;
		} else if (sight) {
			assert_true(sampled_sight(&from, &target, 12000, blocker, count, 120));
		} else {
			hidden++;
		}
	}
	assert_true(seen > 100 && hidden > 100); /* both happened */
}

static bool enters_any(struct spot p, struct spot q, const struct box *boxes, int count, double margin)
{
	for (int i = 0; i < count; i++)
		if (enters(p, q, &boxes[i], margin))
			return true;
	return false;
}

/* No sample that is surely seen from the middle of the edge is nearer to it than the point found, which is seen. */
static void test_nearest_seen_against_samples(void **state)
{
	enum { STEPS = 45 };
	uint32_t seed = 1749;
	int beside = 0, hidden = 0;

	(void)state;
	for (int n = 0; n < 2500; n++) {
		struct box gun = foot(15000, 0, 0), target = any_box(&seed, 30000), blocker[6];
		struct spot muzzle = {15000, 0};
		struct point found, nearest;
		double least = 1e9;
		int count = 0;

		target.front.y = 9000 + (int32_t)next(&seed, 20000);
		for (int tries = 1 + (int)next(&seed, 6); tries > 0; tries--) {
			struct box b = any_box(&seed, 30000);

			b.front.y /= 2;
			if (!geo_overlap(&b, &gun) && !geo_overlap(&b, &target))
				blocker[count++] = b;
		}
		for (int i = 0; i <= STEPS; i++)
			for (int k = 0; k <= STEPS; k++) {
				struct spot t = inside(&target, target.width * ((double)i / STEPS - 0.5),
					-target.depth * (double)k / STEPS);

				if (beyond(&gun, t, 1e9) == 0 && !enters_any(muzzle, t, blocker, count, -5))
					least = fmin(least, hypot(t.x - muzzle.x, t.y - muzzle.y));
			}
		if (!geo_nearest_seen(&gun, ARC_FRONT, &target, blocker, count, &found)) {
			assert_true(least == 1e9);
			hidden++;
			continue;
		}
		assert_true(hypot(found.x - muzzle.x, found.y - muzzle.y) <= least + 2);
		assert_true(geo_point_distance(&target, found) <= 2);
		assert_true(beyond(&gun, (struct spot){found.x, found.y}, 1e9) <= 2);
		assert_false(enters_any(muzzle, (struct spot){found.x, found.y}, blocker, count, 3));
		assert_true(geo_nearest_seen(&gun, ARC_FRONT, &target, NULL, 0, &nearest));
		beside += geo_length(found.x - nearest.x, found.y - nearest.y) > 100;
	}
	assert_true(beside > 50 && hidden > 50); /* both happened */
}

static void test_arc_distance_against_samples(void **state)
{
	enum { STEPS = 60 };
	uint32_t seed = 1748;

	(void)state;
	for (int n = 0; n < 1500; n++) {
		struct box a = any_box(&seed, 10000), b = any_box(&seed, 10000);
		double best = 1e9;
		int32_t d;

		if (geo_overlap(&a, &b))
			continue;
		d = geo_arc_distance(&a, ARC_FRONT, &b, NULL);
		for (int i = 0; i <= STEPS; i++)
			for (int k = 0; k <= STEPS; k++) {
				struct spot p =
					inside(&b, b.width * ((double)i / STEPS - 0.5), -b.depth * (double)k / STEPS);
				struct spot q = local(&a, p);

				if (beyond(&a, p, 1e9) == 0)
					best = fmin(best, hypot(fmax(fabs(q.x) - a.width / 2.0, 0), q.y));
			}
		if (d < 0) {
			assert_true(best > 1e8);
		} else if (best < 1e8) {
			assert_true(d <= best + 1);
			assert_true(d >= best - 90);
			assert_true(d >= geo_distance(&a, &b));
		}
	}
}

static void test_ground(void **state)
{
	static const struct point bog[] = {{0, 8000}, {15000, 8000}, {15000, 34000}, {0, 34000}};
	static const struct point dyke[] = {{15000, 26000}, {15000, 32000}, {21000, 32000}, {21000, 26000}};
	struct box b = foot(17250, 20000, 0);

	(void)state;
	assert_false(geo_box_meets_path(&b, bog, 4, true)); /* its left side on the bog's edge */
	b.front.x -= 5;
	assert_false(geo_box_meets_path(&b, bog, 4, true));
	b.front.x -= 1;
	assert_true(geo_box_meets_path(&b, bog, 4, true));
	b = foot(8000, 20000, 30); /* wholly in it */
	assert_true(geo_box_meets_path(&b, bog, 4, true));
	assert_false(geo_box_meets_path(&b, bog, 4, false));
	b = foot(18000, 30000, 0); /* within the horseshoe, open at the bottom */
	assert_false(geo_box_meets_path(&b, dyke, 4, false));
	b.front.y = 32500;
	assert_true(geo_box_meets_path(&b, dyke, 4, false));
	assert_true(geo_point_in_polygon((struct point){1, 8001}, bog, 4));
	assert_false(geo_point_in_polygon((struct point){15001, 9000}, bog, 4));
	assert_true(geo_segments_cross(
		(struct point){0, 0}, (struct point){10, 10}, (struct point){0, 10}, (struct point){10, 0}));
	assert_false(geo_segments_cross(
		(struct point){0, 0}, (struct point){4, 4}, (struct point){0, 10}, (struct point){10, 0}));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_angles),
		cmocka_unit_test(test_boxes),
		cmocka_unit_test(test_apart),
		cmocka_unit_test(test_arcs),
		cmocka_unit_test(test_arc_distance),
		cmocka_unit_test(test_arc_edge),
		cmocka_unit_test(test_travel),
		cmocka_unit_test(test_sight),
		cmocka_unit_test(test_symmetry),
		cmocka_unit_test(test_straight),
		cmocka_unit_test(test_travel_against_steps),
		cmocka_unit_test(test_displacements),
		cmocka_unit_test(test_flush),
		cmocka_unit_test(test_sight_against_samples),
		cmocka_unit_test(test_nearest_seen_against_samples),
		cmocka_unit_test(test_arc_distance_against_samples),
		cmocka_unit_test(test_ground),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
