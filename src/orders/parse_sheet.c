/* The lines of a sheet: which are headers, commands, orders and the rest of orders, and which are none of these.
 *
 *   sheet    = { header | order | priority | command | newline } [ "end" ]
 *   header   = ("game" name) | ("turn" number) | ("key" words)
 *   order    = [ "standing" | "always" ] subject [ ":" | " - " ] clause { sep clause }
 *   priority = "priority" unit { ("," | "then") unit }
 */
#include "orders/lines.h"
#include "orders/parse.h"
#include "orders/print.h"

#include <stdlib.h>
#include <string.h>

enum { WORK_BYTES = 64 * 1024, SHEET_POOL_BYTES = 4096 };

/* --- priority ----------------------------------------------------------------------------------------------------- */

/* The "1." or "2)" of a unit. */
static void skip_rank(struct parser *p)
{
	if (here(p)->type == TOKEN_NUMBER && (ahead(p, 1)->type == TOKEN_STOP || ahead(p, 1)->type == TOKEN_CLOSE ||
						     ahead(p, 1)->type == TOKEN_COLON)) {
		advance(p);
		advance(p);
	}
}

/* priority = "priority" subject { ("," | "then") subject } */
static void read_priority(struct parser *p)
{
	struct sheet *s = p->sheet;
	struct subject *subject = talloc(p->scratch, struct subject);
	int after;

	if (!take_key(p, KEY_PRIORITY))
		note(p, p->pos, "This was read as `priority`: whose command points come first.");
	take_type(p, TOKEN_COLON);
	if (at_end(p) && p->ctx->shreds)
		problem(p, PROBLEM_UNREADABLE, p->pos - 1, p->pos, NULL, NULL,
			"Which units come first? Write them behind it, as `priority %s`.", example_code(p));
	s->priority_count = 0;
	s->priority = talloc_array(s, int, PIECES_MAX);
	while (!at_end(p)) {
		int from = p->pos;

		skip_rank(p);
		if (parse_subject(p, AT_START, subject))
			s->priority_count += subject_pieces(
				p, subject, s->priority + s->priority_count, PIECES_MAX - s->priority_count);
		else
			want_piece(p, ROLE_OWN, "one of your units");
		take_key(p, KEY_FIRST);
		if (!separators_ahead(p, &after) && p->pos == from)
			advance(p);
		separators(p);
	}
	if (!p->ctx->shreds)
		note(p, p->lex->lines[p->lex->tokens[p->pos].line].first, "`priority` does nothing under these rules.");
}

/* --- orders ------------------------------------------------------------------------------------------------------- */

/* "can u move R 6 north": no unit, when the unit stands further on. */
static bool is_you(struct parser *p)
{
	int before = p->pos;
	bool you = is_word(here(p), "u") && key_is_verb(key_ahead(p, 1));

	if (you) {
		struct subject *s = talloc(p->scratch, struct subject);

		advance(p);
		you = find_inner_subject(p, s);
		close_hole(p);
		p->pos = before;
		talloc_free(s);
	}
	return you;
}

/* "Orders: R hold" */
static bool is_orders_mark(struct parser *p)
{
	const struct token *t = here(p);

	return is_word(t, "orders") && ahead(p, 1)->type == TOKEN_COLON;
}

/* "hey!! R hold", "ok, R hold", "orders: R hold": the mark after such a word. */
static bool ends_request(struct parser *p, int start)
{
	const struct token *t = here(p), *word = &p->lex->tokens[start];

	return t->type == TOKEN_COMMA || (t->type == TOKEN_STOP && t->mark == '!') ||
	       (t->type == TOKEN_COLON && word->type == TOKEN_WORD && word_begins(word->word, "order"));
}

/* "please could Barrell's ...?": such a sentence is judged whole. */
static bool asks_politely(struct parser *p)
{
	int n = key_here(p) == KEY_PLEASE;

	return key_ahead(p, n) == KEY_REQUEST;
}

