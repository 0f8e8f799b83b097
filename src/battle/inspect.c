#include "battle/inspect.h"

#include "base/text.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { WORDS_MAX = 16, WORD_MIN = 4 };

static void add(struct flaws *f, enum flaw_weight weight, int piece, const char *format, ...) PRINTF_LIKE(4, 5);

static void add(struct flaws *f, enum flaw_weight weight, int piece, const char *format, ...)
{
	va_list args;

	f->list = talloc_realloc(f, f->list, struct flaw, (unsigned)f->count + 1);
	assert(f->list);
	va_start(args, format);
	f->list[f->count++] = (struct flaw){weight, piece, talloc_vasprintf(f->list, format, args)};
	va_end(args);
}

/* --- what makes a battle unplayable --------------------------------------------------------------------------------
 */

static void find_clash(struct flaws *f, const struct scenario *s, int i, int k)
{
	const struct unit *u = &s->state->units[i], *v = &s->state->units[k];
	bool same_side = u->side == v->side;

	/* Orders do not mind capitals, but know whose unit they speak of. */
	if (strcmp(u->id, v->id) == 0 || (same_side && strcasecmp(u->id, v->id) == 0))
		add(f, FLAW_FATAL, i, "\"%s\" has the id %s, as \"%s\" has", u->name, u->id, v->name);
	if (same_side && strcasecmp(u->code, v->code) == 0)
		add(f, FLAW_FATAL, i, "\"%s\" has the code %s, as \"%s\" has", u->name, u->code, v->name);
	if (u->with < 0 && v->with < 0 && geo_overlap(&u->box, &v->box))
		add(f, FLAW_FATAL, i, "\"%s\" stands on \"%s\"", u->name, v->name);
}

static void find_faults(struct flaws *f, const struct scenario *s)
{
	const struct point corner = {s->table.width, s->table.height};
	bool there[SIDES] = {false, false};

	if (!*s->name)
		add(f, FLAW_FATAL, -1, "there is no line \"battle NAME\"");
	for (int i = 0; i < s->state->count; i++) {
		const struct unit *u = &s->state->units[i];

		if (!geo_within(&u->box, (struct point){0, 0}, corner))
			add(f, FLAW_FATAL, i, "\"%s\" is not wholly on the table", u->name);
		for (int k = 0; k < i; k++)
			find_clash(f, s, i, k);
		there[u->side] |= unit_is_formed(u);
	}
	for (int side = 0; side < SIDES; side++)
		if (!there[side])
			add(f, FLAW_FATAL, -1, "the side %s has no foot and no horse",
				side == SIDE_GOVERNMENT ? "E" : "J");
}

struct flaw *scenario_fault(TALLOC_CTX *mem, const struct scenario *s)
{
	struct flaws *f = talloc_zero(mem, struct flaws);

	find_faults(f, s);
	return f->count ? f->list : NULL;
}

/* --- distances -----------------------------------------------------------------------------------------------------
 */

/* Each Government piece with the nearest enemy that stands too near. */
static void find_near(struct flaws *f, const struct scenario *s, int32_t minimum)
{
	const struct unit *units = s->state->units;

	for (int i = 0; i < s->state->count; i++) {
		int nearest = -1;
		int32_t least = minimum;

		for (int k = 0; units[i].side == SIDE_GOVERNMENT && k < s->state->count; k++) {
			int32_t d =
				units[k].side == SIDE_GOVERNMENT ? minimum : geo_distance(&units[i].box, &units[k].box);

			if (d < least) {
				least = d;
				nearest = k;
			}
		}
		if (nearest >= 0)
			add(f, FLAW_PROBLEM, i, "\"%s\" and \"%s\" are %s\" apart; enemies begin at least %s\" apart",
				units[i].name, units[nearest].name, text_inches(f, least), text_inches(f, minimum));
	}
}

/* --- names ---------------------------------------------------------------------------------------------------------
 */

struct names {
	char *text; /* folded */
	const char *word[WORDS_MAX];
	int count;
};

static struct names split(TALLOC_CTX *mem, const char *name)
{
	struct names n = {.text = text_fold(mem, talloc_strdup(mem, name))};

	for (char *at = n.text; *at && n.count < WORDS_MAX;) {
		size_t len = strcspn(at, " ");

		n.word[n.count++] = at;
		at += len;
		if (*at)
			*at++ = '\0';
	}
	return n;
}

static bool has_digit(const char *word)
{
	return word[strcspn(word, "0123456789")] != '\0';
}

/* Two words that a pupil may write one for the other: a letter apart, or two in a long word. */
static bool alike(const char *a, const char *b)
{
	size_t len = strlen(a) < strlen(b) ? strlen(a) : strlen(b);
	int limit = len > 6 ? 2 : 1;

	return len >= WORD_MIN && !has_digit(a) && !has_digit(b) && text_distance(a, b, limit) <= limit;
}

/* Are the names the same but for one word that is alike? 2: they are the same. */
static int compare(const struct names *a, const struct names *b)
{
	int like = 0;

	if (a->count != b->count)
		return 0;
	for (int i = 0; i < a->count; i++) {
		if (strcmp(a->word[i], b->word[i]) == 0)
			continue;
		if (!alike(a->word[i], b->word[i]))
			return 0;
		like++;
	}
	return like == 0 ? 2 : like == 1;
}

