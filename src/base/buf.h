/* A growing byte buffer: always followed by a NUL that `len` does not count, so `data` may be used as a string. */
#ifndef GALLOPER_BASE_BUF_H
#define GALLOPER_BASE_BUF_H

#include "base/err.h"

#include <stdarg.h>
#include <stddef.h>

struct buf {
	char *data; /* owned by the buffer; never NULL after buf_new */
	size_t len;
	size_t room;
};

/* An empty buffer on `mem`. Freed with talloc_free. */
struct buf *buf_new(TALLOC_CTX *mem);
void buf_add(struct buf *b, const void *bytes, size_t n);
void buf_adds(struct buf *b, const char *text);
void buf_addc(struct buf *b, char c);
void buf_printf(struct buf *b, const char *format, ...) PRINTF_LIKE(2, 3);
void buf_vprintf(struct buf *b, const char *format, va_list args) PRINTF_LIKE(2, 0);
/* Cut back to the first `len` bytes. */
void buf_cut(struct buf *b, size_t len);
/* The text as a talloc string on `mem`, and the buffer emptied. */
char *buf_steal(TALLOC_CTX *mem, struct buf *b);

#endif
