/* Convex shapes for geometry.c and sight.c, in units of 1/256 of a thousandth of an inch, so that the corners of a
 * turned box are known much better than the thousandth to which distances are given. */
#ifndef GALLOPER_BATTLE_SHAPE_H
#define GALLOPER_BATTLE_SHAPE_H

#include "battle/geometry.h"

enum { FINE = 256, SHAPE_MAX = 128, SINE_SHIFT = 30 };

struct fine {
	int64_t x, y;
};

/* Corners anticlockwise. Two corners make a segment, one a point. */
struct shape {
	int count;
	struct fine corner[SHAPE_MAX];
};

extern const int32_t sines[91]; /* of 0..90 degrees */

/* Sine and cosine times 2^30 of any whole degree. */
static inline int64_t sine(int degrees)
{
	int d = degrees >= 0 && degrees < 360 ? degrees : geo_degrees(degrees);

	if (d <= 90)
		return sines[d];
	if (d <= 180)
		return sines[180 - d];
	return d <= 270 ? -sines[d - 180] : -sines[360 - d];
}

static inline int64_t cosine(int degrees)
{
	return sine(degrees + 90);
}

/* value / 2^shift to the nearest, halves away from zero: so what is turned or mirrored stays alike. */
static inline int64_t round_shift(int64_t value, int shift)
{
	int64_t half = INT64_C(1) << (shift - 1);

	return value < 0 ? -((half - value) >> shift) : (value + half) >> shift;
}

/* The root, rounded down. */
uint64_t root(uint64_t n);

static inline int64_t cross(struct fine a, struct fine b)
{
	return a.x * b.y - a.y * b.x;
}

static inline int64_t dot(struct fine a, struct fine b)
{
	return a.x * b.x + a.y * b.y;
}

static inline struct fine minus(struct fine a, struct fine b)
{
	return (struct fine){a.x - b.x, a.y - b.y};
}

struct fine fine_point(struct point p);
struct point rough_point(struct fine p); /* to the nearest thousandth */
struct fine fine_corner(const struct box *b, enum corner c);

void shape_box(struct shape *s, const struct box *b);
void shape_segment(struct shape *s, struct fine p, struct fine q);
/* All translations that bring a point of `b` onto a point of `a` (the Minkowski sum of a and -b). */
void shape_difference(struct shape *out, const struct shape *a, const struct shape *b);
/* Signed distance of the point from the shape: below zero inside, then how deep. */
int64_t shape_separation(const struct shape *s, struct fine p);
/* Cuts off what lies to the right of the line from `on` along `along` by more than `slack` (in units of |along| * FINE
 * squared: a cross product). */
void shape_clip(struct shape *s, struct fine on, struct fine along, int64_t slack);

#endif
