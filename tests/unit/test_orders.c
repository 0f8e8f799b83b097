/* orders: merging of mails, what is accepted, whose units they are, the sheet that comes back. */
#include "orders_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static char *merged(struct fixture *f, const char *const *mails, const int *turns, int count, int unit)
{
	struct orders_context ctx = context(f);
	struct sheet_in_force in_force[8];
	struct orderbook *book = orderbook_new(f->mem, f->s);
	char *text;

	for (int i = 0; i < count; i++)
		in_force[i] = (struct sheet_in_force){
			orders_read(f->mem, mails[i], strlen(mails[i]), &ctx), turns[i], i, 0, false};
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
	/* by whatever name: ranks count within a mail only; everyone else is whoever no order names, earlier ones too
	 */
	merge_is(&f, "R: move 4 north; fire at j", "right wing: fire at h", 3, "fire h");
	merge_is(&f, "R: charge j", "all: hold", 3, "hold");
	merge_is(&f, "R: charge j", "N: hold\neveryone else: hold", 3, "charge j");
	merge_is(&f, "all: charge j", "N: hold\neveryone else: retire 2", 3, "move 2 back");
	merge_is(&f, "", "everyone else except R: hold", 3, "");
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
	/* which of them stands does not hang on which was written first */
	merge_is(&f, "", "right wing: hold\nR: charge j", 3, "charge j");
	merge_is(&f, "", "all: advance 2\nright wing: hold\nR: charge j", 3, "move 2 forward; charge j");
	merge_is(&f, "", "R: charge j\nright wing: hold\nall: advance 2", 3, "charge j; move 2 forward");
	merge_is(&f, "", "R: hold\nall: charge nearest", 3, "hold");
	merge_is(&f, "", "all: if j within 8 then hold fire, otherwise advance 6\nR: fire at h", 3,
		"if not j within 8 then move 6 forward; fire h");
	merge_is(&f, "", "R: fire at h\nall: if j within 8 then hold fire, otherwise advance 6", 3,
		"fire h; if not j within 8 then move 6 forward");
	merge_is(&f, "", "R: advance 2\nright wing: fire at j\ncancel R\nall: advance 1", 3, "move 1 forward");
	/* a charge that is forbidden is taken back, and nothing else with it */
	merge_is(&f, "", "foot: charge nearest\nR: don't charge", 3, "");
	merge_is(&f, "", "R: don't charge\nfoot: charge nearest; face north", 3, "face north");
	merge_is(&f, "", "R: don't charge\nR: charge j", 3, "charge j");
	merge_is(&f, "R: charge j; move 4 north", "R: won't charge j", 3, "move 4 north");
	merge_is(&f, "R: charge j", "R: no charge", 3, "");
	merge_is(&f, "R: charge j", "R: don't charge h", 3, "charge j");
	merge_is(&f, "R: charge j", "right wing and N: never charge", 3, "");
	merge_is(&f, "standing R: charge j; fire j", "R: do not charge", 2, "fire j");
	merge_is(&f, "R: don't charge", "R: charge j", 3, "charge j");
	merge_is(&f, "R: if j within 6 then charge j, otherwise move 2 back", "R: don't charge", 3,
		"if not j within 6 then move 2 back");
	merge_is(&f, "", "R: charge any\nR: don't charge j", 3, "");
	merge_is(&f, "", "R: don't charge j; charge h", 3, "charge h");
	/* of conditional clauses of one kind within one order all stay, in their order */
	merge_is(&f, "", "R: if j within 6 then hold; if h within 6 then move 2 back", 3,
		"if j within 6 then hold; if h within 6 then move 2 back");
	/* a piece that is gone */
	f.s->units[0].bases = 0;
	merge_is(&f, "standing R: fire at j", "", 2, "");
	talloc_free(f.mem);
}

/* What is said of two mails for turn 3, numbers 10 and 11, of one player or of two (1 and 2). */
static struct merge_notes notes_of_two(struct fixture *f, bool partners, const char *first, const char *second)
{
	const char *texts[] = {first, second};
	struct orders_context ctx = context(f);
	struct sheet_in_force sheets[2];
	struct merge_notes notes = {0};

