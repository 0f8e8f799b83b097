/* Who an order is for.
 *
 *   subject = item { ("," | "and" | "&" | "+") item } [ "except" subject [ "who" clauses ] ]
 *   item    = unit | code ("-"|"to") code | ("both" | "all" [number]) name | name "wing"
 *           | ("all"|"everyone"|"everybody") [kind | "else" | "in" name "wing"] | kind
 *   kind    = "foot" | "infantry" | "horse" | "cavalry" | "dragoons" | "guns"
 */
#include "orders/parse.h"
#include "orders/print.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_kind(enum key key)
{
	return key == KEY_FOOT || key == KEY_HORSE || key == KEY_DRAGOONS || key == KEY_GUNS || key == KEY_CLANS;
}

static void skip_words(struct parser *p)
{
	while (key_here(p) == KEY_SKIP || key_here(p) == KEY_PLEASE)
		advance(p);
	if (key_here(p) == KEY_SIDE && here(p)->word->value == (int)p->ctx->side && is_kind(key_ahead(p, 1)))
		advance(p); /* "Jacobite guns" */
}

/* "their guns": not the writer's. */
static bool says_their(struct parser *p)
{
	return is_word_here(p, "their") && is_kind(key_ahead(p, 1));
}

/* Own pieces without commanders. */
static struct piece_set rank_and_file(const struct parser *p)
{
	return set_without(p->own, p->commanders);
}

/* kind = "foot" | ... ; the pieces of that kind, or the empty set when the key is none */
static struct piece_set kind_set(const struct parser *p, enum key key, const char **text)
{
	struct piece_set set = {0}, all = rank_and_file(p);

	for (int i = set_next(&all, 0); i >= 0; i = set_next(&all, i + 1)) {
		const struct unit *u = &p->ctx->state->units[i];

		if ((key == KEY_FOOT && unit_is_foot(u)) || (key == KEY_HORSE && unit_is_horse(u)) ||
			(key == KEY_DRAGOONS && (unit_is_horse(u) || u->kind == KIND_DISMOUNTED)) ||
			(key == KEY_GUNS && u->kind == KIND_GUN) || (key == KEY_CLANS && u->kind == KIND_CLAN))
			set_add(&set, i);
	}
	*text = key == KEY_FOOT       ? "foot"
		: key == KEY_HORSE    ? "horse"
		: key == KEY_DRAGOONS ? "dragoons"
		: key == KEY_CLANS    ? "clans"
				      : "guns";
	return set;
}

/* kind, at p->pos */
static bool parse_kind(struct parser *p, int wanted, struct item *item)
{
	enum key key = key_here(p);

	if (!is_kind(key))
		return false;
	advance(p);
	item->kind = ITEM_WING;
	item->set = kind_set(p, key, &item->text);
	item->wanted = wanted;
	return true;
}

/* "left and right wing": the word stands behind the last */
static bool wings_follow(struct parser *p)
{
	int n = 1;

	while (ahead(p, n)->type == TOKEN_COMMA || ahead(p, n)->type == TOKEN_AND || key_ahead(p, n) == KEY_AND ||
		key_ahead(p, n) == KEY_SKIP)
		n++;
	return n > 1 && ahead(p, n)->type == TOKEN_WORD && !set_empty(&ahead(p, n)->word->wing) &&
	       key_ahead(p, n + 1) == KEY_WING;
}

