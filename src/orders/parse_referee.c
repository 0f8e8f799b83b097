/* What a referee writes as people write, from a phone: requests before a command, and words that are meant as one. */
#include "orders/lines.h"
#include "orders/print.h"

#include <string.h>

/* "yes", "fine," and the like before a request. */
static void skip_assent(struct parser *p)
{
	static const char *const words[] = {"yes", "yep", "yeah", "yup", "fine", "good", "great", "right", "done"};
	bool more = true;

	while (more) {
		const struct token *t = here(p);

		more = t->type == TOKEN_COMMA || (t->type == TOKEN_STOP && t->mark != '?') || t->type == TOKEN_DASH;
		for (size_t i = 0; t->type == TOKEN_WORD && !more && i < sizeof words / sizeof *words; i++)
			more = is_word(t, words[i]);
		if (more)
			advance(p);
	}
}

bool referee_asks(struct parser *p)
{
	int from = p->pos;
	bool command;

	skip_assent(p);
	skip_requests(p);
	command = p->pos > from && command_begins(p);
	if (!command)
		p->pos = from;
	return command;
}

static bool word_is(struct parser *p, int token, const char *folded)
{
	return is_word(&p->lex->tokens[token], folded);
}

/* The reason that stands behind the token, as typed; "reason" for none. */
static const char *reason_after(struct parser *p, int token)
{
	for (int i = token; i + 1 < p->stop; i++)
		if (p->lex->tokens[i].type == TOKEN_WORD && p->lex->tokens[i].word->key == KEY_BECAUSE)
			return typed_text(p, i + 1, p->stop);
	return "reason";
}

/* Words with which people move a piece on the table. */
static bool puts_here(struct parser *p)
{
	static const char *const words[] = {
		"put", "shift", "position", "relocate", "bring", "set", "should", "belongs", "belong"};
	const struct token *t = here(p);

	if (key_here(p) == KEY_MOVE)
		return true;
	for (size_t i = 0; t->type == TOKEN_WORD && i < sizeof words / sizeof *words; i++)
		if (is_word(t, words[i]))
			return true;
	return false;
}

/* What a line names: the first unit in it, the first place, and whether it moves something there. */
struct wish {
	int piece; /* -1 = none */
	const char *place;
	bool moves;
};

bool is_glued(const struct parser *p, int token)
{
	static const char *const counted[] = {
		"day", "days", "week", "weeks", "base", "bases", "figure", "figures", "hit", "hits", NULL};
	const struct token *t = &p->lex->tokens[token];

	if (t->type == TOKEN_NUMBER)
		return t[1].type == TOKEN_WORD && !t[1].spaced && !is_among(t + 1, counted);
	return t->type == TOKEN_WORD && token > 0 && !t->spaced && t[-1].type == TOKEN_NUMBER && !is_among(t, counted);
}

/* The piece that a match means: of two with the same letter the one whose code is typed so. */
int meant_piece(struct parser *p, const struct match *m)
{
	const char *typed = typed_text(p, m->from, m->end);

	for (int i = set_next(&m->set, 0); i >= 0; i = set_next(&m->set, i + 1))
		if (strcmp(p->ctx->state->units[i].code, typed) == 0)
			return i;
	return set_next(&m->set, 0);
}

static struct wish read_wish(struct parser *p)
{
	struct wish w = {.piece = -1};
	int start = p->pos;
	struct match m;

	while (!at_end(p)) {
		char square[SQUARE_NAME_MAX + 1];
		struct point at;
		int from = p->pos;

		if (w.piece < 0 && !is_glued(p, from) && match_piece(p, &m) &&
			(!m.by_code || w.moves || p->pos == start)) {
			w.piece = meant_piece(p, &m);
			p->pos = m.end;
		} else if ((w.piece >= 0 || w.moves) && w.place == NULL && here(p)->spaced &&
			   parse_place(p, &at, square)) {
			w.place = typed_text(p, from, p->pos);
		} else {
			w.moves = w.moves || puts_here(p);
			advance(p);
		}
	}
	return w;
}

