/* mail/token, mail/key and base/address: what proves who writes. Known answers were computed with Python's hashlib. */
#include "mail/key.h"
#include "mail/token.h"

#include "base/address.h"

#include <ctype.h>
#include <setjmp.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const unsigned char secret[TOKEN_SECRET_BYTES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
	18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
static const char own[] = "game@mail.test", key[] = "heather-otter-lantern-4271";

static char *loud(TALLOC_CTX *mem, const char *text)
{
	char *copy = talloc_strdup(mem, text);

	for (char *p = copy; *p != '\0'; p++)
		*p = (char)toupper((unsigned char)*p);
	return copy;
}

static void test_known_answers(void **state)
{
	char *long_key = talloc_size(NULL, 201);

	(void)state;
	memset(long_key, 'a', 200);
	long_key[200] = '\0';
	assert_string_equal(token_make(secret, 1, 2, 1, 3, 0, key).text, "123e0fsp1xb9ee6q");
	assert_string_equal(token_make(secret, 17, 300, 1, 12, 0, key).text, "h1hjcc8d0gvvx2d6qqj");
	assert_string_equal(token_make(secret, 0, 0, 1, 0, 0, "a").text, "000cbme2hs9wxz9t");
	assert_string_equal(token_make(secret, INT32_MAX, INT32_MAX, 1, TOKEN_TURN_MAX, TOKEN_PART_MAX, long_key).text,
		"qzzzzzzfqzzzzzzfhszzzfawv4g4j4h2t11");
	/* In other lines of play than the first. */
	assert_string_equal(token_make(secret, 1, 2, 2, 3, 0, key).text, "12htggg3wynezrg17nbrx");
	assert_string_equal(token_make(secret, 17, 300, 3, 12, 2, key).text, "h1hjckpgggcqyaq0qe71spgd");
	assert_string_equal(
		token_make(secret, INT32_MAX, INT32_MAX, TOKEN_LINE_MAX, TOKEN_TURN_MAX, TOKEN_PART_MAX, long_key).text,
		"qzzzzzzfqzzzzzzfpnrzzzzfq2by0cwe18z9p");
	assert_string_equal(token_make(secret, 1, 2, TOKEN_LINE_MAX + 1, 3, 0, key).text, "123e0fsp1xb9ee6q");
	talloc_free(long_key);
}

static void test_round_trip(void **state)
{
	static const int64_t numbers[] = {0, 1, 15, 16, 17, 255, 256, 4095, 4096, 1000000, INT32_MAX};
	enum { N = sizeof numbers / sizeof numbers[0] };
	TALLOC_CTX *mem = talloc_new(NULL);

	(void)state;
	for (int g = 0; g < N; g++) {
		for (int p = 0; p < N; p++) {
			int turn = (int)(numbers[(g + p) % N] & TOKEN_TURN_MAX);
			int line = 1 + (g * N + p) * 9;
			struct token made = token_make(secret, numbers[g], numbers[p], line, turn, g % 3, key), read;

			assert_true(token_read(loud(mem, made.text), &read));
			assert_int_equal(read.game, made.game);
			assert_int_equal(read.player, made.player);
			assert_int_equal(read.turn, made.turn);
			assert_int_equal(read.part, g % 3);
			assert_int_equal(read.line, token_line(line));
			assert_string_equal(read.text, made.text);
			assert_true(token_genuine(secret, &read, key));
		}
	}
	talloc_free(mem);
}

/* Every other character in every place, and every shorter text: nothing but the token itself is genuine. */
static void test_forgery(void **state)
{
	static const char alphabet[] = "0123456789abcdefghjkmnpqrstvwxyz";
	struct token made = token_make(secret, 3, 41, 1, 2, 0, key), read;
	unsigned char other[TOKEN_SECRET_BYTES];
	size_t n = strlen(made.text);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		for (const char *c = alphabet; *c != '\0'; c++) {
			char text[TOKEN_TEXT_MAX + 1];

			strcpy(text, made.text);
			text[i] = *c;
			if (*c != made.text[i] && token_read(text, &read))
				assert_false(token_genuine(secret, &read, key));
		}
	}
	for (size_t i = 0; i < n; i++) {
		char text[TOKEN_TEXT_MAX + 1];

		snprintf(text, i + 1, "%s", made.text);
		if (token_read(text, &read))
			assert_false(token_genuine(secret, &read, key));
	}
	memcpy(other, secret, sizeof other);
	other[31] ^= 1;
	assert_true(token_genuine(secret, &made, key));
	assert_false(token_genuine(other, &made, key));
	/* Another holder's is as bad as another server's, and nobody's proves nothing. */
	assert_false(token_genuine(secret, &made, "heather-otter-lantern-4272"));
	assert_false(token_genuine(secret, &made, "heather-otter-lantern-42711"));
	assert_false(token_genuine(secret, &made, ""));
}

