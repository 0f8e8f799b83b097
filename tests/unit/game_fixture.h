/* A running game of Falkirk over Maildirs in a scratch folder, whose clock the test sets. Included by the tests of
 * intake and schedule. */
#ifndef GALLOPER_TESTS_GAME_FIXTURE_H
#define GALLOPER_TESTS_GAME_FIXTURE_H

#include "base/file.h"
#include "mail/token.h"
#include "service/enrol.h"
#include "service/pass.h"
#include "store/mailbox.h"
#include "store/sql.h"
#include "store/turns.h"

#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* Monday 11 January 2027, 09:00 UTC, when the game is made; Friday 15 January, 16:00, its first deadline. */
enum { MONDAY = 1799658000, FRIDAY = 1800028800, MINUTE = 60, HOUR = 3600, DAY = 24 * HOUR, WEEK = 7 * DAY };

struct played {
	char folder[32];
	const char *inbox;
	struct config *config;
	struct log log;
	struct service *s;
	struct reader *reader;
	struct game *game;
	struct players players;
	int mails; /* written so far */
};

static inline void expect_ok(const struct err *e)
{
	if (e != NULL)
		fail_msg("%s: %s", e->where, e->what);
}

/* The mail reader lies beside the folder of the unit tests. */
static inline char *reader_program(TALLOC_CTX *mem)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

	assert_true(n > 0);
	path[n] = '\0';
	*strrchr(path, '/') = '\0';
	*strrchr(path, '/') = '\0';
	return talloc_asprintf(mem, "%s/galloper-reader", path);
}

/* Ann against Ben, a turn a week. */
static inline struct new_game weekly_game(const char *name, const char *battle)
{
	return (struct new_game){.name = name,
		.battle = battle,
		.english = "ann@oakfield.example",
		.jacobite = "ben@hillside.example",
		.referee = "head@oakfield.example",
		.every = "Fri 16:00",
		.zone = "Europe/London",
		.skips = "",
		.reminders = ""};
}

static inline struct played *played_under(const char *rules, const char *reminders)
{
	struct played *t = talloc_zero(NULL, struct played);
	char *path, *text;
	struct new_game n = weekly_game("falkirk-7b", "falkirk");

	n.rules = rules;
	n.reminders = reminders;
	n.grace = 2;
	strcpy(t->folder, "/tmp/galloper-game.XXXXXX");
	assert_non_null(mkdtemp(t->folder));
	path = talloc_asprintf(t, "%s/galloper.conf", t->folder);
	text = config_sample(t, "galloper@oakfield.example", "operator@oakfield.example");
	expect_ok(file_write(t, path, text, strlen(text), 0600));
	expect_ok(config_read(t, path, &t->config));
	t->inbox = t->config->maildir_in;
	t->log = (struct log){.fd = STDERR_FILENO, .level = LOG_LEVEL_QUIET};
	expect_ok(service_open(t, t->config, true, &(struct clock){.fixed = MONDAY}, &t->log, &t->s));
	t->reader = reader_new(t, reader_program(t));
	expect_ok(enrol_game(t->s, t, &n, &t->game));
	expect_ok(enrol_start(t->s, t, t->game));
	expect_ok(store_players(t->s->store, t, t->game->id, &t->players));
	assert_int_equal(t->game->deadline, FRIDAY);
	return t;
}

static inline struct played *played_new(const char *reminders)
{
	return played_under("fastplay", reminders);
}

static inline void played_end(struct played *t)
{
	char *command = talloc_asprintf(t, "rm -rf '%s'", t->folder);

	talloc_free(t->s);
	assert_int_equal(system(command), 0);
	talloc_free(t);
}

/* A whole mail that arrives then. */
static inline void put_raw(struct played *t, int64_t arrived, const char *mail)
{
	struct timespec times[2] = {{.tv_sec = arrived}, {.tv_sec = arrived}};
	char *path = talloc_asprintf(t, "%s/new/%d.%d.host", t->inbox, (int)arrived, ++t->mails);

	expect_ok(file_make_folder(t, talloc_asprintf(t, "%s/new", t->inbox), 0700));
	expect_ok(file_write(t, path, mail, strlen(mail), 0600));
	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* A mail of words from that address with that subject. */
static inline void put_from(
	struct played *t, const char *address, int64_t arrived, const char *subject, const char *text)
{
	put_raw(t, arrived,
		talloc_asprintf(t,
			"From: %s\nTo: galloper@oakfield.example\nSubject: %s\nMessage-ID: <%d@school.example>\n"
			"Date: Mon, 11 Jan 2027 09:00:%02d +0000\n\n%s\n",
			address, subject, t->mails + 1, (t->mails + 1) % 60, text));
}

/* The tag in the subject of a mail to the player in that seat (0 = Ann, English; 1 = Ben, Jacobite) about the open
 * turn. */
static inline char *tag_of(struct played *t, int seat)
{
	const struct player *p = &t->players.list[seat];
	struct token token =
		token_make(t->s->secret, t->game->id, p->id, t->game->line, t->game->turn, t->game->part, p->key);

	return token_subject_tag(t, t->game->name, &token);
}

/* His answer to it. */
static inline void put_mail(struct played *t, int seat, int64_t arrived, const char *text)
{
	put_from(t, t->players.list[seat].address, arrived, talloc_asprintf(t, "Re: %s", tag_of(t, seat)), text);
}

static inline struct passed pass_at(struct played *t, int64_t now)
{
	struct pass pass = {.service = t->s, .reader = t->reader};
	struct passed done;

	t->s->clock.fixed = now;
	expect_ok(pass_make(&pass, t, &done));
	expect_ok(store_game(t->s->store, t, t->game->id, &t->game));
	return done;
}

/* The first number that the statement gives. */
static inline int64_t number(struct played *t, const char *sql)
{
	int64_t n = -1;

	expect_ok(sql_int(t->s->store, t, &n, sql, ""));
	return n;
}

#endif
