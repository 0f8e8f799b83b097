/* What the calendar and the game are asked for in plain words, answered with the very line that does it: "Amy is ill
 * from 1 to 7 December", "we have holidays", "the British have won". Only of lines that were read as nothing else. */
#include "service/command.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/text.h"
#include "report/chronicle.h"
#include "service/answer_text.h"
#include "service/calendar.h"
#include "service/drill.h"
#include "service/people.h"
#include "service/when.h"
#include "store/messages.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { HINTS_MAX = 3, LINES_MAX = 12, DAY = 24 * 3600 };

/* A line with what is looked for in it. */
struct wish {
	const char *typed, *folded;
	const struct player *player; /* whom it names, or NULL */
	const char *days;            /* "FROM 1 Feb 2027 TO 7 Feb 2027", or NULL */
};

static const char *const away[] = {" ill ", " sick ", " poorly ", " away ", " absent ", " abroad ", " hospital ",
	" trip ", " camp ", " holiday ", " holidays ", " cannot play ", " cant play ", " not here ", " not be here ",
	" wont be here ", " will miss ", " off school ", NULL};
static const char *const closed[] = {" holiday ", " holidays ", " half term ", " halfterm ", " vacation ",
	" vacations ", " no school ", " no lesson ", " no lessons ", " no class ", " school is closed ", " break ",
	" inset day ", " exams ", " exam week ", " skip ", NULL};

/* Folded, with "I'll be" as "I be", which tells of no illness. */
static const char *fold_line(TALLOC_CTX *mem, const char *typed)
{
	char *folded = text_fold(mem, typed);

	for (char *p = folded; (p = strstr(p, "ill be ")) != NULL; p++)
		if (p == folded || p[-1] == ' ')
			p[1] = p[2] = ' ';
	return folded;
}

static const char *day_text(struct asking *a, int64_t when)
{
	const char *text = calendar_day_text(a->mem, when, a->b->game->zone);

	return strchr(text, ' ') + 1; /* the date names the day of the week */
}

static const char *days_text(struct asking *a, int64_t first, int64_t last)
{
	return talloc_asprintf(a->mem, "FROM %s TO %s", day_text(a, first), day_text(a, last));
}

/* Of the words of a line the first that is the name of a player who orders units. */
static struct err *find_named(struct asking *a, const char *typed, const struct player **out)
{
	struct err *e = NULL;

	*out = NULL;
	for (const char *p = typed; e == NULL && *p != '\0' && *out == NULL;) {
		size_t len = strcspn(p, " ,.:;!?'()");
		struct player *found = NULL;
		const char *rest, *why;

		if (len >= 3 && isalpha((unsigned char)*p))
			e = people_find(a->s, a->mem, a->b->game, talloc_strndup(a->mem, p, len), &found, &rest, &why);
		if (found != NULL && player_side(found) >= 0)
			*out = found;
		p += len + strspn(p + len, " ,.:;!?'()");
	}
	return e;
}

/* The line to write stands alone, to be copied whole. */
static struct err *hint(struct asking *a, const char *says, const char *line)
{
	return say(a, talloc_asprintf(a->mem, "%s write:\n%s", says, line));
}

/* "we are on a school trip from 1 to 7 February", of a player */
static bool hint_own_absence(struct asking *a, const struct wish *w)
{
	static const char *const speakers[] = {
		" we ", " i ", " im ", " were ", " our class ", " my class ", " our school ", NULL};

	if (w->days == NULL || !has_any(a->mem, w->folded, speakers) || !has_any(a->mem, w->folded, away))
		return false;
	hint(a, "Nobody waits for you on days that you say you are away. For that",
		talloc_asprintf(a->mem, "ABSENT %s", w->days));
	return true;
}

