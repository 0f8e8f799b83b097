/* Rows for table.py (there it says what stands in them). What the pure part of a turn costs: reading orders, beside
 * SQLite's reading of as much SQL; a turn of Falkirk in which every unit has orders, with what both sides are told of
 * it; a receipt; dice. */
#include "base/buf.h"
#include "base/dice.h"
#include "mail/compose.h"
#include "orders/merge.h"
#include "report/chronicle.h"
#include "report/html.h"
#include "report/map.h"
#include "report/readback.h"
#include "report/result.h"
#include "report/roster.h"
#include "report/sheet.h"
#include "report/template.h"
#include "rules/ruleset.h"
#include "service/battles.h"

#include "../unit/orders_pieces.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 9, READINGS = 300, TURNS = 20, RECEIPTS = 50, STREAMS = 20000, DICE_EACH = 12 };

/* Of the processor's time, since others may run in between. */
static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *list)
{
	qsort(list, ROUNDS, sizeof *list, by_size);
	return list[ROUNDS / 2];
}

/* Orders for every piece of the side that is on the table, as pupils write them. */
static char *write_orders(TALLOC_CTX *mem, const struct state *s, enum side side)
{
	static const char *const ways[] = {
		"advance 3; fire at the nearest enemy",
		"move 2 north-east; face north",
		"if the enemy comes within 4 inches then fire else hold",
		"wheel right 30; advance 2",
		"fire; hold",
	};
	struct buf *b = buf_new(mem);
	size_t way = 0;

	for (int i = 0; i < s->count; i++)
		if (s->units[i].side == side && unit_alive(&s->units[i]))
			buf_printf(b, "%s: %s\n", s->units[i].code,
				s->units[i].kind == KIND_COMMANDER ? "hold"
				: s->units[i].kind == KIND_GUN     ? "fire at the nearest enemy"
								   : ways[way++ % (sizeof ways / sizeof *ways)]);
	return buf_steal(mem, b);
}

static const char *const tables[] = {
	"CREATE TABLE units (id INTEGER PRIMARY KEY, code TEXT, side INTEGER, x INTEGER, y INTEGER, facing INTEGER)",
	"CREATE TABLE orders (unit INTEGER, turn INTEGER, kind TEXT, inches INTEGER, target TEXT, standing INTEGER)",
};

/* As much SQL as there are orders: statements such as an adjudicator might be given instead. */
static char *write_sql(TALLOC_CTX *mem, size_t len)
{
	struct buf *b = buf_new(mem);

	for (int i = 0; b->len < len; i++) {
		if (i % 3 == 0)
			buf_printf(b, "UPDATE units SET x = x + %d, y = y - 2 WHERE code = 'A%d';\n", i, i);
		else if (i % 3 == 1)
			buf_printf(b, "INSERT INTO orders VALUES (%d, 3, 'move', 4, 'j', 0);\n", i);
		else
			buf_printf(b, "SELECT code, x, y FROM units WHERE side = 1 AND x > %d;\n", i);
	}
	return buf_steal(mem, b);
}

static void prepare_all(sqlite3 *db, const char *sql)
{
	while (*sql != '\0' && *sql != '\n') {
		sqlite3_stmt *statement;

		if (sqlite3_prepare_v2(db, sql, -1, &statement, &sql) != SQLITE_OK) {
			fprintf(stderr, "bench: %s\n", sqlite3_errmsg(db));
			exit(1);
		}
		sqlite3_finalize(statement);
		while (*sql == '\n')
			sql++;
	}
}

/* Megabytes a second. */
static double read_often(const char *orders, const struct orders_context *context)
{
	double begun = now();

	for (int i = 0; i < READINGS; i++)
		talloc_free(orders_read(NULL, orders, strlen(orders), context));
	return READINGS * (double)strlen(orders) / (now() - begun) / 1e6;
}

static double prepare_often(sqlite3 *db, const char *sql)
{
	double begun = now();

	for (int i = 0; i < READINGS; i++)
		prepare_all(db, sql);
	return READINGS * (double)strlen(sql) / (now() - begun) / 1e6;
}

