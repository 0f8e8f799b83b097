/* Mail commands and the referee's commands: one table, one line each. One-word commands stand alone on their line
 * (rule 12); free text runs to the end of the line, or to the next blank line when it opens with a newline (rule 11).
 */
#include "base/text.h"
#include "orders/lines.h"
#include "orders/parse.h"

#include <ctype.h>
#include <string.h>

enum { COMMAND_WORD_MAX = 12 };

/* What follows the word. */
enum shape {
	SHAPE_NONE,
	SHAPE_HOLD,          /* ["it"] */
	SHAPE_TURN,          /* [TURN n] */
	SHAPE_TURN_NEEDED,   /* TO TURN n */
	SHAPE_LINE,          /* [TO LINE n] */
	SHAPE_NUMBER,        /* n */
	SHAPE_MAYBE_NUMBER,  /* [n] */
	SHAPE_CANCEL,        /* subject */
	SHAPE_CLEAR,         /* [all] */
	SHAPE_CONCEDE,       /* CONCEDE */
	SHAPE_SAY,           /* TO whom: text */
	SHAPE_ABSENT,        /* FROM date TO date */
	SHAPE_TEXT,          /* text */
	SHAPE_EXTEND,        /* n DAYS */
	SHAPE_REVIEW,        /* ON [n HOURS] | OFF */
	SHAPE_AMEND,         /* event HITS k | event VOID */
	SHAPE_DIE,           /* name = value */
	SHAPE_SET,           /* unit BASES|FIGURES n */
	SHAPE_PLACE,         /* unit AT place FACING direction */
	SHAPE_UNIT,          /* unit */
	SHAPE_UNDO,          /* ["that" | "change"] [n] */
	SHAPE_ORDER,         /* side [TURN n]: text */
	SHAPE_VOID,          /* ORDERS side [unit] [TURN n] */
	SHAPE_NAME_AND_TEXT, /* name text */
	SHAPE_REPLACE,       /* player WITH address */
};

struct command_row {
	struct command_info info;
	enum shape shape;
};

