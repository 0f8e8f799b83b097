/* What a box can see and reach in one of its arcs: the rest of geometry.h. All of it happens in a frame in which the
 * edge that faces the arc lies on the x axis, its middle at the origin, and the arc is all that is above |x| - half. */
#include "battle/geometry.h"
#include "battle/shape.h"

#include <assert.h>
#include <stdlib.h>

enum {
	HALF_THOUSANDTH = FINE / 2,
	SIGHT_BLOCKERS_MAX = 256,
	SIGHT_POINTS_MAX = 2 + SHAPE_MAX + 4 * SIGHT_BLOCKERS_MAX
};

struct frame {
	struct fine middle;
	int bearing;  /* of the y axis */
	int64_t half; /* of the edge */
};

static struct frame frame_of(const struct box *b, enum arc arc)
{
	static const struct {
		enum corner left, right;
		int turn;
	} edges[] = {
		[ARC_FRONT] = {FRONT_LEFT, FRONT_RIGHT, 0},
		[ARC_LEFT] = {REAR_LEFT, FRONT_LEFT, 270},
		[ARC_RIGHT] = {FRONT_RIGHT, REAR_RIGHT, 90},
		[ARC_REAR] = {REAR_RIGHT, REAR_LEFT, 180},
	};
	struct fine l = fine_corner(b, edges[arc].left), r = fine_corner(b, edges[arc].right);
	bool side = arc == ARC_LEFT || arc == ARC_RIGHT;

	return (struct frame){{(l.x + r.x) / 2, (l.y + r.y) / 2}, geo_degrees(b->facing + edges[arc].turn),
		(int64_t)(side ? b->depth : b->width) * FINE / 2};
}

static struct fine into(const struct frame *f, struct fine p)
{
	int64_t s = sine(f->bearing), k = cosine(f->bearing);
	struct fine d = minus(p, f->middle);

	return (struct fine){round_shift(d.x * k - d.y * s, SINE_SHIFT), round_shift(d.x * s + d.y * k, SINE_SHIFT)};
}

static struct point out_of(const struct frame *f, struct fine p)
{
	int64_t s = sine(f->bearing), k = cosine(f->bearing);

	return rough_point((struct fine){f->middle.x + round_shift(p.x * k + p.y * s, SINE_SHIFT),
		f->middle.y + round_shift(p.y * k - p.x * s, SINE_SHIFT)});
}

static void shape_into(struct shape *s, const struct frame *f, const struct box *b)
{
	shape_box(s, b);
	for (int i = 0; i < s->count; i++)
		s->corner[i] = into(f, s->corner[i]);
}

static void clip_to_arc(struct shape *s, int64_t half, int64_t slack)
{
	shape_clip(s, (struct fine){0, 0}, (struct fine){1, 0}, slack);
	shape_clip(s, (struct fine){half, 0}, (struct fine){1, 1}, slack);
	shape_clip(s, (struct fine){-half, 0}, (struct fine){1, -1}, slack);
}

/* The part of `target` in the arc. A corner that is on the arc's line but for the rounding of places (less than a
 * thousandth) is in it. */
static bool part_in_arc(struct shape *s, const struct frame *f, const struct box *target)
{
	shape_into(s, f, target);
	clip_to_arc(s, f->half, 0);
	if (s->count == 0) {
		shape_into(s, f, target);
		clip_to_arc(s, f->half, FINE - 1);
	}
	return s->count > 0;
}

/* The square of the distance of p from the edge. */
static int64_t square_from_edge(const struct frame *f, struct fine p)
{
	int64_t x = llabs(p.x) > f->half ? llabs(p.x) - f->half : 0, y = p.y > 0 ? p.y : 0;

	return x * x + y * y;
}

/* The point of the segment a-b that is nearest to p. */
static struct fine nearest_on(struct fine a, struct fine b, struct fine p)
{
	struct fine e = minus(b, a);
	int64_t along = dot(e, minus(p, a)), length = dot(e, e);

