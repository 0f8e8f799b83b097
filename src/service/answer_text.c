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
	return talloc_strdup(mem, "There was no text in your mail, and orders in the subject are not read. Please "
				  "write them into the mail itself, a line for each unit.");
}

const char *answer_no_proof(TALLOC_CTX *mem, const struct writer *w)
{
	struct buf *out = buf_new(mem);
	bool many = w->game_count > 1 || (w->game_count == 1 && w->games[0].players > 1);

	if (w->game_count == 0)
		return "";
	if (w->game_count > 1)
		buf_adds(out, "This address belongs to several games: ");
	else
		buf_adds(out, many ? "Several people play from this address in the game " : "You play in the game ");
	for (int i = 0; i < w->game_count; i++)
		buf_printf(out, "%s%s", i == 0 ? "" : i == w->game_count - 1 ? " and " : ", ", w->games[i].name);
	if (w->key)
		buf_printf(out, "%s the key in your mail is %s: please look for a slip in it.",
			many ? "; but" : ", but", many ? "none of theirs" : "not yours");
	else
		buf_printf(out, "%s there was no key in your mail%s.", many ? "; and" : ", but",
			!many                ? ""
			: w->game_count == 1 ? ", which tells us who is writing"
					     : ", which tells us what it is for. Please send a mail for each game");
	return text_wrap(mem, out->data, LETTER_COLUMNS, 0);
}

const char *answer_how(TALLOC_CTX *mem, const struct writer *w)
{
	struct buf *out = buf_new(mem);

	for (int i = 0; i < w->game_count; i++) {
		const char *name = w->games[i].name;
		const char *how = buf_text(out,
			"%sor the game %s answer a mail of ours%s that has [%s in its subject, which this one has not. "
			"Or begin a new mail with these two lines, the second with %skey from %s welcome mail:",
			i == 0 ? "F" : "And f", name, w->games[i].players > 1 ? " to you" : "", name,
			w->games[i].players > 1 ? "your own " : "the ", w->game_count > 1 ? "that game's" : "your");

		buf_printf(out, "%s%s\n\n    GAME %s\n    KEY ...", i == 0 ? "" : "\n\n",
			text_wrap(out, how, LETTER_COLUMNS, 0), name);
	}
	return out->data;
}

const char *answer_left(TALLOC_CTX *mem, const char *game, bool replaced)
{
	return text_wrap(mem,
		talloc_asprintf(mem,
			replaced ? "In the game %s somebody else plays for you now, in your place, so your "
				   "mails count there no longer."
				 : "You are in the game %s no longer, so your mails do not count there.",
			game),
		LETTER_COLUMNS, 0);
}

const char *answer_elsewhere(TALLOC_CTX *mem, const char *game)
{
	return talloc_asprintf(mem,
		"You play in the game %s too: please answer a mail of that game, or begin a new mail with the line "
		"GAME %s and, below it, KEY and your key there.",
		game, game);
}

const char *answer_mixed(TALLOC_CTX *mem, const struct message *m)
{
	return talloc_asprintf(mem, "%s%s",
		text_wrap(mem,
			"Nothing was done with your mail: it is for more than one game, or from more than one player. "
			"Please send a mail for each, with the GAME and the KEY that belong together.",
			LETTER_COLUMNS, 0),
		answer_typed_lines(mem, m));
}

/* What the mail reader set aside, in short; the lines of quoted text are only counted. */
char *answer_set_aside(TALLOC_CTX *mem, const struct typed *t, int *quoted)
{
	struct buf b;

	buf_open(&b, mem);
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
			buf_printf(&b, "| %s: %s\n", t->set_aside[i].what,
				text_escape(mem, first, strcspn(first, "\n") < 50 ? strcspn(first, "\n") : 50));
		else
			buf_printf(&b, "| %s: %d lines\n", t->set_aside[i].what, lines);
	}
	return buf_close(&b);
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