void skip_greeting(struct parser *p)
{
	static const char *const greetings[] = {"hi", "hiya", "hello", "hey", "yo", "dear", "hallo", "bonjour", NULL};
	static const char *const greeted[] = {"all", "there", "again", "sir", "miss", "mr", "mrs", "ms", "galloper",
		"everyone", "everybody", "team", "guys", "folks", NULL};
	int before = p->pos;

	if (!is_among(here(p), greetings))
		return;
	advance(p);
	while (is_among(here(p), greeted))
		advance(p);
	if (here(p)->type == TOKEN_COMMA || (here(p)->type == TOKEN_STOP && here(p)->mark == '!') ||
		here(p)->type == TOKEN_DASH)
		advance(p);
	if (at_end(p) || here(p)->type == TOKEN_NEWLINE || asks_politely(p))
		p->pos = before;
}

/* "make sure that", "I think": the words behind the first. */
static bool is_opinion(struct parser *p)
{
	static const char *const words[] = {"sure", "certain", "that", "think", NULL};

	return is_among(here(p), words);
}

/* "I: hold": meant for a unit, though none has that code. */
static bool is_lone_i(struct parser *p)
{
	return is_word_here(p, "i") && ahead(p, 1)->type == TOKEN_COLON;
}

/* Does the word here say nothing of an order? The words before it begin at `before`. `firm`: they are a request. */
static bool is_request_word(struct parser *p, int before, bool firm)
{
	enum key key = key_here(p);
	bool first = p->pos == before;

	switch (key) {
	case KEY_PLEASE:
		return true;
	case KEY_NO:
		if (key_ahead(p, 1) == KEY_WAIT || ahead(p, 1)->type == TOKEN_COMMA)
			return true;
		break;
	case KEY_FIRST:
		if (ahead(p, 1)->type == TOKEN_COMMA)
			return true;
		break;
	case KEY_THEN:
		if (first)
			return true;
		break;
	case KEY_AND:
		if (first || !key_is_verb(key_ahead(p, 1)))
			return true;
		break;
	case KEY_WAIT:
	case KEY_THEY:
	case KEY_TO:
		if (!first)
			return true;
		break;
	default:
		break;
	}
	if (is_word_here(p, "may") || (firm && is_you(p)))
		return true;
	return first ? while_order_begins(p) || is_orders_mark(p) : is_opinion(p) || ends_request(p, before);
}

/* Words before a subject or a verb: "please", "can", "may", "no wait", "1." */
bool skip_requests(struct parser *p)
{
	static const char *const firm_words[] = {"can", "could", "tell", "get", "let", "make", "have", NULL};
	bool firm = false; /* after these a lone letter is no code */
	int before;

	skip_greeting(p);
	skip_idle_if_before_order(p);
	before = p->pos;
	for (;; advance(p)) {
		if (key_here(p) == KEY_REQUEST && !is_lone_i(p))
			firm |= is_among(here(p), firm_words);
		else if (!is_request_word(p, before, firm))
			return firm;
	}
}

/* "can u hold": is the subject here a letter that may be no code? */
bool lone_letter(struct parser *p)
{
	const struct token *t = here(p), *next = ahead(p, 1);

	return t->type == TOKEN_WORD && t->length == 1 && next->type != TOKEN_COLON;
}

void tell_no_subject(struct parser *p)
{
	const char *word = typed_text(p, p->pos, p->pos + 1), *code = example_code(p);

	problem(p, PROBLEM_UNKNOWN, p->pos, p->pos + 1, talloc_asprintf(p->mem, "%s: %s", code, word), NULL,
		"Which unit? Write it first, as `%s: %s ...`.", code, word);
}