/* In the order of enum command_verb. */
static const struct command_row table[COMMAND_VERBS] = {
	[COMMAND_HELP] = {{"help", "HELP", "How to write orders.", false, true}, SHAPE_NONE},
	[COMMAND_STATUS] = {{"status", "STATUS", "The game, the turn and the deadline.", false, true}, SHAPE_NONE},
	[COMMAND_MAP] = {{"map", "MAP", "The map as it stands.", false, true}, SHAPE_NONE},
	[COMMAND_RULES] = {{"rules", "RULES", "The rules on one page.", false, true}, SHAPE_NONE},
	[COMMAND_ORDERS] = {{"orders", "ORDERS", "Your orders in force.", false, true}, SHAPE_NONE},
	[COMMAND_RESEND] = {{"resend", "RESEND [TURN n]", "The report of a turn again.", false, true}, SHAPE_TURN},
	[COMMAND_WHY] = {{"why", "WHY n", "The rules and dice behind event n.", false, true}, SHAPE_NUMBER},
	[COMMAND_ACCEPT] = {{"accept", "ACCEPT", "Take all suggestions of the last receipt.", false, true}, SHAPE_NONE},
	[COMMAND_READY] = {{"ready", "READY", "You are done: the turn may be resolved early.", false, true},
		SHAPE_NONE},
	[COMMAND_WAIT] = {{"wait", "WAIT", "You are not done after all.", false, true}, SHAPE_NONE},
	[COMMAND_CONCEDE] = {{"concede", "CONCEDE", "Give up; the referee must approve.", false, true}, SHAPE_NONE},
	[COMMAND_NO_CONCEDE] = {{"no", "NO CONCEDE", "You do not give up after all.", false, true}, SHAPE_CONCEDE},
	[COMMAND_CANCEL] = {{"cancel", "CANCEL unit", "Take back a unit's orders.", false, true}, SHAPE_CANCEL},
	[COMMAND_CLEAR] = {{"clear", "CLEAR ALL", "Take back all your orders.", false, true}, SHAPE_CLEAR},
	[COMMAND_SAY] = {{"say", "SAY TO side|all|referee: text", "Send a message.", false, true}, SHAPE_SAY},
	[COMMAND_ABSENT] = {{"absent", "ABSENT FROM date TO date", "You are away.", false, true}, SHAPE_ABSENT},
	[COMMAND_DRILL] = {{"drill", "DRILL", "Practise in a small battle of your own.", false, true}, SHAPE_NONE},
	[COMMAND_PAUSE] = {{"pause", "PAUSE", "Stop the clock.", true, true}, SHAPE_NONE},
	[COMMAND_RESUME] = {{"resume", "RESUME", "Let the clock run again.", true, true}, SHAPE_NONE},
	[COMMAND_DEADLINE] = {{"deadline", "DEADLINE date time", "Set this turn's deadline.", true, true}, SHAPE_TEXT},
	[COMMAND_EXTEND] = {{"extend", "EXTEND n DAYS", "Put the deadline off.", true, true}, SHAPE_EXTEND},
	[COMMAND_RESOLVE] = {{"resolve", "RESOLVE [TURN n]", "Resolve the turn now.", true, true}, SHAPE_TURN},
	[COMMAND_REVIEW] = {{"review", "REVIEW ON [n HOURS] | OFF", "See each turn before the players do.", true, true},
		SHAPE_REVIEW},
	[COMMAND_HOLD] = {{"hold", "HOLD", "Keep a report back until you write RELEASE.", true, true}, SHAPE_HOLD},
	[COMMAND_PREVIEW] = {{"preview", "PREVIEW", "How the turn would end with the orders that are in.", true, true},
		SHAPE_NONE},
	[COMMAND_RELEASE] = {{"release", "RELEASE [TURN n]", "Let the players have the report.", true, true},
		SHAPE_TURN},
	[COMMAND_AMEND] = {{"amend", "AMEND n HITS k | VOID", "Change what event number n did.", true, true},
		SHAPE_AMEND},
	[COMMAND_DIE] = {{"die", "DIE name = value", "Change a die, by its name.", true, true}, SHAPE_DIE},
	[COMMAND_SET] = {{"set", "SET unit BASES|FIGURES n", "Change a unit's strength.", true, true}, SHAPE_SET},
	[COMMAND_PLACE] = {{"place", "PLACE unit AT place [FACING direction]", "Put a unit elsewhere.", true, true},
		SHAPE_PLACE},
	[COMMAND_REMOVE] = {{"remove", "REMOVE unit", "Take a unit off the table.", true, true}, SHAPE_UNIT},
	[COMMAND_RESTORE] = {{"restore", "RESTORE unit", "Put a unit back that is gone.", true, true}, SHAPE_UNIT},
	[COMMAND_KILL] = {{"kill", "KILL commander", "A commander falls.", true, true}, SHAPE_UNIT},
	[COMMAND_SPARE] = {{"spare", "SPARE commander", "A commander who fell lives.", true, true}, SHAPE_UNIT},
	[COMMAND_UNDO] = {{"undo", "UNDO [n]", "Take back your last change, or change number n.", true, true},
		SHAPE_UNDO},
	[COMMAND_ORDER] = {{"order", "ORDER side [TURN n]: order", "Give an order for that side.", true, true},
		SHAPE_ORDER},
	[COMMAND_VOID] = {{"void", "VOID ORDERS side [unit] [TURN n]", "Take orders back.", true, true}, SHAPE_VOID},
	[COMMAND_RULE] = {{"rule", "RULE option value", "A house rule from the next turn on.", true, false},
		SHAPE_NAME_AND_TEXT},
	[COMMAND_ROLLBACK] = {{"rollback", "ROLLBACK TO TURN n", "Play again from a turn.", true, true},
		SHAPE_TURN_NEEDED},
	[COMMAND_ROLLFORWARD] = {{"rollforward", "ROLLFORWARD [TO LINE n]", "Undo a rollback.", true, true},
		SHAPE_LINE},
	[COMMAND_REPLACE] = {{"replace", "REPLACE player WITH address", "Another plays on.", true, true},
		SHAPE_REPLACE},
	[COMMAND_DEPUTY] =
		{{"deputy", "DEPUTY player address | OFF", "A deputy may order too, or no longer.", true, true},
			SHAPE_NAME_AND_TEXT},
	[COMMAND_GRANT] = {{"grant", "GRANT player units", "Give units to a player's command.", true, true},
		SHAPE_NAME_AND_TEXT},
	[COMMAND_APPROVE] = {{"approve", "APPROVE [n]", "Let message n go; or agree that a side concedes.", true, true},
		SHAPE_MAYBE_NUMBER},
	[COMMAND_REJECT] =
		{{"reject", "REJECT [n]", "Stop message n; or do not agree that a side concedes.", true, true},
			SHAPE_MAYBE_NUMBER},
	[COMMAND_VERDICT] = {{"verdict", "VERDICT side: text", "End the battle: who has won, and why.", true, true},
		SHAPE_TEXT},
	[COMMAND_NOTE] = {{"note", "NOTE text", "A line for the record of the game.", true, true}, SHAPE_TEXT},
};

const struct command_info *command_info(enum command_verb verb)
{
	return &table[verb].info;
}

static int find_verb(const struct token *t);
static bool fits(struct parser *p, enum command_verb verb);

/* --- words and free text ------------------------------------------------------------------------------------------ */

static bool is_text(struct parser *p, const char *folded)
{
	const struct token *t = here(p);

	return t->type == TOKEN_WORD && strcmp(t->word->text, folded) == 0;
}

static bool take_text(struct parser *p, const char *folded)
{
	if (!is_text(p, folded))
		return false;
	advance(p);
	return true;
}