/* "Amy is ill from 1 to 7 December" and "we have holidays", of a referee */
static bool hint_days(struct asking *a, const struct wish *w)
{
	int64_t now = clock_now(&a->s->clock);
	const char *days = w->days != NULL ? w->days : days_text(a, now, now + (int64_t)7 * DAY);
	const char *yours = w->days != NULL ? "" : " With your own dates in their place";
	bool holidays = has_any(a->mem, w->folded, closed), ill = has_any(a->mem, w->folded, away);

	if (w->player != NULL && ill)
		hint(a,
			talloc_asprintf(a->mem,
				"On days that a player is away nobody waits for that player, and you can still give "
				"orders with ORDER.%s",
				yours[0] != '\0' ? yours : " For that"),
			talloc_asprintf(a->mem, "ABSENT %lld %s", (long long)w->player->id, days));
	else if (holidays ||
		 (ill && has_any(a->mem, w->folded, (const char *const[]){" we ", " class ", " school ", NULL})))
		hint(a,
			talloc_asprintf(a->mem,
				"SKIP keeps days free of deadlines, and everybody is told. PAUSE stops the clock until "
				"you write RESUME.%s",
				yours[0] != '\0' ? yours : " For holidays on these days"),
			talloc_asprintf(a->mem, "SKIP %s", days));
	else if (ill && w->days != NULL)
		hint(a,
			"Of a player who is away nobody waits for orders. Put the number or name of the player (STATUS "
			"lists them) in the place of `player`, and",
			talloc_asprintf(a->mem, "ABSENT player %s", days));
	else
		return false;
	return true;
}

/* "I'd like to stop the game early", "The British have won" */
static bool hint_end(struct asking *a, const struct wish *w, bool alone)
{
	static const char *const ends[] = {
		" end ", " ends ", " ending ", " stop ", " finish ", " conclude ", " close ", " over ", " call ", NULL};
	static const char *const whats[] = {" game ", " battle ", " match ", " war ", " early ", NULL};
	static const char *const wins[] = {
		" won ", " win ", " wins ", " victory ", " victorious ", " draw ", " drawn ", NULL};
	bool end = has_any(a->mem, w->folded, ends) && has_any(a->mem, w->folded, whats);
	const char *line = verdict_line(a, w->typed);

	if (!end && !(alone && line != NULL && has_any(a->mem, w->folded, wins)))
		return false;
	if (line != NULL && has_any(a->mem, w->folded, wins))
		hint(a, "To end the battle for good, with a debrief to everybody,",
			talloc_asprintf(a->mem, "%s: and why", line));
	else
		say(a, talloc_asprintf(a->mem,
			       "To end the battle at once, with a debrief to everybody, write who has won and why: "
			       "VERDICT %s win: and why, VERDICT %s win: and why, or VERDICT draw: and why. To stop "
			       "the "
			       "clock for a while instead write: PAUSE",
			       side_people(a->mem, a->b->sc, SIDE_GOVERNMENT),
			       side_people(a->mem, a->b->sc, SIDE_JACOBITE)));
	return true;
}

/* "No, let them play one more turn", when a side has offered to concede */
static bool hint_offer(struct asking *a, const struct wish *w)
{
	static const char *const no[] = {
		" no ", " not ", " dont ", " play on ", " go on ", " carry on ", " continue ", " one more ", NULL};
	static const char *const yes[] = {
		" yes ", " agree ", " agreed ", " fine ", " ok ", " okay ", " let them ", NULL};

	if (a->b->game->concession[0] == '\0')
		return false;
	if (has_any(a->mem, w->folded, no))
		hint(a, "A side has offered to concede. For the battle to go on", "REJECT");
	else if (has_any(a->mem, w->folded, yes))
		hint(a, "A side has offered to concede. To agree, and end the battle,", "APPROVE");
	else
		return false;
	return true;
}

/* "the message from Amy is fine" */
static struct err *hint_message(struct asking *a, const struct wish *w, bool *hinted)
{
	static const char *const messages[] = {" message ", " messages ", " letter ", NULL};
	struct message_rows held;
	struct err *e;
	int number = 0;

	if (!has_any(a->mem, w->folded, messages))
		return NULL;
	e = store_messages(a->s->store, a->mem, a->b->game->id, true, &held);
	for (int i = 0; e == NULL && i < held.count; i++)
		if (number == 0 || (w->player != NULL && held.list[i].player == w->player->id))
			number = held.list[i].number;
	if (e == NULL && number > 0) {
		hint(a,
			talloc_asprintf(a->mem,
				"To stop a message write REJECT %d BECAUSE and the reason. To let it go", number),
			talloc_asprintf(a->mem, "APPROVE %d", number));
		*hinted = true;
	}
	return e;
}

