/* service/redact: what may not leave the server does not, however it is written, and what looks like it stays. */
#include "mail/token.h"
#include "service/redact.h"

#include <setjmp.h>
#include <sodium.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const unsigned char server[TOKEN_SECRET_BYTES] = {7};
static const char *keys[] = {"heather-otter-lantern-4271", "acorn-bell-deer-1000", NULL};
static const struct secrets secrets = {1, server, keys};

static void expect(const char *text, const char *redacted)
{
	struct buf *out = buf_new(NULL);

	redact_text(out, &secrets, text, strlen(text));
	assert_string_equal(out->data, redacted);
	talloc_free(out);
}

static void test_keys(void **state)
{
	static const char *const spelt[] = {"heather-otter-lantern-4271", "Heather Otter lantern 4271",
		"heatherotterlantern4271",
		"HEATHER\xE2\x80\x93OTTER\xE2\x80\x93LANTERN\xE2\x80\x93"
		"4271",
		"heather-otter-\n> lantern-4271", "h.e.a.t.h.e.r. otter (lantern), 4-2-7-1"};

	(void)state;
	for (size_t i = 0; i < sizeof spelt / sizeof *spelt; i++) {
		char *text = talloc_asprintf(NULL, "it is \"%s\", I think", spelt[i]);

		expect(text, "it is \"SECRET\", I think");
		talloc_free(text);
	}
	expect("acorn-bell-deer-1000heather-otter-lantern-4271", "SECRET");
	/* Nobody's that we know, in the form of one; and whatever is said to be one. */
	expect("was zebra-yew-Yellow-9999.", "was SECRET.");
	expect("> KEY what I had\r\nkey: x y\n  KEY\tz\nKeys\nKEY\n",
		"> KEY SECRET\r\nkey:SECRET\n  KEY\tSECRET\nKeys\nKEY\n");
	expect("class-seven-blue-2027, acorn-bell-deer-100, acorn-bell-deer-99991, acorn-bell-4271, otter lantern 4271",
		"class-seven-blue-2027, acorn-bell-deer-100, acorn-bell-deer-99991, acorn-bell-4271, otter lantern "
		"4271");
	/* The line ends where it ended, and the order below it stays. */
	expect("KEY heather-otter-lantern-4271\nR: move 3 to H4\n", "KEY SECRET\nR: move 3 to H4\n");
	expect("KEY acorn-bell-deer-1000\r\nR: move 3 to H4\r\n", "KEY SECRET\r\nR: move 3 to H4\r\n");
	expect("KEY zebra-yew-yellow-9999\nR: hold", "KEY SECRET\nR: hold");
	expect("GAME x TURN 2 KEY what I had\nGAME key\nturnkey KEY z\n",
		"GAME x TURN 2 KEY SECRET\nGAME key\nturnkey KEY z\n");
	expect("> KEY acorn-bell-deer-1000\n> R: hold\n", "> KEY SECRET\n> R: hold\n");
	expect("KEY \nR: hold\n", "KEY \nR: hold\n");
	expect("", "");
}

static void test_tokens(void **state)
{
	struct token t = token_make(server, 1, 2, 1, 3, 0, keys[1]), old = token_make(server, 1, 2, 1, 3, 0, "gone-1"),
		     other = token_make(server, 3, 2, 1, 3, 0, keys[0]),
		     strange = token_make(server, 3, 2, 1, 3, 0, "gone-1");
	char *text = talloc_asprintf(NULL, "<g.%s.00ff@x> g+%s@x g%%2B%s@x [g T3 %s]", t.text, t.text, t.text, t.text);

	(void)state;
	expect(text, "<g.TOKEN.00ff@x> g+TOKEN@x g%2BTOKEN@x [g T3 TOKEN]");
	talloc_free(text);
	expect(old.text, "TOKEN");
	expect(other.text, "TOKEN");
	/* What proves nothing stays: that of nobody in the game, and a digest. */
	expect(strange.text, strange.text);
	expect("1234567890abcdef1234567890abcdef1234567890abcdef1234567890abcdef",
		"1234567890abcdef1234567890abcdef1234567890abcdef1234567890abcdef");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_tokens),
	};

	return sodium_init() < 0 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
