/* What a unit is to do.
 *
 *   clause  = move | face | fire | charge | melee | join | "leave" | hold | column | rally | if
 *   hold    = "hold" | "stay" | "stand" | "remain" | "halt" | "keep" unit "where" ("they"|"it") ("are"|"is")
 *   join    = "join" unit ; column = "form column" | "form line" ; rally = "rally" unit
 *   sep     = ";" | "," | "then" | "and" | "and then" | "." | "!" | "?" | tab | "->" | newline
 *
 * move and face are in parse_move.c, fire, charge, melee and their targets in parse_fire.c, if in parse_condition.c.
 */
#include "orders/lines.h"
#include "orders/parse.h"
#include "orders/print.h"

#include <string.h>

void list_init(struct clause_list *l)
{
	*l = (struct clause_list){0};
}

static void append(struct clause_list *l, struct clause *c)
{
	if (!c)
		return;
	l->last = l->end ? l->end : &l->first;
	*l->last = c;
	l->end = &c->next;
}

struct clause *new_clause(struct parser *p, enum clause_kind kind)
{
	struct clause *c = talloc_zero(p->mem, struct clause);
	const struct token *t = here(p);

	c->kind = kind;
	c->unit = -1;
	c->face.unit = -1;
	c->at.line = t->line + 1;
	c->at.column = t->column;
	return c;
}

/* --- the verb ----------------------------------------------------------------------------------------------------- */

/* "R advance 4 Price's hold", "R: hold S: hold": one's own unit by its name, or its code as it is written, and a verb
 * or a colon: the next order. */
static bool runs_on(struct parser *p)
{
	struct match m;
	struct piece_set own;

	if (here(p)->type != TOKEN_WORD || !here(p)->word->named || !match_piece(p, &m))
		return false;
	own = set_and(m.set, p->own);
	if (set_empty(&own) || (m.by_code && strncmp(p->ctx->state->units[set_next(&own, 0)].code,
						     p->lex->text + here(p)->offset, here(p)->length) != 0))
		return false;
	return (key_is_verb(p->lex->tokens[m.end].key) || p->lex->tokens[m.end].type == TOKEN_COLON) &&
	       order_begins(p, IN_MIDDLE);
}

/* "if possible", "if u can", and of fire "if they are in range": what goes without saying. How many tokens; 0 for none.
 */
static int idle_if(struct parser *p, bool fires)
{
	static const char *const last[] = {"possible", "can", "could", "able", "poss", NULL};
	int n = 1;

	if (key_here(p) != KEY_IF)
		return 0;
	while (key_ahead(p, n) == KEY_THEY || key_ahead(p, n) == KEY_BE ||
		(ahead(p, n)->type == TOKEN_WORD && strcmp(ahead(p, n)->word->text, "u") == 0))
		n++;
	if (key_ahead(p, n) == KEY_IN && (fires || key_ahead(p, n + 2) == KEY_FIRE) &&
		ahead(p, n + 1)->type == TOKEN_WORD && strcmp(ahead(p, n + 1)->word->text, "range") == 0)
		n++;
	else if (!is_among(ahead(p, n), last))
		return 0;
	n++;
	return ahead(p, n)->type != TOKEN_WORD || ahead(p, n)->key == KEY_AND || ahead(p, n)->key == KEY_THEN ||
			       ahead(p, n)->key == KEY_PLEASE || key_is_verb(ahead(p, n)->key)
		       ? n
		       : 0;
}

static void skip_idle_if(struct parser *p, bool fires)
{
	for (int n = idle_if(p, fires); n > 0; n--)
		advance(p);
}

/* "6 inches (not more!)", "(max)" */
static void skip_not_more(struct parser *p)
{
	int n = 1;

	if (here(p)->type != TOKEN_OPEN)
		return;
	while (key_ahead(p, n) == KEY_NOT || key_ahead(p, n) == KEY_NO || key_ahead(p, n) == KEY_MORE ||
		ahead(p, n)->type == TOKEN_STOP ||
		(ahead(p, n)->type == TOKEN_WORD && strncmp(ahead(p, n)->word->text, "max", 3) == 0))
		n++;
	if (n == 1 || ahead(p, n)->type != TOKEN_CLOSE)
		return;
	for (; n >= 0; n--)
		advance(p);
}

