#include "service/writer.h"

#include "mail/key.h"
#include "mail/token.h"

#include <string.h>
#include <strings.h>

/* The word after GAME or KEY on a line of its own, in what was typed; on `mem`, NULL if there is none. */
static char *header_word(TALLOC_CTX *mem, const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = text; *p != '\0';) {
		size_t len = strcspn(p, "\n");
		size_t skip = strspn(p, " \t>*");

		if (skip < len && strncasecmp(p + skip, word, n) == 0 && strchr(" :\t", p[skip + n]) != NULL &&
			p[skip + n] != '\0') {
			const char *from = p + skip + n + strspn(p + skip + n, " :\t");
			size_t rest = (size_t)(p + len - from);
			char *found = talloc_strndup(mem, from, p + len > from ? rest : 0);
			char *remark = strstr(found, " #");

			if (remark != NULL)
				*remark = '\0';
			for (size_t k = strlen(found); k > 0 && (found[k - 1] == ' ' || found[k - 1] == '\r'); k--)
				found[k - 1] = '\0';
			return found;
		}
		p += len + (p[len] == '\n');
	}
	return NULL;
}

/* What has the form of a token in the mail, wherever it travels. Nothing is proved by it yet. */
static struct token *find_tokens(TALLOC_CTX *mem, const struct message *m, int *count)
{
	struct token *found = talloc_array(mem, struct token, (unsigned)m->recipient_count + 3);
	int n = 0;

	for (int i = 0; i < m->recipient_count; i++)
		n += token_read(m->recipients[i].tag, &found[n]);
	n += token_in_subject(m->subject, &found[n]);
	n += token_in_ids(m->in_reply_to, &found[n]);
	n += token_in_ids(m->references, &found[n]);
	*count = n;
	return found;
}

/* The first of the tokens that proves its writer to be this player: made for the address that he writes from, or for
 * the player himself, whose mails his deputies may answer too (but he none of theirs: he is told of what they do). */
static const struct token *proof_of(
	const struct service *s, const struct player *p, const char *own_key, const struct token *tokens, int count)
{
	for (int i = 0; i < count; i++)
		if (tokens[i].game == p->game && tokens[i].player == p->id &&
			(token_genuine(s->secret, &tokens[i], own_key) || token_genuine(s->secret, &tokens[i], p->key)))
			return &tokens[i];
	return NULL;
}

struct err *writer_answered(const struct service *s, TALLOC_CTX *mem, const struct message *m, struct outgoing **out)
{
	size_t start = strcspn(m->in_reply_to, "<"), len = strcspn(m->in_reply_to + start, ">");

	return store_mail_sent_as(s->store, mem, talloc_strndup(mem, m->in_reply_to + start, len + 1), out);
}

/* The token's turn, and whether the mail that is answered is of another part of it or another line of play. */
static void place(const struct token *proof, struct writer *w)
{
	w->turn = proof->turn;
	w->other_part = proof->turn == w->game->turn && proof->part != w->game->part;
	w->other_line = proof->line != token_line(w->game->line);
}

struct err *writer_find(
	const struct service *s, TALLOC_CTX *mem, const struct message *m, const char *sender, struct writer *out)
{
	const char *key = header_word(mem, m->typed.text, "key");
	struct players at;
	int count;
	const struct token *tokens = find_tokens(mem, m, &count), *proof;
	struct err *e = store_players_at(s->store, mem, sender, &at);

	*out = (struct writer){.named = header_word(mem, m->typed.text, "game"), .key = key != NULL};
	for (int i = 0; e == NULL && i < at.count; i++) {
		struct player *p = &at.list[i];
		const char *own_key;
		struct game *g;
		bool meant;

		e = store_game(s->store, mem, p->game, &g);
		if (e == NULL)
			e = store_key(s->store, mem, p->id, sender, &own_key);
		if (e != NULL || g == NULL)
			break;
		meant = out->named != NULL && strcasecmp(out->named, g->name) == 0;
		proof = proof_of(s, p, own_key, tokens, count);
		if (proof != NULL || (out->player == NULL && key != NULL && (out->named == NULL || meant) &&
					     (key_equal(key, own_key) || key_equal(key, p->key)))) {
			out->player = p;
			out->game = g;
		}
		if (proof != NULL) {
			place(proof, out);
			break;
		}
		if (meant) {
			out->claimed = p;
			out->claimed_game = g->name;
		}
	}
	return e;
}
