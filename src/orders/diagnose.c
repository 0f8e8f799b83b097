/* What is wrong, where, and what would be right. */
#include "base/buf.h"
#include "base/text.h"
#include "orders/parse.h"
#include "orders/print.h"

#include <ctype.h>
#include <string.h>

enum { PROBLEMS_MAX = 100, SHOWN_MAX = 60, LIKE_MIN = 4, FAR_LIKE_MIN = 7, MENDED_MAX = 400, CHOICES_MAX = 4 };

const char *typed_text(struct parser *p, int from, int end)
{
	const struct token *first = &p->lex->tokens[from], *last = &p->lex->tokens[end > from ? end - 1 : from];
	size_t length = last->offset + last->length - first->offset;
	char *text = talloc_strndup(p->mem, p->lex->text + first->offset, length < SHOWN_MAX ? length : SHOWN_MAX);

	if (first->type == TOKEN_NEWLINE || first->type == TOKEN_END)
		return "the end of the line";
	if (length >= SHOWN_MAX)
		while (*text && ((unsigned char)text[strlen(text) - 1] & 0xC0) == 0x80)
			text[strlen(text) - 1] = '\0';
	for (char *c = text; *c; c++)
		if (*c == '\n' || *c == '\t')
			*c = ' ';
	return text;
}

const char *word_to_begin(struct parser *p, int token)
{
	char *text = talloc_strdup(p->mem, typed_text(p, token, token + 1));

	for (char *c = text; *c; c++)
		*c = (char)(c == text ? toupper((unsigned char)*c) : tolower((unsigned char)*c));
	return text;
}

static const char *line_text(struct parser *p, int line)
{
	const struct text_line *l = &p->lex->lines[line];

	return talloc_strndup(p->sheet, p->lex->text + l->offset, l->length);
}

/* Is a problem at that place told already? One mistake, one message. */
static bool told(const struct parser *p, size_t offset)
{
	const struct sheet *s = p->sheet;

	return s->problem_count > 0 && s->problems[s->problem_count - 1].offset == offset &&
	       s->problems[s->problem_count - 1].from_sheet == p->from_sheet;
}

static struct problem *add_problem(struct parser *p)
{
	struct sheet *s = p->sheet;

	s->problems = WITH_ROOM(s, s->problems, struct problem, s->problem_count);
	s->problems[s->problem_count] = (struct problem){.from_sheet = p->from_sheet};
	return &s->problems[s->problem_count++];
}

/* Whose order it is in which the problem stands. */
static void name_order(struct parser *p, struct problem *q)
{
	struct trial t;
	int from;

	q->unit = -1;
	if (!p->ordering)
		return;
	t = trial_begin(p);
	subject_pieces(p, p->subject, &q->unit, 1);
	trial_end(p, t);
	if (q->unit < 0)
		return;
	from = p->subject->from;
	from -= from > 0 && p->lex->tokens[from - 1].key == KEY_STANDING;
	q->subject = talloc_strdup(p->sheet, typed_text(p, from, p->subject->end));
	q->locked = state_locked(p->ctx->state, q->unit);
}

/* What is missing at the end of a line is missed right behind what was written last, were it lines above. */
static int behind_written(const struct parser *p, int token)
{
	while (token > 0 && p->lex->tokens[token].type <= TOKEN_NEWLINE &&
		p->lex->tokens[token - 1].type == TOKEN_NEWLINE)
		token--;
	return token;
}

void problem(struct parser *p, enum problem_kind kind, int from, int end, const char *suggestion,
	const char *replacement, const char *format, ...)
{
	const struct token *first, *last;
	struct problem *out;
	va_list args;

	p->failures++;
	if (p->trial || p->full)
		return;
	if (from < 0)
		from = 0;
	if (from >= p->lex->count)
		from = p->lex->count - 1;
	from = behind_written(p, from);
	if (end <= from)
		end = from + 1;
	first = &p->lex->tokens[from];
	last = &p->lex->tokens[end - 1];
	if (told(p, first->offset))
		return;
	out = add_problem(p);
	out->kind = kind;
	out->line = first->line + 1;
	out->column = first->column;
	out->typed = line_text(p, first->line);
	name_order(p, out);
	out->offset = first->offset;
	out->length = last->offset + last->length - first->offset;
	out->replacement = replacement ? talloc_strdup(p->sheet, replacement) : NULL;
	out->suggestion = suggestion ? talloc_strdup(p->sheet, suggestion) : out->replacement;
	va_start(args, format);
	out->message = talloc_vasprintf(p->sheet, format, args);
	va_end(args);
	if (p->sheet->problem_count == PROBLEMS_MAX) {
		out = add_problem(p);
		out->kind = PROBLEM_TOO_LARGE;
		out->line = first->line + 1;
		out->column = 1;
		out->typed = line_text(p, first->line);
		out->offset = first->offset;
		out->message = talloc_asprintf(
			p->sheet, "More than %d mistakes: from here on nothing was read.", PROBLEMS_MAX);
		p->full = true;
	}
}

