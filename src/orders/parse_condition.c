/* If.
 *
 *   if        = ("if"|"when"|"unless") condition ["then"|","] clause { sep clause }
 *               [ sep ] [ ("else"|"otherwise") clause { sep clause } ]
 *   condition = [unit | "enemy" | "any enemy"] "within" distance [ "of" unit ]
 *             | unit ("gone"|"destroyed"|"locked"|"routing")
 *             | ("bases"|"figures") ("<"|"<="|"="|">="|">"|"under"|"over") number | "out of points"
 *             | condition ("and"|"or") condition | "not" condition
 *
 * It governs to the next `;`, full stop or end of the order (rule 4). `and` binds closer than `or`. A condition that
 * cannot be read takes with it all that it governs: an order must never lose its condition.
 */
#include "base/text.h"
#include "orders/parse.h"

#include <string.h>

int time_words(struct parser *p)
{
	const struct token *t = here(p);
	bool number = ahead(p, 1)->type == TOKEN_NUMBER || key_ahead(p, 1) == KEY_A;

	if (key_here(p) == KEY_REQUEST && strcmp(t->word->text, "next") == 0 && key_ahead(p, 1) == KEY_TURN)
		return 2;
	if (key_here(p) == KEY_WAIT && number && key_ahead(p, 2) == KEY_TURN)
		return 3;
	return 0;
}

bool condition_begins(struct parser *p)
{
	enum key key = key_here(p), next = key_ahead(p, 1);

	return key == KEY_IF || key == KEY_UNLESS || key == KEY_UNTIL || (key == KEY_ONLY && next == KEY_IF) ||
	       (key == KEY_NOT && (next == KEY_IF || next == KEY_UNLESS)) || time_words(p) ||
	       (key == KEY_EXCEPT && (next == KEY_IF || (next == KEY_ONLY && key_ahead(p, 2) == KEY_IF) ||
					     (next == KEY_NOT && key_ahead(p, 2) == KEY_IF)));
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
	const struct token *t;

	here(p);
	for (int i = p->pos; i < p->stop && !is_hard(t = &p->lex->tokens[i]); i++) {
		if (is_condition_word(t) ||
			(at_start && t->type == TOKEN_WORD && t->word->key == KEY_THEN && i > p->pos))
			return true;
		if (is_soft(t) && t[1].type == TOKEN_WORD && key_is_verb(t[1].word->key))
			return false;
	}
	return false;
}

static bool otherwise_begins(struct parser *p)
{
	enum key key = key_here(p);

	return key == KEY_OTHERWISE || (key == KEY_ELSE && key_ahead(p, 1) != KEY_NONE) || key == KEY_ELSE ||
	       (key == KEY_OR && key_ahead(p, 1) == KEY_ELSE);
}

