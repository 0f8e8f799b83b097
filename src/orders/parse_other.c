/* Lines that are no orders, or that somebody meant for one: which are set aside, and which are answered. */
#include "orders/lines.h"

#include <string.h>

enum { LIKE_NAMES_MAX = 3 };

static bool ends_in_question(const struct parser *p, int line)
{
	int last = p->lex->lines[line].first;

	for (int i = last; p->lex->tokens[i].type != TOKEN_NEWLINE; i++)
		last = i;
	return p->lex->tokens[last].type == TOKEN_STOP && p->lex->tokens[last].mark == '?';
}

static bool like_a_name(struct parser *p)
{
	const struct token *t = here(p);
	struct match m;

	if (t->type != TOKEN_WORD || t->length < 4)
		return false;
	if (match_piece(p, &m))
		return !m.by_code && m.from == p->pos;
	return t->length >= 6 && t->word->key == KEY_NONE && like_piece(p, t, &p->everything);
}

/* "front line advance", "their guns hold": before a verb such a word stands for units. */
static bool is_group(enum key key)
{
	return key == KEY_LINE || key == KEY_WING || key == KEY_GUNS || key == KEY_HORSE || key == KEY_FOOT ||
	       key == KEY_DRAGOONS || key == KEY_CLANS;
}

static bool has_own(struct parser *p, const struct match *m)
{
	struct piece_set own = set_and(m->set, p->own);

	return !set_empty(&own);
}

/* Does it hold a verb and something like a unit's name (rule 6)? */
static bool was_order(struct parser *p)
{
	bool verb = false, name = false;
	int before = p->pos;

	for (; !at_end(p); advance(p)) {
		name |= p->pos < before + 4 && is_group(key_here(p)) && key_is_verb(key_ahead(p, 1));
		verb |= key_is_verb(key_here(p)) && !is_said_of_game(p, before);
		name |= !name && like_a_name(p);
	}
	p->pos = before;
	return verb && name;
}

/* "Our plan: the Macdonalds finish off the dragoons", "We want to finish the Frasers": what is hoped for. No number
 * stands in it, and what "we want" names none of one's own units. */
static bool is_plan(struct parser *p)
{
	static const char *const plans[] = {"plan", "plans", "idea", "strategy", "tactics", "aim", NULL};
	static const char *const wishes[] = {"want", "wanna", "hope", "wish", "try", "trying", NULL};
	int before = p->pos;
	bool plan = false, verb = false, wish = false, own = false, number = false;
	struct match m;

	while (key_here(p) == KEY_SKIP || key_here(p) == KEY_A)
		advance(p);
	plan = is_among(here(p), plans);
	for (; !at_end(p); advance(p)) {
		number |= number_begins(p) && !(p->pos > before && p->lex->tokens[p->pos - 1].key == KEY_TURN);
		verb |= key_is_verb(key_here(p)) && !is_said_of_game(p, before);
		wish |= !verb && is_among(here(p), wishes);
		own |= match_piece(p, &m) && m.from == p->pos && !m.by_code && has_own(p, &m);
	}
	p->pos = before;
	return !number && (plan || (wish && !own));
}

/* "a is gonna ...", "c aswell but only 3", "except gun 1 who shoot": a line that opens with a unit's code, or with
 * units that are to be excepted, and has a verb or a number: an order was meant. */
static bool opens_like_order(struct parser *p)
{
	static const char *const likewise[] = {"aswell", "too", "also", "same", NULL};
	int before = p->pos;
	bool except = take_key(p, KEY_EXCEPT), opens = false, more = false;
	struct match m;

	if (match_piece(p, &m) && m.from == p->pos) {
		p->pos = m.end;
		opens = except || (m.by_code && (key_here(p) == KEY_BE || key_here(p) == KEY_WILL ||
							is_word_here(p, "as") || is_among(here(p), likewise)));
		for (; opens && !more && !at_end(p); advance(p))
			more = key_is_verb(key_here(p)) || number_begins(p);
	}
	p->pos = before;
	return more;
}

/* Names that are nearly ones of ours in a line that could not be read: each with the one that may be meant. */
static bool tell_like_names(struct parser *p)
{
	int before = p->pos, told = 0;
	struct match m;

	for (; !at_end(p); advance(p)) {
		const struct token *t = here(p);

		if (match_piece(p, &m) && m.end > p->pos) {
			p->pos = m.end - 1;
		} else if (t->type == TOKEN_WORD && t->length >= 5 && t->key == KEY_NONE && told < LIKE_NAMES_MAX &&
			   like_piece(p, t, &p->everything) && (p->pos == before || !nearest_word(p, t, true))) {
			unknown_piece(
				p, p->pos, p->pos + 1, told || p->pos > before ? ROLE_EITHER : ROLE_OWN, "a unit");
			told++;
		}
	}
	p->pos = before;
	return told > 0;
}

