/* The mails' templates that were read already: each is wanted for many mails of a pass. */
#ifndef GALLOPER_SERVICE_TEMPLATES_H
#define GALLOPER_SERVICE_TEMPLATES_H

#include "report/template.h"

struct templates;

/* A data file as a template, on `mem`. Errors: the file is not there, or template_read's. */
struct err *templates_read(TALLOC_CTX *mem, const char *file, struct template **out) MUST_CHECK;

struct templates *templates_new(TALLOC_CTX *mem);

/* templates/NAME.txt: *out lives until templates_forget. Errors: templates_read's. */
struct err *templates_find(
	struct templates *all, TALLOC_CTX *mem, const char *name, const struct template **out) MUST_CHECK;

/* To be called when no mail is being written: what was changed or mended in a file holds from then on. */
void templates_forget(struct templates *all);

#endif