/* Takes `[ sep ] ("else" | "otherwise")`. */
static bool take_otherwise(struct parser *p)
{
	int before = p->pos, after;

	separators_ahead(p, &after);
	p->pos = after;
	if (otherwise_begins(p)) {
		take_key(p, KEY_OR);
		advance(p);
		if (p->lex->tokens[p->pos - 1].type == TOKEN_WORD && here(p)->type == TOKEN_COMMA)
			advance(p);
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

/* --- conditions --------------------------------------------------------------------------------------------------- */

static struct condition *new_condition(struct parser *p, enum condition_kind kind)
{
	struct condition *c = talloc_zero(p->mem, struct condition);

	c->kind = kind;
	c->unit = c->of = -1;
	return c;
}

static struct condition *combine(struct parser *p, enum condition_kind kind, struct condition *a, struct condition *b)
{
	struct condition *c;

	if (!a || (!b && kind != CONDITION_NOT))
		return NULL;
	c = new_condition(p, kind);
	c->left = a;
	c->right = b;
	return c;
}

static bool is_compound(const struct condition *c)
{
	return c->kind == CONDITION_AND || c->kind == CONDITION_OR;
}

/* a AND b where b may itself be a chain: chains lean to the left, so that they print and read back the same. */
static struct condition *chain(struct parser *p, enum condition_kind kind, struct condition *a, struct condition *b)
{
	if (a && b && b->kind == kind)
		return combine(p, kind, chain(p, kind, a, b->left), b->right);
	return combine(p, kind, a, b);
}

static struct condition *cannot_read(struct parser *p, const char *expected)
{
	here(p);
	problem(p, PROBLEM_UNREADABLE, p->pos, p->pos + 1, NULL, NULL,
		"This condition was not understood%s%s, so nothing that depends on it was read. Write it as `if j "
		"within 6` or `if "
		"j gone`.",
		*expected ? ": expected " : "", expected);
	return NULL;
}

static void skip_be(struct parser *p, bool *negated)
{
	for (;;) {
		enum key key = key_here(p);

		if (key == KEY_NOT)
			*negated = !*negated;
		else if (key != KEY_BE && key != KEY_THEY && key != KEY_SKIP && key != KEY_MOVE && key != KEY_REQUEST &&
			 key != KEY_DO)
			return;
		advance(p);
	}
}

static struct condition *negate_if(struct parser *p, struct condition *c, bool negated)
{
	return negated ? combine(p, CONDITION_NOT, c, NULL) : c;
}

/* "within" distance [ "of" unit ], the subject taken already */
static struct condition *parse_within(struct parser *p, enum within_subject subject, int unit, bool bare)
{
	struct condition *c = new_condition(p, CONDITION_WITHIN);
	int before = p->failures;

	c->subject = subject;
	c->unit = unit;
	take_key(p, KEY_WITHIN);
	if (!parse_distance(p, &c->distance))
		return cannot_read(p, "a distance after `within`");
	if (key_here(p) == KEY_OF || key_here(p) == KEY_FROM) {
		advance(p);
		if (bare && key_here(p) != KEY_THEY) { /* "within 6 of Camerons": this unit's own distance to them */
			c->subject = WITHIN_UNIT;
			c->unit = want_piece(p, ROLE_EITHER, "a unit");
		} else if (key_here(p) != KEY_THEY) {
			c->of = want_piece(p, ROLE_EITHER, "a unit");
		} else {
			advance(p);
		}
	}
	return p->failures == before ? c : NULL;
}

/* ("bases" | "figures") comparison number */
static struct condition *parse_count(struct parser *p)
{
	struct condition *c = new_condition(p, key_here(p) == KEY_BASES ? CONDITION_BASES : CONDITION_FIGURES);
	int32_t number;
	bool negated = false;
	enum key key;

	advance(p);
	skip_be(p, &negated);
	key = key_here(p);
	if (key == KEY_AT)
		key = key_ahead(p, 1);
	c->comparison = COMPARE_EQUAL;
	switch (here(p)->type) {
	case TOKEN_LESS:
		c->comparison = COMPARE_LESS;
		break;
	case TOKEN_AT_MOST:
		c->comparison = COMPARE_AT_MOST;
		break;
	case TOKEN_EQUAL:
		break;
	case TOKEN_AT_LEAST:
		c->comparison = COMPARE_AT_LEAST;
		break;
	case TOKEN_GREATER:
		c->comparison = COMPARE_MORE;
		break;
	default:
		if (key == KEY_UNDER || key == KEY_LESS)
			c->comparison = COMPARE_LESS;
		else if (key == KEY_OVER || key == KEY_MORE)
			c->comparison = COMPARE_MORE;
		else if (key == KEY_LEAST || key == KEY_MOST)
			c->comparison = key == KEY_LEAST ? COMPARE_AT_LEAST : COMPARE_AT_MOST;
		else if (key != KEY_EQUAL)
			return cannot_read(p, "`under`, `over` or `=`");
		take_key(p, KEY_AT);
	}
	advance(p);
	take_key(p, KEY_THAN);
	take_key(p, KEY_TO);
	if (!parse_number(p, &number) || number < 0 || number % 1000 != 0)
		return cannot_read(p, "a whole number");
	c->number = number / 1000;
	return negate_if(p, c, negated);
}

static struct condition *status_of(struct parser *p, int unit)
{
	struct condition *c = new_condition(p, CONDITION_STATUS);

	c->unit = unit;
	switch (key_here(p)) {
	case KEY_GONE:
		c->status = STATUS_GONE;
		break;
	case KEY_LOCKED:
		c->status = STATUS_LOCKED;
		break;
	case KEY_ROUTING:
		c->status = STATUS_ROUTING;
		break;
	default:
		return cannot_read(p, "`within`, `gone`, `locked` or `routing` after the unit");
	}
	return c;
}

/* ("within" ... | status) of one unit */
static struct condition *parse_of_one(struct parser *p, int unit, bool *negated)
{
	struct condition *c;

	skip_be(p, negated);
	if (key_here(p) == KEY_WITHIN)
		return parse_within(p, WITHIN_UNIT, unit, false);
	c = status_of(p, unit);
	if (c)
		advance(p);
	return c;
}

/* unit { ("and" | "or") unit } ("within" ... | status): "c or d within 8" is said of each */
static struct condition *parse_of_unit(struct parser *p)
{
	int units[SHEET_NESTING_MAX], count = 0, before;
	enum key joint = KEY_NONE;
	struct condition *like, *all;
	struct match m;
	bool negated = false;

	while (count < SHEET_NESTING_MAX) {
		units[count] = want_piece(p, ROLE_EITHER, "a unit");
		if (units[count++] < 0)
			return NULL;
		before = p->pos;
		if ((key_here(p) != KEY_OR && key_here(p) != KEY_AND) || (joint != KEY_NONE && joint != key_here(p)))
			break;
		joint = key_here(p);
		advance(p);
		if (!match_piece(p, &m)) {
			p->pos = before;
			break;
		}
	}
	like = parse_of_one(p, units[count - 1], &negated);
	if (!like)
		return NULL;
	if (count == 1)
		return negate_if(p, like, negated);
	if (negated)
		return cannot_read(p, "one unit");
	all = NULL;
	for (int i = 0; i < count; i++) {
		struct condition *one = new_condition(p, like->kind);

		*one = *like;
		one->unit = units[i];
		all = all ? combine(p, joint == KEY_OR ? CONDITION_OR : CONDITION_AND, all, one) : one;
	}
	return all;
}

static bool enemy_begins(struct parser *p)
{
	int n = 0;

	while (key_ahead(p, n) == KEY_ANY || key_ahead(p, n) == KEY_A || key_ahead(p, n) == KEY_SKIP ||
		key_ahead(p, n) == KEY_NEAREST)
		n++;
	return key_ahead(p, n) == KEY_ENEMY;
}

static struct condition *parse_of_enemy(struct parser *p)
{
	bool negated = false;

	while (key_here(p) != KEY_ENEMY)
		advance(p);
	advance(p);
	take_key(p, KEY_CLAN);
	skip_be(p, &negated);
	if (key_here(p) != KEY_WITHIN)
		return cannot_read(p, "`within` after `enemy`");
	return negate_if(p, parse_within(p, WITHIN_ENEMY, -1, false), negated);
}

static struct condition *parse_condition_part(struct parser *p)
{
	struct match m;
	struct condition *c;
	bool negated = false;

	if (p->condition_depth >= SHEET_NESTING_MAX)
		return cannot_read(p, "fewer parts");
	p->condition_depth++;
	if (key_here(p) == KEY_NOT || key_here(p) == KEY_NO) {
		advance(p);
		c = parse_condition_part(p);
		if (c && is_compound(c))
			c = cannot_read(p, "one unit after `not`");
		c = combine(p, CONDITION_NOT, c, NULL);
	} else if (enemy_begins(p)) {
		c = parse_of_enemy(p);
	} else if (key_here(p) == KEY_BASES || key_here(p) == KEY_FIGURES) {
		c = parse_count(p);
	} else if (key_here(p) == KEY_OUT && key_ahead(p, 1) == KEY_OF && key_ahead(p, 2) == KEY_POINTS) {
		advance(p);
		advance(p);
		advance(p);
		c = new_condition(p, CONDITION_OUT_OF_POINTS);
	} else if (match_piece(p, &m)) {
		c = parse_of_unit(p);
	} else {
		skip_be(p, &negated);
		if (key_here(p) == KEY_WITHIN)
			c = negate_if(p, parse_within(p, WITHIN_CHARGE_TARGET, -1, true), negated);
		else if (match_piece(p, &m))
			c = negate_if(p, parse_of_unit(p), negated);
		else
			c = cannot_read(p, "");
	}
	p->condition_depth--;
	return c;
}

/* Does a further condition follow the `and` or `or` that stands here? */
static bool condition_goes_on(struct parser *p, enum key joint)
{
	int before = p->pos;
	struct trial t;
	bool more;

	if (here(p)->type == TOKEN_COMMA && key_ahead(p, 1) == joint)
		advance(p);
	if (key_here(p) != joint || (key_ahead(p, 1) == KEY_IF && (advance(p), false))) {
		p->pos = before;
		return false;
	}
	advance(p);
	take_key(p, KEY_IF);
	t = trial_begin(p);
	more = !order_begins(p, IN_MIDDLE) && !(key_here(p) == KEY_NOT && key_is_verb(key_ahead(p, 1))) &&
	       parse_condition_part(p) != NULL;
	trial_end(p, t);
	if (!more)
		p->pos = before;
	return more;
}

static struct condition *parse_and(struct parser *p)
{
	struct condition *c = parse_condition_part(p), *part;
	int parts = 1;

	while (c && condition_goes_on(p, KEY_AND)) {
		if (++parts > SHEET_NESTING_MAX)
			return cannot_read(p, "fewer parts");
		part = parse_condition_part(p);
		if (part && (part->kind == CONDITION_OR || c->kind == CONDITION_OR))
			return cannot_read(p, "either `and` or `or`");
		c = chain(p, CONDITION_AND, c, part);
	}
	return c;
}

struct condition *parse_condition(struct parser *p)
{
	struct condition *c = parse_and(p);
	int parts = 1;

	while (c && condition_goes_on(p, KEY_OR)) {
		if (++parts > SHEET_NESTING_MAX)
			return cannot_read(p, "fewer parts");
		c = chain(p, CONDITION_OR, c, parse_and(p));
	}
	return c;
}

/* --- if ----------------------------------------------------------------------------------------------------------- */

/* "within 6" alone: the target of a charge that it governs, else any enemy. */
static void settle_bare_within(struct condition *c, bool charge)
{
	if (!c)
		return;
	if (c->kind == CONDITION_WITHIN && c->subject == WITHIN_CHARGE_TARGET && !charge)
		c->subject = WITHIN_ENEMY;
	settle_bare_within(c->left, charge);
	settle_bare_within(c->right, charge);
}

static bool has_charge(const struct clause *c)
{
	for (; c; c = c->next)
		if (c->kind == CLAUSE_CHARGE)
			return true;
	return false;
}

/* A new order inside what an `if` governs: with `:` it stands alone, without it nobody can say whether it depends. */
static bool order_in_the_way(struct parser *p, bool *lost)
{
	struct subject *s;
	struct trial t;
	bool marked = false;

	if (!order_begins(p, IN_MIDDLE))
		return false;
	t = trial_begin(p);
	s = talloc(p->scratch, struct subject);
	if (parse_subject(p, IN_MIDDLE, s))
		marked = here(p)->type == TOKEN_COLON || here(p)->type == TOKEN_DASH;
	trial_end(p, t);
	if (!marked) {
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
		if (order_in_the_way(p, &lost)) {
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
			if (otherwise_begins(p) || order_begins(p, IN_MIDDLE) || key_here(p) == KEY_BECAUSE) {
				if (order_begins(p, IN_MIDDLE) && order_in_the_way(p, &lost)) {
					*failed |= lost;
					if (lost)
						break;
				}
				p->pos = before;
				break;
			}
		} else if (!clause_begins(p, false)) {
			break;
		}
	}
	return list.first;
}

static void append_if(struct parser *p, struct clause_list *list, struct condition *condition, struct clause *then,
	struct clause *otherwise)
{
	struct clause *c;

	if (!then && !otherwise)
		return;
	c = new_clause(p, CLAUSE_IF);
	if (!then) {
		then = otherwise;
		otherwise = NULL;
		condition =
			condition->kind == CONDITION_NOT ? condition->left : combine(p, CONDITION_NOT, condition, NULL);
	}
	settle_bare_within(condition, has_charge(then) || has_charge(otherwise));
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
		problem(p, PROBLEM_UNREADABLE, p->pos - 1, p->pos, "if", NULL,
			"`%s` cannot be ordered, and nothing that depends on it was read; write `if` and a condition.",
			typed_text(p, p->pos - 1, p->pos));
		return false;
	}
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

/* An `if` in a list whose nesting is counted. `whole`: it directly follows the clauses of the list. */
static bool parse_if_here(struct parser *p, struct clause_list *list, bool whole)
{
	int start = p->pos, after;
	bool trailing = whole, negated, failed = false, failed_too = false;
	bool hanging, later = !trailing && time_words(p);
	struct condition *c = take_if(p, &negated) ? parse_condition(p) : NULL;
	struct clause *then, *otherwise;

	if (!c) { /* "advance 4, next turn charge": the time goes with what follows it */
		bool leading = leads(p, start) || (later && clause_begins(p, true));

		return lose_if(p, list, trailing || (list->last && *list->last && !leading), whole);
	}
	if (negated)
		c = combine(p, CONDITION_NOT, c, NULL);
	if (!trailing) {
		trailing = trails_after_all(p, c, list);
		if (trailing && (!list->last || !*list->last || hangs_between(p, start))) {
			problem(p, PROBLEM_UNREADABLE, start, start + 1, NULL, NULL,
				"What should be done then? Write `if j within 6 then hold`.");
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
	hanging = !trailing && !separators_ahead(p, &after) && key_here(p) == KEY_UNTIL;
	then = trailing ? take_last(list, whole) : parse_governed(p, &failed);
	if (hanging) /* "charge nearest / only if within 6 though": it may have been the charge's own */
		take_last(list, whole);
	otherwise = parse_otherwise(p, &failed_too);
	while (whole && then && then->next) { /* each on its own, so that it prints and reads back the same */
		struct clause *rest = then->next;

		then->next = NULL;
		append_if(p, list, c, then, NULL);
		then = rest;
	}
	append_if(p, list, c, then, otherwise);
	return !failed && !failed_too;
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
