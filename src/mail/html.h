/* The text of an HTML mail, as its reader would see it: for those who send no plain text. Quotes get '>' marks, and the
 * places where Outlook and others begin the earlier mail get a line "-----Original Message-----", so that typed.c need
 * not know where a text comes from. */
#ifndef GALLOPER_MAIL_HTML_H
#define GALLOPER_MAIL_HTML_H

#include "base/buf.h"

#include <stddef.h>

/* `html` is UTF-8, whatever it says of itself. Never fails: of what is no HTML the words are given. On `mem`. What its
 * writer has struck out is added to `struck` instead, a line a run, unless it stands in an earlier mail; with NULL it
 * stays in its place. */
char *html_text(TALLOC_CTX *mem, const char *html, size_t len, struct buf *struck);

#endif
