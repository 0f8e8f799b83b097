/* A mail taken apart (RFC 2046): the flat list of its parts that hold something. Our own splitter, because the
 * library's can be crashed and exhausted by one mail: it looks for boundaries from the outside inwards, never deeper
 * than PARTS_DEPTH_MAX, and is as slow as depth times length at worst. */
#ifndef GALLOPER_MAIL_PARTS_H
#define GALLOPER_MAIL_PARTS_H

#include "mail/decode.h"
#include "mail/field.h"

enum { PARTS_DEPTH_MAX = 16, PARTS_MAX = 200 };

struct part {
	const struct fields *fields;
	const char *type;     /* "text/plain", in lower case; "text/plain" if it says none */
	const char *charset;  /* as declared; "" = none */
	const char *filename; /* decoded; "" = none */
	bool attachment;      /* Content-Disposition says so */
	bool inside;          /* part of a mail that is attached to this one */
	bool alternative;     /* one of several forms of the same words */
	bool flowed, delsp;   /* RFC 3676 */
	const char *body;     /* as it lies in the mail, still encoded */
	size_t len;
};

struct parts {
	struct part *list;
	int count;
	bool encrypted, report; /* multipart/encrypted; multipart/report */
	bool too_many;          /* of parts, or too deep: not all are in the list */
};

/* The parts of the mail with this header and body (the caller's, for the list's life). An attached mail
 * (message/rfc822) is listed itself, and then its parts as `inside`. On `mem`. */
struct parts *parts_read(
	TALLOC_CTX *mem, const struct charsets *c, const struct fields *fields, const char *body, size_t len);

/* The part's text in UTF-8, decoded; on `mem`. And its bytes. */
char *part_text(TALLOC_CTX *mem, const struct charsets *c, const struct part *p, size_t *len);
char *part_bytes(TALLOC_CTX *mem, const struct part *p, size_t *len);

/* Does its file's name end in one of these (the last one NULL)? Is it of that type, and neither attached nor named? Is
 * it HTML, by its type or its name? Is it a file of orders, whatever a mail program takes it for? */
bool part_named(const struct part *p, const char *const *ends);
bool part_is_body(const struct part *p, const char *type);
bool part_is_page(const struct part *p);
bool part_is_order_file(const struct part *p);

#endif
