/* The final bytes of a mail. They go into the outbox and leave it unchanged, however often sending is tried: so nothing
 * here is random, and the same input gives the same bytes. */
#ifndef GALLOPER_MAIL_COMPOSE_H
#define GALLOPER_MAIL_COMPOSE_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

enum {
	MAIL_BYTES_SOFT_MAX = 100 * 1000, /* larger, and webmail hides the rest of it */
	MAIL_REFERENCES_MAX = 20,         /* message ids kept of a long thread: the first and the newest */
};

enum auto_kind { AUTO_GENERATED, AUTO_REPLIED }; /* RFC 3834, 5: we write by ourselves, or we answer a mail */

/* Strings are UTF-8 and NUL-terminated, and stay the caller's; NULL is "none" where it is said. */
struct mail {
	const char *from_address, *from_name; /* the name may be NULL */
	const char *to_address;               /* one recipient a mail */
	const char *reply_to;                 /* address with its plus tag, or NULL */
	const char *subject;                  /* with its tag (token.h) */
	const char *text;                     /* lines end in '\n' */
	const char *html;                     /* a whole document, or NULL: the text again in a fixed-width <pre> */
	const char *message_id;               /* "<...>", of message_id_new */
	int64_t date;                         /* UTC seconds */
	const char *in_reply_to; /* as it stood in the mail that is answered; what is no id is left out; or NULL */
	const char *references;  /* its References and its Message-ID, likewise; or NULL */
	enum auto_kind automatic;
	const char *game;       /* for List-Id; NULL for a mail of no game */
	const char *kind;       /* one word for X-Galloper-Mail: "receipt", "report"; or NULL */
	const char *attachment; /* report.txt's text, or NULL */
};

/* The mail with CRLF line ends: headers, then multipart/alternative of plain text and HTML, both quoted-printable, no
 * line longer than 76 bytes and none that begins with a dot or "From ". Control characters in header texts become
 * blanks.
 *
 * A mail over MAIL_BYTES_SOFT_MAX carries its whole text as the attachment report.txt, and both its parts are cut at a
 * line's end and say so; the colours of `html` are lost then.
 *
 * Errors (scope ERR_MAIL, no retry): an address that is not valid, a message id that is none. *out is on `mem`. */
struct err *mail_compose(TALLOC_CTX *mem, const struct mail *mail, char **out, size_t *len) MUST_CHECK;

/* `<g.TOKEN.RANDOM@DOMAIN>`, or `<g.RANDOM@DOMAIN>` when `token` is NULL; on `mem`. `address` is the game's own. */
char *message_id_new(TALLOC_CTX *mem, const char *token, const char *address);

#endif
