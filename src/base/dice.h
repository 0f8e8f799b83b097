/* Named dice. A die's value is a function of the game's secret seed and the die's name alone, so a change to one order
 * or one die moves no other die, and a turn resolved twice is the same turn.
 *
 * A name is "STREAM.ORDINAL", as in T3.shoot.B.shoot.1: turn, phase, who rolls, purpose, the act it belongs to where
 * there is one, and the ordinal within that act (from 1). The stream's bytes are BLAKE2b-512 keyed with the seed: block
 * 0 of "STREAM", block k of "STREAM#k" for k >= 1. A byte b counts if b < 256 - 256 % sides and then shows b % sides +
 * 1; other bytes are skipped; die n is the n-th byte that counts. */
#ifndef GALLOPER_BASE_DICE_H
#define GALLOPER_BASE_DICE_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

enum { DICE_SEED_BYTES = 32 };

struct dice {
	uint8_t seed[DICE_SEED_BYTES];
};

/* The dice of a small number, for cases and odds: the seed is BLAKE2b-256 of its decimal digits. */
void dice_from_number(struct dice *d, uint64_t number);

/* Die `ordinal` (1-based) of `stream`: 1..sides; sides 2..100. */
int dice_roll(const struct dice *d, const char *stream, int sides, int ordinal);

/* Dice 1..count of one stream in one go; the same values as `count` calls of dice_roll. */
void dice_rolls(const struct dice *d, const char *stream, int sides, int count, int *values);

/* BLAKE2b-256 of the seed in hexadecimal (64 characters), told to all before the first deadline; on `mem`. */
char *dice_seed_hash(TALLOC_CTX *mem, const struct dice *d);

/* BLAKE2b-256 of any bytes, in hexadecimal; on `mem`. */
char *dice_digest(TALLOC_CTX *mem, const void *bytes, size_t len);

#endif
