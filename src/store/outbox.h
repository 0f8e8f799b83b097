/* The outbox: a row a recipient, with the mail's final bytes. Nothing is sent that does not stand here, and a row is
 * sent by one process only. */
#ifndef GALLOPER_STORE_OUTBOX_H
#define GALLOPER_STORE_OUTBOX_H

#include "store/store.h"

struct outgoing {
	int64_t id;
	int64_t game, player;  /* 0 = none */
	const char *recipient; /* bare address */
	const char *kind;      /* welcome, receipt, report ... */
	int turn;
	int line;      /* of play, when it was written; 0 = of no game */
	int64_t shows; /* the turn row whose event numbers it prints (turns.h); 0 = none */
	const char *message_id;
	const char *bytes;
	size_t len;
	const char *printed; /* the order sheet's lines as this mail printed them */
	int64_t made;
	const char *state; /* queued, sending, sent, failed, uncertain */
	int tries;
	int doubts; /* tries after which nobody knew if it had been taken */
	const char *why;
};

struct outgoings {
	struct outgoing *list;
	int count;
};

/* Adds a row, due at once; the id is filled in. Of the row only id, state, tries, doubts and why are not read. */
struct err *store_queue(struct store *s, TALLOC_CTX *mem, struct outgoing *row) MUST_CHECK;
/* The same in two steps of one transaction, for a mail that is still being written: all but the last two of `bytes`,
 * `len` and `printed`, and then these. */
struct err *store_queue_row(struct store *s, TALLOC_CTX *mem, struct outgoing *row) MUST_CHECK;
struct err *store_queue_bytes(struct store *s, TALLOC_CTX *mem, const struct outgoing *row) MUST_CHECK;

/* Seconds: no try is put off for longer, and no claim lasts longer. What is due later than that was dated by a clock
 * that was ahead, and is due now. */
enum { OUTBOX_WAIT_MAX = 6 * 3600 };

/* Claims the next row that is due, for `owner` until now + `seconds`; *out NULL when there is none. A row whose owner
 * died while sending comes up again after that time and counts as uncertain, with one more doubt: the same Message-ID
 * goes out. */
struct err *store_claim(struct store *s, TALLOC_CTX *mem, const char *owner, int64_t now, int seconds,
	struct outgoing **out) MUST_CHECK;

/* The id of the newest row, 0 when there is none. */
struct err *store_outbox_last(struct store *s, TALLOC_CTX *mem, int64_t *id) MUST_CHECK;

/* Whoever holds a claim, NULL-terminated, each once; and: that one is gone, his rows are uncertain (one more doubt) and
 * due now. */
struct err *store_claimants(struct store *s, TALLOC_CTX *mem, const char ***out) MUST_CHECK;
struct err *store_unclaim(struct store *s, TALLOC_CTX *mem, const char *owner, int64_t now) MUST_CHECK;

/* What became of a claimed row: sent, failed, queued or uncertain (the last two with the time of the next try,
 * the first with the time of this one). A row
 * that is sent or failed already stays so. */
struct err *store_sent(
	struct store *s, TALLOC_CTX *mem, int64_t row, const char *state, int64_t due, const char *why) MUST_CHECK;

/* How many mails were sent after that moment and by now; those that a clock which was ahead dated later do not count.
 */
struct err *store_sent_since(struct store *s, TALLOC_CTX *mem, int64_t since, int64_t now, int64_t *count) MUST_CHECK;

/* A claimed row whose turn never came: queued, due at once, and the try does not count. */
struct err *store_unsent(struct store *s, TALLOC_CTX *mem, int64_t row, int64_t now, const char *why) MUST_CHECK;

/* The Message-ID of the last mail to a player at that address; "" when there is none. On `mem`. */
struct err *store_last_to(
	struct store *s, TALLOC_CTX *mem, int64_t player, const char *recipient, const char **message_id) MUST_CHECK;

/* The last mail of a kind to a player for a turn (kind "" = any, turn 0 = any); NULL when there is none. */
struct err *store_last_mail(
	struct store *s, TALLOC_CTX *mem, int64_t player, const char *kind, int turn, struct outgoing **out) MUST_CHECK;

/* The mail with this Message-ID ("<...>"), which a reply or a bounce names; NULL when we sent none. */
struct err *store_mail_sent_as(
	struct store *s, TALLOC_CTX *mem, const char *message_id, struct outgoing **out) MUST_CHECK;

/* That mail has come back, of which this is the first news; NULL when we sent none, or knew it. */
struct err *store_came_back(struct store *s, TALLOC_CTX *mem, const char *message_id, struct outgoing **out) MUST_CHECK;

/* Which turn row's event numbers the last mail to this player printed that printed any; 0 when none did. */
struct err *store_last_shown(struct store *s, TALLOC_CTX *mem, int64_t player, int64_t *out) MUST_CHECK;

/* The sheet lines of all mails to a player for a turn, one after the other. */
struct err *store_printed(struct store *s, TALLOC_CTX *mem, int64_t player, int turn, char **out) MUST_CHECK;

/* How many mails wait, and how many of those have been tried in vain. */
struct err *store_outbox_count(struct store *s, TALLOC_CTX *mem, int *waiting, int *failing) MUST_CHECK;

/* Whatever waits for the player or his deputies is never sent, and why. */
struct err *store_take_back(struct store *s, TALLOC_CTX *mem, int64_t player, const char *why) MUST_CHECK;

#endif