/* "please", "thank you", "please and thank you", "too" */
static void skip_politeness(struct parser *p, const struct clause *c)
{
	skip_not_more(p);
	skip_idle_if(p, c && c->kind == CLAUSE_FIRE);
	if (is_word_here(p, "too"))
		advance(p);
	while (key_here(p) == KEY_PLEASE || (key_here(p) == KEY_AND && key_ahead(p, 1) == KEY_PLEASE)) {
		take_key(p, KEY_AND);
		advance(p);
		if (is_word_here(p, "you") || is_word_here(p, "u"))
			advance(p);
	}
}

static bool ends_clause(struct parser *p)
{
	int after;

	return at_end(p) || separators_ahead(p, &after) || here(p)->type == TOKEN_CLOSE ||
	       key_here(p) == KEY_OTHERWISE || key_here(p) == KEY_BECAUSE || key_here(p) == KEY_EXCEPT ||
	       key_here(p) == KEY_ELSE || (key_here(p) == KEY_OR && key_ahead(p, 1) == KEY_ELSE) ||
	       clause_begins(p, false) || turned_verb(p) != NOT_TURNED || runs_on(p) ||
	       (here(p)->type == TOKEN_DASH && here(p)->spaced) || key_here(p) == KEY_PLEASE;
}

static struct clause *parse_rally(struct parser *p)
{
	tell_meaningless(p, p->pos - 1);
	return parse_join(p, CLAUSE_RALLY);
}

/* "keep firing", "continue to fire", "going to fire", "open fire": how many words stand before the verb that is meant.
 */
static int helping_words(struct parser *p)
{
	enum key key = key_here(p), next = key_ahead(p, 1);
	int words = next == KEY_TO || next == KEY_ON ? 2 : 1;

	if (key == KEY_OPEN)
		return next == KEY_FIRE;
	if (key == KEY_MOVE && next == KEY_TO && is_word_here(p, "going"))
		return key_is_verb(key_ahead(p, 2)) ? 2 : 0;
	return (key == KEY_KEEP || key == KEY_CONTINUE) && key_is_verb(key_ahead(p, words)) ? words : 0;
}

static void pass_helping_verb(struct parser *p)
{
	for (int n = helping_words(p); n > 0; n--)
		advance(p);
}

/* "keep fighting": what a unit in melee does anyhow. */
static bool keeps_fighting(struct parser *p)
{
	int before = p->pos;
	bool keeps;

	pass_helping_verb(p);
	keeps = p->pos > before && key_here(p) == KEY_MELEE && (advance(p), ends_clause(p));
	if (keeps)
		note(p, before, "A unit in melee fights on by itself; nothing was ordered by `%s`.",
			typed_text(p, before, p->pos));
	else
		p->pos = before;
	return keeps;
}

/* "advance - 4 north", "fire: Camerons", a table's next cell: a mark between a verb and what it is about. */
static void skip_mark_after_verb(struct parser *p)
{
	const struct token *t = here(p), *next = ahead(p, 1);
	int before = p->pos;
	struct match m;

	if (t->type != TOKEN_COLON && t->type != TOKEN_TAB && !(t->type == TOKEN_DASH && t->spaced && next->spaced))
		return;
	advance(p);
	if (order_begins(p, AT_START) || clause_begins(p, false) ||
		!(number_begins(p) || leg_begins(p) || key_here(p) == KEY_NEAREST || key_here(p) == KEY_ANY ||
			key_here(p) == KEY_AT || match_piece(p, &m)))
		p->pos = before;
}

