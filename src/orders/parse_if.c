/* If.
 *
 *   if = ("if"|"when"|"unless") condition ["then"|","] clause { sep clause }
 *        [ sep ] [ ("else"|"otherwise") clause { sep clause } ]
 *
 * It governs to the next `;`, full stop or end of the order (rule 4). A condition that cannot be read takes with it all
 * that it governs: an order must never lose its condition.
 */
#include "base/text.h"
#include "orders/lines.h"
#include "orders/parse.h"
#include "orders/print.h"

#include <string.h>

int time_words(struct parser *p)
{
	const struct token *t = here(p);
	bool number = ahead(p, 1)->type == TOKEN_NUMBER || key_ahead(p, 1) == KEY_A;

	if (key_here(p) == KEY_REQUEST && is_word(t, "next") && key_ahead(p, 1) == KEY_TURN)
		return 2;
	if (key_here(p) == KEY_WAIT && number && key_ahead(p, 2) == KEY_TURN)
		return 3;
	return 0;
}

enum turned turned_verb(struct parser *p)
{
	const struct token *t = here(p), *verb;

	if (!p->ctx->shreds || t->key != KEY_UNTIL)
		return NOT_TURNED;
	verb = ahead(p, 1);
	if (!key_is_verb(verb->key) || !verb->word->inflected)
		return NOT_TURNED;
	return is_word(t, "before") ? TURNED_BEFORE : is_word(t, "after") ? TURNED_AFTER : NOT_TURNED;
}

bool while_order_begins(struct parser *p)
{
	int before = p->pos;
	bool begins = false;

	if (is_word_here(p, "while") || is_word_here(p, "whilst")) {
		advance(p);
		begins = order_begins(p, IN_MIDDLE);
		p->pos = before;
	}
	return begins;
}

bool condition_begins(struct parser *p)
{
	enum key next;

	switch (key_here(p)) {
	case KEY_IF:
	case KEY_UNLESS:
		return true;
	case KEY_UNTIL:
		return turned_verb(p) == NOT_TURNED && !while_order_begins(p);
	case KEY_REQUEST:
	case KEY_WAIT:
		return time_words(p) > 0;
	case KEY_ONLY:
		return key_ahead(p, 1) == KEY_IF;
	case KEY_NOT:
		next = key_ahead(p, 1);
		return next == KEY_IF || next == KEY_UNLESS;
	case KEY_EXCEPT:
		next = key_ahead(p, 1);
		return next == KEY_IF || ((next == KEY_ONLY || next == KEY_NOT) && key_ahead(p, 2) == KEY_IF);
	default:
		return false;
	}
}

/* Is an unknown word spelt much like one that begins a condition? Found once for each word. */
static bool like_condition_word(struct word *w)
{
	static const char *const words[] = {"unless", "within", "when", "until", "never", "only", "while"};
	int limit = w->length < 3 ? 0 : w->length < 6 ? 1 : 2;

	if (w->length == 2)
		return w->text[0] == 'i' || w->text[1] == 'f';
	if (w->like_condition == 0) {
		w->like_condition = -1;
		for (size_t i = 0; limit && i < sizeof words / sizeof *words; i++)
			if (text_distance(w->text, words[i], limit) <= limit)
				w->like_condition = 1;
	}
	return w->like_condition > 0;
}

/* A word that has to do with conditions, or may have been meant for one. */
static bool is_condition_word(const struct token *t)
{
	if (t->type != TOKEN_WORD)
		return false;
	return t->word->key == KEY_IF || t->word->key == KEY_UNLESS || t->word->key == KEY_UNTIL ||
	       t->word->key == KEY_WITHIN || t->word->key == KEY_ONLY || t->word->key == KEY_NOT ||
	       (t->word->key == KEY_NONE && like_condition_word(t->word));
}

static bool is_hard(const struct token *t)
{
	return t->type == TOKEN_SEMICOLON || t->type == TOKEN_STOP ||
	       (t->type == TOKEN_NEWLINE && t->number != NEWLINE_GLUES);
}

static bool is_soft(const struct token *t)
{
	return t->type == TOKEN_COMMA || t->type == TOKEN_TAB || t->type == TOKEN_ARROW || t->type == TOKEN_AND ||
	       (t->type == TOKEN_WORD && (t->word->key == KEY_AND || t->word->key == KEY_THEN));
}