	for (int i = 0; i < 2; i++)
		sheets[i] = (struct sheet_in_force){
			orders_read(f->mem, texts[i], strlen(texts[i]), &ctx), 3, 10 + i, partners ? 1 + i : 1, i == 0};
	orders_merge(f->mem, orderbook_new(f->mem, f->s), f->s, SIDE_GOVERNMENT, sheets, 2, 3, &notes);
	return notes;
}

static struct merge_notes notes_of(struct fixture *f, const char *first, const char *second)
{
	return notes_of_two(f, false, first, second);
}

/* What is said of a mail: each order once, for all its pieces. */
static void test_merge_notes(void **state)
{
	static const char *const texts[] = {
		"R: hold\nR: face west\nR: advance 4\nN: charge j\n", "right wing, N: face north\nall: advance 1\n"};
	struct fixture f = setup();
	struct merge_notes notes = notes_of(&f, texts[0], texts[1]);

	(void)state;
	assert_int_equal(notes.count, 4);
	assert_int_equal(notes.list[0].mail, 10);
	assert_int_equal(notes.list[0].line, 3);
	assert_string_equal(notes.list[0].text, "Barrell's (R): ordered twice; the later line stands.");
	assert_int_equal(notes.list[1].mail, 11);
	assert_string_equal(notes.list[1].text, "Munro's (N): `charge j` of your earlier mail no longer counts: a new "
						"order replaces the old one whole. "
						"To keep it, write both in one line.");
	assert_string_equal(notes.list[2].text, "Barrell's (R): what an earlier mail ordered is replaced by this one.");
	assert_int_equal(notes.list[3].line, 2);
	assert_string_equal(notes.list[3].text,
		"Munro's (N): its own line turns it and does not say where it goes, so the line for all counts for it "
		"too. Add `hold` to its own line if it is to stay where it is.");
	talloc_free(f.mem);
}

/* Half an order mended takes the place of the whole. Nothing is lost of what the new order has, too, nor of a hold; and
 * nothing is said of it once the turn is under way. */
static void test_half_order_replaces_whole(void **state)
{
	struct fixture f = setup();
	struct merge_notes notes = notes_of(&f, "R: advance 4; fire at j; face west", "R: fire at nearest");

	(void)state;
	assert_int_equal(notes.count, 1);
	assert_string_equal(notes.list[0].text, "Barrell's (R): `move 4 forward; face west` of your earlier mail no "
						"longer counts: a new order replaces "
						"the old one whole. To keep it, write both in one line.");
	notes = notes_of(&f, "R, N: advance 4\nA: advance 2", "R, N, A: fire at nearest");
	assert_int_equal(notes.count, 2);
	assert_string_equal(notes.list[0].text,
		"Barrell's (R), Munro's (N): `move 4 forward` of your earlier mail no longer counts: a new order "
		"replaces the old one whole. To keep it, write both in one line.");
	assert_int_equal(notes_of(&f, "R: hold", "R: fire at nearest").count, 0);
	assert_int_equal(notes_of(&f, "R: advance 4", "R: advance 2; fire at j").count, 0);
	assert_int_equal(notes_of(&f, "R: advance 4", "R: don't charge").count, 0);
	f.s->next_phase = 1;
	assert_int_equal(notes_of(&f, "R: advance 4", "R: fire at nearest").count, 0);
	talloc_free(f.mem);
}

/* A line for a group that orders once more what is in force replaces nothing. */
static void test_same_order_again(void **state)
{
	static const char *const texts[] = {
		"R: advance 2; fire at j\nA: advance 2\n", "foot: advance 2\nR: fire at j\n"};
	struct fixture f = setup();
	struct merge_notes notes = notes_of(&f, texts[0], texts[1]);

	(void)state;
	assert_int_equal(notes.count, 0);
	notes = notes_of(&f, texts[0], "foot: advance 3\n");
	assert_int_equal(notes.count, 1);
	assert_string_equal(notes.list[0].text,
		"Barrell's (R), Hamilton's (A): what an earlier mail ordered is replaced by this one.");
	talloc_free(f.mem);
}

