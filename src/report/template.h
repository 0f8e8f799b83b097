/* Mail templates: plain text with {{name}} for a value, {{#name}}...{{/name}} for what stands there only when the value
 * is not empty, {{^name}}...{{/name}} for the opposite. Values are put in as they are and never read again; control
 * characters in them become blanks. The first line is "Subject: ...".
 *
 * Layout: lines that follow each other are one paragraph and are filled anew, so that a template may be broken
 * anywhere. What stays as it is: lines that begin with a blank, headings in CAPITALS, and the lines of a value of
 * several lines, which are indented as its {{name}} is. Lines that begin with "- ", "* " or "1. " are items. */
#ifndef GALLOPER_REPORT_TEMPLATE_H
#define GALLOPER_REPORT_TEMPLATE_H

#include "base/err.h"

#include <stddef.h>

struct value {
	const char *name, *text;
};

struct letter {
	char *subject; /* of SUBJECT_WORDS_MAX characters, "..." where there were more, and then the value "tag" */
	char *text;    /* lines of at most 72 columns */
};

enum {
	LETTER_COLUMNS = 72,
	/* With a tag of 70 characters and "[EXTERNAL] Re:" before it still less than the 255 that Exchange keeps. */
	SUBJECT_WORDS_MAX = 120,
};

/* A template that has been read: it is only looked at from then on, by any thread. */
struct template;

/* Reads it; a mark or a section without its end is an error file:line. *out is on `mem` and keeps its own copies. */
struct err *template_read(TALLOC_CTX *mem, const char *file, const char *text, struct template **out) MUST_CHECK;

/* Fills it in with `count` values; a name that is not among them, be it in a section that is not shown, is an error
 * file:line. No line is longer than LETTER_COLUMNS. *out is on `mem`. */
struct err *template_fill(TALLOC_CTX *mem, const struct template *t, const struct value *values, int count,
	struct letter *out) MUST_CHECK;

#endif