/* The first mail address that stands in the line, or NULL. */
static const char *address_in(TALLOC_CTX *mem, const char *typed)
{
	static const char blanks[] = " \t<>()[]\"',;:";

	for (const char *p = typed; *p != '\0';) {
		size_t len = strcspn(p, blanks);
		const char *at = memchr(p, '@', len);

		if (at != NULL && at > p && memchr(at, '.', len - (size_t)(at - p)) != NULL) {
			while (strchr(".!?", p[len - 1]) != NULL)
				len--;
			return talloc_strndup(mem, p, len);
		}
		p += len + strspn(p + len, blanks);
	}
	return NULL;
}

/* "Ben's new address is ben2@hillside.example" */
static bool hint_address(struct asking *a, const struct wish *w)
{
	static const char *const stands_in[] = {
		" deputy ", " stand in ", " stands in ", " help ", " helps ", " as well ", " too ", " both ", NULL};
	const char *address = address_in(a->mem, w->typed);

	if (w->player == NULL || address == NULL)
		return false;
	if (has_any(a->mem, w->folded, stands_in))
		hint(a,
			talloc_asprintf(a->mem, "For mails from that address to count as those of player %lld, too,",
				(long long)w->player->id),
			talloc_asprintf(a->mem, "DEPUTY %lld %s", (long long)w->player->id, address));
	else
		hint(a,
			talloc_asprintf(a->mem, "For player %lld to go on from that address, whoever it is now,",
				(long long)w->player->id),
			talloc_asprintf(a->mem, "REPLACE %lld WITH %s", (long long)w->player->id, address));
	return true;
}

/* "Ben has lost his key": every mail of ours can be answered without one. */
static bool hint_lost(struct asking *a, const struct wish *w)
{
	static const char *const lost[] = {" lost ", " lose ", " forgot ", " forgotten ", " deleted ", " key ", NULL};

	if (w->player == NULL || !has_any(a->mem, w->folded, lost))
		return false;
	hint(a, "Who answers a mail of ours needs no key. To send a mail that can be answered",
		talloc_asprintf(a->mem, "SAY TO %lld: Please answer this mail with RESEND on a line of its own.",
			(long long)w->player->id));
	return true;
}

/* "Ben has left the school" */
static bool hint_gone(struct asking *a, const struct wish *w)
{
	static const char *const gone[] = {" left ", " leaves ", " leaving ", " quit ", " dropped out ", " moved ",
		" no longer ", " does not want ", " doesnt want ", " gone ", NULL};

	if (w->player == NULL || !has_any(a->mem, w->folded, gone))
		return false;
	hint(a,
		talloc_asprintf(a->mem,
			"GRANT, another player's number and the units give the units to that player. For somebody new "
			"to play on in the place of player %lld",
			(long long)w->player->id),
		talloc_asprintf(a->mem, "REPLACE %lld WITH address", (long long)w->player->id));
	return true;
}

/* "Please tell everyone that the battle is postponed": the message as typed, or NULL. */
static const char *for_everybody(const struct wish *w)
{
	static const char *const tells[] = {"tell everyone ", "tell everybody ", "tell all players ",
		"tell all the players ", "tell them all ", "tell them ", "tell both sides ", "tell the players ",
		"tell the class ", "let everyone know ", "let everybody know ", "inform everyone ", "inform everybody ",
		"remind everyone ", "remind everybody ", NULL};

	for (int i = 0; tells[i] != NULL; i++) {
		const char *at = strcasestr(w->typed, tells[i]);

		if (at == NULL)
			continue;
		at += strlen(tells[i]);
		return strncasecmp(at, "that ", 5) == 0 ? at + 5 : at;
	}
	return NULL;
}

static bool hint_everybody(struct asking *a, const struct wish *w)
{
	static const char *const later[] = {
		" postponed ", " postpone ", " cancelled ", " called off ", " delayed ", " put off ", NULL};
	const char *message = for_everybody(w);
	bool stops = has_any(a->mem, w->folded, later);

	if (stops)
		hint(a, "To stop the clock until you write RESUME, with a mail to everybody that says so,", "PAUSE");
	if (message != NULL)
		hint(a, stops ? "To tell it in your own words" : "To tell everybody",
			talloc_asprintf(a->mem, "SAY TO all: %s", message));
	return stops || message != NULL;
}

