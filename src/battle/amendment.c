#include "battle/amendment.h"

#include "battle/record.h"

#include <assert.h>

enum { AMENDMENTS_VERSION = 1, VALUE_MAX = 1000000000, COORDINATE_MAX = 1000000, FOOTPRINT_MAX = 100000 };

char *amendment_after_phase(TALLOC_CTX *mem, int phase)
{
	return talloc_asprintf(mem, "after phase %d", phase);
}

struct amendments *amendments_new(TALLOC_CTX *mem)
{
	struct amendments *a = talloc_zero(mem, struct amendments);

	assert(a);
	return a;
}

struct amendment *amendments_add(struct amendments *a, enum amendment_op op)
{
	struct amendment *am;

	a->list = talloc_realloc(a, a->list, struct amendment *, (unsigned)a->count + 1);
	assert(a->list);
	am = talloc_zero(a->list, struct amendment);
	assert(am);
	am->op = op;
	am->key = am->purpose = am->before = am->because = "";
	am->unit = am->side = -1;
	a->list[a->count++] = am;
	return am;
}

/* `used` is an outcome of a resolution, not part of what was ordered. */
static void put(struct buf *out, const struct amendment *am)
{
	const int64_t numbers[] = {am->op, am->unit, am->side, am->value, am->box.front.x, am->box.front.y,
		am->box.facing, am->box.width, am->box.depth, am->value_count};

	buf_adds(out, "amendment");
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		record_put_int(out, numbers[i]);
	for (int i = 0; i < am->value_count; i++)
		record_put_int(out, am->values[i]);
	record_put_text(out, am->key);
	record_put_text(out, am->purpose);
	record_put_text(out, am->before);
	record_put_text(out, am->because);
	buf_addc(out, '\n');
}

char *amendments_write(TALLOC_CTX *mem, const struct amendments *a, size_t *len)
{
	struct buf *out = buf_new(mem);

	buf_adds(out, "amendments");
	record_put_int(out, AMENDMENTS_VERSION);
	record_put_int(out, a->count);
	buf_addc(out, '\n');
	for (int i = 0; i < a->count; i++)
		put(out, a->list[i]);
	if (len)
		*len = out->len;
	return buf_finish(mem, out);
}

static void get(struct record_reader *r, struct amendments *a)
{
	struct amendment *am = amendments_add(a, AMEND_DIE);

	record_tag(r, "amendment");
	am->op = (enum amendment_op)record_int(r, AMEND_DIE, AMEND_VERDICT);
	am->unit = (int)record_int(r, -1, INT16_MAX);
	am->side = (int)record_int(r, -1, SIDES - 1);
	am->value = (int)record_int(r, -VALUE_MAX, VALUE_MAX);
	am->box.front.x = (int32_t)record_int(r, -COORDINATE_MAX, COORDINATE_MAX);
	am->box.front.y = (int32_t)record_int(r, -COORDINATE_MAX, COORDINATE_MAX);
	am->box.facing = (int16_t)record_int(r, 0, 359);
	am->box.width = (int32_t)record_int(r, 0, FOOTPRINT_MAX);
	am->box.depth = (int32_t)record_int(r, 0, FOOTPRINT_MAX);
	am->value_count = record_count(r);
	if (am->value_count && !r->fault)
		am->values = talloc_zero_array(am, int, (unsigned)am->value_count);
	for (int i = 0; i < am->value_count && !r->fault; i++)
		am->values[i] = (int)record_int(r, -VALUE_MAX, VALUE_MAX);
	am->key = record_text(am, r);
	am->purpose = record_text(am, r);
	am->before = record_text(am, r);
	am->because = record_text(am, r);
	record_end_line(r);
}

struct err *amendments_read(TALLOC_CTX *mem, const char *bytes, size_t len, struct amendments **out)
{
	struct record_reader r = record_reader(bytes, len);
	struct amendments *a = amendments_new(mem);
	struct err *e;
	int count;

	record_tag(&r, "amendments");
	record_int(&r, AMENDMENTS_VERSION, AMENDMENTS_VERSION);
	count = record_count(&r);
	record_end_line(&r);
	while (a->count < count && !r.fault)
		get(&r, a);
	e = record_result(mem, &r, "amendments");
	if (e)
		talloc_free(a);
	else
		*out = a;
	return e;
}
