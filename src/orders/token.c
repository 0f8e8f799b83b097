#include "orders/token.h"

#include "base/text.h"
#include "orders/names.h"
#include "orders/vocabulary.h"

#include <ctype.h>
#include <string.h>
#include <utf8proc.h>

enum { WORD_BYTES_MAX = 120, LONG_WORD_MAX = 1000, NUMBER_MAX = 1000000, TAB_STOP = 8, ABBREVIATION_MAX = 4 };

struct lexer {
	struct lexed *out;
	struct names *names;
	size_t at;
	int room, line_room;
	size_t counted; /* bytes up to which `column` has been counted */
	int column;
	bool blank;      /* before the next token */
	bool line_start; /* no token yet on this line */
};

static int peek(const struct lexer *l, size_t ahead)
{
	return l->at + ahead < l->out->length ? (unsigned char)l->out->text[l->at + ahead] : 0;
}

static struct token *add(struct lexer *l, enum token_type type, size_t length)
{
	struct lexed *o = l->out;

	if (o->count == l->room) {
		l->room = l->room ? l->room * 2 : 256;
		o->tokens = talloc_realloc(o, o->tokens, struct token, (unsigned)l->room);
	}
	for (; l->counted < l->at; l->counted++)
		l->column += ((unsigned char)o->text[l->counted] & 0xC0) != 0x80;
	o->tokens[o->count] = (struct token){
		.type = type,
		.spaced = l->blank || l->line_start,
		.mark = (char)peek(l, 0),
		.offset = (uint32_t)l->at,
		.length = (uint32_t)length,
		.line = o->line_count - 1,
		.column = l->column,
	};
	l->at += length;
	l->blank = false;
	l->line_start = false;
	return &o->tokens[o->count++];
}

static void begin_line(struct lexer *l)
{
	struct lexed *o = l->out;
	struct text_line *line;
	const char *end;

	if (o->line_count == l->line_room) {
		l->line_room = l->line_room ? l->line_room * 2 : 64;
		o->lines = talloc_realloc(o, o->lines, struct text_line, (unsigned)l->line_room);
	}
	line = &o->lines[o->line_count++];
	l->counted = l->at;
	l->column = 1;
	end = memchr(o->text + l->at, '\n', o->length - l->at);
	*line = (struct text_line){
		.offset = (uint32_t)l->at,
		.length = (uint32_t)(end ? (size_t)(end - o->text) - l->at : o->length - l->at),
		.first = o->count,
	};
	while (peek(l, 0) == ' ' || peek(l, 0) == '\t') {
		line->indent += peek(l, 0) == '\t' ? TAB_STOP - line->indent % TAB_STOP : 1;
		l->at++;
	}
	l->line_start = true;
}

/* A character that is not ASCII: its code and length; -1 for a byte that is none. */
static size_t decode(const struct lexer *l, size_t ahead, int32_t *c)
{
	const char *t = l->out->text + l->at + ahead;
	utf8proc_ssize_t n =
		utf8proc_iterate((const utf8proc_uint8_t *)t, (utf8proc_ssize_t)(l->out->length - l->at - ahead), c);

	if (n >= 1)
		return (size_t)n;
	*c = -1;
	return 1;
}

static bool is_letter(int32_t c)
{
	utf8proc_category_t k = utf8proc_category(c);

	return (k >= UTF8PROC_CATEGORY_LU && k <= UTF8PROC_CATEGORY_LO) || k == UTF8PROC_CATEGORY_MN;
}

/* How many bytes of a word's character stand at `ahead`; 0 when the word ends there. */
static size_t word_character(const struct lexer *l, size_t ahead)
{
	int c = peek(l, ahead);
	int32_t code;
	size_t n;

	if (c < 0x80)
		return is_alnum_ascii(c) ||
		       (c == '\'' && (is_alnum_ascii(peek(l, ahead + 1)) || peek(l, ahead + 1) >= 0x80));
	n = decode(l, ahead, &code);
	return code >= 0 && is_letter(code) ? n : 0;
}

/* A word that has other letters than ASCII's, or that is long. */
static struct word *intern_slowly(struct lexer *l, size_t *len)
{
	const char *text = l->out->text + l->at;
	char *copy, *folded;
	struct word *w;
	size_t n;