	if (along <= 0 || length == 0)
		return a;
	if (along >= length)
		return b;
	return (struct fine){
		a.x + (int64_t)((__int128)e.x * along / length), a.y + (int64_t)((__int128)e.y * along / length)};
}

/* The point of the shape nearest to the edge; of several the one nearest to the edge's middle. */
static struct fine nearest_to_edge(const struct shape *s, const struct frame *f)
{
	const struct fine ends[] = {{-f->half, 0}, {f->half, 0}, {0, 0}};
	struct fine best = s->corner[0];
	int64_t least = square_from_edge(f, best);

	for (int i = 0; i < s->count; i++)
		for (int k = 0; k < 4; k++) {
			struct fine a = s->corner[i];
			struct fine p = k == 3 ? a : nearest_on(a, s->corner[(i + 1) % s->count], ends[k]);
			int64_t square = square_from_edge(f, p);

			if (square < least || (square == least && llabs(p.x) < llabs(best.x))) {
				least = square;
				best = p;
			}
		}
	return best;
}

int32_t geo_arc_distance(const struct box *from, enum arc arc, const struct box *target, struct point *nearest)
{
	struct frame f = frame_of(from, arc);
	struct shape s;
	struct fine p;

	if (!part_in_arc(&s, &f, target))
		return -1;
	p = nearest_to_edge(&s, &f);
	if (nearest)
		*nearest = out_of(&f, p);
	return (int32_t)((root((uint64_t)square_from_edge(&f, p)) + FINE / 2) / FINE);
}

/* --- sight ---------------------------------------------------------------------------------------------------------
 */

/* Cuts off what is farther from the edge than `range` thousandths: a straight top and, about each end, an arc of a
 * circle in chords of one degree, drawn a little outside so that no chord cuts off what is just in range. */
static void clip_to_range(struct shape *s, const struct frame *f, int32_t range)
{
	int64_t r = (int64_t)range * FINE, wider = r / 26000;
	bool whole = true;

	r += wider > HALF_THOUSANDTH ? wider : HALF_THOUSANDTH;
	for (int i = 0; i < s->count && whole; i++)
		whole = square_from_edge(f, s->corner[i]) <= r * r;
	if (whole)
		return;
	shape_clip(s, (struct fine){0, r}, (struct fine){-1, 0}, 0);
	for (int d = 0; d <= 45; d++) {
		struct fine p = {
			f->half + round_shift(r * sine(d), SINE_SHIFT), round_shift(r * cosine(d), SINE_SHIFT)};
		struct fine q = {
			f->half + round_shift(r * sine(d + 1), SINE_SHIFT), round_shift(r * cosine(d + 1), SINE_SHIFT)};

		shape_clip(s, q, minus(p, q), 0);
		shape_clip(s, (struct fine){-p.x, p.y}, (struct fine){p.x - q.x, q.y - p.y}, 0);
	}
}

struct scene {
	int64_t half;
	struct shape target;
	struct fine blocker[SIGHT_BLOCKERS_MAX][4];
	int count;
};

/* A line of sight: from `start` on the edge along `d`, up to `end`. Distances along it are dot products with d, those
 * aside of it cross products, so both are |d| times as long. */
struct sight_line {
	struct fine start, d;
	int64_t length; /* |d| */
	int64_t end;
};

struct stretch {
	int64_t low, high;
};

static void widen(struct stretch *s, int64_t t)
{
	if (t < s->low)
		s->low = t;
	if (t > s->high)
		s->high = t;
}

/* Where the line runs through the corners' shape; low > high if nowhere. */
static struct stretch crossing(const struct sight_line *l, const struct fine *corner, int count)
{
	struct stretch s = {INT64_MAX, INT64_MIN};

	for (int i = 0; i < count; i++) {
		struct fine p = minus(corner[i], l->start), q = minus(corner[(i + 1) % count], l->start);
		int64_t a = cross(l->d, p), b = cross(l->d, q);

		if (llabs(a) <= 2 * l->length) /* two fine units: on the line but for rounding */
			widen(&s, dot(l->d, p));
		if ((a > 0 && b < 0) || (a < 0 && b > 0))
			widen(&s, dot(l->d, p) + (int64_t)((__int128)(dot(l->d, q) - dot(l->d, p)) * a / (a - b)));
	}
	return s;
}

