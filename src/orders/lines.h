/* How the lines of a sheet open, and which go with the line before (rules 2, 3, 6 and 13). */
#ifndef GALLOPER_ORDERS_LINES_H
#define GALLOPER_ORDERS_LINES_H

#include "orders/parse.h"

enum opening {
	OPENS_UNKNOWN_YET,
	OPENS_BLANK,
	OPENS_END,
	OPENS_MARK,   /* --- ORDERS falkirk-7b turn 3 --- */
	OPENS_HEADER, /* GAME, TURN, KEY */
	OPENS_COMMAND,
	OPENS_PRIORITY,
	OPENS_PRINTED,          /* a line of our own mails, not quoted */
	OPENS_ORDER,            /* a subject followed by `:`, ` - ` or a verb */
	OPENS_HEAD,             /* a subject alone on its line */
	OPENS_UNKNOWN_SUBJECT,  /* what looks like one but is none */
	OPENS_VERB_AND_SUBJECT, /* "Move R 6 north" */
	OPENS_VERB,
	OPENS_CONDITION, /* if, unless, otherwise */
	OPENS_OTHER,
};

/* What says before a subject that the order stands. */
bool take_standing(struct parser *p);
/* header.c: "TURN 3", "GAME x KEY y", "TURN 3: R: hold" at p->pos, where a line begins. */
bool header_begins(struct parser *p);
/* The header at p->pos, into the sheet. */
void read_header(struct parser *p);
/* What stands behind it in the line is read as a line of its own; false when nothing does. */
bool header_goes_on(struct parser *p, int line);
/* "--- ORDERS falkirk-7b turn 3 ---" */
void read_mark(struct parser *p);

enum { WRAPPED_COLUMNS = 60 };

enum opening line_opening(struct parser *p, int line);
/* Index of the NEWLINE token that ends the line. */
int line_end(const struct parser *p, int line);
int common_indent(const struct lexed *l);

/* Is the line one that our own mails print, and no order? The opening of the line above is known (printed.c). */
bool is_printed(struct parser *p, int line);

/* How long the line is, in characters. */
int columns(const struct parser *p, int line);

/* Settles what each newline does from `line` on, up to the one that ends its order; the index of that one. */
int settle_newlines(struct parser *p, int line);

/* Does the line read whole as an order, its subject included? */
bool reads_as_order(struct parser *p, int line);
/* A line that opens with a verb: does it read whole, or hold a number or a unit? */
bool line_tells_something(struct parser *p, int line);

/* "do not" at the end of a line: the verb on the next is not to be read. */
bool ends_in_negation(const struct parser *p, int line);

/* A line that is nothing but a condition, and the blank ones below it: what comes next hangs on it. */
bool condition_hangs(struct parser *p, int line);

/* Such a line with orders below it (blocks.c). */
bool block_begins(struct parser *p, int line);
/* Reads it and all that it governs; the number of the next line. */
int read_condition_block(struct parser *p, int line);
/* An `if` that stands alone behind an order, parted from it by a blank line or the end of a sentence: that order is
 * taken back and the writer asked. False when it is none. */
bool ask_for_order_above(struct parser *p, int line);
/* One line, or the lines that go with it; the number of the next, or -1 at the sheet's end (parse_sheet.c). */
int read_line(struct parser *p, int line);

/* lost_line.c: the tokens [from, end) were understood; so were the lines in which they stand. */
void mark_understood(struct parser *p, int from, int end);
/* Lines [from, end) were read together: what of them is in no order, no problem and not set aside yet is set aside, so
 * that no line gets lost. `before` is what the sheet held before. */
struct held {
	int problems, orders, set_aside;
};
void set_aside_lost(struct parser *p, int from, int end, const struct held *before);

/* The orders of the lines from `line` on that belong together; the number of the next line. */
int read_orders(struct parser *p, int line);
/* "Which unit?", of the verb at p->pos. */
void tell_no_subject(struct parser *p);

