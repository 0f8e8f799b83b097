/* Lines of our own mails that came back without a quote mark: rows of the list of units, events of a report, the map,
 * the lines that show how one writes an order. They are set aside, for "C4, facing south" in them is no order. */
#include "orders/lines.h"

#include <ctype.h>
#include <string.h>

enum { ROSTER_ROW_MIN = 26, WRAPPED_PRINT_COLUMNS = 50, EVENT_LINES_MAX = 4, EXAMPLES_MAX = 3 };

struct raw_line {
	const char *text;
	size_t length;
};

static struct raw_line raw(const struct parser *p, int line)
{
	const struct text_line *l = &p->lex->lines[line];

	return (struct raw_line){p->lex->text + l->offset, l->length};
}

static struct raw_line without_indent(struct raw_line l)
{
	while (l.length > 0 && *l.text == ' ') {
		l.text++;
		l.length--;
	}
	return l;
}

static bool raw_ends(struct raw_line l, const char *end)
{
	size_t n = strlen(end);

	while (l.length > 0 && l.text[l.length - 1] == ' ')
		l.length--;
	return l.length >= n && memcmp(l.text + l.length - n, end, n) == 0;
}

static bool raw_begins(struct raw_line l, const char *with)
{
	return l.length >= strlen(with) && memcmp(l.text, with, strlen(with)) == 0;
}

/* Digits at *at, passed; false when none stand there. */
static bool pass_digits(struct raw_line l, size_t *at)
{
	size_t from = *at;

	while (*at < l.length && isdigit((unsigned char)l.text[*at]))
		++*at;
	return *at > from;
}

/* "a  Camerons: J4, facing south, 5 of 6 bases": one ", facing DIRECTION," and a strength behind it. */
static bool is_roster_row(struct raw_line l)
{
	static const char facing[] = ", facing ";
	const char *found;
	size_t at;

	l = without_indent(l);
	if (l.length < ROSTER_ROW_MIN || l.text[1] == ':' || l.text[2] != ' ' || /* codes have two columns */
		!(found = memmem(l.text, l.length, facing, strlen(facing))))
		return false;
	at = (size_t)(found - l.text) + strlen(facing);
	while (at < l.length && l.text[at] != ',')
		at++;
	at += 2;
	if (at >= l.length || !pass_digits(l, &at))
		return false;
	if (raw_begins((struct raw_line){l.text + at, l.length - at}, " of ")) {
		at += strlen(" of ");
		pass_digits(l, &at);
	}
	l = (struct raw_line){l.text + at, l.length - at};
	return raw_begins(l, " base") || raw_begins(l, " figure");
}

static bool is_commander_code(const struct parser *p, const struct word *w)
{
	for (int i = set_next(&w->code, 0); i >= 0; i = set_next(&w->code, i + 1))
		if (p->ctx->state->units[i].kind == KIND_COMMANDER)
			return true;
	return false;
}

/* "pc Prince Charles: F1", "os Gen. John O'Sullivan: I3, with Drummonds" below such a row; "pc: F1" is an order. */
static bool is_commander_row(struct parser *p, int line)
{
	int i = p->lex->lines[line].first, end = line_end(p, line);
	const struct token *tokens = p->lex->tokens;

	if (i + 1 >= end || tokens[i].type != TOKEN_WORD || !is_commander_code(p, tokens[i].word) ||
		tokens[i + 1].type == TOKEN_COLON)
		return false;
	while (i < end && tokens[i].type != TOKEN_COLON)
		i++;
	return i + 1 < end && tokens[i + 1].type == TOKEN_WORD && tokens[i + 1].word->column >= 0 &&
	       (i + 2 == end || tokens[i + 2].type == TOKEN_COMMA);
}

/* " 16. Camerons move 4" to J4. [FP15]" */
static bool is_event_number(struct raw_line l)
{
	size_t at = 0;

	l = without_indent(l);
	return pass_digits(l, &at) && raw_begins((struct raw_line){l.text + at, l.length - at}, ". ");
}

static bool ends_in_rule(struct raw_line l)
{
	const char *open = memrchr(l.text, '[', l.length);

	return open && raw_ends(l, "]") && (memcmp(open, "[FP", 3) == 0 || memcmp(open, "[RH", 3) == 0);
}

static bool is_event(const struct parser *p, int line)
{
	if (!is_event_number(raw(p, line)))
		return false;
	for (int i = line; i < p->lex->line_count && i < line + EVENT_LINES_MAX; i++) {
		struct raw_line l = raw(p, i);

		if (l.length == 0 || (i > line && is_event_number(l)))
			return false;
		if (ends_in_rule(l))
			return true;
	}
	return false;
}

/* " 7|.   .   A^6 ...|", "  |   ...|", "  +-----": a row of the map. */
static bool is_map_row(struct raw_line l)
{
	size_t at = 0, letters = 0;

	l = without_indent(l);
	if (raw_begins(l, "+--------------------"))
		return true;
	pass_digits(l, &at);
	if (at >= l.length || l.text[at] != '|' || !raw_ends(l, "|") || l.length < WRAPPED_PRINT_COLUMNS)
		return false;
	for (; at < l.length && letters <= 2; at++)
		letters = isalpha((unsigned char)l.text[at]) ? letters + 1 : 0;
	return letters <= 2;
}

/* Of the lines below "answer with a line for each unit, for example:" */
static bool is_example(const struct parser *p, int line)
{
	if (raw_begins(raw(p, line), "  For example: "))
		return true;
	if (p->lex->lines[line].indent <= p->indent)
		return false;
	for (int i = line - 1; i > 0 && i >= line - EXAMPLES_MAX; i--)
		if (raw(p, i).length == 0)
			return raw_ends(raw(p, i - 1), "for example:");
	return false;
}

/* The rest of what one line printed was too narrow for. */
static bool is_rest(const struct parser *p, int line)
{
	struct raw_line above = raw(p, line - 1);

	return p->lex->lines[line].indent > p->lex->lines[line - 1].indent + 1 &&
	       above.length >= WRAPPED_PRINT_COLUMNS && (is_roster_row(above) || is_event_number(above)) &&
	       !ends_in_rule(above);
}

/* "answer with the one word" / "FORGET." */
static bool is_advice(const struct parser *p, int line)
{
	struct raw_line above = raw(p, line - 1);

	return above.length >= WRAPPED_PRINT_COLUMNS && raw_ends(above, "the one word");
}

bool is_printed(struct parser *p, int line)
{
	struct raw_line l = raw(p, line);
	char first = without_indent(l).length > 0 ? *without_indent(l).text : '\0';

	if (is_roster_row(l))
		return true;
	if ((isdigit((unsigned char)first) || first == '|' || first == '+') && (is_event(p, line) || is_map_row(l)))
		return true;
	if (line == 0)
		return false;
	return is_advice(p, line) || is_example(p, line) ||
	       (p->opens[line - 1] == OPENS_PRINTED && (is_rest(p, line) || is_commander_row(p, line)));
}
