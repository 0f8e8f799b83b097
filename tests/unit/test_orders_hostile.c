/* orders: hostile text neither crashes the reader nor is read as what it is not. */
#include "orders/vocabulary.h"
#include "orders_fixture.h"
#include "orders_merged.h"
#include "orders_pieces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

/* Whatever was understood of `text` is printed, and read back to the same. */
static void read_again(TALLOC_CTX *mem, const struct sheet *sheet, const struct orders_context *ctx, const char *text)
{
	char *once = orders_canonical(mem, sheet, ctx);
	struct sheet *again = orders_read(mem, once, strlen(once), ctx);
	char *twice = orders_canonical(mem, again, ctx);

	if (again->problem_count || strcmp(once, twice) != 0 ||
		strcmp(merged_text(mem, orders_as_printed(mem, sheet), ctx), merged_text(mem, again, ctx)) != 0)
		fail_msg("typed <%.200s>\nonce <%.400s>\ntwice <%.400s> %s", text, once, twice,
			again->problem_count ? again->problems[0].message : "");
}

/* The largest text of one piece over and over, alone or as an order: what was understood of it reads back the same.
 * (What it costs is a row of `make bench`.) */
static void test_repeated(void **state)
{
	struct fixture f = setup();
	struct orders_context ctx = context(&f);

	(void)state;
	for (size_t i = 0; i < 2 * PIECES; i++) {
		const char *piece = pieces[i / 2];
		TALLOC_CTX *mem = talloc_new(f.mem);
		size_t bytes = strchr(piece, '\n') ? strlen(piece) * 1990 : SHEET_BYTES_MAX;
		char *text = repeat(mem, i % 2 ? "R: " : "", piece, bytes);
		const struct sheet *sheet = orders_read(mem, text, bytes, &ctx);

		assert_false(sheet->refused);
		assert_in_range(sheet->order_count, 0, SHEET_ORDERS_MAX);
		read_again(mem, sheet, &ctx, text);
		talloc_free(mem);
	}
	talloc_free(f.mem);
}

/* Names that are kept from sheet to sheet know no more words for the thousands that others have written, and what was
 * read before stays. */
static void test_names_kept(void **state)
{
	struct fixture f = setup();
	struct orders_context ctx = context(&f);
	const char *text = "Barrell's: advance 4, fire at Camerons\nR: chrge c\n";
	TALLOC_CTX *sheets = talloc_new(f.mem);
	struct sheet *first, *again;
	size_t begun, grown = 0;

	(void)state;
	ctx.names = orders_names(f.mem, f.s);
	first = orders_read(sheets, text, strlen(text), &ctx);
	begun = talloc_total_size(ctx.names);
	for (int i = 0; i < 20; i++) {
		char *other = talloc_strdup(sheets, "");

		for (int k = 0; k < 1000; k++)
			other = talloc_asprintf_append_buffer(other, "w%dx%d ", i, k);
		orders_read(sheets, other, strlen(other), &ctx);
		if (i < 4 && talloc_total_size(ctx.names) > grown)
			grown = talloc_total_size(ctx.names);
	}
	assert_true(begun < grown);
	assert_true(talloc_total_size(ctx.names) <= grown);
	again = orders_read(sheets, text, strlen(text), &ctx);
	assert_string_equal(orders_canonical(sheets, again, &ctx), "R: move 4 forward; fire j\n");
	assert_string_equal(orders_canonical(sheets, first, &ctx), orders_canonical(sheets, again, &ctx));
	assert_int_equal(first->problem_count, 1);
	assert_string_equal(first->problems[0].message, again->problems[0].message);
	assert_string_equal(first->problems[0].suggestion, again->problems[0].suggestion);
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

	(void)state;
	for (int i = 0; i < 10000; i++) {
		TALLOC_CTX *mem = talloc_new(f.mem);
		char *text = talloc_strdup(mem, "");
		int n = 1 + below(&r, 40), changed;
		struct sheet *sheet;

		for (int k = 0; k < n; k++)
			text = talloc_asprintf_append_buffer(text, "%s%s",
				words[below(&r, (int)(sizeof words / sizeof *words))], below(&r, 8) ? " " : "");
		ctx.referee = i % 2;
		sheet = orders_read(mem, text, strlen(text), &ctx);
		if (!sheet->refused)
			read_again(mem, sheet, &ctx, text);
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
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_repeated),
		cmocka_unit_test(test_names_kept),
		cmocka_unit_test(test_mutations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
