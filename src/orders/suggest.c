/* What to write instead, where no single word is to be changed: an example of the same kind of order in a form that
 * can be read. A unit in melee is shown nothing but what it can do there. */
#include "orders/lines.h"
#include "orders/parse.h"
#include "orders/print.h"

#include <string.h>

enum { SHORTENED_MAX = 160 };

static bool is_condition_key(enum key key)
{
	return key == KEY_IF || key == KEY_UNLESS || key == KEY_WITHIN;
}

/* Did the problem's unit get an order from the same line? Then the rest counts, and the message says what does not. */
static bool partly_understood(const struct sheet *s, const struct problem *q)
{
	for (int i = 0; i < s->order_count; i++) {
		const struct order *o = &s->orders[i];

		for (int k = 0; o->line == q->line && o->clauses && k < o->unit_count; k++)
			if (o->units[k] == q->unit)
				return true;
	}
	return false;
}

/* The key of an order word, "chrage" taken for "charge" where that is what the problem is about. */
static enum key verb_meant(struct parser *p, const struct token *t, const struct problem *q)
{
	const char *word =
		t->type == TOKEN_WORD && t->key == KEY_NONE && t->offset == q->offset ? nearest_word(p, t, true) : NULL;
	bool inflected;

	return word ? vocabulary_find(word, strlen(word), &inflected)->key : t->key;
}

/* The order word that the problem belongs to: the one at it or next behind it; if none follows, or it is an "until",
 * the one before it. *condition when the line has one that can be said otherwise. */
static enum key verb_of(struct parser *p, const struct problem *q, bool *condition)
{
	static const char *const turns[] = {"last", "this", "next", "every", "each", NULL};
	static const char *const comes[] = {"come", "comes", "get", "gets", NULL};
	enum key before = KEY_NONE, behind = KEY_NONE, key;
	bool until = false;

	*condition = false;
	for (int i = p->lex->lines[q->line - 1].first; p->lex->tokens[i].type > TOKEN_NEWLINE; i++) {
		const struct token *t = &p->lex->tokens[i];

		*condition |= is_condition_key(t->key);
		until |= t->key == KEY_UNTIL && t->offset == q->offset;
		if (t->key == KEY_TURN && i > 0 && is_among(&t[-1], turns))
			continue; /* "same as last turn" */
		if (*condition && t->type == TOKEN_WORD && is_among(t, comes))
			continue; /* "if they come close" */
		key = verb_meant(p, t, q);
		if (key_is_verb(key) && t->offset < q->offset)
			before = key;
		else if (key_is_verb(key) && behind == KEY_NONE)
			behind = key;
	}
	*condition &= !until;
	return behind == KEY_NONE || (until && before != KEY_NONE) ? before : behind;
}

/* "back", "left", "north": where the line says that the unit goes; NULL for nowhere. */
static const char *way_of(struct parser *p, int line)
{
	for (int i = p->lex->lines[line].first; p->lex->tokens[i].type > TOKEN_NEWLINE; i++) {
		const struct token *t = &p->lex->tokens[i];

		if (t->key == KEY_FORWARD)
			return "forward";
		if (t->key == KEY_BACK || t->key == KEY_RETIRE || t->key == KEY_FALL)
			return "back";
		if (t->key == KEY_LEFT || t->key == KEY_RIGHT || (t->key == KEY_COMPASS && t->length > 2))
			return t->word->text;
	}
	return NULL;
}

/* "toward E", where the line says that the unit goes to that piece; NULL for none. Behind "to" alone E would be east.
 */
