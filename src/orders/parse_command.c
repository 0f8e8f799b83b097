/* Lines that are commands. One-word commands stand alone on their line (rule 12). */
#include "base/text.h"
#include "orders/command.h"
#include "orders/lines.h"

#include <ctype.h>
#include <string.h>

enum { COMMAND_WORD_MAX = 12 };

/* The command of that word, or -1; looked for once for each word. */
static int find_verb(const struct token *t)
{
	const struct command_row *rows = command_row(0);
	struct word *w = t->word;

	if (t->type != TOKEN_WORD)
		return -1;
	for (int i = 0; w->command == 0 && i < COMMAND_VERBS; i++)
		if (w->text[0] == rows[i].info.word[0] && strcmp(w->text, rows[i].info.word) == 0)
			w->command = i + 1;
	if (w->command == 0)
		w->command = -1;
	return w->command > 0 ? w->command - 1 : -1;
}

static bool is_mark(const struct token *t)
{
	return t->type == TOKEN_STOP || t->type == TOKEN_COMMA || t->type == TOKEN_SEMICOLON || t->type == TOKEN_DASH;
}

static bool only_marks_left(struct parser *p)
{
	while (is_mark(here(p)) || key_here(p) == KEY_PLEASE)
		advance(p);
	return at_end(p);
}

/* What may stand behind ACCEPT, FORGET and READY: "accept them please", "forget that line", "ready now". */
static void skip_after_assent(struct parser *p, enum command_verb verb)
{
	static const char *const after_ready[] = {
		"now", "too", "then", "thanks", "thank", "you", "sir", "miss", "all", NULL};
	static const char *const after_accept[] = {"it", "them", "that", "this", "these", "those", "all", "the", "your",
		"suggestion", "suggestions", "everything", "please", "thanks", "thank", "you", "sir", "miss", "then",
		"too", "now", NULL};

	static const char *const after_forget[] = {"it", "them", "that", "this", "these", "those", "the", "line",
		"lines", "about", "please", "thanks", "sir", "miss", "then", "now", NULL};
	const char *const *after = verb == COMMAND_READY    ? after_ready
				   : verb == COMMAND_ACCEPT ? after_accept
				   : verb == COMMAND_FORGET ? after_forget
							    : NULL;

	while (after && (is_mark(here(p)) || is_among(here(p), after)))
		advance(p);
}

/* The referee's words that a player may use for other things, unless he writes the whole command as the manual does. */
static bool is_common_word(enum command_verb verb)
{
	return verb == COMMAND_NOTE || verb == COMMAND_VERDICT || verb == COMMAND_RULE || verb == COMMAND_HOLD ||
	       verb == COMMAND_REPLACE || verb == COMMAND_ORDER || verb == COMMAND_DEPUTY || verb == COMMAND_GRANT ||
	       verb == COMMAND_DIE || verb == COMMAND_REVIEW || verb == COMMAND_UNDO || verb == COMMAND_SKIP;
}

static struct command_record blank_command(enum command_verb verb)
{
	return (struct command_record){.verb = verb,
		.turn = -1,
		.number = -1,
		.side = -1,
		.name = "",
		.text = "",
		.from = "",
		.to = "",
		.before = "",
		.because = ""};
}

/* Are the words those of the command, up to the end of the line? */
static bool fits(struct parser *p, enum command_verb verb)
{
	struct trial t = trial_begin(p);
	struct command_record c = blank_command(verb);
	bool good;

	advance(p);
	good = read_shape(p, &c, command_row((int)verb)->shape);
	if (good && command_row((int)verb)->shape == SHAPE_CANCEL)
		good = !at_end(p);
	else if (good) {
		read_tail(p, &c);
		skip_after_assent(p, verb);
		good = only_marks_left(p);
	}
	return trial_end(p, t) && good;
}

static bool asks(const struct parser *p)
{
	bool question = false;

	for (int i = p->pos; i < p->stop; i++)
		question |= p->lex->tokens[i].type == TOKEN_STOP && p->lex->tokens[i].mark == '?';
	return question;
}

