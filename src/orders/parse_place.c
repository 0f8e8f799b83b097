/* Numbers, directions and places.
 *
 *   direction = "north"|"n"|"north-east"|"ne"|...|"nw" | number "degrees" | "forward"|"back"|"left"|"right"
 *   place     = square | square "." digit | "(" number "," number ")"
 *   distance  = number [ "inches" | "inch" | "in" | '"' ]
 */
#include "base/text.h"
#include "orders/lines.h"
#include "orders/parse.h"

#include <ctype.h>
#include <string.h>

enum { DISTANCE_LIMIT = 200000 };

/* --- numbers ------------------------------------------------------------------------------------------------------ */

bool number_begins(struct parser *p)
{
	const struct token *t = here(p);

	return t->type == TOKEN_NUMBER || (t->type == TOKEN_WORD && t->word->key == KEY_NUMBER) ||
	       (t->type == TOKEN_WORD && t->word->key == KEY_HALF);
}

/* "1/2" */
static bool parse_fraction(struct parser *p, int32_t *out)
{
	const struct token *above = here(p), *below;

	if (above->type != TOKEN_NUMBER || ahead(p, 1)->type != TOKEN_SLASH)
		return false;
	below = ahead(p, 2);
	if (below->type != TOKEN_NUMBER || below->number <= 0 || above->number < 0 || above->number >= below->number)
		return false;
	*out = (int32_t)((int64_t)above->number * 1000 / below->number);
	advance(p);
	advance(p);
	advance(p);
	return true;
}

/* "and a half" */
static bool parse_and_half(struct parser *p)
{
	int before = p->pos;

	if (take_key(p, KEY_AND)) {
		take_key(p, KEY_A);
		if (take_key(p, KEY_HALF))
			return true;
	}
	p->pos = before;
	return false;
}

/* "point five" in "two point five", in thousandths; 0 and nothing taken when none stands here. */
static int32_t spoken_tenths(struct parser *p)
{
	const struct token *digit;

	if (key_here(p) != KEY_POINTS || !is_word_here(p, "point"))
		return 0;
	digit = ahead(p, 1);
	if (digit->key != KEY_NUMBER || digit->word->value > 9)
		return 0;
	advance(p);
	advance(p);
	return digit->word->value * 100;
}

/* number = digits [ "." digits ] [ fraction ] | fraction | "one" | ... [ "and a half" | "point" digit ] */
bool parse_number(struct parser *p, int32_t *out)
{
	int32_t part;
	const struct token *t;

	if (!number_begins(p))
		return false;
	if (parse_fraction(p, out))
		return true;
	t = here(p);
	advance(p);
	if (t->type == TOKEN_WORD && t->word->key == KEY_HALF) {
		*out = 500;
		if (!take_key(p, KEY_A) && key_here(p) != KEY_INCHES)
			problem(p, PROBLEM_UNREADABLE, p->pos - 1, p->pos, NULL, NULL,
				"Half of what? Write inches, as `3`, or an angle, as `wheel right 45`.");
		return true;
	}
	*out = t->type == TOKEN_NUMBER ? t->number : t->word->value * 1000;
	if (*out < 0)
		return true;
	if (parse_fraction(p, &part)) {
		*out += part;
	} else if (here(p)->type == TOKEN_NUMBER && here(p)->number < 1000 && (unsigned char)here(p)->mark >= 0x80) {
		*out += here(p)->number;
		advance(p);
	} else if (parse_and_half(p)) {
		*out += 500;
	} else {
		*out += spoken_tenths(p);
	}
	return true;
}

/* "4 squares", "one space": people count the map. */
static bool is_squares(struct parser *p)
{
	const struct token *t = here(p);

	return t->type == TOKEN_WORD && (word_begins(t->word, "square") || word_begins(t->word, "space"));
}

static void tell_squares(struct parser *p, int from, int32_t number)
{
	const char *inches = number > 0 && number <= DISTANCE_LIMIT * 1000 / SQUARE_SIDE
				     ? text_inches(p->mem, (int32_t)((int64_t)number * SQUARE_SIDE / 1000))
				     : NULL;

	advance(p);
	problem(p, PROBLEM_UNREADABLE, from, p->pos, inches, inches,
		"Distances are in inches. A square of the map is %d inches wide, and most foot moves as far in a turn.",
		SQUARE_SIDE / 1000);
}