/* Clauses for nobody: read for their mistakes. One mistake, one message: a condition that cannot be read is enough. */
static void read_without_subject(struct parser *p)
{
	int start = p->pos, failures = p->failures, pos;

	if (!condition_begins(p)) {
		tell_no_subject(p);
		parse_clauses(p, NULL, NULL);
		return;
	}
	parse_clauses(p, NULL, NULL);
	if (p->failures > failures)
		return;
	pos = p->pos;
	p->pos = start;
	tell_no_subject(p);
	p->pos = pos;
}

static bool joint_here(struct parser *p)
{
	return here(p)->type == TOKEN_COMMA || here(p)->type == TOKEN_AND || key_here(p) == KEY_AND;
}

/* "D, E, Zorks: advance 4", at p->pos up to `last`: the units among what stands there become the subject, and the rest
 * is told. False when there are none. */
static bool read_list_with_unknown(struct parser *p, int last)
{
	struct subject *s = p->subject, *one = talloc(p->scratch, struct subject);
	int from = p->pos, stop = p->stop, unknown[SUBJECT_ITEMS_MAX][2], unknowns = 0;

	subject_clear(s);
	s->from = from;
	s->end = last;
	p->stop = last;
	while (p->pos < last && s->count + unknowns < SUBJECT_ITEMS_MAX) {
		int item = p->pos;

		if (parse_subject(p, IN_MIDDLE, one) && (p->pos >= last || joint_here(p))) {
			s->items[s->count++] = one->items[0];
		} else {
			for (p->pos = item; p->pos < last && !joint_here(p);)
				advance(p);
			unknown[unknowns][0] = item;
			unknown[unknowns++][1] = p->pos;
		}
		while (p->pos < last && joint_here(p))
			advance(p);
	}
	p->stop = stop;
	for (int i = 0; i < unknowns && s->count; i++)
		unknown_piece(p, unknown[i][0], unknown[i][1], ROLE_OWN, "the name or code of one of your units");
	p->pos = from;
	return s->count > 0;
}

/* An order whose subject is no unit, at p->pos up to `end`: the name is told. True when units stand beside it, whose
 * order it is; else the rest is read for further mistakes only. */
static bool read_unknown(struct parser *p, int end)
{
	int from = p->pos, last = end;

	while (last > from + 1 && p->lex->tokens[last - 1].type == TOKEN_COLON)
		last--;
	if (read_list_with_unknown(p, last)) {
		p->pos = end;
		return true;
	}
	unknown_piece(p, from, last, ROLE_OWN, "the name or code of one of your units");
	p->pos = end;
	if (is_word_here(p, "same")) /* "Clan Ranald: same as Keppoch" */
		p->pos = p->stop;
	parse_clauses(p, NULL, NULL);
	return false;
}

/* "could A advance", at the letter: said to be a unit's code, but not taken for one (rule 13). */
static void read_lone_letter(struct parser *p, int start)
{
	int letter = p->pos;
	struct match m;
	struct piece_set own = {0};

	if (match_piece(p, &m))
		own = set_and(m.set, p->own);
	if (set_empty(&own)) {
		unknown_piece(p, letter, letter + 1, ROLE_OWN, "the name or code of one of your units");
	} else {
		int piece = set_next(&own, 0);
		const char *subject = talloc_asprintf(p->mem, "%s:", p->ctx->state->units[piece].code);
		bool you = is_word(here(p), "u") || is_word(here(p), "i");

		problem(p, PROBLEM_UNKNOWN, start, letter + 1, subject, you ? NULL : subject,
			"After `%s` a letter alone is not taken for a unit. If you mean %s, begin with its letter and "
			"a colon.",
			typed_text(p, start, letter), piece_english(p->mem, p->ctx->state, piece));
	}
	p->pos = letter + 1;
	parse_clauses(p, NULL, NULL);
}

/* "S: cancel" and no new order for S behind it. */
static bool cancels_all(struct parser *p, const struct subject *s, int start)
{
	if (!take_cancel(p))
		return false;
	cancel_subject(p, s, start);
	separators(p);
	return at_end(p) || order_begins(p, AT_START);
}

