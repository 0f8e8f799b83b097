#include "orders/names.h"

#include "base/text.h"
#include "orders/spelling.h"

#include <string.h>

enum {
	HYPHENED_MAX = 32,
	BUCKETS = 256,
	PART_MIN = 4,
	VERB_MIN = 4,
	GUN_DIGITS_MAX = 2,
	WORDS_AT_ONCE = 32,
	WORDS_KEPT_MAX = 1024, /* from one sheet to the next */
	FIRST_LETTERS = 256
};

/* What a folded word may be of a piece. */
enum name_kind { NAME_WORD, NAME_BRACKETED, NAME_CODE, NAME_ID, NAME_WING };

struct name_word {
	const char *text; /* ends with a NUL */
	size_t length;
	int piece;
	enum name_kind kind;
	int next; /* with the same first letter, or -1 */
};

struct names {
	const struct state *state;
	struct word *buckets[BUCKETS];
	TALLOC_CTX *kept;   /* those words */
	struct word *spare; /* records allocated ahead */
	int spare_count, kept_count;
	struct name_word *words;
	int count, room;
	int first[FIRST_LETTERS]; /* of the words with that first letter, or -1 */
	struct name_word *usual;  /* the words of names as they are usually spelt; NULL until one is looked for */
	int usual_count;
	char *folded, *end; /* all the text, and where the next word's goes */
	int word_count[PIECES_MAX];
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

static bool set_equal(const struct piece_set *a, const struct piece_set *b)
{
	return memcmp(a->bits, b->bits, sizeof a->bits) == 0;
}

int set_size(const struct piece_set *s)
{
	int n = 0;

	for (int i = 0; i < PIECES_MAX / 64; i++)
		n += __builtin_popcountll(s->bits[i]);
	return n;
}

bool set_several(const struct piece_set *s)
{
	bool one = false;

	for (int i = 0; i < PIECES_MAX / 64; i++) {
		uint64_t bits = s->bits[i];

		if (bits && (one || (bits & (bits - 1))))
			return true;
		one |= bits != 0;
	}
	return false;
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

static void add_word(struct names *n, const char *text, size_t len, int piece, enum name_kind kind)
{
	int *first = &n->first[(unsigned char)*text];

	if (!len)
		return;
	if (n->count == n->room) {
		n->room = n->room ? n->room * 2 : 512;
		n->words = talloc_realloc(n, n->words, struct name_word, (unsigned)n->room);
	}
	n->words[n->count] = (struct name_word){text, len, piece, kind, *first};
	*first = n->count++;
}

/* text_fold into n->folded, done here for plain ASCII, which names are; a name is folded for every sheet that is read.
 */
static char *fold(struct names *n, const char *text, size_t len, size_t *folded_len)
{
	char *out = n->end, *at = out;

	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c >= 0x80) {
			char *copy = talloc_strndup(n, text, len), *folded = text_fold(n, copy);

			talloc_free(copy);
			*folded_len = strlen(folded);
			return folded;
		}
		if (c == '\'' || c == '.')
			continue;
		if (is_alnum_ascii(c))
			*at++ = fold_ascii(c);
		else if (at > out && at[-1] != ' ')
			*at++ = ' ';
	}
	while (at > out && at[-1] == ' ')
		at--;
	*folded_len = (size_t)(at - out);
	*at++ = '\0';
	n->end = at;
	return out;
}

static const char *add_folded(struct names *n, const char *text, int piece, enum name_kind kind, size_t *len)
{
	const char *folded = fold(n, text, strlen(text), len);

	add_word(n, folded, *len, piece, kind);
	return folded;
}

/* The words of a stretch of the name that is wholly inside or outside brackets. */
static void add_stretch(struct names *n, const char *name, size_t len, int piece, enum name_kind kind)
{
	size_t left;
	char *word = fold(n, name, len, &left);

	while (left > 0) {
		char *space = memchr(word, ' ', left);
		size_t length = space ? (size_t)(space - word) : left;

		if (space)
			*space = '\0';
		add_word(n, word, length, piece, kind);
		if (!is_filler(word, length))
			n->word_count[piece]++;
		if (length > 5 && memcmp(word, "osulli", 6) == 0) /* O'Sullivan, without his O' */
			add_word(n, word + 1, length - 1, piece, kind);
		left -= length + (space != NULL);
		word += length + (space != NULL);
	}
}

/* "Fitz-James" as one word too. */
static void add_hyphened(struct names *n, const char *name, int piece)
{
	const char *hyphen = strchr(name, '-');
	char word[HYPHENED_MAX];
	size_t len = 0, folded_len;
	const char *folded;

	if (!hyphen)
		return;
	while (hyphen > name && is_alnum_ascii((unsigned char)hyphen[-1]))
		hyphen--;
	for (; *hyphen == '-' || is_alnum_ascii((unsigned char)*hyphen); hyphen++)
		if (*hyphen != '-' && len + 1 < sizeof word)
			word[len++] = *hyphen;
	folded = fold(n, word, len, &folded_len);
	add_word(n, folded, folded_len, piece, NAME_WORD);
}

