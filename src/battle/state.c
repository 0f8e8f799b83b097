#include "battle/state.h"

#include "base/dice.h"
#include "battle/record.h"

#include <assert.h>
#include <string.h>

enum { STATE_VERSION = 1, COORDINATE_MAX = 1000000, FOOTPRINT_MAX = 100000, COUNT_MAX = 100000 };

struct state *state_copy(TALLOC_CTX *mem, const struct state *s)
{
	struct state *copy = talloc_memdup(mem, s, sizeof *s);

	assert(copy);
	talloc_set_type(copy, struct state);
	copy->units = s->count ? talloc_memdup(copy, s->units, sizeof *s->units * (size_t)s->count) : NULL;
	copy->locks = s->lock_count ? talloc_memdup(copy, s->locks, sizeof *s->locks * (size_t)s->lock_count) : NULL;
	return copy;
}

/* --- writing -------------------------------------------------------------------------------------------------------
 */

static void put_unit(struct buf *out, const struct unit *u)
{
	const int64_t numbers[] = {u->side, u->kind, u->overall, u->begun, u->figures_begun, u->bases, u->figures,
		u->box.front.x, u->box.front.y, u->box.facing, u->box.width, u->box.depth, u->quarter, u->with,
		u->routing, u->column, u->halted, u->charged, u->fired, u->closed_fire, u->fought, u->charge_target,
		u->gun_hits, u->used, u->pursues, u->ran, u->points_left, u->commanded, u->balked, u->fled, u->broke,
		u->wounded};

	buf_adds(out, "unit");
	record_put_text(out, u->id);
	record_put_text(out, u->code);
	record_put_text(out, u->name);
	record_put_text(out, u->wing);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		record_put_int(out, numbers[i]);
	buf_addc(out, '\n');
}

static void put_lock(struct buf *out, const struct lock *l)
{
	const int64_t numbers[] = {l->charger, l->charged, l->face, l->mutual, l->declared, l->rounds};

	buf_adds(out, "lock");
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		record_put_int(out, numbers[i]);
	buf_addc(out, '\n');
}

static void put_head(struct buf *out, const struct state *s)
{
	const int64_t numbers[] = {
		STATE_VERSION, s->turn, s->line, s->next_phase, s->winner, s->initiative, s->count, s->lock_count};

	buf_adds(out, "state");
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		record_put_int(out, numbers[i]);
	buf_addc(out, '\n');
	for (int side = 0; side < SIDES; side++) {
		buf_adds(out, "side");
		record_put_int(out, s->broken[side]);
		record_put_int(out, s->points[side]);
		record_put_int(out, s->command_points[side]);
		buf_addc(out, '\n');
	}
}

char *state_write(TALLOC_CTX *mem, const struct state *s, size_t *len)
{
	struct buf *out = buf_new(mem);

	put_head(out, s);
	for (int i = 0; i < s->count; i++)
		put_unit(out, &s->units[i]);
	for (int i = 0; i < s->lock_count; i++)
		put_lock(out, &s->locks[i]);
	if (len)
		*len = out->len;
	return buf_finish(mem, out);
}

char *state_digest(TALLOC_CTX *mem, const struct state *s)
{
	size_t len;
	char *bytes = state_write(mem, s, &len), *digest = dice_digest(mem, bytes, len);

	talloc_free(bytes);
	return digest;
}

/* --- reading -------------------------------------------------------------------------------------------------------
 */

static void get_box(struct record_reader *r, struct box *b)
{
	b->front.x = (int32_t)record_int(r, -COORDINATE_MAX, COORDINATE_MAX);
	b->front.y = (int32_t)record_int(r, -COORDINATE_MAX, COORDINATE_MAX);
	b->facing = (int16_t)record_int(r, 0, 359);
	b->width = (int32_t)record_int(r, 0, FOOTPRINT_MAX);
	b->depth = (int32_t)record_int(r, 0, FOOTPRINT_MAX);
}

static void get_unit(struct record_reader *r, struct unit *u, int count)
{
	record_tag(r, "unit");
	record_chars(r, u->id, sizeof u->id);
	record_chars(r, u->code, sizeof u->code);
	record_chars(r, u->name, sizeof u->name);
	record_chars(r, u->wing, sizeof u->wing);
	u->side = (enum side)record_int(r, 0, SIDES - 1);
	u->kind = (enum kind)record_int(r, 0, KINDS - 1);
	u->overall = record_flag(r);
	u->begun = (int)record_int(r, 0, COUNT_MAX);
	u->figures_begun = (int)record_int(r, 0, COUNT_MAX);
	u->bases = (int)record_int(r, 0, COUNT_MAX);
	u->figures = (int)record_int(r, 0, COUNT_MAX);
	get_box(r, &u->box);
	u->quarter = (int16_t)record_int(r, 0, 3);
	u->with = (int16_t)record_int(r, -1, count - 1);
	u->routing = record_flag(r);
	u->column = record_flag(r);
	u->halted = (int16_t)record_int(r, 0, INT16_MAX);
	u->charged = record_flag(r);
	u->fired = record_flag(r);
	u->closed_fire = record_flag(r);
	u->fought = record_flag(r);
	u->charge_target = (int16_t)record_int(r, -1, count - 1);
	u->gun_hits = (int16_t)record_int(r, 0, INT16_MAX);
	u->used = (int32_t)record_int(r, 0, INT32_MAX);
	u->pursues = (int16_t)record_int(r, -1, count - 1);
	u->ran = record_flag(r);
	u->points_left = (int16_t)record_int(r, 0, INT16_MAX);
	u->commanded = record_flag(r);
	u->balked = record_flag(r);
	u->fled = record_flag(r);
	u->broke = record_flag(r);
	u->wounded = record_flag(r);
	record_end_line(r);
}