/* assent = { "ok" | "yes" | "also" ... } [ ("i" | "we") [ "am" | "are" ] ] ("accept" | "ready"), and the line holds
 * nothing else that could be an order. */
bool skip_before_assent(struct parser *p)
{
	static const char *const before[] = {"ok", "okay", "kk", "yes", "yep", "yeah", "yup", "also", "and", "please",
		"right", "good", "great", "fine", "now", "so", "then", "oh", "just", "thats", "it", "all", "done",
		"finished", NULL};
	static const char *const who[] = {"i", "we", "all", NULL}, *const is[] = {"am", "are", "m", "re", NULL};
	static const char *const who_is[] = {"im", "were", "iam", NULL};
	int start = p->pos, stop = p->stop, verb;

	while (is_among(here(p), before) || (p->pos > start && is_mark(here(p))))
		advance(p);
	if (is_among(here(p), who_is)) {
		advance(p);
	} else if (is_among(here(p), who)) {
		advance(p);
		if (is_among(here(p), is))
			advance(p);
	}
	verb = p->pos > start ? find_verb(here(p)) : -1;
	if ((verb == COMMAND_ACCEPT || verb == COMMAND_READY) && !asks(p) && fits(p, (enum command_verb)verb)) {
		p->stop = stop;
		return true;
	}
	p->pos = start;
	p->stop = stop;
	return false;
}

/* Typed as the manual prints commands: STATUS. */
static bool in_capitals(const struct parser *p, const struct token *t)
{
	for (uint32_t i = 0; i < t->length; i++)
		if (!isupper((unsigned char)p->lex->text[t->offset + i]))
			return false;
	return t->length > 1;
}

/* A word that is none of ours, but nearly a command, and alone on its line or followed by what the command takes: that
 * command, or -1. A name at the end of a mail must not be taken for one, so no more than one slip is forgiven, and in
 * three letters two that changed places. */
static int nearly_command(struct parser *p)
{
	const struct token *t = here(p);
	struct word *w = t->word;
	int before = p->pos, best = -1;
	bool alone, addressed;

	if (t->type != TOKEN_WORD || w->key != KEY_NONE || w->named || t->length < 3 || w->length > COMMAND_WORD_MAX)
		return -1;
	advance(p);
	alone = only_marks_left(p);
	p->pos = before;
	addressed = p->ctx->referee || in_capitals(p, t);
	for (int i = 0; (alone || addressed) && best < 0 && i < COMMAND_VERBS; i++) {
		const char *word = command_row(i)->info.word;

		if ((command_row(i)->info.referee && !p->ctx->referee) || text_distance(w->text, word, 1) > 1)
			continue;
		if ((w->length > 3 || (strlen(word) == 3 && strspn(w->text, word) == 3)) &&
			fits(p, (enum command_verb)i))
			best = i;
	}
	return best;
}

bool tell_nearly_command(struct parser *p)
{
	int verb = nearly_command(p), token = p->pos;
	char *word;

	if (verb < 0)
		return false;
	word = talloc_strdup(p->mem, command_row(verb)->info.word);
	for (char *c = word; *c; c++)
		*c = (char)toupper((unsigned char)*c);
	problem(p, PROBLEM_UNREADABLE, token, token + 1, word, NULL, "`%s`: did you mean %s?",
		typed_text(p, token, token + 1), word);
	return true;
}

/* "say to" is a message, or meant to be one. */
static bool says_to(struct parser *p)
{
	struct trial t = trial_begin(p);
	bool to;

	advance(p);
	to = take_key(p, KEY_TO);
	trial_end(p, t);
	return to;
}

bool command_fits(struct parser *p)
{
	int verb = find_verb(here(p)), stop = p->stop;
	bool good = verb >= 0 && fits(p, (enum command_verb)verb);

	p->stop = stop;
	return good;
}