/* "10 cm", "20 paces": no length of the table's. */
static void tell_other_measure(struct parser *p, int from)
{
	static const char *const measures[] = {"cm", "cms", "centimetres", "centimeters", "mm", "metres", "meters",
		"yards", "yard", "yds", "paces", "steps", "miles", "km", "feet", "ft", NULL};

	if (!is_among(here(p), measures))
		return;
	advance(p);
	problem(p, PROBLEM_UNREADABLE, from, p->pos, NULL, NULL,
		"Distances are in inches. A square of the map is %d inches wide, and most foot moves as far in a turn.",
		SQUARE_SIDE / 1000);
}

/* "only 5", "up to 5", "at most 5", "no more than 5", "maximum 5": how many words stand before the number. */
static int most_words(struct parser *p)
{
	const struct token *t = here(p);
	enum key key = t->key, next;
	int n = 0;

	if (t->type != TOKEN_WORD || (key != KEY_NONE && key != KEY_COMPASS && key != KEY_AT && key != KEY_NO &&
					     key != KEY_NOT && key != KEY_ONLY))
		return 0;
	next = key_ahead(p, 1);
	if ((is_word(t, "up") && next == KEY_TO) || (key == KEY_AT && next == KEY_MOST))
		n = 2;
	else if ((key == KEY_NO || key == KEY_NOT) && next == KEY_MORE && key_ahead(p, 2) == KEY_THAN)
		n = 3;
	else if (key == KEY_ONLY)
		n = 1;
	else if (is_word(t, "max") || is_word(t, "maximum"))
		n = next == KEY_OF ? 2 : 1;
	t = ahead(p, n);
	return t->type == TOKEN_NUMBER || t->key == KEY_NUMBER || t->key == KEY_HALF ? n : 0;
}

static bool is_way(enum key key)
{
	return key == KEY_COMPASS || key == KEY_FORWARD || key == KEY_BACK || key == KEY_LEFT || key == KEY_RIGHT ||
	       key == KEY_TO || key == KEY_TOWARD;
}

/* "by 4", "about 4", "my 4": words before a number, and "due" before a direction, that change nothing. */
void skip_before_number(struct parser *p)
{
	static const char *const words[] = {
		"by", "about", "around", "roughly", "approximately", "approx", "exactly", "another", NULL};
	int before = p->pos;

	if (number_begins(p))
		return;
	while (is_among(here(p), words) || key_here(p) == KEY_SKIP || key_here(p) == KEY_A || key_here(p) == KEY_FULL)
		advance(p);
	if (p->pos != before && !number_begins(p) && !most_words(p))
		p->pos = before;
}

bool parse_distance(struct parser *p, int32_t *out)
{
	int before = p->pos, from;
	enum token_type type;

	skip_before_number(p);
	for (int n = most_words(p); n > 0; n--)
		advance(p);
	here(p);
	from = p->pos;
	if (!parse_number(p, out)) {
		p->pos = before;
		return false;
	}
	type = here(p)->type;
	tell_other_measure(p, from);
	if (is_squares(p))
		tell_squares(p, from, *out);
	else if (type == TOKEN_QUOTE || key_here(p) == KEY_INCHES)
		advance(p);
	else if (key_here(p) == KEY_IN && key_ahead(p, 1) != KEY_SKIP)
		advance(p);
	if (here(p)->type == TOKEN_STOP && here(p)->mark == '.' && p->lex->tokens[p->pos - 1].type == TOKEN_WORD &&
		is_way(key_ahead(p, 1)))
		advance(p); /* "4 in. north" */
	if (*out <= 0 || *out > DISTANCE_LIMIT) {
		problem(p, PROBLEM_UNREADABLE, from, p->pos, NULL, NULL,
			"A distance is more than 0 and at most %d inches.", DISTANCE_LIMIT / 1000);
		*out = 1000;
	}
	return true;
}

