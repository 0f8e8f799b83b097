/* Whom "them" and "it" mean: the unit named last before them in the same entry of the sheet. An enemy where an enemy is
 * wanted, one's own where that is; if two are possible, or none, the writer is asked. */
#include "orders/parse.h"
#include "orders/print.h"

#include <string.h>

/* A name that could not be read. */
enum { UNREAD = -1 };

static void add_mention(struct parser *p, int piece)
{
	if (p->mentions.count < MENTIONS_MAX)
		p->mentioned[p->mentions.count++] = piece;
}

void mention_piece(struct parser *p, int piece)
{
	add_mention(p, piece < 0 ? UNREAD : piece);
}

void mention_entry(struct parser *p)
{
	p->mentions = (struct mentions){0};
}

void mention_sentence(struct parser *p)
{
	p->mentions.sentence = p->mentions.since_if = p->mentions.count;
	p->mentions.enemy = false;
}

void mention_if(struct parser *p)
{
	p->mentions.since_if = p->mentions.count;
	p->mentions.enemy = false;
}

bool pronoun_begins(struct parser *p)
{
	const struct token *t = here(p);

	return t->key == KEY_THEY && !t->word->named && !is_word(t, "you");
}

/* Those of the role that were named since the `from`-th mention; *unread when one of the names was not understood. */
static struct piece_set named_since(struct parser *p, int from, enum role role, bool *unread)
{
	struct piece_set set = {0}, fit = role_set(p, role);

	*unread = p->mentions.count >= MENTIONS_MAX;
	for (int i = from; i < p->mentions.count; i++) {
		*unread |= p->mentioned[i] == UNREAD;
		if (set_has(&fit, p->mentioned[i]))
			set_add(&set, p->mentioned[i]);
	}
	return set;
}

/* In the condition that governs it, else in its sentence, else in the whole entry. */
struct piece_set named_lately(struct parser *p, enum role role, bool *unread)
{
	const int from[] = {p->mentions.since_if, p->mentions.sentence, 0};
	struct piece_set set = {0};

	*unread = false;
	for (size_t i = 0; i < sizeof from / sizeof *from && set_empty(&set) && !*unread; i++)
		set = named_since(p, from[i], role, unread);
	return set;
}

void tell_pronoun(struct parser *p, int at, const struct piece_set *set, enum role role, bool unread)
{
	const char *word = typed_text(p, at, at + 1);
	int failures = p->failures;

	if (unread) {
		problem(p, PROBLEM_UNREADABLE, at, at + 1, NULL, NULL,
			"`%s`: the name before it was not understood. Write the name of the unit here too.", word);
	} else if (set_empty(set)) {
		problem(p, PROBLEM_UNREADABLE, at, at + 1, role == ROLE_ENEMY ? "nearest" : NULL, NULL,
			"`%s`: whom? %s is named before it in this order. Write the name of the unit.", word,
			role == ROLE_ENEMY    ? "No enemy"
			: role == ROLE_EITHER ? "No unit"
					      : "None of your units");
	} else {
		problem(p, PROBLEM_AMBIGUOUS, at, at + 1, NULL, NULL, "`%s` could be %s. Which one?", word,
			ask_between(p, set));
		suggest_choices(p, failures, set, false);
	}
}

int want_pronoun(struct parser *p, enum role role)
{
	bool unread;
	struct piece_set set = named_lately(p, role, &unread);
	int at = p->pos, piece = set_next(&set, 0);

	advance(p);
	if (unread || piece < 0 || set_several(&set)) {
		tell_pronoun(p, at, &set, role, unread);
		return -1;
	}
	note(p, at, "`%s` was read as %s.", typed_text(p, at, at + 1), piece_english(p->mem, p->ctx->state, piece));
	return piece;
}
