/* From words to pieces: rules 1 and 5 of the language. */
#include "orders/parse.h"
#include "orders/print.h"

#include <stdio.h>
#include <string.h>

/* No name is longer; so a run of name words costs no more than its length. */
enum { RUN_TOKENS_MAX = 16 };

static const struct token *token_at(const struct parser *p, int i)
{
	return &p->lex->tokens[i];
}

/* The next token after `i` that counts (glued newlines do not), or the index of p->stop. */
static int following(const struct parser *p, int i)
{
	for (i++; i < p->stop; i++) {
		if (i == p->hole_from)
			i = p->hole_to;
		if (i < p->stop && (token_at(p, i)->type != TOKEN_NEWLINE || token_at(p, i)->number != NEWLINE_GLUES))
			break;
	}
	return i < p->stop ? i : p->stop;
}

static const struct word *word_at(const struct parser *p, int i)
{
	return i < p->stop && token_at(p, i)->type == TOKEN_WORD ? token_at(p, i)->word : NULL;
}

static enum token_type type_at(const struct parser *p, int i)
{
	return i < p->stop ? token_at(p, i)->type : TOKEN_END;
}

/* "Lt. Gen. Henry", "Fitz-James": a mark that may stand between two words of one name. */
static bool joins_words(const struct parser *p, int i)
{
	const struct token *t = token_at(p, i), *next = i + 1 < p->stop ? token_at(p, i + 1) : NULL;

	if (i >= p->stop || !next)
		return false;
	if (t->type == TOKEN_STOP)
		return t->mark == '.' && token_at(p, i - 1)->type == TOKEN_WORD && token_at(p, i - 1)->length <= 4;
	return t->type == TOKEN_DASH && !t->spaced && !next->spaced;
}

/* "the Frasers' clan", "Barrell's men" */
static bool is_unit_word(const struct word *w)
{
	return w->key == KEY_CLAN || w->key == KEY_MEN;
}

static bool is_bracket(enum token_type t)
{
	return t == TOKEN_OPEN || t == TOKEN_CLOSE || t == TOKEN_QUOTE;
}

/* Words inside a name that say nothing: brackets, quotes, commas in brackets, "clan", "of". */
static int pass_fillers(const struct parser *p, int i, bool inside)
{
	for (int first = i; i - first <= RUN_TOKENS_MAX; i = following(p, i)) {
		const struct word *w = word_at(p, i);
		enum token_type type = type_at(p, i);

		if (!is_bracket(type) && !(inside && type == TOKEN_COMMA) &&
			!(w && (is_unit_word(w) || w->key == KEY_OF)) && !joins_words(p, i))
			break;
		inside = type == TOKEN_OPEN || (inside && type != TOKEN_CLOSE);
	}
	return i;
}

/* A run of words that are all words of one piece's name. */
struct run {
	struct piece_set set;
	int end;   /* after its last word that counts, closing bracket included */
	int words; /* how many count */
	bool strong, whole;
};

static bool bracket_open(const struct parser *p, int from, int to)
{
	int depth = 0;

	for (int i = from; i < to && i < p->stop; i++)
		depth += (type_at(p, i) == TOKEN_OPEN) - (type_at(p, i) == TOKEN_CLOSE);
	return depth > 0;
}

static void pass_unit_words(const struct parser *p, int from, struct run *r)
{
	while (word_at(p, r->end) && is_unit_word(word_at(p, r->end)) && r->end - from <= RUN_TOKENS_MAX)
		r->end = following(p, r->end);
}

static void close_run(const struct parser *p, int from, struct run *r)
{
	if (bracket_open(p, from, r->end))
		pass_unit_words(p, from, r); /* "(Perth's Regiment)" */
	if (type_at(p, r->end) == TOKEN_CLOSE && bracket_open(p, from, r->end))
		r->end = following(p, r->end);
	if (type_at(p, r->end) == TOKEN_QUOTE && from > 0 && token_at(p, from - 1)->type == TOKEN_QUOTE)
		r->end = following(p, r->end);
	pass_unit_words(p, from, r);
}