/* "advance -4": no distance, and not the dash before a clause either. */
static bool tell_negative(struct parser *p)
{
	if (here(p)->type != TOKEN_DASH || !here(p)->spaced || ahead(p, 1)->type != TOKEN_NUMBER || ahead(p, 1)->spaced)
		return false;
	problem(p, PROBLEM_UNREADABLE, p->pos, p->pos + 2, NULL, NULL,
		"A distance is more than 0 and at most 200 inches.");
	skip_to_separator(p);
	return true;
}

/* "do not pursue", "no pursuit" */
static struct clause *parse_no_pursuit(struct parser *p)
{
	struct match m;

	advance(p);
	while (key_here(p) == KEY_THEY || key_here(p) == KEY_ANY || key_here(p) == KEY_ENEMY || key_here(p) == KEY_SKIP)
		advance(p);
	if (match_piece(p, &m) && !order_begins(p, IN_MIDDLE))
		p->pos = m.end;
	if (p->ctx->shreds)
		return new_clause(p, CLAUSE_HALT);
	note(p, p->pos - 1, "Nobody pursues under these rules: whoever wins stays where it is.");
	return NULL;
}

/* "pursue j": what wins does so by itself, or does not; to go after an enemy is a move or a charge. */
static struct clause *parse_pursuit(struct parser *p)
{
	int verb = p->pos - 1;

	problem(p, PROBLEM_UNREADABLE, verb, verb + 1, "charge", NULL,
		p->ctx->shreds
			? "Whoever wins pursues by itself, unless its order says `halt`. To go after an enemy write "
			  "`charge` or `move toward` and its name."
			: "Nobody pursues under these rules. To go after an enemy write `charge` or `move toward` and "
			  "its name.");
	return NULL;
}

static struct clause *parse_going(struct parser *p, enum key verb)
{
	if (tell_negative(p))
		return NULL;
	if (verb == KEY_MOVE && key_here(p) == KEY_WITH) /* a commander goes with a unit */
		return parse_join(p, CLAUSE_JOIN);
	return parse_move(p, verb);
}

/* "about turn", "about face"; `at` is its first word */
static struct clause *parse_about(struct parser *p, int at)
{
	struct clause *c;

	p->pos = at;
	c = parse_face(p);
	advance(p);
	return c;
}

/* The verb that is meant, and the marks around it; *at is its token. */
static enum key take_verb(struct parser *p, int *at)
{
	enum key verb;

	pass_helping_verb(p);
	verb = key_here(p);
	*at = p->pos;
	advance(p);
	if (*at > 0 && p->lex->tokens[*at - 1].type == TOKEN_QUOTE)
		take_type(p, TOKEN_QUOTE);
	skip_mark_after_verb(p);
	return verb;
}

static struct clause *parse_verb(struct parser *p)
{
	int at;
	enum key verb = take_verb(p, &at);

	switch (verb) {
	case KEY_MOVE:
	case KEY_ADVANCE:
	case KEY_RETIRE:
	case KEY_FALL:
		return parse_going(p, verb);
	case KEY_STEP:
		return parse_going(p, KEY_MOVE);
	case KEY_BACK:
		advance(p); /* back off */
		return parse_going(p, KEY_RETIRE);
	case KEY_FACE:
		return parse_face(p);
	case KEY_TURN:
	case KEY_WHEEL:
		return parse_turn(p, verb);
	case KEY_ABOUT:
		return parse_about(p, at);
	case KEY_FIRE:
		return parse_fire(p);
	case KEY_CHARGE:
		return parse_charge(p);
	case KEY_MELEE:
	case KEY_HITS:
		return parse_melee(p);
	case KEY_JOIN:
		return parse_join(p, CLAUSE_JOIN);
	case KEY_LEAVE:
		return parse_leave(p);
	case KEY_FORM:
		return parse_form(p);
	case KEY_COLUMN:
		tell_meaningless(p, at);
		return new_clause(p, CLAUSE_COLUMN);
	case KEY_PURSUE:
		return parse_pursuit(p);
	case KEY_RALLY:
		return parse_rally(p);
	case KEY_HOLD:
	case KEY_STAY:
	case KEY_HALT:
	case KEY_KEEP:
	case KEY_STOP:
	case KEY_WAIT:
		return parse_hold(p, verb);
	case KEY_NOTHING:
	case KEY_DO:
		take_key(p, KEY_NOTHING); /* do nothing */
		return new_clause(p, CLAUSE_HOLD);
	default:
		problem(p, PROBLEM_UNREADABLE, at, p->pos, NULL, NULL, "`%s` says nothing here.",
			typed_text(p, at, p->pos));
		return NULL;
	}
}

