#include "battle/geometry.h"

#include "battle/shape.h"

#include <stdlib.h>

/* --- angles and lengths --------------------------------------------------------------------------------------------
 */

int geo_degrees(int any)
{
	int d = any % 360;

	return d < 0 ? d + 360 : d;
}

int32_t geo_length(int64_t dx, int64_t dy)
{
	uint64_t square = (uint64_t)(dx * dx + dy * dy), r = root(square);

	return (int32_t)(square - r * r > r ? r + 1 : r);
}

/* The bearing nearest to the truth is the one whose unit vector reaches farthest along (dx, dy); within a quadrant that
 * reach rises and then falls. No whole point lies halfway between two degrees. */
int geo_bearing(struct point from, struct point to)
{
	int64_t dx = (int64_t)to.x - from.x, dy = (int64_t)to.y - from.y;
	int quadrant = dx >= 0 ? (dy >= 0 ? 0 : 90) : (dy < 0 ? 180 : 270), low = 0, high = 90;

	if (dx == 0 && dy == 0)
		return 0;
	while (low < high) {
		int middle = (low + high) / 2, d = quadrant + middle;

		if (dx * sine(d + 1) + dy * cosine(d + 1) > dx * sine(d) + dy * cosine(d))
			low = middle + 1;
		else
			high = middle;
	}
	return geo_degrees(quadrant + low);
}

struct point geo_step(struct point p, int bearing, int32_t distance)
{
	return (struct point){p.x + (int32_t)round_shift(distance * sine(bearing), SINE_SHIFT),
		p.y + (int32_t)round_shift(distance * cosine(bearing), SINE_SHIFT)};
}

/* --- boxes ---------------------------------------------------------------------------------------------------------
 */

void geo_corners(const struct box *b, struct point corner[4])
{
	for (int c = 0; c < 4; c++)
		corner[c] = rough_point(fine_corner(b, (enum corner)c));
}

/* `half` of half thousandths from p along the bearing. */
static struct point half_step(struct point p, int bearing, int64_t half)
{
	return (struct point){p.x + (int32_t)round_shift(half * sine(bearing), SINE_SHIFT + 1),
		p.y + (int32_t)round_shift(half * cosine(bearing), SINE_SHIFT + 1)};
}

struct point geo_centre(const struct box *b)
{
	return half_step(b->front, b->facing, -b->depth);
}

struct box geo_box_at_centre(struct point centre, int facing, int32_t width, int32_t depth)
{
	int f = geo_degrees(facing);

	return (struct box){half_step(centre, f, depth), (int16_t)f, width, depth};
}

struct box geo_shift(struct box b, int bearing, int32_t distance)
{
	b.front = geo_step(b.front, bearing, distance);
	return b;
}

/* Both ways round the point that keeps its place: where it is now, and from there to the new front in one rounding. */
struct box geo_turn(struct box b, int degrees)
{
	int f = geo_degrees(b.facing + degrees);
	int64_t x = b.depth * (sine(f) - sine(b.facing)), y = b.depth * (cosine(f) - cosine(b.facing));

	b.front.x += (int32_t)round_shift(x, SINE_SHIFT + 1);
	b.front.y += (int32_t)round_shift(y, SINE_SHIFT + 1);
	b.facing = (int16_t)f;
	return b;
}

struct box geo_wheel(struct box b, enum corner pivot, int degrees)
{
	struct fine before = fine_corner(&b, pivot), after;

	b.facing = (int16_t)geo_degrees(b.facing + degrees);
	after = fine_corner(&b, pivot);
	b.front = rough_point((struct fine){
		(int64_t)b.front.x * FINE + before.x - after.x, (int64_t)b.front.y * FINE + before.y - after.y});
	return b;
}

static int32_t rough_length(int64_t fine_length)
{
	return (int32_t)(fine_length <= 0 ? 0 : (fine_length + FINE / 2) / FINE);
}