static void add_name(struct names *n, const char *name, int piece)
{
	bool inside = false;

	add_hyphened(n, name, piece);

	while (*name) {
		size_t len = strcspn(name, "()");

		add_stretch(n, name, len, piece, inside ? NAME_BRACKETED : NAME_WORD);
		name += len;
		if (*name)
			inside = *name++ == '(';
	}
}

struct names *names_new(TALLOC_CTX *mem, const struct state *s)
{
	struct names *n = talloc_zero(mem, struct names);
	int pieces = s->count < PIECES_MAX ? s->count : PIECES_MAX;
	size_t room = 1, len, wing_len = 0;
	const char *wing = "";

	n->state = s;
	n->kept = talloc_new(n);
	for (int i = 0; i < FIRST_LETTERS; i++)
		n->first[i] = -1;
	for (int i = 0; i < pieces; i++) /* every stretch with a NUL of its own */
		room += 3 * strlen(s->units[i].name) + strlen(s->units[i].wing) + strlen(s->units[i].code) +
			strlen(s->units[i].id) + 8;
	n->folded = n->end = talloc_array(n, char, (unsigned)room);
	for (int i = 0; i < pieces; i++) {
		add_name(n, s->units[i].name, i);
		if (i > 0 && strcmp(s->units[i].wing, s->units[i - 1].wing) == 0) /* folded already */
			add_word(n, wing, wing_len, i, NAME_WING);
		else
			wing = add_folded(n, s->units[i].wing, i, NAME_WING, &wing_len);
		add_folded(n, s->units[i].code, i, NAME_CODE, &len);
		add_folded(n, s->units[i].id, i, NAME_ID, &len);
	}
	return n;
}

