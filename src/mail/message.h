/* What a mail says, as a flat record: who wrote, what it answers, what was typed, and what was set aside. It is what
 * the mail reader hands back (reader.h), and nothing in it is to be believed: anybody can write any of it. */
#ifndef GALLOPER_MAIL_MESSAGE_H
#define GALLOPER_MAIL_MESSAGE_H

#include "mail/typed.h"

enum {
	MESSAGE_BYTES_MAX = 256 * 1024, /* of a mail without its pictures and other files; a larger one is not read */
	MESSAGE_PARTS_MAX = 100,        /* "multipart/" and "message/rfc822" in one mail; more is an attack */
	MESSAGE_FILE_MAX = 64 * 1024,   /* bytes of an attached text that is read */
	MESSAGE_RECIPIENTS_MAX = 50,
};

/* Why there are no typed words; what to tell the sender differs. */
enum no_text {
	TEXT_FOUND,
	NO_TEXT_EMPTY,     /* nothing at all */
	NO_TEXT_SET_ASIDE, /* only quotes, greetings and signatures */
	NO_TEXT_PICTURE,   /* a photo of the orders */
	NO_TEXT_DOCUMENT,  /* a word processor's file, a PDF, a spreadsheet */
	NO_TEXT_WINMAIL,   /* winmail.dat: Outlook's own format */
	NO_TEXT_FILE,      /* some other file */
	NO_TEXT_ENCRYPTED, /* S/MIME or PGP */
	NO_TEXT_TOO_LARGE, /* more than we fetch or read; headers only */
};

struct recipient {
	const char *address; /* from To, Cc, Delivered-To, X-Original-To: in that order of trust from the last */
	const char *tag;     /* what stands between '+' and '@'; "" if nothing does */
};

/* A delivery report (RFC 3464), or what a mail server without manners sends in its place. */
struct bounce {
	bool present;
	bool failed;             /* it has been given up; a delay is not */
	bool permanent;          /* and the next one will not come either: status 5.x.x, but no full mailbox */
	const char *recipient;   /* whom the mail did not reach */
	const char *status;      /* "5.1.1" */
	const char *diagnostic;  /* the other server's words */
	const char *original_id; /* Message-ID of the mail that came back */
};

/* All strings are UTF-8 and never NULL; "" is "none". */
struct message {
	bool readable;          /* false: only the fields of the header are to be relied on */
	const char *unreadable; /* why, for a log: holds nothing of the mail */

	const char *sender;         /* bare address; "" unless there is one From field with one address in it */
	const char *sender_name;    /* display name, decoded */
	const char *sender_unknown; /* why `sender` is "" */
	struct recipient *recipients;
	int recipient_count;
	const char *subject; /* decoded, one line */
	const char
		*subject_tag; /* what stands in [...] at the subject's head, behind any Re:, [EXTERNAL], or else last */
	bool forwarded;       /* the subject says so */
	const char *message_id;  /* "<...>" */
	const char *in_reply_to; /* as it stood, unfolded */
	const char *references;
	const char *authentication; /* the Authentication-Results fields, a line each, the topmost first */

	const char *automatic; /* why no answer may be sent: "a mailing list (List-Id)"; "" for a person's mail */
	bool own;              /* carries the mark of our own mails: ours come back, or another Galloper's */
	struct bounce bounce;

	enum no_text no_text;
	const char *text_from; /* "text/plain", "text/html", a file's name: where the words were found */
	struct typed typed;    /* never NULL fields; empty when no_text says why */
	const char *files;     /* names of attached files that were not read, one a line */
};

/* "a photo", "a word processor's file": for `galloper read` and the log. */
const char *no_text_name(enum no_text kind);

/* An empty message on `mem`: no NULL strings. */
struct message *message_new(TALLOC_CTX *mem);

/* The record as bytes for the pipe between the reader and its parent, and back. message_decode trusts nothing: false if
 * the bytes are not whole. Results are on `mem`. */
char *message_encode(TALLOC_CTX *mem, const struct message *m, size_t *len);
bool message_decode(TALLOC_CTX *mem, const char *bytes, size_t len, struct message **out);

#endif
