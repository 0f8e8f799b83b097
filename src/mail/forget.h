/* Mails that lie in Maildirs as files are removed, when the people who wrote or got them are forgotten. What lies on a
 * mail server is not ours to remove.
 *
 * Only regular files directly in the cur, new and tmp of the folders named here are looked at, and only those removed
 * that the ledger has named. A mail that is gone already is no error. */
#ifndef GALLOPER_MAIL_FORGET_H
#define GALLOPER_MAIL_FORGET_H

#include "mail/sink.h"
#include "mail/source.h"

/* Mails that came in, wherever they have been filed, by their uid (source_item.uid). */
struct err *forget_taken(
	TALLOC_CTX *mem, const struct source_settings *s, const char *const *uids, int count) MUST_CHECK;

/* A mail that went out. */
struct forget_sent {
	const char *recipient, *message_id;
};

/* Mails that went out, by recipient and Message-ID ("<...>"). A recipient's folder goes with its last mail, since its
 * name is his address. */
struct err *forget_sent(
	TALLOC_CTX *mem, const struct sink_settings *s, const struct forget_sent *sent, int count) MUST_CHECK;

#endif