bool step_begins(struct parser *p)
{
	enum key next = key_ahead(p, 1);

	if (key_here(p) == KEY_BACK)
		return ahead(p, 1)->type == TOKEN_WORD && strcmp(ahead(p, 1)->word->text, "off") == 0;
	return key_here(p) == KEY_STEP &&
	       (next == KEY_BACK || next == KEY_FORWARD || next == KEY_LEFT || next == KEY_RIGHT ||
		       next == KEY_COMPASS || next == KEY_TO || next == KEY_TOWARD);
}

static bool verb_begins(struct parser *p)
{
	enum key key = key_here(p), next = key_ahead(p, 1);

	if (step_begins(p))
		return true;
	if (key == KEY_OPEN || key == KEY_CONTINUE)
		return helping_words(p) > 0;
	return key_is_verb(key) || key == KEY_HITS || key == KEY_WAIT || key == KEY_COLUMN || key == KEY_NOTHING ||
	       (key == KEY_DO && next == KEY_NOTHING) || (key == KEY_ABOUT && (next == KEY_TURN || next == KEY_FACE));
}

/* Words before a verb that change nothing. */
static void skip_before_verb(struct parser *p)
{
	while (here(p)->type == TOKEN_QUOTE)
		advance(p);
	for (;;) {
		enum key key = key_here(p), next = key_ahead(p, 1);
		bool to_verb = key_is_verb(next) || next == KEY_NOT || next == KEY_SHOULD || next == KEY_WILL ||
			       next == KEY_BE || next == KEY_DO || next == KEY_SKIP || next == KEY_HITS;

		if (idle_if(p, false)) {
			skip_idle_if(p, false);
			take_type(p, TOKEN_COMMA);
			continue;
		}
		if (condition_begins(p))
			return;
		if (key == KEY_SKIP || key == KEY_PLEASE || key == KEY_WILL || key == KEY_BE || key == KEY_SHOULD ||
			key == KEY_BOTH || (key == KEY_ONLY && (next == KEY_IF || key_is_verb(next))) ||
			(key == KEY_EXCEPT && to_verb) ||
			((key == KEY_TO || key == KEY_THEY || key == KEY_REQUEST) && to_verb) ||
			(key == KEY_DO && key_is_verb(next)))
			advance(p);
		else
			return;
	}
}

static bool negation_begins(struct parser *p)
{
	enum key key = key_here(p), next = key_ahead(p, 1);

	return key == KEY_NOT || (key == KEY_DO && (next == KEY_NOT || next == KEY_NO)) ||
	       (key == KEY_NO && (key_is_verb(next) || next == KEY_MORE));
}

bool clause_begins(struct parser *p, bool bare)
{
	int before = p->pos;
	bool begins;

	skip_before_verb(p);
	begins = verb_begins(p) || negation_begins(p) || condition_begins(p) || (bare && leg_begins(p));
	p->pos = before;
	return begins;
}

/* --- negation (rule 14) ------------------------------------------------------------------------------------------- */

/* After a negated verb: "or fire", ", fire or charge" are negated with it. */
static bool negation_goes_on(struct parser *p)
{
	int n = 0;

	if (key_here(p) == KEY_OR) {
		advance(p);
		separators(p);
		if (!key_is_verb(key_here(p)))
			problem(p, PROBLEM_UNREADABLE, p->pos, p->pos + 1, NULL, NULL,
				"After `or` a further order word was expected.");
		return true;
	}
	while (ahead(p, n)->type == TOKEN_COMMA && key_is_verb(key_ahead(p, n + 1)) && n < 20)
		n += 2;
	if (n > 0 &&
		(key_ahead(p, n) == KEY_OR || (ahead(p, n)->type == TOKEN_COMMA && key_ahead(p, n + 1) == KEY_OR))) {
		advance(p);
		return true;
	}
	return false;
}