static const char *between(struct parser *p, int from, int end)
{
	const struct token *first = &p->lex->tokens[from], *last = &p->lex->tokens[end - 1];

	if (end <= from)
		return "";
	return talloc_strndup(p->mem, p->lex->text + first->offset, last->offset + last->length - first->offset);
}

/* Up to one of the words that begin the tail of a command, or the end of the line. */
static const char *take_phrase(struct parser *p, const char *stop_a, const char *stop_b)
{
	int from;

	here(p);
	from = p->pos;
	while (!at_end(p) && !is_text(p, "because") && !is_text(p, "before") && !(stop_a && is_text(p, stop_a)) &&
		!(stop_b && is_text(p, stop_b)))
		advance(p);
	return between(p, from, p->pos);
}

static bool take_whole_number(struct parser *p, int *out)
{
	const struct token *t = here(p);

	if (t->type != TOKEN_NUMBER || t->number < 0 || t->number % 1000 != 0)
		return false;
	*out = t->number / 1000;
	advance(p);
	return true;
}

static bool take_side(struct parser *p, int *side)
{
	static const char *const words[][2] = {
		{"e", "j"}, {"english", "jacobite"}, {"government", "jacobites"}, {"british", "jacobite"}};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		for (int k = 0; k < SIDES; k++) {
			if (take_text(p, words[i][k])) {
				*side = k;
				return true;
			}
		}
	}
	return false;
}

/* What stands where a unit should, up to a word of the command: told. */
static void tell_unknown_unit(struct parser *p)
{
	int from;

	here(p);
	from = p->pos;
	while (!at_end(p) && here(p)->type != TOKEN_NUMBER && key_here(p) != KEY_BASES && key_here(p) != KEY_FIGURES &&
		key_here(p) != KEY_AT && key_here(p) != KEY_ON && key_here(p) != KEY_TO && !is_text(p, "before") &&
		!is_text(p, "because"))
		advance(p);
	if (p->pos > from)
		unknown_piece(p, from, p->pos, ROLE_EITHER, "the name or code of a unit");
}

static bool take_units(struct parser *p, struct command_record *c)
{
	struct match m;
	int piece, failures = p->failures;

	if (!match_piece(p, &m)) {
		tell_unknown_unit(p);
		return p->failures > failures;
	}
	p->pos = m.end;
	piece = bind_piece(p, &m, ROLE_EITHER);
	if (piece < 0)
		return true; /* told */
	c->units = talloc_array(p->mem, int, 1);
	c->units[0] = piece;
	c->unit_count = 1;
	return true;
}

/* --- shapes ------------------------------------------------------------------------------------------------------- */

/* "it to the players now please": words that add nothing to the command before them. */
static void skip_small_words(struct parser *p)
{
	static const char *const small[] = {
		"it", "report", "reports", "this", "that", "now", "players", "pupils", "class"};
	bool more;

	do {
		enum key key = key_here(p);

		more = key == KEY_SKIP || key == KEY_PLEASE || key == KEY_TO || key == KEY_ALL || key == KEY_EVERYONE;
		for (size_t i = 0; !more && i < sizeof small / sizeof *small; i++)
			more = is_text(p, small[i]);
		if (more)
			advance(p);
	} while (more);
}

static bool read_turn(struct parser *p, struct command_record *c, bool needed)
{
	skip_small_words(p);
	take_key(p, KEY_TURN);
	if (here(p)->type != TOKEN_NUMBER)
		return !needed;
	if (!take_whole_number(p, &c->turn) || c->turn <= 0)
		return false;
	skip_small_words(p);
	return true;
}

/* approve = "approve" [ n { ("," | "and") n } ]; further numbers stand in c->units until each is a command of its own.
 * Who rejects may go on in his own words behind a comma. */
static bool read_decision(struct parser *p, struct command_record *c)
{
	bool more;

	while (take_text(p, "message") || take_text(p, "messages") || take_type(p, TOKEN_HASH))
		continue;
	more = take_whole_number(p, &c->number);
	while (more) {
		int from = p->pos, n;

		while (take_type(p, TOKEN_COMMA) || take_key(p, KEY_AND) || take_type(p, TOKEN_HASH))
			continue;
		more = p->pos > from && take_whole_number(p, &n);
		if (more) {
			c->units = talloc_realloc(p->mem, c->units, int, (unsigned)c->unit_count + 1);
			c->units[c->unit_count++] = n;
		} else {
			p->pos = from;
		}
	}
	if (c->verb == COMMAND_REJECT && here(p)->type == TOKEN_COMMA && ahead(p, 1)->type == TOKEN_WORD &&
		strcmp(ahead(p, 1)->word->text, "because") != 0)
		p->pos = p->stop;
	return true;
}

/* hold = "hold" [ "it" | "this" | ... ] [ ( "," | "." | "-" ) whatever ]: "hold it pls, back on monday" */
static bool read_hold(struct parser *p)
{
	const struct token *t;

	skip_small_words(p);
	t = here(p);
	if (!at_end(p) && t->type != TOKEN_COMMA && t->type != TOKEN_DASH && t->type != TOKEN_STOP)
		return false;
	p->pos = p->stop;
	return true;
}

