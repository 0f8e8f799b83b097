/* The lexer: text into tokens and lines. Every word is folded once and looked up once: equal words share one record, in
 * which the vocabulary's key and the pieces that it may name stand. */
#ifndef GALLOPER_ORDERS_TOKEN_H
#define GALLOPER_ORDERS_TOKEN_H

#include "battle/state.h"
#include "orders/vocabulary.h"

#include <stdint.h>
#include <string.h>
#include <talloc.h>

enum token_type {
	TOKEN_END,
	TOKEN_NEWLINE, /* see parse_sheet.c: what it does to an order is settled when one gets there */
	TOKEN_WORD,
	TOKEN_NUMBER,
	TOKEN_COMMA,
	TOKEN_SEMICOLON,
	TOKEN_STOP, /* . ! ? */
	TOKEN_COLON,
	TOKEN_DASH, /* any run of hyphens */
	TOKEN_TAB,  /* tab or | : the next cell of a table */
	TOKEN_ARROW,
	TOKEN_QUOTE, /* " */
	TOKEN_OPEN,  /* ( [ */
	TOKEN_CLOSE,
	TOKEN_AND, /* & + */
	TOKEN_SLASH,
	TOKEN_LESS,
	TOKEN_AT_MOST,
	TOKEN_EQUAL,
	TOKEN_AT_LEAST,
	TOKEN_GREATER,
	TOKEN_HASH,
	TOKEN_DEGREE,
	TOKEN_OTHER,
};

enum { PIECES_MAX = 256 };

/* A set of pieces, by index into state->units. */
struct piece_set {
	uint64_t bits[PIECES_MAX / 64];
};

enum { SHORT_WORD_MAX = 15 };

struct word {
	const char *text; /* folded */
	size_t length;
	uint32_t hash;
	struct word *same_bucket;
	enum key key;
	bool inflected;     /* "fires", "facing" */
	size_t verb_length; /* of "advance" in "advance4"; 0 where no number is joined to a verb */
	int value;
	int column, row, digit; /* a square: column from 0, row from 1, digit 0 for none; column -1: not one */
	bool likewise;          /* "too", "same": may repeat an order for others */
	int ordinal;            /* "first", "second": of a name when it stands before it; else 0 */
	bool named;             /* one of the sets below is not empty */
	struct piece_set code, id;
	struct piece_set part;  /* pieces with a name's word equal to it or beginning with it (four letters or more) */
	struct piece_set exact; /* those with a word equal to it */
	struct piece_set outside; /* of `part`, those whose word stands outside brackets */
	struct piece_set wing;    /* pieces of the wing of that name */
	bool respelt;             /* these are of a name that is spelt otherwise */
	bool strong;              /* enough to name a piece on its own */
	bool likened;             /* the nearest words of the vocabulary have been looked for: */
	const char *like, *like_verb;
	struct piece_set near, near_among;   /* the pieces named most alike, of those; found when asked for */
	int like_condition;                  /* 1 or -1; 0 while not looked at */
	int command;                         /* enum command_verb + 1, -1 for none, 0 while not looked for */
	char short_text[SHORT_WORD_MAX + 1]; /* where `text` is when it is no longer than that */
};

struct token {
	enum token_type type;
	enum key key; /* the word's, KEY_NONE for others */
	bool spaced;  /* a blank, or the line's start, before it */
	char mark;    /* the character, for STOP, DASH and OTHER */
	uint32_t offset, length;
	int line;       /* 0-based */
	int column;     /* 1-based, in characters */
	int32_t number; /* NUMBER: thousandths; -1 too large */
	struct word *word;
};

struct text_line {
	uint32_t offset, length; /* without its end */
	int first;               /* index of its first token; the token before the next line's first is its NEWLINE */
	int indent;              /* columns */
	bool likewise;           /* has such a word */
};

/* Letters and digits of ASCII, whatever the locale. */
static inline bool is_alnum_ascii(int c)
{
	return (unsigned)((c | 0x20) - 'a') < 26 || (unsigned)(c - '0') < 10;
}
static inline char fold_ascii(int c)
{
	return (char)((unsigned)(c - 'A') < 26 ? c + ('a' - 'A') : c);
}

/* Is it that folded word; does it begin so? Asked of many words, most of which differ in the first letter. */
static inline bool word_equals(const struct word *w, const char *folded)
{
	return *w->text == *folded && strcmp(w->text, folded) == 0;
}
static inline bool word_begins(const struct word *w, const char *with)
{
	return *w->text == *with && strncmp(w->text, with, strlen(with)) == 0;
}
static inline bool is_word(const struct token *t, const char *folded)
{
	return t->type == TOKEN_WORD && word_equals(t->word, folded);
}

struct names; /* names.h */

struct lexed {
	const char *text;
	size_t length;
	struct token *tokens; /* ends with END */
	int count;
	struct text_line *lines;
	int line_count;
};

/* Longest text and most lines are the caller's to check. On `mem`. */
struct lexed *tokens_read(TALLOC_CTX *mem, const char *text, size_t len, struct names *names);

#endif