static bool has_kind(const struct clause *c, enum clause_kind kind)
{
	for (; c; c = c->next)
		if (c->kind == kind)
			return true;
	return false;
}

/* "do not charge", which may name nobody. */
static struct clause *parse_no_charge(struct parser *p)
{
	struct clause *c;
	int at = p->pos, failures = p->failures;

	advance(p);
	if (targets_begin(p)) {
		p->pos = at;
		c = parse_verb(p);
		if (!c || p->failures != failures)
			return NULL;
	} else {
		c = new_clause(p, CLAUSE_CHARGE);
	}
	c->kind = CLAUSE_NO_CHARGE;
	return c;
}

/* The clause that is left of a verb that is not to be done; NULL for none. The verb's own words are passed over. */
static struct clause *negate(struct parser *p, const struct clause_list *list, const struct clause_list *before)
{
	enum key verb = key_here(p);
	struct clause *c;
	int at = p->pos;

	if (verb == KEY_MOVE || verb == KEY_ADVANCE || verb == KEY_RETIRE || verb == KEY_FALL) {
		advance(p);
		if (leg_begins(p) || number_begins(p) || key_here(p) == KEY_VIA)
			parse_move(p, KEY_ADVANCE);
		p->pos = p->pos > at ? p->pos : at + 1;
		return has_kind(list->first, CLAUSE_HOLD) || has_kind(before->first, CLAUSE_HOLD)
			       ? NULL
			       : new_clause(p, CLAUSE_HOLD);
	}
	if (verb == KEY_FIRE || (verb == KEY_OPEN && key_ahead(p, 1) == KEY_FIRE)) {
		advance(p);
		if (verb == KEY_OPEN)
			advance(p);
		return parse_hold_fire(p);
	}
	if (verb == KEY_PURSUE)
		return parse_no_pursuit(p);
	if (verb == KEY_CHARGE) {
		c = parse_no_charge(p);
		if (!c || !p->depth)
			return c;
	} else {
		parse_verb(p);
	}
	note(p, at, "Nothing was ordered by `not %s`: what is not ordered is not done.", typed_text(p, at, at + 1));
	return NULL;
}

static bool parse_negation(struct parser *p, struct clause_list *list, const struct clause_list *earlier)
{
	int from = p->pos, before = p->failures;

	while (key_here(p) == KEY_DO || key_here(p) == KEY_NOT || key_here(p) == KEY_NO || key_here(p) == KEY_MORE ||
		key_here(p) == KEY_BE || key_here(p) == KEY_TO || key_here(p) == KEY_THEY || key_here(p) == KEY_PLEASE)
		advance(p);
	if (is_word_here(p, "anything")) { /* "don't do anything" */
		advance(p);
		append(list, new_clause(p, CLAUSE_HOLD));
		return true;
	}
	if (!key_is_verb(key_here(p))) {
		problem(p, PROBLEM_UNREADABLE, from, p->pos, NULL, NULL,
			"After `%s` one of the order words was expected, as `fire` or `move`; nothing from there on "
			"was "
			"read.",
			typed_text(p, from, p->pos));
		lose_leading(p);
		return false;
	}
	do {
		struct clause *c = p->failures == before ? negate(p, list, earlier) : NULL;

		if (p->failures != before) {
			lose_governed(p);
			return false;
		}
		append(list, c);
	} while (negation_goes_on(p));
	if (key_is_verb(key_here(p))) {
		problem(p, PROBLEM_UNREADABLE, p->pos, p->pos + 1, NULL, NULL,
			"Is `%s` forbidden too? Write `or` before it if it is, else `;`.",
			typed_text(p, p->pos, p->pos + 1));
		lose_governed(p);
		return false;
	}
	return true;
}