static const char *piece_way_of(struct parser *p, int line)
{
	int before = p->pos;
	const char *way = NULL;
	struct match m;

	for (p->pos = p->lex->lines[line].first; !way && p->lex->tokens[p->pos].type > TOKEN_NEWLINE; p->pos++) {
		enum key key = p->lex->tokens[p->pos].key;
		int at = p->pos, unit;

		if (key != KEY_TO && key != KEY_TOWARD)
			continue;
		advance(p);
		while (key_here(p) == KEY_SKIP)
			advance(p);
		if (match_piece(p, &m) && (m.by_code || !set_several(&m.set)) && (unit = meant_piece(p, &m)) >= 0)
			way = talloc_asprintf(
				p->work, "toward %s", piece_sure(p->work, p->ctx->state, unit, p->ctx->side));
		p->pos = at;
	}
	p->pos = before;
	return way;
}

static bool is_way_key(enum key key)
{
	return key >= KEY_COMPASS && key <= KEY_ABOUT;
}

/* How far the line says that the unit goes: a number beside its verb or its way; "4" when there is none. */
static const char *distance_of(struct parser *p, const struct problem *q)
{
	for (int i = p->lex->lines[q->line - 1].first + 1; p->lex->tokens[i].type > TOKEN_NEWLINE; i++) {
		const struct token *t = &p->lex->tokens[i], *next = &t[1];

		if (t->type != TOKEN_NUMBER && t->key != KEY_NUMBER)
			continue;
		next += next->key == KEY_INCHES;
		if (next->type != TOKEN_NUMBER &&
			(key_is_verb(verb_meant(p, &t[-1], q)) || is_way_key(t[-1].key) || is_way_key(next->key)))
			return typed_text(p, i, i + 1);
	}
	return "4";
}

/* Does the line leave some out? Then an example for all of them would be another order. */
static bool excepts(struct parser *p, int line)
{
	for (int i = p->lex->lines[line].first; p->lex->tokens[i].type > TOKEN_NEWLINE; i++) {
		const struct token *t = &p->lex->tokens[i];

		if ((t->key == KEY_EXCEPT || is_word(t, "apart") || is_word(t, "without")) &&
			!is_condition_key(t[1].key))
			return true;
	}
	return false;
}

/* Does the line say what is not to be done? Then an example must not do it. */
static bool forbids(struct parser *p, int line)
{
	for (int i = p->lex->lines[line].first; p->lex->tokens[i].type > TOKEN_NEWLINE; i++)
		if (p->lex->tokens[i].key == KEY_NOT || p->lex->tokens[i].key == KEY_NO)
			return true;
	return false;
}

static const char *clause_like(enum key verb, bool locked, bool commander)
{
	switch (verb) {
	case KEY_FIRE:
	case KEY_OPEN:
		return commander ? "hold" : "fire at nearest";
	case KEY_CHARGE:
	case KEY_MELEE:
	case KEY_PURSUE:
		return locked || commander ? "hold" : "charge nearest";
	case KEY_MOVE:
	case KEY_ADVANCE:
	case KEY_STEP:
		return locked ? "hold" : "move 4 forward";
	case KEY_RETIRE:
	case KEY_FALL:
		return locked ? "hold" : "move 4 back";
	case KEY_FACE:
	case KEY_TURN:
	case KEY_WHEEL:
		return locked ? "hold" : "turn left";
	default:
		return "hold";
	}
}

/* Is the unit ordered to leave its melee, by any of these? */
static bool leaves_melee(const struct clause *c)
{
	for (; c; c = c->next)
		if (c->kind == CLAUSE_MOVE || c->kind == CLAUSE_FACE || c->kind == CLAUSE_CHARGE ||
			(c->kind == CLAUSE_IF && (leaves_melee(c->then) || leaves_melee(c->otherwise))))
			return true;
	return false;
}

/* Does the line read, and ask nothing of its unit that one in melee cannot do? */
static bool is_good(struct parser *p, const struct problem *q, const char *line)
{
	struct orders_context context = *p->ctx;
	struct sheet *s;
	bool good;

	context.sheet = NULL;
	context.names = p->names;
	s = read_again(p->work, line, strlen(line), &context);
	good = s->problem_count == 0 && s->order_count > 0;
	for (int i = 0; q->locked && i < s->order_count; i++)
		good &= !leaves_melee(s->orders[i].clauses);
	talloc_free(s);
	return good;
}

