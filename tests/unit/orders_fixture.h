/* A small battle for the tests of the order language: units of both sides, guns, commanders. */
#ifndef GALLOPER_TESTS_ORDERS_FIXTURE_H
#define GALLOPER_TESTS_ORDERS_FIXTURE_H

#include "orders/merge.h"
#include "orders/print.h"

#include <stdio.h>

struct fixture {
	TALLOC_CTX *mem;
	struct state *s;
	struct table table;
};

static void add_unit(struct fixture *f, enum side side, enum kind kind, const char *code, const char *id,
	const char *name, const char *wing)
{
	struct unit *u;

	f->s->units = talloc_realloc(f->s, f->s->units, struct unit, (unsigned)f->s->count + 1);
	u = &f->s->units[f->s->count++];
	*u = (struct unit){.side = side, .kind = kind, .begun = 6, .bases = 6, .with = -1};
	snprintf(u->code, sizeof u->code, "%s", code);
	snprintf(u->id, sizeof u->id, "%s", id);
	snprintf(u->name, sizeof u->name, "%s", name);
	snprintf(u->wing, sizeof u->wing, "%s", wing);
}

static struct fixture setup(void)
{
	struct fixture f = {.mem = talloc_new(NULL), .table = {.width = 90000, .height = 60000}};

	f.s = talloc_zero(f.mem, struct state);
	f.s->turn = 3;
	add_unit(&f, SIDE_GOVERNMENT, KIND_FOOT, "R", "BAR", "Barrell's", "Right");
	add_unit(&f, SIDE_GOVERNMENT, KIND_FOOT, "N", "MUN", "Munro's", "Centre");
	add_unit(&f, SIDE_GOVERNMENT, KIND_FOOT, "E", "CHO", "Cholmondeley's", "Centre");
	add_unit(&f, SIDE_GOVERNMENT, KIND_HORSE, "C", "COB", "Cobham's (dragoons)", "Left");
	add_unit(&f, SIDE_GOVERNMENT, KIND_FOOT, "A", "HAM", "Hamilton's", "Left");
	add_unit(&f, SIDE_GOVERNMENT, KIND_GUN, "1", "GUN1", "Cannon 1", "Centre");
	add_unit(&f, SIDE_GOVERNMENT, KIND_COMMANDER, "Hu", "HUSK", "Maj. Gen. Huske", "Right");
	add_unit(&f, SIDE_JACOBITE, KIND_CLAN, "j", "CAM", "Camerons", "Left");
	add_unit(&f, SIDE_JACOBITE, KIND_CLAN, "h", "STU", "Stuarts (Appin)", "Left");
	add_unit(&f, SIDE_JACOBITE, KIND_CLAN, "c", "GLEN", "Macdonalds (Glengarry)", "Right");
	add_unit(&f, SIDE_JACOBITE, KIND_CLAN, "n", "MCL", "Maclachlans", "Centre");
	add_unit(&f, SIDE_JACOBITE, KIND_CLAN, "a", "KEP", "Macdonalds (Keppoch)", "Right");
	add_unit(&f, SIDE_JACOBITE, KIND_GUN, "1", "JG1", "Cannon 1", "Centre");
	add_unit(&f, SIDE_JACOBITE, KIND_COMMANDER, "mu", "LGM", "Lord George Murray", "Right");
	return f;
}

static struct orders_context context(const struct fixture *f)
{
	return (struct orders_context){.state = f->s, .table = &f->table, .side = SIDE_GOVERNMENT, .shreds = true};
}

struct random {
	uint64_t state;
	TALLOC_CTX *mem;
};

static inline int below(struct random *r, int n)
{
	r->state = r->state * 6364136223846793005u + 1442695040888963407u;
	return (int)((r->state >> 33) % (uint64_t)n);
}

#endif
