/* A subject that stands inside its clause: "Move R 6 north", "charge j with R". A hole is put over it, so that the
 * clause reads without it. */
#include "orders/lines.h"
#include "orders/parse.h"

/* The tokens [from, end) at which a subject stands inside its clause: "Move R 6 north", "charge j with R". */
struct inner {
	struct subject *subject;
	int from, end;
};

static bool is_own_item(struct parser *p, const struct item *item)
{
	struct piece_set own = set_and(item->match.set, p->own);

	return item->kind != ITEM_PIECE || !set_empty(&own);
}

/* After "face R" or "move E 4": does something follow that the verb needs besides? */
static bool object_follows(struct parser *p)
{
	int32_t distance;
	struct heading heading;

	parse_distance(p, &distance);
	return parse_heading(p, &heading) || key_here(p) == KEY_TO || key_here(p) == KEY_TOWARD ||
	       key_here(p) == KEY_AWAY;
}

static bool way_here(struct parser *p)
{
	enum key key = key_here(p);

	return key == KEY_FORWARD || key == KEY_BACK || key == KEY_LEFT || key == KEY_RIGHT || is_word_here(p, "up");
}

/* Directly behind the verb. */
static bool subject_behind_verb(struct parser *p, struct inner *in)
{
	enum key verb = key_here(p), key;
	const struct token *t;
	struct trial trial = trial_begin(p);
	bool found = false, way = false;

	advance(p);
	if (verb == KEY_HOLD && !take_key(p, KEY_FIRE) && key_here(p) == KEY_SKIP && /* "hold fire everyone" */
		key_ahead(p, 1) == KEY_GROUND) {                                     /* "hold your ground Howard's" */
		advance(p);
		advance(p);
	}
	if (verb == KEY_STEP && way_here(p)) { /* "pull back R" */
		way = true;
		advance(p);
	}
	here(p);
	in->from = p->pos;
	take_type(p, TOKEN_COLON); /* "Hold: D, E" */
	t = here(p);
	if (parse_subject(p, AT_START, in->subject) && is_own_item(p, &in->subject->items[0])) {
		const struct item *item = &in->subject->items[0];
		struct piece_set enemies = set_and(item->match.set, p->enemy);
		bool compass = t->type == TOKEN_WORD && t->word->key == KEY_COMPASS;

		in->end = p->pos;
		key = key_here(p);
		switch (verb) {
		case KEY_STEP:
			found = way ? here(p)->type != TOKEN_COLON : object_follows(p);
			break;
		case KEY_MOVE:
		case KEY_ADVANCE:
		case KEY_RETIRE:
			found = !compass || object_follows(p);
			break;
		case KEY_FACE:
		case KEY_TURN:
		case KEY_WHEEL:
			found = object_follows(p);
			break;
		case KEY_FIRE:
			found = (key == KEY_AT || key == KEY_ON) && (item->kind != ITEM_PIECE || set_empty(&enemies));
			break;
		case KEY_JOIN:
			found = key == KEY_TO || key == KEY_WITH;
			break;
		case KEY_KEEP:
			found = key == KEY_WHERE || key == KEY_STILL;
			break;
		case KEY_HOLD:
		case KEY_STAY:
		case KEY_HALT:
		case KEY_STOP:
			found = true;
			break;
		default:
			break;
		}
	}
	trial_end(p, trial);
	return found;
}

/* "charge j with R" */
static bool subject_with(struct parser *p, struct inner *in)
{
	struct trial trial = trial_begin(p);
	bool found = false;
	int after;

	while (!at_end(p) && key_here(p) != KEY_WITH && !(separators_ahead(p, &after) & SEPARATOR_HARD))
		advance(p);
	if (key_here(p) == KEY_WITH && p->lex->tokens[p->pos - 1].type == TOKEN_WORD &&
		p->lex->tokens[p->pos - 1].word->key != KEY_JOIN && p->lex->tokens[p->pos - 1].word->key != KEY_MELEE) {
		in->from = p->pos;
		advance(p);
		found = parse_subject(p, AT_START, in->subject) && is_own_item(p, &in->subject->items[0]) &&
			(at_end(p) || separators_ahead(p, &after));
		in->end = p->pos;
	}
	trial_end(p, trial);
	return found;
}

bool find_inner_subject(struct parser *p, struct subject *subject)
{
	struct inner in = {.subject = subject};
	int before = p->pos;
	bool found;

	while (key_here(p) == KEY_DO || key_here(p) == KEY_NOT) /* "don't move R" */
		advance(p);
	found = (key_is_verb(key_here(p)) || key_here(p) == KEY_STEP) &&
		(subject_behind_verb(p, &in) || subject_with(p, &in));
	p->pos = before;
	if (!found)
		return false;
	p->hole_from = in.from;
	p->hole_to = in.end;
	return true;
}

void close_hole(struct parser *p)
{
	p->hole_from = p->hole_to = -1;
}