/* A partner hears of what has become other than he ordered, and of nothing else. */
static void test_partner_orders_the_same(void **state)
{
	struct fixture f = setup();
	struct merge_notes notes =
		notes_of_two(&f, true, "R: advance 2; fire at j\nA: hold\n", "R: fire at j\nA: hold\nR: advance 3\n");

	(void)state;
	assert_int_equal(notes.count, 1);
	assert_int_equal(notes.list[0].partner, 1);
	assert_string_equal(notes.list[0].pieces, "Barrell's (R)");
	assert_int_equal(notes_of_two(&f, true, "R: advance 2\n", "foot: advance 2\n").count, 0);
	assert_int_equal(notes_of_two(&f, true, "R: advance 2\n", "foot: advance 3\n").count, 1);
	talloc_free(f.mem);
}

/* Which order stands, in words that are true of the case. */
static void test_notes_of_rank(void **state)
{
	static const char text[] = "R, N: advance 2\nfoot: advance 1\nall: advance 4\n", back[] = "A: hold\n",
			  typed[] = "A: advance 3\n";
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	struct sheet_in_force one = {orders_read(f.mem, text, strlen(text), &ctx), 3, 0, 0, false};
	struct merge_notes notes = {0};
	struct orderbook *book = orderbook_new(f.mem, f.s);

	(void)state;
	orders_merge(f.mem, book, f.s, SIDE_GOVERNMENT, &one, 1, 3, &notes);
	assert_int_equal(notes.count, 3);
	assert_string_equal(notes.list[0].text,
		"Barrell's (R), Munro's (N): its own order stands; the line for foot does not change it.");
	assert_string_equal(notes.list[1].text,
		"Barrell's (R), Munro's (N): its own order stands; the line for all does not change it.");
	assert_string_equal(notes.list[2].text,
		"Cholmondeley's (E), Hamilton's (A): the line for its wing or kind stands; the line for all does not "
		"change it.");
	ctx.sheet = back;
	ctx.sheet_len = strlen(back);
	one.sheet = orders_read(f.mem, typed, strlen(typed), &ctx);
	notes = (struct merge_notes){0};
	orders_merge(f.mem, book, f.s, SIDE_GOVERNMENT, &one, 1, 3, &notes);
	assert_int_equal(notes.count, 1);
	assert_string_equal(notes.list[0].text,
		"Hamilton's (A): ordered twice; what you typed stands, not the line of the sheet that came back.");
	talloc_free(f.mem);
}

/* What stands and what does not are told and printed apart, so that the printed lines read back to the same. */
static void test_standing_beside(void **state)
{
	static const char text[] = "standing R: fire nearest\nR: advance 4\n";
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	struct orderbook *book = orderbook_new(f.mem, f.s);
	struct sheet_in_force one = {orders_read(f.mem, text, strlen(text), &ctx), 3, 0, 0, false};

	(void)state;
	orders_merge(f.mem, book, f.s, SIDE_GOVERNMENT, &one, 1, 3, NULL);
	assert_string_equal(orders_lines(f.mem, &book->units[0], "R", f.s, SIDE_GOVERNMENT),
		"standing R: fire nearest\nR: move 4 forward\n");
	assert_string_equal(orders_english(f.mem, &book->units[0], f.s),
		"fire at the nearest enemy; this order stands until it is changed. For this turn alone: move 4 inches "
		"forward.");
	talloc_free(f.mem);
}

/* Who gets a command point before whom. */
static void test_priority(void **state)
{
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	static const char *const texts[] = {
		"standing C: fire\nA: hold\n", "priority N, A\nA: hold\nR, N: advance\nE: hold\n", "R: hold\n"};
	struct sheet_in_force sheets[3];
	struct orderbook *book = orderbook_new(f.mem, f.s);
	const int expected[] = {
		1, 4, 2, 0, 3}; /* N, A by PRIORITY; E; R, since its order came last; C's stands from before */

	(void)state;
	for (int i = 0; i < 3; i++)
		sheets[i] = (struct sheet_in_force){
			orders_read(f.mem, texts[i], strlen(texts[i]), &ctx), i ? 3 : 2, 0, 0, false};
	orders_merge(f.mem, book, f.s, SIDE_GOVERNMENT, sheets, 3, 3, NULL);
	assert_int_equal(book->priority_count[SIDE_GOVERNMENT], 5);
	assert_memory_equal(book->priority[SIDE_GOVERNMENT], expected, sizeof expected);
	talloc_free(f.mem);
}

