#include "orders/lines.h"

#include <string.h>

enum { UNKNOWN_MARKED_MAX = 6, UNKNOWN_BARE_MAX = 3, NEARLY_NAMED_MIN = 5 };

int line_end(const struct parser *p, int line)
{
	if (line + 1 < p->lex->line_count)
		return p->lex->lines[line + 1].first - 1;
	return p->lex->count - 2;
}

int common_indent(const struct lexed *l)
{
	int least = -1;

	for (int i = 0; i < l->line_count; i++)
		if (l->tokens[l->lines[i].first].type != TOKEN_NEWLINE && (least < 0 || l->lines[i].indent < least))
			least = l->lines[i].indent;
	return least < 0 ? 0 : least;
}

const char *example_code(struct parser *p)
{
	int first = -1;

	for (int i = set_next(&p->own, 0); i >= 0 && first < 0; i = set_next(&p->own, i + 1))
		if (may_order(p, i) && unit_alive(&p->ctx->state->units[i]))
			first = i;
	return first >= 0 ? p->ctx->state->units[first].code : "R";
}

/* "standing", "always", "standing order:", "standing orders for" */
bool take_standing(struct parser *p)
{
	static const char *const words[] = {"order", "orders", "for", NULL};

	if (!take_key(p, KEY_STANDING))
		return false;
	while (is_among(here(p), words))
		advance(p);
	take_type(p, TOKEN_COLON);
	return true;
}

/* --- openings ----------------------------------------------------------------------------------------------------- */

/* Do the clauses at p->pos read whole, up to the end of the line or sentence? */
static bool reads_whole(struct parser *p)
{
	struct trial t = trial_begin(p);
	bool something = parse_clauses(p, NULL, NULL) != NULL;

	return trial_end(p, t) && something;
}

bool head_begins(struct parser *p)
{
	struct trial t = trial_begin(p);
	bool alone = false;

	if (parse_subject(p, AT_START, p->look)) {
		if (!take_type(p, TOKEN_COLON) && !take_type(p, TOKEN_COMMA) && !take_type(p, TOKEN_AND))
			take_key(p, KEY_AND);
		alone = p->pos >= p->stop || here(p)->type == TOKEN_NEWLINE;
	}
	trial_end(p, t);
	return alone;
}

bool nearly_verb(struct parser *p)
{
	const struct token *t = here(p);

	return clause_begins(p, false) || (t->type == TOKEN_WORD && t->word->key == KEY_NONE && t->length >= 4 &&
						  nearest_word(p, t, true) != NULL);
}

static bool line_below_has_verb(struct parser *p, int line)
{
	bool verb;
	int pos = p->pos, stop = p->stop;

	if (line + 1 >= p->lex->line_count)
		return false;
	p->pos = p->lex->lines[line + 1].first;
	p->stop = line_end(p, line + 1);
	verb = nearly_verb(p);
	p->pos = pos;
	p->stop = stop;
	return verb;
}

/* The dot of "no. 1", "St. Clair" */
static bool is_short_form(struct parser *p)
{
	static const char *const forms[] = {"no", "nr", "st", "lt", "col", "gen", "maj", "brig", NULL};
	const struct token *t = here(p);

	return t->type == TOKEN_STOP && t->mark == '.' && p->pos > 0 && is_among(&t[-1], forms) &&
	       (t[1].type == TOKEN_WORD || t[1].type == TOKEN_NUMBER);
}

/* Up to six words and a `:`, when a verb follows there or on the line below. */
int marked_unknown(struct parser *p)
{
	int before = p->pos, line = here(p)->line, words = 0, end = 0;

	while (words <= UNKNOWN_MARKED_MAX &&
		(here(p)->type == TOKEN_WORD || here(p)->type == TOKEN_NUMBER || here(p)->type == TOKEN_COMMA ||
			here(p)->type == TOKEN_AND || here(p)->type == TOKEN_OPEN || here(p)->type == TOKEN_CLOSE ||
			here(p)->type == TOKEN_QUOTE || here(p)->type == TOKEN_DASH || is_short_form(p))) {
		words += here(p)->type == TOKEN_WORD;
		advance(p);
	}
	if (words > 0 && words <= UNKNOWN_MARKED_MAX &&
		(here(p)->type == TOKEN_COLON || here(p)->type == TOKEN_EQUAL)) {
		advance(p);
		here(p);
		end = p->pos;
		if (!(nearly_verb(p) || leg_begins(p) || is_word_here(p, "same") ||
			    ((at_end(p) || here(p)->type == TOKEN_NEWLINE) && line_below_has_verb(p, line))))
			end = 0;
	}
	p->pos = before;
	return end;
}

