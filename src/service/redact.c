#include "service/redact.h"

#include "mail/key.h"
#include "mail/token.h"
#include "store/archive.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { TOKEN_TEXT_MIN = 16 };

struct err *secrets_of(const struct service *s, TALLOC_CTX *mem, int64_t game, struct secrets *out)
{
	out->game = game;
	out->server = s->secret;
	return store_keys_of_people(s->store, mem, game, &out->keys);
}

/* --- keys --------------------------------------------------------------------------------------------------------- */

/* The letters and digits of a text, in small letters, and where each stands in it. */
struct letters {
	char *text;
	size_t *at, count;
};

static struct letters letters_of(TALLOC_CTX *mem, const char *text, size_t len)
{
	struct letters l = {talloc_size(mem, len + 1), talloc_array(mem, size_t, (unsigned)len + 1), 0};

	for (size_t i = 0; i < len; i++) {
		if (isalnum((unsigned char)text[i])) {
			l.at[l.count] = i;
			l.text[l.count++] = (char)tolower((unsigned char)text[i]);
		}
	}
	return l;
}

/* Marks what of the text is that key. */
static void mark_key(bool *marks, const struct letters *text, const struct letters *key)
{
	size_t from = 0;
	const char *found;

	while (key->count > 0 && (found = memmem(text->text + from, text->count - from, key->text, key->count))) {
		from = (size_t)(found - text->text) + key->count;
		for (size_t i = text->at[from - key->count]; i <= text->at[from - 1]; i++)
			marks[i] = true;
	}
}

static void mark_forms(bool *marks, const char *text, size_t len)
{
	for (size_t at = 0; at < len; at++) {
		size_t n = at == 0 || !isalpha((unsigned char)text[at - 1]) ? key_length(text + at, len - at) : 0;

		memset(marks + at, true, n);
		at += n;
	}
}

static bool says(const char *at, const char *end, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(end - at) > n + 1 && strncasecmp(at, word, n) == 0 && strchr(" :\t", at[n]) != NULL;
}

/* How much of the line, from its beginning, names a secret that the rest then is: "KEY ...", quoted or not, also behind
 * other headers; else 0. */
static size_t key_line(const char *line, size_t len)
{
	const char *at = line, *end = line + len;

	while (at < end && strchr("> |*\t", *at) != NULL)
		at++;
	if (says(at, end, "game") || says(at, end, "turn"))
		while (at < end && !(strchr(" ,\t", *at) != NULL && says(at + 1, end, "key")))
			at++;
	at += at < end && strchr(" ,\t", *at) != NULL;
	return says(at, end, "key") ? (size_t)(at - line) + 4 : 0;
}

static void mark_lines(bool *marks, const char *text, size_t len)
{
	for (size_t at = 0, n; at < len; at += n + 1) {
		const char *end = memchr(text + at, '\n', len - at);
		size_t word;

		n = end == NULL ? len - at : (size_t)(end - (text + at));
		word = key_line(text + at, n);
		if (word > 0)
			memset(marks + at + word, true, n - word - (text[at + n - 1] == '\r'));
	}
}

/* --- tokens ------------------------------------------------------------------------------------------------------- */

static bool genuine(const struct secrets *s, const struct token *t)
{
	for (int i = 0; s->keys[i] != NULL; i++)
		if (token_genuine(s->server, t, s->keys[i]))
			return true;
	return false;
}

/* Where in a run of letters and digits a token begins that ends with it: a mail program may have written the '+' before
 * it as 2B. The run's length for nowhere. The game's own may be of people who have left it. */
static size_t token_in(const struct secrets *s, const char *run, size_t len)
{
	for (size_t at = len > TOKEN_TEXT_MAX ? len - TOKEN_TEXT_MAX : 0; at + TOKEN_TEXT_MIN <= len; at++) {
		char word[TOKEN_TEXT_MAX + 1] = "";
		struct token t;

		memcpy(word, run + at, len - at);
		if (token_read(word, &t) && ((at == 0 && t.game == s->game) || genuine(s, &t)))
			return at;
	}
	return len;
}

/* A stretch of text in which no key is. */
static void put_stretch(struct buf *out, const struct secrets *s, const char *text, size_t len)
{
	for (size_t at = 0, n; at < len; at += n) {
		size_t token;

		for (n = 0; at + n < len && isalnum((unsigned char)text[at + n]);)
			n++;
		token = token_in(s, text + at, n);
		buf_add(out, text + at, token);
		if (token < n)
			buf_adds(out, "TOKEN");
		else if (n == 0)
			buf_add(out, text + at, n = 1);
	}
}

void redact_text(struct buf *out, const struct secrets *s, const char *text, size_t len)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	bool *marks = talloc_zero_array(mem, bool, (unsigned)len + 1);
	struct letters letters = letters_of(mem, text, len);

	for (int i = 0; s->keys[i] != NULL; i++) {
		struct letters key = letters_of(mem, s->keys[i], strlen(s->keys[i]));

		mark_key(marks, &letters, &key);
	}
	mark_forms(marks, text, len);
	mark_lines(marks, text, len);
	for (size_t at = 0, n; at < len; at += n) {
		for (n = 1; at + n < len && marks[at + n] == marks[at];)
			n++;
		if (marks[at])
			buf_adds(out, "SECRET");
		else
			put_stretch(out, s, text + at, n);
	}
	talloc_free(mem);
}
