/* A line that was meant as an order, though its words could not be read from the first on: "Sent from my iPhone charge
 * j with D". What stands in it that reads whole is offered, for the writer to copy; nothing of it counts. */
#include "base/buf.h"
#include "orders/lines.h"

#include <string.h>

enum { OFFERS_MAX = 8, OFFERED_MAX = 200 };

/* Words that turn around or bind what stands behind them: no part of their line is offered without them. */
static bool may_change_all(const struct token *t)
{
	static const char *const words[] = {
		"apart", "without", "minus", "besides", "instead", "rather", "nor", "neither", "but", "bar", NULL};
	enum key key = t->key;

	return key == KEY_NOT || key == KEY_NO || key == KEY_IF || key == KEY_UNLESS || key == KEY_UNTIL ||
	       key == KEY_WITHIN || key == KEY_OTHERWISE || key == KEY_EXCEPT || is_among(t, words);
}

/* Does the text give orders, and hold nothing else? */
static bool gives_orders(struct parser *p, const char *text)
{
	struct orders_context context = *p->ctx;
	struct sheet *s;
	bool whole;

	context.sheet = NULL;
	context.names = p->names;
	s = read_again(p->work, text, strlen(text), &context);
	whole = s->order_count > 0 && s->problem_count == 0 && s->set_aside_count == 0 && s->command_count == 0;
	talloc_free(s);
	return whole;
}

/* What may be meant by the token: the word that one without a meaning is very like, "fire at" for an "at" that no verb
 * stands before. */
static const char *likely_word(struct parser *p, int token, bool verb)
{
	static const char *const idle[] = {"maybe", "perhaps", "possibly", "kindly", NULL};
	const struct token *t = &p->lex->tokens[token];
	int before = p->pos;
	const char *left_out;

	if (t->key == KEY_NONE && is_among(t, idle))
		return "";
	if (t->type == TOKEN_WORD && t->key == KEY_NONE && !t->word->named && t->length > 3)
		return nearest_word(p, t, false);
	p->pos = token;
	left_out = verb ? NULL : verb_left_out(p);
	p->pos = before;
	return left_out;
}

/* The words from p->pos to `end` with what is likely meant by them; NULL when nothing of them is changed. */
static const char *with_likely_words(struct parser *p, int end)
{
	struct buf *out = buf_new(p->work);
	size_t at = p->lex->tokens[p->pos].offset, to = p->lex->tokens[end - 1].offset + p->lex->tokens[end - 1].length;
	bool changed = false, verb = false;

	for (int i = p->pos; i < end; i++) {
		const struct token *t = &p->lex->tokens[i];
		const char *like = likely_word(p, i, verb);

		verb |= key_is_verb(t->key);
		if (!like)
			continue;
		buf_add(out, p->lex->text + at, t->offset - at);
		buf_adds(out, like);
		at = t->offset + t->length + (*like == '\0' && t[1].spaced);
		changed = true;
	}
	if (!changed || to < at)
		return NULL;
	buf_add(out, p->lex->text + at, to - at);
	return out->data;
}

/* The part of the words from some word on that reads whole. */
static const char *part_that_reads(struct parser *p, int end)
{
	const struct token *last = &p->lex->tokens[end - 1];
	int before = p->pos, tried = 0;
	const char *found = NULL;

	for (; !found && p->pos < end && tried < OFFERS_MAX; p->pos++) {
		const struct token *t = &p->lex->tokens[p->pos];
		size_t from = t->offset, to = last->offset + last->length;

		if (may_change_all(t))
			break;
		if (t->type != TOKEN_WORD || to - from > OFFERED_MAX || !(subject_may_begin(p) || verb_begins(p)))
			continue;
		tried++;
		found = talloc_strndup(p->sheet, p->lex->text + from, to - from);
		if (!gives_orders(p, found))
			found = NULL;
	}
	p->pos = before;
	return found;
}

static bool is_end_mark(enum token_type type)
{
	return type == TOKEN_NEWLINE || type == TOKEN_END || type == TOKEN_STOP;
}

const char *order_within(struct parser *p, int end)
{
	const char *line;

	while (end > p->pos && is_end_mark(p->lex->tokens[end - 1].type))
		end--;
	if (end <= p->pos || p->trial > 0 || p->proving)
		return NULL;
	line = part_that_reads(p, end);
	if (!line && (line = with_likely_words(p, end)) && !gives_orders(p, line))
		line = NULL;
	return line;
}
