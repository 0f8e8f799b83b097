/* The same text as fixed-width HTML: mail programs spoil columns in plain text. */
#ifndef GALLOPER_REPORT_HTML_H
#define GALLOPER_REPORT_HTML_H

#include "battle/state.h"

/* A whole document: the text in a <pre>, everything escaped, the pieces on map lines in their side's colour. On `mem`.
 */
char *html_page(TALLOC_CTX *mem, const char *text);

#endif
