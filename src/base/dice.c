#include "base/dice.h"

#include <assert.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK_BYTES = 64, HASH_BYTES = 32 };

/* Block `k` of the stream. These calls fail only for sizes out of range, so an assertion is enough. */
static void block(const struct dice *d, const char *stream, size_t len, unsigned k, uint8_t bytes[BLOCK_BYTES])
{
	crypto_generichash_state state;
	char tail[16];
	int failed, n;

	if (k == 0) {
		failed = crypto_generichash(
			bytes, BLOCK_BYTES, (const unsigned char *)stream, len, d->seed, DICE_SEED_BYTES);
		assert(!failed);
		return;
	}
	n = snprintf(tail, sizeof tail, "#%u", k);
	failed = crypto_generichash_init(&state, d->seed, DICE_SEED_BYTES, BLOCK_BYTES) |
		 crypto_generichash_update(&state, (const unsigned char *)stream, len) |
		 crypto_generichash_update(&state, (const unsigned char *)tail, (unsigned long long)n) |
		 crypto_generichash_final(&state, bytes, BLOCK_BYTES);
	assert(!failed);
}

/* Dice first..last of the stream into values[0] on. */
static void roll(const struct dice *d, const char *stream, int sides, int first, int last, int *values)
{
	uint8_t bytes[BLOCK_BYTES];
	size_t len = strlen(stream);
	int limit = 256 - 256 % sides, die = 0;

	assert(sides >= 2 && sides <= 100 && first >= 1);
	for (unsigned k = 0; die < last; k++) {
		block(d, stream, len, k, bytes);
		for (int i = 0; i < BLOCK_BYTES && die < last; i++)
			if (bytes[i] < limit && ++die >= first)
				values[die - first] = bytes[i] % sides + 1;
	}
}

void dice_from_number(struct dice *d, uint64_t number)
{
	char digits[24];
	int n = snprintf(digits, sizeof digits, "%" PRIu64, number);
	int failed = crypto_generichash(
		d->seed, DICE_SEED_BYTES, (const unsigned char *)digits, (unsigned long long)n, NULL, 0);

	assert(!failed);
}

int dice_roll(const struct dice *d, const char *stream, int sides, int ordinal)
{
	int value;

	roll(d, stream, sides, ordinal, ordinal, &value);
	return value;
}

void dice_rolls(const struct dice *d, const char *stream, int sides, int count, int *values)
{
	roll(d, stream, sides, 1, count, values);
}

char *dice_seed_hash(TALLOC_CTX *mem, const struct dice *d)
{
	return dice_digest(mem, d->seed, DICE_SEED_BYTES);
}

char *dice_digest(TALLOC_CTX *mem, const void *bytes, size_t len)
{
	uint8_t hash[HASH_BYTES];
	char *text = talloc_size(mem, 2 * HASH_BYTES + 1);
	int failed = crypto_generichash(hash, HASH_BYTES, bytes, len, NULL, 0);

	assert(!failed && text);
	sodium_bin2hex(text, 2 * HASH_BYTES + 1, hash, HASH_BYTES);
	talloc_set_name_const(text, "char");
	return text;
}