int32_t geo_corner_travel(const struct box *from, const struct box *to)
{
	int64_t farthest = 0; /* its square */

	for (int c = 0; c < 4; c++) {
		struct fine d = minus(fine_corner(to, (enum corner)c), fine_corner(from, (enum corner)c));

		if (dot(d, d) > farthest)
			farthest = dot(d, d);
	}
	return rough_length((int64_t)root((uint64_t)farthest));
}

/* --- apart ---------------------------------------------------------------------------------------------------------
 */

static const struct fine origin = {0, 0};

/* Signed: below zero by how deep they overlap. In fine units. */
static int64_t apart(const struct shape *a, const struct shape *b)
{
	struct shape difference;

	shape_difference(&difference, a, b);
	return shape_separation(&difference, origin);
}

static int64_t boxes_apart(const struct box *a, const struct box *b)
{
	struct shape sa, sb;

	shape_box(&sa, a);
	shape_box(&sb, b);
	return apart(&sa, &sb);
}

/* Whether their surrounding circles keep clear of each other: true for most pairs, and cheap. */
static bool far_apart(const struct box *a, const struct box *b)
{
	int64_t dx = (int64_t)a->front.x - b->front.x, dy = (int64_t)a->front.y - b->front.y;
	int64_t reach = (int64_t)a->width + a->depth + b->width + b->depth;

	return dx * dx + dy * dy > reach * reach;
}

static struct fine fine_centre(const struct box *b)
{
	struct fine front = fine_point(b->front);

	return (struct fine){front.x - round_shift(b->depth * sine(b->facing), SINE_SHIFT + 1 - 8),
		front.y - round_shift(b->depth * cosine(b->facing), SINE_SHIFT + 1 - 8)};
}

/* Is there a line along one of a's edges such that b is nowhere deeper beyond it than the tolerance? */
static bool parted(const struct box *a, const struct box *b, struct fine d)
{
	int64_t s = sine(a->facing), k = cosine(a->facing);
	int64_t across = llabs(sine(b->facing - a->facing)), along = llabs(cosine(b->facing - a->facing));
	int64_t right = llabs(round_shift(d.x * k - d.y * s, SINE_SHIFT));
	int64_t ahead = llabs(round_shift(d.x * s + d.y * k, SINE_SHIFT));
	/* Half of how much room b takes along each of a's axes. */
	int64_t half_right = round_shift(b->width * along + b->depth * across, SINE_SHIFT + 1 - 8);
	int64_t half_ahead = round_shift(b->width * across + b->depth * along, SINE_SHIFT + 1 - 8);

	return right - a->width * FINE / 2 - half_right >= -OVERLAP_TOLERANCE * FINE ||
	       ahead - a->depth * FINE / 2 - half_ahead >= -OVERLAP_TOLERANCE * FINE;
}

static bool is_straight(const struct box *b)
{
	return b->facing % 90 == 0;
}

/* geo_overlap of boxes that look straight along the table, as armies are set up: the axes are the table's. In halves of
 * a thousandth. */
static bool straight_overlap(const struct box *a, const struct box *b)
{
	bool a_turned = a->facing % 180 != 0, b_turned = b->facing % 180 != 0;
	int64_t x = 2 * ((int64_t)b->front.x - a->front.x), y = 2 * ((int64_t)b->front.y - a->front.y);
	int64_t wide = (a_turned ? a->depth : a->width) + (b_turned ? b->depth : b->width);
	int64_t deep = (a_turned ? a->width : a->depth) + (b_turned ? b->width : b->depth);

	x += ((a->depth * sine(a->facing)) >> SINE_SHIFT) - ((b->depth * sine(b->facing)) >> SINE_SHIFT);
	y += ((a->depth * cosine(a->facing)) >> SINE_SHIFT) - ((b->depth * cosine(b->facing)) >> SINE_SHIFT);
	return llabs(x) < wide - 2 * OVERLAP_TOLERANCE && llabs(y) < deep - 2 * OVERLAP_TOLERANCE;
}

/* Two boxes overlap by as much as along the axis along which they overlap least. */
bool geo_overlap(const struct box *a, const struct box *b)
{
	struct fine by;

	if (far_apart(a, b))
		return false;
	if (is_straight(a) && is_straight(b))
		return straight_overlap(a, b);
	by = minus(fine_centre(b), fine_centre(a));
	return !parted(a, b, by) && !parted(b, a, (struct fine){-by.x, -by.y});
}