/* "D: E: hold": directly behind a subject and its `:` stand the next one and its own. Then the first has no order,
 * which is told; "R: R: hold" says the same twice. */
static bool next_is_marked(struct parser *p, const struct subject *s)
{
	int own = -1, next = -1;
	struct trial t;
	bool marked;

	if (p->hole_from >= 0 || key_is_verb(key_here(p)) || !subject_may_begin(p))
		return false;
	t = trial_begin(p);
	marked = parse_subject(p, AT_START, p->look) && here(p)->type == TOKEN_COLON;
	if (marked) {
		subject_pieces(p, s, &own, 1);
		subject_pieces(p, p->look, &next, 1);
	}
	trial_end(p, t);
	if (marked && own != next)
		problem(p, PROBLEM_UNREADABLE, s->from, s->end, NULL, NULL,
			"`%s` has no order behind it. If the next one is for both, write a comma between them.",
			typed_text(p, s->from, s->end));
	return marked;
}

/* What the subject is to do becomes p->given. */
static void read_clauses(struct parser *p, const struct subject *s, bool standing, struct piece_set *excepted)
{
	struct clause *clauses;

	p->ordering = true;
	clauses = parse_clauses(p, s, excepted);
	p->ordering = false;
	p->given = (struct given){clauses, standing};
}

/* "Huske goes with Barrell's and they advance 4": at "they", an order for the unit that is joined. */
static void read_joined(struct parser *p, int unit)
{
	struct subject *s = p->subject;

	subject_clear(s);
	s->items[0] = (struct item){.match.from = p->pos, .match.end = p->pos + 1, .from = p->pos, .end = p->pos + 1};
	set_add(&s->items[0].match.set, unit);
	s->count = 1;
	s->from = p->pos;
	s->end = p->pos + 1;
	note(p, p->pos, "`%s` was read as %s.", typed_text(p, s->from, s->end),
		piece_english(p->mem, p->ctx->state, unit));
	advance(p);
	read_clauses(p, s, p->given.standing, NULL);
	give_order(p, s, p->given.standing, p->given.clauses, ORDER_GIVE);
}

/* An order that is whole only beside the one before it in its line. */
static bool read_beside(struct parser *p)
{
	int joined = joined_unit(p, p->given.clauses);

	if (joined >= 0)
		read_joined(p, joined);
	else if (other_distance_begins(p, p->given.clauses))
		read_other_distance(p);
	else
		return false;
	return true;
}

/* One order at p->pos, up to where the next begins. */
static void read_one(struct parser *p, bool line_start)
{
	struct subject *s = p->subject;
	bool standing, firm;
	int end, start = p->pos, failures = p->failures, notes = p->sheet->note_count;

	mention_sentence(p);
	if (!line_start && read_beside(p))
		return;
	skip_numbering(p);
	firm = skip_requests(p);
	standing = take_standing(p);
	p->excepted = (struct piece_set){0};
	if (echo_begins(p, AT_START)) {
		read_echo(p);
		return;
	}
	p->given.clauses = NULL;
	if (!(firm && lone_letter(p)) &&
		(order_begins(p, AT_START) || (standing && !clause_begins(p, false) && !unknown_subject(p)) ||
			slip_begins(p))) {
		if (!parse_subject(p, AT_START, s)) {
			unknown_piece(p, p->pos, p->pos + 1, ROLE_OWN, "one of your units");
			p->pos = p->stop;
			return;
		}
		if ((here(p)->type == TOKEN_STOP || here(p)->type == TOKEN_CLOSE || here(p)->type == TOKEN_SEMICOLON) &&
			line_start)
			advance(p);
		subject_mark(p, s);
	} else if (line_start && head_begins(p)) {
		parse_subject(p, AT_START, s);
		subject_mark(p, s);
	} else if (find_inner_subject(p, s)) {
		;
	} else if (firm && (letter_begins(p) || (lone_letter(p) && unknown_subject(p) > 0))) {
		read_lone_letter(p, start);
		return;
	} else if ((end = unknown_subject(p)) > 0) {
		if (!read_unknown(p, end))
			return;
	} else if (find_governed_subject(p, s) || find_subject_behind_if(p, s)) {
		;
	} else {
		read_without_subject(p);
		return;
	}
	if (cancels_all(p, s, start) || (s->marked && next_is_marked(p, s))) {
		close_hole(p);
		return;
	}
	if (at_end(p)) { /* a subject alone is set aside, an enemy's name reported (rules 3 and 6) */
		if (subject_has_own(p, s) || s->items[0].match.by_code)
			set_aside_line(p, p->lex->tokens[start].line);
		else
			give_order(p, s, false, NULL, ORDER_GIVE);
		close_hole(p);
		return;
	}
	standing |= always_begins(p) && take_key(p, KEY_STANDING);
	read_clauses(p, s, standing, &p->excepted);
	close_hole(p);
	if (!p->given.clauses && p->failures == failures && p->sheet->note_count == notes)
		set_aside_line(p, p->lex->tokens[start].line);
	give_order(p, s, standing, p->given.clauses, ORDER_GIVE);
}

