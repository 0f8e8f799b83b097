/* For the tests of the referee's desk: a resolved turn with dice that are always the same, his words on the command
 * line, and what stands in the database. */
#ifndef GALLOPER_TESTS_DESK_FIXTURE_H
#define GALLOPER_TESTS_DESK_FIXTURE_H

#include "game_fixture.h"

#include "service/desk.h"
#include "service/referee.h"
#include "store/outbox.h"

#include <sodium.h>

enum { ANN, BEN, HEAD };

/* A running game whose seed is nothing but zeros. */
static inline struct played *plain_game_under(const char *rules, const char *review)
{
	struct played *t = played_under(rules, "");

	expect_ok(sql_run(t->s->store, t, "UPDATE game SET seed = zeroblob(32), review = ?", "t", review));
	return t;
}

static inline struct played *plain_game(const char *review)
{
	return plain_game_under("fastplay", review);
}

/* Both sides advance and shoot; turn 1 is resolved. */
static inline struct played *turn_one_under(const char *rules, const char *review)
{
	struct played *t = plain_game_under(rules, review);

	put_mail(t, ANN, MONDAY + MINUTE, "all: advance 6\nall: fire nearest");
	put_mail(t, BEN, MONDAY + MINUTE, "all: advance 6\nall: fire nearest");
	pass_at(t, MONDAY + HOUR);
	pass_at(t, FRIDAY + MINUTE);
	assert_int_equal(t->game->turn, 2);
	return t;
}

static inline struct played *turn_one(const char *review)
{
	return turn_one_under("fastplay", review);
}

static inline struct desk_answer referee(struct played *t, const char *text)
{
	struct desk_answer a;

	expect_ok(desk_referee(t->s, t, t->game, text, &a));
	expect_ok(store_game(t->s->store, t, t->game->id, &t->game));
	return a;
}

/* The line breaks of a mail and what is indented after them aside. */
static inline void expect_says(const char *text, const char *words)
{
	char *line = talloc_strdup(NULL, text), *to = line;

	for (const char *p = text; *p != '\0'; p += *p == '\n' ? 1 + strspn(p + 1, " ") : 1)
		*to++ = *p == '\n' ? ' ' : *p;
	*to = '\0';
	if (strstr(text, words) == NULL && strstr(line, words) == NULL)
		fail_msg("'%s' does not say '%s'", text, words);
	talloc_free(line);
}

static inline struct resolved *last(struct played *t)
{
	struct resolved *r;
	struct board *b;

	expect_ok(board_load(t->s, t, t->game, &b));
	expect_ok(referee_last(t->s, t, b, &r));
	return r;
}

/* The number of the first volley of at least so many dice, as the report prints it. */
static inline int volley(const struct resolved *r, int dice)
{
	for (int i = 0; i < r->events->count; i++)
		if (r->events->list[i]->kind == EVENT_VOLLEY && r->events->list[i]->number[NUM_DICE] >= dice)
			return i + 1;
	fail_msg("no volley of %d dice", dice);
	return 0;
}

static inline int count_mails(struct played *t, const char *kind, const char *words)
{
	int64_t n = 0;

	expect_ok(sql_int(t->s->store, t, &n,
		"SELECT count(*) FROM outbox o JOIN outbox_bytes b ON b.outbox = o.id WHERE o.kind = ? AND "
		"instr(CAST(b.bytes AS TEXT), ?) > 0",
		"tt", kind, words));
	return (int)n;
}

/* A line for each of the tables (parted by blanks) with a hash of all that is in it; of the game not when it is looked
 * at next. */
static inline const char *contents(struct played *t, const char *tables)
{
	char *out = talloc_strdup(t, ""), *names = talloc_strdup(t, tables), *save = NULL;

	for (char *name = strtok_r(names, " ", &save); name != NULL; name = strtok_r(NULL, " ", &save)) {
		sqlite3_stmt *st;
		crypto_generichash_state hash;
		unsigned char digest[16];
		char hex[33];
		const char *columns =
			strcmp(name, "game") != 0
				? "*"
				: "id, status, options, slot, skips, line, turn, part, deadline, concession, "
				  "review, review_hours, held, release_at";

		crypto_generichash_init(&hash, NULL, 0, sizeof digest);
		assert_int_equal(sqlite3_prepare_v2(t->s->store->db,
					 talloc_asprintf(t, "SELECT %s FROM %s", columns, name), -1, &st, NULL),
			SQLITE_OK);
		while (sqlite3_step(st) == SQLITE_ROW)
			for (int i = 0; i < sqlite3_column_count(st); i++) {
				int n = sqlite3_column_bytes(st, i);

				crypto_generichash_update(&hash, (const unsigned char *)&n, sizeof n);
				if (n > 0)
					crypto_generichash_update(&hash, sqlite3_column_blob(st, i), (unsigned)n);
			}
		sqlite3_finalize(st);
		crypto_generichash_final(&hash, digest, sizeof digest);
		out = talloc_asprintf_append(
			out, "%s %s\n", name, sodium_bin2hex(hex, sizeof hex, digest, sizeof digest));
	}
	return out;
}

/* All that a command may change but mails and the record. */
static const char game_tables[] = "game player address line turn released sheet ready silence absence message";

#endif
