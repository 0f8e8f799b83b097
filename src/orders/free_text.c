/* Free text of commands: how far it goes on (rule 11), where a mail client or its writer has broken its lines. */
#include "orders/lines.h"
#include "orders/parse.h"

#include <ctype.h>
#include <string.h>

/* Does a line that opens with a command's word mean it? A sentence that a mail client has broken may go on with such a
 * word, in small letters. */
static bool means_command(struct parser *p, int line)
{
	int pos = p->pos, stop = p->stop;
	const struct token *t = &p->lex->tokens[p->opens_at[line]];
	bool means = isupper((unsigned char)p->lex->text[t->offset]) || !p->ctx->referee;

	p->pos = p->opens_at[line];
	p->stop = line_end(p, line);
	if (!means)
		means = command_fits(p);
	p->pos = pos;
	p->stop = stop;
	return means;
}

/* Can free text go on with that line? With all that begins nothing itself; a referee gives no orders. */
static bool text_goes_on(struct parser *p, int line)
{
	switch (line_opening(p, line)) {
	case OPENS_BLANK:
	case OPENS_END:
	case OPENS_MARK:
	case OPENS_HEADER:
		return false;
	case OPENS_COMMAND:
		return !means_command(p, line);
	case OPENS_OTHER:
		return true;
	default:
		return p->ctx->referee;
	}
}

/* "NAME: ..." for sure. A name that is none counts when it has a capital: a sentence may hold a colon, too. */
static bool line_is_marked(struct parser *p, int line)
{
	int pos = p->pos, stop = p->stop, from;
	bool marked;

	p->pos = p->opens_at[line];
	p->stop = line_end(p, line);
	skip_requests(p);
	take_standing(p);
	from = p->pos;
	if (parse_subject(p, AT_START, p->look) && p->look->count > 0) {
		marked = here(p)->type == TOKEN_COLON || here(p)->type == TOKEN_EQUAL;
		if (take_type(p, TOKEN_DASH))
			marked = clause_begins(p, false);
	} else {
		p->pos = from;
		marked = isupper((unsigned char)p->lex->text[here(p)->offset]) && marked_unknown(p) > 0;
	}
	p->pos = pos;
	p->stop = stop;
	return marked;
}

/* A message goes on with all that is not plainly an order: with more, where a mail client broke the line. */
static bool message_goes_on(struct parser *p, int line)
{
	const struct token *last = &p->lex->tokens[line_end(p, line) - 1];
	enum opening opens = line_opening(p, line + 1);

	if (text_goes_on(p, line + 1))
		return true;
	if (opens < OPENS_ORDER || line_is_marked(p, line + 1))
		return false;
	if (columns(p, line) >= WRAPPED_COLUMNS)
		return last->type != TOKEN_STOP || !reads_as_order(p, line + 1);
	return opens != OPENS_HEAD && !line_tells_something(p, line + 1);
}

/* The few words with which people end a mail. */
static bool says_farewell(const struct parser *p, int line)
{
	static const char *const farewells[] = {
		"thanks", "thank", "thx", "cheers", "regards", "best", "kind", "yours", "sent", NULL};
	const struct token *first = &p->lex->tokens[p->lex->lines[line].first];
	int words = line_end(p, line) - p->lex->lines[line].first;

	return is_among(first, farewells) ||
	       (words <= 3 && first->type == TOKEN_WORD && isupper((unsigned char)p->lex->text[first->offset]));
}

/* Does raw text go on in the line below? */
static bool goes_on(struct parser *p, int line, enum free_text kind)
{
	const struct token *last = &p->lex->tokens[line_end(p, line) - 1];

	if (columns(p, line) < WRAPPED_COLUMNS && (kind == TEXT_OF_LINE || says_farewell(p, line + 1)))
		return false;
	if (kind == TEXT_OF_MESSAGE)
		return message_goes_on(p, line);
	return text_goes_on(p, line + 1) &&
	       (columns(p, line) >= WRAPPED_COLUMNS ||
		       (line_end(p, line) > p->lex->lines[line].first && last->type != TOKEN_STOP));
}

/* Raw text: to the end of the line, and of the next where a mail client may have broken it (rule 3); when nothing is
 * left on the line, to the next blank line, unless a referee goes on with another command. Moves p->pos past it. */
const char *take_free_text(struct parser *p, enum free_text kind)
{
	const struct lexed *l = p->lex;
	int line = l->tokens[p->pos < p->stop ? p->pos : p->stop].line, end = line;
	size_t from = l->tokens[p->pos].offset;

	if (p->pos < p->stop) {
		while (end + 1 < l->line_count && goes_on(p, end, kind))
			end++;
	} else {
		from = line + 1 < l->line_count ? l->lines[line + 1].offset : 0;
		while (end + 1 < l->line_count && l->tokens[l->lines[end + 1].first].type != TOKEN_NEWLINE &&
			!(p->ctx->referee && line_opening(p, end + 1) == OPENS_COMMAND && means_command(p, end + 1)))
			end++;
		if (end == line)
			return "";
	}
	p->pos = p->stop = line_end(p, end) > p->stop ? line_end(p, end) : p->stop;
	return talloc_strndup(p->mem, l->text + from, l->lines[end].offset + l->lines[end].length - from);
}

/* A reason stands on one line, whatever its writer or a mail client made of it. */
const char *reason_line(struct parser *p, const char *text)
{
	char *line = talloc_strdup(p->mem, text), *to = line;

	for (; *text != '\0'; text++)
		if (strchr(" \t\r\n", *text) == NULL)
			*to++ = *text;
		else if (to > line && to[-1] != ' ')
			*to++ = ' ';
	while (to > line && to[-1] == ' ')
		to--;
	*to = '\0';
	return line;
}
