/* The order words: which verb stands here, the small words before it, and what it begins. */
#include "orders/lines.h"
#include "orders/parse.h"

#include <string.h>

enum { VOLLEY_WORDS = 8 };

static struct clause *parse_rally(struct parser *p)
{
	tell_meaningless(p, p->pos - 1);
	return parse_join(p, CLAUSE_RALLY);
}

/* "keep firing", "continue to fire", "going to fire", "open fire": how many words stand before the verb that is meant.
 */
static int helping_words(struct parser *p)
{
	enum key key = key_here(p), next;
	int words;

	if (key != KEY_OPEN && key != KEY_MOVE && key != KEY_KEEP && key != KEY_CONTINUE)
		return 0;
	next = key_ahead(p, 1);
	if (key == KEY_OPEN)
		return next == KEY_FIRE;
	if (key == KEY_MOVE && !(next == KEY_TO && is_word_here(p, "going")))
		return 0;
	words = next == KEY_TO || next == KEY_ON ? 2 : 1;
	return key_is_verb(key_ahead(p, words)) ? words : 0;
}

static void pass_helping_verb(struct parser *p)
{
	for (int n = helping_words(p); n > 0; n--)
		advance(p);
}

/* "advance - 4 north", "fire: Camerons", a table's next cell: a mark between a verb and what it is about. */
static void skip_mark_after_verb(struct parser *p)
{
	const struct token *t = here(p), *next;
	int before = p->pos;
	struct match m;

	if (t->type == TOKEN_WORD || t->type == TOKEN_NUMBER)
		return;
	next = ahead(p, 1);
	if (t->type == TOKEN_AND && t->spaced && next->type == TOKEN_NUMBER && !next->spaced)
		advance(p); /* "advance +4" */
	if (t->type != TOKEN_COLON && t->type != TOKEN_TAB && !(t->type == TOKEN_DASH && t->spaced && next->spaced))
		return;
	advance(p);
	if (order_begins(p, AT_START) || clause_begins(p, false) ||
		!(number_begins(p) || leg_begins(p) || key_here(p) == KEY_NEAREST || key_here(p) == KEY_ANY ||
			key_here(p) == KEY_AT || match_piece(p, &m)))
		p->pos = before;
}

/* "advance -4": no distance, and not the dash before a clause either. */
static bool tell_negative(struct parser *p)
{
	if (here(p)->type != TOKEN_DASH || !here(p)->spaced || ahead(p, 1)->type != TOKEN_NUMBER || ahead(p, 1)->spaced)
		return false;
	problem(p, PROBLEM_UNREADABLE, p->pos, p->pos + 2, NULL, NULL,
		"A distance is more than 0 and at most 200 inches.");
	skip_to_separator(p);
	return true;
}

/* "do not pursue", "no pursuit" */
struct clause *parse_no_pursuit(struct parser *p)
{
	struct match m;

	advance(p);
	while (key_here(p) == KEY_THEY || key_here(p) == KEY_ANY || key_here(p) == KEY_ENEMY || key_here(p) == KEY_SKIP)
		advance(p);
	if (match_piece(p, &m) && !order_begins(p, IN_MIDDLE))
		p->pos = m.end;
	if (p->ctx->shreds)
		return new_clause(p, CLAUSE_HALT);
	note(p, p->pos - 1, "Nobody pursues under these rules: whoever wins stays where it is.");
	return NULL;
}

/* "pursue j": what wins does so by itself, or does not; to go after an enemy is a move or a charge. */
static struct clause *parse_pursuit(struct parser *p)
{
	int verb = p->pos - 1;

	problem(p, PROBLEM_UNREADABLE, verb, verb + 1, "charge", NULL,
		p->ctx->shreds
			? "Whoever wins pursues by itself, unless its order says `halt`. To go after an enemy write "
			  "`charge` or `move toward` and its name."
			: "Nobody pursues under these rules. To go after an enemy write `charge` or `move toward` and "
			  "its name.");
	return NULL;
}

static struct clause *parse_going(struct parser *p, enum key verb)
{
	if (tell_negative(p))
		return NULL;
	if (verb == KEY_MOVE && key_here(p) == KEY_WITH) /* a commander goes with a unit */
		return parse_join(p, CLAUSE_JOIN);
	return parse_move(p, verb);
}

/* "about turn", "about face"; `at` is its first word */
static struct clause *parse_about(struct parser *p, int at)
{
	struct clause *c;

	p->pos = at;
	c = parse_face(p);
	advance(p);
	return c;
}