bool reads_as_order(struct parser *p, int line)
{
	int pos = p->pos, stop = p->stop;
	struct trial t = trial_begin(p);
	bool whole;

	p->pos = p->lex->lines[line].first;
	p->stop = line_end(p, line);
	read_one(p, true);
	close_hole(p);
	whole = at_end(p);
	whole = trial_end(p, t) && whole;
	p->pos = pos;
	p->stop = stop;
	return whole;
}

/* Where the sentence at p->pos ends with a question mark; -1 when it does not. */
static int question_end(const struct parser *p, int *judged)
{
	int i = p->pos;

	if (i < *judged)
		return -1;
	for (; i < p->stop; i++) {
		const struct token *t = &p->lex->tokens[i];

		if (t->type == TOKEN_STOP && t->mark == '?')
			return i;
		if ((t->type == TOKEN_STOP && t[1].spaced && t->mark != '.') || t->type == TOKEN_NEWLINE ||
			t->type == TOKEN_SEMICOLON)
			break;
	}
	*judged = i + 1;
	return -1;
}

bool letter_begins(struct parser *p)
{
	int before = p->pos;
	struct match m;
	struct piece_set own;
	bool begins = false;

	if (lone_letter(p) && !is_word_here(p, "u") && !is_word_here(p, "i") && match_piece(p, &m)) {
		own = set_and(m.set, p->own);
		p->pos = m.end;
		begins = !set_empty(&own) && clause_begins(p, false);
		p->pos = before;
	}
	return begins;
}

static bool ask_for_letter(struct parser *p)
{
	int start = p->pos;

	if (skip_requests(p) && letter_begins(p)) {
		read_lone_letter(p, start);
		return true;
	}
	p->pos = start;
	return false;
}

/* A sentence that ends in `?` is an order only if it reads whole (rule 13). */
static bool set_aside_question(struct parser *p, bool line_start, int *judged)
{
	int end = question_end(p, judged), stop = p->stop, before;
	struct trial t;
	const struct token *first;
	bool whole;

	if (end < 0)
		return false;
	p->stop = end;
	t = trial_begin(p);
	do {
		before = p->pos;
		read_one(p, line_start);
		close_hole(p);
		separators(p);
	} while (p->pos > before && p->pos < end);
	whole = p->pos >= end;
	whole = trial_end(p, t) && whole;
	if (!whole && ask_for_letter(p)) {
		p->stop = stop;
		p->pos = end + 1;
		return true;
	}
	p->stop = stop;
	if (whole) {
		*judged = end + 1;
		return false;
	}
	first = here(p);
	set_aside_text(p, p->lex->text + first->offset, p->lex->tokens[end].offset + 1 - first->offset);
	p->pos = end + 1;
	return true;
}