void suggest_line(struct parser *p, int failures_before, const char *line)
{
	struct problem *last;

	if (p->trial || p->failures == failures_before || !p->sheet->problem_count)
		return;
	last = &p->sheet->problems[p->sheet->problem_count - 1];
	if (last->suggestion)
		return;
	last->suggestion = talloc_strdup(p->sheet, line);
	last->whole = true;
}

/* Do the pieces of the set belong to both sides? */
static bool of_both_sides(struct parser *p, const struct piece_set *set)
{
	struct piece_set own = set_and(*set, p->own), enemy = set_and(*set, p->enemy);

	return !set_empty(&own) && !set_empty(&enemy);
}

/* A gun's name that tells it from the others of the set: both sides have a gun 1. NULL for all others. */
static const char *gun_of_both(struct parser *p, int piece, const struct piece_set *set)
{
	const struct unit *u = &p->ctx->state->units[piece];

	if (u->kind != KIND_GUN || !of_both_sides(p, set))
		return NULL;
	if (p->ctx->referee)
		return talloc_asprintf(p->mem, "%s %s", u->side == SIDE_GOVERNMENT ? "Government" : "Jacobite",
			piece_code(p->mem, p->ctx->state, piece));
	return piece_sure(p->mem, p->ctx->state, piece, p->ctx->side);
}

void suggest_choices(struct parser *p, int failures_before, const struct piece_set *set, bool several)
{
	struct problem *last;
	const char *all = NULL;

	if (p->trial || p->failures == failures_before || !p->sheet->problem_count)
		return;
	last = &p->sheet->problems[p->sheet->problem_count - 1];
	last->choices = talloc_array(p->sheet, const char *, CHOICES_MAX + 1);
	for (int i = set_next(set, 0); i >= 0 && last->choice_count < CHOICES_MAX; i = set_next(set, i + 1)) {
		const char *gun = gun_of_both(p, i, set);
		const char *code = gun ? gun : piece_code(p->mem, p->ctx->state, i);

		all = all == NULL ? code
				  : talloc_asprintf(p->sheet, "%s%s%s", all,
					    last->choice_count + 1 == set_size(set) ? " and " : ", ", code);
		last->choices[last->choice_count++] = talloc_strdup(p->sheet, code);
	}
	if (several && last->choice_count == set_size(set))
		last->choices[last->choice_count++] = all;
}

void problem_choice(struct parser *p, int token, const char *one, const char *other, const char *message)
{
	int before = p->sheet->problem_count;
	struct problem *last;

	problem(p, PROBLEM_UNREADABLE, token, token + 1, NULL, NULL, "%s", message);
	if (p->sheet->problem_count == before)
		return;
	last = &p->sheet->problems[before];
	last->choices = talloc_array(p->sheet, const char *, 2);
	last->choices[last->choice_count++] = one;
	last->choices[last->choice_count++] = other;
}

void join_lines(struct parser *p, const struct token *above, const struct token *first)
{
	struct problem *last = &p->sheet->problems[p->sheet->problem_count - 1];
	const struct text_line *upper = &p->lex->lines[above->line], *lower = &p->lex->lines[first->line];
	bool stop = above->type == TOKEN_STOP || above->type == TOKEN_SEMICOLON || above->type == TOKEN_COMMA;
	size_t end = stop ? above->offset : above->offset + above->length;

	if (upper->length + lower->length > MENDED_MAX)
		return;
	last->offset = end;
	last->length = first->offset - end;
	last->replacement = " ";
	last->suggestion =
		talloc_asprintf(p->sheet, "%.*s %.*s", (int)(end - upper->offset), p->lex->text + upper->offset,
			(int)(lower->offset + lower->length - first->offset), p->lex->text + first->offset);
	last->whole = true;
}

static void add_note(struct parser *p, int line, const char *text)
{
	struct sheet *s = p->sheet;

	s->notes = WITH_ROOM(s, s->notes, struct sheet_note, s->note_count);
	s->notes[s->note_count++] = (struct sheet_note){line, text};
}

void note(struct parser *p, int token, const char *format, ...)
{
	va_list args;

	if (p->trial)
		return;
	va_start(args, format);
	add_note(p, p->lex->tokens[token].line + 1, talloc_vasprintf(p->sheet, format, args));
	va_end(args);
}

void note_at(struct parser *p, int line, const char *text)
{
	if (!p->trial)
		add_note(p, line, talloc_strdup(p->sheet, text));
}