/* Two players of a side: a list ranks its writer's units, behind the one that came first; the later of one writer's
 * counts. */
static void test_priority_of_two(void **state)
{
	static const char *const texts[] = {
		"priority N, R\nN, R: hold\n", "priority C, A\nA, C: hold\n", "priority R, N\n"};
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	struct sheet_in_force sheets[3];
	struct orderbook *book = orderbook_new(f.mem, f.s);
	const int expected[] = {0, 1, 3, 4}; /* R, N; C, A */

	(void)state;
	for (int i = 0; i < 3; i++)
		sheets[i] = (struct sheet_in_force){
			.sheet = orders_read(f.mem, texts[i], strlen(texts[i]), &ctx), .turn = 3, .player = 1 + i % 2};
	orders_merge(f.mem, book, f.s, SIDE_GOVERNMENT, sheets, 3, 3, NULL);
	assert_int_equal(book->priority_count[SIDE_GOVERNMENT], 4);
	assert_memory_equal(book->priority[SIDE_GOVERNMENT], expected, sizeof expected);
	talloc_free(f.mem);
}

/* One of two players of a side: what he clears is his, and "all" is all of his. */
static void test_one_command_of_two(void **state)
{
	static const char *const texts[] = {
		"R: hold\nHu: join R\n", "N, E: charge j\n", "clear all\neveryone else: face north"};
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	bool mine[14] = {[0] = true, [6] = true}, his[14] = {[1] = true, [2] = true};
	bool *const may[] = {mine, his, mine};
	struct sheet_in_force sheets[3];
	struct orderbook *book = orderbook_new(f.mem, f.s);
	struct sheet *last = NULL;

	(void)state;
	for (int i = 0; i < 3; i++) {
		ctx.may_order = may[i];
		last = orders_read(f.mem, texts[i], strlen(texts[i]), &ctx);
		sheets[i] = (struct sheet_in_force){last, 3, 0, 0, false};
	}
	orders_merge(f.mem, book, f.s, SIDE_GOVERNMENT, sheets, 3, 3, NULL);
	assert_string_equal(clauses_canonical(f.mem, book->units[0].clauses, f.s, SIDE_GOVERNMENT), "face north");
	assert_string_equal(clauses_canonical(f.mem, book->units[1].clauses, f.s, SIDE_GOVERNMENT), "charge j");
	assert_string_equal(clauses_canonical(f.mem, book->units[2].clauses, f.s, SIDE_GOVERNMENT), "charge j");
	assert_null(book->units[6].clauses);
	/* of a clearing some of which a later mail has ordered already, the rest is taken back */
	orders_leave_out(last, (const bool[14]){[6] = true}, &ctx);
	assert_string_equal(orders_canonical(f.mem, last, &ctx), "cancel R\neveryone else except Hu: face north\n");
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

/* ACCEPT writes what the receipt showed: what came to light behind the first slip too, and no line with a choice. */
static void test_accept_whole_lines(void **state)
{
	static const char typed[] = "Barrell's: chrage Camerns\nR: fire at Macdonlds; advnce 4\nN: hodl";
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	struct sheet *sheet = orders_read(f.mem, typed, strlen(typed), &ctx);
	int changed;
	char *text = orders_accept(f.mem, typed, strlen(typed), sheet, &changed);

	(void)state;
	assert_int_equal(changed, 2);
	assert_string_equal(text, "Barrell's: charge Camerons\nR: fire at Macdonlds; advnce 4\nN: hold");
	assert_string_equal(sheet->problems[1].suggestion, "R: fire at c; advance 4, or R: fire at a; advance 4");
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

/* Of units of one name only his own can be meant by a player, in a name that is wrongly spelt too. */
static void test_own_of_name(void **state)
{
	static const struct {
		const char *typed, *canonical, *told;
	} cases[] = {
		{"Cobham's: advance 6", "C: move 6 forward\n", "Cobham's was read as your Cobham's (dragoons) (C)."},
		{"charge j with Cobham's", "C: charge j\n", "Cobham's was read as your Cobham's (dragoons) (C)."},
		{"R, Cobham's: hold", "C: hold\n", "Barrell's (R) is not in your command."},
		{"Cobhms: advance 6", "", "Cobhms: did you mean Cobham's (dragoons) (C)?"},
		{"priority Cobham's", "priority C\n", "Cobham's was read as your Cobham's (dragoons) (C)."},
	};
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	bool may[15] = {[3] = true};

	(void)state;
	add_unit(&f, SIDE_GOVERNMENT, KIND_HORSE, "L", "COBR", "Cobham's (right)", "Right");
	ctx.may_order = may;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sheet *s = orders_read(f.mem, cases[i].typed, strlen(cases[i].typed), &ctx);
		bool told = false;

		assert_string_equal(orders_canonical(f.mem, s, &ctx), cases[i].canonical);
		for (int k = 0; k < s->note_count; k++)
			told |= strcmp(s->notes[k].text, cases[i].told) == 0;
		for (int k = 0; k < s->problem_count; k++)
			told |= strstr(s->problems[k].message, cases[i].told) != NULL;
		if (!told)
			fail_msg("%s: told %s", cases[i].typed, s->problem_count ? s->problems[0].message : "nothing");
	}
	may[14] = true; /* both are his: which of them is asked */
	assert_int_equal(orders_read(f.mem, cases[0].typed, strlen(cases[0].typed), &ctx)->problem_count, 1);
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
	assert_string_equal(lines, "R  Barrell's: move 4 north\n\nN: hold\n");
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

/* What is typed on the line under a printed name is for that unit, and for none further up. */
static void test_under_a_printed_name(void **state)
{
	static const char printed[] = "A Hamilton's:\nR Barrell's:\nN Munro's: advance 2;\n    face west\n";
	static const struct {
		const char *typed, *read;
	} sheets[] = {
		{"> A Hamilton's: advance 2\n> R Barrell's:\n> charge nearest\n> N Munro's: advance 2;\n>    face "
		 "west\n",
			"A: move 2 forward\nR: charge nearest\n"},
		{"> A Hamilton's:\n> R Barrell's:\n>\n> charge nearest\nfire at j\n> N Munro's: advance 2;\n",
			"R: charge nearest; fire j\n"},
		{"> A Hamilton's: advance 2\n> N Munro's: advance 2;\n>   face west\ncharge j\n",
			"A: move 2 forward\nN: move 2 forward, face west; charge j\n"},
		{"> A Hamilton's: advance 2\n> R Barrell's:\n> N: hold\n> Thank you\n", "A: move 2 forward\nN: hold\n"},
	};
	struct fixture f = setup();
	struct orders_context ctx = context(&f);

	(void)state;
	for (size_t i = 0; i < sizeof sheets / sizeof *sheets; i++) {
		char *quoted = talloc_asprintf(f.mem, "> --- ORDERS x turn 3 ---\n%s> --- END ---\n", sheets[i].typed);
		struct orders_context whole = ctx;

		whole.sheet = orders_sheet_lines(f.mem, quoted, strlen(quoted), printed, &ctx);
		whole.sheet_len = strlen(whole.sheet);
		assert_string_equal(orders_canonical(f.mem, orders_read(f.mem, "", 0, &whole), &whole), sheets[i].read);
	}
	talloc_free(f.mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_merge_notes),
		cmocka_unit_test(test_half_order_replaces_whole),
		cmocka_unit_test(test_same_order_again),
		cmocka_unit_test(test_partner_orders_the_same),
		cmocka_unit_test(test_notes_of_rank),
		cmocka_unit_test(test_standing_beside),
		cmocka_unit_test(test_priority),
		cmocka_unit_test(test_priority_of_two),
		cmocka_unit_test(test_one_command_of_two),
		cmocka_unit_test(test_accept),
		cmocka_unit_test(test_accept_whole_lines),
		cmocka_unit_test(test_ownership),
		cmocka_unit_test(test_own_of_name),
		cmocka_unit_test(test_sheet_lines),
		cmocka_unit_test(test_under_a_printed_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