bool command_begins(struct parser *p)
{
	int verb = find_verb(here(p)), stop = p->stop;
	bool good;

	if (verb < 0)
		return false;
	good = fits(p, (enum command_verb)verb);
	p->stop = stop;
	if (command_row(verb)->info.referee && !p->ctx->referee && is_common_word((enum command_verb)verb))
		return good && verb != COMMAND_HOLD && verb != COMMAND_UNDO && in_capitals(p, here(p));
	if (good)
		return true;
	/* The referee, and who wrote a word that nothing else can mean, hear how it is written. */
	return command_row(verb)->shape != SHAPE_NONE && command_row(verb)->shape != SHAPE_ORDERS &&
	       command_row(verb)->shape != SHAPE_CONCEDE &&
	       ((command_row(verb)->info.referee && p->ctx->referee && verb != COMMAND_ORDER && verb != COMMAND_HOLD) ||
		       verb == COMMAND_RESEND || verb == COMMAND_CANCEL || verb == COMMAND_ABSENT ||
		       (verb == COMMAND_SAY && says_to(p)) ||
		       (!command_row(verb)->info.referee && in_capitals(p, here(p))));
}

static struct command_record *add_command(struct parser *p, struct command_record c)
{
	struct sheet *s = p->sheet;

	s->commands = WITH_ROOM(s, s->commands, struct command_record, s->command_count);
	s->commands[s->command_count] = c;
	return &s->commands[s->command_count++];
}

void add_plain_command(struct parser *p, enum command_verb verb, int from, int end)
{
	const struct token *first = &p->lex->tokens[from], *last = &p->lex->tokens[end - 1];
	struct command_record c = blank_command(verb);

	c.line = first->line + 1;
	c.typed = talloc_strndup(p->sheet, p->lex->text + first->offset, last->offset + last->length - first->offset);
	add_command(p, c);
}

static struct order *last_order(struct parser *p)
{
	return p->sheet->order_count ? &p->sheet->orders[p->sheet->order_count - 1] : NULL;
}

/* "everything", "all (of) my orders", "my orders" */
static bool take_everything(struct parser *p)
{
	int before = p->pos;
	bool all = take_key(p, KEY_ALL) || take_key(p, KEY_EVERYONE), orders;

	while (key_here(p) == KEY_OF || key_here(p) == KEY_SKIP || is_word_here(p, "last") ||
		is_word_here(p, "previous") || is_word_here(p, "earlier"))
		advance(p);
	orders = take_text(p, "orders");
	if ((all || orders) && only_marks_left(p))
		return true;
	p->pos = before;
	return false;
}

/* All that the writer commands, commanders too; nobody else's of the side. */
static void read_clear(struct parser *p, int token)
{
	struct sheet *s = p->sheet;
	struct order *o;

	if (s->order_count >= SHEET_ORDERS_MAX)
		return;
	s->orders = WITH_ROOM(s, s->orders, struct order, s->order_count);
	o = &s->orders[s->order_count++];
	*o = (struct order){
		.kind = ORDER_CLEAR,
		.rank = RANK_UNIT,
		.subject = "all",
		.units = talloc_array(s, int, PIECES_MAX),
		.line = p->lex->tokens[token].line + 1,
		.from_sheet = p->from_sheet,
	};
	for (int i = set_next(&p->own, 0); i >= 0; i = set_next(&p->own, i + 1))
		if (may_order(p, i) && unit_alive(&p->ctx->state->units[i]))
			o->units[o->unit_count++] = i;
}

static void cancel_pieces(struct parser *p, const struct subject *s, struct command_record *c)
{
	int before = p->sheet->order_count;

	give_order(p, s, false, NULL, ORDER_CANCEL);
	if (p->sheet->order_count > before) {
		c->units = last_order(p)->units;
		c->unit_count = last_order(p)->unit_count;
	}
	for (int i = before; i < p->sheet->order_count; i++)
		if (strcmp(p->sheet->orders[i].subject, "all") == 0) { /* "all regiments": what "all" alone means */
			p->sheet->order_count = i;
			read_clear(p, s->from);
		}
}

