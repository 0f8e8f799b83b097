/* What a person typed in a mail's text, apart from what the mail program put there: quoted mails, signatures, phones'
 * advertisements, disclaimers, warnings of the school's gateway, greetings. Nothing is lost: what is set aside is
 * listed. And the order sheets in it, which count even inside a quote. */
#ifndef GALLOPER_MAIL_TYPED_H
#define GALLOPER_MAIL_TYPED_H

#include "base/err.h"

#include <stddef.h>

enum { TYPED_SHEETS_MAX = 8 };

#define TYPED_GREETING "greeting"
#define TYPED_ENCRYPTED "encrypted text"

/* A run of lines that is no order, as it stood. */
struct set_aside {
	const char *what; /* "quoted text", "earlier mail", TYPED_GREETING, "signature", "disclaimer", "warning",
			     TYPED_ENCRYPTED, "struck out" */
	const char *lines;
};

/* Lines between `--- ORDERS game turn n ---` and `--- END ---`, quote marks removed, the two marks left out. */
struct sheet_found {
	const char *game; /* as it was written; "" if it is missing */
	int turn;         /* -1 if it is missing */
	bool quoted;      /* stood inside a quote or below a reply's separator */
	const char *lines;
};

/* Strings are in the form of text_plain, lines end in '\n', never NULL. */
struct typed {
	const char *text;           /* all that was typed outside the sheets, above and below quotes, in its order */
	struct sheet_found *sheets; /* in the order of the mail: the newest first where replies are written on top */
	int sheet_count;
	struct set_aside *set_aside;
	int set_aside_count;
};

/* Reads a mail's text (any text; it is brought into plain form first). `forwarded`: if nothing was typed above a
 * forwarded mail, what was forwarded is read. Results on `mem`. Never fails, linear in the length. */
void typed_read(TALLOC_CTX *mem, const char *text, size_t len, bool forwarded, struct typed *out);

/* Is there a letter or digit in it? */
bool typed_words(const char *text);

#endif
