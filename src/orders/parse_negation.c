/* What is not to be done (rule 14). */
#include "orders/lines.h"
#include "orders/parse.h"

#include <string.h>

/* "cancel the charge", "call off the attack": the words before "charge"; 0 when none stand here. */
static int cancelling_words(struct parser *p)
{
	static const char *const verbs[] = {"cancel", "abort", "scrap", "forget", "undo", "call", NULL};
	const struct token *t = here(p);
	int n = 1;

	if (t->key != KEY_NONE || !is_among(t, verbs))
		return 0;
	if (ahead(p, n)->type == TOKEN_WORD && strcmp(ahead(p, n)->word->text, "off") == 0)
		n++;
	while (n < 5 && (key_ahead(p, n) == KEY_SKIP || key_ahead(p, n) == KEY_ANY))
		n++;
	return key_ahead(p, n) == KEY_CHARGE ? n : 0;
}

bool negation_begins(struct parser *p)
{
	enum key next;

	switch (key_here(p)) {
	case KEY_NONE:
		return cancelling_words(p) > 0;
	case KEY_NOT:
		return true;
	case KEY_DO:
		next = key_ahead(p, 1);
		return next == KEY_NOT || next == KEY_NO;
	case KEY_NO:
		next = key_ahead(p, 1);
		return key_is_verb(next) || next == KEY_MORE;
	default:
		return false;
	}
}

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

/* "but don't go past Munro's": how far not to go. No order can say it, and without it the move would be too long. */
bool tell_limit(struct parser *p, struct clause_list *list)
{
	static const char *const beyond[] = {
		"past", "beyond", "further", "farther", "too", "near", "nearer", "close", "closer", "far", NULL};
	struct clause *last = list->last ? *list->last : NULL;
	int from = p->pos, n = 0, m = 0;
	bool reads; /* without the limit */

	for (enum key key; n < 4; n++)
		if ((key = key_ahead(p, n)) != KEY_DO && key != KEY_NOT && key != KEY_STEP)
			break;
	if (key_ahead(p, n) == KEY_MOVE || key_ahead(p, n) == KEY_ADVANCE)
		m++;
	if (!n || !is_among(ahead(p, n + m), beyond))
		return false;
	while (from > 0 &&
		(p->lex->tokens[from - 1].type == TOKEN_COMMA || p->lex->tokens[from - 1].key == KEY_EXCEPT ||
			p->lex->tokens[from - 1].key == KEY_AND))
		from--;
	skip_to_separator(p);
	reads = last && (last->kind != CLAUSE_MOVE || last->legs[last->leg_count - 1].distance > 0);
	problem(p, PROBLEM_UNREADABLE, from, p->pos, reads ? "" : NULL, NULL,
		"No order can say where a unit is not to go. Give the distance, as `move 3 forward`, or the place, as "
		"`move to H4`.%s",
		last && last->kind == CLAUSE_MOVE ? " The move was not taken either." : "");
	if (last && last->kind == CLAUSE_MOVE) {
		*list->last = NULL;
		list->end = list->last;
	}
	return true;
}

bool parse_negation(struct parser *p, struct clause_list *list, const struct clause_list *earlier)
{
	int from = p->pos, before = p->failures;

	for (int n = cancelling_words(p); n > 0; n--)
		advance(p);
	while (key_here(p) == KEY_DO || key_here(p) == KEY_NOT || key_here(p) == KEY_NO || key_here(p) == KEY_MORE ||
		key_here(p) == KEY_BE || key_here(p) == KEY_TO || key_here(p) == KEY_THEY || key_here(p) == KEY_PLEASE)
		advance(p);
	if (is_word_here(p, "anything")) { /* "don't do anything" */
		advance(p);
		list_append(list, new_clause(p, CLAUSE_HOLD));
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
		list_append(list, c);
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