/* "Barrels to K6": one word much like a unit's name, and behind it a leg without its verb. */
static bool nearly_named(struct parser *p, int from)
{
	const struct token *t = &p->lex->tokens[from];

	return p->pos == from + 1 && t->length >= NEARLY_NAMED_MIN && t->type == TOKEN_WORD && t->key == KEY_NONE &&
	       clause_begins(p, true) && like_piece(p, t, &p->own);
}

/* Up to three unknown words before a clause that reads whole. */
static int bare_unknown(struct parser *p)
{
	int before = p->pos, words = 0, end = 0;

	while (words < UNKNOWN_BARE_MAX && here(p)->type == TOKEN_WORD && !key_is_verb(key_here(p)) &&
		(key_here(p) == KEY_NONE || key_here(p) == KEY_SKIP || key_here(p) == KEY_CLAN ||
			key_here(p) == KEY_A || key_here(p) == KEY_FOOT || key_here(p) == KEY_HORSE ||
			key_here(p) == KEY_DRAGOONS || key_here(p) == KEY_THEY || key_here(p) == KEY_REQUEST ||
			key_here(p) == KEY_NO || (key_here(p) == KEY_MEN && words > 0))) {
		words++;
		advance(p);
		if ((key_here(p) == KEY_AND || here(p)->type == TOKEN_AND) && ahead(p, 1)->type == TOKEN_WORD &&
			key_ahead(p, 1) == KEY_NONE)
			advance(p); /* "Zorks and Borks" */
	}
	if (words > 0 && p->pos < p->stop && !condition_begins(p) &&
		(clause_begins(p, false) || nearly_named(p, before)) && reads_whole(p))
		end = p->pos;
	p->pos = before;
	return end;
}

int unknown_subject(struct parser *p)
{
	int end;

	if (clause_begins(p, false))
		return 0;
	end = marked_unknown(p);
	return end ? end : bare_unknown(p);
}

/* "--- ORDERS game turn 3 ---", "--- END ---" */
static enum opening mark_opening(struct parser *p)
{
	const struct token *t = here(p), *word = ahead(p, 1);

	if (t->type != TOKEN_DASH || t->length < 2 || word->type != TOKEN_WORD)
		return OPENS_OTHER;
	if (word->word->key == KEY_END && ahead(p, 2)->type == TOKEN_DASH)
		return OPENS_END;
	return is_word(word, "orders") ? OPENS_MARK : OPENS_OTHER;
}

static bool end_alone(struct parser *p)
{
	enum token_type next = ahead(p, 1)->type;

	return key_here(p) == KEY_END &&
	       (next == TOKEN_END || next == TOKEN_NEWLINE || (next == TOKEN_STOP && ahead(p, 2)->type != TOKEN_WORD));
}

/* A sentence about what "we" do, or a question, is no rest of an order, though it has a verb. */
static bool asks_or_tells(struct parser *p, int start, int line)
{
	int last = line_end(p, line) - 1;
	bool inner;

	for (int i = start; i < p->stop && i < start + 6; i++) {
		const struct token *t = &p->lex->tokens[i];

		if (t->type != TOKEN_WORD ||
			(t->word->key != KEY_REQUEST && t->word->key != KEY_SHOULD && t->word->key != KEY_THEY &&
				t->word->key != KEY_WILL && t->word->key != KEY_BE))
			break;
		if (is_word(t, "we") || is_word(t, "i") || t->word->key == KEY_THEY)
			return true;
	}
	if (p->lex->tokens[last].type != TOKEN_STOP || p->lex->tokens[last].mark != '?')
		return false;
	inner = find_inner_subject(p, p->look);
	close_hole(p);
	return !inner;
}

/* "could you advance A": a request to "you" with a unit in it that reads whole. */
static bool asks_you(struct parser *p, int start, int line)
{
	bool you = false;

	for (int i = start; i < p->pos; i++) {
		const struct token *t = &p->lex->tokens[i];

		you |= t->type == TOKEN_WORD && (is_word(t, "you") || is_word(t, "u"));
	}
	return you && find_inner_subject(p, p->look) && (close_hole(p), reads_as_order(p, line));
}

