/* The pieces' names as an index of words: the longest name, id, code or unambiguous part of one is found from any word
 * (rule 1). Sets of pieces are bit sets. */
#ifndef GALLOPER_ORDERS_NAMES_H
#define GALLOPER_ORDERS_NAMES_H

#include "orders/token.h"

struct names;

struct names *names_new(TALLOC_CTX *mem, const struct state *s);

/* Before a sheet is read, when none of the words of another is in use: forgets them when they have become many. */
void names_begin_sheet(struct names *n);

/* The record of a folded word, made when it is new. Valid until a further sheet begins. */
struct word *names_word(struct names *n, const char *folded, size_t len);

/* How many words the piece's name has (without "and", "of"). */
int names_word_count(const struct names *n, int piece);

/* The pieces a word of whose name is most like that word, among `among`; empty when none is near. */
struct piece_set names_nearest(const struct names *n, struct word *w, const struct piece_set *among);

static inline bool set_has(const struct piece_set *s, int piece)
{
	return piece >= 0 && piece < PIECES_MAX && (s->bits[piece / 64] >> (piece % 64) & 1);
}

static inline void set_add(struct piece_set *s, int piece)
{
	if (piece >= 0 && piece < PIECES_MAX)
		s->bits[piece / 64] |= (uint64_t)1 << (piece % 64);
}

struct piece_set set_and(struct piece_set a, struct piece_set b);
struct piece_set set_or(struct piece_set a, struct piece_set b);
struct piece_set set_without(struct piece_set a, struct piece_set b);
bool set_empty(const struct piece_set *s);
int set_size(const struct piece_set *s);
/* More than one piece? */
bool set_several(const struct piece_set *s);
/* The first piece of the set at or after `from`, or -1. */
int set_next(const struct piece_set *s, int from);

#endif
