/* Words that could not be read as an order: do they only speak of units, or do they wish something done by them? Talk
 * is set aside, but a wish is asked about, in a line as in a sentence: an order must not get lost in silence. */
#include "orders/lines.h"
#include "orders/print.h"

#include <string.h>

/* What the words say, as far as one can tell without reading them. */
struct wording {
	int unit;      /* the first of the writer's own that they name, or -1 */
	bool group;    /* "the dragoons", "everybody", "nobody else" */
	bool enemy;    /* since the last own unit an enemy was named: what follows is his deed */
	bool deed;     /* something is to be done */
	bool urged;    /* "should", "must", "please" */
	bool placed;   /* a way or a number: "on the right", "3 inches" */
	bool told;     /* what is or was: "were", "lost", "are" */
	bool hoped;    /* "we want", "the idea": what somebody has in mind, who gives the orders for it elsewhere */
	bool opens;    /* one of his own is named before anything that is to be done */
	bool grouped;  /* the words open with a group: "Left wing fwrrds 3" */
	bool numbered; /* inches */
};

/* Things to do that are no order words, in the form in which one orders them. */
static bool is_deed_word(const struct token *t)
{
	static const char *const deeds[] = {"aid", "aim", "ambush", "assist", "avoid", "back", "blast", "block",
		"bombard", "bring", "change", "chase", "circle", "clear", "climb", "close", "cover", "creep", "cross",
		"crush", "dash", "defend", "destroy", "dodge", "edge", "engage", "escape", "exchange", "flank", "flee",
		"follow", "gallop", "get", "guard", "help", "hide", "hurry", "intercept", "kill", "lead", "lure",
		"mount", "dismount", "outflank", "occupy", "pincer", "place", "pivot", "position", "protect", "push",
		"put", "rally", "reinforce", "relieve", "replace", "ride", "run", "rush", "save", "screen", "send",
		"shadow", "shift", "sidestep", "slide", "smash", "sneak", "spread", "stick", "support", "surround",
		"swap", "sweep", "swing", "switch", "take", "threaten", "trot", "walk", "watch", "wipe", "wait"};
	const char *text;
	size_t length;

	if (t->type != TOKEN_WORD)
		return false;
	text = t->word->text;
	length = strlen(text);
	if (length > 3 && text[length - 1] == 's' && text[length - 2] != 's')
		length--;
	for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++)
		if (strncmp(deeds[i], text, length) == 0 && (deeds[i][length] == '\0'))
			return true;
	return false;
}

bool is_said_of_game(struct parser *p, int start)
{
	static const char *const before_turn[] = {"for", "in", "of", "this", NULL};
	static const char *const before_go[] = {"we", "here", "lets", NULL};
	const struct token *before = &p->lex->tokens[p->pos > start ? p->pos - 1 : start], *next = ahead(p, 1);

	if (key_here(p) == KEY_TURN)
		return is_among(before, before_turn);
	return is_among(before, before_go) && (is_word_here(p, "go") || is_word_here(p, "goes")) &&
	       next->type != TOKEN_WORD && next->type != TOKEN_NUMBER;
}

static bool ends_in(const struct token *t, const char *end)
{
	size_t length = strlen(t->word->text), n = strlen(end);

	return length > n && strcmp(t->word->text + length - n, end) == 0;
}

/* "the charge", "last turn", "were hit": no deed, though an order word. */
static bool is_said_of(const struct token *t, const struct token *before)
{
	static const char *const before_noun[] = {"last", "this", "next", "every", "each", "for", "of", "in", "good",
		"great", "nice", "first", "whole", "was", "were", "been", "being", "got", NULL};

	return before < t && (before->key == KEY_A || before->key == KEY_SKIP || before->key == KEY_BE ||
				     is_among(before, before_noun));
}

static bool is_deed(const struct token *t, const struct token *before)
{
	bool verb = key_is_verb(t->key) || t->key == KEY_STEP || t->key == KEY_CONTINUE || t->key == KEY_WAIT ||
		    is_deed_word(t);

	return verb && !is_said_of(t, before) && !(t->word->inflected && ends_in(t, "ed"));
}