/* Pieces of the set whose names have a further word: "Holdsworth's hold" is no name of two words. */
static struct piece_set with_more_words(const struct parser *p, struct piece_set set, int words)
{
	struct piece_set longer = {0};

	for (int i = set_next(&set, 0); i >= 0; i = set_next(&set, i + 1))
		if (names_word_count(p->names, i) > words)
			set_add(&longer, i);
	return longer;
}

/* Pieces of the set whose whole name these words are. */
static struct piece_set whole_names(const struct parser *p, struct piece_set exact, int words)
{
	struct piece_set whole = {0};

	for (int i = set_next(&exact, 0); i >= 0; i = set_next(&exact, i + 1))
		if (names_word_count(p->names, i) == words)
			set_add(&whole, i);
	return whole;
}

/* Of several pieces of a name the one with that number: "Atholls 1" for the 1st Atholls. */
static struct piece_set numbered(const struct parser *p, const struct token *t, struct piece_set set)
{
	static const char *const names[] = {"1st", "2nd", "3rd"};

	if (t->type != TOKEN_NUMBER || t->number % 1000 != 0 || t->number < 1000 || t->number > 3000)
		return (struct piece_set){0};
	return set_and(set, names_word(p->names, names[t->number / 1000 - 1], 3)->exact);
}

/* A number behind such a name, where no distance can be meant. */
static void take_ordinal(const struct parser *p, struct run *r)
{
	int after = following(p, r->end);
	const struct word *w = word_at(p, after);
	enum token_type next = type_at(p, after);
	struct piece_set set;

	if (r->end >= p->stop || !set_several(&r->set))
		return;
	set = numbered(p, token_at(p, r->end), r->set);
	if (set_empty(&set) ||
		!(next == TOKEN_COLON || next == TOKEN_COMMA || next == TOKEN_AND || next == TOKEN_NEWLINE ||
			next == TOKEN_STOP || next == TOKEN_SEMICOLON || next == TOKEN_END ||
			(w && (key_is_verb(w->key) || w->key == KEY_AND || w->key == KEY_THEN))))
		return;
	r->set = set;
	r->end = after;
}

static bool match_words(const struct parser *p, int from, struct run *r)
{
	struct piece_set outside = p->everything, exact = p->everything, all = p->everything, whole;
	int i = from;

	*r = (struct run){.end = from};
	for (;;) {
		int next = r->words ? pass_fillers(p, i, bracket_open(p, from, i)) : i;
		const struct word *w = word_at(p, next);
		struct piece_set narrowed;

		if (!w || set_empty(&w->part) || next - from > RUN_TOKENS_MAX || (w->ordinal && r->words))
			break;
		narrowed = set_and(all, w->part);
		if (!set_empty(&narrowed) && r->words && w->key != KEY_AND && w->key != KEY_OF)
			narrowed = with_more_words(p, narrowed, r->words);
		if (set_empty(&narrowed))
			break;
		all = narrowed;
		if (w->key == KEY_AND || w->key == KEY_OF) {
			i = following(p, next);
			continue;
		}
		exact = set_and(exact, w->exact);
		outside = set_and(outside, w->outside);
		r->strong |= w->strong;
		r->words++;
		r->set = all;
		i = r->end = following(p, next);
	}
	if (!r->words)
		return false;
	whole = whole_names(p, set_and(exact, r->set), r->words);
	if (!set_empty(&whole)) {
		r->set = whole;
		r->strong = true;
		r->whole = r->words > 1;
	} else if (!set_empty(&outside)) {
		r->set = set_and(r->set, set_or(outside, exact));
	}
	close_run(p, from, r);
	if (r->strong)
		take_ordinal(p, r);
	return r->strong;
}

/* The number of a gun, at `at`. */
static bool match_gun_number(const struct parser *p, int from, int at, struct match *m)
{
	char code[16];

	const struct word *w = word_at(p, at);
	int number = type_at(p, at) == TOKEN_NUMBER ? token_at(p, at)->number
		     : w && w->key == KEY_NUMBER    ? w->value * 1000
						    : -1;

	if (number < 0 || number % 1000 != 0)
		return false;
	snprintf(code, sizeof code, "%d", number / 1000);
	*m = (struct match){.from = from, .end = following(p, at), .by_code = true};
	for (int i = set_next(&p->guns, 0); i >= 0; i = set_next(&p->guns, i + 1))
		if (strcmp(p->ctx->state->units[i].code, code) == 0)
			set_add(&m->set, i);
	return !set_empty(&m->set);
}

