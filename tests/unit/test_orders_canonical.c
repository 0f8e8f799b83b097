/* orders: canonical printing reads back to the same orders, for thousands of random ones. */
#include "orders_fixture.h"
#include "orders_merged.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

/* --- random orders ------------------------------------------------------------------------------------------------ */

static int own(struct random *r)
{
	return below(r, 5);
}

static int enemy(struct random *r)
{
	return 7 + below(r, 5);
}

static int32_t length(struct random *r)
{
	return below(r, 3) ? 1000 * (1 + below(r, 20)) : 1 + below(r, 199999);
}

static void random_place(struct random *r, struct point *at, char *square)
{
	if (below(r, 2)) {
		at->x = below(r, 90001);
		at->y = below(r, 60001);
		square[0] = '\0';
	} else {
		int column = below(r, 15), row = 1 + below(r, 10);

		at->x = column * 6000 + 3000;
		at->y = 60000 - row * 6000 + 3000;
		snprintf(square, SQUARE_NAME_MAX + 1, "%c%d", 'A' + column, row);
	}
}

static struct heading random_heading(struct random *r)
{
	return below(r, 2) ? (struct heading){true, 90 * below(r, 4)} : (struct heading){false, below(r, 360)};
}

static void random_legs(struct random *r, struct clause *c)
{
	c->leg_count = 1 + below(r, 4);
	c->legs = talloc_zero_array(r->mem, struct leg, (unsigned)c->leg_count);
	for (int i = 0; i < c->leg_count; i++) {
		struct leg *leg = &c->legs[i];

		leg->kind = (enum leg_kind)below(r, 4);
		leg->unit = -1;
		if (leg->kind == LEG_HEADING)
			leg->heading = random_heading(r);
		if (leg->kind == LEG_PLACE)
			random_place(r, &leg->place, leg->square);
		leg->distance = below(r, 3) ? length(r) : 0;
		if (leg->kind == LEG_TOWARD || leg->kind == LEG_AWAY)
			leg->unit = below(r, 14);
	}
}

static void random_face(struct random *r, struct face *f)
{
	f->kind = (enum face_kind)below(r, 5);
	f->unit = -1;
	if (f->kind == FACE_HEADING)
		f->heading = random_heading(r);
	if (f->kind == FACE_UNIT)
		f->unit = below(r, 14);
	if (f->kind == FACE_PLACE)
		random_place(r, &f->place, f->square);
	if (f->kind == FACE_TURN || f->kind == FACE_WHEEL)
		f->degrees = below(r, 2) ? 1 + below(r, 179) : -1 - below(r, 179);
}

static void random_targets(struct random *r, struct clause *c)
{
	c->target_count = 1 + below(r, 4);
	c->targets = talloc_zero_array(r->mem, struct target, (unsigned)c->target_count);
	for (int i = 0; i < c->target_count; i++) {
		c->targets[i].kind = below(r, 4) ? TARGET_UNIT : below(r, 2) ? TARGET_NEAREST : TARGET_ANY;
		c->targets[i].unit = c->targets[i].kind == TARGET_UNIT ? enemy(r) : -1;
		c->targets[i].hits = c->kind == CLAUSE_MELEE ? below(r, 4) : 0;
	}
}

static struct condition *random_part(struct random *r, bool charge)
{
	struct condition *c = talloc_zero(r->mem, struct condition);

	c->unit = c->of = -1;
	if (below(r, 5) == 0) {
		c->kind = CONDITION_NOT;
		c->left = random_part(r, charge);
		return c;
	}
	c->kind = (enum condition_kind)below(r, 5);
	if (c->kind == CONDITION_WITHIN) {
		c->subject = (enum within_subject)below(r, charge ? 3 : 2);
		c->unit = c->subject == WITHIN_UNIT ? below(r, 14) : -1;
		c->of = c->subject != WITHIN_CHARGE_TARGET && below(r, 2) ? below(r, 14) : -1;
		c->distance = length(r);
	} else if (c->kind == CONDITION_STATUS) {
		c->unit = below(r, 14);
		c->status = (enum unit_status)below(r, 3);
	} else if (c->kind != CONDITION_OUT_OF_POINTS) {
		c->comparison = (enum comparison)below(r, 5);
		c->number = below(r, 25);
	}
	return c;
}

static struct condition *random_chain(struct random *r, enum condition_kind kind, bool charge)
{
	int n = 1 + below(r, 3);
	struct condition *c = NULL;

	for (int i = 0; i < n; i++) {
		struct condition *next =
			kind == CONDITION_AND ? random_part(r, charge) : random_chain(r, CONDITION_AND, charge);

		if (c) {
			struct condition *both = talloc_zero(r->mem, struct condition);

			*both = (struct condition){.kind = kind, .unit = -1, .of = -1, .left = c, .right = next};
			c = both;
		} else {
			c = next;
		}
	}
	return c;
}

static struct condition *random_condition(struct random *r, bool charge)
{
	struct condition *c = random_chain(r, CONDITION_OR, charge), *not ;

