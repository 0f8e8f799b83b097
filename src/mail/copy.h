/* A mail as one text that holds all its words and nothing else: for a record that people read, and in which nothing may
 * hide in an encoding. */
#ifndef GALLOPER_MAIL_COPY_H
#define GALLOPER_MAIL_COPY_H

#include "mail/parts.h"

/* A mail in UTF-8, in the form of text_plain: the header without what tells of encodings, then the words of each part,
 * of HTML as its reader sees them; a line names each part that is no text. HTML that says the same as the text beside
 * it is left out. `parts` may be NULL: the header alone. On `mem`. */
char *mail_copy(TALLOC_CTX *mem, const struct charsets *c, const struct fields *header, const struct parts *parts);

#endif