/* "Nobody move", "no one fires", "nobody else is to move" */
static bool is_nobody(struct parser *p)
{
	const struct token *t = here(p), *next = ahead(p, 1);
	int n = 1;

	if (t->type != TOKEN_WORD)
		return false;
	if (t->key == KEY_NO && is_word(next, "one"))
		n = 2;
	else if (!is_word(t, "nobody") && !is_word(t, "noone"))
		return false;
	while (key_ahead(p, n) == KEY_SHOULD || key_ahead(p, n) == KEY_WILL || key_ahead(p, n) == KEY_BE ||
		key_ahead(p, n) == KEY_ELSE || key_ahead(p, n) == KEY_TO)
		n++;
	return key_is_verb(key_ahead(p, n));
}

/* "don't move anyone" */
static bool forbids_all(struct parser *p)
{
	int n = key_here(p) == KEY_DO;

	if (key_ahead(p, n) != KEY_NOT || !key_is_verb(key_ahead(p, n + 1)))
		return false;
	n += 2;
	return key_ahead(p, n) == KEY_ANY || key_ahead(p, n) == KEY_ALL || key_ahead(p, n) == KEY_EVERYONE;
}

bool tell_nobody(struct parser *p)
{
	const char *whom = "all";

	if (!is_nobody(p) && !forbids_all(p))
		return false;
	for (int n = 1; n < 4; n++)
		if (key_ahead(p, n) == KEY_ELSE)
			whom = "everyone else";
	problem(p, PROBLEM_UNREADABLE, p->pos, p->pos + 1, NULL, NULL,
		"Nobody is ordered to do nothing: write `%s: hold` or `%s: hold fire`.", whom, whom);
	return true;
}

bool is_among(const struct token *t, const char *const *words)
{
	const char *text;

	if (t->type != TOKEN_WORD)
		return false;
	text = t->word->text;
	for (; *words != NULL; words++)
		if (**words == *text && strcmp(text, *words) == 0)
			return true;
	return false;
}

/* "shoot them all", "same as last turn": words that no unit can be read from, though an order was meant. */
static bool tell_vague(struct parser *p)
{
	enum key key = key_here(p), next;
	bool same = false, last = false;
	int n = 1;

	while (n < 4 && (ahead(p, n)->type == TOKEN_STOP || key_ahead(p, n) == KEY_AT || key_ahead(p, n) == KEY_ON ||
				key_ahead(p, n) == KEY_SKIP))
		n++;
	next = key_ahead(p, n);
	if (tell_taking_back(p))
		return true;
	if (tell_nobody(p))
		return true;
	if ((key == KEY_FIRE || key == KEY_CHARGE) && (next == KEY_THEY || next == KEY_ALL || next == KEY_EVERYONE ||
							      next == KEY_ENEMY || next == KEY_ANY || is_group(next))) {
		tell_no_subject(p);
		return true;
	}
	for (int i = p->pos; i < p->stop; i++) {
		const struct token *t = &p->lex->tokens[i];

		if (t->type != TOKEN_WORD)
			continue;
		same |= is_word(t, "same");
		last |= is_word(t, "last") || is_word(t, "before") || t->key == KEY_TURN;
	}
	if (same && last)
		problem(p, PROBLEM_UNREADABLE, p->pos, p->pos + 1, NULL, NULL,
			"An order is for one turn. Write it again, and with `standing` before it if it is to stand, as "
			"`standing %s: fire at nearest`.",
			example_code(p));
	return same && last;
}

/* "S: cancel", "R: delete that", "Q: no orders", "Q: none", "B: stop the standing order" */
bool take_cancel(struct parser *p)
{
	static const char *const verbs[] = {"cancel", "delete", "scrap", "undo", "ignore", "none", NULL};
	static const char *const enders[] = {"no", "stop", "end", "ends", "drop", "forget", "remove", "lift", "clear",
		"more", "longer", "follow", "following", "obey", "obeying", NULL};
	static const char *const things[] = {"order", "orders", "that", "this", "it", "them", "all", "its", "their",
		"the", "standing", "old", "last", "previous", "my", "our", "your", "any", "of", "a", NULL};
	int before = p->pos, after;
	bool standing = false, order = false, plain = key_here(p) == KEY_NONE && is_among(here(p), verbs);

	if (!plain && ((key_here(p) != KEY_NONE && key_here(p) != KEY_NO && key_here(p) != KEY_STOP &&
			       key_here(p) != KEY_END) ||
			      !is_among(here(p), enders)))
		return false;
	while (p->pos == before || (!plain && is_among(here(p), enders)))
		advance(p);
	for (; is_among(here(p), things); advance(p)) {
		standing |= key_here(p) == KEY_STANDING;
		order |= word_begins(here(p)->word, "order");
	}
	if (standing && key_here(p) == KEY_TO) /* "the standing order to fire" */
		skip_to_hard_separator(p);
	if ((plain || order) && (at_end(p) || here(p)->type == TOKEN_NEWLINE || separators_ahead(p, &after)))
		return true;
	p->pos = before;
	return false;
}

