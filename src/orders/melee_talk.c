/* "Keep fighting", "stay in the fight": what a unit in melee does by itself. It is read as `hold`, and said to be. */
#include "orders/lines.h"
#include "orders/parse.h"

#include <string.h>

static bool is_fight(const struct token *t)
{
	static const char *const fights[] = {"melee", "battle", "combat", "scrap", "brawl", "struggle", NULL};

	return is_among(t, fights) || (t->type == TOKEN_WORD && word_begins(t->word, "fight"));
}

/* Between "keep" and "fighting", and behind that: "up the", "on with", "in the". */
static bool is_between(const struct token *t)
{
	static const char *const words[] = {"up", "with", "going", "at", "to", "it", "engaged", "locked", NULL};

	return t->key == KEY_ON || t->key == KEY_IN || t->key == KEY_SKIP || t->key == KEY_STILL || is_among(t, words);
}

static bool is_behind(const struct token *t)
{
	static const char *const words[] = {
		"back", "hard", "harder", "bravely", "away", "well", "death", "end", "best", "going", NULL};

	return t->key == KEY_ON || t->key == KEY_STILL || is_among(t, words);
}

/* Are all pieces that the order is for in melee now? */
static bool subject_locked(struct parser *p)
{
	struct trial t = trial_begin(p);
	int pieces[PIECES_MAX], count = subject_pieces(p, p->subject, pieces, PIECES_MAX);
	bool locked = count > 0;

	trial_end(p, t);
	for (int i = 0; i < count; i++)
		locked &= state_locked(p->ctx->state, pieces[i]);
	return locked;
}

/* How many tokens of such talk stand here; 0 for none. `holds`: behind "stay and". */
static int talk_words(struct parser *p, bool holds)
{
	enum { LONGEST = 8 };
	enum key key = key_here(p);
	int n = 0, behind;

	if (key != KEY_MELEE && key != KEY_KEEP && key != KEY_CONTINUE && key != KEY_STAY && key != KEY_HOLD &&
		(key != KEY_MOVE || key_ahead(p, 1) != KEY_ON))
		return 0;
	if (key == KEY_KEEP || key == KEY_CONTINUE || key == KEY_STAY || key == KEY_HOLD ||
		(key == KEY_MOVE && key_ahead(p, 1) == KEY_ON))
		n = 1;
	while (n > 0 && n < LONGEST && !is_fight(ahead(p, n)) && is_between(ahead(p, n)))
		n++;
	if (!is_fight(ahead(p, n)))
		return 0;
	behind = ++n;
	while (n < LONGEST &&
		(is_behind(ahead(p, n)) || (ahead(p, n)->key == KEY_TO && ahead(p, n + 1)->key == KEY_SKIP) ||
			(n > behind && ahead(p, n)->key == KEY_SKIP)))
		n++;
	if (n == 1 && !holds && !subject_locked(p))
		return 0; /* "fight" alone: whom? */
	return n;
}

/* "Note that we fight on": no order. */
static bool said_of_us(const struct parser *p)
{
	static const char *const us[] = {"we", "i", NULL};

	return p->pos > 0 && is_among(&p->lex->tokens[p->pos - 1], us);
}

bool tell_leaving_melee(struct parser *p)
{
	static const char *const ways[] = {"leave", "pull", "get", "break", "come", "withdraw", "retreat", "retire",
		"escape", "run", "back", "fall", NULL};
	static const char *const small[] = {"out", "off", "away", "back", "from", "of", "the", "this", "that", NULL};
	int n = 1, from = p->pos;

	if (!is_among(here(p), ways))
		return false;
	while (n < 6 && is_among(ahead(p, n), small))
		n++;
	if (!is_fight(ahead(p, n)) || ahead(p, n)->word->inflected)
		return false;
	for (; n >= 0; n--)
		advance(p);
	problem(p, PROBLEM_UNREADABLE, from, p->pos, "hold", "hold",
		"No order takes a unit out of a melee: it fights on by itself.");
	return true;
}

bool talks_of_melee(struct parser *p, const struct clause_list *before, struct clause_list *list)
{
	const struct clause *last = before->last ? *before->last : NULL;
	int from, words = talk_words(p, last && last->kind == CLAUSE_HOLD);
	struct piece_set named;
	struct clause *hold;
	bool unread;

	if (!words || said_of_us(p))
		return false;
	hold = new_clause(p, CLAUSE_HOLD);
	here(p);
	from = p->pos;
	for (; words > 0; words--)
		advance(p);
	named = named_lately(p, ROLE_ENEMY, &unread);
	if (pronoun_begins(p) && set_empty(&named) && !unread)
		advance(p); /* "keep fighting them": whoever it is in melee with */
	skip_politeness(p, NULL);
	if (!ends_clause(p)) {
		p->pos = from;
		return false;
	}
	note(p, from, "`%s` was read as `hold`: a unit in melee fights on by itself.%s", typed_text(p, from, p->pos),
		subject_locked(p) ? "" : " To run at an enemy, write `charge` and its name.");
	if (!last || last->kind != CLAUSE_HOLD)
		list_append(list, hold);
	return true;
}