/* How much unlike the words are, the nearer the less: by the letters that differ, then by the first letter, and a word
 * that was cut short ("nort") is likelier than one with a letter too many. */
static int unlikeness(const struct word *w, const char *word, int distance)
{
	return distance * 4 + (word[0] != w->text[0]) * 2 + (strlen(word) < w->length);
}

/* A weak match is worse than none: a short word must begin with the same letter, or have its first two changed about.
 */
static bool is_weak(const struct word *w, const struct vocabulary *v)
{
	return w->length <= LIKE_MIN && v->word[0] != w->text[0] && (w->length < LIKE_MIN || v->word[0] != w->text[1]);
}

/* The vocabulary's word that is nearest, found once for each word. */
const char *nearest_word(struct parser *p, const struct token *t, bool verbs)
{
	struct word *w = t->word;
	int limit = w->length < LIKE_MIN - 1 ? 0 : w->length < FAR_LIKE_MIN ? 1 : 2;
	int best = 4 * limit + 4, best_verb = best;
	const struct vocabulary *v;

	(void)p;
	if (!w->likened) {
		w->likened = true;
		for (size_t i = 0; limit > 0 && (v = vocabulary_at(i)); i++) {
			size_t length = strlen(v->word), slips = (size_t)limit;
			int distance;

			if (length < LIKE_MIN - 1 || length + slips < w->length || length > w->length + slips ||
				is_weak(w, v))
				continue;
			distance = text_distance(w->text, v->word, limit);
			if (distance > limit)
				continue;
			distance = unlikeness(w, v->word, distance);
			if (distance < best) {
				best = distance;
				w->like = v->word;
			}
			if (distance < best_verb && key_is_verb(v->key)) {
				best_verb = distance;
				w->like_verb = v->word;
			}
		}
	}
	return verbs ? w->like_verb : w->like;
}

char *ask_between(struct parser *p, const struct piece_set *set)
{
	struct buf *out = buf_new(p->mem);
	int size = set_size(set), n = 0;
	char *text;

	for (int i = set_next(set, 0); i >= 0 && n < 8; i = set_next(set, i + 1), n++) {
		const char *gun = gun_of_both(p, i, set);

		buf_printf(out, "%s%s",
			n == 0          ? ""
			: n == size - 1 ? " or "
					: ", ",
			gun ? gun : piece_english(p->mem, p->ctx->state, i));
	}
	text = buf_steal(p->mem, out);
	talloc_free(out);
	return text;
}

/* A name that is read back as that piece and no other. */
static const char *sure_name(struct parser *p, int piece, enum role role)
{
	const struct unit *u = &p->ctx->state->units[piece];
	const char *of_role = role == ROLE_EITHER ? piece_sure(p->mem, p->ctx->state, piece, p->ctx->side)
						  : piece_code(p->mem, p->ctx->state, piece);

	return talloc_asprintf(p->mem, "%s", u->kind == KIND_COMMANDER || u->kind == KIND_GUN ? of_role : u->name);
}

static bool is_direction(const char *word)
{
	bool inflected;
	const struct vocabulary *v = vocabulary_find(word, strlen(word), &inflected);

	return v->key >= KEY_COMPASS && v->key <= KEY_RIGHT;
}

bool like_piece(struct parser *p, const struct token *t, const struct piece_set *among)
{
	struct piece_set like = names_nearest(p->names, t->word, among);

	return !set_empty(&like);
}

/* Of the pieces those of the kind that the words name: "Ligonier's horse". */
static struct piece_set of_kind(struct parser *p, struct piece_set set, int from, int end)
{
	struct piece_set fit = {0};

	for (int i = from; i < end; i++)
		for (int k = set_next(&set, 0); k >= 0; k = set_next(&set, k + 1))
			if (unit_is_of_kind(&p->ctx->state->units[k], p->lex->tokens[i].key))
				set_add(&fit, k);
	return set_empty(&fit) ? set : fit;
}

/* "Lord Gorge Murray": a further word of the name tells which of them. */
static struct piece_set narrowed(struct piece_set like, struct piece_set near)
{
	struct piece_set both = set_and(like, near);

	return !set_empty(&both) ? both : set_empty(&like) ? near : like;
}

/* Which pieces the words may mean, and the tokens [*at, *to) that do: of a list the item that is nearly a name, or a
 * name among other words ("Prestonpans gun no. 1"). */
static struct piece_set likely_pieces(
	struct parser *p, int from, int end, const struct piece_set *among, int *at, int *to)
{
	struct piece_set like = {0}, found = {0};
	struct match m;
	int before = p->pos;

