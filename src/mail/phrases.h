/* The set phrases that mail programs put around what a person types, in the languages that schools write in: how a
 * reply introduces the mail it quotes, a forwarded mail's heading, phones' advertisements, gateways' warnings. Each
 * function looks at one line or a few; which of them counts where is typed.c's business. */
#ifndef GALLOPER_MAIL_PHRASES_H
#define GALLOPER_MAIL_PHRASES_H

#include "base/err.h"

/* A line without its quote marks and blanks at the ends, and the same folded (text_fold). */
struct phrase_line {
	const char *plain;
	const char *folded;
	int depth; /* quote marks before it */
};

enum { PHRASE_ATTRIBUTION_LINES = 3, PHRASE_BLOCK_LINES = 6 };

/* How many lines from `l` on are an attribution ("On ... Carol <c@x> wrote:"); 0 if none. `count` lines may be read. */
int phrase_attribution(TALLOC_CTX *mem, const struct phrase_line *l, int count);

/* The same in whatever language, for lines right above a quote: they end in a colon and hold an address in angle
 * brackets, a year, or a verb of saying. */
int phrase_introduces(const struct phrase_line *l, int count);

/* How many lines from `l` on are Outlook's block of From, Sent, To and Subject; 0 if none. */
int phrase_header_block(TALLOC_CTX *mem, const struct phrase_line *l, int count);

/* "From: Carol <c@x>" with no other field near: some programs quote with no more heading than that. */
bool phrase_from_address(TALLOC_CTX *mem, const struct phrase_line *l);

bool phrase_original_message(const struct phrase_line *l); /* "-----Original Message-----" */
bool phrase_forwarded(const struct phrase_line *l);        /* "---------- Forwarded message ---------" */
bool phrase_between_arrows(const struct phrase_line *l);   /* ">>> Carol <c@x> 30/11/2026 17:42 >>>" */

/* A line that only our own mails have, of those that stand above their examples of orders: what follows is one of them,
 * quoted with no mark and no heading. */
bool phrase_own_mail(const struct phrase_line *l);

bool phrase_rule(const struct phrase_line *l);           /* twenty underlines or more */
bool phrase_placeholder(const struct phrase_line *l);    /* "[cid:image001.png]": where a picture or a link stood */
bool phrase_signature_mark(const struct phrase_line *l); /* "-- " */
bool phrase_advertisement(const struct phrase_line *l);  /* "Sent from my iPhone" */
bool phrase_greeting(const struct phrase_line *l);       /* "Dear Galloper," */
bool phrase_closing(const struct phrase_line *l);        /* "Kind regards," */

/* The first line of a legal disclaimer; of a gateway's warning; a line that goes on with such a warning. */
bool phrase_disclaimer(const struct phrase_line *l, int count);
bool phrase_warning(const struct phrase_line *l);
bool phrase_warning_goes_on(const struct phrase_line *l);

#endif
