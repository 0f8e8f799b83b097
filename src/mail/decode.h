/* Bytes of a mail made text: transfer encodings (RFC 2045, 6), charsets, encoded words in header fields (RFC 2047) and
 * format=flowed (RFC 3676). Broken input is read as far as it goes; nothing here fails. */
#ifndef GALLOPER_MAIL_DECODE_H
#define GALLOPER_MAIL_DECODE_H

#include "base/err.h"

#include <stddef.h>

/* The converters, opened all at once: in the sandbox the C library could no longer load their tables. */
struct charsets;
struct charsets *charsets_open(TALLOC_CTX *mem); /* talloc_free closes them */

/* The text in UTF-8, of whatever it is: a byte-order mark counts first, then what the mail says, unless the bytes speak
 * against it (8-bit bytes that are valid UTF-8 are UTF-8, others windows-1252). `charset` may be "" or nonsense. What
 * cannot be read becomes U+FFFD. On `mem`. */
char *charset_utf8(
	TALLOC_CTX *mem, const struct charsets *c, const char *charset, const char *bytes, size_t len, size_t *out_len);

/* How a text is encoded that says `encoding` of itself: that, or base64 or quoted-printable where it says nothing of
 * the kind but is nothing else, since a gateway lost the field. */
const char *decode_guess(const char *encoding, const char *bytes, size_t len);

/* By a Content-Transfer-Encoding; an unknown one is none. On `mem`, NUL-terminated. Quoted-printable: '=' before no two
 * hex digits stays as it is. Base64: stops at the first line that holds anything else (a list's footer). */
char *decode_transfer(TALLOC_CTX *mem, const char *encoding, const char *bytes, size_t len, size_t *out_len);

/* A field's text with its encoded words and raw 8-bit bytes in UTF-8, on one line. On `mem`. */
char *decode_words(TALLOC_CTX *mem, const struct charsets *c, const char *value);

/* Lines that a mail program broke put together again. On `mem`. */
char *decode_flowed(TALLOC_CTX *mem, const char *text, size_t len, bool delsp);

#endif
