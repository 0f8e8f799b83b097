/* An `if` that has a line of its own. Followed by orders it governs all of them, to the next blank line; standing
 * behind an order it may have been meant for that: then the writer is asked, and the order does not go without it. */
#include "base/buf.h"
#include "orders/lines.h"
#include "orders/print.h"

#include <string.h>

static bool opens_order(enum opening o)
{
	return o == OPENS_ORDER || o == OPENS_HEAD || o == OPENS_VERB_AND_SUBJECT || o == OPENS_UNKNOWN_SUBJECT;
}

static int next_written(struct parser *p, int line)
{
	do
		line++;
	while (line < p->lex->line_count && line_opening(p, line) == OPENS_BLANK);
	return line;
}

static const struct token *last_of(const struct parser *p, int line)
{
	return &p->lex->tokens[line_end(p, line) - 1];
}

/* --- it governs what stands below --------------------------------------------------------------------------------- */

struct block {
	struct condition *condition; /* NULL: it could not be read, and what it governs is not taken */
	int line;                    /* of the `if` */
	bool indented;               /* what it governs stands further in, and ends where that ends */
	int from, end;               /* the lines read: [from, end) */
	int orders;                  /* the first order that it governs, in the sheet */
};

/* Does the line still belong to it? */
static bool in_block(struct parser *p, const struct block *b, int line)
{
	enum opening open;

	if (line >= p->lex->line_count || p->full)
		return false;
	open = line_opening(p, line);
	if (open == OPENS_BLANK)
		return b->indented;
	if (open == OPENS_END || open == OPENS_CONDITION || open == OPENS_MARK || open == OPENS_HEADER)
		return false;
	return !b->indented || p->lex->lines[line].indent > p->lex->lines[b->line].indent;
}

static void govern_orders(struct parser *p, const struct block *b)
{
	struct sheet *s = p->sheet;
	struct clause *was = NULL, *now = NULL;

	for (int i = b->orders; i < s->order_count; i++) {
		struct order *o = &s->orders[i];

		if (o->kind != ORDER_GIVE)
			continue;
		if (o->clauses != was) { /* one list serves the units, the wing and all the others of one line */
			was = o->clauses;
			now = govern(p, b->condition, o->clauses);
		}
		o->clauses = now;
	}
}

/* Reads the lines that it governs. */
static void read_block(struct parser *p, struct block *b)
{
	int line = b->from;

	b->orders = p->sheet->order_count;
	p->in_block = true;
	while (in_block(p, b, line)) {
		bool lost = !b->condition && opens_order(line_opening(p, line));
		struct trial t = {0};

		if (lost)
			t = trial_begin(p);
		line = read_line(p, line);
		if (lost)
			trial_end(p, t);
	}
	p->in_block = false;
	p->given.clauses = NULL; /* they depend on the `if` now */
	b->end = line;
	if (b->condition)
		govern_orders(p, b);
}

static char *names_of(struct parser *p, int first_order)
{
	struct buf *out = buf_new(p->mem);
	struct piece_set named = {0};

	for (int i = first_order; i < p->sheet->order_count; i++) {
		for (int k = 0; k < p->sheet->orders[i].unit_count; k++) {
			int unit = p->sheet->orders[i].units[k];

			if (set_has(&named, unit))
				continue;
			buf_printf(
				out, "%s%s", set_empty(&named) ? "" : ", ", piece_english(p->mem, p->ctx->state, unit));
			set_add(&named, unit);
		}
	}
	return out->data;
}