static bool is_urging(const struct token *t)
{
	static const char *const words[] = {
		"must", "need", "needs", "ought", "let", "tell", "order", "please", "pls", "plz", NULL};

	return t->key == KEY_SHOULD || is_among(t, words);
}

static bool is_telling(const struct token *t)
{
	static const char *const words[] = {"was", "were", "been", "had", "has", "did", "does", "lost", "won", "fought",
		"got", "went", "came", "fell", "held", "stood", "ran", "made", "took", "broke", "beat", "look", "looks",
		"looked", "think", "hope", "wonder", NULL};

	return t->key == KEY_BE || is_among(t, words) || (t->type == TOKEN_WORD && t->length > 4 && ends_in(t, "ed"));
}

static bool is_hoping(const struct token *t)
{
	static const char *const words[] = {
		"plan", "plans", "planned", "idea", "strategy", "tactics", "want", "wanted", "hope", "allowed", NULL};

	return is_among(t, words);
}

static bool is_crowd(const struct token *t)
{
	return t->key == KEY_ALL || t->key == KEY_EVERYONE || t->key == KEY_REST || t->key == KEY_MEN ||
	       is_word(t, "nobody") || is_word(t, "noone");
}

static bool is_way(const struct token *t)
{
	return t->key == KEY_FORWARD || t->key == KEY_BACK || t->key == KEY_LEFT || t->key == KEY_RIGHT ||
	       t->key == KEY_ABOUT || (t->key == KEY_COMPASS && t->length > 2);
}

/* "an attack on c", "shoot at e": whoever stands there is no one to be ordered. */
static bool is_aimed_at(enum key before)
{
	return before == KEY_ON || before == KEY_AT;
}

/* A name at p->pos, taken. */
static void see_name(struct parser *p, const struct match *m, struct wording *w)
{
	struct piece_set own = set_and(m->set, p->own);
	int piece = set_next(&own, 0);

	if (m->by_code &&
		(piece < 0 || is_word_here(p, "a") || is_word_here(p, "i") ||
			(!is_typed(p, here(p), p->ctx->state->units[piece].code) && !set_has(&p->commanders, piece)) ||
			(p->pos > 0 && is_aimed_at(p->lex->tokens[p->pos - 1].key))))
		return;
	w->enemy = piece < 0;
	if (piece >= 0 && w->unit < 0) {
		w->unit = piece;
		w->opens = !w->deed;
	}
	p->pos = m->end - 1;
}

/* "the Stuarts do too", often written "to" */
static bool does_likewise(const struct token *t, const struct token *next)
{
	static const char *const does[] = {"do", "does", NULL}, *const likewise[] = {"too", "to", "also", "likewise",
									"so", "same", NULL};

	return is_among(t, does) && is_among(next, likewise);
}

/* A number that is no turn's and no class's: inches. */
static bool is_distance(struct parser *p, const struct token *before)
{
	static const char *const counted[] = {"class", "year", "form", "period", "room", "team", "group", NULL};

	return number_begins(p) && before->key != KEY_TURN && !is_among(before, counted);
}

/* "everyone", "left wing", "all of them" at p->pos, which opens the line */
static bool opens_with_group(struct parser *p)
{
	enum key key = key_here(p), next = key_ahead(p, 1);

	return key == KEY_EVERYONE || (key == KEY_ALL && (next == KEY_OF || next == KEY_SKIP || key_is_kind(next))) ||
	       next == KEY_WING;
}

