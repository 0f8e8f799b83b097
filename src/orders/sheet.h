/* An order sheet: what a player typed, read into orders, commands and problems. The language is a contract (the page
 * "How to write orders"); the grammar stands above the functions of parse_*.c.
 *
 *   struct sheet *sheet = orders_read(mem, text, len, &context);
 *   orders_merge(book, state, side, list, count, turn, &notes);      (merge.h)
 */
#ifndef GALLOPER_ORDERS_SHEET_H
#define GALLOPER_ORDERS_SHEET_H

#include "battle/terrain.h"
#include "orders/tree.h"
#include "orders/verbs.h"

struct names;

enum { SHEET_BYTES_MAX = 65536, SHEET_LINES_MAX = 2000, SHEET_ORDERS_MAX = 400, SHEET_NESTING_MAX = 16 };

/* Who writes, and about what. All pointers are the caller's and must outlive the sheet. */
struct orders_context {
	const struct state *state;
	const struct table *table; /* for squares and places */
	enum side side;            /* whose orders these are; also for the referee's ORDER */
	const bool *may_order;     /* for each piece of the state; NULL = all of the side */
	bool referee;              /* the referee's commands are his to give */
	bool numbers_name;         /* a number may be a piece's code, without the word gun: in rules cases */
	bool shreds;               /* rule set RH: column, line, rally and halt have a meaning of their own */
	int turn;                  /* the open turn; 0 = do not look at TURN */
	int held_turn;             /* the resolved turn that a referee looks at before it is told; 0 for none */
	const char *game;          /* its name; NULL = do not look at GAME */
	const char *sheet;         /* lines of the quoted sheet that came back (orders_sheet_lines), or NULL */
	size_t sheet_len;
	struct names *names; /* orders_names, made once for many sheets; NULL = made for this one */
};

enum order_kind {
	ORDER_GIVE,
	ORDER_CANCEL, /* `cancel UNIT`: its orders are taken back, standing ones too */
	ORDER_CLEAR,  /* `clear all`: of all that the writer commands */
};

/* How narrowly it names the unit: a line for the unit beats one for its wing (or kind) beats `all` (rule 8). */
enum order_rank { RANK_ALL, RANK_WING, RANK_UNIT };

struct order {
	enum order_kind kind;
	enum order_rank rank;
	bool standing;
	bool others;         /* for everyone else; of rank ALL */
	const char *subject; /* canonical: "R", "D, E, F", "left wing", "all except R", "everyone else" */
	int *units;          /* in the order in which they were named */
	int unit_count;
	int *excepted; /* everyone else but these */
	int excepted_count;
	struct clause *clauses; /* shared by all of its units */
	int line;               /* 1-based in the typed text */
	bool from_sheet;        /* in the quoted sheet, not in the typed text */
};

enum problem_kind {
	PROBLEM_UNREADABLE, /* this could not be read */
	PROBLEM_UNKNOWN,    /* no such unit */
	PROBLEM_AMBIGUOUS,  /* several units of that name */
	PROBLEM_NOT_YOURS,  /* the enemy's, or another player's */
	PROBLEM_GONE,       /* destroyed or fallen */
	PROBLEM_STALE,      /* GAME or TURN of another game or turn: nothing of the sheet counts */
	PROBLEM_TOO_LARGE,  /* nothing of the sheet counts, or nothing from here on */
	PROBLEM_FORBIDDEN,  /* a command that is the referee's */
	PROBLEM_USAGE,      /* a command that is written otherwise */
	PROBLEM_WRONG_KIND, /* one's own piece, but of a kind that cannot stand there: join a gun */
};

struct problem {
	enum problem_kind kind;
	int line, column;       /* 1-based, in characters (code points) */
	const char *typed;      /* the whole line as typed */
	const char *message;    /* one sentence: what was wrong and what was expected */
	const char *suggestion; /* the whole line as it would be right, all its slips mended; NULL when none is known */
	bool whole;             /* the suggestion is no mended line but a pattern, or several lines to choose from */
	bool example;           /* it only shows a form that reads; nobody knows what was meant */
	const char *
		*choices; /* while it is read: what may stand at the place, where only a person can say which; and */
	int choice_count; /* how many; then the suggestion has a line for each */
	bool from_sheet;
	const char *subject; /* of the order it stands in, as typed; NULL for none */
	int unit;            /* the first piece of that subject */
	bool locked;         /* which is in melee */
	/* ACCEPT: bytes [offset, offset + length) of the text become `replacement`; NULL when only a person can say. */
	const char *replacement;
	size_t offset, length;
};

