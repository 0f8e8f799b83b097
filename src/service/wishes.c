/* What the calendar and the game are asked for in plain words, answered with the very line that does it: "Amy is ill
 * from 1 to 7 December", "we have holidays", "the British have won". Only of lines that were read as nothing else. */
#include "service/command.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/text.h"
#include "orders/sheet.h"
#include "report/chronicle.h"
#include "service/answer_text.h"
#include "service/calendar.h"
#include "service/drill.h"
#include "service/messages.h"
#include "service/part.h"
#include "service/people.h"
#include "service/when.h"
#include "store/messages.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { HINTS_MAX = 3, LINES_MAX = 12, QUESTION_WORDS = 4, DAY = 24 * 3600 };

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
	" inset day ", " exams ", " exam week ", " skip ", " christmas ", " xmas ", " easter ", NULL};
/* Said of some days, and only then. */
static const char *const idle[] = {" no game ", " no games ", " no turn ", " no turns ", " no battle ", " no classes ",
	" no deadline ", " no deadlines ", NULL};

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

		if ((len >= 3 && isalpha((unsigned char)*p)) ||
			(len == 2 && isdigit((unsigned char)p[0]) && isalpha((unsigned char)p[1]))) /* "7a" */
			e = people_find(a->s, a->mem, a->b->game, talloc_strndup(a->mem, p, len), &found, &rest, &why);
		if (found != NULL && player_side(found) >= 0)
			*out = found;
		p += len + strspn(p + len, " ,.:;!?'()");
	}
	return e;
}