/* gun = ("gun" | "cannon") ["no" | "number" | "#"] number */
static bool match_gun(const struct parser *p, int from, struct match *m)
{
	const struct word *w = word_at(p, from), *before;
	int number = following(p, from);

	if (!w || (w->key != KEY_GUN && w->key != KEY_GUNS))
		return false;
	before = word_at(p, number);
	if (type_at(p, number) == TOKEN_HASH ||
		(before && (before->key == KEY_NO || strcmp(before->text, "number") == 0))) {
		number = following(p, number);
		if (before && type_at(p, number) == TOKEN_STOP)
			number = following(p, number); /* "no. 1" */
	}
	return match_gun_number(p, from, number, m);
}

bool match_next_gun(struct parser *p, struct match *m)
{
	here(p);
	return match_gun_number(p, p->pos, p->pos, m);
}

bool match_next_ordinal(struct parser *p, const struct match *before, struct match *m)
{
	const struct token *name = token_at(p, before->from);

	here(p);
	if (name->type != TOKEN_WORD || token_at(p, before->end - 1)->type != TOKEN_NUMBER)
		return false;
	*m = (struct match){.set = numbered(p, here(p), name->word->part), .from = p->pos, .end = p->pos + 1};
	return !set_empty(&m->set);
}

/* A code, with the name beside it if there is one: "j (Camerons)", "R Barrell's", a table's cells. */
static bool match_code(const struct parser *p, int from, struct match *m)
{
	const struct word *w = word_at(p, from);
	int name = following(p, from);
	struct run r;

	if (!w || (set_empty(&w->code) && set_empty(&w->id)))
		return false;
	*m = (struct match){.set = set_empty(&w->code) ? w->id : w->code, .from = from, .end = name, .by_code = true};
	while (name - from <= RUN_TOKENS_MAX &&
		(is_bracket(type_at(p, name)) || type_at(p, name) == TOKEN_TAB || type_at(p, name) == TOKEN_DASH ||
			(word_at(p, name) && is_unit_word(word_at(p, name)))))
		name = following(p, name);
	if (match_words(p, name, &r)) {
		struct piece_set both = set_and(m->set, r.set);

		if (!set_empty(&both)) {
			m->set = both;
			m->end = type_at(p, r.end) == TOKEN_CLOSE ? following(p, r.end) : r.end;
		}
	}
	return true;
}

/* A code beside the name: "Camerons (j)". */
static void pass_code_beside(const struct parser *p, struct match *m)
{
	int i = m->end;
	bool bracket = type_at(p, i) == TOKEN_OPEN;
	const struct word *w;
	struct piece_set both;

	if (bracket || type_at(p, i) == TOKEN_TAB)
		i = following(p, i);
	w = word_at(p, i);
	if (!w || set_empty(&w->code))
		return;
	both = set_and(m->set, w->code);
	if (set_empty(&both))
		return;
	i = following(p, i);
	if (bracket && type_at(p, i) != TOKEN_CLOSE)
		return;
	m->set = both;
	m->end = bracket ? following(p, i) : i;
}

/* "their", "enemy", "our", "Jacobite": a word before a name that says whose it is; a referee has no enemy. */
static bool says_whose(const struct parser *p, const struct word *w, struct piece_set *whose)
{
	bool their = w->key == KEY_ENEMY || (w->key == KEY_SKIP && strcmp(w->text, "their") == 0);
	bool our = w->key == KEY_SKIP && (strcmp(w->text, "our") == 0 || strcmp(w->text, "my") == 0);

	if (w->key == KEY_SIDE)
		*whose = w->value == (int)p->ctx->side ? p->own : p->enemy;
	else if ((our || their) && !p->ctx->referee)
		*whose = our ? p->own : p->enemy;
	return w->key == KEY_SIDE || their || our;
}

