#include "service/schedule.h"

#include "service/calendar.h"
#include "service/digest.h"
#include "service/drill.h"
#include "service/lease.h"
#include "service/letters.h"
#include "service/part.h"
#include "service/people.h"
#include "service/record.h"
#include "service/referee.h"
#include "service/silence.h"
#include "store/outbox.h"

#include <string.h>

enum { HOUR = 3600, DAY = 24 * HOUR, MISSED_MAX = 60 };

struct err *tell_operator(
	const struct service *s, TALLOC_CTX *mem, const char *kind, const char *subject, const char *text)
{
	static const char address[] = "operator"; /* counted apart from the answers to his own mails */
	int64_t now = clock_now(&s->clock);
	int told = 0;
	struct err *e = store_begin(s->store, mem);

	if (e != NULL)
		return e;
	e = store_answers_since(s->store, mem, address, kind, now - DAY, now, &told);
	if (e == NULL && told == 0)
		e = letter_to_operator(s, mem, subject, text);
	if (e == NULL && told == 0)
		e = store_answered(s->store, mem, address, kind, now);
	return store_end(s->store, mem, e);
}

/* --- one game ----------------------------------------------------------------------------------------------------- */

/* How many turns should have been resolved between the deadline and now, besides the one that is. */
static int missed_turns(const struct game *g, int64_t now)
{
	int64_t slot = g->deadline;
	int missed = 0;

	while (missed < MISSED_MAX && (slot = calendar_next(g->slot, g->zone, g->skips, slot)) <= now)
		missed++;
	return missed;
}

static struct err *tell_referees(
	const struct service *s, TALLOC_CTX *mem, const struct adjudication *a, int turn, bool unread, int missed)
{
	struct err *e = NULL;

	if (unread)
		e = letter_to_referees(s, mem, a->board, "The mailbox could not be read",
			talloc_asprintf(mem,
				"Turn %d was resolved %d hours after its deadline although the mailbox could not be "
				"read. Orders that lie there are not in the turn.\n\n"
				"Ask whoever looks after the mailbox to mend it. 'galloper doctor' says what is wrong.",
				turn, a->board->game->grace));
	if (e == NULL && missed > 0)
		e = letter_to_referees(s, mem, a->board, "Galloper was away",
			talloc_asprintf(mem,
				"Galloper did not run for a while, and %d more deadline%s went by. Turn %d was "
				"resolved once, with the orders that had come before its own deadline. Play goes on "
				"with turn %d.",
				missed, missed == 1 ? "" : "s", turn, a->board->game->turn));
	return e;
}

/* Inside the transaction. */
static struct err *resolve_now(const struct service *s, TALLOC_CTX *mem, struct game *g, const char *why, bool unread)
{
	int turn = g->turn;
	int missed = strcmp(why, "deadline") == 0 ? missed_turns(g, clock_now(&s->clock)) : 0;
	struct adjudication *a;
	struct err *e = adjudicate(s, mem, g, why, &a);

	if (e == NULL)
		e = letter_reports(s, mem, a);
	if (e == NULL)
		e = tell_referees(s, mem, a, turn, unread, missed);
	if (e == NULL)
		log_line(s->log, LOG_LEVEL_INFO, "game %lld: %s resolved (%s)", (long long)g->id,
			part_resolved_text(mem, g), why);
	return e;
}

/* One game in a transaction of its own, if it still is as it was when it was found to be due. */
static struct err *resolve_alone(const struct service *s, TALLOC_CTX *mem, const struct game *found, const char *why,
	bool unread, const char *lease, bool *done)
{
	struct game *g = NULL;
	bool ours, due = false, waits = false;
	struct err *e = lease_begin(s, mem, lease, &ours);

	*done = false;
	if (e != NULL || !ours)
		return e;
	e = store_game(s->store, mem, found->id, &g);
	if (e == NULL && g != NULL && strcmp(g->status, "running") == 0 && g->line == found->line &&
		g->turn == found->turn && g->deadline == found->deadline) {
		if (strcmp(why, "deadline") == 0)
			e = silence_check(s, mem, g, &waits);
		if (e == NULL && !waits)
			e = resolve_now(s, mem, g, why, unread);
		due = true;
	}
	e = store_end(s->store, mem, e);
	*done = e == NULL && due && !waits;
	return e;
}

/* A game that cannot be resolved is told of, and the others go on; whatever else fails stops the pass. */
static struct err *after_failure(const struct service *s, TALLOC_CTX *mem, const struct game *g, struct err *e)
{
	if (e->scope != ERR_GAME)
		return e;
	log_err(s->log, e);
	return tell_operator(s, mem, talloc_asprintf(mem, "game %lld", (long long)g->id),
		"A turn could not be resolved",
		talloc_asprintf(
			mem, "Turn %d of game %s could not be resolved: %s", g->turn, g->name, err_text(mem, e)));
}

/* --- deadlines ---------------------------------------------------------------------------------------------------- */

