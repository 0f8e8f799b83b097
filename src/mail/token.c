#include "mail/token.h"

#include "base/address.h"
#include "base/buf.h"

#include <assert.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

/* A token's digits are five bits each: three numbers, four bits a digit and the fifth set while more follow, the
 * highest first; then the signature. */
enum {
	DIGIT_BITS = 5,
	NUMBER_BITS = 4,
	MORE = 1 << NUMBER_BITS,
	NUMBERS = 3,
	SIGNATURE_DIGITS = 13,
	HASH_BYTES = 16, /* of which the first 65 bits are used */
};

static const char digits[] = "0123456789abcdefghjkmnpqrstvwxyz";

/* A digit's value, in either case and with the letters that look like digits; -1 if it is none. */
static int digit_value(char c)
{
	const char *at;

	if (c >= 'A' && c <= 'Z')
		c = (char)(c - 'A' + 'a');
	if (c == 'i' || c == 'l')
		c = '1';
	if (c == 'o')
		c = '0';
	at = c == '\0' ? NULL : strchr(digits, c);
	return at == NULL ? -1 : (int)(at - digits);
}

static char *write_number(char *p, int64_t number)
{
	int places = 1;

	for (int64_t rest = number >> NUMBER_BITS; rest > 0; rest >>= NUMBER_BITS)
		places++;
	while (--places >= 0)
		*p++ = digits[((number >> (places * NUMBER_BITS)) & (MORE - 1)) | (places > 0 ? MORE : 0)];
	return p;
}

/* Only the shortest way to write a number is read, so that a token has one text. */
static const char *read_number(const char *p, int64_t *number)
{
	int value;

	*number = 0;
	do {
		value = digit_value(*p++);
		if (value < 0 || *number > TOKEN_NUMBER_MAX >> NUMBER_BITS || (value == MORE && *number == 0))
			return NULL;
		*number = *number << NUMBER_BITS | (value & (MORE - 1));
	} while (value & MORE);
	return p;
}

/* Turn, part and line in one number, which is the turn's own in its first or only part of the first line. */
static int64_t when(const struct token *t)
{
	return t->turn + (t->part + (int64_t)(t->line - 1) * (TOKEN_PART_MAX + 1)) * (TOKEN_TURN_MAX + 1);
}

static void sign(const unsigned char secret[TOKEN_SECRET_BYTES], const struct token *t, const char *holder,
	char out[SIGNATURE_DIGITS + 1])
{
	unsigned char hash[HASH_BYTES];
	unsigned waiting = 0;
	int bits = 0, next = 0;
	crypto_generichash_state state;
	char name[96];

	snprintf(name, sizeof name, "galloper reply token %lld %lld %lld ", (long long)t->game, (long long)t->player,
		(long long)when(t));
	crypto_generichash_init(&state, secret, TOKEN_SECRET_BYTES, sizeof hash);
	crypto_generichash_update(&state, (const unsigned char *)name, strlen(name));
	crypto_generichash_update(&state, (const unsigned char *)holder, strlen(holder));
	crypto_generichash_final(&state, hash, sizeof hash);
	for (int i = 0; i < SIGNATURE_DIGITS; i++) {
		if (bits < DIGIT_BITS) {
			waiting = (waiting << 8 | hash[next++]) & 0xffff;
			bits += 8;
		}
		bits -= DIGIT_BITS;
		out[i] = digits[waiting >> bits & ((1 << DIGIT_BITS) - 1)];
	}
	out[SIGNATURE_DIGITS] = '\0';
}

int token_line(int line)
{
	return (line - 1) % TOKEN_LINE_MAX + 1;
}

