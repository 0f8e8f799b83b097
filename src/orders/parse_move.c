/* Moving.
 *
 *   move = [ "move"|"march"|"go"|"come"|"advance"|"retire"|"retreat"|"withdraw" ] [ distance ]
 *          [ leg { ("via"|"then") leg } ]
 *   leg  = [ distance ] direction [ distance ] | ["to"] place | ("toward"|"towards"|"to") unit [ distance ]
 *        | "away from" unit [ distance ]
 */
#include "orders/lines.h"
#include "orders/parse.h"
#include "orders/print.h"

#include <string.h>

enum { LEGS_MAX = 32, LOOK_BACK = 3 };

/* The end of a clause, by a mark or the line's end. */
static bool ends_here(struct parser *p, int n)
{
	enum token_type type = ahead(p, n)->type;

	return type == TOKEN_END || type == TOKEN_NEWLINE || type == TOKEN_SEMICOLON || type == TOKEN_COMMA ||
	       type == TOKEN_STOP;
}

/* "as far as possible", "as fast as they can": how many words; 0 for none. */
static int as_can_words(struct parser *p)
{
	static const char *const how[] = {"far", "fast", "quick", "quickly", "hard", "much", NULL};
	int n = 3;

	if (!is_word_ahead(p, 0, "as") || !is_among(ahead(p, 1), how) || !is_word_ahead(p, 2, "as"))
		return 0;
	if (is_word_ahead(p, n, "possible"))
		return n + 1;
	n += key_ahead(p, n) == KEY_THEY || is_word_ahead(p, n, "u") || is_word_ahead(p, n, "we") ||
	     is_word_ahead(p, n, "i");
	return is_word_ahead(p, n, "can") || is_word_ahead(p, n, "could") ? n + 1 : 0;
}

/* "full distance", "top speed", "max", "all the way" */
static int full_words(struct parser *p)
{
	static const char *const all[] = {
		"distance", "speed", "move", "movement", "steam", "pace", "pelt", "range", "tilt", NULL};

	const struct token *t = here(p);

	if (is_word(t, "all") && is_word_ahead(p, 1, "the") && is_word_ahead(p, 2, "way"))
		return 3;
	if (is_word(t, "flat") && key_ahead(p, 1) == KEY_OUT)
		return 2;
	if (t->key != KEY_FULL && !is_word(t, "max") && !is_word(t, "maximum") && !is_word(t, "top"))
		return 0;
	if (is_among(ahead(p, 1), all))
		return 2;
	return t->key == KEY_FULL ? ends_here(p, 1) : !is_word(t, "top");
}

/* The whole allowance, in any of these words. */
static bool take_whole_way(struct parser *p)
{
	int before = p->pos, words;
	const struct token *t = here(p);
	enum key key = t->key;

	if (t->type != TOKEN_WORD || (key != KEY_NONE && key != KEY_AT && key != KEY_FULL && key != KEY_ALL))
		return false;
	if (key == KEY_AT && (key_ahead(p, 1) == KEY_FULL || is_word_ahead(p, 1, "top")))
		advance(p);
	words = as_can_words(p);
	if (!words)
		words = full_words(p);
	if (!words)
		p->pos = before;
	for (int i = 0; i < words; i++)
		advance(p);
	return words > 0;
}

/* "full speed ahead", "as far as you can" without a verb: no bare "full" or "max". */
static bool whole_way_begins(struct parser *p)
{
	int before = p->pos;
	bool begins = take_whole_way(p) && p->pos > before + 1;

	p->pos = before;
	return begins;
}

/* "advance 3 only": nobody moves farther than he is told in any case. "only if" begins a condition. */
static void skip_last_only(struct parser *p)
{
	enum token_type next = ahead(p, 1)->type;

	if (key_here(p) == KEY_ONLY && (p->pos + 1 >= p->stop || next == TOKEN_NEWLINE || next == TOKEN_STOP ||
					       next == TOKEN_SEMICOLON || next == TOKEN_COMMA))
		advance(p);
}

