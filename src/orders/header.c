/* What a sheet is for.
 *
 *   header = ("game" name) | ("turn" number) | ("key" words)
 *
 * Headers may share a line, and an order may stand behind them.
 */
#include "orders/lines.h"
#include "orders/parse.h"

#include <string.h>

/* "fired", "lost" */
static bool is_past(const struct token *t)
{
	return t->key == KEY_GONE || (t->type == TOKEN_WORD && t->word->inflected && t->word->length > 2 &&
					     t->word->text[t->word->length - 1] == 'd');
}

/* The place of the number in "TURN 3" and "turn: 3" at p->pos, as so many tokens ahead; 0 for none. */
static int turn_number(struct parser *p)
{
	const struct token *t;
	int n;

	if (key_here(p) != KEY_TURN)
		return 0;
	n = ahead(p, 1)->type == TOKEN_COLON ? 2 : 1;
	t = ahead(p, n);
	return t->type == TOKEN_NUMBER && t->number >= 0 && t->number % 1000 == 0 ? n : 0;
}

/* "TURN 3 R: hold", "turn 3: R hold": an order that is to be carried out; of one's own, where no mark parts it. */
static bool order_to_come_begins(struct parser *p, bool marked)
{
	struct trial t;
	bool own;

	if (!order_begins(p, AT_START))
		return false;
	t = trial_begin(p);
	own = marked || (parse_subject(p, AT_START, p->look) && subject_has_own(p, p->look));
	for (; own && !at_end(p); advance(p))
		own = !is_past(here(p));
	trial_end(p, t);
	return own;
}

/* "KEY y" behind "GAME x" */
static bool header_follows(struct parser *p)
{
	enum key key = key_here(p);
	int n = ahead(p, 1)->type == TOKEN_COLON ? 2 : 1;

	return turn_number(p) || ((key == KEY_GAME || key == KEY_KEY) && ahead(p, n)->type == TOKEN_WORD);
}

/* "TURN 3", "turn 3 orders:", "TURN 3: R: advance 4": alone, or with an order behind it. "Turn 1: the English lost a
 * base" tells of a turn, and its verbs are of the past. */
static bool turn_header_begins(struct parser *p)
{
	int n = turn_number(p), before = p->pos;
	bool header;

	if (!n)
		return false;
	for (; n >= 0; n--)
		advance(p);
	if (is_word_here(p, "orders"))
		advance(p);
	while (here(p)->type == TOKEN_COLON || here(p)->type == TOKEN_STOP || here(p)->type == TOKEN_DASH)
		advance(p);
	header = at_end(p) || here(p)->type == TOKEN_NEWLINE || (before == p->pos - 2 && header_follows(p));
	header = header || order_to_come_begins(p, p->lex->tokens[p->pos - 1].type != TOKEN_NUMBER);
	p->pos = before;
	return header;
}

bool tells_of_turn(struct parser *p, int line)
{
	int pos = p->pos, stop = p->stop, n;
	const struct token *next;
	bool tells = false, greets;

	p->pos = p->lex->lines[line].first;
	p->stop = line_end(p, line);
	skip_greeting(p);
	greets = p->pos > p->lex->lines[line].first;
	n = turn_number(p);
	if (n) {
		next = ahead(p, n + 1);
		tells = (next->type == TOKEN_COLON || next->type == TOKEN_STOP || next->type == TOKEN_DASH ||
				next->key == KEY_BE || next->key == KEY_SKIP || next->key == KEY_UNTIL ||
				next->key == KEY_FROM || (next->type == TOKEN_WORD && next->key == KEY_NONE)) &&
			!turn_header_begins(p);
		tells |= greets && next->type <= TOKEN_NEWLINE;
	}
	p->pos = pos;
	p->stop = stop;
	return tells;
}