static bool says_way(enum key key)
{
	return (key >= KEY_COMPASS && key <= KEY_ABOUT) || key == KEY_TO || key == KEY_TOWARD || key == KEY_AWAY;
}

/* The problem's line without what it is about, or without all from there to the next mark. NULL where a condition or a
 * "not" could get lost with it. */
static const char *line_without(struct parser *p, const struct problem *q, bool rest)
{
	const struct text_line *line = &p->lex->lines[q->line - 1];
	size_t from = q->offset, to = q->offset + q->length, end = line->offset + line->length;

	if (q->kind != PROBLEM_UNREADABLE || from < line->offset || to > end || line->length > SHORTENED_MAX)
		return NULL;
	for (int i = line->first; p->lex->tokens[i].type > TOKEN_NEWLINE; i++) {
		const struct token *t = &p->lex->tokens[i];

		if (is_condition_key(t->key) || t->key == KEY_UNTIL || t->key == KEY_NOT || t->key == KEY_NO ||
			t->key == KEY_OTHERWISE)
			return NULL;
		if ((t->type == TOKEN_NUMBER || t->key == KEY_NUMBER) && t->offset >= from && (rest || t->offset < to))
			return NULL; /* without its number a move would go farther */
		if (t->offset >= from && (rest || t->offset < to) && says_way(t->key))
			return NULL; /* without its "back" it would go elsewhere */
		if (t->offset >= to && t->key == KEY_TO && t[1].key == KEY_COMPASS && t[1].length == 1)
			return NULL; /* without its "close" the letter would be a direction */
		if (rest && t->offset >= to && (t->type == TOKEN_SEMICOLON || t->type == TOKEN_STOP)) {
			to = t->offset;
			rest = false;
		}
	}
	if (rest)
		to = end;
	while (from > line->offset && (p->lex->text[from - 1] == ' ' || p->lex->text[from - 1] == ','))
		from--;
	return talloc_asprintf(p->sheet, "%.*s%.*s", (int)(from - line->offset), p->lex->text + line->offset,
		(int)(end - to), p->lex->text + to);
}

/* A shorter line that reads, if there is one. */
static const char *shortened(struct parser *p, const struct problem *q)
{
	const char *line = line_without(p, q, false);

	if (!line || !is_good(p, q, line))
		line = line_without(p, q, true);
	return line && is_good(p, q, line) ? line : NULL;
}

/* "charge c", "fire at the Camerons": where an enemy stands, were it a letter. */
static bool is_target(struct parser *p, const struct token *t)
{
	enum key before;

	if (t > p->lex->tokens && t[-1].key == KEY_SKIP)
		t--;
	before = t > p->lex->tokens ? t[-1].key : KEY_NONE;
	return before == KEY_AT || before == KEY_ON || before == KEY_CHARGE || before == KEY_FIRE;
}

/* The enemy that the line names, or nearly names, first; with `aimed` directly behind a verb. -1 for none. */
static int enemy_of_line(struct parser *p, int line, bool aimed)
{
	int before = p->pos, enemy = -1;
	struct match m;

	for (p->pos = p->lex->lines[line].first; enemy < 0 && p->lex->tokens[p->pos].type > TOKEN_NEWLINE; p->pos++) {
		const struct token *t = &p->lex->tokens[p->pos];
		struct piece_set enemies = {0};

		if (aimed && !is_target(p, t))
			continue;
		if (match_piece(p, &m) && (!m.by_code || is_target(p, t)))
			enemies = set_and(m.set, p->enemy);
		else if (t->type == TOKEN_WORD && t->key == KEY_NONE && t->length >= 5)
			enemies = names_nearest(p->names, t->word, &p->enemy);
		enemy = set_several(&enemies) ? -1 : set_next(&enemies, 0);
	}
	p->pos = before;
	return enemy;
}