/* The place of the name behind such words; *whose is left alone when none of them tells. */
static int pass_leading(const struct parser *p, int i, struct piece_set *whose)
{
	for (int first = i; i - first <= RUN_TOKENS_MAX;) {
		const struct word *w = word_at(p, i);
		int next;

		if (w && w->key == KEY_SIDE && w->named && i == first)
			return i; /* a name's own word */
		if (type_at(p, i) == TOKEN_QUOTE || (w && (says_whose(p, w, whose) || w->key == KEY_SKIP))) {
			i = following(p, i);
			continue;
		}
		if (!w || w->key != KEY_CLAN)
			return i;
		next = following(p, i);
		if (!word_at(p, next) || !word_at(p, next)->named)
			return i;
		i = next;
	}
	return i;
}

static bool wants_piece(enum key key)
{
	return key == KEY_FIRE || key == KEY_AT || key == KEY_CHARGE || key == KEY_MELEE || key == KEY_JOIN ||
	       key == KEY_IF || key == KEY_WITH || key == KEY_TOWARD || key == KEY_FACE || key == KEY_AND ||
	       key == KEY_THEN || key == KEY_OR || key == KEY_NOT || key == KEY_TO || key == KEY_UNLESS;
}

/* What ends a target or begins a condition or an order behind a piece. */
static bool piece_may_end(const struct parser *p, int at)
{
	const struct word *w = word_at(p, at);
	enum token_type type = type_at(p, at);

	return type == TOKEN_END || type == TOKEN_NEWLINE || type == TOKEN_COMMA || type == TOKEN_SEMICOLON ||
	       type == TOKEN_COLON || type == TOKEN_STOP || type == TOKEN_AND ||
	       (w != NULL && (w->key == KEY_AND || w->key == KEY_OR || w->key == KEY_THEN || w->key == KEY_IF ||
				     w->key == KEY_WITHIN || w->key == KEY_FIRST || w->key == KEY_GONE ||
				     w->key == KEY_OTHERWISE || w->key == KEY_BE));
}

/* A number as a code, which only a case has: where a subject stands, behind a word that wants a piece, or in a list
 * behind one. */
static bool match_number(const struct parser *p, int from, struct match *m)
{
	const struct token *before = from > 0 ? token_at(p, from - 1) : NULL;
	int end = following(p, from);
	enum token_type type = type_at(p, end);
	bool first = before == NULL || before->type == TOKEN_NEWLINE;
	bool subject = type == TOKEN_COLON || (first && (type == TOKEN_COMMA || type == TOKEN_AND));
	char code[16];

	if (!p->ctx->numbers_name || type_at(p, from) != TOKEN_NUMBER || !piece_may_end(p, end))
		return false;
	if (!subject && (first || (before->type == TOKEN_WORD && !wants_piece(before->word->key))))
		return false;
	snprintf(code, sizeof code, "%d", token_at(p, from)->number / 1000);
	if (!is_typed(p, token_at(p, from), code))
		return false;
	*m = (struct match){.from = from, .end = end, .by_code = true};
	for (int i = 0; i < p->ctx->state->count; i++)
		if (strcmp(p->ctx->state->units[i].code, code) == 0)
			set_add(&m->set, i);
	return !set_empty(&m->set);
}

/* gun, code or name, without what may stand before it */
static bool match_bare(const struct parser *p, int from, struct match *m)
{
	struct run r;
	bool code;

	if (match_gun(p, from, m) || match_number(p, from, m))
		return true;
	code = match_code(p, from, m);
	if (match_words(p, from, &r) && (!code || r.end > m->end || r.whole)) {
		*m = (struct match){.set = r.set, .from = from, .end = r.end, .whole = r.whole};
		pass_code_beside(p, m);
		return true;
	}
	return code;
}

bool match_piece(struct parser *p, struct match *m)
{
	struct piece_set whose = p->everything, narrowed;
	int from;

	here(p);
	from = pass_leading(p, p->pos, &whose);
	if (!match_bare(p, from, m))
		return false;
	narrowed = set_and(m->set, whose);
	if (!set_empty(&narrowed))
		m->set = narrowed;
	return true;
}

