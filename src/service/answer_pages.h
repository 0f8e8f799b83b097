/* What a mail's commands have come to, as one mail. */
#ifndef GALLOPER_SERVICE_ANSWER_PAGES_H
#define GALLOPER_SERVICE_ANSWER_PAGES_H

#include "service/commands.h"

/* Adds a page; the texts are the caller's. On `mem`. */
void add_page(TALLOC_CTX *mem, struct command_results *results, const struct answer_page *page);

/* The pages as they are printed on the command line; "" for none. */
char *pages_text(TALLOC_CTX *mem, const struct command_results *results);

/* Answers `to` with `said` (paragraphs; "" for none) and, below it, the pages, each under its title. A page alone, and
 * one whose event numbers count from now on, give the mail their title, anything else `subject`. What is too long for
 * one mail goes on in a second. Nothing said and no page: no mail. */
struct err *letter_results(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p,
	const struct answered_mail *to, const struct command_results *results, const char *subject,
	const char *said) MUST_CHECK;

#endif