bool condition_lurks(struct parser *p, bool at_start)
{
	struct token_range *none = &p->unconditional[at_start];
	const struct token *t;
	int i, from;

	here(p);
	from = i = p->pos;
	if (i >= none->from && i < none->to) { /* looked through before */
		from = none->from;
		i = none->to;
	}
	for (; i < p->stop && !is_hard(t = &p->lex->tokens[i]); i++) {
		if (is_condition_word(t) ||
			(at_start && t->type == TOKEN_WORD && t->word->key == KEY_THEN && i > p->pos))
			return true;
		if (is_soft(t) && t[1].type == TOKEN_WORD && key_is_verb(t[1].word->key))
			break;
	}
	*none = (struct token_range){from, i};
	return false;
}

/* "if not, hold", "if not hold": no condition follows. */
static bool if_not_begins(struct parser *p)
{
	const struct token *behind;

	if (key_here(p) != KEY_IF || key_ahead(p, 1) != KEY_NOT)
		return false;
	behind = ahead(p, 2);
	return behind->type == TOKEN_COMMA || behind->key == KEY_THEN || key_is_verb(behind->key);
}

static bool otherwise_begins(struct parser *p)
{
	enum key key = key_here(p);

	return key == KEY_OTHERWISE || key == KEY_ELSE || (key == KEY_OR && key_ahead(p, 1) == KEY_ELSE) ||
	       if_not_begins(p);
}

bool take_otherwise(struct parser *p)
{
	int before = p->pos, after;

	separators_ahead(p, &after);
	p->pos = after;
	if (otherwise_begins(p)) {
		if (!take_key(p, KEY_IF))
			take_key(p, KEY_OR);
		advance(p);
		take_type(p, TOKEN_COMMA);
		take_key(p, KEY_THEN);
		return true;
	}
	p->pos = before;
	return false;
}

void lose_governed(struct parser *p)
{
	do
		skip_to_hard_separator(p);
	while (take_otherwise(p));
}

void lose_leading(struct parser *p)
{
	bool verb = false;
	int after;

	while (!at_end(p) && !is_hard(here(p))) {
		verb |= key_is_verb(key_here(p)) && key_here(p) != KEY_MOVE;
		advance(p);
	}
	if (!verb && separators_ahead(p, &after)) {
		p->pos = after;
		skip_to_hard_separator(p);
	}
	if (take_otherwise(p))
		lose_governed(p);
}

/* --- if ----------------------------------------------------------------------------------------------------------- */

/* The "it" of "it is within 6" in a condition, and who may be meant by it. */
struct loose {
	int at; /* -1 for none */
	struct piece_set set;
	bool unread;
};

static struct loose loose_pronoun(struct parser *p)
{
	struct loose it = {.at = p->loose_pronoun};

	p->loose_pronoun = -1;
	if (it.at >= 0)
		it.set = named_lately(p, ROLE_ENEMY, &it.unread);
	return it;
}

/* "fire at c when it is within 4": c; "if they come within 6 fire": the enemy. */
static void settle_pronoun(struct parser *p, struct condition *c, const struct loose *it)
{
	bool plural = p->lex->tokens[it->at].word->text[0] == 't';

	if (it->unread || set_several(&it->set) || (set_empty(&it->set) && !plural)) {
		tell_pronoun(p, it->at, &it->set, ROLE_ENEMY, it->unread);
	} else if (!set_empty(&it->set)) {
		c->subject = WITHIN_UNIT;
		c->unit = set_next(&it->set, 0);
		note(p, it->at, "`%s` was read as %s.", typed_text(p, it->at, it->at + 1),
			piece_english(p->mem, p->ctx->state, c->unit));
	}
}

/* "within 6" alone: the target of a charge that it governs, else any enemy. */
static void settle_bare_within(struct parser *p, struct condition *c, bool charge, const struct loose *it)
{
	if (!c)
		return;
	if (c->kind == CONDITION_WITHIN && c->subject == WITHIN_CHARGE_TARGET && !charge) {
		c->subject = WITHIN_ENEMY;
		if (it->at >= 0)
			settle_pronoun(p, c, it);
	}
	settle_bare_within(p, c->left, charge, it);
	settle_bare_within(p, c->right, charge, it);
}