/* "give the Jacobites one more base" */
static bool hint_strength(struct asking *a, const struct wish *w)
{
	static const char *const counted[] = {" base ", " bases ", " figure ", " figures ", NULL};
	static const char *const changes[] = {" give ", " add ", " more ", " extra ", " back ", " take ", " remove ",
		" lose ", " fewer ", " less ", " too many ", " too few ", NULL};

	if (!has_any(a->mem, w->folded, counted) || !has_any(a->mem, w->folded, changes))
		return false;
	hint(a,
		"Strength is changed unit by unit. With the letter of the unit in the place of R, and the number that "
		"it shall have,",
		talloc_asprintf(a->mem, "SET R %s 5 BECAUSE reason",
			strstr(w->folded, " figure") != NULL ? "FIGURES" : "BASES"));
	return true;
}

/* Single words of a turn and its report. */
static bool hint_turn(struct asking *a, const struct wish *w)
{
	static const char *const turn[] = {" turn ", " round ", NULL};
	static const char *const now[] = {
		" end ", " finish ", " resolve ", " close ", " run ", " start ", " play ", NULL};
	static const char *const show[] = {" show ", " see ", " check ", " look ", " read ", NULL};
	static const char *const first[] = {" before ", " first ", NULL};
	static const char *const back[] = {" take back ", " undo ", " revert ", " reverse ", " take that back ", NULL};
	static const char *const change[] = {" change ", " ruling ", " that ", " it ", " amendment ", NULL};

	if (has_any(a->mem, w->folded, show) && has_any(a->mem, w->folded, first))
		hint(a,
			"PREVIEW shows how the turn would end with the orders that are in. To read each turn's report "
			"before the players do",
			"REVIEW ON");
	else if (has_any(a->mem, w->folded, back) && has_any(a->mem, w->folded, change))
		hint(a, "To take back your last change", "UNDO");
	else if (has_any(a->mem, w->folded, now) && has_any(a->mem, w->folded, turn))
		hint(a, "To resolve the open turn now", talloc_asprintf(a->mem, "RESOLVE TURN %d", a->b->game->turn));
	else
		return false;
	return true;
}

static struct err *hint_referee(struct asking *a, const struct wish *w, bool alone, bool *hinted)
{
	struct err *e = hint_message(a, w, hinted);

	if (e == NULL && !*hinted)
		*hinted = hint_offer(a, w) || hint_address(a, w) || hint_lost(a, w) || hint_everybody(a, w) ||
			  hint_days(a, w) || hint_end(a, w, alone) || hint_gone(a, w) || hint_strength(a, w) ||
			  hint_turn(a, w);
	return e;
}

/* The same below the line itself, so that each answer of several shows what it is about. */
static struct err *answer_line(struct asking *a, const struct wish *w, bool alone, bool *hinted)
{
	struct buf *said = a->said;
	struct err *e;

	a->said = buf_new(a->mem);
	e = hint_referee(a, w, alone, hinted);
	if (e == NULL && *hinted)
		buf_printf(said, "%s%s\n%s", said->len > 0 ? "\n\n" : "", quoted_line(a->mem, "> ", w->typed),
			a->said->data);
	a->said = said;
	return e;
}

struct err *hint_wishes(struct asking *a, const struct sheet *sheet)
{
	bool referee = strcmp(a->p->role, "referee") == 0;
	bool *told = talloc_zero_array(a->mem, bool, (unsigned)sheet->set_aside_count + 1);
	struct err *e = NULL;
	int hints = 0;

	a->out->told = told;
	if (strcmp(a->b->game->status, "ended") == 0 || is_drill(a->b->game))
		return NULL;
	for (int i = 0; e == NULL && i < sheet->set_aside_count && i < LINES_MAX && hints < HINTS_MAX; i++) {
		struct wish w = {.typed = sheet->set_aside[i], .folded = fold_line(a->mem, sheet->set_aside[i])};
		int64_t first, last;
		bool hinted = false;

		if (when_found(a->mem, w.typed, a->b->game->zone, clock_now(&a->s->clock), &first, &last))
			w.days = days_text(a, first, last);
		if (referee)
			e = find_named(a, w.typed, &w.player);
		if (e == NULL && referee)
			e = answer_line(a, &w, sheet->command_count == 0, &told[i]);
		else if (e == NULL && player_side(a->p) >= 0)
			hinted = hint_own_absence(a, &w);
		hints += hinted || told[i];
	}
	return e;
}