static bool takes_away(const struct token *t)
{
	static const char *const words[] = {"ignore", "cancel", "void", "delete", "scrap", "strike", "undo", "forget"};

	for (size_t i = 0; t->type == TOKEN_WORD && i < sizeof words / sizeof *words; i++)
		if (is_word(t, words[i]))
			return true;
	return false;
}

/* "41 should be 1 hit", "halve the hits of 41", "ignore 41": a number, what is to become of it, and no command. */
static bool tell_hits(struct parser *p)
{
	int from = p->pos, failures = p->failures, numbers[2] = {-1, -1}, count = 0;
	bool hits = false, half_term = false, away = takes_away(here(p));
	const char *line, *change;

	for (; !at_end(p); advance(p)) {
		const struct token *t = here(p);

		if (t->type == TOKEN_NUMBER && t->number % 1000 == 0 && !is_glued(p, p->pos) && count < 2)
			numbers[count++] = t->number / 1000;
		else if (t->type == TOKEN_WORD)
			hits = hits || word_begins(t->word, "hit") || word_begins(t->word, "hal");
		half_term |= t->type == TOKEN_WORD && (is_word(t, "term") || is_word(t, "halfterm"));
	}
	p->pos = from;
	if ((!hits && !away) || count == 0 || half_term)
		return false;
	change = away ? "VOID" : count > 1 ? talloc_asprintf(p->mem, "HITS %d", numbers[1]) : "HITS and how many";
	line = talloc_asprintf(p->mem, "AMEND %d %s BECAUSE %s", numbers[0], change, reason_after(p, from));
	problem(p, PROBLEM_UNREADABLE, from, p->stop, NULL, NULL, "To %s write: %s",
		away ? "take an event away" : "change how many hits an event scored", line);
	suggest_line(p, failures, line);
	return true;
}

/* "hold the next one till i have read it" */
static bool tell_hold(struct parser *p)
{
	int from = p->pos, failures = p->failures;

	while (key_here(p) == KEY_PLEASE)
		advance(p);
	if (key_here(p) != KEY_HOLD || key_ahead(p, 1) == KEY_ON)
		return false;
	problem(p, PROBLEM_UNREADABLE, from, p->stop, NULL, NULL,
		"To keep a report back until you write RELEASE, write HOLD alone on its line.");
	suggest_line(p, failures, "HOLD");
	return true;
}

static void tell_command_of(struct parser *p, int first, int end, const char *says, const char *command)
{
	int failures = p->failures;

	problem(p, PROBLEM_UNREADABLE, first, end, NULL, NULL, "%s: %s", says, command);
	suggest_line(p, failures, command);
}

/* Does a date begin there? A number of days, or of a turn, is none. */
static bool date_begins(const struct token *t)
{
	static const char *const words[] = {"monday", "mon", "tuesday", "tue", "tues", "wednesday", "wed", "thursday",
		"thu", "thur", "thurs", "friday", "fri", "saturday", "sat", "sunday", "sun", "today", "tonight",
		"tomorrow", "noon", "midday", "next", "january", "jan", "february", "feb", "march", "april", "apr",
		"june", "july", "august", "aug", "september", "sept", "october", "oct", "november", "nov", "december",
		"dec", NULL};
	static const char *const counts[] = {
		"day", "days", "week", "weeks", "hour", "hours", "more", "extra", "turn", "turns", NULL};

	if (is_among(t, words))
		return !is_among(t + 1, counts);
	return t->type == TOKEN_NUMBER && !is_among(t + 1, counts) && !is_among(t - 1, counts);
}

/* "please move the deadline to Monday 10am" */
static bool names_date(struct parser *p, int first, int end)
{
	int from = first;

	while (from < end && !word_is(p, from, "deadline"))
		from++;
	for (from++; from < end && !date_begins(&p->lex->tokens[from]);)
		from++;
	return from < end;
}

