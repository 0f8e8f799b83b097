/* Plane geometry in integers. Lengths are thousandths of an inch, angles whole degrees (0 toward y = 60", 90 toward
 * x = 90", clockwise, always 0..359); sine and cosine come from a table of integers. No floating point: a turn replays
 * bit for bit anywhere. Products are 64 bits wide; coordinates stay within +-1,000,000. */
#ifndef GALLOPER_BATTLE_GEOMETRY_H
#define GALLOPER_BATTLE_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

#define INCH(n) ((int32_t)((n)*1000))

enum { OVERLAP_TOLERANCE = 5 }; /* FP9: footprints overlap when deeper than 0.005" in each other */

struct point {
	int32_t x, y;
};

/* A footprint: `front` is the midpoint of the front edge. */
struct box {
	struct point front;
	int16_t facing;
	int32_t width, depth;
};

enum corner { FRONT_LEFT, FRONT_RIGHT, REAR_RIGHT, REAR_LEFT };

/* FP10: parted by diagonals at 45 degrees out of the corners. Ordered so that a lower value is nearer the front. */
enum arc { ARC_FRONT, ARC_LEFT, ARC_RIGHT, ARC_REAR };

int geo_degrees(int any);                            /* into 0..359 */
int32_t geo_length(int64_t dx, int64_t dy);          /* to the nearest thousandth */
int geo_bearing(struct point from, struct point to); /* nearest whole degree; 0 when the points are one */
struct point geo_step(struct point p, int bearing, int32_t distance);

void geo_corners(const struct box *b, struct point corner[4]);
struct point geo_centre(const struct box *b);
struct box geo_box_at_centre(struct point centre, int facing, int32_t width, int32_t depth);
struct box geo_shift(struct box b, int bearing, int32_t distance);
struct box geo_turn(struct box b, int degrees); /* clockwise about its centre (FP15) */
struct box geo_wheel(struct box b, enum corner pivot, int degrees);
/* Farthest that any corner is (straight line) from where that corner was (FP15). */
int32_t geo_corner_travel(const struct box *from, const struct box *to);

bool geo_overlap(const struct box *a, const struct box *b);     /* deeper than OVERLAP_TOLERANCE */
int32_t geo_depth(const struct box *a, const struct box *b);    /* how deep they overlap; 0 when they do not */
int32_t geo_distance(const struct box *a, const struct box *b); /* nearest points; 0 when they touch or overlap */
int32_t geo_point_distance(const struct box *b, struct point p);
/* The length of the stretch along which two boxes stand flush: edges parallel and touching (FP9); 0 if they are not. */
int32_t geo_flush(const struct box *a, const struct box *b);
/* The middle of the edge that faces the arc, the bearing out of it, and its length. */
struct point geo_edge(const struct box *b, enum arc edge, int *bearing, int32_t *length);
bool geo_within(const struct box *b, struct point low, struct point high); /* wholly inside an upright rectangle */

/* The arc of `b` in which the point lies; a point on a line (by less than a thousandth) belongs to the arc nearer the
 * front. */
enum arc geo_arc(const struct box *b, struct point p);

/* Nearest distance from `from` to the part of `target` that lies in that arc of `from` (boundary included), or -1 if no
 * part of it does. `nearest` (may be NULL) gets that nearest point of the target. */
int32_t geo_arc_distance(const struct box *from, enum arc arc, const struct box *target, struct point *nearest);

/* How far `b` can go along `bearing`, up to `distance`, without coming nearer than `clearance` to `obstacle` (with
 * clearance 0: without overlapping it). A box that is already nearer may go as long as it does not come nearer still.
 */
int32_t geo_travel(const struct box *b, int bearing, int32_t distance, const struct box *obstacle, int32_t clearance);
/* The same against the segment from p to q (a wall, a table edge). */
int32_t geo_travel_line(const struct box *b, int bearing, int32_t distance, struct point p, struct point q);

/* As geo_travel_by against the segment from p to q. */
int32_t geo_travel_by_line(const struct box *b, struct point by, struct point p, struct point q);

/* A displacement: the part of `by` that is `distance` long, all of it if it is no longer; and a box moved by one. */
struct point geo_along(struct point by, int32_t distance);
struct box geo_slide(struct box b, struct point by);
/* As geo_travel, along a displacement of any direction: how far, at most its length. */
int32_t geo_travel_by(const struct box *b, struct point by, const struct box *obstacle, int32_t clearance);

/* FP31: is there a straight line from the edge of `from` that faces `arc` to a point of `target` within that arc and
 * within `range`, that crosses none of the `count` blockers (at most 256)? Touching an edge is no crossing, but there
 * is no seeing along the seam of two blockers that stand flush on either side of the line. */
bool geo_sight(const struct box *from, enum arc arc, const struct box *target, int32_t range,
	const struct box *blockers, int count);

/* The point of `target` within that arc that is nearest to the middle of the edge of `from` and to which a straight
 * line from there crosses none of the blockers (FP39); false if there is none, or if the target is level with the edge.
 */
bool geo_nearest_seen(const struct box *from, enum arc arc, const struct box *target, const struct box *blockers,
	int count, struct point *nearest);

/* Does the strip of that width along the line from p to q hold a part of the box deeper than OVERLAP_TOLERANCE? With
 * width 0: does the line cross the box? */
bool geo_strip_holds(struct point p, struct point q, int32_t width, const struct box *b);
/* An end that lies on the other segment's line counts as to its left, so that of two legs of a path that meet on a wall
 * exactly one crosses it, or none when the path turns back. */
bool geo_segments_cross(struct point a, struct point b, struct point c, struct point d);
bool geo_point_in_polygon(struct point p, const struct point *corner, int count);
/* Does the box overlap the polygon (closed), or the polyline? */
bool geo_box_meets_path(const struct box *b, const struct point *p, int count, bool closed);

#endif