static void get_lock(struct record_reader *r, struct lock *l, int count)
{
	record_tag(r, "lock");
	l->charger = (int16_t)record_int(r, 0, count - 1);
	l->charged = (int16_t)record_int(r, 0, count - 1);
	l->face = (enum arc)record_int(r, ARC_FRONT, ARC_REAR);
	l->mutual = record_flag(r);
	l->declared = record_flag(r);
	l->rounds = (int16_t)record_int(r, 0, INT16_MAX);
	record_end_line(r);
}

static void get_head(struct record_reader *r, struct state *s)
{
	record_tag(r, "state");
	record_int(r, STATE_VERSION, STATE_VERSION);
	s->turn = (int)record_int(r, 0, COUNT_MAX);
	s->line = (int)record_int(r, 1, COUNT_MAX);
	s->next_phase = (int)record_int(r, 0, COUNT_MAX);
	s->winner = (enum winner)record_int(r, WINNER_OPEN, WINNER_DRAW);
	s->initiative = (int)record_int(r, -1, SIDES - 1);
	s->count = record_count(r);
	s->lock_count = record_count(r);
	if (s->count > INT16_MAX)
		r->fault = "fewer units";
	record_end_line(r);
	for (int side = 0; side < SIDES; side++) {
		record_tag(r, "side");
		s->broken[side] = record_flag(r);
		s->points[side] = (int)record_int(r, -COORDINATE_MAX, COORDINATE_MAX);
		s->command_points[side] = (int)record_int(r, 0, COUNT_MAX);
		record_end_line(r);
	}
}

struct err *state_read(TALLOC_CTX *mem, const char *bytes, size_t len, struct state **out)
{
	struct record_reader r = record_reader(bytes, len);
	struct state *s = talloc_zero(mem, struct state);
	struct err *e;

	get_head(&r, s);
	if (!r.fault && s->count)
		s->units = talloc_zero_array(s, struct unit, (unsigned)s->count);
	if (!r.fault && s->lock_count)
		s->locks = talloc_zero_array(s, struct lock, (unsigned)s->lock_count);
	for (int i = 0; i < s->count && !r.fault; i++)
		get_unit(&r, &s->units[i], s->count);
	for (int i = 0; i < s->lock_count && !r.fault; i++)
		get_lock(&r, &s->locks[i], s->count);
	e = record_result(mem, &r, "positions");
	if (e)
		talloc_free(s);
	else
		*out = s;
	return e;
}

/* --- looking things up ---------------------------------------------------------------------------------------------
 */

int state_find_id(const struct state *s, const char *id)
{
	for (int i = 0; i < s->count; i++)
		if (strcmp(s->units[i].id, id) == 0)
			return i;
	return -1;
}

int state_find_code(const struct state *s, const char *code, int side)
{
	for (int i = 0; i < s->count; i++)
		if (strcmp(s->units[i].code, code) == 0 && (side < 0 || (int)s->units[i].side == side))
			return i;
	return -1;
}

bool state_locked(const struct state *s, int unit)
{
	for (int i = 0; i < s->lock_count; i++)
		if (s->locks[i].charger == unit || s->locks[i].charged == unit)
			return true;
	return false;
}

bool state_locked_pair(const struct state *s, int a, int b)
{
	for (int i = 0; i < s->lock_count; i++) {
		const struct lock *l = &s->locks[i];

		if ((l->charger == a && l->charged == b) || (l->charger == b && l->charged == a))
			return true;
	}
	return false;
}

void state_lock(struct state *s, struct lock lock)
{
	assert(lock.charger >= 0 && lock.charger < s->count && lock.charged >= 0 && lock.charged < s->count);
	s->locks = talloc_realloc(s, s->locks, struct lock, (unsigned)s->lock_count + 1);
	assert(s->locks);
	s->locks[s->lock_count++] = lock;
}

void state_unlock(struct state *s, int index)
{
	assert(index >= 0 && index < s->lock_count);
	s->lock_count--;
	memmove(&s->locks[index], &s->locks[index + 1], sizeof *s->locks * (size_t)(s->lock_count - index));
}

int state_commanders_with(const struct state *s, int unit, int *out, int max)
{
	int n = 0;

	for (int i = 0; i < s->count && n < max; i++)
		if (s->units[i].kind == KIND_COMMANDER && s->units[i].with == unit && unit_alive(&s->units[i]))
			out[n++] = i;
	return n;
}
