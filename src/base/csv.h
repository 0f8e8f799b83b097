/* Tables as spreadsheets write them: fields parted by commas, semicolons or tabs, perhaps in quote marks (RFC 4180),
 * with any line end, with or without a byte order mark. */
#ifndef GALLOPER_BASE_CSV_H
#define GALLOPER_BASE_CSV_H

#include "base/err.h"

enum { CSV_FIELDS_MAX = 15 };

struct csv {
	const char *file, *next;
	char separator;
	int line; /* of `next`, from 1 */
};

struct csv_row {
	int line, count;
	const char *fields[CSV_FIELDS_MAX + 1]; /* without blanks around them; "" from `count` on */
};

/* `file` is for messages; it and `text`, NUL-terminated, must outlive the reading. What parts the first two fields is
 * taken for the separator. */
void csv_begin(struct csv *csv, const char *file, const char *text);

/* The next row that is not empty, its fields on `mem`; row->count is 0 at the end. Errors are of ERR_GAME and name file
 * and line: a quote mark that is not closed, too many fields. */
struct err *csv_next(TALLOC_CTX *mem, struct csv *csv, struct csv_row *row) MUST_CHECK;

#endif