/* "left face", "right turn", "left wheel": on a parade ground the side comes first. */
static bool drill_begins(struct parser *p)
{
	enum key key = key_here(p), next = key_ahead(p, 1);

	return (key == KEY_LEFT || key == KEY_RIGHT) && (next == KEY_FACE || next == KEY_TURN || next == KEY_WHEEL);
}

static struct clause *parse_drill(struct parser *p, enum key side)
{
	struct clause *c = new_clause(p, CLAUSE_FACE);
	bool wheel = key_here(p) == KEY_WHEEL;
	int angle;

	advance(p);
	angle = parse_angle(p, wheel ? 45 : 90);
	c->face = (struct face){.kind = wheel ? FACE_WHEEL : FACE_TURN, .unit = -1};
	c->face.degrees = side == KEY_LEFT ? -angle : angle;
	return c;
}

/* The verb that is meant, and the marks around it; *at is its token. */
static enum key take_verb(struct parser *p, int *at)
{
	enum key verb;

	pass_helping_verb(p);
	verb = key_here(p);
	*at = p->pos;
	advance(p);
	if (*at > 0 && p->lex->tokens[*at - 1].type == TOKEN_QUOTE)
		take_type(p, TOKEN_QUOTE);
	if (is_word_here(p, "together") && !at_end(p))
		advance(p);
	skip_mark_after_verb(p);
	return verb;
}

struct clause *parse_verb(struct parser *p)
{
	int at;
	enum key verb = take_verb(p, &at);

	switch (verb) {
	case KEY_MOVE:
	case KEY_ADVANCE:
	case KEY_RETIRE:
	case KEY_FALL:
		return parse_going(p, verb);
	case KEY_STEP:
		return parse_going(p, KEY_MOVE);
	case KEY_BACK:
		advance(p); /* back off, back up */
		return parse_going(p, KEY_RETIRE);
	case KEY_FACE:
		return parse_face(p);
	case KEY_TURN:
	case KEY_WHEEL:
		return parse_turn(p, verb);
	case KEY_ABOUT:
		return parse_about(p, at);
	case KEY_LEFT:
	case KEY_RIGHT:
		return parse_drill(p, verb);
	case KEY_FIRE:
		return parse_fire(p);
	case KEY_GIVE:
		return parse_volley(p);
	case KEY_CHARGE:
		return parse_charge(p);
	case KEY_MELEE:
	case KEY_HITS:
		return parse_melee(p);
	case KEY_JOIN:
		return parse_join(p, CLAUSE_JOIN);
	case KEY_LEAVE:
		return parse_leave(p);
	case KEY_FORM:
		return parse_form(p);
	case KEY_COLUMN:
		tell_meaningless(p, at);
		return new_clause(p, CLAUSE_COLUMN);
	case KEY_PURSUE:
		return parse_pursuit(p);
	case KEY_RALLY:
		return parse_rally(p);
	case KEY_HOLD:
	case KEY_STAY:
	case KEY_HALT:
	case KEY_KEEP:
	case KEY_STOP:
	case KEY_WAIT:
		return parse_hold(p, verb);
	case KEY_NOTHING:
	case KEY_DO:
		take_key(p, KEY_NOTHING); /* do nothing */
		return new_clause(p, CLAUSE_HOLD);
	default:
		problem(p, PROBLEM_UNREADABLE, at, p->pos, NULL, NULL, "`%s` says nothing here.",
			typed_text(p, at, p->pos));
		return NULL;
	}
}

bool step_begins(struct parser *p)
{
	enum key key = key_here(p), next;
	int n = 1;

	if (key != KEY_STEP)
		return key == KEY_BACK && (is_word_ahead(p, 1, "off") || is_word_ahead(p, 1, "up"));
	if (ahead(p, 1)->type == TOKEN_NUMBER) /* "push 4 north" */
		n = key_ahead(p, 2) == KEY_INCHES ? 3 : 2;
	next = key_ahead(p, n);
	return next == KEY_BACK || next == KEY_FORWARD || next == KEY_LEFT || next == KEY_RIGHT ||
	       next == KEY_COMPASS || next == KEY_TO || next == KEY_TOWARD || next == KEY_AWAY;
}

/* "give c a volley" at p->pos: a volley is spoken of before the clause ends */
static bool gives_volley(struct parser *p)
{
	for (int n = 1; n <= VOLLEY_WORDS && ahead(p, n)->type == TOKEN_WORD; n++)
		if (is_word_ahead(p, n, "volley"))
			return true;
	return false;
}

