/* "I'm not ready yet", "please wait", "don't resolve it": WAIT as pupils say it. */
#include "orders/lines.h"

#include <string.h>

/* What such a line may hold besides; with any other word it is no command. */
static const char *const beside[] = {"i", "im", "we", "were", "am", "are", "is", "be", "m", "re", "my", "our", "me",
	"us", "it", "all", "just", "still", "sorry", "oh", "oops", "hi", "hey", "ok", "okay", "yes", "actually", "but",
	"and", "so", "then", "now", "quite", "really", "please", "pls", "plz", "thanks", "thank", "you", "sir", "miss",
	"do", "no", "longer", "any", "anymore", "more", "yet", "the", "this", "that", "turn", "early", "again", "un",
	"a", "back", "moment", "minute", "bit", "for", "after", NULL};

static bool passes(const struct token *t)
{
	static const char *const words[] = {"ready", "unready", "resolve", "wait", "cancel", "undo", "withdraw",
		"revoke", "take", "scrap", "forget", "ignore", NULL};

	if (t->type == TOKEN_WORD)
		return t->key == KEY_NOT || is_among(t, beside) || is_among(t, words);
	return (t->type == TOKEN_STOP && t->mark != '?') || t->type == TOKEN_COMMA || t->type == TOKEN_SEMICOLON ||
	       t->type == TOKEN_DASH || t->type == TOKEN_OPEN || t->type == TOKEN_CLOSE;
}

/* wait = words that say "not", "no longer" or "take back", and "ready" or (after "not") "resolve" | "please" "wait" */
bool wait_begins(const struct parser *p)
{
	static const char *const back[] = {
		"cancel", "undo", "withdraw", "revoke", "take", "scrap", "forget", "ignore", "longer", "un", NULL};
	static const char *const please[] = {"please", "pls", "plz", NULL};
	bool negated = false, taken = false, ready = false, resolve = false, wait = false, asked = false;

	for (int i = p->pos; i < p->stop && p->lex->tokens[i].type != TOKEN_NEWLINE; i++) {
		const struct token *t = &p->lex->tokens[i];

		if (!passes(t))
			return false;
		negated |= t->key == KEY_NOT;
		taken |= is_among(t, back) || is_word(t, "unready");
		ready |= is_word(t, "ready") || is_word(t, "unready");
		resolve |= is_word(t, "resolve");
		wait |= is_word(t, "wait");
		asked |= is_among(t, please);
	}
	return ready || resolve ? negated || (ready && taken) : wait && asked && !negated && !taken;
}