bool match_whole(struct parser *p, struct match *m)
{
	const struct token *t = here(p);

	return t->type == TOKEN_WORD && t->word->key != KEY_NONE && !set_empty(&t->word->exact) && match_piece(p, m) &&
	       m->whole;
}

struct piece_set role_set(struct parser *p, enum role role)
{
	switch (role) {
	case ROLE_OWN:
		return p->own;
	case ROLE_ENEMY:
		return p->enemy;
	case ROLE_OWN_FORMED:
		return set_without(set_without(p->own, p->commanders), p->guns);
	case ROLE_OWN_COMMANDER:
		return set_and(p->own, p->commanders);
	case ROLE_EITHER:
		break;
	}
	return p->everything;
}

bool is_typed(const struct parser *p, const struct token *t, const char *name)
{
	return strlen(name) == t->length && memcmp(name, p->lex->text + t->offset, t->length) == 0;
}

/* Of several pieces with one code, those whose code or id is exactly what was typed. */
static struct piece_set same_case(const struct parser *p, const struct match *m, struct piece_set set)
{
	const struct token *t = token_at(p, m->from);
	struct piece_set same = {0};

	for (int i = set_next(&set, 0); i >= 0; i = set_next(&set, i + 1)) {
		const char *code = p->ctx->state->units[i].code;

		const char *id = p->ctx->state->units[i].id;

		if (is_typed(p, t, code) || is_typed(p, t, id))
			set_add(&same, i);
	}
	return same;
}

static void tell_wrong_role(struct parser *p, const struct match *m, enum role role)
{
	int first = set_next(&m->set, 0);
	const char *name = piece_english(p->mem, p->ctx->state, first);

	if (role == ROLE_ENEMY)
		problem(p, PROBLEM_NOT_YOURS, m->from, m->end, NULL, NULL,
			"%s is your own; here an enemy must be named.", name);
	else if (set_has(&p->own, first))
		problem(p, PROBLEM_WRONG_KIND, m->from, m->end, NULL, NULL, "%s is %s; here %s must be named.", name,
			set_has(&p->commanders, first)                 ? "a commander"
			: p->ctx->state->units[first].kind == KIND_GUN ? "a gun"
								       : "a unit",
			role == ROLE_OWN_COMMANDER ? "a commander" : "a unit of foot or horse");
	else
		problem(p, PROBLEM_NOT_YOURS, m->from, m->end, NULL, NULL,
			"%s is the enemy's; here one of your own must be named.", name);
}

/* "f: hold", where F is one's own and f the enemy's: rule 5 takes one's own, and it is said. */
static void note_other_case(struct parser *p, const struct match *m, int own)
{
	struct piece_set enemies;

	if (!m->by_code || m->end != m->from + 1 ||
		is_typed(p, &p->lex->tokens[m->from], p->ctx->state->units[own].code))
		return;
	enemies = set_and(m->set, p->enemy);
	if (!set_empty(&enemies))
		note(p, m->from, "%s was read as your %s.", typed_text(p, m->from, m->end),
			piece_english(p->mem, p->ctx->state, own));
}

/* "Stewarts" for Stuarts: said, since it is not the name that the roster has. */
static void note_spelling(struct parser *p, const struct match *m, int piece)
{
	for (int i = m->from; i < m->end; i++)
		if (token_at(p, i)->type == TOKEN_WORD && token_at(p, i)->word->respelt) {
			note(p, m->from, "%s was read as %s.", typed_text(p, m->from, m->end),
				piece_english(p->mem, p->ctx->state, piece));
			return;
		}
}

struct piece_set his_of_side(struct parser *p, struct piece_set set)
{
	struct piece_set his = {0};

	for (int i = set_next(&set, 0); i >= 0; i = set_next(&set, i + 1))
		if (may_order(p, i))
			set_add(&his, i);
	return set_empty(&his) ? set : his;
}

/* Of units of one name the one that he commands, since no order of his can be for another's; said. */
static struct piece_set his_of_name(struct parser *p, const struct match *m, struct piece_set set)
{
	struct piece_set his = his_of_side(p, set);