static void find_like_names(struct flaws *f, const struct scenario *s, const struct names *names)
{
	const struct unit *units = s->state->units;

	for (int i = 0; i < s->state->count; i++)
		for (int k = 0; k < i; k++) {
			int like = units[i].kind == KIND_GUN && units[k].kind == KIND_GUN
					   ? 0
					   : compare(&names[i], &names[k]);

			if (like == 2)
				add(f, FLAW_PROBLEM, i, "%s and %s are both called \"%s\"", units[i].code,
					units[k].code, units[i].name);
			else if (like == 1)
				add(f, FLAW_PROBLEM, i, "\"%s\" (%s) is easily taken for \"%s\" (%s)", units[i].name,
					units[i].code, units[k].name, units[k].code);
		}
}

static bool has_word(const struct names *n, const char *word)
{
	for (int i = 0; i < n->count; i++)
		if (strcmp(n->word[i], word) == 0)
			return true;
	return false;
}

/* A word that several units of a side have in their names: written alone it asks which. Said once, at the first. */
static void find_shared_words(struct flaws *f, const struct scenario *s, const struct names *names)
{
	const struct unit *units = s->state->units;

	for (int i = 0; i < s->state->count; i++)
		for (int w = 0; unit_is_formed(&units[i]) && w < names[i].count; w++) {
			const char *word = names[i].word[w];
			char *codes = talloc_strdup(f, units[i].code);
			int n = 1;

			for (int k = 0; k < s->state->count && n > 0; k++) {
				if (k == i || units[k].side != units[i].side || !unit_is_formed(&units[k]) ||
					!has_word(&names[k], word))
					continue;
				n = k < i ? 0 : n + 1;
				codes = talloc_asprintf_append(codes, ", %s", units[k].code);
			}
			if (n > 1 && strlen(word) >= WORD_MIN)
				add(f, FLAW_NOTE, i,
					"\"%s\" alone may mean %s: players are asked which, and can write a code", word,
					codes);
		}
}

/* --- codes and the rest --------------------------------------------------------------------------------------------
 */

static void find_bad_codes(struct flaws *f, const struct scenario *s)
{
	for (int i = 0; i < s->state->count; i++) {
		const struct unit *u = &s->state->units[i];
		unsigned char first = (unsigned char)u->code[0];
		size_t len = strlen(u->code);
		bool small = islower(first) != 0;

		if (u->kind == KIND_GUN) {
			if (u->code[strspn(u->code, "0123456789")])
				add(f, FLAW_PROBLEM, i, "\"%s\" has the code %s; a gun's is a number", u->name,
					u->code);
			continue;
		}
		if (!isalpha(first) || small != (u->side == SIDE_JACOBITE))
			add(f, FLAW_PROBLEM, i, "\"%s\" has the code %s; codes of side %s begin with a %s letter",
				u->name, u->code, small ? "E" : "J", small ? "capital" : "small");
		if (u->kind == KIND_COMMANDER ? len != 2 : len != 1)
			add(f, FLAW_PROBLEM, i, "\"%s\" has the code %s; %s", u->name, u->code,
				u->kind == KIND_COMMANDER ? "a commander's has two letters"
							  : "a unit's is one letter, since the map has room for one");
		else if (len == 1 && strchr("IOio", first))
			add(f, FLAW_PROBLEM, i, "\"%s\" has the code %s, which looks like a number on the map", u->name,
				u->code);
	}
}

static void find_gaps(struct flaws *f, const struct scenario *s)
{
	enum { MAP_WIDTH = INCH(90), MAP_HEIGHT = INCH(60) };
	int overall[SIDES] = {0, 0};

	for (int i = 0; i < s->state->count; i++)
		overall[s->state->units[i].side] += s->state->units[i].overall;
	for (int side = 0; side < SIDES; side++)
		if (!s->labelled[side])
			add(f, FLAW_NOTE, -1, "there is no line \"side %s NAME\": reports call that side %s",
				side ? "J" : "E", s->label[side]);
	for (int side = 0; side < SIDES; side++)
		if (overall[side] != 1)
			add(f, FLAW_NOTE, -1, "the side %s has %s overall commander: %s", side ? "J" : "E",
				overall[side] ? "more than one" : "no",
				overall[side] ? "each is worth the points of one" : "nobody is worth his points");
	if (s->table.width > MAP_WIDTH || s->table.height > MAP_HEIGHT)
		add(f, FLAW_PROBLEM, -1, "the map shows 90 by 60 inches; the table is larger");
	if (!*s->history)
		add(f, FLAW_NOTE, -1, "there is no line \"history\": the debrief will not say what happened then");
}

struct flaws *scenario_inspect(TALLOC_CTX *mem, const struct scenario *s, int32_t minimum)
{
	struct flaws *f = talloc_zero(mem, struct flaws);
	struct names *names = talloc_array(f, struct names, (unsigned)s->state->count + 1);

	for (int i = 0; i < s->state->count; i++)
		names[i] = split(names, s->state->units[i].name);
	find_faults(f, s);
	find_near(f, s, minimum);
	find_like_names(f, s, names);
	find_bad_codes(f, s);
	find_shared_words(f, s, names);
	find_gaps(f, s);
	talloc_free(names);
	return f;
}

const char *flaw_place(TALLOC_CTX *mem, const struct scenario *s, const struct flaw *f)
{
	return talloc_asprintf(mem, "%s:%d:1", s->file, f->piece >= 0 && s->lines ? s->lines[f->piece] : 1);
}
