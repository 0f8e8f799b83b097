/* Numbers, directions and places; moving, facing and turning.
 *
 *   move      = [ "move"|"march"|"go"|"come"|"advance"|"retire"|"retreat"|"withdraw" ] [ distance ] [ leg {
 * ("via"|"then") leg } ] leg       = [ distance ] direction [ distance ] | ["to"] place | ("toward"|"towards"|"to")
 * unit [ distance ] | "away from" unit [ distance ] face      = ("face"|"facing") (direction | unit | place) turn =
 * "turn" ("left"|"right"|"about"|"around") [ angle ] | "wheel" ("left"|"right") [ angle ] direction =
 * "north"|"n"|"north-east"|"ne"|...|"nw" | number "degrees" | "forward"|"back"|"left"|"right" place     = square |
 * square "." digit | "(" number "," number ")" distance  = number [ "inches" | "inch" | "in" | '"' ]
 */
#include "base/text.h"
#include "orders/parse.h"
#include "orders/print.h"

#include <ctype.h>
#include <string.h>

enum { SQUARE_SIDE = 6000, DISTANCE_LIMIT = 200000, LEGS_MAX = 32 };

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
	const struct token *above = here(p), *below = ahead(p, 2);

	if (above->type != TOKEN_NUMBER || ahead(p, 1)->type != TOKEN_SLASH || below->type != TOKEN_NUMBER ||
		below->number <= 0 || above->number < 0 || above->number >= below->number)
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

/* number = digits [ "." digits ] [ fraction ] | fraction | "one" | ... [ "and a half" ] */
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
	}
	return true;
}

