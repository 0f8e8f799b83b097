/* orders: canonical printing reads back to the same orders, for thousands of random ones; hostile text neither crashes
 * the reader nor costs it more than its length; merging of mails; what is accepted; the sheet that comes back. */
#include "orders/merge.h"
#include "orders/print.h"
#include "orders/vocabulary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

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

/* --- random orders ------------------------------------------------------------------------------------------------ */

struct random {
	uint64_t state;
	TALLOC_CTX *mem;
};

static int below(struct random *r, int n)
{
	r->state = r->state * 6364136223846793005u + 1442695040888963407u;
	return (int)((r->state >> 33) % (uint64_t)n);
}

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
		else
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
		struct unit_orders orders = {.clauses = random_orders(&r), .standing = below(&r, 4) == 0};
		int unit = own(&r);
		char *line = orders_line(mem, &orders, unit, f.s, SIDE_GOVERNMENT);
		struct sheet *sheet = orders_read(mem, line, strlen(line), &ctx);
		bool right = sheet->problem_count == 0 && sheet->set_aside_count == 0 && sheet->order_count == 1 &&
			     sheet->orders[0].unit_count == 1 && sheet->orders[0].units[0] == unit &&
			     sheet->orders[0].standing == orders.standing &&
			     same_clauses(orders.clauses, sheet->orders[0].clauses);

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

static char *merged(struct fixture *f, const char *const *mails, const int *turns, int count, int unit)
{
	struct orders_context ctx = context(f);
	struct sheet_in_force in_force[8];
	struct orderbook *book = orderbook_new(f->mem, f->s);
	char *text;

	for (int i = 0; i < count; i++)
		in_force[i] = (struct sheet_in_force){orders_read(f->mem, mails[i], strlen(mails[i]), &ctx), turns[i]};
	orders_merge(f->mem, book, f->s, SIDE_GOVERNMENT, in_force, count, f->s->turn, NULL);
	text = clauses_canonical(f->mem, book->units[unit].clauses, f->s, SIDE_GOVERNMENT);
	return text;
}

static void merge_is(struct fixture *f, const char *first, const char *second, int first_turn, const char *expected)
{
	const char *mails[] = {first, second};
	int turns[] = {first_turn, 3};

	assert_string_equal(merged(f, mails, turns, 2, 0), expected);
}

/* Rules 8, 9 and 15, from their words. */
static void test_merge(void **state)
{
	struct fixture f = setup();

	(void)state;
	/* the later mail replaces the orders of the units it names, all kinds, and leaves the rest */
	merge_is(&f, "R: move 4 north; fire at j", "R: face west", 3, "face west");
	merge_is(&f, "R: move 4 north; fire at j", "N: face west", 3, "move 4 north; fire j");
	/* orders of earlier turns are over, standing ones are not */
	merge_is(&f, "R: move 4 north", "N: hold", 2, "");
	merge_is(&f, "standing R: fire at j", "N: hold", 2, "fire j");
	merge_is(&f, "standing R: fire at j", "R: move 4 north", 2, "move 4 north; fire j");
	merge_is(&f, "standing R: fire at j", "R: hold fire", 2, "hold fire");
	merge_is(&f, "standing R: fire at j", "cancel R", 2, "");
	merge_is(&f, "standing R: fire at j", "clear all", 2, "");
	merge_is(&f, "R: fire at j", "cancel R\nR: hold", 3, "hold");
	/* the line for the unit beats its wing's beats all's, whatever their order */
	merge_is(&f, "", "R: advance 4\nright wing: retire 2\nall: advance 1", 3, "move 4 forward");
	merge_is(&f, "", "all: advance 1\nright wing: retire 2", 3, "move 2 back");
	merge_is(&f, "", "right wing: retire 2\nall: advance 1; fire at j", 3, "move 2 back; fire j");
	/* a wing's hold does not touch a charge of one's own; a unit's own later hold does */
	merge_is(&f, "", "R: charge j\nright wing: hold", 3, "charge j");
	merge_is(&f, "", "R: charge j\nR: hold", 3, "hold");
	merge_is(&f, "", "R: hold; charge j", 3, "hold; charge j");
	/* of conditional clauses of one kind within one order all stay, in their order */
	merge_is(&f, "", "R: if j within 6 then hold; if h within 6 then move 2 back", 3,
		"if j within 6 then hold; if h within 6 then move 2 back");
	/* a piece that is gone */
	f.s->units[0].bases = 0;
	merge_is(&f, "standing R: fire at j", "", 2, "");
	talloc_free(f.mem);
}