/* In a battle of which sheets were read before, as SQLite has its tables' names already; and in one that is new. */
static void bench_reading(const struct scenario *sc)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct orders_context first = {.state = sc->state, .table = &sc->table, .side = SIDE_GOVERNMENT},
			      further = first;
	char *orders = write_orders(mem, sc->state, SIDE_GOVERNMENT), *sql = write_sql(mem, strlen(orders));
	double ours[ROUNDS], firsts[ROUNDS], theirs[ROUNDS], ratio[ROUNDS];
	struct sheet *sheet = orders_read(mem, orders, strlen(orders), &first);
	sqlite3 *db;

	further.names = orders_names(mem, sc->state);
	if (sheet->problem_count > 0)
		fprintf(stderr, "bench: %d problems in its own orders:\n%s", sheet->problem_count, orders);
	sqlite3_open(":memory:", &db);
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		sqlite3_exec(db, tables[i], NULL, NULL, NULL);
	for (int round = 0; round < ROUNDS; round++) {
		ours[round] = read_often(orders, &further);
		theirs[round] = prepare_often(db, sql);
		firsts[round] = read_often(orders, &first);
		ratio[round] = ours[round] / theirs[round];
	}
	printf("reading order sheets,%.2f,MB/s,SQLite preparing as much SQL,%.2f,%.2f,at least 1\n", median(ours),
		median(theirs), median(ratio));
	printf("reading a battle's first order sheet,%.2f,MB/s,,,,\n", median(firsts));
	sqlite3_close(db);
	talloc_free(mem);
}

/* The least that reading it once costs, in nanoseconds a byte. */
static double cost(const struct orders_context *context, const char *before, const char *piece, size_t bytes)
{
	double least = 0;

	for (int round = 0; round < 3; round++) {
		TALLOC_CTX *mem = talloc_new(NULL);
		char *text = repeat(mem, before, piece, bytes);
		double begun = now(), took;

		orders_read(mem, text, bytes, context);
		took = (now() - begun) * 1e9 / (double)bytes;
		least = least == 0 || took < least ? took : least;
		talloc_free(mem);
	}
	return least;
}

/* Text of one piece over and over, as much as a sheet may hold: of that which costs most. */
static void bench_repeated(const struct scenario *sc)
{
	struct orders_context context = {.state = sc->state, .table = &sc->table, .side = SIDE_GOVERNMENT};
	double worst = 0, shorter;
	size_t which = 0;

	for (size_t i = 0; i < 2 * PIECES; i++) {
		double took = strchr(pieces[i / 2], '\n') != NULL /* of lines there may be few */
				      ? 0
				      : cost(&context, i % 2 ? "R: " : "", pieces[i / 2], SHEET_BYTES_MAX);

		if (took > worst) {
			worst = took;
			which = i;
		}
	}
	shorter = cost(&context, which % 2 ? "R: " : "", pieces[which / 2], SHEET_BYTES_MAX / 8);
	printf("reading 64 KiB of the worst piece over and over,%.0f,ns a byte,8 KiB of it,%.0f,%.2f,1: linear\n",
		worst, shorter, worst / shorter);
}

static void write_report(TALLOC_CTX *mem, const struct scenario *sc, const struct chronicle *words,
	const struct state *after, const struct events *events, int side)
{
	char *legend;

	result_text(mem, sc, sc->state, after, events, side);
	map_with_key(mem, sc, after, NULL, &legend);
	roster_both(mem, sc, after, side);
	for (int i = 0; i < events->count; i++)
		chronicle_sentence(mem, words, sc, after, events->list[i]);
}

