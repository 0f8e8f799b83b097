#include "service/unread.h"

#include "base/buf.h"
#include "base/text.h"
#include "service/post.h"

#include <string.h>

enum { TYPED_COLUMNS = 64, INDENT = 4, MAILS_MAX = 24, LINES_MAX = 20 };

int unread_lines(const struct sheet *sheet, bool gone)
{
	int count = 0;

	for (int i = 0; i < sheet->problem_count; i++) {
		const struct problem *p = &sheet->problems[i];
		bool first = (p->kind == PROBLEM_GONE) == gone;

		for (int k = 0; k < i && first; k++)
			first = sheet->problems[k].line != p->line || sheet->problems[k].from_sheet != p->from_sheet ||
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

/* The pieces that the problem's line would be for: false when it would be no order at all, but a command. */
static bool mark_meant(TALLOC_CTX *mem, const struct problem *p, const struct orders_context *context, bool *meant)
{
	struct sheet *right;
	char *lines;

	if (p->subject != NULL && p->unit >= 0)
		meant[p->unit] = true;
	if (p->suggestion == NULL)
		return true;
	lines = talloc_strdup(mem, p->suggestion);
	for (char *at = strstr(lines, ", or "); at != NULL; at = strstr(at, ", or ")) { /* a line for each choice */
		at[0] = '\n';
		memset(at + 1, ' ', strlen(", or ") - 1);
	}
	right = orders_read(mem, lines, strlen(lines), context);
	orders_mark_named(right, meant);
	return right->order_count > 0 || right->command_count == 0;
}

static bool share_one(const bool *a, const bool *b, int count)
{
	for (int i = 0; i < count; i++)
		if (a[i] && b[i])
			return true;
	return false;
}

static bool is_repeated(const struct sheet *sheet, const struct problem *p)
{
	for (int i = 0; i < sheet->problem_count; i++)
		if (strcmp(sheet->problems[i].typed, p->typed) == 0)
			return true;
	return false;
}

/* The problems of one mail that the `later` ones leave open are added to `still`. */
static void add_open(TALLOC_CTX *mem, const struct sheet *mail, struct sheet *const *later, int later_count,
	const struct sheet *now, const struct orders_context *context, struct sheet *still)
{
	int pieces = context->state->count, found = 0, fresh = 0, line = 0, lines = 0;
	bool *known = talloc_zero_array(mem, bool, (unsigned)pieces);
	bool *named = talloc_zero_array(mem, bool, (unsigned)pieces);
	const struct problem **open = talloc_array(mem, const struct problem *, (unsigned)mail->problem_count + 1);

	orders_mark_named(mail, known);
	for (int k = 0; k < later_count; k++)
		orders_mark_named(later[k], named);
	for (int i = 0; i < mail->problem_count; i++) {
		const struct problem *p = &mail->problems[i];
		bool *meant = talloc_zero_array(mem, bool, (unsigned)pieces);

		if (can_be_mended(p) && mark_meant(mem, p, context, meant) && !share_one(meant, named, pieces))
			open[found++] = p;
		for (int k = 0; k < pieces; k++)
			known[k] |= meant[k];
	}
	for (int k = 0; k < pieces; k++)
		fresh += named[k] && !known[k];
	for (int i = 0; i < found; i++) {
		lines += open[i]->line != line;
		line = open[i]->line;
	}
	for (int i = 0; fresh < lines && i < found && still->problem_count < LINES_MAX; i++)
		if (!is_repeated(now, open[i]) && !sheet_tells(still, open[i]))
			still->problems[still->problem_count++] = *open[i];
}

struct sheet *unread_before(
	TALLOC_CTX *mem, const struct sheet_rows *rows, const struct sheet *now, const struct orders_context *context)
{
	struct orders_context reading = *context;
	struct sheet *still = talloc_zero(mem, struct sheet), *later[MAILS_MAX + 1];
	int first = rows->count > MAILS_MAX ? rows->count - MAILS_MAX : 0, count;

	while (first < rows->count && rows->list[first].unread == 0)
		first++;
	count = rows->count - first;
	reading.sheet = NULL;
	reading.sheet_len = 0;
	still->problems = talloc_array(still, struct problem, LINES_MAX);
	for (int i = 0; i < count; i++) {
		const char *orders = rows->list[first + i].canonical;

		later[i] = orders_read(mem, orders, strlen(orders), &reading);
	}
	later[count] = talloc_memdup(mem, now, sizeof *now);
	for (int i = 0; i < count; i++) {
		const struct sheet_row *row = &rows->list[first + i];

		if (row->unread > 0)
			add_open(mem, orders_read(mem, row->typed, strlen(row->typed), &reading), later + i + 1,
				count - i, now, &reading, still);
	}
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