/* --- a clause and what may trail it ------------------------------------------------------------------------------- */

/* Words that are left over. What looks like a condition must not be lost: it takes all it may govern with it. */
static void tell_leftover(struct parser *p)
{
	const struct token *t = here(p);
	int from = p->pos;
	const char *like =
		t->type == TOKEN_WORD && t->word->key == KEY_NONE && t->length > 3 ? nearest_word(p, t, false) : NULL;

	if (condition_lurks(p, false)) {
		problem(p, PROBLEM_UNREADABLE, from, from + 1, like, like,
			"`%s` was not understood, and an order must not lose its condition: nothing of it was read.",
			typed_text(p, from, from + 1));
		lose_governed(p);
		return;
	}
	problem(p, PROBLEM_UNREADABLE, from, from + 1, like, like,
		"`%s` was not expected here; the part of the order it stands in was left out.",
		typed_text(p, from, from + 1));
	skip_to_separator(p);
}

static struct clause *parse_bare_leg(struct parser *p)
{
	return parse_move(p, KEY_MOVE);
}

static void tell_no_verb(struct parser *p)
{
	const struct token *t = here(p);
	int from = p->pos;
	const char *like = t->type == TOKEN_WORD && t->word->key == KEY_NONE ? nearest_word(p, t, true) : NULL;

	if (like)
		problem(p, PROBLEM_UNREADABLE, from, from + 1, like, like, "`%s`: did you mean `%s`?",
			typed_text(p, from, from + 1), like);
	else
		problem(p, PROBLEM_UNREADABLE, from, from + 1, NULL, NULL,
			"`%s`: here an order word was expected, as move, face, fire, charge or hold.",
			typed_text(p, from, from + 1));
	if (condition_lurks(p, true))
		lose_leading(p);
	else
		skip_to_separator(p);
}

/* A clause that could not be read whole: on to the next separator, or past all that a condition in it may govern. */
static void recover(struct parser *p)
{
	if (condition_lurks(p, false))
		lose_governed(p);
	else if (!at_end(p) && !ends_clause(p))
		skip_to_separator(p);
}

/* "charge j (if within 6)", "charge j (but only if ...)" */
static bool bracketed_condition(struct parser *p)
{
	int before = p->pos;
	bool begins = here(p)->type == TOKEN_OPEN;

	if (begins) {
		advance(p);
		begins = condition_begins(p);
		p->pos = before;
	}
	return begins;
}

bool parse_clause(struct parser *p, struct clause_list *list)
{
	struct clause_list one;
	struct clause *c;
	int before = p->failures;

	skip_numbering(p);
	skip_before_verb(p);
	if (condition_begins(p))
		return parse_if(p, list, false);
	if (negation_begins(p)) {
		list_init(&one);
		if (!parse_negation(p, &one, list))
			return false;
		c = one.first;
	} else if (keeps_fighting(p)) {
		c = NULL;
	} else if (verb_begins(p)) {
		c = parse_verb(p);
	} else if (leg_begins(p)) {
		c = parse_bare_leg(p);
	} else {
		tell_no_verb(p);
		return false;
	}
	if (p->failures != before) {
		recover(p);
		return false;
	}
	skip_politeness(p, c);
	if (here(p)->type == TOKEN_CLOSE || here(p)->type == TOKEN_QUOTE || bracketed_condition(p))
		advance(p);
	if (!ends_clause(p)) {
		tell_leftover(p);
		return false;
	}
	if (c && c->kind == CLAUSE_NO_CHARGE && (p->in_block || condition_begins(p))) {
		note(p, p->pos, "Nothing was ordered by `not charge`: what is not ordered is not done.");
		c = c->next;
	}
	list_init(&one);
	for (struct clause *next; c; c = next) {
		next = c->next;
		c->next = NULL;
		append(&one, c);
	}
	if (condition_begins(p) && !exception_begins(p) && !parse_if(p, &one, true))
		return false;
	take_type(p, TOKEN_CLOSE);
	for (c = one.first; c;) {
		struct clause *next = c->next;

		c->next = NULL;
		append(list, c);
		c = next;
	}
	return true;
}