static bool read_say(struct parser *p, struct command_record *c)
{
	int from;

	if (!take_key(p, KEY_TO))
		return false;
	while (key_here(p) == KEY_SKIP)
		advance(p);
	from = p->pos;
	while (!at_end(p) && here(p)->type != TOKEN_COLON && p->pos < from + 4)
		advance(p);
	c->name = between(p, from, p->pos);
	if (!*c->name || !take_type(p, TOKEN_COLON))
		return false;
	c->text = take_free_text(p, false);
	return *c->text != '\0';
}

static void take_to(struct parser *p)
{
	if (!take_type(p, TOKEN_EQUAL) && !take_type(p, TOKEN_COLON))
		take_key(p, KEY_TO);
}

/* amend = [ "event" ] ["#"] event [ ":" | "to" ] ( "void" | "hits" [ "=" | ":" | "to" ] number | number "hits" ) */
static bool read_amend(struct parser *p, struct command_record *c)
{
	bool hits;
	int from;

	while (take_text(p, "event") || take_text(p, "number") || take_type(p, TOKEN_HASH))
		continue;
	from = p->pos;
	while (!at_end(p) && here(p)->type != TOKEN_COLON && key_here(p) != KEY_TO && !is_text(p, "hits") &&
		!is_text(p, "void") && !is_text(p, "undo") && !is_text(p, "because") &&
		!(p->pos > from && here(p)->type == TOKEN_NUMBER && here(p)->spaced))
		advance(p);
	c->name = between(p, from, p->pos);
	take_type(p, TOKEN_COLON);
	take_key(p, KEY_TO);
	if (is_text(p, "undo")) {
		problem(p, PROBLEM_UNREADABLE, p->pos, p->pos + 1, NULL, NULL,
			"To take back your last change write UNDO alone; for an earlier one write its number in your "
			"list of "
			"changes after it, as in UNDO 2.");
		p->pos = p->stop;
		return true;
	}
	if (take_text(p, "void"))
		return *c->name;
	hits = take_text(p, "hits") || take_text(p, "hit");
	take_to(p);
	if (!*c->name || !take_whole_number(p, &c->number))
		return false;
	return take_text(p, "hits") || take_text(p, "hit") || hits;
}

/* review = "on" [ number "hours" ] | "off" */
static bool read_review(struct parser *p, struct command_record *c)
{
	c->text = take_text(p, "off") ? "off" : "on";
	if (strcmp(c->text, "off") == 0)
		return true;
	if (!take_text(p, "on") && !take_key(p, KEY_ON))
		return false;
	if (at_end(p))
		return true;
	return take_whole_number(p, &c->number) && (take_text(p, "hours") || take_text(p, "hour"));
}

/* [ "turn" n ]: which turn orders are meant for */
static bool read_which_turn(struct parser *p, struct command_record *c)
{
	return c->turn > 0 || !take_key(p, KEY_TURN) || (take_whole_number(p, &c->turn) && c->turn > 0);
}

/* void = "orders" [ "for" | "of" ] side [ "turn" n ] [ unit ] [ "turn" n ] */
static bool read_void(struct parser *p, struct command_record *c)
{
	if (!take_text(p, "orders"))
		return false;
	while (is_text(p, "for") || key_here(p) == KEY_OF || key_here(p) == KEY_SKIP)
		advance(p);
	if (!take_side(p, &c->side) || !read_which_turn(p, c))
		return false;
	take_type(p, TOKEN_COLON);
	if (key_here(p) != KEY_TURN)
		take_units(p, c);
	return read_which_turn(p, c);
}

static bool line_gives_reason(struct parser *p)
{
	for (int i = p->pos; i < p->stop; i++)
		if (p->lex->tokens[i].type == TOKEN_WORD && strcmp(p->lex->tokens[i].word->text, "because") == 0)
			return true;
	return false;
}

/* Raw text, of which what stands behind its last "because" is the reason. */
static bool read_order(struct parser *p, struct command_record *c)
{
	const char *raw, *because = NULL;

	if (!read_which_turn(p, c) || !take_side(p, &c->side) || !read_which_turn(p, c) || !take_type(p, TOKEN_COLON))
		return false;
	raw = take_free_text(p, line_gives_reason(p));
	for (const char *at = raw; (at = strcasestr(at, "because")) != NULL; at++)
		if (at > raw && strchr(" \t\n,;.", at[-1]) && strchr(" \t\n:", at[strlen("because")]))
			because = at;
	c->text = because ? talloc_strndup(p->mem, raw, (size_t)(because - raw)) : raw;
	if (because) {
		because += strlen("because");
		c->because = reason_line(p, because + strspn(because, " \t\n:"));
	}
	return *c->text != '\0';
}