/* "put the deadline off by a week"; by so many days is told elsewhere. */
static bool tell_deadline(struct parser *p, int first, int end)
{
	static const char *const units[] = {"day", "days", "week", "weeks", "more", NULL};
	int failures = p->failures;

	for (int i = first; i + 1 < end; i++)
		if (whole_number(&p->lex->tokens[i]) > 0 && is_among(&p->lex->tokens[i + 1], units))
			return false;
	p->pos = first;
	problem(p, PROBLEM_UNREADABLE, first, end, NULL, NULL, "To put the deadline off write: EXTEND 7 DAYS");
	suggest_line(p, failures, "EXTEND 7 DAYS");
	return true;
}

/* The first word that matters of "ok, can you tell me who ...". */
static int skip_asking(struct parser *p, int first, int end)
{
	static const char *const words[] = {"ok", "okay", "yes", "please", "pls", "fine", "good", "great", "by", "with",
		"me", "just", "now", "you", "can", "could", "hi", "hello", "dear", "galloper", "and", "so", "also",
		NULL};

	for (; first < end; first++) {
		const struct token *t = &p->lex->tokens[first];
		bool tells = first + 1 < end && ((is_word(t, "tell") && is_word(t + 1, "me")) ||
							(is_word(t, "i") && is_word(t + 1, "see")));

		if (t->type == TOKEN_WORD && !is_among(t, words) && !tells)
			break;
		if (t->type != TOKEN_WORD && t->type != TOKEN_COMMA && t->type != TOKEN_STOP && t->type != TOKEN_DASH)
			break;
	}
	return first;
}

static bool line_fits(struct parser *p, int first, int end, const char *opens, const char *holds)
{
	if (opens[0] != '\0' && !word_is(p, first, opens))
		return false;
	if (holds[0] == '\0')
		return true;
	for (int k = first; k < end; k++)
		if (word_is(p, k, holds))
			return true;
	return false;
}

/* "play turn 1 again", "take back the last turn", and no unit that shall turn. */
static bool plays_again(struct parser *p, int first, int end, const struct wish *w)
{
	static const char *const again[] = {
		"again", "replay", "replayed", "redo", "redone", "rerun", "repeat", "restart", "back", NULL};
	static const char *const which[] = {"the", "a", "this", "that", "last", "whole", "previous", NULL};
	static const char *const others[] = {
		"order", "orders", "change", "changes", "ruling", "amendment", "report", "map", NULL};
	bool repeats = false, turn = false;

	if (line_fits(p, first, end, "go", "back") || line_fits(p, first, end, "roll", "back"))
		return w->piece < 0;
	for (int i = first; i < end; i++)
		if (p->lex->tokens[i].type == TOKEN_WORD && p->lex->tokens[i].word->key == KEY_BECAUSE)
			end = i;
	for (int i = first; i < end; i++) {
		const struct token *t = &p->lex->tokens[i];
		int n = is_word(t, "turn") || is_word(t, "round") ? whole_number(t + 1) : 0;

		if (is_among(t, others))
			return false;
		repeats |= is_among(t, again);
		turn |= (n > 0 && n <= p->ctx->turn) || (n < 0 && w->piece < 0 && i > first && is_among(t - 1, which));
	}
	return repeats && turn;
}

/* "half term from 14 to 18 December", "no game over Christmas" */
static bool names_holidays(struct parser *p, int first, int end)
{
	static const char *const words[] = {
		"holiday", "holidays", "halfterm", "vacation", "vacations", "christmas", "xmas", "easter", NULL};
	static const char *const none_of[] = {
		"game", "games", "turn", "turns", "battle", "school", "lesson", "lessons", "class", "classes", NULL};

	for (int i = first; i < end; i++) {
		const struct token *t = &p->lex->tokens[i];

		if (t->type == TOKEN_WORD && t->word->key == KEY_BECAUSE)
			return false;
		if (is_among(t, words) || (is_word(t, "half") && is_word(t + 1, "term")) ||
			(is_word(t, "no") && is_among(t + 1, none_of)))
			return true;
	}
	return false;
}

/* Does the line ask for what only the calendar and the list of players can answer? It is set aside for those who have
 * them. */
