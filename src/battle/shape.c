#include "battle/shape.h"

#include <assert.h>
#include <stddef.h>

/* round(sin(d) * 2^30) for 0..90 degrees. */
const int32_t sines[91] = {0, 18739379, 37473049, 56195305, 74900443, 93582766, 112236583, 130856211, 149435979,
	167970228, 186453311, 204879599, 223243478, 241539355, 259761657, 277904834, 295963357, 313931728, 331804471,
	349576144, 367241333, 384794656, 402230767, 419544355, 436730145, 453782903, 470697435, 487468587, 504091252,
	520560366, 536870912, 553017922, 568996477, 584801711, 600428808, 615873009, 631129609, 646193961, 661061475,
	675727625, 690187940, 704438018, 718473518, 732290163, 745883746, 759250125, 772385229, 785285058, 797945680,
	810363241, 822533958, 834454122, 846120104, 857528349, 868675383, 879557810, 890172315, 900515665, 910584710,
	920376381, 929887697, 939115760, 948057759, 956710970, 965072759, 973140576, 980911966, 988384560, 995556083,
	1002424350, 1008987269, 1015242840, 1021189159, 1026824413, 1032146887, 1037154959, 1041847103, 1046221891,
	1050277989, 1054014162, 1057429273, 1060522280, 1063292242, 1065738315, 1067859754, 1069655912, 1071126243,
	1072270298, 1073087729, 1073578288, 1073741824};

uint64_t root(uint64_t n)
{
	uint64_t x, y;

	if (n == 0)
		return 0;
	/* Newton's steps from above fall until they have arrived. */
	y = UINT64_C(1) << ((65 - __builtin_clzll(n)) / 2);
	do {
		x = y;
		y = (x + n / x) / 2;
	} while (y < x);
	return x;
}

struct fine fine_point(struct point p)
{
	return (struct fine){(int64_t)p.x * FINE, (int64_t)p.y * FINE};
}

static int32_t rough(int64_t v)
{
	return (int32_t)(v < 0 ? -((FINE / 2 - v) / FINE) : (v + FINE / 2) / FINE);
}

struct point rough_point(struct fine p)
{
	return (struct point){rough(p.x), rough(p.y)};
}

/* `s` and `k` are sine and cosine of its facing. */
static struct fine corner_of(const struct box *b, enum corner c, int64_t s, int64_t k)
{
	int64_t right = c == FRONT_RIGHT || c == REAR_RIGHT ? b->width : -b->width;
	int64_t back = c == REAR_RIGHT || c == REAR_LEFT ? 2 * (int64_t)b->depth : 0;
	struct fine front = fine_point(b->front);

	/* Twice the offset times 2^30, of which FINE = 2^8 is kept. */
	return (struct fine){front.x + round_shift(right * k - back * s, SINE_SHIFT + 1 - 8),
		front.y + round_shift(-right * s - back * k, SINE_SHIFT + 1 - 8)};
}

struct fine fine_corner(const struct box *b, enum corner c)
{
	return corner_of(b, c, sine(b->facing), cosine(b->facing));
}

void shape_box(struct shape *s, const struct box *b)
{
	int64_t across = sine(b->facing), along = cosine(b->facing);

	s->count = 4;
	for (int c = 0; c < 4; c++) /* the enum goes round clockwise */
		s->corner[c] = corner_of(b, (enum corner)(3 - c), across, along);
}

void shape_segment(struct shape *s, struct fine p, struct fine q)
{
	s->count = 2;
	s->corner[0] = p;
	s->corner[1] = q;
}

static int lowest(const struct shape *s)
{
	int best = 0;

	for (int i = 1; i < s->count; i++)
		if (s->corner[i].y < s->corner[best].y ||
			(s->corner[i].y == s->corner[best].y && s->corner[i].x < s->corner[best].x))
			best = i;
	return best;
}

static struct fine edge(const struct shape *s, int i)
{
	return minus(s->corner[(i + 1) % s->count], s->corner[i % s->count]);
}