/* The receipt says how it was read. */
static void tell_block(struct parser *p, const struct block *b, const char *word)
{
	int orders = 0, token = p->lex->lines[b->line].first;

	for (int line = b->from; line < b->end; line++)
		orders += opens_order(line_opening(p, line));
	if (!b->condition)
		note(p, token,
			"The `%s` of line %d was not understood, so no order of the lines that depend on it (%d to %d) "
			"was "
			"taken.",
			word, b->line + 1, b->from + 1, b->end);
	else if (orders > 1)
		note(p, token,
			"The `%s` of line %d was read to govern all the orders directly below it: %s. Leave a blank "
			"line before an order that does not depend on it.",
			word, b->line + 1, names_of(p, b->orders));
	else
		note(p, token, "The order of line %d was read to depend on the `%s` of line %d.", b->from + 1, word,
			b->line + 1);
}

/* "Otherwise:" or "Otherwise R: hold" after such a block. */
static bool otherwise_follows(struct parser *p, int line)
{
	enum key key;
	int end;

	if (line >= p->lex->line_count || line_opening(p, line) != OPENS_CONDITION)
		return false;
	p->pos = p->lex->lines[line].first;
	p->stop = end = line_end(p, line);
	key = key_here(p);
	if (key != KEY_OTHERWISE && key != KEY_ELSE)
		return false;
	advance(p);
	if (!take_type(p, TOKEN_COLON))
		take_type(p, TOKEN_COMMA);
	return at_end(p) ? opens_order(line_opening(p, next_written(p, line))) : order_begins(p, AT_START);
}

/* p->pos stands behind the word. */
static int read_otherwise(struct parser *p, const struct block *of, int line)
{
	struct block b = {.condition = condition_not(p, of->condition), .line = line, .from = line};

	if (of->condition && of->condition->kind == CONDITION_NOT)
		b.condition = of->condition->left;
	if (at_end(p)) {
		b.from = next_written(p, line);
	} else {
		here(p);
		p->lex->lines[line].first = p->pos;
		p->opens[line] = OPENS_UNKNOWN_YET;
	}
	b.indented = b.from < p->lex->line_count && p->lex->lines[b.from].indent > p->lex->lines[line].indent;
	read_block(p, &b);
	tell_block(p, &b, "otherwise");
	return b.end;
}

/* "Otherwise hold" after a block of one order: the same units. */
static int read_otherwise_clauses(struct parser *p, const struct block *of, int line)
{
	struct sheet *s = p->sheet;
	struct clause *clauses, **end;
	struct condition *not = condition_not(p, of->condition);

	p->pos = p->lex->lines[line].first;
	p->stop = line_end(p, line);
	advance(p);
	clauses = parse_clauses(p, NULL, NULL);
	if (of->condition->kind == CONDITION_NOT)
		not = of->condition->left;
	if (clauses) {
		clauses = govern(p, not, clauses);
		for (end = &s->orders[of->orders].clauses; *end; end = &(*end)->next)
			;
		*end = clauses;
	}
	return line + 1;
}

/* "If they charge us": no order of its own in it, and words that are not about the writer's manners. */
static bool speaks_of_enemy(struct parser *p, int line)
{
	bool enemy = false;

	for (int i = p->lex->lines[line].first; i < line_end(p, line); i++) {
		const struct token *t = &p->lex->tokens[i];

		if (t->type == TOKEN_COMMA || (t->type == TOKEN_WORD && t->word->key == KEY_THEN))
			return false;
		enemy |= t->type == TOKEN_WORD && (t->word->key == KEY_ENEMY || is_word(t, "they"));
	}
	return enemy;
}

bool block_begins(struct parser *p, int line)
{
	int next = next_written(p, line);

	if (next >= p->lex->line_count || !opens_order(line_opening(p, next)))
		return false;
	return condition_hangs(p, line) || (next == line + 1 && speaks_of_enemy(p, line) && !reads_as_order(p, line));
}

/* --- it was meant for what stands above --------------------------------------------------------------------------- */