static bool begins_with(const char *text, const char *const *words)
{
	for (; *words != NULL; words++)
		if (strncasecmp(text, *words, strlen(*words)) == 0)
			return true;
	return false;
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

/* "can we shoot over our own guys?", "ask the teacher if we can have more time", of a player: it reaches nobody. */
static bool hint_question(struct asking *a, const struct wish *w)
{
	static const char *const teachers[] = {" ask the teacher ", " ask our teacher ", " ask my teacher ",
		" tell the teacher ", " tell our teacher ", " ask the referee ", " tell the referee ", NULL};
	size_t length = strlen(w->typed);
	int words = 1;

	for (const char *c = w->folded; *c != '\0'; c++)
		words += *c == ' ';
	if (!has_any(a->mem, w->folded, teachers) &&
		(length == 0 || w->typed[length - 1] != '?' || words < QUESTION_WORDS))
		return false;
	hint(a, "Mails are read by a program, which answers no questions. To ask your teacher",
		talloc_asprintf(a->mem, "SAY TO referee: %s", w->typed));
	return true;
}

/* "Amy is ill from 1 to 7 December" and "we have holidays", of a referee */
static bool hint_days(struct asking *a, const struct wish *w)
{
	int64_t now = clock_now(&a->s->clock);
	const char *days = w->days != NULL ? w->days : days_text(a, now, now + (int64_t)7 * DAY);
	const char *yours = w->days != NULL ? "" : " With your own dates in their place";
	bool holidays = has_any(a->mem, w->folded, closed) || (w->days != NULL && has_any(a->mem, w->folded, idle)),
	     ill = has_any(a->mem, w->folded, away);

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

	if (has_any(a->mem, w->folded, idle)) /* "no game on Friday" ends none */
		return false;
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

/* --- messages ---------------------------------------------------------------------------------------------------- */

/* Whom the words before `end` mean, as SAY TO takes it: "all", "J", "2"; NULL for nobody. */
static struct err *addressee(struct asking *a, const char *words, size_t len, const char **out)
{
	static const char *const everybody[] = {"everyone", "everybody", "all players", "all the players", "them all",
		"them", "both sides", "the players", "players", "the class", "the classes", "both classes", "both",
		"all classes", "the pupils", "the children", "the kids", NULL};
	const char *typed = talloc_strndup(a->mem, words, len), *folded = text_fold(a->mem, typed), *audience;
	struct err *e;

	*out = NULL;
	for (int i = 0; everybody[i] != NULL && *out == NULL; i++)
		if (strcmp(folded, everybody[i]) == 0)
			*out = "all";
	if (*out != NULL || folded[0] == '\0')
		return NULL;
	e = message_audience(a->s, a->mem, a->b, a->p, folded, &audience);
	if (e == NULL && audience != NULL && strncmp(audience, "player ", 7) == 0)
		*out = audience + 7;
	else if (e == NULL && audience != NULL && strcmp(audience, "referee") != 0)
		*out = typed;
	return e;
}

/* What is to be said, behind the words that name the reader: "that the deadline is Friday", "to send their orders". */
static const char *message_of(struct asking *a, const char *rest, bool asked)
{
	static const char *const heads[] = {"this message:", "a message:", "the message:", NULL};
	char *text, *their;
	size_t len;

	rest += strspn(rest, " :,");
	for (int i = 0; heads[i] != NULL; i++)
		if (strncasecmp(rest, heads[i], strlen(heads[i])) == 0)
			rest += strlen(heads[i]);
	text = talloc_strdup(a->mem, rest + strspn(rest, " "));
	len = strlen(text);

	while (asked && len > 0 && strchr("? ", text[len - 1]) != NULL)
		text[--len] = '\0';
	if (strncasecmp(text, "know ", 5) == 0)
		text += 5;
	if (strncasecmp(text, "that ", 5) == 0)
		return text + 5;
	if (strncasecmp(text, "to ", 3) != 0)
		return text;
	text = talloc_asprintf(a->mem, "please %s", text + 3);
	their = strcasestr(text, " their ");
	return their == NULL ? text : talloc_asprintf(a->mem, "%.*s your %s", (int)(their - text), text, their + 7);
}

/* Where the words that name the reader begin: behind "tell", or where the line does, as in "8b: have another look". */
static const char *told_from(const char *typed, bool *told)
{
	static const char *const tells[] = {"tell ", "remind ", "inform ", "let ", "write to ", "send ", NULL};

	*told = true;
	for (int i = 0; tells[i] != NULL; i++) {
		const char *at = strcasestr(typed, tells[i]);

		if (at != NULL && (at == typed || at[-1] == ' '))
			return at + strlen(tells[i]);
	}
	*told = false;
	return typed;
}

/* "Please tell everyone that the battle is postponed", "remind 8b to send their orders", "8b: have another look" */
static struct err *hint_saying(struct asking *a, const struct wish *w, const char *says, bool *hinted)
{
	enum { NAME_WORDS_MAX = 4 };
	static const char *const asks[] = {" can you ", " could you ", " would you ", " will you ", NULL};
	bool told;
	const char *from = told_from(w->typed, &told), *colon = strchr(from, ':'), *to = NULL, *message = "";
	size_t ends[NAME_WORDS_MAX];
	int count = 0;
	struct err *e = NULL;

	if (!told && (colon == NULL || colon - from > 2 || colon == from || !isdigit((unsigned char)from[0])))
		return NULL;
	for (size_t at = 0; from[at] != '\0' && count < NAME_WORDS_MAX; at += strspn(from + at, " ")) {
		at += strcspn(from + at, " :,");
		ends[count++] = at;
		if (strchr(":,", from[at]) != NULL)
			break;
	}
	while (e == NULL && to == NULL && count > 0) {
		e = addressee(a, from, ends[--count], &to);
		message = message_of(a, from + ends[count], has_any(a->mem, w->folded, asks));
	}
	if (e != NULL || (to == NULL && told) || message[0] == '\0')
		return e;
	*hinted = true;
	return to != NULL ? hint(a, says, talloc_asprintf(a->mem, "SAY TO %s: %s", to, message))
			  : hint(a,
				    "To tell a player something, put the number of the player (STATUS lists them) in "
				    "the place of `player`, and",
				    talloc_asprintf(a->mem, "SAY TO player: %s", message));
}

static struct err *hint_told(struct asking *a, const struct wish *w, bool *hinted)
{
	static const char *const later[] = {
		" postponed ", " postpone ", " cancelled ", " called off ", " delayed ", " put off ", NULL};
	bool stops = has_any(a->mem, w->folded, later);

	if (stops)
		hint(a, "To stop the clock until you write RESUME, with a mail to everybody that says so,", "PAUSE");
	*hinted = stops;
	return hint_saying(a, w, stops ? "To tell it in your own words" : "To send that as a message", hinted);
}

/* "tell Mia don't charge yet", "can I have the report again", of a player */
static struct err *hint_player(struct asking *a, const struct wish *w, bool *hinted)
{
	static const char *const report[] = {" report ", " last mail ", NULL};
	static const char *const again[] = {" again ", " lost ", " deleted ", " resend ", " send ", NULL};
	bool tells = begins_with(w->folded, (const char *const[]){"tell ", "please tell ", "pls tell ", NULL});
	struct err *e = NULL;

	*hinted = true;
	if (has_any(a->mem, w->folded, report) && has_any(a->mem, w->folded, again) && last_turn(a->b->game) > 0)
		return hint(a, "To get the report of the last turn once more", "RESEND");
	*hinted = hint_own_absence(a, w) || hint_question(a, w);
	if (!*hinted && tells && a->b->options->values[OPTION_MESSAGES] != MESSAGES_OFF) {
		const struct player *fellow;

		e = find_named(a, w->typed, &fellow);
		if (e == NULL && fellow != NULL)
			e = hint_saying(a, w, "To send that as a message", hinted);
	}
	return e;
}

/* --- turns and deadlines ----------------------------------------------------------------------------------------- */

/* How long the day and time are with which the text begins, a time to come, which goes into *when; 0 for none. What
 * stands behind them and changes nothing is left out. */
static size_t date_length(struct asking *a, const char *text, int64_t *when)
{
	enum { DATE_BYTES_MAX = 40 };
	static const char marks[] = " .,;!?";
	int64_t now = clock_now(&a->s->clock), read;
	size_t found = 0;

	*when = 0;
	for (size_t len = strnlen(text, DATE_BYTES_MAX); len > 0; len--) {
		if (strchr(marks, text[len - 1]) != NULL || strchr(marks, text[len]) == NULL)
			continue;
		if (found > 0 && strcspn(text + len, "0123456789") < found - len)
			break;
		if (when_read(a->mem, talloc_strndup(a->mem, text, len), a->b->game->zone, now, a->b->game->deadline,
			    &read) != NULL ||
			read <= now || (found > 0 && read != *when))
			continue;
		*when = read;
		found = len;
	}
	return found;
}

/* The first day and time behind "deadline", as typed where DEADLINE takes it so; NULL for none. */
static const char *date_in(struct asking *a, const char *typed)
{
	static const char *const before[] = {
		"to ", "on ", "at ", "till ", "until ", "is ", "the ", "of ", "for ", "by ", "be ", "should ", NULL};
	const char *from = strcasestr(typed, "deadline"), *rest;
	char *end;
	long hour;
	size_t len = 0;
	int64_t when;

	if (from == NULL)
		from = strcasestr(typed, "until ");
	if (from == NULL)
		from = strcasestr(typed, "make it ");
	while (from != NULL && *from != '\0' && len == 0) {
		from += strcspn(from, " ");
		from += strspn(from, " ");
		if (!begins_with(from, before))
			len = date_length(a, from, &when);
	}
	if (len == 0)
		return NULL;
	rest = from + len + strspn(from + len, " .,");
	hour = strtol(rest, &end, 10);
	if (end > rest && hour >= 0 && hour < 24 && strncasecmp(end, " o'clock", strlen(" o'clock")) == 0)
		return talloc_asprintf(a->mem, "%.*s %ld:00", (int)len, from, hour);
	/* "at half past four" */
	if (end > rest || begins_with(rest, (const char *const[]){"at ", NULL}))
		return NULL;
	from = talloc_strndup(a->mem, from, len);
	return strcasestr(from, "week") == NULL ? from : clock_text(a->mem, when, a->b->game->zone);
}

/* "Please move the deadline to Friday 4pm next week" */
static bool hint_deadline(struct asking *a, const struct wish *w)
{
	static const char *const named[] = {" deadline ", NULL};
	static const char *const meant[] = {" have until ", " has until ", " make it ", NULL};
	static const char *const always[] = {" from now on ", " always ", " every ", " each ", NULL};
	bool gives = has_any(a->mem, w->folded, meant) ||
		     (has_any(a->mem, w->folded, (const char *const[]){" give ", NULL}) &&
			     has_any(a->mem, w->folded, (const char *const[]){" until ", NULL}));
	bool deadline = has_any(a->mem, w->folded, named);
	const char *date;

	if ((!deadline && !gives) || has_any(a->mem, w->folded, idle) || a->b->game->deadline == 0)
		return false;
	/* "Thursdays at 3pm from now on" is no day. */
	date = has_any(a->mem, w->folded, always) ? NULL : date_in(a, w->typed);
	if (date == NULL && !deadline)
		return false;
	if (date != NULL)
		hint(a, "To set another deadline", talloc_asprintf(a->mem, "DEADLINE %s", date));
	else
		hint(a, "To set another deadline, with your own day and time,", "DEADLINE Friday 16:00");
	return true;
}

/* The number behind "turn" in the folded line; 0 for none. */
static int turn_named(const char *folded)
{
	const char *at = strstr(folded, "turn ");

	return at == NULL ? 0 : (int)strtol(at + strlen("turn "), NULL, 10);
}

/* "play turn 1 again", "take back the last turn" */
static bool hint_again(struct asking *a, const struct wish *w)
{
	static const char *const again[] = {" again ", " replay ", " redo ", " rerun ", " repeat ", " restart ",
		" take back ", " go back ", " roll back ", " undo ", " redone ", " replayed ", " reopen ", NULL};
	static const char *const played[] = {" played again ", " replayed ", " reopen ", NULL};
	static const char *const no[] = {" dont ", " do not ", NULL};
	static const char *const back[] = {" go back ", " roll back ", NULL};
	static const char *const turn[] = {" turn ", " round ", NULL};
	static const char *const others[] = {
		" order ", " orders ", " change ", " changes ", " ruling ", " amendment ", NULL};
	const struct game *g = a->b->game;
	int named = turn_named(w->folded), resolved = g->turn - (g->part == 0), n = named > 0 ? named : last_turn(g);

	if (!has_any(a->mem, w->folded, again) || has_any(a->mem, w->folded, no) ||
		(has_any(a->mem, w->folded, others) && !has_any(a->mem, w->folded, played)) ||
		!(has_any(a->mem, w->folded, turn) || has_any(a->mem, w->folded, back)))
		return false;
	if (n < 1 || n > resolved)
		say(a, resolved < 1 ? "No turn has been resolved yet, so there is none to play again."
				    : talloc_asprintf(a->mem,
					      "Turn %d has not been resolved, so it cannot be played again. To play "
					      "again from turn %d write:\nROLLBACK TO TURN %d BECAUSE reason",
					      n, resolved, resolved));
	else
		hint(a, talloc_asprintf(a->mem, "To play again from turn %d, with new orders and dice,", n),
			talloc_asprintf(a->mem, "ROLLBACK TO TURN %d BECAUSE reason", n));
	return true;
}

/* "ok, we can go on now", "could we have a bit longer?", "please remind those who haven't ordered" */
static bool hint_clock(struct asking *a, const struct wish *w)
{
	static const char *const on[] = {" go on ", " carry on ", " continue ", " resume ", " start again ", NULL};
	static const char *const longer[] = {" longer ", " more time ", NULL};
	static const char *const remind[] = {" remind ", " reminder ", NULL};

	if (strcmp(a->b->game->status, "paused") == 0 && has_any(a->mem, w->folded, on))
		hint(a, "The clock stands. To let it run again", "RESUME");
	else if (a->b->game->deadline != 0 && has_any(a->mem, w->folded, longer))
		hint(a, "To give everybody more time", "EXTEND 2 DAYS");
	else if (has_any(a->mem, w->folded, remind))
		hint(a,
			"Before the deadline everybody without orders is reminded by itself. To write to all players "
			"now",
			"SAY TO all: please send your orders");
	else
		return false;
	return true;
}

/* "don't resolve yet" */
static bool hint_not_yet(struct asking *a, const struct wish *w)
{
	static const char *const not_yet[] = {" dont resolve ", " do not resolve ", " not resolve ", " dont run ",
		" do not run ", " dont end the turn ", NULL};

	if (!has_any(a->mem, w->folded, not_yet))
		return false;
	hint(a, "No turn is resolved before its deadline, unless everybody is READY. To put it off", "EXTEND 2 DAYS");
	hint(a, "To stop the clock until you write RESUME,", "PAUSE");
	return true;
}

/* "Yes please": what is offered to a referee goes too far to be taken at a word. */
static bool hint_yes(struct asking *a, const struct wish *w)
{
	bool alone;

	if (orders_assent(a->mem, w->typed, &alone) == NULL || !alone)
		return false;
	say(a, "Yes alone does nothing here, since what a referee writes changes the game. Of the lines that we had "
	       "offered, write the line itself, from the word in capitals on, as in: EXTEND 2 DAYS");
	return true;
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

/* "47 VOID because it was a mistake" */
static bool hint_amend(struct asking *a, const struct wish *w)
{
	static const char *const words[] = {"void", "hits ", NULL};
	const char *word = w->typed + strspn(w->typed, "0123456789");
	bool because = strcasestr(w->typed, "because ") != NULL;

	if (word == w->typed || *word != ' ' || !begins_with(word + strspn(word, " "), words))
		return false;
	hint(a, "To change that event of the last turn",
		talloc_asprintf(a->mem, "AMEND %s%s", w->typed, because ? "" : " BECAUSE reason"));
	return true;
}

/* Single words of a turn and its report. */
static bool hint_turn(struct asking *a, const struct wish *w)
{
	static const char *const turn[] = {" turn ", " round ", NULL};
	static const char *const now[] = {
		" end ", " finish ", " resolve ", " close ", " run ", " start ", " play ", NULL};
	static const char *const not [] = {" dont ", " not ", NULL};
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
	else if (has_any(a->mem, w->folded, now) && has_any(a->mem, w->folded, turn) &&
		 !has_any(a->mem, w->folded, not ))
		hint(a, "To resolve the open turn now", talloc_asprintf(a->mem, "RESOLVE TURN %d", a->b->game->turn));
	else
		return false;
	return true;
}

static struct err *hint_referee(struct asking *a, const struct wish *w, bool alone, bool *hinted)
{
	struct err *e = hint_message(a, w, hinted);

	if (e == NULL && !*hinted)
		*hinted = hint_offer(a, w) || hint_yes(a, w) || hint_address(a, w) || hint_lost(a, w);
	if (e == NULL && !*hinted)
		e = hint_told(a, w, hinted);
	if (e == NULL && !*hinted)
		*hinted = hint_amend(a, w) || hint_clock(a, w) || hint_not_yet(a, w) || hint_again(a, w) ||
			  hint_deadline(a, w) || hint_days(a, w) || hint_end(a, w, alone) || hint_gone(a, w) ||
			  hint_strength(a, w) || hint_turn(a, w);
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
			e = hint_player(a, &w, &hinted);
		hints += hinted || told[i];
	}
	return e;
}
