/* The short clauses: join, leave, column and line, hold, hold fire, halt. */
#include "base/text.h"
#include "orders/lines.h"
#include "orders/parse.h"

#include <string.h>

struct clause *parse_join(struct parser *p, enum clause_kind kind)
{
	struct clause *c = new_clause(p, kind);

	if (is_word_here(p, "up") && key_ahead(p, 1) == KEY_WITH)
		advance(p);
	take_key(p, KEY_WITH);
	take_key(p, KEY_TO);
	c->unit = want_piece(p, ROLE_OWN_FORMED, "one of your units");
	return c->unit >= 0 ? c : NULL;
}

int joined_unit(struct parser *p, const struct clause *last)
{
	static const char *const words[] = {"they", "it", "both", "these", NULL};
	int before = p->pos, unit = -1;

	if (!last || !is_among(here(p), words))
		return -1;
	while (last->next)
		last = last->next;
	if (last->kind != CLAUSE_JOIN)
		return -1;
	advance(p);
	if (clause_begins(p, true))
		unit = last->unit;
	p->pos = before;
	return unit;
}

struct clause *parse_leave(struct parser *p)
{
	struct clause *c = new_clause(p, CLAUSE_LEAVE);
	struct match m;

	if (match_piece(p, &m) && !order_begins(p, IN_MIDDLE))
		p->pos = m.end;
	else if (key_here(p) == KEY_THEY || (key_here(p) == KEY_SKIP && key_ahead(p, 1) == KEY_CLAN))
		advance(p);
	take_key(p, KEY_CLAN);
	return c;
}

/* What the other rule set alone knows is read, and said to do nothing. */
void tell_meaningless(struct parser *p, int verb)
{
	if (!p->ctx->shreds)
		note(p, verb, "`%s` does nothing under these rules.", typed_text(p, verb, verb + 1));
}

/* form = "form" ("column" | "line") */
struct clause *parse_form(struct parser *p)
{
	struct clause *c = new_clause(p, CLAUSE_COLUMN);

	tell_meaningless(p, p->pos - 1);
	while (key_here(p) == KEY_A || key_here(p) == KEY_SKIP || key_here(p) == KEY_IN || key_here(p) == KEY_ON ||
		is_word_here(p, "up"))
		advance(p);
	if (take_key(p, KEY_COLUMN))
		return c;
	c->kind = CLAUSE_LINE;
	if (take_key(p, KEY_LINE))
		return c;
	if (here(p)->type == TOKEN_WORD && text_distance(here(p)->word->text, "column", 2) <= 2) {
		problem(p, PROBLEM_UNREADABLE, p->pos, p->pos + 1, "column", "column", "Did you mean `form column`?");
		advance(p);
	} else {
		problem(p, PROBLEM_UNREADABLE, p->pos - 1, p->pos, NULL, NULL, "Write `form column` or `form line`.");
	}
	return NULL;
}

/* "hold your ground", "stand still", "stay where you are", "keep them where they are" */
static void skip_after_hold(struct parser *p)
{
	int before;

	if (key_here(p) == KEY_THEY && (key_ahead(p, 1) == KEY_WHERE || key_ahead(p, 1) == KEY_STILL))
		advance(p);
	before = p->pos;
	take_key(p, KEY_IN);
	while (key_here(p) == KEY_SKIP || key_here(p) == KEY_STILL)
		advance(p);
	if (key_here(p) == KEY_GROUND || key_here(p) == KEY_LINE)
		advance(p);
	else if (p->pos != before && p->lex->tokens[p->pos - 1].type == TOKEN_WORD &&
		 p->lex->tokens[p->pos - 1].word->key != KEY_STILL)
		p->pos = before;
	if (key_here(p) == KEY_WHERE && key_ahead(p, 1) == KEY_THEY && key_ahead(p, 2) == KEY_BE) {
		advance(p);
		advance(p);
		advance(p);
	}
}

static bool fire_word(struct parser *p, int n)
{
	return key_ahead(p, n) == KEY_FIRE;
}

/* "hold fire", "hold your fire", "stop firing" */
static bool take_hold_fire(struct parser *p)
{
	int n = key_here(p) == KEY_SKIP || is_word_here(p, "there") ? 1 : 0; /* "hold there fire": their */

	if (!fire_word(p, n))
		return false;
	for (int i = 0; i <= n; i++)
		advance(p);
	return true;
}

/* "hold fire at c": said to be `hold fire`. */
struct clause *parse_hold_fire(struct parser *p)
{
	struct clause *c = new_clause(p, CLAUSE_HOLD_FIRE), *lost;
	int from = p->pos;

	if (key_here(p) != KEY_AT && key_here(p) != KEY_ON)
		return c;
	advance(p);
	lost = new_clause(p, CLAUSE_FIRE);
	parse_targets(p, lost);
	note(p, from, "Read as `hold fire`. To choose targets, name only those that you want.");
	return c;
}

/* "halt after winning", "halt if it wins": it means that anyhow. */
static void skip_when_it_wins(struct parser *p)
{
	int before = p->pos, words = 0;
	bool wins = false;

	if (key_here(p) != KEY_UNTIL && key_here(p) != KEY_IF)
		return;
	for (advance(p); words < 4 && here(p)->type == TOKEN_WORD && !wins; words++, advance(p)) {
		const char *w = here(p)->word->text;

		wins = strncmp(w, "win", 3) == 0 || strcmp(w, "won") == 0 || strncmp(w, "victor", 6) == 0;
	}
	if (!wins)
		p->pos = before;
}

struct clause *parse_hold(struct parser *p, enum key verb)
{
	struct clause *c;

	if ((verb == KEY_HOLD || verb == KEY_STOP) && take_hold_fire(p))
		return parse_hold_fire(p);
	if ((verb == KEY_STAY || verb == KEY_KEEP) && key_here(p) == KEY_WITH) /* a commander stays with a unit */
		return parse_join(p, CLAUSE_JOIN);
	c = new_clause(p, CLAUSE_HOLD);
	if (verb == KEY_HALT && p->ctx->shreds) {
		c->kind = CLAUSE_HALT;
		skip_when_it_wins(p);
		return c;
	}
	if (verb == KEY_STOP && key_is_verb(key_here(p)))
		advance(p); /* stop moving */
	if (verb == KEY_STAY)
		take_key(p, KEY_BACK); /* "stay back" */
	skip_after_hold(p);
	return c;
}