/* --- all clauses of an order -------------------------------------------------------------------------------------- */

/* "all advance 4 except R, who hold" */
static bool parse_exception(struct parser *p, const struct subject *of, struct piece_set *except)
{
	struct subject *s;

	if (key_here(p) != KEY_EXCEPT || !of || !except || clause_begins(p, false))
		return false;
	advance(p);
	take_key(p, KEY_FROM);
	s = talloc(p->scratch, struct subject);
	if (!parse_subject(p, AT_START, s)) {
		problem(p, PROBLEM_UNREADABLE, p->pos, p->pos + 1, NULL, NULL, "After `except` a unit was expected.");
		lose_governed(p);
		return true;
	}
	take_type(p, TOKEN_COMMA);
	if (key_here(p) == KEY_WHO || (key_here(p) == KEY_THEY && key_is_verb(key_ahead(p, 1)))) { /* "he advances" */
		advance(p);
		give_order(p, s, false, parse_clauses(p, NULL, NULL), ORDER_GIVE);
	}
	for (int i = 0; i < s->count; i++)
		*except = set_or(*except, s->items[i].kind == ITEM_PIECE ? s->items[i].match.set : s->items[i].set);
	return true;
}

/* "advance. 3": a full stop cut the number off. A unit never gets more than was typed: such a move is not made. */
static bool number_cut_off(struct parser *p, struct clause_list *list)
{
	struct clause *last = list->last ? *list->last : NULL;
	int stop = p->pos - 1;

	if (!last || last->kind != CLAUSE_MOVE || last->legs[last->leg_count - 1].distance != 0 ||
		p->lex->tokens[stop].type != TOKEN_STOP || !number_begins(p))
		return false;
	while (p->lex->tokens[stop - 1].type == TOKEN_STOP)
		stop--;
	problem(p, PROBLEM_UNREADABLE, stop, p->pos + 1,
		talloc_asprintf(p->mem, " %s", typed_text(p, p->pos, p->pos + 1)),
		talloc_asprintf(p->mem, " %s", typed_text(p, p->pos, p->pos + 1)),
		"Does `%s` belong to the move before the full stop? Neither was read.",
		typed_text(p, p->pos, p->pos + 1));
	*list->last = NULL;
	list->end = list->last;
	skip_to_separator(p);
	return true;
}

/* "charge j. Actually hold", "charge j? no, fire at j": which of the two is meant is asked, and neither is done. */
static bool tell_correction(struct parser *p, struct clause_list *list)
{
	static const char *const words[] = {"actually", "no", "nope", "wait", "sorry", "oops", "rather", "instead",
		"scrap", "correction", "i", "mean", "that", "or", "oh", "hang", "on", NULL};
	int from = p->pos;

	while (is_among(here(p), words) || (p->pos > from && here(p)->type == TOKEN_COMMA))
		advance(p);
	if (p->pos == from || !list->first || !clause_begins(p, false)) {
		p->pos = from;
		return false;
	}
	problem(p, PROBLEM_UNREADABLE, from, p->pos + 1, NULL, NULL,
		"Is this to be done instead of what stands before it? Neither was taken. Write only what is to be "
		"done.");
	list_init(list);
	skip_to_hard_separator(p);
	return true;
}

/* A sentence after a full stop that is no order. */
static bool set_aside_sentence(struct parser *p)
{
	const struct token *first = here(p);
	size_t from = first->offset, to = from;

	if (clause_begins(p, true) || key_here(p) == KEY_OTHERWISE || condition_lurks(p, false))
		return false;
	while (!at_end(p) && here(p)->type != TOKEN_STOP && here(p)->type != TOKEN_NEWLINE) {
		to = here(p)->offset + here(p)->length;
		advance(p);
	}
	set_aside_text(p, p->lex->text + from, to - from);
	return true;
}

