/* Who an order is for.
 *
 *   subject = item { ("," | "and" | "&" | "+" | "n") item } [ "except" subject [ "who" clauses ] ]
 *   item    = unit | code ("-"|"to") code | ("both" | "all" [number]) name | name "wing"
 *           | ("all"|"everyone"|"everybody") [kind | "else" | "in" name "wing"] | kind
 *
 * Groups are in parse_group.c.
 */
#include "orders/parse.h"

#include <string.h>

/* forward, back, left, right */
static bool key_is_way(enum key key)
{
	return key == KEY_FORWARD || key == KEY_BACK || key == KEY_LEFT || key == KEY_RIGHT;
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

/* "the Atholls all", "Atholls (both)", "Atholls: all advance": every own unit of that name. The last `all` is taken
 * with the mark. */
static void take_all_of_name(struct parser *p, struct item *item)
{
	bool bracketed = here(p)->type == TOKEN_OPEN;
	int n = bracketed || here(p)->type == TOKEN_COLON ? 1 : 0;
	enum key key = key_ahead(p, n);
	const struct token *after;
	struct piece_set own;

	if (item->match.by_code || (key != KEY_BOTH && key != KEY_ALL))
		return;
	after = ahead(p, n + 1);
	own = set_without(set_and(item->match.set, p->own), p->commanders);
	if (!set_several(&own) || (bracketed ? after->type != TOKEN_CLOSE
					     : !key_is_verb(after->key) && (n || after->type != TOKEN_COLON)))
		return;
	item->kind = ITEM_SET;
	item->set = own;
	item->wanted = key == KEY_BOTH ? 2 : 0;
	for (n = bracketed ? 3 : !n; n > 0; n--)
		advance(p);
}

/* "their guns": not the writer's. */
static bool says_their(struct parser *p)
{
	return is_word_here(p, "their") && key_is_kind(key_ahead(p, 1));
}

/* "2 dragoons", "two of the guns", "two Gordons" */
static bool parse_number_of(struct parser *p, struct item *item)
{
	bool word = here(p)->type == TOKEN_WORD && here(p)->key == KEY_NUMBER;
	int before = p->pos;
	int32_t number;

	if (!word && here(p)->type != TOKEN_NUMBER)
		return false;
	parse_number(p, &number);
	if (take_key(p, KEY_OF) || key_here(p) == KEY_SKIP)
		skip_before_item(p);
	if (number > 0 && number % 1000 == 0 &&
		(parse_kind(p, number / 1000, item) || (word && parse_set(p, number / 1000, item))))
		return true;
	p->pos = before;
	return false;
}

/* "the Royals" in "both of the Royals and Price's" */
static bool is_first_of_both(struct parser *p, struct match *m)
{
	int before = p->pos;
	bool first = false;
	struct piece_set own;

	if (match_piece(p, m)) {
		p->pos = m->end;
		take_kind_beside(p, m);
		m->end = p->pos;
		own = set_and(m->set, p->own);
		first = set_size(&own) == 1 && (here(p)->type == TOKEN_AND || key_here(p) == KEY_AND);
	}
	p->pos = before;
	return first;
}

static bool parse_item(struct parser *p, struct item *item)
{
	enum key key;
	struct match m;
	int before = p->pos;

	*item = (struct item){.from = p->pos};
	if (says_their(p))
		return false;
	skip_before_item(p);
	here(p);
	item->from = p->pos;
	key = key_here(p);
	if (match_whole(p, &m)) {
		item->match = m;
		p->pos = m.end;
		goto done;
	} else if (key == KEY_BOTH) {
		advance(p);
		take_key(p, KEY_OF);
		skip_before_item(p);
		if (is_first_of_both(p, &m)) {
			item->match = m;
			p->pos = m.end;
			goto done;
		}
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
	} else if ((match_piece(p, &m) && !(key_is_kind(key) && kind_for_name(p, &m))) || match_bracketed(p, &m)) {
		item->match = m;
		p->pos = m.end;
		if (take_men_of(p, item))
			goto done;
		take_kind_beside(p, &item->match);
		take_all_of_name(p, item);
		parse_range(p, item);
		goto done;
	} else if (parse_kind(p, 0, item) || parse_number_of(p, item)) {
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

/* The thumb's "and" of "Royals n Price's", between two names of the writer's own. */
static bool short_and_here(struct parser *p, const struct item *before)
{
	int pos = p->pos;
	struct match m;
	struct piece_set own = {0};

	if (before->kind != ITEM_PIECE || before->match.by_code || !is_typed(p, here(p), "n"))
		return false;
	advance(p);
	skip_before_item(p);
	if (match_piece(p, &m) && !m.by_code)
		own = set_and(m.set, p->own);
	p->pos = pos;
	return !set_empty(&own);
}

/* What joins two items; between single letters it may be missing ("D E F: advance"). */
static bool take_joint(struct parser *p, const struct item *before)
{
	enum token_type type = here(p)->type;

	if (type == TOKEN_COMMA || type == TOKEN_AND || type == TOKEN_SLASH || key_here(p) == KEY_AND ||
		short_and_here(p, before)) {
		advance(p);
		if (type == TOKEN_COMMA && key_here(p) == KEY_AND)
			advance(p);
		return true;
	}
	if (key_here(p) == KEY_GUN) /* "gun 1 gun 2: fire at c" */
		return before->kind == ITEM_PIECE && is_gun(p, &before->match) && ahead(p, 1)->type == TOKEN_NUMBER;
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
	/* "Atholls 1 and 2 forward", but "Atholls 1, 2 forward" is a distance */
	if (follows_range(p) || (p->lex->tokens[from - 1].type != TOKEN_COMMA &&
					(key_here(p) == KEY_COMPASS || key_is_way(key_here(p)))))
		return true;
	p->pos = from;
	return false;
}

void take_except(struct parser *p)
{
	advance(p);
	if (!take_key(p, KEY_FROM) && is_word_here(p, "for"))
		advance(p);
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

/* Of its many items none is looked at. */
void subject_clear(struct subject *s)
{
	s->count = s->excepted_count = 0;
	s->who = -1;
	s->from = s->end = 0;
	s->marked = s->too_many = false;
}

static struct opening_order *opening_of(struct parser *p)
{
	return &p->openings[p->lex->tokens[p->pos].line % 2];
}

/* At the order that its line was found to open with? What ends a line there may still be settled otherwise later. */
static bool at_opening(struct parser *p)
{
	const struct opening_order *o = opening_of(p);

	return p->pos == o->from && p->stop == o->stop && p->hole_from < 0 &&
	       p->lex->tokens[p->stop].number == NEWLINE_ENDS;
}

static void copy_subject(struct subject *to, const struct subject *from)
{
	memcpy(to->items, from->items, (size_t)from->count * sizeof *from->items);
	to->count = from->count;
	memcpy(to->excepted, from->excepted, (size_t)from->excepted_count * sizeof *from->excepted);
	to->excepted_count = from->excepted_count;
	to->who = from->who;
	to->from = from->from;
	to->end = from->end;
	to->marked = false;
	to->too_many = from->too_many;
}

bool parse_subject(struct parser *p, enum place_in_line where, struct subject *s)
{
	int before = p->pos;

	if (where == AT_START && at_opening(p)) {
		copy_subject(s, opening_of(p)->subject);
		p->pos = s->end;
		return true;
	}
	subject_clear(s);
	here(p);
	s->from = p->pos;
	s->count = parse_items(p, where, s->items, &s->too_many);
	if (s->count == 0) {
		p->pos = before;
		return false;
	}
	before = p->pos;
	take_type(p, TOKEN_COMMA);
	if (key_here(p) == KEY_EXCEPT ? where == AT_START || here(p)->word->text[0] != 'b' /* "j but S should hold" */
				      : key_ahead(p, 1) == KEY_FROM && is_word_here(p, "apart")) {
		take_except(p);
		s->excepted_count = parse_items(p, AT_START, s->excepted, &s->too_many);
		if (s->excepted_count &&
			(key_here(p) == KEY_WHO || (here(p)->type == TOKEN_COMMA && key_ahead(p, 1) == KEY_WHO))) {
			take_type(p, TOKEN_COMMA);
			advance(p);
			s->who = p->pos;
			while (!at_end(p) && here(p)->type != TOKEN_COLON && here(p)->type != TOKEN_NEWLINE)
				advance(p);
		}
	}
	if (!s->excepted_count)
		p->pos = before;
	here(p);
	s->end = p->pos;
	return true;
}

/* "R = hold", "R > hold": on a colon's place. */
static bool colon_like(struct parser *p)
{
	enum token_type type = here(p)->type;

	return type == TOKEN_EQUAL || (type == TOKEN_GREATER && key_is_verb(key_ahead(p, 1)));
}

void subject_mark(struct parser *p, struct subject *s)
{
	for (;;) {
		enum token_type type = here(p)->type;
		enum key key = key_here(p), next = key_ahead(p, 1);
		bool verb_next =
			key_is_verb(next) || next == KEY_NOT || next == KEY_DO || next == KEY_BE || next == KEY_HITS;

		if (type == TOKEN_COLON || ((type == TOKEN_DASH || colon_like(p)) && !s->marked)) {
			s->marked = true;
			advance(p);
		} else if (type == TOKEN_TAB || (type == TOKEN_QUOTE && verb_next) || type == TOKEN_ARROW ||
			   type == TOKEN_COMMA || key == KEY_SHOULD || key == KEY_BOTH || is_word_here(p, "each") ||
			   key == KEY_BE || key == KEY_WILL || key == KEY_PLEASE || key == KEY_SKIP ||
			   (key == KEY_TO && verb_next) || ((key == KEY_DO || key == KEY_ALL) && verb_next) ||
			   (key == KEY_THEY && (verb_next || next == KEY_SHOULD || next == KEY_WILL)) ||
			   (key == KEY_REQUEST && verb_next && !time_words(p))) {
			advance(p);
		} else {
			return;
		}
	}
}

enum { SLIP_MIN = 4 };

bool subject_has_own(struct parser *p, const struct subject *s)
{
	const struct item *item = &s->items[0];
	struct piece_set own = item->kind == ITEM_PIECE ? set_and(item->match.set, p->own) : item->set;

	return item->kind == ITEM_RANGE || item->kind == ITEM_ALL || item->kind == ITEM_ELSE || !set_empty(&own);
}

/* "Royals wait", "R wait until they come", not "a wait of two weeks" */
static bool waits(struct parser *p)
{
	enum key next = key_ahead(p, 1);
	enum token_type type = ahead(p, 1)->type;

	return next == KEY_UNTIL || next == KEY_STILL || type == TOKEN_NEWLINE || type == TOKEN_END ||
	       type == TOKEN_STOP || type == TOKEN_COMMA || type == TOKEN_SEMICOLON;
}

bool always_begins(struct parser *p)
{
	return key_here(p) == KEY_STANDING && is_word_here(p, "always") && key_is_verb(key_ahead(p, 1));
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
		(key == KEY_DO && (key_ahead(p, 1) == KEY_NOT || key_ahead(p, 1) == KEY_NOTHING)) ||
		(key == KEY_NO && key_is_verb(key_ahead(p, 1))) || always_begins(p) || step_begins(p))
		return true;
	if (where == AT_START && (condition_begins(p) || (key == KEY_TO && leg_begins(p)) || key == KEY_TOWARD))
		return true;
	if (key == KEY_COMPASS && where == AT_START)
		return here(p)->length > 2 || (is_word_here(p, "up") && ahead(p, 1)->type == TOKEN_NUMBER);
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

/* "Wolfe's -> G6" */
static bool leads_to_place(struct parser *p)
{
	int before = p->pos;
	bool place = take_type(p, TOKEN_ARROW) && (square_ahead(p) || pair_ahead(p));

	p->pos = before;
	return place;
}

/* Quick: is the first word one that a subject can begin with? */
bool subject_may_begin(struct parser *p)
{
	const struct token *t = here(p);
	enum key key = key_here(p);
	struct match m;

	if (t->type == TOKEN_QUOTE || t->type == TOKEN_OPEN)
		return true;
	if (t->type == TOKEN_NUMBER)
		return key_is_kind(key_ahead(p, 1)) || key_ahead(p, 1) == KEY_OF ||
		       (p->ctx->numbers_name && match_piece(p, &m));
	return t->type == TOKEN_WORD &&
	       (t->word->named || key == KEY_NUMBER || !set_empty(&t->word->wing) || key == KEY_SKIP ||
		       key == KEY_PLEASE || key == KEY_BOTH || key == KEY_ALL || key == KEY_EVERYONE ||
		       key == KEY_REST || key_is_kind(key) || key == KEY_GUN || key == KEY_CLAN || key == KEY_MEN ||
		       key == KEY_SIDE);
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
		!like_piece(p, here(p), &m.set)) { /* not "Prince Charlie" */
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

	if (where == AT_START && at_opening(p))
		return true;
	if (!subject_may_begin(p))
		return false;
	t = trial_begin(p);
	if (parse_subject(p, where, s)) {
		enum token_type type = here(p)->type;
		bool spaced_dash = type == TOKEN_DASH && (here(p)->spaced || key_is_verb(key_ahead(p, 1)));

		if (type == TOKEN_COLON || ((spaced_dash || colon_like(p)) && where == AT_START)) {
			begins = true;
		} else if (spaced_dash) {
			begins = key_is_verb(key_ahead(p, 1)) && subject_has_own(p, s);
		} else if (where == AT_START && (letter_mark(p, s) || leads_to_place(p))) {
			begins = true;
		} else if (where == AT_START || (type != TOKEN_COMMA && type != TOKEN_TAB && type != TOKEN_ARROW)) {
			subject_mark(p, s);
			begins = verb_follows(p, where) && (where == AT_START || subject_has_own(p, s));
		}
	}
	trial_end(p, t);
	return begins;
}

bool opens_with_order(struct parser *p)
{
	struct opening_order *o = opening_of(p);

	o->from = -1;
	if (!order_begins(p, AT_START))
		return false;
	if (p->look->from == p->pos) { /* and no further look was taken */
		struct subject *known = p->look;

		p->look = o->subject;
		*o = (struct opening_order){known, p->pos, p->stop};
	}
	return true;
}
