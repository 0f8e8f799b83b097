#include "service/digest.h"

#include "base/buf.h"
#include "base/text.h"
#include "mail/authentication.h"
#include "service/calendar.h"
#include "service/hold.h"
#include "service/lease.h"
#include "service/messages.h"
#include "service/people.h"
#include "service/post.h"
#include "service/redact.h"

#include <string.h>

enum { DAY = 24 * 3600, NEWS_SHOWN_MAX = 30, SUBJECT_SHOWN = 60 };

struct err *digest_note(const struct service *s, TALLOC_CTX *mem, int64_t game, const char *text)
{
	return store_add_news(s->store, mem, game, clock_now(&s->clock), text);
}

/* --- strangers ------------------------------------------------------------------------------------------------------
 */

/* The game's name in a subject's tag, "[falkirk-7b ...]"; "" for none. */
static const char *tagged(TALLOC_CTX *mem, const char *subject)
{
	const char *open = strrchr(subject, '[');

	return open == NULL ? "" : talloc_strndup(mem, open + 1, strcspn(open + 1, " ]"));
}

struct err *digest_doubt(const struct service *s, TALLOC_CTX *mem, const struct player *p, const char *results)
{
	const char *why = authentication_failure(mem, results, s->config->authentication_server);

	if (why == NULL)
		return NULL;
	return digest_note(s, mem, p->game,
		talloc_asprintf(mem,
			"The mail server doubts that a mail in the name of %s (player %lld) is from that address (%s). "
			"It "
			"bore the right key or answered a mail of ours, so it counts.",
			p->name, (long long)p->id, why));
}

struct err *digest_stranger(
	const struct service *s, TALLOC_CTX *mem, const char *sender, const char *subject, const char *named)
{
	struct buf *shown = buf_new(mem);
	struct secrets secrets;
	struct players known;
	struct game *g = NULL;
	struct err *e = store_game_named(s->store, mem, named != NULL ? named : tagged(mem, subject), &g);

	if (e != NULL || g == NULL || (strcmp(g->status, "running") != 0 && strcmp(g->status, "paused") != 0))
		return e;
	e = store_players_with(s->store, mem, g->id, sender, &known);
	if (e != NULL)
		return e;
	e = secrets_of(s, mem, g->id, &secrets);
	if (e != NULL)
		return e;
	redact_text(shown, &secrets, subject, strlen(subject));
	if (known.count == 0)
		return digest_note(s, mem, g->id,
			talloc_asprintf(mem,
				"A mail came from %s, an address that nobody in the game has. Its subject: \"%s\". "
				"It was not acted on. If it is one of your players, let mails from there count, too: "
				"DEPUTY player %s",
				sender, text_escape(mem, shown->data, strnlen(shown->data, SUBJECT_SHOWN)), sender));
	return digest_note(s, mem, g->id,
		talloc_asprintf(mem,
			"A mail came under the address of %s (player %lld)%s without proof: it had no right key and "
			"answered none of our mails to that address. It was not acted on.",
			known.list[0].name, (long long)known.list[0].id,
			known.count > 1 ? ", which others in the game have too," : ""));
}

/* --- what it says ------------------------------------------------------------------------------------------------- */

static void add_part(struct buf *out, const char *title, const struct buf *text)
{
	if (text->len > 0)
		buf_printf(out, "%s%s\n\n%s", out->len > 0 ? "\n" : "", title, text->data);
}

static void add_line(struct buf *out, const char *text)
{
	buf_printf(out, "%s\n", text_wrap(out, talloc_asprintf(out, "* %s", text), LETTER_COLUMNS, 2));
}

struct err *digest_waiting(const struct service *s, TALLOC_CTX *mem, const struct board *b, struct buf *out, int *count)
{
	struct buf *text = buf_new(mem);
	struct message_rows held;
	struct err *e = store_messages(s->store, mem, b->game->id, true, &held);

	for (int i = 0; e == NULL && i < held.count; i++)
		e = message_text(s, mem, b, &held.list[i], text);
	if (e == NULL && held.count > 0)
		buf_printf(text, "\n%s\n",
			text_wrap(text,
				talloc_asprintf(text,
					"Answer with a line for each: APPROVE %d, or REJECT %d BECAUSE reason (the "
					"writer is told why; without a reason he is told that it was not sent).",
					held.list[0].number, held.list[0].number),
				LETTER_COLUMNS, 0));
	*count = held.count;
	add_part(out, "MESSAGES THAT WAIT FOR YOU", text);
	return e;
}

static struct err *news_text(const struct service *s, TALLOC_CTX *mem, const struct game *g, struct buf *out)
{
	struct buf *text = buf_new(mem);
	struct news news;
	int shown = 0;
	struct err *e = store_news(s->store, mem, g->id, &news);