/* undo = "undo" [ "that" | "my last change" | ... ] [ n ] */
static bool read_undo(struct parser *p, struct command_record *c)
{
	do
		skip_small_words(p);
	while (take_text(p, "my") || take_text(p, "last") || take_text(p, "latest") || take_text(p, "change") ||
		take_text(p, "number") || take_text(p, "no") || take_type(p, TOKEN_HASH));
	if (take_whole_number(p, &c->number))
		skip_small_words(p);
	return c->number != 0;
}

static bool read_die(struct parser *p, struct command_record *c)
{
	int from = p->pos;

	while (!at_end(p) && here(p)->type != TOKEN_EQUAL)
		advance(p);
	c->name = between(p, from, p->pos);
	return *c->name && take_type(p, TOKEN_EQUAL) && take_whole_number(p, &c->number);
}

static const char *take_strength(struct parser *p)
{
	enum key key = key_here(p);

	if (key != KEY_BASES && key != KEY_FIGURES)
		return "";
	advance(p);
	return key == KEY_BASES ? "bases" : "figures";
}

/* set = unit ( ("bases" | "figures") [ "to" | "=" ] number | [ "to" | "=" ] number ("bases" | "figures") ) */
static bool read_set(struct parser *p, struct command_record *c)
{
	if (!take_units(p, c))
		return false;
	c->name = take_strength(p);
	take_to(p);
	if (!take_whole_number(p, &c->number))
		return false;
	if (!*c->name)
		c->name = take_strength(p);
	return *c->name;
}

/* facing = direction of the compass | bearing [ "degrees" ] */
static bool read_facing(struct parser *p, struct command_record *c)
{
	int from, failures = p->failures;

	here(p);
	from = p->pos;
	if (!parse_heading(p, &c->heading) && !take_whole_number(p, &c->heading.degrees))
		return false;
	if (p->failures == failures && (c->heading.relative || c->heading.degrees > 360))
		problem(p, PROBLEM_UNREADABLE, from, p->pos, NULL, NULL,
			"A unit is placed facing a direction of the compass, as north, or a bearing from 0 to 360.");
	c->heading.degrees %= 360;
	return true;
}

static bool read_place(struct parser *p, struct command_record *c)
{
	char square[SQUARE_NAME_MAX + 1];

	if (!take_units(p, c))
		return false;
	if (!take_key(p, KEY_AT) && !take_key(p, KEY_TO))
		take_key(p, KEY_ON);
	c->has_place = parse_place(p, &c->place, square);
	if (!c->has_place)
		return false;
	c->has_heading = take_key(p, KEY_FACE);
	return !c->has_heading || read_facing(p, c);
}

static bool read_absent(struct parser *p, struct command_record *c)
{
	if (!take_key(p, KEY_FROM))
		return false;
	c->from = take_phrase(p, "to", "until");
	if (!take_key(p, KEY_TO))
		return false;
	c->to = take_phrase(p, NULL, NULL);
	return *c->from && *c->to;
}

static bool read_name_and_text(struct parser *p, struct command_record *c)
{
	int from = p->pos;

	while (p->pos + 1 < p->stop && !p->lex->tokens[p->pos + 1].spaced)
		advance(p);
	advance(p);
	c->name = between(p, from, p->pos);
	c->text = take_phrase(p, NULL, NULL);
	return *c->name && *c->text;
}

static bool read_replace(struct parser *p, struct command_record *c)
{
	c->name = take_phrase(p, "with", NULL);
	if (!*c->name || !take_key(p, KEY_WITH))
		return false;
	c->text = take_phrase(p, NULL, NULL);
	return *c->text;
}

static bool read_shape(struct parser *p, struct command_record *c, enum shape shape)
{
	switch (shape) {
	case SHAPE_NONE:
	case SHAPE_CANCEL:
		return true;
	case SHAPE_HOLD:
		return read_hold(p);
	case SHAPE_TURN:
	case SHAPE_TURN_NEEDED:
		return read_turn(p, c, shape == SHAPE_TURN_NEEDED);
	case SHAPE_LINE:
		if (!take_key(p, KEY_TO))
			return true;
		return take_text(p, "line") && take_whole_number(p, &c->number) && c->number > 0;
	case SHAPE_NUMBER:
		take_text(p, "event");
		take_type(p, TOKEN_HASH);
		return take_whole_number(p, &c->number);
	case SHAPE_MAYBE_NUMBER:
		return read_decision(p, c);
	case SHAPE_CONCEDE:
		return take_text(p, "concede");
	case SHAPE_CLEAR:
		take_key(p, KEY_ALL);
		while (key_here(p) == KEY_SKIP || is_text(p, "orders") || key_here(p) == KEY_EVERYONE)
			advance(p);
		return true;
	case SHAPE_SAY:
		return read_say(p, c);
	case SHAPE_ABSENT:
		return read_absent(p, c);
	case SHAPE_TEXT:
		take_type(p, TOKEN_COLON);
		c->text = c->verb == COMMAND_DEADLINE ? take_phrase(p, "turn", NULL) : take_free_text(p, false);
		return *c->text;
	case SHAPE_EXTEND:
		take_text(p, "deadline");
		take_text(p, "by");
		return take_whole_number(p, &c->number) && (take_text(p, "days") || take_text(p, "day"));
	case SHAPE_REVIEW:
		return read_review(p, c);
	case SHAPE_AMEND:
		return read_amend(p, c);
	case SHAPE_DIE:
		return read_die(p, c);
	case SHAPE_SET:
		return read_set(p, c);
	case SHAPE_PLACE:
		return read_place(p, c);
	case SHAPE_UNIT:
		return take_units(p, c);
	case SHAPE_UNDO:
		return read_undo(p, c);
	case SHAPE_ORDER:
		return read_order(p, c);
	case SHAPE_VOID:
		return read_void(p, c);
	case SHAPE_NAME_AND_TEXT:
		return read_name_and_text(p, c);
	case SHAPE_REPLACE:
		return read_replace(p, c);
	}
	return false;
}

