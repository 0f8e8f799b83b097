/* Names that are spelt in more than one way: Stewart and Stuart, MacDonald and McDonald. */
#ifndef GALLOPER_ORDERS_SPELLING_H
#define GALLOPER_ORDERS_SPELLING_H

#include <stddef.h>

enum { SPELLING_MAX = 64 };

/* The folded word as it is usually spelt, into `out` (SPELLING_MAX bytes); its length, or 0 when it is too long to be a
 * name. Two words that are spellings of one name come out equal. */
size_t spelling_usual(const char *word, size_t len, char *out);

#endif