static bool has_charge(const struct clause *c)
{
	for (; c; c = c->next)
		if (c->kind == CLAUSE_CHARGE)
			return true;
	return false;
}

/* A new order inside what an `if` governs: with `:` it stands alone, without it, or when the `if` would govern nothing,
 * nobody can say whether it depends. */
static bool order_in_the_way(struct parser *p, const struct clause *governed, bool *lost)
{
	struct subject *s;
	struct trial t;
	bool marked = false;

	if (!order_begins(p, IN_MIDDLE) && joined_unit(p, governed) < 0)
		return false;
	t = trial_begin(p);
	s = talloc(p->scratch, struct subject);
	if (parse_subject(p, IN_MIDDLE, s))
		marked = here(p)->type == TOKEN_COLON || here(p)->type == TOKEN_DASH;
	trial_end(p, t);
	if (!marked || !governed) {
		problem(p, PROBLEM_UNREADABLE, p->pos, p->pos + 1, NULL, NULL,
			"Does this depend on the `if` too? Write each unit's order on a line of its own, the unit "
			"first.");
		lose_governed(p);
		*lost = true;
	}
	return true;
}

/* clause { sep clause } up to what ends an `if` */
static struct clause *parse_governed(struct parser *p, bool *failed)
{
	struct clause_list list;
	bool lost = false;

	list_init(&list);
	*failed = false;
	for (;;) {
		int before = p->pos, after, kind;

		if (at_end(p) || otherwise_begins(p) || (p->trial && *failed))
			break;
		if (order_in_the_way(p, list.first, &lost)) {
			*failed |= lost;
			break;
		}
		*failed |= !parse_clause(p, &list);
		if (p->pos == before)
			break;
		kind = separators_ahead(p, &after);
		if (kind & (SEPARATOR_HARD | SEPARATOR_BREAK))
			break;
		if (kind) {
			before = p->pos;
			p->pos = after;
			if (otherwise_begins(p) || order_begins(p, IN_MIDDLE) || joined_unit(p, list.first) >= 0 ||
				key_here(p) == KEY_BECAUSE) {
				if (order_in_the_way(p, list.first, &lost)) {
					*failed |= lost;
					if (lost)
						break;
				}
				p->pos = before;
				break;
			}
		} else if (!clause_begins(p, false)) {
			if (order_in_the_way(p, list.first, &lost))
				*failed |= lost;
			break;
		}
	}
	return list.first;
}

static void append_if(struct parser *p, struct clause_list *list, struct condition *condition, struct clause *then,
	struct clause *otherwise, const struct loose *it)
{
	struct clause *c;
	int failures = p->failures;

	if (!then && !otherwise)
		return;
	settle_bare_within(p, condition, has_charge(then) || has_charge(otherwise), it);
	if (p->failures != failures)
		return;
	c = new_clause(p, CLAUSE_IF);
	if (!then) {
		then = otherwise;
		otherwise = NULL;
		condition = condition->kind == CONDITION_NOT ? condition->left : condition_not(p, condition);
	}
	c->condition = condition;
	c->then = then;
	c->otherwise = otherwise;
	list->last = list->end ? list->end : &list->first;
	*list->last = c;
	list->end = &c->next;
}

/* The clause before an `if` that trails it, taken out of the list; or all of them. */
static struct clause *take_last(struct clause_list *list, bool whole)
{
	struct clause *c = list->last ? *list->last : NULL;

	if (!c)
		return NULL;
	if (whole) {
		c = list->first;
		list_init(list);
		return c;
	}
	*list->last = NULL;
	list->end = list->last;
	return c;
}

static struct clause *parse_otherwise(struct parser *p, bool *failed)
{
	*failed = false;
	return take_otherwise(p) ? parse_governed(p, failed) : NULL;
}

/* Is there a "then", or a comma before a verb, up to the next hard separator? Then an unreadable `if` led. */
static bool leads(const struct parser *p, int from)
{
	for (int i = from; i < p->stop && !is_hard(&p->lex->tokens[i]); i++) {
		const struct token *t = &p->lex->tokens[i];

		if (t->type == TOKEN_WORD && t->word->key == KEY_THEN)
			return true;
		if (t->type == TOKEN_COMMA && t[1].type == TOKEN_WORD && key_is_verb(t[1].word->key))
			return true;
	}
	return false;
}