/* The orders of the lines from `line` on that belong together; the number of the next line. */
int read_orders(struct parser *p, int line)
{
	int last = settle_newlines(p, line), from = p->lex->lines[line].first, orders = p->sheet->order_count;
	int judged = from; /* up to there no question begins */
	struct held held = {p->sheet->problem_count, orders, p->sheet->set_aside_count};
	bool line_start = true;

	p->pos = from;
	p->stop = last;
	mention_entry(p);
	while (!at_end(p) && !p->full) {
		int before = p->pos, failures = p->failures, set_aside = p->sheet->set_aside_count;

		if (!set_aside_question(p, line_start, &judged))
			read_one(p, line_start);
		if (p->failures == failures && p->sheet->set_aside_count == set_aside)
			mark_understood(p, before, p->pos);
		line_start = false;
		if (p->pos == before)
			advance(p);
		separators(p);
		if (p->trial == 0) /* else what was read on trial is still looked at */
			talloc_free_children(p->scratch);
	}
	p->last.line = line;
	p->last.end = p->lex->tokens[last].line + 1;
	p->last.orders = orders;
	p->last.orders_end = p->sheet->order_count;
	set_aside_lost(p, line, p->last.end, &held);
	return p->last.end;
}

/* --- the sheet ---------------------------------------------------------------------------------------------------- */

static int read_command(struct parser *p, int line)
{
	p->pos = p->opens_at[line];
	p->stop = line_end(p, line);
	parse_command(p);
	return p->lex->tokens[p->pos < p->lex->count ? p->pos : p->lex->count - 1].line + 1;
}

int read_line(struct parser *p, int line)
{
	enum opening open = line_opening(p, line);

	p->pos = p->opens_at[line];
	p->stop = line_end(p, line);
	if (p->ctx->referee && open >= OPENS_ORDER && tell_referee(p, line))
		return line + 1;
	switch (open) {
	case OPENS_UNKNOWN_YET:
	case OPENS_BLANK:
		return line + 1;
	case OPENS_END:
		return -1;
	case OPENS_HEADER:
		read_header(p);
		return header_goes_on(p, line) ? line : line + 1;
	case OPENS_MARK:
		read_mark(p);
		return line + 1;
	case OPENS_COMMAND:
		return read_command(p, line);
	case OPENS_PRINTED:
		set_aside_line(p, line);
		return line + 1;
	case OPENS_PRIORITY:
		read_priority(p);
		return line + 1;
	case OPENS_ORDER:
	case OPENS_HEAD:
	case OPENS_UNKNOWN_SUBJECT:
	case OPENS_VERB_AND_SUBJECT:
		return read_orders(p, line);
	case OPENS_CONDITION:
		if (ask_for_order_above(p, line))
			return line + 1;
		if (block_begins(p, line))
			return read_condition_block(p, line);
		return read_loose_verb(p, line);
	case OPENS_VERB:
		return read_loose_verb(p, line);
	case OPENS_OTHER:
		if (order_after_sentence(p, line))
			return line;
		read_other(p, line);
		break;
	}
	return line + 1;
}

static void find_sets(struct parser *p)
{
	const struct state *s = p->ctx->state;

	for (int i = 0; i < s->count && i < PIECES_MAX; i++) {
		set_add(s->units[i].side == p->ctx->side ? &p->own : &p->enemy, i);
		if (s->units[i].kind == KIND_COMMANDER)
			set_add(&p->commanders, i);
		if (s->units[i].kind == KIND_GUN)
			set_add(&p->guns, i);
		set_add(&p->everything, i);
	}
}

static void set_tokens(struct parser *p, struct lexed *lex)
{
	p->lex = lex;
	p->tokens = lex->tokens;
}

