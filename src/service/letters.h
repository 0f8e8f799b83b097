/* The mails that Galloper writes: each gathers what the report layer prints, and puts the composed mail into the outbox
 * with the player's reply token. All are called inside the transaction of what they tell of. */
#ifndef GALLOPER_SERVICE_LETTERS_H
#define GALLOPER_SERVICE_LETTERS_H

#include "service/adjudicate.h"

struct draft;

/* What an answer answers: threading and the address it goes to. */
struct answered_mail {
	const char *sender; /* bare address */
	const char *subject;
	const char *message_id; /* "" for none */
	const char *references;
	bool other_part;  /* it was of a part of the open turn that is over (FP1) */
	int64_t shows;    /* the turn row whose event numbers it printed (turns.h); 0 = not known */
	int64_t arrived;  /* when the answered mail came */
	const char *last; /* no more answers for a while: what to say of it, above the answer; NULL otherwise */
};

/* Who is given a mail: to the address he wrote from if that is his, else to his first. Stopped players get none. */

struct err *letter_welcome(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p) MUST_CHECK;

/* What was understood of a mail. `sheet` may hold orders, problems, notes; `row` is the sheet as stored (NULL when
 * nothing was); `said` are paragraphs that answer its commands, "" for none. */
struct receipt {
	const struct sheet *sheet;
	const struct sheet_row *row;
	const char *said;
	const char *which;         /* which turn it counts for, where that may surprise; "" for nothing */
	const char *set_aside;     /* what the mail reader set aside, a line each; "" for none */
	const char *partners;      /* whose orders it replaces (partners_tell); NULL for nobody's */
	int quoted;                /* lines of quoted text besides */
	const struct sheet *still; /* problems of earlier mails that are not mended (unread_before) */
	bool ready;                /* by an earlier mail; nothing in this one changes that */
};
/* It stands in the outbox, and *out is still to be written (draft.h); NULL when the player is stopped. What the
 * arguments point to must live as long, they themselves need not. */
struct err *letter_receipt(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p,
	const struct answered_mail *to, const struct receipt *r, struct draft **out) MUST_CHECK;

/* Any other answer to a player: the paragraphs of `text` under a subject, with the current sheet when `with_sheet`.
 * With `to` NULL it answers nothing and goes to his own address. */
struct err *letter_answer(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p,
	const struct answered_mail *to, const char *subject, const char *text, bool with_sheet) MUST_CHECK;

/* The same without a sheet, of events by the numbers of the turn row `shows`. */
struct err *letter_answer_showing(const struct service *s, TALLOC_CTX *mem, const struct board *b,
	const struct player *p, const struct answered_mail *to, const char *subject, const char *text,
	int64_t shows) MUST_CHECK;

/* A mail of our own to the player himself, which his deputies do not get. */
struct err *letter_private(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p,
	const char *subject, const char *text, bool with_sheet) MUST_CHECK;

struct err *letter_reminder(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p) MUST_CHECK;

/* The turn's report to everybody (and the debrief when the battle has ended). */
struct err *letter_reports(const struct service *s, TALLOC_CTX *mem, const struct adjudication *a) MUST_CHECK;
/* The same as the answer to a mail: of a drill, in which nobody else is told. `left`: what of his mails gave no order
 * (unread_left). */
struct err *letter_reports_answering(const struct service *s, TALLOC_CTX *mem, const struct adjudication *a,
	const struct answered_mail *to, const char *left) MUST_CHECK;

/* An old turn's report once more, in answer to a mail (RESEND). A turn that is not resolved is an error of ERR_GAME. */
struct err *letter_resend(const struct service *s, TALLOC_CTX *mem, const struct board *b, const struct player *p,
	const struct answered_mail *to, int turn) MUST_CHECK;

/* A resolved turn's report as text for the side's players (-1: the referee); on `mem`. */
struct err *report_text(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, int turn, int side, char **out) MUST_CHECK;

/* The same turn for a program: its events with every die's name and value, and the digest of the state after. */
struct err *report_json(
	const struct service *s, TALLOC_CTX *mem, const struct board *b, int turn, char **out) MUST_CHECK;

/* The one polite mail to somebody whose mail names no game he can prove to play in; gives nothing away. `why` and `how`
 * may be ""; `left`: he has played in the game that he answers, and does so no longer. */
struct err *letter_failure(const struct service *s, TALLOC_CTX *mem, const struct answered_mail *to, const char *why,
	const char *how, bool left) MUST_CHECK;

/* A notice to the referees of a game. */
struct err *letter_to_referees(const struct service *s, TALLOC_CTX *mem, const struct board *b, const char *subject,
	const char *text) MUST_CHECK;

/* A notice to everybody in a game. */
struct err *letter_to_all(const struct service *s, TALLOC_CTX *mem, const struct board *b, const char *subject,
	const char *text) MUST_CHECK;

/* That three mails to this player came back: to the referees of his game, or to the operator if he is a referee. */
struct err *letter_unreachable(const struct service *s, TALLOC_CTX *mem, const struct player *p) MUST_CHECK;

/* A notice to everybody in a game but `sender`, who is answered. */
struct err *letter_to_others(const struct service *s, TALLOC_CTX *mem, const struct board *b,
	const struct player *sender, const char *subject, const char *text) MUST_CHECK;

/* A notice to the configured operator; nothing when there is none. */
struct err *letter_to_operator(
	const struct service *s, TALLOC_CTX *mem, const char *subject, const char *text) MUST_CHECK;

#endif
