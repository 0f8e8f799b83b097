#include "service/unread.h"

#include "base/buf.h"
#include "base/text.h"
#include "service/post.h"

#include <string.h>

enum { TYPED_COLUMNS = 64, INDENT = 4, LINES_MAX = 20, SAID_WORDS_MAX = 24, SAID_LINES_MAX = 400 };

int unread_lines(const struct sheet *sheet, bool gone)
{
	int count = 0;

	for (int i = 0; i < sheet->problem_count; i++) {
		const struct problem *p = &sheet->problems[i];
		bool first = (p->kind == PROBLEM_GONE) == gone;

		for (int k = 0; k < i && first; k++)
			first = sheet->problems[k].line != p->line || sheet->problems[k].from_sheet != p->from_sheet ||
				strcmp(sheet->problems[k].typed, p->typed) != 0 || /* of another mail */
				(sheet->problems[k].kind == PROBLEM_GONE) != gone;
		count += first;
	}
	return count;
}

/* What stands above a suggestion says whether ACCEPT takes it. */
static const char *offer(const struct problem *p)
{
	if (p->replacement != NULL)
		return "Suggestion";
	if (p->example)
		return "For example";
	return strstr(p->suggestion, ", or ") != NULL ? "Write one of these" : "Perhaps";
}

char *unread_text(TALLOC_CTX *mem, const struct sheet *sheet)
{
	struct buf *out = buf_new(mem);

	for (int i = 0; i < sheet->problem_count; i++) {
		const struct problem *p = &sheet->problems[i];
		int caret;
		const char *typed = problem_line(out, p, TYPED_COLUMNS, &caret), *right = sheet_suggestion(sheet, i);

		buf_printf(out, "\n> %s\n  %*s^\n", typed, caret, "");
		buf_printf(out, "%s\n", text_wrap(out, talloc_asprintf(out, "  %s", p->message), LETTER_COLUMNS, 2));
		if (right != NULL && strstr(p->message, right) == NULL)
			buf_printf(out, "%s\n",
				text_wrap(out,
					talloc_asprintf(
						out, "  %s: %s", offer(p), text_escape(out, right, strlen(right))),
					LETTER_COLUMNS, INDENT));
	}
	return out->data;
}

char *unread_aside(TALLOC_CTX *mem, const struct sheet *sheet, const char *by_reader)
{
	enum { SHOWN_MAX = 30 };
	struct buf *out = buf_new(mem);

	for (int i = 0; i < sheet->set_aside_count && i < SHOWN_MAX; i++)
		buf_printf(out, "| %s\n",
			text_wrap(out, text_escape(out, sheet->set_aside[i], strlen(sheet->set_aside[i])),
				LETTER_COLUMNS - 2, 2));
	if (sheet->set_aside_count > SHOWN_MAX)
		buf_printf(out, "| and %d more lines\n", sheet->set_aside_count - SHOWN_MAX);
	buf_adds(out, by_reader);
	return out->data;
}

const char *unread_left(TALLOC_CTX *mem, const struct sheet *sheet, const struct sheet *still)
{
	const char *problems = talloc_asprintf(mem, "%s%s", unread_text(mem, still), unread_text(mem, sheet));
	struct buf *out = buf_new(mem);

	if (problems[0] != '\0')
		buf_printf(out, "NOT UNDERSTOOD\n\nThe turn was played without these lines of yours.\n%s\n", problems);
	if (sheet->set_aside_count > 0)
		buf_printf(out,
			"NOT READ AS ORDERS\n\nIf one of these was to be an order, write it another way next time.\n\n"
			"%s",
			unread_aside(out, sheet, ""));
	return out->data;
}

const char *unread_advice(TALLOC_CTX *mem, const struct sheet *sheet)
{
	int count = 0, others = 0;

	for (int i = 0; i < sheet->problem_count; i++) {
		count += sheet->problems[i].replacement != NULL;
		others += sheet->problems[i].replacement == NULL;
	}
	if (count == 0)
		return "";
	return text_wrap(mem,
		talloc_asprintf(mem, "If %s right, answer with the one word ACCEPT.%s",
			count == 1 ? "the suggestion is" : "all the suggestions are",
			others == 0 ? "" : " It takes what is marked Suggestion; please write the rest yourself."),
		LETTER_COLUMNS, 0);
}

/* --- mails before this one ------------------------------------------------------------------------------------- */

/* A line that is told again: an order, and one that can be mended. */
static bool can_be_mended(const struct problem *p)
{
	return p->kind != PROBLEM_GONE && p->kind != PROBLEM_USAGE && p->kind != PROBLEM_FORBIDDEN &&
	       p->kind != PROBLEM_STALE && p->kind != PROBLEM_TOO_LARGE &&
	       (p->kind != PROBLEM_NOT_YOURS || p->subject != NULL); /* another's unit stays another's */
}