/* [ "turn" n ] [ "before" event ] [ "because" reason ]; a number that is none is left for the caller to see */
static void read_tail(struct parser *p, struct command_record *c)
{
	bool on_time = c->verb == COMMAND_PAUSE || c->verb == COMMAND_RESUME || c->verb == COMMAND_DEADLINE ||
		       c->verb == COMMAND_EXTEND;

	if (on_time && take_key(p, KEY_TURN) && !take_whole_number(p, &c->turn))
		return;
	if (take_text(p, "before"))
		c->before = take_phrase(p, NULL, NULL);
	if (here(p)->type == TOKEN_COMMA || here(p)->type == TOKEN_SEMICOLON || here(p)->type == TOKEN_STOP)
		advance(p);
	if (take_text(p, "because")) {
		take_type(p, TOKEN_COLON);
		c->because = reason_line(p, take_free_text(p, p->ctx->referee));
	}
}

/* --- the line ----------------------------------------------------------------------------------------------------- */

/* The command of that word, or -1; looked for once for each word. */
static int find_verb(const struct token *t)
{
	struct word *w = t->word;

	if (t->type != TOKEN_WORD)
		return -1;
	for (int i = 0; w->command == 0 && i < COMMAND_VERBS; i++)
		if (w->text[0] == table[i].info.word[0] && strcmp(w->text, table[i].info.word) == 0)
			w->command = i + 1;
	if (w->command == 0)
		w->command = -1;
	return w->command > 0 ? w->command - 1 : -1;
}

static bool only_marks_left(struct parser *p)
{
	while (here(p)->type == TOKEN_STOP || here(p)->type == TOKEN_COMMA || here(p)->type == TOKEN_SEMICOLON ||
		here(p)->type == TOKEN_DASH || key_here(p) == KEY_PLEASE)
		advance(p);
	return at_end(p);
}

/* The referee's words that a player may use for other things, unless he writes the whole command as the manual does. */
static bool is_common_word(enum command_verb verb)
{
	return verb == COMMAND_NOTE || verb == COMMAND_VERDICT || verb == COMMAND_RULE || verb == COMMAND_HOLD ||
	       verb == COMMAND_REPLACE || verb == COMMAND_ORDER || verb == COMMAND_DEPUTY || verb == COMMAND_GRANT ||
	       verb == COMMAND_DIE || verb == COMMAND_REVIEW || verb == COMMAND_UNDO;
}

/* Are the words those of the command, up to the end of the line? */
static bool fits(struct parser *p, enum command_verb verb)
{
	struct trial t = trial_begin(p);
	struct command_record c = {.verb = verb, .name = "", .text = "", .from = "", .to = ""};
	bool good;

	advance(p);
	good = read_shape(p, &c, table[verb].shape);
	if (good && table[verb].shape == SHAPE_CANCEL)
		good = !at_end(p);
	else if (good) {
		read_tail(p, &c);
		good = only_marks_left(p);
	}
	return trial_end(p, t) && good;
}

/* Typed as the manual prints commands: STATUS. */
static bool in_capitals(const struct parser *p, const struct token *t)
{
	for (uint32_t i = 0; i < t->length; i++)
		if (!isupper((unsigned char)p->lex->text[t->offset + i]))
			return false;
	return t->length > 1;
}

/* A word that is none of ours, but nearly a command, and alone on its line or followed by what the command takes: that
 * command, or -1. A name at the end of a mail must not be taken for one, so no more than one slip is forgiven, and in
 * three letters two that changed places. */