	for (int i = 0; e == NULL && i < news.count && shown < NEWS_SHOWN_MAX; i++) {
		if (news.list[i][0] != '\0') {
			add_line(text, news.list[i]);
			shown++;
		}
	}
	if (e == NULL && news.count > NEWS_SHOWN_MAX)
		buf_printf(text, "* and %d more of such\n", news.count - NEWS_SHOWN_MAX);
	add_part(out, "WHAT HAPPENED", text);
	return e;
}

/* Who has sent nothing for the open turn, and who need not. */
static struct err *late_text(const struct service *s, TALLOC_CTX *mem, const struct board *b, struct buf *out)
{
	struct buf *text = buf_new(mem);
	struct players players;
	struct err *e = store_players(s->store, mem, b->game->id, &players);

	for (int i = 0; e == NULL && i < players.count && !b->game->held; i++) {
		const struct player *p = &players.list[i];
		int64_t away = 0;
		bool silent = false;

		e = people_silent(s, mem, b, p, &silent);
		if (e == NULL)
			e = people_away(s, mem, p, &away);
		if (e == NULL && silent)
			add_line(text, talloc_asprintf(mem, "%s (player %lld, %s)%s", p->name, (long long)p->id,
					       b->sc->label[player_side(p)],
					       away == 0 ? ""
							 : talloc_asprintf(mem, ", away until %s",
								   calendar_day_text(mem, away, b->game->zone))));
	}
	add_part(out,
		talloc_asprintf(
			mem, "NO ORDERS YET FOR TURN %d, WHICH ENDS %s", b->game->turn, deadline_text(mem, b->game)),
		text);
	return e;
}

/* Addresses that fail, and the mail accounts themselves. */
static struct err *trouble_text(const struct service *s, TALLOC_CTX *mem, const struct board *b, struct buf *out)
{
	static const char *const accounts[] = {
		[HOLD_INCOMING] = "The mailbox cannot be read", [HOLD_OUTGOING] = "Mail cannot be sent"};
	struct buf *text = buf_new(mem);
	struct players players;
	struct err *e = store_players(s->store, mem, b->game->id, &players);

	for (int i = 0; e == NULL && i < players.count; i++) {
		const struct player *p = &players.list[i];

		if (p->stopped || p->bounces > 0)
			add_line(text,
				talloc_asprintf(mem, "%d mail%s to %s (player %lld) came back%s", p->bounces,
					p->bounces == 1 ? "" : "s", p->name, (long long)p->id,
					p->stopped ? ", so no more are sent. REPLACE gives another address." : "."));
	}
	for (int k = HOLD_INCOMING; e == NULL && k <= HOLD_OUTGOING; k++) {
		const char *why = NULL;

		e = hold_ask(s, mem, (enum hold_account)k, &why);
		if (e == NULL && why != NULL)
			add_line(text, talloc_asprintf(mem, "%s: %s", accounts[k], why));
	}
	add_part(out, "TROUBLE WITH MAIL", text);
	return e;
}

/* --- sent --------------------------------------------------------------------------------------------------------- */

/* Inside the transaction. A digest with nothing in it is none. */
static struct err *send_one(const struct service *s, TALLOC_CTX *mem, struct game *g)
{
	int64_t now = clock_now(&s->clock);
	struct buf *text = buf_new(mem);
	int held = 0;
	struct board *b;
	struct err *e = board_load(s, mem, g, &b);

	if (e == NULL)
		e = digest_waiting(s, mem, b, text, &held);
	if (e == NULL)
		e = news_text(s, mem, g, text);
	if (e == NULL && strcmp(g->status, "ended") != 0)
		e = late_text(s, mem, b, text);
	if (e == NULL)
		e = trouble_text(s, mem, b, text);
	if (e == NULL && text->len > 0)
		e = letter_to_referees(s, mem, b, "News for the referee", text->data);
	if (e == NULL)
		e = store_news_told(s->store, mem, g->id, text->len > 0 ? now : 0);
	/* What still waits tomorrow is told again. */
	return e == NULL && held > 0 ? digest_note(s, mem, g->id, "") : e;
}

static struct err *send_alone(const struct service *s, TALLOC_CTX *mem, struct game *g, const char *lease)
{
	bool ours;
	struct err *e = lease_begin(s, mem, lease, &ours);

	return e != NULL || !ours ? e : store_end(s->store, mem, send_one(s, mem, g));
}

struct err *digest_send(const struct service *s, TALLOC_CTX *mem, const char *lease)
{
	struct games games;
	struct err *e = store_games_with_news(s->store, mem, clock_now(&s->clock) - DAY, &games);

	for (int i = 0; e == NULL && i < games.count; i++) {
		TALLOC_CTX *one = talloc_new(mem);

		e = send_alone(s, one, &games.list[i], lease);
		if (e != NULL)
			talloc_steal(mem, e);
		talloc_free(one);
	}
	return e;
}