/* The living pieces that a line orders, as it was typed or as it would be right. */
static bool *pieces_of(TALLOC_CTX *mem, const char *line, const struct orders_context *context, bool *command)
{
	const struct state *s = context->state;
	bool *named = talloc_zero_array(mem, bool, (unsigned)s->count);
	struct sheet *sheet = orders_read(mem, line, strlen(line), context);

	orders_mark_named(sheet, named);
	for (int i = 0; i < s->count; i++)
		named[i] &= unit_alive(&s->units[i]);
	*command = sheet->order_count == 0 && sheet->command_count > 0;
	return named;
}

static bool any_of(const bool *pieces, int count)
{
	for (int i = 0; i < count; i++)
		if (pieces[i])
			return true;
	return false;
}

static bool holds_all(const bool *all, const bool *of, int count)
{
	for (int i = 0; i < count; i++)
		if (of[i] && !all[i])
			return false;
	return true;
}

/* A line's first words, folded: no more are compared, however long a line is. */
struct said {
	const char *words[SAID_WORDS_MAX];
	int count;
};

/* What later mails have ordered. */
struct later {
	const bool *named;        /* the pieces that they name */
	const struct said *lines; /* that gave orders, the latest mails' first */
	int line_count;
};

/* Is one of the choices of a suggestion a command, or were the pieces of one all ordered later? *unit: it has pieces.
 */
static bool choice_mended(TALLOC_CTX *mem, const struct problem *p, const struct orders_context *context,
	const struct later *later, bool *unit)
{
	char *choice = talloc_strdup(mem, p->suggestion), *next;
	int pieces = context->state->count;

	for (; choice != NULL; choice = next) {
		bool command, *meant;

		next = strstr(choice, ", or ");
		if (next != NULL) {
			next[0] = '\0';
			next += strlen(", or ");
		}
		meant = pieces_of(mem, choice, context, &command);
		if (command)
			return true;
		if (p->example) /* nobody knows what was meant */
			continue;
		*unit |= any_of(meant, pieces);
		if (any_of(meant, pieces) && holds_all(later->named, meant, pieces))
			return true;
	}
	return false;
}

static struct said words_of(TALLOC_CTX *mem, const char *line, size_t len)
{
	struct said said = {.count = 0};
	char *rest = NULL, *word = strtok_r(text_fold(mem, talloc_strndup(mem, line, len)), " ", &rest);

	for (; word != NULL && said.count < SAID_WORDS_MAX; word = strtok_r(NULL, " ", &rest))
		said.words[said.count++] = word;
	return said;
}

/* Has the line this word, with a slip at most? */
static bool has_word(const struct said *line, const char *word)
{
	int slips = strlen(word) > 3 ? 2 : 0;

	for (int i = 0; i < line->count; i++)
		if (text_distance(word, line->words[i], slips) <= slips)
			return true;
	return false;
}

/* Does a later line say again what nobody could tell a unit for, in three of four of its words? */
static bool is_said_again(TALLOC_CTX *mem, const struct problem *p, const struct later *later)
{
	struct said said = words_of(mem, p->typed, strlen(p->typed));

	for (int i = 0; i < later->line_count; i++) {
		int again = 0;

		for (int k = 0; k < said.count; k++)
			again += has_word(&later->lines[i], said.words[k]);
		if (said.count > 0 && again * 4 >= said.count * 3)
			return true;
	}
	return false;
}

/* Every piece that the player may order. */
static bool *all_own(TALLOC_CTX *mem, const struct orders_context *context)
{
	const struct state *s = context->state;
	bool *own = talloc_zero_array(mem, bool, (unsigned)s->count);

	for (int i = 0; i < s->count; i++)
		own[i] = s->units[i].side == context->side && unit_alive(&s->units[i]) &&
			 (context->may_order == NULL || context->may_order[i]);
	return own;
}

/* Another unit's order mends no line: only orders for all that it would be for, as its subject or its suggestion has
 * them; or, where these name no unit, the same words again, or orders for everybody. */
static bool is_mended(
	TALLOC_CTX *mem, const struct problem *p, const struct orders_context *context, const struct later *later)
{
	int pieces = context->state->count;
	bool unit = false, command;

	if (p->suggestion != NULL && choice_mended(mem, p, context, later, &unit))
		return true;
	if (!unit && p->subject != NULL && p->unit >= 0) {
		bool *meant = pieces_of(mem, talloc_asprintf(mem, "%s: hold", p->subject), context, &command);

		meant[p->unit] |= !any_of(meant, pieces);
		return holds_all(later->named, meant, pieces);
	}
	return !unit && (is_said_again(mem, p, later) || holds_all(later->named, all_own(mem, context), pieces));
}