/* cancel = "cancel" subject: stands among the orders, since what comes later counts */
static void read_cancel(struct parser *p, struct command_record *c)
{
	struct subject *s = talloc(p->scratch, struct subject);

	while (is_word_here(p, "orders") || is_word_here(p, "order") || key_here(p) == KEY_STANDING ||
		is_word_here(p, "for") || key_here(p) == KEY_OF || key_here(p) == KEY_SKIP)
		advance(p);
	if (!parse_subject(p, AT_START, s)) {
		unknown_piece(p, p->pos, p->stop, ROLE_OWN, "one of your units");
		return;
	}
	if (is_word_here(p, "orders") || is_word_here(p, "order"))
		advance(p);
	cancel_pieces(p, s, c);
}

/* "APPROVE 2 and 3": a command each. */
static void add_decisions(struct parser *p, const struct command_record *list)
{
	for (int i = -1; i < list->unit_count; i++) {
		struct command_record c = *list;

		c.units = NULL;
		c.unit_count = 0;
		c.number = i < 0 ? list->number : list->units[i];
		c.typed =
			talloc_asprintf(p->sheet, "%s %d", c.verb == COMMAND_APPROVE ? "APPROVE" : "REJECT", c.number);
		add_command(p, c);
	}
}

/* "amend 64 hits 1, the Royals were surprised": the line with the words of the command in capitals, and BECAUSE before
 * the reason that stands at `rest`. */
static const char *with_because(struct parser *p, int start, int rest)
{
	static const char *const words[] = {
		"hits", "hit", "void", "bases", "figures", "at", "facing", "before", "turn", "to", "orders", NULL};
	static const char *const reasons[] = {"since", "as", "for", "cos", "cuz", "cause", "reason", NULL};
	int end = rest;
	char *line;

	while (end > start + 1 && p->lex->tokens[end - 1].type != TOKEN_WORD &&
		p->lex->tokens[end - 1].type != TOKEN_NUMBER)
		end--;
	line = talloc_strndup(p->mem, p->lex->text + p->lex->tokens[start].offset,
		p->lex->tokens[end - 1].offset + p->lex->tokens[end - 1].length - p->lex->tokens[start].offset);
	for (int i = start; i < end; i++) {
		const struct token *t = &p->lex->tokens[i];

		for (uint32_t k = 0; (i == start || is_among(t, words)) && k < t->length; k++) {
			char *c = &line[t->offset - p->lex->tokens[start].offset + k];

			*c = (char)toupper((unsigned char)*c);
		}
	}
	if (is_among(&p->lex->tokens[rest], reasons) && rest + 1 < p->stop)
		rest++;
	return talloc_asprintf(p->mem, "%s BECAUSE %s", line, typed_text(p, rest, p->stop));
}

static void tell_usage(struct parser *p, enum command_verb verb)
{
	const struct command_info *info = command_info_for(verb, p->ctx->referee);
	int failures = p->failures;
	const char *usage =
		talloc_asprintf(p->mem, "%s%s", info->usage, command_wants_reason(verb) ? " BECAUSE reason" : "");
	const char *rest = strchr(usage, '[');
	bool alone = rest != NULL && rest == usage + strcspn(usage, " ") + 1 && usage[strlen(usage) - 1] == ']';

	problem(p, PROBLEM_USAGE, p->pos, p->pos + 1, NULL, NULL, "This is written `%s`.%s", usage,
		verb == COMMAND_APPROVE || verb == COMMAND_REJECT
			? " Write the number of each message, as in: APPROVE 2 and 3"
		: alone && command_info_for(verb, true)->referee
			? talloc_asprintf(p->mem, " The one word %.*s on a line of its own is enough.",
				  (int)(rest - usage - 1), usage)
		: verb != COMMAND_PLACE
			? ""
			: " A place is a square as H7, a ninth of one as H7.5, or inches as (45, 30); a "
			  "direction is one of the compass as north, or 90 degrees.");
	suggest_line(p, failures, usage);
}