/* Both shapes' edges in one round, ordered by their direction. */
void shape_difference(struct shape *out, const struct shape *a, const struct shape *b)
{
	struct shape n;
	int i = 0, j = 0, i0, j0;
	struct fine at;

	assert(a->count > 0 && b->count > 0);
	n.count = b->count;
	n.corner[0] = (struct fine){0, 0};
	for (int k = 0; k < b->count; k++) /* turned by half a round it goes anticlockwise still */
		n.corner[k] = (struct fine){-b->corner[k].x, -b->corner[k].y};
	i0 = lowest(a);
	j0 = lowest(&n);
	at = (struct fine){a->corner[i0].x + n.corner[j0].x, a->corner[i0].y + n.corner[j0].y};
	out->count = 0;
	while (i < a->count || j < n.count) {
		struct fine ea = edge(a, i0 + i), eb = edge(&n, j0 + j);
		int64_t turn = i == a->count ? -1 : j == n.count ? 1 : cross(ea, eb);

		assert(out->count < SHAPE_MAX);
		out->corner[out->count++] = at;
		if (turn >= 0) {
			at.x += ea.x;
			at.y += ea.y;
			i++;
		}
		if (turn <= 0) {
			at.x += eb.x;
			at.y += eb.y;
			j++;
		}
	}
}

/* The square of the distance of p from the segment that begins at `from` and runs along e. */
static uint64_t segment_square(struct fine p, struct fine from, struct fine e)
{
	struct fine d = minus(p, from);
	int64_t along = dot(e, d), length = dot(e, e);
	__int128 away;

	if (along <= 0)
		return (uint64_t)dot(d, d);
	if (along >= length) {
		d = minus(d, e);
		return (uint64_t)dot(d, d);
	}
	away = cross(e, d);
	return (uint64_t)(away * away / length);
}

int64_t shape_separation(const struct shape *s, struct fine p)
{
	uint64_t outside = UINT64_MAX, inside = UINT64_MAX;

	for (int i = 0; i < s->count; i++) {
		struct fine e = edge(s, i);
		bool right = cross(e, minus(p, s->corner[i])) < 0;
		uint64_t square;

		if (e.x == 0 && e.y == 0 && s->count > 1)
			continue;
		if (!right && outside != UINT64_MAX)
			continue;
		square = segment_square(p, s->corner[i], e);
		if (right && square < outside)
			outside = square;
		if (!right && square < inside)
			inside = square;
	}
	return outside != UINT64_MAX ? (int64_t)root(outside) : -(int64_t)root(inside);
}

/* No corner twice in a row: an edge without a direction would confuse shape_difference. */
static void add_corner(struct shape *s, struct fine p)
{
	const struct fine *last = s->count ? &s->corner[s->count - 1] : NULL;

	assert(s->count < SHAPE_MAX);
	if (!last || last->x != p.x || last->y != p.y)
		s->corner[s->count++] = p;
}

void shape_clip(struct shape *s, struct fine on, struct fine along, int64_t slack)
{
	struct shape in;
	bool whole = true;

	for (int i = 0; i < s->count && whole; i++)
		whole = cross(along, minus(s->corner[i], on)) + slack >= 0;
	if (whole)
		return;
	in = *s;
	s->count = 0;
	for (int i = 0; i < in.count; i++) {
		struct fine p = in.corner[i], q = in.corner[(i + 1) % in.count];
		int64_t a = cross(along, minus(p, on)) + slack, b = cross(along, minus(q, on)) + slack;

		if (a >= 0)
			add_corner(s, p);
		if ((a > 0 && b < 0) || (a < 0 && b > 0))
			add_corner(s, (struct fine){p.x + (int64_t)((__int128)(q.x - p.x) * a / ((__int128)a - b)),
					      p.y + (int64_t)((__int128)(q.y - p.y) * a / ((__int128)a - b))});
	}
	while (s->count > 1 && s->corner[0].x == s->corner[s->count - 1].x &&
		s->corner[0].y == s->corner[s->count - 1].y)
		s->count--;
}