static void bench_turn(const struct scenario *sc, const struct ruleset *rules, const struct chronicle *words)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct orders_context context = {.state = sc->state, .table = &sc->table, .shreds = rules->command_points};
	struct orderbook *book = orderbook_new(mem, sc->state);
	double turns[ROUNDS], reports[ROUNDS];
	struct dice dice;

	dice_from_number(&dice, 1746);
	for (int side = SIDE_GOVERNMENT; side <= SIDE_JACOBITE; side++) {
		char *text = write_orders(mem, sc->state, (enum side)side);
		struct sheet_in_force in_force = {.turn = sc->state->turn};

		context.side = (enum side)side;
		in_force.sheet = orders_read(mem, text, strlen(text), &context);
		orders_merge(mem, book, sc->state, (enum side)side, &in_force, 1, sc->state->turn, NULL);
	}
	for (int round = 0; round < ROUNDS; round++) {
		double begun = now();

		turns[round] = reports[round] = 0;
		for (int i = 0; i < TURNS; i++) {
			TALLOC_CTX *one = talloc_new(mem);
			struct events *events = events_new(one);
			struct state *after;

			begun = now();
			after = resolve_turn(one, rules, sc, sc->state, book, NULL, &dice, events);
			turns[round] += now() - begun;
			begun = now();
			for (int side = SIDE_GOVERNMENT; side <= SIDE_JACOBITE; side++)
				write_report(one, sc, words, after, events, side);
			reports[round] += now() - begun;
			talloc_free(one);
		}
	}
	printf("%s: a turn of Falkirk with orders for all,%.2f,ms,,,,under %d\n", rules->name,
		median(turns) / TURNS * 1e3, rules->command_points ? 2 : 1);
	printf("%s: map and chronicle and roster for both,%.2f,ms,,,,\n", rules->name, median(reports) / TURNS * 1e3);
	talloc_free(mem);
}

/* What a mail of orders for all of a side is answered with, to the bytes that are sent. */
static void write_receipt(TALLOC_CTX *mem, const struct scenario *sc, const struct ruleset *rules,
	const struct orderbook *book, const bool *all)
{
	static const char page[] = "Subject: Orders\n\n{{orders}}\n\n{{map}}\n\n{{legend}}\n\n{{sheet}}\n";
	struct plan *plan = rules->foresee(mem, sc, sc->state, SIDE_GOVERNMENT, book);
	char *legend, *lines, *map = map_with_key(mem, sc, sc->state, plan, &legend);
	struct value values[] = {
		{"orders", readback_text(mem, sc, sc->state, book, plan, SIDE_GOVERNMENT, all)},
		{"map", map},
		{"legend", legend},
		{"sheet", sheet_print(mem, sc->state, SIDE_GOVERNMENT, NULL, book, "bench", 1, &lines)},
	};
	struct mail m = {
		.from_address = "game@school.test", .to_address = "anna@school.test", .message_id = "<1@school.test>"};
	struct template *template;
	struct letter letter;
	char *bytes;
	size_t len;
	struct err *e = template_read(mem, "page", page, &template);

	if (e == NULL)
		e = template_fill(mem, template, values, sizeof values / sizeof *values, &letter);
	if (e == NULL) {
		m.subject = letter.subject;
		m.text = letter.text;
		m.html = html_page(mem, letter.text, sc->state);
		e = mail_compose(mem, &m, &bytes, &len);
	}
	if (e != NULL)
		fprintf(stderr, "bench: %s\n", e->what);
}

static void bench_receipt(const struct scenario *sc, const struct ruleset *rules)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct orders_context context = {.state = sc->state, .table = &sc->table, .shreds = rules->command_points};
	char *text = write_orders(mem, sc->state, SIDE_GOVERNMENT);
	struct sheet_in_force in_force = {
		.sheet = orders_read(mem, text, strlen(text), &context), .turn = sc->state->turn};
	struct orderbook *book = orderbook_new(mem, sc->state);
	bool *all = talloc_array(mem, bool, (unsigned)sc->state->count);
	double took[ROUNDS];

	orders_merge(mem, book, sc->state, SIDE_GOVERNMENT, &in_force, 1, sc->state->turn, NULL);
	for (int i = 0; i < sc->state->count; i++)
		all[i] = sc->state->units[i].side == SIDE_GOVERNMENT;
	for (int round = 0; round < ROUNDS; round++) {
		double begun = now();

		for (int i = 0; i < RECEIPTS; i++) {
			TALLOC_CTX *one = talloc_new(mem);

			write_receipt(one, sc, rules, book, all);
			talloc_free(one);
		}
		took[round] = now() - begun;
	}
	printf("%s: a receipt of orders for all of a side,%.2f,ms,,,,\n", rules->name, median(took) / RECEIPTS * 1e3);
	talloc_free(mem);
}

