#include "service/demo.h"

#include "base/file.h"
#include "mail/field.h"
#include "service/enrol.h"
#include "service/examples.h"
#include "service/mailtext.h"
#include "service/setup.h"
#include "store/outbox.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { TURNS = 2, PLAYERS = 2, HOUR = 3600, SECONDS_AFTER = 30, SHOWN_INDENT = 4 };

static const struct {
	const char *role, *address, *sample;
} seats[PLAYERS] = {
	{"English", "class7b@oakfield.example", "english"},
	{"Jacobites", "class7a@glenbrook.example", "jacobite"},
};

struct demo {
	const char *folder, *config_path;
	struct config *config;
	const struct log *log;
	demo_tick *tick;
	void *context;
	int64_t now;
	int mails;
};

static void heading(const char *text)
{
	printf("\n======================================================================\n%s\n"
	       "======================================================================\n\n",
		text);
}

static void print_text(const char *text)
{
	for (const char *p = text; *p != '\0'; p++) {
		if (*p != '\r')
			putchar(*p);
	}
}

static struct err *open_game(struct demo *d, TALLOC_CTX *mem, struct service **s, struct players *players)
{
	struct clock clock = {.fixed = d->now};
	struct game *g;
	struct err *e = service_open(mem, d->config, false, &clock, d->log, s);

	if (e == NULL)
		e = store_game_named((*s)->store, mem, "falkirk-demo", &g);
	return e != NULL ? e : store_players((*s)->store, mem, g->id, players);
}

/* The newest mail of a kind to each player, printed. */
static struct err *show(struct demo *d, TALLOC_CTX *mem, const char *kind, int only)
{
	struct service *s;
	struct players players;
	struct err *e = open_game(d, mem, &s, &players);

	for (int i = 0; e == NULL && i < PLAYERS; i++) {
		struct outgoing *row;

		if (only >= 0 && i != only)
			continue;
		e = store_last_mail(s->store, mem, players.list[i].id, kind, 0, &row);
		if (e != NULL || row == NULL)
			continue;
		heading(talloc_asprintf(mem, "This %s goes to the %s:", kind, seats[i].role));
		printf("Subject: %s\n\n", fields_get(fields_read(mem, row->bytes, row->len), "Subject"));
		print_text(mailtext(mem, row->bytes, row->len));
	}
	talloc_free(s);
	return e;
}

/* A reply, as a mail program would make one, put into the Maildir as if it had arrived now. */
static struct err *reply(struct demo *d, TALLOC_CTX *mem, int seat, int turn)
{
	char *name = talloc_asprintf(mem, "db/demo/%d-%s.txt", turn, seats[seat].sample);
	char *path = talloc_asprintf(mem, "%s/new/%d.demo", d->config->maildir_in, ++d->mails);
	struct service *s;
	struct players players;
	struct outgoing *last;
	char *typed, *mail;
	size_t len;
	struct err *e = data_read(mem, name, &typed, &len);
	struct timespec arrived[2] = {{.tv_sec = d->now}, {.tv_sec = d->now}};

	if (e == NULL)
		e = open_game(d, mem, &s, &players);
	if (e == NULL)
		e = store_last_mail(s->store, mem, players.list[seat].id, "", 0, &last);
	if (e != NULL)
		return e;
	heading(talloc_asprintf(mem, "The %s answer for turn %d:", seats[seat].role, turn));
	print_text(typed);
	mail = talloc_asprintf(mem,
		"From: %s\r\nTo: %s\r\nSubject: Re: %s\r\nMessage-ID: <%d@demo.example>\r\nIn-Reply-To: %s\r\n\r\n%s",
		seats[seat].address, d->config->address,
		fields_get(fields_read(mem, last->bytes, last->len), "Subject"), d->mails, last->message_id, typed);
	talloc_free(s);
	e = file_write(mem, path, mail, strlen(mail), 0600);
	if (e == NULL && utimensat(AT_FDCWD, path, arrived, 0) != 0)
		e = err_new(mem, ERR_PROCESS, false, path, "the time of a mail cannot be set");
	return e;
}

static struct err *start(struct demo *d, TALLOC_CTX *mem)
{
	const struct new_game n = {.name = "falkirk-demo",
		.battle = "falkirk",
		.english = seats[0].address,
		.jacobite = seats[1].address,
		.referee = "teacher@oakfield.example",
		.every = "Fri 16:00",
		.zone = "Europe/London",
		.skips = "",
		.reminders = "24 3",
		.grace = 2,
		/* The same battle each time, for the README shows a part of it and its end proposes orders. */
		.seed = "The demo's dice are always equal"};
	struct clock clock = {.fixed = d->now};
	struct service *s;
	struct game *g;
	struct err *e = setup_folder(mem, d->folder, "galloper@oakfield.example", "", &clock, d->log);