bool verb_begins(struct parser *p)
{
	enum key key = key_here(p);

	switch (key) {
	case KEY_BACK:
	case KEY_STEP:
		return step_begins(p);
	case KEY_LEFT:
	case KEY_RIGHT:
		return drill_begins(p);
	case KEY_OPEN:
	case KEY_CONTINUE:
		return helping_words(p) > 0;
	case KEY_GIVE:
		return gives_volley(p);
	case KEY_HITS:
	case KEY_WAIT:
	case KEY_COLUMN:
	case KEY_NOTHING:
		return true;
	case KEY_DO:
		return key_ahead(p, 1) == KEY_NOTHING;
	case KEY_ABOUT:
		return key_ahead(p, 1) == KEY_TURN || key_ahead(p, 1) == KEY_FACE;
	default:
		return key_is_verb(key);
	}
}

const char *verb_left_out(struct parser *p)
{
	bool at = key_here(p) == KEY_AT;
	int before = p->pos;
	struct piece_set meant = {0};
	struct match m;

	if (!at && key_here(p) != KEY_WITH)
		return NULL;
	advance(p);
	while (key_here(p) == KEY_SKIP)
		advance(p);
	if (match_piece(p, &m))
		meant = set_and(m.set, at ? p->enemy : p->own);
	p->pos = before;
	return set_empty(&meant) ? NULL : at ? "fire at" : "join";
}

/* Before a verb, or what may stand before one in its turn. */
static bool verb_comes(struct parser *p)
{
	enum key next = key_ahead(p, 1);

	return key_is_verb(next) || next == KEY_NOT || next == KEY_SHOULD || next == KEY_WILL || next == KEY_BE ||
	       next == KEY_DO || next == KEY_SKIP || next == KEY_HITS;
}

/* "they then shoot", "it also fires", "have them fire": a word more between the two and the verb. */
static bool verb_comes_later(struct parser *p)
{
	enum key between = key_ahead(p, 1);

	if (key_here(p) == KEY_THEY
			? between != KEY_THEN && !is_word_ahead(p, 1, "also") && !is_word_ahead(p, 1, "both")
			: between != KEY_THEY || !is_word_here(p, "have"))
		return false;
	return key_is_verb(key_ahead(p, 2));
}

static bool makes(const struct token *t)
{
	return t->key == KEY_DO || (t->key == KEY_REQUEST && is_word(t, "make"));
}

/* "do a charge", "make a move" */
static bool makes_a_charge(struct parser *p)
{
	return makes(here(p)) && key_ahead(p, 1) == KEY_A && key_is_verb(key_ahead(p, 2));
}

/* Does the word here change nothing, before a verb? */
static bool is_idle_word(struct parser *p)
{
	switch (key_here(p)) {
	case KEY_SKIP:
	case KEY_PLEASE:
	case KEY_WILL:
	case KEY_BE:
	case KEY_SHOULD:
	case KEY_BOTH:
		return true;
	case KEY_ONLY:
		return key_is_verb(key_ahead(p, 1));
	case KEY_DO:
		return key_is_verb(key_ahead(p, 1)) || makes_a_charge(p);
	case KEY_A:
		return p->pos > 0 && makes(&p->lex->tokens[p->pos - 1]) && key_is_verb(key_ahead(p, 1));
	case KEY_THEN:
		return p->pos > 0 && p->lex->tokens[p->pos - 1].key == KEY_THEY && key_is_verb(key_ahead(p, 1));
	case KEY_THEY:
	case KEY_REQUEST:
		return (verb_comes(p) || verb_comes_later(p) || makes_a_charge(p)) && !condition_begins(p);
	case KEY_EXCEPT:
	case KEY_TO:
		return verb_comes(p) && !condition_begins(p);
	default:
		return false;
	}
}

/* Words before a verb that change nothing. */
void skip_before_verb(struct parser *p)
{
	while (here(p)->type == TOKEN_QUOTE)
		advance(p);
	for (;;) {
		if (idle_if(p, false)) {
			skip_idle_if(p, false);
			take_type(p, TOKEN_COMMA);
		} else if (is_idle_word(p)) {
			advance(p);
		} else {
			return;
		}
	}
}

bool clause_begins(struct parser *p, bool bare)
{
	int before = p->pos;
	bool begins;

	skip_before_verb(p);
	begins = verb_begins(p) || negation_begins(p) || condition_begins(p) || (bare && leg_begins(p));
	p->pos = before;
	return begins;
}