void names_begin_sheet(struct names *n)
{
	if (n->kept_count <= WORDS_KEPT_MAX)
		return;
	talloc_free_children(n->kept);
	memset(n->buckets, 0, sizeof n->buckets);
	n->spare_count = n->kept_count = 0;
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

static bool equals(const struct word *w, const struct name_word *name)
{
	return w->length == name->length && memcmp(w->text, name->text, w->length) == 0;
}

/* For every word of every sheet that is read, so it is to be inlined. */
__attribute__((always_inline)) static inline void find_piece(struct word *w, const struct name_word *name)
{
	bool exact;

	switch (name->kind) {
	case NAME_WORD:
	case NAME_BRACKETED:
		if (!fits(w, name, &exact))
			return;
		set_add(&w->part, name->piece);
		if (exact)
			set_add(&w->exact, name->piece);
		if (name->kind == NAME_WORD)
			set_add(&w->outside, name->piece);
		break;
	case NAME_CODE:
		if (equals(w, name))
			set_add(&w->code, name->piece);
		break;
	case NAME_ID:
		if (equals(w, name))
			set_add(&w->id, name->piece);
		break;
	case NAME_WING:
		if (equals(w, name) ||
			(strcmp(w->text, "center") == 0 && name->length == 6 && memcmp(name->text, "centre", 6) == 0))
			set_add(&w->wing, name->piece);
		break;
	}
}

/* "gun1", "cannon2": the number of a gun, as if it had a blank before it; so it is a code of both sides' guns. */
static void find_gun(const struct names *n, struct word *w)
{
	size_t letters = *w->text == 'g' ? 3 : 6;
	const char *number = w->text + letters;

	if (w->length <= letters || strncmp(w->text, letters == 3 ? "gun" : "cannon", letters) != 0)
		return;

	if (strspn(number, "0123456789") != strlen(number) || strlen(number) > GUN_DIGITS_MAX)
		return;
	for (int i = 0; i < n->state->count; i++)
		if (n->state->units[i].kind == KIND_GUN && strcmp(n->state->units[i].code, number) == 0)
			set_add(&w->code, i);
}

/* "first Atholls" for "1st Atholls". */
static void find_ordinal(struct names *n, struct word *w)
{
	static const struct {
		const char *word, *name;
	} ordinals[] = {{"first", "1st"}, {"second", "2nd"}, {"third", "3rd"}};

	for (size_t k = 0; k < sizeof ordinals / sizeof *ordinals; k++) {
		if (*w->text != *ordinals[k].word || strcmp(w->text, ordinals[k].word) != 0)
			continue;
		w->ordinal = (int)k + 1;
		w->part = names_word(n, ordinals[k].name, 3)->part;
		w->exact = w->part;
	}
}

static bool is_likewise(const char *text)
{
	static const char *const words[] = {"too", "also", "likewise", "ditto", "aswell", "well", "same"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (*text == *words[i] && strcmp(text, words[i]) == 0)
			return true;
	return false;
}

static void spell_usual(struct names *n)
{
	n->usual = talloc_array(n, struct name_word, (unsigned)n->count + 1);
	for (int i = 0; i < n->count; i++) {
		char text[SPELLING_MAX];
		size_t len = n->words[i].kind <= NAME_BRACKETED && n->words[i].length >= PART_MIN
				     ? spelling_usual(n->words[i].text, n->words[i].length, text)
				     : 0;

		struct name_word *usual = &n->usual[n->usual_count];

		if (!len)
			continue;
		*usual = n->words[i]; /* most are spelt so */
		if (len != usual->length || memcmp(text, usual->text, len) != 0)
			usual->text = talloc_strndup(n->usual, text, len);
		usual->length = len;
		n->usual_count++;
	}
}

/* "Stewarts" for "Stuarts": another spelling of a name's word. */
static void find_spelling(struct names *n, struct word *w)
{
	char text[SPELLING_MAX];
	struct word usual = {.text = text};

	if (w->key != KEY_NONE || w->length < PART_MIN || !set_empty(&w->part))
		return;
	usual.length = spelling_usual(w->text, w->length, text);
	if (!n->usual)
		spell_usual(n);
	for (int i = 0; usual.length && i < n->usual_count; i++)
		if (*n->usual[i].text == *text)
			find_piece(&usual, &n->usual[i]);
	w->respelt = !set_empty(&usual.part);
	w->part = usual.part;
	w->exact = usual.exact;
	w->outside = usual.outside;
}

static void find_pieces(struct names *n, struct word *w)
{
	for (int i = n->first[(unsigned char)*w->text]; i >= 0; i = n->words[i].next)
		find_piece(w, &n->words[i]);
	w->likewise = is_likewise(w->text);
	find_gun(n, w);
	find_ordinal(n, w);
	find_spelling(n, w);
	w->named = !set_empty(&w->part) || !set_empty(&w->code) || !set_empty(&w->id);
	w->strong = !set_empty(&w->part) && w->length >= PART_MIN && w->key == KEY_NONE && !w->ordinal;
}

/* "advance4": how long the order word is to which a number was joined; 0 for none. */
static size_t verb_length(const struct word *w)
{
	const struct vocabulary *v;
	bool inflected;
	size_t n = 0;

	while (n < w->length && w->text[n] >= 'a' && w->text[n] <= 'z')
		n++;
	if (n < VERB_MIN || n == w->length || w->text[n] < '0' || w->text[n] > '9')
		return 0;
	v = vocabulary_find(w->text, n, &inflected);
	return v && key_is_verb(v->key) ? n : 0;
}

static struct word *new_word(struct names *n, const char *folded, size_t len, uint32_t hash)
{
	struct word *w;

	if (!n->spare_count) {
		n->spare_count = WORDS_AT_ONCE;
		n->spare = talloc_zero_array(n->kept, struct word, WORDS_AT_ONCE);
	}
	w = &n->spare[--n->spare_count];
	n->kept_count++;
	if (len <= SHORT_WORD_MAX)
		w->text = memcpy(w->short_text, folded, len); /* zeroed behind */
	else
		w->text = talloc_strndup(n->kept, folded, len);
	w->length = len;
	w->hash = hash;
	w->same_bucket = n->buckets[hash % BUCKETS];
	n->buckets[hash % BUCKETS] = w;
	return w;
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
	w = new_word(n, folded, len, hash);
	v = vocabulary_find(w->text, len, &w->inflected);
	if (v) {
		w->key = v->key;
		w->value = v->value;
	}
	w->verb_length = verb_length(w);
	read_square(w);
	find_pieces(n, w);
	return w;
}

/* How far two words may differ and still be meant for each other. */
static int tolerance(size_t len)
{
	return len < 4 ? 0 : len < 6 ? 1 : len < 9 ? 2 : 3;
}

/* "Prise" for Price's: a slip in a word without the genitive's -s is likened to the name without it. */
static int distance_to(const struct word *w, const struct name_word *name, int limit)
{
	char bare[HYPHENED_MAX];
	int distance;

	if (w->text[w->length - 1] == 's' || name->text[name->length - 1] != 's' || name->length > sizeof bare)
		return text_distance(w->text, name->text, limit);
	memcpy(bare, name->text, name->length - 1);
	bare[name->length - 1] = '\0';
	distance = text_distance(w->text, bare, limit);
	return distance > 0 ? distance : text_distance(w->text, name->text, limit);
}

static struct piece_set find_nearest(const struct names *n, const struct word *w, const struct piece_set *among)
{
	struct piece_set best = {0};
	int least = tolerance(w->length);

	for (int i = 0; i < n->count; i++) {
		const struct name_word *name = &n->words[i];
		int distance, limit;

		if (name->kind > NAME_BRACKETED || !set_has(among, name->piece) || name->length < PART_MIN)
			continue;
		limit = tolerance(name->length < w->length ? name->length : w->length);
		if (limit > least)
			limit = least;
		distance = distance_to(w, name, limit);
		if (distance > limit)
			continue;
		if (distance < least)
			best = (struct piece_set){0};
		least = distance;
		set_add(&best, name->piece);
	}
	return best;
}

struct piece_set names_nearest(const struct names *n, struct word *w, const struct piece_set *among)
{
	if (!set_equal(&w->near_among, among)) {
		w->near = find_nearest(n, w, among);
		w->near_among = *among;
	}
	return w->near;
}