/* "4 squares", "one space": people count the map. */
static bool is_squares(struct parser *p)
{
	const struct token *t = here(p);

	return t->type == TOKEN_WORD &&
	       (strncmp(t->word->text, "square", 6) == 0 || strncmp(t->word->text, "space", 5) == 0);
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

static bool word_ahead(struct parser *p, int n, const char *folded)
{
	const struct token *t = ahead(p, n);

	return t->type == TOKEN_WORD && strcmp(t->word->text, folded) == 0;
}

/* The end of a clause, by a mark or the line's end. */
static bool ends_here(struct parser *p, int n)
{
	enum token_type type = ahead(p, n)->type;

	return type == TOKEN_END || type == TOKEN_NEWLINE || type == TOKEN_SEMICOLON || type == TOKEN_COMMA ||
	       type == TOKEN_STOP;
}

/* "as far as possible", "as far as it can", "full distance", "max", "all the way": the whole allowance. */
static bool take_whole_way(struct parser *p)
{
	int words = 0;

	if (word_ahead(p, 0, "as") && word_ahead(p, 1, "far") && word_ahead(p, 2, "as"))
		words = word_ahead(p, 3, "possible") ? 4 : word_ahead(p, 4, "can") || word_ahead(p, 4, "could") ? 5 : 0;
	else if (key_here(p) == KEY_FULL || word_ahead(p, 0, "max") || word_ahead(p, 0, "maximum"))
		words = word_ahead(p, 1, "distance") || word_ahead(p, 1, "speed") || word_ahead(p, 1, "move") ? 2
			: key_here(p) == KEY_FULL && ends_here(p, 1)                                          ? 1
			: key_here(p) == KEY_FULL                                                             ? 0
													      : 1;
	else if (word_ahead(p, 0, "all") && word_ahead(p, 1, "the") && word_ahead(p, 2, "way"))
		words = 3;
	for (int i = 0; i < words; i++)
		advance(p);
	return words > 0;
}

static bool is_way(enum key key)
{
	return key == KEY_COMPASS || key == KEY_FORWARD || key == KEY_BACK || key == KEY_LEFT || key == KEY_RIGHT ||
	       key == KEY_TO || key == KEY_TOWARD;
}

bool parse_distance(struct parser *p, int32_t *out)
{
	int before = p->pos, from;
	enum token_type type;

	while (key_here(p) == KEY_A || key_here(p) == KEY_FULL)
		advance(p);
	here(p);
	from = p->pos;
	if (!parse_number(p, out)) {
		p->pos = before;
		return false;
	}
	type = here(p)->type;
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

static bool is_compass(struct parser *p, int n)
{
	return key_ahead(p, n) == KEY_COMPASS;
}

/* A letter directly before `:` or a verb is a subject, not a direction (rule 15). */
static bool is_subject_letter(struct parser *p)
{
	const struct token *t = here(p), *next = ahead(p, 1);

	return t->type == TOKEN_WORD && t->length == 1 && (next->type == TOKEN_COLON || key_is_verb(key_ahead(p, 1)));
}

/* "north", "n", "north-east", "north east" */
static int parse_compass(struct parser *p)
{
	const struct token *first = here(p);
	int degrees = first->word->value, second;
	bool dash = ahead(p, 1)->type == TOKEN_DASH && !ahead(p, 1)->spaced;
	int n = dash ? 2 : 1;

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

static bool take_degrees(struct parser *p)
{
	return take_key(p, KEY_DEGREES) || take_type(p, TOKEN_DEGREE);
}

/* "to the left", "to the north": the words before a direction. */
static void skip_to_the(struct parser *p)
{
	int before = p->pos;
	bool to = take_key(p, KEY_TO) || take_key(p, KEY_TOWARD);

	while (to && key_here(p) == KEY_SKIP)
		advance(p);
	if (key_here(p) != KEY_COMPASS && key_here(p) != KEY_LEFT && key_here(p) != KEY_RIGHT &&
		key_here(p) != KEY_FORWARD && key_here(p) != KEY_BACK)
		p->pos = before;
	else if (key_here(p) == KEY_COMPASS && here(p)->length == 1 && p->lex->tokens[before].word->key == KEY_TOWARD)
		p->pos = before; /* "toward e" is the unit */
}

bool parse_heading(struct parser *p, struct heading *out)
{
	int before = p->pos, from;
	int32_t number;

	skip_to_the(p);
	if (is_compass(p, 0) && !is_subject_letter(p)) {
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
	       (strcmp(t->word->text, "b4") == 0 && (next->key == KEY_THEY || next->key == KEY_ENEMY ||
							    (key_is_verb(next->key) && next->word->inflected)));
}

static bool square_ahead(struct parser *p)
{
	const struct token *t = here(p);

	return t->type == TOKEN_WORD && t->word->column >= 0 && !t->word->named && !is_doubtful_square(p, t);
}

/* Asks about such a word, when it stands at p->pos. */
static bool ask_about_square(struct parser *p)
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

static bool pair_ahead(struct parser *p)
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
static void name_square(const struct token *letter, const struct token *row, char *name)
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

/* --- legs --------------------------------------------------------------------------------------------------------- */

bool leg_begins(struct parser *p)
{
	int before = p->pos;
	int32_t distance;
	struct trial t = trial_begin(p);
	enum key key;
	bool begins;

	parse_distance(p, &distance);
	key = key_here(p);
	begins = (key == KEY_COMPASS && !is_subject_letter(p)) || key == KEY_FORWARD || key == KEY_TOWARD ||
		 key == KEY_AWAY || key == KEY_STRAIGHT || square_ahead(p) || pair_ahead(p);
	if (key == KEY_LEFT || key == KEY_RIGHT || key == KEY_BACK) {
		bool with = p->pos != before;

		advance(p);
		begins = with || number_begins(p);
	} else if (key == KEY_TO) {
		enum key next = key_ahead(p, 1);

		begins = !key_is_verb(next) && next != KEY_NOT;
	} else if (!begins && here(p)->type == TOKEN_NUMBER) {
		begins = ahead(p, 1)->type == TOKEN_DEGREE || key_ahead(p, 1) == KEY_DEGREES;
	} else if (!begins && p->pos != before && (here(p)->type == TOKEN_DEGREE || key == KEY_DEGREES)) {
		begins = true;
	}
	trial_end(p, t);
	return begins;
}

/* "to H 4": the square, or 4 inches towards that unit? Asked; takes both words. */
static bool square_or_unit(struct parser *p)
{
	const struct token *t = here(p), *row = ahead(p, 1);
	const struct table *table = p->ctx->table;
	int rows = table ? table->height / SQUARE_SIDE : 10, columns = table ? table->width / SQUARE_SIDE : 15;
	char square[SQUARE_NAME_MAX + 1];
	int from = p->pos;

	if (t->type != TOKEN_WORD || t->word->length != 1 || row->type != TOKEN_NUMBER || row->number % 1000 != 0 ||
		row->number < 1000 || row->number > rows * 1000 || t->word->text[0] - 'a' >= columns ||
		key_ahead(p, 2) == KEY_INCHES || ahead(p, 2)->type == TOKEN_QUOTE)
		return false;
	name_square(t, row, square);
	advance(p);
	advance(p);
	problem(p, PROBLEM_AMBIGUOUS, from, p->pos, square, square,
		"Is this the square %s? Write it without a blank; to go towards a unit write `%d toward %s`.", square,
		(int)(row->number / 1000), typed_text(p, from, from + 1));
	return true;
}

/* toward = ("toward" | "towards" | "to") unit [ distance ] ; away = "away from" unit [ distance ] */
static bool parse_leg_unit(struct parser *p, struct leg *leg)
{
	bool to = key_here(p) == KEY_TO;

	if (take_key(p, KEY_AWAY)) {
		take_key(p, KEY_FROM);
		leg->kind = LEG_AWAY;
	} else if (take_key(p, KEY_FROM)) {
		leg->kind = LEG_AWAY;
	} else if (take_key(p, KEY_TOWARD) || take_key(p, KEY_TO)) {
		take_key(p, KEY_TO);
		leg->kind = LEG_TOWARD;
	} else {
		return false;
	}
	if (to && square_or_unit(p))
		return true;
	leg->unit = want_piece(p, ROLE_EITHER, leg->kind == LEG_AWAY ? "a unit" : "a unit or a place");
	return true;
}

static bool is_place_next(struct parser *p, struct point *out, char *square)
{
	int before = p->pos;

	take_key(p, KEY_TOWARD);
	take_key(p, KEY_TO);
	if (parse_place(p, out, square))
		return true;
	p->pos = before;
	return false;
}

/* "left 90": a right angle rather than more than any unit can move. Asked. */
static void ask_about_turning(struct parser *p, int from, int end, const struct leg *leg)
{
	const char *turn = NULL;
	bool degrees = take_degrees(p), inches = false;

	for (int i = from; i < end; i++) {
		const struct token *t = &p->lex->tokens[i];

		inches |= t->key == KEY_INCHES || t->key == KEY_IN || t->type == TOKEN_QUOTE;
		if (t->key == KEY_LEFT || t->key == KEY_RIGHT)
			turn = t->key == KEY_LEFT ? "left" : "right";
	}
	if (!turn || leg->distance <= 0 || leg->distance % 1000 != 0 ||
		!(degrees || (!inches && leg->distance > SIDEWAYS_LIMIT)))
		return;
	if (from > 0 && key_is_verb(p->lex->tokens[from - 1].key))
		from--;
	turn = talloc_asprintf(p->mem, "turn %s %d", turn, (int)(leg->distance / 1000));
	problem(p, PROBLEM_AMBIGUOUS, from, p->pos, turn, turn,
		"`%s`: did you mean `%s`? A move to the side is in inches.", typed_text(p, from, p->pos), turn);
}

static bool parse_leg(struct parser *p, struct leg *leg)
{
	int32_t distance = 0;
	bool given = false;
	struct heading heading;

	int before = p->pos;

	*leg = (struct leg){.unit = -1};
	if (parse_heading(p, &heading)) { /* first, for "90 degrees" */
		leg->heading = heading;
	} else {
		given = parse_distance(p, &distance);
		if (parse_heading(p, &heading)) {
			leg->heading = heading;
		} else if (is_place_next(p, &leg->place, leg->square)) {
			leg->kind = LEG_PLACE;
		} else if (!parse_leg_unit(p, leg)) {
			p->pos = before;
			return false;
		}
	}
	if (!given && number_begins(p) && leg->kind != LEG_PLACE)
		parse_distance(p, &distance);
	leg->distance = distance;
	if (leg->kind == LEG_HEADING && leg->heading.relative)
		ask_about_turning(p, before, p->pos, leg);
	return true;
}

static void add_leg(struct parser *p, struct clause *c, int at, struct leg leg)
{
	if (c->leg_count >= LEGS_MAX) {
		problem(p, PROBLEM_TOO_LARGE, p->pos, p->pos + 1, NULL, NULL, "A move may have %d legs.", LEGS_MAX);
		return;
	}
	c->legs = talloc_realloc(p->mem, c->legs, struct leg, (unsigned)c->leg_count + 1);
	for (int i = c->leg_count; i > at; i--)
		c->legs[i] = c->legs[i - 1];
	c->legs[at] = leg;
	c->leg_count++;
}

/* "then left": as a further leg a direction needs no distance. */
static bool bare_relative(struct parser *p)
{
	enum key key = key_here(p);

	return (key == KEY_LEFT || key == KEY_RIGHT || key == KEY_BACK) && key_ahead(p, 1) != KEY_WING;
}

/* "north 4 east 2", "4 north 2 east": a leg that nothing parts from the one before it. */
static bool second_compass(struct parser *p)
{
	const struct token *t = here(p), *next = ahead(p, 1), *before = &p->lex->tokens[p->pos - 1];

	return (t->key == KEY_COMPASS && t->length > 1 && before->type == TOKEN_NUMBER && next->type == TOKEN_NUMBER) ||
	       (t->type == TOKEN_NUMBER && before->key == KEY_COMPASS && next->key == KEY_COMPASS && next->length > 1);
}

/* Takes what joins legs, when a leg follows. */
static bool leg_goes_on(struct parser *p)
{
	int after, before = p->pos, kind = separators_ahead(p, &after);
	bool more;

	if (!kind)
		return second_compass(p);
	if (kind & (SEPARATOR_HARD | SEPARATOR_BREAK))
		return false;
	p->pos = after;
	more = (leg_begins(p) || bare_relative(p)) && !order_begins(p, IN_MIDDLE) && !echo_begins(p, IN_MIDDLE);
	if (!more)
		p->pos = before;
	return more;
}

/* "via F4 then G4": via points come before the leg they are named after (rule 7); "and" and a comma name further ones.
 */
static void parse_via(struct parser *p, struct clause *c)
{
	int at = c->leg_count > 0 ? c->leg_count - 1 : 0, after;
	struct leg leg;

	do {
		here(p);
		if (!parse_leg(p, &leg)) {
			leg = (struct leg){.kind = LEG_TOWARD};
			leg.unit = want_piece(p, ROLE_EITHER, "a place, as F4,");
			if (leg.unit < 0)
				return;
		}
		add_leg(p, c, at++, leg);
	} while (!(separators_ahead(p, &after) & SEPARATOR_THEN) && leg_goes_on(p));
}

static void parse_more_legs(struct parser *p, struct clause *c)
{
	struct leg leg;

	for (;;) {
		if (take_key(p, KEY_VIA) || (here(p)->type == TOKEN_COMMA && key_ahead(p, 1) == KEY_VIA &&
						    (advance(p), take_key(p, KEY_VIA)))) {
			parse_via(p, c);
		} else if (leg_goes_on(p)) {
			if (!parse_leg(p, &leg))
				return;
			add_leg(p, c, c->leg_count, leg);
		} else {
			return;
		}
	}
}

/* "follow D": S is a unit there, and no direction. */
static bool take_followed(struct parser *p, struct leg *leg)
{
	const struct token *verb = &p->lex->tokens[p->pos > 0 ? p->pos - 1 : 0];

	if (verb->type != TOKEN_WORD || strncmp(verb->word->text, "follow", 6) != 0)
		return false;
	leg->kind = LEG_TOWARD;
	leg->unit = want_piece(p, ROLE_EITHER, "a unit");
	return true;
}

struct clause *parse_move(struct parser *p, enum key verb)
{
	struct clause *c = new_clause(p, CLAUSE_MOVE);
	struct leg leg = {.unit = -1};
	int before = p->failures;
	bool whole;
	enum key key;

	if (verb == KEY_FALL && key_here(p) != KEY_BACK) {
		problem(p, PROBLEM_UNREADABLE, p->pos - 1, p->pos, "fall back", NULL, "Did you mean `fall back`?");
		return NULL;
	}
	take_key(p, KEY_STILL);
	if (key_here(p) == KEY_ABOUT && (key_ahead(p, 1) == KEY_TO || key_ahead(p, 1) == KEY_TOWARD))
		advance(p);                                           /* "ride round to" */
	if (key_here(p) == KEY_AWAY && key_ahead(p, 1) != KEY_FROM) { /* "run away" */
		advance(p);
		verb = KEY_RETIRE;
	}
	whole = take_whole_way(p);
	key = key_here(p);
	if (key == KEY_VIA) {
		advance(p);
		parse_via(p, c);
		if (c->leg_count && leg_begins(p) && parse_leg(p, &leg))
			add_leg(p, c, c->leg_count, leg);
	} else if (take_followed(p, &leg) || parse_leg(p, &leg)) {
		add_leg(p, c, 0, leg);
	} else {
		leg.heading = (struct heading){true, verb == KEY_RETIRE || verb == KEY_FALL ? 180 : 0};
		if (!parse_distance(p, &leg.distance) && verb == KEY_MOVE && !whole) {
			problem(p, PROBLEM_UNREADABLE, p->pos - 1, p->pos, NULL, NULL,
				"Move where? Write `move 4 north` or `move to H4`.");
			return NULL;
		}
		add_leg(p, c, 0, leg);
	}
	take_whole_way(p);
	if (!ask_about_square(p))
		parse_more_legs(p, c);
	return p->failures == before ? c : NULL;
}

/* --- facing ------------------------------------------------------------------------------------------------------- */

/* angle = number [ "degrees" ] */
static int parse_angle(struct parser *p, int otherwise)
{
	int32_t number;
	int from;

	take_key(p, KEY_A);
	here(p);
	from = p->pos;
	if (!number_begins(p) || !parse_number(p, &number))
		return otherwise;
	take_degrees(p);
	if (number <= 0 || number > 360000 || number % 1000 != 0) {
		problem(p, PROBLEM_UNREADABLE, from, p->pos, NULL, NULL,
			"An angle is a whole number from 1 to 360 degrees.");
		return otherwise;
	}
	return number / 1000;
}

struct clause *parse_face(struct parser *p)
{
	struct clause *c = new_clause(p, CLAUSE_FACE);
	int before = p->failures, from;

	if (take_key(p, KEY_ABOUT)) {
		c->face = (struct face){.kind = FACE_TURN, .degrees = 180, .unit = -1};
		return c;
	}
	c->face.unit = -1;
	here(p);
	from = p->pos;
	if (parse_heading(p, &c->face.heading)) {
		c->face.kind = FACE_HEADING;
	} else if (number_begins(p)) {
		advance(p);
		problem(p, PROBLEM_UNREADABLE, from, p->pos,
			talloc_asprintf(p->mem, "%s degrees", typed_text(p, from, p->pos)), NULL,
			"A bare number is inches; for a bearing write `%s degrees`.", typed_text(p, from, p->pos));
	} else if (is_place_next(p, &c->face.place, c->face.square)) {
		c->face.kind = FACE_PLACE;
	} else {
		if (!take_key(p, KEY_TOWARD))
			take_key(p, KEY_TO);
		c->face.kind = FACE_UNIT;
		c->face.unit = want_piece(p, ROLE_EITHER, "a direction, a unit or a square");
	}
	return p->failures == before ? c : NULL;
}

struct clause *parse_turn(struct parser *p, enum key verb)
{
	struct clause *c = new_clause(p, CLAUSE_FACE);
	int before = p->failures, start = p->pos, angle = verb == KEY_WHEEL ? 45 : 90;
	bool given;
	enum key key;

	take_key(p, KEY_TO);
	while (key_here(p) == KEY_SKIP)
		advance(p);
	given = number_begins(p);
	if (given)
		angle = parse_angle(p, angle);
	if (given && key_here(p) == KEY_TO)
		advance(p);
	while (key_here(p) == KEY_SKIP)
		advance(p);
	key = key_here(p);
	c->face.unit = -1;
	c->face.kind = verb == KEY_WHEEL ? FACE_WHEEL : FACE_TURN;
	if (key == KEY_LEFT || key == KEY_RIGHT) {
		advance(p);
		if (!given)
			angle = parse_angle(p, angle);
		c->face.degrees = key == KEY_LEFT ? -angle : angle;
		if (c->face.degrees == -180 && verb == KEY_TURN)
			c->face.degrees = 180;
	} else if ((key == KEY_ABOUT || key == KEY_BACK) && verb == KEY_TURN && !given) {
		advance(p);
		take_key(p, KEY_FACE);
		c->face.degrees = 180;
	} else if (verb == KEY_TURN && !given) {
		p->pos = start;
		take_key(p, KEY_TO);
		take_key(p, KEY_AND);
		take_key(p, KEY_FACE);
		return parse_face(p);
	} else {
		problem(p, PROBLEM_UNREADABLE, p->pos - 1, p->pos, NULL, NULL, "Left or right? Write `%s left %d`.",
			verb == KEY_WHEEL ? "wheel" : "turn", angle);
	}
	return p->failures == before ? c : NULL;
}