	if ((c->kind != CONDITION_AND && c->kind != CONDITION_OR) || below(r, 3))
		return c;
	not = talloc_zero(r->mem, struct condition);
	*not = (struct condition){.kind = CONDITION_NOT, .unit = -1, .of = -1, .left = c};
	return not ;
}

static struct clause *random_plain(struct random *r)
{
	static const enum clause_kind kinds[] = {CLAUSE_MOVE, CLAUSE_MOVE, CLAUSE_FACE, CLAUSE_FIRE, CLAUSE_HOLD_FIRE,
		CLAUSE_CHARGE, CLAUSE_MELEE, CLAUSE_LEAVE, CLAUSE_HOLD, CLAUSE_COLUMN, CLAUSE_LINE};
	struct clause *c = talloc_zero(r->mem, struct clause);

	c->kind = kinds[below(r, (int)(sizeof kinds / sizeof *kinds))];
	c->unit = -1;
	c->face.unit = -1;
	if (c->kind == CLAUSE_MOVE)
		random_legs(r, c);
	if (c->kind == CLAUSE_FACE)
		random_face(r, &c->face);
	if (c->kind == CLAUSE_FIRE || c->kind == CLAUSE_CHARGE || c->kind == CLAUSE_MELEE)
		random_targets(r, c);
	return c;
}

static struct clause *random_list(struct random *r, int depth, bool else_follows);

static bool charges(const struct clause *c)
{
	for (; c; c = c->next)
		if (c->kind == CLAUSE_CHARGE)
			return true;
	return false;
}

/* An `if`; one that ends a list before an `otherwise` must have its own, or that one would be taken for its own. */
static struct clause *random_if(struct random *r, int depth, bool must_have_else)
{
	struct clause *c = talloc_zero(r->mem, struct clause);
	bool otherwise = must_have_else || below(r, 3) == 0;

	c->kind = CLAUSE_IF;
	c->unit = -1;
	c->face.unit = -1;
	c->then = random_list(r, depth + 1, otherwise);
	if (otherwise)
		c->otherwise = random_list(r, depth + 1, must_have_else);
	c->condition = random_condition(r, charges(c->then) || charges(c->otherwise));
	return c;
}

/* What an `if` governs: plain clauses, one-clause ifs that trail, and at the end any `if`. */
static struct clause *random_list(struct random *r, int depth, bool else_follows)
{
	struct clause *first = NULL, **end = &first;
	int n = 1 + below(r, 3);

	for (int i = 0; i < n; i++) {
		bool last = i == n - 1;

		if (last && depth < 3 && below(r, 4) == 0) {
			*end = random_if(r, depth, else_follows);
		} else if (!last && below(r, 5) == 0) {
			*end = talloc_zero(r->mem, struct clause);
			(*end)->kind = CLAUSE_IF;
			(*end)->unit = -1;
			(*end)->face.unit = -1;
			(*end)->then = random_plain(r);
			(*end)->condition = random_condition(r, charges((*end)->then));
		} else {
			*end = random_plain(r);
		}
		end = &(*end)->next;
	}
	return first;
}

static struct clause *random_orders(struct random *r)
{
	struct clause *first = NULL, **end = &first;
	int n = 1 + below(r, 5);

	for (int i = 0; i < n; i++) {
		*end = below(r, 4) ? random_plain(r) : random_if(r, 0, false);
		end = &(*end)->next;
	}
	return first;
}

/* --- equality ----------------------------------------------------------------------------------------------------- */

static bool same_condition(const struct condition *a, const struct condition *b)
{
	if (!a || !b)
		return a == b;
	return a->kind == b->kind && a->subject == b->subject && a->unit == b->unit && a->of == b->of &&
	       a->distance == b->distance && a->status == b->status && a->comparison == b->comparison &&
	       a->number == b->number && same_condition(a->left, b->left) && same_condition(a->right, b->right);
}

static bool same_leg(const struct leg *a, const struct leg *b)
{
	return a->kind == b->kind && a->heading.relative == b->heading.relative &&
	       a->heading.degrees == b->heading.degrees && a->place.x == b->place.x && a->place.y == b->place.y &&
	       a->unit == b->unit && a->distance == b->distance;
}

static bool same_face(const struct face *a, const struct face *b)
{
	return a->kind == b->kind && a->heading.relative == b->heading.relative &&
	       a->heading.degrees == b->heading.degrees && a->unit == b->unit && a->place.x == b->place.x &&
	       a->place.y == b->place.y && a->degrees == b->degrees;
}