static bool grace_over(const struct game *g, const struct mailbox_seen *seen, int64_t now)
{
	int64_t grace = (int64_t)g->grace * HOUR;

	return seen->failing_since != 0 && now > g->deadline + grace &&
	       (seen->failing_since <= g->deadline + grace || now > seen->failing_since + grace);
}

struct err *schedule_deadlines(const struct service *s, TALLOC_CTX *mem, int64_t before,
	const struct mailbox_seen *seen, const char *lease, struct deadlines *out)
{
	int64_t now = clock_now(&s->clock);
	struct games due;
	struct err *e = store_games_due(s->store, mem, (before < now ? before : now) - 1, &due);

	*out = (struct deadlines){.held = INT64_MAX};
	for (int i = 0; e == NULL && i < due.count; i++) {
		const struct game *g = &due.list[i];
		bool read = seen->complete > g->deadline && seen->complete <= now;
		TALLOC_CTX *one;
		bool done;

		if (service_stopping(s) || (!read && !grace_over(g, seen, now))) {
			out->held = g->deadline < out->held ? g->deadline : out->held;
			continue;
		}
		one = talloc_new(mem);
		e = resolve_alone(s, one, g, "deadline", !read, lease, &done);
		out->resolved += done;
		if (e != NULL)
			e = after_failure(s, one, g, e);
		if (e != NULL)
			talloc_steal(mem, e);
		talloc_free(one);
	}
	return e;
}

/* --- held turns -------------------------------------------------------------------------------------------------- */

/* Inside the transaction: the referee has let his hours go by. */
static struct err *release_now(const struct service *s, TALLOC_CTX *mem, struct game *g)
{
	int turn = last_turn(g);
	const char *before;
	struct released released;
	struct board *b;
	struct err *e = board_load(s, mem, g, &b);

	if (e == NULL)
		e = record_digest(s, mem, g, &before);
	if (e == NULL)
		e = referee_release(s, mem, b, &released);
	if (e == NULL)
		e = referee_tell_released(s, mem, b, &released);
	if (e == NULL)
		e = record_act(s, mem, g, "clock", talloc_asprintf(mem, "turn %d released", turn), "", before, before);
	if (e == NULL)
		log_line(s->log, LOG_LEVEL_INFO, "game %lld: turn %d released", (long long)g->id, turn);
	return e;
}

static struct err *release_alone(
	const struct service *s, TALLOC_CTX *mem, const struct game *found, const char *lease, bool *done)
{
	struct game *g = NULL;
	bool ours, due = false;
	struct err *e = lease_begin(s, mem, lease, &ours);

	*done = false;
	if (e != NULL || !ours)
		return e;
	e = store_game(s->store, mem, found->id, &g);
	if (e == NULL && g != NULL && g->held && g->revision == found->revision) {
		e = release_now(s, mem, g);
		due = true;
	}
	e = store_end(s->store, mem, e);
	*done = e == NULL && due;
	return e;
}

struct err *schedule_releases(const struct service *s, TALLOC_CTX *mem, const char *lease, int *released)
{
	struct games games;
	struct err *e = store_games_to_release(s->store, mem, clock_now(&s->clock), &games);

	*released = 0;
	for (int i = 0; e == NULL && i < games.count; i++) {
		TALLOC_CTX *one = talloc_new(mem);
		bool done;

		e = release_alone(s, one, &games.list[i], lease, &done);
		*released += done;
		if (e != NULL)
			e = after_failure(s, one, &games.list[i], e);
		if (e != NULL)
			talloc_steal(mem, e);
		talloc_free(one);
	}
	return e;
}

/* --- everybody is ready ------------------------------------------------------------------------------------------- */

/* All who have something to order in the part of the turn that is open. */
static struct err *all_ready(const struct service *s, TALLOC_CTX *mem, struct game *g, bool *out)
{
	struct players players;
	struct board *b = NULL;
	struct err *e = store_players(s->store, mem, g->id, &players);
	bool seat[SIDES] = {false, false};

	if (e == NULL)
		e = board_load(s, mem, g, &b);
	*out = true;
	for (int i = 0; e == NULL && *out && i < players.count; i++) {
		int side = player_side(&players.list[i]);
		int64_t away = 0;
		bool ready = false;

		if (side < 0)
			continue;
		e = people_away(s, mem, &players.list[i], &away);
		if (e == NULL)
			e = store_is_ready(s->store, mem, g, players.list[i].id, &ready);
		/* Nobody waits for one who is away; but a side that is away altogether is no reason for haste. */
		*out = ready || away > 0 || !part_is_of(b, (enum side)side);
		seat[side] = seat[side] || ready || !part_is_of(b, (enum side)side);
	}
	*out = *out && seat[SIDE_GOVERNMENT] && seat[SIDE_JACOBITE];
	return e;
}

struct err *schedule_ready(const struct service *s, TALLOC_CTX *mem, int64_t game, const char *lease, int *resolved)
{
	struct games games;
	struct err *e = store_games_ready(s->store, mem, &games);