/* The words from p->pos to `end`, which could not be read: do they name units of the writer's own, or "the dragoons",
 * and wish something done by them? *unit is the first that they name, or -1 (wish.c). */
bool wishes(struct parser *p, int end, int *unit);
/* "were great last turn", behind a name: words from p->pos to `end` that tell what was, and wish nothing. */
bool tells_of_past(struct parser *p, int end);
/* "orders for turn 3", "here we go:": is the word at p->pos, in words from `start` on, one that orders nothing there?
 */
bool is_said_of_game(struct parser *p, int start);
/* "Nobody else is to move" at p->pos, told. */
bool tell_nobody(struct parser *p);
/* Of the words from p->pos to `end` the part from some word on that is an order, on p->sheet; NULL for none (offer.c).
 */
const char *order_within(struct parser *p, int end);
/* Asks about them. */
void tell_wish(struct parser *p, int end, int unit);

/* Orders taken back in plain words, from p->pos to p->stop: told, with the command that does it (taking_back.c). */
bool tell_taking_back(struct parser *p);
/* "Forget that line" at p->pos, below an order that was understood: told likewise. */
bool tell_forgotten_order(struct parser *p, int line);
/* A line that opens like no order (parse_other.c). */
void read_other(struct parser *p, int line);
/* Behind a subject: "cancel", "delete that", "no orders", "stop the standing order", up to a separator. Takes it. */
bool take_cancel(struct parser *p);
/* Is the token one of those words, which end with NULL? */
bool is_among(const struct token *t, const char *const *words);
/* A line that opens with a verb but belongs to no order, and what goes with it; the number of the next line. */
int read_loose_verb(struct parser *p, int line);
/* "Hi, it's Emma. R - hold": sets aside what stands before an order, so that the line begins with that. */
bool order_after_sentence(struct parser *p, int line);

/* A subject alone up to the end of the line, at p->pos. */
bool head_begins(struct parser *p);
/* "Turn 1: the English lost a base", "hiya, turn 2 from 7b": a line that tells of a turn and is no header. */
bool tells_of_turn(struct parser *p, int line);
/* Words at p->pos that stand where a subject should: the token after them, or 0. */
int unknown_subject(struct parser *p);
/* The same for up to six words and a `:` alone. */
int marked_unknown(struct parser *p);
/* A verb at p->pos, or a word very like one. */
bool nearly_verb(struct parser *p);
/* "If c within 8 then R hold": the subject behind a condition that opens the order; the parser's hole is put over it.
 */
bool find_governed_subject(struct parser *p, struct subject *s);
/* "Move R 6 north", "charge j with R": likewise. */
bool find_inner_subject(struct parser *p, struct subject *s);
/* The same behind a condition that cannot be read; nothing is put over it. */
bool find_subject_behind_if(struct parser *p, struct subject *s);
void close_hole(struct parser *p);
/* "Hi all, R hold": passes the greeting and who is greeted, when more stands behind it. A greeting alone is chatter. */
void skip_greeting(struct parser *p);
/* Passes "please", "can", "no wait"; true when a lone letter after it is no code. */
bool skip_requests(struct parser *p);
bool lone_letter(struct parser *p);
/* "can R go 4 north?": whether R is meant is asked; "can u hold" and "may I" are no orders. Looks at the letter. */
bool letter_begins(struct parser *p);
/* The code of one of the writer's own units, for messages. */
const char *example_code(struct parser *p);

enum free_text {
	TEXT_OF_LINE,
	TEXT_OF_REASON,  /* may be broken by its writer's own hand within a sentence */
	TEXT_OF_MESSAGE, /* goes on to the next blank line, command or order */
};
/* The text of a command from here: to the end of the line, and of the next where a mail client may have broken it; or
 * when nothing is left on the line, to the next blank line. On p->mem; p->pos and p->stop move past it. */
const char *take_free_text(struct parser *p, enum free_text kind);

/* That text on one line, on p->mem. */
const char *reason_line(struct parser *p, const char *text);

#endif
