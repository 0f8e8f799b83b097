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
#include "orders/lines.h"
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
	const char *code = enemy_code(p);

	here(p);
	problem(p, PROBLEM_UNREADABLE, p->pos, p->pos + 1, NULL, NULL,
		"This condition was not understood%s%s, so nothing that depends on it was read. Write it as `if %s "
		"within 6` or `if %s gone`.",
		*expected ? ": expected " : "", expected, code, code);
	return NULL;
}

/* "they r within 6", "camerons r gone" */
static bool r_for_are(struct parser *p)
{
	enum key next = key_ahead(p, 1);

	return is_word(here(p), "r") && p->pos > 0 &&
	       (p->lex->tokens[p->pos - 1].key == KEY_THEY || next == KEY_WITHIN || next == KEY_NOT ||
		       next == KEY_GONE || next == KEY_LOCKED || next == KEY_ROUTING);
}

static void skip_be(struct parser *p, bool *negated)
{
	for (;;) {
		enum key key = key_here(p);

		if (key == KEY_NOT)
			*negated = !*negated;
		else if (key != KEY_BE && key != KEY_THEY && key != KEY_SKIP && key != KEY_MOVE && key != KEY_REQUEST &&
			 key != KEY_DO && !r_for_are(p) &&
			 !(key_ahead(p, 1) == KEY_POINTS && is_word(here(p), "command")) &&
			 !is_among(here(p), (const char *const[]){"there", "gets", "got", NULL}) &&
			 !(key == KEY_TO && key_ahead(p, 1) == KEY_WITHIN))
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
	if (negated && c && c->kind == CONDITION_NOT)
		return c->left;
	return negated ? condition_not(p, c) : c;
}

/* "within" distance [ "of" unit ], the subject taken already */
static struct condition *parse_within(struct parser *p, enum within_subject subject, int unit, bool bare)
{
	struct condition *c = new_condition(p, CONDITION_WITHIN);
	int before = p->failures;

	c->subject = subject;
	c->unit = unit;
	if (!take_key(p, KEY_WITHIN)) { /* "less than 6 inches away" */
		advance(p);
		take_key(p, KEY_THAN);
	}
	if (!parse_distance(p, &c->distance))
		return cannot_read(p, "a distance after `within`");
	take_key(p, KEY_AWAY);
	if (key_here(p) == KEY_OF || key_here(p) == KEY_FROM) {
		advance(p);
		if (bare && key_here(p) != KEY_THEY) { /* "within 6 of Camerons": this unit's own distance to them */
			c->subject = WITHIN_UNIT;
			c->unit = want_piece(p, ROLE_EITHER, "a unit");
		} else if (key_here(p) != KEY_THEY && !is_among(here(p), (const char *const[]){"us", "me", NULL})) {
			c->of = want_piece(p, ROLE_EITHER, "a unit");
		} else {
			advance(p);
		}
	}
	return p->failures == before ? c : NULL;
}

/* --- counts ------------------------------------------------------------------------------------------------------- */

static bool is_count(enum key key)
{
	return key == KEY_BASES || key == KEY_FIGURES || key == KEY_POINTS;
}

static struct condition *new_count(struct parser *p, enum key key)
{
	return new_condition(p, key == KEY_BASES     ? CONDITION_BASES
				: key == KEY_FIGURES ? CONDITION_FIGURES
						     : CONDITION_POINTS);
}

/* "<", "at least", "fewer than" ... */
static bool take_comparison(struct parser *p, enum comparison *out)
{
	enum token_type type = here(p)->type;
	enum key key = key_here(p) == KEY_AT ? key_ahead(p, 1) : key_here(p);

	if (type == TOKEN_LESS || key == KEY_UNDER || key == KEY_LESS)
		*out = COMPARE_LESS;
	else if (type == TOKEN_GREATER || key == KEY_OVER || key == KEY_MORE)
		*out = COMPARE_MORE;
	else if (type == TOKEN_AT_MOST || key == KEY_MOST)
		*out = COMPARE_AT_MOST;
	else if (type == TOKEN_AT_LEAST || key == KEY_LEAST)
		*out = COMPARE_AT_LEAST;
	else if (type == TOKEN_EQUAL || key == KEY_EQUAL)
		*out = COMPARE_EQUAL;
	else
		return false;
	take_key(p, KEY_AT);
	advance(p);
	take_key(p, KEY_THAN);
	take_key(p, KEY_TO);
	return true;
}

static bool take_count_number(struct parser *p, int *out)
{
	int32_t number;

	if (!parse_number(p, &number) || number < 0 || number % 1000 != 0)
		return false;
	*out = number / 1000;
	return true;
}

/* "3 or more", "3 or fewer": what stands behind the number. */
static void take_or_more(struct parser *p, enum comparison *out)
{
	enum key next = key_ahead(p, 1);

	if (key_here(p) != KEY_OR || (next != KEY_MORE && next != KEY_LESS))
		return;
	*out = next == KEY_MORE ? COMPARE_AT_LEAST : COMPARE_AT_MOST;
	advance(p);
	advance(p);
}

static void skip_left(struct parser *p)
{
	if (key_here(p) == KEY_LEFT)
		advance(p);
}

/* count comparison number ; "points" [ "left" ] alone is that there are some */
static struct condition *parse_count(struct parser *p)
{
	enum key key = key_here(p);
	struct condition *c = new_count(p, key);
	bool negated = false;

	advance(p);
	skip_left(p);
	skip_be(p, &negated);
	if (key == KEY_POINTS && key_here(p) == KEY_GONE) {
		advance(p);
		return negate_if(p, new_condition(p, CONDITION_OUT_OF_POINTS), negated);
	}
	if (!take_comparison(p, &c->comparison)) {
		if (key == KEY_POINTS && !number_begins(p))
			return negate_if(p, new_condition(p, CONDITION_OUT_OF_POINTS), !negated);
		return cannot_read(p, "`under`, `over` or `=`");
	}
	if (!take_count_number(p, &c->number))
		return cannot_read(p, "a whole number");
	take_or_more(p, &c->comparison);
	return negate_if(p, c, negated);
}

/* "fewer than 3 bases", "2 or more points left": does that stand here? */
static bool amount_begins(struct parser *p)
{
	for (int n = 0; n < 7; n++) {
		enum token_type type = ahead(p, n)->type;
		enum key key = key_ahead(p, n);

		if (is_count(key))
			return n > 0;
		if (type != TOKEN_NUMBER && type != TOKEN_LESS && type != TOKEN_GREATER && type != TOKEN_AT_LEAST &&
			type != TOKEN_AT_MOST && type != TOKEN_EQUAL && key != KEY_NUMBER && key != KEY_LESS &&
			key != KEY_MORE && key != KEY_THAN && key != KEY_AT && key != KEY_LEAST && key != KEY_MOST &&
			key != KEY_UNDER && key != KEY_OVER && key != KEY_OR && key != KEY_EQUAL)
			return false;
	}
	return false;
}

/* [ comparison ] number [ "or" ("more" | "less") ] count [ "left" ] */
static struct condition *parse_amount(struct parser *p)
{
	enum comparison comparison = COMPARE_EQUAL;
	struct condition *c;
	int number;

	take_comparison(p, &comparison);
	if (!take_count_number(p, &number))
		return cannot_read(p, "a whole number");
	take_or_more(p, &comparison);
	if (!is_count(key_here(p)))
		return cannot_read(p, "`bases` or `figures` after the number");
	c = new_count(p, key_here(p));
	c->comparison = comparison;
	c->number = number;
	advance(p);
	take_or_more(p, &c->comparison);
	skip_left(p);
	return c;
}

/* --- who goes first ----------------------------------------------------------------------------------------------- */

/* [ side ] ("has" | "wins" | "loses") "initiative" | side ("goes" | "is") ("first" | "second"): the tokens up to its
 * last word, or 0. *ours says whether it is the writer's side that would be first. */
static int initiative_words(struct parser *p, bool *ours)
{
	bool verb = false, side = false;

	*ours = true;
	for (int n = 0; n < 8; n++) {
		const struct token *t = ahead(p, n);

		if (is_word(t, "initiative"))
			return n + 1;
		if (side && verb && (is_word(t, "first") || is_word(t, "second") || is_word(t, "last"))) {
			*ours ^= !is_word(t, "first");
			return n + 1;
		}
		if (t->type != TOKEN_WORD)
			return 0;
		if (t->word->key == KEY_ENEMY || is_word(t, "they") || is_word(t, "lose") || is_word(t, "loses") ||
			is_word(t, "lost"))
			*ours ^= true;
		else if (t->word->key != KEY_REQUEST && t->word->key != KEY_SKIP && t->word->key != KEY_MOVE &&
			 t->word->key != KEY_BE && t->word->key != KEY_THEY && !is_word(t, "has") &&
			 !is_word(t, "win") && !is_word(t, "wins") && !is_word(t, "won") && !is_word(t, "side"))
			return 0;
		side |= t->word->key == KEY_ENEMY || is_word(t, "they") || is_word(t, "we") || is_word(t, "i") ||
			is_word(t, "side");
		verb |= t->word->key == KEY_MOVE || t->word->key == KEY_BE;
	}
	return 0;
}

static struct condition *parse_initiative(struct parser *p)
{
	bool ours;

	for (int words = initiative_words(p, &ours); words > 0; words--)
		advance(p);
	return negate_if(p, new_condition(p, CONDITION_INITIATIVE), !ours);
}

/* --- units and the enemy ------------------------------------------------------------------------------------------ */

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
	case KEY_AWAY: /* "run away" */
		c->status = STATUS_ROUTING;
		break;
	default:
		return cannot_read(p, "`within`, `gone`, `locked` or `routing` after the unit");
	}
	return c;
}

