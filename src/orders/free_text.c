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

/* Did the writer of a reason press Enter in its midst? Not at the end of a sentence, and what comes then is none of the
 * few words with which people end a mail. */
static bool reason_goes_on(struct parser *p, int line)
{
	static const char *const farewells[] = {
		"thanks", "thank", "thx", "cheers", "regards", "best", "kind", "yours", "sent"};
	const struct lexed *l = p->lex;
	const struct text_line *own = &l->lines[line];
	const struct token *last = &l->tokens[line_end(p, line) - 1], *next = &l->tokens[l->lines[line + 1].first];
	int words = line_end(p, line + 1) - l->lines[line + 1].first;

	if (line_end(p, line) <= own->first || last->type == TOKEN_STOP)
		return false;
	for (size_t i = 0; next->type == TOKEN_WORD && i < sizeof farewells / sizeof *farewells; i++)
		if (is_word(next, farewells[i]))
			return false;
	return words > 3 || !isupper((unsigned char)l->text[next->offset]);
}

/* Raw text: to the end of the line, and of the next where a mail client may have broken it (rule 3); when nothing is
 * left on the line, to the next blank line, unless a referee goes on with another command. A `reason` may also be
 * broken by its writer's own hand. Moves p->pos past it. */
const char *take_free_text(struct parser *p, bool reason)
{
	const struct lexed *l = p->lex;
	int line = l->tokens[p->pos < p->stop ? p->pos : p->stop].line, end = line;
	size_t from = l->tokens[p->pos].offset;

	if (p->pos < p->stop) {
		while (end + 1 < l->line_count && text_goes_on(p, end + 1) &&
			(columns(p, end) >= WRAPPED_COLUMNS || (reason && reason_goes_on(p, end))))
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
