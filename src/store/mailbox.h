/* The ledger of mail that came in: what was fetched, what became of it. A mail is known by (account, validity, uid),
 * and by the digest of what its author sent, whichever way it came. */
#ifndef GALLOPER_STORE_MAILBOX_H
#define GALLOPER_STORE_MAILBOX_H

#include "store/store.h"

struct account {
	int64_t id;
	const char *name;
	int64_t made;          /* set up then; older mail is recorded, never answered or moved */
	int64_t complete;      /* when the last poll that got everything was begun */
	int64_t failing_since; /* 0 = it works */
	const char *failure;
};

struct incoming {
	int64_t id;
	int64_t account;
	int64_t validity;
	const char *uid;
	int64_t arrived;
	const char *state; /* fetched, done, duplicate, old, ignored, rejected */
	const char *folder;
	int tries;
	const char *raw;
	size_t raw_len;
	unsigned char digest[32];
};

struct incomings {
	struct incoming *list;
	int count;
};

/* The account of that name, made now if it is new. */
struct err *store_account(
	struct store *s, TALLOC_CTX *mem, const char *name, int64_t now, struct account **out) MUST_CHECK;
struct err *store_polled(struct store *s, TALLOC_CTX *mem, int64_t account, int64_t begun) MUST_CHECK;
struct err *store_poll_failed(
	struct store *s, TALLOC_CTX *mem, int64_t account, int64_t now, const char *why) MUST_CHECK;

struct err *store_mail_known(
	struct store *s, TALLOC_CTX *mem, int64_t account, int64_t validity, const char *uid, bool *out) MUST_CHECK;
/* The same for a mail that the mailbox lists as arrived then. A server that has given a number to another mail, which
 * it may not, shows by that: the mail that had it is not looked for there any more, and this one is not known. */
struct err *store_mail_listed(struct store *s, TALLOC_CTX *mem, int64_t account, int64_t validity, const char *uid,
	int64_t arrived, bool *known) MUST_CHECK;
/* Adds a mail; id, state and folder are filled in. It is "fetched", and so waits to be read; or, with a digest that is
 * known already, a "duplicate": neither read nor answered, only moved away. (A rejected mail that was moved away and
 * lies in the mailbox again is read again: somebody put it back.) Mail that arrived before `not_before` is "old", kept
 * without its bytes. The id is 0 when another process has added this very mail meanwhile. */
struct err *store_add_mail(
	struct store *s, TALLOC_CTX *mem, struct incoming *m, int64_t now, int64_t not_before) MUST_CHECK;

/* Was the very same mail rejected before? Then this is a second delivery, or somebody has put it back. */
struct err *store_mail_rejected_before(struct store *s, TALLOC_CTX *mem, int64_t mail, bool *out) MUST_CHECK;

/* A mail that was named at `now` and not delivered: after `tries` times it is asked for only every so many seconds. And
 * when it is to be asked for again; 0 for any other mail. And whether the account has such mails. */
struct err *store_put_off(struct store *s, TALLOC_CTX *mem, int64_t account, int64_t validity, const char *uid,
	int64_t now, int tries, int seconds) MUST_CHECK;
struct err *store_put_off_until(
	struct store *s, TALLOC_CTX *mem, int64_t account, int64_t validity, const char *uid, int64_t *out) MUST_CHECK;
struct err *store_any_put_off(struct store *s, TALLOC_CTX *mem, int64_t account, bool *out) MUST_CHECK;

/* Up to `max` mails waiting to be read, in order of arrival, with their raw bytes; no more once there are so many of
 * these. */
struct err *store_mail_waiting(
	struct store *s, TALLOC_CTX *mem, int max, size_t bytes, struct incomings *out) MUST_CHECK;
/* The end of a mail's way: state, the folder it is to be moved to ("" = stays), whose it was (0 = unknown), why. An
 * ERR_MAIL, and so a transaction to roll back, when the mail no longer waits: another process was faster. */
struct err *store_mail_done(struct store *s, TALLOC_CTX *mem, int64_t mail, const char *state, const char *folder,
	int64_t game, int64_t player, const char *why) MUST_CHECK;
/* One more failed try; *tries is how many there have been (0: it no longer waits). Not to be called in the transaction
 * that failed. */
struct err *store_mail_failed(struct store *s, TALLOC_CTX *mem, int64_t mail, const char *why, int *tries) MUST_CHECK;
/* When that mail of the account came in which has waited longest to be moved in the mailbox; 0 when none waits. */
struct err *store_mail_moving_since(struct store *s, TALLOC_CTX *mem, int64_t account, int64_t *since) MUST_CHECK;
/* Mails of an account that have yet to be moved in the mailbox (without raw bytes), a thousand at most; then: that one
 * has been. */
struct err *store_mail_to_move(struct store *s, TALLOC_CTX *mem, int64_t account, struct incomings *out) MUST_CHECK;
struct err *store_mail_moved(struct store *s, TALLOC_CTX *mem, int64_t mail) MUST_CHECK;

#endif
