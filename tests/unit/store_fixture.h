/* A database in a scratch folder of its own, and rows to put into it. Included by the tests of the store. */
#ifndef GALLOPER_TESTS_STORE_FIXTURE_H
#define GALLOPER_TESTS_STORE_FIXTURE_H

#include "store/games.h"
#include "store/mailbox.h"
#include "store/outbox.h"
#include "store/sql.h"
#include "store/turns.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { NOW = 1800000000 };

struct fixture {
	char folder[32];
	const char *path;
	const char *const *migrations;
	struct store *store;
};

static inline void expect_ok(const struct err *e)
{
	if (e != NULL)
		fail_msg("%s: %s", e->where, e->what);
}

/* The error says `words`. */
static inline void expect_err(const struct err *e, const char *words)
{
	assert_non_null(e);
	if (strstr(e->what, words) == NULL)
		fail_msg("'%s' does not say '%s'", e->what, words);
}

static inline struct fixture *fixture_new(void)
{
	struct fixture *f = talloc_zero(NULL, struct fixture);

	strcpy(f->folder, "/tmp/galloper-store.XXXXXX");
	assert_non_null(mkdtemp(f->folder));
	f->path = talloc_asprintf(f, "%s/galloper.db", f->folder);
	expect_ok(store_migrations(f, &f->migrations));
	expect_ok(store_open(f, f->path, true, f->migrations, &f->store));
	return f;
}

static inline int fixture_set_up(void **state)
{
	*state = fixture_new();
	return 0;
}

static inline int fixture_tear_down(void **state)
{
	struct fixture *f = *state;
	char *command = talloc_asprintf(NULL, "rm -rf %s", f->folder);

	talloc_free(f);
	assert_int_equal(system(command), 0);
	talloc_free(command);
	return 0;
}

static inline char *in_folder(struct fixture *f, const char *name)
{
	return talloc_asprintf(f, "%s/%s", f->folder, name);
}

static inline struct game *add_game(struct fixture *f, const char *name)
{
	static const char seed[GAME_SEED_BYTES] = "0123456789abcdef\0"
						  "123456789abcde";
	struct game *g = talloc_zero(f, struct game);

	*g = (struct game){
		.name = name,
		.battle = "falkirk",
		.battle_text = "battle Falkirk\n",
		.rules = "fastplay",
		.rules_text = "rules fastplay\n",
		.options = "",
		.seed = seed,
		.zone = "Europe/London",
		.slot = "Fri 16:00",
		.skips = "",
		.reminders = "24 3",
		.grace = 2,
		.made = NOW,
	};
	expect_ok(store_add_game(f->store, f, g));
	return g;
}

static inline struct player *add_player(struct fixture *f, const struct game *g, const char *role, const char *address)
{
	struct player *p = talloc_zero(f, struct player);

	*p = (struct player){
		.game = g->id, .role = role, .name = "Anne", .units = "", .key = "badger-lamp-42", .address = address};
	expect_ok(store_add_player(f->store, f, p));
	return p;
}

static inline struct outgoing *queue(struct fixture *f, int64_t player, const char *id, int64_t made)
{
	struct outgoing *o = talloc_zero(f, struct outgoing);

	*o = (struct outgoing){
		.player = player,
		.recipient = "anne@school.example",
		.kind = "receipt",
		.turn = 1,
		.message_id = id,
		.bytes = "From: a\r\n\r\n.\0x\r\n",
		.len = 16,
		.printed = "A: hold\n",
		.made = made,
	};
	expect_ok(store_queue(f->store, f, o));
	return o;
}

static inline struct incoming *add_mail(struct fixture *f, int64_t account, const char *uid, const char *raw)
{
	struct incoming *m = talloc_zero(f, struct incoming);

	*m = (struct incoming){
		.account = account,
		.validity = 7,
		.uid = uid,
		.arrived = NOW,
		.raw = raw,
		.raw_len = strlen(raw),
	};
	memcpy(m->digest, raw, strlen(raw) < sizeof m->digest ? strlen(raw) : sizeof m->digest);
	expect_ok(store_add_mail(f->store, f, m, NOW, 0));
	return m;
}

static inline int64_t count(struct fixture *f, const char *sql)
{
	int64_t n = -1;

	expect_ok(sql_int(f->store, f, &n, sql, ""));
	return n;
}

#endif
