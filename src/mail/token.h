/* Reply tokens: how a plain reply proves who writes it.
 *
 * A token names a game, a player and a turn (with its part and its line of play) by number and is signed with the
 * server's secret (keyed BLAKE2b, 65 bits of it) for one holder: the key of the address that it is sent to. Who has
 * lost his place, or is a deputy no longer, has lost that key, and all his old mails with it. It is written in small
 * letters and digits without i, l, o and u (Crockford's base 32), so that nothing a phone or a mail program does to
 * case harms it; reading forgives capitals, i and l for 1, o for 0. It travels in the Message-ID
 * <g.TOKEN.RANDOM@domain>, in Reply-To's plus address game+TOKEN@domain and in the subject's tag [falkirk-7b T3 TOKEN],
 * which is T3b in the turn's second part. */
#ifndef GALLOPER_MAIL_TOKEN_H
#define GALLOPER_MAIL_TOKEN_H

#include "base/err.h"

#include <stdint.h>

enum {
	TOKEN_SECRET_BYTES = 32,
	TOKEN_TEXT_MAX = 40, /* in practice 16 to 22 */
	TOKEN_NUMBER_MAX = INT32_MAX,
	TOKEN_TURN_MAX = (1 << 16) - 1,
	TOKEN_PART_MAX = 25, /* z */
	TOKEN_LINE_MAX = 1000,
};

struct token {
	int64_t game, player;          /* the store's numbers, 0 to TOKEN_NUMBER_MAX */
	int turn, part;                /* the part counted from 0; 0 under `pace turn` */
	int line;                      /* of play, from 1; those above TOKEN_LINE_MAX count round from 1 again */
	char text[TOKEN_TEXT_MAX + 1]; /* as it is written; in its plain form also when it was read */
};

/* The token of a part of a player's turn for the holder of that key. Numbers out of range, or no key, are an assertion.
 */
struct token token_make(const unsigned char secret[TOKEN_SECRET_BYTES], int64_t game, int64_t player, int line,
	int turn, int part, const char *holder);

/* What a token says of that line of play. */
int token_line(int line);

/* Did we make it for the holder of that key ("": never)? Constant time in the signature. Whoever finds a token by the
 * functions below knows nothing until this has said yes. */
bool token_genuine(const unsigned char secret[TOKEN_SECRET_BYTES], const struct token *t, const char *holder);

/* Is `text` in the form of a token? */
bool token_read(const char *text, struct token *out);

/* Where tokens travel. Each finds the first text of a token's form in its header and gives false if there is none.
 * `own` is the game's own address; `ids` an In-Reply-To or References header, of which the last id counts first. */
bool token_in_address(const char *address, const char *own, struct token *out);
bool token_in_subject(const char *subject, struct token *out);
bool token_in_ids(const char *ids, struct token *out);

/* "[falkirk-7b T3 TOKEN]"; on `mem`. `game` is the game's name. */
char *token_subject_tag(TALLOC_CTX *mem, const char *game, const struct token *t);

#endif