static void test_accept(void **state)
{
	static const char typed[] = "Barrell's: fire at Camerns then Stuarts; advnce 4\nBarels: hold\n";
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	struct sheet *sheet = orders_read(f.mem, typed, strlen(typed), &ctx);
	int changed;
	char *text = orders_accept(f.mem, typed, strlen(typed), sheet, &changed);

	(void)state;
	assert_int_equal(changed, 3);
	assert_string_equal(text, "Barrell's: fire at Camerons then Stuarts; advance 4\nBarrell's: hold\n");
	sheet = orders_read(f.mem, text, strlen(text), &ctx);
	assert_int_equal(sheet->problem_count, 0);
	talloc_free(f.mem);
}

static void test_headers(void **state)
{
	static const char stale[] = "turn 2\nR: hold\n", game[] = "GAME prestonpans-1\nR: hold\n",
			  good[] = "Game: falkirk-7b\nTurn 3\nKEY heather-otter-42\nR: hold\n";
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	struct sheet *sheet;

	(void)state;
	ctx.turn = 3;
	ctx.game = "falkirk-7b";
	sheet = orders_read(f.mem, stale, strlen(stale), &ctx);
	assert_true(sheet->refused);
	assert_int_equal(sheet->problems[0].kind, PROBLEM_STALE);
	assert_true(orders_read(f.mem, game, strlen(game), &ctx)->refused);
	sheet = orders_read(f.mem, good, strlen(good), &ctx);
	assert_false(sheet->refused);
	assert_string_equal(sheet->game, "falkirk-7b");
	assert_string_equal(sheet->key, "heather-otter-42");
	assert_int_equal(sheet->turn, 3);
	assert_int_equal(sheet->order_count, 1);
	talloc_free(f.mem);
}

static void test_ownership(void **state)
{
	static const char text[] = "R: hold\nN: hold\nall: face north\n";
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	bool may[14] = {[1] = true};
	struct sheet *sheet;

	(void)state;
	ctx.may_order = may;
	sheet = orders_read(f.mem, text, strlen(text), &ctx);
	assert_int_equal(sheet->problem_count, 1);
	assert_int_equal(sheet->problems[0].kind, PROBLEM_NOT_YOURS);
	assert_int_equal(sheet->order_count, 2);
	assert_int_equal(sheet->orders[1].unit_count, 1);
	assert_int_equal(sheet->orders[1].units[0], 1);
	f.s->units[1].bases = 0;
	sheet = orders_read(f.mem, text, strlen(text), &ctx);
	assert_int_equal(sheet->problem_count, 2);
	assert_int_equal(sheet->problems[1].kind, PROBLEM_GONE);
	talloc_free(f.mem);
}

static void test_sheet_lines(void **state)
{
	static const char printed[] = "R  Barrell's:\nN  Munro's:\n";
	static const char quoted[] = "> A report with R: charge j in it\n"
				     "> --- ORDERS falkirk-7b turn 3 ---\n"
				     "> R  Barrell's: move 4 north\n"
				     "> N  Munro's:\n"
				     ">> N: hold\n"
				     "> --- END ---\n"
				     "> R: retire 6\n";
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	struct sheet *sheet;
	char *lines;

	(void)state;
	ctx.turn = 3;
	ctx.game = "falkirk-7b";
	lines = orders_sheet_lines(f.mem, quoted, strlen(quoted), printed, &ctx);
	assert_string_equal(lines, "R  Barrell's: move 4 north\nN: hold\n");
	ctx.sheet = lines;
	ctx.sheet_len = strlen(lines);
	sheet = orders_read(f.mem, "R: face west\n", 13, &ctx);
	assert_int_equal(sheet->order_count, 3);
	assert_true(sheet->orders[0].from_sheet);
	assert_false(sheet->orders[2].from_sheet);
	ctx.turn = 4;
	assert_string_equal(orders_sheet_lines(f.mem, quoted, strlen(quoted), printed, &ctx), "");
	talloc_free(f.mem);
}