static void see_word(struct parser *p, struct wording *w, int from)
{
	const struct token *t = here(p), *before = &p->lex->tokens[p->pos > from ? p->pos - 1 : p->pos];
	bool theirs = before < t && (before->key == KEY_ENEMY || is_word(before, "their"));
	bool opens =
		p->pos == from && ahead(p, 1)->type == TOKEN_WORD &&
		(t->key == KEY_EVERYONE || is_word(t, "every") || (t->key == KEY_ALL && key_ahead(p, 1) == KEY_OF));
	enum key next = key_ahead(p, 1);

	if (key_is_kind(t->key) && !theirs)
		w->group = true;
	if (opens || (is_crowd(t) && (w->deed || key_is_verb(next) || next == KEY_ELSE || next == KEY_SHOULD)))
		w->group = true;
	if (p->pos == from)
		w->grouped = opens_with_group(p);
	w->numbered |= is_distance(p, before);
	w->placed |= is_way(t) || w->numbered;
	if (is_crowd(t) && is_way(ahead(p, 1)) && !theirs) /* "everybody forward 6" */
		w->group = w->deed = true;
	w->deed |= !w->enemy && is_deed(t, before) && !is_said_of_game(p, from);
	if (p->pos >= from + 2 && before->key == KEY_A && is_word(before - 1, "do") && key_is_verb(t->key))
		w->deed = true; /* "do an attack" */
	w->deed |= !w->enemy && t->key == KEY_AT && verb_left_out(p) != NULL;
	w->deed |= !w->enemy && w->unit >= 0 && does_likewise(t, ahead(p, 1));
	w->urged |= is_urging(t);
	w->told |= is_telling(t);
	w->hoped |= is_hoping(t);
}

/* A name at p->pos; "the horse" is the writer's, though an enemy's name has the word. */
static bool is_name(struct parser *p, int end, struct match *m)
{
	struct piece_set own;

	if (here(p)->type != TOKEN_WORD || is_deed_word(here(p)) || !match_piece(p, m) || m->from != p->pos ||
		m->end > end)
		return false;
	own = set_and(m->set, p->own);
	return !set_empty(&own) || m->end > p->pos + 1 || !key_is_kind(key_here(p));
}

/* "Everyone chrage c" */
static bool slip_of_verb_follows(struct parser *p, int end)
{
	for (int i = p->pos + 1; i < end && i <= p->pos + 2; i++) {
		const struct token *t = &p->lex->tokens[i];

		if (t->type == TOKEN_WORD && t->key == KEY_NONE && t->length > 4 && !t->word->named &&
			nearest_word(p, t, true))
			return true;
	}
	return false;
}

static bool is_asking(const struct token *t)
{
	return t->key == KEY_PLEASE || t->key == KEY_REQUEST || t->key == KEY_SKIP || t->type == TOKEN_COMMA;
}

bool wishes(struct parser *p, int end, int *unit)
{
	struct wording w = {.unit = -1};
	int pos = p->pos, stop = p->stop, opening = pos;
	struct match m;

	p->stop = end;
	while (opening < end && is_asking(&p->lex->tokens[opening]))
		opening++; /* "pls can everyone" */
	for (; p->pos < end && here(p)->type != TOKEN_END; advance(p))
		if (is_name(p, end, &m))
			see_name(p, &m, &w);
		else
			see_word(p, &w, opening);
	p->pos = pos;
	p->stop = stop;
	*unit = w.unit;
	if (w.hoped && !w.opens)
		return false;
	if (w.unit >= 0)
		return w.deed || w.urged || (w.placed && !w.told);
	return (w.group && w.deed) || (w.grouped && !w.told && (w.numbered || slip_of_verb_follows(p, end)));
}

bool tells_of_past(struct parser *p, int end)
{
	struct wording w = {.unit = -1};
	int pos = p->pos;
	bool past = is_telling(here(p)) && !is_word_here(p, "are") && !is_word_here(p, "is");

	for (; past && p->pos < end && here(p)->type != TOKEN_END; advance(p))
		see_word(p, &w, pos);
	p->pos = pos;
	return past && !w.deed && !w.urged && !w.placed && !w.hoped;
}

void tell_wish(struct parser *p, int end, int unit)
{
	const char *order = order_within(p, end);
	int failures = p->failures;

	problem(p, PROBLEM_UNREADABLE, p->pos, end, NULL, NULL,
		"If this was an order, write it as `UNIT: order`, for example `%s: hold`.",
		unit >= 0 ? piece_code(p->mem, p->ctx->state, unit) : example_code(p));
	if (order)
		suggest_line(p, failures, order);
	else if (unit >= 0)
		suggest_for_unit(p, failures, unit);
}