/* "within 6", "less than 6 inches away", "closer than 6" */
static bool within_begins(struct parser *p)
{
	bool nearer = key_here(p) == KEY_LESS || key_here(p) == KEY_UNDER || is_word(here(p), "closer") ||
		      is_word(here(p), "nearer");
	int before = p->pos;
	int32_t distance;

	if (!nearer)
		return key_here(p) == KEY_WITHIN;
	advance(p);
	take_key(p, KEY_THAN);
	nearer = number_begins(p) && parse_distance(p, &distance) && !is_count(key_here(p));
	p->pos = before;
	return nearer;
}

/* "in range", "close": told that inches are wanted. */
static bool vague_nearness(struct parser *p)
{
	if (key_here(p) != KEY_IN && !is_word(here(p), "close") && !is_word(here(p), "near") &&
		!is_word(here(p), "range"))
		return false;
	problem(p, PROBLEM_UNREADABLE, p->pos, p->pos + 1, NULL, NULL,
		"How near? Say it in inches, as `if %s within 6`. Nothing that depends on this was read.",
		enemy_code(p));
	return true;
}

/* ("within" ... | status) of one unit */
static struct condition *parse_of_one(struct parser *p, int unit, bool *negated)
{
	struct condition *c;

	skip_be(p, negated);
	if (within_begins(p))
		return parse_within(p, WITHIN_UNIT, unit, false);
	if (vague_nearness(p))
		return NULL;
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

/* "enemy", "rebels": the other side as a whole */
static bool is_enemy(const struct parser *p, const struct token *t)
{
	static const char *const anyone[] = {"anyone", "anybody", "anything", "someone", "somebody", NULL};

	return t->key == KEY_ENEMY || is_among(t, anyone) ||
	       (t->key == KEY_SIDE && t->word->value != (int)p->ctx->side);
}

/* Not "the enemy Gordons", "enemy gun 1". */
static bool enemy_begins(struct parser *p)
{
	const struct token *next;
	int n = 0;

	while (is_word_ahead(p, n, "any") || key_ahead(p, n) == KEY_A || key_ahead(p, n) == KEY_SKIP ||
		key_ahead(p, n) == KEY_NEAREST)
		n++;
	next = ahead(p, n + 1);
	return is_enemy(p, ahead(p, n)) && !(next->type == TOKEN_WORD && (next->word->named || next->key == KEY_GUN));
}

static struct condition *parse_of_enemy(struct parser *p)
{
	bool negated = false;