/* "R: charge j but S should hold": no exception, the next order. */
static bool but_order_begins(struct parser *p)
{
	int before = p->pos;
	bool begins = false;

	if (is_word_here(p, "but")) {
		advance(p);
		begins = order_begins(p, IN_MIDDLE);
		p->pos = before;
	}
	return begins;
}

/* "and I want Price's to hold" */
static bool asked_order_begins(struct parser *p)
{
	int before = p->pos;
	bool begins = false;

	if (key_here(p) == KEY_REQUEST && !time_words(p)) {
		bool firm = skip_requests(p);

		begins = !(firm && lone_letter(p)) && order_begins(p, IN_MIDDLE);
		p->pos = before;
	}
	return begins;
}

static bool next_order_begins(struct parser *p, int separator)
{
	bool hard = separator & (SEPARATOR_HARD | SEPARATOR_BREAK);

	return order_begins(p, separator & SEPARATOR_HARD ? AT_START : IN_MIDDLE) || asked_order_begins(p) ||
	       echo_begins(p, hard ? AT_START : IN_MIDDLE) ||
	       (hard && (slip_begins(p) || (!clause_begins(p, true) && marked_unknown(p) > 0)));
}

/* One clause and what is to be done before or after it: "fire at j before moving 4", "move 4 after firing at j". */
static void parse_with_turned(struct parser *p, struct clause_list *list)
{
	struct clause **spot = list->end ? list->end : &list->first, *rest;
	struct clause_list other;

	parse_clause(p, list);
	while (turned_verb(p) == TURNED_BEFORE) {
		advance(p);
		parse_clause(p, list);
	}
	if (turned_verb(p) != TURNED_AFTER)
		return;
	advance(p);
	list_init(&other);
	parse_clause(p, &other);
	if (!other.first || !(rest = *spot))
		return;
	*spot = other.first;
	*other.end = rest;
	list->last = other.end;
	while (*(list->end = &(*list->last)->next))
		list->last = list->end;
}

/* "hold and advance 3" */
static void note_hold_and_move(struct parser *p, const struct clause *first)
{
	bool holds = false;

	for (const struct clause *c = first; c; c = c->next) {
		if (holds && c->kind == CLAUSE_MOVE) {
			note_at(p, c->at.line,
				"`hold` and a move stand in one order: the move is made. To stand still write `hold` "
				"alone.");
			return;
		}
		holds |= c->kind == CLAUSE_HOLD;
	}
}

struct clause *parse_clauses(struct parser *p, const struct subject *of, struct piece_set *except)
{
	struct clause_list list;
	int separator = SEPARATOR_BREAK;
	bool first = true;
	int failures = p->failures;

	list_init(&list);
	separators(p);
	while (!at_end(p) && !(p->trial && p->failures != failures)) {
		int before = p->pos;

		if (!first && next_order_begins(p, separator))
			break;
		if (key_here(p) == KEY_BECAUSE) { /* raw to the end of the line (rule 11) */
			while (!at_end(p) && here(p)->type != TOKEN_NEWLINE)
				advance(p);
		} else if (but_order_begins(p)) {
			advance(p);
			break;
		} else if (parse_exception(p, of, except)) {
		} else if (!first && (separator & SEPARATOR_SENTENCE) &&
			   (number_cut_off(p, &list) || tell_correction(p, &list) || set_aside_sentence(p))) {
		} else if (key_here(p) == KEY_OTHERWISE || key_here(p) == KEY_ELSE || key_here(p) == KEY_OR) {
			problem(p, PROBLEM_UNREADABLE, p->pos, p->pos + 1, NULL, NULL, "`%s` needs an `if` before it.",
				typed_text(p, p->pos, p->pos + 1));
			lose_governed(p);
		} else {
			parse_with_turned(p, &list);
		}
		first = false;
		if (p->pos == before && !separators_ahead(p, &before))
			advance(p);
		separator = separators(p);
		if (!separator && here(p)->type == TOKEN_DASH)
			advance(p);
	}
	note_hold_and_move(p, list.first);
	return list.first;
}