static void test_referee(void **state)
{
	static const char text[] = "PAUSE\n"
				   "DEADLINE Friday 22 January 16:00\n"
				   "EXTEND 2 DAYS BECAUSE of snow\n"
				   "RESOLVE TURN 3\n"
				   "AMEND T3.shoot.B.volley.1 HITS 2 BECAUSE miscounted\n"
				   "DIE T3.shoot.B.shoot.1 = 6\n"
				   "SET R BASES 4 BEFORE T3.shoot.B.volley.1 BECAUSE hits doubled\n"
				   "PLACE N AT H4 FACING north\n"
				   "KILL Huske\n"
				   "ORDER J: Camerons: hold\n"
				   "VOID ORDERS E R\n"
				   "RULE wet-powder off\n"
				   "ROLLBACK TO TURN 2\n"
				   "REPLACE huske WITH pupil@school.example\n"
				   "APPROVE 4\n"
				   "SAY TO all:\nThe match is on\nFriday.\n\n"
				   "NOTE all went well\n";
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	struct sheet *sheet;
	const struct command_record *c;

	(void)state;
	ctx.referee = true;
	sheet = orders_read(f.mem, text, strlen(text), &ctx);
	assert_int_equal(sheet->problem_count, 0);
	assert_int_equal(sheet->set_aside_count, 0);
	assert_int_equal(sheet->command_count, 17);
	c = sheet->commands;
	assert_int_equal(c[0].verb, COMMAND_PAUSE);
	assert_string_equal(c[1].text, "Friday 22 January 16:00");
	assert_int_equal(c[2].number, 2);
	assert_string_equal(c[2].because, "of snow");
	assert_int_equal(c[3].turn, 3);
	assert_string_equal(c[4].name, "T3.shoot.B.volley.1");
	assert_int_equal(c[4].number, 2);
	assert_string_equal(c[4].because, "miscounted");
	assert_string_equal(c[5].name, "T3.shoot.B.shoot.1");
	assert_int_equal(c[5].number, 6);
	assert_int_equal(c[6].units[0], 0);
	assert_int_equal(c[6].number, 4);
	assert_string_equal(c[6].before, "T3.shoot.B.volley.1");
	assert_int_equal(c[7].place.x, 45000);
	assert_int_equal(c[7].place.y, 39000);
	assert_int_equal(c[8].units[0], 6);
	assert_int_equal(c[9].side, SIDE_JACOBITE);
	assert_string_equal(c[9].text, "Camerons: hold");
	assert_int_equal(c[10].side, SIDE_GOVERNMENT);
	assert_int_equal(c[10].units[0], 0);
	assert_string_equal(c[11].name, "wet-powder");
	assert_string_equal(c[11].text, "off");
	assert_int_equal(c[12].turn, 2);
	assert_string_equal(c[13].text, "pupil@school.example");
	assert_int_equal(c[14].number, 4);
	assert_string_equal(c[15].text, "The match is on\nFriday.");
	assert_string_equal(c[16].text, "all went well");

	/* the same from a player */
	ctx.referee = false;
	sheet = orders_read(f.mem, "PAUSE\n", 6, &ctx);
	assert_int_equal(sheet->command_count, 0);
	assert_int_equal(sheet->problems[0].kind, PROBLEM_FORBIDDEN);
	talloc_free(f.mem);
}

static void test_limits(void **state)
{
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	char *text = talloc_strdup(f.mem, "");
	struct sheet *sheet;

	(void)state;
	for (int i = 0; i < 2500; i++)
		text = talloc_strdup_append_buffer(text, "R: hold\n");
	sheet = orders_read(f.mem, text, strlen(text), &ctx);
	assert_true(sheet->refused);
	assert_int_equal(sheet->order_count, 0);
	assert_int_equal(sheet->problems[0].kind, PROBLEM_TOO_LARGE);
	sheet = orders_read(f.mem, text, 8 * 500, &ctx);
	assert_false(sheet->refused);
	assert_int_equal(sheet->order_count, SHEET_ORDERS_MAX);
	assert_int_equal(sheet->problem_count, 1);
	text = talloc_zero_array(f.mem, char, SHEET_BYTES_MAX + 2);
	memset(text, 'a', SHEET_BYTES_MAX + 1);
	assert_true(orders_read(f.mem, text, SHEET_BYTES_MAX + 1, &ctx)->refused);
	talloc_free(f.mem);
}

