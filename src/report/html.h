/* The same text as fixed-width HTML: mail programs spoil columns in plain text. */
#ifndef GALLOPER_REPORT_HTML_H
#define GALLOPER_REPORT_HTML_H

#include "battle/state.h"

/* A whole document: the text in a <pre>, everything escaped; the labels on map lines and the names of the pieces of `s`
 * (NULL: none) in their side's colour. On a narrow screen the paragraphs flow anew and the map is drawn smaller. A
 * document that would be too large for a mail goes without colours. On `mem`. */
char *html_page(TALLOC_CTX *mem, const char *text, const struct state *s);

#endif