/* Is it an `if` that looks back: "but only if", or with a blank line or nothing below it "if they are within 6"? */
static bool looks_back(struct parser *p, int line)
{
	const struct token *first = &p->lex->tokens[p->opens_at[line]], *last = last_of(p, line);
	int next = next_written(p, line);
	bool order_below = next < p->lex->line_count && opens_order(line_opening(p, next));

	if (last->type == TOKEN_COLON || last->type == TOKEN_COMMA)
		return false;
	if (first->type == TOKEN_WORD && (first->word->key == KEY_EXCEPT || first->word->key == KEY_ONLY))
		return true;
	if (order_below && next == line + 1)
		return false;
	for (const struct token *t = first; t <= last; t++)
		if (t->type == TOKEN_WORD && t->word->key == KEY_THEY && !is_word(t, "you"))
			return true;
	return !order_below && condition_hangs(p, line);
}

/* Are there orders above, with nothing but blank lines and chatter between? */
static bool order_above(struct parser *p, int line)
{
	if (p->last.end <= p->last.line || p->last.orders_end == p->last.orders ||
		p->last.orders_end != p->sheet->order_count)
		return false;
	for (int i = p->last.end; i < line; i++)
		if (line_opening(p, i) != OPENS_BLANK && line_opening(p, i) != OPENS_OTHER)
			return false;
	return true;
}

/* Does the condition read, so that the two lines make one order? */
static bool condition_reads(struct parser *p, int line)
{
	struct trial t = trial_begin(p);
	struct condition *c = NULL;
	bool reads;

	p->pos = p->opens_at[line];
	p->stop = line_end(p, line);
	reads = parse_lone_if(p, &c) && c;
	trial_end(p, t);
	return reads;
}

static void take_back_last(struct parser *p)
{
	struct sheet *s = p->sheet;
	const struct clause *clauses = s->orders[s->order_count - 1].clauses;

	while (s->order_count > p->last.orders && s->orders[s->order_count - 1].clauses == clauses)
		s->order_count--;
	p->last.orders_end = s->order_count;
	p->given.clauses = NULL;
}

bool ask_for_order_above(struct parser *p, int line)
{
	const struct sheet *s = p->sheet;
	const struct token *above, *first;
	int count = s->problem_count, from = p->opens_at[line];

	if (!order_above(p, line) || !looks_back(p, line))
		return false;
	above = last_of(p, p->last.end - 1);
	first = &p->lex->tokens[from];
	problem(p, PROBLEM_UNREADABLE, from, from + 1, NULL, NULL,
		"Does this belong to the order of line %d? An order must not lose its condition, so that one was not "
		"taken. Write both in one line.",
		above->line + 1);
	if (s->problem_count > count && condition_reads(p, line))
		join_lines(p, above, first);
	take_back_last(p);
	return true;
}

int read_condition_block(struct parser *p, int line)
{
	struct block b = {.line = line, .from = next_written(p, line)};
	int next;

	p->pos = p->opens_at[line];
	p->stop = line_end(p, line);
	if (!parse_lone_if(p, &b.condition)) {
		problem(p, PROBLEM_UNREADABLE, p->pos, p->pos + 1, NULL, NULL,
			"`%s` was not expected in a condition; nothing that depends on it was read.",
			typed_text(p, p->pos, p->pos + 1));
		b.condition = NULL;
	}
	b.indented = p->lex->lines[b.from].indent > p->lex->lines[line].indent;
	read_block(p, &b);
	tell_block(p, &b, "if");
	next = b.end;
	if (next < p->lex->line_count && line_opening(p, next) == OPENS_BLANK &&
		otherwise_follows(p, next_written(p, next)))
		next = next_written(p, next);
	if (otherwise_follows(p, next))
		return read_otherwise(p, &b, next);
	if (b.condition && next < p->lex->line_count && p->sheet->order_count == b.orders + 1 &&
		line_opening(p, next) == OPENS_CONDITION) {
		p->pos = p->lex->lines[next].first;
		p->stop = line_end(p, next);
		if (key_here(p) == KEY_OTHERWISE || key_here(p) == KEY_ELSE)
			return read_otherwise_clauses(p, &b, next);
	}
	return next;
}
