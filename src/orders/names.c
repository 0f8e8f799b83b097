#include "orders/names.h"

#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { BUCKETS = 1024, PART_MIN = 4 };

/* A word of a piece's name. */
struct name_word {
	const char *text;
	size_t length;
	int piece;
	bool bracketed;
};

struct names {
	const struct state *state;
	struct word *buckets[BUCKETS];
	struct name_word *words;
	int count, room;
	int word_count[PIECES_MAX];
	const char *wing[PIECES_MAX]; /* folded */
	const char *code[PIECES_MAX];
	const char *id[PIECES_MAX];
};

struct piece_set set_and(struct piece_set a, struct piece_set b)
{
	for (int i = 0; i < PIECES_MAX / 64; i++)
		a.bits[i] &= b.bits[i];
	return a;
}

struct piece_set set_or(struct piece_set a, struct piece_set b)
{
	for (int i = 0; i < PIECES_MAX / 64; i++)
		a.bits[i] |= b.bits[i];
	return a;
}

struct piece_set set_without(struct piece_set a, struct piece_set b)
{
	for (int i = 0; i < PIECES_MAX / 64; i++)
		a.bits[i] &= ~b.bits[i];
	return a;
}

bool set_empty(const struct piece_set *s)
{
	for (int i = 0; i < PIECES_MAX / 64; i++)
		if (s->bits[i])
			return false;
	return true;
}

int set_size(const struct piece_set *s)
{
	int n = 0;

	for (int i = 0; i < PIECES_MAX / 64; i++)
		n += __builtin_popcountll(s->bits[i]);
	return n;
}

int set_next(const struct piece_set *s, int from)
{
	for (int i = from < 0 ? 0 : from; i < PIECES_MAX; i++) {
		uint64_t rest = s->bits[i / 64] >> (i % 64);

		if (rest)
			return i + __builtin_ctzll(rest);
		i |= 63;
	}
	return -1;
}

static bool is_filler(const char *word, size_t len)
{
	return (len == 3 && memcmp(word, "and", 3) == 0) || (len == 2 && memcmp(word, "of", 2) == 0);
}

static void add_word(struct names *n, const char *text, size_t len, int piece, bool bracketed)
{
	if (n->count == n->room) {
		n->room = n->room ? n->room * 2 : 256;
		n->words = talloc_realloc(n, n->words, struct name_word, (unsigned)n->room);
	}
	n->words[n->count++] = (struct name_word){text, len, piece, bracketed};
}

/* text_fold, done here for plain ASCII, which names are; a name is folded for every sheet that is read. */
static char *fold(TALLOC_CTX *mem, const char *text, size_t len)
{
	char *out = talloc_array(mem, char, (unsigned)len + 1);
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c >= 0x80) {
			char *copy = talloc_strndup(mem, text, len), *folded = text_fold(mem, copy);

			talloc_free(copy);
			talloc_free(out);
			return folded;
		}
		if (c == '\'' || c == '.')
			continue;
		if (isalnum(c))
			out[n++] = (char)tolower(c);
		else if (n && out[n - 1] != ' ')
			out[n++] = ' ';
	}
	while (n && out[n - 1] == ' ')
		n--;
	out[n] = '\0';
	return out;
}

/* The words of a stretch of the name that is wholly inside or outside brackets. */
static void add_stretch(struct names *n, const char *name, size_t len, int piece, bool bracketed)
{
	char *folded = fold(n, name, len);

	for (char *word = folded, *space; *word; word = space + (*space != '\0')) {
		size_t length = strcspn(word, " ");

		space = word + length;
		add_word(n, word, length, piece, bracketed);
		if (!is_filler(word, length))
			n->word_count[piece]++;
		if (length > 5 && memcmp(word, "osulli", 6) == 0) /* O'Sullivan, without his O' */
			add_word(n, word + 1, length - 1, piece, bracketed);
	}
}

static void add_name(struct names *n, const char *name, int piece)
{
	bool inside = false;

	while (*name) {
		size_t len = strcspn(name, "()");

		add_stretch(n, name, len, piece, inside);
		name += len;
		if (*name)
			inside = *name++ == '(';
	}
}

struct names *names_new(TALLOC_CTX *mem, const struct state *s)
{
	struct names *n = talloc_zero(mem, struct names);

	n->state = s;
	for (int i = 0; i < s->count && i < PIECES_MAX; i++) {
		add_name(n, s->units[i].name, i);
		n->wing[i] = fold(n, s->units[i].wing, strlen(s->units[i].wing));
		n->code[i] = fold(n, s->units[i].code, strlen(s->units[i].code));
		n->id[i] = fold(n, s->units[i].id, strlen(s->units[i].id));
	}
	return n;
}