static bool is_of_people_or_days(struct parser *p, int line, const struct wish *w)
{
	static const char *const tells[] = {"tell", "remind", "inform", NULL};
	int first = skip_asking(p, p->lex->lines[line].first, line_end(p, line)), end = line_end(p, line);
	const struct token *t = &p->lex->tokens[first];

	if (first >= end)
		return false;
	if (is_among(t, tells) || (is_glued(p, first) && t[2].type == TOKEN_COLON) || plays_again(p, first, end, w) ||
		names_holidays(p, first, end))
		return true;
	return line_fits(p, first, end, "", "deadline") && names_date(p, first, end);
}

/* Questions whose answer changes nothing: they are answered as the command would be. */
static bool ask_command_for(struct parser *p, int line)
{
	static const struct {
		const char *first, *word;
		enum command_verb verb;
	} questions[] = {
		{"who", "orders", COMMAND_STATUS},
		{"who", "ordered", COMMAND_STATUS},
		{"who", "sent", COMMAND_STATUS},
		{"who", "missing", COMMAND_STATUS},
		{"who", "late", COMMAND_STATUS},
		{"who", "ready", COMMAND_STATUS},
		{"who", "playing", COMMAND_STATUS},
		{"who", "plays", COMMAND_STATUS},
		{"who", "winning", COMMAND_STATUS},
		{"player", "list", COMMAND_STATUS},
		{"what", "score", COMMAND_STATUS},
		{"whats", "score", COMMAND_STATUS},
		{"how", "score", COMMAND_STATUS},
		{"what", "status", COMMAND_STATUS},
		{"whats", "status", COMMAND_STATUS},
		{"show", "status", COMMAND_STATUS},
		{"how", "going", COMMAND_STATUS},
		{"when", "deadline", COMMAND_STATUS},
		{"when", "turn", COMMAND_STATUS},
		{"when", "due", COMMAND_STATUS},
		{"whats", "deadline", COMMAND_STATUS},
		{"show", "map", COMMAND_MAP},
		{"send", "map", COMMAND_MAP},
		{"is", "ready", COMMAND_STATUS},
		{"are", "ready", COMMAND_STATUS},
		{"has", "ordered", COMMAND_STATUS},
		{"have", "ordered", COMMAND_STATUS},
		{"has", "sent", COMMAND_STATUS},
		{"have", "sent", COMMAND_STATUS},
		{"see", "map", COMMAND_MAP},
		{"show", "orders", COMMAND_ORDERS},
		{"what", "write", COMMAND_HELP},
		{"who", "written", COMMAND_STATUS},
	};
	int first = skip_asking(p, p->lex->lines[line].first, line_end(p, line)), end = line_end(p, line);

	for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
		if (line_fits(p, first, end, questions[i].first, questions[i].word)) {
			add_plain_command(p, questions[i].verb, first, end);
			return true;
		}
	return false;
}