/* RH: "Camerons first, then the Stuarts", the points, and no more than units in the line. */
static bool tells_who_is_first(struct parser *p)
{
	struct trial t;
	bool first, units = true;

	if (!subject_may_begin(p))
		return false;
	t = trial_begin(p);
	first = parse_subject(p, AT_START, p->look) && subject_has_own(p, p->look) && take_key(p, KEY_FIRST);
	while (first && units && !at_end(p)) {
		separators(p);
		units = at_end(p) || (parse_subject(p, AT_START, p->look) && subject_has_own(p, p->look));
	}
	trial_end(p, t);
	return first && units;
}

static enum opening find_opening(struct parser *p, int line)
{
	enum opening mark;
	bool firm, trivial, asks, waits;

	if (here(p)->type == TOKEN_NEWLINE || at_end(p))
		return OPENS_BLANK;
	mark = mark_opening(p);
	if (mark != OPENS_OTHER)
		return mark;
	if (is_printed(p, line))
		return OPENS_PRINTED;
	skip_numbering(p);
	if (end_alone(p))
		return OPENS_END;
	if (header_begins(p))
		return OPENS_HEADER;
	if (tells_of_turn(p, line))
		return OPENS_OTHER;
	if (key_here(p) == KEY_PRIORITY)
		return OPENS_PRIORITY;
	while (p->ctx->referee && key_here(p) == KEY_PLEASE)
		advance(p);
	waits = !p->ctx->referee && wait_begins(p);
	if (!waits)
		skip_before_assent(p);
	p->opens_at[line] = p->pos;
	if (waits || command_begins(p))
		return OPENS_COMMAND;
	if (p->ctx->referee && referee_asks(p)) {
		p->opens_at[line] = p->pos;
		return OPENS_COMMAND;
	}
	firm = skip_requests(p);
	if (take_standing(p)) {
		if (order_begins(p, AT_START) || unknown_subject(p))
			return OPENS_ORDER;
		return head_begins(p) ? OPENS_HEAD : OPENS_OTHER;
	}
	if (firm && letter_begins(p))
		return OPENS_UNKNOWN_SUBJECT;
	if (!(firm && lone_letter(p))) {
		if (opens_with_order(p))
			return OPENS_ORDER;
		if (echo_begins(p, AT_START) || slip_begins(p))
			return OPENS_ORDER;
		if (head_begins(p))
			return OPENS_HEAD;
	}
	asks = asks_or_tells(p, p->opens_at[line], line) && !asks_you(p, p->opens_at[line], line);
	if (here(p)->type == TOKEN_OPEN) { /* "(but only if they are within 6)" */
		int open = p->pos;

		advance(p);
		if (condition_begins(p))
			return OPENS_CONDITION;
		p->pos = open;
	}
	if (condition_begins(p) || key_here(p) == KEY_OTHERWISE)
		return OPENS_CONDITION;
	if ((clause_begins(p, false) || key_here(p) == KEY_STEP) && !asks) {
		bool verb = clause_begins(p, false);

		trivial = find_inner_subject(p, p->look);
		close_hole(p);
		if (trivial || verb)
			return trivial ? OPENS_VERB_AND_SUBJECT : OPENS_VERB;
	}
	if (unknown_subject(p))
		return OPENS_UNKNOWN_SUBJECT;
	return p->ctx->shreds && tells_who_is_first(p) ? OPENS_PRIORITY : OPENS_OTHER;
}

enum opening line_opening(struct parser *p, int line)
{
	int pos = p->pos, stop = p->stop, hole_from = p->hole_from, hole_to = p->hole_to;

	if (p->opens[line] == OPENS_UNKNOWN_YET) {
		p->pos = p->opens_at[line] = p->lex->lines[line].first;
		p->stop = line_end(p, line);
		p->hole_from = p->hole_to = -1;
		p->opens[line] = (unsigned char)find_opening(p, line);
		p->pos = pos;
		p->stop = stop;
		p->hole_from = hole_from;
		p->hole_to = hole_to;
	}
	return p->opens[line];
}

/* --- which lines go together -------------------------------------------------------------------------------------- */

