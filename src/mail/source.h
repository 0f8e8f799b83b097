/* Where mails come from: a server (imap.c) or a Maildir (maildir_source.c). Each is a `struct source_kind`; the program
 * that links it hands it to whoever polls.
 *
 * The ledger in the database, not the mailbox's flags, knows what has been dealt with. A poll is: open, list, fetch
 * what the ledger does not know and commit it, file what is done with, close. */
#ifndef GALLOPER_MAIL_SOURCE_H
#define GALLOPER_MAIL_SOURCE_H

#include "config/config.h"

#include <stdatomic.h>
#include <stddef.h>

enum {
	SOURCE_MAIL_MAX = 6 * 1024 * 1024, /* of a larger mail only the header is fetched */
	SOURCE_LIST_MAX = 20000,           /* mails in one listing: the newest */
	SOURCE_BATCH_MAILS = 250,          /* bodies in one exchange with a server */
	SOURCE_BATCH_BYTES = 8 * 1024 * 1024,
	SOURCE_MOVE_MAILS = 250, /* moved in one exchange */
};

struct source_settings {
	const struct server_config *server; /* imap */
	const char *ca_file;                /* "" = the system's certificates */
	int network_seconds;                /* deadline of one exchange with the server, trickling included */
	const atomic_bool *stop;            /* once it is set, an exchange under way is broken off; NULL: never */
	const char *mailbox;                /* imap: "INBOX" */
	const char *processed, *rejected;   /* folders, made when missing; a Maildir's are .NAME (Maildir++) */
	const char *folder;                 /* maildir: the root; cur, new and tmp are made when missing */
};

/* The settings of the configuration; strings stay the configuration's. */
struct source_settings source_settings_from(const struct config *c);

/* A mail in the mailbox. (validity, uid) names it for good: IMAP's UIDVALIDITY and UID (RFC 3501, 2.3.1.1); in a
 * Maildir validity is 1 and the uid the file's unique name. */
struct source_item {
	int64_t validity;
	const char *uid;
	int64_t arrived; /* at the server, UTC seconds: INTERNALDATE, or the file's mtime */
	int64_t size;    /* bytes, as the server says: a hint */
};

struct source_list {
	struct source_item *items; /* in order of arrival, then uid */
	int count;
	bool complete; /* false: these are the newest SOURCE_LIST_MAX of more */
	bool broken;   /* the server has more, and kept them to itself: any may be missing */
};

enum source_folder { SOURCE_PROCESSED, SOURCE_REJECTED };

/* Takes one mail that was fetched; `item` is the one of those asked for. `raw` lives only during the call. A mail over
 * SOURCE_MAIL_MAX comes as its header alone, with the field "X-Galloper-Too-Large: BYTES" put before it, so that the
 * reader can say so. An error ends the fetch and is given back. */
typedef struct err *(*source_take)(
	void *context, TALLOC_CTX *mem, const struct source_item *item, const char *raw, size_t len);

struct source;

/* Errors of every function: ERR_ACCOUNT. With `retry`, the network or the server failed and the next poll may go well;
 * without, somebody has to mend the settings (log-in refused, certificate, no such mailbox), and the text says what.
 * No text holds a password. After an error the source must be closed. */
struct source_kind {
	const char *name;
	/* Connects, logs in, selects. A source on `mem`; talloc_free closes it (politely, within the deadline). The
	 * settings must live as long. */
	struct err *(*open)(TALLOC_CTX *mem, const struct source_settings *settings, struct source **out);
	/* What lies in the mailbox, without the mails that a client has marked as deleted. */
	struct err *(*list)(struct source *s, TALLOC_CTX *mem, struct source_list *out);
	/* Fetches these mails, many at a time, and hands each to `take`. *missed counts those that the server named
	 * but did not deliver: they stay, and are tried again with the next poll. A mail that breaks the connection
	 * does not take the others with it: the rest are fetched one by one on new connections. */
	struct err *(*fetch)(struct source *s, TALLOC_CTX *mem, const struct source_item *items, int count,
		source_take take, void *context, int *missed);
	/* Moves mails into a folder, many in one exchange. One that is gone already is no error, nor one of another
	 * validity than the mailbox now has: such a mail cannot be found any more. */
	struct err *(*file)(struct source *s, TALLOC_CTX *mem, const struct source_item *items, int count,
		enum source_folder folder);
};

struct source {
	const struct source_kind *kind;
	int64_t exist; /* mails in it when it was opened; 0 also where only the listing can tell */
};

extern const struct source_kind maildir_source;
extern const struct source_kind imap_source; /* needs libetpan: in galloperd only */

#endif