static bool is_repeated(const struct sheet *sheet, const struct problem *p)
{
	for (int i = 0; i < sheet->problem_count; i++)
		if (strcmp(sheet->problems[i].typed, p->typed) == 0)
			return true;
	return false;
}

/* Adds the lines of a mail that gave orders; how many there are then. */
static int add_lines(TALLOC_CTX *mem, const char *typed, const struct sheet *sheet, struct said *lines, int count)
{
	const char *at = typed;

	for (int i = 0, line = 1, last = 0; i < sheet->order_count && count < SAID_LINES_MAX; i++) {
		const struct order *o = &sheet->orders[i];

		if (o->from_sheet || o->line == last)
			continue;
		last = o->line;
		if (last < line) {
			at = typed;
			line = 1;
		}
		for (; line < last && *at != '\0'; line++)
			at += strcspn(at, "\n") + (strchr(at, '\n') != NULL);
		lines[count++] = words_of(mem, at, strcspn(at, "\n"));
	}
	return count;
}

/* The problems of one mail that the later ones leave open are added to `still`. */
static void add_open(TALLOC_CTX *mem, const struct sheet *mail, const struct later *later, const struct sheet *now,
	const struct orders_context *context, struct sheet *still)
{
	for (int i = 0; i < mail->problem_count && still->problem_count < LINES_MAX; i++) {
		const struct problem *p = &mail->problems[i];

		if (can_be_mended(p) && !is_repeated(now, p) && !sheet_tells(still, p) &&
			!is_mended(mem, p, context, later))
			still->problems[still->problem_count++] = *p;
	}
}

int unread_first(const struct sheet_rows *rows)
{
	int first = rows->count > UNREAD_MAILS_MAX ? rows->count - UNREAD_MAILS_MAX : 0;

	while (first < rows->count && rows->list[first].unread == 0)
		first++;
	return first;
}

struct sheet *unread_before(TALLOC_CTX *mem, const struct sheet_rows *rows, const struct sheet *now, const char *typed,
	const struct orders_context *context)
{
	struct orders_context reading = *context;
	int first = unread_first(rows), pieces = context->state->count, count = rows->count - first;
	struct sheet *still = talloc_zero(mem, struct sheet);
	struct sheet *mails[UNREAD_MAILS_MAX + 1], *kept[UNREAD_MAILS_MAX + 1];
	const char *texts[UNREAD_MAILS_MAX + 1];
	TALLOC_CTX *work = talloc_new(mem);
	struct said *lines = talloc_array(work, struct said, SAID_LINES_MAX);
	int said[UNREAD_MAILS_MAX + 2]; /* of each mail: so many lines are its own and later ones' */

	reading.sheet = NULL;
	reading.sheet_len = 0;
	still->problems = talloc_array(still, struct problem, LINES_MAX);
	for (int i = 0; i < count; i++) {
		const char *orders = rows->list[first + i].canonical;

		texts[i] = rows->list[first + i].typed;
		mails[i] = orders_read(mem, texts[i], strlen(texts[i]), &reading);
		kept[i] = orders_read(mem, orders, strlen(orders), &reading);
	}
	texts[count] = typed;
	mails[count] = kept[count] = talloc_memdup(mem, now, sizeof *now);
	said[count + 1] = 0;
	for (int i = count; i > 0; i--)
		said[i] = add_lines(work, texts[i], mails[i], lines, said[i + 1]);
	for (int i = 0; i < count; i++) {
		bool *named = talloc_zero_array(work, bool, (unsigned)pieces);
		const struct later later = {.named = named, .lines = lines, .line_count = said[i + 1]};

		for (int k = i + 1; k <= count; k++)
			orders_mark_named(kept[k], named);
		if (rows->list[first + i].unread > 0)
			add_open(work, mails[i], &later, now, &reading, still);
	}
	talloc_free(work);
	return still;
}

const char *unread_still_text(TALLOC_CTX *mem, const struct sheet *still, bool drill)
{
	const char *advice = unread_advice(mem, still);
	bool one = unread_lines(still, false) == 1;

	if (still->problem_count == 0)
		return "";
	return talloc_asprintf(mem, "STILL NOT UNDERSTOOD\n\n%s\n%s%s%s",
		text_wrap(mem,
			talloc_asprintf(mem,
				"%s of an earlier mail %s no order yet. Please write %s again as %s should be.%s If "
				"you "
				"want %s no more, answer with the one word FORGET.",
				one ? "This line" : "These lines", one ? "is" : "are", one ? "it" : "them",
				one ? "it" : "they", drill ? " The turn waits for it. READY goes on without." : "",
				one ? "it" : "them"),
			LETTER_COLUMNS, 0),
		unread_text(mem, still), advice[0] != '\0' ? "\n" : "", advice);
}