static void tell_when(struct parser *p, int words)
{
	problem(p, PROBLEM_UNREADABLE, p->pos, p->pos + words, NULL, NULL,
		"`%s` cannot be ordered, and nothing that depends on it was read: orders are for this turn. Send it "
		"when its turn comes.",
		typed_text(p, p->pos, p->pos + words));
	for (; words > 0; words--)
		advance(p);
}

static bool take_if(struct parser *p, bool *negated)
{
	enum key key;
	bool not ;

	if (time_words(p)) {
		tell_when(p, time_words(p));
		return false;
	}
	take_key(p, KEY_EXCEPT);
	take_key(p, KEY_ONLY);
	not = take_key(p, KEY_NOT); /* "but not if within 3" */
	key = key_here(p);
	*negated = (key == KEY_UNLESS) != not ;
	advance(p);
	if (key == KEY_UNTIL) {
		problem(p, PROBLEM_UNREADABLE, p->pos - 1, p->pos, NULL, NULL,
			"`%s` cannot be ordered, and nothing that depends on it was read; write `if` and a condition.",
			typed_text(p, p->pos - 1, p->pos));
		return false;
	}
	return true;
}

/* What an `if` governs cannot be said: the clause it trails and all that follows is passed over. */
static bool lose_if(struct parser *p, struct clause_list *list, bool trailing, bool whole)
{
	if (trailing) {
		take_last(list, whole);
		lose_governed(p);
	} else {
		lose_leading(p);
	}
	return false;
}

/* "they charge", "charged", "the Camerons attack us" up to the end of the sentence: taken when it stands here. */
static bool take_enemy_charges(struct parser *p)
{
	static const char *const us[] = {"us", "it", "me", "them", "him", NULL};
	int before = p->pos;
	struct match m;

	while (key_here(p) == KEY_THEY || key_here(p) == KEY_SKIP || key_here(p) == KEY_ENEMY ||
		key_here(p) == KEY_ANY || key_here(p) == KEY_BE)
		advance(p);
	if (match_piece(p, &m) && p->pos > 0) {
		struct piece_set own = set_and(m.set, p->own);

		if (set_empty(&own))
			p->pos = m.end;
	}
	while (is_among(here(p), (const char *const[]){"have", "has", "get", "gets", "are", "is", NULL}))
		advance(p);
	if (take_key(p, KEY_CHARGE)) {
		if (is_among(here(p), us))
			advance(p);
		if (at_end(p) || is_hard(here(p)))
			return true;
	}
	p->pos = before;
	return false;
}

/* "hold until they charge": a unit that is charged fires and fights by itself. "hold fire until c is within 6" is `hold
 * fire` unless it is. False when it is none of these. */
static bool parse_until(struct parser *p, struct clause_list *list, bool whole, bool *read)
{
	static const char *const words[] = {"until", "till", "til", NULL};
	const struct clause *last = list->last ? *list->last : NULL;
	int start = p->pos, failures = p->failures;
	struct clause *then, *otherwise = NULL;
	struct condition *c;
	struct loose it;
	struct trial t;
	bool failed = false;

	if (!last || (last->kind != CLAUSE_HOLD && last->kind != CLAUSE_HOLD_FIRE) || !is_among(here(p), words))
		return false;
	advance(p);
	if (take_enemy_charges(p)) {
		note(p, start, "`%s`: a unit that is charged fires at the chargers and fights by itself.",
			typed_text(p, start, p->pos));
		return *read = true;
	}
	t = trial_begin(p);
	parse_condition(p);
	if (!trial_end(p, t)) {
		p->pos = start;
		return false;
	}
	c = parse_condition(p);
	it = loose_pronoun(p);
	then = take_last(list, whole);
	take_type(p, TOKEN_COMMA);
	take_key(p, KEY_AND);
	if (take_key(p, KEY_THEN))
		otherwise = parse_governed(p, &failed);
	append_if(p, list, condition_not(p, c), then, otherwise, &it);
	*read = !failed && p->failures == failures;
	return true;
}

/* "charge c, if within 6, fire at d": nothing but a charge has a target to be within 6 of. */
static bool is_of_charge(const struct condition *c, const struct clause_list *list)
{
	const struct clause *last = list->last ? *list->last : NULL;

	if (c->kind == CONDITION_NOT)
		return is_of_charge(c->left, list);
	return last && last->kind == CLAUSE_CHARGE && c->kind == CONDITION_WITHIN && c->subject == WITHIN_CHARGE_TARGET;
}