/* name ("wing"|"line"); "Reserve:" and "Line:" too, where no word of another meaning is the name */
static bool parse_wing(struct parser *p, struct item *item)
{
	const struct token *t = here(p);
	enum key next = key_ahead(p, 1);
	int first;
	char *text;

	bool alone = t->type == TOKEN_WORD && (t->word->key == KEY_NONE || t->word->key == KEY_LINE) &&
		     (ahead(p, 1)->type == TOKEN_COLON || (t->word->key == KEY_NONE && key_is_verb(next)));

	if (t->type != TOKEN_WORD || set_empty(&t->word->wing) ||
		(next != KEY_WING && next != KEY_LINE && !alone && !wings_follow(p)))
		return false;
	item->kind = ITEM_WING;
	item->set = set_and(t->word->wing, rank_and_file(p));
	first = set_next(&t->word->wing, 0);
	text = talloc_asprintf(p->mem, "%s wing", p->ctx->state->units[first].wing);
	for (char *c = text; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	item->text = text;
	advance(p);
	if (!take_key(p, KEY_WING))
		take_key(p, KEY_LINE);
	return true;
}

/* ("both" | "all" [number]) name: every own piece of that name */
static bool parse_set(struct parser *p, int wanted, struct item *item)
{
	struct match m;
	struct piece_set all = rank_and_file(p);

	if (!match_piece(p, &m))
		return false;
	m.set = set_and(m.set, all);
	if (set_empty(&m.set))
		return false;
	item->kind = ITEM_SET;
	item->match = m;
	item->set = m.set;
	item->wanted = wanted;
	p->pos = m.end;
	return true;
}

/* What may follow "all" or "everyone". */
static bool parse_all(struct parser *p, struct item *item)
{
	enum key key;
	int32_t number;
	int before;

	skip_words(p);
	if (take_key(p, KEY_OF))
		skip_words(p);
	before = p->pos;
	if (here(p)->type == TOKEN_NUMBER || key_here(p) == KEY_NUMBER) {
		if (parse_number(p, &number)) {
			skip_words(p);
			if (parse_kind(p, number / 1000, item) || parse_set(p, number / 1000, item))
				return true;
		}
		p->pos = before;
	}
	if (parse_wing(p, item))
		return true;
	if (parse_kind(p, 0, item))
		return true;
	key = key_here(p);
	if (key == KEY_ELSE || key == KEY_REST) {
		advance(p);
		item->kind = ITEM_ELSE;
		item->text = "everyone else";
		return true;
	}
	if (key == KEY_IN && ahead(p, 1)->type == TOKEN_WORD) {
		advance(p);
		skip_words(p);
		if (parse_wing(p, item))
			return true;
		p->pos = before;
	}
	if (key != KEY_CLAN && key != KEY_MEN && parse_set(p, 0, item))
		return true;
	if (key == KEY_CLAN || key == KEY_MEN)
		advance(p);
	item->kind = ITEM_ALL;
	item->set = rank_and_file(p);
	item->text = "all";
	return true;
}

static bool follows_range(struct parser *p)
{
	const struct token *t = here(p);

	return t->type == TOKEN_COLON || t->type == TOKEN_COMMA || t->type == TOKEN_AND || t->type == TOKEN_DASH ||
	       t->type == TOKEN_ARROW || key_is_verb(key_here(p)) || key_here(p) == KEY_AND ||
	       key_here(p) == KEY_EXCEPT || key_here(p) == KEY_SHOULD || key_here(p) == KEY_WILL ||
	       key_here(p) == KEY_NOT || t->type == TOKEN_NEWLINE || t->type == TOKEN_END;
}

static bool is_gun(const struct parser *p, const struct match *m)
{
	struct piece_set guns = set_and(m->set, p->guns);

	return m->by_code && !set_empty(&guns);
}

/* code ("-"|"to") code, the first code taken already */
static void parse_range(struct parser *p, struct item *item)
{
	int before = p->pos;
	struct match last;

	if (!item->match.by_code || (here(p)->type != TOKEN_DASH && key_here(p) != KEY_TO))
		return;
	advance(p);
	if ((is_gun(p, &item->match) && match_next_gun(p, &last)) || (match_piece(p, &last) && last.by_code)) {
		struct piece_set own = set_and(last.set, p->own);

		p->pos = last.end;
		if (!set_empty(&own) && follows_range(p)) {
			item->kind = ITEM_RANGE;
			item->last = last;
			return;
		}
	}
	p->pos = before;
}

/* "(R)", "[S]": a code in brackets, where a subject begins. */
static bool match_bracketed(struct parser *p, struct match *m)
{
	int before = p->pos;
	bool found = false;

	if (here(p)->type == TOKEN_OPEN && ahead(p, 1)->type == TOKEN_WORD && ahead(p, 2)->type == TOKEN_CLOSE) {
		advance(p);
		found = match_piece(p, m) && m->by_code && p->lex->tokens[m->end].type == TOKEN_CLOSE;
		p->pos = before;
		m->from = before;
		m->end++;
	}
	return found;
}

/* "Cholmondeley's foot": a name with its kind beside it. */
static void take_kind_beside(struct parser *p, struct item *item)
{
	const char *text;
	struct piece_set set;

	if (item->match.by_code || key_here(p) != KEY_FOOT)
		return;
	set = kind_set(p, key_here(p), &text);
	set = set_and(item->match.set, set);
	if (set_empty(&set))
		return;
	item->match.set = set;
	advance(p);
}

static bool parse_item(struct parser *p, struct item *item)
{
	enum key key;
	struct match m;
	int before = p->pos;

	*item = (struct item){.from = p->pos};
	if (says_their(p))
		return false;
	skip_words(p);
	here(p);
	item->from = p->pos;
	key = key_here(p);
	if (key == KEY_BOTH) {
		advance(p);
		skip_words(p);
		if (parse_kind(p, 2, item) || parse_set(p, 2, item))
			goto done;
	} else if (key == KEY_ALL || key == KEY_EVERYONE) {
		advance(p);
		if (parse_all(p, item))
			goto done;
	} else if (key == KEY_REST) {
		advance(p);
		item->kind = ITEM_ELSE;
		item->text = "everyone else";
		goto done;
	} else if (key == KEY_MEN) {
		parse_all(p, item);
		goto done;
	} else if (parse_wing(p, item)) {
		goto done;
	} else if (match_piece(p, &m) || match_bracketed(p, &m)) {
		item->match = m;
		p->pos = m.end;
		take_kind_beside(p, item);
		parse_range(p, item);
		goto done;
	} else if (parse_kind(p, 0, item)) {
		goto done;
	}
	p->pos = before;
	return false;
done:
	here(p);
	item->end = p->pos;
	return true;
}

static bool is_letter(const struct item *item, const struct parser *p)
{
	return item->kind == ITEM_PIECE && item->match.by_code && item->match.end == item->match.from + 1 &&
	       p->lex->tokens[item->match.from].length == 1;
}

/* What joins two items; between single letters it may be missing ("D E F: advance"). */
static bool take_joint(struct parser *p, const struct item *before)
{
	enum token_type type = here(p)->type;

	if (type == TOKEN_COMMA || type == TOKEN_AND || type == TOKEN_SLASH || key_here(p) == KEY_AND) {
		advance(p);
		if (type == TOKEN_COMMA && key_here(p) == KEY_AND)
			advance(p);
		return true;
	}
	return is_letter(before, p) && here(p)->type == TOKEN_WORD && here(p)->length == 1 &&
	       !set_empty(&here(p)->word->code);
}

/* "gun 1, 2 and 4", "Atholls 1 and 2": a number that stands for a further piece of that name, when a mark or an order
 * word is behind it. */
static bool parse_next_number(struct parser *p, const struct item *before, struct item *item)
{
	int from = p->pos;
	struct match m;

	if ((before->kind != ITEM_PIECE && before->kind != ITEM_RANGE) ||
		!(is_gun(p, &before->match) ? match_next_gun(p, &m) : match_next_ordinal(p, &before->match, &m)))
		return false;
	p->pos = m.end;
	*item = (struct item){.match = m, .from = m.from, .end = m.end};
	parse_range(p, item);
	here(p);
	item->end = p->pos;
	if (follows_range(p))
		return true;
	p->pos = from;
	return false;
}

static int parse_items(struct parser *p, enum place_in_line where, struct item *items, bool *too_many)
{
	int count = 0, limit = where == AT_START ? SUBJECT_ITEMS_MAX : 1, before;

	if (!parse_item(p, &items[0]))
		return 0;
	for (count = 1; count < limit; count++) {
		before = p->pos;
		if (!take_joint(p, &items[count - 1]) ||
			(!parse_item(p, &items[count]) && !parse_next_number(p, &items[count - 1], &items[count]))) {
			p->pos = before;
			return count;
		}
	}
	before = p->pos;
	*too_many = where == AT_START && take_joint(p, &items[count - 1]);
	p->pos = before;
	return count;
}

bool parse_subject(struct parser *p, enum place_in_line where, struct subject *s)
{
	int before = p->pos;

	s->count = s->excepted_count = 0;
	s->who = -1;
	s->marked = s->too_many = false;
	here(p);
	s->from = p->pos;
	s->count = parse_items(p, where, s->items, &s->too_many);
	if (s->count == 0) {
		p->pos = before;
		return false;
	}
	before = p->pos;
	take_type(p, TOKEN_COMMA);
	if (key_here(p) == KEY_EXCEPT &&
		(where == AT_START || here(p)->word->text[0] != 'b')) { /* "j but S should hold" */
		advance(p);
		take_key(p, KEY_FROM);
		s->excepted_count = parse_items(p, AT_START, s->excepted, &s->too_many);
		if (s->excepted_count &&
			(key_here(p) == KEY_WHO || (here(p)->type == TOKEN_COMMA && key_ahead(p, 1) == KEY_WHO))) {
			take_type(p, TOKEN_COMMA);
			advance(p);
			s->who = p->pos;
			while (!at_end(p) && here(p)->type != TOKEN_COLON)
				advance(p);
		}
	}
	if (!s->excepted_count)
		p->pos = before;
	here(p);
	s->end = p->pos;
	return true;
}

void subject_mark(struct parser *p, struct subject *s)
{
	for (;;) {
		enum token_type type = here(p)->type;
		enum key key = key_here(p), next = key_ahead(p, 1);
		bool verb_next =
			key_is_verb(next) || next == KEY_NOT || next == KEY_DO || next == KEY_BE || next == KEY_HITS;

		if (type == TOKEN_COLON || ((type == TOKEN_DASH || type == TOKEN_EQUAL) && !s->marked)) {
			s->marked = true;
			advance(p);
		} else if (type == TOKEN_TAB || (type == TOKEN_QUOTE && verb_next) || type == TOKEN_ARROW ||
			   type == TOKEN_COMMA || key == KEY_SHOULD || key == KEY_BOTH || key == KEY_BE ||
			   key == KEY_WILL || key == KEY_PLEASE || key == KEY_SKIP || (key == KEY_TO && verb_next) ||
			   (key == KEY_DO && verb_next) ||
			   (key == KEY_THEY && (verb_next || next == KEY_SHOULD || next == KEY_WILL)) ||
			   (key == KEY_REQUEST && verb_next && !time_words(p))) {
			advance(p);
		} else {
			return;
		}
	}
}

enum { SLIP_MIN = 4 };

static bool has_own(struct parser *p, const struct subject *s)
{
	const struct item *item = &s->items[0];
	struct piece_set own = item->kind == ITEM_PIECE ? set_and(item->match.set, p->own) : item->set;

	return item->kind == ITEM_RANGE || item->kind == ITEM_ALL || item->kind == ITEM_ELSE || !set_empty(&own);
}

/* forward, back, left, right */
static bool key_is_way(enum key key)
{
	return key == KEY_FORWARD || key == KEY_BACK || key == KEY_LEFT || key == KEY_RIGHT;
}

/* "Royals wait", "R wait until they come", not "a wait of two weeks" */
static bool waits(struct parser *p)
{
	enum key next = key_ahead(p, 1);
	enum token_type type = ahead(p, 1)->type;

	return next == KEY_UNTIL || next == KEY_STILL || type == TOKEN_NEWLINE || type == TOKEN_END ||
	       type == TOKEN_STOP || type == TOKEN_COMMA || type == TOKEN_SEMICOLON;
}

/* After a subject that no `:` marks: does a verb, or at the start of a line a condition or a whole leg, follow? */
static bool verb_follows(struct parser *p, enum place_in_line where)
{
	enum key key = key_here(p);
	int32_t distance;
	int before;
	bool leg;

	if ((key_is_verb(key) && key != KEY_OPEN) || (key == KEY_OPEN && key_ahead(p, 1) == KEY_FIRE) ||
		key == KEY_CONTINUE || key == KEY_HITS || key == KEY_NOT ||
		(key == KEY_WAIT && where == AT_START && waits(p)) ||
		(key == KEY_ABOUT && (key_ahead(p, 1) == KEY_TURN || key_ahead(p, 1) == KEY_FACE)) ||
		(key == KEY_DO && key_ahead(p, 1) == KEY_NOT) || step_begins(p))
		return true;
	if (where == AT_START && (condition_begins(p) || (key == KEY_TO && leg_begins(p)) || key == KEY_TOWARD))
		return true;
	if (key == KEY_COMPASS && where == AT_START)
		return here(p)->length > 2;
	if (where == AT_START && key_is_way(key) && leg_begins(p))
		return true;
	before = p->pos;
	leg = parse_distance(p, &distance) && leg_begins(p) && !number_begins(p);
	p->pos = before;
	return leg;
}

/* "A." and "A)" before a verb; a name with a full stop too; at a line's start a semicolon, which is on the colon's key.
 */
static bool letter_mark(struct parser *p, const struct subject *s)
{
	enum token_type type = here(p)->type;
	bool verb = key_is_verb(key_ahead(p, 1)) || key_ahead(p, 1) == KEY_NOT;

	return verb && s->count == 1 && s->items[0].kind == ITEM_PIECE &&
	       (type == TOKEN_STOP ||
		       (type == TOKEN_SEMICOLON && s->from == p->lex->lines[p->lex->tokens[s->from].line].first) ||
		       (type == TOKEN_CLOSE && is_letter(&s->items[0], p)));
}

/* Quick: is the first word one that a subject can begin with? */
static bool subject_may_begin(struct parser *p)
{
	const struct token *t = here(p);
	enum key key = key_here(p);

	if (t->type == TOKEN_QUOTE || t->type == TOKEN_OPEN)
		return true;
	return t->type == TOKEN_WORD &&
	       (t->word->named || !set_empty(&t->word->wing) || key == KEY_SKIP || key == KEY_PLEASE ||
		       key == KEY_BOTH || key == KEY_ALL || key == KEY_EVERYONE || key == KEY_REST || is_kind(key) ||
		       key == KEY_GUN || key == KEY_CLAN || key == KEY_MEN || key == KEY_SIDE);
}

/* "too", "as well", "also", "likewise", "ditto", "(do) the same (as above)", "same as K"; *as is K's piece, else -1. */
static bool take_likewise(struct parser *p, int *as)
{
	struct match m;
	struct piece_set own;

	static const char *const alone[] = {"too", "also", "likewise", "ditto", "aswell", NULL};
	int before = p->pos;

	*as = -1;
	for (const char *const *w = alone; *w; w++)
		if (is_word_here(p, *w)) {
			advance(p);
			return true;
		}
	if (is_word_here(p, "as") && ahead(p, 1)->type == TOKEN_WORD && strcmp(ahead(p, 1)->word->text, "well") == 0) {
		advance(p);
		advance(p);
		return true;
	}
	take_key(p, KEY_DO);
	take_key(p, KEY_SKIP);
	if (is_word_here(p, "same")) {
		advance(p);
		if (is_word_here(p, "as") && ahead(p, 1)->type == TOKEN_WORD && ahead(p, 1)->key == KEY_OVER) {
			advance(p);
			advance(p);
		} else if (is_word_here(p, "as") && (advance(p), match_piece(p, &m))) {
			own = set_and(m.set, p->own);
			*as = set_size(&own) == 1 ? set_next(&own, 0) : -1;
			if (*as < 0)
				p->pos--;
			else
				p->pos = m.end;
		}
		return true;
	}
	p->pos = before;
	return false;
}

/* What the sheet orders that piece so far, by the line read last; nothing when it orders it nothing. */
static struct given given_to(const struct parser *p, int piece)
{
	for (int i = p->sheet->order_count - 1; i >= 0; i--) {
		const struct order *o = &p->sheet->orders[i];

		for (int k = 0; k < o->unit_count; k++)
			if (o->units[k] == piece)
				return (struct given){o->clauses, o->standing};
	}
	return (struct given){NULL, false};
}

/* In the middle of a line a letter is one's own code only as it is written. */
static bool is_sure(struct parser *p, const struct subject *s)
{
	const struct item *item = &s->items[0];
	struct piece_set set = set_and(item->match.set, p->own);
	int own = set_next(&set, 0);

	return item->kind != ITEM_PIECE || !item->match.by_code ||
	       (own >= 0 && is_typed(p, &p->lex->tokens[item->match.from], p->ctx->state->units[own].code));
}

bool echo_begins(struct parser *p, enum place_in_line where)
{
	struct trial t;
	bool echo = false;
	int after, as;

	if (!p->lex->lines[here(p)->line].likewise || !subject_may_begin(p))
		return false;
	t = trial_begin(p);
	if (parse_subject(p, where, p->look) && has_own(p, p->look) && (where == AT_START || is_sure(p, p->look))) {
		subject_mark(p, p->look);
		echo = take_likewise(p, &as) &&
		       (at_end(p) || here(p)->type == TOKEN_NEWLINE || separators_ahead(p, &after));
	}
	trial_end(p, t);
	return echo;
}

void read_echo(struct parser *p)
{
	struct subject *s = p->subject;
	int from, as;

	if (!parse_subject(p, AT_START, s))
		return;
	subject_mark(p, s);
	here(p);
	from = p->pos;
	take_likewise(p, &as);
	if (as >= 0)
		p->given = given_to(p, as);
	if (!p->given.clauses)
		problem(p, PROBLEM_UNREADABLE, from, p->pos, NULL, NULL,
			as < 0 ? "`%s`: the same as what? No order was read directly before it."
			       : "`%s`: the same as what? No order for that unit stands above it.",
			typed_text(p, from, p->pos));
	give_order(p, s, p->given.standing, p->given.clauses, ORDER_GIVE);
}

bool slip_begins(struct parser *p)
{
	int before = p->pos;
	struct match m, further;
	struct piece_set own;
	bool slip = false;

	if (!subject_may_begin(p) || !match_piece(p, &m) || m.end >= p->stop)
		return false;
	own = set_and(m.set, p->own);
	p->pos = m.end;
	if (!set_empty(&own) && here(p)->type == TOKEN_WORD && here(p)->length >= SLIP_MIN && key_here(p) == KEY_NONE &&
		!here(p)->word->named && nearest_word(p, here(p), true) &&
		names_nearest(p->names, here(p)->word->text, &m.set) < 0) { /* not "Prince Charlie" */
		advance(p);
		slip = !m.by_code || at_end(p) || here(p)->type == TOKEN_NEWLINE;
		for (; !slip && !at_end(p) && here(p)->type != TOKEN_NEWLINE; advance(p))
			slip = here(p)->type == TOKEN_NUMBER || match_piece(p, &further);
	}
	p->pos = before;
	return slip;
}

bool order_begins(struct parser *p, enum place_in_line where)
{
	struct trial t;
	struct subject *s = p->look;
	bool begins = false;

	if (!subject_may_begin(p))
		return false;
	t = trial_begin(p);
	if (parse_subject(p, where, s)) {
		enum token_type type = here(p)->type;
		bool spaced_dash = type == TOKEN_DASH && (here(p)->spaced || key_is_verb(key_ahead(p, 1)));

		if (type == TOKEN_COLON || ((spaced_dash || type == TOKEN_EQUAL) && where == AT_START)) {
			begins = true;
		} else if (spaced_dash) {
			begins = key_is_verb(key_ahead(p, 1)) && has_own(p, s);
		} else if (where == AT_START && letter_mark(p, s)) {
			begins = true;
		} else if (where == AT_START || (type != TOKEN_COMMA && type != TOKEN_TAB && type != TOKEN_ARROW)) {
			subject_mark(p, s);
			begins = verb_follows(p, where) && (where == AT_START || has_own(p, s));
		}
	}
	trial_end(p, t);
	return begins;
}

/* --- giving the order -----------------------------------------------------------------------------------------------
 */

struct taker {
	struct piece_set unit, wing, all, excepted;
	int *order; /* pieces in the order in which they were named */
	int count;
	const char *wing_text, *all_text;
	bool other;                 /* "else" */
	const char *commander_verb; /* the order is to join or rally */
};

static void take(struct taker *t, struct piece_set *to, int piece)
{
	set_add(to, piece);
	t->order[t->count++] = piece;
}

static void take_set(struct parser *p, struct taker *t, struct piece_set *to, const struct piece_set *set)
{
	for (int i = set_next(set, 0); i >= 0; i = set_next(set, i + 1))
		if (may_order(p, i) && unit_alive(&p->ctx->state->units[i]) && t->count < TAKEN_MAX)
			take(t, to, i);
}

static const char *join_text(struct parser *p, const char *before, const char *text)
{
	return before ? talloc_asprintf(p->sheet, "%s, %s", before, text) : text;
}

static void take_piece(struct parser *p, struct taker *t, const struct item *item)
{
	struct match m = item->match;
	struct piece_set commanders;
	int piece;

	if (t->commander_verb) {
		commanders = set_and(m.set, role_set(p, ROLE_OWN_COMMANDER));
		if (set_size(&commanders) == 1)
			m.set = commanders;
	}
	piece = bind_piece(p, &m, ROLE_OWN);
	if (piece >= 0 && check_subject(p, piece, t->commander_verb, m.from, m.end) && t->count < TAKEN_MAX)
		take(t, &t->unit, piece);
}

static bool between_codes(const struct unit *u, const struct unit *first, const struct unit *last)
{
	int letter = toupper((unsigned char)u->code[0]);

	if (first->kind == KIND_GUN)
		return u->kind == KIND_GUN && atoi(u->code) >= atoi(first->code) && atoi(u->code) <= atoi(last->code);
	return strlen(u->code) == 1 && u->kind != KIND_GUN && letter >= toupper((unsigned char)first->code[0]) &&
	       letter <= toupper((unsigned char)last->code[0]);
}

/* Codes from A to F, in the alphabet's order; guns by their numbers. */
static void take_range(struct parser *p, struct taker *t, const struct item *item)
{
	int first = bind_piece(p, &item->match, ROLE_OWN), last = bind_piece(p, &item->last, ROLE_OWN);
	const struct unit *units = p->ctx->state->units;
	struct piece_set set = {0}, all = rank_and_file(p);

	if (first < 0 || last < 0)
		return;
	for (int i = set_next(&all, 0); i >= 0; i = set_next(&all, i + 1))
		if (between_codes(&units[i], &units[first], &units[last]))
			set_add(&set, i);
	if (set_empty(&set))
		problem(p, PROBLEM_UNKNOWN, item->from, item->end, NULL, NULL,
			"From %s to %s there is no unit; write the earlier letter first.", units[first].code,
			units[last].code);
	take_set(p, t, &t->unit, &set);
}

/* "all 3 dragoons": are there as many? Else it is asked which are meant. */
static bool number_fits(struct parser *p, const struct item *item, const char *what)
{
	if (!item->wanted || set_size(&item->set) == item->wanted)
		return true;
	problem(p, PROBLEM_AMBIGUOUS, item->from, item->end, NULL, NULL,
		"%d of your units are %s: %s. Name those that you mean.", set_size(&item->set), what,
		ask_between(p, &item->set));
	return false;
}

static void take_item(struct parser *p, struct taker *t, const struct item *item)
{
	if (t->commander_verb && item->kind != ITEM_PIECE) {
		problem(p, PROBLEM_UNREADABLE, item->from, item->end, NULL, NULL,
			"Only a commander can %s a unit: name him, as `Hu: %s R`.", t->commander_verb,
			t->commander_verb);
		return;
	}
	switch (item->kind) {
	case ITEM_PIECE:
		take_piece(p, t, item);
		break;
	case ITEM_RANGE:
		take_range(p, t, item);
		break;
	case ITEM_SET:
		if (!number_fits(p, item, "of that name"))
			break;
		take_set(p, t, &t->unit, &item->set);
		break;
	case ITEM_WING:
		if (set_empty(&item->set))
			problem(p, PROBLEM_UNKNOWN, item->from, item->end, NULL, NULL, "You have no %s.", item->text);
		else if (!number_fits(p, item, item->text))
			break;
		take_set(p, t, &t->wing, &item->set);
		t->wing_text = join_text(p, t->wing_text, item->text);
		break;
	case ITEM_ALL:
		take_set(p, t, &t->all, &item->set);
		t->all_text = "all";
		break;
	case ITEM_ELSE:
		t->other = true;
		break;
	}
}

static struct order *add_order(struct parser *p)
{
	struct sheet *s = p->sheet;

	if (s->order_count >= SHEET_ORDERS_MAX) {
		if (!p->full)
			problem(p, PROBLEM_TOO_LARGE, p->pos, p->pos + 1, NULL, NULL,
				"A sheet may hold %d orders; from here on nothing was read.", SHEET_ORDERS_MAX);
		p->full = true;
		return NULL;
	}
	s->orders = talloc_realloc(s, s->orders, struct order, (unsigned)s->order_count + 1);
	s->orders[s->order_count] = (struct order){0};
	return &s->orders[s->order_count++];
}

/* One order for those of the taker's pieces that are in `set`, in the order in which they were named. */
static void add_ranked(struct parser *p, const struct taker *t, const struct piece_set *set, struct order like)
{
	struct piece_set left = set_without(*set, t->excepted);
	struct order *o;
	const char *codes = NULL;

	if (set_empty(&left))
		return;
	o = add_order(p);
	if (!o)
		return;
	*o = like;
	o->units = talloc_array(p->sheet, int, (unsigned)set_size(&left));
	for (int i = 0; i < t->count; i++) {
		int piece = t->order[i];

		if (!set_has(&left, piece))
			continue;
		left.bits[piece / 64] &= ~((uint64_t)1 << (piece % 64));
		o->units[o->unit_count++] = piece;
		if (o->rank == RANK_UNIT)
			codes = join_text(p, codes, piece_code(p->sheet, p->ctx->state, piece));
	}
	if (o->rank == RANK_UNIT)
		o->subject = codes;
}

static const char *except_text(struct parser *p, const char *text, const struct piece_set *excepted)
{
	char *all = talloc_asprintf(p->sheet, "%s", text);
	bool first = true;

	for (int i = set_next(excepted, 0); i >= 0; i = set_next(excepted, i + 1), first = false)
		all = talloc_asprintf_append(
			all, "%s%s", first ? " except " : ", ", piece_code(p->sheet, p->ctx->state, i));
	return all;
}

static void take_excepted(struct parser *p, struct taker *t, const struct subject *s, struct order like)
{
	struct taker out = {.order = talloc_array(p->scratch, int, TAKEN_MAX)};

	for (int i = 0; i < s->excepted_count; i++)
		take_item(p, &out, &s->excepted[i]);
	t->excepted = set_and(set_or(t->excepted, p->excepted), p->own);
	p->excepted = (struct piece_set){0};
	t->excepted = set_or(t->excepted, set_or(out.unit, set_or(out.wing, out.all)));
	if (s->who >= 0) {
		int pos = p->pos, stop = p->stop;

		p->pos = s->who;
		p->stop = s->end;
		like.clauses = parse_clauses(p, NULL, NULL);
		p->pos = pos;
		p->stop = stop;
		like.rank = RANK_UNIT;
		if (like.clauses && !p->trial)
			add_ranked(p, &out, &t->excepted, like);
	}
}

/* What only a commander does, wherever it stands in the clauses: "join", "rally", or NULL. */
static const char *commander_verb(const struct clause *c)
{
	const char *verb = NULL;

	for (; c && !verb; c = c->next) {
		if (c->kind == CLAUSE_JOIN || c->kind == CLAUSE_RALLY)
			verb = c->kind == CLAUSE_JOIN ? "join" : "rally";
		else if (c->kind == CLAUSE_IF && !(verb = commander_verb(c->then)))
			verb = commander_verb(c->otherwise);
	}
	return verb;
}

void give_order(struct parser *p, const struct subject *s, bool standing, struct clause *clauses, enum order_kind kind)
{
	struct taker t = {.order = p->taken};
	struct order like = {
		.kind = kind,
		.standing = standing,
		.clauses = clauses,
		.line = p->lex->tokens[s->from].line + 1,
		.from_sheet = p->from_sheet,
	};

	t.commander_verb = commander_verb(clauses);
	for (int i = 0; i < s->count; i++)
		take_item(p, &t, &s->items[i]);
	if (s->too_many)
		problem(p, PROBLEM_UNREADABLE, s->from, s->from + 1, NULL, NULL,
			"A list may name %d units; write `all` or a wing.", SUBJECT_ITEMS_MAX);
	take_excepted(p, &t, s, like);
	if ((!clauses && kind == ORDER_GIVE) || p->trial)
		return;
	like.rank = RANK_UNIT;
	add_ranked(p, &t, &t.unit, like);
	if (t.wing_text) {
		like.rank = RANK_WING;
		like.subject = except_text(p, t.wing_text, &t.excepted);
		add_ranked(p, &t, &t.wing, like);
	}
	if (t.all_text) {
		like.rank = RANK_ALL;
		like.subject = except_text(p, t.all_text, &t.excepted);
		add_ranked(p, &t, &t.all, like);
	}
	if (t.other) {
		struct order *o = add_order(p);

		if (o) {
			*o = like;
			o->rank = RANK_ALL;
			o->others = true;
			o->subject = except_text(p, "everyone else", &t.excepted);
			o->excepted = talloc_array(p->sheet, int, (unsigned)set_size(&t.excepted));
			for (int k = set_next(&t.excepted, 0); k >= 0; k = set_next(&t.excepted, k + 1))
				o->excepted[o->excepted_count++] = k;
		}
	}
}

/* Everyone else: those that no other order of the sheet names, and that this one does not except. */
static void settle_others(struct parser *p, struct order *o, struct piece_set left)
{
	o->units = talloc_array(p->sheet, int, PIECES_MAX);
	for (int i = 0; i < o->excepted_count; i++)
		left.bits[o->excepted[i] / 64] &= ~((uint64_t)1 << (o->excepted[i] % 64));
	for (int i = set_next(&left, 0); i >= 0; i = set_next(&left, i + 1))
		if (may_order(p, i) && unit_alive(&p->ctx->state->units[i]))
			o->units[o->unit_count++] = i;
}

void settle_else(struct parser *p)
{
	struct sheet *s = p->sheet;
	struct piece_set named = {0}, left;

	for (int i = 0; i < s->order_count; i++)
		for (int k = 0; s->orders[i].kind != ORDER_CLEAR && k < s->orders[i].unit_count; k++)
			set_add(&named, s->orders[i].units[k]);
	left = set_without(rank_and_file(p), named);
	for (int i = 0; i < s->order_count; i++)
		if (s->orders[i].others)
			settle_others(p, &s->orders[i], left);
}

int subject_pieces(struct parser *p, const struct subject *s, int *out, int max)
{
	struct taker t = {.order = talloc_array(p->scratch, int, TAKEN_MAX)};
	int count = 0;

	for (int i = 0; i < s->count; i++)
		take_item(p, &t, &s->items[i]);
	for (int i = 0; i < t.count && count < max; i++)
		out[count++] = t.order[i];
	return count;
}
