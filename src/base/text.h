/* Text as people type it: folding, width, likeness. All text is UTF-8. */
#ifndef GALLOPER_BASE_TEXT_H
#define GALLOPER_BASE_TEXT_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The text as a person would read it (MAIL.md section D): quotes, dashes, blanks, full-width letters, ligatures and
 * bullets in their plain form, zero-width marks and control characters gone, line ends as '\n'. Invalid UTF-8 is
 * replaced. Letters keep case and accents. Result on `mem`, NUL-terminated, its length in *out_len if not NULL. */
char *text_plain(TALLOC_CTX *mem, const char *text, size_t len, size_t *out_len);

/* For each byte of the plain form of `text`, and for its end, where the character stands in `text` that gave it. On
 * `mem`. */
size_t *text_plain_origins(TALLOC_CTX *mem, const char *text, size_t len);

/* For comparing names: text_plain, then lower case, accents, apostrophes and dots gone, runs of anything else that is
 * no letter or digit as one blank, none at the ends. "St. Claire's" -> "st claires". */
char *text_fold(TALLOC_CTX *mem, const char *text);

/* Edit distance with transpositions between two folded words, at most `limit` + 1 (so that it can stop early). */
int text_distance(const char *a, const char *b, int limit);

/* Is every byte a character of ASCII that can be seen, or a blank? */
bool text_is_ascii(const char *text, size_t len);
/* The same, and line ends may be among them. */
bool text_is_ascii_lines(const char *text, size_t len);

/* Columns on a fixed-width display; `len` bytes. */
int text_width(const char *text, size_t len);

/* Break `text` at blanks into lines of at most `columns` columns; every line after the first is indented by `indent`
 * blanks. Lines already there stay. Result on `mem`. */
char *text_wrap(TALLOC_CTX *mem, const char *text, int columns, int indent);
struct buf;
/* The same of `len` bytes, added to `out`. */
void text_wrap_to(struct buf *out, const char *text, size_t len, int columns, int indent);

/* Safe in a log line or a terminal: control characters and bytes that are no UTF-8 as \xNN. */
char *text_escape(TALLOC_CTX *mem, const char *text, size_t len);

/* As a sentence: a capital first, a full stop (or ! or ?) last. */
char *text_sentence(TALLOC_CTX *mem, const char *text);

/* Thousandths of an inch as a reader would write them: 4500 -> "4.5", 6000 -> "6". */
char *text_inches(TALLOC_CTX *mem, int32_t thousandths);

#endif
