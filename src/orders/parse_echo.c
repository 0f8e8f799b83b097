/* "Price's too", "S: same as K", "same for the Royals": an order again for others. */
#include "orders/lines.h"
#include "orders/parse.h"

#include <string.h>

/* "too", "as well", "also", "likewise", "ditto", "(do) the same (as above)", "same as K"; *as is K's piece, else -1. */
static bool take_likewise(struct parser *p, int *as)
{
	struct match m;
	struct piece_set own;

	static const char *const alone[] = {"too", "also", "likewise", "ditto", "aswell", NULL};
	int before = p->pos;

	*as = -1;
	for (const char *const *w = alone; *w; w++)
		if (is_word_here(p, *w)) {
			advance(p);
			return true;
		}
	if (is_word_here(p, "as") && ahead(p, 1)->type == TOKEN_WORD && strcmp(ahead(p, 1)->word->text, "well") == 0) {
		advance(p);
		advance(p);
		return true;
	}
	take_key(p, KEY_DO);
	take_key(p, KEY_SKIP);
	if (is_word_here(p, "same")) {
		advance(p);
		if (is_word_here(p, "as") && ahead(p, 1)->type == TOKEN_WORD && ahead(p, 1)->key == KEY_OVER) {
			advance(p);
			advance(p);
		} else if (is_word_here(p, "as") && (advance(p), match_piece(p, &m))) {
			own = set_and(m.set, p->own);
			*as = set_size(&own) == 1 ? set_next(&own, 0) : -1;
			if (*as < 0)
				p->pos--;
			else
				p->pos = m.end;
		}
		return true;
	}
	p->pos = before;
	return false;
}

/* "Same for Price's", "do the same with the Royals": who it is for stands behind it. Takes all up to the subject. */
static bool take_same_for(struct parser *p)
{
	int before = p->pos;

	take_key(p, KEY_DO);
	take_key(p, KEY_SKIP);
	if (is_word_here(p, "same") && (is_word_ahead(p, 1, "for") || key_ahead(p, 1) == KEY_WITH)) {
		advance(p);
		advance(p);
		return true;
	}
	p->pos = before;
	return false;
}

/* What the sheet orders that piece so far, by the line read last; nothing when it orders it nothing. */
static struct given given_to(const struct parser *p, int piece)
{
	for (int i = p->sheet->order_count - 1; i >= 0; i--) {
		const struct order *o = &p->sheet->orders[i];

		for (int k = 0; k < o->unit_count; k++)
			if (o->units[k] == piece)
				return (struct given){o->clauses, o->standing};
	}
	return (struct given){NULL, false};
}

/* In the middle of a line a letter is one's own code only as it is written. */
static bool is_sure(struct parser *p, const struct subject *s)
{
	const struct item *item = &s->items[0];
	struct piece_set set = set_and(item->match.set, p->own);
	int own = set_next(&set, 0);

	return item->kind != ITEM_PIECE || !item->match.by_code ||
	       (own >= 0 && is_typed(p, &p->lex->tokens[item->match.from], p->ctx->state->units[own].code));
}

bool echo_begins(struct parser *p, enum place_in_line where)
{
	struct trial t;
	bool echo = false;
	int after, as;

	if (!p->lex->lines[here(p)->line].likewise)
		return false;
	t = trial_begin(p);
	if (take_same_for(p)) {
		echo = parse_subject(p, AT_START, p->look) && subject_has_own(p, p->look) &&
		       (at_end(p) || here(p)->type == TOKEN_NEWLINE || separators_ahead(p, &after));
	} else if (subject_may_begin(p) && parse_subject(p, where, p->look) && subject_has_own(p, p->look) &&
		   (where == AT_START || is_sure(p, p->look))) {
		subject_mark(p, p->look);
		echo = take_likewise(p, &as) &&
		       (at_end(p) || here(p)->type == TOKEN_NEWLINE || separators_ahead(p, &after));
	}
	trial_end(p, t);
	return echo;
}