/* What a reader should know though it is no mistake: "the later line stands", "read as ...". */
struct sheet_note {
	int line;
	const char *text;
};

/* A command as typed; which fields are filled stands beside each verb in verbs.h. Absent numbers are -1, absent texts
 * "", `units` empty. */
struct command_record {
	enum command_verb verb;
	int line;
	const char *typed;
	int turn, number;
	int side;
	const char *name, *text, *from, *to, *before, *because;
	int *units, unit_count;
	struct point place;
	struct heading heading;
	bool has_place, has_heading;
};

struct sheet {
	const char *game, *key; /* as typed after GAME and KEY, or NULL */
	int turn;               /* after TURN, or 0 */
	bool refused;           /* stale or too large: nothing of it counts; the reason is a problem */
	struct order *orders;   /* as written */
	int order_count;
	int *priority; /* RH: the last `priority` line */
	int priority_count;
	struct command_record *commands;
	int command_count;
	struct problem *problems; /* by place */
	int problem_count;
	const char **set_aside; /* lines and sentences that are no orders, as typed */
	size_t *set_aside_at;   /* the byte of the text at which each begins */
	int set_aside_count;
	struct sheet_note *notes;
	int note_count;
};

/* The names of the state's pieces, to be looked up: of every state of that battle. The state must live as long. The
 * words of the sheets that are read with it are kept in it, up to a limit. */
struct names *orders_names(TALLOC_CTX *mem, const struct state *s);

/* Reads a sheet. `text` is plain (text_plain) UTF-8 without the mail's furniture; greetings, signatures and chatter may
 * be left. Never fails: what cannot be read is a problem. Time grows with the length of the text. */
struct sheet *orders_read(TALLOC_CTX *mem, const char *text, size_t len, const struct orders_context *context);

/* The sheet's orders, cancels and priority in canonical form, a line each: read again with the same context it gives
 * exactly the same orders. This is what is stored. */
char *orders_canonical(TALLOC_CTX *mem, const struct sheet *sheet, const struct orders_context *context);

/* What reading that text gives: the sheet's orders as if each had been typed in its canonical form. They point into the
 * sheet. */
struct sheet *orders_as_printed(TALLOC_CTX *mem, const struct sheet *sheet);

/* The lines between `--- ORDERS game turn n ---` and `--- END ---` in a mail's quoted text (quote marks may still
 * stand before them) that are not among the `printed` lines of the sheet as we sent it. "" when there are none, or
 * when the marks name another game or turn than the context's. What was typed under a
 * printed line is for that line's unit. */
char *orders_sheet_lines(
	TALLOC_CTX *mem, const char *quoted, size_t len, const char *printed, const struct orders_context *context);

/* Parts a text into what was typed and the lines of a sheet that came back in it between its marks, quoted or not. Each
 * is as long as the text, with blanks for what belongs to the other, so that every place stays what it is. Both on
 * `mem`. */
void orders_split(TALLOC_CTX *mem, const char *text, size_t len, char **typed, char **sheet);

/* The problem's line as people can be shown it, at most some `columns` wide (a long one from a little before the
 * place); *caret is the column, from 0, at which a caret under it shows the place. */
const char *problem_line(TALLOC_CTX *mem, const struct problem *problem, int columns, int *caret);

/* The suggestion to show with the index-th problem: NULL too when the next one of the line says the same. */
const char *sheet_suggestion(const struct sheet *sheet, int index);

/* The same text with every problem's replacement put in (what ACCEPT means); *changed says how many there were. */
char *orders_accept(TALLOC_CTX *mem, const char *text, size_t len, const struct sheet *sheet, int *changed);

/* Does the text begin by saying yes, "yes please", "ok do that", "yes, as suggested"? That means ACCEPT where something
 * was suggested, and else is small talk. What stands behind it, in `text`; NULL when it does not. *alone: that is
 * nothing, or a name. */
const char *orders_assent(TALLOC_CTX *mem, const char *text, bool *alone);

/* Is that problem, of a line of the same words, among the sheet's? */
bool sheet_tells(const struct sheet *sheet, const struct problem *problem);

/* Takes out of a sheet what an earlier reading of its text has told already: problems, and lines set aside. */
void orders_leave_told(struct sheet *sheet, const struct sheet *before);

/* Marks the pieces that the sheet's orders are for or take orders from: one flag for each piece of the state. */
void orders_mark_named(const struct sheet *sheet, bool *units);

/* Takes the marked pieces out of the sheet's orders. */
void orders_leave_out(struct sheet *sheet, const bool *units, const struct orders_context *context);

#endif