/* What stands behind a command that reads whole. */
static void tell_rest(struct parser *p, const struct command_record *c, int start)
{
	int failures = p->failures, words = 0;
	const char *line;
	int rest = p->pos;

	p->pos = start;
	if (c->verb == COMMAND_REMOVE && tell_orders_meant(p, c->line - 1)) /* "remove Barrell's orders" */
		return;
	p->pos = rest;
	for (int i = p->pos; i < p->stop; i++)
		words += p->lex->tokens[i].type == TOKEN_WORD;
	if (!command_wants_reason(c->verb) || c->because[0] != '\0' || words < 2) {
		tell_usage(p, c->verb);
		return;
	}
	line = with_because(p, start, p->pos);
	problem(p, PROBLEM_UNREADABLE, p->pos, p->stop, NULL, NULL,
		"A reason stands after the word BECAUSE. Write it like: %s", line);
	suggest_line(p, failures, line);
}

bool parse_command(struct parser *p)
{
	int start = p->pos, verb = find_verb(here(p)), failures = p->failures;
	const struct token *first = here(p);
	const struct text_line *own;
	struct command_record c;

	if (!p->ctx->referee && wait_begins(p)) {
		add_plain_command(p, COMMAND_WAIT, start, p->stop);
		p->pos = p->stop;
		return true;
	}

	if (verb < 0)
		return false;
	c = blank_command((enum command_verb)verb);
	c.line = first->line + 1;
	own = &p->lex->lines[first->line];
	c.typed = talloc_strndup(p->sheet, p->lex->text + first->offset, own->offset + own->length - first->offset);
	if (command_row(verb)->info.referee && !p->ctx->referee) {
		problem(p, PROBLEM_FORBIDDEN, start, start + 1, NULL, NULL, "%s is the referee's to say.",
			command_row(verb)->info.usage);
		p->pos = p->stop;
		return true;
	}
	if (verb == COMMAND_CANCEL && p->ctx->referee && p->ctx->may_order != NULL &&
		tell_orders_meant(p, c.line - 1)) {
		p->pos = p->stop;
		return true;
	}
	p->pos = start;
	if (verb == COMMAND_FORGET && ahead(p, 1)->type == TOKEN_WORD && tell_forgotten_order(p, c.line - 1)) {
		p->pos = p->stop;
		return true;
	}
	if (verb == COMMAND_READY && asks(p)) {
		problem(p, PROBLEM_UNREADABLE, start, start + 1, "READY", NULL,
			"Was that a question? STATUS tells who is ready. If you are done, write READY alone.");
		p->pos = p->stop;
		return true;
	}
	advance(p);
	if (!read_shape(p, &c, command_row(verb)->shape) && p->failures == failures)
		tell_usage(p, c.verb);
	if (c.verb == COMMAND_CANCEL && take_everything(p))
		c.verb = COMMAND_CLEAR;
	else if (c.verb == COMMAND_CANCEL)
		read_cancel(p, &c);
	if (c.verb == COMMAND_CLEAR)
		read_clear(p, start);
	read_tail(p, &c);
	skip_after_assent(p, c.verb);
	if (p->failures == failures && !only_marks_left(p))
		tell_rest(p, &c, start);
	if (p->failures == failures && command_row(verb)->shape == SHAPE_MAYBE_NUMBER && c.unit_count > 0)
		add_decisions(p, &c);
	else if (p->failures == failures)
		add_command(p, c);
	if (p->pos > p->stop)
		p->pos = p->stop;
	return true;
}

void cancel_subject(struct parser *p, const struct subject *s, int start)
{
	struct command_record c = blank_command(COMMAND_CANCEL);
	const struct token *first = &p->lex->tokens[start], *last = &p->lex->tokens[p->pos - 1];
	int failures = p->failures;

	c.line = first->line + 1;
	c.typed = talloc_strndup(p->sheet, p->lex->text + first->offset, last->offset + last->length - first->offset);
	cancel_pieces(p, s, &c);
	if (p->failures == failures)
		add_command(p, c);
}
