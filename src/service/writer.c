#include "service/writer.h"

#include "mail/key.h"
#include "mail/token.h"
#include "service/drill.h"
#include "store/people.h"

#include <string.h>
#include <strings.h>

enum { HEADERS_MAX = 8 };

/* What is typed after GAME and KEY. */
struct headers {
	const char *list[HEADERS_MAX];
	int count;
};

/* GAME, TURN or KEY at `p`, a blank or a colon behind it: the length of the word; else 0. */
static size_t header_word(const char *p, size_t len)
{
	static const char *const words[] = {"game", "turn", "key"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t n = strlen(words[i]);

		if ((*p | 0x20) == *words[i] && n < len && strncasecmp(p, words[i], n) == 0 &&
			strchr(" :\t", p[n]) != NULL)
			return n;
	}
	return 0;
}

/* How much of the line at `p` belongs to the header that it begins with: up to the next one, "GAME x KEY y". */
static size_t header_end(const char *p, size_t len)
{
	for (size_t at = 0; (at += strcspn(p + at, " ,\t") + 1) < len;)
		if (header_word(p + at, len - at))
			return at;
	return len;
}

/* What the header at `p` of `n` letters says, without a remark; on `mem`. */
static char *header_value(TALLOC_CTX *mem, const char *p, size_t n, size_t len)
{
	size_t from = n + strspn(p + n, " :\t");
	char *found = talloc_strndup(mem, p + from, from < len ? len - from : 0), *remark = strstr(found, " #");

	if (remark != NULL)
		*remark = '\0';
	for (size_t k = strlen(found); k > 0 && strchr(" ,\t\r", found[k - 1]) != NULL; k--)
		found[k - 1] = '\0';
	return found;
}

static void add_header(TALLOC_CTX *mem, struct headers *list, const char *p, size_t n, size_t len)
{
	if (list->count < HEADERS_MAX)
		list->list[list->count++] = header_value(mem, p, n, len);
}

/* What stands after GAME and KEY on lines that begin with these or TURN, in what was typed; on `mem`. */
static void find_headers(TALLOC_CTX *mem, const char *text, struct headers *games, struct headers *keys)
{
	games->count = keys->count = 0;
	for (const char *p = text; *p != '\0';) {
		size_t len = strcspn(p, "\n"), at = strspn(p, " \t>*"), n;

		while (at < len && (n = header_word(p + at, len - at)) > 0) {
			size_t end = header_end(p + at, len - at);

			if ((p[at] | 0x20) == 'g')
				add_header(mem, games, p + at, n, end);
			if ((p[at] | 0x20) == 'k')
				add_header(mem, keys, p + at, n, end);
			at += end;
		}
		p += len + (p[len] == '\n');
	}
}

/* What has the form of a token in the mail, wherever it travels, the surest first: a program may put in an address that
 * it knows from another mail. Nothing is proved by it yet. */
static struct token *find_tokens(TALLOC_CTX *mem, const struct message *m, int *count)
{
	struct token *found = talloc_array(mem, struct token, (unsigned)m->recipient_count + 3);
	int n = 0;

	n += token_in_ids(m->in_reply_to, &found[n]);
	n += token_in_subject(m->subject, &found[n]);
	for (int i = 0; i < m->recipient_count; i++)
		n += token_read(m->recipients[i].tag, &found[n]);
	n += token_in_ids(m->references, &found[n]);
	*count = n;
	return found;
}

struct err *writer_answered(const struct service *s, TALLOC_CTX *mem, const struct message *m, struct outgoing **out)
{
	size_t start = strcspn(m->in_reply_to, "<"), len = strcspn(m->in_reply_to + start, ">");

	return store_mail_sent_as(s->store, mem, talloc_strndup(mem, m->in_reply_to + start, len + 1), out);
}

struct err *writer_left(const struct service *s, TALLOC_CTX *mem, const struct message *m, const char *sender,
	struct game **game, bool *replaced)
{
	struct player *p = NULL;
	struct players same = {NULL, 0};
	struct outgoing *o;
	struct err *e = writer_answered(s, mem, m, &o);

	*game = NULL;
	if (e != NULL || o == NULL || o->player == 0 || strcmp(o->recipient, sender) != 0)
		return e;
	e = store_players_with(s->store, mem, o->game, sender, &same);
	for (int i = 0; i < same.count; i++)
		if (same.list[i].id == o->player)
			return e;
	if (e == NULL)
		e = store_player(s->store, mem, o->player, &p);
	*replaced = p != NULL;
	if (e == NULL)
		e = store_game(s->store, mem, o->game, game);
	if (e == NULL && *game != NULL && strcmp((*game)->status, "ended") == 0)
		*game = NULL;
	return e;
}

/* A player who has the address that the mail came from. */
struct holder {
	struct player *player;
	struct game *game;
	const char *key; /* of that address; player->key is his own, which his deputies may use as well */
};