	if (set_several(&set) && !set_several(&his))
		note(p, m->from, "%s was read as your %s.", typed_text(p, m->from, m->end),
			piece_english(p->mem, p->ctx->state, set_next(&his, 0)));
	return his;
}

/* "Atholls: hold", of two units of the name: a group may be written there, which is at a line's start only. */
static bool may_be_several(const struct parser *p, const struct match *m, const struct piece_set *set)
{
	struct piece_set commanders = set_and(*set, p->commanders);

	for (int i = p->lex->lines[token_at(p, m->from)->line].first; i < m->from; i++)
		if (key_is_verb(token_at(p, i)->key) || type_at(p, i) == TOKEN_COLON || type_at(p, i) == TOKEN_STOP ||
			type_at(p, i) == TOKEN_SEMICOLON)
			return false;
	return set_empty(&commanders) && !m->by_code;
}

int bind_piece(struct parser *p, const struct match *m, enum role role)
{
	struct piece_set set = set_and(m->set, role_set(p, role)), same;

	if (set_empty(&set)) {
		tell_wrong_role(p, m, role);
		return -1;
	}
	if (m->by_code && set_several(&set)) {
		same = same_case(p, m, set);
		if (!set_empty(&same)) {
			if (set_size(&same) == 1 && role == ROLE_EITHER)
				note(p, m->from, "%s was taken for %s.", typed_text(p, m->from, m->from + 1),
					piece_english(p->mem, p->ctx->state, set_next(&same, 0)));
			set = same;
		}
	}
	if (role == ROLE_OWN)
		set = his_of_name(p, m, set);
	if (set_several(&set)) {
		bool several = role == ROLE_OWN && may_be_several(p, m, &set);
		int failures = p->failures;

		problem(p, PROBLEM_AMBIGUOUS, m->from, m->end, NULL, NULL, "%s could be %s. Which one%s?",
			typed_text(p, m->from, m->end), ask_between(p, &set),
			!several              ? ""
			: set_size(&set) == 2 ? ", or both"
					      : ", or all of them");
		suggest_choices(p, failures, &set, several);
		return -1;
	}
	if (role == ROLE_OWN)
		note_other_case(p, m, set_next(&set, 0));
	note_spelling(p, m, set_next(&set, 0));
	return set_next(&set, 0);
}

void take_kind_beside(struct parser *p, struct match *m)
{
	struct piece_set fit = {0};

	if (m->by_code || !key_is_kind(key_here(p)))
		return;
	for (int i = set_next(&m->set, 0); i >= 0; i = set_next(&m->set, i + 1))
		if (unit_is_of_kind(&p->ctx->state->units[i], key_here(p)))
			set_add(&fit, i);
	if (set_empty(&fit))
		return;
	m->set = fit;
	advance(p);
}

int want_piece(struct parser *p, enum role role, const char *expected)
{
	struct match m;
	int from, piece;

	if (match_piece(p, &m)) {
		p->pos = m.end;
		take_kind_beside(p, &m);
		piece = bind_piece(p, &m, role);
		mention_piece(p, piece);
		if (piece >= 0)
			check_target(p, piece, m.from);
		return piece;
	}
	if (pronoun_begins(p))
		return want_pronoun(p, role);
	if ((role == ROLE_EITHER || role == ROLE_ENEMY) && tell_vague_piece(p)) {
		mention_piece(p, -1);
		return -1;
	}
	here(p);
	from = p->pos;
	while (here(p)->type == TOKEN_WORD && !key_is_verb(key_here(p)) && !condition_begins(p) && p->pos < from + 4 &&
		(key_here(p) == KEY_NONE || key_here(p) == KEY_SKIP || key_here(p) == KEY_ENEMY ||
			key_here(p) == KEY_FOOT || key_here(p) == KEY_HORSE || key_here(p) == KEY_DRAGOONS ||
			key_here(p) == KEY_GUNS || key_here(p) == KEY_CLAN))
		advance(p);
	unknown_piece(p, from, p->pos > from ? p->pos : from + 1, role, expected);
	mention_piece(p, -1);
	return -1;
}