	*resolved = 0;
	for (int i = 0; e == NULL && i < games.count && !service_stopping(s); i++) {
		struct game *g = &games.list[i];
		TALLOC_CTX *one;
		bool ready = false, done = false;

		if (game != 0 && g->id != game)
			continue;
		one = talloc_new(mem);
		e = all_ready(s, one, g, &ready);
		if (e == NULL && ready)
			e = resolve_alone(s, one, g, "all ready", false, lease, &done);
		*resolved += done;
		if (e != NULL)
			e = after_failure(s, one, g, e);
		if (e != NULL)
			talloc_steal(mem, e);
		talloc_free(one);
	}
	return e;
}

/* --- reminders ---------------------------------------------------------------------------------------------------- */

/* Has he been sent this turn's report, or his welcome, since that moment? Then he needs no reminder yet. */
static struct err *just_told(const struct service *s, TALLOC_CTX *mem, const struct player *p, int64_t since, bool *out)
{
	static const char *const kinds[] = {"welcome", "report"};
	struct err *e = NULL;

	*out = false;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds && e == NULL; i++) {
		struct outgoing *last;

		e = store_last_mail(s->store, mem, p->id, kinds[i], 0, &last);
		*out = *out || (e == NULL && last != NULL && last->made >= since);
	}
	return e;
}

static struct err *remind_player(const struct service *s, TALLOC_CTX *mem, const struct board *b,
	const struct player *p, int64_t since, int *sent)
{
	bool silent = false, told = false;
	int64_t away = 0;
	struct err *e = people_silent(s, mem, b, p, &silent);

	if (e == NULL)
		e = people_away(s, mem, p, &away);
	if (e == NULL)
		e = just_told(s, mem, p, since, &told);
	if (e != NULL || !silent || away > 0 || told || p->stopped)
		return e;
	++*sent;
	return letter_reminder(s, mem, b, p);
}

/* Inside the transaction. The hours that have come are marked, and if one of them is new a reminder goes out for the
 * latest. */
static struct err *remind_game(const struct service *s, TALLOC_CTX *mem, struct game *g, int64_t now, int *sent)
{
	int hours[REMINDERS_MAX], count = calendar_reminders(g->reminders, hours);
	int64_t since = 0;
	struct players players;
	struct board *board;
	struct err *e = NULL;

	for (int i = 0; e == NULL && i < count; i++) {
		int64_t when = g->deadline - (int64_t)hours[i] * HOUR;
		bool first = false;

		if (now < when)
			continue;
		e = store_reminded(s->store, mem, g, hours[i], &first);
		if (first)
			since = when;
	}
	if (e != NULL || since == 0)
		return e;
	e = board_load(s, mem, g, &board);
	if (e == NULL)
		e = store_players(s->store, mem, g->id, &players);
	for (int i = 0; e == NULL && i < players.count; i++)
		e = remind_player(s, mem, board, &players.list[i], since, sent);
	/* Who is late the referee hears as well. */
	return e == NULL && *sent > 0 ? digest_note(s, mem, g->id, "") : e;
}

/* When the game's next reminder after `now` is due; its deadline when there is none. */
static int64_t next_reminder(const struct game *g, int64_t now)
{
	int hours[REMINDERS_MAX], count = calendar_reminders(g->reminders, hours);

	for (int i = 0; i < count; i++) {
		int64_t when = g->deadline - (int64_t)hours[i] * HOUR;

		if (when > now)
			return when;
	}
	return g->deadline;
}

/* Inside the transaction: reminds, and lets the game sleep until the next hour to do so. */
static struct err *wake_game(const struct service *s, TALLOC_CTX *mem, struct game *g, int64_t now, int *sent)
{
	struct err *e = remind_game(s, mem, g, now, sent);

	return e != NULL ? e : store_sleep_game(s->store, mem, g, next_reminder(g, now));
}

struct err *schedule_reminders(const struct service *s, TALLOC_CTX *mem, const char *lease, int *sent)
{
	int64_t now = clock_now(&s->clock);
	struct games games;
	struct err *e = store_games_awake(s->store, mem, now, &games);

	*sent = 0;
	for (int i = 0; e == NULL && i < games.count && !service_stopping(s); i++) {
		struct game *g = &games.list[i];
		TALLOC_CTX *one;
		bool ours = false;
		int reminded = 0;

		if (!is_drill(g) && now >= g->deadline)
			continue;
		one = talloc_new(mem);
		e = lease_begin(s, one, lease, &ours);
		if (e == NULL && ours) {
			e = is_drill(g) ? drill_wake(s, one, g) : wake_game(s, one, g, now, &reminded);
			e = store_end(s->store, one, e);
		}
		*sent += e == NULL ? reminded : 0;
		if (e != NULL)
			e = after_failure(s, one, g, e);
		if (e != NULL)
			talloc_steal(mem, e);
		talloc_free(one);
	}
	return e;
}