static const char *pattern(struct parser *p, const struct problem *q)
{
	bool condition;
	enum key verb = verb_of(p, q, &condition);
	const char *clause = clause_like(verb, q->locked, set_has(&p->commanders, q->unit));
	int enemy = enemy_of_line(p, q->line - 1, false);
	int target = condition ? enemy_of_line(p, q->line - 1, true) : enemy;
	const char *way = way_of(p, q->line - 1), *toward = way ? NULL : piece_way_of(p, q->line - 1);

	if (forbids(p, q->line - 1)) {
		clause = "hold";
	} else if (strncmp(clause, "move 4 f", 8) == 0 && toward) {
		clause = talloc_asprintf(p->work, "move %s %s", distance_of(p, q), toward);
	} else if (strncmp(clause, "move", 4) == 0) {
		clause =
			talloc_asprintf(p->work, "move %s %s", distance_of(p, q), way ? way : strrchr(clause, ' ') + 1);
	} else if (target >= 0 && (strcmp(clause, "charge nearest") == 0 || strcmp(clause, "fire at nearest") == 0)) {
		clause = talloc_asprintf(p->work, "%s %s", *clause == 'c' ? "charge" : "fire at",
			piece_sure(p->work, p->ctx->state, target, p->ctx->side));
	}
	if (condition && enemy < 0)
		enemy = enemy_nearest_to(p, q->unit, KEY_ENEMY, NULL);
	if (!condition || enemy < 0)
		return talloc_asprintf(p->sheet, "%s: %s", q->subject, clause);
	return talloc_asprintf(p->sheet, "%s: if %s within 6 then %s", q->subject,
		piece_sure(p->work, p->ctx->state, enemy, p->ctx->side), clause);
}

void suggest_for_unit(struct parser *p, int failures_before, int unit)
{
	struct problem *last, q;
	const char *line;

	if (p->trial || p->proving || p->full || p->failures == failures_before)
		return;
	last = &p->sheet->problems[p->sheet->problem_count - 1];
	if (excepts(p, last->line - 1))
		return;
	q = *last;
	q.unit = unit;
	q.subject = piece_code(p->sheet, p->ctx->state, unit);
	q.locked = state_locked(p->ctx->state, unit);
	line = pattern(p, &q);
	if (strcmp(strrchr(line, ':'), ": hold") == 0 || !is_good(p, &q, line))
		return;
	suggest_line(p, failures_before, line);
	last->example = true;
}

/* What another problem of the line has: both are mended in it. */
static const char *of_same_line(struct parser *p, int first_problem, const struct problem *q)
{
	for (int i = first_problem; i < p->sheet->problem_count; i++) {
		const struct problem *other = &p->sheet->problems[i];

		if (other->line == q->line && other->suggestion && !other->whole && is_good(p, q, other->suggestion))
			return other->suggestion;
	}
	return NULL;
}

void suggest_patterns(struct parser *p, int first_problem)
{
	for (int i = first_problem; i < p->sheet->problem_count && !p->proving && !p->full; i++) {
		struct problem *q = &p->sheet->problems[i];
		const char *line;

		if (!q->subject || (q->suggestion && (!q->locked || is_good(p, q, q->suggestion))))
			continue;
		q->suggestion = q->replacement = NULL;
		line = of_same_line(p, first_problem, q);
		if (!line && (partly_understood(p->sheet, q) || excepts(p, q->line - 1)))
			continue;
		q->example = line == NULL;
		if (!line)
			line = shortened(p, q);
		if (!line)
			line = pattern(p, q);
		if (!is_good(p, q, line))
			line = talloc_asprintf(p->sheet, "%s: hold", q->subject);
		if (!is_good(p, q, line))
			continue;
		q->suggestion = line;
		q->whole = true;
	}
}
