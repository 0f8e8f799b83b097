/* "If possible": an order is carried out as far as it can be anyhow, so these words go without saying. What is to be
 * done if not is a further target, or an order that can stand beside the first; any other would come too late, and is
 * asked. */
#include "orders/lines.h"
#include "orders/parse.h"
#include "orders/print.h"

/* "reach them", "see them", "get to him", behind "can" */
static int reaching_words(struct parser *p, int from)
{
	static const char *const reach[] = {"see", "reach", "hit", "get", "catch", "manage", "do", NULL};
	static const char *const there[] = {"there", "that", "far", NULL};
	int n = from;

	if (!is_among(ahead(p, n), reach))
		return 0;
	n++;
	if (key_ahead(p, n) == KEY_TO)
		n++;
	while (key_ahead(p, n) == KEY_THEY || is_among(ahead(p, n), there))
		n++;
	return n - from;
}

int idle_if(struct parser *p, bool fires)
{
	static const char *const able[] = {"possible", "can", "could", "able", "poss", "ready", NULL};
	enum key key;
	int n = 1;

	if (key_here(p) != KEY_IF)
		return 0;
	while (key_ahead(p, n) == KEY_THEY || key_ahead(p, n) == KEY_BE || is_word_ahead(p, n, "u") ||
		is_word_ahead(p, n, "we"))
		n++;
	if (key_ahead(p, n) == KEY_IN && (fires || key_ahead(p, n + 2) == KEY_FIRE) && is_word_ahead(p, n + 1, "range"))
		n++;
	else if (!is_among(ahead(p, n), able))
		return 0;
	n++;
	n += reaching_words(p, n);
	key = key_ahead(p, n);
	return ahead(p, n)->type != TOKEN_WORD || key == KEY_AND || key == KEY_THEN || key == KEY_PLEASE ||
			       key == KEY_OTHERWISE || key == KEY_ELSE || key == KEY_OR || key_is_verb(key)
		       ? n
		       : 0;
}

void skip_idle_if(struct parser *p, bool fires)
{
	for (int n = idle_if(p, fires); n > 0; n--)
		advance(p);
}

void skip_idle_if_before_order(struct parser *p)
{
	int before = p->pos;

	if (key_here(p) != KEY_IF || !is_word_ahead(p, 1, "possible"))
		return;
	advance(p);
	advance(p);
	take_type(p, TOKEN_COMMA);
	if (!order_begins(p, AT_START))
		p->pos = before;
}

/* "if not possible", "if that is not possible", "if they can't", "if impossible"; "if not" behind "if possible". */
static bool take_if_not(struct parser *p, bool asked)
{
	static const char *const idle[] = {"that", "this", "u", "we", NULL};
	static const char *const able[] = {"possible", "poss", "able", "can", NULL};
	int before = p->pos;
	bool negated, impossible;

	if (!take_key(p, KEY_IF))
		return false;
	while (key_here(p) == KEY_THEY || key_here(p) == KEY_BE || is_among(here(p), idle))
		advance(p);
	negated = is_word_here(p, "impossible") || key_here(p) == KEY_NOT;
	impossible = is_word_here(p, "impossible") || is_word_here(p, "cant") || is_word_here(p, "cannot");
	if (negated)
		advance(p);
	if (negated && !impossible && is_among(here(p), able)) {
		impossible = true;
		advance(p);
	}
	if (impossible || (negated && asked))
		return true;
	p->pos = before;
	return false;
}

bool take_or_else(struct parser *p, enum key verb)
{
	int before = p->pos, at;
	bool asked, second, otherwise;

	take_type(p, TOKEN_COMMA);
	at = p->pos;
	skip_idle_if(p, verb == KEY_FIRE);
	asked = p->pos != at;
	if (asked && !take_type(p, TOKEN_COMMA))
		take_type(p, TOKEN_SEMICOLON);
	second = take_key(p, KEY_OR);
	otherwise = take_if_not(p, asked);
	if (otherwise) {
		take_type(p, TOKEN_COMMA);
		if (!take_key(p, KEY_THEN))
			take_key(p, KEY_OTHERWISE);
	} else if (second || !p->depth) { /* within an `if` a lone "otherwise" is that one's */
		otherwise = take_key(p, KEY_OTHERWISE) || take_key(p, KEY_ELSE);
		if (otherwise)
			take_type(p, TOKEN_COMMA);
	}
	if (!second && !otherwise) {
		p->pos = before;
		return false;
	}
	if (key_here(p) == verb)
		advance(p);
	return true;
}

/* What is done if a clause cannot be: of these two both may stand, as only one of them can come to anything, or the
 * other is done in any case. `none` when nothing need be added. */
static bool goes_without_if(const struct clause *first, const struct clause *other, bool *none)
{
	*none = first->kind == CLAUSE_MOVE && other->kind == CLAUSE_HOLD; /* a move goes as far as it can */
	return *none ||
	       ((first->kind == CLAUSE_CHARGE || first->kind == CLAUSE_FIRE || first->kind == CLAUSE_MELEE) &&
		       other->kind == CLAUSE_HOLD) ||
	       ((first->kind == CLAUSE_CHARGE || first->kind == CLAUSE_MOVE) && other->kind == CLAUSE_FIRE);
}

static void tell_no_test(struct parser *p, int from, const struct clause *last, const struct clause *other, bool alone)
{
	const struct state *s = p->ctx->state;
	int failures = p->failures;

	problem(p, PROBLEM_UNREADABLE, from, from + 1, NULL, NULL,
		"`%s` needs an `if` before it: whether an order can be carried out is seen too late for another. Give "
		"it a condition, as `charge %s if within 6, otherwise move 4 forward`.",
		typed_text(p, from, from + 1), enemy_code(p));
	if (!p->trial && alone && last->kind == CLAUSE_CHARGE && p->subject->count)
		suggest_line(p, failures,
			talloc_asprintf(p->mem, "%s: %s if within 6, otherwise %s",
				typed_text(p, p->subject->from, p->subject->end),
				clause_canonical(p->mem, last, s, p->ctx->side),
				clause_canonical(p->mem, other, s, p->ctx->side)));
}

bool parse_if_impossible(struct parser *p, struct clause_list *list)
{
	struct clause *last = list->last ? *list->last : NULL;
	int from = p->pos, failures = p->failures;
	struct clause_list other;
	bool none = false;

	if (!last || last->kind == CLAUSE_IF || !take_otherwise(p))
		return false;
	list_init(&other);
	if (!clause_begins(p, true) || !parse_clause(p, &other) || !other.first || other.first->next) {
		if (p->failures == failures)
			p->pos = from;
		return p->failures != failures;
	}
	if (!goes_without_if(last, other.first, &none)) {
		tell_no_test(p, from, last, other.first, last == list->first);
		return true;
	}
	if (none) {
		note(p, from, "`%s` adds nothing: a move goes as far as it can.", typed_text(p, from, p->pos));
	} else {
		list_append(list, other.first);
		note(p, from, "`%s` was ordered beside what stands before it: neither hinders the other.",
			typed_text(p, from, p->pos));
	}
	return true;
}