	while (!is_enemy(p, here(p)))
		advance(p);
	advance(p);
	take_key(p, KEY_CLAN);
	skip_be(p, &negated);
	if (!within_begins(p))
		return vague_nearness(p) ? NULL : cannot_read(p, "`within` after `enemy`");
	p->mentions.enemy = true;
	return negate_if(p, parse_within(p, WITHIN_ENEMY, -1, false), negated);
}

static bool out_of_points_begins(struct parser *p)
{
	int n = is_word(ahead(p, 2), "command") ? 3 : 2;

	return key_here(p) == KEY_OUT && key_ahead(p, 1) == KEY_OF && key_ahead(p, n) == KEY_POINTS;
}

static struct condition *parse_out_of_points(struct parser *p)
{
	while (!take_key(p, KEY_POINTS))
		advance(p);
	return new_condition(p, CONDITION_OUT_OF_POINTS);
}

/* "it has 3 bases" may be said of the unit or of its target: asked. */
static struct condition *whose_count(struct parser *p)
{
	here(p);
	problem(p, PROBLEM_UNREADABLE, p->pos, p->pos + 1, NULL, NULL,
		"Whose? Only the unit's own bases and figures can be asked about, so nothing that depends on this was "
		"read. Write it as `if bases < 3`.");
	return NULL;
}

static bool status_begins(struct parser *p)
{
	return key_here(p) == KEY_GONE || key_here(p) == KEY_LOCKED || key_here(p) == KEY_ROUTING;
}

/* "they are routing", the pronoun being at `at` */
static struct condition *parse_of_pronoun(struct parser *p, int at)
{
	int here_now = p->pos, unit;
	struct condition *c;