void read_echo(struct parser *p)
{
	struct subject *s = p->subject;
	int from = p->pos, as = -1;
	bool before = take_same_for(p);

	if (!parse_subject(p, AT_START, s))
		return;
	if (!before) {
		subject_mark(p, s);
		here(p);
		from = p->pos;
		take_likewise(p, &as);
	}
	if (as >= 0)
		p->given = given_to(p, as);
	if (!p->given.clauses)
		problem(p, PROBLEM_UNREADABLE, from, p->pos, NULL, NULL,
			as < 0 ? "`%s`: the same as what? No order was read directly before it."
			       : "`%s`: the same as what? No order for that unit stands above it.",
			typed_text(p, from, p->pos));
	give_order(p, s, p->given.standing, p->given.clauses, ORDER_GIVE);
}

/* Is that all: a move in some direction, so many inches? */
static bool is_lone_move(const struct clause *c)
{
	return c && !c->next && c->kind == CLAUSE_MOVE && c->leg_count == 1 && c->legs[0].kind == LEG_HEADING &&
	       c->legs[0].distance > 0;
}

/* "Barrell's 4" at p->pos, taken: the subject and the distance. */
static bool take_distance(struct parser *p, struct subject *s, int32_t *distance)
{
	int after;

	return subject_may_begin(p) && key_here(p) != KEY_COMPASS && parse_subject(p, IN_MIDDLE, s) &&
	       subject_has_own(p, s) && is_sure(p, s) && parse_distance(p, distance) &&
	       (at_end(p) || here(p)->type == TOKEN_NEWLINE || separators_ahead(p, &after));
}

bool other_distance_begins(struct parser *p, const struct clause *before)
{
	struct trial t;
	int32_t distance;
	bool begins;

	if (!is_lone_move(before) || here(p)->type != TOKEN_WORD)
		return false;
	t = trial_begin(p);
	begins = take_distance(p, p->look, &distance);
	trial_end(p, t);
	return begins;
}

void read_other_distance(struct parser *p)
{
	struct subject *s = p->subject;
	const struct clause *before = p->given.clauses;
	struct clause *move = new_clause(p, CLAUSE_MOVE);
	int32_t distance;

	move->legs = talloc_memdup(p->mem, before->legs, sizeof *before->legs);
	move->leg_count = 1;
	if (take_distance(p, s, &distance))
		move->legs[0].distance = distance;
	p->given.clauses = move;
	give_order(p, s, p->given.standing, move, ORDER_GIVE);
}

/* How many words stand here that ask for what was ordered last turn; 0 for none. */
static int repeat_words(struct parser *p)
{
	static const char *const more[] = {"same", "again", "as", "before", "last", "usual", "turn", "time", "week",
		"on", "going", "the", "order", "orders", "what", "were", "you", "was", "doing", "with", "it", "up",
		NULL};
	static const char *const on[] = {"on", "going", "it", "as", NULL};
	enum { WORDS_MAX = 16 };
	const struct token *first;
	enum key key = key_here(p);
	int n = 0, after = p->pos, words;
	bool begins;

	if (key_is_verb(key) && key != KEY_KEEP)
		return 0;
	while (n < WORDS_MAX && (key_ahead(p, n) == KEY_SKIP || key_ahead(p, n) == KEY_DO))
		n++;
	first = ahead(p, n);
	begins = is_word(first, "same") || is_word(first, "repeat") || is_word(first, "again") ||
		 (is_word(first, "as") && !is_word_ahead(p, n + 1, "far")) || is_word(first, "continue") ||
		 ((key == KEY_CONTINUE || key == KEY_KEEP) && is_among(ahead(p, 1), on));
	for (words = n + 1; begins && words < WORDS_MAX && is_among(ahead(p, words), more);)
		words++;
	after = p->pos + words;
	return begins && (after >= p->stop || p->lex->tokens[after].type != TOKEN_WORD) ? words : 0;
}

bool tell_repeat(struct parser *p)
{
	int words = repeat_words(p);
	bool ordering = p->ordering;

	if (!words)
		return false;
	p->ordering = false; /* no example: what was ordered is not known here */
	problem(p, PROBLEM_UNREADABLE, p->pos, p->pos + words, NULL, NULL,
		"`%s`: an order is for one turn, and older ones are not looked up. Write it again; with `standing` "
		"before it, as `standing %s: fire at nearest`, it stands until it is changed.",
		typed_text(p, p->pos, p->pos + words), example_code(p));
	p->ordering = ordering;
	for (; words > 0; words--)
		advance(p);
	return true;
}