	while ((n = word_character(l, *len)) > 0)
		*len += n;
	copy = talloc_strndup(l->out, text, *len < LONG_WORD_MAX ? *len : LONG_WORD_MAX);
	folded = text_fold(copy, copy);
	w = names_word(l->names, folded, strlen(folded));
	talloc_free(copy);
	return w;
}

/* The word here and its length: nearly always letters and digits of ASCII, which are folded as they are read. */
static struct word *intern(struct lexer *l, size_t *len)
{
	const char *text = l->out->text + l->at;
	size_t rest = l->out->length - l->at, at = 0, n = 0;
	char folded[WORD_BYTES_MAX];

	for (; at < rest && n < WORD_BYTES_MAX - 2; at++) {
		if (is_alnum_ascii(text[at]))
			folded[n++] = fold_ascii(text[at]);
		else if (text[at] != '\'' || !is_alnum_ascii(peek(l, at + 1)))
			break;
	}
	*len = at;
	if ((peek(l, at) >= 0x80 || peek(l, at) == '\'') && word_character(l, at) > 0)
		return intern_slowly(l, len);
	/* a square's ninth: H4.7 */
	if (n == at && n >= 2 && n <= 3 && isalpha(folded[0]) && isdigit(folded[1]) && isdigit(folded[n - 1]) &&
		peek(l, at) == '.' && isdigit(peek(l, at + 1)) && !is_alnum_ascii(peek(l, at + 2))) {
		folded[n++] = '.';
		folded[n++] = text[at + 1];
		*len += 2;
	}
	return names_word(l->names, folded, n);
}

static void skip(struct lexer *l, size_t n)
{
	l->at += n;
	l->blank = true;
}

/* "adv. 4", "fwd. 2", "cav. charge": the dot of an abbreviation is no full stop. Behind a verb or a kind it never is,
 * behind the others only before a number: "move 3 n. Good luck" ends there. */
static void skip_dot(struct lexer *l, const struct word *w)
{
	static const char *const never_last[] = {"adv", "mv", "ret", "chg", "cav", "inf", "regt", NULL};
	static const char *const others[] = {
		"fwd", "fwds", "max", "in", "ins", "deg", "n", "e", "s", "w", "ne", "nw", "se", "sw", NULL};
	size_t next = 1;
	bool number;

	while (peek(l, next) == ' ')
		next++;
	number = isdigit(peek(l, next));
	for (const char *const *a = never_last; *a; a++)
		if (strcmp(w->text, *a) == 0 && (number || isalpha(peek(l, next))))
			skip(l, 1);
	for (const char *const *a = others; *a; a++)
		if (strcmp(w->text, *a) == 0 && (number || peek(l, next) == ','))
			skip(l, 1);
}

/* "w/ Barrell's", "w/barrells": with. "W/X" are two letters of units. */
static bool is_short_with(const struct lexer *l)
{
	return tolower(peek(l, 0)) == 'w' && peek(l, 1) == '/' &&
	       (peek(l, 2) == ' ' || (isalpha(peek(l, 2)) && isalpha(peek(l, 3)) && isalpha(peek(l, 4))));
}

/* "advance four inches full stop": what a voice has dictated is a mark, but not directly behind a subject's. */
static void take_dictated_stop(struct lexer *l)
{
	struct token *stop = &l->out->tokens[l->out->count - 1], *full = stop - 1;

	if (l->out->count < 3 || full->key != KEY_FULL || full->line != stop->line || full[-1].line != stop->line ||
		(full[-1].type != TOKEN_WORD && full[-1].type != TOKEN_NUMBER && full[-1].type != TOKEN_QUOTE) ||
		full[-1].key == KEY_A)
		return;
	full->type = TOKEN_STOP;
	full->key = KEY_NONE;
	full->mark = '.';
	full->length = stop->offset + stop->length - full->offset;
	l->out->count--;
}

static void read_word(struct lexer *l)
{
	size_t len = 2;
	struct word *w = is_short_with(l) ? names_word(l->names, "with", 4) : intern(l, &len);
	struct token *t;

	if (w->verb_length && len == w->length) { /* "advance4": the number is read next */
		len = w->verb_length;
		w = names_word(l->names, w->text, len);
	}
	t = add(l, TOKEN_WORD, len);
	t->word = w;
	t->key = w->key;
	if (w->key == KEY_STOP)
		take_dictated_stop(l);
	if (len <= ABBREVIATION_MAX && peek(l, 0) == '.')
		skip_dot(l, w);
	l->out->lines[l->out->line_count - 1].likewise |= w->likewise;
}