static int nearly_command(struct parser *p)
{
	const struct token *t = here(p);
	struct word *w = t->word;
	int before = p->pos, best = -1;
	bool alone, addressed;

	if (t->type != TOKEN_WORD || w->key != KEY_NONE || w->named || t->length < 3 || w->length > COMMAND_WORD_MAX)
		return -1;
	advance(p);
	alone = only_marks_left(p);
	p->pos = before;
	addressed = p->ctx->referee || in_capitals(p, t);
	for (int i = 0; (alone || addressed) && best < 0 && i < COMMAND_VERBS; i++) {
		const char *word = table[i].info.word;

		if ((table[i].info.referee && !p->ctx->referee) || text_distance(w->text, word, 1) > 1)
			continue;
		if ((w->length > 3 || (strlen(word) == 3 && strspn(w->text, word) == 3)) &&
			fits(p, (enum command_verb)i))
			best = i;
	}
	return best;
}

bool tell_nearly_command(struct parser *p)
{
	int verb = nearly_command(p), token = p->pos;
	char *word;

	if (verb < 0)
		return false;
	word = talloc_strdup(p->mem, table[verb].info.word);
	for (char *c = word; *c; c++)
		*c = (char)toupper((unsigned char)*c);
	problem(p, PROBLEM_UNREADABLE, token, token + 1, word, NULL, "`%s`: did you mean %s?",
		typed_text(p, token, token + 1), word);
	return true;
}

/* "say to" is a message, or meant to be one. */
static bool says_to(struct parser *p)
{
	struct trial t = trial_begin(p);
	bool to;

	advance(p);
	to = take_key(p, KEY_TO);
	trial_end(p, t);
	return to;
}

bool command_fits(struct parser *p)
{
	int verb = find_verb(here(p)), stop = p->stop;
	bool good = verb >= 0 && fits(p, (enum command_verb)verb);

	p->stop = stop;
	return good;
}

bool command_begins(struct parser *p)
{
	int verb = find_verb(here(p)), stop = p->stop;
	bool good;

	if (verb < 0)
		return false;
	good = fits(p, (enum command_verb)verb);
	p->stop = stop;
	if (table[verb].info.referee && !p->ctx->referee && is_common_word((enum command_verb)verb))
		return good && verb != COMMAND_HOLD && verb != COMMAND_UNDO && in_capitals(p, here(p));
	if (good)
		return true;
	/* The referee, and who wrote a word that nothing else can mean, hear how it is written. */
	return table[verb].shape != SHAPE_NONE && table[verb].shape != SHAPE_CONCEDE &&
	       ((table[verb].info.referee && p->ctx->referee && verb != COMMAND_ORDER && verb != COMMAND_HOLD) ||
		       verb == COMMAND_RESEND || verb == COMMAND_CANCEL || verb == COMMAND_ABSENT ||
		       (verb == COMMAND_SAY && says_to(p)) || (!table[verb].info.referee && in_capitals(p, here(p))));
}

static struct command_record *add_command(struct parser *p, struct command_record c)
{
	struct sheet *s = p->sheet;

	s->commands = talloc_realloc(s, s->commands, struct command_record, (unsigned)s->command_count + 1);
	s->commands[s->command_count] = c;
	return &s->commands[s->command_count++];
}

static struct order *last_order(struct parser *p)
{
	return p->sheet->order_count ? &p->sheet->orders[p->sheet->order_count - 1] : NULL;
}

/* "everything", "all (of) my orders", "my orders" */
static bool take_everything(struct parser *p)
{
	int before = p->pos;
	bool all = take_key(p, KEY_ALL) || take_key(p, KEY_EVERYONE), orders;

	while (key_here(p) == KEY_OF || key_here(p) == KEY_SKIP || is_text(p, "last") || is_text(p, "previous") ||
		is_text(p, "earlier"))
		advance(p);
	orders = take_text(p, "orders");
	if ((all || orders) && only_marks_left(p))
		return true;
	p->pos = before;
	return false;
}

static void cancel_pieces(struct parser *p, const struct subject *s, struct command_record *c)
{
	int before = p->sheet->order_count;

	give_order(p, s, false, NULL, ORDER_CANCEL);
	if (p->sheet->order_count > before) {
		c->units = last_order(p)->units;
		c->unit_count = last_order(p)->unit_count;
	}
}

/* All that the writer commands, commanders too; nobody else's of the side. */
static void read_clear(struct parser *p, int token)
{
	struct sheet *s = p->sheet;
	struct order *o;

	if (s->order_count >= SHEET_ORDERS_MAX)
		return;
	s->orders = talloc_realloc(s, s->orders, struct order, (unsigned)s->order_count + 1);
	o = &s->orders[s->order_count++];
	*o = (struct order){
		.kind = ORDER_CLEAR,
		.rank = RANK_UNIT,
		.subject = "all",
		.units = talloc_array(s, int, PIECES_MAX),
		.line = p->lex->tokens[token].line + 1,
		.from_sheet = p->from_sheet,
	};
	for (int i = set_next(&p->own, 0); i >= 0; i = set_next(&p->own, i + 1))
		if (may_order(p, i) && unit_alive(&p->ctx->state->units[i]))
			o->units[o->unit_count++] = i;
}