/* "Standing orders:" on a line of its own, and orders below it, which would be for one turn. */
static bool tell_standing_heading(struct parser *p, int line)
{
	int before = p->pos, below = line + 1;
	bool heading = take_standing(p) && p->pos > before + 1 && at_end(p);
	enum opening open = OPENS_BLANK;

	p->pos = before;
	while (heading && below < p->lex->line_count && (open = line_opening(p, below)) == OPENS_BLANK)
		below++;
	if (open < OPENS_ORDER || open > OPENS_VERB_AND_SUBJECT)
		return false;
	problem(p, PROBLEM_UNREADABLE, p->pos, p->stop, NULL, NULL,
		"The orders below this line were read for this turn only. Write `standing` before each that is to "
		"stand, as `standing %s: hold fire`.",
		example_code(p));
	return true;
}

void read_other(struct parser *p, int line)
{
	struct match m;
	int unit = -1;

	p->pos = p->lex->lines[line].first;
	p->stop = line_end(p, line);
	if (here(p)->type == TOKEN_GREATER || ends_in_question(p, line) || tells_of_turn(p, line)) {
		set_aside_line(p, line);
	} else if (tell_standing_heading(p, line) || tell_nearly_command(p) || tell_vague(p)) {
		;
	} else if (match_piece(p, &m) && m.end < p->stop && m.from == p->pos && !m.by_code) {
		p->pos = m.end;
		if (!p->ctx->referee && tells_of_past(p, p->stop))
			set_aside_line(p, line);
		else
			problem(p, PROBLEM_UNREADABLE, p->pos, p->pos + 1, verb_left_out(p), NULL,
				"After %s an order word was expected, as move, face, fire, charge or hold.",
				typed_text(p, m.from, m.end));
	} else if (p->lex->lines[line].likewise && like_a_name(p) && tell_like_names(p)) {
		; /* "Batteraus, the same" */
	} else if (!is_plan(p) && ((wishes(p, p->stop, &unit) || was_order(p) || opens_like_order(p)))) {
		if (!tell_like_names(p))
			tell_wish(p, p->stop, unit);
	} else {
		set_aside_line(p, line);
	}
}

/* A word or comma that can mean nothing for an order, before a comma or a colon: "soz i forgot", "hey miss, my orders
 * r".
 */
static bool is_small_talk(const struct token *t, bool first)
{
	if (t->type == TOKEN_COMMA)
		return true;
	if (t->type != TOKEN_WORD || (t->word->named && (t->length > 1 || first) && !is_word(t, "i")))
		return false;
	return t->key == KEY_NONE || t->key == KEY_REQUEST || t->key == KEY_PLEASE || t->key == KEY_SKIP ||
	       t->key == KEY_THEY || t->key == KEY_BE || t->key == KEY_A || t->key == KEY_STILL;
}

/* "Hi, it's Emma. R - hold": what stands before the order is set aside, the rest is read as a line of its own. */
bool order_after_sentence(struct parser *p, int line)
{
	const struct text_line *l = &p->lex->lines[line];
	int from = l->first, end = line_end(p, line), unit;
	bool small_talk = true; /* all before the token */

	if (p->lex->tokens[from].type == TOKEN_GREATER)
		return false;
	for (int i = from; i + 1 < end; i++) {
		const struct token *t = &p->lex->tokens[i];
		bool ends = t->type == TOKEN_STOP ||
			    (i > from && small_talk && (t->type == TOKEN_COMMA || t->type == TOKEN_COLON));

		small_talk = small_talk && is_small_talk(t, i == from);
		if (!ends || !t[1].spaced)
			continue;
		p->pos = i + 1;
		p->stop = end;
		if (p->ctx->referee ? !command_fits(p) : !order_begins(p, AT_START))
			continue;
		p->pos = from;
		p->stop = i;
		if (tell_taking_back(p))
			;
		else if (!p->ctx->referee && wishes(p, i, &unit))
			tell_wish(p, i, unit);
		else
			set_aside_text(p, p->lex->text + p->lex->tokens[from].offset,
				t->offset + t->length - p->lex->tokens[from].offset);
		p->lex->lines[line].first = i + 1;
		p->opens[line] = OPENS_UNKNOWN_YET;
		return true;
	}
	return false;
}

/* A line that opens with a verb but belongs to no order, and what goes with it; the number of the next line. */
int read_loose_verb(struct parser *p, int line)
{
	if (line_tells_something(p, line) || ends_in_negation(p, line) || condition_hangs(p, line))
		return read_orders(p, line);
	p->pos = p->opens_at[line];
	p->stop = line_end(p, line);
	if (!tell_vague(p))
		set_aside_line(p, line);
	return line + 1;
}