/* "1st" and the like are words. */
static bool is_ordinal(const struct lexer *l, size_t digits)
{
	int a = tolower(peek(l, digits)), b = tolower(peek(l, digits + 1));

	return ((a == 's' && b == 't') || (a == 'n' && b == 'd') || (a == 'r' && b == 'd') || (a == 't' && b == 'h')) &&
	       word_character(l, digits + 2) == 0;
}

/* number = digits [ "." digits ] ; in thousandths, further digits cut off */
static void read_number(struct lexer *l)
{
	size_t len = 0;
	int64_t value = 0, unit = 1000;

	while (isdigit(peek(l, len))) {
		if (value <= NUMBER_MAX)
			value = value * 10 + (peek(l, len) - '0');
		len++;
	}
	if (is_ordinal(l, len)) {
		read_word(l);
		return;
	}
	value *= 1000;
	if (peek(l, len) == '.' && isdigit(peek(l, len + 1))) {
		for (len++; isdigit(peek(l, len)); len++) {
			unit /= 10;
			value += unit * (peek(l, len) - '0');
		}
	}
	add(l, TOKEN_NUMBER, len)->number = value <= NUMBER_MAX ? (int32_t)value : -1;
}

/* The number in a circle or brackets, or with a full stop: what a phone offers for one; -1: it is none. */
static int number_in_circle(int32_t c)
{
	static const struct {
		int32_t first, last;
		int number;
	} rows[] = {{0x2460, 0x2473, 1}, {0x2474, 0x2487, 1}, {0x2488, 0x249B, 1}, {0x24EA, 0x24EA, 0},
		{0x24EB, 0x24F4, 11}, {0x24F5, 0x24FE, 1}, {0x24FF, 0x24FF, 0}, {0x2776, 0x277F, 1},
		{0x2780, 0x2789, 1}, {0x278A, 0x2793, 1}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (c >= rows[i].first && c <= rows[i].last)
			return rows[i].number + (int)(c - rows[i].first);
	return -1;
}

/* A number that is none of ours, such as a third: to be asked about, not passed over. */
static bool is_other_number(int32_t c)
{
	return utf8proc_category(c) == UTF8PROC_CATEGORY_NO || utf8proc_category(c) == UTF8PROC_CATEGORY_NL;
}

/* A letter that is not ASCII begins a word; a fraction is a number; signs and emoji are read as a person reads them. */
static void read_foreign(struct lexer *l)
{
	int32_t c;
	size_t n = decode(l, 0, &c);

	if (c >= 0 && is_letter(c) && utf8proc_category(c) != UTF8PROC_CATEGORY_MN)
		read_word(l);
	else if (c == 0xBC || c == 0xBD || c == 0xBE)
		add(l, TOKEN_NUMBER, n)->number = (c - 0xBB) * 250;
	else if (!l->line_start && number_in_circle(c) >= 0) /* at a line's beginning it numbers the lines */
		add(l, TOKEN_NUMBER, n)->number = 1000 * number_in_circle(c);
	else if (c == 0xB0 || c == 0xBA)
		add(l, TOKEN_DEGREE, n);
	else if (c >= 0 && (utf8proc_category(c) == UTF8PROC_CATEGORY_CS || (!l->line_start && is_other_number(c))))
		add(l, TOKEN_OTHER, n);
	else
		skip(l, n);
}

static bool is_smiley(const struct lexer *l, size_t *len)
{
	size_t nose = peek(l, 1) == '-';
	int mouth = peek(l, 1 + nose);

	*len = 2 + nose;
	return (peek(l, 0) == ':' || peek(l, 0) == ';') && (mouth == ')' || (mouth == '(' && peek(l, 2 + nose) <= ' '));
}

static void read_comparison(struct lexer *l)
{
	int a = peek(l, 0), b = peek(l, 1);

	if (a == '=' && b == '>')
		add(l, TOKEN_ARROW, 2);
	else if (a == '=' && b == '<')
		add(l, TOKEN_AT_MOST, 2);
	else if (a == '=')
		add(l, TOKEN_EQUAL, b == '=' ? 2 : 1);
	else if (b == '=')
		add(l, a == '<' ? TOKEN_AT_MOST : TOKEN_AT_LEAST, 2);
	else
		add(l, a == '<' ? TOKEN_LESS : TOKEN_GREATER, 1);
}

static void read_dash(struct lexer *l)
{
	size_t n = 1;

	while (peek(l, n) == '-')
		n++;
	if (peek(l, n) == '>')
		add(l, TOKEN_ARROW, n + 1);
	else
		add(l, TOKEN_DASH, n);
}

static void read_mark(struct lexer *l)
{
	static const struct {
		char mark;
		enum token_type type;
	} marks[] = {
		{',', TOKEN_COMMA},
		{'!', TOKEN_STOP},
		{'?', TOKEN_STOP},
		{'"', TOKEN_QUOTE},
		{'(', TOKEN_OPEN},
		{'[', TOKEN_OPEN},
		{')', TOKEN_CLOSE},
		{']', TOKEN_CLOSE},
		{'&', TOKEN_AND},
		{'+', TOKEN_AND},
		{'/', TOKEN_SLASH},
		{';', TOKEN_SEMICOLON},
		{':', TOKEN_COLON},
		{'#', TOKEN_HASH},
		{'~', TOKEN_DASH},
	};
	char c = (char)peek(l, 0);

	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		if (marks[i].mark == c) {
			add(l, marks[i].type, 1);
			return;
		}
	}
	if (c == '@' && l->blank) { /* "fire @ Camerons" */
		struct token *t = add(l, TOKEN_WORD, 1);

		t->word = names_word(l->names, "at", 2);
		t->key = t->word->key;
		return;
	}
	add(l, TOKEN_OTHER, 1);
}

