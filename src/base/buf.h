/* A growing byte buffer: always followed by a NUL that `len` does not count, so `data` may be used as a string. */
#ifndef GALLOPER_BASE_BUF_H
#define GALLOPER_BASE_BUF_H

#include "base/err.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

struct buf {
	char *data; /* owned by the buffer; never NULL after buf_new */
	size_t len;
	size_t room;
};

/* An empty buffer on `mem`. Freed with talloc_free. */
struct buf *buf_new(TALLOC_CTX *mem);
/* A buffer that is a variable of the caller's, which nobody frees: its text is on `mem`, and is the caller's as
 * buf_close gives it. For one text this takes half of what a buffer of its own takes. */
void buf_open(struct buf *b, TALLOC_CTX *mem);
char *buf_close(struct buf *b);
/* Room for `n` more bytes and the NUL. */
void buf_grow(struct buf *b, size_t n);

/* These are inline, so that what is known of a text when it is compiled is not asked again each time. */
static inline void buf_add(struct buf *b, const void *bytes, size_t n)
{
	if (n >= b->room - b->len)
		buf_grow(b, n);
	if (n > 0)
		memcpy(b->data + b->len, bytes, n);
	b->len += n;
	b->data[b->len] = '\0';
}

static inline void buf_adds(struct buf *b, const char *text)
{
	buf_add(b, text, strlen(text));
}

static inline void buf_addc(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

/* Texts, letters and whole numbers ("%s", "%c", "%d", "%02d", "%lld") are put in without the library's formatting,
 * which takes a thousand instructions for each. */
void buf_printf(struct buf *b, const char *format, ...) PRINTF_LIKE(2, 3);
void buf_vprintf(struct buf *b, const char *format, va_list args) PRINTF_LIKE(2, 0);
/* A text of its own on `mem`, made in that way: for what is written in every mail, instead of talloc_asprintf. */
char *buf_text(TALLOC_CTX *mem, const char *format, ...) PRINTF_LIKE(2, 3);
/* Cut back to the first `len` bytes. */
void buf_cut(struct buf *b, size_t len);
/* The text as a talloc string on `mem`; the buffer is freed. */
char *buf_finish(TALLOC_CTX *mem, struct buf *b);
/* The same, and the buffer is emptied to be used on. */
char *buf_steal(TALLOC_CTX *mem, struct buf *b);

#endif
