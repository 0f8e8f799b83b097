/* What a unit is to do.
 *
 *   clause  = move | face | fire | charge | melee | join | "leave" | hold | column | rally | if
 *   hold    = "hold" | "stay" | "stand" | "remain" | "halt" | "keep" unit "where" ("they"|"it") ("are"|"is")
 *   join    = "join" unit ; column = "form column" | "form line" ; rally = "rally" unit
 *   sep     = ";" | "," | "then" | "and" | "and then" | "." | "!" | "?" | tab | "->" | newline
 *
 * The verb is in parse_verb.c, "not" in parse_negation.c, move in parse_move.c, face and turn in parse_face.c, fire,
 * charge, melee and their targets in parse_fire.c, the short ones in parse_hold.c, if in parse_if.c.
 */
#include "orders/lines.h"
#include "orders/parse.h"
#include "orders/print.h"

#include <string.h>

void list_init(struct clause_list *l)
{
	*l = (struct clause_list){0};
}

void list_append(struct clause_list *l, struct clause *c)
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

/* "R advance 4 Price's hold", "R: hold S: hold": one's own unit by its name, or its code as it is written, and a verb
 * or a colon: the next order. */
static bool runs_on(struct parser *p)
{
	struct match m;
	struct piece_set own;

	if (here(p)->type != TOKEN_WORD || !here(p)->word->named || !match_piece(p, &m))
		return false;
	own = set_and(m.set, p->own);
	if (set_empty(&own) || (m.by_code && p->lex->tokens[m.end].type != TOKEN_COLON &&
				       strncmp(p->ctx->state->units[set_next(&own, 0)].code,
					       p->lex->text + here(p)->offset, here(p)->length) != 0))
		return false;
	return (key_is_verb(p->lex->tokens[m.end].key) || p->lex->tokens[m.end].type == TOKEN_COLON) &&
	       order_begins(p, IN_MIDDLE);
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
void skip_politeness(struct parser *p, const struct clause *c)
{
	static const char *const for_all[] = {"too", "each", "both", "together", NULL};
	static const char *const asked[] = {"you", "u", "sir", "miss", "galloper", "computer", NULL};

	skip_not_more(p);
	skip_idle_if(p, c && c->kind == CLAUSE_FIRE);
	while (is_among(here(p), for_all))
		advance(p);
	while (key_here(p) == KEY_PLEASE || (key_here(p) == KEY_AND && key_ahead(p, 1) == KEY_PLEASE)) {
		take_key(p, KEY_AND);
		advance(p);
		if (is_among(here(p), asked))
			advance(p);
	}
}

bool ends_clause(struct parser *p)
{
	int after;

	return at_end(p) || separators_ahead(p, &after) || here(p)->type == TOKEN_CLOSE ||
	       key_here(p) == KEY_OTHERWISE || key_here(p) == KEY_BECAUSE || key_here(p) == KEY_EXCEPT ||
	       key_here(p) == KEY_ELSE || (key_here(p) == KEY_OR && key_ahead(p, 1) == KEY_ELSE) ||
	       clause_begins(p, false) || turned_verb(p) != NOT_TURNED || runs_on(p) ||
	       (here(p)->type == TOKEN_DASH && here(p)->spaced) || key_here(p) == KEY_PLEASE || while_order_begins(p);
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

static bool last_is_move(const struct clause_list *list)
{
	return list->last && *list->last && (*list->last)->kind == CLAUSE_MOVE;
}

static bool tell_code_or_way(struct parser *p)
{
	int piece = code_or_way(p);

	if (piece < 0)
		return false;
	problem(p, PROBLEM_AMBIGUOUS, p->pos, p->pos + 2, NULL, NULL,
		"Is `%s` a direction here, or %s? Write `then %s` for a direction, or the unit and its order on a line "
		"of "
		"its own.",
		typed_text(p, p->pos, p->pos + 1), piece_english(p->mem, p->ctx->state, piece),
		here(p)->word->value == 180 ? "south" : "east");
	skip_to_separator(p);
	return true;
}

static void tell_no_verb(struct parser *p)
{
	const struct token *t = here(p);
	int from = p->pos;
	const char *like = t->type == TOKEN_WORD && t->word->key == KEY_NONE ? nearest_word(p, t, true) : NULL,
		   *left_out = verb_left_out(p);

	if (left_out)
		problem(p, PROBLEM_UNREADABLE, from, from + 1, left_out, NULL,
			"`%s`: here an order word was expected. Did you mean `%s`?", typed_text(p, from, from + 1),
			left_out);
	else if (like)
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

/* "do not charge" takes a charge back; under a condition it cannot, and the clauses behind it are left. */
static struct clause *settle_no_charge(struct parser *p, struct clause *c)
{
	if (!c || c->kind != CLAUSE_NO_CHARGE)
		return c;
	if (p->in_block || condition_begins(p)) {
		note(p, p->pos, "Nothing was ordered by `not charge`: what is not ordered is not done.");
		return c->next;
	}
	note_at(p, c->at.line, "No charge will be made: one that was ordered before is taken back.");
	return c;
}

/* "fire at c or S: hold": what goes on with no target parts two orders (rule 2). */
static void take_or_before_order(struct parser *p)
{
	int before = p->pos;

	if (take_key(p, KEY_OR) && !runs_on(p))
		p->pos = before;
}

/* "move 4 north so that you can shoot c": what the clause is for. It is told, and what it says is a further order only
 * if the writer says so. Where the clause itself leaves open how far to go, the purpose may be what settles it: then
 * it is no purpose alone. */
static void tell_purpose(struct parser *p, const struct clause *c)
{
	int from = p->pos, verb;

	if (!c || !is_word_here(p, "so") || key_is_verb(key_ahead(p, 1)) || condition_lurks(p, false) ||
		(c->kind == CLAUSE_MOVE && c->legs[c->leg_count - 1].kind != LEG_PLACE &&
			c->legs[c->leg_count - 1].distance == 0))
		return;
	for (advance(p); is_word_here(p, "that") || key_here(p) == KEY_THEY || key_here(p) == KEY_REQUEST ||
			 key_here(p) == KEY_WILL || is_word_here(p, "we");)
		advance(p);
	verb = p->pos;
	if (verb == from + 1 || at_end(p)) {
		p->pos = from;
		return;
	}
	problem(p, PROBLEM_UNREADABLE, from, verb, key_is_verb(key_here(p)) ? "then" : NULL, NULL,
		"What stands before `%s` was read and counts; what it is for was not. If that is an order too, join it "
		"with `then`.",
		typed_text(p, from, from + 1));
	skip_to_hard_separator(p);
}

/* "fire not": nobody can say what is forbidden. */
static bool bare_not(struct parser *p)
{
	const struct token *next;

	if (key_here(p) != KEY_NOT)
		return false;
	next = ahead(p, 1);
	return (next->type <= TOKEN_NEWLINE || next->type == TOKEN_STOP || next->type == TOKEN_SEMICOLON ||
		next->type == TOKEN_COMMA);
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
	if (tell_limit(p, list) || tell_leaving_melee(p) || tell_repeat(p))
		return false;
	list_init(&one);
	if (negation_begins(p)) {
		if (!parse_negation(p, &one, list))
			return false;
		c = one.first;
	} else if (talks_of_melee(p, list, &one)) {
		c = one.first;
	} else if (verb_begins(p)) {
		c = parse_verb(p);
	} else if (last_is_move(list) && tell_code_or_way(p)) {
		return false;
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
	take_or_before_order(p);
	tell_purpose(p, c);
	if (bare_not(p) || !ends_clause(p)) {
		tell_leftover(p);
		return false;
	}
	c = settle_no_charge(p, c);
	list_init(&one);
	for (struct clause *next; c; c = next) {
		next = c->next;
		c->next = NULL;
		list_append(&one, c);
	}
	if (condition_begins(p) && !exception_begins(p) && !parse_if(p, &one, true))
		return false;
	take_type(p, TOKEN_CLOSE);
	for (c = one.first; c;) {
		struct clause *next = c->next;

		c->next = NULL;
		list_append(list, c);
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
	take_except(p);
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

/* "Fier at Camerons.": a word that is nearly a verb, and a unit or a number behind it. */
static bool slip_of_verb(struct parser *p)
{
	int before = p->pos;
	bool slip = nearly_verb(p), object = false;
	struct match m;

	for (advance(p); slip && !object && !at_end(p) && here(p)->type != TOKEN_STOP; advance(p))
		object = number_begins(p) || (match_piece(p, &m) && !m.by_code);
	p->pos = before;
	return slip && object;
}

/* "(6 inches back)": a distance and a way, and hardly more up to `end`. */
static bool measured(struct parser *p, int end)
{
	enum { WORDS_MAX = 6 };
	bool number = false, way = false;

	for (int i = p->pos; i < end && i < p->pos + WORDS_MAX; i++) {
		const struct token *t = &p->lex->tokens[i];

		number |= t->type == TOKEN_NUMBER || t->key == KEY_NUMBER;
		way |= t->key == KEY_BACK || t->key == KEY_FORWARD || t->key == KEY_INCHES ||
		       (t->key == KEY_COMPASS && t->length > 2);
	}
	return number && way && end - p->pos <= WORDS_MAX;
}

/* "Wolfe's hold. Ready!": the command alone in the sentence. */
static bool read_last_ready(struct parser *p, int end)
{
	int start = p->pos, stop = p->stop;
	bool ready;

	p->stop = end;
	ready = wait_begins(p) || skip_before_assent(p) || (is_word_here(p, "ready") && command_fits(p));
	if (ready && p->trial == 0)
		parse_command(p);
	p->pos = start;
	p->stop = stop;
	return ready;
}

/* "Wolfe's hold. Not ready yet.": no order, though it begins like one. */
static bool waits_before(struct parser *p, int end)
{
	int stop = p->stop;
	bool waits;

	p->stop = end;
	waits = wait_begins(p);
	p->stop = stop;
	return waits;
}

/* A sentence after a full stop that is no order. */
static bool set_aside_sentence(struct parser *p)
{
	const struct token *first = here(p);
	size_t from = first->offset, to = from;
	int start = p->pos, end, unit;

	while (!at_end(p) && here(p)->type != TOKEN_STOP && here(p)->type != TOKEN_NEWLINE) {
		to = here(p)->offset + here(p)->length;
		advance(p);
	}
	end = p->pos;
	p->pos = start;
	if (!waits_before(p, end) && (clause_begins(p, true) || key_here(p) == KEY_OTHERWISE ||
					     condition_lurks(p, false) || slip_of_verb(p)))
		return false;
	if (read_last_ready(p, end) || tell_nobody(p))
		;
	else if (measured(p, end))
		problem(p, PROBLEM_UNREADABLE, start, end, NULL, NULL,
			"Is this part of the order before it? Write all of the order in one sentence.");
	else if (wishes(p, end, &unit))
		tell_wish(p, end, unit);
	else
		set_aside_text(p, p->lex->text + from, to - from);
	p->pos = end;
	return true;
}

/* "R: charge j but S should hold": no exception, the next order. */
static bool but_order_begins(struct parser *p)
{
	int before = p->pos;
	bool begins = while_order_begins(p);

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

/* "Huske stays with R. If j within 6, D charges j": an `if` with a unit of its own. */
static bool conditional_order_begins(struct parser *p)
{
	bool begins = condition_begins(p) && find_governed_subject(p, p->look);

	if (begins)
		close_hole(p);
	return begins || find_subject_behind_if(p, p->look);
}

static bool next_order_begins(struct parser *p, int separator)
{
	bool hard = separator & (SEPARATOR_HARD | SEPARATOR_BREAK);

	if (hard && conditional_order_begins(p))
		return true;
	return order_begins(p, separator & SEPARATOR_HARD ? AT_START : IN_MIDDLE) || asked_order_begins(p) ||
	       echo_begins(p, hard ? AT_START : IN_MIDDLE) ||
	       (hard && (slip_begins(p) || (!clause_begins(p, true) && marked_unknown(p) > 0)));
}

static bool move_begins(struct parser *p)
{
	enum key key = key_here(p);

	return key == KEY_MOVE || key == KEY_ADVANCE || key == KEY_RETIRE || step_begins(p) || leg_begins(p);
}

/* "Move between H4 and G4", "next to R and S": a leg without a verb, behind a move that could not be read, is the rest
 * of it, and so is a lone letter behind anything else. What could not be read begins at `from`. */
static void pass_rest_of_unread(struct parser *p, int from)
{
	int before = p->pos, after, kind;
	bool move;

	p->pos = from;
	move = move_begins(p);
	p->pos = before;
	while ((kind = separators_ahead(p, &after)) && !(kind & (SEPARATOR_HARD | SEPARATOR_BREAK))) {
		p->pos = after;
		if ((!move && (here(p)->key != KEY_COMPASS || here(p)->length > 2)) || clause_begins(p, false) ||
			order_begins(p, IN_MIDDLE) || !leg_begins(p))
			break;
		skip_to_separator(p);
		before = p->pos;
	}
	p->pos = before;
}

/* One clause and what is to be done before or after it: "fire at j before moving 4", "move 4 after firing at j". */
static void parse_with_turned(struct parser *p, struct clause_list *list)
{
	struct clause **spot = list->end ? list->end : &list->first, *rest;
	struct clause_list other;
	int from = p->pos;

	if (!parse_clause(p, list)) {
		pass_rest_of_unread(p, from);
		return;
	}
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

/* "hold fire; fire at c": of the two the later stands (rule 8). */
static void note_hold_fire_and_fire(struct parser *p, const struct clause *first)
{
	const struct clause *before = NULL;

	for (const struct clause *c = first; c; c = c->next) {
		if (before && before->kind != c->kind && (c->kind == CLAUSE_FIRE || c->kind == CLAUSE_HOLD_FIRE))
			note_at(p, c->at.line,
				c->kind == CLAUSE_FIRE
					? "`hold fire` and a target stand in one order: the later stands, so it fires."
					: "A target and `hold fire` stand in one order: the later stands, so it does "
					  "not "
					  "fire.");
		if (c->kind == CLAUSE_FIRE || c->kind == CLAUSE_HOLD_FIRE)
			before = c;
	}
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

/* RH: "R: halt" and nothing else for it to do is an order to stand, too. */
static struct clause *halt_is_hold(struct parser *p, struct clause *clauses)
{
	struct clause *hold, **end = &clauses;
	bool halts = false;

	for (; *end; end = &(*end)->next) {
		halts |= (*end)->kind == CLAUSE_HALT;
		if ((*end)->kind == CLAUSE_MOVE || (*end)->kind == CLAUSE_CHARGE || (*end)->kind == CLAUSE_HOLD ||
			(*end)->kind == CLAUSE_JOIN || (*end)->kind == CLAUSE_IF)
			return clauses;
	}
	if (halts) {
		hold = new_clause(p, CLAUSE_HOLD);
		*end = hold;
	}
	return clauses;
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
		int before = p->pos, unread = p->failures;

		if (!first && (next_order_begins(p, separator) || joined_unit(p, list.first) >= 0 ||
				      other_distance_begins(p, list.first)))
			break;
		if (key_here(p) == KEY_BECAUSE) { /* raw to the end of the line (rule 11) */
			while (!at_end(p) && here(p)->type != TOKEN_NEWLINE)
				advance(p);
		} else if (but_order_begins(p)) {
			advance(p);
			break;
		} else if (parse_exception(p, of, except)) {
		} else if (!first && take_correction(p, &list)) {
		} else if (!first && (separator & SEPARATOR_SENTENCE) &&
			   (number_cut_off(p, &list) || set_aside_sentence(p))) {
		} else if (p->failures == failures &&
			   (parse_late_otherwise(p, list.first) || parse_if_impossible(p, &list))) {
		} else if (key_here(p) == KEY_OTHERWISE || key_here(p) == KEY_ELSE || key_here(p) == KEY_OR) {
			problem(p, PROBLEM_UNREADABLE, p->pos, p->pos + 1, NULL, NULL, "`%s` needs an `if` before it.",
				typed_text(p, p->pos, p->pos + 1));
			lose_governed(p);
		} else {
			parse_with_turned(p, &list);
		}
		first = false;
		if (p->ordering && p->failures == unread)
			mark_understood(p, before, p->pos);
		if (p->pos == before && !separators_ahead(p, &before))
			advance(p);
		separator = separators(p);
		if (separator & (SEPARATOR_HARD | SEPARATOR_BREAK))
			mention_sentence(p);
		if (!separator && here(p)->type == TOKEN_DASH)
			advance(p);
	}
	note_hold_and_move(p, list.first);
	note_hold_fire_and_fire(p, list.first);
	return p->ctx->shreds ? halt_is_hold(p, list.first) : list.first;
}