/* The line through p and q, if it leads from the edge to the target. */
static bool line_through(const struct scene *s, struct fine p, struct fine q, struct sight_line *l)
{
	struct stretch seen;
	__int128 x;

	l->d = p.y < q.y ? minus(q, p) : minus(p, q);
	if (l->d.y == 0)
		return false;
	/* Where it meets the edge, times d.y. */
	x = (__int128)p.x * l->d.y - (__int128)p.y * l->d.x;
	if ((x < 0 ? -x : x) > (__int128)(s->half + 1) * l->d.y)
		return false;
	l->start = (struct fine){(int64_t)(x / l->d.y), 0};
	l->length = (int64_t)root((uint64_t)dot(l->d, l->d));
	seen = crossing(l, s->target.corner, s->target.count);
	l->end = seen.low;
	return seen.low <= seen.high;
}

/* The part of [low, high] on the line that is between the edge and the target. */
static int64_t shared(const struct sight_line *l, struct stretch a, struct stretch b)
{
	int64_t low = a.low > b.low ? a.low : b.low, high = a.high < b.high ? a.high : b.high;

	low = low > 0 ? low : 0;
	high = high < l->end ? high : l->end;
	return high - low;
}

/* On which side of the line a blocker stands: 0 when the line runs through it, 1 left, -1 right. Where it stands close
 * by, *close is the stretch along which it does. */
static int side_of(const struct sight_line *l, const struct fine corner[4], struct stretch *close)
{
	int64_t least = INT64_MAX, most = INT64_MIN, touch = OVERLAP_TOLERANCE * FINE * l->length;

	*close = (struct stretch){INT64_MAX, INT64_MIN};
	for (int i = 0; i < 4; i++) {
		struct fine p = minus(corner[i], l->start);
		int64_t aside = cross(l->d, p);

		least = aside < least ? aside : least;
		most = aside > most ? aside : most;
		if (llabs(aside) <= touch)
			widen(close, dot(l->d, p));
	}
	return least >= -HALF_THOUSANDTH * l->length ? 1 : most <= HALF_THOUSANDTH * l->length ? -1 : 0;
}

/* Touching an edge is no crossing, but there is no seeing along the seam of two that stand flush on either side. */
static bool line_free(const struct scene *s, const struct sight_line *l)
{
	struct stretch close[2][SIGHT_BLOCKERS_MAX], whole = {INT64_MIN, INT64_MAX};
	int64_t touch = OVERLAP_TOLERANCE * FINE * l->length;
	int count[2] = {0, 0};

	for (int i = 0; i < s->count; i++) {
		struct stretch near;
		int side = side_of(l, s->blocker[i], &near);

		if (side == 0) {
			if (shared(l, crossing(l, s->blocker[i], 4), whole) > HALF_THOUSANDTH * l->length)
				return false;
		} else if (near.low < near.high) {
			int k = side > 0, other = 1 - k;

			for (int m = 0; m < count[other]; m++)
				if (shared(l, near, close[other][m]) > touch)
					return false;
			close[k][count[k]++] = near;
		}
	}
	return true;
}

/* A blocker that is wholly below the edge, or beyond or beside all of edge and target, hides nothing. */
static bool in_the_way(const struct scene *s, const struct fine corner[4])
{
	struct fine low = {-s->half, 0}, high = {s->half, 0};
	int below = 0, above = 0, left = 0, right = 0;

	for (int i = 0; i < s->target.count; i++) {
		struct fine p = s->target.corner[i];

		low.x = p.x < low.x ? p.x : low.x;
		high.x = p.x > high.x ? p.x : high.x;
		high.y = p.y > high.y ? p.y : high.y;
	}
	for (int i = 0; i < 4; i++) {
		below += corner[i].y <= 0;
		above += corner[i].y >= high.y;
		left += corner[i].x <= low.x;
		right += corner[i].x >= high.x;
	}
	return below < 4 && above < 4 && left < 4 && right < 4;
}