int names_word_count(const struct names *n, int piece)
{
	return n->word_count[piece];
}

/* A square of the map: "h4", or "h4.7" (the lexer keeps the dot). */
static void read_square(struct word *w)
{
	const char *t = w->text;
	size_t at = 1;
	int row = 0;

	w->column = -1;
	if (w->length < 2 || t[0] < 'a' || t[0] > 'z')
		return;
	while (at < w->length && at < 3 && t[at] >= '0' && t[at] <= '9')
		row = row * 10 + (t[at++] - '0');
	if (row < 1 || t[1] == '0')
		return;
	if (at + 2 == w->length && t[at] == '.' && t[at + 1] >= '1' && t[at + 1] <= '9')
		w->digit = t[at + 1] - '0';
	else if (at != w->length)
		return;
	w->column = t[0] - 'a';
	w->row = row;
}

/* Does the typed word name a piece by this word of its name? A plural or genitive -s may be too much. */
static bool fits(const struct word *w, const struct name_word *name, bool *exact)
{
	*exact = w->length == name->length && memcmp(w->text, name->text, w->length) == 0;
	if (*exact)
		return true;
	if (w->length >= PART_MIN && w->length < name->length)
		return memcmp(w->text, name->text, w->length) == 0;
	return name->length >= PART_MIN && w->length == name->length + 1 && w->text[w->length - 1] == 's' &&
	       memcmp(w->text, name->text, name->length) == 0;
}

static bool equals(const struct word *w, const char *text)
{
	return *text == *w->text && *text && strcmp(w->text, text) == 0;
}

static void find_pieces(struct names *n, struct word *w)
{
	bool exact;

	for (int i = 0; i < n->count; i++) {
		const struct name_word *name = &n->words[i];

		if (name->text[0] != w->text[0] || !fits(w, name, &exact))
			continue;
		set_add(&w->part, name->piece);
		if (exact)
			set_add(&w->exact, name->piece);
		if (!name->bracketed)
			set_add(&w->outside, name->piece);
	}
	for (int i = 0; i < n->state->count && i < PIECES_MAX; i++) {
		if (equals(w, n->code[i]))
			set_add(&w->code, i);
		if (equals(w, n->id[i]))
			set_add(&w->id, i);
		if (equals(w, n->wing[i]) || (strcmp(w->text, "center") == 0 && strcmp(n->wing[i], "centre") == 0))
			set_add(&w->wing, i);
	}
	w->named = !set_empty(&w->part) || !set_empty(&w->code) || !set_empty(&w->id);
	w->strong = !set_empty(&w->part) && w->length >= PART_MIN && w->key == KEY_NONE;
}

struct word *names_word(struct names *n, const char *folded, size_t len)
{
	uint32_t hash = 2166136261u;
	struct word *w;
	const struct vocabulary *v;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)folded[i]) * 16777619u;
	hash ^= hash >> 15;
	for (w = n->buckets[hash % BUCKETS]; w; w = w->same_bucket)
		if (w->hash == hash && w->length == len && memcmp(w->text, folded, len) == 0)
			return w;
	w = talloc_zero(n, struct word);
	w->text = talloc_strndup(n, folded, len);
	w->length = len;
	w->hash = hash;
	w->same_bucket = n->buckets[hash % BUCKETS];
	n->buckets[hash % BUCKETS] = w;
	v = vocabulary_find(w->text, len, &w->inflected);
	if (v) {
		w->key = v->key;
		w->value = v->value;
	}
	read_square(w);
	find_pieces(n, w);
	return w;
}

/* How far two words may differ and still be meant for each other. */
static int tolerance(size_t len)
{
	return len < 4 ? 0 : len < 6 ? 1 : len < 9 ? 2 : 3;
}

int names_nearest(struct names *n, const char *folded, const struct piece_set *among)
{
	int best = -1, limit = tolerance(strlen(folded)), least = limit + 1;
	char word[UNIT_NAME_MAX + 1];

	for (int i = 0; i < n->count; i++) {
		const struct name_word *name = &n->words[i];
		int distance;

		if (!set_has(among, name->piece) || name->length < PART_MIN)
			continue;
		snprintf(word, sizeof word, "%.*s", (int)name->length, name->text);
		distance = text_distance(folded, word, limit);
		if (distance < least) {
			least = distance;
			best = name->piece;
		}
	}
	return best;
}
