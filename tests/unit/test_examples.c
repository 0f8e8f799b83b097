/* service/examples: what mails tell pupils to write is understood whole, and the examples of a moment can be done. */
#include "game_fixture.h"

#include "base/buf.h"
#include "report/forecast.h"
#include "service/examples.h"

static const char *value_of(const struct values *v, const char *name)
{
	for (int i = 0; i < v->count; i++)
		if (strcmp(v->list[i].name, name) == 0)
			return v->list[i].text;
	fail_msg("no value %s", name);
	return "";
}

/* The indented lines of a page. */
static char *shown_lines(TALLOC_CTX *mem, const char *page)
{
	struct buf *out = buf_new(mem);

	for (const char *line = page; *line != '\0'; line += strcspn(line, "\n") + 1)
		if (strncmp(line, "    ", 4) == 0)
			buf_printf(out, "%.*s\n", (int)strcspn(line, "\n"), line);
	return out->data;
}

static struct sheet *understood(TALLOC_CTX *mem, const struct board *b, const struct player *p, const char *lines)
{
	struct orders_context context = board_context(mem, b, p);
	struct sheet *sheet = orders_read(mem, lines, strlen(lines), &context);

	if (sheet->problem_count > 0)
		fail_msg("%s: %s", sheet->problems[0].typed, sheet->problems[0].message);
	assert_int_equal(sheet->set_aside_count, 0);
	return sheet;
}

/* All that the page says a line may hold, for either side and under either rule set. */
static void test_the_menu_is_understood(void **state)
{
	const char *rules[] = {"fastplay", "shreds"};

	(void)state;
	for (int k = 0; k < 2; k++) {
		struct played *t = played_under(rules[k], "");
		struct board *b;

		expect_ok(board_load(t->s, t, t->game, &b));
		for (int seat = 0; seat < 2; seat++) {
			const struct player *p = &t->players.list[seat];
			struct values v = {.count = 0};
			char *lines;
			struct sheet *sheet;

			expect_ok(put_menu(t, b, p, &v));
			lines = shown_lines(t, value_of(&v, "menu"));
			sheet = understood(t, b, p, lines);
			/* Of those who command the units only the Jacobites have columns. */
			assert_int_equal(sheet->order_count, k == 0 ? 16 : p->role[0] == 'J' ? 18 : 17);
			assert_int_equal(sheet->priority_count, k == 0 ? 0 : 1);
			for (const char *line = lines; *line != '\0'; line += strcspn(line, "\n") + 1)
				assert_in_range(strcspn(line, "\n"), 1, LETTER_COLUMNS);
		}
		played_end(t);
	}
}

static int troubles(TALLOC_CTX *mem, const struct board *b, const struct player *p, const char *line)
{
	struct sheet_in_force one = {.sheet = understood(mem, b, p, line), .turn = b->game->turn};
	struct orderbook *book = orderbook_new(mem, b->state);
	bool *named = talloc_zero_array(mem, bool, (unsigned)b->state->count);
	enum side side = (enum side)player_side(p);

	orders_mark_named(one.sheet, named);
	orders_merge(mem, book, b->state, side, &one, 1, b->game->turn, NULL);
	return forecast_troubles(b->rules->foresee(mem, b->sc, b->state, side, book), named);
}

static void put_forward(struct state *now, const char *code, int inches)
{
	struct unit *u = &now->units[state_find_code(now, code, -1)];

	u->box = geo_shift(u->box, u->box.facing, INCH(inches));
}

static const char *examples_now(struct played *t, const struct board *b, int seat, const char **fighting)
{
	struct values v = {.count = 0};
	const char *text;

	put_examples(t, b, &t->players.list[seat], &v);
	text = value_of(&v, "examples");
	*fighting = value_of(&v, "fighting");
	for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1)
		assert_int_equal(
			troubles(t, b, &t->players.list[seat], talloc_strndup(t, line, strcspn(line, "\n"))), 0);
	return text;
}

/* A charge is shown only within reach, a shot only within range and at nobody in melee. */
static void test_examples_fit_the_moment(void **state)
{
	struct played *t = played_new("");
	const char *fighting;
	struct board *b;
	struct state *now;

	(void)state;
	expect_ok(board_load(t->s, t, t->game, &b));
	b->state = now = state_copy(t, b->state);
	assert_string_equal(examples_now(t, b, 0, &fighting), "    D: move 4 north\n"
							      "    Hamilton's (dragoons): advance 6\n"
							      "    Li: join B\n");
	assert_string_equal(fighting, "");
	/* From 21" the Frasers come 10" nearer: Wolfe's would be 7" away from them, and nobody may charge yet. */
	put_forward(now, "f", 10);
	assert_string_equal(examples_now(t, b, 0, &fighting), "    D: move 4 north; fire at Frasers\n"
							      "    Cobham's (dragoons): advance 6\n"
							      "    Ch: join E\n");
	/* At 4" there is room for no such move, but for a charge. */
	put_forward(now, "f", 7);
	assert_string_equal(examples_now(t, b, 0, &fighting), "    D: fire at Frasers\n"
							      "    Cobham's (dragoons): charge f\n"
							      "    Ch: join E\n");
	/* Once these two fight nobody shoots at the Frasers. */
	state_lock(now, (struct lock){.charger = (int16_t)state_find_code(b->state, "f", -1),
				.charged = (int16_t)state_find_code(b->state, "D", -1)});
	assert_null(strstr(examples_now(t, b, 0, &fighting), "fire at Frasers"));
	assert_string_equal(fighting, "D is in melee: it fights on by itself and needs no line.");
	assert_null(strstr(examples_now(t, b, 1, &fighting), "f:"));
	played_end(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_menu_is_understood),
		cmocka_unit_test(test_examples_fit_the_moment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