/* Both armies go at each other for ten turns. */
static void bench_battle(const struct scenario *sc, const struct ruleset *rules)
{
	static const char *const text[SIDES] = {
		"standing all: advance 3; charge nearest if within 4\n", "standing all: advance; charge nearest\n"};
	enum { BATTLES = 10, TURNS_MAX = 10 };
	TALLOC_CTX *mem = talloc_new(NULL);
	struct sheet_in_force sheets[SIDES];
	double whole[ROUNDS], worst[ROUNDS];
	struct dice dice;

	for (int side = 0; side < SIDES; side++) {
		struct orders_context context = {.state = sc->state,
			.table = &sc->table,
			.side = (enum side)side,
			.shreds = rules->command_points};

		sheets[side] = (struct sheet_in_force){
			.sheet = orders_read(mem, text[side], strlen(text[side]), &context), .turn = 1};
	}
	for (int round = 0; round < ROUNDS; round++) {
		double begun = now();

		worst[round] = 0;
		for (int i = 0; i < BATTLES; i++) {
			TALLOC_CTX *one = talloc_new(mem);
			struct state *s = sc->state;

			dice_from_number(&dice, (uint64_t)i + 1);
			while (s->winner == WINNER_OPEN && s->turn <= TURNS_MAX) {
				struct orderbook *book = orderbook_new(one, s);
				double turn = now();

				for (int side = 0; side < SIDES; side++)
					orders_merge(one, book, s, (enum side)side, &sheets[side], 1, s->turn, NULL);
				s = resolve_turn(one, rules, sc, s, book, NULL, &dice, events_new(one));
				turn = now() - turn;
				worst[round] = turn > worst[round] ? turn : worst[round];
			}
			talloc_free(one);
		}
		whole[round] = BATTLES / (now() - begun);
	}
	printf("%s: battles of ten turns,%.0f,a second,,,,\n", rules->name, median(whole));
	printf("%s: the longest of their turns,%.2f,ms,,,,\n", rules->name, median(worst) * 1e3);
	talloc_free(mem);
}

static void bench_dice(void)
{
	double rolled[ROUNDS];
	int values[DICE_EACH];
	struct dice dice;

	dice_from_number(&dice, 1746);
	for (int round = 0; round < ROUNDS; round++) {
		double begun = now();

		for (int i = 0; i < STREAMS; i++) {
			char stream[32];

			snprintf(stream, sizeof stream, "T%d.shoot.B.shoot.1", i);
			dice_rolls(&dice, stream, 6, DICE_EACH, values);
		}
		rolled[round] = STREAMS * (double)DICE_EACH / (now() - begun);
	}
	printf("dice (%d to a name),%.1f,million a second,,,,at least 5\n", DICE_EACH, median(rolled) / 1e6);
}

/* Turns and battles of Falkirk under one rule set. */
static int bench_rules(const char *name)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	const struct ruleset *rules;
	struct chronicle *words;
	struct scenario *sc;
	struct err *e = battle_load(mem, "falkirk", name, &sc, &rules);

	if (e == NULL)
		e = battle_words(mem, rules, &words);
	if (e != NULL) {
		fprintf(stderr, "bench: %s: %s\n", e->where, e->what);
		return 1;
	}
	if (ruleset_at(0) == rules) {
		bench_reading(sc);
		bench_repeated(sc);
	}
	bench_turn(sc, rules, words);
	bench_receipt(sc, rules);
	bench_battle(sc, rules);
	talloc_free(mem);
	return 0;
}

int main(void)
{
	int bad = 0;

	for (int i = 0; ruleset_at(i) != NULL && bad == 0; i++)
		bad = bench_rules(ruleset_at(i)->name);
	bench_dice();
	return bad;
}