static bool same_clauses(const struct clause *a, const struct clause *b)
{
	for (; a && b; a = a->next, b = b->next) {
		if (a->kind != b->kind || a->leg_count != b->leg_count || a->target_count != b->target_count ||
			a->unit != b->unit || !same_face(&a->face, &b->face) ||
			!same_condition(a->condition, b->condition) || !same_clauses(a->then, b->then) ||
			!same_clauses(a->otherwise, b->otherwise))
			return false;
		for (int i = 0; i < a->leg_count; i++)
			if (!same_leg(&a->legs[i], &b->legs[i]))
				return false;
		for (int i = 0; i < a->target_count; i++)
			if (a->targets[i].kind != b->targets[i].kind || a->targets[i].unit != b->targets[i].unit ||
				a->targets[i].hits != b->targets[i].hits)
				return false;
	}
	return a == b;
}

/* --- tests -------------------------------------------------------------------------------------------------------- */

static void test_round_trip(void **state)
{
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	struct random r = {.state = 1746};

	(void)state;
	for (int i = 0; i < 5000; i++) {
		TALLOC_CTX *mem = r.mem = talloc_new(f.mem);
		struct unit_orders orders = {
			.clauses = random_orders(&r),
		};
		bool standing = below(&r, 4) == 0;
		int unit = own(&r);
		struct sheet *sheet;
		char *line;
		bool right;

		for (struct clause *c = orders.clauses; c; c = c->next)
			c->standing = standing;
		line = orders_lines(mem, &orders, piece_code(mem, f.s, unit), f.s, SIDE_GOVERNMENT);
		sheet = orders_read(mem, line, strlen(line), &ctx);
		right = sheet->problem_count == 0 && sheet->set_aside_count == 0 && sheet->order_count == 1 &&
			sheet->orders[0].unit_count == 1 && sheet->orders[0].units[0] == unit &&
			sheet->orders[0].standing == standing && same_clauses(orders.clauses, sheet->orders[0].clauses);

		if (!right)
			fail_msg("%d: %s\n%s\n%s", i, line, sheet->problem_count ? sheet->problems[0].message : "",
				orders_canonical(mem, sheet, &ctx));
		orders_english(mem, &orders, f.s);
		talloc_free(mem);
	}
	talloc_free(f.mem);
}

/* What is stored reads back to the same sheet: ranks, exceptions, cancels. */
static void test_canonical_sheet(void **state)
{
	static const char text[] = "All advance 4 except R, who hold\n"
				   "Left wing and N: hold\n"
				   "everyone else: fire at j\n"
				   "standing horse: charge nearest if within 6\n"
				   "cancel E\n"
				   "clear all\n"
				   "both Macdonalds: hold\n"
				   "Huske: join Barrell's\n"
				   "gun 1: fire at c, any\n"
				   "priority R, N\n";
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	struct sheet *sheet = orders_read(f.mem, text, strlen(text), &ctx);
	char *once = orders_canonical(f.mem, sheet, &ctx), *twice;

	(void)state;
	assert_string_equal(once, "R: hold\n"
				  "all except R: move 4 forward\n"
				  "N: hold\n"
				  "left wing: hold\n"
				  "standing horse: charge nearest if within 6\n"
				  "cancel E\n"
				  "clear all\n"
				  "Hu: join R\n"
				  "gun 1: fire c, any\n"
				  "priority R, N\n");
	assert_int_equal(sheet->problem_count, 1); /* the Macdonalds are the enemy's */
	twice = orders_canonical(f.mem, orders_read(f.mem, once, strlen(once), &ctx), &ctx);
	assert_string_equal(once, twice);
	talloc_free(f.mem);
}

/* Whatever words take back all orders, they are kept as those that do. */
static void test_canonical_clear(void **state)
{
	static const char *const texts[] = {
		"clear all", "cancel all", "cancel everything", "all: cancel", "army: cancel", "cancel the whole army"};
	struct fixture f = setup();
	struct orders_context ctx = context(&f);

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		assert_string_equal(orders_canonical(f.mem, orders_read(f.mem, texts[i], strlen(texts[i]), &ctx), &ctx),
			"clear all\n");
	talloc_free(f.mem);
}

/* A kind is not taken for the piece that has its word in its name, one's own or the enemy's. */
static void test_kind_in_name(void **state)
{
	static const char *const names[] = {"Fitz-James Horse", "Horse Guards"};

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct fixture f = setup();
		struct orders_context ctx = context(&f);
		const char *text = "all horse: hold\n";
		const struct sheet *sheet;
		char *kept;

		add_unit(&f, i / 2 ? SIDE_GOVERNMENT : SIDE_JACOBITE, KIND_HORSE, "z", "FIT", names[i % 2], "Left");
		sheet = orders_read(f.mem, text, strlen(text), &ctx);
		assert_int_equal(sheet->orders[0].unit_count, 1 + i / 2);
		kept = orders_canonical(f.mem, sheet, &ctx);
		assert_string_equal(kept, i % 2 ? text : "horse: hold\n");
		assert_string_equal(merged_text(f.mem, sheet, &ctx),
			merged_text(f.mem, orders_read(f.mem, kept, strlen(kept), &ctx), &ctx));
		talloc_free(f.mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_canonical_sheet),
		cmocka_unit_test(test_canonical_clear),
		cmocka_unit_test(test_kind_in_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