bool line_tells_something(struct parser *p, int line)
{
	int pos = p->pos, stop = p->stop;
	bool something;
	struct match m;

	p->pos = p->lex->lines[line].first;
	p->stop = line_end(p, line);
	skip_numbering(p);
	skip_requests(p);
	something = reads_whole(p);
	for (; !something && p->pos < p->stop; advance(p))
		something = here(p)->type == TOKEN_NUMBER || (key_here(p) != KEY_A && match_piece(p, &m));
	p->pos = pos;
	p->stop = stop;
	return something;
}

static bool is_key(const struct token *t, enum key key)
{
	return t->type == TOKEN_WORD && t->word->key == key;
}

/* Does the line end in the middle of something: a comma, "and", "not", "at", a verb that wants more? */
static bool unfinished(const struct token *t)
{
	static const char *const subjects[] = {"they", "we", "he", NULL};

	switch (t->key) {
	case KEY_AND:
	case KEY_OR:
	case KEY_THEN:
	case KEY_NOT:
	case KEY_DO:
	case KEY_NO:
	case KEY_IF:
	case KEY_UNLESS:
	case KEY_ONLY:
	case KEY_AT:
	case KEY_ON:
	case KEY_TO:
	case KEY_TOWARD:
	case KEY_VIA:
	case KEY_FROM:
	case KEY_OF:
	case KEY_WITHIN:
	case KEY_EXCEPT:
	case KEY_UNTIL:
	case KEY_WITH:
	case KEY_AWAY:
	case KEY_OTHERWISE:
	case KEY_SKIP:
	case KEY_SHOULD:
	case KEY_WILL:
		return true;
	case KEY_THEY:
	case KEY_REQUEST:
		return is_among(t, subjects);
	default:
		return t->type == TOKEN_AND || t->type == TOKEN_SLASH;
	}
}

static bool wants_object(const struct token *t)
{
	return is_key(t, KEY_MOVE) || is_key(t, KEY_FACE) || is_key(t, KEY_TURN) || is_key(t, KEY_WHEEL) ||
	       is_key(t, KEY_CHARGE) || is_key(t, KEY_MELEE) || is_key(t, KEY_JOIN);
}

/* An `if` whose condition stands at the end of its line, so that the next line tells what to do. */
static bool if_hangs(const struct parser *p, int line)
{
	int end = line_end(p, line), start = -1;

	for (int i = p->lex->lines[line].first; i < end; i++) {
		const struct token *t = &p->lex->tokens[i];

		if (is_key(t, KEY_IF) || is_key(t, KEY_UNLESS))
			start = (i == p->lex->lines[line].first || t[-1].type == TOKEN_COLON ||
					is_key(&t[-1], KEY_ONLY))
					? i
					: -1;
		else if (t->type == TOKEN_SEMICOLON ||
			 (t->type == TOKEN_WORD && key_is_verb(t->word->key) && start >= 0 && t->word->key != KEY_MOVE))
			start = -1;
	}
	return start >= 0;
}

bool condition_hangs(struct parser *p, int line)
{
	const struct token *last;

	while (line > 0 && line_opening(p, line) == OPENS_BLANK)
		line--;
	if (line_opening(p, line) != OPENS_CONDITION)
		return false;
	last = &p->lex->tokens[line_end(p, line) - 1];
	if (last->type == TOKEN_COLON)
		return true;
	if (!if_hangs(p, line))
		return false;
	if (last->type == TOKEN_COMMA || unfinished(last) || line_tells_something(p, line))
		return true;
	for (; last->type != TOKEN_NEWLINE && last > p->lex->tokens; last--) /* "If that is ok" is chatter */
		if (is_key(last, KEY_ENEMY) || is_word(last, "they"))
			return true;
	return false;
}

/* Can what begins there stand after a comma: a name, a number, a direction, a small word? */
static bool may_go_on(struct parser *p, int line)
{
	const struct token *t = &p->lex->tokens[p->lex->lines[line].first];

	if (t->type == TOKEN_WORD)
		return t->word->named || t->word->column >= 0 ||
		       (t->word->key != KEY_NONE && t->word->key != KEY_REQUEST && t->word->key != KEY_PLEASE);
	return t->type == TOKEN_NUMBER || t->type == TOKEN_COMMA || t->type == TOKEN_SEMICOLON ||
	       t->type == TOKEN_OPEN || t->type == TOKEN_CLOSE || t->type == TOKEN_AND || t->type == TOKEN_QUOTE ||
	       t->type == TOKEN_COLON || (t->type >= TOKEN_LESS && t->type < TOKEN_GREATER);
}