/* header = ("game" name) | ("turn" number) | ("key" words), alone on its line or with other headers */
bool header_begins(struct parser *p)
{
	enum key key = key_here(p);
	int n, name, before = p->pos;
	const struct token *t;
	bool next = false;

	if (turn_header_begins(p))
		return true;
	if (key != KEY_GAME && key != KEY_KEY)
		return false;
	n = ahead(p, 1)->type == TOKEN_COLON ? 2 : 1;
	t = ahead(p, n);
	if (t->type != TOKEN_WORD && t->type != TOKEN_NUMBER)
		return false;
	if (key == KEY_GAME && n == 1 && t->type == TOKEN_WORD && t->word->key != KEY_NONE)
		return false; /* "Game on" */
	for (name = 0; name < 12 && p->pos + n + name < p->stop && !next; name++) {
		bool spaced = name > 0 && p->lex->tokens[p->pos + n + name].spaced;

		p->pos += n + name;
		next = spaced && header_follows(p);
		p->pos = before;
		if (spaced && !next && key == KEY_GAME)
			return false;
	}
	return name < 12;
}

static const char *text_between(struct parser *p, int from, int end)
{
	const struct token *first = &p->lex->tokens[from], *last = &p->lex->tokens[end - 1];

	if (end <= from)
		return "";
	return talloc_strndup(p->sheet, p->lex->text + first->offset, last->offset + last->length - first->offset);
}

static void refuse(struct parser *p, int from, const char *what)
{
	problem(p, PROBLEM_STALE, from, p->stop, NULL, NULL, "%s", what);
	p->sheet->refused = true;
}

static void set_turn(struct parser *p, int from, int turn)
{
	p->sheet->turn = turn;
	if (p->ctx->turn && turn != p->ctx->turn)
		refuse(p, from,
			talloc_asprintf(p->mem,
				"This sheet is for turn %d, but turn %d is open: nothing of it counts. Write TURN %d, "
				"or leave "
				"the line out.",
				turn, p->ctx->turn, p->ctx->turn));
}

static void set_game(struct parser *p, int from, const char *game)
{
	p->sheet->game = game;
	if (p->ctx->game && strcasecmp(game, p->ctx->game) != 0)
		refuse(p, from,
			talloc_asprintf(p->mem, "This sheet is for the game %s, not for %s: nothing of it counts.",
				game, p->ctx->game));
}

/* What the header at p->pos says: up to the next one, or the line's end. Takes it. */
static const char *take_header_text(struct parser *p)
{
	const char *text;
	int from = p->pos;

	do
		advance(p);
	while (!at_end(p) && here(p)->type != TOKEN_COMMA && !(here(p)->spaced && header_follows(p)));
	text = text_between(p, from, p->pos);
	take_type(p, TOKEN_COMMA);
	return text;
}

void read_header(struct parser *p)
{
	int from = p->pos;
	enum key key = key_here(p);

	advance(p);
	take_type(p, TOKEN_COLON);
	here(p);
	if (key == KEY_TURN)
		set_turn(p, from, here(p)->number / 1000);
	else if (key == KEY_GAME)
		set_game(p, from, take_header_text(p));
	else
		p->sheet->key = take_header_text(p);
}

bool header_goes_on(struct parser *p, int line)
{
	bool turn = here(p)->type == TOKEN_NUMBER;

	if (turn)
		advance(p);
	if (turn && is_word_here(p, "orders"))
		advance(p);
	if (turn && !take_type(p, TOKEN_COLON) && !take_type(p, TOKEN_STOP))
		take_type(p, TOKEN_DASH);
	here(p);
	if (at_end(p) || here(p)->type == TOKEN_NEWLINE)
		return false;
	p->lex->lines[line].first = p->pos;
	p->opens[line] = OPENS_UNKNOWN_YET;
	return true;
}

void read_mark(struct parser *p)
{
	int from = p->pos, name;

	advance(p);
	advance(p);
	here(p);
	for (name = p->pos; name < p->stop && p->lex->tokens[name].type != TOKEN_NEWLINE; name++) {
		const struct token *t = &p->lex->tokens[name];

		if (t->type == TOKEN_WORD && t->word->key == KEY_TURN && t[1].type == TOKEN_NUMBER) {
			set_game(p, from, text_between(p, p->pos, name));
			set_turn(p, from, t[1].number / 1000);
			return;
		}
	}
}
