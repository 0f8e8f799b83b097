#include "service/answer_text.h"

#include "base/buf.h"
#include "base/text.h"
#include "report/template.h"

#include <string.h>
#include <strings.h>

enum { UNREAD_BYTES_MAX = 200 };

const char *answer_no_text(TALLOC_CTX *mem, const struct message *m)
{
	switch (m->no_text) {
	case NO_TEXT_PICTURE:
		return "We found a picture in your mail but no text. We cannot read pictures: please type your orders "
		       "into the "
		       "mail itself.";
	case NO_TEXT_DOCUMENT:
	case NO_TEXT_FILE:
		return "We found a file in your mail but no text. We cannot open it: please copy your orders into the "
		       "mail "
		       "itself.";
	case NO_TEXT_WINMAIL:
		return "Your mail came in Outlook's own format (winmail.dat), which we cannot read. Please send it as "
		       "plain "
		       "text.";
	case NO_TEXT_ENCRYPTED:
		return "Your mail is encrypted and we cannot read it. Please send it as plain text.";
	case NO_TEXT_TOO_LARGE:
		return "Your mail is too large for us. Please send the orders alone, without pictures or files.";
	case NO_TEXT_SET_ASIDE:
		return "We found only quoted text, greetings or a signature in your mail. Please write your orders "
		       "above the "
		       "quoted mail.";
	case NO_TEXT_EMPTY:
	case TEXT_FOUND:
		break;
	}
	return talloc_strdup(
		mem, "There was no text in your mail. Please write your orders into it, a line for each unit.");
}

/* What the mail reader set aside, in short; the lines of quoted text are only counted. */
char *answer_set_aside(TALLOC_CTX *mem, const struct typed *t, int *quoted)
{
	struct buf *b = buf_new(mem);

	*quoted = 0;
	for (int i = 0; i < t->set_aside_count; i++) {
		const char *first = t->set_aside[i].lines;
		int lines = 0;

		for (const char *p = first; *p != '\0'; p++)
			lines += *p == '\n';
		if (strcmp(t->set_aside[i].what, "quoted text") == 0 ||
			strcmp(t->set_aside[i].what, "earlier mail") == 0)
			*quoted += lines;
		else if (lines <= 1)
			buf_printf(b, "| %s: %s\n", t->set_aside[i].what,
				text_escape(b, first, strcspn(first, "\n") < 50 ? strcspn(first, "\n") : 50));
		else
			buf_printf(b, "| %s: %d lines\n", t->set_aside[i].what, lines);
	}
	return b->data;
}

/* The text of an earlier mail without its END, so that more can stand below it. */
char *answer_without_end(TALLOC_CTX *mem, const char *text)
{
	struct buf *out = buf_new(mem);

	while (*text != '\0') {
		size_t len = strcspn(text, "\n"), from = strspn(text, " \t"), word = strcspn(text + from, " \t\r\n");

		if (word != 3 || strncasecmp(text + from, "end", 3) != 0 ||
			from + 3 + strspn(text + from + 3, " \t\r") != len) {
			buf_add(out, text, len);
			buf_addc(out, '\n');
		}
		text += len + (text[len] == '\n');
	}
	return buf_steal(mem, out);
}

static void add_unread(struct buf *out, const char *mark, const char *line)
{
	char *shown = text_escape(out, line, strnlen(line, UNREAD_BYTES_MAX));

	buf_printf(out, "%s\n", text_wrap(out, talloc_asprintf(out, "%s%s", mark, shown), LETTER_COLUMNS, 2));
}

/* Somebody who orders no units gets no receipt: what was not read is told below what was done. */
const char *answer_with_unread(TALLOC_CTX *mem, const char *said, const struct sheet *sheet)
{
	struct buf *out = buf_new(mem);

	buf_adds(out, said);
	if (out->len > 0 && out->data[out->len - 1] != '\n')
		buf_addc(out, '\n');
	for (int i = 0; i < sheet->problem_count; i++) {
		buf_adds(out, out->len > 0 ? "\n" : "");
		add_unread(out, "> ", sheet->problems[i].typed);
		buf_printf(out, "%s\n", text_wrap(out, sheet->problems[i].message, LETTER_COLUMNS, 0));
	}
	if (sheet->set_aside_count > 0)
		buf_printf(out, "%sNOT READ AS COMMANDS\n\n", out->len > 0 ? "\n" : "");
	for (int i = 0; i < sheet->set_aside_count; i++)
		add_unread(out, "| ", sheet->set_aside[i]);
	return out->data;
}

const char *answer_said(TALLOC_CTX *mem, const struct command_results *done, const struct sheet *sheet)
{
	bool tell = done->said[0] != '\0' && sheet->set_aside_count > 0;

	for (int i = 0; done->answered > 0 && i < sheet->set_aside_count; i++) {
		const char *space = strchr(sheet->set_aside[i], ' ');

		tell |= strchr(sheet->set_aside[i], '?') != NULL || (space != NULL && strchr(space + 1, ' ') != NULL);
	}
	return tell ? answer_with_unread(mem, done->said, sheet) : done->said;
}
