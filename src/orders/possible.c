/* "If possible": an order is carried out as far as it can be anyhow, so these words go without saying. What is to be
 * done if not is a further target; any other order would come too late, and is asked. */
#include "orders/lines.h"
#include "orders/parse.h"

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
	static const char *const able[] = {"possible", "can", "could", "able", "poss", NULL};
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