int columns(const struct parser *p, int line)
{
	return p->lex->tokens[line_end(p, line)].column - 1;
}

static bool bare_leg_line(struct parser *p, int line)
{
	int pos = p->pos, stop = p->stop;
	bool leg;

	p->pos = p->lex->lines[line].first;
	p->stop = line_end(p, line);
	leg = leg_begins(p);
	p->pos = pos;
	p->stop = stop;
	return leg;
}

bool ends_in_negation(const struct parser *p, int line)
{
	const struct token *last = &p->lex->tokens[line_end(p, line) - 1];

	return line_end(p, line) > p->lex->lines[line].first && (is_key(last, KEY_NOT) || is_key(last, KEY_DO));
}

/* "f within 6" below "charge j": half of a condition, which must not get lost. */
static bool holds_within(const struct parser *p, int line)
{
	for (int i = p->lex->lines[line].first; i < line_end(p, line); i++)
		if (is_key(&p->lex->tokens[i], KEY_WITHIN))
			return true;
	return false;
}

/* "L advnce 4" below "K: charge": an order of its own with a slip in it, not what K is to charge. */
static bool begins_with_own(struct parser *p, int line)
{
	int pos = p->pos, stop = p->stop;
	struct match m;
	struct piece_set own;
	bool begins = false;

	p->pos = p->lex->lines[line].first;
	p->stop = line_end(p, line);
	if (match_piece(p, &m) && m.from == p->pos && m.end < p->stop) {
		own = set_and(m.set, p->own);
		p->pos = m.end;
		begins = !set_empty(&own) && here(p)->type == TOKEN_WORD && key_here(p) == KEY_NONE;
	}
	p->pos = pos;
	p->stop = stop;
	return begins;
}

/* Is what the line opens with an order for sure, whatever stands above: a subject and `:`, ` - ` or a verb, or one's
 * own code and a mark or an `if`? Else it may be the rest of a list of enemies. */
static bool begins_firmly(struct parser *p, int line)
{
	int pos = p->pos, stop = p->stop;
	struct subject *s = p->look;
	bool firm = true;

	p->pos = p->lex->lines[line].first;
	p->stop = line_end(p, line);
	if (parse_subject(p, AT_START, s) && s->count > 0 && s->items[0].kind == ITEM_PIECE) {
		struct piece_set own = set_and(s->items[0].match.set, p->own),
				 enemy = set_and(s->items[0].match.set, p->enemy);
		enum token_type mark = here(p)->type;
		int first = set_next(&own, 0);

		if (mark == TOKEN_SEMICOLON || mark == TOKEN_COMMA || mark == TOKEN_STOP || mark == TOKEN_CLOSE ||
			condition_begins(p))
			firm = set_empty(&enemy) ||
			       (first >= 0 && mark != TOKEN_SEMICOLON && mark != TOKEN_COMMA &&
				       is_typed(p, &p->lex->tokens[s->from], p->ctx->state->units[first].code));
	}
	p->pos = pos;
	p->stop = stop;
	return firm;
}

/* Does the line end in a list of units that goes on: "fire at c," or "fire at Camerons then"? */
static bool list_is_open(const struct parser *p, int line)
{
	const struct token *first = &p->lex->tokens[p->lex->lines[line].first],
			   *t = &p->lex->tokens[line_end(p, line) - 1];
	bool open = false;

	for (; t > first && (t->type == TOKEN_COMMA || t->type == TOKEN_AND || is_key(t, KEY_AND) ||
				    is_key(t, KEY_OR) || is_key(t, KEY_THEN));
		t--)
		open = true;
	return open && (t->type == TOKEN_CLOSE || is_key(t, KEY_FIRST) || is_key(t, KEY_NEAREST) ||
			       (t->type == TOKEN_WORD && t->word->named));
}

/* "... fire at Camerons. Then D," / "E and F: advance": is all behind the line's last full stop a subject without its
 * order? */