/* --- directions --------------------------------------------------------------------------------------------------- */

/* "up", "upwards", "down", "downwards" */
static bool is_map_way(const struct token *t)
{
	return t->type == TOKEN_WORD && (word_begins(t->word, "up") || word_begins(t->word, "down"));
}

/* "up" before "to" is none: "up to 5", "up to H4". */
bool is_compass(struct parser *p, int n)
{
	const struct token *t = ahead(p, n);

	return t->key == KEY_COMPASS &&
	       !(is_map_way(t) && (key_ahead(p, n + 1) == KEY_TO || key_ahead(p, n + 1) == KEY_TOWARD));
}

/* A letter directly before `:` or a verb is a subject, not a direction (rule 15). */
bool is_subject_letter(struct parser *p)
{
	const struct token *t = here(p), *next = ahead(p, 1);

	return t->type == TOKEN_WORD && t->length == 1 && (next->type == TOKEN_COLON || key_is_verb(key_ahead(p, 1)));
}

/* Does most of the army face north, so that up is forward and north alike? */
static bool faces_north(const struct parser *p)
{
	struct piece_set formed = set_without(p->own, p->commanders);
	int north = 0;

	for (int i = set_next(&formed, 0); i >= 0; i = set_next(&formed, i + 1)) {
		int facing = p->ctx->state->units[i].box.facing;

		north += facing <= 45 || facing >= 315 ? 1 : -1;
	}
	return north > 0;
}

/* "up" and "down" are the map's; but to those who come down the map, "move up" may well be forward. */
static void tell_map_way(struct parser *p)
{
	bool up = here(p)->word->value == 0;

	if (!is_map_way(here(p)))
		return;
	if (up && !faces_north(p))
		problem_choice(p, p->pos, "forward", "north", "Up the map, or forward? Write `north`, or `forward`.");
	else
		note(p, p->pos, "`%s` was read as %s: the top of the map is north.", typed_text(p, p->pos, p->pos + 1),
			up ? "north" : "south");
}

/* "north", "n", "north-east", "north east", "up" */
static int parse_compass(struct parser *p)
{
	const struct token *first = here(p);
	int degrees = first->word->value, second;
	bool dash = ahead(p, 1)->type == TOKEN_DASH && !ahead(p, 1)->spaced;
	int n = dash ? 2 : 1;

	tell_map_way(p);
	advance(p);
	if (degrees % 180 != 0 || key_ahead(p, n - 1) != KEY_COMPASS)
		return degrees;
	second = ahead(p, n - 1)->word->value;
	if (second % 180 != 90 || (!dash && (first->length < 3 || ahead(p, 0)->length < 3)))
		return degrees;
	if (dash)
		advance(p);
	advance(p);
	return degrees == 0 ? (second == 90 ? 45 : 315) : (second == 90 ? 135 : 225);
}

static bool parse_relative(struct parser *p, int *degrees)
{
	int before = p->pos;

	take_key(p, KEY_STRAIGHT);
	switch (key_here(p)) {
	case KEY_FORWARD:
		*degrees = 0;
		break;
	case KEY_RIGHT:
		*degrees = 90;
		break;
	case KEY_BACK:
		*degrees = 180;
		break;
	case KEY_LEFT:
		*degrees = 270;
		break;
	default:
		if (p->pos != before && key_here(p) == KEY_ON) {
			advance(p);
			*degrees = 0;
			return true;
		}
		p->pos = before;
		return false;
	}
	advance(p);
	return true;
}

bool take_degrees(struct parser *p)
{
	return take_key(p, KEY_DEGREES) || take_type(p, TOKEN_DEGREE);
}