/* If there is any free line, then it can be moved until two of these points hold it: the edge's ends, the target's
 * corners, the blockers' corners. So only lines through two of them need be tried. */
static bool any_line_free(const struct scene *s)
{
	struct fine points[SIGHT_POINTS_MAX];
	struct sight_line l;
	int n = 0;

	for (int i = 0; i < s->target.count; i++)
		points[n++] = s->target.corner[i];
	points[n++] = (struct fine){-s->half, 0};
	points[n++] = (struct fine){s->half, 0};
	for (int i = 0; i < s->count; i++)
		for (int c = 0; c < 4; c++)
			points[n++] = s->blocker[i][c];
	for (int i = 0; i < n; i++)
		for (int k = i + 1; k < n; k++)
			if (line_through(s, points[i], points[k], &l) && line_free(s, &l))
				return true;
	return false;
}

/* The blockers that stand between the edge and the target, which are in the frame already. */
static void gather(struct scene *s, const struct frame *f, const struct box *blockers, int count)
{
	struct shape blocker;

	assert(count <= SIGHT_BLOCKERS_MAX);
	for (int i = 0; i < count; i++) {
		shape_into(&blocker, f, &blockers[i]);
		if (!in_the_way(s, blocker.corner))
			continue;
		for (int c = 0; c < 4; c++)
			s->blocker[s->count][c] = blocker.corner[c];
		s->count++;
	}
}

bool geo_sight(const struct box *from, enum arc arc, const struct box *target, int32_t range,
	const struct box *blockers, int count)
{
	struct frame f = frame_of(from, arc);
	struct scene s = {.half = f.half};

	if (!part_in_arc(&s.target, &f, target))
		return false;
	clip_to_range(&s.target, &f, range);
	if (s.target.count == 0)
		return false;
	gather(&s, &f, blockers, count);
	/* Nothing between, or they touch. */
	if (s.count == 0 || square_from_edge(&f, nearest_to_edge(&s.target, &f)) <= (int64_t)FINE * FINE)
		return true;
	return any_line_free(&s);
}

/* If the line from the edge's middle toward `by` is free and meets the target nearer than `least`, the point where it
 * does is the best so far. */
static void try_toward(const struct scene *s, struct fine by, int64_t *least, struct fine *best)
{
	const struct fine middle = {0, 0};
	struct sight_line l;
	int64_t distance;

	if (by.y <= 0 || !line_through(s, middle, by, &l) || !line_free(s, &l))
		return;
	distance = l.end / l.length;
	if (distance >= *least)
		return;
	*least = distance;
	*best = (struct fine){
		(int64_t)((__int128)l.d.x * distance / l.length), (int64_t)((__int128)l.d.y * distance / l.length)};
}

/* The nearest point that is seen is the nearest of all on its edge, or a corner, or at the rim of what a blocker hides.
 */
bool geo_nearest_seen(const struct box *from, enum arc arc, const struct box *target, const struct box *blockers,
	int count, struct point *nearest)
{
	struct frame f = frame_of(from, arc);
	struct scene s = {.half = 0};
	const struct fine middle = {0, 0};
	struct fine best;
	int64_t least = INT64_MAX;

	if (!part_in_arc(&s.target, &f, target))
		return false;
	gather(&s, &f, blockers, count);
	for (int i = 0; i < s.target.count; i++)
		try_toward(&s, nearest_on(s.target.corner[i], s.target.corner[(i + 1) % s.target.count], middle),
			&least, &best);
	for (int i = 0; i < s.count; i++)
		for (int c = 0; c < 4; c++)
			try_toward(&s, s.blocker[i][c], &least, &best);
	if (least == INT64_MAX)
		return false;
	*nearest = out_of(&f, best);
	return true;
}