static bool subject_is_open(struct parser *p, int line)
{
	int pos = p->pos, stop = p->stop, from = p->lex->lines[line].first;
	bool open;

	p->stop = line_end(p, line);
	for (int i = from; i < p->stop; i++)
		if (p->lex->tokens[i].type == TOKEN_STOP || p->lex->tokens[i].type == TOKEN_SEMICOLON)
			from = i + 1;
	p->pos = from;
	skip_requests(p);
	open = from > p->lex->lines[line].first && p->pos < p->stop && head_begins(p);
	p->pos = pos;
	p->stop = stop;
	return open;
}

/* Lines that a mail client may have parted: does what the last verb of the one begins go on in the other, and reads? */
static bool reads_joined(struct parser *p, int line)
{
	int pos = p->pos, stop = p->stop, end = line_end(p, line), from = end;
	struct token *newline = &p->lex->tokens[end];
	int32_t was = newline->number;
	struct trial t;
	bool reads;

	while (from > p->lex->lines[line].first && !key_is_verb(p->lex->tokens[from].key))
		from--;
	if (!key_is_verb(p->lex->tokens[from].key))
		return false;
	t = trial_begin(p);
	newline->number = NEWLINE_GLUES;
	p->pos = from;
	p->stop = line_end(p, line + 1);
	reads = parse_clauses(p, NULL, NULL) != NULL && p->pos > end;
	reads = trial_end(p, t) && reads;
	newline->number = was;
	p->pos = pos;
	p->stop = stop;
	return reads;
}

/* Where a line that a mail client may have broken goes on with a name. */
static bool wrapped_name(struct parser *p, int line)
{
	const struct token *first = &p->lex->tokens[p->lex->lines[line + 1].first];

	if (line_opening(p, line) == OPENS_HEAD && (first->type == TOKEN_AND || is_key(first, KEY_AND)))
		return true;
	return (line_opening(p, line + 1) == OPENS_HEAD || !begins_firmly(p, line + 1)) && reads_joined(p, line);
}

/* "hold" / "fire; move 2 north" */
static bool wrapped_hold_fire(struct parser *p, int line)
{
	const struct token *next = &p->lex->tokens[p->lex->lines[line + 1].first];

	return is_key(&p->lex->tokens[line_end(p, line) - 1], KEY_HOLD) && is_key(next, KEY_FIRE) &&
	       (next[1].type != TOKEN_WORD ||
		       !(next[1].word->named || next[1].key == KEY_AT || next[1].key == KEY_ON ||
			       next[1].key == KEY_NEAREST || next[1].key == KEY_ANY || next[1].key == KEY_SKIP));
}

/* What the newline between `line` and the next, which opens with a subject, does to an order in `line`. */
static enum newline before_subject(struct parser *p, int line, bool goes_on)
{
	const struct token *last = &p->lex->tokens[line_end(p, line) - 1];
	bool head = line_opening(p, line + 1) == OPENS_HEAD, begun = line_opening(p, line) == OPENS_HEAD;

	/* "D, E," / "F: advance" and "fire at c," / "d" */
	if (last->type == TOKEN_COMMA || last->type == TOKEN_AND || is_key(last, KEY_AND) || is_key(last, KEY_OR) ||
		(unfinished(last) && (head || !begins_firmly(p, line + 1)))) {
		if (head || begun || subject_is_open(p, line))
			return NEWLINE_GLUES;
		if ((list_is_open(p, line) || unfinished(last)) && !begins_firmly(p, line + 1))
			return NEWLINE_GLUES;
		return NEWLINE_ENDS;
	}
	return goes_on && (subject_is_open(p, line) || wrapped_name(p, line)) ? NEWLINE_GLUES : NEWLINE_ENDS;
}

/* "He goes" / "Stuarts n Royals charge j" with a slip in it: behind a verb that wants more stands a line that has a
 * verb of its own, and the two do not read as one. */
static bool begins_anew(struct parser *p, int line)
{
	bool verb = false;

	for (int i = p->lex->lines[line + 1].first; i < line_end(p, line + 1); i++)
		verb |= key_is_verb(p->lex->tokens[i].key);
	return verb && !reads_joined(p, line);
}

/* What the newline between `line` and the next does to an order in `line`. */
static enum newline newline_between(struct parser *p, int line)
{
	const struct token *last = &p->lex->tokens[line_end(p, line) - 1];
	const struct token *first = &p->lex->tokens[p->lex->lines[line + 1].first];
	enum opening next = line_opening(p, line + 1);
	bool wrapped = columns(p, line) >= WRAPPED_COLUMNS, comma = last->type == TOKEN_COMMA;
	bool indented = p->lex->lines[line + 1].indent > p->indent;