static void test_not_a_token(void **state)
{
	static const char *const texts[] = {"", "1", "123", "falkirk", "u123456789012345", "123456789012345u",
		"gggggggggggggggggggggggggggggggggggggggg", "12345678901234567890123456789012345678901234567890",
		"zzzzzzzzzzzzzzzz", "1-2-3-4567890123456"};
	struct token t;

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		assert_false(token_read(texts[i], &t));
	/* A number may be written in one way only: no leading zero digit. */
	assert_false(token_read("g1231234567890123", &t));
}

static void test_where_it_travels(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);
	struct token t = token_make(secret, 7, 19, 1, 3, 1, key), old = token_make(secret, 7, 19, 1, 2, 0, key), found;
	char *address = address_with_tag(mem, own, t.text), *tag = token_subject_tag(mem, "falkirk-7b", &t);

	(void)state;
	assert_non_null(strstr(tag, "[falkirk-7b T3b "));
	assert_true(address_valid(address));
	assert_true(token_in_address(address, own, &found) && strcmp(found.text, t.text) == 0);
	assert_true(token_in_address(loud(mem, address), own, &found) && token_genuine(secret, &found, key));
	assert_false(token_in_address(own, own, &found));
	assert_false(token_in_address("game+heather@mail.test", own, &found));
	assert_false(token_in_address(address, "game@other.test", &found));
	assert_false(token_in_address(address, "gam@mail.test", &found));

	assert_true(
		token_in_subject(talloc_asprintf(mem, "%s Turn 3", tag), &found) && found.turn == 3 && found.part == 1);
	assert_true(token_in_subject(talloc_asprintf(mem, "[EXTERNAL] RE: Aw: %s", tag), &found));
	assert_true(token_in_subject(talloc_asprintf(mem, "Re: [Falkirk-7B\n T3\t %s ] [x]", t.text), &found));
	assert_string_equal(found.text, t.text);
	assert_false(token_in_subject("Re: [falkirk-7b T3]", &found));
	assert_false(token_in_subject(t.text, &found));
	assert_false(token_in_subject("[", &found));
	assert_false(token_in_subject("[]", &found));
	assert_true(token_in_subject(talloc_asprintf(mem, "[ [%s]", t.text), &found));

	assert_true(token_in_ids(talloc_asprintf(mem, "<g.%s.00ff@mail.test>", t.text), &found));
	assert_string_equal(found.text, t.text);
	assert_true(token_in_ids(
		talloc_asprintf(mem, "<a@b> <g.%s.1@m> <g.%s.2@m>\r\n <CA+x@gmail.com>", old.text, t.text), &found));
	assert_int_equal(found.turn, 3);
	assert_false(token_in_ids("<g.00ff@mail.test> <", &found));
	assert_false(token_in_ids("", &found));
	talloc_free(mem);
}

static void test_address(void **state)
{
	static const char *const good[] = {"a@b", "game@localhost", "Carol.O'Neil+x@school.example", "a_b-c@x-y.z1.uk"};
	static const char *const bad[] = {"", "a", "@", "a@", "@b", "a@b@c", "a b@c", "a@b c", "a@b\r\nRCPT TO:<x@y>",
		"a\n@b", "a@b\n", "<a@b>", ".a@b", "a.@b", "a..c@b", "a@.b", "a@b.", "a@-b", "a@b-", "a@b-.c", "a@b.-c",
		"a@[1.2.3.4]", "\"a\"@b", "a/../b@c", "a%b@c", "a!b@c", "a|b@c", "caf\xC3\xA9@b", "a@caf\xC3\xA9.fr",
		"a,b@c", "a@b>", "a@b_c", "a2345678901234567890123456789012345678901234567890123456789012345@b"};

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		assert_true(address_valid(good[i]));
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(address_valid(bad[i]));
	assert_false(address_valid(NULL));
	assert_string_equal(address_domain("a@b.c"), "b.c");
	assert_null(address_with_tag(NULL, own, "a b"));
	assert_null(address_with_tag(NULL, own, "a234567890123456789012345678901234567890123456789012345678901234"));
}