/* After the condition of an `if` that stands behind a separator: does it trail the clause before it after all? Takes
 * what parts it from what it governs. */
static bool trails_after_all(struct parser *p, const struct condition *c, const struct clause_list *list)
{
	int kind, before, after;
	bool of_charge = is_of_charge(c, list), trailing;

	take_type(p, TOKEN_COLON);
	before = p->pos;
	kind = separators_ahead(p, &after);
	if (kind && !(kind & SEPARATOR_HARD))
		p->pos = after;
	trailing = at_end(p) || (kind & SEPARATOR_HARD) || otherwise_begins(p) ||
		   (kind && !(kind & SEPARATOR_THEN) && of_charge);
	if (trailing && of_charge)
		p->pos = before;
	return trailing;
}

/* "hold. If c within 6. Charge c": an `if` in a sentence of its own with nothing to do in it, and more behind it: to
 * which of the two it belongs nobody can say. */
static bool hangs_between(struct parser *p, int start)
{
	int before = p->pos;
	bool more;

	if (!is_hard(&p->lex->tokens[start - 1]))
		return false;
	separators(p);
	more = clause_begins(p, false);
	p->pos = before;
	return more;
}

/* "but if", "except if": no condition of what stands before it but the next thing to do. */
bool exception_begins(struct parser *p)
{
	return key_here(p) == KEY_EXCEPT && key_ahead(p, 1) == KEY_IF;
}

/* "advance 3 if j within 5 retreat 6": of which of the two is it the condition? Asked. */
static bool ask_whose(struct parser *p, const struct condition *c, const struct clause_list *list, int start)
{
	if (is_of_charge(c, list) || condition_begins(p) || !(key_here(p) == KEY_THEN || clause_begins(p, false)))
		return false;
	problem(p, PROBLEM_AMBIGUOUS, start, start + 1, NULL, NULL,
		"Does this `%s` belong to what stands before it or to what follows? Put `;` before it, or behind its "
		"condition.",
		typed_text(p, start, start + 1));
	return true;
}

/* `each`: an `if` for every clause, so that it prints and reads back the same; the last has the otherwise. */
static void append_ifs(struct parser *p, struct clause_list *list, struct condition *c, struct clause *then,
	struct clause *otherwise, const struct loose *it, bool each)
{
	while (each && then && then->next) {
		struct clause *rest = then->next;

		then->next = NULL;
		append_if(p, list, c, then, NULL, it);
		then = rest;
	}
	append_if(p, list, c, then, otherwise, it);
}

/* An `if` in a list whose nesting is counted. `whole`: it directly follows the clauses of the list. */
static bool parse_if_here(struct parser *p, struct clause_list *list, bool whole)
{
	int start = p->pos, after;
	bool trailing = whole, negated, failed = false, failed_too = false;
	bool hanging, later = !trailing && time_words(p), but = exception_begins(p),
		      except = but && !is_word_here(p, "but");
	int failures = p->failures;
	struct condition *c;
	struct clause *then, *otherwise;
	struct loose it;
	bool read;

	if (parse_until(p, list, whole, &read))
		return read;
	if (!trailing)
		mention_if(p);
	c = take_if(p, &negated) ? parse_condition(p) : NULL;
	it = loose_pronoun(p);
	if (!c) { /* "advance 4, next turn charge": the time goes with what follows it */
		bool leading = leads(p, start) || (later && clause_begins(p, true));

		return lose_if(p, list, trailing || (list->last && *list->last && !leading), whole);
	}
	if (negated)
		c = condition_not(p, c);
	if (whole && negated && take_key(p, KEY_THEN)) { /* "advance 3 unless j within 5 then hold" */
		then = take_last(list, whole);
		append_if(p, list, c, then, parse_governed(p, &failed), &it);
		return !failed && p->failures == failures;
	}
	if (!trailing) {
		trailing = trails_after_all(p, c, list);
		if (trailing && except) /* "advance 3 except if j within 5" */
			c = condition_not(p, c);
		if (trailing && (!list->last || !*list->last || hangs_between(p, start) ||
					(but && !except && !is_of_charge(c, list)))) {
			problem(p, PROBLEM_UNREADABLE, start, start + 1, NULL, NULL,
				"What should be done then? Write `if %s within 6 then hold`.", enemy_code(p));
			take_last(list, whole);
			return lose_if(p, list, false, whole);
		}
	}
	if (trailing && !at_end(p) && here(p)->type != TOKEN_CLOSE && !separators_ahead(p, &after) &&
		!otherwise_begins(p) && !clause_begins(p, false)) {
		problem(p, PROBLEM_UNREADABLE, p->pos, p->pos + 1, NULL, NULL,
			"`%s` was not expected in a condition; nothing that depends on it was read.",
			typed_text(p, p->pos, p->pos + 1));
		return lose_if(p, list, true, whole);
	}
	if (trailing && ask_whose(p, c, list, start))
		return lose_if(p, list, true, whole);
	hanging = !trailing && !separators_ahead(p, &after) && key_here(p) == KEY_UNTIL;
	then = trailing ? take_last(list, whole) : parse_governed(p, &failed);
	if (hanging) /* "charge nearest / only if within 6 though": it may have been the charge's own */
		take_last(list, whole);
	otherwise = parse_otherwise(p, &failed_too);
	append_ifs(p, list, c, then, otherwise, &it, whole);
	return !failed && !failed_too && p->failures == failures;
}