static struct err *find_holders(
	const struct service *s, TALLOC_CTX *mem, const char *sender, struct holder **out, int *count)
{
	struct players at;
	struct err *e = store_players_at(s->store, mem, sender, &at);

	*count = 0;
	*out = talloc_zero_array(mem, struct holder, (unsigned)(e == NULL ? at.count : 0) + 1);
	for (int i = 0; e == NULL && i < at.count; i++) {
		struct holder *h = &(*out)[*count];

		h->player = &at.list[i];
		h->key = h->player->key_there;
		e = store_game(s->store, mem, h->player->game, &h->game);
		*count += h->game != NULL;
	}
	return e;
}

/* Does the token prove its writer to be this player? It is made for the address that he writes from, or for the player
 * himself, whose mails his deputies may answer too (but he none of theirs: he is told of what they do). */
static bool proves(const struct service *s, const struct token *t, const struct holder *h)
{
	return t->game == h->game->id && t->player == h->player->id &&
	       (token_genuine(s->secret, t, h->key) || token_genuine(s->secret, t, h->player->key));
}

/* The token's turn, and whether the mail that is answered is of another part of it or another line of play. */
static void place(const struct token *proof, struct writer *w)
{
	w->turn = proof->turn;
	w->other_part = proof->turn == w->game->turn && proof->part != w->game->part;
	w->other_line = proof->line != token_line(w->game->line);
}

/* The holder whose key was typed, or NULL; *mixed: those of several were. */
static const struct holder *by_key(const struct headers *keys, const struct holder *holders, int count, bool *mixed)
{
	const struct holder *found = NULL;

	for (int k = 0; k < keys->count; k++)
		for (int i = 0; i < count; i++) {
			const struct holder *h = &holders[i];

			if (!key_equal(keys->list[k], h->key) && !key_equal(keys->list[k], h->player->key))
				continue;
			*mixed |= found != NULL && found->player != h->player;
			found = found == NULL ? h : found;
			break;
		}
	return found;
}

/* The holder whom a token proves, or NULL; *proof is that token. */
static const struct holder *by_token(const struct service *s, TALLOC_CTX *mem, const struct message *m,
	const struct holder *holders, int count, const struct token **proof)
{
	int tokens;

	*proof = find_tokens(mem, m, &tokens);
	for (int t = 0; t < tokens; t++, ++*proof)
		for (int i = 0; i < count; i++)
			if (proves(s, *proof, &holders[i]))
				return &holders[i];
	return NULL;
}

/* A key with a slip in it, at an address that players of one game share: then the mail that is answered may be
 * another's.
 */
static bool in_doubt(const struct headers *keys, const struct holder *who, const struct holder *holders, int count)
{
	bool shared = false, key = false;

	for (int i = 0; i < count; i++)
		shared |= holders[i].game->id == who->game->id && holders[i].player != who->player;
	for (int i = 0; i < keys->count; i++)
		key |= key_formed(keys->list[i]);
	return shared && key;
}

static bool is_named(const struct headers *names, const struct game *g)
{
	for (int i = 0; i < names->count; i++)
		if (strcasecmp(names->list[i], g->name) == 0)
			return true;
	return false;
}

/* The games of the address (`only_named`: that were typed after GAME), each once. */
static void list_games(
	struct writer *w, const struct holder *holders, int count, const struct headers *names, bool only_named)
{
	for (int i = 0; i < count; i++) {
		const struct game *g = holders[i].game;
		int at = 0;

		if (strcmp(g->status, "ended") == 0 || is_drill(g) || (only_named && !is_named(names, g)))
			continue;
		while (at < w->game_count && strcmp(w->games[at].name, g->name) != 0)
			at++;
		if (at == WRITER_GAMES_MAX)
			continue;
		w->games[at].name = g->name;
		w->games[at].players++;
		w->game_count += at == w->game_count;
	}
}

struct err *writer_find(
	const struct service *s, TALLOC_CTX *mem, const struct message *m, const char *sender, struct writer *out)
{
	struct headers keys, names;
	const struct holder *written, *answered, *who;
	const struct token *proof;
	struct holder *holders;
	int count;
	struct err *e = find_holders(s, mem, sender, &holders, &count);

	find_headers(mem, m->typed.text, &names, &keys);
	*out = (struct writer){.named = names.count > 0 ? names.list[0] : NULL, .key = keys.count > 0};
	if (e != NULL)
		return e;
	list_games(out, holders, count, &names, true);
	out->mixed = out->game_count > 1;
	if (out->game_count == 0)
		list_games(out, holders, count, &names, false);
	written = by_key(&keys, holders, count, &out->mixed);
	answered = by_token(s, mem, m, holders, count, &proof);
	who = written != NULL ? written : answered;
	if (who == NULL || (written == NULL && in_doubt(&keys, who, holders, count)))
		return NULL;
	out->player = who->player;
	out->game = who->game;
	if (who == answered)
		place(proof, out);
	return NULL;
}