/* "to the left", "to the north": the words before a direction. */
static void skip_to_the(struct parser *p)
{
	int before = p->pos;
	bool to = take_key(p, KEY_TO) || take_key(p, KEY_TOWARD);

	if (is_word_here(p, "due") || (key_here(p) == KEY_AT && ahead(p, 1)->type == TOKEN_NUMBER))
		advance(p);
	else if (!to)
		return;
	while (to && key_here(p) == KEY_SKIP)
		advance(p);
	if (!is_compass(p, 0) && here(p)->type != TOKEN_NUMBER && key_here(p) != KEY_LEFT && key_here(p) != KEY_RIGHT &&
		key_here(p) != KEY_FORWARD && key_here(p) != KEY_BACK)
		p->pos = before;
	else if (key_here(p) == KEY_COMPASS && here(p)->length == 1 && p->lex->tokens[before].word->key == KEY_TOWARD)
		p->pos = before; /* "toward e" is the unit */
}

/* "to E" is east; but with a piece of that code on the table it may have been meant. */
static void tell_letter_way(struct parser *p, int from)
{
	static const char *const ways[] = {"north", "east", "south", "west"};
	const struct token *t = here(p);

	if (p->lex->tokens[from].key == KEY_TO && t->length == 1 && !set_empty(&t->word->code))
		note(p, p->pos, "`to %s` was read as %s. If you meant the unit, write `toward %s`.",
			typed_text(p, p->pos, p->pos + 1), ways[t->word->value / 90],
			typed_text(p, p->pos, p->pos + 1));
}

bool parse_heading(struct parser *p, struct heading *out)
{
	int before = p->pos, from;
	int32_t number;
	struct match m;

	skip_to_the(p);
	if (match_whole(p, &m)) {
		p->pos = before;
		return false;
	}
	if (is_compass(p, 0) && !is_subject_letter(p)) {
		tell_letter_way(p, before);
		*out = (struct heading){.degrees = parse_compass(p)};
		return true;
	}
	if (parse_relative(p, &out->degrees)) {
		out->relative = true;
		return true;
	}
	here(p);
	from = p->pos;
	if (here(p)->type == TOKEN_NUMBER && parse_number(p, &number) && take_degrees(p)) {
		if (number < 0 || number > 360000 || number % 1000 != 0) {
			problem(p, PROBLEM_UNREADABLE, from, p->pos, NULL, NULL,
				"A bearing is a whole number from 0 to 360 degrees.");
			number = 0;
		}
		*out = (struct heading){.degrees = number / 1000 % 360};
		return true;
	}
	p->pos = before;
	return false;
}

/* --- places ------------------------------------------------------------------------------------------------------- */

/* "3d6" is no way to D6, and "b4" before "firing" or "they" is no square but "before". Behind "to" or the like both are
 * squares. */
static bool is_doubtful_square(struct parser *p, const struct token *t)
{
	const struct token *before = t > p->lex->tokens ? t - 1 : t, *next = ahead(p, 1);

	if (before->key == KEY_TO || before->key == KEY_TOWARD || before->key == KEY_VIA || before->key == KEY_SQUARE)
		return false;
	return (before->type == TOKEN_NUMBER && !t->spaced) ||
	       (is_word(t, "b4") && (next->key == KEY_THEY || next->key == KEY_ENEMY ||
					    (key_is_verb(next->key) && next->word->inflected)));
}

bool square_ahead(struct parser *p)
{
	const struct token *t = here(p);

	return t->type == TOKEN_WORD && t->word->column >= 0 && !t->word->named && !is_doubtful_square(p, t);
}

/* Asks about such a word, when it stands at p->pos. */
bool ask_about_square(struct parser *p)
{
	const struct token *t = here(p);

	if (t->type != TOKEN_WORD || t->word->column < 0 || t->word->named || !is_doubtful_square(p, t))
		return false;
	problem(p, PROBLEM_AMBIGUOUS, p->pos, p->pos + 1, NULL, NULL,
		"Is `%s` a square? Then write `to %s`; if not, leave it out. A distance is a plain number of inches.",
		typed_text(p, p->pos, p->pos + 1), typed_text(p, p->pos, p->pos + 1));
	if (t->spaced) /* "before": what follows depends on it */
		lose_governed(p);
	else
		advance(p);
	return true;
}

bool pair_ahead(struct parser *p)
{
	return here(p)->type == TOKEN_OPEN && ahead(p, 1)->type == TOKEN_NUMBER && ahead(p, 2)->type == TOKEN_COMMA;
}