/* A run of full stops is one. ".5" is a number. */
static void read_stop(struct lexer *l)
{
	size_t n = 1;

	while (peek(l, n) == '.')
		n++;
	if (n == 1 && (l->blank || l->line_start) && isdigit(peek(l, 1)))
		read_number(l);
	else
		add(l, TOKEN_STOP, n);
}

static void read_token(struct lexer *l)
{
	int c = peek(l, 0);
	size_t smiley;

	if (c == ' ')
		skip(l, 1);
	else if (isalpha(c))
		read_word(l);
	else if (isdigit(c))
		read_number(l);
	else if (c == '*' || c == '_' || c == '\r')
		skip(l, 1);
	else if (c == '\'' && peek(l, 1) == '\'')
		add(l, TOKEN_QUOTE, 2);
	else if (c == '\'')
		skip(l, 1);
	else if (c == '#' && (l->blank || l->line_start) && !isdigit(peek(l, 1)))
		l->at = l->out->lines[l->out->line_count - 1].offset + l->out->lines[l->out->line_count - 1].length;
	else if ((c == '\t' || c == '|') && l->line_start)
		skip(l, 1);
	else if (c == '\t' || c == '|')
		add(l, TOKEN_TAB, 1);
	else if (c >= 0x80)
		read_foreign(l);
	else if ((c == ':' || c == ';') && is_smiley(l, &smiley))
		skip(l, smiley);
	else if (c == '.')
		read_stop(l);
	else if (c == '-')
		read_dash(l);
	else if (c == '~' && isdigit(peek(l, 1)))
		skip(l, 1); /* "about" */
	else if (c == '<' || c == '>' || c == '=')
		read_comparison(l);
	else
		read_mark(l);
}

struct lexed *tokens_read(TALLOC_CTX *mem, const char *text, size_t len, struct names *names)
{
	struct lexed *out = talloc_zero(mem, struct lexed);
	struct lexer l = {.out = out, .names = names};

	out->text = text;
	out->length = len;
	l.room = (int)(len / 3) + 16;
	out->tokens = talloc_array(out, struct token, (unsigned)l.room);
	begin_line(&l);
	while (l.at < len) {
		if (text[l.at] == '\n') {
			add(&l, TOKEN_NEWLINE, 1);
			begin_line(&l);
		} else {
			read_token(&l);
		}
	}
	add(&l, TOKEN_NEWLINE, 0);
	add(&l, TOKEN_END, 0);
	return out;
}
