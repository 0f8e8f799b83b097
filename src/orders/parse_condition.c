/* Conditions.
 *
 *   condition = [unit | "enemy" | "any enemy"] "within" distance [ "of" unit ]
 *             | unit ("gone"|"destroyed"|"locked"|"routing")
 *             | count comparison number | [ comparison ] number [ "or" ("more"|"less") ] count [ "left" ]
 *             | "out of points" | [ "no" ] "points left" | [ side ] ("has" | "wins") "initiative" | side "goes first"
 *             | condition ("and"|"or") condition | "not" condition
 *   count     = "bases" | "figures" | "points"
 *   comparison = "<"|"<="|"="|">="|">"|"under"|"over"| "at least" | ...
 *
 * `and` binds closer than `or`.
 */
#include "orders/parse.h"

#include <string.h>

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

struct condition *condition_not(struct parser *p, struct condition *c)
{
	return combine(p, CONDITION_NOT, c, NULL);
}

static struct condition *negate_if(struct parser *p, struct condition *c, bool negated)
{
	return negated ? condition_not(p, c) : c;
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