/* Wishes in plain words, each with the command that serves it. */
static bool tell_command_for(struct parser *p, int line)
{
	static const struct {
		const char *first, *word; /* what the line begins with and holds; "" = anything */
		const char *says, *command;
	} wishes[] = {
		{"why", "", "To read the rules and dice behind an event, write its number after WHY", "WHY 17"},
		{"what", "order", "To see what both sides ordered for turn 1, say, write", "ORDERS TURN 1"},
		{"what", "ordered", "To see what both sides ordered for turn 1, say, write", "ORDERS TURN 1"},
		{"see", "order", "To see what both sides ordered for turn 1, say, write", "ORDERS TURN 1"},
		{"see", "ordered", "To see what both sides ordered for turn 1, say, write", "ORDERS TURN 1"},
		{"what", "happen", "To see how the turn would end with the orders that are in write", "PREVIEW"},
		{"send", "message", NULL, NULL}, /* whose reader is told elsewhere */
		{"send", "again", "To get the report of the last turn again write", "RESEND"},
		{"send", "first", "To read each turn's report before the players do write", "REVIEW ON"},
		{"send", "report", "To let the players have the report write", "RELEASE"},
		{"send", "reports", "To let the players have the report write", "RELEASE"},
		{"send", "it", "To let the players have the report write", "RELEASE"},
		{"send", "out", "To let the players have the report write", "RELEASE"},
		{"let", "go", "To let the players have the report write", "RELEASE"},
		{"how", "hit", "To change how many hits an event scored write, with its number in the report",
			"AMEND 17 HITS 1 BECAUSE reason"},
		{"how", "hits", "To change how many hits an event scored write, with its number in the report",
			"AMEND 17 HITS 1 BECAUSE reason"},
		{"wait", "for", "To give everybody more time write", "EXTEND 2 DAYS"},
		{"how", "undo", "To take back your last change write", "UNDO"},
		{"stop", "clock", "To stop the clock until you write RESUME, write", "PAUSE"},
		{"", "pause", "To stop the clock until you write RESUME, write", "PAUSE"},
		{"", "deadline", "", ""},
	};
	int first = skip_asking(p, p->lex->lines[line].first, line_end(p, line)), end = line_end(p, line);

	for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
		if (!line_fits(p, first, end, wishes[i].first, wishes[i].word))
			continue;
		if (wishes[i].command == NULL) {
			set_aside_line(p, line);
			return true;
		}
		if (wishes[i].command[0] == '\0')
			return tell_deadline(p, first, end);
		p->pos = first;
		tell_command_of(p, first, end, wishes[i].says, wishes[i].command);
		return true;
	}
	return false;
}

bool tell_referee(struct parser *p, int line)
{
	bool order = p->opens[line] != OPENS_OTHER && p->opens[line] != OPENS_VERB;
	int from = p->pos, end = p->stop, failures = p->failures;
	struct wish w = read_wish(p);
	const char *code, *side, *instead;

	p->pos = from;
	if (p->ctx->may_order != NULL && ask_command_for(p, line))
		return true;
	if (p->ctx->may_order != NULL && is_of_people_or_days(p, line, &w)) {
		set_aside_line(p, line);
		return true;
	}
	if (p->ctx->may_order != NULL && tell_command_for(p, line))
		return true;
	p->pos = p->lex->lines[line].first;
	if (p->ctx->may_order != NULL && w.place == NULL && tell_change(p, line))
		return true;
	p->pos = from;
	if (p->ctx->may_order != NULL && p->opens[line] == OPENS_OTHER) {
		p->pos = p->lex->lines[line].first;
		if (tell_hits(p))
			return true;
		p->pos = from;
	}
	if (p->ctx->may_order != NULL && p->opens[line] == OPENS_VERB && w.piece < 0) {
		p->pos = p->lex->lines[line].first;
		if (!tell_hold(p)) /* "hold on a moment" */
			set_aside_line(p, line);
		p->pos = from;
		return true;
	}
	if (p->ctx->may_order == NULL || !((order && w.piece >= 0) || (w.moves && w.place != NULL)))
		return false;
	code = w.piece >= 0 ? piece_code(p->mem, p->ctx->state, w.piece) : "unit";
	side = w.piece < 0 || p->ctx->state->units[w.piece].side == SIDE_GOVERNMENT ? "E" : "J";
	if (w.place != NULL) {
		instead = talloc_asprintf(p->mem, "PLACE %s AT %s BECAUSE %s", code, w.place, reason_after(p, from));
		problem(p, PROBLEM_UNREADABLE, from, end, NULL, NULL, "To put a unit elsewhere write: %s", instead);
	} else {
		instead = p->ctx->held_turn > 0 ? talloc_asprintf(p->mem, "ORDER %s TURN %d: %s: advance 4 BECAUSE %s",
							  side, p->ctx->held_turn, code, reason_after(p, from))
						: talloc_asprintf(p->mem, "ORDER %s TURN %d: %s: advance 4", side,
							  p->ctx->turn, code);
		problem(p, PROBLEM_UNREADABLE, from, end, NULL, NULL,
			"A referee gives orders for a side. Write it like: %s", instead);
	}
	suggest_line(p, failures, instead);
	return true;
}