static void test_mailbox(void **state)
{
	static const struct {
		const char *text, *address, *name;
	} good[] = {
		{"a@b.c", "a@b.c", ""},
		{" <a@b.c> ", "a@b.c", ""},
		{"Carol Smith <a@b.c>", "a@b.c", "Carol Smith"},
		{"\"Smith, \\\"Carol\\\"\"\r\n <a@b.c>", "a@b.c", "Smith, \"Carol\""},
		{"a@b.c (Carol (7b) Smith)", "a@b.c", "Carol (7b) Smith"},
		{"=?utf-8?Q?Ren=C3=A9?= <a@b.c>", "a@b.c", "=?utf-8?Q?Ren=C3=A9?="},
		{"Ren\xC3\xA9 < a@b.c >", "a@b.c", "Ren\xC3\xA9"},
	};
	static const char *const bad[] = {"", "Carol", "a@b.c, d@e.f", "Smith, Carol <a@b.c>", "<a@b.c> <d@e.f>",
		"x: a@b.c;", "\"a <a@b.c>", "(a@b.c", "<a@b.c", "a@b.c>", "<a@b.c> x", "a b@c.d", "Carol <a@b\r\nX: y>",
		"a@b.c d@e.f"};
	TALLOC_CTX *mem = talloc_new(NULL);
	struct address a;

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		assert_true(address_parse(mem, good[i].text, &a));
		assert_string_equal(a.address, good[i].address);
		assert_string_equal(a.name, good[i].name);
	}
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(address_parse(mem, bad[i], &a));
	talloc_free(mem);
}

static void test_keys(void **state)
{
	TALLOC_CTX *mem = talloc_new(NULL);

	(void)state;
	assert_true(key_equal("heather-otter-lantern-4271", key));
	assert_true(key_equal(" Heather Otter lantern 4271.", key));
	assert_true(key_equal("HEATHER\xE2\x80\x93OTTER\xE2\x80\x93LANTERN\xE2\x80\x93"
			      "4271",
		key));
	assert_true(key_equal("heatherotterlantern4271", key));
	assert_false(key_equal("heather-otter-lantern-4272", key));
	assert_false(key_equal("heather-otter-lantern", key));
	assert_false(key_equal("heather-otter-lantern-42711", key));
	assert_int_equal(key_length("Heather-OTTER-lantern-4271, and", 31), 26);
	assert_int_equal(key_length("heather-otter-lantern-4271", 25), 0);
	assert_int_equal(key_length("heather-otter-lantern-42711", 27), 0);
	assert_int_equal(key_length("heather-otte-lantern-4271", 25), 0);
	assert_int_equal(key_length("heather-otters-lantern-4271", 27), 0);
	assert_int_equal(key_length("heather--lantern-4271", 21), 0);
	assert_int_equal(key_length("", 0), 0);
	assert_false(key_equal("", key));
	assert_false(key_equal("", ""));
	assert_false(key_equal("--", "-"));
	assert_false(key_equal("heather-otter-lantern-4271heather-otter-lantern-4271heather-otter-lantern-4271", key));
	assert_true(key_formed("Heather otter lantern 427"));
	assert_false(key_formed("question: do we win?"));
	assert_false(key_formed("4271"));
	assert_false(key_formed("hills at H4 and J5"));
	for (int i = 0; i < 200; i++) {
		char a[40], b[40], c[40], more;
		unsigned number;
		char *made = key_new(mem);

		assert_int_equal(sscanf(made, "%39[a-z]-%39[a-z]-%39[a-z]-%4u%c", a, b, c, &number, &more), 4);
		assert_in_range(number, 1000, 9999);
		assert_true(key_equal(made, made));
		assert_int_equal(key_length(made, strlen(made)), strlen(made));
		assert_false(key_equal(made, key_new(mem)));
	}
	talloc_free(mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known_answers),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_forgery),
		cmocka_unit_test(test_not_a_token),
		cmocka_unit_test(test_where_it_travels),
		cmocka_unit_test(test_address),
		cmocka_unit_test(test_mailbox),
		cmocka_unit_test(test_keys),
	};

	return sodium_init() < 0 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