/* "H-4" */
static bool dashed_square_ahead(struct parser *p)
{
	const struct token *t = here(p), *dash = ahead(p, 1), *row = ahead(p, 2);

	return t->type == TOKEN_WORD && t->word->length == 1 && dash->type == TOKEN_DASH && !dash->spaced &&
	       row->type == TOKEN_NUMBER && !row->spaced && row->number % 1000 == 0 && row->number > 0 &&
	       row->number < 100000;
}

/* "H4" from its two tokens; the row has at most two digits. */
void name_square(const struct token *letter, const struct token *row, char *name)
{
	int number = row->number / 1000 % 100;

	*name++ = (char)toupper((unsigned char)letter->word->text[0]);
	if (number > 9)
		*name++ = (char)('0' + number / 10);
	*name++ = (char)('0' + number % 10);
	*name = '\0';
}

/* The middle of a square, or of its ninth `digit`; told when it is not on the map. */
static bool set_square(struct parser *p, int at, int column, int row, int digit, struct point *out)
{
	const struct table *table = p->ctx->table;
	int columns = table ? table->width / SQUARE_SIDE : 15, rows = table ? table->height / SQUARE_SIDE : 10;

	*out = (struct point){0};
	if (column >= columns || row > rows) {
		problem(p, PROBLEM_UNREADABLE, at, at + 1, NULL, NULL,
			"There is no square %s; they run from A1 to %c%d.", typed_text(p, at, at + 1),
			'A' + (columns < 26 ? columns : 26) - 1, rows);
		return false;
	}
	out->x = column * SQUARE_SIDE + SQUARE_SIDE / 2;
	out->y = rows * SQUARE_SIDE - row * SQUARE_SIDE + SQUARE_SIDE / 2;
	if (digit) {
		out->x += ((digit - 1) % 3 - 1) * (SQUARE_SIDE / 3);
		out->y -= ((digit - 1) / 3 - 1) * (SQUARE_SIDE / 3);
	}
	return true;
}

static void parse_square(struct parser *p, struct point *out, char *name)
{
	const struct word *w = here(p)->word;
	int at = p->pos;

	advance(p);
	if (!set_square(p, at, w->column, w->row, w->digit, out))
		return;
	for (size_t i = 0; i <= w->length; i++)
		name[i] = (char)toupper((unsigned char)w->text[i]);
}

static void parse_pair(struct parser *p, struct point *out)
{
	const struct table *table = p->ctx->table;
	int from = p->pos;
	int32_t width = table ? table->width : 90000, height = table ? table->height : 60000;

	advance(p);
	if (!parse_number(p, &out->x) || !take_type(p, TOKEN_COMMA) || !parse_number(p, &out->y) ||
		!take_type(p, TOKEN_CLOSE))
		problem(p, PROBLEM_UNREADABLE, from, p->pos, NULL, NULL, "Write a place as (40,22).");
	else if (out->x < 0 || out->y < 0 || out->x > width || out->y > height)
		problem(p, PROBLEM_UNREADABLE, from, p->pos, NULL, NULL, "The table is %d by %d inches.", width / 1000,
			height / 1000);
}

bool parse_place(struct parser *p, struct point *out, char *square)
{
	int before = p->pos;

	while (key_here(p) == KEY_SKIP)
		advance(p);
	take_key(p, KEY_SQUARE);
	*square = '\0';
	if (square_ahead(p)) {
		parse_square(p, out, square);
		return true;
	}
	if (dashed_square_ahead(p)) {
		const struct token *letter = here(p), *row = ahead(p, 2);

		set_square(p, p->pos, letter->word->text[0] - 'a', row->number / 1000, 0, out);
		name_square(letter, row, square);
		advance(p);
		advance(p);
		advance(p);
		return true;
	}
	if (pair_ahead(p)) {
		parse_pair(p, out);
		return true;
	}
	p->pos = before;
	return false;
}

bool is_place_next(struct parser *p, struct point *out, char *square)
{
	int before = p->pos;

	take_key(p, KEY_TOWARD);
	take_key(p, KEY_TO);
	if (parse_place(p, out, square))
		return true;
	p->pos = before;
	return false;
}