	if (next != OPENS_CONDITION && next != OPENS_OTHER && next != OPENS_END && condition_hangs(p, line))
		return NEWLINE_GLUES;
	switch (next) {
	case OPENS_HEAD:
	case OPENS_ORDER:
		return before_subject(p, line, wrapped || indented);
	case OPENS_VERB_AND_SUBJECT:
		return ends_in_negation(p, line) ? NEWLINE_GLUES : NEWLINE_ENDS;
	case OPENS_VERB:
		if (unfinished(last) || if_hangs(p, line))
			return NEWLINE_GLUES;
		if (wrapped && (comma || is_key(last, KEY_PLEASE) || is_key(first, KEY_AND) ||
				       is_key(first, KEY_THEN) || wrapped_hold_fire(p, line)))
			return NEWLINE_GLUES;
		return line_tells_something(p, line + 1) ? NEWLINE_BREAKS : NEWLINE_ENDS;
	case OPENS_CONDITION:
		if (p->in_block && is_key(first, KEY_OTHERWISE))
			return NEWLINE_ENDS;
		return wrapped || unfinished(last) || first->type == TOKEN_OPEN ? NEWLINE_GLUES : NEWLINE_BREAKS;
	case OPENS_OTHER:
		if (tells_of_turn(p, line + 1))
			return NEWLINE_ENDS;
		if (holds_within(p, line + 1))
			return NEWLINE_GLUES;
		if (!may_go_on(p, line + 1) || (!indented && !wrapped && begins_with_own(p, line + 1)))
			return NEWLINE_ENDS;
		if (wrapped || unfinished(last) || comma || (wants_object(last) && !begins_anew(p, line)))
			return NEWLINE_GLUES;
		if (!indented)
			return NEWLINE_ENDS;
		return bare_leg_line(p, line + 1) ? NEWLINE_BREAKS : NEWLINE_GLUES;
	default:
		return NEWLINE_ENDS;
	}
}

int settle_newlines(struct parser *p, int line)
{
	for (;; line++) {
		int end = line_end(p, line);
		enum newline kind = line + 1 < p->lex->line_count ? newline_between(p, line) : NEWLINE_ENDS;

		p->lex->tokens[end].number = (int32_t)kind;
		if (kind == NEWLINE_ENDS)
			return end;
	}
}

/* --- a condition before the subject ------------------------------------------------------------------------------- */

bool find_governed_subject(struct parser *p, struct subject *s)
{
	struct trial t;
	int after, from = 0, end = 0;

	if (!condition_begins(p) || key_here(p) == KEY_UNTIL)
		return false;
	t = trial_begin(p);
	take_key(p, KEY_ONLY);
	advance(p);
	if (parse_condition(p)) {
		take_type(p, TOKEN_COLON);
		separators_ahead(p, &after);
		p->pos = after;
		here(p);
		from = p->pos;
		if (order_begins(p, AT_START) && parse_subject(p, AT_START, s)) {
			subject_mark(p, s);
			here(p);
			end = p->pos;
		}
	}
	trial_end(p, t);
	if (end <= from)
		return false;
	p->hole_from = from;
	p->hole_to = end;
	return true;
}

bool find_subject_behind_if(struct parser *p, struct subject *s)
{
	int pos = p->pos, after;
	bool found = false, reads;
	struct trial t;

	if (!condition_begins(p) || key_here(p) == KEY_UNTIL)
		return false;
	t = trial_begin(p);
	take_key(p, KEY_ONLY);
	advance(p);
	reads = parse_condition(p) != NULL;
	p->pos = pos;
	while (!reads && !found && !at_end(p)) {
		int kind = separators_ahead(p, &after);

		if (kind & (SEPARATOR_HARD | SEPARATOR_BREAK))
			break;
		if (kind)
			p->pos = after;
		else
			advance(p);
		take_type(p, TOKEN_COLON);
		found = kind && order_begins(p, AT_START) && parse_subject(p, AT_START, s) && subject_has_own(p, s);
		if (kind && !found && clause_begins(p, false))
			break; /* for the unit above */
	}
	trial_end(p, t);
	p->pos = pos;
	return found;
}