bool parse_if(struct parser *p, struct clause_list *list, bool trailing)
{
	bool read;

	if (p->depth >= SHEET_NESTING_MAX) {
		problem(p, PROBLEM_TOO_LARGE, p->pos, p->pos + 1, NULL, NULL, "Ifs may stand in each other %d deep.",
			SHEET_NESTING_MAX);
		return lose_if(p, list, trailing, trailing);
	}
	p->depth++;
	read = parse_if_here(p, list, trailing);
	p->depth--;
	return read;
}

bool parse_late_otherwise(struct parser *p, struct clause *first)
{
	struct clause *last = NULL;
	int at = p->pos;
	bool failed;

	if (!otherwise_begins(p))
		return false;
	for (struct clause *c = first; c; c = c->next)
		if (c->kind == CLAUSE_IF)
			last = c;
	if (!last || last->otherwise || p->depth >= SHEET_NESTING_MAX || !take_otherwise(p))
		return false;
	p->depth++;
	last->otherwise = parse_governed(p, &failed);
	p->depth--;
	if (last->otherwise)
		note(p, at,
			"`%s` was taken for the other case of the `if` before it; what stands between them counts in "
			"both cases.",
			typed_text(p, at, at + 1));
	return true;
}

bool parse_lone_if(struct parser *p, struct condition **out)
{
	bool negated;
	struct condition *c = take_if(p, &negated) ? parse_condition(p) : NULL;

	p->loose_pronoun = -1; /* the orders below it are not known yet: "they" are the enemy */
	*out = c && negated ? condition_not(p, c) : c;
	if (!c)
		return true;
	take_key(p, KEY_THEN);
	if (!take_type(p, TOKEN_COLON) && !take_type(p, TOKEN_COMMA) && !take_type(p, TOKEN_ARROW))
		take_type(p, TOKEN_DASH);
	take_key(p, KEY_THEN);
	while (here(p)->type == TOKEN_STOP || here(p)->type == TOKEN_CLOSE)
		advance(p);
	return at_end(p);
}

static struct condition *condition_copy(struct parser *p, const struct condition *c)
{
	struct condition *copy;

	if (!c)
		return NULL;
	copy = talloc_memdup(p->mem, c, sizeof *c);
	copy->left = condition_copy(p, c->left);
	copy->right = condition_copy(p, c->right);
	return copy;
}

struct clause *govern(struct parser *p, const struct condition *condition, struct clause *clauses)
{
	struct clause_list list;
	static const struct loose nobody = {.at = -1};

	list_init(&list);
	while (clauses) { /* plain clauses together, an `if` on its own, so that it prints and reads back the same */
		struct clause *first = clauses, *last = clauses;

		while (first->kind != CLAUSE_IF && last->next && last->next->kind != CLAUSE_IF)
			last = last->next;
		clauses = last->next;
		last->next = NULL;
		append_if(p, &list, condition_copy(p, condition), first, NULL, &nobody);
	}
	return list.first;
}