/* --- hostile text ------------------------------------------------------------------------------------------------- */

#ifdef __SANITIZE_ADDRESS__
#define BLINK 5.0
#else
#define BLINK 0.5
#endif

static double seconds(struct fixture *f, const char *piece, size_t bytes)
{
	struct orders_context ctx = context(f);
	TALLOC_CTX *mem = talloc_new(f->mem);
	char *text = talloc_array(mem, char, (unsigned)bytes + 1);
	size_t n = strlen(piece);
	clock_t start;

	for (size_t i = 0; i < bytes; i++)
		text[i] = piece[i % n];
	text[bytes] = '\0';
	start = clock();
	orders_read(mem, text, bytes, &ctx);
	talloc_free(mem);
	return (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* The largest text of one piece over and over is read in a blink: nothing is quadratic. */
static void test_linear(void **state)
{
	static const char *const pieces[] = {"R: hold. ", "a, ", "R, ", "if ", "not ", "R: if c within 8 then ", "(",
		"\"", "charge ", "then ", "R: fire at c, ", "blah, ", "blah blah. ", "1. ", "R: move 4 north, ",
		"\xC3\xA9", ":", "-", "R Barrell's ", "Macdonalds ", "what? ", "R: hold? ", "all except ", "and ",
		"R: move to H4 via ", "with R ", "unless c within 8 and ", "fire\n", "R\n", "R,\n", "  x\n",
		"R: hold because ", "say to all: ", "cancel ", "#", "don't move, ", "hold with c, ", "fire at c then ",
		"Gen. Gen. ", "can u ", "priority ", "R: blah unles, ", "Gen. ", "4 1/2 ", "if c or ", "otherwise "};
	struct fixture f = setup();

	(void)state;
	for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
		double took =
			seconds(&f, pieces[i], strchr(pieces[i], '\n') ? strlen(pieces[i]) * 1990 : SHEET_BYTES_MAX);

		if (took > BLINK)
			fail_msg("%zu bytes of '%s' took %.2f s", (size_t)SHEET_BYTES_MAX, pieces[i], took);
	}
	talloc_free(f.mem);
}

static void test_mutations(void **state)
{
	static const char *const words[] = {"R", "E", "n", "c", "j", "Barrell's", "Camerons", "Camerns", "Macdonalds",
		"gun 1", "Huske", "all", "left wing", "horse", "everyone else", "except", "who", ":", ";", ",", ".",
		"?", "!", "\n", "\n\n", "\n   ", " - ", "->", "\t", "|", "(", ")", "\"", "move", "advance", "retire",
		"hold", "fire", "at", "charge", "melee", "join", "leave", "face", "turn left", "wheel", "if", "unless",
		"otherwise", "then", "and", "or", "not", "don't", "within", "of", "gone", "bases", "<", "4", "4.5",
		"1/2", "H4", "H4.7", "Z99", "(40,22)", "north", "north-east", "forward", "left", "to", "toward",
		"away from", "via", "standing", "cancel", "clear all", "priority", "ready", "turn 3", "game x", "end",
		"because", "please", "can", "u", "blah", "unles", "degrees", "nearest", "any", "first", "#", "1.",
		"say to all:", "--- ORDERS x turn 3 ---", "\xFF", "\xC3\xA9", "99999999999999999999", "-1", "0", "keep",
		"where they are", "form column", "rally", "out of points", "both", "D-F", "enemy"};
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	struct random r = {.state = 45};
	clock_t start = clock();

	(void)state;
	for (int i = 0; i < 40000 && clock() - start < 8 * CLOCKS_PER_SEC; i++) {
		TALLOC_CTX *mem = talloc_new(f.mem);
		char *text = talloc_strdup(mem, ""), *once;
		int n = 1 + below(&r, 40), changed;
		struct sheet *sheet;

		for (int k = 0; k < n; k++)
			text = talloc_asprintf_append_buffer(text, "%s%s",
				words[below(&r, (int)(sizeof words / sizeof *words))], below(&r, 8) ? " " : "");
		ctx.referee = i % 2;
		sheet = orders_read(mem, text, strlen(text), &ctx);
		/* whatever was understood is printed and read back to the same */
		if (!sheet->refused) {
			once = orders_canonical(mem, sheet, &ctx);
			struct sheet *again = orders_read(mem, once, strlen(once), &ctx);
			char *twice = orders_canonical(mem, again, &ctx);

			if (again->problem_count || strcmp(once, twice) != 0)
				fail_msg("%d: typed <%s>\nonce <%s>\ntwice <%s> %s", i, text, once, twice,
					again->problem_count ? again->problems[0].message : "");
		}
		orders_accept(mem, text, strlen(text), sheet, &changed);
		talloc_free(mem);
	}
	talloc_free(f.mem);
}

/* The table is searched by halves; a verb is found with its endings. */
static void test_vocabulary(void **state)
{
	static const struct {
		const char *word;
		enum key key;
	} known[] = {{"advances", KEY_ADVANCE}, {"advancing", KEY_ADVANCE}, {"charged", KEY_CHARGE},
		{"hitting", KEY_MELEE}, {"fires", KEY_FIRE}, {"firing", KEY_FIRE}, {"marches", KEY_MOVE},
		{"facing", KEY_FACE}, {"halted", KEY_HALT}, {"standing", KEY_STANDING}, {"northeast", KEY_COMPASS}};
	bool inflected;

	(void)state;
	for (size_t i = 1; vocabulary_at(i); i++)
		assert_true(strcmp(vocabulary_at(i - 1)->word, vocabulary_at(i)->word) < 0);
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		assert_int_equal(vocabulary_find(known[i].word, strlen(known[i].word), &inflected)->key, known[i].key);
	assert_null(vocabulary_find("camerons", 8, &inflected));
	assert_null(vocabulary_find("nothings", 8, &inflected));
}

/* A real sheet with letters changed, dropped, doubled and swapped: no crash, and never a charge or a volley out of a
 * condition or a negation without a problem being told. */
static void test_spoilt_letters(void **state)
{
	static const char *const sheets[] = {"R: charge j if within 6",
		"R: if c within 8 then charge c, otherwise hold", "R: unless c within 8 charge j", "R: do not charge c",
		"R: never charge c", "R: hold, fire at j if bases > 3; face west", "R should not charge c"};
	static const char spoil[] = "x aeo,;n.\n(";
	struct fixture f = setup();
	struct orders_context ctx = context(&f);

	(void)state;
	for (size_t i = 0; i < sizeof sheets / sizeof *sheets; i++) {
		size_t n = strlen(sheets[i]);

		for (size_t at = 3; at < n; at++) {
			for (size_t k = 0; k < sizeof spoil; k++) {
				char text[120];
				struct sheet *sheet;

				if (k == sizeof spoil - 1) /* dropped */
					snprintf(text, sizeof text, "%.*s%s", (int)at, sheets[i], sheets[i] + at + 1);
				else
					snprintf(text, sizeof text, "%.*s%c%s", (int)at, sheets[i], spoil[k],
						sheets[i] + at + 1);
				sheet = orders_read(f.mem, text, strlen(text), &ctx);
				for (int o = 0; o < sheet->order_count; o++)
					for (const struct clause *c = sheet->orders[o].clauses; c; c = c->next)
						if (c->kind == CLAUSE_CHARGE && sheet->problem_count == 0)
							fail_msg("%s: an order without its condition", text);
				talloc_free(sheet);
			}
		}
	}
	talloc_free(f.mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vocabulary),
		cmocka_unit_test(test_spoilt_letters),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_canonical_sheet),
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_accept),
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_ownership),
		cmocka_unit_test(test_sheet_lines),
		cmocka_unit_test(test_referee),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_linear),
		cmocka_unit_test(test_mutations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
