/* Records: the canonical text in which states, events and amendments are stored. A line is a tag and its fields, each
 * after one blank; a number is plain decimal; a text has its blanks, controls and per cent signs as %XX, and is a
 * single % when empty. Equal values give equal bytes everywhere, and only such bytes are read back. */
#ifndef GALLOPER_BATTLE_RECORD_H
#define GALLOPER_BATTLE_RECORD_H

#include "base/buf.h"

#include <stdint.h>

/* Writing: the tag by buf_adds, the fields by these, the line's end by buf_addc. */
void record_put_int(struct buf *out, int64_t value);
void record_put_text(struct buf *out, const char *text);

/* Reading stops at the first fault: every later call gives the least value or "" and does nothing, so that a reader
 * need look only once, at its end and before it trusts a count. */
struct record_reader {
	const char *at, *end;
	int line;
	const char *fault; /* what was expected; NULL while all is well */
};

struct record_reader record_reader(const char *bytes, size_t len);
void record_tag(struct record_reader *r, const char *tag);
int64_t record_int(struct record_reader *r, int64_t min, int64_t max);
bool record_flag(struct record_reader *r);
/* How many records follow: never more than there are bytes left. */
int record_count(struct record_reader *r);
const char *record_text(TALLOC_CTX *mem, struct record_reader *r);
/* A text into `out`, of `room` bytes with the NUL; a longer one is a fault. */
void record_chars(struct record_reader *r, char *out, size_t room);
void record_end_line(struct record_reader *r);
/* The fault as an error ("stored WHAT, line 3: expected ..."), also when anything is left unread; NULL if all is well.
 */
struct err *record_result(TALLOC_CTX *mem, const struct record_reader *r, const char *what) MUST_CHECK;

#endif
