/* What follows the word of a command. Free text runs to the end of the line, or to the next blank line when it opens
 * with a newline (rule 11). */
#include "orders/command.h"
#include "orders/lines.h"

#include <string.h>

/* --- words and free text ------------------------------------------------------------------------------------------ */

bool take_text(struct parser *p, const char *folded)
{
	if (!is_word_here(p, folded))
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
	while (!at_end(p) && !is_word_here(p, "because") && !is_word_here(p, "before") &&
		!(stop_a && is_word_here(p, stop_a)) && !(stop_b && is_word_here(p, stop_b)))
		advance(p);
	return between(p, from, p->pos);
}

int whole_number(const struct token *t)
{
	if (t->type == TOKEN_NUMBER && t->number >= 0 && t->number % 1000 == 0)
		return t->number / 1000;
	return t->type == TOKEN_WORD && t->word->key == KEY_NUMBER ? t->word->value : -1;
}

static bool take_whole_number(struct parser *p, int *out)
{
	int n = whole_number(here(p));

	if (n < 0)
		return false;
	*out = n;
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
		key_here(p) != KEY_AT && key_here(p) != KEY_ON && key_here(p) != KEY_TO && !is_word_here(p, "before") &&
		!is_word_here(p, "because"))
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
		"it", "report", "reports", "this", "that", "now", "players", "pupils", "class", "game", "clock"};
	bool more;

	do {
		enum key key = key_here(p);

		more = key == KEY_SKIP || key == KEY_PLEASE || key == KEY_TO || key == KEY_ALL || key == KEY_EVERYONE;
		for (size_t i = 0; !more && i < sizeof small / sizeof *small; i++)
			more = is_word_here(p, small[i]);
		if (more)
			advance(p);
	} while (more);
}