	*at = from;
	*to = end;
	for (int i = from; i < end; i++) {
		const struct token *t = &p->lex->tokens[i];

		if (t->type == TOKEN_COMMA || t->type == TOKEN_AND || t->key == KEY_AND) {
			if (!set_empty(&like)) {
				*to = i;
				return like;
			}
			*at = i + 1;
		}
		if (t->type == TOKEN_WORD && t->word->length >= LIKE_MIN && t->word->key == KEY_NONE)
			like = narrowed(like, names_nearest(p->names, t->word, among));
		p->pos = i;
		if (set_empty(&found) && t->type == TOKEN_WORD &&
			((t->word->length >= LIKE_MIN && t->key == KEY_NONE) || t->key == KEY_GUN) &&
			match_piece(p, &m) && m.from == i && m.end <= end)
			found = set_and(m.set, *among);
	}
	p->pos = before;
	return of_kind(p, set_empty(&like) ? found : like, from, end);
}

const char *own_wings(struct parser *p)
{
	struct piece_set own = role_set(p, ROLE_OWN);
	const struct unit *units = p->ctx->state->units;
	char *text = talloc_strdup(p->mem, "");

	for (int i = set_next(&own, 0); i >= 0; i = set_next(&own, i + 1)) {
		bool told = units[i].kind == KIND_COMMANDER || !units[i].wing[0];

		for (int k = set_next(&own, 0); !told && k < i; k = set_next(&own, k + 1))
			told = units[k].kind != KIND_COMMANDER && !strcmp(units[k].wing, units[i].wing);
		if (!told)
			text = talloc_asprintf_append(text, "%s%s wing", *text ? ", " : "", units[i].wing);
	}
	return *text ? talloc_asprintf(p->mem, " Yours are: %s.", text) : "";
}

/* Does a word of it say that a wing is meant? */
static bool means_wing(struct parser *p, int from, int end)
{
	for (int i = from; i < end; i++)
		if (p->lex->tokens[i].key == KEY_WING)
			return true;
	return false;
}

/* "nearst", "neerest", "closet": whom to shoot or charge. */
static bool is_nearly_nearest(const struct token *t)
{
	return t->type == TOKEN_WORD && t->length >= FAR_LIKE_MIN - 1 &&
	       (text_distance(t->word->text, "nearest", 2) <= 2 || text_distance(t->word->text, "closest", 1) <= 1);
}

void unknown_piece(struct parser *p, int from, int end, enum role role, const char *expected)
{
	struct piece_set among = role_set(p, role), like;
	int at, to, failures = p->failures;
	const char *name, *direction = NULL;

	like = likely_pieces(p, from, end, &among, &at, &to);
	if (set_empty(&like)) {
		if (role == ROLE_OWN && means_wing(p, from, end)) {
			problem(p, PROBLEM_UNKNOWN, from, end, NULL, NULL, "`%s`: you have no such wing.%s",
				typed_text(p, from, end), own_wings(p));
			return;
		}
		if (role == ROLE_EITHER && p->lex->tokens[from].type == TOKEN_WORD)
			direction = nearest_word(p, &p->lex->tokens[from], false);
		if (direction && !is_direction(direction))
			direction = NULL;
		if (role == ROLE_ENEMY && is_nearly_nearest(&p->lex->tokens[from]))
			direction = "nearest";
		problem(p, PROBLEM_UNKNOWN, from, end, direction, direction, "`%s`: here %s was expected.",
			typed_text(p, from, end), expected);
		return;
	}
	if (role == ROLE_OWN)
		like = his_of_side(p, like);
	name = set_several(&like) ? NULL : sure_name(p, set_next(&like, 0), role);
	problem(p, PROBLEM_UNKNOWN, at, to, name, name, "%s: did you mean %s?", typed_text(p, at, to),
		ask_between(p, &like));
	if (!name)
		suggest_choices(p, failures, &like, false);
}

void set_aside_text(struct parser *p, const char *text, size_t len)
{
	struct sheet *s = p->sheet;

	while (len && (*text == ' ' || *text == '\t')) {
		text++;
		len--;
	}
	while (len && (text[len - 1] == ' ' || text[len - 1] == '\t'))
		len--;
	if (p->trial || !len)
		return;
	s->set_aside = WITH_ROOM(s, s->set_aside, const char *, s->set_aside_count);
	s->set_aside_at = WITH_ROOM(s, s->set_aside_at, size_t, s->set_aside_count);
	s->set_aside_at[s->set_aside_count] = (size_t)(text - p->lex->text);
	s->set_aside[s->set_aside_count++] = talloc_strndup(s, text, len);
}

void set_aside_line(struct parser *p, int line)
{
	const struct text_line *l = &p->lex->lines[line];

	set_aside_text(p, p->lex->text + l->offset, l->length);
}