struct token token_make(const unsigned char secret[TOKEN_SECRET_BYTES], int64_t game, int64_t player, int line,
	int turn, int part, const char *holder)
{
	struct token t = {.game = game, .player = player, .turn = turn, .part = part, .line = token_line(line)};
	char *p = t.text;

	assert(game >= 0 && game <= TOKEN_NUMBER_MAX && player >= 0 && player <= TOKEN_NUMBER_MAX && turn >= 0 &&
		turn <= TOKEN_TURN_MAX && part >= 0 && part <= TOKEN_PART_MAX && line >= 1 && holder[0] != '\0');
	p = write_number(p, game);
	p = write_number(p, player);
	p = write_number(p, when(&t));
	assert(p + SIGNATURE_DIGITS <= t.text + TOKEN_TEXT_MAX);
	sign(secret, &t, holder, p);
	return t;
}

bool token_genuine(const unsigned char secret[TOKEN_SECRET_BYTES], const struct token *t, const char *holder)
{
	char signature[SIGNATURE_DIGITS + 1];
	size_t len = strlen(t->text);

	if (len <= SIGNATURE_DIGITS || holder[0] == '\0')
		return false;
	sign(secret, t, holder, signature);
	return sodium_memcmp(signature, t->text + len - SIGNATURE_DIGITS, SIGNATURE_DIGITS) == 0;
}

/* Exactly `len` characters of `text`. */
static bool read_form(const char *text, size_t len, struct token *out)
{
	int64_t moment = 0;
	const char *p;
	char copy[TOKEN_TEXT_MAX + 1];

	if (len > TOKEN_TEXT_MAX || len <= SIGNATURE_DIGITS)
		return false;
	memset(out, 0, sizeof *out);
	for (size_t i = 0; i < len; i++) {
		int value = digit_value(text[i]);

		if (value < 0)
			return false;
		copy[i] = digits[value];
	}
	copy[len] = '\0';
	p = read_number(copy, &out->game);
	if (p != NULL)
		p = read_number(p, &out->player);
	if (p != NULL)
		p = read_number(p, &moment);
	if (p == NULL || moment / (TOKEN_TURN_MAX + 1) / (TOKEN_PART_MAX + 1) >= TOKEN_LINE_MAX ||
		copy + len - p != SIGNATURE_DIGITS)
		return false;
	out->turn = (int)(moment % (TOKEN_TURN_MAX + 1));
	out->part = (int)(moment / (TOKEN_TURN_MAX + 1) % (TOKEN_PART_MAX + 1));
	out->line = 1 + (int)(moment / (TOKEN_TURN_MAX + 1) / (TOKEN_PART_MAX + 1));
	memcpy(out->text, copy, len + 1);
	return true;
}

bool token_read(const char *text, struct token *out)
{
	return read_form(text, strlen(text), out);
}

bool token_in_address(const char *address, const char *own, struct token *out)
{
	char *tag = address_tag(NULL, address, own);
	bool found = tag != NULL && token_read(tag, out);

	talloc_free(tag);
	return found;
}

/* The tag's last word, so before its ']'. A mail program may have folded the subject between the words. */
bool token_in_subject(const char *subject, struct token *out)
{
	for (const char *open = strchr(subject, '['); open != NULL; open = strchr(open + 1, '[')) {
		size_t len = strcspn(open + 1, "[]");
		const char *word = open + 1 + len;

		if (*word != ']')
			continue;
		while (word > open + 1 && strchr(" \t\r\n", word[-1]) != NULL)
			word--;
		len = 0;
		while (word - len > open + 1 && digit_value(word[-(ptrdiff_t)len - 1]) >= 0)
			len++;
		if (read_form(word - len, len, out))
			return true;
	}
	return false;
}

bool token_in_ids(const char *ids, struct token *out)
{
	bool found = false;

	for (const char *open = strchr(ids, '<'); open != NULL; open = strchr(open + 1, '<')) {
		struct token t;

		if ((open[1] == 'g' || open[1] == 'G') && open[2] == '.' &&
			read_form(open + 3, strcspn(open + 3, ".@>"), &t)) {
			*out = t;
			found = true;
		}
	}
	return found;
}

char *token_subject_tag(TALLOC_CTX *mem, const char *game, const struct token *t)
{
	const char part[] = {(char)(t->part > 0 ? 'a' + t->part : '\0'), '\0'};

	return buf_text(mem, "[%s T%d%s %s]", game, t->turn, part, t->text);
}