static bool read_turn(struct parser *p, struct command_record *c, bool needed)
{
	skip_small_words(p);
	take_key(p, KEY_TURN);
	if (here(p)->type != TOKEN_NUMBER) {
		skip_small_words(p); /* "resolve the turn now" */
		return !needed;
	}
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
	c->text = take_free_text(p, TEXT_OF_MESSAGE);
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
	while (!at_end(p) && here(p)->type != TOKEN_COLON && key_here(p) != KEY_TO && !is_word_here(p, "hits") &&
		!is_word_here(p, "void") && !is_word_here(p, "undo") && !is_word_here(p, "because") &&
		!(p->pos > from && whole_number(here(p)) >= 0 && here(p)->spaced))
		advance(p);
	c->name = between(p, from, p->pos);
	take_type(p, TOKEN_COLON);
	take_key(p, KEY_TO);
	if (is_word_here(p, "undo")) {
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
	while (is_word_here(p, "for") || key_here(p) == KEY_OF || key_here(p) == KEY_SKIP)
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
		if (is_word(&p->lex->tokens[i], "because"))
			return true;
	return false;
}

/* Raw text, of which what stands behind its last "because" is the reason. */
static bool read_order(struct parser *p, struct command_record *c)
{
	const char *raw, *because = NULL;

	if (!read_which_turn(p, c) || !take_side(p, &c->side) || !read_which_turn(p, c) || !take_type(p, TOKEN_COLON))
		return false;
	raw = take_free_text(p, line_gives_reason(p) ? TEXT_OF_REASON : TEXT_OF_LINE);
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

/* What a unit has to be counted, where that is only one thing. */
static const char *only_strength(struct parser *p, const struct command_record *c)
{
	const struct unit *u = c->unit_count > 0 ? &p->ctx->state->units[c->units[0]] : NULL;

	return u != NULL && unit_is_formed(u) && u->figures_begun == 0 ? "bases" : "";
}

/* set = unit ( ("bases" | "figures") [ "to" | "=" ] number | [ "to" | "=" ] number [ "bases" | "figures" ] ) */
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
	if (!*c->name)
		c->name = only_strength(p, c);
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

/* place = unit ( [ "at" | "to" | "on" ] place [ "facing" facing ] | "facing" facing ) */
static bool read_place(struct parser *p, struct command_record *c)
{
	char square[SQUARE_NAME_MAX + 1];

	if (!take_units(p, c))
		return false;
	if (!take_key(p, KEY_AT) && !take_key(p, KEY_TO))
		take_key(p, KEY_ON);
	c->has_place = parse_place(p, &c->place, square);
	if (!c->has_place && key_here(p) != KEY_FACE)
		return false;
	c->has_heading = take_key(p, KEY_FACE);
	return !c->has_heading || read_facing(p, c);
}

/* extend = [ "deadline" ] [ "by" ] ( number | "a" ) ( "days" | "weeks" ) */
static bool read_extend(struct parser *p, struct command_record *c)
{
	skip_small_words(p);
	take_text(p, "deadline");
	take_text(p, "by");
	if (take_text(p, "a") || take_text(p, "another"))
		c->number = 1;
	else if (!take_whole_number(p, &c->number))
		return false;
	take_text(p, "more");
	if (take_text(p, "weeks") || take_text(p, "week")) {
		c->number *= 7;
		return true;
	}
	return take_text(p, "days") || take_text(p, "day");
}

/* days = "from" date ("to" | "until") date */
static bool read_days(struct parser *p, struct command_record *c)
{
	int from;

	if (!take_key(p, KEY_FROM))
		return false;
	from = p->pos;
	while (!at_end(p) && key_here(p) != KEY_TO && key_here(p) != KEY_UNTIL && !is_word_here(p, "because"))
		advance(p);
	c->from = between(p, from, p->pos);
	if (!take_key(p, KEY_TO) && !take_key(p, KEY_UNTIL))
		return false;
	c->to = take_phrase(p, "please", NULL);
	return *c->from && *c->to;
}

/* absent = [ player ] days; only a referee names a player */
static bool read_absent(struct parser *p, struct command_record *c)
{
	int from;

	here(p);
	from = p->pos;
	while (p->ctx->referee && !at_end(p) && key_here(p) != KEY_FROM)
		advance(p);
	if (p->pos > from)
		c->name = between(p, from, p->pos);
	return read_days(p, c);
}

/* skip = days | [ "on" ] date | "off" */
static bool read_skip(struct parser *p, struct command_record *c)
{
	if (take_text(p, "off")) {
		c->text = "off";
		return true;
	}
	if (key_here(p) == KEY_FROM)
		return read_days(p, c);
	take_key(p, KEY_ON);
	c->from = take_phrase(p, "please", "week"); /* "the week of 21 December" is no day */
	return *c->from && !is_word_here(p, "week");
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

bool read_shape(struct parser *p, struct command_record *c, enum shape shape)
{
	switch (shape) {
	case SHAPE_NONE:
		if (c->verb == COMMAND_PAUSE || c->verb == COMMAND_RESUME)
			skip_small_words(p);
		return true;
	case SHAPE_CANCEL:
		return true;
	case SHAPE_ORDERS: /* a pupil's "Orders turn 2" heads his orders */
		while (p->ctx->referee && (key_here(p) == KEY_OF || take_text(p, "for") || take_text(p, "in")))
			take_key(p, KEY_OF);
		return !p->ctx->referee || read_turn(p, c, false);
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
		while (key_here(p) == KEY_SKIP || is_word_here(p, "orders") || key_here(p) == KEY_EVERYONE)
			advance(p);
		return true;
	case SHAPE_SAY:
		return read_say(p, c);
	case SHAPE_ABSENT:
		return read_absent(p, c);
	case SHAPE_SKIP:
		return read_skip(p, c);
	case SHAPE_TEXT:
		take_type(p, TOKEN_COLON);
		c->text = c->verb == COMMAND_DEADLINE ? take_phrase(p, "turn", NULL) : take_free_text(p, TEXT_OF_LINE);
		return *c->text;
	case SHAPE_EXTEND:
		return read_extend(p, c);
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
void read_tail(struct parser *p, struct command_record *c)
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
		c->because = reason_line(p, take_free_text(p, p->ctx->referee ? TEXT_OF_REASON : TEXT_OF_LINE));
	}
}