char *quoted_line(TALLOC_CTX *mem, const char *mark, const char *line)
{
	char *shown = text_escape(mem, line, strnlen(line, UNREAD_BYTES_MAX));

	return text_wrap(mem, talloc_asprintf(mem, "%s%s", mark, shown), LETTER_COLUMNS, 2);
}

/* Somebody who orders no units gets no receipt: what was not read is told below what was done. */
const char *answer_with_unread(
	TALLOC_CTX *mem, const struct command_results *done, const char *said, const struct sheet *sheet)
{
	struct buf *out = buf_new(mem);
	bool headed = false;

	buf_adds(out, said);
	if (out->len > 0 && out->data[out->len - 1] != '\n')
		buf_addc(out, '\n');
	for (int i = 0; i < sheet->problem_count; i++) {
		buf_adds(out, out->len > 0 ? "\n" : "");
		buf_printf(out, "%s\n%s\n", quoted_line(out, "> ", sheet->problems[i].typed),
			text_wrap(out, sheet->problems[i].message, LETTER_COLUMNS, 0));
	}
	for (int i = 0; i < sheet->set_aside_count; i++) {
		if (done->told != NULL && done->told[i])
			continue;
		if (!headed)
			buf_printf(out, "%sNOT READ AS COMMANDS\n\n", out->len > 0 ? "\n" : "");
		headed = true;
		buf_printf(out, "%s\n", quoted_line(out, "| ", sheet->set_aside[i]));
	}
	return out->data;
}

const char *answer_said(TALLOC_CTX *mem, const struct command_results *done, const struct sheet *sheet)
{
	bool tell = done->said[0] != '\0' && sheet->set_aside_count > 0;

	for (int i = 0; done->answered > 0 && i < sheet->set_aside_count; i++) {
		const char *space = strchr(sheet->set_aside[i], ' ');

		tell |= strchr(sheet->set_aside[i], '?') != NULL || (space != NULL && strchr(space + 1, ' ') != NULL);
	}
	return tell ? answer_with_unread(mem, done, done->said, sheet) : done->said;
}

const char *answer_typed_lines(TALLOC_CTX *mem, const struct message *m)
{
	enum { LINES_MAX = 40, COLUMNS_MAX = LETTER_COLUMNS - 4 };
	struct buf *out = buf_new(mem);
	const char *p = m->typed.text;

	for (int i = 0; *p != '\0' && i < LINES_MAX; i++) {
		size_t len = strcspn(p, "\n"), word = strcspn(p, " \t\n");

		/* With these it would be for the wrong turn again. */
		if (!(word == 4 && (strncasecmp(p, "game", 4) == 0 || strncasecmp(p, "turn", 4) == 0)) &&
			!(word == 3 && strncasecmp(p, "key", 3) == 0))
			buf_printf(out, "    %s\n", text_wrap(out, text_escape(out, p, len), COLUMNS_MAX, 4));
		p += len + (p[len] == '\n');
	}
	return out->len == 0 ? "" : talloc_asprintf(mem, "\n\nYou had written:\n\n%s", out->data);
}

const char *answer_last(TALLOC_CTX *mem, bool referee, bool drill, bool acting)
{
	const char *rest =
		referee   ? "what you write until then is not done, so please send it again after it."
		: drill   ? "orders that come until then are kept. Write READY after it, and the drill goes on."
		: !acting ? "mails with orders are answered all the same."
			  : "orders that come until then still count, without a receipt. Then write ORDERS, and "
			    "you get all your orders in force. Commands like READY or SAY are not done until "
			    "then: please send those again.";

	return text_wrap(mem,
		talloc_asprintf(mem,
			"PLEASE NOTE: you have had as many answers as one hour allows. For up to an hour %s are not "
			"answered now; %s",
			drill    ? "mails to this drill"
			: acting ? "your mails"
				 : "mails without orders",
			rest),
		LETTER_COLUMNS, 0);
}