int32_t geo_depth(const struct box *a, const struct box *b)
{
	return rough_length(-boxes_apart(a, b));
}

int32_t geo_distance(const struct box *a, const struct box *b)
{
	return rough_length(boxes_apart(a, b));
}

int32_t geo_point_distance(const struct box *b, struct point p)
{
	struct shape s;

	shape_box(&s, b);
	return rough_length(shape_separation(&s, fine_point(p)));
}

static int64_t lesser(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Seen from a's own frame, in which b is upright too: the gap between them and what they share, along each axis. */
int32_t geo_flush(const struct box *a, const struct box *b)
{
	enum { TOUCH = OVERLAP_TOLERANCE * FINE };
	struct point middle = geo_centre(a), other = geo_centre(b);
	int64_t dx = (int64_t)other.x - middle.x, dy = (int64_t)other.y - middle.y;
	int64_t right = llabs(round_shift((dx * cosine(a->facing) - dy * sine(a->facing)) * FINE, SINE_SHIFT));
	int64_t ahead = llabs(round_shift((dx * sine(a->facing) + dy * cosine(a->facing)) * FINE, SINE_SHIFT));
	bool across = (a->facing - b->facing) % 180 != 0;
	int64_t bw = across ? b->depth : b->width, bd = across ? b->width : b->depth;
	int64_t gap_right = right - (a->width + bw) * FINE / 2, gap_ahead = ahead - (a->depth + bd) * FINE / 2;
	int64_t shared;

	if ((a->facing - b->facing) % 90 != 0)
		return 0;
	if (llabs(gap_ahead) <= TOUCH && gap_right < -TOUCH)
		shared = lesser(-gap_right, lesser(a->width, bw) * FINE);
	else if (llabs(gap_right) <= TOUCH && gap_ahead < -TOUCH)
		shared = lesser(-gap_ahead, lesser(a->depth, bd) * FINE);
	else
		return 0;
	return rough_length(shared);
}

struct point geo_edge(const struct box *b, enum arc edge, int *bearing, int32_t *length)
{
	bool side = edge == ARC_LEFT || edge == ARC_RIGHT;
	struct point p = b->front;

	*bearing = b->facing;
	*length = side ? b->depth : b->width;
	switch (edge) {
	case ARC_FRONT:
		break;
	case ARC_LEFT:
	case ARC_RIGHT:
		*bearing = geo_degrees(b->facing + (edge == ARC_LEFT ? 270 : 90));
		p = half_step(geo_centre(b), *bearing, b->width);
		break;
	case ARC_REAR:
		*bearing = geo_degrees(b->facing + 180);
		p = geo_step(b->front, *bearing, b->depth);
		break;
	}
	return p;
}

bool geo_within(const struct box *b, struct point low, struct point high)
{
	struct point corner[4];
	int32_t most = b->width / 2 + b->depth + 1; /* that a corner is away from the middle of the front */

	if (b->front.x - most >= low.x && b->front.x + most <= high.x && b->front.y - most >= low.y &&
		b->front.y + most <= high.y)
		return true;
	geo_corners(b, corner);
	for (int c = 0; c < 4; c++)
		if (corner[c].x < low.x || corner[c].x > high.x || corner[c].y < low.y || corner[c].y > high.y)
			return false;
	return true;
}

/* --- arcs ----------------------------------------------------------------------------------------------------------
 */

enum arc geo_arc(const struct box *b, struct point p)
{
	int64_t dx = (int64_t)p.x - b->front.x, dy = (int64_t)p.y - b->front.y;
	int64_t right = dx * cosine(b->facing) - dy * sine(b->facing);
	int64_t forward = dx * sine(b->facing) + dy * cosine(b->facing);
	/* How far beyond each edge. Places are whole thousandths, so less than one off a line is on it. */
	int64_t thousandth = INT64_C(1) << SINE_SHIFT;
	int64_t side = llabs(right) - b->width * (thousandth / 2), rear = -forward - b->depth * thousandth;

	if (forward > side - thousandth && forward > rear - thousandth)
		return ARC_FRONT;
	if (side > rear - thousandth)
		return right <= 0 ? ARC_LEFT : ARC_RIGHT;
	return ARC_REAR;
}

/* --- going ahead ---------------------------------------------------------------------------------------------------
 */

/* In what follows a point goes from the origin along `way`, a unit vector times 2^30, toward the shape m of all
 * translations that would bring the moving box onto its obstacle. Lengths are in fine units. */

/* How far until it is nearer to m than `near` (above zero), at most `limit`. The origin is no nearer than that. */
static int64_t until_near(const struct shape *m, struct fine way, int64_t near, int64_t limit)
{
	for (int i = 0; i < m->count; i++) {
		struct fine a = m->corner[i], e = minus(m->corner[(i + 1) % m->count], a);
		int64_t closing = cross(e, way), ahead = round_shift(dot(a, way), SINE_SHIFT);
		int64_t aside = round_shift(cross(a, way), SINE_SHIFT);

		/* Into the band along this edge, if between its ends. */
		if (closing > 0) {
			int64_t length = (int64_t)root((uint64_t)dot(e, e));
			__int128 gap = cross(e, a) - (__int128)near * length;
			__int128 t = gap < 0 ? 0 : (gap << SINE_SHIFT) / closing;

			/* Less than no gap: the origin is on the edge's inner side, beyond the shape; by a hair,
			 * rounding. */
			if (t < limit && gap >= -(__int128)FINE * length) {
				struct fine at = {
					(int64_t)(t * way.x >> SINE_SHIFT), (int64_t)(t * way.y >> SINE_SHIFT)};
				int64_t along = dot(e, minus(at, a));

				if (along >= 0 && along <= dot(e, e))
					limit = (int64_t)t;
			}
		}
		/* Into the circle round this corner. */
		if (ahead > 0 && llabs(aside) < near) {
			int64_t t = ahead - (int64_t)root((uint64_t)(near * near - aside * aside));

			if (t < limit)
				limit = t > 0 ? t : 0;
		}
	}
	return limit;
}

/* How far until it is deeper in m than `depth` (zero or more), at most `limit`. The origin is no deeper than that. */
static int64_t until_deep(const struct shape *m, struct fine way, int64_t depth, int64_t limit)
{
	__int128 in = 0, out = limit;

	for (int i = 0; i < m->count; i++) {
		struct fine a = m->corner[i], e = minus(m->corner[(i + 1) % m->count], a);
		int64_t closing = cross(e, way);
		__int128 gap = cross(e, a) + (__int128)depth * (int64_t)root((uint64_t)dot(e, e)), t;

		if (closing == 0) {
			if (gap >= 0)
				return limit;
			continue;
		}
		t = gap * (INT64_C(1) << SINE_SHIFT) / closing;
		if (closing > 0 && t > in)
			in = t;
		if (closing < 0 && t < out)
			out = t;
	}
	return in < out ? (int64_t)in : limit;
}

/* To whole thousandths, halves away from zero. */
static int32_t rough_signed(int64_t v)
{
	return (int32_t)(v < 0 ? -((FINE / 2 - v) / FINE) : (v + FINE / 2) / FINE);
}

/* The unit vector times 2^30 of a displacement that is not none. */
static struct fine way_of(struct point by)
{
	uint64_t length = root(((uint64_t)((int64_t)by.x * by.x) + (uint64_t)((int64_t)by.y * by.y)) << 16);

	/* The length is in 1/256 thousandths; the vector is brought to the same scale. */
	return (struct fine){
		((int64_t)by.x * FINE * (INT64_C(1) << SINE_SHIFT)) / (int64_t)length,
		((int64_t)by.y * FINE * (INT64_C(1) << SINE_SHIFT)) / (int64_t)length,
	};
}

struct point geo_along(struct point by, int32_t distance)
{
	struct fine way;

	if (distance >= geo_length(by.x, by.y)) /* all of it, to the thousandth */
		return by;
	way = way_of(by);
	return (struct point){
		(int32_t)round_shift(way.x * distance, SINE_SHIFT),
		(int32_t)round_shift(way.y * distance, SINE_SHIFT),
	};
}

struct box geo_slide(struct box b, struct point by)
{
	b.front.x += by.x;
	b.front.y += by.y;
	return b;
}

/* How far a shape reaches along a unit vector times 2^30 (`ahead`), and along that turned left. */
struct span {
	int64_t ahead_from, ahead_to, left_from, left_to;
};

static struct span span_of(const struct shape *s, struct fine way)
{
	struct span span = {INT64_MAX, INT64_MIN, INT64_MAX, INT64_MIN};

	for (int i = 0; i < s->count; i++) {
		int64_t ahead = dot(way, s->corner[i]) >> SINE_SHIFT, left = cross(way, s->corner[i]) >> SINE_SHIFT;

		span.ahead_from = ahead < span.ahead_from ? ahead : span.ahead_from;
		span.ahead_to = ahead > span.ahead_to ? ahead : span.ahead_to;
		span.left_from = left < span.left_from ? left : span.left_from;
		span.left_to = left > span.left_to ? left : span.left_to;
	}
	return span;
}

/* Does the shape pass the obstacle by, on one side of it, beyond it already, or not so far as to it? Most do. */
static bool passes_by(
	const struct shape *moving, struct fine way, int32_t distance, const struct shape *obstacle, int32_t clearance)
{
	enum { ROUNDING = 2 };
	struct span m = span_of(moving, way), o = span_of(obstacle, way);
	int64_t room = ((int64_t)clearance + ROUNDING) * FINE;

	return o.left_from - m.left_to > room || m.left_from - o.left_to > room || m.ahead_from - o.ahead_to > room ||
	       o.ahead_from - m.ahead_to > room + (int64_t)distance * FINE;
}

/* Distances count to the nearest thousandth (FP9), so a box may come half of one nearer than the limit. */
static int32_t travel(
	const struct box *b, struct fine way, int32_t distance, const struct shape *obstacle, int32_t clearance)
{
	enum { TRIES = 8 };
	struct shape moving, m;
	int32_t now, least, go;
	int64_t near;

	shape_box(&moving, b);
	if (passes_by(&moving, way, distance, obstacle, clearance))
		return distance;
	shape_difference(&m, obstacle, &moving);
	now = rough_signed(shape_separation(&m, origin));
	least = now < clearance ? now : clearance;
	near = (int64_t)least * FINE - FINE / 2;
	go = (int32_t)((near > 0 ? until_near(&m, way, near, (int64_t)distance * FINE)
				 : until_deep(&m, way, -near, (int64_t)distance * FINE)) /
		       FINE);
	/* A step ends on a whole thousandth each way, which may lie on the wrong side. */
	for (int i = 0; i < TRIES && go > 0; i++, go--) {
		struct box there = geo_slide(*b, (struct point){(int32_t)round_shift(way.x * go, SINE_SHIFT),
							 (int32_t)round_shift(way.y * go, SINE_SHIFT)});

		shape_box(&moving, &there);
		if (rough_signed(apart(obstacle, &moving)) >= least)
			break;
	}
	return go;
}

/* So far apart that nothing can come of it, seen from the boxes' numbers alone. */
static bool out_of_the_way(const struct box *b, int32_t distance, const struct box *obstacle, int32_t clearance)
{
	int64_t dx = (int64_t)b->front.x - obstacle->front.x, dy = (int64_t)b->front.y - obstacle->front.y;
	int64_t reach = (int64_t)b->width + b->depth + obstacle->width + obstacle->depth + clearance + distance;

	return dx * dx + dy * dy > reach * reach;
}

int32_t geo_travel_by(const struct box *b, struct point by, const struct box *obstacle, int32_t clearance)
{
	int32_t distance = geo_length(by.x, by.y);
	struct shape s;

	if (distance == 0 || out_of_the_way(b, distance, obstacle, clearance))
		return distance;
	shape_box(&s, obstacle);
	return travel(b, way_of(by), distance, &s, clearance);
}

int32_t geo_travel(const struct box *b, int bearing, int32_t distance, const struct box *obstacle, int32_t clearance)
{
	struct shape s;

	if (out_of_the_way(b, distance, obstacle, clearance))
		return distance;
	shape_box(&s, obstacle);
	return travel(b, (struct fine){sine(bearing), cosine(bearing)}, distance, &s, clearance);
}

int32_t geo_travel_line(const struct box *b, int bearing, int32_t distance, struct point p, struct point q)
{
	struct shape s;

	shape_segment(&s, fine_point(p), fine_point(q));
	return travel(b, (struct fine){sine(bearing), cosine(bearing)}, distance, &s, 0);
}

/* The strip's corners: half its width to either side of both ends. */
bool geo_strip_holds(struct point p, struct point q, int32_t width, const struct box *b)
{
	struct point by = {q.x - p.x, q.y - p.y};
	struct shape strip, box;
	struct fine a = fine_point(p), e = fine_point(q), way, aside;

	if (by.x == 0 && by.y == 0)
		return false;
	way = way_of(by);
	aside = (struct fine){round_shift(-way.y * width * (FINE / 2), SINE_SHIFT),
		round_shift(way.x * width * (FINE / 2), SINE_SHIFT)};
	shape_box(&box, b);
	if (width == 0) {
		shape_segment(&strip, a, e);
		return apart(&strip, &box) < -OVERLAP_TOLERANCE * FINE;
	}
	strip.count = 4;
	strip.corner[0] = minus(a, aside);
	strip.corner[1] = minus(e, aside);
	strip.corner[2] = (struct fine){e.x + aside.x, e.y + aside.y};
	strip.corner[3] = (struct fine){a.x + aside.x, a.y + aside.y};
	return apart(&strip, &box) < -OVERLAP_TOLERANCE * FINE;
}

int32_t geo_travel_by_line(const struct box *b, struct point by, struct point p, struct point q)
{
	int32_t distance = geo_length(by.x, by.y);
	struct shape s;

	if (distance == 0)
		return 0;
	shape_segment(&s, fine_point(p), fine_point(q));
	return travel(b, way_of(by), distance, &s, 0);
}

/* --- ground --------------------------------------------------------------------------------------------------------
 */

/* Is p to the left of the line from a to b, or on it? */
static bool left(struct point a, struct point b, struct point p)
{
	return cross(minus(fine_point(b), fine_point(a)), minus(fine_point(p), fine_point(a))) >= 0;
}

bool geo_segments_cross(struct point a, struct point b, struct point c, struct point d)
{
	return left(a, b, c) != left(a, b, d) && left(c, d, a) != left(c, d, b);
}

/* Counts the sides that a line from p toward greater x crosses. */
bool geo_point_in_polygon(struct point p, const struct point *corner, int count)
{
	bool in = false;

	for (int i = 0; i < count; i++) {
		struct point a = corner[i], b = corner[(i + 1) % count];

		if ((a.y > p.y) != (b.y > p.y) && left(a, b, p) == (b.y > a.y))
			in = !in;
	}
	return in;
}

/* Is the segment from p to q wholly beyond a square about the point? */
static bool out_of_reach(struct point c, int32_t reach, struct point p, struct point q)
{
	return (p.x < c.x - reach && q.x < c.x - reach) || (p.x > c.x + reach && q.x > c.x + reach) ||
	       (p.y < c.y - reach && q.y < c.y - reach) || (p.y > c.y + reach && q.y > c.y + reach);
}

bool geo_box_meets_path(const struct box *b, const struct point *p, int count, bool closed)
{
	struct point middle = geo_centre(b);
	struct shape box, segment;

	shape_box(&box, b);
	for (int i = 0; i + 1 < count || (closed && i < count); i++) {
		if (out_of_reach(middle, b->width + b->depth, p[i], p[(i + 1) % count]))
			continue;
		shape_segment(&segment, fine_point(p[i]), fine_point(p[(i + 1) % count]));
		if (apart(&box, &segment) < -OVERLAP_TOLERANCE * FINE)
			return true;
	}
	return closed && geo_point_in_polygon(middle, p, count);
}
