/* Walking over tokens: what stands here, separators, trials. */
#include "orders/parse.h"

#include <string.h>

const struct token *pass_to_token(struct parser *p)
{
	for (;;) {
		if (p->pos == p->hole_from && p->hole_to > p->hole_from)
			p->pos = p->hole_to;
		if (p->pos >= p->stop)
			return &p->lex->tokens[p->lex->count - 1];
		if (p->lex->tokens[p->pos].type != TOKEN_NEWLINE || p->lex->tokens[p->pos].number != NEWLINE_GLUES)
			return &p->lex->tokens[p->pos];
		p->pos++;
	}
}

const struct token *pass_ahead(struct parser *p, int n)
{
	int before;
	const struct token *t = here(p);

	for (before = p->pos; n > 0; n--) {
		p->pos++;
		t = here(p);
	}
	p->pos = before;
	return t;
}

void advance(struct parser *p)
{
	here(p);
	if (p->pos < p->stop)
		p->pos++;
}

bool is_word_ahead(struct parser *p, int n, const char *folded)
{
	return is_word(ahead(p, n), folded);
}

bool is_word_here(struct parser *p, const char *folded)
{
	return is_word_ahead(p, 0, folded);
}

bool take_key(struct parser *p, enum key key)
{
	if (key_here(p) != key)
		return false;
	advance(p);
	return true;
}

bool take_type(struct parser *p, enum token_type type)
{
	if (here(p)->type != type)
		return false;
	advance(p);
	return true;
}

bool at_end(struct parser *p)
{
	enum token_type type = here(p)->type;

	return type == TOKEN_END || (type == TOKEN_NEWLINE && here(p)->number == NEWLINE_ENDS);
}

struct trial trial_begin(struct parser *p)
{
	struct trial t = {p->pos, p->failures, p->given, p->mentions, p->mem};

	p->trial++;
	p->mem = p->scratch;
	return t;
}

bool trial_end(struct parser *p, struct trial t)
{
	bool well = p->failures == t.failures;

	p->trial--;
	p->mem = t.mem;
	p->pos = t.pos;
	p->failures = t.failures;
	p->given = t.given;
	p->mentions = t.mentions;
	return well;
}

/* "advance 4in forward n shoot j": a phone's "and" before a verb, where it can be neither north ("4 n") nor one's own
 * unit of that letter. */
static bool is_short_and(const struct parser *p, const struct token *t)
{
	bool own = false;

	if (t->word->length != 1 || *t->word->text != 'n' || p->lex->text[t->offset] != 'n' ||
		t[1].type != TOKEN_WORD || !key_is_verb(t[1].key) || t == p->tokens)
		return false;
	for (int i = set_next(&t->word->code, 0); i >= 0; i = set_next(&t->word->code, i + 1))
		own |= set_has(&p->own, i) && strcmp(p->ctx->state->units[i].code, "n") == 0;
	for (int i = 1; !own && i <= 3 && t - i >= p->tokens && t[-i].type > TOKEN_NEWLINE; i++)
		if (t[-i].key == KEY_FORWARD || t[-i].key == KEY_BACK || t[-i].key == KEY_COMPASS)
			return true;
	return false;
}

/* What the token is as a separator: a SEPARATOR_ kind, or 0. */
static int separator_kind(struct parser *p, const struct token *t)
{
	switch (t->type) {
	case TOKEN_COMMA:
	case TOKEN_TAB:
	case TOKEN_ARROW:
	case TOKEN_AND:
		return SEPARATOR_SOFT;
	case TOKEN_SLASH: /* "advance 4 / fire", not "1/2" */
		return t->spaced ? SEPARATOR_SOFT : 0;
	case TOKEN_SEMICOLON:
		return SEPARATOR_HARD;
	case TOKEN_STOP:
		return SEPARATOR_HARD | SEPARATOR_SENTENCE;
	case TOKEN_NEWLINE:
		return t->number == NEWLINE_BREAKS ? SEPARATOR_BREAK : 0;
	case TOKEN_WORD:
		if (t->word->key == KEY_AND)
			return SEPARATOR_SOFT;
		if (t->word->key == KEY_THEN)
			return SEPARATOR_SOFT | SEPARATOR_THEN;
		return is_short_and(p, t) ? SEPARATOR_SOFT : 0;
	default:
		return 0;
	}
}

int separators(struct parser *p)
{
	int all = 0, kind;

	while ((kind = separator_kind(p, here(p))) != 0) {
		all |= kind;
		advance(p);
	}
	if (all)
		skip_numbering(p);
	return all;
}

int separators_ahead(struct parser *p, int *after)
{
	int before, all;

	/* the common case first: none */
	if (!separator_kind(p, here(p))) {
		*after = p->pos;
		return 0;
	}
	before = p->pos;
	all = separators(p);
	*after = p->pos;
	p->pos = before;
	return all;
}

void skip_to_separator(struct parser *p)
{
	while (!at_end(p) && !separator_kind(p, here(p)))
		advance(p);
}

void skip_to_hard_separator(struct parser *p)
{
	while (!at_end(p) && !(separator_kind(p, here(p)) & (SEPARATOR_HARD | SEPARATOR_BREAK)))
		advance(p);
}

/* "a) F: hold", "b) Price's hold": a letter that numbers a line, when a unit and a mark follow. */
static void pass_list_letter(struct parser *p)
{
	struct match m;
	int before = p->pos;

	advance(p);
	advance(p);
	if (!match_piece(p, &m) ||
		(p->lex->tokens[m.end].type != TOKEN_COLON && (m.by_code || !key_is_verb(p->lex->tokens[m.end].key))))
		p->pos = before;
}

/* "1." "1)" "1:" "(1)" "#1" "-": numbering before an order or a clause (rule 12) */
void skip_numbering(struct parser *p)
{
	const struct token *t = here(p), *next;
	struct match m;

	if (t->type == TOKEN_WORD && t->length > 1)
		return;
	if (p->ctx->numbers_name && t->type == TOKEN_NUMBER && match_piece(p, &m))
		return;
	next = ahead(p, 1);
	if (t->type == TOKEN_HASH && next->type == TOKEN_NUMBER) {
		advance(p);
		advance(p);
		if (here(p)->type == TOKEN_STOP || here(p)->type == TOKEN_CLOSE || here(p)->type == TOKEN_COLON)
			advance(p);
	} else if (t->type == TOKEN_NUMBER && t->number % 1000 == 0 && t->length < 4 &&
		   ((next->type == TOKEN_STOP && next->mark == '.' && ahead(p, 2)->type == TOKEN_WORD) ||
			   next->type == TOKEN_CLOSE ||
			   (next->type == TOKEN_COLON && ahead(p, 2)->type == TOKEN_WORD &&
				   t == &p->lex->tokens[p->lex->lines[t->line].first]))) {
		advance(p);
		advance(p);
	} else if (t->type == TOKEN_NUMBER && t->length < 3 && next->type == TOKEN_WORD && next->word->named &&
		   !key_is_kind(next->key) && t == &p->lex->tokens[p->lex->lines[t->line].first]) {
		advance(p); /* "1 R hold" */
		if (!order_begins(p, AT_START))
			p->pos--;
	} else if (t->type == TOKEN_OPEN && next->type == TOKEN_NUMBER && ahead(p, 2)->type == TOKEN_CLOSE) {
		advance(p);
		advance(p);
		advance(p);
	} else if (t->type == TOKEN_DASH && t->length == 1 && t->spaced) {
		advance(p);
	} else if (t->type == TOKEN_WORD && t->length == 1 && next->type == TOKEN_CLOSE) {
		pass_list_letter(p);
	}
}
