#include "base/random.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

/* libsodium asks its source for bytes without an argument of ours, so the fixed source has to keep its place here. It
 * is the only state of its kind, and set in tests only. */
static struct {
	unsigned char key[32];
	uint64_t block;
} fixed;

static const char *fixed_name(void)
{
	return "fixed";
}

static void fixed_buf(void *const out, const size_t size)
{
	unsigned char *p = out;
	unsigned char block[64];

	for (size_t done = 0; done < size; done += sizeof block) {
		size_t n = size - done < sizeof block ? size - done : sizeof block;

		fixed.block++;
		crypto_generichash(block, sizeof block, (const unsigned char *)&fixed.block, sizeof fixed.block,
			fixed.key, sizeof fixed.key);
		memcpy(p + done, block, n);
	}
}

static uint32_t fixed_word(void)
{
	uint32_t word;

	fixed_buf(&word, sizeof word);
	return word;
}

void random_fix(const char *text, int64_t now)
{
	static randombytes_implementation source = {fixed_name, fixed_word, NULL, NULL, fixed_buf, NULL};
	char name[256];

	snprintf(name, sizeof name, "%s %lld", text, (long long)now);
	crypto_generichash(fixed.key, sizeof fixed.key, (const unsigned char *)name, strlen(name), NULL, 0);
	randombytes_set_implementation(&source);
}
