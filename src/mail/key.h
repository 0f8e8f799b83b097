/* A player's key: what he writes after KEY in a mail that answers none of ours. Three words and a number, easy to say
 * and to copy from a card: heather-otter-lantern-4271. A little over 40 bits. */
#ifndef GALLOPER_MAIL_KEY_H
#define GALLOPER_MAIL_KEY_H

#include "base/err.h"

#include <stddef.h>

/* A new random key; on `mem`. */
char *key_new(TALLOC_CTX *mem);

/* Is what was typed this key? Case, blanks, dashes, dots and quotes do not count ("Heather Otter lantern 4271."). Takes
 * the same time wherever they differ. An empty key equals nothing. */
bool key_equal(const char *typed, const char *key);

/* Has what was typed a key's form, words and a number behind them? "Key question: can A see them?" has not. */
bool key_formed(const char *typed);

/* How many of the `len` bytes at `text` have the form of a key, "heather-otter-lantern-4271"; 0 for none. */
size_t key_length(const char *text, size_t len);

#endif
