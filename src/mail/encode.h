/* How text is written in a mail: quoted-printable bodies (RFC 2045, 6.7) and header fields (RFC 5322, RFC 2047).
 * Everything ends its lines in CRLF, and whatever is given, no line is longer than 78 bytes save for one id. */
#ifndef GALLOPER_MAIL_ENCODE_H
#define GALLOPER_MAIL_ENCODE_H

#include "base/buf.h"

enum { HEADER_TEXT_MAX = 600 /* bytes of a header's text that are kept */ };

/* A text body: its lines may end in LF or CRLF; bytes that are no UTF-8 become U+FFFD. No line of the result is longer
 * than 76 bytes, begins with a dot or with "From ", or ends in a blank: so nothing on the way has a reason to touch it,
 * and SMTP's doubling of dots never happens. */
void encode_body(struct buf *out, const char *text, size_t len);

/* "NAME: VALUE": free text, as in Subject. Words that are ASCII stand as they are, others as encoded words; the line is
 * folded between words. Control characters become blanks. */
void encode_text_field(struct buf *out, const char *name, const char *value);

/* "NAME: DISPLAY <ADDRESS>", or the bare address when `display` is NULL or blank. The address is valid. */
void encode_mailbox_field(struct buf *out, const char *name, const char *display, const char *address);

/* "NAME: WORD WORD ...", each as it is, folded between them: for message ids, which must never be encoded or broken. */
void encode_words_field(struct buf *out, const char *name, const char *const words[], int count);

#endif