	p->pos = at;
	unit = want_pronoun(p, ROLE_EITHER);
	p->pos = here_now;
	c = unit < 0 ? NULL : status_of(p, unit);
	if (c)
		advance(p);
	return c;
}

/* What can be said of the unit itself or its side, after "we have", "it is" or nothing. */
static struct condition *parse_of_own(struct parser *p)
{
	bool negated = false, pronoun = pronoun_begins(p);
	int from = p->pos;
	struct match m;

	skip_be(p, &negated);
	if (key_here(p) == KEY_NO && (is_count(key_ahead(p, 1)) || is_word(ahead(p, 1), "command"))) {
		advance(p);
		negated = !negated;
		if (is_word(here(p), "command"))
			advance(p);
	}
	if (within_begins(p)) {
		struct condition *c = parse_within(p, WITHIN_CHARGE_TARGET, -1, true);

		if (pronoun && c && c->subject == WITHIN_CHARGE_TARGET)
			p->loose_pronoun = from;
		return negate_if(p, c, negated);
	}
	if (vague_nearness(p))
		return NULL;
	if (pronoun && status_begins(p))
		return negate_if(p, parse_of_pronoun(p, from), negated);
	if (out_of_points_begins(p))
		return negate_if(p, parse_out_of_points(p), negated);
	if (is_count(key_here(p)) || amount_begins(p)) {
		if (pronoun)
			return whose_count(p);
		return negate_if(p, is_count(key_here(p)) ? parse_count(p) : parse_amount(p), negated);
	}
	if (match_piece(p, &m))
		return negate_if(p, parse_of_unit(p), negated);
	if (here(p)->type == TOKEN_WORD && key_here(p) == KEY_NONE && like_piece(p, here(p), &p->everything)) {
		want_piece(p, ROLE_EITHER, "a unit"); /* "Camerns": asked about */
		return NULL;
	}
	return cannot_read(p, "");
}

/* Under rules without command points some can never be so. */
static void note_meaningless(struct parser *p, const struct condition *c, int from)
{
	if (c && !p->ctx->shreds && c->kind == CONDITION_INITIATIVE)
		note(p, from, "Nobody throws for the first move under these rules, so this condition never holds.");
	else if (c && !p->ctx->shreds && (c->kind == CONDITION_OUT_OF_POINTS || c->kind == CONDITION_POINTS))
		note(p, from, "There are no command points under these rules, so this condition never holds.");
}

static struct condition *parse_condition_part(struct parser *p)
{
	struct match m;
	struct condition *c;
	bool ours;
	int from = p->pos;

	if (p->condition_depth >= SHEET_NESTING_MAX)
		return cannot_read(p, "fewer parts");
	p->condition_depth++;
	if (key_here(p) == KEY_NOT || (key_here(p) == KEY_NO && !is_count(key_ahead(p, 1)))) {
		advance(p);
		c = parse_condition_part(p);
		if (c && is_compound(c))
			c = cannot_read(p, "one unit after `not`");
		c = combine(p, CONDITION_NOT, c, NULL);
	} else if (initiative_words(p, &ours)) {
		c = parse_initiative(p);
	} else if (enemy_begins(p)) {
		c = parse_of_enemy(p);
	} else if (match_piece(p, &m)) {
		c = parse_of_unit(p);
	} else {
		c = parse_of_own(p);
	}
	note_meaningless(p, c, from);
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