/* cancel = "cancel" subject: stands among the orders, since what comes later counts */
static void read_cancel(struct parser *p, struct command_record *c)
{
	struct subject *s = talloc(p->scratch, struct subject);
	int before = p->sheet->order_count;

	while (is_text(p, "orders") || is_text(p, "order") || is_text(p, "for") || key_here(p) == KEY_OF ||
		key_here(p) == KEY_SKIP)
		advance(p);
	if (!parse_subject(p, AT_START, s)) {
		unknown_piece(p, p->pos, p->stop, ROLE_OWN, "one of your units");
		return;
	}
	cancel_pieces(p, s, c);
	for (int i = before; i < p->sheet->order_count; i++)
		if (strcmp(p->sheet->orders[i].subject, "all") == 0) { /* "all regiments": what "all" alone means */
			p->sheet->order_count = i;
			read_clear(p, s->from);
		}
}

/* "APPROVE 2 and 3": a command each. */
static void add_decisions(struct parser *p, const struct command_record *list)
{
	for (int i = -1; i < list->unit_count; i++) {
		struct command_record c = *list;

		c.units = NULL;
		c.unit_count = 0;
		c.number = i < 0 ? list->number : list->units[i];
		c.typed =
			talloc_asprintf(p->sheet, "%s %d", c.verb == COMMAND_APPROVE ? "APPROVE" : "REJECT", c.number);
		add_command(p, c);
	}
}

/* Every change of a result is printed with its reason. */
static bool wants_reason(enum command_verb verb)
{
	switch (verb) {
	case COMMAND_AMEND:
	case COMMAND_DIE:
	case COMMAND_SET:
	case COMMAND_PLACE:
	case COMMAND_REMOVE:
	case COMMAND_RESTORE:
	case COMMAND_KILL:
	case COMMAND_SPARE:
	case COMMAND_ORDER:
	case COMMAND_VOID:
		return true;
	default:
		return false;
	}
}

static void tell_usage(struct parser *p, enum command_verb verb)
{
	const struct command_info *info = &table[verb].info;
	int failures = p->failures;
	const char *usage = talloc_asprintf(p->mem, "%s%s", info->usage, wants_reason(verb) ? " BECAUSE reason" : "");

	problem(p, PROBLEM_UNREADABLE, p->pos, p->pos + 1, NULL, NULL, "This is written `%s`.%s", usage,
		verb == COMMAND_APPROVE || verb == COMMAND_REJECT
			? " Write the number of each message, as in: APPROVE 2 and 3"
		: verb != COMMAND_PLACE
			? ""
			: " A place is a square as H7, a ninth of one as H7.5, or inches as (45, 30); a "
			  "direction is one of the compass as north, or 90 degrees.");
	suggest_line(p, failures, usage);
}

bool parse_command(struct parser *p)
{
	int start = p->pos, verb = find_verb(here(p)), failures = p->failures;
	const struct token *first = here(p);
	const struct text_line *own;
	struct command_record c = {.turn = -1, .number = -1, .side = -1};

	if (verb < 0)
		return false;
	c.verb = (enum command_verb)verb;
	c.line = first->line + 1;
	c.name = c.text = c.from = c.to = c.before = c.because = "";
	own = &p->lex->lines[first->line];
	c.typed = talloc_strndup(p->sheet, p->lex->text + first->offset, own->offset + own->length - first->offset);
	if (table[verb].info.referee && !p->ctx->referee) {
		problem(p, PROBLEM_FORBIDDEN, start, start + 1, NULL, NULL, "%s is the referee's to say.",
			table[verb].info.usage);
		p->pos = p->stop;
		return true;
	}
	advance(p);
	if (!read_shape(p, &c, table[verb].shape) && p->failures == failures)
		tell_usage(p, c.verb);
	if (c.verb == COMMAND_CANCEL && take_everything(p))
		c.verb = COMMAND_CLEAR;
	else if (c.verb == COMMAND_CANCEL)
		read_cancel(p, &c);
	if (c.verb == COMMAND_CLEAR)
		read_clear(p, start);
	read_tail(p, &c);
	if (p->failures == failures && !only_marks_left(p))
		tell_usage(p, c.verb);
	if (p->failures == failures && table[verb].shape == SHAPE_MAYBE_NUMBER && c.unit_count > 0)
		add_decisions(p, &c);
	else if (p->failures == failures)
		add_command(p, c);
	if (p->pos > p->stop)
		p->pos = p->stop;
	return true;
}

void cancel_subject(struct parser *p, const struct subject *s, int start)
{
	struct command_record c = {.verb = COMMAND_CANCEL, .turn = -1, .number = -1, .side = -1};
	const struct token *first = &p->lex->tokens[start], *last = &p->lex->tokens[p->pos - 1];
	int failures = p->failures;

	c.name = c.text = c.from = c.to = c.before = c.because = "";
	c.line = first->line + 1;
	c.typed = talloc_strndup(p->sheet, p->lex->text + first->offset, last->offset + last->length - first->offset);
	cancel_pieces(p, s, &c);
	if (p->failures == failures)
		add_command(p, c);
}