static bool too_large(struct parser *p, const char *text, size_t len)
{
	int lines = len > 0 && text[len - 1] != '\n';

	for (const char *c = text; (c = memchr(c, '\n', len - (size_t)(c - text))) != NULL; c++)
		lines++;
	if (len <= SHEET_BYTES_MAX && lines <= SHEET_LINES_MAX)
		return false;
	set_tokens(p, tokens_read(p->work, text, 0, p->names));
	problem(p, PROBLEM_TOO_LARGE, 0, 1, NULL, NULL,
		"This is too long to be a sheet of orders (%zu bytes, %d lines; at most %d and %d): nothing of it was "
		"read.",
		len, lines, SHEET_BYTES_MAX, SHEET_LINES_MAX);
	p->sheet->refused = true;
	return true;
}

static void read_text(struct parser *p, const char *text, size_t len, bool from_sheet)
{
	int problems = p->sheet->problem_count;

	p->from_sheet = from_sheet;
	memset(p->unconditional, 0, sizeof p->unconditional);
	p->openings[0].from = p->openings[1].from = -1;
	if (too_large(p, text, len))
		return;
	set_tokens(p, tokens_read(p->work, text, len, p->names));
	p->opens = talloc_zero_array(p->work, unsigned char, (unsigned)p->lex->line_count);
	p->understood = talloc_zero_array(p->work, bool, (unsigned)p->lex->line_count);
	p->opens_at = talloc_zero_array(p->work, int, (unsigned)p->lex->line_count);
	p->indent = common_indent(p->lex);
	close_hole(p);
	for (int line = 0; line >= 0 && line < p->lex->line_count && !p->full;)
		line = read_line(p, line);
	mend_lines(p, problems);
}

static int by_place(const void *a, const void *b)
{
	const struct problem *x = a, *y = b;

	if (x->from_sheet != y->from_sheet)
		return x->from_sheet ? 1 : -1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Orders are many small pieces: they are taken from one. */
static struct sheet *sheet_new(TALLOC_CTX *mem, size_t len)
{
	struct sheet *sheet = talloc_pooled_object(
		mem, struct sheet, 0, SHEET_POOL_BYTES + (len < SHEET_BYTES_MAX ? len : SHEET_BYTES_MAX) * 12);

	*sheet = (struct sheet){0};
	return sheet;
}

struct names *orders_names(TALLOC_CTX *mem, const struct state *s)
{
	return names_new(mem, s);
}

static struct sheet *read_sheet(
	TALLOC_CTX *mem, const char *text, size_t len, const struct orders_context *context, bool proving)
{
	struct sheet *sheet = sheet_new(mem, len);
	struct parser p = {.mem = sheet,
		.ctx = context,
		.sheet = sheet,
		.hole_from = -1,
		.hole_to = -1,
		.loose_pronoun = -1,
		.proving = proving};

	p.work = talloc_pool(NULL, WORK_BYTES);
	p.names = context->names ? context->names : names_new(p.work, context->state);
	p.scratch = talloc_new(p.work);
	p.look = talloc(p.work, struct subject);
	for (int i = 0; i < 2; i++)
		p.openings[i].subject = talloc(p.work, struct subject);
	p.subject = talloc(p.work, struct subject);
	p.subject->count = 0;
	p.taken = talloc_array(p.work, int, TAKEN_MAX);
	find_sets(&p);
	if (context->sheet && context->sheet_len)
		read_text(&p, context->sheet, context->sheet_len, true);
	read_text(&p, text, len, false);
	settle_else(&p);
	if (sheet->problem_count > 1)
		qsort(sheet->problems, (size_t)sheet->problem_count, sizeof *sheet->problems, by_place);
	talloc_free(p.work);
	return sheet;
}

struct sheet *read_again(TALLOC_CTX *mem, const char *text, size_t len, const struct orders_context *context)
{
	return read_sheet(mem, text, len, context, true);
}

struct sheet *orders_read(TALLOC_CTX *mem, const char *text, size_t len, const struct orders_context *context)
{
	if (context->names)
		names_begin_sheet(context->names);
	return read_sheet(mem, text, len, context, false);
}