bool leg_begins(struct parser *p)
{
	int before = p->pos;
	int32_t distance;
	struct trial t = trial_begin(p);
	enum key key;
	bool begins;

	parse_distance(p, &distance);
	key = key_here(p);
	begins = whole_way_begins(p) || (is_compass(p, 0) && !is_subject_letter(p)) || key == KEY_FORWARD ||
		 key == KEY_TOWARD || key == KEY_AWAY || key == KEY_STRAIGHT || square_ahead(p) || pair_ahead(p);
	if (key == KEY_LEFT || key == KEY_RIGHT || key == KEY_BACK) {
		bool with = p->pos != before;

		advance(p);
		begins = with || number_begins(p);
	} else if (key == KEY_TO) {
		enum key next = key_ahead(p, 1);

		begins = !key_is_verb(next) && next != KEY_NOT && next != KEY_STEP;
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

/* "nearer to E", "closer to the Camerons": taken up to the "to", behind which E is a unit and no direction. */
static bool take_nearer(struct parser *p)
{
	if ((!is_word_here(p, "nearer") && !is_word_here(p, "closer")) || key_ahead(p, 1) != KEY_TO)
		return false;
	advance(p);
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
	bool given = false, nearer;
	struct heading heading;

	int before = p->pos;

	*leg = (struct leg){.unit = -1};
	if ((key_here(p) == KEY_BACK || key_here(p) == KEY_FORWARD) &&
		(key_ahead(p, 1) == KEY_TO || key_ahead(p, 1) == KEY_TOWARD))
		advance(p);               /* "back to H4" */
	if (parse_heading(p, &heading)) { /* first, for "90 degrees" */
		leg->heading = heading;
	} else {
		given = parse_distance(p, &distance);
		nearer = take_nearer(p);
		if (!nearer && parse_heading(p, &heading)) {
			leg->heading = heading;
		} else if (is_place_next(p, &leg->place, leg->square)) {
			leg->kind = LEG_PLACE;
		} else if (!parse_leg_unit(p, leg)) {
			p->pos = before;
			return false;
		}
	}
	if (!given && leg->kind != LEG_PLACE)
		parse_distance(p, &distance);
	skip_last_only(p);
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

int code_or_way(struct parser *p)
{
	const struct token *t = here(p);
	struct piece_set own;
	int piece;

	if (t->key != KEY_COMPASS || t->length != 1 || ahead(p, 1)->type != TOKEN_NUMBER)
		return -1;
	for (int i = p->pos - 1; i >= 0 && i >= p->pos - LOOK_BACK; i--) {
		const struct token *before = &p->lex->tokens[i];

		if (before->key == KEY_THEN || before->key == KEY_COMPASS)
			return -1;
	}
	own = set_and(t->word->code, p->own);
	piece = set_next(&own, 0);
	return piece >= 0 && is_typed(p, t, p->ctx->state->units[piece].code) ? piece : -1;
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
	more = code_or_way(p) < 0 && (leg_begins(p) || bare_relative(p)) && !order_begins(p, IN_MIDDLE) &&
	       !echo_begins(p, IN_MIDDLE);
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

/* "move up to H4", "go up towards Camerons"; "up to 5" is a distance */
static void skip_up(struct parser *p)
{
	const struct token *t = ahead(p, 2);

	if ((is_word_here(p, "up") || is_word_here(p, "down")) &&
		(key_ahead(p, 1) == KEY_TOWARD || (key_ahead(p, 1) == KEY_TO && t->type != TOKEN_NUMBER &&
							  t->key != KEY_NUMBER && t->key != KEY_HALF)))
		advance(p);
}

/* "follow D": S is a unit there, and no direction. */
static bool take_followed(struct parser *p, struct leg *leg)
{
	const struct token *verb = &p->lex->tokens[p->pos > 0 ? p->pos - 1 : 0];

	if (verb->type != TOKEN_WORD || !word_begins(verb->word, "follow"))
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
	skip_up(p);
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
		skip_last_only(p);
		add_leg(p, c, 0, leg);
	}
	take_whole_way(p);
	if (!ask_about_square(p))
		parse_more_legs(p, c);
	return p->failures == before ? c : NULL;
}