	if (e == NULL)
		e = config_read(mem, d->config_path, &d->config);
	if (e == NULL)
		e = service_open(mem, d->config, false, &clock, d->log, &s);
	if (e == NULL)
		e = enrol_game(s, mem, &n, &g);
	if (e == NULL)
		e = enrol_start(s, mem, g);
	if (e == NULL)
		talloc_free(s);
	return e;
}

static struct err *play_turn(struct demo *d, TALLOC_CTX *mem, int turn, int64_t deadline)
{
	struct err *e = NULL;

	for (int seat = 0; e == NULL && seat < PLAYERS; seat++)
		e = reply(d, mem, seat, turn);
	if (e == NULL)
		e = d->tick(d->context, mem, d->config_path, d->now + SECONDS_AFTER);
	d->now += SECONDS_AFTER;
	if (e == NULL)
		e = show(d, mem, "receipt", -1);
	d->now = deadline + SECONDS_AFTER;
	if (e == NULL)
		e = d->tick(d->context, mem, d->config_path, d->now);
	return e != NULL ? e : show(d, mem, "report", turn == TURNS ? -1 : 0);
}

/* Orders of that side that are right as things stand, as a mail in a file. */
static void show_mail(
	const struct demo *d, TALLOC_CTX *mem, const struct board *b, const struct player *p, int seat, const char *now)
{
	const char *file = talloc_asprintf(mem, "%s/mail/in/new/%s", d->folder, seats[seat].sample);
	struct values v = {.count = 0};

	put_examples(mem, b, p, &v);
	printf("The %s:\n\ncat >%s <<'MAIL'\nFrom: %s\nSubject: our orders\n\nKEY %s\nTURN %d\n", seats[seat].role,
		file, seats[seat].address, p->key, b->game->turn);
	for (const char *line = v.list[0].text; *line != '\0'; line += strcspn(line, "\n") + 1)
		printf("%.*s\n", (int)strcspn(line, "\n") - SHOWN_INDENT, line + SHOWN_INDENT);
	printf("MAIL\ntouch -d %s %s\n\n", now, file);
}

/* How to go on by hand, with commands that can be copied as they stand. */
static struct err *show_end(struct demo *d, TALLOC_CTX *mem)
{
	const char *now = clock_iso(mem, d->now + HOUR);
	struct service *s;
	struct players players;
	struct board *b;
	struct game *g;
	struct err *e = open_game(d, mem, &s, &players);

	if (e == NULL)
		e = store_game_named(s->store, mem, "falkirk-demo", &g);
	if (e == NULL)
		e = board_load(s, mem, g, &b);
	if (e != NULL)
		return e;
	heading("Where everything lies, and how to go on");
	printf("%s/galloper.conf   the settings, each explained\n"
	       "%s/galloper.db     the game\n"
	       "%s/mail/out        every mail that went out, a folder an address\n\n"
	       "Now write the orders for turn 3 yourself, for either side or for both. A mail\n"
	       "is a file: copy these lines, with your own orders below TURN 3.\n\n",
		d->folder, d->folder, d->folder);
	for (int seat = 0; seat < PLAYERS; seat++)
		show_mail(d, mem, b, &players.list[seat], seat, now);
	printf("The clock of this battle stands in January 2027, so each command is told the\n"
	       "time. Read the mails, look at the receipts, and play the turn:\n\n"
	       "g() { ./galloper -c %s/galloper.conf --now %s \"$@\"; }\n"
	       "g tick\n",
		d->folder, now);
	for (int seat = 0; seat < PLAYERS; seat++)
		printf("g read --text \"$(ls -t %s/mail/out/%s/new/* | head -1)\"\n", d->folder, seats[seat].address);
	printf("g resolve falkirk-demo\n"
	       "g report falkirk-demo\n");
	talloc_free(s);
	return NULL;
}

struct err *demo_play(TALLOC_CTX *mem, const char *folder, const struct log *log, demo_tick *tick, void *context)
{
	struct demo d = {.folder = folder,
		.config_path = talloc_asprintf(mem, "%s/galloper.conf", folder),
		.log = log,
		.tick = tick,
		.context = context};
	int64_t deadline;
	struct err *e;

	clock_parse("2027-01-11T09:00:00Z", "UTC", &d.now);
	clock_parse("2027-01-15T16:00:00Z", "UTC", &deadline);
	e = start(&d, mem);
	if (e == NULL)
		e = d.tick(d.context, mem, d.config_path, d.now);
	if (e == NULL)
		e = show(&d, mem, "welcome", 0);
	for (int turn = 1; e == NULL && turn <= TURNS; turn++) {
		d.now += HOUR;
		e = play_turn(&d, mem, turn, deadline);
		clock_next_slot("Fri 16:00", "Europe/London", deadline, &deadline);
	}
	return e != NULL ? e : show_end(&d, mem);
}
